"""Fonts and drawings that faces share: subsets of fonts, and headings and icons that recur."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTEncoding, TTFError, TTFont, TTFontFace

from cardgen.diagnostic import CardgenError
from cardgen.export.pdf.form_xobject import Drawing
from cardgen.face.face import Face, Item
from cardgen.text.fonts import Font, Fonts, damage
from cardgen.text.harfbuzz import FontFace
from cardgen.text.lines import Run

# Smaller differences in width, in thousandths of the type size, are rounding errors.
_MIN_KERNING = 0.5
# PDF readers that look at distances take letters farther apart than this for separate words.
_WORD_GAP = 80
_MAX_RUNS = 2048
_UNPRINTABLE = (*range(32), *range(127, 256))
# The exceptions that HarfBuzz and ReportLab raise for damaged fonts.
_FONT_ERRORS = (TTFError, RuntimeError, LookupError, ValueError, ArithmeticError, struct.error)
_STRING_ESCAPES = {ord(mark): f"\\{mark}" for mark in "()\\"} | {code: f"\\{code:03o}" for code in _UNPRINTABLE}


def register_font(fonts: Fonts, family: str) -> str:
    """Register a family's regular font, and return its name in ReportLab.

    A document can use it as its initial font.
    """
    return str(_lazy_font(fonts.font(family)).fontName)


class DocumentFonts:
    """Fonts of one document; `document` is ReportLab's, which assigns the subsets."""

    def __init__(self, document: Any, fonts: Fonts) -> None:
        self._document = document
        self._fonts = fonts
        self._caches: dict[str, _LetterCache] = {}
        self._shown: dict[tuple[str, bytes, str, float], str] = {}

    def show_operators(self, run: Run) -> str:
        """Return the operators that select the font and show a run.

        Position and color must already be set. Most runs of a deck recur, so the last ones are kept.
        """
        key = (run.text, run.packed_advances, run.font, run.size)
        shown = self._shown.get(key)
        if shown is None:
            if len(self._shown) >= _MAX_RUNS:
                self._shown.clear()
            shown = self._shown[key] = " ".join(self._new_operators(run))
        return shown

    def _new_operators(self, run: Run) -> list[str]:
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


class _EncodedLetter(NamedTuple):
    """A character and its advance, encoded for one document.

    `font` is its font's name in the PDF. `code` is its escaped code, followed, if necessary, by a kerning adjustment
    that ends and reopens the string. `spaced` is true if the gap behind it looks like a space.
    """

    font: str
    code: str
    spaced: bool


class _LetterCache(dict[tuple[str, float], _EncodedLetter]):
    """Cache of encoded characters of one font, by character and advance.

    `spaced` is true if any of them is.
    """

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
    """Return the TJ operator for letters.

    Adjustments between strings are in thousandths of the type size.
    """
    strings = "".join(codes)
    # A bracket in the text would be escaped; this one was opened for letters that do not follow.
    return f"[({strings[:-1]}] TJ" if strings.endswith(" (") else f"[({strings})] TJ"


def _actual_text_operator(text: str) -> str:
    """Start a span that is copied and read aloud as `text`.

    Readers then ignore the distances between its letters.
    """
    return f"/Span <</ActualText <FEFF{text.encode('utf-16be').hex()}>>> BDC"


class _LazyFontFace:
    """Font face for ReportLab that is loaded and subset when embedded.

    ReportLab's own class reads the whole font, which takes ten times as long, and a megabyte.
    """

    subfontNameX = b""  # noqa: N815 - ReportLab's name

    def __init__(self, font: Font) -> None:
        self.name = font.key.encode()
        self.charToGlyph = _CharacterSet(font.face)
        self._face = font.face
        self._path = font.path

    def getCharWidth(self, code: int) -> float:  # noqa: N802 - ReportLab's name
        """Return the width of a character, in thousandths of the type size."""
        return self._face.advance(chr(code)) * 1000

    def addSubsetObjects(self, document: Any, name: str, codes: Sequence[int]) -> Any:  # noqa: N802 - ReportLab's name
        """Embed the font with only these characters, in this order.

        Raises CardgenError if the font is damaged.
        """
        try:
            letters = BytesIO(self._face.subset("".join(map(chr, codes)), self.name.decode()))
            return TTFontFace(letters).addSubsetObjects(document, name, codes)
        except _FONT_ERRORS as error:
            raise CardgenError(damage(self._path, error)) from None


class _CharacterSet:
    """Characters of a font, by code point."""

    def __init__(self, face: FontFace) -> None:
        self._face = face

    def __contains__(self, code: int) -> bool:
        return self._face.has_glyph(chr(code))


class _LazyFont(TTFont):  # type: ignore[misc]  # ReportLab has no types
    """ReportLab font that is not read before it is embedded."""

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


# A drawing becomes a form when it is used this often. Writing a form costs about as much as that many uses of it save.
_FORM_FROM = 12
# Shorter operators take as little space as those that paint a form.
_MIN_LENGTH = 48
# Drawings that are kept in case they recur, and items whose drawings are known.
_MAX_CANDIDATES = 2048
_MAX_ITEMS = 2048

Draw: TypeAlias = Callable[[Item, Face], Drawing]
MakeForm: TypeAlias = Callable[[Drawing, Item, Face], Drawing]


@dataclass(slots=True)
class _Uses:
    """A drawing, and the number of its uses."""

    drawing: Drawing
    count: int = 0


class SharedDrawings:
    """The drawings of the items of faces that have the same size and bleed.

    Whether items are the same objects changes nothing in the document: what becomes a form depends on operators.
    """

    def __init__(self, draw: Draw, make_form: MakeForm) -> None:
        self._draw = draw
        self._make_form = make_form
        # Keyed by identity, because items are long to compare; the item is stored to keep it alive.
        self._items: dict[int, tuple[_Uses, Item]] = {}
        # By operators.
        self._candidates: dict[str, _Uses] = {}
        self._forms: dict[str, _Uses] = {}

    def content(self, face: Face) -> str:
        """Return the operators that draw a face."""
        items, parts = self._items, []
        for item in face.items:
            entry = items.get(id(item))
            uses = entry[0] if entry else self._find(item, face)
            uses.count += 1
            if uses.count == _FORM_FROM:
                self._share(uses, item, face)
            parts.append(uses.drawing.operators)
        return "\n".join(parts)

    def _find(self, item: Item, face: Face) -> _Uses:
        """Return the uses of the drawing of an item, which is kept if others have the same."""
        drawing = self._draw(item, face)
        uses = self._forms.get(drawing.operators) or self._candidates.get(drawing.operators)
        if uses is None:
            if len(self._candidates) >= _MAX_CANDIDATES:
                self._forget()
            uses = self._candidates[drawing.operators] = _Uses(drawing)
        else:
            if len(self._items) >= _MAX_ITEMS:
                self._items.clear()
            self._items[id(item)] = (uses, item)
        return uses

    def _share(self, uses: _Uses, item: Item, face: Face) -> None:
        """Make a form of a drawing, unless it is short."""
        operators = uses.drawing.operators
        if len(operators) >= _MIN_LENGTH:
            uses.drawing = self._make_form(uses.drawing, item, face)
            self._forms[operators] = self._candidates.pop(operators)

    def _forget(self) -> None:
        """Halve the uses of all candidates, and forget those that were used only once since."""
        for uses in self._candidates.values():
            uses.count //= 2
        for key in [key for key, uses in self._candidates.items() if not uses.count]:
            del self._candidates[key]
        for number in [number for number, (uses, _) in self._items.items() if not uses.count]:
            del self._items[number]
