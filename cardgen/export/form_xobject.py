"""Form XObjects (ISO 32000-1, 8.10), compressed when they are created."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from reportlab.pdfbase import pdfdoc
from reportlab.pdfgen.canvas import Canvas

BBox = tuple[float, float, float, float]


class FormXObject(pdfdoc.PDFObject):  # type: ignore[misc]  # ReportLab has no types
    """Some operators in a box (left, bottom, right and top, in points), with ReportLab's object for their resources."""

    __RefOnly__ = 1

    def __init__(self, box: BBox, content: str, resources: pdfdoc.PDFObject) -> None:
        self._box = " ".join(f"{side:.5g}" for side in box)
        self._content = zlib.compress(content.encode("ascii"))
        self._resources = resources

    def format(self, document: Any) -> bytes:
        """The object as it stands in the file.

        Its filter is a name and not a list of one, as ReportLab writes it: qpdf compresses such streams a second time.
        """
        head = f"<< /Type /XObject /Subtype /Form /BBox [{self._box}] /Filter /FlateDecode /Length {len(self._content)}"
        resources: bytes = pdfdoc.format(self._resources, document)
        return b"%s /Resources %s >>\nstream\n%s\nendstream\n" % (head.encode(), resources, self._content)


def do_operator(name: str) -> str:
    """The operator that shows a form or an image."""
    return f"/{pdfdoc.xObjectName(name)} Do"


@contextmanager
def capture(canvas: Canvas) -> Iterator[tuple[list[str], list[str]]]:
    """Whatever is drawn in the block comes into these lists, at its end, and not on the page.

    The first has the operators, the second the names of the forms and images that they show.
    """
    code, names = canvas._code, canvas._formsinuse
    starts = len(code), len(names)
    operators: list[str] = []
    used: list[str] = []
    yield operators, used
    for whole, target, start in ((code, operators, starts[0]), (names, used, starts[1])):
        target += whole[start:]
        del whole[start:]
