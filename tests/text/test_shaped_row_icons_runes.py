"""Generated runes: distinct, stable, within their square, and never a figure of history."""

from __future__ import annotations

from itertools import product

from cardgen.text.shaped_row import _ORNAMENTS, _SHAPES, _TURNED, Icons, Rune, choose_runes
from tests.cases import each_case

NAMES = [f"faction {number}" for number in range(71)]
VALID = [
    rune
    for quarters in product(_SHAPES, repeat=4)
    if (rune := Rune(quarters[0], quarters[1], quarters[2], quarters[3], crown=False, foot=False)).is_valid
]


def test_71_runes_are_distinct_in_outline() -> None:
    outlines = {rune.outline.paths for rune in choose_runes(NAMES).values()}
    assert len(outlines) == len(NAMES)


def test_a_rune_is_the_same_on_every_machine_and_beside_other_names() -> None:
    assert choose_runes(["ash-keepers"])["ash-keepers"] == ("fall", "", "blade", "fork", False, False)
    assert choose_runes([*NAMES, "later"])["faction 3"] == choose_runes(NAMES)["faction 3"]


def test_names_that_would_share_a_rune_do_not() -> None:
    many = [f"name {number}" for number in range(800)]
    alone = {name: choose_runes([name])[name][:4] for name in many}
    assert len(set(alone.values())) < len(many), "some share one"
    assert len({rune[:4] for rune in choose_runes(many).values()}) == len(many)


def test_runes_lie_within_their_square() -> None:
    for rune in (*VALID, *choose_runes(NAMES).values()):
        for path in rune.outline.paths:
            assert all(0 <= number <= 1 for command in path for number in command[1:]), rune


def area(path: tuple[tuple[float, ...], ...]) -> float:
    points = [command[1:] for command in path if len(command) == 3]
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, [*points[1:], points[0]], strict=True))


def test_parts_wind_the_same_way_so_that_overlaps_are_no_holes() -> None:
    upright = {shape: area(Rune("", shape, "", "", False, False).outline.paths[-1]) > 0 for shape in _SHAPES if shape}
    for shape, winds in upright.items():
        assert (area(Rune(shape, "", "", "", False, False).outline.paths[-1]) > 0) is winds, shape


@each_case("rune", VALID[::7], ids=str)
def test_no_rune_mirrors_or_turns_into_itself(rune: Rune) -> None:
    upper_left, upper_right, lower_left, lower_right = rune[:4]
    turned = [_TURNED.get(shape, shape) for shape in rune[:4]]
    assert (upper_left, lower_left) != (upper_right, lower_right)
    assert [upper_left, upper_right, lower_left, lower_right] != turned[::-1]
    assert sum(shape in _ORNAMENTS for shape in rune[:4]) == 1


def test_a_rune_takes_precedence_over_a_built_in_icon() -> None:
    icons = Icons(generated=["fire", "ash"])
    assert icons.find("fire") == choose_runes(["fire"])["fire"].outline
    assert "ash" in icons.names()
    assert icons.find("heart") is not None
    assert icons.find("nothing-such") is None
