from __future__ import annotations

from fractions import Fraction

import pytest
from PIL import ImageChops

from cardgen.export import svg
from cardgen.export.charts import bar_chart, chart_face, heat_map
from cardgen.export.pdf import writer
from cardgen.sheet.imposition import PrintPiece
from tests.export.pdf.inspection import FONTS, colour_box, picture_of, text_of
from tests.sheet.pages import impose_single

MM = 25.4 / 96


def written(drawn: object) -> bytes:
    face = chart_face(drawn, FONTS)  # type: ignore[arg-type]
    return writer.write(list(impose_single([PrintPiece(face)], face.size, 0)), FONTS, writer.DocumentInfo("Test"))


def test_a_picture_escapes_names_and_holds_every_figure() -> None:
    face = chart_face(bar_chart([("A & B", [("<x> *{y}", Fraction(1, 3))])]), FONTS)
    drawn = svg.write(face, FONTS, "odds").decode()
    assert "A &amp; B" in drawn
    assert "&lt;x&gt; *{y}" in drawn
    assert "33.33 %" in drawn


def test_bars_have_their_lengths_and_labels_their_places() -> None:
    content = written(bar_chart([("Title", [("half", Fraction(1, 2))])]))
    assert [line.strip() for line in text_of(content).splitlines()] == ["Title", "half 50.00 %"]
    red, green, _ = picture_of(content, dpi=288).split()
    bar = ImageChops.subtract(red, green).point(lambda level: 255 if level > 60 else 0).getbbox()
    assert bar == pytest.approx((246 * 3, 41 * 3, 436 * 3, 57 * 3), abs=2)


def test_names_of_columns_read_upward() -> None:
    chart = heat_map("t", ["long name", "b"], [[None, Fraction(0)], [Fraction(1), None]])
    turned = [text.matrix for text in chart_face(chart, FONTS).items[1:] if text.matrix[0] == 0]  # type: ignore[union-attr]
    assert [matrix[:4] for matrix in turned] == [(0, -1, 1, 0)] * 2
    image = picture_of(written(chart), dpi=96)
    assert colour_box(image, (255, 120, 120), 96).width == pytest.approx(33 * MM, abs=0.5)
