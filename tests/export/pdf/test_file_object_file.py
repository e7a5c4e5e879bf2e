from __future__ import annotations

from io import BytesIO

import pikepdf
import pytest

from cardgen.export.pdf.file import ObjectFile


def written(count: int, text: str = "x") -> bytes:
    """A document of `count` objects besides its catalog and its page, half of them streams."""
    file = ObjectFile()
    numbers = range(5, 5 + count)  # 4 is free
    for number in reversed(numbers):
        body = b"%s %d" % (text.encode(), number)
        stream = b"<< /Length %d >>\nstream\n%s\nendstream\n" % (len(body), body)
        file.add(number, stream if number % 2 else b"(%s)" % body)
    file.add(1, b"<< /Type /Catalog /Pages 2 0 R /All [%s] >>" % b" ".join(b"%d 0 R" % each for each in numbers))
    page = 5 + count
    file.add(page, b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << >> >>")
    file.add(2, b"<< /Type /Pages /Kids [%d 0 R] /Count 1 >>" % page)
    file.add(3, b"<< /Title (Test) >>")
    return file.finish(page, "1 0 R", "3 0 R").content()


@pytest.mark.parametrize("count", [0, 1, 97, 98, 1000], ids=str)
def test_every_object_is_found_by_its_number(count: int) -> None:
    with pikepdf.open(BytesIO(written(count))) as document:
        assert not document.check_pdf_syntax()
        texts = [bytes(each.read_bytes() if isinstance(each, pikepdf.Stream) else each) for each in document.Root.All]
        assert texts == [b"x %d" % number for number in range(5, 5 + count)]
        assert document.docinfo.Title == "Test"


def test_objects_that_are_not_streams_are_compressed() -> None:
    assert len(written(1000)) < 60_000
    assert b"(x 6)" not in written(10)


def test_documents_differ_in_their_identifier_and_only_then() -> None:
    def identifier(content: bytes) -> bytes:
        with pikepdf.open(BytesIO(content)) as document:
            return bytes(document.trailer.ID[0])

    assert identifier(written(10)) == identifier(written(10))
    assert identifier(written(10)) != identifier(written(10, "y"))
