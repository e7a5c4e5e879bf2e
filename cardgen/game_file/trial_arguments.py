"""Values that a trial asks for: types, defaults, and arguments of calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from cardgen.diagnostic import CardgenError, did_you_mean, join_words
from cardgen.game_file.expressions import Formula, GameContext, common_scope, linked_shape
from cardgen.game_file.spec import AskSpec
from cardgen.game_file.trial_dice import Face, GameDie
from cardgen.model.card import Card
from cardgen.referee.parameters import Parameter
from cardgen.rulesets.ruleset import Kind
from cardgen.runtime.workspace import Budget
from cardgen.sandbox.frames import ANYTHING, Shape
from cardgen.sandbox.values import LinkedName, describe_kind
from cardgen.source import KeyPath
from cardgen.units import shorten, with_article


@dataclass(frozen=True)
class Argument:
    """A value that a trial asks for.

    `models` are the kinds of a card; `default` is the value if none is given, unless it is required.
    """

    parameter: Parameter
    is_required: bool
    default: Any = None
    models: tuple[type[Card], ...] = ()

    def value(self, formula: Formula | None, names: Mapping[str, Any], budget: Budget) -> Any:
        """Return the value that a call gives, or the default.

        Raises CardgenError for one that does not fit.
        """
        if formula is None:
            return self.default
        value = formula.value(names, budget)
        if self.parameter.sort == "card" and isinstance(value, LinkedName):
            value = value.card
        if problem := self.problem(value):
            raise CardgenError(formula.problem(f"must be {problem}"))
        return value

    def problem(self, value: Any) -> str:
        """Return what is wrong with a value, as 'a number …, not a text', or ''."""
        parameter = self.parameter
        if parameter.sort == "card":
            fits = isinstance(value, self.models) or (value is None and not self.is_required)
            kinds = join_words([with_article(model.KIND) for model in self.models])
            return "" if fits else f"{kinds}, not {describe_kind(value)}"
        if parameter.sort == "number":
            fits = type(value) is int and parameter.low <= value <= parameter.high
            shown = value if type(value) is int else describe_kind(value)
            return "" if fits else f"a whole number between {parameter.low} and {parameter.high}, not {shown}"
        if parameter.sort == "flag":
            return "" if isinstance(value, bool) else f"true or false, not {describe_kind(value)}"
        return "" if value in parameter.words else f"{join_words(parameter.words)}, not '{shorten(str(value))}'"


# Options of the commands that run trials, and names that every expression has.
RESERVED = frozenset({
    "ask", "as_json", "cards", "form", "format", "game", "help", "json", "odds", "output", "paths", "passed", "plot",
    "policy", "reading", "rolled", "ruling", "rulings", "seed", "trial",
})  # fmt: skip
_MOST_BY_DEFAULT = 100
_KEYS = {
    "card": {"kind", "optional"}, "integer": {"min", "max", "unit", "default"}, "choice": {"choices", "default"},
    "flag": {"default"},
}  # fmt: skip


def compile_ask(name: str, spec: AskSpec, path: KeyPath, context: GameContext) -> Argument | None:
    """Return what a trial asks for.

    Return None if there are mistakes in it, which are reported.
    """
    before = len(context.problems)
    if name in RESERVED:
        context.report(path, f"the name '{name}' is reserved", "choose another name", key=True)
    for key in sorted(spec.model_fields_set - {"type", "help"} - _KEYS[spec.type]):
        owners = [kind for kind, keys in _KEYS.items() if key in keys]
        message = f"a value of type {spec.type} has no '{key}'"
        context.report((*path, key), message, f"only values of type {join_words(owners)} have it", key=True)
    needed = {"card": "kind", "choice": "choices"}.get(spec.type)
    if needed and not getattr(spec, needed):
        context.report(path, f"a value of type {spec.type} needs the key '{needed}'", f"add '{needed}: …' here")
    help_text = spec.help or f"{name.replace('_', ' ').capitalize()}."
    if spec.type == "card":
        argument = _card(spec, help_text, path, context)
    elif spec.type == "integer":
        low, high = spec.min or 0, _MOST_BY_DEFAULT if spec.max is None else spec.max
        parameter = Parameter("number", help_text, low=low, high=high, unit=spec.unit or "")
        argument = Argument(parameter, spec.default is None, spec.default)
        if low > high:
            context.report((*path, "min"), f"'min' is {low}, but 'max' is only {high}")
    elif spec.type == "choice":
        argument = Argument(Parameter("word", help_text, words=spec.choices or ()), spec.default is None, spec.default)
    else:
        argument = Argument(Parameter("flag", help_text), False, spec.default or False)
    if argument.default is not None and (problem := argument.problem(argument.default)):
        context.report((*path, "default"), f"must be {problem}")
    return argument if len(context.problems) == before else None


def _card(spec: AskSpec, help_text: str, path: KeyPath, context: GameContext) -> Argument:
    kinds = (spec.kind,) if isinstance(spec.kind, str) else spec.kind or ()
    models: list[type[Card]] = []
    for index, kind in enumerate(kinds):
        if kind in context.kinds:
            models.append(context.kinds[kind].model)
            continue
        place = (*path, "kind") if isinstance(spec.kind, str) else (*path, "kind", index)
        message = f"unknown kind '{kind}'{did_you_mean(kind, context.kinds)}"
        context.report(place, message, f"available: {', '.join(context.kinds)}")
    return Argument(Parameter("card", help_text, tuple(kinds)), not spec.optional, None, tuple(models))


def shape_of_argument(argument: Argument | None, kinds: Mapping[str, Kind]) -> Shape:
    """Return what expressions know about a value that a trial asks for."""
    if argument is None or argument.parameter.sort != "card":
        return ANYTHING
    fields = common_scope(linked_shape(model, kinds) for model in argument.models)
    return ANYTHING if fields is None else Shape(fields)


def annotation_of(argument: Argument) -> Any:
    """Return the type of a value as a situation of the referee has it; cards are plain data."""
    return {"card": dict[str, Any], "number": int, "flag": bool}.get(argument.parameter.sort, str)


# Steps of one roll of a trial, with those of the trials that it calls.
MOST_STEPS = 10_000
# Steps of all its expressions; exact odds evaluate them in every state.
MOST_EXPRESSION_STEPS = 3_000_000


class State(NamedTuple):
    """Where a trial is, and what its steps have found out so far.

    `position` leads to the next step: indices of steps, and between them the branch or, counted up from minus the
    number of rounds, the round of a repetition. Positions grow while a trial runs. `end` is the outcome, when there is
    one; then nothing else is left.
    """

    position: tuple[int, ...]
    values: tuple[tuple[str, Any], ...] = ()
    end: str | None = None


class Counter:
    """Steps that a roll of a trial has left."""

    def __init__(self, left: int = MOST_STEPS) -> None:
        self.left = left


@dataclass(frozen=True)
class Run:
    """What is fixed while a trial runs.

    `values` are those that it asks for, and the rulings; `programs` are all trials of the game, which this module
    cannot know. `candidates` are the indices of the faces that dice have, for dice whose true faces are unknown.
    """

    values: Mapping[str, Any]
    programs: Mapping[str, Any]
    candidates: Mapping[str, int]
    budget: Budget = field(default_factory=partial(Budget, MOST_EXPRESSION_STEPS))
    steps: Counter = field(default_factory=Counter)

    def with_values(self, values: Mapping[str, Any]) -> Run:
        """Return the run of a trial that this one calls."""
        return replace(self, values=values)

    def faces(self, die: GameDie) -> tuple[Face, ...]:
        """Return the faces of a die."""
        return die.candidates[self.candidates.get(die.name, 0)]
