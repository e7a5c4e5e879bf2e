from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.svg.tree import parse_transform
from cardgen.units import IDENTITY, Matrix, multiply
from tests.cases import each_case

numbers = st.floats(-50, 50).map(lambda number: round(number, 3))


def apply(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return (a * x + c * y + e, b * x + d * y + f)


@each_case(
    ("text", "point", "moved"),
    [
        ("", (3, 4), (3, 4)),
        ("translate(10)", (3, 4), (13, 4)),
        ("translate(10, -2)", (3, 4), (13, 2)),
        ("scale(2)", (3, 4), (6, 8)),
        ("scale(2 0.5)", (3, 4), (6, 2)),
        ("rotate(90)", (3, 4), (-4, 3)),
        ("rotate(180 3 4)", (3, 5), (3, 3)),
        ("skewX(45)", (3, 4), (7, 4)),
        ("skewY(45)", (3, 4), (3, 7)),
        ("matrix(1 2 3 4 5 6)", (1, 1), (9, 12)),
        ("translate(10 0) scale(2)", (3, 4), (16, 8)),
        (" translate(1,1),rotate(90) ", (3, 4), (-3, 4)),
    ],
)
def test_transforms_move_points(text: str, point: tuple[float, float], moved: tuple[float, float]) -> None:
    assert apply(parse_transform(text), *point) == pytest.approx(moved)


@pytest.mark.parametrize(
    "text", ["turn(3)", "rotate(1 2)", "scale()", "translate(a)", "rotate(90", "matrix(1 2)", "10"]
)
def test_what_is_no_transform_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a valid transform"):
        parse_transform(text)


@given(numbers, numbers, numbers, numbers, numbers)
def test_a_product_does_the_inner_first(angle: float, x: float, y: float, u: float, v: float) -> None:
    turn, move = parse_transform(f"rotate({angle})"), parse_transform(f"translate({x} {y})")
    assert apply(multiply(turn, move), u, v) == pytest.approx(apply(turn, *apply(move, u, v)), abs=1e-6)
    assert multiply(IDENTITY, turn) == pytest.approx(turn)
