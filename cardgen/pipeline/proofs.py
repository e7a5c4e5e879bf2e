"""Proofs: cards drawn for the checks of fit and print, not for paper."""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.check.prints import Placed, Print
from cardgen.check.table import Scene, Table
from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.export.images import look_at
from cardgen.face.face import Face, Picture
from cardgen.model.entry import Entry
from cardgen.pipeline.drawing import Drawer
from cardgen.pipeline.loading import game_called
from cardgen.project import Project
from cardgen.text.lines import Fit
from cardgen.units import MM_PER_INCH


def proofs(project: Project, table: Table) -> tuple[list[tuple[Scene, object]], list[Diagnostic]]:
    """Each card of the table as it is printed, and everything that cannot be drawn or does not fit.

    Cards whose picture is missing are left to the check of that name, and not drawn.
    """
    drawer = Drawer(project)
    drawn: list[tuple[Scene, object]] = []
    problems: list[Diagnostic] = []
    for entry in table.cards:
        if not game_called(entry.game).kinds[entry.kind].printed or not _has_its_art(table, entry):
            continue
        try:
            piece, found = drawer.piece(entry, backs=True)
            drawn.append((Scene(table, entry), _print([face for face in (piece.front, piece.back) if face])))
        except CardgenError as error:
            problems += error.diagnostics
        else:
            problems += found
    return drawn, problems


def _has_its_art(table: Table, entry: Entry) -> bool:
    try:
        return entry.card.art is None or bool(table.surroundings.find_art(entry, entry.card.art.file))
    except ValueError:
        return False


def _print(faces: Sequence[Face]) -> Print:
    """What checks see of some faces."""
    fits = tuple(fit for face in faces for fit in face.fits if isinstance(fit, Fit))
    pictures = (item for face in faces for item in face.items if isinstance(item, Picture))
    return Print(fits, tuple(map(_placed, pictures)))


def _placed(picture: Picture) -> Placed:
    image = look_at(picture.path)
    return Placed(picture.path.name, image.width * MM_PER_INCH / image.place(picture).width)
