"""The battle and the Last Stand: players decide and measure, the procedure says what is legal (sections 5 to 8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from cardgen.game import (
    CardData,
    Decision,
    Log,
    Parameter,
    PreparedTrial,
    Procedure,
    Roll,
    RulesConfig,
    card_of_kind,
    in_scope,
)
from cardgen.rulesets.warniris.cards import HORDE_SIZE, Mission
from cardgen.rulesets.warniris.referee.activation import activate
from cardgen.rulesets.warniris.referee.effects import start_effects
from cardgen.rulesets.warniris.referee.game import ACTIONS_PER_ACTIVATION, Game, MiniatureStatus, State
from cardgen.rulesets.warniris.referee.missions import MissionHands
from cardgen.rulesets.warniris.referee.situations import build_miniatures, not_simulated

LAST_STAND_ACTIONS = 3
GO_ON, STOP = "go on", "end here"
PASS = "pass"
# The shapes of a deployment zone, by the ruling `zone-shape`.
ZONES = {"square": "a square of 20 cm in a corner", "quarter": "a quarter circle of 20 cm around a corner"}


class BattleResult(NamedTuple):
    """How a battle ended: the winner (0, 1, or None), the turns played, and the VP or points dealt of each side."""

    winner: int | None
    turns: int
    vp: tuple[int, int]
    eliminated: tuple[int, int]


class Battle:
    """Two sides by name on a table; `missions` is None where none are played.

    With Minions on side 1 it is a Last Stand: no turn limit, and the Horde is filled up at the start of each turn.
    """

    def __init__(self, game: Game, sides: tuple[str, str], turns: int, missions: MissionHands | None) -> None:
        self.game, self.side_names, self.max_turns, self.missions = game, sides, turns, missions
        self.is_last_stand = any(game.miniatures[who].is_minion for who, side in enumerate(game.sides) if side == 1)
        self.eliminated = [0, 0]

    def play(self) -> Procedure[BattleResult]:
        """The whole battle."""
        self.eliminated = [0, 0]
        if self.missions:
            self.missions.reset()
        first, state = yield from in_scope("set-up", self._set_up(self.game.initial_state()))
        everybody = range(len(self.game.miniatures))
        state = yield from start_effects(self.game, state, "battle_start", everybody)
        turn = 0
        while not self._is_over(state) and (self.is_last_stand or turn < self.max_turns):
            turn += 1
            if self.is_last_stand:
                first = yield from in_scope(f"turn {turn}", self._first_of_last_stand(turn))
            state = yield from in_scope(f"turn {turn}", self._play_turn(state, turn, first))
            if self.is_last_stand and not self._is_over(state):
                what = "another turn"
                if (yield Decision("go on", self.side_names[0], what, (GO_ON, STOP))) == STOP:
                    break
        return (yield from self._result(state, turn))

    def _first_of_last_stand(self, turn: int) -> Procedure[int]:
        """Who starts a turn of a Last Stand: the defenders start the first (section 8; ruling `last-stand-first`)."""
        ruling = self.game.rulings["last-stand-first"]
        if turn > 1 and ruling == "roll":
            return (yield from self._roll_off("first turn"))
        return (turn - 1) % 2 if ruling == "alternate" else 0

    def _set_up(self, state: State) -> Procedure[tuple[int, State]]:
        """Who deploys where, and who goes first in every turn (section 5; in a Last Stand the defenders, section 8)."""
        if self.is_last_stand:
            state = yield from self._choose_defenders(state)
            yield Log("{} deploy in the central circle, then the Horde along the four edges", (self.side_names[0],))
            return 0, state
        zone_side = yield from self._roll_off("deployment")
        yield Log(
            "{} picks a deployment zone ({}); {} places first, then in turns",
            (self.side_names[zone_side], ZONES[self.game.rulings["zone-shape"]], self.side_names[1 - zone_side]),
        )
        order_side = yield from self._roll_off("first turn")
        options = tuple(self.side_names)
        first_side = yield Decision(
            "who goes first", self.side_names[order_side], "who goes first in every turn", options
        )
        if self.missions:
            yield from self.missions.draw()
        return options.index(first_side), state

    def _choose_defenders(self, state: State) -> Procedure[State]:
        """Three Characters stand; whoever is more stays out (section 8)."""
        while len(standing := [who for who, side in enumerate(self.game.sides) if not side and state.stands(who)]) > 3:
            names = tuple(self.game.name(who) for who in standing)
            out = yield Decision("stays out", self.side_names[0], "who stays out", names)
            who = standing[names.index(out)]
            state = state.change_counter(who, -state.wounds(who))
        return state

    def _roll_off(self, key: str) -> Procedure[int]:
        """Both roll, the highest wins; equal dice are rolled again or the first wins (ruling `tie-rolls`)."""
        while True:
            first = yield Roll(f"{key} 1", self.side_names[0], f"roll-off for {key}")
            second = yield Roll(f"{key} 2", self.side_names[1], f"roll-off for {key}")
            if first != second or self.game.rulings["tie-rolls"] == "first":
                return 0 if first >= second else 1

    def _play_turn(self, state: State, turn: int, first: int) -> Procedure[State]:
        state = State(state.mode._replace(turn=turn), state.counters)
        state = yield from self._start_turn(state, turn)
        side = first
        while not self._is_over(state) and any(self._not_yet_acted(state, 0) + self._not_yet_acted(state, 1)):
            if self._not_yet_acted(state, side):
                state = yield from self._activate_one(state, side)
                if self.missions:
                    state = yield from self.missions.score(self.game, state, "activation")
            side = 1 - side
        return (yield from self._end_turn(state))

    def _start_turn(self, state: State, turn: int) -> Procedure[State]:
        everybody = range(len(self.game.miniatures))
        if self.is_last_stand and turn > 1:
            state = yield from self._refill_horde(state)
        yield Log("Turn {}", (turn,))
        return (yield from start_effects(self.game, state, "turn_start", everybody))

    def _refill_horde(self, state: State) -> Procedure[State]:
        """New Minions take the places of those that fell (section 8; ruling `refill`)."""
        fallen = [who for who, side in enumerate(self.game.sides) if side == 1 and not state.stands(who)]
        for who in fallen:
            state = state.change_counter(who, self.game.miniatures[who].wounds).set_status(who, MiniatureStatus())
        if fallen:
            evenly = ", as evenly as they can" if self.game.rulings["refill"] == "edges" else ""
            yield Log("{} new Minions appear on the edges{}", (len(fallen), evenly))
        return state

    def _end_turn(self, state: State) -> Procedure[State]:
        """The end of a turn: effects, missions, and markers off the table."""
        if not self._is_over(state):
            state = yield from start_effects(self.game, state, "turn_end", range(len(self.game.miniatures)))
        if self.missions:
            state = yield from self.missions.score(self.game, state, "turn")
        state = state.end_window("turn")
        for who in range(len(self.game.miniatures)):
            state = state.set_status(who, MiniatureStatus())
        return self.game.restore_reactions(state)

    def _not_yet_acted(self, state: State, side: int) -> list[int]:
        """Who of a side stands and has not acted in this turn."""
        statuses = state.mode.statuses
        return [
            i
            for i, each in enumerate(self.game.sides)
            if each == side and state.stands(i) and not statuses[i].has_acted
        ]

    def _activate_one(self, state: State, side: int) -> Procedure[State]:
        yield Log("{}", (self._side_line(state, 0),))
        yield Log("{}", (self._side_line(state, 1),))
        ready = self._not_yet_acted(state, side)
        names = tuple(self.game.name(who) for who in ready)
        may_pass = self.game.rulings["unequal"] == "pass" and len(ready) < len(self._not_yet_acted(state, 1 - side))
        options = (*names, PASS) if may_pass else names
        chosen = yield Decision("activate", self.side_names[side], "which miniature acts", options)
        if chosen == PASS:
            return state
        who = ready[names.index(chosen)]
        standing = [state.stands(i) for i in range(len(self.game.miniatures))]
        state = yield from in_scope(f"{chosen}", activate(self.game, state, who, self._action_count(side)))
        for i, stood in enumerate(standing):
            self.eliminated[1 - self.game.sides[i]] += stood and not state.stands(i)
        return state

    def _action_count(self, side: int) -> int:
        """Two; three for defenders of a Last Stand, and for the Horde by the ruling `horde-actions`."""
        three = self.is_last_stand and (side == 0 or self.game.rulings["horde-actions"] == "three")
        return LAST_STAND_ACTIONS if three else ACTIONS_PER_ACTIVATION

    def _side_line(self, state: State, side: int) -> str:
        """'The Ashen Oath, 3 VP: Halvane Doru 5/7 acted, Maerin Vex out'."""
        game = self.game
        people = [self._miniature_words(state, who) for who, each in enumerate(game.sides) if each == side]
        points = state.counters[game.vp_counter(side)]
        return f"{self.side_names[side]}, {points} {'dealt' if self.is_last_stand else 'VP'}: {', '.join(people)}"

    def _miniature_words(self, state: State, who: int) -> str:
        name, wounds = self.game.name(who), state.wounds(who)
        if not wounds:
            return f"{name} out"
        acted = " acted" if state.mode.statuses[who].has_acted else ""
        spent = not state.counters[self.game.reaction_counter(who)] and not self.game.miniatures[who].is_minion
        return f"{name} {wounds}/{self.game.miniatures[who].wounds}{acted}{' reacted' if spent else ''}"

    def _is_over(self, state: State) -> bool:
        return self.game.is_defeated(state, 0) or (self.game.is_defeated(state, 1) and not self.is_last_stand)

    def _result(self, state: State, turns: int) -> Procedure[BattleResult]:
        if self.missions:
            state = yield from self.missions.score(self.game, state, "battle")
        winner = None if self.is_last_stand else self.game.winner(state)
        return BattleResult(winner, turns, self.game.vp(state), (self.eliminated[0], self.eliminated[1]))


DEFENDER_COUNT = 3


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
    if config.rulings["relic-duplicates"] == "unique":
        _require_different_relics(members, names)
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
            dealt = f": {end.eliminated[0]} Minions slain, {end.vp[0]} Damage dealt"
            counted = dealt if game.rulings["last-stand-score"] == "deeds" else ""
            return (f"{names[0]} stood for {end.turns} turns{counted}",)
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


def _require_different_relics(
    sides: Iterable[Iterable[tuple[CardData, CardData | None]]], names: Sequence[str]
) -> None:
    """Raise ValueError where two Characters of a Warband carry the same Relic (ruling `relic-duplicates`)."""
    for name, members in zip(names, sides, strict=True):
        counts = Counter(relic["name"] for _, relic in members if relic)
        for relic, count in counts.items():
            if count > 1:
                raise ValueError(f"{count} Characters of {name} carry {relic}, and the rulings allow one")


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
