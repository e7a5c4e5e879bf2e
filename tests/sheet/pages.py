"""Pages of small documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from cardgen.sheet import imposition
from cardgen.sheet.imposition import ImposedSheet, PrintPiece, SheetSettings, grid_sheets, sheet_leaves
from cardgen.sheet.leaf import FaceT, Label, Outline, SheetPage, Stroke, pages_of
from cardgen.units import Size


def impose(
    pieces: Sequence[PrintPiece[FaceT]], card: Size, settings: SheetSettings, title: str
) -> tuple[SheetPage[FaceT], ...]:
    """Return the pages of pieces of one size in a grid."""
    return sheet_pages(grid_sheets(pieces, card, settings), settings, title)


def sheet_pages(
    sheets: Sequence[ImposedSheet[FaceT]], settings: SheetSettings, title: str
) -> tuple[SheetPage[FaceT], ...]:
    """Return the pages of sheets."""
    return pages_of(sheet_leaves(sheets, settings, title))


def impose_single(
    pieces: Iterable[PrintPiece[FaceT]], card: Size, bleed: float, *, backs: bool = True, radius: float = 0.0
) -> tuple[SheetPage[FaceT], ...]:
    """Return the pages of pieces that have one page for each side."""
    return pages_of(imposition.impose_single(pieces, card, bleed, backs=backs, radius=radius))


def strokes(page: SheetPage[Any]) -> list[Stroke]:
    """Return the lines among the marks of a page."""
    return [mark for mark in page.marks if isinstance(mark, Stroke)]


def labels(page: SheetPage[Any]) -> list[Label]:
    """Return the labels among the marks of a page."""
    return [mark for mark in page.marks if isinstance(mark, Label)]


def outlines(page: SheetPage[Any]) -> list[Outline]:
    """Return the outlines among the marks of a page."""
    return [mark for mark in page.marks if isinstance(mark, Outline)]
