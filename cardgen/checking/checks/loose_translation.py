"""A translation that fits no card or no text.

Why is this bad?
    It is never printed. The id or path of its card or text has changed, or there is no card file of the same name
    beside its file.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import CheckContext, CheckScope, Confidence, Finding
from cardgen.diagnostic import Severity

CODE, NAME = "CG142", "loose-translation"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = CheckScope


def find(scope: CheckScope, context: CheckContext) -> Iterator[Finding]:
    """Yield what fits nothing."""
    for each in scope.services.translations():
        for problem in each.problems:
            yield Finding(problem.message, help=problem.help, place=problem.place)
