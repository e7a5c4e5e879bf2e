"""The battle and the Last Stand: players decide and measure, the procedure says what is legal (sections 5 to 8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Annotated, Any, NamedTuple

from cardgen.game import (
    CardData,
    Decision,
    LiveScoreboard,
    Log,
    Parameter,
    PreparedTrial,
    Procedure,
    Roll,
    RulesConfig,
    Scoreboard,
    SideStatus,
    UnitStatus,
    card_of_kind,
    in_scope,
    quantity,
)
from cardgen.rulesets.warniris.battle.activation import activate, activate_horde
from cardgen.rulesets.warniris.battle.missions import MissionHands, distance_limits, objective_in_force
from cardgen.rulesets.warniris.battle.reactions import ask_late, choose_next
from cardgen.rulesets.warniris.cards import HORDE_SIZE, Mission
from cardgen.rulesets.warniris.referee.conditions import without_effects_on
from cardgen.rulesets.warniris.referee.effects import start_effects
from cardgen.rulesets.warniris.referee.game import ACTIONS_PER_ACTIVATION, Game, MiniatureStatus, Span, State
from cardgen.rulesets.warniris.referee.situations import build_miniatures, not_simulated

LAST_STAND_ACTIONS = 3
GO_ON, STOP = "go on", "end here"
PASS = "pass"


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
        self._status = BattleStatus(game, sides, unit="dealt" if self.is_last_stand else "VP")

    def play(self) -> Procedure[BattleResult]:
        """The whole battle."""
        self.eliminated = [0, 0]
        self._status.reset()
        self.game.notes.reset()
        yield LiveScoreboard(self._status.scoreboard)
        if self.missions:
            self.missions.reset()
        first, state = yield from in_scope("set-up", self._set_up(self.game.initial_state()))
        everybody = range(len(self.game.miniatures))
        state = yield from start_effects(self.game, state, "battle_start", everybody)
        turn = 0
        while not self._is_over(state) and (self.is_last_stand or turn < self.max_turns):
            self._status.turn = turn = turn + 1
            if self.is_last_stand:
                first = yield from self._first_of_last_stand(turn)
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
            return (yield from in_scope(f"start of turn {turn}", roll_off(self.game, "first turn")))
        return (turn - 1) % 2 if ruling == "alternate" else 0

    def _set_up(self, state: State) -> Procedure[tuple[int, State]]:
        """Who deploys where, and who goes first (section 5; in a Last Stand the defenders, section 8)."""
        if self.is_last_stand:
            return 0, (yield from deploy_last_stand(self.game, state))
        first = yield from deploy_battle(self.game)
        if self.missions:
            yield from self.missions.draw(self.game)
        return first, state

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
            state = state.change_counter(who, self.game.initial_state().wounds(who)).set_status(who, MiniatureStatus())
        state = without_effects_on(state, fallen)
        if fallen:
            evenly = ", as evenly as they can" if self.game.rulings["refill"] == "edges" else ""
            yield Log("{} new Minions appear on the edges{}", (len(fallen), evenly))
        return state

    def _end_turn(self, state: State) -> Procedure[State]:
        """The end of a turn: effects, missions, and markers off the table."""
        state = yield from ask_late(self.game, state)
        if not self._is_over(state):
            state = yield from start_effects(self.game, state, "turn_end", range(len(self.game.miniatures)))
        if self.missions:
            state = yield from self.missions.score(self.game, state, "turn")
        state = state.end_window("turn")
        self.game.notes.end_window("turn")
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
        yield from self._status.show_changes(self.game.notes.note_counters(state))
        standing = [state.stands(i) for i in range(len(self.game.miniatures))]
        ready = self._not_yet_acted(state, side)
        if self.game.miniatures[ready[0]].is_minion:
            is_alone = not self._not_yet_acted(state, 1 - side)
            actions = self._action_count(side)
            state = yield from activate_horde(self.game, state, ready, actions, is_alone=is_alone)
        else:
            state = yield from self._activate_character(state, side, ready)
        self.game.notes.end_window("activation")
        for i, stood in enumerate(standing):
            self.eliminated[1 - self.game.sides[i]] += stood and not state.stands(i)
        return state

    def _activate_character(self, state: State, side: int, ready: list[int]) -> Procedure[State]:
        names = tuple(self.game.name(who) for who in ready)
        may_pass = self.game.rulings["unequal"] == "pass" and len(ready) < len(self._not_yet_acted(state, 1 - side))
        options = (*names, PASS) if may_pass else names
        side_name = self.side_names[side]
        state, chosen = yield from choose_next(self.game, state, side_name, "which miniature acts", options)
        who = ready[names.index(chosen)] if chosen != PASS else -1
        if chosen == PASS or not state.stands(who):
            return state
        if len(options) == 1:
            yield Log("{} acts last", (chosen,))
        return (yield from in_scope(f"{chosen}", activate(self.game, state, who, self._action_count(side))))

    def _action_count(self, side: int) -> int:
        """Two; three for defenders of a Last Stand, and for the Horde by the ruling `horde-actions`."""
        three = self.is_last_stand and (side == 0 or self.game.rulings["horde-actions"] == "three")
        return LAST_STAND_ACTIONS if three else ACTIONS_PER_ACTIVATION

    def _is_over(self, state: State) -> bool:
        return self.game.is_defeated(state, 0) or (self.game.is_defeated(state, 1) and not self.is_last_stand)

    def _result(self, state: State, turns: int) -> Procedure[BattleResult]:
        if self.missions:
            state = yield from self.missions.score(self.game, state, "battle")
            yield from self.missions.show()
        winner = None if self.is_last_stand else self.game.winner(state)
        return BattleResult(winner, turns, self.game.vp(state), (self.eliminated[0], self.eliminated[1]))


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
    cards = tuple(objective_in_force(card_of_kind(data, Mission)) for data in situation.missions)
    miniatures = build_miniatures([*members[0], *members[1]])
    game = Game(
        # Nothing tells Minions of one kind apart, so they are not numbered.
        tuple(replace(each, name=each.card.name) if each.is_minion else each for each in miniatures),
        (0,) * len(members[0]) + (1,) * len(members[1]),
        config.rulings,
        config.policy,
        is_interactive=True,
        logs_events=True,
        side_names=names,
        mission_limits=tuple(limit for each in cards if each.earn for limit in distance_limits(each.earn)),
    )
    battle = Battle(game, names, situation.turns, MissionHands(cards, names) if cards else None)

    def outcome_lines(end: BattleResult) -> tuple[str, ...]:
        if is_last_stand:
            dealt = f": {end.eliminated[0]} Minions slain, {end.vp[0]} Damage dealt"
            counted = dealt if game.rulings["last-stand-score"] == "deeds" else ""
            return (f"{names[0]} stood for {quantity(end.turns, 'turn')}{counted}",)
        winner = "a draw" if end.winner is None else f"{names[end.winner]} wins"
        return (f"{winner}; VP: {names[0]} {end.vp[0]}, {names[1]} {end.vp[1]}",)

    def outcome_data(end: BattleResult) -> Any:
        return {"winner": end.winner, "turns": end.turns, "vp": list(end.vp), "slain": list(end.eliminated)}

    return PreparedTrial(
        f"{names[0]} against {names[1]}",
        battle.play,
        outcome_lines,
        outcome_data,
        None,
        not_simulated(game),
        has_secrets=battle.missions is not None,
    )


def _members(warband: CardData) -> list[tuple[CardData, CardData | None]]:
    members = [(member["character"], member.get("relic")) for member in warband.get("members", ())]
    minions = [(troop["minion"], None) for troop in warband.get("minions", ()) for _ in range(troop.get("qty", 1))]
    return [*members, *minions]


def _require_different_relics(sides: Sequence[list[tuple[CardData, CardData | None]]], names: Sequence[str]) -> None:
    """Raise ValueError where two Characters of a Warband carry the same Relic (ruling `relic-duplicates`)."""
    for name, members in zip(names, sides, strict=True):
        counts = Counter(relic["name"] for _, relic in members if relic)
        for relic, count in counts.items():
            if count > 1:
                raise ValueError(f"{count} Characters of {name} carry {relic}, and the rulings allow one")


def _check_sides(situation: BattleSituation, sizes: list[int], *, is_last_stand: bool) -> None:
    """Section 8: three Characters against twenty Minions, and no Missions."""
    if situation.a.get("minions"):
        raise ValueError(f"{situation.a['name']} is a Horde; list the defenders first")
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


DEFENDER_COUNT = 3
# The shapes of a deployment zone, by the ruling `zone-shape`.
ZONES = {"square": "a square of 20 cm in a corner", "quarter": "a quarter circle of 20 cm around a corner"}
# The least distance of two zones in opposite corners of 60 cm x 42 cm, by their shape, in whole cm.
ZONE_DISTANCES = {"square": 20, "quarter": 33}
# The greatest distance in a zone of either shape: the diagonal of the square, in whole cm.
ZONE_DIAGONAL = 28


def deploy_battle(game: Game) -> Procedure[int]:
    """Say who deploys where, and return who goes first in every turn."""
    zone_side = yield from roll_off(game, "deployment")
    yield Log(
        "{} picks a deployment zone ({}); {} places first, then in turns",
        (game.side_names[zone_side], ZONES[game.rulings["zone-shape"]], game.side_names[1 - zone_side]),
    )
    order_side = yield from roll_off(game, "first turn")
    options = tuple(game.side_names)
    first = yield Decision("who goes first", game.side_names[order_side], "who goes first in every turn", options)
    apart, together = Span(low=ZONE_DISTANCES[game.rulings["zone-shape"]]), Span(high=ZONE_DIAGONAL)
    for (who, side), (other, other_side) in combinations(enumerate(game.sides), 2):
        game.notes.set_span(who, other, together if side == other_side else apart)
    return options.index(first)


def deploy_last_stand(game: Game, state: State) -> Procedure[State]:
    """Choose three defenders, and say who deploys where."""
    state = yield from _choose_defenders(game, state)
    yield Log("{} deploy in the central circle, then the Horde along the four edges", (game.side_names[0],))
    return state


def _choose_defenders(game: Game, state: State) -> Procedure[State]:
    """Three Characters stand; whoever is more stays out (section 8)."""
    while len(standing := [i for i, side in enumerate(game.sides) if not side and state.stands(i)]) > DEFENDER_COUNT:
        names = tuple(game.name(who) for who in standing)
        out = yield Decision("stays out", game.side_names[0], "who stays out", names)
        who = standing[names.index(out)]
        state = state.change_counter(who, -state.wounds(who))
    return state


def roll_off(game: Game, key: str) -> Procedure[int]:
    """Both roll, the highest wins; equal dice are rolled again or the first wins (ruling `tie-rolls`)."""
    while True:
        first = yield Roll(f"{key} 1", game.side_names[0], f"roll-off for {key}")
        second = yield Roll(f"{key} 2", game.side_names[1], f"roll-off for {key}")
        if first != second or game.rulings["tie-rolls"] == "first":
            return 0 if first >= second else 1


class BattleStatus:
    """The lines for both sides, and what was shown last; points are counted in `unit`."""

    def __init__(self, game: Game, side_names: tuple[str, str], unit: str) -> None:
        self._game, self._side_names, self._unit = game, side_names, unit
        self._shown = ["", ""]
        self.turn = 0

    def reset(self) -> None:
        """Show both lines again."""
        self._shown, self.turn = ["", ""], 0

    def scoreboard(self) -> Scoreboard:
        """Return how both sides stand by the latest counters."""
        state = self._game.initial_state()
        if self._game.notes.counters:
            state = state._replace(counters=self._game.notes.counters)
        time = f"Turn {self.turn}" if self.turn else "Set-up"
        return Scoreboard(time, tuple(self._side_status(state, side) for side in (0, 1)))

    def _side_status(self, state: State, side: int) -> SideStatus:
        game = self._game
        people = [who for who, each in enumerate(game.sides) if each == side]
        units = [self._unit_status(state, who) for who in people if not game.miniatures[who].is_minion]
        minions = Counter({game.name(who): 0 for who in people if game.miniatures[who].is_minion})
        minions.update(game.name(who) for who in people if game.name(who) in minions and state.stands(who))
        units += [UnitStatus(name, f"{count} standing", not count) for name, count in minions.items()]
        score = f"{state.counters[game.vp_counter(side)]} {self._unit}"
        return SideStatus(self._side_names[side], score, tuple(units))

    def _unit_status(self, state: State, who: int) -> UnitStatus:
        wounds, most = state.wounds(who), self._game.miniatures[who].wounds
        return UnitStatus(self._game.name(who), f"{wounds}/{most} Wounds" if wounds else "out", not wounds)

    def show_changes(self, state: State) -> Procedure[None]:
        """Show the line of each side that has changed since it was last shown."""
        for side in (0, 1):
            line = self.side_line(state, side)
            if line != self._shown[side]:
                self._shown[side] = line
                yield Log("{}", (line,))

    def side_line(self, state: State, side: int) -> str:
        """Return 'The Ashen Oath (3 VP): Halvane Doru 5/7, Maerin Vex out'; Minions are counted by kind."""
        game = self._game
        people = [who for who, each in enumerate(game.sides) if each == side]
        words = [self._miniature_words(state, who) for who in people if not game.miniatures[who].is_minion]
        standing = (game.miniatures[who] for who in people if state.stands(who))
        crowd = Counter(miniature.card.name for miniature in standing if miniature.is_minion)
        words += [f"{count} {name}" for name, count in crowd.items()]
        return f"{self._side_names[side]} ({state.counters[game.vp_counter(side)]} {self._unit}): {', '.join(words)}"

    def _miniature_words(self, state: State, who: int) -> str:
        name, wounds = self._game.name(who), state.wounds(who)
        return f"{name} {wounds}/{self._game.miniatures[who].wounds}" if wounds else f"{name} out"
