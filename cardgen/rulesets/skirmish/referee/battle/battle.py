"""A whole battle: turns of both sides in five phases, until one side wins (seed: The turn)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from cardgen.game import (
    CardData,
    Log,
    Parameter,
    PreparedTrial,
    Procedure,
    Roll,
    RulesConfig,
    in_scope,
    numbered_names,
    plain_data,
)
from cardgen.rulesets.skirmish.referee.battle.charges import charge_phase
from cardgen.rulesets.skirmish.referee.battle.fights import combat_phase
from cardgen.rulesets.skirmish.referee.battle.missiles import magic_phase, shooting_phase
from cardgen.rulesets.skirmish.referee.battle.moves import compulsory_moves, other_moves
from cardgen.rulesets.skirmish.referee.battle.recovery import recover, start_turn
from cardgen.rulesets.skirmish.referee.battle.table import Model, Table
from cardgen.rulesets.skirmish.referee.battle.victory import (
    ATTACKER,
    DEFENDER,
    BattleResult,
    outcome_lines,
    result,
    winner_now,
)
from cardgen.rulesets.skirmish.referee.cards import warrior_of

MOST_TURNS = 12
# Rulings that the players apply, by the phase in which they are shown.
SHOWN = {
    "start": ("panic-causes",),
    "movement": ("run-distance", "low-obstacles", "charge-climb", "spotted"),
    "magic": ("spell-chain", "unit-casters"),
    "shooting": ("rider-arc",),
}


@dataclass(frozen=True, slots=True)
class BattleSituation:
    """A battle of two warbands; A is the attacker."""

    a: Annotated[CardData, Parameter("card", "Warband of the attacker.", ("warband",))]
    b: Annotated[CardData, Parameter("card", "Warband of the defender.", ("warband",))]
    scenario: Annotated[CardData | None, Parameter("card", "Scenario.", ("scenario",))] = None
    turns: Annotated[
        int | None, Parameter("number", "Turns of each side (default: by the scenario, or 12).", low=1, high=40)
    ] = None


def set_up_battle(situation: BattleSituation, config: RulesConfig) -> PreparedTrial:
    """Set up a battle.

    Raises ValueError for a warband that meets itself, and for one without models.
    """
    warbands, scenario = (situation.a, situation.b), situation.scenario or {}
    names = (situation.a["name"], situation.b["name"])
    if names[0] == names[1]:
        raise ValueError(f"{names[0]} cannot fight itself; give one of them another name")
    settings = {**config.rulings, **scenario.get("switches", {})}
    turns = situation.turns or scenario.get("turns") or MOST_TURNS

    def start() -> Procedure[BattleResult]:
        return play_battle(Table(names, models_of(warbands, settings), settings, scenario, turns))

    models_of(warbands, settings)
    notes = [f"'{name}' has only text" for name in scenario.get("special", {})]
    title = f"{names[0]} against {names[1]}{': ' + scenario['name'] if scenario else ''}"
    return PreparedTrial(title, start, lambda end: outcome_lines(names, end), plain_data, None, tuple(notes))


def models_of(warbands: tuple[CardData, CardData], settings: Mapping[str, str]) -> list[Model]:
    """Return the models of both warbands; those that share a name are numbered."""
    cards = [(side, data) for side, band in enumerate(warbands) for data in _members(band)]
    names = numbered_names([data["name"] for _, data in cards])
    warriors = [(side, warrior_of(data, name)) for name, (side, data) in zip(names, cards, strict=True)]
    models = [Model(side, warrior, warrior.health) for side, warrior in warriors]
    for side, band in enumerate(warbands):
        own = [each for each in models if each.side == side]
        if not own:
            raise ValueError(f"{band['name']} has no models")
        leader = _leader_name(band) if settings["leader"] == "chosen" else ""
        best = max(own, key=lambda each: each.warrior.ld)
        chosen = next((data["name"] for its_side, data in cards if its_side == side and data["name"] == leader), None)
        first = next((each for each, (_, data) in zip(models, cards, strict=True) if data["name"] == chosen), best)
        (first if first.side == side else best).is_leader = True
    return models


def _leader_name(band: CardData) -> str:
    leader: Any = band.get("leader") or ""
    return str(leader["name"] if isinstance(leader, dict) else leader)


def _members(band: CardData) -> Iterator[CardData]:
    for member in band.get("members", ()):
        yield from [member["card"]] * member.get("qty", 1)


def play_battle(table: Table) -> Procedure[BattleResult]:
    """Play a battle on a new table to its end."""
    yield Log("{} attacks, {} defends", table.sides)
    for each in table.models:
        if each.is_leader:
            yield Log("{} leads {}", (each.name, table.sides[each.side]))
    first = yield from in_scope("set-up", _first_side(table))
    winner = None
    for number in range(2 * table.turns):
        table.side, table.turn = (first + number) % 2, number // 2 + 1
        name = f"turn {table.turn} of {table.sides[table.side]}"
        yield Log("Turn {} of {}", (table.turn, table.sides[table.side]))
        yield from in_scope(name, _play_turn(table))
        winner = yield from in_scope(name, winner_now(table, is_last=number == 2 * table.turns - 1))
        if winner:
            break
    return result(table, winner)


def _first_side(table: Table) -> Procedure[int]:
    """Return the side that begins: by the scenario, or by a roll-off."""
    first = table.scenario.get("first", "roll")
    if first in (ATTACKER, DEFENDER):
        return (ATTACKER, DEFENDER).index(first)
    while True:
        one = yield Roll("begin", table.sides[0], "who begins")
        other = yield Roll("begin", table.sides[1], "who begins")
        if one != other:
            return int(other > one)


def _play_turn(table: Table) -> Procedure[None]:
    """Play the five phases of a turn, unless a rout ends the battle."""
    yield from in_scope("start", _phase(table, "start", start_turn))
    if table.loser is not None:
        return
    yield from in_scope("recovery", recover(table))
    charges = [("charges", charge_phase), ("compulsory", compulsory_moves)]
    for name, phase in charges if table.says("charge-order", "first") else charges[::-1]:
        yield from in_scope(name, phase(table))
    phases = {"movement": other_moves, "magic": magic_phase, "shooting": shooting_phase, "combat": combat_phase}
    for name, phase in phases.items():
        for each in table.models:
            each.acts.discard("tested")
        yield from in_scope(name, _phase(table, name, phase))


def _phase(table: Table, name: str, phase: Callable[[Table], Procedure[None]]) -> Procedure[None]:
    """Play a phase; in the first turn, show the rulings that the players apply in it."""
    from cardgen.rulesets.skirmish import RULESET  # loaded here because the game names the trials

    for ruling in RULESET.rulings:
        if table.turn == 1 and ruling.id in SHOWN.get(name, ()):
            yield Log("{} {}", (ruling.question, ruling.settings[table.settings[ruling.id]]))
    yield from phase(table)
