"""Words that stand for others: 'each time' for 'when', or 'the bearer' for 'this fighter'."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from cardgen.grammar.lexer import Token


class Phrase(NamedTuple):
    """Consecutive words, and the words that they stand for."""

    words: tuple[str, ...]
    meaning: tuple[str, ...]


# The phrases by their first word, the longest first.
PhraseBook = Mapping[str, tuple[Phrase, ...]]


def phrase_book(phrases: Sequence[Phrase]) -> PhraseBook:
    """Return the phrases by their first word, the longest first, so that an exception can precede a rule."""
    by_length = sorted(phrases, key=lambda phrase: -len(phrase.words))
    return {
        first: tuple(phrase for phrase in by_length if phrase.words[0] == first)
        for first in {phrase.words[0] for phrase in phrases}
    }


def replace_phrases(tokens: tuple[Token, ...], book: PhraseBook) -> tuple[Token, ...]:
    """Replace phrases with what they stand for; the new tokens all have the place of the phrase."""
    return tuple(_replaced(tokens, book)) if book else tokens


def _replaced(tokens: tuple[Token, ...], book: PhraseBook) -> Iterator[Token]:
    index = 0
    while index < len(tokens):
        phrase = _phrase_at(tokens, index, book)
        if phrase is None:
            yield tokens[index]
            index += 1
            continue
        replaced = tokens[index : index + len(phrase.words)]
        written = (" ".join(token.written for token in replaced), *[""] * len(phrase.meaning))
        for word, before in zip(phrase.meaning, written, strict=False):
            yield Token(word, replaced[0].start, replaced[-1].end, written=before)
        index += len(replaced)


def _phrase_at(tokens: tuple[Token, ...], index: int, book: PhraseBook) -> Phrase | None:
    for phrase in book.get(tokens[index].word, ()):
        if tuple(token.word for token in tokens[index : index + len(phrase.words)]) == phrase.words:
            return phrase
    return None
