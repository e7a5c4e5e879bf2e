"""Values that trials ask for, from a game file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardgen.game_file.context import GameContext
from cardgen.game_file.expression.shapes import common_scope, linked_shape
from cardgen.game_file.spec.trials import AskSpec
from cardgen.game_file.trial.arguments import Argument
from cardgen.model.card import Card
from cardgen.referee.situation import Parameter
from cardgen.rulesets.ruleset import Kind
from cardgen.sandbox.frames import ANYTHING, Shape
from cardgen.source import KeyPath
from cardgen.validation.suggestion import did_you_mean, join_words

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
    _report_foreign_keys(name, spec, path, context)
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


def _report_foreign_keys(name: str, spec: AskSpec, path: KeyPath, context: GameContext) -> None:
    if name in RESERVED:
        context.report(path, f"the name '{name}' is reserved", "choose another name", key=True)
    for key in sorted(spec.model_fields_set - {"type", "help"} - _KEYS[spec.type]):
        owners = [kind for kind, keys in _KEYS.items() if key in keys]
        message = f"a value of type {spec.type} has no '{key}'"
        context.report((*path, key), message, f"only values of type {join_words(owners)} have it", key=True)
    needed = {"card": "kind", "choice": "choices"}.get(spec.type)
    if needed and not getattr(spec, needed):
        context.report(path, f"a value of type {spec.type} needs the key '{needed}'", f"add '{needed}: …' here")


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
