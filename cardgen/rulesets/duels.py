"""Duels of two fighters, rolled or computed exactly, of crowds with each distinct duel computed once, and in relays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Annotated, Any, Generic, NamedTuple, TypeAlias, TypeVar

from cardgen.referee.die import Die
from cardgen.referee.markov_chain import MarkovChain, State, Step, Transition
from cardgen.referee.odds import OddsSolver, TooManyPathsError
from cardgen.referee.parameters import Parameter, Ruling
from cardgen.referee.race import Assault, scores
from cardgen.referee.requests import Procedure, in_scope
from cardgen.referee.scores import CrowdScores, Pairing, RowTask, Work
from cardgen.referee.trial import OddsTable, PreparedTrial, Rows, RulesConfig, label_table, plain_data

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

    def __init__(self, names: tuple[str, str], solver: OddsSolver | None = None) -> None:
        self.names = names
        self.chain: MarkovChain[T] = MarkovChain(self.is_over, self.outcome, solver)

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


A = TypeVar("A", bound=Hashable)
P = TypeVar("P", bound=tuple[Hashable, Hashable])
# Returns the assault of an attacking side on a target, or None if their duel is not a race.
AssaultOf: TypeAlias = Callable[[A, P], Assault | None]
# The duel of two fighters, given by their indices.
DuelOf: TypeAlias = Callable[[int, int], ExactDuel[Any]]


def race_scores(
    fighters: Sequence[tuple[A, P] | str],
    assault_of: AssaultOf[A, P],
    duel_of: DuelOf | None = None,
) -> CrowdScores:
    """Return the scores of all fighters, of races and of other duels.

    A fighter whose duels are races is given by all that its assaults depend on, and by all that assaults on it depend
    on: what a single attack depends on, and its Wounds. `assault_of` is called once for each two of the distinct
    values. Any other fighter is given by a text with all that its duels depend on; these duels are those of `duel_of`.
    Equal fighters are one class.
    """
    firsts: dict[tuple[A, P] | str, int] = {}
    for place, fighter in enumerate(fighters):
        firsts.setdefault(fighter, place)
    numbers = {fighter: number for number, fighter in enumerate(firsts)}
    crowd = _Crowd([*firsts], [*firsts.values()], assault_of, duel_of)
    return CrowdScores(tuple(numbers[each] for each in fighters), crowd.row, tuple(map(str, firsts)), crowd.work)


class _AssaultsOf(dict[P, Assault | None], Generic[A, P]):
    """The assaults of one attacker by target, computed when they are first needed."""

    def __init__(self, attacker: A, assault_of: AssaultOf[A, P]) -> None:
        self._attacker, self._assault_of = attacker, assault_of

    def __missing__(self, target: P) -> Assault | None:
        assault = self[target] = self._assault_of(self._attacker, target)
        return assault


class _Crowd(Generic[A, P]):
    """Distinct fighters, the place of each among all, and their scores."""

    def __init__(
        self,
        fighters: Sequence[tuple[A, P] | str],
        places: Sequence[int],
        assault_of: AssaultOf[A, P],
        duel_of: DuelOf | None,
    ) -> None:
        self._fighters, self._places, self._duel_of = fighters, places, duel_of
        attackers = dict.fromkeys(fighter[0] for fighter in fighters if not isinstance(fighter, str))
        self._assaults = {attacker: _AssaultsOf(attacker, assault_of) for attacker in attackers}

    def row(self, number: int, others: Sequence[int]) -> list[float]:
        """Return the scores of a class against some classes."""
        fighter = self._fighters[number]
        if isinstance(fighter, str):
            return [self._duel_score(number, other) for other in others]
        races = self._races(fighter, [self._fighters[other] for other in others])
        if None not in races:
            return scores(race for race in races if race)
        results = iter(scores(race for race in races if race))
        return [
            next(results) if race else self._duel_score(number, other)
            for race, other in zip(races, others, strict=True)
        ]

    def _races(self, fighter: tuple[A, P], others: Sequence[tuple[A, P] | str]) -> list[tuple[Assault, Assault] | None]:
        """Return the assaults of a fighter and each other on each other; None for a duel that is not a race."""
        own, target, assaults = self._assaults[fighter[0]], fighter[1], self._assaults
        return [
            (assault, back)
            if not isinstance(other, str) and (assault := own[other[1]]) and (back := assaults[other[0]][target])
            else None
            for other in others
        ]

    def work(self, tasks: Sequence[RowTask], workers: int) -> list[Work]:
        """Return the work of each row, for as many processes that take the rows in turn."""
        racers = [None if isinstance(each, str) else each for each in self._fighters]
        counts = [WorkCount(racers) for _ in range(workers)]
        return [counts[number % workers].work(*task) for number, task in enumerate(tasks)]

    def _duel_score(self, one: int, other: int) -> float:
        if one == other:
            return 0.5
        assert self._duel_of, "every duel is a race"
        pairing = pairing_of(one, other, self._duel_of(self._places[one], self._places[other]))
        return float((1 + pairing.wins - pairing.loses) / 2)


# What the assaults of a fighter depend on, and those on it: what a single attack depends on, and its Wounds.
Fighter: TypeAlias = tuple[Hashable, tuple[Hashable, Hashable]]


class WorkCount:
    """Counts the work of the rows of one process, in their order.

    An attack is that of an attacker on all targets that differ only in their Wounds, and an assault that on one of
    them. Fighters whose duels are joint chains are None.
    """

    def __init__(self, fighters: Sequence[Fighter | None]) -> None:
        self._fighters = fighters
        self._attacks = _FirstMeetings([each and (each[0], each[1][0]) for each in fighters])
        self._assaults = _FirstMeetings(fighters)

    def work(self, number: int, others: Sequence[int]) -> Work:
        """Return the work of the next row: a class against some classes."""
        racers = [other for other in others if self._fighters[other]] if self._fighters[number] else []
        if not racers:
            return Work(chains=len(others))
        meetings = self._attacks.count(number, racers), self._assaults.count(number, racers)
        return Work(*meetings, len(racers), len(others) - len(racers))


class _FirstMeetings:
    """Counts the pairs of an attacker and a target that meet for the first time."""

    def __init__(self, pairs: Sequence[tuple[Hashable, Hashable] | None]) -> None:
        attackers: dict[Hashable, int] = {}
        targets: dict[Hashable, int] = {}
        # The number of each fighter as an attacker, and as a target.
        self._attackers = [attackers.setdefault(pair and pair[0], len(attackers)) for pair in pairs]
        self._targets = [targets.setdefault(pair and pair[1], len(targets)) for pair in pairs]
        self._targets_of: list[set[int]] = [set() for _ in attackers]
        self._attackers_of: list[set[int]] = [set() for _ in targets]

    def count(self, number: int, others: Sequence[int]) -> int:
        """Return how many attackers and targets meet for the first time in both directions of some duels."""
        attacker, target = self._attackers[number], self._targets[number]
        targets = {*map(self._targets.__getitem__, others)} - self._targets_of[attacker]
        self._targets_of[attacker] |= targets
        for each in targets:
            self._attackers_of[each].add(attacker)
        attackers = {*map(self._attackers.__getitem__, others)} - self._attackers_of[target]
        self._attackers_of[target] |= attackers
        for each in attackers:
            self._targets_of[each].add(target)
        return len(targets) + len(attackers)


M = TypeVar("M", bound=Hashable)
R = TypeVar("R")


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


def put(items: tuple[R, ...], place: int, item: R) -> tuple[R, ...]:
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
