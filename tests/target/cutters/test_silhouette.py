from __future__ import annotations

import os
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from PIL import Image

from cardgen.diagnostic import CardgenError
from cardgen.export.pdf import writer
from cardgen.print.request import BuildRequest
from cardgen.sheet.leaf import SheetPage, whole_page
from cardgen.sheet.printer_marks import MarkPattern, registration_marks
from cardgen.target.job import ExportRequest, export
from cardgen.units import PAPER_SIZES
from tests.export.pdf.inspection import FONTS
from tests.target.print.orders import ordered

DPI = 1200
MM = 25.4 / DPI
CORNERS = ("top left", "top right", "bottom left", "bottom right")


def measured(document: bytes | Path) -> dict[str, tuple[float, ...]]:
    """The edges of the mark in each corner, and the thickness of its lines, in millimeters from the top left."""
    page = pypdfium2.PdfDocument(document)[0]
    image = page.render(scale=DPI / 72).to_pil().convert("L").point(lambda level: 255 if level < 128 else 0)
    found = {}
    for number, name in enumerate(CORNERS):
        left, top = (number % 2) * (image.width // 2), (number // 2) * (image.height // 2)
        box = image.crop((left, top, left + image.width // 2, top + image.height // 2)).getbbox()
        if box:
            edges = (box[0] + left, box[1] + top, box[2] + left, box[3] + top)
            middle = (edges[0] + edges[2]) // 2
            line = image.crop((middle, edges[1], middle + 1, edges[3])).tobytes().count(255)
            found[name] = tuple(MM * edge for edge in (*edges, line))
    return found


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_marks_are_where_the_official_sheets_have_them(paper: str) -> None:
    folder = os.environ.get("CARDGEN_REAL_FILES")
    if not folder:
        pytest.skip("CARDGEN_REAL_FILES is not set")
    official = measured(Path(folder) / "silhouette" / f"{paper}_registration.pdf")
    size = PAPER_SIZES[paper].swap_sides()
    page: SheetPage[object] = whole_page(size, marks=registration_marks(size, MarkPattern.THREE, 10, 7.62))
    ours = measured(writer.write([page], FONTS, writer.DocumentInfo("Marks")))  # type: ignore[list-item]
    assert official.keys() == ours.keys() == set(CORNERS[:3])
    for name, edges in official.items():
        assert ours[name] == pytest.approx(edges, abs=0.05), name


def cards_on(path: Path, page: int = 0) -> Image.Image:
    image: Image.Image = pypdfium2.PdfDocument(path)[page].render(scale=1).to_pil().convert("L")
    return image


def test_a_sheet_has_marks_and_the_name_of_its_cut_file(tmp_path: Path) -> None:
    ordered("silhouette", tmp_path)
    (sheet,) = tmp_path.glob("*.pdf")
    assert {path.suffix for path in tmp_path.iterdir()} == {".pdf", ".dxf", ".svg"}
    document = pypdfium2.PdfDocument(sheet)
    assert sheet.stem in document[0].get_textpage().get_text_bounded()
    assert sheet.stem not in document[1].get_textpage().get_text_bounded()
    assert set(measured(sheet)) >= set(CORNERS[:3])


def test_a_skipped_slot_is_neither_printed_nor_cut(tmp_path: Path) -> None:
    ordered("silhouette", tmp_path / "all", qty=4)
    ordered("silhouette", tmp_path / "some", qty=4, skip_slot="1")
    (whole,), (part,) = (list((tmp_path / name).glob("*.svg")) for name in ("all", "some"))
    assert whole.read_text().count("<rect") - part.read_text().count("<rect") == 1
    corner = (70, 60, 230, 290)
    full, empty = (cards_on(path.with_suffix(".pdf")).crop(corner) for path in (whole, part))
    assert full.getextrema()[0] < 255  # type: ignore[operator]  # one channel
    assert empty.getextrema() == (255, 255)


@pytest.mark.parametrize("text", ["9", "0", "x", "1,2,3,4,5,6,7,8"])
def test_a_slot_must_exist_and_one_must_remain(tmp_path: Path, text: str) -> None:
    with pytest.raises(CardgenError, match="slot"):
        ordered("silhouette", tmp_path, skip_slot=text)


def test_four_marks_and_the_feeder_have_templates_of_their_own(tmp_path: Path) -> None:
    ordered("silhouette", tmp_path, four_marks=True, feeder=True)
    (sheet,) = tmp_path.glob("*.pdf")
    assert "4marks-inset15.875" in sheet.stem
    marks = measured(sheet)
    assert marks["top left"][0] == pytest.approx(15.875 - 0.52, abs=0.05)


def test_cuts_are_where_the_cards_are(tmp_path: Path) -> None:
    ordered("silhouette", tmp_path, "token", qty=1)
    (cut,) = tmp_path.glob("*.svg")
    assert "<circle" in cut.read_text()
    assert "<rect" not in cut.read_text()


def test_backs_lie_behind_their_fronts(tmp_path: Path) -> None:
    ordered("silhouette", tmp_path, qty=2)
    (path,) = tmp_path.glob("*.pdf")
    boxes = []
    for page in (0, 1):
        image = cards_on(path, page).point(lambda level: 255 if level < 250 else 0)
        inner = image.crop((60, 40, image.width - 60, image.height - 40)).getbbox()
        assert inner is not None
        boxes.append((inner[0] + 60, inner[1] + 40, inner[2] + 60, inner[3] + 40))
        size = image.size
    (left, top, right, bottom), back = boxes
    mirrored = {
        "x": (size[0] - right, top, size[0] - left, bottom),
        "y": (left, size[1] - bottom, right, size[1] - top),
    }
    assert any(back == pytest.approx(each, abs=2) for each in mirrored.values()), (boxes, mirrored)


def test_a_piece_larger_than_the_sheet_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cards").mkdir()
    rulers = "game: warniris\nkind: ruler\ncards:\n- {name: Long, length: 40}\n- {name: Short, length: 15}\n"
    (tmp_path / "cards/a.yaml").write_text(rulers, encoding="utf-8")
    result = export(ExportRequest("silhouette", BuildRequest(output=Path("out"), jobs=1, cache=False), {}))
    assert [card.entry.card.name for card in result.outcome.skipped] == ["Long"]
    assert any("left out 'Long' (400 x 22 mm): too large for the sheet" in note for note in result.outcome.notes)
    (sheet,) = (tmp_path / "out").glob("*.pdf")
    with pikepdf.open(sheet) as document:
        assert str(document.Root.ViewerPreferences.Duplex) == "/Simplex"
    with pytest.raises(CardgenError, match="does not fit between the registration marks"):
        export(ExportRequest("silhouette", BuildRequest(only=("long",), output=Path("out"), jobs=1), {}))
