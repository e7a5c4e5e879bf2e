"""Victory: routs, and the conditions of a scenario."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from cardgen.game import Procedure, choose, confirm
from cardgen.rulesets.skirmish.referee.battle.table import Model, Table

ATTACKER, DEFENDER, EITHER = "attacker", "defender", "either"
NEITHER = "neither"
# Conditions that count at the end of the last turn only, and those that models count for.
LAST = ("hold", "survive", "more-out")


class BattleResult(NamedTuple):
    """The winner (0, 1, or None) and why, the turns of each side, and the models lost by each side."""

    winner: int | None
    reason: str
    turns: int
    lost: tuple[int, int]


def winner_now(table: Table, *, is_last: bool) -> Procedure[tuple[int, str] | None]:
    """Return the side that has won after a turn and why, or None."""
    if table.loser is not None:
        return 1 - table.loser, "rout"
    for side in (0, 1):
        if not table.of(1 - side) and not any(each.exit for each in table.models if each.side != side):
            return side, "wiped out"
    for condition in table.conditions:
        if condition["when"] not in LAST or is_last:
            side_now = yield from _who_meets(table, condition)
            if side_now is not None:
                return side_now, condition["when"]
    return None


def _who_meets(table: Table, condition: Mapping[str, Any]) -> Procedure[int | None]:
    """Return the only side that meets a condition."""
    sides = [side for side, name in enumerate((ATTACKER, DEFENDER)) if condition["side"] in (name, EITHER)]
    when, mark = condition["when"], condition.get("mark", "")
    if when == "hold":
        options: dict[str, int | None] = {NEITHER: None, **{table.sides[side]: side for side in sides}}
        return (yield from choose("hold", "", f'most fit models within 3" of marker {mark}', options))
    if when == "destroy" and table.side in sides:
        name = table.sides[table.side]
        if (yield from confirm("destroy", name, f"{name} has destroyed marker {mark} in this turn")):
            table.marks[table.side, mark] = table.marks.get((table.side, mark), 0) + 1
    met = [side for side in sides if _count(table, side, condition) >= condition.get("count", 1)]
    return met[0] if len(met) == 1 else None


def _count(table: Table, side: int, condition: Mapping[str, Any]) -> int:
    """Return how often a side has done what a condition counts."""
    own, enemies = ([each for each in table.models if each.side == who] for who in (side, 1 - side))
    match condition["when"]:
        case "wiped-out":
            return 0  # which ends every battle
        case "leader-out":
            return sum(each.is_leader and each.is_lost for each in enemies)
        case "reach-edge":
            return sum(each.exit == condition.get("edge") for each in own)
        case "survive":
            return sum(each.is_fit for each in own)
        case "more-out":
            return int(_lost_points(enemies) > _lost_points(own))
    return table.marks.get((side, condition.get("mark", "")), 0)


def _lost_points(models: list[Model]) -> int:
    return sum(each.warrior.points for each in models if each.is_lost)


def outcome_lines(names: tuple[str, str], end: BattleResult) -> tuple[str, ...]:
    """Return the result of a battle in sentences."""
    winner = "a draw" if end.winner is None else f"{names[end.winner]} wins"
    lost = ", ".join(f"{name} {count}" for name, count in zip(names, end.lost, strict=True))
    return (f"{winner} in turn {end.turns}: {end.reason}", f"out of action: {lost}")
