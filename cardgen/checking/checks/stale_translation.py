"""A translation of a text that has changed since.

Why is this bad?
    The card has different words, and perhaps different rules, in that language. Translate the text again, or, if the
    translation is still right, accept it with `cardgen translate accept`. With `--changed-since`, a translation without
    a record is compared with the earlier text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

from cardgen.checking.check import CheckContext, CheckScope, Confidence, Finding, TranslatedPair
from cardgen.diagnostic import Severity

CODE, NAME = "CG145", "stale-translation"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = CheckScope
# Words to quote before and after those that changed.
_CONTEXT = 3
# The words that were there, and those that are there now, in a message.
CHANGED = re.compile(r": '(?:… )?(.*?)(?: …)?' is now '(?:… )?(.*?)(?: …)?'$")
_NUMBER = re.compile(r"(\d+)")


def find(scope: CheckScope, context: CheckContext) -> Iterator[Finding]:
    """Yield the translations whose recorded source is another one."""
    for each in scope.services.translations():
        for pair in each.stale:
            yield finding(pair, each.language)


def finding(pair: TranslatedPair, language: str) -> Finding:
    """Return the finding for a translation that was made from `pair.recorded`."""
    old, new = _what_differs(pair.recorded or "", pair.source)
    message = f"'{pair.field}' of '{pair.name}' has changed since its translation ({language}): '{old}' is now '{new}'"
    accept = f"cardgen translate accept {language} {pair.id}/{pair.field}"
    text = _renumbered(pair)
    if pair.recorded and pair.text.split() == pair.recorded.split():
        advice = f"the text and its translation have changed places: exchange '{pair.source}' and '{pair.text}'"
        return Finding(message, help=advice, place=pair.place())
    advice = f"write '{text}'" if text else "translate it again"
    return Finding(message, help=f"{advice}, then run '{accept}'", place=pair.place())


def _renumbered(pair: TranslatedPair) -> str:
    """Return the translation with the number that became another one in its source, or '' if more has changed."""
    was, now = (_NUMBER.split(text) for text in (pair.recorded or "", pair.source))
    changed = {(old, new) for old, new in zip(was, now, strict=False) if old != new}
    if len(was) != len(now) or len(changed) != 1:
        return ""
    ((old, new),) = changed
    parts = _NUMBER.split(pair.text)
    if not (old.isdecimal() and new.isdecimal()) or parts.count(old) != was.count(old) or old in now:
        return ""
    return "".join(new if part == old else part for part in parts)


def _what_differs(one: str, other: str) -> tuple[str, str]:
    """Return the words of two texts that are not the same, with some before and after them."""
    words, others = one.split(), other.split()
    before = sum(1 for _ in takewhile(bool, map(str.__eq__, words, others)))
    rest, others_rest = words[before:], others[before:]
    after = sum(1 for _ in takewhile(bool, map(str.__eq__, reversed(rest), reversed(others_rest))))
    start = max(0, before - _CONTEXT)

    def part(of: list[str]) -> str:
        end = len(of) - after + _CONTEXT
        return f"{'… ' * (start > 0)}{' '.join(of[start:end])}{' …' * (end < len(of))}"

    return part(words), part(others)
