"""A duel: two fighters always in sight, for some turns; each activation is two attacks, by a policy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

from cardgen.referee.chain import Bounds, Chain, Part, Step
from cardgen.referee.chain import State as Pair
from cardgen.referee.die import Die
from cardgen.referee.requests import Procedure, scoped
from cardgen.rulesets.warniris.procedures import bounds, reckoning
from cardgen.rulesets.warniris.procedures.attack import due, strike
from cardgen.rulesets.warniris.procedures.blow import Blow, weapons
from cardgen.rulesets.warniris.procedures.effects import start
from cardgen.rulesets.warniris.procedures.legality import out_of_reach
from cardgen.rulesets.warniris.procedures.reaction import POINTS, may_react, react
from cardgen.rulesets.warniris.procedures.state import State
from cardgen.rulesets.warniris.procedures.table import Table

TURNS, ACTIONS = 5, 2
DAWN = frozenset({"battle_start", "turn_start"})
# The moments at which effects start in each step in which no attack is made.
EFFECTS = {
    "dawn": DAWN,
    "start": frozenset({"activation_start"}),
    "end": frozenset({"activation_end"}),
    "dusk": frozenset({"turn_end", "turn_start"}),
}


class Outcome(NamedTuple):
    """How a duel ended: the winner (0, 1, or None for a draw), who was eliminated, and the VP of each side."""

    winner: int | None
    fallen: tuple[bool, bool]
    vp: tuple[int, int]


def outcome(table: Table, state: State) -> Outcome:
    """Who wins (section 7; rulings `elimination` and `vp-tie`)."""
    fallen = (table.defeated(state, 0), table.defeated(state, 1))
    vp = (state.counters[table.vp(0)], state.counters[table.vp(1)])
    if fallen[0] != fallen[1] and table.rulings["elimination"] == "wins":
        return Outcome(0 if fallen[1] else 1, fallen, vp)
    return Outcome(None if vp[0] == vp[1] else int(vp[1] > vp[0]), fallen, vp)


def _over(state: Pair) -> bool:
    """True when one of the two is eliminated."""
    counters = state[1]
    return not (counters[0] and counters[1])


class Duel:
    """The steps of a duel on a table of two, which both readings share."""

    def __init__(self, table: Table, turns: int = TURNS) -> None:
        self.table, self.turns = table, turns
        self._blows: dict[tuple[int, bool], Blow | None] = {}
        self._chain = Chain(_over, lambda pair: outcome(table, State(*pair)))

    def odds(self, first: int) -> Die[Outcome]:
        """The exact distribution of outcomes when `first` goes first in every turn."""
        return self._chain.run(self.table.start(), self._course(first))

    def ends(self, first: int) -> Die[State]:
        """The exact distribution of states at the end."""
        return self._chain.states(self.table.start(), self._course(first)).map(State._make)

    def play(self, first: int) -> Procedure[Outcome]:
        """The same duel, played through once."""
        state = self.table.start()
        for step in self._course(first):
            if not _over(state):
                state = State(*(yield from scoped(step.name, step.procedure(state))))
        return outcome(self.table, state)

    def _course(self, first: int) -> Iterator[Step]:
        """All steps in their order; those that could do nothing are left out."""
        steps, moments = self._steps, self.table.moments
        if moments & DAWN:
            yield steps["dawn", first]
        for turn in range(1, self.turns + 1):
            yield from self._activations[first]
            yield from self._activations[1 - first]
            if turn < self.turns or "turn_end" in moments:
                yield steps["dusk", first]

    @cached_property
    def _activations(self) -> tuple[list[Step], list[Step]]:
        """The steps of each fighter's activation."""
        return self._activation(0), self._activation(1)

    def _activation(self, who: int) -> list[Step]:
        table = self.table
        begins = table.starts(who, "activation_start")
        ends = table.starts(who, "activation_end") or bounds.lasts(table, "activation")
        names = ["start"] * begins + ["action"] * ACTIONS + ["end"] * ends
        return [self._steps[name, who] for name in names]

    @cached_property
    def _steps(self) -> dict[tuple[str, int], Step]:
        """Every step of a duel, for each fighter who acts or goes first."""
        found = {(name, who): self._effects(name, who) for name in EFFECTS for who in (0, 1)}
        return found | {("action", who): self._acting(who) for who in (0, 1)}

    def _effects(self, name: str, who: int) -> Step:
        """A step in which no attack is made: effects start and end."""
        limits = bounds.at(self.table, EFFECTS[name], who)
        part = self._part(getattr(self, f"_{name}"), who, limits)
        return self._chain.step(f"{name} {self.table.name(who)}", [part], limits)

    def _acting(self, who: int) -> Step:
        """An action: the other one's answer to it, the attack, and what is left of the answer."""
        table = self.table
        late = table.policy["moment"] != "before"

        def limits(mine: int, its: int | None, *, reacting: bool) -> Bounds:
            return bounds.striking(table, who, mine, its, reacting=reacting)

        parts = [
            self._part(self._answer, who, limits(1, 0, reacting=True)),
            self._part(self._attack, who, limits(int(late), None, reacting=False)),
            self._part(self._settle, who, limits(1, 0, reacting=False)),
        ]
        return self._chain.step(f"action {table.name(who)}", parts, limits(1, None, reacting=True))

    def _part(self, procedure: Callable[[State, int], Procedure[State]], who: int, limits: Bounds) -> Part:
        return Part((procedure.__name__, who), lambda pair: procedure(State(*pair), who), limits)

    def _dawn(self, state: State, who: int) -> Procedure[State]:
        for moment in ("battle_start", "turn_start"):
            state = yield from start(self.table, state, moment, (0, 1))
        return state

    def _dusk(self, state: State, first: int) -> Procedure[State]:
        """The end of a turn and the start of the next."""
        table = self.table
        state = yield from start(self.table, state, "turn_end", (first, 1 - first))
        state = state.ending("turn")
        for who, marks in enumerate(state.mode.marks):
            state = state.marking(who, marks._replace(rested=()))
            state = state.adding(table.reaction(who), 1 - state.counters[table.reaction(who)])
        return (yield from start(self.table, state, "turn_start", (first, 1 - first)))

    def _start(self, state: State, who: int) -> Procedure[State]:
        return (yield from start(self.table, state, "activation_start", (who,)))

    def _end(self, state: State, who: int) -> Procedure[State]:
        state = yield from start(self.table, state, "activation_end", (who,))
        return state.ending("activation")

    def _answer(self, state: State, who: int) -> Procedure[State]:
        """The enemy's reaction to an action, as the policy has it."""
        table, reactor = self.table, 1 - who
        if table.policy["reactions"] != "never" and may_react(table, state, reactor):
            blow = self._blow(state, reactor, reaction=True)
            if blow:
                return (yield from react(table, state, blow, POINTS))
        return state

    def _attack(self, state: State, who: int) -> Procedure[State]:
        """The attack of an action, as the policy has it."""
        blow = self._blow(state, who, reaction=False)
        if blow and state.stands(who) and state.stands(1 - who):
            return (yield from strike(self.table, state, blow))
        return state

    def _settle(self, state: State, who: int) -> Procedure[State]:
        """The end of an action, with a reaction that was not timed for another moment of it."""
        if state.mode.waiting:
            state = yield from due(self.table, state, who, "end")
        return state.ending("action")

    def _blow(self, state: State, who: int, *, reaction: bool) -> Blow | None:
        """The attack that the policy makes, if one can be made."""
        if self.table.steady:
            if (who, reaction) not in self._blows:
                self._blows[who, reaction] = self._choose(state, who, reaction)
            return self._blows[who, reaction]
        key, table = ("duel", who, reaction), self.table
        return reckoning.remembered(table, state, key, lambda: (self._choose(state, who, reaction),))[0]

    def _choose(self, state: State, who: int, reaction: bool) -> Blow | None:
        blows = [
            Blow(who, 1 - who, weapon.name, self.table.distance, reaction=reaction)
            for weapon in weapons(self.table, state, who).values()
            if weapon.needs_test
        ]
        legal = [blow for blow in blows if not out_of_reach(self.table, state, blow)]
        if len(legal) < 2 or self.table.policy["weapon"] == "first":
            return legal[0] if legal else None
        return max(legal, key=self._mean_damage)

    def _mean_damage(self, blow: Blow) -> tuple[object, int]:
        """Of an attack as things are at first; the earlier line wins a tie."""
        start = self.table.start()
        if blow.weapon not in weapons(self.table, start, blow.attacker):
            return (-1, 0)
        limits = bounds.striking(self.table, blow.attacker, 0, None, reacting=False)
        trial = Part(("trial", blow), lambda pair: strike(self.table, State(*pair), blow), limits)
        after = self._chain.states(start, [self._chain.step("trial", [trial], limits)])
        order = list(weapons(self.table, start, blow.attacker)).index(blow.weapon)
        return after.mean(lambda pair: start.wounds(blow.target) - pair[1][blow.target]), -order
