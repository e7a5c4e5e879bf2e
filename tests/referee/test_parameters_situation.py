from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from cardgen.referee.parameters import Parameter, check_values, parameters


@dataclass(frozen=True)
class Lighting:
    """A situation for these tests."""

    lamp: Annotated[dict[str, Any], Parameter("card", "The lamp.", ("lamp",))]


@pytest.mark.parametrize(
    "data",
    [
        {"kind": "lamp", "name": None},
        {"kind": 3, "name": "Old Lamp"},
        {"kind": "lamp", "name": "Old Lamp", "wicks": [{"kind": "wick", "name": ["Wick"]}]},
        {"name": "Old Lamp"},
        "Old Lamp",
    ],
)
def test_card_data_without_a_text_as_name_is_refused(data: object) -> None:
    assert check_values(Lighting, {"lamp": data}) == "'lamp' must be card data"
    assert check_values(Lighting, {"lamp": {"kind": "lamp", "name": "Old Lamp", "oil": {"kind": 1}}}) == ""


@pytest.mark.parametrize("value", [None, {}, {"small": 0}, {"small": "wide"}, [40]])
def test_sizes_are_widths_by_value(value: object) -> None:
    @dataclass(frozen=True)
    class Situation:
        sizes: Annotated[dict[str, float], Parameter("sizes", "Widths.", ("tile",))]

    assert check_values(Situation, {"sizes": {"small": 40.5}}) == ""
    assert check_values(Situation, {"sizes": value}).startswith("'sizes' ")


def test_the_help_of_a_parameter_names_its_default() -> None:
    """What is assumed without a word, such as the side that charges, is said; 'no', 0, and no card are not."""

    @dataclass(frozen=True)
    class Situation:
        side: Annotated[str, Parameter("word", "Side that charges.", words=("a", "b"))] = "a"
        turns: Annotated[int, Parameter("number", "number of turns", low=1, high=5)] = 5
        weapon: Annotated[str, Parameter("word", "Weapon (default: the first).")] = "x"
        cover: Annotated[bool, Parameter("flag", "It has cover.")] = False
        damage: Annotated[int, Parameter("number", "Damage.", high=9)] = 0

    assert [each.help for each, _ in parameters(Situation).values()] == [
        "Side that charges (default: a).",
        "number of turns (default: 5)",
        "Weapon (default: the first).",
        "It has cover.",
        "Damage.",
    ]
