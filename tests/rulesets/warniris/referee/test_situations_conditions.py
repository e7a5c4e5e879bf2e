"""Conditions of effects: odds either depend on them, or say above the numbers that they are unknown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from cardgen.rulesets.warniris.effect import Condition
from tests.rulesets.warniris.random_effects import CONDITIONS
from tests.rulesets.warniris.referee.fights import card, case, sample

# Effects that change the odds of an attack or of a duel at all the moments at which conditions are looked at.
EFFECTS: tuple[dict[str, Any], ...] = (
    {"bearer": {"mind": 1, "body": 1}},
    {"when": "attacking", "bearer": {"mind": 1}},
    {"when": "attacked", "bearer": {"body": 1}},
    {"when": "reacting", "bearer": {"mind": 1}},
    {"when": "activation_start", "for": "turn", "bearer": {"mind": 1, "body": 1}},
)
# A die for other effects of the moment, and a second reaction.
COMPANIONS: dict[str, list[dict[str, Any]]] = {
    "same_roll": [
        {"when": effect["when"], "if": {"roll": [1, 2, 3]}, "bearer": {"spirit": 1}} for effect in EFFECTS[1:]
    ],
    "reaction": [{"bearer": {"reactions": "more"}}],
}
WEAPONS = ("W0: RW R20 P1 D1", "Hex: P R20 P1 D1")


def bearer(*effects: dict[str, Any]) -> dict[str, Any]:
    abilities = [{"name": "Gift", "effects": list(effects)}] if effects else []
    return card("Bearer", "M3 B3 S3 W3", *WEAPONS, abilities=abilities)


def situations(trial: str, one: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield situations that differ in everything that a trial can be told."""
    foe = card("Foe", "M3 B3 S3 W3", *WEAPONS)
    if trial == "duel":
        yield from ({"a": one, "b": other, "turns": 2, "distance": 8} for other in (foe, sample("minion", "Brute")))
        return
    for wounds in (1, 3):
        for weapon in ("W0", "Hex"):
            known = {"weapon": weapon, "distance": 8, "reaction": "W0"}
            yield {"attacker": one, "target": foe, "wounds": wounds, **known}
            yield {"attacker": foe, "target": one, "target_wounds": wounds, **known}
    yield {"attacker": one, "target": sample("minion", "Brute"), "weapon": "W0"}


def odds_of(trial: str, one: dict[str, Any]) -> list[Any]:
    return [prepared.odds() for each in situations(trial, one) if (prepared := case(trial, **each)).odds is not None]


def notes_of(trial: str, one: dict[str, Any]) -> set[str]:
    return {note for each in situations(trial, one) for note in case(trial, **each).not_simulated}


@pytest.mark.share(3)
@pytest.mark.parametrize("trial", ["attack", "duel"])
@pytest.mark.parametrize("key", [*Condition.model_fields])
def test_odds_know_a_condition_or_say_that_they_do_not(key: str, trial: str) -> None:
    companions = COMPANIONS.get(key, [])
    plain = odds_of(trial, bearer(*companions))
    matters, notes = False, set[str]()
    for effect in EFFECTS:
        for value in CONDITIONS[key]:
            one = bearer(*companions, {**effect, "if": {key: value}})
            notes |= notes_of(trial, one)
            matters = matters or (not notes and odds_of(trial, one) != plain)
    note = f"Bearer: 'Gift' has the condition '{key}', which counts as not met here"
    assert notes == (set() if matters else {note})
