"""Program of a trial: a procedure that runs its steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.game_file.expression.links import LINKS
from cardgen.game_file.trial.arguments import Argument
from cardgen.game_file.trial.dice import GameDie
from cardgen.game_file.trial.run import MOST_STEPS, Run, State
from cardgen.game_file.trial.steps import Action, Branch, CallStep, EndStep, Names, Repeat, Step, Values
from cardgen.game_file.trial.throws import Throw
from cardgen.referee.requests import Procedure, in_scope

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
        inner = self._entry(step, names, run, holds=holds)
        if inner is not None:
            return state._replace(position=(*state.position, inner, 0))
        values: Values = {}
        if isinstance(step, EndStep) and holds:
            return State((), (), step.text.text(names, run.budget) if step.text else "")
        if isinstance(step, Action) and holds:
            values = yield from step.act(names, run)
        return self._follow(run, state, values)

    @staticmethod
    def _entry(step: Step, names: Names, run: Run, *, holds: bool) -> int | None:
        """Return the branch or the first round of a step that contains others; None if none of them is next."""
        if isinstance(step, Branch):
            return (0 if holds else 1) if (step.steps if holds else step.otherwise) else None
        if isinstance(step, Repeat) and step.times and holds:
            return -step.times.whole(names, run.budget, 0, MOST_TIMES) or None
        return None

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
