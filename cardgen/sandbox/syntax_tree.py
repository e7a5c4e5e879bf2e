"""Facts about the nodes of Jinja2's parser."""

from __future__ import annotations

from jinja2 import nodes


def path_of(node: nodes.Node) -> str:
    """Return how messages name the value of a node: 'brave.armour', or 'it'."""
    if isinstance(node, nodes.Name):
        return node.name
    if isinstance(node, nodes.Getattr):
        return f"{path_of(node.node)}.{node.attr}"
    return "it"


def nodes_in(node: nodes.Node) -> int:
    """Return the number of nodes in an expression.

    This is the cost of an evaluation without its calls.
    """
    return 1 + sum(1 for _ in node.find_all(nodes.Node))
