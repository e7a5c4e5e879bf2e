"""Checks texts as card files, and shows findings as marks."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from cardgen.checking.check import ExpectedFinding
from cardgen.checking.locate import LocatedFinding
from cardgen.checking.runner import CheckResult
from cardgen.project_checks.run import CheckRequest, check_project

CARD = "card.yaml"


@contextmanager
def inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def checked(
    folder: Path, text: str | bytes, files: Iterable[str] = (), request: CheckRequest | None = None
) -> CheckResult:
    """Check a text as the only card file, beside empty `files`."""
    (folder / CARD).write_bytes(text.encode() if isinstance(text, str) else text)
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).touch()
    with inside(folder):
        return check_project(request or CheckRequest())


def found_marks(outcome: CheckResult) -> tuple[ExpectedFinding, ...]:
    return tuple(sorted(map(_mark, outcome.findings)))


def _mark(one: LocatedFinding) -> ExpectedFinding:
    place = one.diagnostic.place
    if place.span is None:
        return ExpectedFinding(one.diagnostic.code, 0, 0, "" if place.file == CARD else place.file)
    return ExpectedFinding(one.diagnostic.code, place.span.line, place.span.column)
