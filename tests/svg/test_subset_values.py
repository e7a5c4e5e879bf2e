"""Values of attributes that renderers would replace silently."""

from __future__ import annotations

import pytest

from cardgen.svg.subset import value_fault
from tests.cases import each_case


@pytest.mark.parametrize(
    ("name", "value", "fault"),
    [
        ("fill", "whitte", "unknown color 'whitte'; did you mean 'white'?"),
        ("stroke", "#12345", "unknown color '#12345'; write #rrggbb, or a color of the theme such as"),
        ("stop-color", "paper", "such as {{ theme.colours.paper }}"),
        ("fill", "rgb(1, 2", "'rgb(1, 2' is not a valid color"),
        ("stroke-width", "0,3", 'stroke-width="0,3" is not a valid number or length; write 0.3'),
        ("x", "nan", 'x="nan" is not a valid number or length'),
        ("opacity", "half", 'opacity="half" is not a valid number or length'),
    ],
)
def test_a_wrong_value_is_named(name: str, value: str, fault: str) -> None:
    assert fault in (value_fault(name, value) or "")


@each_case(
    ("name", "value"),
    [
        ("fill", "none"), ("fill", "White"), ("fill", "#fff"), ("fill", "#10203040"), ("fill", "url(#a) #000000"),
        ("fill", "rgb(10%, 20%, 30%)"), ("stroke", "currentColor"), ("fill", "hsl(120, 50%, 50%)"),
        ("fill", "#ff0000 icc-color(x, 1)"), ("stroke", "context-stroke"), ("stroke-width", "0.264583px"),
        ("stroke-width", ".3"), ("x", "-1e-3"), ("width", "100%"), ("width", "auto"), ("d", "M0,0"), ("id", "a,b"),
    ],
)  # fmt: skip
def test_a_right_value_is_accepted(name: str, value: str) -> None:
    assert value_fault(name, value) is None
