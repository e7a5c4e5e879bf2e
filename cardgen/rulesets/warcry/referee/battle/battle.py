"""A whole battle: set-up, battle rounds, and the winner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cardgen.game import (
    LiveScoreboard,
    Log,
    Measurement,
    Procedure,
    RulesConfig,
    choose,
    choose_one,
    in_scope,
    quantity,
)
from cardgen.rulesets.warcry.effective import own_changes
from cardgen.rulesets.warcry.referee.battle.actions.words import plain_text
from cardgen.rulesets.warcry.referee.battle.battle_round import play_round
from cardgen.rulesets.warcry.referee.battle.combatant import Combatant
from cardgen.rulesets.warcry.referee.battle.distances import FAR
from cardgen.rulesets.warcry.referee.battle.muster import Recruit, combatant_of, muster_side
from cardgen.rulesets.warcry.referee.battle.plan.control import find_places, has_red_and_blue
from cardgen.rulesets.warcry.referee.battle.plan.victory import leader
from cardgen.rulesets.warcry.referee.battle.questions import NOBODY
from cardgen.rulesets.warcry.referee.battle.table import Side, Table

SECOND_ROUND = 2
LARGEST_GAP = 40
DRAW = "a draw"


class BattleResult(NamedTuple):
    """The winner (0, 1, or None), the victory points, and the fighters taken down of each side."""

    winner: int | None
    rounds: int
    vp: tuple[int, int]
    down: tuple[int, int]


def play_battle(table: Table, recruits: tuple[Recruit, ...], config: RulesConfig) -> Procedure[BattleResult]:
    """Play a battle on a new table from its set-up to its winner."""
    yield LiveScoreboard(table.scoreboard)
    yield from in_scope("set-up", _set_up(table, recruits))
    while table.round < table.rounds and not _is_over(table, config.rulings):
        name = f"battle round {table.round + 1}"
        yield Log("{}", (name.capitalize(),))
        yield from in_scope(name, play_round(table, config))
    winner = yield from in_scope("victory", _determine_winner(table, config.rulings))
    vp, down = [side.vp for side in table.sides], [len(table.down(side)) for side in (0, 1)]
    return BattleResult(winner, table.round, (vp[0], vp[1]), (down[0], down[1]))


def _set_up(table: Table, recruits: tuple[Recruit, ...]) -> Procedure[None]:
    for side in table.sides:
        yield from muster_side(side)
    for recruit in recruits:
        combatant = yield from combatant_of(recruit, table.sides[recruit.side])
        table.combatants.append(combatant)
    for side in table.sides:
        gifts = [own_changes(each.blessing) for each in table.combatants if each.side == side.index]
        side.wild = sum(change.wild_dice for each in (side.changes, *gifts) for change in each)
    if has_red_and_blue(table.plan):
        options = {side.name: side.index for side in table.sides}
        table.red_side = yield from choose("red", "", "who deploys at the red points", options)
    table.places = yield from find_places(table)
    if _has_reserve(table):
        for side in table.sides:
            yield from _set_aside(table, side)
    yield Log("Set up objectives and fighters as {} says", (table.plan.name,))
    for section in table.plan.sections:
        yield Log("{}: {}", (section.name or "note", plain_text(section.text or "")))
    yield from _measure_gap(table)


def _measure_gap(table: Table) -> Procedure[None]:
    """Ask how far apart the warbands are, so that early activations offer no targets that are out of reach."""
    if not (table.standing(0) and table.standing(1)):
        return
    gap = yield Measurement("gap", "", "whole inches between the nearest enemies after deployment", 0, LARGEST_GAP)
    for one in table.standing(0):
        for other in table.standing(1):
            table.distances.claim(one, other, int(gap), FAR)


def _has_reserve(table: Table) -> bool:
    """Return whether a fighter may start in reserve: always if the card does not have the deployment points."""
    return table.plan.map is None or not table.plan.map.points or bool(_arrivals(table))


def _arrivals(table: Table) -> list[int]:
    """Return the battle rounds after the first in which groups arrive, by the map."""
    points = table.plan.map.points if table.plan.map else ()
    return sorted({point.round for point in points if point.round and point.round > 1})


def _set_aside(table: Table, side: Side) -> Procedure[None]:
    """Ask which fighters start in reserve, and when they arrive if the map names several battle rounds."""
    rounds = _arrivals(table) or [SECOND_ROUND]
    while who := (yield from _pick_reserve(table, side)):
        options = {f"battle round {each}": each for each in rounds}
        who.arrival = yield from choose("arrival", side.name, f"when {who.name} arrives", options)
        who.is_in_reserve = True


def _pick_reserve(table: Table, side: Side) -> Procedure[Combatant | None]:
    return (
        yield from choose_one(
            "reserve", side.name, "fighter that starts in reserve", table.standing(side.index), NOBODY
        )
    )


def _is_over(table: Table, rulings: Mapping[str, str]) -> bool:
    """Return whether a warband is taken down and the ruling `wiped-out` ends the battle."""
    return rulings["wiped-out"] != "play-on" and any(_is_wiped_out(table, side) for side in (0, 1))


def _is_wiped_out(table: Table, side: int) -> bool:
    return all(each.is_down for each in table.combatants if each.side == side)


def _determine_winner(table: Table, rulings: Mapping[str, str]) -> Procedure[int | None]:
    """Return the winner: by the battleplan's own words, or the side with more victory points."""
    wiped = [_is_wiped_out(table, side) for side in (0, 1)]
    if rulings["wiped-out"] == "lose" and wiped[0] != wiped[1]:
        return wiped.index(False)
    if table.plan.victory:
        options: dict[str, int | None] = {side.name: side.index for side in table.sides}
        return (yield from choose("winner", "", f"winner ({table.plan.victory})", {**options, DRAW: None}))
    return leader(table)


def outcome_lines(names: Sequence[str], end: BattleResult) -> tuple[str, ...]:
    """Return the result of a battle in sentences."""
    winner = DRAW if end.winner is None else f"{names[end.winner]} wins"
    points = ", ".join(f"{name} {vp} VP" for name, vp in zip(names, end.vp, strict=True))
    down = ", ".join(f"{name} {count}" for name, count in zip(names, end.down, strict=True))
    rounds = quantity(end.rounds, "battle round")
    return (f"{winner} after {rounds}: {points}", f"taken down: {down}")
