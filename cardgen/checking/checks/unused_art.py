"""A picture that no card uses.

Why is this bad?
    Usually a card was removed or now uses another picture, and the old file was left behind; or a card lacks the
    picture that was made for it.
    Only pictures in folders named `art`, and in their subfolders, are checked.

Example
    kind: relic  # CG124: art/moon.png
    name: Sun Stone
    art: art/sun.png
    effects: [{when: turn_start, bearer: {heal: 1}}]

Files
    art/sun.png
    art/moon.png

Use instead
    kind: relic
    name: Sun Stone
    art: art/sun.png
    effects: [{when: turn_start, bearer: {heal: 1}}]
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from cardgen.checking.check import Confidence, Finding
from cardgen.checking.context import CheckContext, CheckScope, entries_in_play
from cardgen.diagnostic import Place, Severity
from cardgen.model.entry import Entry
from cardgen.project.backs import is_picture

CODE, NAME = "CG124", "unused-art"
SEVERITY, CONFIDENCE = Severity.NOTE, Confidence.LIKELY
LOOKS_AT = CheckScope


def find(scope: CheckScope, context: CheckContext) -> Iterator[Finding]:
    """Yield the pictures of the project that no card uses."""
    pictures = scope.services.pictures()
    if not pictures:
        return
    used = set(scope.services.back_pictures())
    for entry in scope.compute_once(entries_in_play):
        for name in _picture_names(entry):
            with suppress(ValueError):
                used.add(scope.services.find_art(entry, name))
    for shown, path in pictures.items():
        if path.resolve() not in used:
            yield Finding("no card uses this picture", help="use it in a card, or delete it", place=Place(shown))


def _picture_names(entry: Entry) -> Iterator[str]:
    if entry.card.art:
        yield entry.card.art.file
    if entry.card.back and is_picture(entry.card.back):
        yield entry.card.back
