"""Fonts of a PDF: composite fonts of the glyphs that its texts have, and the operators that show them.

A code of two bytes is the number of a glyph and of the text that it stands for. So a glyph that draws parts of several
texts, such as the body of Arabic letters, is copied as each of them. Composite fonts are in ISO 32000-1, 9.7, and the
text of their codes in 9.10.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from reportlab.pdfbase import pdfdoc, pdfmetrics

from cardgen.export.pdf.resources import IndirectDictionary
from cardgen.text.bidi import has_right_to_left
from cardgen.text.fonts import Font, Fonts, subset_of
from cardgen.text.harfbuzz import Parts
from cardgen.text.lines import Glyph, Run

# Smaller differences in width, in thousandths of the type size, are rounding errors.
_MIN_KERNING = 0.5
# PDF readers that look at distances take letters farther apart than this for separate words.
_WORD_GAP = 80
_MAX_RUNS = 2048
# Codes of one font; further ones are in another font with the same glyphs.
_MOST_CODES = 65_000
# The most lines in one block of the ToUnicode map.
_MOST_LINES = 100
_SYMBOLIC, _ITALIC = 4, 64
_SLANT = -12
_CMAP = """/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
{}
endcmap
CMapName currentdict /CMap defineresource pop
end
end"""


class _NoFont:
    """What a canvas of ReportLab starts with, so that it adds no font of its own."""

    fontName = "no-font"  # noqa: N815 - ReportLab's names
    _dynamicFont = True  # noqa: N815
    _multiByte = False  # noqa: N815

    class face:  # noqa: N801 - ReportLab's name
        name = "no-font"


def no_font() -> str:
    """Return the name of a font of ReportLab's that adds nothing to a document."""
    pdfmetrics.registerFont(_NoFont)
    return _NoFont.fontName


class DocumentFonts:
    """Fonts of one document, which are embedded when it ends; `document` is ReportLab's."""

    def __init__(self, document: Any, fonts: Fonts) -> None:
        self._fonts = fonts
        self._embedded: dict[str, _EmbeddedFont] = {}
        self._shown: dict[tuple[str, bytes, tuple[Glyph, ...], str, float], str] = {}
        document.delayedFonts.append(self)

    def show_operators(self, run: Run) -> str:
        """Return the operators that select the font and show a run.

        Position and color must already be set. Most runs of a deck recur, so the last ones are kept.
        """
        key = (run.text, run.packed_advances, run.glyphs, run.font, run.size)
        shown = self._shown.get(key)
        if shown is None:
            if len(self._shown) >= _MAX_RUNS:
                self._shown.clear()
            shown = self._shown[key] = " ".join(self._new_operators(run))
        return shown

    def addObjects(self, document: Any) -> None:  # noqa: N802 - ReportLab's name
        """Embed all fonts. Raises CardgenError if one is damaged."""
        entries = document.idToObject["BasicFonts"].dict
        for font in self._embedded.values():
            for name, part in font.objects():
                entries[name] = document.Reference(part, f"font-{name}")

    def _new_operators(self, run: Run) -> list[str]:
        font = self._embedded.get(run.font)
        if font is None:
            prefix = f"F{len(self._embedded) + 1}"
            font = self._embedded[run.font] = _EmbeddedFont(self._fonts.font_by_key(run.font), prefix)
        if run.glyphs:
            codes = [font.glyphs[glyph] for glyph in run.glyphs]
        else:
            codes = [font.letters[letter] for letter in zip(run.text, run.advances, strict=True)]
        operators: list[str] = []
        for name, group in groupby(codes, key=attrgetter("font")):
            strings = "".join([code.code for code in group])
            # The last string was opened for glyphs that do not follow.
            shown = f"<{strings[:-1]}" if strings.endswith("<") else f"<{strings}>"
            operators.append(f"/{name} {run.size:g} Tf [{shown}] TJ")
        # Text from right to left would be copied backward.
        spaced = any(code.spaced for code in codes) and not has_right_to_left(run.text)
        return [_actual_text_operator(run.text), *operators, "EMC"] if spaced else operators


class _Code(NamedTuple):
    """A glyph and its advance, encoded for one document.

    `font` is its font's name in the PDF. `code` is its code in hexadecimal digits, followed, if necessary, by a kerning
    adjustment that ends and reopens the string. `spaced` is true if the gap behind it looks like a space.
    """

    font: str
    code: str
    spaced: bool


class _Cache(dict[Any, _Code]):
    """Codes of one font, each made when it is asked for."""

    def __init__(self, make: Callable[[Any], _Code]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: Any) -> _Code:
        code = self[key] = self._make(key)
        return code


def _actual_text_operator(text: str) -> str:
    """Start a span that is copied and read aloud as `text`.

    Readers then ignore the distances between its letters.
    """
    return f"/Span <</ActualText <FEFF{text.encode('utf-16be').hex()}>>> BDC"


class _EmbeddedFont:
    """The codes of one font, which is subset when the document ends.

    `letters` are the codes of characters that are their own glyphs, by character and advance, and `glyphs` those of all
    others.
    """

    def __init__(self, font: Font, prefix: str) -> None:
        self._font, self._prefix = font, prefix
        self._numbers: dict[tuple[Parts, str], int] = {}
        self._widths: list[float] = []
        self.letters = _Cache(self._letter)
        self.glyphs = _Cache(self._glyph)

    def _letter(self, key: tuple[str, float]) -> _Code:
        character, advance = key
        return self._glyph(Glyph(character, advance, ((self._font.face.glyph_of(character), 0.0, 0.0),)))

    def _glyph(self, glyph: Glyph) -> _Code:
        unit = self._font.units_per_em / 1000
        parts = tuple([(number, round(dx * unit), round(dy * unit)) for number, dx, dy in glyph.parts])
        code = self._numbers.setdefault((parts, glyph.text), len(self._numbers))
        if code == len(self._widths):
            is_own = len(parts) == 1 and not any(parts[0][1:])
            self._widths.append(self._font.face.glyph_advance(parts[0][0]) * 1000 if is_own else glyph.advance)
        part, number = divmod(code, _MOST_CODES)
        text = f"{number + 1:04X}"
        move_back = self._widths[code] - glyph.advance
        if abs(move_back) > _MIN_KERNING:
            text += f"> {move_back:.4g} <"
        return _Code(self._name(part), text, move_back < -_WORD_GAP and glyph.text != " ")

    def _name(self, part: int) -> str:
        return f"{self._prefix}.{part}" if part else self._prefix

    def objects(self) -> Iterator[tuple[str, IndirectDictionary]]:
        """Yield the font, in parts of as many codes as one can have, with their names.

        Raises CardgenError if it is damaged.
        """
        pairs = list(self._numbers)
        for part, start in enumerate(range(0, len(pairs), _MOST_CODES)):
            stop = start + _MOST_CODES
            yield self._name(part), self._object(pairs[start:stop], self._widths[start:stop])

    def _object(self, pairs: Sequence[tuple[Parts, str]], widths: Sequence[float]) -> IndirectDictionary:
        font, face = self._font, self._font.face
        glyphs = sorted({parts for parts, _ in pairs})
        program, numbers = subset_of(font, glyphs)
        places = dict(zip(glyphs, numbers, strict=True))
        digest = hashlib.sha256(repr(glyphs).encode()).digest()
        name = "".join(chr(ord("A") + byte % 26) for byte in digest[:6]) + f"+{font.key}"
        box = " ".join(f"{1000 * side:.0f}" for side in face.bounding_box)
        above, below = face.typographic_extent
        descriptor = IndirectDictionary(
            f"<< /Type /FontDescriptor /FontName /{name} /Flags {_SYMBOLIC | _ITALIC * face.italic} /FontBBox [{box}]"
            f" /ItalicAngle {_SLANT * face.italic} /Ascent {1000 * above:.0f} /Descent {1000 * below:.0f}"
            f" /CapHeight {1000 * font.cap_height:.0f} /StemV {50 + (face.weight / 65) ** 2:.0f} /FontFile2 %s >>",
            (_Stream(program, f"/Length1 {len(program)}"),),
        )
        used = struct.pack(f">{len(pairs) + 1}H", 0, *[places[parts] for parts, _ in pairs])
        listed = " ".join(f"{width:.5g}" for width in widths)
        descendant = IndirectDictionary(
            f"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{name} /DW 0 /W [1 [{listed}]]"
            " /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>"
            " /FontDescriptor %s /CIDToGIDMap %s >>",
            (descriptor, _Stream(used)),
        )
        texts = _Stream(_CMAP.format("\n".join(_code_texts([text for _, text in pairs]))).encode())
        return IndirectDictionary(
            f"<< /Type /Font /Subtype /Type0 /BaseFont /{name} /Encoding /Identity-H"
            " /DescendantFonts [%s] /ToUnicode %s >>",
            (descendant, texts),
        )


def _code_texts(texts: Sequence[str]) -> Iterator[str]:
    """Yield the lines that map codes, from 1 on, to texts."""
    lines = [f"<{code:04X}> <{text.encode('utf-16be').hex().upper()}>" for code, text in enumerate(texts, 1)]
    for start in range(0, len(lines), _MOST_LINES):
        block = lines[start : start + _MOST_LINES]
        yield from (f"{len(block)} beginbfchar", *block, "endbfchar")


class _Stream(pdfdoc.PDFObject):  # type: ignore[misc]  # ReportLab has no types
    """Compressed data, with further entries of its dictionary."""

    __RefOnly__ = 1

    def __init__(self, data: bytes, entries: str = "") -> None:
        self._data = zlib.compress(data)
        self._entries = entries

    def format(self, document: Any) -> bytes:
        """Return the object as it is written to the file."""
        head = f"<< /Filter /FlateDecode /Length {len(self._data)} {self._entries} >>"
        return b"%s\nstream\n%s\nendstream\n" % (head.encode(), self._data)
