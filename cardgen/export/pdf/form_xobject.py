"""Form XObjects (ISO 32000-1, 8.10), compressed when they are created."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from reportlab.pdfbase import pdfdoc
from reportlab.pdfgen.canvas import Canvas

from cardgen.export.artwork.translation import BBox
from cardgen.export.pdf.operators import format_number

_FORM = "/Type /XObject /Subtype /Form"
TRANSPARENCY_GROUP = "/Group << /S /Transparency /I true /CS /DeviceRGB >>"
LUMINOSITY_GROUP = "/Group << /S /Transparency /I true /CS /DeviceGray >>"


class FormXObject(pdfdoc.PDFObject):  # type: ignore[misc]  # ReportLab has no types
    """Operators in a box, with ReportLab's object for their resources.

    The box is left, bottom, right, and top, in points. `group` is an entry that makes the form a group, and `kind` has
    the first entries, which are others for a tiling pattern.
    """

    __RefOnly__ = 1

    def __init__(
        self, box: BBox, content: str, resources: pdfdoc.PDFObject | str, group: str = "", kind: str = _FORM
    ) -> None:
        self._kind = kind
        self._box = _box_operands(box)
        self._group = group
        self._content = zlib.compress(content.encode("ascii"))
        self._resources = resources

    def format(self, document: Any) -> bytes:
        """Return the object as it is written to the file.

        Its filter is a name, not a list with one name as ReportLab writes it, because qpdf would compress such a stream
        again.
        """
        head = f"<< {self._kind} /BBox [{self._box}] /Filter /FlateDecode /Length {len(self._content)}"
        if self._group:
            head = f"{head} {self._group}"
        resources: bytes = pdfdoc.format(self._resources, document)
        return b"%s /Resources %s >>\nstream\n%s\nendstream\n" % (head.encode(), resources, self._content)


@lru_cache(maxsize=64)
def _box_operands(box: BBox) -> str:
    return " ".join(map(format_number, box))


class IndirectDictionary(pdfdoc.PDFObject):  # type: ignore[misc]  # ReportLab has no types
    """A dictionary in the syntax of PDF, as an object of its own.

    Each '%s' in it becomes a reference to a form.
    """

    __RefOnly__ = 1

    def __init__(self, definition: str, forms: tuple[FormXObject, ...] = ()) -> None:
        self._definition = definition
        self._forms = forms

    def format(self, document: Any) -> bytes:
        """Return the object as it is written to the file."""
        references = tuple(pdfdoc.format(form, document).decode() for form in self._forms)
        return (self._definition % references).encode("ascii")


def do_operator(name: str) -> str:
    """Return the operator that paints a form or an image."""
    return f"/{pdfdoc.xObjectName(name)} Do"


@contextmanager
def capture(canvas: Canvas) -> Iterator[tuple[list[str], list[str]]]:
    """Capture what the block draws instead of adding it to the page.

    When the block ends, the first list has the operators, the second the names of the forms and images that they paint.
    """
    code, names = canvas._code, canvas._formsinuse
    starts = len(code), len(names)
    operators: list[str] = []
    used: list[str] = []
    yield operators, used
    for whole, target, start in ((code, operators, starts[0]), (names, used, starts[1])):
        target += whole[start:]
        del whole[start:]
