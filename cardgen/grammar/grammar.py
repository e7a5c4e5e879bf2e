"""A grammar: writes a meaning as text, and finds the clauses that texts consist of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from itertools import chain
from pathlib import Path
from types import MappingProxyType

from cardgen.grammar.chart import TOKEN_KINDS, Chart, Node, Terminal, link_slots
from cardgen.grammar.lexer import MAX_CHARACTERS, MAX_TOKENS, Token, replace_phrases, tokenize
from cardgen.grammar.meaning import Bindings, Meaning
from cardgen.grammar.table import Clause, ClauseTable, Form, Sequence, Slot, read_table, read_written_clauses
from cardgen.units import signed

# Words that say the same whatever is next to them, apart from signs.
_PLAIN = re.compile(r"[A-Za-z0-9 ]*")
_SIGNS = frozenset({"plus", "minus"})
_SLOT = re.compile(r"\{(\w+)(?::(\w+))?\}")
# The clauses that were written are kept up to this number.
_MOST_WRITTEN = 4_096
_NO_WORDS: Mapping[str, str] = MappingProxyType({})


class Grammar:
    """The clauses of a game.

    `paths` are its tables (see `table`), and `terminals` are functions that match tokens for symbols that are not in
    the tables. Raises ValueError for malformed tables.
    """

    def __init__(self, *paths: Path, terminals: Mapping[str, Terminal] = MappingProxyType({})) -> None:
        self._paths, self._terminals = paths, terminals
        self._plain_tokens: dict[str, tuple[Token, ...]] = {}
        self._written: dict[tuple[str, Meaning, tuple[tuple[str, str], ...], str], str] = {}

    @cached_property
    def table(self) -> ClauseTable:
        """The clauses, read at the first use."""
        return read_table(*self._paths)

    @cached_property
    def _written_clauses(self) -> Mapping[str, tuple[Clause, ...]]:
        return self.table.clauses if "table" in self.__dict__ else read_written_clauses(*self._paths)

    def write(self, symbol: str, meaning: Meaning, words: Mapping[str, str] = _NO_WORDS, style: str = "") -> str:
        """Return the canonical form of a meaning.

        `words` are the texts of slots that are not part of the meaning. Raises LookupError for a meaning that no clause
        of the symbol has.
        """
        key = symbol, meaning, tuple(words.items()), style
        if key not in self._written:
            if len(self._written) >= _MOST_WRITTEN:
                self._written.clear()
            self._written[key] = self._write(symbol, meaning, words, style)
        return self._written[key]

    def _write(self, symbol: str, meaning: Meaning, words: Mapping[str, str], style: str) -> str:
        if symbol in words:
            return words[symbol]
        if symbol in TOKEN_KINDS:
            return signed(meaning) if symbol == "signed" and isinstance(meaning, int) else str(meaning)
        for clause in self._written_clauses.get(symbol, ()):
            form = clause.canonical(style)
            if form and (bindings := clause.meaning.match(meaning)) is not None:
                with suppress(LookupError):
                    return self._fill(form, bindings, words, style)
        raise LookupError(f"no clause of '{symbol}' means {meaning!r}")

    def _fill(self, form: Form, bindings: Bindings, words: Mapping[str, str], style: str) -> str:
        def text(match: re.Match[str]) -> str:
            name, symbol = match[1], match[2] or match[1]
            return words[name] if name in words else self.write(symbol, bindings.get(name), words, style)

        return _SLOT.sub(text, form.text.replace("~", "\N{NO-BREAK SPACE}"))

    def tokenize(self, text: str) -> tuple[Token, ...]:
        """Return the tokens of a sentence, each word as its lemma; () for one that is too long to be read."""
        if len(text) > MAX_CHARACTERS:
            return ()
        tokens = self._normalize(text)
        return tokens if len(tokens) <= MAX_TOKENS else ()

    def content_words(self, tokens: Iterable[Token]) -> list[str]:
        """Return the words of a sentence without fillers and joints, which mean nothing by themselves."""
        skipped = self.table.fillers | self.table.joints
        return [token.word for token in tokens if token.word not in skipped]

    def _normalize(self, text: str) -> tuple[Token, ...]:
        return replace_phrases(tokenize(text, self.table.words), self.table.phrases)

    def chart(self, tokens: tuple[Token, ...]) -> Chart:
        """Return the chart of a sentence."""
        return Chart(self._tries, self.table.fillers, self._terminals, tokens)

    def occurrences(self, symbol: str, text: str) -> Iterator[tuple[Meaning, int, int]]:
        """Yield the clauses of a symbol anywhere in a text: the meaning, and the range of characters."""
        tokens = self.tokenize(text)
        chart, index = self.chart(tokens), 0
        while index < len(tokens):
            longest = max(chart.matches(symbol, index), key=lambda match: match.end, default=None)
            if longest:
                yield longest.meaning, tokens[index].start, tokens[longest.end - 1].end
            index = longest.end if longest else index + 1

    def is_strange(self, word: str) -> bool:
        """Return whether no clause has a word, so that it could be part of a name."""
        tokens = self._normalize(word)
        return all(not token.kind and token.word.isalpha() and token.word not in self._vocabulary for token in tokens)

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        """The words of all clauses, and all that stand for others."""
        return frozenset({*self._tries_and_words[1], *self.table.words, *self.table.fillers, *self.table.joints})

    @property
    def _tries(self) -> Mapping[str, Node]:
        return self._tries_and_words[0]

    @cached_property
    def _tries_and_words(self) -> tuple[Mapping[str, Node], frozenset[str]]:
        words: dict[str, tuple[str, ...]] = {}
        tries = {symbol: self._trie(clauses, words) for symbol, clauses in self.table.clauses.items()}
        link_slots(tries, self._terminals)
        return tries, frozenset(chain(*words.values()))

    def _trie(self, clauses: tuple[Clause, ...], words: dict[str, tuple[str, ...]]) -> Node:
        """Return the trie of some clauses; `words` keeps those of each literal."""
        root = Node()
        for clause in clauses:
            for form in clause.forms:
                for sequence in form.sequences:
                    node = self._insert(root, sequence, words)
                    known = node.ends.get(id(clause))
                    node.ends[id(clause)] = clause, form.is_loose and (known is None or known[1])
        return root

    def _insert(self, node: Node, sequence: Sequence, words: dict[str, tuple[str, ...]]) -> Node:
        for element in sequence:
            if isinstance(element, Slot):
                if element.symbol not in self._symbols:
                    raise ValueError(f"unknown symbol '{element.symbol}'")
                node = node.slots.setdefault((element.name, element.symbol), Node())
            else:
                if element not in words:
                    words[element] = tuple(self._literals(element))
                for word in words[element]:
                    node = node.words.setdefault(word, Node())
        return node

    @cached_property
    def _symbols(self) -> frozenset[str]:
        return frozenset({*self.table.clauses, *TOKEN_KINDS, *self._terminals})

    def _literals(self, text: str) -> Iterator[str]:
        """Yield the words of a form; fillers are left out, except those marked with '!'."""
        tokens = self._literal_tokens(text.replace("~", " "))
        for token, following in zip(tokens, (*tokens[1:], None), strict=False):
            is_marked = following is not None and following.word == "!"
            if token.word != "!" and (is_marked or token.word not in self.table.fillers):
                yield token.word

    def _literal_tokens(self, text: str) -> tuple[Token, ...]:
        """Return the tokens of words in a form; plain words are looked up once, however many forms have them."""
        words = text.split() if _PLAIN.fullmatch(text) else []
        if not words or not _SIGNS.isdisjoint(words):
            return self._normalize(text)
        for word in words:
            if word not in self._plain_tokens:
                self._plain_tokens[word] = tokenize(word, self.table.words)
        return replace_phrases(tuple(chain(*map(self._plain_tokens.__getitem__, words))), self.table.phrases)
