"""Sheet files: the model of their YAML, and how one is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from cardgen.diagnostic import Diagnostic, Place, stop_on_errors
from cardgen.model.card import slugify
from cardgen.project.project import PaperSize
from cardgen.reference import codes
from cardgen.reference.document_tree import Align, Break
from cardgen.source import Document, KeyPath, read_document
from cardgen.validation.base import Flag, Int, Model, Number, Text
from cardgen.validation.codes import Code
from cardgen.validation.source_map import SourceMap
from cardgen.validation.validate import describe_value, validate

# Type smaller than this cannot be read at a table.
MIN_BODY_SIZE = 7.5

# A cell may be empty, but not missing.
CellText = Annotated[str, Field(strict=True)]
Cell = CellText | Int
SectionId = Annotated[Text, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", description="small letters, digits and dashes")]
PageCount = Annotated[Int, Field(ge=1, le=200)]
BodySize = Annotated[Number, Field(ge=MIN_BODY_SIZE, le=14)]


class _TextShorthand(Model):
    """A map whose text may stand for all of it."""

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, data: Any) -> Any:
        return {"text": data} if isinstance(data, str) else data


class TableModel(Model):
    """A table. Without `align` the first column stands left and short columns of numbers in the middle."""

    head: Annotated[tuple[CellText, ...], Field(min_length=1, description="the heading of each column")]
    rows: Annotated[tuple[tuple[Cell | None, ...], ...], Field(min_length=1, description="rows of cells")]
    align: Annotated[tuple[Align, ...] | None, Field(description="left, center or right for each column")] = None
    caption: Annotated[Text | None, Field(description="what the table is about")] = None


class NoteModel(_TextShorthand):
    """A call-out."""

    text: Annotated[Text, Field(description="what it says")]
    title: Annotated[Text | None, Field(description="the words in front of it")] = None


class ExampleModel(Model):
    """An example that the referee works out: `text` may say <hits> and the like for what comes of `trial`."""

    text: Annotated[Text, Field(description="the story; <hits>, <wounds> and the like stand for exact chances")]
    trial: Annotated[Text, Field(description="what is judged: a command of the referee, such as attack")] = "attack"
    options: Annotated[dict[str, Any], Field(alias="with", description="who, with what, at whom: as the command asks")]
    dice: Annotated[tuple[Int, ...], Field(description="play it once with these dice, and tell what happens")] = ()
    title: Annotated[Text | None, Field(description="the words in front of it")] = None


class BlockModel(_TextShorthand):
    """One piece of a section. A text may stand in front of any other."""

    text: Annotated[Text | None, Field(description="running text")] = None
    steps: Annotated[tuple[BlockModel, ...] | None, Field(min_length=1, description="a numbered list")] = None
    points: Annotated[tuple[BlockModel, ...] | None, Field(min_length=1, description="a list without an order")] = None
    table: TableModel | None = None
    note: NoteModel | None = None
    example: ExampleModel | None = None
    show: Annotated[Text | None, Field(description="something that the game knows")] = None
    options: Annotated[dict[str, Any] | None, Field(alias="with", description="what of it, for show")] = None

    @model_validator(mode="after")
    def _has_one_content(self) -> BlockModel:
        present = [name for name in ("steps", "points", "table", "note", "example", "show") if getattr(self, name)]
        if len(present) > 1 or (not present and self.text is None):
            message = "give one of text, steps, points, table, note, example and show"
            raise PydanticCustomError("piece", message, {"code": Code.INVALID})
        if self.options is not None and self.show is None:
            message = "'with' says what of something to show, and nothing is shown here"
            raise PydanticCustomError("piece", message, {"code": Code.INVALID, "path": ("with",)})
        return self


class SectionModel(Model):
    """A section. Its `id` is made from the title where it is left out."""

    SYNONYMS: ClassVar[dict[str, tuple[str, ...]]] = {"title": ("section",)}

    title: Annotated[Text, Field(max_length=60, description="its heading")]
    id: Annotated[SectionId, Field(description="what cross-references call it")] = ""
    icon: Annotated[Text | None, Field(description="an icon before its heading")] = None
    start: Annotated[Break, Field(description="column or page: where it must begin")] = ""
    content: Annotated[tuple[BlockModel, ...], Field(description="what stands in it")] = ()
    sections: Annotated[tuple[SectionModel, ...], Field(description="smaller sections")] = ()

    @property
    def anchor(self) -> str:
        """What cross-references call it."""
        return self.id or slugify(self.title)


def _check_order(sizes: tuple[float, float]) -> tuple[float, float]:
    if sizes[0] > sizes[1]:
        raise ValueError("the smallest size of the body stands first, then the largest")
    return sizes


class SheetModel(Model):
    """A whole sheet. `body` is the smallest and the largest size of its text in points: the largest that fits holds."""

    format: Literal[1] = 1
    game: Annotated[Text | None, Field(description="the game; the project's where it is left out")] = None
    title: Annotated[Text, Field(max_length=60, description="its title")]
    subtitle: Annotated[Text, Field(max_length=60, description="a line beside the title")] = ""
    about: Annotated[Text | None, Field(description="one line for the list of sheets")] = None
    each: Annotated[Text | None, Field(description="a kind of list, such as warband: one sheet for each of them")] = (
        None
    )
    paper: Annotated[PaperSize | None, Field(description="its paper, where nobody asks for another")] = None
    columns: Annotated[Int, Field(ge=1, le=4, description="columns of a page")] = 2
    pages: Annotated[
        PageCount | tuple[PageCount, PageCount] | None,
        Field(description="how many pages it takes; two numbers: as few as will do, from the one to the other"),
    ] = None
    body: Annotated[
        tuple[BodySize, BodySize],
        AfterValidator(_check_order),
        Field(description="smallest and largest type in points"),
    ] = (MIN_BODY_SIZE, 9.5)
    contents: Annotated[Flag, Field(description="a list of the sections in front of them")] = False
    language: Annotated[Text, Field(description="language of its text, such as en-GB")] = "en-GB"
    credit: Annotated[Text, Field(max_length=160, description="a line at the foot")] = ""
    sections: Annotated[tuple[SectionModel, ...], Field(min_length=1, description="its sections")]


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
