"""What is understood of the texts of cards, sentence by sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.checking.runner import walk_parts
from cardgen.grammar.reading import Level, SentenceReading, TextReader
from cardgen.model.entry import Entry
from cardgen.pipeline.load.deck import load_deck, require_game
from cardgen.pipeline.load.game_modules import load_reader
from cardgen.source import KeyPath
from cardgen.validation.base import Model

# The commonest clauses that were not read are listed up to this number.
MOST_UNREAD = 15


class TextExplanation(NamedTuple):
    """A text of a card or a part of it, as it was read.

    `route` leads to the part. `is_own` is true for a text of the author, and false for one made from effects.
    """

    entry: Entry
    route: KeyPath
    part: Model
    text: str
    is_own: bool
    sentences: tuple[SentenceReading, ...]
    reader: TextReader

    def referee(self, sentence: SentenceReading) -> str:
        """Return what the referee does with a sentence."""
        return self.reader.referee(self.part, sentence)

    def as_data(self) -> dict[str, object]:
        """Return it as plain data."""
        return {
            "key": ".".join(map(str, self.route)),
            "text": self.text,
            "own_text": self.is_own,
            "sentences": [self._sentence_data(sentence) for sentence in self.sentences],
        }

    def _sentence_data(self, sentence: SentenceReading) -> dict[str, object]:
        return {
            "text": sentence.text,
            "start": sentence.start,
            "end": sentence.end,
            "level": sentence.level.value,
            "read_as": sentence.canonical,
            "reason": sentence.reason,
            "referee": self.referee(sentence),
            "clauses": [clause._asdict() for clause in sentence.clauses],
        }


class Coverage(NamedTuple):
    """Sentences by how they were read, words in clauses that were, and the commonest clauses that were not."""

    sentences: Mapping[Level, int]
    words: int
    words_read: int
    unread: tuple[tuple[str, int], ...]

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "sentences": sum(self.sentences.values()),
            **{level.name.lower(): self.sentences.get(level, 0) for level in Level},
            "words": self.words,
            "words_read": self.words_read,
            "unread_clauses": [{"text": text, "count": count} for text, count in self.unread],
        }


def explain_cards(paths: Sequence[Path] = (), only: Sequence[str] = ()) -> tuple[TextExplanation, ...]:
    """Return the texts of the cards of some files, by default of the project, that `only` selects.

    Raises CardgenError for problems in the files, and if nothing matches `only`.
    """
    return tuple(explanations(load_deck(paths, only)[1].cards))


def explanations(entries: Sequence[Entry]) -> Iterator[TextExplanation]:
    """Yield the texts of cards whose games read texts; those that effects could replace, or that effects made."""
    for entry in entries:
        game = require_game(entry.game)
        reader = load_reader(game)
        if reader is None:
            continue
        for part, route, _ in walk_parts(entry.card):
            if not isinstance(part, Model):
                continue
            own = getattr(part, "text", None)
            text = own or game.describe(part)
            if text and (sentences := reader.read(part, text)):
                yield TextExplanation(entry, route, part, text, bool(own), sentences, reader)


def coverage(texts: Sequence[TextExplanation]) -> Coverage:
    """Return how much of some texts is understood."""
    sentences = [sentence for text in texts for sentence in text.sentences]
    words = {False: 0, True: 0}
    unread: Counter[str] = Counter()
    for sentence in sentences:
        is_read = sentence.level != Level.UNREAD
        for clause in sentence.clauses:
            words[is_read or clause.is_read] += len(clause.text.split())
            if not (is_read or clause.is_read):
                unread[" ".join(clause.text.lower().split())] += 1
        if not sentence.clauses:
            words[is_read] += len(sentence.text.split())
    levels = Counter(sentence.level for sentence in sentences)
    commonest = sorted(unread.items(), key=lambda item: (-item[1], item[0]))[:MOST_UNREAD]
    return Coverage(levels, sum(words.values()), words[True], tuple(commonest))
