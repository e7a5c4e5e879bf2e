"""File of a ReportLab document, written while the document is drawn.

ReportLab itself collects all objects in memory, then their texts, then the text of the whole file.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

from reportlab.pdfbase import pdfdoc
from reportlab.pdfgen.canvas import Canvas

from cardgen.export.form_xobject import FormXObject
from cardgen.export.pdf_images import ImageXObject
from cardgen.runtime.scratch_file import ScratchFile


class PdfFile:
    """The document of a canvas as a file on disk.

    Its objects can be in any order, because the table at its end has their offsets. They have the same numbers as in
    ReportLab's file.
    """

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._document = canvas._doc
        self._file = ScratchFile()
        self._size = 0
        self._seen = 0
        self._write(pdfdoc.PDFFile(self._document._pdfVersion).format(self._document))

    def write_drawn(self) -> None:
        """Write and free the forms and pictures that were added since the last call, and compress the pages."""
        names, objects = self._document.numberToId, self._document.idToObject
        while self._seen < len(names):  # writing a picture can add another
            self._seen += 1
            name = names[self._seen]
            added = objects[name]
            if isinstance(added, FormXObject | ImageXObject):
                self._write_object(name)
            elif isinstance(added, pdfdoc.PDFPage):
                _compress(added)

    def finish(self) -> ScratchFile:
        """Write the rest, and return the file; the canvas cannot be used after that.

        Raises CardgenError if there is no room for the file.
        """
        document = self._document
        document.format = self._write_rest  # the last step of the next line
        document.GetPDFData(self._canvas)
        self._file.check()
        return self._file

    def _write_rest(self) -> None:
        document = self._document
        names, offsets = document.numberToId, document.idToOffset
        number = 0
        while number < len(names):  # writing an object can add others
            number += 1
            if names[number] not in offsets:
                self._write_object(names[number])
        self._write_end([names[each] for each in range(1, number + 1)])

    def _write_end(self, names: Sequence[str]) -> None:
        """Write the table of offsets, and the trailer."""
        document, start = self._document, self._size
        table = pdfdoc.PDFCrossReferenceTable()
        table.addsection(0, names)
        self._write(table.format(document))
        root, info = document.Reference(document.Catalog), document.Reference(document.info)
        trailer = pdfdoc.PDFTrailer(start, Size=len(names) + 1, Root=root, Info=info, ID=document.ID())
        self._write(trailer.format(document))

    def _write_object(self, name: str) -> None:
        document = self._document
        document.idToOffset[name] = self._size
        self._write(pdfdoc.PDFIndirectObject(name, document.idToObject[name]).format(document))
        document.idToObject[name] = None

    def _write(self, content: Any) -> None:
        self._size += self._file.write(content)


def _compress(page: pdfdoc.PDFPage) -> None:
    """Compress the operators of a page, which ReportLab would do in the end."""
    filters = pdfdoc.PDFDictionary({"Filter": pdfdoc.PDFArray([pdfdoc.PDFName("FlateDecode")])})
    page.Contents = pdfdoc.PDFStream(filters, zlib.compress(page.stream.encode()))
    page.stream = None
