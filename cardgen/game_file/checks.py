"""Checks of a game, from the expressions in its file, and the example cards for kinds and checks."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, partial
from types import MappingProxyType
from typing import Any, TypeAlias

from cardgen.checking.check import (
    Check,
    CheckContext,
    Confidence,
    Finding,
    Findings,
)
from cardgen.diagnostic import CardgenError, Diagnostic, Place, Severity, did_you_mean
from cardgen.game_file.expressions import (
    LINKS,
    AnyNames,
    CardLinks,
    Formula,
    FormulaCompiler,
    GameContext,
    Words,
    common_scope,
    linked_shape,
    links_in,
)
from cardgen.game_file.lists import limit_code
from cardgen.game_file.spec import FIELD_TYPES, MEMBERS, CheckSpec, FieldSpec, GameFile
from cardgen.model.card import Card, Entry
from cardgen.model.deck import find_links
from cardgen.runtime.workspace import Budget
from cardgen.sandbox.frames import ANYTHING, Shape
from cardgen.sandbox.values import attribute, attribute_names
from cardgen.source import Data, KeyPath
from cardgen.validation.base import (
    FreeKeys,
    Model,
    ModelClasses,
    accepted_keys,
    child_models,
    model_keys,
    reachable_models,
)
from cardgen.validation.validate import Removal

_STEP = re.compile(r"[/.]")


@dataclass(frozen=True, eq=False)
class CompiledCheck:
    """A check of a game file: condition, place, and message."""

    when: Formula
    say: Words
    help: Words | None
    route: KeyPath
    any_item: Formula | None = None

    def find(self, part: Model, context: CheckContext) -> Findings:
        """Yield a finding if the expression holds for a card or part.

        What names a card that does not exist or could not be read is reported there, and nothing can be said about it:
        a sum would lack its value.
        """
        if self._used.isdisjoint(broken_fields(part, context)):
            yield from self.judge(names_of_part(part, context), context.scope.budget)

    @cached_property
    def _used(self) -> frozenset[str]:
        """The names that its expressions use."""
        return self.when.reads | self.say.reads | (self.help.reads if self.help else frozenset())

    def judge(self, names: Mapping[str, Any], budget: Budget) -> Findings:
        """Yield a finding if the expression holds for some names.

        An expression that cannot be evaluated is a finding in the game file, unless the card names one that does not
        exist, which is reported there.
        """
        try:
            if self.when.truth(names, budget):
                route, names = self._first_item(names, budget)
                advice = self.help.text(names, budget) if self.help else ""
                yield Finding(self.say.text(names, budget), route, advice)
        except CardgenError as error:
            links = links_in(names)
            for problem in () if links and links.is_broken else error.diagnostics:
                yield Finding(f"the check cannot be evaluated: {problem.message}", place=problem.place)

    def _first_item(self, names: Mapping[str, Any], budget: Budget) -> tuple[KeyPath, Mapping[str, Any]]:
        """Return where to point to, and the names with `item`: the first one for which `any_item` is true.

        Without one, or in another check, it is the list, or the field.
        """
        if self.any_item is not None:
            field = str(self.route[0])
            for index, item in enumerate(names[field] or ()):
                if self.any_item.truth({**names, field: (item,)}, budget):
                    return (field, index), {ITEM: item, **names}
        return self.route, names


# Returns the manual page of a check with a name.
ManualPage: TypeAlias = Callable[[str, CheckSpec, CompiledCheck, GameContext], str]


def compile_checks(context: GameContext, manual_page: ManualPage) -> Iterable[Check]:
    """Return the checks of a game, and report mistakes in them."""
    report_codes(context)
    checks = []
    for name, spec in context.spec.checks.items():
        models, compiled = models_of(spec, name, context), compile_check(name, spec, context)
        if compiled and models:
            manual = partial(manual_page, name, spec, compiled, context)
            severity, confidence = Severity(spec.severity), Confidence(spec.confidence)
            checks.append(Check(spec.code, name, manual, severity, confidence, models, compiled.find))
    return checks


def compile_check(name: str, spec: CheckSpec, context: GameContext) -> CompiledCheck | None:
    """Return a check.

    Return None if there are mistakes in it, which are reported.
    """
    path = ("checks", name)
    compiler, models = FormulaCompiler(context), models_of(spec, name, context, is_silent=True)
    if not models:
        return None
    scope = check_scope(models, context)
    when = compiler.formula(spec.when, (*path, "when"), scope)
    route = _route(spec, name, models, context)
    source = _any_item(spec.when, route) if route else ""
    listed = scope.get(str(route[0])) if route and source else None
    told = {ITEM: listed.items or ANYTHING, **scope} if listed else scope
    say = compiler.words(spec.say, (*path, "say"), told)
    advice = compiler.words(spec.help, (*path, "help"), told) if spec.help else None
    if when is None or say is None or route is None:
        return None
    any_item = compiler.formula(source, (*path, "when"), scope) if source else None
    return CompiledCheck(when, say, advice, route, any_item)


def _any_item(when: str, route: KeyPath) -> str:
    """Return the part of a condition that asks whether it holds for any item of the list at `route`, or ''.

    Copies of members have no places of their own.
    """
    if route == (MEMBERS,):
        return ""
    calls = [*re.finditer(rf"(?<![\w.]){re.escape(str(route[0]))}\.any(?=\()", when)] if len(route) == 1 else []
    if len(calls) != 1 or re.search(r"\bnot\s*\(*$", when[: calls[0].start()]):
        return ""
    depth, quote = 0, ""
    for index in range(calls[0].end(), len(when)):
        letter = when[index]
        quote = ("" if letter == quote else quote) if quote else letter if letter in "'\"" else ""
        depth += 0 if quote else (letter in "([{") - (letter in ")]}")
        if depth == 0 and not quote:
            return when[calls[0].start() : index + 1]
    return ""


def models_of(spec: CheckSpec, name: str, context: GameContext, *, is_silent: bool = False) -> tuple[type[Model], ...]:
    """Return the models that a check looks at.

    They are cards or parts; unknown kinds are reported.
    """
    every: dict[str, type[Model]] = {**context.types, **{kind: each.model for kind, each in context.kinds.items()}}
    for index, kind in enumerate(spec.kind):
        if kind not in every and not is_silent:
            path = ("checks", name, "kind") if len(spec.kind) == 1 else ("checks", name, "kind", index)
            message = f"unknown kind '{kind}'{did_you_mean(kind, every)}"
            context.report(path, message, f"available: {', '.join(every)}")
    return tuple([every[kind] for kind in spec.kind if kind in every])


def _route(spec: CheckSpec, name: str, models: Iterable[type[Model]], context: GameContext) -> KeyPath | None:
    """Return the key path that a finding points to.

    Return None if no such field exists.
    """
    steps: list[str | int] = [int(step) if step.isdecimal() else step for step in _STEP.split(spec.at or "") if step]
    keys = [{field.alias or key for key, field in model.model_fields.items()} for model in models]
    if not steps or all(steps[0] in fields for fields in keys):
        return tuple(steps)
    known = sorted(set().union(*keys))
    message = f"unknown field '{steps[0]}'{did_you_mean(str(steps[0]), known)}"
    context.report(("checks", name, "at"), message, f"available: {', '.join(known)}")
    return None


def report_codes(context: GameContext) -> None:
    """Report duplicate codes, and codes without the prefix of the game."""
    owners = {check.code: f"the limit '{check.name}'" for check in context.limits.checks()}
    for name, each in context.spec.lists.items():
        owners |= {limit_code(limit, context): f"the limits of the list '{name}'" for limit in each.limits.values()}
    for name, spec in context.spec.checks.items():
        path = ("checks", name, "code")
        if context.check_prefix(spec.code, path) and spec.code in owners:
            message = f"duplicate code '{spec.code}', also used by {owners[spec.code]}"
            context.report(path, message, f"use an unused code, such as {_free_code(spec.code, owners, context)}")
        owners.setdefault(spec.code, f"the check '{name}'")


def _free_code(code: str, owners: Mapping[str, str], context: GameContext) -> str:
    used = {*owners, *(spec.code for spec in context.spec.checks.values())}
    family = (f"{code[:3]}{number:02}" for number in range(1, 100))
    return next((free for free in family if free not in used), code)


CARD, KIND, RULINGS, ITEM = "card", "kind", "rulings", "item"


def check_scope(models: Iterable[type[Model]], context: GameContext) -> Mapping[str, Shape]:
    """Return the names that a check of some models can use; all checks of these models share them."""
    every = tuple(models)
    if every not in context.scopes:
        context.scopes[every] = _new_scope(every, context)
    return context.scopes[every]


def _new_scope(every: tuple[type[Model], ...], context: GameContext) -> Mapping[str, Shape]:
    more = {
        RULINGS: Shape(dict.fromkeys(context.spec.rulings, ANYTHING)),
        KIND: ANYTHING,
        CARD: ANYTHING,
    }
    fields = common_scope(linked_shape(model, context.kinds) for model in every)
    if fields is None:
        return AnyNames(more)
    members = _members_shape(every, context)
    return {**more, **fields, **({MEMBERS: members} if members else {})}


def _members_shape(models: Iterable[type[Model]], context: GameContext) -> Shape | None:
    """Return the shape of the members of lists.

    Return None for other cards.
    """
    kinds = [kind for model in models for kind in _member_kinds(model)]
    if not kinds:
        return None
    shapes = [linked_shape(context.kinds[kind].model, context.kinds) for kind in kinds if kind in context.kinds]
    fields = common_scope(shapes)
    return Shape(items=ANYTHING if fields is None else Shape(fields))


def _member_kinds(model: type[Model]) -> tuple[str, ...]:
    """Return the kinds of the members of a list; empty for other cards."""
    first = getattr(model, "MEMBER_KIND", "")
    return getattr(model, "MEMBER_KINDS", (first,) if first else ())


class _LatestNames:
    """Names of the part that was looked at last, for all checks of it, and its fields that name a missing card."""

    part: Model | None = None
    entry: Entry | None = None
    names: Mapping[str, Any] = MappingProxyType({})
    broken: frozenset[str] = frozenset()


def names_of_part(part: Model, context: CheckContext) -> Mapping[str, Any]:
    """Return the names of a card or part, and their values."""
    return _latest_of(part, context).names


def broken_fields(part: Model, context: CheckContext) -> frozenset[str]:
    """Return the fields of a card or part that name a card which is not there."""
    return _latest_of(part, context).broken


def _latest_of(part: Model, context: CheckContext) -> _LatestNames:
    latest = context.scope.memory(_LatestNames)
    if latest.part is not part or latest.entry is not context.entry:
        card, links = context.card or part, CardLinks(partial(_find_card, context))
        around = {CARD: card, RULINGS: context.rulings, KIND: getattr(type(part), "KIND", ""), LINKS: links}
        names = {**own_names(part, links), **around}
        if kinds := _member_kinds(type(part)):
            # The cards that a list names, repeated for copies. Unknown ones are left out.
            lines = [
                (next(filter(None, (_find_card(context, kind, member.card) for kind in kinds)), None), member.qty)
                for member in getattr(part, MEMBERS)
            ]
            names[MEMBERS] = tuple([card for card, qty in lines if card for _ in range(qty)])
        latest.part, latest.entry, latest.names = part, context.entry, names
        named = find_links(part) if context.entry else ()
        known = context.entry.links if context.entry else {}
        latest.broken = frozenset(str(each.key_path[0]) for each in named if (each.kind, each.name) not in known)
    return latest


def own_names(part: Model, links: CardLinks | None = None) -> dict[str, Any]:
    """Return the fields of a card or part by name."""
    return {name: attribute(part, name, links) for name in attribute_names(part)}


def _find_card(context: CheckContext, kind: str, name: str) -> Card | None:
    """Return the card of the game with a kind, and with an id or name, or None."""
    game = context.entry.game if context.entry else ""
    return context.scope.find_card(name, Card, kind, game)


_QUOTED = re.compile(r"'([^']*)'|\{(\w+)\}")
_UNKNOWN = re.compile(r"^unknown | has no ")
_LEFT_BY_STEPS = {"test": ("passed", "rolled"), "call": ("outcome",)}
# An entity of a game file is a section and a name, such as `kinds` and `brave`.
_ENTITY = 2


def own_mistakes(context: GameContext) -> list[Diagnostic]:
    """Return the mistakes that do not just follow from the parts that were left out.

    A mistake follows if it names something that only these parts define. In the same kind, check, or trial, it also
    follows if it names one of their keys.
    """
    gaps = [_Gap(removal, context) for removal in context.removals]
    return [problem for problem in context.problems if not any(gap.causes(problem) for gap in gaps)]


class _Gap:
    """A part of a game file that was left out, and what it defines."""

    def __init__(self, removal: Removal, context: GameContext) -> None:
        self._key_path, value = removal
        self._area = _Area(context, self._key_path[:_ENTITY])
        words, key = frozenset(_words(value)), str(self._key_path[-1])
        # The values that steps leave without naming them.
        keys = {key, *_words(value)}
        self._names = words - _format_words() | frozenset(
            name for step, names in _LEFT_BY_STEPS.items() if step in keys for name in names
        )
        if not any(key in model_keys(model) for model in _models_at(self._key_path[:-1])):
            self._names |= {key}  # a name of the author, and no key of the format
        self._words = words | frozenset(map(str, self._key_path))
        self._hides_names = not (value and isinstance(value, dict | list)) and _contains_names(self._key_path)

    def causes(self, problem: Diagnostic) -> bool:
        """Return whether a mistake only follows from what was left out."""
        message = problem.message.partition("; did you mean ")[0]
        names = {one or other for one, other in _QUOTED.findall(message)}
        is_near = problem.place in self._area
        if self._hides_names and _UNKNOWN.search(message) and (is_near or self._key_path[0] != "trials"):
            return True
        return bool(names & self._names) or bool(names & self._words and is_near)


def _words(data: Data) -> Iterator[str]:
    """Yield all keys and texts in some data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        yield from data
        for value in data.values():
            yield from _words(value)
    elif isinstance(data, list):
        for value in data:
            yield from _words(value)


def _contains_names(key_path: KeyPath) -> bool:
    """Return whether a valid value at a key path would define names."""
    models = _models_at(key_path)
    return any(issubclass(model, FreeKeys) for model in models) or (key_path[0] == "trials" and bool(models))


def _models_at(key_path: KeyPath) -> ModelClasses:
    models: ModelClasses = (GameFile,)
    for step in key_path:
        models = child_models(models, step)
    return models


class _Area:
    """The key at a key path, and everything in its value."""

    def __init__(self, context: GameContext, key_path: KeyPath) -> None:
        extent = context.source_map.document.extent(key_path)
        self._span = extent.span if extent else None

    def __contains__(self, place: Place) -> bool:
        return bool(self._span and place.span and self._span[:2] <= place.span[:2] <= self._span[2:])


class SoundParts:
    """The parts of a game file without mistakes, by their key paths."""

    def __init__(self, context: GameContext) -> None:
        self._context, self._places = context, [problem.place for problem in context.problems]
        self._sound: dict[KeyPath, bool] = {}

    def __contains__(self, key_path: KeyPath) -> bool:
        if key_path not in self._sound:
            self._sound[key_path] = not self._is_faulty(key_path)
        return self._sound[key_path]

    def _is_faulty(self, key_path: KeyPath) -> bool:
        if any(removal.key_path[: len(key_path)] == key_path for removal in self._context.removals):
            return True
        area = _Area(self._context, key_path)
        return any(place in area for place in self._places)


@cache
def _format_words() -> frozenset[str]:
    """Return the words of the format itself: keys, and types of fields."""
    models = tuple(model for _, model in reachable_models((GameFile,)))
    return frozenset({*accepted_keys(models), *FIELD_TYPES})


EXAMPLE_NAME = "Example"
MOST_LETTERS = 1000


def example_data(kind: str, overlay: Mapping[str, Any], context: GameContext) -> dict[str, Any]:
    """Return a kind's example, updated with the keys of a check.

    In a list, each member is laid over the example of its kind.
    """
    spec = context.spec.kinds.get(kind) or context.spec.lists.get(kind)
    name = {} if kind in context.types else {"name": EXAMPLE_NAME}
    data = {**name, **(spec.example if spec else {}), **overlay}
    member_kind = member_kind_of(kind, context)
    if member_kind and isinstance(overlay.get(MEMBERS), list | tuple):
        data[MEMBERS] = [
            example_data(member_kind, each, context) if isinstance(each, dict) else each for each in overlay[MEMBERS]
        ]
    return data


def member_kind_of(kind: str, context: GameContext) -> str:
    """Return the kind of the members of a list.

    Return '' for other kinds.
    """
    model = context.kinds[kind].model if kind in context.kinds else None
    return str(getattr(model, "MEMBER_KIND", ""))


class Samples:
    """Values for the fields of cards that have no example.

    A card is named by the example of its kind; `picture` stands for a picture.
    """

    def __init__(self, context: GameContext, picture: str) -> None:
        self._context, self._picture = context, picture
        self._makers: Mapping[str, Callable[[FieldSpec], Any]] = {
            "integer": lambda spec: math.ceil(_low(spec)),
            "number": _low,
            "length": _low,
            "text": lambda spec: "Example".ljust(min(math.ceil(_low(spec)), MOST_LETTERS), "e")[: _most_letters(spec)],
            "flag": lambda spec: False,
            "choice": lambda spec: next(iter(spec.choices or ()), None),
            "term": lambda spec: next((term.forms[0] for term in context.terms), None),
            "dice": lambda spec: "1d6",
            "colour": lambda spec: "#888888",
            "picture": lambda spec: picture,
            "card": lambda spec: example_name(spec.kind or ""),
            "list": self._list,
            "map": self._map,
        }

    def of_fields(self, fields: Mapping[str, FieldSpec]) -> dict[str, Any]:
        """Return values for the fields that cannot be left out."""
        return {name: self._of(spec) for name, spec in fields.items() if spec.default is None and not spec.optional}

    def _of(self, spec: FieldSpec) -> Any:
        make = self._makers.get(spec.type)
        return make(spec) if make else self._part(spec.type)

    def _part(self, name: str) -> dict[str, Any]:
        spec = self._context.spec.types[name]
        has_name = spec.line is not None and "name" not in spec.fields
        return {**({"name": EXAMPLE_NAME} if has_name else {}), **self.of_fields(spec.fields)}

    def _list(self, spec: FieldSpec) -> list[Any]:
        assert spec.items is not None
        return [self._of(spec.items) for _ in range(_fewest(spec))]

    def _map(self, spec: FieldSpec) -> dict[str, Any]:
        assert spec.items is not None
        count = _fewest(spec)
        keys = spec.keys if spec.keys is not None else [f"{EXAMPLE_NAME} {number + 1}" for number in range(count)]
        return {key: self._of(spec.items) for key in keys[: count or None]}


def example_name(kind: str) -> str:
    """Return the name of the example card of a kind."""
    return f"{EXAMPLE_NAME} {kind}"


def _low(spec: FieldSpec) -> float:
    return spec.min if spec.min is not None else min(1, 1 if spec.max is None else spec.max)


def _fewest(spec: FieldSpec) -> int:
    """Return how many items a list or map must have."""
    return min(max(0, math.ceil(spec.min or 0)), MOST_LETTERS)


def _most_letters(spec: FieldSpec) -> int:
    return MOST_LETTERS if spec.max is None else max(1, math.floor(spec.max))
