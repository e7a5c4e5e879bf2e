"""Sentences of texts as changes, one after the other: titles, prices, and what each refers to."""

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
from cardgen.rulesets.warcry.selections import Condition, Group
from cardgen.rulesets.warcry.wording.consequences import NAMING, interpret
from cardgen.rulesets.warcry.wording.draft import Context
from cardgen.rulesets.warcry.wording.sentences import idle_keys, sentences
from cardgen.rulesets.warcry.wording.values import GRAMMAR, LIMITS, ORDINALS

MAX_WORDS = 5
_LABEL = re.compile(
    r"\s*(?P<title>[\"“'‘]?[A-Z][^\d:;()\[\]+=%]{1,40}?)(?P<mark>!?)"
    r"[?.]?[\"”’']?(?::|\s[-–—]+)\s+(?=\S)"
)
_WORD = re.compile(r"[^\W\d_]+(?:[’'][^\W\d_]+)?")
# A battle cry in quotes, which can say anything.
_QUOTED = re.compile(r"\s*[\"“][^\"“”\d]+[\"”][!.?]?\s*")
_SMALL = frozenset(("of", "the", "and", "a", "an", "in", "to", "for", "as", "on", "by", "with", "at", "from"))
# Words that rules are made of: titles such as 'Battle Cry' have some, but not only those.
_TERMS = frozenset((
    "use", "uses", "used", "add", "adds", "subtract", "subtracts", "remove", "removes", "pick", "choose", "roll",
    "rolls", "reroll", "allocate", "suffer", "suffers", "attack", "attacks", "melee", "missile", "ranged",
    "shooting", "weapon", "weapons", "move", "moves", "toughness", "strength", "wound", "wounds", "range", "damage",
    "critical", "criticals", "crit", "crits", "dice", "die", "hits", "bonus", "action", "actions", "activation",
    "activations", "battle", "round", "rounds", "turn", "turns", "reaction", "reactions", "ability", "abilities",
    "cover", "objective", "objectives", "treasure", "runemark", "runemarks", "hero", "beast", "minion", "monster",
    "leader", "mount", "thrall", "champion", "disengage", "target", "targets", "fly", "flies", "heal", "heals",
))  # fmt: skip


def is_title(text: str) -> bool:
    """Return whether a sentence is only a name or a motto: a few words that do not make a rule."""
    words = _WORD.findall(text)
    if _QUOTED.fullmatch(text):
        return len(words) <= MAX_WORDS
    if not 0 < len(words) <= MAX_WORDS or any(each.isdigit() for each in text) or set(text) & set(":;()[]+=%{}"):
        return False
    if re.search(r"\b(?:up to|one of)\b", text):
        return False
    plain = [word.lower().replace("’", "'") for word in words if word not in _SMALL]
    if not plain or not LIMITS.isdisjoint(plain) or not ORDINALS.isdisjoint(words):
        return False
    is_capitalized = all(word[0].isupper() or word in _SMALL for word in words)
    can_have_terms = text.rstrip("\"”’'").endswith("!") or (is_capitalized and not _TERMS.issuperset(plain))
    return can_have_terms or _TERMS.isdisjoint(plain)


def title_end(text: str) -> int:
    """Return where a rule begins after a title and a colon or dash, or 0."""
    match = _LABEL.match(text)
    return match.end() if match and is_title(match["title"] + match["mark"]) else 0


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


_INSTEAD = re.compile(r"\binstead\b", re.IGNORECASE)


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
        elif readings and reading.level == Level.UNREAD and _INSTEAD.search(span.text):
            reason = "the next sentence replaces part of it"
            readings[-1] = SentenceReading(readings[-1].text, readings[-1].start, Level.UNREAD, reason=reason)
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
    rest = SentenceSpan(sentence.text[skipped:], sentence.start + skipped)

    def assemble(parts: tuple[Part, ...], tokens: tuple[Token, ...]) -> Iterator[Interpretation]:
        if any(_says_also(part, tokens) for part in parts):
            return
        for changes, context, is_loose in interpret(_linked(parts, tokens), before):
            if any(map(idle_keys, changes)):  # A word of the sentence would be lost.
                continue
            if not _agree_in_number(rest.text, changes, context):
                continue
            contexts[changes] = context
            yield Interpretation(changes, is_loose)

    reading = read_sentence(GRAMMAR, rest, assemble, lambda _: 0)._replace(text=sentence.text, start=sentence.start)
    if reading.level == Level.UNREAD:
        return reading, replace(before, is_known=False, has_subject=False)
    written = sentences(reading.value, before.dice or 1, picks_several=before.picks_several)
    return reading._replace(canonical=" ".join(written)), contexts[reading.value]


# Words for one fighter and for several, where they refer to those that were picked.
_OF_ONE = re.compile(
    r"\b(?:it|its|itself|(?:that|the (?:picked|chosen)) (?:friendly |enemy )?(?:fighter|enemy|friend))\b", re.IGNORECASE
)
_OF_SEVERAL = re.compile(r"\b(?:they|them|their|themselves|those|these|each|every|both|all)\b", re.IGNORECASE)
_ONLY_OF_SEVERAL = re.compile(
    r"\b(?:those|these) (?:fighters|enem|friend)|\b(?:each|all|both) of (?:them|those|these)\b"
    r"|\b(?:they|them) (?:each|all|both)\b|\beach[.!]?$",
    re.IGNORECASE,
)
# 'Each' of one fighter, and a ban on doing two things, not on doing this one.
_UNCLEAR = re.compile(r"\bit each\b|\b(?:cannot|can['’]t|not|never) also\b", re.IGNORECASE)


def _agree_in_number(text: str, changes: Iterable[Change], context: Context) -> bool:
    """Return whether a sentence about picked fighters has words for one if one was picked, or for several.

    A condition of one of several is about that one.
    """
    if _UNCLEAR.search(text):
        return False
    changes = [change for change in changes if not (change.pick or change.roll_each)]
    if not any(change.of == "picked" for change in changes):
        return True
    if any(isinstance(change.of, Group) or _is_of_picked(change.condition, change.unless) for change in changes):
        return True
    if context.picks_several:
        return bool(_OF_SEVERAL.search(text)) or not _OF_ONE.search(text)
    return not _ONLY_OF_SEVERAL.search(text)


def _is_of_picked(*conditions: Condition | None) -> bool:
    return any(each is not None and each.of == "picked" for each in conditions)


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
