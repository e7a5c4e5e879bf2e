"""Coordinates of artwork."""

from __future__ import annotations

import pytest

from cardgen.export.pdf.operators import root_space, transform_operator


def test_the_origin_is_the_lower_left_corner_of_the_trim() -> None:
    root = root_space("-3 -3 76 126", "76mm", "126mm")
    assert root.viewport == (76, 126)
    assert root.operator == "2.8346 0 0 -2.8346 0 340.16 cm"
    assert [root.matrix[1], root.matrix[4]] == [0, 0]


@pytest.mark.parametrize(
    ("view_box", "width", "words"),
    [
        ("-3 -3 76 126", "76", "has no size in mm"),
        ("-3 -3 76 126", None, "has no size in mm"),
        ("-3 -2 76 126", "76mm", "bleeds of different widths"),
    ],
)
def test_other_coordinates_are_left_to_cairo(view_box: str, width: str | None, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        root_space(view_box, width, "126mm")


def test_transforms_come_with_their_operator() -> None:
    assert transform_operator("translate(1 2) scale(3)") == ((3, 0, 0, 3, 1, 2), "3 0 0 3 1 2 cm")


def test_transforms_to_nothing_are_invalid() -> None:
    with pytest.raises(ValueError, match="collapses the area to zero"):
        transform_operator("scale(0)")
