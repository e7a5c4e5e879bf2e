"""Text runs become PDF operators: fonts embedded as subsets by ReportLab, kerning as measured by HarfBuzz."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from cardgen.text.fonts import Fonts
from cardgen.text.lines import Run

# Below this, in thousandths of the type size, a difference in width is rounding.
_NOTICEABLE = 0.5
# Letters that stand further apart than this are taken for words by readers that go by the distance.
_APART = 80
_UNPRINTABLE = (*range(32), *range(127, 256))
_ESCAPED = {ord(mark): f"\\{mark}" for mark in "()\\"} | {code: f"\\{code:03o}" for code in _UNPRINTABLE}


def registered(fonts: Fonts, family: str) -> str:
    """The name under which ReportLab knows a family's regular font, so that a document can start with it."""
    font = fonts.font(family)
    return str(_load(font.key, str(font.path)).fontName)


@dataclass(frozen=True, slots=True)
class _Letter:
    """A character in one document: the font that it takes, as PDF knows it, its code, and its width."""

    font: str
    code: str
    width: float


class Typefaces:
    """The fonts of one document; `document` is ReportLab's, which hands out the subsets."""

    def __init__(self, document: Any, fonts: Fonts) -> None:
        self._document = document
        self._fonts = fonts
        self._letters: dict[str, dict[str, _Letter]] = {}

    def operators(self, run: Run) -> list[str]:
        """The operators that select the font and show the run; its place and colour must be set before."""
        letters = self._letters.setdefault(run.font, {})
        shown: list[str] = []
        array = _Array()
        current, apart = "", False
        for character, advance in zip(run.text, run.advances, strict=True):
            letter = letters.get(character) or self._letter(run.font, character)
            if letter.font != current:
                shown.extend(array.taken())
                shown.append(f"{letter.font} {run.size:g} Tf")
                current = letter.font
            move_back = letter.width - advance
            apart = apart or (move_back < -_APART and character != " ")
            array.add(letter.code, move_back)
        shown.extend(array.taken())
        return [_saying(run.text), *shown, "EMC"] if apart else shown

    def _letter(self, key: str, character: str) -> _Letter:
        font = _load(key, str(self._fonts.path(key)))
        ((subset, code),) = font.splitString(character, self._document)
        letter = self._letters[key][character] = _Letter(
            font.getSubsetInternalName(subset, self._document),
            "".join(_ESCAPED.get(byte) or chr(byte) for byte in code),
            font.face.getCharWidth(ord(character)),
        )
        return letter


class _Array:
    """The operand of a TJ operator: strings, and between them what to move back, in thousandths of the size."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._open = False

    def add(self, code: str, move_back: float) -> None:
        if not self._open:
            self._parts.append("(")
            self._open = True
        self._parts.append(code)
        if abs(move_back) > _NOTICEABLE:
            self._parts.append(f") {move_back:.4g} ")
            self._open = False

    def taken(self) -> list[str]:
        """The operator with all that was added, if anything was; the array is empty afterwards."""
        if not self._parts:
            return []
        shown = f"[{''.join(self._parts)}{')' if self._open else ''}] TJ"
        self._parts, self._open = [], False
        return [shown]


def _saying(text: str) -> str:
    """Opens a span that is copied and read aloud as `text`, however far apart its letters stand."""
    return f"/Span <</ActualText <FEFF{text.encode('utf-16be').hex()}>>> BDC"


@lru_cache(maxsize=64)
def _load(key: str, path: str) -> TTFont:
    font = TTFont(key, path)
    pdfmetrics.registerFont(font)
    return font
