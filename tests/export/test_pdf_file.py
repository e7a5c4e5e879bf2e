from __future__ import annotations

import tracemalloc
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from random import Random

import pikepdf
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from cardgen.export import pdf
from cardgen.export.pdf_faces import PdfFaces
from cardgen.export.pdf_file import PdfFile
from cardgen.face.face import Picture
from cardgen.sheet.imposition import PrintPiece, SheetSettings, impose
from cardgen.units import PAPER_SIZES, Box
from tests.export.pdf_inspection import CARD, FONTS, face, see_through

PIXELS = 200


def noise(path: Path, seed: int) -> Path:
    """A picture that cannot be compressed."""
    Image.frombytes("RGB", (PIXELS, PIXELS), Random(seed).randbytes(3 * PIXELS * PIXELS)).save(path)
    return path


def draw(picture: Path, *, on_disk: bool) -> bytes:
    canvas = Canvas("", pageCompression=1, invariant=1)
    file, faces = PdfFile(canvas), PdfFaces(canvas, FONTS)
    for number in range(3):
        canvas.doForm(faces.define(face(Picture(picture, Box(number, 0, 9, 9)))))
        canvas.showPage()
        if on_disk:
            file.write_drawn()
    content = file.finish().content() if on_disk else canvas.getpdfdata()
    assert isinstance(content, bytes)
    return content


def objects_by_number(content: bytes) -> Mapping[tuple[int, int], bytes]:
    with pikepdf.open(BytesIO(content)) as document:
        return {
            each.objgen: each.unparse() + (each.read_bytes() if isinstance(each, pikepdf.Stream) else b"")
            for each in document.objects
        }


def test_the_file_has_the_objects_that_reportlab_writes(tmp_path: Path) -> None:
    picture = noise(tmp_path / "art.png", 1)
    assert objects_by_number(draw(picture, on_disk=True)) == objects_by_number(draw(picture, on_disk=False))


def test_an_opaque_part_of_a_picture_is_written_with_it(tmp_path: Path) -> None:
    content = draw(see_through(tmp_path / "art.png"), on_disk=True)
    with pikepdf.open(BytesIO(content)) as document:
        assert not document.check_pdf_syntax()
        images = [each for each in document.objects if isinstance(each, pikepdf.Stream) and "/SMask" in each]
        assert [each.SMask.Subtype for each in images] == ["/Image"]


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    picture = noise(tmp_path / "art.png", 1)
    assert draw(picture, on_disk=True) == draw(picture, on_disk=True)


@pytest.mark.parametrize("name", ["", "Sheet"])
def test_pictures_of_many_pages_are_not_kept_in_memory(tmp_path: Path, name: str) -> None:
    cards = [
        PrintPiece(face(Picture(noise(tmp_path / f"{number}.png", number), Box(0, 0, 9, 9)))) for number in range(60)
    ]
    pages = impose(cards, CARD, SheetSettings(PAPER_SIZES["a4"]), name)
    total = sum(path.stat().st_size for path in tmp_path.iterdir())
    tracemalloc.start()
    try:
        file = pdf.write_file(pages, FONTS, pdf.DocumentInfo("Test"))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(file.content()) > total * 0.9
    assert peak < total / 2
