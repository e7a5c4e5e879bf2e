"""Sentences for changes: the moment, the dice, and the condition, then what happens, and for how long."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from cardgen.game import (
    APOSTROPHE,
    Features,
    Interpretation,
    Level,
    Meaning,
    Part,
    SentenceReading,
    SentenceSpan,
    Token,
    join_words,
    read_sentence,
    split_sentences,
)
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.selections import OTHER_COMPARISONS, Condition, Group
from cardgen.rulesets.warcry.wording.draft import Context
from cardgen.rulesets.warcry.wording.phrases import (
    SELF,
    TOGETHER,
    attacks_phrase,
    clause,
    condition_phrase,
    deeds_of,
    each_phrase,
    ends_phrase,
    faces_phrase,
    features,
    moment_phrase,
    party_phrase,
    pick_phrase,
    write,
)
from cardgen.rulesets.warcry.wording.reading import NAMING, interpret
from cardgen.rulesets.warcry.wording.values import GRAMMAR, is_title, title_end

ROLLED_FOR = {
    "picked": "each of them",
    "sets": "each of your doubles, triples, and quads",
    "hits": "each hit",
    "criticals": "each critical hit",
    "misses": "each miss",
}
HIT_STATS = ("damage", "critical")
# Groups of characteristics that one sentence can change as a multiple of the value.
TOGETHER_IN_MULTIPLES = (Change.FIGHTER_FIELDS, ("range", "attacks", "strength"), HIT_STATS)
# Keys that say more about what a change does: each is in its sentences, or it has no effect.
DETAILS = (
    "weapon", "reach", "beyond", "target", "incoming", "times", "per", "per_points", "at_least", "span", "next",
    "during", "twice", "against", "either", "may", "engaged", "unanswered", "closer", "exact", "direction",
)  # fmt: skip
# The picked fighter where several were picked; what belongs to it, or lies near it, is never said of several.
_THAT_FIGHTER = re.compile(
    r"""(?<!" of )(?<!against )(?<!away from )(?<!toward )(?<!target )\b([Tt])hat fighter(?=[ .,])"""
)
_ATTACKS_OF_ONE = re.compile(rf"\b([Tt])hat fighter{APOSTROPHE}s(?= (?:next )?(?:melee |missile )?attacks?\b)")
_CONDITION = re.compile(r"\b(?:if|unless|while)\b")
FOR_WARBAND = ("take_cover", "wild_dice", "initiative", "impact", "goes_first", "ability_value", "raise_value")


def sentences(changes: tuple[Change, ...], dice: int | str = 1, *, picks_several: bool = False) -> tuple[str, ...]:
    """Return the sentences for each change as one text; different changes never read the same.

    `dice` is the number of dice that were rolled before, and `picks_several` says whether several fighters were picked.
    """
    texts: list[str] = []
    for change in changes:
        picks_several = change.pick.count > 1 if change.pick else picks_several
        text = " ".join(sentences_of(change, dice))
        texts.append(_of_each(text) if picks_several else text)
        dice = _dice_after(change, dice)
    return tuple(texts)


def _of_each(text: str) -> str:
    """Return a text about the picked fighters, of which there are several: each of them is meant by 'that fighter'.

    A condition of one of them says 'that fighter' of the one that it is true for.
    """
    if any(_says_condition(clause) for clause in text.lower().split(",")):
        return text
    text = text.replace("target that fighter", "target those fighters")
    text = _ATTACKS_OF_ONE.sub(lambda match: f"{'Those' if match[1] == 'T' else 'those'} fighters{APOSTROPHE}", text)
    return _THAT_FIGHTER.sub(lambda match: f"{'Each' if match[1] == 'T' else 'each'} of those fighters", text)


def _says_condition(clause: str) -> bool:
    condition = _CONDITION.search(clause)
    return condition is not None and "that fighter" in clause[condition.end() :]


def idle_keys(change: Change) -> tuple[str, ...]:
    """Return the names of the fields of a change that its sentences do not mention, such as the `while` of a move."""
    written = tuple(sentences_of(change))
    return tuple(name for name in DETAILS if _is_idle(change, name, written))


def _is_idle(change: Change, name: str, written: tuple[str, ...]) -> bool:
    default = type(change).model_fields[name].default
    if getattr(change, name) == default:
        return False
    return tuple(sentences_of(change.model_copy(update={name: default}))) == written


def _dice_after(change: Change, before: int | str) -> int | str:
    """Return the number of dice that were rolled last, for each fighter if for several."""
    return change.roll or (change.dice_each if change.roll_each else before)


def sentences_of(change: Change, dice: int | str = 1) -> Iterator[str]:
    """Yield the sentences for a change; `dice` is the number of dice that were rolled before."""
    for parts in _sentences(change, _dice_after(change, dice)):
        text = ", ".join(parts).replace("'", APOSTROPHE)
        yield f"{text[0].upper()}{text[1:]}."


def _sentences(change: Change, dice: int | str) -> Iterator[tuple[str, ...]]:
    """Yield the parts of each sentence; the first that happens names the moment."""
    if change.only_if:
        yield (clause("only_if", "is", c=condition_phrase(change.only_if, "it")),)
    if change.not_if:
        yield (clause("not_if", "is", c=condition_phrase(change.not_if, "it")),)
    if change.reacts:
        yield (clause("reacts", "is", m=moment_phrase(change.reacts)),)
    moment = (moment_phrase(change.when),) if change.when else ()
    conditions, happenings = _conditions(change, dice), [*_consequences(change)]
    if picks := [*_picks(change)]:
        may = "you may " if change.may else ""
        yield (
            *(() if happenings or not moment else _unsaid_end(change, [])),
            *moment,
            *(() if happenings else conditions),
            f"{may}{join_words(picks, 'and', serial_comma=False)}",
        )
        moment = ()
    end = _unsaid_end(change, happenings) if moment else ()
    for words in happenings:
        yield (*end, *moment, *conditions, words)
        moment = end = ()


def _unsaid_end(change: Change, happenings: list[str]) -> tuple[str, ...]:
    """Return how long a moment matters, if what happens then does not say so."""
    if not change.span:
        return ()
    ends = [write("part", features({"kind": "until", "for": change.span}), style) for style in ("", "own")]
    return () if any(words.endswith(tuple(ends)) for words in happenings) else (ends[0],)


def _picks(change: Change) -> Iterator[str]:
    if change.pick:
        yield f"pick {pick_phrase(change.pick)}"
    if change.roll:
        yield f"roll {write('dice_count', change.roll)}"
    if change.roll_each:
        yield f"roll {write('dice_count', change.dice_each)} for {_rolled_for(change.roll_each)}"


def _rolled_for(whom: str | Group) -> str:
    if isinstance(whom, Group):
        return each_phrase(whom)
    return ROLLED_FOR[whom]


def _conditions(change: Change, dice: int | str) -> tuple[str, ...]:
    on_roll = _faces_condition(change, dice) if change.on_roll else ""
    condition = f"if {condition_phrase(change.condition)}" if change.condition else ""
    unless = f"unless {condition_phrase(change.unless)}" if change.unless else ""
    return tuple(filter(None, (on_roll, condition, unless)))


def _faces_condition(change: Change, dice: int | str) -> str:
    """Return 'on a 4+', or 'for each roll of 4+' for several dice."""
    faces = change.on_roll or ""
    each = {} if dice in (1, "2d6") else {"each": True}
    if faces in OTHER_COMPARISONS and faces.endswith("value"):
        return clause("on_roll", compare=faces, **each)
    if faces in OTHER_COMPARISONS:
        owner = write("owner", "each" if isinstance(change.of, Group) else change.of)
        return clause("on_roll", "whose", compare=faces, p=owner, **each)
    phrase = faces_phrase(faces)
    return f"on {phrase}" if dice in (1, "2d6") else f"for each roll of {phrase.partition(' ')[2]}"


def _consequences(change: Change) -> Iterator[str]:
    for names in TOGETHER_IN_MULTIPLES if change.times else TOGETHER:
        if changed := change.nonzero(names):
            words = _multiple(change, changed) if change.times else _signed(change, changed)
            yield "".join((words, *ends_phrase(change)))
    yield from deeds_of(change)
    for name in FOR_WARBAND:
        if (value := getattr(change, name)) not in (None, 0):
            yield "".join((clause(name, **{name: value}), *(ends_phrase(change) if name == "impact" else ())))


def _signed(change: Change, changed: tuple[tuple[str, int], ...]) -> str:
    """Return 'this fighter has +1 Move', or 'its melee attacks have +1 Attacks and +1 Strength'."""
    stats = [write("signed_stats", features({"stats": [name], "numbers": [by]})) for name, by in changed]
    words = join_words(stats, "and", serial_comma=False)
    if changed[0][0] in Change.WEAPON_FIELDS:
        if change.weapon.startswith("one"):
            return clause("stats", "change", of=SELF, weapon=change.weapon, s=words)
        return clause("stats", "attacks change", "next" if change.next else "", t=attacks_phrase(change), s=words)
    if change.incoming:
        against: dict[str, Any] = {"weapon": change.weapon, "incoming": True}
        return clause("stats", "of change", p=party_phrase(change.of), s=words, **against)
    return clause("stats", "of change", p=party_phrase(change.of), s=words)


def _multiple(change: Change, changed: tuple[tuple[str, int], ...]) -> str:
    """Return 'add the value of this ability to the Strength of this fighter's melee attacks'."""
    is_hit = changed[0][0] in HIT_STATS
    names = [write("hits" if is_hit else "stat", name) for name, _ in changed]
    kind = "add" if changed[0][1] > 0 else "subtract"
    comma = "," if change.times == "half-value" else ""
    words = {"n": f"{write('amount', change.times)}{comma}", "s": join_words(names, "and", serial_comma=False)}
    if changed[0][0] in Change.FIGHTER_FIELDS:
        return clause(kind, "by of change", p=party_phrase(change.of), **words)
    return clause(kind, "by attacks change", "hits" if is_hit else "", t=attacks_phrase(change), **words)


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
