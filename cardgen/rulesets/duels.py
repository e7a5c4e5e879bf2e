"""Duels of two fighters, rolled or computed exactly, and round robins."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Annotated, Any, Generic, TypeAlias, TypeVar

from cardgen.referee.die import Die
from cardgen.referee.markov_chain import Library, MarkovChain, State, Step
from cardgen.referee.odds import OddsSolver, TooManyPathsError
from cardgen.referee.pairings import Pairing
from cardgen.referee.requests import Procedure, in_scope
from cardgen.referee.situation import Parameter
from cardgen.referee.trial import OddsTable, PreparedTrial, Rows, plain_data

F = TypeVar("F")
T = TypeVar("T", bound=Hashable)

FirstFighter: TypeAlias = Annotated[
    str, Parameter("word", "The fighter that goes first when rolled.", words=("a", "b"))
]


class ExactDuel(ABC, Generic[T]):
    """A duel in steps of a Markov chain; outcomes are `T`.

    The fighters are 0 and 1. A game defines the steps and the outcomes of states; rolls and exact odds follow from
    them. A step without a name has no scope in transcripts.
    """

    def __init__(
        self, names: tuple[str, str], solver: OddsSolver | None = None, library: Library | None = None
    ) -> None:
        self.names = names
        self.chain: MarkovChain[T] = MarkovChain(self.is_over, self.outcome, solver, library)

    @abstractmethod
    def initial_state(self) -> State:
        """Return the state before the first step."""

    @abstractmethod
    def steps(self, first: int) -> Iterable[Step]:
        """Return all steps in order, created by `chain.step`, if `first` goes first."""

    @abstractmethod
    def is_over(self, state: State) -> bool:
        """Return whether a state is final."""

    @abstractmethod
    def outcome(self, state: State) -> T:
        """Return the outcome of a final state."""

    @abstractmethod
    def winner(self, outcome: T) -> int | None:
        """Return the fighter that wins (0 or 1), or None."""

    @abstractmethod
    def outcome_lines(self, outcome: T) -> tuple[str, ...]:
        """Return an outcome in sentences."""

    @abstractmethod
    def tables(self, die: Die[T], title: str) -> Iterable[OddsTable]:
        """Return the odds tables for the distribution of outcomes."""

    def outcome_data(self, outcome: T) -> Any:
        """Return an outcome as plain data for a transcript."""
        return plain_data(outcome)

    def odds(self, first: int) -> Die[T]:
        """Return the exact distribution of outcomes if `first` goes first."""
        return self.chain.run(self.initial_state(), self.steps(first))

    def play(self, first: int) -> Procedure[T]:
        """Play the duel once."""
        state = self.initial_state()
        for step in self.steps(first):
            if not self.is_over(state):
                procedure = step.procedure(state)
                state = yield from (in_scope(step.name, procedure) if step.name else procedure)
        return self.outcome(state)

    def win_rows(self, die: Die[T], nobody: str) -> Rows:
        """Return each fighter's chance to win, and that of no winner.

        The label of the latter is `nobody`.
        """
        winners = die.map(self.winner)
        return (
            *((f"{name} wins", winners.chance_of(who)) for who, name in enumerate(self.names)),
            (nobody, winners.chance_of(None)),
        )

    def prepare(self, first: str, not_simulated: Iterable[str] = ()) -> PreparedTrial:
        """Return the trial of the duel.

        It is rolled with `first` ('a' or 'b') going first; the odds are computed for both orders.
        """
        return PreparedTrial(
            " against ".join(self.names),
            lambda: self.play("ab".index(first)),
            self.outcome_lines,
            self.outcome_data,
            lambda: tuple(self._tables_of_both_orders()),
            tuple(not_simulated),
        )

    def _tables_of_both_orders(self) -> Iterator[OddsTable]:
        for first, name in enumerate(self.names):
            yield from self.tables(self.odds(first), f"{name} goes first")


def copies_by_points(one: int, other: int, most: int = 4) -> tuple[int, int]:
    """Return how many copies of two cards cost about the same, by their points.

    There are at most `most` copies of the dearer card, and one of each if a card has no points.
    """
    if not one or not other:
        return (1, 1)
    ratio = Fraction(max(one, other), min(one, other)).limit_denominator(most)
    many, few = ratio.numerator, ratio.denominator
    return (many, few) if one < other else (few, many)


def round_robin_pairings(fighters: Sequence[F], duel_of: Callable[[F, F], ExactDuel[Any]]) -> Iterator[Pairing]:
    """Yield the pairing of each two fighters.

    Both orders have the same weight.
    """
    for one, other in combinations(range(len(fighters)), 2):
        yield pairing_of(one, other, duel_of(fighters[one], fighters[other]))


def pairing_of(one: int, other: int, duel: ExactDuel[Any]) -> Pairing:
    """Return the pairing of two fighters, given by their indices, in a duel.

    Raises TooManyPathsError, with the names of both.
    """
    try:
        winners = [duel.odds(first).map(duel.winner) for first in (0, 1)]
    except TooManyPathsError as error:
        error.fighters = duel.names
        raise
    wins, loses = (sum((die.chance_of(who) for die in winners), Fraction(0)) / 2 for who in (0, 1))
    return Pairing(one, other, wins, loses)
