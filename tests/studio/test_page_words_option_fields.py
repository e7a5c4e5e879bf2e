"""What forms send is checked: browsers are not trusted."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.options import FLAG, NUMBER
from cardgen.studio.page_words import CHOICE, SEVERAL, OptionField, read_values

FIELDS = (
    OptionField("paper", "Paper"),
    OptionField("qty", "Copies", NUMBER),
    OptionField("kit", "Kit", FLAG),
    OptionField("layout", "Layout", CHOICE),
    OptionField("only", "Only", SEVERAL),
)


def test_values_keep_their_types() -> None:
    given = {"paper": " a4 ", "qty": "3", "kit": True, "layout": "grid", "only": ["ash", "elm"]}
    expected = {"paper": "a4", "qty": 3, "kit": True, "layout": "grid", "only": ("ash", "elm")}
    assert read_values(FIELDS, given) == expected


def test_what_is_off_or_zero_is_a_value() -> None:
    assert read_values(FIELDS, {"kit": False, "qty": 0}) == {"kit": False, "qty": 0}
    assert read_values(FIELDS, {"qty": "0"}) == {"qty": 0}


@pytest.mark.parametrize(
    "given",
    [
        {"paper": ""},
        {"paper": 3},
        {"paper": None},
        {"qty": ""},
        {"qty": "many"},
        {"qty": True},
        {"qty": float("inf")},
        {"qty": float("nan")},
        {"qty": [1]},
        {"kit": None},
        {"kit": "yes"},
        {"only": []},
        {"only": "ash"},
        {"only": [1, None]},
        {"output": "/etc"},
    ],
)
def test_what_is_empty_unknown_or_of_another_type_is_left_out(given: dict[str, Any]) -> None:
    assert read_values(FIELDS, given) == {}


def test_long_values_are_cut() -> None:
    values = read_values(FIELDS, {"paper": "x" * 9999, "only": ["y" * 9999] * 9999})
    assert len(values["paper"]) == 200
    assert len(values["only"]) == 1_000
    assert len(values["only"][0]) == 200
