"""What the sentences of a text say of their card, as features that can be compared with its data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from cardgen.grammar.clauses import SIGNIFICANT, Features, Meaning, Series, Token
from cardgen.grammar.grammar import Grammar, Terminal
from cardgen.grammar.reading import Interpretation, Level, Part, read_sentence, split_sentences


class Claim(NamedTuple):
    """What a clause says, and the first character and the one after the last."""

    meaning: Features
    start: int
    end: int


class Claims(NamedTuple):
    """The claims of a text; `is_whole` is true if every sentence was read, and exactly."""

    claims: tuple[Claim, ...]
    is_whole: bool


def read_claims(grammar: Grammar, text: str) -> Claims:
    """Return the claims of the sentences that are read to the last word; the others say nothing."""
    claims: list[Claim] = []
    is_whole = bool(text.strip())
    for sentence in split_sentences(text):
        reading = read_sentence(grammar, sentence, _assemble)
        if reading.level == Level.READ:
            spans = zip(reading.value, reading.clauses, strict=True)
            claims += [Claim(meaning, span.start, span.end) for meaning, span in spans]
        else:
            is_whole = False
    return Claims(tuple(claims), is_whole)


def _assemble(parts: tuple[Part, ...], _: tuple[Token, ...]) -> Iterator[Interpretation]:
    """Yield the meanings of the clauses in order; two that are joined share what one of them leaves out.

    'Empower this disk and another one within short range': the second part is an ellipsis, without a verb.
    """
    meanings: list[Features] = []
    for part in parts:
        meaning = part.meaning
        if not isinstance(meaning, Features):
            return
        own = dict(meaning)
        if own.pop("joined", False):
            if not meanings:
                return
            before = dict(meanings[-1])
            meanings[-1], meaning = Features.of(**(own | before)), Features.of(**(before | own))
        meanings.append(meaning)
    yield Interpretation(Series(meanings))


_MOST_WORDS = 3


def thing(is_strange: Callable[[str], bool]) -> Terminal:
    """Return the symbol of a name such as 'Ferry Lantern': a few words that occur in no clause, and change none."""

    def match(tokens: tuple[Token, ...], start: int) -> Iterator[tuple[int, Meaning]]:
        for end in range(start + 1, min(start + _MOST_WORDS, len(tokens)) + 1):
            word = tokens[end - 1]
            if word.kind or word.word in SIGNIFICANT or not is_strange(word.word):
                return
            yield end, word.word

    return Terminal("", match)
