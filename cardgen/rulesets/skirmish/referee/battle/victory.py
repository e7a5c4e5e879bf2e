"""Victory: routs, and the conditions of a scenario."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from cardgen.game import Procedure, choose, confirm
from cardgen.rulesets.skirmish.referee.battle.table import Table

ATTACKER, DEFENDER, EITHER = "attacker", "defender", "either"
NEITHER = "neither"
# Conditions that count at the end of the last turn only.
LAST = ("hold", "survive", "more-out")


class BattleResult(NamedTuple):
    """The winner (0, 1, or None) and why, the turns of each side, and the models out of action of each side."""

    winner: int | None
    reason: str
    turns: int
    out: tuple[int, int]


def winner_now(table: Table, *, is_last: bool) -> Procedure[tuple[int, str] | None]:
    """Return the side that has won after a turn and why, or None."""
    if table.loser is not None:
        return 1 - table.loser, "rout"
    for side in (0, 1):
        if not table.of(1 - side):
            return side, "wiped out"
    for condition in table.conditions:
        if condition["when"] in LAST and not is_last:
            continue
        side_now = yield from _meets(table, condition)
        if side_now is not None:
            return side_now, condition["when"]
    return None


def _meets(table: Table, condition: Mapping[str, Any]) -> Procedure[int | None]:
    """Return the side that meets a condition."""
    sides = [side for side, name in enumerate((ATTACKER, DEFENDER)) if condition["side"] in (name, EITHER)]
    when, count = condition["when"], condition.get("count", 1)
    if when == "hold":
        options: dict[str, int | None] = {NEITHER: None, **{table.sides[side]: side for side in sides}}
        what = f'most fit models within 3" of marker {condition.get("mark", "")}'
        return (yield from choose("hold", "", what, options))
    if when == "destroy":
        for side in sides:
            what = f"{table.sides[side]} has destroyed marker {condition.get('mark', '')} in this turn"
            if side == table.side and (yield from confirm("destroy", table.sides[side], what)):
                mark = side, condition.get("mark", "")
                table.marks[mark] = table.marks.get(mark, 0) + 1
    met = [side for side in sides if _count(table, side, condition) >= count]
    if when == "more-out" and len(met) > 1:
        met = []
    return met[0] if met else None


def _count(table: Table, side: int, condition: Mapping[str, Any]) -> int:
    """Return how often a side has done what a condition counts."""
    when, enemies = condition["when"], [each for each in table.models if each.side != side]
    if when == "wiped-out":
        return 0  # which ends every battle
    if when == "leader-out":
        return sum(each.is_leader and (each.is_gone or (not each.is_present and not each.exit)) for each in enemies)
    if when == "reach-edge":
        return sum(each.side == side and each.exit == condition.get("edge") for each in table.models)
    if when == "survive":
        return len(table.of(side, lambda each: each.is_fit))
    if when == "more-out":
        lost = [(each.side, each.warrior.points) for each in table.models if _is_lost(each)]
        own, other = (sum(points for its_side, points in lost if its_side == who) for who in (side, 1 - side))
        return int(other > own)
    return table.marks.get((side, condition.get("mark", "")), 0)


def _is_lost(model: Any) -> bool:
    return not model.is_present and not model.exit


def result(table: Table, winner: tuple[int, str] | None) -> BattleResult:
    """Return the result of a battle."""
    out = [sum(each.side == side and _is_lost(each) for each in table.models) for side in (0, 1)]
    side, reason = winner or (None, "turn limit")
    return BattleResult(side, reason, table.turn, (out[0], out[1]))


def outcome_lines(names: tuple[str, str], end: BattleResult) -> tuple[str, ...]:
    """Return the result of a battle in sentences."""
    winner = "a draw" if end.winner is None else f"{names[end.winner]} wins"
    out = ", ".join(f"{name} {count}" for name, count in zip(names, end.out, strict=True))
    return (f"{winner} in turn {end.turns}: {end.reason}", f"out of action: {out}")
