"""The trial of a battle: two warbands, or Characters against a Horde."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from cardgen.rulesets.adjudication import Parameter, PreparedTrial, RulesConfig
from cardgen.rulesets.warniris.kinds import Mission
from cardgen.rulesets.warniris.procedures.battle import Battle, BattleResult
from cardgen.rulesets.warniris.procedures.cards import build_miniatures, card_of_kind, not_simulated
from cardgen.rulesets.warniris.procedures.missions import MissionHands
from cardgen.rulesets.warniris.procedures.situations import CardData
from cardgen.rulesets.warniris.procedures.table import Game

DEFENDER_COUNT, HORDE_SIZE = 3, 20


@dataclass(frozen=True, slots=True)
class BattleSituation:
    """Two warbands. A Horde as the second makes it a Last Stand (section 8)."""

    a: Annotated[CardData, Parameter("card", "One warband.", ("warband",))]
    b: Annotated[CardData, Parameter("card", "The other, or a Horde.", ("warband",))]
    turns: Annotated[int, Parameter("number", "How many turns; a Last Stand has no limit.", low=1, high=20)] = 5
    missions: Annotated[
        tuple[CardData, ...], Parameter("deck", "Play with three secret Missions each.", ("mission",))
    ] = ()


def set_up_battle(situation: BattleSituation, config: RulesConfig) -> PreparedTrial:
    """A battle that is ready to be deployed. Raises ValueError for warbands that cannot meet."""
    members, names = (_members(situation.a), _members(situation.b)), (situation.a["name"], situation.b["name"])
    is_last_stand = bool(situation.b.get("minions"))
    _check_sides(situation, [len(side) for side in members], is_last_stand=is_last_stand)
    game = Game(
        build_miniatures([*members[0], *members[1]]),
        (0,) * len(members[0]) + (1,) * len(members[1]),
        config.rulings,
        config.policy,
        is_interactive=True,
        logs_events=True,
    )
    cards = tuple(card_of_kind(data, Mission) for data in situation.missions)
    battle = Battle(game, names, situation.turns, MissionHands(cards, names) if cards else None)

    def outcome_lines(end: BattleResult) -> tuple[str, ...]:
        if is_last_stand:
            dealt = f"{end.eliminated[0]} Minions slain, {end.vp[0]} Damage dealt"
            return (f"{names[0]} stood for {end.turns} turns: {dealt}",)
        winner = "a draw" if end.winner is None else f"{names[end.winner]} wins"
        return (f"{winner}; VP: {names[0]} {end.vp[0]}, {names[1]} {end.vp[1]}",)

    def outcome_data(end: BattleResult) -> Any:
        return {"winner": end.winner, "turns": end.turns, "vp": list(end.vp), "slain": list(end.eliminated)}

    return PreparedTrial(
        f"{names[0]} against {names[1]}", battle.play, outcome_lines, outcome_data, None, not_simulated(game)
    )


def _members(warband: CardData) -> list[tuple[CardData, CardData | None]]:
    members = [(member["character"], member.get("relic")) for member in warband.get("members", ())]
    minions = [(troop["minion"], None) for troop in warband.get("minions", ()) for _ in range(troop.get("qty", 1))]
    return [*members, *minions]


def _check_sides(situation: BattleSituation, sizes: list[int], *, is_last_stand: bool) -> None:
    """Section 8: three Characters against twenty Minions, and no Missions."""
    if situation.a.get("minions"):
        raise ValueError(f"{situation.a['name']} is a Horde; name the defenders first")
    if not is_last_stand:
        if situation.a["name"] == situation.b["name"]:
            raise ValueError(f"{situation.a['name']} cannot fight itself; give one of them another name")
        return
    if situation.missions:
        raise ValueError("Missions are not allowed in a Last Stand")
    if sizes[0] < DEFENDER_COUNT or sizes[1] != HORDE_SIZE:
        raise ValueError(
            f"a Last Stand has {DEFENDER_COUNT} Characters and {HORDE_SIZE} Minions, not {sizes[0]} and {sizes[1]}"
        )
