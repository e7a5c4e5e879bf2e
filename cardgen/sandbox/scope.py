"""Unknown names of expressions, found without evaluating them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from jinja2 import nodes

from cardgen.sandbox.methods import AGGREGATES
from cardgen.sandbox.shape import ANYTHING, Shape
from cardgen.sandbox.syntax_tree import path_of
from cardgen.sandbox.values import ExpressionError, suggest


def unknown_names(node: nodes.Node, scope: Mapping[str, Shape] | None) -> Iterator[ExpressionError]:
    """Yield an error for every name or attribute outside the scope.

    None as scope allows every name.
    """
    if isinstance(node, nodes.Filter) and node.name in ("default", "d"):
        for argument in node.args:
            yield from unknown_names(argument, scope)
    elif isinstance(node, nodes.Test) and node.name in ("defined", "undefined"):
        return
    elif isinstance(node, nodes.Name):
        if scope is not None and node.ctx == "load" and node.name not in scope:
            yield ExpressionError(f"unknown name '{node.name}'{suggest(node.name, scope)}", node.name)
    elif isinstance(node, nodes.Getattr):
        yield from _unknown_attribute(node, scope)
    elif isinstance(node, nodes.Call):
        yield from _unknown_in_call(node, scope)
    elif isinstance(node, nodes.Compare):
        yield from _unknown_in(list(node.iter_child_nodes()), scope)
        yield from _unknown_words(node, scope)
    elif isinstance(node, nodes.For):
        yield from unknown_names(node.iter, scope)
        yield from _unknown_in(node.body + node.else_, _with(scope, node.target, "loop"))
    else:
        yield from _unknown_in(list(node.iter_child_nodes()), scope)


def _unknown_in(parts: list[nodes.Node], scope: Mapping[str, Shape] | None) -> Iterator[ExpressionError]:
    """Yield the errors of parts in order.

    An assignment adds a name for those after it.
    """
    for part in parts:
        yield from unknown_names(part, scope)
        if isinstance(part, nodes.Assign):
            scope = _with(scope, part.target)


def _with(scope: Mapping[str, Shape] | None, target: nodes.Node, *more: str) -> Mapping[str, Shape] | None:
    if scope is None:
        return None
    names = [target.name] if isinstance(target, nodes.Name) else [each.name for each in target.find_all(nodes.Name)]
    return {**scope, **dict.fromkeys((*names, *more), ANYTHING)}


def _unknown_attribute(node: nodes.Getattr, scope: Mapping[str, Shape] | None) -> Iterator[ExpressionError]:
    earlier = list(unknown_names(node.node, scope))
    yield from earlier
    fields = shape_of(node.node, scope).fields
    if not earlier and fields is not None and node.attr not in fields:
        suggestion = suggest(node.attr, fields)
        yield ExpressionError(f"'{path_of(node.node)}' has no '{node.attr}'{suggestion}", node.attr)


def _unknown_words(node: nodes.Compare, scope: Mapping[str, Shape] | None) -> Iterator[ExpressionError]:
    """Yield an error for each text that a choice is compared with, but cannot be."""
    left = node.expr
    for operand in node.ops:
        if operand.op in ("eq", "ne", "in", "notin"):
            yield from _outside_choices(left, operand.expr, scope)
        if operand.op in ("eq", "ne"):
            yield from _outside_choices(operand.expr, left, scope)
        left = operand.expr


def _outside_choices(
    choice: nodes.Node, other: nodes.Node, scope: Mapping[str, Shape] | None
) -> Iterator[ExpressionError]:
    words = shape_of(choice, scope).words or ()
    for text in _texts(other) if words else ():
        if text not in words:
            yield ExpressionError(f"'{path_of(choice)}' cannot be '{text}'{suggest(text, words)}", text)


def _texts(node: nodes.Node) -> list[str]:
    """Return the constant texts of a value or a list."""
    items = node.items if isinstance(node, nodes.List | nodes.Tuple) else [node]
    return [each.value for each in items if isinstance(each, nodes.Const) and isinstance(each.value, str)]


def _unknown_in_call(node: nodes.Call, scope: Mapping[str, Shape] | None) -> Iterator[ExpressionError]:
    inner = scope
    if isinstance(node.node, nodes.Getattr):
        yield from unknown_names(node.node.node, scope)
        if node.node.attr in AGGREGATES:
            inner = _item_scope(node.node.node, scope)
    for argument in (*node.args, *(pair.value for pair in node.kwargs)):
        yield from unknown_names(argument, inner)


def _item_scope(owner: nodes.Node, scope: Mapping[str, Shape] | None) -> Mapping[str, Shape] | None:
    """Return the names in the argument of an aggregate.

    Return None if the fields of the items are unknown.
    """
    items = shape_of(owner, scope).items
    if scope is None or items is None or items.fields is None:
        return None
    return {**scope, **items.fields, "each": items}


def shape_of(node: nodes.Node, scope: Mapping[str, Shape] | None) -> Shape:
    """Return the shape of a name or an attribute, and ANYTHING for other nodes."""
    if isinstance(node, nodes.Name):
        return (scope or {}).get(node.name, ANYTHING)
    if isinstance(node, nodes.Getattr):
        return (shape_of(node.node, scope).fields or {}).get(node.attr, ANYTHING)
    if isinstance(node, nodes.Getitem) and not isinstance(node.arg, nodes.Slice):
        return shape_of(node.node, scope).items or ANYTHING
    return ANYTHING
