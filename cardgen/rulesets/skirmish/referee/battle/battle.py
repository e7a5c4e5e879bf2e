"""A whole battle: turns of both sides in five phases, until one side wins (seed: The turn)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from cardgen.game import (
    BattleResult,
    CardData,
    Log,
    Parameter,
    PreparedTrial,
    Procedure,
    RulesConfig,
    in_scope,
    outcome_lines,
    plain_data,
    play_turns,
    quantity,
    recruits,
    side_names,
)
from cardgen.rulesets.skirmish.referee.battle.charges import charge_phase
from cardgen.rulesets.skirmish.referee.battle.fights import combat_phase
from cardgen.rulesets.skirmish.referee.battle.missiles import magic_phase, shooting_phase
from cardgen.rulesets.skirmish.referee.battle.moves import compulsory_moves, other_moves
from cardgen.rulesets.skirmish.referee.battle.recovery import recover, start_turn
from cardgen.rulesets.skirmish.referee.battle.table import Model, Table
from cardgen.rulesets.skirmish.referee.warrior import warrior_of

MOST_TURNS = 12
SIDES = ("attacker", "defender")
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
    turns: Annotated[int | None, Parameter("number", "Turns (default: the scenario's, or 12).", low=1, high=40)] = None


def set_up_battle(situation: BattleSituation, config: RulesConfig) -> PreparedTrial:
    """Set up a battle.

    Raises ValueError for a warband that meets itself, and for one without models.
    """
    warbands, scenario = (situation.a, situation.b), situation.scenario or {}
    names, settings = side_names(*warbands), {**config.rulings, **scenario.get("switches", {})}
    turns = situation.turns or scenario.get("turns") or MOST_TURNS
    models = models_of(warbands, settings)

    def start() -> Procedure[BattleResult]:
        return play_battle(
            Table(sides=names, models=models_of(warbands, settings), settings=settings, scenario=scenario, turns=turns)
        )

    own = (name for model in models for name in sorted(model.warrior.in_words))
    notes = tuple(f"'{name}' has only text" for name in dict.fromkeys((*scenario.get("special", {}), *own)))
    title = f"{names[0]} against {names[1]}{': ' + scenario['name'] if scenario else ''}"
    return PreparedTrial(title, start, lambda end: outcome_lines(names, end), plain_data, None, notes)


def models_of(warbands: tuple[CardData, CardData], settings: Mapping[str, str]) -> list[Model]:
    """Return the models of both warbands, each with its leader: the one that its card names, or the best."""
    models: list[Model] = []
    for side, band in enumerate(warbands):
        own = [each for each in recruits(warbands, "card") if each.side == side]
        if not own:
            raise ValueError(f"{band['name']} has no models")
        leader: Any = band.get("leader") or ""
        chosen = leader["name"] if isinstance(leader, dict) and settings["leader"] == "chosen" else ""
        first = max(own, key=lambda each: (each.member["card"]["name"] == chosen, each.member["card"].get("ld", 0)))
        warriors = [(warrior_of(each.member["card"], each.name), each is first) for each in own]
        models += [Model(side=side, warrior=who, health=who.health, is_leader=leads) for who, leads in warriors]
    return models


def play_battle(table: Table) -> Procedure[BattleResult]:
    """Play a battle on a new table to its end."""
    yield Log("{} attacks, {} defends", table.sides)
    for line in _beyond_limits(table):
        yield Log("{}", (line,))
    for each in table.models:
        if each.is_leader:
            yield Log("{} leads {}", (each.name, table.sides[each.side]))
    return (yield from play_turns(table, partial(_play_turn, table)))


def _beyond_limits(table: Table) -> Iterator[str]:
    """Yield a sentence for each number of points or models that the scenario does not provide for."""
    from cardgen.rulesets.skirmish import FORCE  # loaded here because the game names the trials

    for force in table.scenario.get("forces", ()):
        side = SIDES.index(force["side"])
        own = [each for each in table.models if each.side == side]
        for what, number in (("points", sum(each.points for each in own)), ("models", len(own))):
            low, high = (force.get(key, FORCE.model_fields[key].default) for key in (f"{what}_min", f"{what}_max"))
            if not low <= number <= high:
                limits = f"the scenario gives the {force['side']} {low} to {high}"
                yield f"{table.sides[side]} has {quantity(number, what[:-1])}; {limits}"


def _play_turn(table: Table) -> Procedure[None]:
    """Play the five phases of a turn, unless a rout ends the battle."""
    charges: dict[str, Callable[[Table], Procedure[None]]] = {"charges": charge_phase, "compulsory": compulsory_moves}
    if table.says("charge-order", "after"):
        charges = dict(reversed(charges.items()))
    moves = {"start": start_turn, "recovery": recover, **charges, "movement": other_moves}
    for name, phase in {**moves, "magic": magic_phase, "shooting": shooting_phase, "combat": combat_phase}.items():
        if table.loser is None:
            yield from in_scope(name, _play_phase(table, name, phase))


def _play_phase(table: Table, name: str, phase: Callable[[Table], Procedure[None]]) -> Procedure[None]:
    """Play a phase; in the first turn, show the rulings that the players apply in it."""
    from cardgen.rulesets.skirmish import RULESET  # loaded here because the game names the trials

    for ruling in RULESET.rulings:
        if table.turn == 1 and ruling.id in SHOWN.get(name, ()):
            yield Log("{}", (ruling.settings[table.settings[ruling.id]],))
    for each in table.models:
        each.acts.discard("tested")
    yield from phase(table)
