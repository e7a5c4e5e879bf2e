"""The words that can come next in a sentence that is being written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from cardgen.grammar.clauses import Form, Slot, Token, Wording
from cardgen.grammar.grammar import Chart, Grammar, TooComplexError
from cardgen.grammar.reading import ELLIPSIS, PART, name_end, split_sentences

MOST_CONTINUATIONS = 60
# If the game offers this many of its own phrases, those that it can only read wait until a letter is typed.
_ENOUGH = 12
# Clauses that begin with clauses are followed to this depth.
_MAX_DEPTH = 6
_END = re.compile(r"[.!?][\"”’')*]*\s*$")
_SIGNS = {"signed": ("+1", "-1")}
Tokens = tuple[Token, ...]


class Continuation(NamedTuple):
    """The next words of a sentence.

    `begins` says that they begin a clause instead of continuing one, and `is_written` that the game itself writes them.
    """

    text: str
    begins: bool = False
    is_written: bool = True


def continuations(grammar: Grammar, text: str, prefix: str = "") -> list[Continuation]:
    """Return what can follow a text and begins with `prefix`, the letters of the next word that are already there.

    Clauses that have begun come first. Words are as the game writes them.
    """
    if _END.search(text):
        sentence = ""
    else:
        sentences = [*split_sentences(text)]
        sentence = sentences[-1].text if sentences else ""
    rest = sentence[name_end(f"{sentence} x") :]
    tokens = grammar.tokenize(rest)
    if rest and not tokens:
        return []
    found: dict[tuple[str, ...], Continuation] = {}
    with suppress(TooComplexError):
        for each in _Expectation(grammar, grammar.chart(tokens)).of_sentence():
            words = _fitted(grammar, each.text, tokens)
            is_word = words[:1].isalnum() or words[:1] in "+-"
            if is_word and words != prefix and words.casefold().startswith(prefix.casefold()):
                found.setdefault(tuple(token.word for token in grammar.tokenize(words)), each._replace(text=words))
    ranked = sorted(found.values(), key=lambda each: (each.begins, not each.is_written))
    if sum(each.is_written for each in ranked) >= _ENOUGH and not prefix:
        ranked = [each for each in ranked if each.is_written or " " not in each.text]
    return ranked[:MOST_CONTINUATIONS]


def _fitted(grammar: Grammar, words: str, tokens: Tokens) -> str:
    """Return words as they follow a text: with a capital at its start, and without a second article."""
    if not tokens:
        return words[:1].upper() + words[1:]
    first, _, rest = words.partition(" ")
    fillers = grammar.table.fillers
    return rest if tokens[-1].word in fillers and first in fillers else words


class _Expectation:
    """What can follow the last token of a chart."""

    def __init__(self, grammar: Grammar, chart: Chart) -> None:
        self._grammar, self._chart = grammar, chart
        self._size = len(chart.tokens)
        self._skipped = grammar.table.fillers
        self._open: set[tuple[str, int]] = set()

    def of_sentence(self) -> Iterator[Continuation]:
        """Yield what can follow, wherever the last clause began."""
        # The tokens at which a clause can begin, if all before it are clauses.
        joints = self._grammar.table.joints | self._skipped
        starts = {0}
        for start in range(self._size):
            if start in starts:
                ends = {match.end for symbol in (PART, ELLIPSIS) for match in self._chart.matches(symbol, start)}
                starts |= ends | ({start + 1} if self._chart.tokens[start].word in joints else set())
        for start in sorted(starts - {self._size}):
            for symbol in (PART, ELLIPSIS) if self._chart.tokens[start].word not in joints else ():
                yield from self._unfinished(symbol, start)
        if self._size in starts:
            yield from (each._replace(begins=True) for each in _part_beginnings(self._grammar))

    def _unfinished(self, symbol: str, start: int) -> Iterator[Continuation]:
        """Yield what can follow in a clause that begins at a token, and is not complete."""
        if (symbol, start) in self._open:
            return
        self._open.add((symbol, start))
        for clause in self._grammar.table.clauses.get(symbol, ()):
            for form in clause.forms:
                for sequence in form.sequences if not form.is_loose else ():
                    yield from self._after(form, sequence, start, is_new=True)

    def _after(self, form: Form, sequence: Wording, index: int, *, is_new: bool = False) -> Iterator[Continuation]:
        """Yield what can follow in a form whose first element is at a token; fillers are skipped within a form."""
        if not sequence:
            return
        if index == self._size:
            yield from self._first(form, sequence, 0)
            return
        if not is_new and self._chart.tokens[index].word in self._skipped:
            yield from self._after(form, sequence, index + 1)
        element, rest = sequence[0], sequence[1:]
        if isinstance(element, Slot):
            yield from self._unfinished(element.symbol, index)
            for match in self._chart.matches(element.symbol, index):
                yield from self._after(form, rest, match.end)
        else:
            yield from self._after_words(form, element, rest, index)

    def _after_words(self, form: Form, words: str, rest: Wording, index: int) -> Iterator[Continuation]:
        """Yield what can follow in a form that goes on with words."""
        end = 0
        for literal in _literals(self._grammar, _plain(words)):
            while index < self._size and self._chart.tokens[index].word in self._skipped:
                index += 1
            if index == self._size:
                yield self._spelled(form, _plain(words)[end:])
                return
            if self._chart.tokens[index].word != literal.word:
                return
            index, end = index + 1, literal.end
        yield from self._after(form, rest, index)

    def _first(self, form: Form, sequence: Wording, depth: int) -> Iterator[Continuation]:
        """Yield what a form can begin with."""
        for element in sequence:
            if isinstance(element, Slot):
                yield from self.beginnings(element.symbol, depth + 1)
                clauses = self._grammar.table.clauses.get(element.symbol, ())
                if not any(() in form.sequences for clause in clauses for form in clause.forms):
                    return
            elif words := _plain(element).strip():
                yield self._spelled(form, words)
                return

    def beginnings(self, symbol: str, depth: int) -> Iterator[Continuation]:
        """Yield what the clauses of a symbol begin with, each in one form."""
        if depth > _MAX_DEPTH:
            return
        yield from map(Continuation, _SIGNS.get(symbol, ()))
        for clause in self._grammar.table.clauses.get(symbol, ()):
            # The form of a clause to offer: the one that is written, or else the first one.
            forms: Iterable[Form] = (form for form in clause.forms if not form.is_loose and form.sequences)
            form = clause.canonical("") or next(iter(forms), None)
            if form:
                yield from self._first(form, form.sequences[0], depth)

    def _spelled(self, form: Form, words: str) -> Continuation:
        """Return words of a form as the game writes them; forms that are only read have lemmas."""
        text = " ".join(words.split())
        if not form.is_canonical:
            spellings = _spellings(self._grammar)
            text = re.sub(r"[^\W\d_]+", lambda match: spellings.get(match[0], match[0]), text)
        return Continuation(text, is_written=form.is_canonical)


def _plain(words: str) -> str:
    return words.replace("~", " ").replace("!", "")


@lru_cache(maxsize=1 << 14)
def _literals(grammar: Grammar, words: str) -> Tokens:
    """Return the tokens of words in a form, without fillers."""
    return tuple(token for token in grammar.tokenize(words) if token.word not in grammar.table.fillers)


@lru_cache(maxsize=8)
def _part_beginnings(grammar: Grammar) -> tuple[Continuation, ...]:
    """Return the words that clauses of a sentence can begin with."""
    return tuple(_Expectation(grammar, grammar.chart(())).beginnings(PART, 0))


@lru_cache(maxsize=8)
def _spellings(grammar: Grammar) -> dict[str, str]:
    """Return the commonest spelling of each word in the forms that are written, by its lemma."""
    counts: dict[str, Counter[str]] = {}
    forms = (form for clauses in grammar.table.clauses.values() for clause in clauses for form in clause.forms)
    for form in forms:
        if form.is_canonical:
            for word in re.findall(r"(?<![{:\w])[^\W\d_]+(?![}:\w])", form.text):
                for token in grammar.tokenize(word):
                    counts.setdefault(token.word, Counter())[word] += 1
    return {lemma: spelled.most_common(1)[0][0] for lemma, spelled in counts.items()}
