"""OpenType fonts with PostScript outlines, and variable fonts, in PDF and SVG."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from PIL import Image

from cardgen.export import svg
from cardgen.export.pdf import writer
from cardgen.export.svg import Rasterizer
from cardgen.face.face import Face, Text
from cardgen.sheet.imposition import PrintPiece
from cardgen.text.copyfitting import set_line
from cardgen.text.fonts import Fonts
from cardgen.text.harfbuzz import FontFace
from cardgen.text.lines import Style
from cardgen.units import Size
from tests.export.pdf.inspection import objects, text_of
from tests.sheet.pages import impose_single
from tests.text.made_fonts import postscript_font, variable_font

SIZE = Size(60, 20)


def written(fonts: Fonts, family: str, text: str, *, bold: bool = False) -> tuple[bytes, Face]:
    style = Style(family, 30, "#000000", bold=bold)
    shown = Face(SIZE, 0, (Text(set_line(text, 5, 15, style, fonts, min_size=6).lines),))
    page = next(iter(impose_single([PrintPiece(shown)], SIZE, 0)))
    return writer.write([page], fonts, writer.DocumentInfo("Test")), shown


def ink(content: bytes) -> int:
    """The number of dark pixels."""
    image = Image.open(BytesIO(Rasterizer(content, 100).page(0))).convert("L")
    return sum(image.histogram()[:128])


@pytest.fixture
def squares(tmp_path: Path) -> Fonts:
    postscript_font(tmp_path / "squares.otf")
    return Fonts([tmp_path])


@pytest.fixture
def elastic(tmp_path: Path) -> Fonts:
    variable_font(tmp_path / "elastic.ttf")
    return Fonts([tmp_path])


def test_postscript_outlines_are_embedded_as_text(squares: Fonts) -> None:
    content, _ = written(squares, "Squares", "AVx")
    (font,) = [each for each in objects(content, "/Subtype", "/CIDFontType2") if "squares" in str(each.BaseFont)]
    assert "/FontFile2" in font.FontDescriptor
    assert text_of(content).strip() == "AVx"


def test_postscript_outlines_keep_their_form(squares: Fonts) -> None:
    content, _ = written(squares, "Squares", "H")
    # 0.4 by 0.7 em at 30 pt, at 100 dpi
    assert ink(content) == pytest.approx(0.4 * 0.7 * (30 * 100 / 72) ** 2, rel=0.05)


def test_postscript_outlines_are_kerned(squares: Fonts) -> None:
    face = squares.font("Squares").face
    assert [glyph.advance for glyph in face.shape("AV")] == [0.4, 0.5]


def test_a_curve_stays_within_its_tolerance() -> None:
    face = Fonts().font("Fontin").face
    font = TTFont(BytesIO(face.subset("os", "Fontin")))
    extents = [font["glyf"][name].xMax for name in font.getGlyphOrder()[1:]]
    assert extents
    content, _ = written(Fonts(), "Fontin", "Sphinx of quartz")
    assert text_of(content).strip() == "Sphinx of quartz"
    assert ink(content) > 500


def test_a_variable_font_has_two_weights(elastic: Fonts) -> None:
    regular, bold = (elastic.font("Elastic", is_bold) for is_bold in (False, True))
    assert (regular.key, bold.key) == ("elastic-wght400", "elastic-wght700")
    assert (regular.face.advance("A"), bold.face.advance("A")) == (0.5, 0.62)
    inks = [ink(written(elastic, "Elastic", "H", bold=is_bold)[0]) for is_bold in (False, True)]
    # 0.4 em wide, and three fifths of 0.2 em more at weight 700
    assert inks[1] / inks[0] == pytest.approx(0.52 / 0.4, rel=0.05)


def test_a_variable_font_is_embedded_as_a_plain_one(elastic: Fonts) -> None:
    content, face = written(elastic, "Elastic", "Hx", bold=True)
    (font,) = [each for each in objects(content, "/Subtype", "/CIDFontType2") if "elastic" in str(each.BaseFont)]
    embedded = TTFont(BytesIO(font.FontDescriptor.FontFile2.read_bytes()))
    assert "fvar" not in embedded
    assert "glyf" in embedded
    assert b"font/ttf" in svg.write(face, elastic, "Test")


def test_a_weight_beyond_the_axis_is_the_nearest(tmp_path: Path) -> None:
    font = TTFont(variable_font(tmp_path / "narrow.ttf"))
    font["fvar"].axes[0].maxValue = 500
    font.save(tmp_path / "narrow.ttf")
    assert Fonts([tmp_path]).font("Elastic", bold=True).key == "narrow-wght500"


@pytest.mark.parametrize("make", [postscript_font, variable_font])
@pytest.mark.parametrize("share", [0.05, 0.3, 0.6])
def test_part_of_a_font_is_an_error(tmp_path: Path, make: object, share: float) -> None:
    assert callable(make)
    path = make(tmp_path / "own.otf")
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(ValueError, match=r"own\.otf (is|has)"):
        FontFace(path)
        Fonts([tmp_path]).font("Lato")
