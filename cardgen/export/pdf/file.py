"""File of a ReportLab document, written while the document is drawn.

ReportLab itself collects all objects in memory, then their texts, then the text of the whole file.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence

from reportlab.pdfbase import pdfdoc
from reportlab.pdfgen.canvas import Canvas

from cardgen.export.pdf.form_xobject import FormXObject
from cardgen.export.pdf.images import ImageXObject
from cardgen.export.pdf.object_file import ObjectFile
from cardgen.runtime.scratch_file import ScratchFile


class PdfFile:
    """The document of a canvas as a file on disk."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._document = canvas._doc
        self._objects = ObjectFile()
        self._seen = 0
        resources = pdfdoc.PDFResourceDictionary()
        resources.basicFonts()
        self._fonts, self._pages = (
            pdfdoc.format(each, self._document).decode() for each in (resources.Font, self._document.Pages)
        )

    def add_object(self, content: str) -> str:
        """Add an object in the syntax of PDF, and return the reference to it."""
        (reference,) = self.reserve(1)
        self.write_object(reference, content)
        return reference

    def reserve(self, count: int) -> list[str]:
        """Return references to objects that `write_object` will write, such as some that refer to each other."""
        first = self._document.objectcounter + 1
        self._document.objectcounter += count
        return [f"{number} 0 R" for number in range(first, first + count)]

    def write_object(self, reference: str, content: str) -> None:
        """Write the object of a reserved reference, in the syntax of PDF."""
        self._objects.add(int(reference.split()[0]), content.encode("ascii"))

    def add_stream(self, operators: str) -> str:
        """Add a content stream of pages, and return the reference to it."""
        (reference,) = self.reserve(1)
        data = zlib.compress(operators.encode("ascii"))
        head = f"<< /Filter /FlateDecode /Length {len(data)} >>"
        self._objects.add(int(reference.split()[0]), b"%s\nstream\n%s\nendstream" % (head.encode(), data))
        return reference

    def page_reference(self, index: int) -> str:
        """Return the reference to a page; the first has index 0."""
        return str(self._document.Pages.pages[index])

    def add_page(
        self, entries: str, contents: Sequence[str], forms: Iterable[str], properties: Mapping[str, str]
    ) -> None:
        """Write a page, and write and free the forms and pictures that were added before.

        `entries` are those of its dictionary that come first, such as boxes. `contents` are references to its content
        streams, `forms` the names of the forms that they paint, and `properties` references to the objects that their
        marked content names, such as layers.
        """
        numbers = self._document.idToObjectNumberAndVersion
        names = map(pdfdoc.xObjectName, dict.fromkeys(forms))
        xobjects = " ".join(f"/{name} {numbers[name][0]} 0 R" for name in names)
        named = " ".join(f"/{name} {reference}" for name, reference in properties.items())
        resources = f"<< /Font {self._fonts} /XObject << {xobjects} >> /Properties << {named} >> >>"
        rest = f"/Parent {self._pages} /Resources {resources} /Contents [{' '.join(contents)}]"
        self._document.Pages.pages.append(self.add_object(f"<< /Type /Page {entries} {rest} >>"))
        self.write_added()

    def write_added(self) -> None:
        """Write and free the forms and pictures that were added since the last call."""
        names, objects = self._document.numberToId, self._document.idToObject
        while self._seen < self._document.objectcounter:  # writing a picture can add another
            self._seen += 1
            name = names.get(self._seen, "")
            added = objects.get(name)
            if isinstance(added, FormXObject | ImageXObject):
                self._write_named(self._seen, name)

    def finish(self, entries: Mapping[str, str] | None = None) -> ScratchFile:
        """Write the rest, and return the file; the canvas cannot be used after that.

        `entries` are further ones of the catalog. Raises CardgenError if there is no room for the file.
        """
        self._document.format = lambda: self._write_rest(entries or {})  # the last step of the next line
        file: ScratchFile = self._document.GetPDFData(self._canvas)
        return file

    def _write_rest(self, entries: Mapping[str, str]) -> ScratchFile:
        document, catalog = self._document, self._document.Catalog
        catalog.__NoDefault__ = [*catalog.__NoDefault__, *entries]  # all that ReportLab writes
        for name, value in entries.items():
            setattr(catalog, name, value)
        names, objects = document.numberToId, document.idToObject
        number = 0
        while number < document.objectcounter:  # writing an object can add others
            number += 1
            if objects.get(names.get(number)) is not None:
                self._write_named(number, names[number])
        root, info = (document.Reference(each).format(document).decode() for each in (catalog, document.info))
        return self._objects.finish(number, root, info)

    def _write_named(self, number: int, name: str) -> None:
        """Write and free an object of ReportLab's document."""
        objects = self._document.idToObject
        self._objects.add(number, pdfdoc.format(objects[name], self._document, toplevel=1))
        objects[name] = None
