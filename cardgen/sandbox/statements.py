"""Compiler of texts with `{{ }}` and statements to closures.

The statements are `{% if %}`, `{% for %}`, and `{% set %}`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from jinja2 import nodes

from cardgen.sandbox.closures import Compiler, Run
from cardgen.sandbox.frames import Frame, LocalFrame
from cardgen.sandbox.syntax_tree import nodes_in
from cardgen.sandbox.values import MAX_WEIGHT, ExpressionError, items_of, text_of

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
