from __future__ import annotations

import tracemalloc
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pikepdf
import pytest
from PIL import Image
from reportlab import rl_config
from reportlab.pdfgen.canvas import Canvas

from cardgen.export.pdf import writer
from cardgen.export.pdf.file import PdfFaces, PdfFile
from cardgen.export.pdf.resources import do_operator
from cardgen.face.face import Picture
from cardgen.sheet.imposition import PrintPiece, SheetSettings
from cardgen.units import PAPER_SIZES, Box
from tests.export.pdf.inspection import CARD, FONTS, face, picture_of, see_through
from tests.sheet.pages import impose

PIXELS = 200
PAGE = "/MediaBox [0 0 200 300]"


def noise(path: Path, seed: int) -> Path:
    """A picture that cannot be compressed."""
    Image.frombytes("RGB", (PIXELS, PIXELS), Random(seed).randbytes(3 * PIXELS * PIXELS)).save(path)
    return path


def draw(picture: Path, *, on_disk: bool) -> bytes:
    rl_config.useA85 = 0  # as in all documents of the program
    canvas = Canvas("", pageCompression=1, invariant=1)
    file, faces = PdfFile(canvas), PdfFaces(canvas, FONTS)
    for number in range(3):
        name = faces.define(face(Picture(picture, Box(number, 0, 9, 9))))
        if on_disk:
            file.add_page(PAGE, [file.add_stream(do_operator(name))], [name], {})
        else:
            canvas.doForm(name)
            canvas.showPage()
    content = file.finish().content() if on_disk else canvas.getpdfdata()
    assert isinstance(content, bytes)
    return content


def tree(each: Any, above: tuple[Any, ...] = ()) -> object:
    """An object with all that it refers to, without the numbers of objects."""
    if any(each is one or (each.is_indirect and each.objgen == one.objgen) for one in above):
        return "above"
    if isinstance(each, pikepdf.Array):
        return [inner(one, (*above, each)) for one in each]
    if isinstance(each, pikepdf.Stream | pikepdf.Dictionary):
        entries = {name: inner(one, (*above, each)) for name, one in sorted(each.items())}
        return (entries, each.read_raw_bytes()) if isinstance(each, pikepdf.Stream) else entries
    return each.unparse()


def inner(each: Any, above: tuple[Any, ...]) -> object:
    return tree(each, above) if isinstance(each, pikepdf.Object) else each


def forms_of(content: bytes) -> object:
    with pikepdf.open(BytesIO(content)) as document:
        assert not document.check_pdf_syntax()
        return [tree(page.Resources.XObject) for page in document.pages], tree(document.docinfo)


def test_the_file_has_the_forms_that_reportlab_writes(tmp_path: Path) -> None:
    picture = noise(tmp_path / "art.png", 1)
    assert forms_of(draw(picture, on_disk=True)) == forms_of(draw(picture, on_disk=False))


def test_pages_look_as_reportlab_writes_them(tmp_path: Path) -> None:
    picture = noise(tmp_path / "art.png", 1)
    sheets = picture_of(draw(picture, on_disk=True), 2, 72), picture_of(draw(picture, on_disk=False), 2, 72)
    ours, theirs = (sheet.crop((0, sheet.height - 100, 100, sheet.height)) for sheet in sheets)
    assert ours.tobytes() == theirs.tobytes()


def test_an_opaque_part_of_a_picture_is_written_with_it(tmp_path: Path) -> None:
    content = draw(see_through(tmp_path / "art.png"), on_disk=True)
    with pikepdf.open(BytesIO(content)) as document:
        assert not document.check_pdf_syntax()
        images = [each for each in document.objects if isinstance(each, pikepdf.Stream) and "/SMask" in each]
        assert [each.SMask.Subtype for each in images] == ["/Image"]


def test_what_refers_to_itself_is_written_and_read_by_its_reference() -> None:
    canvas = Canvas("", pageCompression=1, invariant=1)
    file = PdfFile(canvas)
    file.add_page(PAGE, [], [], {"Layer": file.add_object("<< /Type /OCG /Name (Marks) >>")})
    first, second = file.reserve(2)
    file.write_object(first, f"<< /Next {second} >>")
    file.write_object(second, f"<< /Prev {first} /Page {file.page_reference(0)} >>")
    with pikepdf.open(BytesIO(file.finish({"Outlines": first}).content())) as document:
        assert document.Root.Outlines.Next.Prev.objgen == document.Root.Outlines.objgen
        assert document.Root.Outlines.Next.Page.objgen == document.pages[0].objgen
        assert document.pages[0].Resources.Properties.Layer.Name == "Marks"


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
        file = writer.write_file(pages, FONTS, writer.DocumentInfo("Test"))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(file.content()) > total * 0.9
    assert peak < total / 2
