"""Text runs become PDF operators: fonts embedded as subsets by ReportLab, kerning as measured by HarfBuzz."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
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


class Typefaces:
    """The fonts of one document; `document` is ReportLab's, which hands out the subsets."""

    def __init__(self, document: Any, fonts: Fonts) -> None:
        self._document = document
        self._fonts = fonts
        self._letters: dict[str, _Letters] = {}

    def operators(self, run: Run) -> list[str]:
        """The operators that select the font and show the run; its place and colour must be set before."""
        letters = self._letters.get(run.font)
        if letters is None:
            font = _load(run.font, str(self._fonts.path(run.font)))
            letters = self._letters[run.font] = _Letters(font, self._document)
        found = list(map(letters.__getitem__, zip(run.text, run.advances, strict=True)))
        shown: list[str] = []
        for name, several in groupby(found, attrgetter("font")):
            shown += (f"{name} {run.size:g} Tf", _array(letter.shown for letter in several))
        apart = any(letter.apart for letter in found)
        return [_saying(run.text), *shown, "EMC"] if apart else shown


@dataclass(frozen=True, slots=True)
class _Letter:
    """A character with its advance in one document: the font that it takes, as PDF knows it, and what shows it.

    That is its code, and where need be what to move back behind it, with the ends of the strings around that.
    """

    font: str
    shown: str
    apart: bool


class _Letters(dict[tuple[str, float], _Letter]):
    """The characters of one font, with the advances that they have been shown with."""

    def __init__(self, font: TTFont, document: Any) -> None:
        super().__init__()
        self._font = font
        self._document = document

    def __missing__(self, key: tuple[str, float]) -> _Letter:
        character, advance = key
        ((subset, code),) = self._font.splitString(character, self._document)
        written = "".join(_ESCAPED.get(byte) or chr(byte) for byte in code)
        move_back = self._font.face.getCharWidth(ord(character)) - advance
        if abs(move_back) > _NOTICEABLE:
            written += f") {move_back:.4g} ("
        name = self._font.getSubsetInternalName(subset, self._document)
        letter = self[key] = _Letter(name, written, move_back < -_APART and character != " ")
        return letter


def _array(shown: Iterable[str]) -> str:
    """The operator that shows some letters: strings, and between them what to move back, in thousandths of the size."""
    strings = "".join(shown)
    # A bracket that is text has a backslash before it: this one was opened for letters that do not come.
    return f"[({strings[:-1]}] TJ" if strings.endswith(" (") else f"[({strings})] TJ"


def _saying(text: str) -> str:
    """Opens a span that is copied and read aloud as `text`, however far apart its letters stand."""
    return f"/Span <</ActualText <FEFF{text.encode('utf-16be').hex()}>>> BDC"


@lru_cache(maxsize=64)
def _load(key: str, path: str) -> TTFont:
    font = TTFont(key, path)
    pdfmetrics.registerFont(font)
    return font
