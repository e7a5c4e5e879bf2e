"""Folds lie on the paper where they lie on their face, in a layer that can be hidden."""

from __future__ import annotations

import pytest

from cardgen.export.pdf import writer
from cardgen.export.pdf.file import with_fold_lines
from cardgen.face.face import Face, Fold
from cardgen.sheet.imposition import PrintPiece, SheetSettings
from cardgen.sheet.leaf import Backs, Layer, SheetPage
from cardgen.units import PAPER_SIZES, Box
from tests.export.pdf.inspection import CARD, FONTS, face, opened
from tests.sheet.pages import impose, strokes


def page(folds: tuple[Fold, ...] = (Fold(0, 20, 63, 20),)) -> SheetPage[Face]:
    shown = face()._replace(folds=folds)
    settings = SheetSettings(PAPER_SIZES["a4"], backs=Backs.NONE)
    return impose([PrintPiece(shown)], CARD, settings, "folds")[0]


def folds_of(page: SheetPage[Face]) -> list[tuple[float, float, float, float]]:
    folds = [stroke for stroke in strokes(with_fold_lines(page)) if stroke.layer is Layer.FOLDS]
    assert all(stroke.dashed for stroke in folds)
    return [(stroke.x1, stroke.y1, stroke.x2, stroke.y2) for stroke in folds]


def test_a_fold_runs_from_cut_to_cut() -> None:
    sheet = page()
    trim = sheet.placements[0].slot.trim
    assert folds_of(sheet) == [pytest.approx((trim.x, trim.y + 20, trim.right, trim.y + 20))]


@pytest.mark.parametrize(
    ("turn", "expected"), [(90, (168, 30, 168, 93)), (180, (163, 98, 100, 98)), (270, (120, 93, 120, 30))]
)
def test_a_fold_is_turned_with_its_piece(turn: int, expected: tuple[float, ...]) -> None:
    sheet = page()
    upright = turn % 180 == 0
    trim = Box(100, 30, 63, 88) if upright else Box(100, 30, 88, 63)
    slot = sheet.placements[0].slot._replace(trim=trim, turn=turn)
    turned = sheet._replace(placements=(sheet.placements[0]._replace(slot=slot),))
    assert folds_of(turned) == [pytest.approx(expected)]


def test_a_page_without_folds_stays_as_it_is() -> None:
    plain = page(())
    assert with_fold_lines(plain) is plain


def test_folds_have_their_layer_in_the_document() -> None:
    document = opened(writer.write([page()], FONTS, writer.DocumentInfo("folds")))
    names = [str(group.Name) for group in document.Root.OCProperties.OCGs]
    assert "Fold lines" in names
    without = opened(writer.write([page(())], FONTS, writer.DocumentInfo("folds")))
    assert "Fold lines" not in [str(group.Name) for group in without.Root.OCProperties.OCGs]
