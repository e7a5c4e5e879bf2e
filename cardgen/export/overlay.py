"""What lies over the faces of a page: where it comes to lie on the paper, and the folds as strokes in their layer."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.affine import Matrix, apply, compose, rotation, translation
from cardgen.face.face import Face
from cardgen.sheet.page import Layer, SheetPage, Slot, Stroke
from cardgen.units import Size


def face_to_paper(slot: Slot, size: Size) -> Matrix:
    """From a face to the paper, both in millimetres; a face is turned about its middle, which is that of its slot."""
    trim = slot.trim
    middle = translation(trim.x + trim.width / 2, trim.y + trim.height / 2)
    return compose(middle, rotation(slot.turn), translation(-size.width / 2, -size.height / 2))


def with_fold_lines(page: SheetPage[Face]) -> SheetPage[Face]:
    """The page with the folds of its faces among its strokes."""
    folds = tuple(_fold_lines(page))
    return page._replace(strokes=(*page.strokes, *folds)) if folds else page


def _fold_lines(page: SheetPage[Face]) -> Iterator[Stroke]:
    for placement in page.placements:
        if placement.face.folds:
            matrix = face_to_paper(placement.slot, placement.face.size)
            for fold in placement.face.folds:
                ends = (*apply(matrix, fold.x1, fold.y1), *apply(matrix, fold.x2, fold.y2))
                yield Stroke(*ends, dashed=True, layer=Layer.FOLDS)
