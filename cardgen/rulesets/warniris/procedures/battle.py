"""A battle and a Last Stand: the players decide and measure, and the procedure says what is legal (sections 5 to 8)."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.referee.requests import Choice, Procedure, Roll, Say, scoped
from cardgen.rulesets.warniris.procedures.activation import activate
from cardgen.rulesets.warniris.procedures.effects import start
from cardgen.rulesets.warniris.procedures.missions import Missions
from cardgen.rulesets.warniris.procedures.state import Marks, State
from cardgen.rulesets.warniris.procedures.table import Table

ACTIONS, MORE_ACTIONS = 2, 3
GO_ON, STOP = "go on", "end here"


class End(NamedTuple):
    """How a battle ended: the winner (0, 1, or None), the turns played, and the VP or points dealt of each side."""

    winner: int | None
    turns: int
    vp: tuple[int, int]
    slain: tuple[int, int]


class Battle:
    """Two sides by name on a table; `missions` is None where none are played.

    With Minions on side 1 it is a Last Stand: no turn limit, and the Horde is filled up at the start of each turn.
    """

    def __init__(self, table: Table, sides: tuple[str, str], turns: int, missions: Missions | None) -> None:
        self.table, self.sides, self.turns, self.missions = table, sides, turns, missions
        self.last_stand = any(table.fighters[who].minion for who, side in enumerate(table.sides) if side == 1)
        self.slain = [0, 0]

    def play(self) -> Procedure[End]:
        """The whole battle."""
        self.slain = [0, 0]
        if self.missions:
            self.missions.begin()
        first, state = yield from scoped("set-up", self._set_up(self.table.start()))
        everybody = range(len(self.table.fighters))
        state = yield from start(self.table, state, "battle_start", everybody)
        turn = 0
        while not self._over(state) and (self.last_stand or turn < self.turns):
            turn += 1
            state = yield from scoped(f"turn {turn}", self._turn(state, turn, first))
            if self.last_stand and not self._over(state):
                what = "another turn"
                if (yield Choice("go on", self.sides[0], what, (GO_ON, STOP))) == STOP:
                    break
        return (yield from self._end(state, turn))

    def _set_up(self, state: State) -> Procedure[tuple[int, State]]:
        """Who deploys where, and who goes first in every turn (section 5; in a Last Stand the defenders, section 8)."""
        if self.last_stand:
            state = yield from self._defenders(state)
            yield Say("{} deploy in the central circle, then the Horde along the four edges", (self.sides[0],))
            return 0, state
        picks = yield from self._roll_off("deployment")
        yield Say(
            "{} picks a deployment zone; {} places first, then in turns", (self.sides[picks], self.sides[1 - picks])
        )
        decides = yield from self._roll_off("first turn")
        options = tuple(self.sides)
        goes = yield Choice("who goes first", self.sides[decides], "who goes first in every turn", options)
        if self.missions:
            yield from self.missions.draw()
        return options.index(goes), state

    def _defenders(self, state: State) -> Procedure[State]:
        """Three Characters stand; whoever is more stays out (section 8)."""
        while len(standing := [who for who, side in enumerate(self.table.sides) if not side and state.stands(who)]) > 3:
            names = tuple(self.table.name(who) for who in standing)
            out = yield Choice("stays out", self.sides[0], "who stays out", names)
            who = standing[names.index(out)]
            state = state.adding(who, -state.wounds(who))
        return state

    def _roll_off(self, key: str) -> Procedure[int]:
        """Both roll, the highest wins; equal dice are rolled again (ruling `tie-rolls`)."""
        while True:
            first = yield Roll(f"{key} 1", self.sides[0], f"roll-off for {key}")
            second = yield Roll(f"{key} 2", self.sides[1], f"roll-off for {key}")
            if first != second:
                return 0 if first > second else 1

    def _turn(self, state: State, turn: int, first: int) -> Procedure[State]:
        state = State(state.mode._replace(turn=turn), state.counters)
        state = yield from self._dawn(state, turn)
        side = first
        while not self._over(state) and any(self._ready(state, 0) + self._ready(state, 1)):
            if self._ready(state, side):
                state = yield from self._activation(state, side)
                if self.missions:
                    state = yield from self.missions.score(self.table, state, "activation")
            side = 1 - side
        return (yield from self._dusk(state))

    def _dawn(self, state: State, turn: int) -> Procedure[State]:
        everybody = range(len(self.table.fighters))
        if self.last_stand and turn > 1:
            state = yield from self._refill(state)
        yield Say("Turn {}", (turn,))
        return (yield from start(self.table, state, "turn_start", everybody))

    def _refill(self, state: State) -> Procedure[State]:
        """New Minions take the places of those that fell (section 8; ruling `refill`)."""
        fallen = [who for who, side in enumerate(self.table.sides) if side == 1 and not state.stands(who)]
        for who in fallen:
            state = state.adding(who, self.table.fighters[who].wounds).marking(who, Marks())
        if fallen:
            yield Say("{} new Minions appear on the edges, as evenly as they can", (len(fallen),))
        return state

    def _dusk(self, state: State) -> Procedure[State]:
        """The end of a turn: effects, missions, and markers off the table."""
        if not self._over(state):
            state = yield from start(self.table, state, "turn_end", range(len(self.table.fighters)))
        if self.missions:
            state = yield from self.missions.score(self.table, state, "turn")
        state = state.ending("turn")
        for who in range(len(self.table.fighters)):
            state = state.marking(who, Marks())
            state = state.adding(self.table.reaction(who), 1 - state.counters[self.table.reaction(who)])
        return state

    def _ready(self, state: State, side: int) -> list[int]:
        """Who of a side stands and has not acted in this turn."""
        marks = state.mode.marks
        return [i for i, each in enumerate(self.table.sides) if each == side and state.stands(i) and not marks[i].acted]

    def _activation(self, state: State, side: int) -> Procedure[State]:
        yield Say("{}", (self._board(state, 0),))
        yield Say("{}", (self._board(state, 1),))
        ready = self._ready(state, side)
        names = tuple(self.table.name(who) for who in ready)
        chosen = yield Choice("activate", self.sides[side], "which miniature acts", names)
        who = ready[names.index(chosen)]
        standing = [state.stands(i) for i in range(len(self.table.fighters))]
        state = yield from scoped(f"{chosen}", activate(self.table, state, who, self._actions(side)))
        for i, stood in enumerate(standing):
            self.slain[1 - self.table.sides[i]] += stood and not state.stands(i)
        return state

    def _actions(self, side: int) -> int:
        """Two; three for defenders of a Last Stand, and for the Horde by the ruling `horde-actions`."""
        three = self.last_stand and (side == 0 or self.table.rulings["horde-actions"] == "three")
        return MORE_ACTIONS if three else ACTIONS

    def _board(self, state: State, side: int) -> str:
        """'The Ashen Oath, 3 VP: Halvane Doru 5/7 acted, Maerin Vex out'."""
        table = self.table
        people = [self._card(state, who) for who, each in enumerate(table.sides) if each == side]
        points = state.counters[table.vp(side)]
        return f"{self.sides[side]}, {points} {'dealt' if self.last_stand else 'VP'}: {', '.join(people)}"

    def _card(self, state: State, who: int) -> str:
        name, wounds = self.table.name(who), state.wounds(who)
        if not wounds:
            return f"{name} out"
        acted = " acted" if state.mode.marks[who].acted else ""
        spent = not state.counters[self.table.reaction(who)] and not self.table.fighters[who].minion
        return f"{name} {wounds}/{self.table.fighters[who].wounds}{acted}{' reacted' if spent else ''}"

    def _over(self, state: State) -> bool:
        return self.table.defeated(state, 0) or (self.table.defeated(state, 1) and not self.last_stand)

    def _end(self, state: State, turns: int) -> Procedure[End]:
        if self.missions:
            state = yield from self.missions.score(self.table, state, "battle")
        vp = (state.counters[self.table.vp(0)], state.counters[self.table.vp(1)])
        return End(None if self.last_stand else self._winner(state, vp), turns, vp, (self.slain[0], self.slain[1]))

    def _winner(self, state: State, vp: tuple[int, int]) -> int | None:
        """Section 7; rulings `elimination` and `vp-tie`."""
        fallen = [self.table.defeated(state, side) for side in (0, 1)]
        if fallen[0] != fallen[1] and self.table.rulings["elimination"] == "wins":
            return fallen.index(False)
        return None if vp[0] == vp[1] else int(vp[1] > vp[0])
