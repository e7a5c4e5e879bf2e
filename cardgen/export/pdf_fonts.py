"""Subset fonts for ReportLab, and text operators with HarfBuzz kerning."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from itertools import groupby
from operator import attrgetter
from typing import Any
from weakref import WeakKeyDictionary

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTEncoding, TTFont, TTFontFace

from cardgen.text.fonts import Font, Fonts
from cardgen.text.harfbuzz import FontFace
from cardgen.text.lines import Run

# Below this, in thousandths of the type size, a difference in width is rounding.
_MIN_KERNING = 0.5
# Letters that stand further apart than this are taken for words by readers that go by the distance.
_WORD_GAP = 80
_UNPRINTABLE = (*range(32), *range(127, 256))
_STRING_ESCAPES = {ord(mark): f"\\{mark}" for mark in "()\\"} | {code: f"\\{code:03o}" for code in _UNPRINTABLE}


def register_font(fonts: Fonts, family: str) -> str:
    """The name under which ReportLab knows a family's regular font, so that a document can start with it."""
    return str(_lazy_font(fonts.font(family)).fontName)


class DocumentFonts:
    """The fonts of one document; `document` is ReportLab's, which hands out the subsets."""

    def __init__(self, document: Any, fonts: Fonts) -> None:
        self._document = document
        self._fonts = fonts
        self._caches: dict[str, _LetterCache] = {}

    def show_operators(self, run: Run) -> list[str]:
        """The operators that select the font and show the run; its place and colour must be set before."""
        cache = self._caches.get(run.font)
        if cache is None:
            font = _lazy_font(self._fonts.font_by_key(run.font))
            cache = self._caches[run.font] = _LetterCache(font, self._document)
        found = list(map(cache.__getitem__, zip(run.text, run.advances, strict=True)))
        operators: list[str] = []
        for name, group in groupby(found, attrgetter("font")):
            operators += (f"{name} {run.size:g} Tf", _tj_operator(letter.code for letter in group))
        spaced = cache.spaced and any(letter.spaced for letter in found)
        return [_actual_text_operator(run.text), *operators, "EMC"] if spaced else operators


@dataclass(frozen=True, slots=True)
class _EncodedLetter:
    """A character with its advance in one document: the font that it takes, as PDF knows it, and what shows it.

    That is its code, and where need be what to move back behind it, with the ends of the strings around that.
    """

    font: str
    code: str
    spaced: bool


class _LetterCache(dict[tuple[str, float], _EncodedLetter]):
    """The characters of one font, with the advances that they have been shown with; `apart` if one of them is."""

    def __init__(self, font: _LazyFont, document: Any) -> None:
        super().__init__()
        self._font = font
        self._document = document
        self.spaced = False

    def __missing__(self, key: tuple[str, float]) -> _EncodedLetter:
        character, advance = key
        ((subset, code),) = self._font.splitString(character, self._document)
        text = "".join(_STRING_ESCAPES.get(byte) or chr(byte) for byte in code)
        move_back = self._font.face.getCharWidth(ord(character)) - advance
        if abs(move_back) > _MIN_KERNING:
            text += f") {move_back:.4g} ("
        name = self._font.getSubsetInternalName(subset, self._document)
        letter = self[key] = _EncodedLetter(name, text, move_back < -_WORD_GAP and character != " ")
        self.spaced = self.spaced or letter.spaced
        return letter


def _tj_operator(codes: Iterable[str]) -> str:
    """The operator that shows some letters: strings, and between them what to move back, in thousandths of the size."""
    strings = "".join(codes)
    # A bracket that is text has a backslash before it: this one was opened for letters that do not come.
    return f"[({strings[:-1]}] TJ" if strings.endswith(" (") else f"[({strings})] TJ"


def _actual_text_operator(text: str) -> str:
    """Opens a span that is copied and read aloud as `text`, however far apart its letters stand."""
    return f"/Span <</ActualText <FEFF{text.encode('utf-16be').hex()}>>> BDC"


class _LazyFontFace:
    """A face as ReportLab looks at it until it embeds the font; that it does with the letters which it needs alone.

    To read the whole font, as its own class does, takes ten times as long, and a megabyte.
    """

    subfontNameX = b""  # noqa: N815 - ReportLab's name

    def __init__(self, font: Font) -> None:
        self.name = font.key.encode()
        self.charToGlyph = _CharacterSet(font.face)
        self._face = font.face

    def getCharWidth(self, code: int) -> float:  # noqa: N802 - ReportLab's name
        """The width of a character, in thousandths of the type size."""
        return self._face.advance(chr(code)) * 1000

    def addSubsetObjects(self, document: Any, name: str, codes: Sequence[int]) -> Any:  # noqa: N802 - ReportLab's name
        """Embed a font with these characters, in the order of their codes."""
        letters = BytesIO(self._face.subset("".join(map(chr, codes))))
        return TTFontFace(letters).addSubsetObjects(document, name, codes)


class _CharacterSet:
    """The characters of a font, by their numbers."""

    def __init__(self, face: FontFace) -> None:
        self._face = face

    def __contains__(self, code: int) -> bool:
        return self._face.has_glyph(chr(code))


class _LazyFont(TTFont):  # type: ignore[misc]  # ReportLab has no types
    """A font of ReportLab's that is not read before it is embedded."""

    def __init__(self, font: Font) -> None:
        self.fontName = font.key
        self.face = _LazyFontFace(font)
        self.encoding = TTEncoding()
        self.state: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
        self.shapable = False
        self._asciiReadable = True


@lru_cache(maxsize=64)
def _lazy_font(font: Font) -> _LazyFont:
    lazy = _LazyFont(font)
    pdfmetrics.registerFont(lazy)
    return lazy
