from __future__ import annotations

import pytest

from cardgen.text.harfbuzz import with_truetype_outlines
from cardgen.text.lines import PathCommand

TABLES = {"head": bytes(54)}
SQUARE: list[PathCommand] = [("M", 0, 0), ("L", 9, 0), ("L", 9, 9), ("Z",)]


@pytest.mark.parametrize(
    "outline",
    [SQUARE * 40_000, [("M", 0, 0), *[("L", number % 90, number % 7) for number in range(70_000)], ("Z",)]],
    ids=["contours", "points"],
)
def test_a_letter_with_too_many_points_is_an_error(outline: list[PathCommand]) -> None:
    with pytest.raises(ValueError, match="an outline has too many points"):
        with_truetype_outlines(TABLES, [outline], 1000)
