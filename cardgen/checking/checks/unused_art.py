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

from collections.abc import Container, Iterator
from pathlib import Path

from cardgen.checking.check import Confidence, Finding
from cardgen.checking.context import AmbiguousPictureError, CheckContext, CheckScope, entries_in_play
from cardgen.diagnostic import Place, Severity
from cardgen.model.entry import Entry
from cardgen.project.backs import is_picture
from cardgen.validation.slug import slugify

CODE, NAME = "CG124", "unused-art"
SEVERITY, CONFIDENCE = Severity.NOTE, Confidence.LIKELY
LOOKS_AT = CheckScope


def find(scope: CheckScope, context: CheckContext) -> Iterator[Finding]:
    """Yield the pictures of the project that no card uses."""
    pictures = scope.services.pictures()
    if not pictures or not scope.is_complete:
        return
    used = set(scope.services.back_pictures())
    for entry in scope.compute_once(entries_in_play):
        for name in _picture_names(entry):
            try:
                used.add(scope.services.find_art(entry, name))
            except AmbiguousPictureError as error:
                used.update(error.pictures)
            except ValueError:
                continue
    plain = {entry.card.id for entry in scope.compute_once(entries_in_play) if not entry.card.art}
    for shown, path in pictures.items():
        if path.resolve() not in used:
            yield Finding("no card uses this picture", help=_advice(Path(shown), plain), place=Place(shown))


def _advice(picture: Path, ids: Container[str]) -> str:
    """Return what to do with a picture; `ids` are those of the cards without one."""
    name = slugify(picture.stem)
    if name in ids:
        return f"for the card '{name}', name the picture '{name}{picture.suffix}' and set 'art: auto'"
    return "use it in a card, or delete it"


def _picture_names(entry: Entry) -> Iterator[str]:
    if entry.card.art:
        yield entry.card.art.file
    if entry.card.back and is_picture(entry.card.back):
        yield entry.card.back
