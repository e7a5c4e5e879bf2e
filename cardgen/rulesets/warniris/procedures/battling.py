"""The trial of a battle: two warbands, or Characters against a Horde."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from cardgen.rulesets.adjudication import Matter, Option, Terms
from cardgen.rulesets.warniris.kinds import Mission
from cardgen.rulesets.warniris.procedures.battle import Battle, End
from cardgen.rulesets.warniris.procedures.cards import fighters, left_out, model
from cardgen.rulesets.warniris.procedures.missions import Missions
from cardgen.rulesets.warniris.procedures.situations import Data
from cardgen.rulesets.warniris.procedures.table import Table

DEFENDERS, HORDE = 3, 20


@dataclass(frozen=True, slots=True)
class BattleSituation:
    """Two warbands. A Horde as the second makes it a Last Stand (section 8)."""

    a: Annotated[Data, Option("card", "One warband.", ("warband",))]
    b: Annotated[Data, Option("card", "The other, or a Horde.", ("warband",))]
    turns: Annotated[int, Option("number", "How many turns; a Last Stand has no limit.", low=1, high=20)] = 5
    missions: Annotated[tuple[Data, ...], Option("deck", "Play with three secret Missions each.", ("mission",))] = ()


def set_up_battle(situation: BattleSituation, terms: Terms) -> Matter:
    """A battle that is ready to be deployed. Raises ValueError for warbands that cannot meet."""
    people, names = (_people(situation.a), _people(situation.b)), (situation.a["name"], situation.b["name"])
    horde = bool(situation.b.get("minions"))
    _legal(situation, [len(side) for side in people], horde=horde)
    table = Table(
        fighters([*people[0], *people[1]]),
        (0,) * len(people[0]) + (1,) * len(people[1]),
        terms.rulings,
        terms.policy,
        asked=True,
        records=True,
    )
    cards = tuple(model(data, Mission) for data in situation.missions)
    battle = Battle(table, names, situation.turns, Missions(cards, names) if cards else None)

    def told(end: End) -> tuple[str, ...]:
        if horde:
            dealt = f"{end.slain[0]} Minions slain, {end.vp[0]} Damage dealt"
            return (f"{names[0]} stood for {end.turns} turns: {dealt}",)
        winner = "a draw" if end.winner is None else f"{names[end.winner]} wins"
        return (f"{winner}; VP: {names[0]} {end.vp[0]}, {names[1]} {end.vp[1]}",)

    def kept(end: End) -> Any:
        return {"winner": end.winner, "turns": end.turns, "vp": list(end.vp), "slain": list(end.slain)}

    return Matter(f"{names[0]} against {names[1]}", battle.play, told, kept, None, left_out(table))


def _people(warband: Data) -> list[tuple[Data, Data | None]]:
    members = [(member["character"], member.get("relic")) for member in warband.get("members", ())]
    minions = [(troop["minion"], None) for troop in warband.get("minions", ()) for _ in range(troop.get("qty", 1))]
    return [*members, *minions]


def _legal(situation: BattleSituation, sizes: list[int], *, horde: bool) -> None:
    """Section 8: three Characters against twenty Minions, and no Missions."""
    if situation.a.get("minions"):
        raise ValueError(f"{situation.a['name']} is a Horde; name the defenders first")
    if not horde:
        if situation.a["name"] == situation.b["name"]:
            raise ValueError(f"{situation.a['name']} cannot fight itself; give one of them another name")
        return
    if situation.missions:
        raise ValueError("Missions are not allowed in a Last Stand")
    if sizes[0] < DEFENDERS or sizes[1] != HORDE:
        raise ValueError(f"a Last Stand has {DEFENDERS} Characters and {HORDE} Minions, not {sizes[0]} and {sizes[1]}")
