"""A file whose path differs from that of another one only in case.

Why is this bad?
    On Windows and macOS, both paths are the same file. Anyone who downloads the project there gets only one of the two,
    and Git reports the other as changed. cardgen compares card files and pictures.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import CheckContext, CheckScope, Confidence, Finding
from cardgen.diagnostic import Place, Severity

CODE, NAME = "CG130", "case-clash"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = CheckScope


def find(scope: CheckScope, context: CheckContext) -> Iterator[Finding]:
    """Yield each path that another one has in other letters."""
    first: dict[str, str] = {}
    for path in sorted({*scope.files, *scope.services.pictures()}):
        other = first.setdefault(path.casefold(), path)
        if other != path:
            yield Finding(f"the path differs from '{other}' only in case", help="rename the file", place=Place(path))
