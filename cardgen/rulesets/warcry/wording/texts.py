"""The sentences of a text, each with what the sentences before it say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from cardgen.game import (
    Features,
    Interpretation,
    Level,
    Meaning,
    Part,
    SentenceReading,
    SentenceSpan,
    Token,
    read_sentence,
    split_sentences,
)
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.wording.draft import Context
from cardgen.rulesets.warcry.wording.reading import NAMING, interpret
from cardgen.rulesets.warcry.wording.sentences import idle_keys, sentences
from cardgen.rulesets.warcry.wording.table import GRAMMAR
from cardgen.rulesets.warcry.wording.titles import is_title, title_end

LINKS = frozenset(("and", "then", "but", ";"))
# The price that authors put before an ability: '[Double]', 'Triple -', 'REACTION:'.
_PRICE = re.compile(
    r"\s*(?:\[(double|triple|quad|reaction)\]|(double|triple|quad|reaction)\s*[-:–—])\s*", re.IGNORECASE
)
# What begins a sentence that only goes on with the one before: 'This lasts until …', or 'Never below 1'.
_CONTINUES = re.compile(
    r"\(?(?:(?:this|that|these|those|its?|they|both|against|never|no|not|(?:to an? )?min(?:imum)?)\b"
    r"|enem(?:ies|y fighters) (?:can['’]?t|cannot|may not)|no reactions|without it counting"
    r"|the (?:effect|bonus|penalty|modifier)|on (?:an? )?\d|[^.]*\binstead\b)",
    re.IGNORECASE,
)


class _Place(NamedTuple):
    """A sentence to be read: its text, how many characters of it are skipped, and the context before it."""

    span: SentenceSpan
    skipped: int
    context: Context


def read_sentences(text: str, price: str = "") -> tuple[SentenceReading, ...]:
    """Return the sentences of a text, as far as they were read.

    A sentence can refer to the ones before: 'that fighter', 'it', 'on a 4+'. `price` is that of the card, or ''.
    """
    start = _PRICE.match(text)
    written = (start[1] or start[2]).lower() if start else price
    spans = [*_with_questions(text)]
    if price not in ("", written):
        reason = f"the price of the card is {price}"
        return tuple(SentenceReading(*span, Level.UNREAD, reason=reason) for span in spans)
    context, readings = Context(price=written), list[SentenceReading]()
    before: _Place | None = None
    for span in spans:
        place = _Place(span, start.end() if start and not readings else 0, context)
        reading, context = _read_at(place, is_first=not readings, is_last=span is spans[-1])
        joined = _join(before, place) if before and reading.level == Level.UNREAD else None
        if joined:
            readings[-1], reading, context = joined
        readings.append(reading)
        before = place
    return tuple(readings)


def _with_questions(text: str) -> Iterator[SentenceSpan]:
    """Yield the sentences of a text; a question is the beginning of the sentence after it."""
    start: int | None = None
    for span in split_sentences(text):
        start = span.start if start is None else start
        if not span.text.endswith("?"):
            yield SentenceSpan(text[start : span.start + len(span.text)], start)
            start = None
    if start is not None:
        yield SentenceSpan(text[start:].rstrip(), start)


def _read_at(place: _Place, *, is_first: bool, is_last: bool) -> tuple[SentenceReading, Context]:
    """Return a sentence as it was read, without a title before it, or as a fighter that is only named."""
    span, skipped, context = place
    title = title_end(span.text[skipped:])
    reading, after = _read(span, skipped + title, context)
    if reading.level == Level.UNREAD and is_first and not is_last and is_title(span.text[skipped:]):
        return SentenceReading(*span, Level.READ, value=()), context
    if reading.level == Level.UNREAD and context.price and _is_topic(span.text[skipped + title :]):
        reading, after = _read_topic(span, skipped + title, context)
    if reading.level == Level.UNREAD and title:
        whole = _read(span, skipped, context)
        return whole if whole[0].level != Level.UNREAD else (reading, after)
    return reading, after


def _is_topic(text: str) -> bool:
    tokens = GRAMMAR.tokenize(text.rstrip(" .!"))
    return any(match.end == len(tokens) for match in GRAMMAR.chart(tokens).matches("topic", 0)) if tokens else False


def _read_topic(span: SentenceSpan, skipped: int, context: Context) -> tuple[SentenceReading, Context]:
    """Return a sentence that only names a fighter, read as a pick: 'Visible enemy within 6"'."""
    text = span.text.rstrip(" .!")
    reading, after = _read(SentenceSpan(f"{text} :", span.start), skipped, context)
    end = span.start + len(text)
    clauses = tuple(
        each._replace(text=each.text.removesuffix(" :"), end=min(each.end, end)) for each in reading.clauses
    )
    return reading._replace(text=span.text, find_clauses=lambda: clauses), after


def _join(before: _Place, place: _Place) -> tuple[SentenceReading, SentenceReading, Context] | None:
    """Return a sentence and one that only goes on with it, or None if they are not read as one."""
    (text, start), span = before.span, place.span
    if text[-1:] not in (".", "!") or not _CONTINUES.match(span.text):
        return None
    gap = " " * (span.start - start - len(text))
    both = SentenceSpan(f"{text[:-1]},{gap}{span.text}", start)
    skipped = before.skipped + title_end(text[before.skipped :])
    reading, context = _read(both, skipped, before.context)
    if reading.level == Level.UNREAD:
        return None
    first = tuple(each for each in reading.clauses if each.start < span.start)
    rest = tuple(each for each in reading.clauses if each.start >= span.start)
    return (
        reading._replace(text=text, find_clauses=lambda: first),
        reading._replace(text=span.text, start=span.start, value=(), canonical="", find_clauses=lambda: rest),
        context,
    )


def _read(sentence: SentenceSpan, skipped: int, before: Context) -> tuple[SentenceReading, Context]:
    """Return a sentence as it was read, and the context after it."""
    contexts: dict[tuple[Change, ...], Context] = {}

    def assemble(parts: tuple[Part, ...], tokens: tuple[Token, ...]) -> Iterator[Interpretation]:
        if any(_says_also(part, tokens) for part in parts):
            return
        for changes, context, is_loose in interpret(_linked(parts, tokens), before):
            if any(map(idle_keys, changes)):  # A word of the sentence would be lost.
                continue
            contexts[changes] = context
            yield Interpretation(changes, is_loose)

    rest = SentenceSpan(sentence.text[skipped:], sentence.start + skipped)
    reading = read_sentence(GRAMMAR, rest, assemble, lambda _: 0)._replace(text=sentence.text, start=sentence.start)
    if reading.level == Level.UNREAD:
        return reading, replace(before, is_known=False, has_subject=False)
    return reading._replace(canonical=" ".join(sentences(reading.value, before.dice or 1))), contexts[reading.value]


def _says_also(part: Part, tokens: Sequence[Token]) -> bool:
    """Return whether a clause about when something happens says that something else must happen, too."""
    is_frame = isinstance(part.meaning, Features) and part.meaning.get("kind") in NAMING
    return is_frame and any("also" in token.written.split() for token in tokens[part.start : part.end])


def _linked(parts: Iterable[Part], tokens: Sequence[Token]) -> Iterator[tuple[Meaning, bool]]:
    """Yield the meaning of each part, and whether a word such as 'and' leads on to it."""
    end = 0
    for part in parts:
        yield part.meaning, any(token.word in LINKS for token in tokens[end : part.start])
        end = part.end
