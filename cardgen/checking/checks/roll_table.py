"""A table of rolls in which two rows have a number, or no row has one.

Why is this bad?
    Players roll the number, and find two results for it, or none. Someone has changed one row and not the next. cardgen
    compares the rows of a list whose key `roll` or `d6` has numbers, such as `1-2`, `3 or 4`, or `5+`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from cardgen.checking.check import CheckContext, Confidence, Finding, Related
from cardgen.diagnostic import Severity, join_words
from cardgen.model.card import Card
from cardgen.referee.die import Dice, dice_named_in, misfit
from cardgen.validation.base import Model

CODE, NAME = "CG208", "roll-table"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = Card

_ROLLS = re.compile(r"rolls?|\d?d\d+")
_NUMBER = re.compile(r"(?<!\d)\d{1,6}")
_NUMBERS = re.compile(r"\d{1,3}(?:\s*(?:,|/|\bor\b|\band\b)\s*\d{1,3})*")
_RANGE = re.compile(r"(\d{1,3})\s*(?:[-–—]|\bto\b)\s*(\d{1,3})")
_UP, _DOWN = re.compile(r"(\d{1,3})\s*(?:\+|or (?:more|higher))"), re.compile(r"(\d{1,3})\s*or (?:less|lower|fewer)")
_PAIRED = Dice(sides=66)


def find(card: Card, context: CheckContext) -> Iterator[Finding]:
    """Yield the rows with numbers that an earlier row has, or before which numbers are missing."""
    for name, info in type(card).model_fields.items():
        rows = getattr(card, name)
        if isinstance(rows, tuple | list) and len(rows) > 1 and all(isinstance(row, Model) for row in rows):
            for key in filter(_ROLLS.fullmatch, type(rows[0]).model_fields):
                texts = [str(getattr(row, key, "")).strip() for row in rows]
                mistakes = _mistakes(texts, _dice(card, key, context)) if _is_table(texts) else ()
                for number, others, message, advice in mistakes:
                    related = tuple(Related("another row", (info.alias or name, other, key)) for other in others)
                    yield Finding(message, (info.alias or name, number, key), help=advice, related=related)


def _is_table(texts: Sequence[str]) -> bool:
    """Return whether rows have several numbers each; several of '4+' are what each of them needs."""
    several = [text for text in texts if not text.isdecimal()]
    return bool(several) and all(sum(map(bool, map(form.fullmatch, texts))) <= 1 for form in (_UP, _DOWN))


def _dice(card: Card, key: str, context: CheckContext) -> Dice | None:
    """Return the dice of a table, if there is only one sort."""
    own = context.scope.dice.get(context.entry.game) if context.entry else None
    named = {*dice_named_in(key, own)} or {*dice_named_in(str(getattr(card, "text", None) or ""), own)}
    return named.pop() if len(named) == 1 else None


def _mistakes(texts: Sequence[str], dice: Dice | None) -> Iterator[tuple[int, list[int], str, str]]:
    """Yield the number of each wrong row and those of others that it belongs with, what is wrong, and what to do.

    If a row is not read, nothing is known of the others.
    """
    every = [int(number) for text in texts for number in _NUMBER.findall(text)]
    # The numbers that dice show, or those between the least and the greatest of a table.
    if dice:
        possible = [each for each in range(dice.low, dice.high + 1) if dice.number > 1 or each in dice.shown]
    else:
        between = range(min(every, default=0), max(every, default=0) + 1)
        possible = [each for each in between if each in _PAIRED.shown or not {*every} <= {*_PAIRED.shown}]
    rows = [_shown(text, possible) for text in texts]
    if None in rows or not any(rows):
        return
    shown = [row or frozenset[int]() for row in rows]
    gaps = _runs({*possible}.difference(*shown), possible)
    for number, row in enumerate(shown):
        reasons = [misfit(dice, int(each), int(each)) for each in _NUMBER.findall(texts[number])] if dice else []
        if reason := next(filter(None, reasons), ""):
            yield number, [], f"nobody rolls '{texts[number]}': {reason}", "correct the numbers"
        before = [other for other in range(number) if shown[other] & row]
        twice = row.intersection(each for other in before for each in shown[other])
        beside = [gap for gap in gaps if twice and _are_neighbors(gap, row, possible)]
        gaps = [gap for gap in gaps if gap not in beside]
        if twice:
            both = join_words([f"'{texts[each]}'" for each in (*before, number)], "and")
            message = f"the rows {both} have {_named(twice, possible)} in common"
            advice = f"take {_named(twice, possible)} out of {'one' if len(before) == 1 else 'all but one'} of them"
            if lacking := [each for gap in beside for each in gap]:
                message += f", and no row has {_named(lacking, possible)}"
                advice = f"write '{_named({*row, *lacking} - twice, possible)}' in place of '{texts[number]}'"
            yield number, before, message, advice
    for gap in gaps:
        after = next((each for each, row in enumerate(shown) if row and min(row) > gap[-1]), len(shown))
        around = [each for each in (after - 1, after) if 0 <= each < len(shown)]
        names = join_words(
            [f"'{_named({*gap, *shown[each]}, possible)}' in place of '{texts[each]}'" for each in around]
        )
        yield around[-1], around[:-1], f"no row has {_named(gap, possible)}", f"add a row, or write {names}"


def _are_neighbors(gap: Sequence[int], row: Collection[int], possible: Sequence[int]) -> bool:
    return bool(row) and len(_runs({*gap, *row}, possible)) == len(_runs(row, possible))


def _shown(text: str, possible: Collection[int]) -> frozenset[int] | None:
    """Return the possible numbers of a row, or None if it is not read."""
    if _NUMBERS.fullmatch(text):
        return frozenset(map(int, _NUMBER.findall(text))).intersection(possible)
    if match := _RANGE.fullmatch(text):
        first, last = int(match[1]), int(match[2])
        return frozenset(each for each in possible if first <= each <= last) if first <= last else None
    if match := _UP.fullmatch(text):
        return frozenset(each for each in possible if each >= int(match[1]))
    if match := _DOWN.fullmatch(text):
        return frozenset(each for each in possible if each <= int(match[1]))
    return None


def _runs(numbers: Collection[int], possible: Sequence[int]) -> list[list[int]]:
    """Return numbers in groups of neighbors."""
    found: list[list[int]] = []
    for before, face in zip([None, *possible], possible, strict=False):
        if face in numbers:
            found += [] if found and before == found[-1][-1] else [[]]
            found[-1].append(face)
    return found


def _named(numbers: Collection[int], possible: Sequence[int]) -> str:
    """Return numbers as rows have them: '1-2, 6'."""
    return ", ".join(f"{run[0]}-{run[-1]}" if run[1:] else str(run[0]) for run in _runs(numbers, possible))
