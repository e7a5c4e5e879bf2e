"""Checking a text as a card file of a project of its own, and what was found as marks."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from cardgen.check.locating import Found
from cardgen.check.manual import Mark
from cardgen.check.outcome import Outcome
from cardgen.pipeline.checking import Request, check

CARD = "card.yaml"


@contextmanager
def inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def checked(folder: Path, text: str | bytes, files: Iterable[str] = (), request: Request | None = None) -> Outcome:
    """Check the text as the only card file in `folder`, beside empty `files`."""
    (folder / CARD).write_bytes(text.encode() if isinstance(text, str) else text)
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).touch()
    with inside(folder):
        return check(request or Request())


def found_marks(outcome: Outcome) -> tuple[Mark, ...]:
    return tuple(sorted(map(_mark, outcome.found)))


def _mark(one: Found) -> Mark:
    place = one.diagnostic.place
    if place.span is None:
        return Mark(one.diagnostic.code, 0, 0, "" if place.file == CARD else place.file)
    return Mark(one.diagnostic.code, place.span.line, place.span.column)
