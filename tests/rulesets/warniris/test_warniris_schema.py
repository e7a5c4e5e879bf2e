"""What the JSON Schema takes and refuses is what the models take and refuse."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import ValidationError

from cardgen.rulesets import ruleset
from cardgen.rulesets.ruleset import Ruleset

RULES = ruleset("warniris")
assert isinstance(RULES, Ruleset)
MODELS = {name: kind.model for name, kind in RULES.kinds.items()}
SCHEMAS = {name: Draft202012Validator(model.model_json_schema()) for name, model in MODELS.items()}

STATS = {"M": 2, "B": 3, "spirit": 4, "W": 1, "Mo": 10}
EFFECT = {
    "when": "attacked",
    "if": {
        "range_over": 3,
        "range_within": 5,
        "weapon": "CW",
        "against": "minion",
        "wounds_at_most": 2,
        "roll": [1, 2],
    },
    "for": "turn",
    "while": "hit",
    "bearer": {"mind": 1, "move": 3, "reroll": "hit", "weapon": {"Claw": "CW R1 D1"}},
    "friends": {"heal": 1},
}
WEAPONS = [
    {"Rifle": "RW R15 P1 D1"},
    {"name": "Net", "type": "RW", "range": 10, "effects": [{"for": "turn", "target": {"movement": -5}}], "text": None},
]
WHOLE: dict[str, dict[str, Any]] = {
    "character": {
        "name": "A",
        "stats": STATS,
        "weapons": WEAPONS,
        "abilities": [{"name": "B", "once": "turn", "effects": [EFFECT], "text": "C"}, {"name": "D", "text": "E"}],
        "base": 32.5,
        "qty": 1,
    },
    "minion": {"name": "A", "stats": STATS, "weapons": WEAPONS, "base": 25, "motto": "B"},
    "relic": {"name": "A", "once": True, "effects": [EFFECT], "tags": ["B"]},
    "mission": {
        "name": "A",
        "number": 1,
        "vp": 3,
        "text": "B",
        "earn": {
            "event": "damage", "of": "minion", "count": 2, "different": True, "by": "one", "attackers": 2,
            "in": "turn", "weapon": "RW", "range_over": 5, "first": False,
        },
    },
    "warband": {"name": "A", "members": [{"character": "b", "relic": "c"}]},
}  # fmt: skip
SCRAPS: list[Any] = [
    None, True, False, -1, 0, 1, 2.0, 2.5, 6, 74, 10**30, "", " ", "a", "turn", "CW", "MW", "CW R1", "P R73 D30 H1 P10",
    "RW R74", "RW R01", "CW R1 R2", "CW  R1", "CW R1 ", "CW R1\n", "cw R1", "RW X1", [], [1], [1, 1], [0], ["a"], {},
    {"a": "CW R1"}, {"name": "CW R1"}, {"a": "CW R1", "b": "P"}, {"heal": 1}, {"mind": 0}, {"minion": "a"},
]  # fmt: skip
KEYS = ["a", "M", "mind", "text", "effects", "earn", "members", "minions", "when", "while", "for", "attacker", "type",
        "count", "heal", "name", "relic", "qty"]  # fmt: skip


def routes(data: Any, route: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each value."""
    if route:
        yield route
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for step, value in items:
        yield from routes(value, (*route, step))


def spoiled(draw: st.DrawFn, data: dict[str, Any]) -> dict[str, Any]:
    """The same with one value replaced, left out or added."""
    data = copy.deepcopy(data)
    *way, last = draw(st.sampled_from(list(routes(data))))
    inside: Any = data
    for step in way:
        inside = inside[step]
    match draw(st.sampled_from(("replace", "leave out", "add"))):
        case "replace":
            inside[last] = copy.deepcopy(draw(st.sampled_from(SCRAPS)))
        case "leave out":
            del inside[last]
        case _ if isinstance(inside, dict):
            inside[draw(st.sampled_from(KEYS))] = copy.deepcopy(draw(st.sampled_from(SCRAPS)))
    return data


@st.composite
def cards(draw: st.DrawFn, kind: str) -> dict[str, Any]:
    data = WHOLE[kind]
    for _ in range(draw(st.integers(0, 4))):
        data = spoiled(draw, data) if data else data
    return data


def takes(kind: str, data: Any) -> bool:
    try:
        MODELS[kind].model_validate(data)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize("kind", sorted(MODELS))
def test_a_card_with_every_key_is_taken_by_both(kind: str) -> None:
    assert takes(kind, WHOLE[kind])
    assert SCHEMAS[kind].is_valid(WHOLE[kind])


@pytest.mark.parametrize("kind", sorted(MODELS))
def test_model_and_schema_agree(kind: str) -> None:
    seen = set()

    @settings(max_examples=700, deadline=None)
    @given(cards(kind))
    def agree(data: dict[str, Any]) -> None:
        seen.add(SCHEMAS[kind].is_valid(data))
        assert takes(kind, data) == SCHEMAS[kind].is_valid(data)

    agree()
    assert seen == {True, False}


@pytest.mark.parametrize("scrap", SCRAPS, ids=repr)
def test_model_and_schema_agree_on_every_scrap_as_a_weapon(scrap: Any) -> None:
    for weapon in (scrap, {"Claw": scrap}):
        data = {**WHOLE["minion"], "weapons": [weapon]}
        assert takes("minion", data) == SCHEMAS["minion"].is_valid(data)
