"""Battles in turns: who begins, the conditions of victory of a scenario, and the result.

A condition is a mapping with `side` ('attacker', 'defender', or 'either'), `when`, and perhaps `count`, `edge`, and
`mark`. The first side of a battlefield is the attacker. `when` is one of these:

- 'wiped-out': the enemy has no models left, which ends every battle; 'leader-out': the leader of the enemy is lost
- 'reach-edge': `count` models have left by `edge`; 'carry': they have taken `count` markers `mark` with them
- 'destroy': the side has destroyed `count` markers, which players report after each of its turns
- 'hold', 'survive', 'more-out': after the last turn, the side has most models near a marker, which players report;
  has `count` fit models; or has taken out more points than the enemy
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from cardgen.referee.battlefield import Battlefield
from cardgen.referee.choice import choose, confirm
from cardgen.referee.requests import LiveScoreboard, Log, Procedure, in_scope
from cardgen.referee.rolls import roll_off

ATTACKER, DEFENDER, EITHER, NEITHER = "attacker", "defender", "either", "neither"
# Conditions that count after the last turn only.
LAST = ("hold", "survive", "more-out")


class BattleResult(NamedTuple):
    """The winner (0, 1, or None) and why, the turns of each side, and the models lost by each side."""

    winner: int | None
    reason: str
    turns: int
    lost: tuple[int, int]


def play_turns(field: Battlefield[Any], play_turn: Callable[[], Procedure[None]]) -> Procedure[BattleResult]:
    """Play the turns of both sides by turns, until one side wins or the turns are over."""
    yield LiveScoreboard(field.scoreboard)
    order, begins = (ATTACKER, DEFENDER), field.scenario.get("first")
    first = order.index(begins) if begins in order else (yield from roll_off(field.sides, "who begins"))
    winner = None
    for number in range(2 * field.turns):
        field.side, field.turn = (first + number) % 2, number // 2 + 1
        yield Log("Turn {} of {}", (field.turn, field.sides[field.side]))
        name = f"turn {field.turn} of {field.sides[field.side]}"
        yield from in_scope(name, play_turn())
        winner = yield from in_scope(name, winner_now(field, is_last=number == 2 * field.turns - 1))
        if winner:
            break
    side, reason = winner or (None, "turn limit")
    lost = [sum(each.is_lost for each in field.models if each.side == who) for who in (0, 1)]
    return BattleResult(side, reason, field.turn, (lost[0], lost[1]))


def winner_now(field: Battlefield[Any], *, is_last: bool) -> Procedure[tuple[int, str] | None]:
    """Return the side that has won after a turn and why, or None."""
    if field.loser is not None:
        return 1 - field.loser, "rout"
    for side in (0, 1):
        if all(each.is_lost for each in field.models if each.side != side):
            return side, "wiped out"
    for condition in field.conditions:
        if condition["when"] not in LAST or is_last:
            side_now = yield from _who_meets(field, condition)
            if side_now is not None:
                return side_now, condition["when"]
    return None


def _who_meets(field: Battlefield[Any], condition: Mapping[str, Any]) -> Procedure[int | None]:
    """Return the only side that meets a condition."""
    sides = [side for side, name in enumerate((ATTACKER, DEFENDER)) if condition["side"] in (name, EITHER)]
    when, mark = condition["when"], condition.get("mark", "")
    if when == "hold":
        options: dict[str, int | None] = {NEITHER: None, **{field.sides[side]: side for side in sides}}
        return (yield from choose("hold", "", f"most fit models near marker {mark}", options))
    if when == "destroy" and field.side in sides:
        name = field.sides[field.side]
        if (yield from confirm("destroy", name, f"{name} has destroyed marker {mark} in this turn")):
            field.count_mark(field.side, mark)
    met = [side for side in sides if _count(field, side, condition) >= condition.get("count", 1)]
    return met[0] if len(met) == 1 else None


def _count(field: Battlefield[Any], side: int, condition: Mapping[str, Any]) -> int:
    """Return how often a side has done what a condition counts."""
    own, enemies = ([each for each in field.models if each.side == who] for who in (side, 1 - side))
    match condition["when"]:
        case "wiped-out":
            return 0
        case "leader-out":
            return sum(each.is_leader and each.is_lost for each in enemies)
        case "reach-edge":
            return sum(each.exit == condition.get("edge") for each in own)
        case "survive":
            return sum(each.is_fit for each in own)
        case "more-out":
            lost = [sum(each.points for each in models if each.is_lost) for models in (own, enemies)]
            return int(lost[1] > lost[0])
    return field.marks.get((side, condition.get("mark", "")), 0)


def outcome_lines(names: Sequence[str], end: BattleResult) -> tuple[str, ...]:
    """Return the result of a battle in sentences."""
    winner = "a draw" if end.winner is None else f"{names[end.winner]} wins"
    lost = ", ".join(f"{name} {count}" for name, count in zip(names, end.lost, strict=True))
    return (f"{winner} in turn {end.turns}: {end.reason}", f"out of action: {lost}")
