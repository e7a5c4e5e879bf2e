"""Text runs become PDF operators: fonts embedded as subsets by ReportLab, kerning as measured by HarfBuzz."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from cardgen.text.fonts import Fonts
from cardgen.text.lines import Run

# Below this, in thousandths of the type size, a difference in width is rounding.
_NOTICEABLE = 0.5
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

    def operators(self, run: Run) -> list[str]:
        """The operators that select the font and show the run; its place and colour must be set before."""
        font = _load(run.font, str(self._fonts.path(run.font)))
        shown: list[str] = []
        array = _Array()
        current = -1
        for character, advance in zip(run.text, run.advances, strict=True):
            ((subset, code),) = font.splitString(character, self._document)
            if subset != current:
                shown.extend(array.taken())
                shown.append(f"{font.getSubsetInternalName(subset, self._document)} {run.size:g} Tf")
                current = subset
            array.add(code, font.face.getCharWidth(ord(character)) - advance)
        shown.extend(array.taken())
        return shown


class _Array:
    """The operand of a TJ operator: strings, and between them what to move back, in thousandths of the size."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._open = False

    def add(self, code: bytes, move_back: float) -> None:
        if not self._open:
            self._parts.append("(")
            self._open = True
        self._parts.extend(_ESCAPED.get(byte) or chr(byte) for byte in code)
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


@lru_cache(maxsize=64)
def _load(key: str, path: str) -> TTFont:
    font = TTFont(key, path)
    pdfmetrics.registerFont(font)
    return font
