"""The chart of clauses that begin at each word."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from cardgen.grammar.lexer import DIE, NAME, NUMBER, SIGNED, Token
from cardgen.grammar.meaning import Meaning
from cardgen.grammar.table import Clause

# A memoized chart of the clauses that match at each token of a sentence.

# Reading a sentence takes no more steps than this, whoever wrote it.
MAX_STEPS = 20_000
# A node remembers its slots for this many tokens.
_MOST_WORDS = 512
# Slots of these symbols are tokens of a kind.
TOKEN_KINDS = {"number": NUMBER, "signed": SIGNED, "name": NAME, "die": DIE}
_Bound = tuple[tuple[str, Meaning], ...]


class Terminal(NamedTuple):
    """A symbol that a function matches: the kind of its first token, and the function.

    `match` takes the tokens and the index of the first one, and yields each possible index after the last one with the
    meaning.
    """

    kind: str
    match: Callable[[tuple[Token, ...], int], Iterator[tuple[int, Meaning]]]


class Edge(NamedTuple):
    """A slot after a node, with the words and kinds of tokens that it can begin with."""

    name: str
    symbol: str
    following: Node
    first: frozenset[str]
    can_be_empty: bool


class Node:
    """A state in the trie of the forms of one symbol."""

    __slots__ = ("_edges_at", "edges", "ends", "slots", "words")

    def __init__(self) -> None:
        self.words: dict[str, Node] = {}
        self.slots: dict[tuple[str, str], Node] = {}
        self.edges: tuple[Edge, ...] = ()
        self.ends: dict[int, tuple[Clause, bool]] = {}
        self._edges_at: dict[tuple[str, str], tuple[Edge, ...]] = {}

    def edges_at(self, word: str, kind: str) -> tuple[Edge, ...]:
        """Return the slots that can begin with a token, and those that can be empty."""
        key = word, kind
        if key not in self._edges_at:
            if len(self._edges_at) >= _MOST_WORDS:
                self._edges_at.clear()
            self._edges_at[key] = tuple(
                [edge for edge in self.edges if word in edge.first or kind in edge.first or edge.can_be_empty]
            )
        return self._edges_at[key]


class Match(NamedTuple):
    """A clause that matches: the token after it, its meaning, and whether a loose form was needed."""

    end: int
    meaning: Meaning
    is_loose: bool


class TooComplexError(ValueError):
    """A sentence takes more steps than the limit."""


class Chart:
    """The matches of all symbols in one sentence, found at most once for each place."""

    def __init__(
        self,
        tries: Mapping[str, Node],
        fillers: frozenset[str],
        terminals: Mapping[str, Terminal],
        tokens: tuple[Token, ...],
    ) -> None:
        self.tokens = tokens
        self._tries, self._fillers, self._terminals = tries, fillers, terminals
        self._matches: dict[tuple[str, int], tuple[Match, ...]] = {}
        self._steps = 0

    def matches(self, symbol: str, start: int) -> tuple[Match, ...]:
        """Return the matches of a symbol at a token, without those that say the same. Raises TooComplexError."""
        key = symbol, start
        if key not in self._matches:
            self._matches[key] = ()  # A form that begins with its own symbol matches nothing.
            self._matches[key] = self._find(symbol, start)
        return self._matches[key]

    def _find(self, symbol: str, start: int) -> tuple[Match, ...]:
        if kind := TOKEN_KINDS.get(symbol):
            tokens = self.tokens[start : start + 1]
            return tuple([Match(start + 1, token.value, False) for token in tokens if token.kind == kind])
        if terminal := self._terminals.get(symbol):
            return tuple([Match(end, value, False) for end, value in terminal.match(self.tokens, start)])
        found: dict[tuple[int, Meaning], bool] = {}
        if symbol in self._tries:
            self._walk(self._tries[symbol], start, start, (), False, found)
        return tuple([Match(end, meaning, is_loose) for (end, meaning), is_loose in found.items()])

    def _walk(
        self, node: Node, start: int, index: int, bound: _Bound, is_loose: bool, found: dict[tuple[int, Meaning], bool]
    ) -> None:
        """Collect the matches of forms that go on from a node; fillers are skipped between their elements."""
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise TooComplexError("the sentence is too complex")
        for clause, is_loose_form in node.ends.values():
            meaning = clause.meaning.evaluate(dict(bound))
            if meaning is not None:
                key = index, meaning
                found[key] = (is_loose or is_loose_form) and found.get(key, True)
        self._continue(node, start, index, bound, is_loose, found, after_filler=False)
        while start < index < len(self.tokens) and self.tokens[index].word in self._fillers:
            index += 1
            self._continue(node, start, index, bound, is_loose, found, after_filler=True)

    def _continue(
        self,
        node: Node,
        start: int,
        index: int,
        bound: _Bound,
        is_loose: bool,
        found: dict[tuple[int, Meaning], bool],
        *,
        after_filler: bool,
    ) -> None:
        """Go on with the next word or slot; after a filler, no slot may be empty."""
        word = kind = ""
        if index < len(self.tokens):
            word, kind = self.tokens[index].word, self.tokens[index].kind
            if word in node.words:
                self._walk(node.words[word], start, index + 1, bound, is_loose, found)
        for name, symbol, following, _, _ in node.edges_at(word, kind) if node.edges else ():
            for match in self.matches(symbol, index):
                if match.end > index or not after_filler:
                    loose = is_loose or match.is_loose
                    self._walk(following, start, match.end, (*bound, (name, match.meaning)), loose, found)


# The tokens that clauses can begin with, so that a chart tries few of them (FIRST sets).

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
