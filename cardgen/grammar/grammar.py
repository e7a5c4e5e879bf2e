"""A grammar: writes a meaning as text, and finds the clauses of texts, in a chart of those that begin at each word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from threading import Lock
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from cardgen.grammar.clauses import (
    DIE,
    MAX_CHARACTERS,
    MAX_TOKENS,
    NAME,
    NUMBER,
    SIGNED,
    Bindings,
    Clause,
    ClauseTable,
    Form,
    Meaning,
    Slot,
    Token,
    Wording,
    read_table,
    read_written_clauses,
    replace_phrases,
    tokenize,
)
from cardgen.language import beside
from cardgen.units import signed

# Reading a sentence takes no more steps than this, whoever wrote it.
MAX_STEPS = 20_000
# A node remembers its slots for this many tokens.
_MOST_WORDS = 512
# Slots of these symbols are tokens of a kind.
TOKEN_KINDS = {"number": NUMBER, "signed": SIGNED, "name": NAME, "die": DIE}
_Bound = tuple[tuple[str, Meaning], ...]


# By symbol, the words and kinds of tokens that its clauses can begin with (FIRST sets), so that a chart tries few of
# them; and whether it can be empty.
_Sets = dict[str, tuple[frozenset[str], bool]]


class Terminal(NamedTuple):
    """A symbol that a function matches: the kind of its first token, and the function.

    `match` takes the tokens and the index of the first one, and yields each possible index after the last one with the
    meaning. An `is_optional` one can be empty.
    """

    kind: str
    match: Callable[[tuple[Token, ...], int], Iterator[tuple[int, Meaning]]]
    is_optional: bool = False


# Several threads can read with the same grammar.
_GROWING = Lock()
# What is left of a form, as its words and slots, with its clause, and whether the form is loose.
_Rest = tuple[Iterator[str | Slot], Clause, bool]


class Node:
    """A state in the trie of the forms of one symbol, which grows when somebody looks at it."""

    __slots__ = ("_at", "_ends", "_rests", "_slots", "_words")

    def __init__(self) -> None:
        self._rests: list[_Rest] = []
        self._words: dict[str, Node] = {}
        self._slots: dict[tuple[str, str], Node] = {}
        self._ends: dict[int, tuple[Clause, bool]] = {}
        self._at: dict[tuple[str, str], list[tuple[str, str, Node]]] = {}

    def add(self, rest: _Rest) -> None:
        """Add what is left of a form."""
        self._rests.append(rest)

    @property
    def words(self) -> Mapping[str, Node]:
        """The nodes after words."""
        self._grow()
        return self._words

    @property
    def slots(self) -> Mapping[tuple[str, str], Node]:
        """The nodes after slots, by name and symbol."""
        self._grow()
        return self._slots

    @property
    def ends(self) -> Mapping[int, tuple[Clause, bool]]:
        """The clauses with a form that ends here, and whether all such forms are loose."""
        self._grow()
        return self._ends

    def _grow(self) -> None:
        if not self._rests:
            return
        with _GROWING:
            for rest in self._rests:
                steps, clause, is_loose = rest
                step = next(steps, None)
                if step is None:
                    known = self._ends.get(id(clause))
                    self._ends[id(clause)] = clause, is_loose and (known is None or known[1])
                elif isinstance(step, Slot):
                    _following(self._slots, (step.name, step.symbol)).add(rest)
                else:
                    _following(self._words, step).add(rest)
            self._rests = []

    def slots_at(self, word: str, kind: str, firsts: _Sets) -> Sequence[tuple[str, str, Node]]:
        """Return the slots that can begin with a token, and those that can be empty: name, symbol, and next node."""
        key = word, kind
        if key not in self._at:
            if len(self._at) >= _MOST_WORDS:
                self._at.clear()
            self._at[key] = [
                (name, symbol, node)
                for (name, symbol), node in self.slots.items()
                if word in firsts[symbol][0] or kind in firsts[symbol][0] or firsts[symbol][1]
            ]
        return self._at[key]


K = TypeVar("K")


def _following(nodes: dict[K, Node], key: K) -> Node:
    """Return the node after a word or slot, made if there is none."""
    node = nodes.get(key)
    if node is None:
        node = nodes[key] = Node()
    return node


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
        trie: Callable[[str], Node | None],
        firsts: _Sets,
        fillers: frozenset[str],
        terminals: Mapping[str, Terminal],
        tokens: tuple[Token, ...],
    ) -> None:
        self.tokens = tokens
        self._trie, self._firsts, self._fillers, self._terminals = trie, firsts, fillers, terminals
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
        if root := self._trie(symbol):
            self._walk(root, start, start, (), False, found)
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
        for name, symbol, following in node.slots_at(word, kind, self._firsts) if node.slots else ():
            for match in self.matches(symbol, index):
                if match.end > index or not after_filler:
                    loose = is_loose or match.is_loose
                    self._walk(following, start, match.end, (*bound, (name, match.meaning)), loose, found)


def _first_sets(tries: Mapping[str, Node], known: _Sets) -> _Sets:
    """Return by symbol the words and kinds of tokens, and whether it can be empty; `known` are those of all others."""
    firsts = known | {symbol: (frozenset(), False) for symbol in tries}
    while True:
        before = dict(firsts)
        firsts |= {symbol: _first_set(root, firsts) for symbol, root in tries.items()}
        if firsts == before:
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


# Words that say the same whatever is next to them, apart from signs.
_PLAIN = re.compile(r"[A-Za-z0-9 ]*")
_SIGNS = frozenset({"plus", "minus"})
_SLOT = re.compile(r"\{(\w+)(?::(\w+))?(?:@(\w+))?\}")
# '~', '¸', and '^' in forms; see `punctuated`. No name contains what stands for them.
_COMMA, _CAPITAL = "\x1e", "\x1f"
_MARKS = str.maketrans({"~": "\N{NO-BREAK SPACE}", "¸": _COMMA, "^": _CAPITAL})
_COMMAS = re.compile(f"([.:;,(]?)[ {_COMMA}]*({_CAPITAL}?)[ {_COMMA}]*{_COMMA}[ {_COMMA}]*([.:;,]?)")
# A text of a slot that is put in later, in the style that the slot asks for.
_LATER = re.compile(r"\{([\w']+)\}")
# The clauses that were written, and the words that were looked for, are kept up to this number.
_MOST_WRITTEN = 4_096
_NO_WORDS: Mapping[str, str] = MappingProxyType({})


def punctuated(sentence: str) -> str:
    """Return a written sentence with a capital at its start, and with the commas and capitals that it needs.

    '¸' in a form is the comma of a subordinate clause: one of several, and none at the start or beside another mark.
    '^' makes the next letter a capital.
    """

    def comma(match: re.Match[str]) -> str:
        before, capital, after = match.groups()
        if after or not match.start():
            return after
        return f"{before} {capital}" if before else f", {capital}"

    if _COMMA in sentence:
        sentence = _COMMAS.sub(comma, sentence)
    first, *others = sentence.split(_CAPITAL)
    return "".join(f"{part[:1].upper()}{part[1:]}" for part in (first, *others))


class UnwrittenError(LookupError):
    """A meaning that no clause of a symbol has; `words` are the texts of its slots."""

    def __init__(self, symbol: str, meaning: Meaning, words: Mapping[str, str]) -> None:
        super().__init__(f"no clause of '{symbol}' means {meaning!r}")
        self.symbol, self.meaning, self.words = symbol, meaning, words
        self.outer: UnwrittenError | None = None  # That of the clause with a slot for it.

    def clause_in(self, grammar: Grammar) -> str:
        """Return the words of the clause in a grammar that has them, with '…' for what is put in later."""
        try:
            written = grammar.write(self.symbol, self.meaning, self.words)
        except UnwrittenError:
            if self.outer is None:
                raise
            return self.outer.clause_in(grammar)
        return re.sub(r"\{[^{}]*\}", "…", written)


class Grammar:
    """The clauses of a game.

    `paths` are its tables (see `table`), and `terminals` are functions that match tokens for symbols that are not in
    the tables. Raises ValueError for malformed tables.
    """

    def __init__(self, *paths: Path, terminals: Mapping[str, Terminal] = MappingProxyType({})) -> None:
        self._paths, self._terminals = paths, terminals
        self._languages: dict[str, Grammar | None] = {}
        self._plain_tokens: dict[str, tuple[Token, ...]] = {}
        self._words: dict[str, tuple[str, ...]] = {}
        self._known: dict[str, bool] = {}
        self._tries: dict[str, Node] = {}
        self._firsts: _Sets = {symbol: (frozenset({kind}), False) for symbol, kind in TOKEN_KINDS.items()}
        self._firsts |= {symbol: (frozenset({each.kind}), each.is_optional) for symbol, each in terminals.items()}
        self._written: dict[tuple[str, Meaning, tuple[tuple[str, str], ...], str], str] = {}

    @cached_property
    def table(self) -> ClauseTable:
        """The clauses, read at the first use."""
        return read_table(*self._paths)

    @cached_property
    def _written_clauses(self) -> Mapping[str, tuple[Clause, ...]]:
        return self.table.clauses if "table" in self.__dict__ else read_written_clauses(*self._paths)

    def in_language(self, tag: str) -> Grammar | None:
        """Return the grammar that writes the clauses in a language, or None if there is none.

        Its tables are beside those of this one: `clauses.de.txt` for `clauses.txt`.
        """
        if not tag:
            return None
        if tag not in self._languages:
            own = [beside(path, tag) for path in self._paths]
            found = [path for each, path in zip(own, self._paths, strict=True) if each != path]
            self._languages[tag] = Grammar(*(each for each in own if each not in self._paths)) if found else None
        return self._languages[tag]

    def unwritten(self, tag: str) -> list[str]:
        """Return the written forms of the clauses that have none in a language."""
        other = self.in_language(tag)
        known = other._written_clauses if other else {}
        return [
            form.text
            for symbol, clauses in self._written_clauses.items()
            for clause in clauses
            if (form := clause.canonical("")) and clause.meaning not in [each.meaning for each in known.get(symbol, ())]
        ]

    def write(self, symbol: str, meaning: Meaning, words: Mapping[str, str] = _NO_WORDS, style: str = "") -> str:
        """Return the canonical form of a meaning.

        `words` are the texts of slots that are not part of the meaning; where they are empty, the spaces around them
        are one. A text in braces stands for a word that the caller puts in later, and has the style of its slot then:
        '{bearer@dat}'. Raises UnwrittenError for a meaning that no clause of the symbol has.
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
        error = UnwrittenError(symbol, meaning, words)
        for clause in self._written_clauses.get(symbol, ()):
            form = clause.canonical(style)
            if form and (bindings := clause.meaning.match(meaning)) is not None:
                try:
                    return self._fill(form, bindings, words, style)
                except UnwrittenError as inner:
                    inner.outer = inner.outer or error
                    error = inner
        raise error

    def _fill(self, form: Form, bindings: Bindings, words: Mapping[str, str], style: str) -> str:
        def text(match: re.Match[str]) -> str:
            name, symbol = match[1], match[2] or match[1]
            if name not in words:
                return self.write(symbol, bindings.get(name), words, match[3] or style)
            later = _LATER.fullmatch(words[name]) if match[3] else None
            return f"{{{later[1]}@{match[3]}}}" if later else words[name]

        written = _SLOT.sub(text, form.text.translate(_MARKS))
        return " ".join(filter(None, written.split(" "))) if "" in words.values() else written

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
        return Chart(self._trie, self._firsts, self.table.fillers, self._terminals, tokens)

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
        return all(not token.kind and token.word.isalpha() and not self._is_known(token.word) for token in tokens)

    def _is_known(self, word: str) -> bool:
        """Return whether a clause has a word, or it stands for others; clauses are looked through as far as needed."""
        is_known = self._known.get(word)
        if is_known is None:
            is_listed = word in self.table.words or word in self.table.fillers or word in self.table.joints
            is_known = is_listed or any(word in self._words_of(each) for each in self._literals_of_forms)
            if len(self._known) >= _MOST_WRITTEN:
                self._known.clear()
            self._known[word] = is_known
        return is_known

    @cached_property
    def _literals_of_forms(self) -> Sequence[str]:
        forms = (form for clauses in self.table.clauses.values() for clause in clauses for form in clause.forms)
        elements = chain.from_iterable(chain.from_iterable(form.sequences) for form in forms)
        return tuple(dict.fromkeys(each for each in elements if isinstance(each, str)))

    def _trie(self, symbol: str) -> Node | None:
        """Return the trie of a symbol, made at the first use: most runs need few of them."""
        if symbol not in self._tries and symbol in self.table.clauses:
            tries: dict[str, Node] = {}
            needed = [symbol]
            while needed:
                each = needed.pop()
                if each in self.table.clauses and each not in self._tries and each not in tries:
                    tries[each] = self._planted(self.table.clauses[each], needed)
            self._firsts.update(_first_sets(tries, self._firsts))
            self._tries |= tries
        return self._tries.get(symbol)

    def _planted(self, clauses: tuple[Clause, ...], needed: list[str]) -> Node:
        """Return the trie of some clauses; the symbols of their slots are added to those that are `needed`."""
        root, symbols = Node(), set[str]()
        for clause in clauses:
            for form in clause.forms:
                for sequence in form.sequences:
                    symbols.update(element.symbol for element in sequence if isinstance(element, Slot))
                    root.add((self._steps(sequence), clause, form.is_loose))
        if unknown := symbols - self._symbols:
            raise ValueError(f"unknown symbol '{min(unknown)}'")
        needed += symbols
        return root

    def _steps(self, sequence: Wording) -> Iterator[str | Slot]:
        for element in sequence:
            if isinstance(element, Slot):
                yield element
            else:
                yield from self._words_of(element)

    def _words_of(self, literal: str) -> tuple[str, ...]:
        if literal not in self._words:
            self._words[literal] = tuple(self._literals(literal))
        return self._words[literal]

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
