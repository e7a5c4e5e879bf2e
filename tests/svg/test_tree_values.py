"""Numbers and colors of SVG."""

from __future__ import annotations

import pytest

from cardgen.svg.tree import Colour, parse_colour, parse_number, parse_rgba


def test_colours_have_the_names_and_notations_of_css() -> None:
    assert parse_rgba("#f00") == parse_rgba("red") == parse_rgba("hsl(0, 100%, 50%)") == (1, 0, 0, 1)
    assert parse_rgba("rebeccapurple") == (0.4, 0.2, 0.6, 1)
    assert parse_rgba("rgba(0, 0, 255, 0.5)") == (0, 0, 1, 0.5)
    for text in ("", "currentColor", "lab(50% 40 20)", "rgb(1, 2)", "#12345", "url(#g)", "red !important"):
        with pytest.raises(ValueError, match="is not a valid color"):
            parse_rgba(text)
        with pytest.raises(ValueError, match="is not a valid color"):
            parse_colour(text)


def test_colours_have_two_digits_for_each_level() -> None:
    assert (
        parse_colour("#F80") == parse_colour("#ff8800") == parse_colour("#FF8800 icc-color(x, 1)") == Colour("#ff8800")
    )
    assert parse_colour("rgba(127.6, 300, -1, 0.5)") == Colour("#80ff00", 0.5)


def test_a_plain_number_has_no_unit_and_is_in_range() -> None:
    assert [*map(parse_number, ("1", " -.5", "+2.", "1e3"))] == [1, -0.5, 2, 1000]
    for text in ("", "1mm", "5%", "1 2", "nan", "inf", "1e7"):
        with pytest.raises(ValueError, match=r"is not a plain number|is out of range"):
            parse_number(text)
