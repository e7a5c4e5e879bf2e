"""Proofs: cards drawn for the checks of fit and print, not for paper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from cardgen.check.prints import Placed, Print
from cardgen.check.table import Scene, Table
from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.face import codes
from cardgen.face.face import Face, Picture
from cardgen.pipeline.drawing import Drawer
from cardgen.pipeline.loading import game_called
from cardgen.project import Project
from cardgen.text.lines import Fit
from cardgen.units import MM_PER_INCH


def proofs(project: Project, table: Table) -> tuple[list[tuple[Scene, object]], list[Diagnostic]]:
    """Each card of the table as it is printed, and everything that cannot be drawn or does not fit.

    Pictures that are missing are left to the check of that name, which needs no drawing.
    """
    drawer = Drawer(project)
    drawn: list[tuple[Scene, object]] = []
    problems: list[Diagnostic] = []
    for entry in table.cards:
        if not game_called(entry.game).kinds[entry.kind].printed:
            continue
        try:
            piece, found = drawer.piece(entry, backs=True)
        except CardgenError as error:
            problems += (each for each in error.diagnostics if each.code != codes.ART)
            continue
        problems += (each for each in found if each.code != codes.ART)
        faces = [face for face in (piece.front, piece.back) if face]
        fits = tuple(fit for face in faces for fit in face.fits if isinstance(fit, Fit))
        pictures = tuple(placed for face in faces for placed in _pictures(face))
        drawn.append((Scene(table, entry), Print(fits, pictures)))
    return drawn, problems


def _pictures(face: Face) -> Iterator[Placed]:
    for item in face.items:
        if isinstance(item, Picture):
            yield Placed(item.path.name, _resolution(item))


def _resolution(picture: Picture) -> float:
    """Pixels to an inch, as the picture fills its box."""
    width, height = _pixels(picture.path)
    across, down = picture.box.width / width, picture.box.height / height
    mm_per_pixel = max(across, down) if picture.fit == "cover" else min(across, down)
    return MM_PER_INCH / mm_per_pixel


def _pixels(path: Path) -> tuple[int, int]:
    with Image.open(path) as image:
        return image.size
