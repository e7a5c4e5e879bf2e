"""Texts without a translation into a language of the project, or with one that is older than the text.

Why is this bad?
    A text without a translation is printed in the language of the cards, and one that is older may say what the card
    no longer does.
    There is one finding for a language. `cardgen translate status de` lists its texts, and `--strict-language` makes
    each of them an error in builds.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import CheckContext, CheckScope, Confidence, Finding
from cardgen.diagnostic import Severity
from cardgen.units import quantity

CODE, NAME = "CG141", "translation-gap"
SEVERITY, CONFIDENCE = Severity.NOTE, Confidence.CERTAIN
LOOKS_AT = CheckScope


def find(scope: CheckScope, context: CheckContext) -> Iterator[Finding]:
    """Yield the gaps of each language."""
    for each in scope.services.translations():
        gaps = [(each.missing, "not translated"), (each.stale, "older than the source")]
        words = " and ".join(f"{quantity(count, 'text')} {what}" for count, what in gaps if count)
        if words:
            yield Finding(
                f"{each.language}: {words}", help=f"run 'cardgen translate status {each.language}'", place=each.place
            )
