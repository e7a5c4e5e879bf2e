"""Syntax trees compiled to closures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from math import isfinite
from typing import Any, TypeAlias

from jinja2 import TemplateRuntimeError, nodes

from cardgen.diagnostic import did_you_mean
from cardgen.sandbox.frames import Frame, ItemFrame, LocalFrame
from cardgen.sandbox.functions import (
    AGGREGATES,
    FILTERS,
    FUNCTIONS,
    READERS,
    TESTS,
    TEXT_METHODS,
    calculate,
    call_method,
    compare,
    size_of_arguments,
)
from cardgen.sandbox.scope import path_of
from cardgen.sandbox.values import (
    MAX_WEIGHT,
    MISSING,
    ExpressionError,
    Links,
    attribute,
    cost_of_comparing,
    describe_kind,
    items_of,
    require_attribute,
    require_number,
    require_small,
    size_of,
    suggest,
    text_of,
)
from cardgen.source.composer import describe_character, find_unprintable

# Facts about the nodes of Jinja2's parser.


def nodes_in(node: nodes.Node) -> int:
    """Return the number of nodes in an expression.

    This is the cost of an evaluation without its calls.
    """
    return 1 + sum(1 for _ in node.find_all(nodes.Node))


# Compiles the nodes of Jinja2's parser to closures that count their steps.
# Jinja2 itself compiles templates to Python, whose time and memory only another process can limit. Closures count
# what they do, so expressions of strangers need no process of their own.

_MAX_DEPTH = 50
# Name of the method that compiles a class of nodes.
_METHOD = "_compile_{}"


Run: TypeAlias = Callable[[Frame], Any]

_SYMBOLS = {"eq": "==", "ne": "!=", "lt": "<", "lteq": "<=", "gt": ">", "gteq": ">=", "in": "in", "notin": "not in"}


class Compiler:
    """Compiler of expressions; raises ExpressionError for what they cannot contain."""

    def __init__(self) -> None:
        self._depth = 0

    @contextmanager
    def _level(self) -> Iterator[None]:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise ExpressionError("nested too deeply")
        yield
        self._depth -= 1

    def compile(self, node: nodes.Node, *, lenient: bool = False) -> Run:
        """Return the closure of an expression.

        If it is lenient, an unknown name gives MISSING instead of an error.
        """
        method = getattr(self, _METHOD.format(type(node).__name__.lower()), None)
        if method is None:
            raise ExpressionError(f"'{type(node).__name__.lower()}' cannot be used in expressions")
        with self._level():
            if isinstance(node, nodes.Name | nodes.Getattr | nodes.Getitem):
                return method(node, lenient)  # type: ignore[no-any-return]
            return method(node)  # type: ignore[no-any-return]

    def _all(self, parts: Iterable[nodes.Node]) -> list[Run]:
        return [self.compile(part) for part in parts]

    def _compile_const(self, node: nodes.Const) -> Run:
        value = node.value
        if isinstance(value, float | complex) and not isfinite(abs(value)):
            raise ExpressionError("a number is too large")
        if isinstance(value, str) and (found := find_unprintable(value)):
            raise ExpressionError(f"escape sequence produces an unprintable character: {describe_character(found[0])}")
        return lambda frame: value

    def _compile_templatedata(self, node: nodes.TemplateData) -> Run:
        text = node.data
        return lambda frame: text

    def _compile_name(self, node: nodes.Name, lenient: bool) -> Run:
        name = node.name

        def run(frame: Frame) -> Any:
            value = frame.find(name)
            if value is MISSING and not lenient:
                raise ExpressionError(f"unknown name '{name}'{suggest(name, tuple(frame.known()))}", name)
            return value

        return run

    def _compile_getattr(self, node: nodes.Getattr, lenient: bool) -> Run:
        owner, name, path = self.compile(node.node, lenient=lenient), node.attr, path_of(node.node)
        if lenient:
            return lambda frame: attribute(owner(frame), name, frame.links)
        return lambda frame: require_attribute(owner(frame), name, path, frame.links)

    def _compile_getitem(self, node: nodes.Getitem, lenient: bool) -> Run:
        if isinstance(node.arg, nodes.Slice):
            return self._slice(node)
        owner, key, path = self.compile(node.node, lenient=lenient), self.compile(node.arg), path_of(node.node)
        return lambda frame: _item(owner(frame), key(frame), path, lenient, frame.links)

    def _slice(self, node: nodes.Getitem) -> Run:
        parts = (node.arg.start, node.arg.stop, node.arg.step)  # type: ignore[attr-defined]
        owner, bounds = self.compile(node.node), self._all(part or nodes.Const(None) for part in parts)

        def run(frame: Frame) -> Any:
            value, numbers = owner(frame), [bound(frame) for bound in bounds]
            if not isinstance(value, str | list | tuple):
                raise ExpressionError(f"'[ : ]' needs a list or a text, not {describe_kind(value)}")
            if any(type(number) not in (int, type(None)) for number in numbers) or numbers[2] == 0:
                raise ExpressionError("'[ : ]' needs whole numbers")
            part = value[slice(*numbers)]
            frame.meter.spend(len(part))
            return part

        return run

    def _compile_list(self, node: nodes.List) -> Run:
        items = self._all(node.items)
        return lambda frame: _counted(frame, [item(frame) for item in items])

    def _compile_tuple(self, node: nodes.Tuple) -> Run:
        items = self._all(node.items)
        return lambda frame: _counted(frame, tuple([item(frame) for item in items]))

    def _compile_dict(self, node: nodes.Dict) -> Run:
        pairs = [(self.compile(pair.key), self.compile(pair.value)) for pair in node.items]
        return lambda frame: _counted(frame, {text_of(key(frame)): value(frame) for key, value in pairs})

    def _compile_not(self, node: nodes.Not) -> Run:
        value = self.compile(node.node)
        return lambda frame: not value(frame)

    def _compile_and(self, node: nodes.And) -> Run:
        left, right = self._all((node.left, node.right))
        return lambda frame: left(frame) and right(frame)

    def _compile_or(self, node: nodes.Or) -> Run:
        left, right = self._all((node.left, node.right))
        return lambda frame: left(frame) or right(frame)

    def _compile_condexpr(self, node: nodes.CondExpr) -> Run:
        test, first = self._all((node.test, node.expr1))
        second = self.compile(node.expr2 or nodes.Const(None))
        return lambda frame: first(frame) if test(frame) else second(frame)

    def _compile_neg(self, node: nodes.Neg) -> Run:
        value = self.compile(node.node)
        return lambda frame: -require_number(value(frame), "-")

    def _compile_pos(self, node: nodes.Pos) -> Run:
        value = self.compile(node.node)
        return lambda frame: require_number(value(frame), "+")

    def _binary(self, node: nodes.BinExpr) -> Run:
        left, right = self._all((node.left, node.right))
        symbol = node.operator
        return lambda frame: _counted(frame, calculate(symbol, left(frame), right(frame)))

    _compile_add = _compile_sub = _compile_mul = _compile_div = _compile_floordiv = _compile_mod = _binary
    _compile_pow = _binary

    def _compile_concat(self, node: nodes.Concat) -> Run:
        parts = self._all(node.nodes)

        def run(frame: Frame) -> str:
            texts = [text_of(part(frame)) for part in parts]
            frame.meter.spend(sum(map(len, texts)))
            return require_small("".join(texts))  # type: ignore[no-any-return]

        return run

    def _compile_compare(self, node: nodes.Compare) -> Run:
        first = self.compile(node.expr)
        steps = [(_SYMBOLS[each.op], self.compile(each.expr)) for each in node.ops]

        def run(frame: Frame) -> bool:
            left = first(frame)
            for symbol, operand in steps:
                right = operand(frame)
                frame.meter.spend(cost_of_comparing(left) + cost_of_comparing(right))
                if not compare(symbol, left, right):
                    return False
                left = right
            return True

        return run

    def _compile_filter(self, node: nodes.Filter) -> Run:
        if node.node is None:
            raise ExpressionError("a filter needs a value")
        if node.name in ("default", "d"):
            return self._default(node)
        apply = _function(FILTERS, node.name, "filter")
        return self._call(apply, node.name, [node.node, *node.args], node)

    def _default(self, node: nodes.Filter) -> Run:
        """Compile a value with a default, which also replaces nothing."""
        value = self.compile(node.node, lenient=True)  # type: ignore[arg-type]
        default = self.compile(node.args[0] if node.args else nodes.Const(""))
        return lambda frame: default(frame) if (found := value(frame)) is None or found is MISSING else found

    def _compile_test(self, node: nodes.Test) -> Run:
        if node.name in ("defined", "undefined"):
            value, wanted = self.compile(node.node, lenient=True), node.name == "undefined"
            return lambda frame: (value(frame) is MISSING) is wanted
        return self._call(_function(TESTS, node.name, "test"), node.name, [node.node, *node.args], node)

    def _compile_call(self, node: nodes.Call) -> Run:
        target = node.node
        if isinstance(target, nodes.Name):
            return self._call(_function(FUNCTIONS, target.name, "function"), target.name, node.args, node)
        if not isinstance(target, nodes.Getattr):
            raise ExpressionError("only functions can be called")
        if target.attr in AGGREGATES and len(node.args) <= 1 and not node.kwargs:
            return self._aggregate(target, node.args)
        if target.attr not in TEXT_METHODS:
            known = (*AGGREGATES, *TEXT_METHODS)
            raise ExpressionError(f"unknown function '{target.attr}'{did_you_mean(target.attr, known)}", target.attr)

        def apply(owner: Any, *args: Any) -> Any:
            return call_method(owner, target.attr, args)

        return self._call(apply, target.attr, [target.node, *node.args], node)

    def _aggregate(self, target: nodes.Getattr, args: list[nodes.Expr]) -> Run:
        """Compile 'members.sum(points)', whose argument is evaluated for each item."""
        owner, name = self.compile(target.node), target.attr
        value = self.compile(args[0]) if args else None
        cost = nodes_in(args[0]) + 2 if args else 1

        def run(frame: Frame) -> Any:
            items = items_of(owner(frame), name)
            frame.meter.spend(cost * len(items))
            values = items if value is None else [value(ItemFrame(item, frame)) for item in items]
            return _counted(frame, AGGREGATES[name](values, value is not None))

        return run

    def _call(
        self, apply: Callable[..., Any], name: str, args: list[nodes.Expr], node: nodes.Call | nodes.Filter | nodes.Test
    ) -> Run:
        if node.dyn_args or node.dyn_kwargs:
            raise ExpressionError("'*' cannot be used in expressions")
        values, keywords = self._all(args), {str(pair.key): self.compile(pair.value) for pair in node.kwargs}
        is_reader = name in READERS

        def run(frame: Frame) -> Any:
            positional = [value(frame) for value in values]
            named = {key: value(frame) for key, value in keywords.items()}
            frame.meter.spend(size_of_arguments(name, positional) + sum(map(size_of, named.values())))
            try:
                result = apply(*((frame,) if is_reader else ()), *positional, **named)
            except ExpressionError:
                raise
            except TemplateRuntimeError as error:
                raise ExpressionError(str(error), name) from None
            except (TypeError, ValueError, ArithmeticError):
                raise ExpressionError(f"'{name}' cannot be used with these values", name) from None
            return _counted(frame, result)

        return run


def _function(table: Mapping[str, Any], name: str, what: str) -> Any:
    if name not in table:
        raise ExpressionError(f"unknown {what} '{name}'{did_you_mean(name, table)}", name)
    return table[name]


def _counted(frame: Frame, value: Any) -> Any:
    """Return a new value, whose parts count as steps."""
    frame.meter.spend(size_of(value))
    return require_small(value)


def _item(owner: Any, key: Any, path: str, lenient: bool, links: Links | None) -> Any:
    if isinstance(owner, str | list | tuple) and type(key) is int:
        if -len(owner) <= key < len(owner):
            return owner[key]
        if lenient:
            return MISSING
        raise ExpressionError(f"'{path}' has {len(owner)} items, so item {key} does not exist")
    name = text_of(key)
    return attribute(owner, name, links) if lenient else require_attribute(owner, name, path, links)


# Compiler of texts with `{{ }}` and statements to closures.
# The statements are `{% if %}`, `{% for %}`, and `{% set %}`.

# Appends to the parts of the text, and returns the frame for what follows.
_Step: TypeAlias = Callable[[Frame, list[str]], Frame]


class StatementCompiler(Compiler):
    """Compiler of texts."""

    def compile_body(self, body: list[nodes.Node]) -> Run:
        """Return a closure that returns the text of statements."""
        steps = self._steps(body)

        def run(frame: Frame) -> str:
            parts: list[str] = []
            _run_all(steps, frame, parts)
            return "".join(parts)

        return run

    def _steps(self, body: list[nodes.Node]) -> list[_Step]:
        with self._level():
            return [self._step(node) for node in body]

    def _step(self, node: nodes.Node) -> _Step:
        if isinstance(node, nodes.Output):
            return self._output(node)
        if isinstance(node, nodes.If):
            return self._if(node)
        if isinstance(node, nodes.For) and not node.recursive and node.test is None:
            return self._for(node)
        if isinstance(node, nodes.Assign) and isinstance(node.target, nodes.Name):
            return self._assign(node.target.name, self.compile(node.node))
        raise ExpressionError("only {{ }}, {% if %}, {% for %}, and {% set %} can be used here")

    def _output(self, node: nodes.Output) -> _Step:
        values = self._all(node.nodes)

        def step(frame: Frame, parts: list[str]) -> Frame:
            for value in values:
                text = text_of(value(frame))
                frame.meter.spend(len(text))
                parts.append(text)
            if sum(map(len, parts)) > MAX_WEIGHT:
                raise ExpressionError(f"a text cannot have more than {MAX_WEIGHT:,} characters")
            return frame

        return step

    def _if(self, node: nodes.If) -> _Step:
        branches = [(self.compile(each.test), self._steps(each.body)) for each in (node, *node.elif_)]
        otherwise = self._steps(node.else_)

        def step(frame: Frame, parts: list[str]) -> Frame:
            chosen = next((steps for test, steps in branches if test(frame)), otherwise)
            return _run_all(chosen, frame, parts)

        return step

    def _for(self, node: nodes.For) -> _Step:
        values, body, otherwise = self.compile(node.iter), self._steps(node.body), self._steps(node.else_)
        bind, cost = _binder(node.target), sum(map(nodes_in, node.body))

        def step(frame: Frame, parts: list[str]) -> Frame:
            items = items_of(values(frame), "for")
            for index, item in enumerate(items):
                frame.meter.spend(cost + len(parts))
                loop = {"index": index + 1, "index0": index, "first": not index, "last": index + 1 == len(items)}
                _run_all(body, LocalFrame({**bind(item), "loop": {**loop, "length": len(items)}}, frame), parts)
            if not items:
                _run_all(otherwise, frame, parts)
            return frame

        return step

    @staticmethod
    def _assign(name: str, value: Run) -> _Step:
        return lambda frame, parts: LocalFrame({name: value(frame)}, frame)


def _run_all(steps: list[_Step], frame: Frame, parts: list[str]) -> Frame:
    for step in steps:
        frame = step(frame, parts)
    return frame


def _binder(target: nodes.Node) -> Callable[[Any], Mapping[str, Any]]:
    """Return a function that gives the names of a loop for an item."""
    if isinstance(target, nodes.Name):
        name = target.name
        return lambda item: {name: item}
    names = [each.name for each in target.find_all(nodes.Name)]

    def bind(item: Any) -> Mapping[str, Any]:
        values = items_of(item, "for")
        if len(values) != len(names):
            raise ExpressionError(f"'for' has {len(names)} names for {len(values)} values", "for")
        return dict(zip(names, values, strict=True))

    return bind
