"""Duels in turns, in which the copies of a fighter step in one after another."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterator
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

from cardgen.referee.die import Die
from cardgen.referee.markov_chain import State, Step, Transition
from cardgen.referee.odds import OddsSolver
from cardgen.referee.requests import Procedure
from cardgen.referee.ruling import Ruling
from cardgen.referee.trial import OddsTable, RulesConfig, label_table
from cardgen.rulesets.duels import ExactDuel, copies_by_points

M = TypeVar("M", bound=Hashable)
T = TypeVar("T")


# A policy of games whose fighters cost points.
FORCES = Ruling(
    "forces",
    "How many fighters of each card fight in `balance`?",
    {"points": "As many as cost about the same, one after another.", "one": "One."},
)


def copies_in_force(config: RulesConfig, one: int, other: int, most: int = 4) -> tuple[int, int]:
    """Return how many copies of two cards with these points fight, by the policy `forces`."""
    return copies_by_points(one, other, most) if config.policy["forces"] == "points" else (1, 1)


class Survivors(NamedTuple):
    """The state of both fighters at the end, in words, and how many of each side are left."""

    states: tuple[str, str]
    left: tuple[int, int]


def put(items: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    """Return the items with another one at a place."""
    return (*items[:place], item, *items[place + 1 :])


class RelayDuel(ExactDuel[Survivors], Generic[M]):
    """A duel of two fighters in turns, each with copies in reserve.

    A game defines the clash of the two fighters as `M`, which holds all that matters to the next turn. Duels with a
    common `solver` share the odds of equal procedures.
    """

    def __init__(
        self, names: tuple[str, str], turns: int, copies: tuple[int, int] = (1, 1), solver: OddsSolver | None = None
    ) -> None:
        super().__init__(names, solver)
        self.turns, self.copies = turns, copies

    @abstractmethod
    def begin(self) -> M:
        """Return the clash before the first turn."""

    @abstractmethod
    def turn(self, owner: int, clash: M) -> Procedure[M]:
        """Play a turn of a side."""

    @abstractmethod
    def relieve(self, clash: M, fallen: tuple[int, ...]) -> M:
        """Return the clash after copies have stepped in for those who fell in one turn, one of them or both."""

    @abstractmethod
    def is_out(self, clash: M, who: int) -> bool:
        """Return whether a fighter is out of the duel."""

    @abstractmethod
    def words(self, clash: M, who: int) -> str:
        """Return the state of a fighter in words."""

    def initial_state(self) -> State:
        """Return the first two fighters, and the number of the others."""
        return self.begin(), (self.copies[0] - 1, self.copies[1] - 1)

    def steps(self, first: int) -> Iterator[Step]:
        """Yield the turns of both sides."""
        for turn in range(self.turns):
            owner = (first + turn) % 2
            transition = Transition(("turn", owner), partial(self._turn, owner), (1, 1))
            yield self.chain.step(f"turn {turn + 1}", [transition], (1, 1))

    def _turn(self, owner: int, state: State) -> Procedure[State]:
        clash, reserves = state
        clash = yield from self.turn(owner, clash)
        fallen = tuple(who for who in (0, 1) if reserves[who] and self.is_out(clash, who))
        if not fallen:
            return clash, reserves
        return self.relieve(clash, fallen), (reserves[0] - (0 in fallen), reserves[1] - (1 in fallen))

    def is_over(self, state: State) -> bool:
        """Return whether one side has nobody left."""
        return any(self.is_out(state[0], who) for who in (0, 1))

    def outcome(self, state: State) -> Survivors:
        """Return the state of both, and who is left."""
        clash, reserves = state
        one, other = (reserves[who] + (not self.is_out(clash, who)) for who in (0, 1))
        return Survivors((self.words(clash, 0), self.words(clash, 1)), (one, other))

    def winner(self, outcome: Survivors) -> int | None:
        """Return the side whose enemies are all out, or None."""
        return None if all(outcome.left) == any(outcome.left) else 1 - outcome.left.index(0)

    def outcome_lines(self, outcome: Survivors) -> tuple[str, ...]:
        """Return the state of both, and who wins."""
        winner = self.winner(outcome)
        lines = (f"{name}: {words}" for name, words in zip(self.names, outcome.states, strict=True))
        return (*lines, "nobody wins" if winner is None else f"{self.names[winner]} wins")

    def tables(self, die: Die[Survivors], title: str) -> Iterator[OddsTable]:
        """Yield who wins, and the states of each."""
        yield OddsTable(title, self.win_rows(die, "neither wins"))
        for who, name in enumerate(self.names):
            yield label_table(name, die.map(partial(_words_of, who)))


def _words_of(who: int, outcome: Any) -> str:
    return str(outcome.states[who])
