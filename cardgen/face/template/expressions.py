"""Types of expressions in templates, and the mistakes that they reveal."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from jinja2 import Environment, nodes
from pydantic import BaseModel

from cardgen.diagnostic import did_you_mean
from cardgen.face.template.wording import (
    arguments_fault,
    operator_fault,
    unknown_entry,
    unknown_field,
    unknown_name,
    visible_fields,
)
from cardgen.model.deck import references_of
from cardgen.validation.base import Model


@dataclass(frozen=True, slots=True)
class ValueType:
    """A type about which nothing is known."""


@dataclass(frozen=True, slots=True)
class ScalarType(ValueType):
    """Text, a number, or a flag; `name` is that of `wording.type_name`."""

    name: str


# Returns the model of a kind of card, or None.
ModelOfKind: TypeAlias = Callable[[str], type[BaseModel] | None]


def _no_model(_: str) -> None:
    return None


@dataclass(frozen=True, slots=True)
class ModelType(ValueType):
    """A card or a part of one, of one of several models, whose fields can name other cards of the game."""

    models: tuple[type[BaseModel], ...]
    model_of: ModelOfKind = field(default=_no_model, compare=False)


@dataclass(frozen=True, slots=True)
class LinkType(ScalarType):
    """The name of a card of one of some kinds: a text that leads to the fields of the card."""

    kinds: tuple[str, ...] = ()
    model_of: ModelOfKind = field(default=_no_model, compare=False)

    @property
    def card(self) -> ValueType:
        """The type of the card."""
        models = [model for kind in self.kinds if (model := self.model_of(kind))]
        return ModelType(tuple(models), self.model_of) if len(models) == len(self.kinds) else UNKNOWN


@dataclass(frozen=True, slots=True)
class ListType(ValueType):
    """A list of items."""

    item: ValueType


@dataclass(frozen=True, slots=True)
class MapType(ValueType):
    """A map with any keys."""

    item: ValueType


@dataclass(frozen=True, slots=True)
class KeysType(ValueType):
    """A map whose keys are known.

    `what` is the word for one of them.
    """

    keys: Mapping[str, ValueType]
    what: str = "key"


@dataclass(frozen=True, slots=True)
class FunctionType(ValueType):
    """A function, macro, or filter.

    `names` are the values that its first argument can have, if they are known.
    """

    name: str
    parameters: tuple[inspect.Parameter, ...]
    names: Callable[[], Iterable[str]] | None = None
    what: str = ""


UNKNOWN = ValueType()
TEXT, NUMBER, FLAG = ScalarType("text"), ScalarType("a number"), ScalarType("true or false")
_SCALARS: Mapping[object, ValueType] = {str: TEXT, int: NUMBER, float: NUMBER, bool: FLAG}
_LISTS = (tuple, list, set, frozenset)


def type_of_annotation(annotation: Any, model_of: ModelOfKind = _no_model) -> ValueType:
    """Return the type of a field with this annotation."""
    annotation = getattr(annotation, "__value__", annotation)  # the value of a type alias
    if annotation in _SCALARS:
        return _SCALARS[annotation]
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return ModelType((annotation,), model_of)
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return type_of_annotation(parts[0], model_of)
    if origin is Literal:
        return TEXT if all(isinstance(part, str) for part in parts) else UNKNOWN
    if origin in (Union, types.UnionType):
        return union([type_of_annotation(part, model_of) for part in parts if part is not type(None)])
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return MapType(type_of_annotation(parts[1], model_of))
    if origin in _LISTS:
        return ListType(union([type_of_annotation(part, model_of) for part in parts if part is not ...]))
    return UNKNOWN


def union(alternatives: list[ValueType]) -> ValueType:
    """Return the type of a value that has one of several types."""
    distinct = list(dict.fromkeys(alternatives)) if all(map(_is_hashable, alternatives)) else alternatives
    if len(distinct) == 1:
        return distinct[0]
    models = [each for each in distinct if isinstance(each, ModelType)]
    if models and len(models) == len(distinct):
        return replace(models[0], models=tuple(model for each in models for model in each.models))
    return UNKNOWN


def _is_hashable(kind: ValueType) -> bool:
    return not isinstance(kind, KeysType)


def type_of_value(value: Any, name: str = "") -> ValueType:
    """Return the type of a value of the context."""
    if type(value) in _SCALARS:
        return _SCALARS[type(value)]
    if isinstance(value, BaseModel):
        return KeysType({field: type_of_value(getattr(value, field), field) for field in visible_fields(type(value))})
    if isinstance(value, Mapping):
        what = {"colours": "color", "fonts": "font", "styles": "style"}.get(name, "key")
        return KeysType({str(key): type_of_value(each) for key, each in value.items()}, what)
    if callable(value):
        try:
            return FunctionType(name, tuple(inspect.signature(value).parameters.values()))
        except (TypeError, ValueError):
            return UNKNOWN
    return UNKNOWN


def field_type(kind: ModelType, name: str) -> ValueType | None:
    """Return the type of a field; None if no model has it.

    What all models have, but templates cannot use, is left to the sandbox. Models that keep unknown keys may have any.
    """
    if hasattr(BaseModel, name) or any(model.model_config.get("extra") == "allow" for model in kind.models):
        return UNKNOWN
    alternatives = [_field_of(model, name, kind.model_of) for model in kind.models if name in visible_fields(model)]
    return union(alternatives) if alternatives else None


def _field_of(model: type[BaseModel], name: str, model_of: ModelOfKind) -> ValueType:
    if name in model.model_fields:
        kind = type_of_annotation(model.model_fields[name].annotation, model_of)
        reference = references_of(model).get(name) if issubclass(model, Model) else None
        return _linked(kind, LinkType(TEXT.name, reference.kinds, model_of)) if reference else kind
    getter = getattr(model, name).fget
    try:
        return type_of_annotation(get_type_hints(getter).get("return"))
    except (NameError, TypeError, AttributeError):
        return UNKNOWN


def _linked(kind: ValueType, link: LinkType) -> ValueType:
    """Return the type of a text, a list, or a map, in which texts are names of cards."""
    if isinstance(kind, ListType | MapType):
        return replace(kind, item=_linked(kind.item, link))
    return link if kind == TEXT else kind


def choices_of(kind: ModelType, name: str) -> tuple[str, ...]:
    """Return the words that a field can be; () if it can be something else."""
    words: list[str] = []
    for model in kind.models:
        info = model.model_fields.get(name)
        own = _words_of(info.annotation) if info else ()
        if not own:
            return ()
        words += own
    return tuple(dict.fromkeys(words))


def _words_of(annotation: Any) -> tuple[str, ...]:
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _words_of(parts[0])
    if origin in (Union, types.UnionType):
        others = [part for part in parts if part is not type(None)]
        return _words_of(others[0]) if len(others) == 1 else ()
    return parts if origin is Literal and all(isinstance(part, str) for part in parts) else ()


# Reports a mistake: line, message, and the wrong word in the line.
Report = Callable[[int, str, str], None]
_ARITHMETIC: dict[type[nodes.Node], str] = {
    nodes.Add: "+", nodes.Sub: "-", nodes.Mul: "*", nodes.Div: "/", nodes.FloorDiv: "//", nodes.Pow: "**",
}  # fmt: skip
_ORDER = {"lt": "<", "gt": ">", "lteq": "<=", "gteq": ">="}
# What Jinja2 sets on filters that take the environment, too.
_PASSES = "jinja_pass_arg"
_GUARDS = ("defined", "undefined")
_DEFAULTS = ("default", "d")


class ExpressionTypes:
    """Types of the expressions of a template.

    Mistakes are reported on the way.

    `lookup` returns the type of a name, or None, and `names` all names and the fields of the card. `guarded` are the
    dotted paths that need not exist.
    """

    def __init__(
        self,
        environment: Environment,
        lookup: Callable[[str], ValueType | None],
        names: Callable[[], tuple[Iterable[str], Iterable[str]]],
        report: Report,
        guarded: frozenset[str] = frozenset(),
    ) -> None:
        self._environment = environment
        self._lookup = lookup
        self._names = names
        self._report = report
        self._guarded = guarded
        # Whether what does not exist is allowed, as before `is defined`.
        self._lenient = 0

    def type_of(self, node: nodes.Node) -> ValueType:
        """Return the type of an expression."""
        visit = getattr(self, "_".join(("", "visit", type(node).__name__.lower())), None)
        return visit(node) if visit else self._visit_other(node)

    def _visit_other(self, node: nodes.Node) -> ValueType:
        if type(node) in _ARITHMETIC:
            return self._arithmetic(node, _ARITHMETIC[type(node)])
        for child in node.iter_child_nodes():
            self.type_of(child)
        return UNKNOWN

    def _mistake(self, node: nodes.Node, message: str, word: str = "") -> None:
        if not self._lenient and dotted_path(node) not in self._guarded:
            self._report(node.lineno, message, word)

    def _visit_name(self, node: nodes.Name) -> ValueType:
        kind = self._lookup(node.name)
        if kind is None:
            names, fields = self._names()
            self._mistake(node, unknown_name(node.name, names, fields), node.name)
        return kind or UNKNOWN

    def _visit_const(self, node: nodes.Const) -> ValueType:
        kinds = {str: TEXT, bool: FLAG, int: NUMBER, float: NUMBER}
        return kinds.get(type(node.value), UNKNOWN)

    def _visit_templatedata(self, _: nodes.TemplateData) -> ValueType:
        return TEXT

    def _visit_concat(self, node: nodes.Concat) -> ValueType:
        for part in node.nodes:
            self.type_of(part)
        return TEXT

    def _visit_list(self, node: nodes.List) -> ValueType:
        return ListType(self._all([*node.items]))

    def _visit_tuple(self, node: nodes.Tuple) -> ValueType:
        return ListType(self._all([*node.items]))

    def _all(self, items: list[nodes.Expr]) -> ValueType:
        return union([self.type_of(item) for item in items])

    def _visit_condexpr(self, node: nodes.CondExpr) -> ValueType:
        self.type_of(node.test)
        kinds = [self.type_of(node.expr1)]
        if node.expr2 is None:
            return UNKNOWN
        return union([*kinds, self.type_of(node.expr2)])

    def _visit_or(self, node: nodes.Or) -> ValueType:
        return union([self.type_of(node.left), self.type_of(node.right)])

    def _visit_and(self, node: nodes.And) -> ValueType:
        self.type_of(node.left)
        return self.type_of(node.right)

    def _visit_getattr(self, node: nodes.Getattr) -> ValueType:
        return self._part(node, self.type_of(node.node), node.attr)

    def _visit_getitem(self, node: nodes.Getitem) -> ValueType:
        owner = self.type_of(node.node)
        if isinstance(node.arg, nodes.Const) and isinstance(node.arg.value, str):
            return self._part(node, owner, node.arg.value)
        self.type_of(node.arg)
        if isinstance(owner, ListType):
            return owner if isinstance(node.arg, nodes.Slice) else owner.item
        return owner.item if isinstance(owner, MapType) else UNKNOWN

    def _part(self, node: nodes.Expr, owner: ValueType, name: str) -> ValueType:
        if isinstance(owner, LinkType) and not hasattr(str, name):
            owner = owner.card
        if isinstance(owner, ModelType):
            kind = field_type(owner, name)
            if kind is None:
                self._mistake(node, unknown_field(name, owner.models), name)
            return kind or UNKNOWN
        if isinstance(owner, KeysType):
            if name not in owner.keys and name not in _MAP_METHODS:
                self._mistake(node, unknown_entry(name, owner.keys, owner.what), name)
            return owner.keys.get(name, UNKNOWN)
        if isinstance(owner, ListType) and name not in _LIST_METHODS:
            self._mistake(node, f"a list has no field '{name}'; loop over it, or take one item, such as [0]", name)
        if isinstance(owner, ScalarType) and not (hasattr(str, name) or hasattr(int, name) or hasattr(float, name)):
            self._mistake(node, f"unknown field '{name}' of {owner.name}", name)
        return owner.item if isinstance(owner, MapType) and name not in _MAP_METHODS else UNKNOWN

    def _visit_call(self, node: nodes.Call) -> ValueType:
        function = self.type_of(node.node)
        kinds = [self.type_of(argument) for argument in node.args]
        for keyword in node.kwargs:
            self.type_of(keyword.value)
        if isinstance(function, FunctionType):
            self._check_arguments(node, function, len(kinds))
            self._check_first(node, function)
        elif isinstance(function, ScalarType | ModelType | ListType):
            name = function.name if isinstance(function, ScalarType) else "a field"
            self._mistake(node, f"{name} cannot be called; remove the parentheses")
        return UNKNOWN

    def _check_arguments(self, node: nodes.Call | nodes.Filter, function: FunctionType, given: int) -> None:
        if node.dyn_args is not None or node.dyn_kwargs is not None:
            return
        what = f"{function.what or 'function'} '{function.name}'"
        fault = arguments_fault(what, function.parameters, given, tuple(str(each.key) for each in node.kwargs))
        if fault:
            self._mistake(node, fault, function.name)

    def _check_first(self, node: nodes.Call, function: FunctionType) -> None:
        """Check a constant name, such as that of an icon."""
        first = node.args[0] if node.args else None
        if function.names is None or not isinstance(first, nodes.Const) or not isinstance(first.value, str):
            return
        names = tuple(function.names())
        if first.value not in names:
            self._mistake(
                node, f"unknown {function.name} '{first.value}'{did_you_mean(first.value, names)}", first.value
            )

    def _visit_filter(self, node: nodes.Filter) -> ValueType:
        guarded = node.name in _DEFAULTS
        self._lenient += guarded
        if node.node is not None:
            self.type_of(node.node)
        self._lenient -= guarded
        self.check_filter(node)
        return _RESULTS.get(node.name, UNKNOWN)

    def check_filter(self, node: nodes.Filter) -> None:
        """Check the name and the arguments of a filter."""
        for argument in (*node.args, *(each.value for each in node.kwargs)):
            self.type_of(argument)
        function = self._environment.filters.get(node.name)
        if function is None:
            names = self._environment.filters
            self._mistake(node, f"unknown filter '{node.name}'{did_you_mean(node.name, names)}", node.name)
            return
        try:
            parameters = tuple(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            return
        passed = 1 + hasattr(function, _PASSES)
        self._check_arguments(node, FunctionType(node.name, parameters[passed:], what="filter"), len(node.args))

    def _visit_test(self, node: nodes.Test) -> ValueType:
        guarded = node.name in _GUARDS
        self._lenient += guarded
        self.type_of(node.node)
        self._lenient -= guarded
        for argument in node.args:
            self.type_of(argument)
        if node.name not in self._environment.tests:
            names = self._environment.tests
            self._mistake(node, f"unknown test '{node.name}'{did_you_mean(node.name, names)}", node.name)
        return FLAG

    def _arithmetic(self, node: nodes.Node, sign: str) -> ValueType:
        left, right = (self.type_of(child) for child in node.iter_child_nodes())
        if isinstance(left, ScalarType) and isinstance(right, ScalarType) and not _fit(sign, left, right):
            self._mistake(node, operator_fault(sign, left.name, right.name))
        return left if left == right and left in (TEXT, NUMBER) else UNKNOWN

    def _visit_compare(self, node: nodes.Compare) -> ValueType:
        left = self.type_of(node.expr)
        for operand in node.ops:
            right = self.type_of(operand.expr)
            mixed = {left, right} == {TEXT, NUMBER} if left in (TEXT, NUMBER) and right in (TEXT, NUMBER) else False
            if operand.op in _ORDER and mixed and isinstance(left, ScalarType) and isinstance(right, ScalarType):
                self._mistake(node, f"{left.name} cannot be compared with {right.name}")
            left = right
        self._check_choices(node)
        return FLAG

    def _check_choices(self, node: nodes.Compare) -> None:
        """Report each text that a choice is compared with, but cannot be."""
        owner = self._silently(node.expr.node) if isinstance(node.expr, nodes.Getattr) else UNKNOWN
        words = choices_of(owner, node.expr.attr) if isinstance(owner, ModelType) else ()  # type: ignore[attr-defined]
        for operand in node.ops[:1] if words else ():
            items = operand.expr.items if isinstance(operand.expr, nodes.List | nodes.Tuple) else [operand.expr]
            texts = [each.value for each in items if isinstance(each, nodes.Const) and isinstance(each.value, str)]
            for text in texts if operand.op in ("eq", "ne", "in", "notin") else ():
                if text not in words:
                    message = f"'{node.expr.attr}' cannot be '{text}'"  # type: ignore[attr-defined]
                    self._mistake(node, f"{message}{did_you_mean(text, words)}", text)

    def _silently(self, node: nodes.Node) -> ValueType:
        self._lenient += 1
        kind = self.type_of(node)
        self._lenient -= 1
        return kind


def dotted_path(node: nodes.Node) -> str:
    """Return names and fields as they are written, such as 'card.stats.mind', or ''."""
    if isinstance(node, nodes.Name):
        return str(node.name)
    if isinstance(node, nodes.Getattr):
        owner = dotted_path(node.node)
        return f"{owner}.{node.attr}" if owner else ""
    return ""


def guarded_paths(tree: nodes.Template) -> frozenset[str]:
    """Return what a template tests with `is defined`, or gives a default."""
    tests = (node.node for node in tree.find_all(nodes.Test) if node.name in _GUARDS)
    defaults = (node.node for node in tree.find_all(nodes.Filter) if node.name in _DEFAULTS and node.node is not None)
    return frozenset(map(dotted_path, (*tests, *defaults))) - {""}


def _fit(sign: str, left: ScalarType, right: ScalarType) -> bool:
    """Return whether an operator works with two values."""
    if TEXT not in (left, right):
        return True
    return left == right if sign == "+" else sign == "*" and left != right


_MAP_METHODS = frozenset({"get", "items", "keys", "values"})
_LIST_METHODS = frozenset({"count", "index"})
_RESULTS: dict[str, ValueType] = {
    "upper": TEXT, "lower": TEXT, "title": TEXT, "capitalize": TEXT, "trim": TEXT, "join": TEXT, "replace": TEXT,
    "string": TEXT, "length": NUMBER, "count": NUMBER, "int": NUMBER, "float": NUMBER, "round": NUMBER,
}  # fmt: skip
