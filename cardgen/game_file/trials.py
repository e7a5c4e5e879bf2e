"""Compiler of trials to programs; reports mistakes in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Any, TypeAlias

from cardgen.diagnostic import did_you_mean, join_words
from cardgen.game_file.expressions import Formula, FormulaCompiler, GameContext, Words
from cardgen.game_file.spec import (
    CallSpec,
    KeepSpec,
    PoolSpec,
    QuestionSpec,
    RepeatSpec,
    RollSpec,
    StepSpec,
    TestSpec,
    TrialSpec,
)
from cardgen.game_file.trial_arguments import RESERVED, Argument, compile_ask, shape_of_argument
from cardgen.game_file.trial_dice import Face, GameDie, find_dice
from cardgen.game_file.trial_steps import (
    RULINGS,
    AskStep,
    Branch,
    CallStep,
    EndStep,
    PoolStep,
    Program,
    Repeat,
    RollStep,
    SayStep,
    SetStep,
    Step,
    TestStep,
    sides_of,
)
from cardgen.referee.requests import DiceExpression
from cardgen.sandbox.frames import ANYTHING, Shape
from cardgen.source import KeyPath

MOST_STEPS_OF_GAME = 2_000
_ACTIONS = ("test", "roll", "pool", "set_", "ask", "call", "repeat", "steps", "say", "end")


def compile_programs(context: GameContext, dice: Mapping[str, GameDie]) -> dict[str, Program]:
    """Return the trials of a game by name.

    Report mistakes in them.
    """
    asks = {
        name: {ask: compile_ask(ask, spec, ("trials", name, "asks", ask), context) for ask, spec in trial.asks.items()}
        for name, trial in context.spec.trials.items()
    }
    _report_circles(context)
    programs: dict[str, Program] = {}
    count = sum(1 for trial in context.spec.trials.values() for _ in _all_steps(trial.steps))
    if count > MOST_STEPS_OF_GAME:
        message = f"the trials of a game have at most {MOST_STEPS_OF_GAME:,} steps together, not {count:,}"
        context.report(("trials",), message, key=True)
        return programs
    for name, trial in context.spec.trials.items():
        before = len(context.problems)
        steps = StepCompiler(context, dice, name, asks).compile(trial)
        arguments = {ask: each for ask, each in asks[name].items() if each}
        if len(context.problems) == before:
            programs[name] = Program(name, arguments, steps, context.place(("trials", name), key=True))
    return programs


def _report_circles(context: GameContext) -> None:
    """Report trials that call themselves, directly or through others."""
    calls = {name: {each.trial for each in _calls(trial.steps)} for name, trial in context.spec.trials.items()}
    try:
        TopologicalSorter(calls).prepare()
    except CycleError as error:
        names = list(dict.fromkeys(error.args[1]))
        through = f" through {join_words(names[1:], 'and')}" if len(names) > 1 else ""
        context.report(("trials", names[0]), f"the trial '{names[0]}' calls itself{through}", key=True)


def _calls(steps: tuple[StepSpec, ...]) -> Iterator[CallSpec]:
    for step in steps:
        if step.call:
            yield step.call
        inner = (step.steps, step.else_, step.repeat.steps if step.repeat else None)
        for each in filter(None, inner):
            yield from _calls(each)


class StepCompiler:
    """Compiler of the steps of one trial.

    It knows the names of the values so far.
    """

    def __init__(
        self,
        context: GameContext,
        dice: Mapping[str, GameDie],
        name: str,
        asks: Mapping[str, Mapping[str, Argument | None]],
    ) -> None:
        self._context, self._name, self._asks = context, name, asks
        self._formulas = FormulaCompiler(context)
        self._own = asks[name]
        rulings = Shape(dict.fromkeys(context.spec.rulings, ANYTHING))
        self._scope: dict[str, Shape] = {
            **{ask: shape_of_argument(argument, context.kinds) for ask, argument in self._own.items()},
            RULINGS: rulings,
        }
        self._throws = ThrowCompiler(context, dice, self._formula, self._words, self._first_card())

    def _first_card(self) -> str:
        """Return the source of the text that says who rolls: the name of the first card."""
        cards = (name for name, each in self._own.items() if each and each.parameter.sort == "card")
        first = next(cards, "")
        return f"{{{{ {first}.name }}}}" if first and self._own[first].is_required else ""  # type: ignore[union-attr]

    def compile(self, trial: TrialSpec) -> tuple[Step, ...]:
        """Return the steps of the trial."""
        path: KeyPath = ("trials", self._name)
        if not any(step.end for step in _all_steps(trial.steps)):
            message = "a trial needs a step 'end', whose text is the outcome"
            self._context.report((*path, "steps"), message, "add '- end: …' as the last step", key=True)
        return self._block(trial.steps, (*path, "steps"))

    def _formula(self, source: str | None, path: KeyPath) -> Formula | None:
        return self._formulas.formula(source, path, self._scope) if source is not None else None

    def _words(self, source: str | None, path: KeyPath) -> Words | None:
        return self._formulas.words(source, path, self._scope) if source is not None else None

    def _block(self, steps: tuple[StepSpec, ...] | None, path: KeyPath) -> tuple[Step, ...]:
        return tuple([step for index, spec in enumerate(steps or ()) for step in self._step(spec, (*path, index))])

    def _step(self, spec: StepSpec, path: KeyPath) -> Iterator[Step]:
        """Yield the step, unless there are mistakes in it."""
        keys = [key for key in _ACTIONS if getattr(spec, key) is not None]
        if len(keys) != 1:
            names = join_words([f"'{key.rstrip('_')}'" for key in _ACTIONS])
            message = "a step can have only one of these keys" if keys else "a step needs one of these keys"
            self._context.report((*path, keys[1].rstrip("_")) if keys else path, f"{message}: {names}", key=bool(keys))
            return
        when = self._formula(spec.when, (*path, "when"))
        if spec.else_ is not None and spec.when is None:
            self._context.report((*path, "else"), "'else' needs 'when'", key=True)
        step = self._action(keys[0], spec, (*path, keys[0].rstrip("_")))
        otherwise = self._block(spec.else_, (*path, "else"))
        if step is None:
            for name in _written((spec,)):  # so that later steps can read them
                self._scope.setdefault(name, ANYTHING)
            return
        for name in () if isinstance(step, SetStep) else step.writes:
            self._add_name(name, path)
        if otherwise and not isinstance(step, Branch):
            step = Branch(when, steps=(step,))
        step.when = when
        if isinstance(step, Branch):
            step.otherwise = otherwise
        yield step

    def _add_name(self, name: str, path: KeyPath) -> None:
        if name in self._own or name == RULINGS:
            self._context.report(path, f"duplicate value '{name}'", "choose another name")
        self._scope[name] = ANYTHING

    def _action(self, key: str, spec: StepSpec, path: KeyPath) -> Step | None:
        if key in ("test", "roll", "pool"):
            return self._throws.compile(getattr(spec, key), path)
        makers: dict[str, Callable[[Any, KeyPath], Step | None]] = {
            "set_": self._set, "ask": self._ask, "call": self._call, "repeat": self._repeat,
            "steps": lambda steps, place: Branch(None, steps=self._block(steps, place)),
            "say": lambda text, place: SayStep(None, text=self._words(text, place)),
            "end": lambda text, place: EndStep(None, text=self._words(text, place)),
        }  # fmt: skip
        return makers[key](getattr(spec, key), path)

    def _set(self, values: Mapping[str, str], path: KeyPath) -> Step | None:
        formulas = {}
        for name, source in values.items():
            # A value can be computed from its earlier one.
            formulas[name] = self._formula(source, (*path, name))
            if name in RESERVED - {"passed", "rolled"}:
                self._context.report((*path, name), f"the name '{name}' is reserved", "choose another name", key=True)
            self._add_name(name, (*path, name))
        return SetStep(None, formulas={name: each for name, each in formulas.items() if each})

    def _ask(self, spec: QuestionSpec, path: KeyPath) -> Step | None:
        self._report_question(spec, path)
        default = spec.default
        if spec.type == "flag" and isinstance(default, bool):
            default = "yes" if default else "no"
        return AskStep(
            None,
            kind=spec.type,
            name=self._words(spec.name, (*path, "name")),
            who=self._words(spec.who, (*path, "who")),
            low=self._formula(spec.min, (*path, "min")),
            high=self._formula(spec.max, (*path, "max")),
            unit=spec.unit or "",
            choices=spec.choices or (),
            default=str(default) if default is not None else "",
            into=spec.into,
        )

    def _report_question(self, spec: QuestionSpec, path: KeyPath) -> None:
        if spec.type == "choice" and not spec.choices:
            self._context.report(path, "a choice needs the key 'choices'", "add 'choices: [ …, … ]' here")
        if spec.choices and len(set(spec.choices)) < len(spec.choices):
            self._context.report((*path, "choices"), "the choices must all be different")
        if spec.type == "integer" and spec.default is not None:
            message = "a number that a player measures has no default"
            self._context.report((*path, "default"), message, "remove it, or add an option to 'asks'", key=True)
        if spec.type == "choice" and spec.default is not None and spec.default not in (spec.choices or ()):
            self._context.report((*path, "default"), f"must be {join_words(spec.choices or ('a choice',))}")
        if spec.type == "flag" and not isinstance(spec.default, bool | None):
            self._context.report((*path, "default"), "must be true or false")

    def _call(self, spec: CallSpec, path: KeyPath) -> Step | None:
        arguments = {name: self._formula(source, (*path, "with", name)) for name, source in spec.with_.items()}
        if spec.trial not in self._asks:
            message = f"unknown trial '{spec.trial}'{did_you_mean(spec.trial, self._asks)}"
            self._context.report((*path, "trial"), message, f"available: {', '.join(self._asks)}")
            return None
        asked = self._asks[spec.trial]
        for name in arguments.keys() - asked.keys():
            message = f"the trial '{spec.trial}' does not ask for '{name}'{did_you_mean(name, asked)}"
            self._context.report((*path, "with", name), message, key=True)
        for name, argument in asked.items():
            if argument and argument.is_required and name not in arguments:
                message = f"the trial '{spec.trial}' needs '{name}'"
                self._context.report(path, message, f"add '{name}: …' below 'with'")
        valid = {name: each for name, each in arguments.items() if each}
        return CallStep(None, trial=spec.trial, arguments=valid, into=spec.into)

    def _repeat(self, spec: RepeatSpec, path: KeyPath) -> Step | None:
        times = self._formula(spec.times, (*path, "times"))
        # A round can read what the one before it has written.
        for name in _written(spec.steps):
            self._scope.setdefault(name, ANYTHING)
        steps = self._block(spec.steps, (*path, "steps"))
        until = self._formula(spec.until, (*path, "until"))
        return Repeat(None, times=times, until=until, steps=steps)


def _all_steps(steps: tuple[StepSpec, ...]) -> Iterator[StepSpec]:
    for step in steps:
        yield step
        for inner in filter(None, (step.steps, step.else_, step.repeat.steps if step.repeat else None)):
            yield from _all_steps(inner)


def _written(steps: tuple[StepSpec, ...]) -> Iterator[str]:
    """Yield the names that steps write."""
    for step in _all_steps(steps):
        yield from step.set_ or ()
        for each in (step.roll, step.pool, step.ask, step.call):
            if each is not None:
                yield each.into
        yield from ("passed", "rolled") if step.test else ()


MakeFormula: TypeAlias = Callable[[str | None, KeyPath], Formula | None]
MakeWords: TypeAlias = Callable[[str | None, KeyPath], Words | None]


class ThrowCompiler:
    """Compiler of tests, rolls, and pools.

    `who` is the source of the text that says who rolls by default.
    """

    def __init__(
        self, context: GameContext, dice: Mapping[str, GameDie], formula: MakeFormula, words: MakeWords, who: str
    ) -> None:
        self._context, self._dice, self._formula, self._words, self._who = context, dice, formula, words, who

    def compile(self, spec: TestSpec | RollSpec | PoolSpec, path: KeyPath) -> Step | None:
        """Return the step, or None if its dice are unknown."""
        dice = find_dice(spec.dice, (*path, "dice"), self._dice, self._context)
        shared: dict[str, Any] = {
            "when": None,
            "dice": dice,
            "name": self._words(spec.name, (*path, "name")),
            "who": self._words(spec.who or self._who or None, (*path, "who")),
        }
        if isinstance(spec, TestSpec):
            return self._test(spec, shared, path)
        if isinstance(spec, PoolSpec):
            return self._pool(spec, shared, path)
        return RollStep(**shared, into=spec.into) if dice else None

    def _test(self, spec: TestSpec, shared: dict[str, Any], path: KeyPath) -> Step | None:
        if (spec.up_to is None) == (spec.at_least is None):
            self._context.report(path, "a test needs either 'up_to' or 'at_least'")
        dice = shared["dice"]
        if isinstance(dice, GameDie) and not dice.is_numeric:
            self._context.report(
                (*path, "dice"), "a test needs dice with numbers", "use 'roll' or 'pool' for dice with named faces"
            )
        up_to = self._formula(spec.up_to, (*path, "up_to"))
        at_least = self._formula(spec.at_least, (*path, "at_least"))
        return TestStep(**shared, up_to=up_to, at_least=at_least) if dice else None

    def _pool(self, spec: PoolSpec, shared: dict[str, Any], path: KeyPath) -> Step | None:
        dice = shared["dice"]
        if isinstance(dice, DiceExpression) and not sides_of(dice):
            self._context.report((*path, "dice"), "a pool needs one die, such as d6", "write their number as 'count'")
        rules = [key for key in ("successes", "at_least", "up_to") if getattr(spec, key) is not None]
        if len(rules) > 1:
            self._context.report((*path, rules[1]), f"a pool has only one of '{rules[0]}' and '{rules[1]}'", key=True)
        named = isinstance(dice, GameDie) and not dice.is_numeric
        if named and rules != ["successes"]:
            message = "a pool of dice with named faces needs 'successes'"
            self._context.report(path, message, "list the faces that are successes")
        keep, highest = self._keep(spec, path)
        step = PoolStep(
            **shared,
            into=spec.into,
            count=self._formula(spec.count, (*path, "count")),
            successes=self._faces(spec.successes, dice, (*path, "successes")),
            at_least=self._formula(spec.at_least, (*path, "at_least")),
            up_to=self._formula(spec.up_to, (*path, "up_to")),
            reroll=self._faces(spec.reroll, dice, (*path, "reroll")) or (),
            keep=keep,
            keeps_highest=highest,
        )
        return step if dice else None

    def _keep(self, spec: PoolSpec, path: KeyPath) -> tuple[Formula | None, bool]:
        if not isinstance(spec.keep, KeepSpec):
            return self._formula(spec.keep, (*path, "keep")), True
        if (spec.keep.highest is None) == (spec.keep.lowest is None):
            self._context.report((*path, "keep"), "write either 'highest' or 'lowest'")
        highest = spec.keep.lowest is None
        which = "highest" if highest else "lowest"
        return self._formula(getattr(spec.keep, which), (*path, "keep", which)), highest

    def _faces(
        self, written: tuple[str | int, ...] | None, dice: DiceExpression | GameDie | None, path: KeyPath
    ) -> tuple[Face, ...] | None:
        """Return faces of a die.

        Report those that it does not have.
        """
        if written is None or dice is None:
            return None
        known = dice.faces if isinstance(dice, GameDie) else tuple(range(1, sides_of(dice) + 1))
        by_name = {str(face): face for face in known}
        for index, face in enumerate(written):
            if str(face) not in by_name:
                message = f"the die has no face '{face}'{did_you_mean(str(face), by_name)}"
                self._context.report((*path, index), message, f"its faces: {', '.join(by_name)}")
        return tuple([by_name[str(face)] for face in written if str(face) in by_name])
