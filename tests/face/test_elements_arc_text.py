from __future__ import annotations

import math
from pathlib import Path

import pypdfium2
import pytest

from cardgen.diagnostic import CardgenError
from cardgen.export.pdf import writer
from cardgen.face.face import Face, Text
from cardgen.sheet.imposition import PrintPiece
from cardgen.text.lines import Fit, IconGlyph, Run
from tests.export.pdf.inspection import FONTS
from tests.face.rendering import SIZE
from tests.face.test_elements import drawn
from tests.sheet.pages import impose_single

ARC = 'path="arc" cx="20" cy="30" r="15"'


def glyphs(face: Face) -> list[tuple[Run | IconGlyph, Text]]:
    return [(text.lines[0].pieces[0], text) for text in face.items if isinstance(text, Text)]


def middles(face: Face) -> list[tuple[float, float]]:
    """The points on the baseline below the middle of each glyph."""
    found = []
    for piece, text in glyphs(face):
        a, b, c, d, e, f = text.matrix
        x, y = piece.x + piece.width / 2, piece.y
        found.append((a * x + c * y + e, b * x + d * y + f))
    return found


def test_every_glyph_stands_on_the_circle_in_the_order_of_reading(tmp_path: Path) -> None:
    face = drawn(tmp_path, f'<cg:text {ARC} style="title">Round</cg:text>')
    assert "".join(piece.text for piece, _ in glyphs(face) if isinstance(piece, Run)) == "Round"
    points = middles(face)
    assert [math.dist(point, (20, 30)) for point in points] == pytest.approx([15] * 5)
    assert [x for x, _ in points] == sorted(x for x, _ in points)
    assert all(y < 30 for _, y in points)


def test_text_is_centered_on_its_angle_and_tangent_to_the_circle(tmp_path: Path) -> None:
    face = drawn(tmp_path, f'<cg:text {ARC} angle="90">I</cg:text>')
    assert middles(face) == [pytest.approx((35, 30))]
    assert glyphs(face)[0][1].matrix[:4] == pytest.approx((0, 1, -1, 0))


def test_text_inside_reads_from_left_to_right_at_the_foot(tmp_path: Path) -> None:
    face = drawn(tmp_path, f'<cg:text {ARC} angle="180" side="inside">Foot</cg:text>')
    xs = [x for x, _ in middles(face)]
    assert xs == sorted(xs)
    assert min(y for _, y in middles(face)) > 40
    assert all(text.matrix[0] > 0.8 for _, text in glyphs(face))


def test_glyphs_keep_their_distances_along_the_circle(tmp_path: Path) -> None:
    face = drawn(tmp_path, f"<cg:text {ARC}>AVA</cg:text>")
    angles = [math.atan2(x - 20, 30 - y) * 15 for x, y in middles(face)]
    ((first, _), (second, _), _) = glyphs(face)
    assert angles[1] - angles[0] == pytest.approx(second.x + second.width / 2 - first.x - first.width / 2)


def test_marks_stay_with_their_letter_and_icons_are_glyphs(tmp_path: Path) -> None:
    face = drawn(tmp_path, f"<cg:text {ARC}>x\u0323\u0301y {{heart}}</cg:text>")
    found = [piece.text if isinstance(piece, Run) else piece.name for piece, _ in glyphs(face)]
    assert found == ["x\u0323\u0301", "y", " ", "heart"]


def test_a_long_text_shrinks_to_its_sweep_and_then_is_an_error(tmp_path: Path) -> None:
    face = drawn(tmp_path, f'<cg:text {ARC} size="12pt" min-size="5pt" sweep="90">Longer than this</cg:text>')
    (fit,) = face.fits
    assert isinstance(fit, Fit)
    assert fit.ok
    assert 5 <= fit.size < 12
    spread = [math.degrees(math.atan2(x - 20, 30 - y)) for x, y in middles(face)]
    assert max(spread) - min(spread) <= 90
    long = f'<cg:text {ARC} size="12pt" min-size="9pt" sweep="40" field="name">Much too long</cg:text>'
    (fit,) = drawn(tmp_path / "long", long).fits
    assert isinstance(fit, Fit)
    assert (fit.size, fit.field, fit.ok) == (9, "name", False)
    assert fit.fill > 1


def test_a_group_moves_the_arc(tmp_path: Path) -> None:
    face = drawn(tmp_path, f'<g transform="translate(3 4)"><cg:text {ARC}>I</cg:text></g>')
    assert middles(face) == [pytest.approx((23, 19))]


WRONG = {
    '<cg:text path="arc" cx="20" cy="30">A</cg:text>': "<cg:text> needs the attribute 'r'",
    '<cg:text path="arc" cx="20" cy="30" r="0">A</cg:text>': "r must be greater than 0, not 0",
    f'<cg:text {ARC} sweep="400">A</cg:text>': "sweep must be more than 0 and at most 360 degrees, not 400",
    f'<cg:text {ARC} side="left">A</cg:text>': "unknown side 'left' (one of outside, inside)",
    f'<cg:text {ARC} width="4">A</cg:text>': "unknown attribute 'width' of <cg:text path=\"arc\">",
    '<cg:text path="wave" cx="1" cy="1" r="1">A</cg:text>': "unknown path 'wave' (one of arc)",
}


@pytest.mark.parametrize(("body", "message"), WRONG.items())
def test_mistakes_are_located_in_the_template(tmp_path: Path, body: str, message: str) -> None:
    with pytest.raises(CardgenError) as caught:
        drawn(tmp_path, body)
    (found,) = caught.value.diagnostics
    assert message in found.message
    assert found.place.file.endswith("pawn.svg.j2")
    assert found.place.span is not None


def test_pdf_text_reads_as_written(tmp_path: Path) -> None:
    face = drawn(tmp_path, f'<cg:text {ARC} size="7pt">Red Hand</cg:text>')
    page = list(impose_single([PrintPiece(face)], SIZE, 0))
    document = pypdfium2.PdfDocument(writer.write(page, FONTS, writer.DocumentInfo("Arc")))
    assert "Red Hand" in " ".join(document[0].get_textpage().get_text_range().split())
