"""The tokens that clauses can begin with, so that a chart tries few of them (FIRST sets)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cardgen.grammar.chart import TOKEN_KINDS, Edge, Node, Terminal

_Sets = dict[str, tuple[frozenset[str], bool]]


def link_slots(tries: Mapping[str, Node], terminals: Mapping[str, Terminal]) -> None:
    """Set the `edges` of all nodes: the slots, each with what its clauses can begin with."""
    firsts = _first_sets(tries, terminals)
    for root in tries.values():
        for node in _nodes(root):
            node.edges = tuple(Edge(name, symbol, to, *firsts[symbol]) for (name, symbol), to in node.slots.items())


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for following in (*node.words.values(), *node.slots.values()):
        yield from _nodes(following)


def _first_sets(tries: Mapping[str, Node], terminals: Mapping[str, Terminal]) -> _Sets:
    """Return by symbol the words and kinds of tokens, and whether it can be empty."""
    firsts: _Sets = {symbol: (frozenset(), False) for symbol in tries}
    firsts |= {symbol: (frozenset({kind}), False) for symbol, kind in TOKEN_KINDS.items()}
    firsts |= {symbol: (frozenset({terminal.kind}), False) for symbol, terminal in terminals.items()}
    while True:
        known = dict(firsts)
        firsts |= {symbol: _first_set(root, firsts) for symbol, root in tries.items()}
        if firsts == known:
            return firsts


def _first_set(node: Node, firsts: _Sets) -> tuple[frozenset[str], bool]:
    first, can_be_empty = frozenset(node.words), bool(node.ends)
    for (_, symbol), following in node.slots.items():
        inner, is_optional = firsts[symbol]
        first |= inner
        if is_optional:
            rest, rest_empty = _first_set(following, firsts)
            first |= rest
            can_be_empty = can_be_empty or rest_empty
    return first, can_be_empty
