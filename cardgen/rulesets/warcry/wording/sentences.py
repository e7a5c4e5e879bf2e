"""Sentences for changes: the moment, the dice, and the condition, then what happens, and for how long."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from cardgen.game import APOSTROPHE, join_words
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.selections import OTHER_COMPARISONS, Group
from cardgen.rulesets.warcry.wording.deeds import TOGETHER, deeds_of
from cardgen.rulesets.warcry.wording.ends import attacks_phrase, clause, ends_phrase
from cardgen.rulesets.warcry.wording.phrases import (
    SELF,
    condition_phrase,
    each_phrase,
    faces_phrase,
    features,
    moment_phrase,
    party_phrase,
    pick_phrase,
    write,
)

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
_CONDITION_OF_ONE = re.compile(r"\b(?:if|unless|while) (?:[^,]* )?that fighter\b", re.IGNORECASE)
FOR_WARBAND = ("take_cover", "wild_dice", "initiative", "impact", "goes_first", "ability_value", "raise_value")


def sentences(changes: tuple[Change, ...], dice: int | str = 1) -> tuple[str, ...]:
    """Return the sentences for each change as one text; different changes never read the same.

    `dice` is the number of dice that were rolled before.
    """
    texts: list[str] = []
    picks_several = False
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
    if _CONDITION_OF_ONE.search(text):
        return text
    return _THAT_FIGHTER.sub(lambda match: f"{'Each' if match[1] == 'T' else 'each'} of those fighters", text)


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
