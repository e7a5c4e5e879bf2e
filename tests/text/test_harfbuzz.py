from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.text.harfbuzz import FontFace, _OutlinePen
from tests.text.typesetting import FONTS

LATO = FONTS.font("Lato").face


def test_truetype_s_quadratic_curves_become_cubic_ones() -> None:
    drawn = LATO.outline("o")
    assert drawn is not None
    strokes, advance = drawn
    assert {stroke[0] for stroke in strokes} == {"M", "C", "Z"}
    top, depth = LATO.vertical_extent("o")
    ends = [stroke[-2:] for stroke in strokes if stroke[0] != "Z"]
    assert max(y for _, y in ends) == pytest.approx(top)
    assert min(y for _, y in ends) == pytest.approx(-depth)
    # The handles of an o lie between its ends, along the tangents.
    handles = [(stroke[index], stroke[index + 1]) for stroke in strokes if stroke[0] == "C" for index in (1, 3)]
    assert all(0 < x < advance and -depth - 1e-6 <= y <= top + 1e-6 for x, y in handles)
    assert advance == pytest.approx(next(LATO.shape("o")).advance)


def test_a_quadratic_curve_keeps_its_shape() -> None:
    pen = _OutlinePen(0.5)
    pen.add("M", 0, 0)
    pen.quadratic(6, 6, 12, 0)
    pen.quadratic(18, -6, 24, 6)
    assert pen.commands == [("M", 0, 0), ("C", 2, 2, 4, 2, 6, 0), ("C", 8, -2, 10, -1, 12, 3)]


def test_a_glyph_without_that_name() -> None:
    assert LATO.outline("no such glyph") is None
    assert LATO.vertical_extent("") == LATO.vertical_extent("漢") == (0, 0)


def test_a_face_knows_what_it_is() -> None:
    bold = FONTS.font("Lato", bold=True, italic=True).face
    assert (LATO.family, LATO.weight, LATO.italic, LATO.has_outlines) == ("Lato", 400, False, True)
    assert (bold.family, bold.weight, bold.italic, bold.has_outlines) == ("Lato", 700, True, True)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"gone\.ttf cannot be read"):
        FontFace(tmp_path / "gone.ttf")
