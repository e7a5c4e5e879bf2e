"""Expressions of a game file, compiled once over the fields of cards.

Mistakes are located, and modules that compile the parts of a game file share its state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, Severity
from cardgen.game_file.line_format import LimitBook
from cardgen.game_file.spec import GameFile
from cardgen.model.card import Card
from cardgen.model.deck import reference_keys
from cardgen.rulesets.ruleset import GlossaryTerm, Kind
from cardgen.runtime.workspace import Budget, BudgetError
from cardgen.sandbox.expression import Expression, ExpressionError, TextTemplate
from cardgen.sandbox.frames import ANYTHING, Shape
from cardgen.sandbox.values import LinkedName, describe_kind, text_of
from cardgen.source import KeyPath
from cardgen.units import shorten
from cardgen.validation.base import Model, SourceMap, once_per_model
from cardgen.validation.validate import Removal

if TYPE_CHECKING:
    from cardgen.sandbox.expression import ExpressionError
    from cardgen.sandbox.frames import Shape


@dataclass
class GameContext:
    """A game file on its way to a Ruleset.

    `folder` contains the file. `types` and `kinds` fill up while the file is read: first the parts, then the kinds.
    `limits` are the codes of all bounds so far, and `card_kinds` the kinds that fields name. Mistakes are collected in
    `problems`. `removals` are the parts of the file that were left out because their form is not valid. What a file
    has that `is_tested` is compiled at its first use. `scopes` are the names that checks can use, by the models of the
    checks.
    """

    spec: GameFile
    source_map: SourceMap
    folder: Path
    terms: tuple[GlossaryTerm, ...] = ()
    types: dict[str, type[Model]] = field(default_factory=dict)
    kinds: dict[str, Kind] = field(default_factory=dict)
    card_kinds: list[tuple[KeyPath, str]] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)
    removals: tuple[Removal, ...] = ()
    is_tested: bool = False
    scopes: dict[tuple[type[Model], ...], Mapping[str, Shape]] = field(default_factory=dict)
    limits: LimitBook = field(init=False)

    def __post_init__(self) -> None:
        self.limits = LimitBook(self.spec.prefix, self.spec.name)

    @cached_property
    def term_forms(self) -> frozenset[str]:
        """All forms of the terms in the glossary."""
        return frozenset(form for term in self.terms for form in term.forms)

    def place(self, key_path: KeyPath, *, key: bool = False) -> Place:
        """Return the place of a value in the file, or of its key."""
        return self.source_map.place(key_path, key=key)

    def report(
        self,
        key_path: KeyPath,
        message: str,
        help_text: str = "",
        *,
        key: bool = False,
        code: str = Code.INVALID_GAME,
        severity: Severity = Severity.ERROR,
    ) -> None:
        """Add a mistake at a key path of the file, or at its key."""
        self.problems.append(Diagnostic(code, message, self.place(key_path, key=key), help_text, severity))

    def check_prefix(self, code: str | None, key_path: KeyPath) -> bool:
        """Return whether a code begins with the game's prefix, and report it if it does not."""
        prefix = self.spec.prefix
        if not code or code.startswith(prefix):
            return True
        self.report(key_path, f"the code must begin with the game's prefix, {prefix}", f"write {prefix}{code[2:]}")
        return False

    def place_in_text(self, key_path: KeyPath, text: str, start: int, end: int) -> Place:
        """Return the place of a part of a text in the file.

        If it cannot be located, return that of the whole text.
        """
        part = self.source_map.document.place_of_substring(self.source_map.source_path(key_path), text, start, end)
        return part or self.place(key_path)

    def report_in_text(self, key_path: KeyPath, text: str, error: ExpressionError) -> None:
        """Add a mistake in an expression or template at its place in the file."""
        place = self.place_in_text(key_path, text, error.start, error.end)
        self.problems.append(Diagnostic(Code.INVALID_GAME, error.message, place))


# Largest whole number that a step can use.
MOST = 1_000_000
# The place of some characters of an expression: all of them from 0 to its length.
Locate: TypeAlias = Callable[[int, int], Place]


@dataclass(frozen=True, eq=False)
class Located:
    """A compiled expression or text, and the place of its characters."""

    program: Expression | TextTemplate
    locate: Locate

    @property
    def reads(self) -> frozenset[str]:
        """The names in it."""
        return self.program.names

    def value(self, names: Mapping[str, Any], budget: Budget | None = None) -> Any:
        """Return its value.

        Raises CardgenError, located in the game file, if it has none.
        """
        try:
            return self.program.evaluate(names, budget, links_in(names))
        except ExpressionError as error:
            raise CardgenError(self.problem(error.message, error.start, error.end)) from None
        except BudgetError as error:
            raise CardgenError(self.problem(str(error))) from None

    def problem(self, message: str, start: int = 0, end: int = 0) -> Diagnostic:
        """Return the diagnostic for a mistake in it."""
        return Diagnostic(Code.INVALID_GAME, message, self.locate(start, end or len(self.program.source)))


class Formula(Located):
    """An expression."""

    def truth(self, names: Mapping[str, Any], budget: Budget | None = None) -> bool:
        """Return whether it holds."""
        return bool(self.value(names, budget))

    def whole(self, names: Mapping[str, Any], budget: Budget | None = None, low: int = -MOST, high: int = MOST) -> int:
        """Return its value as a whole number from `low` to `high`.

        Raises CardgenError for anything else.
        """
        value = self.value(names, budget)
        number = int(value) if isinstance(value, float) and value.is_integer() else value
        if isinstance(number, bool) or not isinstance(number, int):
            shown = describe_kind(value) if not isinstance(value, float) else text_of(value)
            raise CardgenError(self.problem(f"must be a whole number, not {shown}"))
        if not low <= number <= high:
            raise CardgenError(self.problem(f"must be between {low} and {high}, not {shorten(str(number))}"))
        return number


class Words(Located):
    """A text with `{{ }}`."""

    def text(self, names: Mapping[str, Any], budget: Budget | None = None) -> str:
        """Return the text on one line."""
        return " ".join(str(self.value(names, budget)).split())


# With more mistakes than this, further expressions are not read.
_MOST_PROBLEMS = 200
_MOST_NAMES = 30
_Kind = TypeVar("_Kind", bound=Located)


class FormulaCompiler:
    """Compiler of expressions and texts; mistakes go to the context."""

    def __init__(self, context: GameContext) -> None:
        self._context = context

    def formula(self, source: str, path: KeyPath, scope: Mapping[str, Shape]) -> Formula | None:
        """Return an expression that uses the names of a scope.

        Return None if it is not valid.
        """
        return self._compile(Formula, Expression, source, path, scope)

    def words(self, source: str, path: KeyPath, scope: Mapping[str, Shape]) -> Words | None:
        """Return a text that uses the names of a scope.

        Return None if it is not valid.
        """
        return self._compile(Words, TextTemplate, source, path, scope)

    def _compile(
        self,
        kind: type[_Kind],
        program: type[Expression] | type[TextTemplate],
        source: str,
        path: KeyPath,
        scope: Mapping[str, Shape],
    ) -> _Kind | None:
        if len(self._context.problems) > _MOST_PROBLEMS:
            return None
        if self._context.is_tested:
            return kind(program(source, at_once=False), partial(self._place, path, source))
        try:
            compiled = kind(program(source), partial(self._place, path, source))
        except ExpressionError as error:
            self._report(error, path, source)
            return None
        problems = list(compiled.program.problems(scope))
        more = ", …" * (len(scope) > _MOST_NAMES)
        for problem in problems:
            self._report(problem, path, source, f"available: {', '.join(list(scope)[:_MOST_NAMES])}{more}")
        return None if problems else compiled

    def _report(self, error: ExpressionError, path: KeyPath, source: str, help_text: str = "") -> None:
        place = self._place(path, source, error.start, error.end)
        advice = "" if "did you mean" in error.message else help_text
        self._context.problems.append(Diagnostic(Code.INVALID_GAME, error.message, place, advice))

    def _place(self, path: KeyPath, source: str, start: int, end: int) -> Place:
        """Return the place of some characters of an expression.

        If it is written with escapes, return that of the whole expression.
        """
        is_part = 0 < end - start < len(source)
        return self._context.place_in_text(path, source, start, end) if is_part else self._context.place(path)


# The key of the names of an expression that holds its links; no name in an expression can be the same.
LINKS = " links"
# Returns the card of a kind with an id or name.
FindCard: TypeAlias = Callable[[str, str], Card | None]


class CardLinks:
    """Finds the cards that are named by fields.

    `is_broken` says that a card was not found, which is reported where it is named.
    """

    def __init__(self, find: FindCard) -> None:
        self._find = find
        self.is_broken = False

    def __call__(self, owner: BaseModel, field: str, value: Any) -> Any:
        """Return the value of a field; names of cards become names with a card."""
        kind = reference_keys(type(owner)).get(field) if isinstance(owner, Model) else None
        if kind is None:
            return value
        return tuple(self._link(kind, each) for each in value) if isinstance(value, tuple) else self._link(kind, value)

    def _link(self, kind: str, name: Any) -> Any:
        if not isinstance(name, str):
            return name
        card = self._find(kind, name)
        self.is_broken |= card is None
        return LinkedName(name, lambda: card)


def links_in(names: Mapping[str, Any]) -> CardLinks | None:
    """Return the links of the names of an expression, if they have any."""
    return names.get(LINKS)


_PLAIN = (str, int, float, bool, NoneType)


class AnyNames(dict[str, Shape]):
    """Scope of cards that keep unknown keys: it contains every name."""

    def __contains__(self, name: object) -> bool:
        return True


@once_per_model
def shape_of_model(model: type[Model]) -> Shape:
    """Return the shape of cards or parts of a model.

    One that keeps unknown keys can have any name.
    """
    if model.model_config.get("extra") == "allow":
        return ANYTHING
    return Shape({field.alias or name: _shape_of(field.annotation) for name, field in model.model_fields.items()})


def linked_shape(model: type[Model], kinds: Mapping[str, Kind]) -> Shape:
    """Return the shape of cards or parts of a model whose fields lead to the cards that they name."""
    shape, links = shape_of_model(model), reference_keys(model)
    if shape.fields is None or not links:
        return shape
    fields = {key: _link_shape(key, links, shape, kinds) for key in links}
    return Shape({**shape.fields, **fields})


def _link_shape(key: str, links: Mapping[str, str], owner: Shape, kinds: Mapping[str, Kind]) -> Shape:
    kind = kinds.get(links[key])
    if kind is None or kind.model.model_config.get("extra") == "allow":
        return ANYTHING
    card = Shape(_LinkedFields(kind.model, kinds))
    return Shape(items=card) if owner.fields and owner.fields[key].items else card


class _LinkedFields(Mapping[str, Shape]):
    """The fields of a card that another card names; they are computed on demand, since cards can name each other."""

    def __init__(self, model: type[Model], kinds: Mapping[str, Kind]) -> None:
        self._model, self._kinds = model, kinds

    @cached_property
    def _fields(self) -> Mapping[str, Shape]:
        return linked_shape(self._model, self._kinds).fields or {}

    def __getitem__(self, name: str) -> Shape:
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)


def _shape_of(annotation: Any) -> Shape:
    """Return the shape of the values of a field."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _shape_of(arguments[0])
    if origin in (Union, UnionType):
        shapes = [_shape_of(each) for each in arguments if each is not NoneType]
        return shapes[0] if len(shapes) == 1 else ANYTHING
    if origin is tuple and len(arguments) == 2 and arguments[1] is ...:
        return Shape(items=_shape_of(arguments[0]))
    if isinstance(annotation, type) and issubclass(annotation, Model):
        return shape_of_model(annotation)
    if origin is Literal and all(isinstance(each, str) for each in arguments):
        return Shape({}, words=arguments)
    return Shape({}) if annotation in _PLAIN else ANYTHING


def scope_of_model(model: type[Model], kinds: Mapping[str, Kind]) -> Mapping[str, Shape]:
    """Return the variables in a text of a card: its fields, which lead to the cards that they name.

    A model that keeps unknown keys has any name.
    """
    fields = linked_shape(model, kinds).fields
    return AnyNames() if fields is None else fields


def common_scope(shapes: Iterable[Shape]) -> Mapping[str, Shape] | None:
    """Return the names that all shapes have.

    Return None if any can have any name.
    """
    every = [shape.fields for shape in shapes]
    if not every or any(fields is None for fields in every):
        return None
    first, *others = [dict(fields) for fields in every if fields is not None]
    shared = {name: shape for name, shape in first.items() if all(name in fields for fields in others)}
    # A shape with the words of all, if all are known.
    found = {}
    for name, shape in shared.items():
        words = [each.words for each in (shape, *[fields[name] for fields in others])]
        known = [each for each in words if each is not None]
        found[name] = shape._replace(words=tuple(dict.fromkeys(chain(*known))) if len(known) == len(words) else None)
    return found
