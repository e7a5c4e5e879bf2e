from __future__ import annotations

from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from PIL import Image

from cardgen.diagnostic import CardgenError
from tests.export.press_tools import most_ink, profile_path, run, separations
from tests.target.print.orders import ordered


def test_a_press_document_has_a_page_per_side_and_cut_lines(tmp_path: Path) -> None:
    result = ordered("press", tmp_path, profile=str(profile_path()))
    (path,) = result.files
    assert "PDF/X-4" in run("pdfinfo", str(path))
    with pikepdf.open(path) as document:
        assert len(document.pages) == result.outcome.counts["pages"] == 2 * result.copies
    plates = separations(path.read_bytes(), tmp_path / "plates", dpi=72)
    assert all("CutContour" in page for page in plates[::2])
    assert max(map(most_ink, plates)) <= 3.0


def test_drivethru_wants_backs_first_and_little_ink(tmp_path: Path) -> None:
    result = ordered("drivethru", tmp_path, profile=str(profile_path()), qty=1)
    assert f"cardgen preflight drivethru -o {tmp_path}'" in result.outcome.next_step
    (path,) = result.files
    assert "PDF/X-1a:2003" in run("pdfinfo", str(path))
    texts = [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(path)]
    assert all(len(back) < len(front) for back, front in zip(texts[::2], texts[1::2], strict=True))
    plates = separations(path.read_bytes(), tmp_path / "plates", dpi=100)
    assert max(map(most_ink, plates)) <= 2.4
    assert not any("CutContour" in page for page in plates)


def test_a_press_document_needs_a_profile(tmp_path: Path) -> None:
    with pytest.raises(CardgenError, match="needs a color profile"):
        ordered("press", tmp_path)


def test_each_size_and_shape_is_a_document(tmp_path: Path) -> None:
    files = ordered("press", tmp_path, "relic", "token", profile=str(profile_path()), qty=1).files
    assert sorted(path.name.partition("edition-")[2] for path in files) == ["25x25mm-round.pdf", "41x63mm.pdf"]


def test_round_pieces_are_cut_as_circles(tmp_path: Path) -> None:
    (path,) = ordered("press", tmp_path, "token", profile=str(profile_path()), qty=1).files
    plate = separations(path.read_bytes(), tmp_path / "plates", dpi=72)[0]["CutContour"]
    left, top, right, bottom = plate.getbbox() or (0, 0, 0, 0)
    assert (right - left, bottom - top) == pytest.approx((25 / 25.4 * 72,) * 2, abs=2)
    assert plate.crop((0, 0, left + 7, top + 7)).getbbox() is None, "a circle does not reach the corner"


def test_meinspiel_gets_numbered_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "project" / "services").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "project")
    Path("cardgen.yaml").write_text("sizes: {minion: 59mm x 91mm}\n", encoding="utf-8")
    for profile, kind, mode in ((None, "JPEG", "RGB"), (str(profile_path()), "TIFF", "CMYK")):
        result = ordered("meinspiel", tmp_path / kind, profile=profile)
        assert len(result.files) == 2 * result.copies
        with Image.open(next(iter(result.files))) as picture:
            assert (picture.format, picture.mode, picture.size) == (kind, mode, (768, 1146))
