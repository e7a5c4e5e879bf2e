"""A sheet's file becomes a sheet as it was written, with the place of everything in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cardgen.diagnostic import Diagnostic, Place, stop_on_errors
from cardgen.reference import codes
from cardgen.reference.written import SectionModel, SheetModel
from cardgen.shape.origin import SourceMap
from cardgen.shape.validation import validate
from cardgen.shape.wording import describe_value
from cardgen.source import Document, KeyPath, read_document


@dataclass(frozen=True, slots=True)
class SheetFile:
    """A sheet as it was written. `id` is its file's name."""

    id: str
    model: SheetModel
    origin: SourceMap

    def place(self, route: KeyPath = (), *, key: bool = False) -> Place:
        """Where something of it stands, such as ('sections', 0, 'title')."""
        return self.origin.place(route, key=key)

    def sections(self) -> Iterator[tuple[KeyPath, SectionModel]]:
        """All sections with the routes to them, in their order."""
        yield from _walk_sections(("sections",), self.model.sections)


def _walk_sections(route: KeyPath, sections: tuple[SectionModel, ...]) -> Iterator[tuple[KeyPath, SectionModel]]:
    for number, section in enumerate(sections):
        yield (*route, number), section
        yield from _walk_sections((*route, number, "sections"), section.sections)


def read_sheet(path: Path, name: str) -> SheetFile:
    """The sheet in a file, called `shown` in messages. Raises CardgenError with everything that is wrong in it."""
    return parse_sheet(read_document(path, name), path.stem)


def parse_sheet(document: Document, id: str) -> SheetFile:  # noqa: A002
    """The sheet in a document. Raises CardgenError with everything that is wrong in it."""
    stop_on_errors(document.diagnostics)
    if not isinstance(document.data, dict):
        message = f"a sheet holds keys and values, not {describe_value(document.data)}"
        stop_on_errors([Diagnostic(codes.NOT_A_SHEET, message, document.place(), "write a title and sections")])
    origin = SourceMap(document, (SheetModel,))
    model, problems = validate(SheetModel, document.data, origin)
    stop_on_errors(problems)
    assert model is not None
    sheet = SheetFile(id, model, origin)
    stop_on_errors(_duplicate_ids(sheet))
    return sheet


def _duplicate_ids(sheet: SheetFile) -> Iterator[Diagnostic]:
    """A diagnostic for each section whose id another one before it has."""
    first: dict[str, Place] = {}
    for route, section in sheet.sections():
        place = sheet.place((*route, "id" if section.id else "title"))
        if section.anchor in first:
            related = ((first[section.anchor], "first defined here"),)
            message = f"the id '{section.anchor}' stands for two sections"
            yield Diagnostic(codes.SAME_SECTION, message, place, "give one of them an 'id' of its own", related=related)
        first.setdefault(section.anchor, place)
