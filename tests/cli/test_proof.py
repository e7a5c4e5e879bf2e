from __future__ import annotations

import json
import sys
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

import cardgen as api
from cardgen.export.pdf import writer
from cardgen.runtime.workspace import Workspace
from cardgen.sheet.imposition import PrintPiece, SheetSettings
from cardgen.sheet.leaf import DuplexMode
from cardgen.target import proof
from cardgen.units import Box, Size
from tests.cli.commands import Program
from tests.export.pdf.inspection import CARD, FONTS, artwork, face, line, rectangle
from tests.sheet.pages import impose


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder whose settings are broken: a proof does not read them."""
    monkeypatch.chdir(tmp_path)
    Path("cardgen.yaml").write_text("paper: [")
    art = artwork(rectangle(Box(-3, -3, 69, 94), "#f0e0c0"))
    pieces = [PrintPiece(face(art, line("Sentinel", 10, 20)), face(art, line("Back", 10, 20)))] * 2
    pages = impose(pieces, CARD, SheetSettings(Size(150, 180), gap=6), "T")
    content = writer.write(pages, FONTS, writer.DocumentInfo("T", duplex=DuplexMode.LONG_EDGE))
    Path("good.pdf").write_bytes(content)
    with pikepdf.open(BytesIO(content)) as pdf:
        stream = pdf.pages[1].obj.Contents[0]
        stream.write(b"1 0 0 1 5 0 cm " + stream.read_bytes())
        pdf.save("shifted.pdf")


def test_a_good_file_is_summed_up_by_format(cardgen: Program) -> None:
    outcome = cardgen("proof", "good.pdf")
    assert (outcome.code, outcome.out.splitlines()) == (
        0,
        [
            "2 pieces of 63 x 88 mm: bleed 3.00 mm, backs within 0.00 mm, type from 12.00 pt",
            "2 pieces on 1 sheet by cut marks, no problems",
        ],
    )


@pytest.mark.skipif(sys.platform == "win32", reason="creating links needs a privilege on Windows")
def test_captions_outside_the_project_are_not_listed(cardgen: Program, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    (outside / "hunter2.txt").touch()
    Path("captions").symlink_to(outside)
    outcome = cardgen("proof", "good.pdf")
    assert outcome.code == 1
    assert "captions: error[CG023]: the link points outside the project" in outcome.err
    assert "hunter2" not in outcome.err


def test_an_error_ends_with_one_and_names_page_and_place(cardgen: Program) -> None:
    outcome = cardgen("proof", "shifted.pdf")
    assert outcome.code == 1
    assert "shifted.pdf page 2 at " in outcome.out
    assert "mm: error[back]: the back is 1.76 mm too far to the left, seen through the front" in outcome.out
    data = json.loads(cardgen("proof", "shifted.pdf", "--json").out)
    assert (data["command"], data["errors"]) == ("proof", len(data["findings"]))
    assert data["pieces"][0]["shift"] == pytest.approx([-1.76, 0], abs=0.01)
    assert api.prove("shifted.pdf")["pieces"] == data["pieces"]


def test_pieces_are_drawn_as_cut(cardgen: Program) -> None:
    assert cardgen("proof", "good.pdf", "--pictures", "cut").out.splitlines()[-2] == "2 pictures in cut"
    files = sorted(Path("cut").iterdir())
    assert [file.name for file in files] == ["page-001-piece-01.png", "page-001-piece-02.png"]
    with Image.open(files[0]) as image:
        # Front and back at 300 dpi, with 24 pixels between them.
        assert image.size == pytest.approx((2 * 744 + 24, 1039), abs=2)
        assert (image.getpixel((5, 5)), image.getpixel((755, 5))) == ((240, 224, 192), (255, 255, 255))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("missing.pdf",), "the file cannot be read"),
        (("good.pdf", "missing.svg"), "the file cannot be read"),
        (("good.pdf", "cardgen.yaml"), "the cut list is neither a PDF nor the file of a cutter"),
        (("cardgen.yaml",), "the file is not a valid PDF"),
        (("blank.pdf",), "nothing says where to cut"),
    ],
)
def test_a_mistake_is_explained(cardgen: Program, arguments: tuple[str, ...], words: str) -> None:
    with pikepdf.new() as pdf:
        pdf.add_blank_page()
        pdf.save("blank.pdf")
    outcome = cardgen("proof", *arguments)
    assert (outcome.code, outcome.out) == (1, "")
    assert words in outcome.err


def test_an_argument_of_the_api_is_checked() -> None:
    with pytest.raises(api.CardgenError, match="must be one of long-edge, short-edge, gutterfold, none, not 'up'"):
        api.prove("good.pdf", backs="up")


def test_an_export_notes_what_proofs_of_its_files_find_and_which_sheets_were_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert [*proof._notes_of([Path("good.pdf"), Path("cardgen.yaml")], Workspace())] == []
    found = "proof of 'shifted.pdf', page 2: the back is 1.76 mm too far to the left, seen through the front"
    assert found in proof._notes_of([Path("shifted.pdf")], Workspace())
    with pikepdf.open("good.pdf") as pdf:
        pdf.pages.extend([*pdf.pages])
        pdf.save("long.pdf")
    monkeypatch.setattr(proof, "_MOST_SHEETS", 1)
    assert [*proof._notes_of([Path("long.pdf")], Workspace())] == [
        "proof of 'long.pdf': without the last 2 sheets; 'cardgen proof' looks at all"
    ]
