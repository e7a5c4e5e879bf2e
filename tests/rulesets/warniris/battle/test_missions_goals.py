"""Objectives that the record of a battle decides, and the parts of them that players report."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.rulesets.warniris.battle.missions import report_words, times_earned
from cardgen.rulesets.warniris.cards import Earn
from cardgen.rulesets.warniris.referee.conditions import LogEvent
from cardgen.rulesets.warniris.referee.game import Game, State
from tests.cases import each_case
from tests.rulesets.warniris.referee.fights import card, sample, samples, table

SIDE = [card(name, "M3 B3 S3 W4", "Gun: RW R30 D1") for name in "abcd"]


def four(**rulings: str) -> Game:
    """Two on each side: 0 and 1 against 2 and 3."""
    settings = {name.replace("_", "-"): setting for name, setting in rulings.items()}
    return table(*SIDE, sides=(0, 0, 1, 1), rulings=settings)


def times(earn: dict[str, Any], *events: LogEvent, side: int = 0, window: str = "turn", **rulings: str) -> int:
    game = four(**rulings)
    state = game.initial_state()
    state = State(state.mode._replace(events=events), state.counters)
    return times_earned(game, state, side, Earn.model_validate(earn), window)


def event(kind: str, by: int, of: int | None = None, weapon: str = "RW", turn: int = 1, **more: Any) -> LogEvent:
    return LogEvent(kind, by, of, weapon, more.pop("distance", 10), turn, **more)


def goal(name: str) -> dict[str, Any]:
    """The objective of a mission of the printed kit."""
    earn: dict[str, Any] = sample("mission", name)["earn"]
    return earn


def reported(name: str, *events: LogEvent, **rulings: str) -> list[LogEvent]:
    """The events as players have reported them for a mission."""
    words = report_words(four(**rulings), Earn.model_validate(goal(name)))
    return [each._replace(reports=(words,)) for each in events]


def passes(count: int, who: int = 0, move: int = 1) -> list[LogEvent]:
    return [event("move", who, move=move), *[event("pass", who, move=move)] * count]


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        (passes(2), 1),
        (passes(3), 1),
        (passes(1), 0),
        ([*passes(1), *passes(1, move=2)], 0),
        ([*passes(1), *passes(1, who=1)], 0),
        (passes(2, who=2), 0),
    ],
)
def test_evasive_maneuvers(events: list[LogEvent], expected: int) -> None:
    assert times(goal("Evasive Maneuvers"), *events) == expected


AIM, HIT, DONE = event("aim", 2, 1, "CW"), event("hit", 2, 1, "CW"), event("done", 2, 1, "")
KILL = event("eliminate", 0, 2, reaction=True)


@each_case(
    ("events", "expected"),
    [
        ([AIM, KILL, DONE], 1),
        ([AIM, HIT, KILL, DONE], 1),
        ([AIM, HIT, DONE, KILL], 0),
        ([KILL], 0),
        ([AIM, KILL._replace(reaction=False)], 0),
        ([AIM._replace(subject=0), KILL], 0),
        ([AIM._replace(subject=3), KILL], 0),
        ([AIM, HIT._replace(subject=0), KILL], 0),
        ([AIM._replace(subject=0), HIT, KILL], 1),
        ([AIM, DONE, event("hit", 2, 1, reaction=True), KILL], 0),
        ([AIM._replace(weapon="P"), KILL], 0),
        ([AIM, event("damage", 0, 2, reaction=True)], 0),
    ],
)
def test_last_minute_rescue(events: list[LogEvent], expected: int) -> None:
    """An enemy falls by a reaction during its Attack on another Character, not after it."""
    assert times(goal("Last-Minute Rescue"), *events) == expected


@pytest.mark.parametrize("setting", ["counted", "apart"])
@pytest.mark.parametrize("kind", ["attack", "damage", "eliminate"])
def test_a_deed_in_a_reaction(kind: str, setting: str) -> None:
    """Whether Reactions count as Attacks does not matter to what asks for one."""
    earn = {"event": kind, "reaction": True}
    assert times(earn, event(kind, 0, 2), reaction_counts=setting) == 0
    assert times(earn, event(kind, 0, 2, reaction=True), reaction_counts=setting) == 1
    assert times(earn, event(kind, 2, 0, reaction=True), reaction_counts=setting) == 0


def test_a_rescue_from_a_channel_is_a_matter_of_a_ruling() -> None:
    channel = [AIM._replace(weapon="P"), KILL]
    assert times(goal("Last-Minute Rescue"), *channel, channel_is_attack="included") == 1


CENTER = {turn: reported("Tactical Dominance", event("control", 0, turn=turn)) for turn in range(1, 6)}


@pytest.mark.parametrize(
    ("turns", "expected"), [((1,), 0), ((1, 2), 1), ((1, 3), 0), ((2, 4, 5), 1), ((1, 2, 3), 1), ((1, 2, 3, 4), 2)]
)
def test_tactical_dominance(turns: tuple[int, ...], expected: int) -> None:
    """Two turns in a row; no turn counts for two of them."""
    assert times(goal("Tactical Dominance"), *(each for turn in turns for each in CENTER[turn])) == expected


def test_what_was_reported_for_one_objective_counts_for_no_other() -> None:
    nearer = {**goal("Tactical Dominance"), "range_within": 5}
    assert times(nearer, *CENTER[1], *CENTER[2]) == 0


SHOT = event("damage", 0, 2)


@pytest.mark.parametrize(
    ("name", "events", "expected"),
    [
        ("Masterful Maneuver", [event("raid", 0)], 1),
        ("Masterful Maneuver", [event("raid", 2)], 0),
        ("Tactical Retreat", [event("retreat", 1)], 1),
        ("Artillery Supremacy", [SHOT], 1),
        ("Artillery Supremacy", [SHOT._replace(weapon="CW")], 0),
        ("Artillery Supremacy", [SHOT._replace(subject=1)], 0),
    ],
)
def test_reported_objectives(name: str, events: list[LogEvent], expected: int) -> None:
    assert times(goal(name), *reported(name, *events)) == expected
    assert times(goal(name), *events) == 0, "without a report nothing scores"


AMBUSH = event("attack", 0, 2)
BACK = event("move", 0, move=1)


@pytest.mark.parametrize(
    ("attack", "move", "ruling", "expected"),
    [
        (AMBUSH, BACK, "rw", 1),
        (AMBUSH, BACK, "any", 1),
        (AMBUSH, BACK, "cw", 0),
        (AMBUSH._replace(weapon="CW"), BACK, "cw", 1),
        (AMBUSH._replace(weapon="CW"), BACK, "rw", 0),
        (AMBUSH._replace(weapon="P"), BACK, "any", 0),
        (AMBUSH, BACK._replace(actor=1), "any", 0),
        (AMBUSH, BACK._replace(turn=2), "any", 0),
    ],
)
def test_guerrilla_tactics(attack: LogEvent, move: LogEvent, ruling: str, expected: int) -> None:
    name = "Guerrilla Tactics"
    attacks = reported(name, attack, mission_14_type=ruling)
    assert times(goal(name), *attacks, move, mission_14_type=ruling) == expected
    assert times(goal(name), move, *attacks, mission_14_type=ruling) == 0, "the Move comes after it"


@pytest.mark.parametrize(("limit", "expected"), [(9, 0), (10, 1), (11, 1)])
def test_within_includes_the_limit(limit: int, expected: int) -> None:
    assert times({"event": "damage", "range_within": limit}, SHOT) == expected


@pytest.mark.parametrize(("first", "second", "expected"), [(0, 2, 1), (2, 0, 0)])  # who has done it first
def test_first_looks_at_both_sides(first: int, second: int, expected: int) -> None:
    raids = [each for who in (first, second) for each in reported("Masterful Maneuver", event("raid", who))]
    assert times({**goal("Masterful Maneuver"), "first": True}, *raids) == expected


def test_every_mission_scores_by_itself() -> None:
    assert [each["number"] for each in samples("mission") if "earn" in each and "text" not in each] == [*range(1, 17)]
