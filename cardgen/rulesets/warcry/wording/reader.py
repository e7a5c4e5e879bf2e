"""Changes read from the text of a card."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from cardgen.game import (
    Interpretation,
    Level,
    Model,
    Part,
    SentenceReading,
    SentenceSpan,
    Token,
    read_sentence,
    split_sentences,
)
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.wording.reading import Context, interpret
from cardgen.rulesets.warcry.wording.sentences import sentences_of
from cardgen.rulesets.warcry.wording.table import GRAMMAR

# The price that authors put before an ability: '[Double]', 'Triple -', 'REACTION:'.
_PRICE = re.compile(
    r"\s*(?:\[(double|triple|quad|reaction)\]|(double|triple|quad|reaction)\s*[-:–—])\s*", re.IGNORECASE
)


def read_text(thing: Model, text: str) -> tuple[SentenceReading, ...]:
    """Return the sentences of a text of a card or rule, as far as they were read; () for a thing without changes."""
    if "changes" not in type(thing).model_fields:
        return ()
    return read_sentences(text, getattr(thing, "price", None) or "")


def read_sentences(text: str, price: str = "") -> tuple[SentenceReading, ...]:
    """Return the sentences of a text, as far as they were read.

    A sentence can refer to the ones before: 'that fighter', 'it', 'on a 4+'. `price` is that of the card, or ''.
    """
    start = _PRICE.match(text)
    written = (start[1] or start[2]).lower() if start else price
    sentences = [*split_sentences(text)]
    if price not in ("", written):
        return tuple(_unread(sentence, f"the price of the card is {price}") for sentence in sentences)
    context, readings = Context(price=written), list[SentenceReading]()
    for sentence in sentences:
        reading, context = _read(sentence, start.end() if start and not readings else 0, context)
        readings.append(reading)
    return tuple(readings)


def _unread(sentence: SentenceSpan, reason: str) -> SentenceReading:
    return SentenceReading(sentence.text, sentence.start, Level.UNREAD, reason=reason)


def _read(sentence: SentenceSpan, skipped: int, before: Context) -> tuple[SentenceReading, Context]:
    """Return a sentence as it was read, and the context after it."""
    contexts: dict[tuple[Change, ...], Context] = {}

    def assemble(parts: tuple[Part, ...], tokens: tuple[Token, ...]) -> Iterator[Interpretation]:
        for changes, context, is_loose in interpret([part.meaning for part in parts], before):
            contexts[changes] = context
            yield Interpretation(changes, is_loose)

    rest = SentenceSpan(sentence.text[skipped:], sentence.start + skipped)
    reading = read_sentence(GRAMMAR, rest, assemble)._replace(text=sentence.text, start=sentence.start)
    if reading.level == Level.UNREAD:
        return reading, replace(before, is_known=False, has_subject=False)
    dice = before.dice or 1
    canonical = " ".join(text for change in reading.value for text in sentences_of(change, dice))
    return reading._replace(canonical=canonical), contexts[reading.value]
