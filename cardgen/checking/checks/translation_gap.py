"""Texts without a translation into a language of the project.

Why is this bad?
    A text without a translation is printed in the language of the cards. If a clause has no words in the language, a
    sentence that a game writes with it is printed entirely in English. There is one finding for each language and each
    such clause. `cardgen translate status de` lists the texts, and `--strict-language` makes builds fail on them.
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
        if each.missing:
            message = f"{each.language}: {quantity(each.missing, 'text')} not translated"
            yield Finding(message, help=f"run 'cardgen translate status {each.language}'", place=each.place)
    for clause in scope.services.unwritten():
        message = f"{clause.language}: no words for '{clause.clause}', so the sentence is in English"
        yield Finding(message, help="write the text yourself, as 'text'", place=clause.place)
