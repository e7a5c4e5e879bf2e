"""A sheet's file becomes a sheet as it was written, with the place of everything in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cardgen.diagnostic import Diagnostic, Place, stop_on_errors
from cardgen.reference import codes
from cardgen.reference.written import WrittenSection, WrittenSheet
from cardgen.shape.origin import Origin
from cardgen.shape.validation import validate
from cardgen.shape.wording import found
from cardgen.source import Document, Route, read


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet as it was written. `id` is its file's name."""

    id: str
    written: WrittenSheet
    origin: Origin

    def place(self, route: Route = (), *, key: bool = False) -> Place:
        """Where something of it stands, such as ('sections', 0, 'title')."""
        return self.origin.place(route, key=key)

    def sections(self) -> Iterator[tuple[Route, WrittenSection]]:
        """All sections with the routes to them, in their order."""
        yield from _below(("sections",), self.written.sections)


def _below(route: Route, sections: tuple[WrittenSection, ...]) -> Iterator[tuple[Route, WrittenSection]]:
    for number, section in enumerate(sections):
        yield (*route, number), section
        yield from _below((*route, number, "sections"), section.sections)


def read_sheet(path: Path, shown: str) -> Sheet:
    """The sheet in a file, called `shown` in messages. Raises CardgenError with everything that is wrong in it."""
    return sheet_of(read(path, shown), path.stem)


def sheet_of(document: Document, id: str) -> Sheet:  # noqa: A002
    """The sheet in a document. Raises CardgenError with everything that is wrong in it."""
    stop_on_errors(document.diagnostics)
    if not isinstance(document.data, dict):
        message = f"a sheet holds keys and values, not {found(document.data)}"
        stop_on_errors([Diagnostic(codes.NOT_A_SHEET, message, document.place(), "write a title and sections")])
    origin = Origin(document, (WrittenSheet,))
    written, problems = validate(WrittenSheet, document.data, origin)
    stop_on_errors(problems)
    assert written is not None
    sheet = Sheet(id, written, origin)
    stop_on_errors(_same_names(sheet))
    return sheet


def _same_names(sheet: Sheet) -> Iterator[Diagnostic]:
    """A diagnostic for each section whose id another one before it has."""
    first: dict[str, Place] = {}
    for route, section in sheet.sections():
        place = sheet.place((*route, "id" if section.id else "title"))
        if section.name in first:
            related = ((first[section.name], "first defined here"),)
            message = f"the id '{section.name}' stands for two sections"
            yield Diagnostic(codes.SAME_SECTION, message, place, "give one of them an 'id' of its own", related=related)
        first.setdefault(section.name, place)
