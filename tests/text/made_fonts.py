"""Fonts made for tests: one with PostScript outlines, and a variable one, both with squares for letters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib.tables.TupleVariation import TupleVariation

_LETTERS = {"A": 500, "V": 500, "x": 400, "H": 500, "p": 400}


def _square(pen: Any, width: int, height: int) -> None:
    corners = [(50, 0), (50, height), (width - 50, height), (width - 50, 0)]
    pen.moveTo(corners[0])
    pen.lineTo(corners[1])
    if isinstance(pen, T2CharStringPen):  # a straight line as a curve
        pen.curveTo(corners[1], corners[2], corners[2])
    else:
        pen.lineTo(corners[2])
    pen.lineTo(corners[3])
    pen.closePath()


def _builder(family: str, *, is_truetype: bool) -> FontBuilder:
    builder = FontBuilder(1000, isTTF=is_truetype)
    names = [".notdef", "space", *_LETTERS]
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({32: "space", **{ord(letter): letter for letter in _LETTERS}})
    return builder


def _finish(builder: FontBuilder, family: str, path: Path) -> Path:
    widths = {".notdef": 500, "space": 250, **_LETTERS}
    builder.setupHorizontalMetrics({name: (width, 50) for name, width in widths.items()})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupOS2(sTypoAscender=800, usWeightClass=400, sCapHeight=700, sxHeight=500)
    builder.setupNameTable({"familyName": family, "styleName": "Regular"})
    builder.setupPost()
    builder.save(path)
    return path


def postscript_font(path: Path, family: str = "Squares") -> Path:
    """Write an OpenType font with PostScript outlines, in which A and V are kerned by a tenth of an em."""
    builder = _builder(family, is_truetype=False)
    glyphs = {}
    for name in (".notdef", "space", *_LETTERS):
        pen = T2CharStringPen(_LETTERS.get(name, 250), None)
        if name in _LETTERS:
            _square(pen, _LETTERS[name], 500 if name in "xp" else 700)
        glyphs[name] = pen.getCharString()
    builder.setupCFF(family, {"FullName": family}, glyphs, {})
    builder.addOpenTypeFeatures("feature kern { pos A V -100; } kern;")
    return _finish(builder, family, path)


def variable_font(path: Path, family: str = "Elastic") -> Path:
    """Write a variable font from weight 100 to 900, whose letters are 200 units wider at weight 900."""
    builder = _builder(family, is_truetype=True)
    glyphs, variations = {}, {}
    for name in (".notdef", "space", *_LETTERS):
        pen = TTGlyphPen(None)
        if name in _LETTERS:
            _square(pen, _LETTERS[name], 500 if name in "xp" else 700)
            deltas = [(0, 0), (0, 0), (200, 0), (200, 0), (0, 0), (200, 0), (0, 0), (0, 0)]
            variations[name] = [TupleVariation({"wght": (0.0, 1.0, 1.0)}, deltas)]
        glyphs[name] = pen.glyph()
    builder.setupGlyf(glyphs)
    _finish(builder, family, path)
    builder.setupFvar([("wght", 100, 400, 900, "Weight")], [])
    builder.setupGvar(variations)
    builder.save(path)
    return path
