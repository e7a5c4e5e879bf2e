"""Sentences made from the tables of a grammar: for each form, one that is read, if there is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from heapq import nsmallest

from cardgen.grammar.clauses import Form, Slot, Wording
from cardgen.grammar.grammar import Grammar
from cardgen.grammar.reading import ELLIPSIS, PART

# How many surroundings are tried for the clauses of a symbol.
_SURROUNDINGS = 4
# A place for a form in others.
_HOLE = "\0"


class FormSentences:
    """The forms of a grammar as sentences.

    `examples` are texts for the symbols that no table has, such as numbers; `frames` are sentences with '{}' for a
    clause, and `is_read` tells whether a sentence is read.
    """

    def __init__(
        self, grammar: Grammar, examples: Mapping[str, str], frames: tuple[str, ...], is_read: Callable[[str], bool]
    ) -> None:
        self._clauses, self._frames, self._is_read = grammar.table.clauses, frames, is_read
        self._examples = dict(examples)
        self._find_examples()
        self._around = self._find_surroundings()

    @property
    def forms(self) -> list[tuple[str, Form]]:
        """All forms with their symbols."""
        return [(symbol, form) for symbol, clauses in self._clauses.items() for each in clauses for form in each.forms]

    def sentence(self, symbol: str, form: Form) -> str:
        """Return the first sentence with a form that is read, or ''."""
        for text in filter(None, map(self._text, (form.sequences[0], form.sequences[-1]))):
            for around in self._around.get(symbol, ()):
                for frame in self._frames:
                    sentence = frame.format(around.replace(_HOLE, text))
                    if self._is_read(sentence):
                        return sentence
        return ""

    def _text(self, sequence: Wording, hole: int = -1) -> str:
        """Return the words of a form, or '' if no example of a slot is known."""
        words = []
        for number, element in enumerate(sequence):
            if not isinstance(element, Slot):
                words.append(element.replace("~", " ").replace("!", ""))
            elif number == hole:
                words.append(_HOLE)
            elif (example := self._examples.get(element.symbol)) is not None:
                words.append(example)
            else:
                return ""
        return " ".join(" ".join(words).split())

    def _find_examples(self) -> None:
        """Find the shortest text for each symbol that is not empty, of those whose slots have a text."""
        while True:
            found = {
                symbol: min(texts, key=lambda text: (not text, len(text)))
                for symbol, clauses in self._clauses.items()
                if symbol not in self._examples
                and (texts := [text for text in self._texts_of(symbol) if text is not None])
            }
            if not found:
                return
            self._examples |= found

    def _texts_of(self, symbol: str) -> Iterator[str | None]:
        for clause in self._clauses[symbol]:
            for form in clause.forms:
                for sequence in form.sequences[:40]:
                    if all(not isinstance(each, Slot) or each.symbol in self._examples for each in sequence):
                        yield self._text(sequence)

    def _find_surroundings(self) -> dict[str, list[str]]:
        """Return for each symbol the shortest texts that clauses of it stand in."""
        around: dict[str, list[str]] = {PART: [_HOLE], ELLIPSIS: [_HOLE]}
        while True:
            found: dict[str, set[str]] = {}
            for symbol, places in around.items():
                for clause in self._clauses.get(symbol, ()):
                    for sequence in (each for form in clause.forms for each in form.sequences[:6]):
                        for number, element in enumerate(sequence):
                            if isinstance(element, Slot) and element.symbol not in around:
                                inner = self._text(sequence, number)
                                if _HOLE in inner:
                                    texts = (place.replace(_HOLE, inner) for place in places)
                                    found.setdefault(element.symbol, set()).update(texts)
            if not found:
                return around
            around |= {symbol: nsmallest(_SURROUNDINGS, texts, key=len) for symbol, texts in found.items()}
