"""Steps of trials.

Each that acts is a procedure, which returns the values that it finds out.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, TypeAlias

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, slugify
from cardgen.game_file.expressions import LINKS, Formula, Located, Words
from cardgen.game_file.trial_arguments import MOST_STEPS, Argument, Run, State
from cardgen.game_file.trial_dice import Face, GameDie, OneDie, Tally, roll_pool, roll_sum
from cardgen.referee.requests import Decision, DiceExpression, Log, Measurement, Procedure, Roll, Test, in_scope
from cardgen.sandbox.values import describe_kind, size_of
from cardgen.validation.base import Model

# Items and characters of a value that a step keeps.
MOST_WEIGHT = 1_000
_YES, _NO = "yes", "no"

Names: TypeAlias = Mapping[str, Any]
Values: TypeAlias = dict[str, Any]


@dataclass(eq=False)
class Step:
    """A step.

    It is skipped unless `when` holds. `live` are the names that later steps read.
    """

    when: Formula | None
    live: frozenset[str] = frozenset()

    @property
    def reads(self) -> frozenset[str]:
        """The names in its expressions."""
        every = (located for each in fields(self) for located in _located(getattr(self, each.name)))
        return frozenset().union(*(located.reads for located in every))

    @property
    def writes(self) -> tuple[str, ...]:
        """The names of the values that it finds out."""
        return ()


def _located(value: Any) -> tuple[Located, ...]:
    """Return the expressions in a field of a step."""
    if isinstance(value, dict):
        return tuple(value.values())
    return (value,) if isinstance(value, Located) else ()


@dataclass(eq=False)
class Action(Step):
    """A step that finds something out, and after which the next one follows."""

    @abstractmethod
    def act(self, names: Names, run: Run) -> Procedure[Values]:
        """Return the values that it finds out."""


@dataclass(eq=False)
class SetStep(Action):
    """Values from expressions."""

    formulas: dict[str, Formula] | None = None

    @property
    def writes(self) -> tuple[str, ...]:
        """The names of the values."""
        return tuple(self.formulas or ())

    def act(self, names: Names, run: Run) -> Procedure[Values]:
        """Evaluate the expressions in order; later ones see earlier values."""
        values: Values = {}
        for name, formula in (self.formulas or {}).items():
            values[name] = plain_value(formula, formula.value({**names, **values}, run.budget))
        return values
        yield


def plain_value(formula: Formula, value: Any) -> Any:
    """Return a value that a step can keep; lists become tuples.

    Raises CardgenError for cards, maps, and long values.
    """
    if isinstance(value, Model | Mapping):
        advice = "use a number, a text, or a list"
        raise CardgenError(formula.problem(f"a step cannot store {describe_kind(value)}")._replace(help=advice))
    if size_of(value) > MOST_WEIGHT:
        raise CardgenError(formula.problem(f"a step can store at most {MOST_WEIGHT:,} items and characters"))
    return tuple(plain_value(formula, each) for each in value) if isinstance(value, list | tuple) else value


@dataclass(eq=False)
class AskStep(Action):
    """A question that only a player can answer."""

    kind: str = ""
    name: Words | None = None
    who: Words | None = None
    low: Formula | None = None
    high: Formula | None = None
    unit: str = ""
    choices: tuple[str, ...] = ()
    default: str = ""
    into: str = ""

    @property
    def writes(self) -> tuple[str, ...]:
        """The name of the answer."""
        return (self.into,)

    def act(self, names: Names, run: Run) -> Procedure[Values]:
        """Ask the question."""
        who = self.who.text(names, run.budget) if self.who else ""
        what = self.name.text(names, run.budget) if self.name else ""
        key = slugify(what)
        if self.kind == "integer":
            low = self.low.whole(names, run.budget) if self.low else 0
            high = self.high.whole(names, run.budget) if self.high else 100
            answer = yield Measurement(key, who, what, low, max(low, high), self.unit)
        elif self.kind == "flag":
            answer = (yield Decision(key, who, what, (_YES, _NO), self.default)) == _YES
        else:
            answer = yield Decision(key, who, what, self.choices, self.default)
        return {self.into: answer}


@dataclass(eq=False)
class SayStep(Action):
    """A line of the log."""

    text: Words | None = None

    def act(self, names: Names, run: Run) -> Procedure[Values]:
        """Write the line."""
        if self.text:
            yield Log("{}", (self.text.text(names, run.budget),))
        return {}


@dataclass(eq=False)
class EndStep(Step):
    """The outcome, which ends the trial."""

    text: Words | None = None


@dataclass(eq=False)
class CallStep(Step):
    """Another trial, whose outcome is kept as text."""

    trial: str = ""
    arguments: dict[str, Formula] | None = None
    into: str = ""

    @property
    def writes(self) -> tuple[str, ...]:
        """The name of the outcome."""
        return (self.into,)


@dataclass(eq=False)
class Branch(Step):
    """Steps, and others if `when` does not hold."""

    steps: tuple[Step, ...] = ()
    otherwise: tuple[Step, ...] = ()


@dataclass(eq=False)
class Repeat(Step):
    """Steps that are repeated."""

    times: Formula | None = None
    until: Formula | None = None
    steps: tuple[Step, ...] = ()


PASSED, ROLLED = "passed", "rolled"
MOST_POOL = 50


@dataclass(eq=False)
class Throw(Action):
    """A step that rolls dice for somebody."""

    dice: DiceExpression | GameDie | None = None
    name: Words | None = None
    who: Words | None = None

    def captions(self, names: Names, run: Run) -> tuple[str, str]:
        """Return who rolls, and for what."""
        who = self.who.text(names, run.budget) if self.who else ""
        return who, self.name.text(names, run.budget) if self.name else ""

    def roll(self, who: str, what: str, run: Run) -> Procedure[Face]:
        """Roll the dice, and return their sum or face."""
        if isinstance(self.dice, GameDie):
            faces = run.faces(self.dice)
            face = yield from OneDie(who, what, len(faces), faces).roll()
            return face
        assert self.dice is not None
        total = yield from roll_sum(self.dice, who, what)
        return total


@dataclass(eq=False)
class TestStep(Throw):
    """Dice that pass up to a number, or from a number on."""

    __test__ = False

    up_to: Formula | None = None
    at_least: Formula | None = None

    @property
    def writes(self) -> tuple[str, ...]:
        """Whether it passed, and what was rolled."""
        return PASSED, ROLLED

    def act(self, names: Names, run: Run) -> Procedure[Values]:
        """Roll the dice, and return whether they pass.

        A single die is a question of its own.
        """
        who, what = self.captions(names, run)
        bound = self.up_to or self.at_least
        assert bound is not None
        need = bound.whole(names, run.budget)
        sides = sides_of(self.dice)
        if sides and ROLLED not in self.live:
            passed = yield from self._one_die(need, sides, who, what)
            return {PASSED: passed}
        rolled = yield from self.roll(who, what, run)
        passed = int(rolled) <= need if self.up_to else int(rolled) >= need
        bounds, result = f"{need} or {'less' if self.up_to else 'more'}", "success" if passed else "failure"
        yield Log("{}: {}, {}: {}", (what, rolled, bounds, result))
        return {PASSED: passed, ROLLED: rolled}

    def _one_die(self, need: int, sides: int, who: str, what: str) -> Procedure[bool]:
        if self.up_to:
            passed = yield Test(slugify(what), who, what, need, sides=sides)
            return bool(passed)
        wins = tuple(range(max(1, need), sides + 1))
        shown = yield Roll(slugify(what), who, what, sides, wins)
        return bool(wins) and bool(shown)


def sides_of(dice: DiceExpression | GameDie | None) -> int:
    """Return the sides of a single die in dice notation.

    Return 0 for anything else.
    """
    if not isinstance(dice, DiceExpression) or len(dice.terms) != 1:
        return 0
    (term,) = dice.terms
    return term.sides if term.count == 1 and term.sign == 1 and not term.paired else 0


@dataclass(eq=False)
class RollStep(Throw):
    """Dice whose sum or face is kept."""

    into: str = ""

    @property
    def writes(self) -> tuple[str, ...]:
        """The name of the result."""
        return (self.into,)

    def act(self, names: Names, run: Run) -> Procedure[Values]:
        """Roll the dice."""
        result = yield from self.roll(*self.captions(names, run), run)
        return {self.into: result}


@dataclass(eq=False)
class PoolStep(RollStep):
    """Several equal dice, of which some are successes, or which are added."""

    count: Formula | None = None
    successes: tuple[Face, ...] | None = None
    at_least: Formula | None = None
    up_to: Formula | None = None
    reroll: tuple[Face, ...] = ()
    keep: Formula | None = None
    keeps_highest: bool = True

    def act(self, names: Names, run: Run) -> Procedure[Values]:
        """Roll the dice, and count them."""
        assert self.count is not None
        who, what = self.captions(names, run)
        faces = run.faces(self.dice) if isinstance(self.dice, GameDie) else ()
        sides = len(faces) or sides_of(self.dice)
        keep = self.keep.whole(names, run.budget, 0, MOST_POOL) if self.keep else None
        tally = Tally(self._successes(names, run, faces or tuple(range(1, sides + 1))), keep, self.keeps_highest)
        count = self.count.whole(names, run.budget, 0, MOST_POOL)
        result = yield from roll_pool(count, OneDie(who, what, sides, faces, self.reroll), tally)
        yield Log("{}: {}", (what, result))
        return {self.into: result}

    def _successes(self, names: Names, run: Run, faces: tuple[Face, ...]) -> tuple[Face, ...] | None:
        """Return the faces that are successes.

        Return None if the dice are added.
        """
        bound = self.at_least or self.up_to
        if bound is None:
            return self.successes
        need = bound.whole(names, run.budget)
        return tuple([face for face in faces if (int(face) >= need if self.at_least else int(face) <= need)])


MOST_TIMES = 1_000
# Outcome of a trial whose steps run out.
NO_OUTCOME = "no outcome"
RULINGS = "rulings"


@dataclass(frozen=True, eq=False)
class Program:
    """The steps of a trial, and the values that it asks for."""

    name: str
    asks: Mapping[str, Argument]
    steps: tuple[Step, ...]
    place: Place

    def __post_init__(self) -> None:
        for step, live in _live_names(self.steps):
            step.live = live

    @cached_property
    def _unset(self) -> dict[str, Any]:
        """Every name that a step writes, without a value."""
        return dict.fromkeys(name for step, _ in _walk(self.steps) for name in step.writes)

    @property
    def dice(self) -> frozenset[str]:
        """The names of the game's dice that it rolls itself."""
        throws = (step for step, _ in _walk(self.steps) if isinstance(step, Throw))
        return frozenset(step.dice.name for step in throws if isinstance(step.dice, GameDie))

    def called(self, programs: Mapping[str, Program]) -> list[Program]:
        """Return the trial, and those that it calls, directly or indirectly."""
        every = [self]
        for program in every:
            names = {step.trial for step, _ in _walk(program.steps) if isinstance(step, CallStep)}
            every += [each for each in programs.values() if each.name in names and each not in every]
        return every

    def start(self) -> State:
        """Return the state before the first step."""
        return State((0,))

    def names(self, run: Run, state: State) -> dict[str, Any]:
        """Return the names that a step can read, and their values."""
        return {**self._unset, **run.values, **dict(state.values)}

    def procedure(self, run: Run) -> Procedure[str]:
        """Run the trial, and return its outcome."""
        state = self.start()
        while state.end is None:
            run.steps.left -= 1
            if run.steps.left < 0:
                message = f"a trial cannot take more than {MOST_STEPS:,} steps"
                raise CardgenError(Diagnostic(Code.INVALID_GAME, message, self.place))
            call = self.call_at(run, state)
            if call is None:
                state = yield from self.advance(run, state)
            else:
                program, inner = call
                outcome = yield from in_scope(program.name, program.procedure(inner))
                state = self.after_call(run, state, outcome)
        return state.end

    def advance(self, run: Run, state: State) -> Procedure[State]:
        """Take one step that is not a call, and return the state after it."""
        step, names = self._step_at(state.position), self.names(run, state)
        holds = step.when is None or step.when.truth(names, run.budget)
        # The branch or the first round of a step that contains others; None if none of them is next.
        if isinstance(step, Branch):
            inner = (0 if holds else 1) if (step.steps if holds else step.otherwise) else None
        elif isinstance(step, Repeat) and step.times and holds:
            inner = -step.times.whole(names, run.budget, 0, MOST_TIMES) or None
        else:
            inner = None
        if inner is not None:
            return state._replace(position=(*state.position, inner, 0))
        values: Values = {}
        if isinstance(step, EndStep) and holds:
            return State((), (), step.text.text(names, run.budget) if step.text else "")
        if isinstance(step, Action) and holds:
            values = yield from step.act(names, run)
        return self._follow(run, state, values)

    def call_at(self, run: Run, state: State) -> tuple[Program, Run] | None:
        """Return the trial that the next step calls, and its run.

        Return None if the next step is not a call.
        """
        step = self._step_at(state.position)
        if not isinstance(step, CallStep):
            return None
        names = self.names(run, state)
        if step.when is not None and not step.when.truth(names, run.budget):
            return None
        program: Program = run.programs[step.trial]
        formulas = step.arguments or {}
        values = {
            name: argument.value(formulas.get(name), names, run.budget) for name, argument in program.asks.items()
        }
        shared = {name: run.values[name] for name in (RULINGS, LINKS) if name in run.values}
        return program, run.with_values({**shared, **values})

    def after_call(self, run: Run, state: State, outcome: str) -> State:
        """Return the state after a call with an outcome."""
        step = self._step_at(state.position)
        return self._follow(run, state, dict.fromkeys(step.writes, outcome))

    def _follow(self, run: Run, state: State, values: Values) -> State:
        """Return the state after a step, with the values that later steps can read."""
        step = self._step_at(state.position)
        every = {**dict(state.values), **values}
        position = self._next_position(run, state.position, {**self.names(run, state), **values})
        if not position:
            return State((), (), NO_OUTCOME)
        return State(position, tuple(sorted((name, every[name]) for name in every if name in step.live)))

    def _next_position(self, run: Run, position: tuple[int, ...], names: Names) -> tuple[int, ...]:
        """Return the position after a step, or () after the last one."""
        *outer, index = position
        if index + 1 < len(self._block(tuple(outer))):
            return (*outer, index + 1)
        if not outer:
            return ()
        *before, parent_index, mark = outer
        parent = self._block(tuple(before))[parent_index]
        is_done = isinstance(parent, Repeat) and parent.until and parent.until.truth(names, run.budget)
        if isinstance(parent, Repeat) and mark < -1 and not is_done:
            return (*before, parent_index, mark + 1, 0)
        return self._next_position(run, (*before, parent_index), names)

    def _step_at(self, position: tuple[int, ...]) -> Step:
        return self._block(position[:-1])[position[-1]]

    def _block(self, path: tuple[int, ...]) -> tuple[Step, ...]:
        """Return the steps at a path of indices and branches or rounds."""
        block = self.steps
        for index, mark in zip(path[::2], path[1::2], strict=True):
            step = block[index]
            assert isinstance(step, Branch | Repeat)
            block = step.otherwise if isinstance(step, Branch) and mark == 1 else step.steps
        return block


def _walk(steps: tuple[Step, ...], around: tuple[Repeat, ...] = ()) -> Iterator[tuple[Step, tuple[Repeat, ...]]]:
    """Yield all steps in order, each with the repetitions around it."""
    for step in steps:
        yield step, around
        if isinstance(step, Branch):
            yield from _walk(step.steps, around)
            yield from _walk(step.otherwise, around)
        elif isinstance(step, Repeat):
            yield from _walk(step.steps, (*around, step))


def _live_names(steps: tuple[Step, ...]) -> Iterator[tuple[Step, frozenset[str]]]:
    """Yield each step with the names that later steps can read.

    Steps of the next round count as later.
    """
    order = list(_walk(steps))
    inside = {id(step): frozenset().union(*(each.reads for each, _ in _walk((step,)))) for step, _ in order}
    later: frozenset[str] = frozenset()
    for step, around in reversed(order):
        yield step, later.union(*(inside[id(repeat)] for repeat in around))
        later |= step.reads
