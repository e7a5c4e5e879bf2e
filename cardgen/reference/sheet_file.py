"""Sheet files: the model of their YAML, and its parser."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from cardgen.diagnostic import Code, Diagnostic, Place, slugify, stop_on_errors
from cardgen.language import is_language
from cardgen.project.project import Length, PaperSize
from cardgen.reference.document_tree import Align, Break
from cardgen.source import Document, KeyPath, read_document
from cardgen.validation.base import ID_PATTERN, Flag, Int, Language, Model, Number, SourceMap, Text
from cardgen.validation.validate import describe_value, validate

# In points; smaller type cannot be read at a table.
MIN_BODY_SIZE = 7.5

# A cell can be empty, but not missing.
CellText = Annotated[str, Field(strict=True)]
Cell = CellText | Int
SectionId = Annotated[Text, Field(pattern=ID_PATTERN, description="lowercase letters, digits, and hyphens")]
PageCount = Annotated[Int, Field(ge=1, le=200)]
BodySize = Annotated[Number, Field(ge=MIN_BODY_SIZE, le=14)]


class _TextShorthand(Model):
    """A map that can also be written as its text alone."""

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, data: Any) -> Any:
        return {"text": data} if isinstance(data, str) else data


class TableModel(Model):
    """A table.

    Without `align`, the first column is aligned left, and columns of short cells are centered.
    """

    head: Annotated[tuple[CellText, ...], Field(min_length=1, description="the heading of each column")]
    rows: Annotated[tuple[tuple[Cell | None, ...], ...], Field(min_length=1, description="rows of cells")]
    align: Annotated[tuple[Align, ...] | None, Field(description="alignment of each column")] = None
    caption: Annotated[Text | None, Field(description="a caption above the table")] = None


class NoteModel(_TextShorthand):
    """A callout."""

    text: Annotated[Text, Field(description="the text of the note")]
    title: Annotated[Text | None, Field(description="a title in front of the text")] = None


class ExampleModel(Model):
    """An example that the referee computes.

    Its text can quote chances, such as <hits>.
    """

    text: Annotated[Text, Field(description="the text; quotes such as <hits> and <wounds> are exact chances")]
    trial: Annotated[Text, Field(description="the trial, such as attack")] = "attack"
    options: Annotated[dict[str, Any], Field(alias="with", description="the options of the trial, as for its command")]
    dice: Annotated[
        tuple[Int, ...], Field(description="also play the trial once with these dice, and list the events")
    ] = ()
    title: Annotated[Text | None, Field(description="a title in front of the text")] = None


class BlockModel(_TextShorthand):
    """An item of a section.

    Any other content can have a text in front.
    """

    text: Annotated[Text | None, Field(description="running text")] = None
    steps: Annotated[tuple[BlockModel, ...] | None, Field(min_length=1, description="a numbered list")] = None
    points: Annotated[tuple[BlockModel, ...] | None, Field(min_length=1, description="a bulleted list")] = None
    table: Annotated[TableModel | None, Field(description="a table")] = None
    note: Annotated[NoteModel | None, Field(description="a callout")] = None
    example: Annotated[ExampleModel | None, Field(description="a callout with results of the referee")] = None
    show: Annotated[Text | None, Field(description="content from the game")] = None
    id: Annotated[SectionId, Field(description="the name of a rule, for cross-references")] = ""
    term: Annotated[Text | None, Field(max_length=60, description="the term that the text explains, in bold")] = None
    index: Annotated[tuple[Text, ...], Field(description="further terms that lead here from the index")] = ()
    options: Annotated[dict[str, Any] | None, Field(alias="with", description="options for show")] = None

    @model_validator(mode="after")
    def _has_one_content(self) -> BlockModel:
        present = [name for name in ("steps", "points", "table", "note", "example", "show") if getattr(self, name)]
        if len(present) > 1 or (not present and self.text is None):
            message = "must have text or exactly one of steps, points, table, note, example, and show"
            raise PydanticCustomError("piece", message, {"code": Code.INVALID})
        if self.options is not None and self.show is None:
            message = "'with' is only allowed with 'show'"
            raise PydanticCustomError("piece", message, {"code": Code.INVALID, "path": ("with",)})
        if self.is_marked and self.text is None:
            message = "only an item with a text can have 'id', 'term', or 'index'"
            raise PydanticCustomError("piece", message, {"code": Code.INVALID})
        return self

    @property
    def is_marked(self) -> bool:
        """True if something refers to the item, or explains a term with it."""
        return bool(self.id or self.term or self.index)

    def rules(self) -> tuple[BlockModel, ...]:
        """Return the rules that an item of a section is: itself if it has a text, or else those of its list."""
        return (self,) if self.text is not None else self.steps or self.points or ()


class SectionModel(Model):
    """A section; its `id` is derived from the title by default."""

    SYNONYMS: ClassVar[dict[str, tuple[str, ...]]] = {"title": ("section",)}

    title: Annotated[Text, Field(max_length=60, description="the heading")]
    id: Annotated[SectionId, Field(description="the name for cross-references")] = ""
    icon: Annotated[Text | None, Field(description="an icon in front of the heading")] = None
    start: Annotated[
        Break, Field(description="column, page, or front (of a sheet of paper): where the section must begin")
    ] = ""
    content: Annotated[tuple[BlockModel, ...], Field(description="a list of items")] = ()
    sections: Annotated[tuple[SectionModel, ...], Field(description="subsections")] = ()

    @property
    def anchor(self) -> str:
        """The name for cross-references."""
        return self.id or slugify(self.title)


def _check_order(sizes: tuple[float, float]) -> tuple[float, float]:
    if sizes[0] > sizes[1]:
        raise ValueError("the first size must not be larger than the second")
    return sizes


class TrimModel(Model):
    """Trim of the pages, inside the paper: the edge to cut off, and the radius of the corners, in millimeters."""

    margin: Annotated[Length, Field(ge=2, le=7, description="the edge of the paper to cut off")] = 5.0
    corners: Annotated[Length, Field(le=15, description="the radius of the corners")] = 5.0

    @model_validator(mode="before")
    @classmethod
    def _from_flag(cls, data: Any) -> Any:
        return {} if data is True else data


class SheetModel(Model):
    """A reference sheet. cardgen uses the largest `body` size that fits."""

    format: Annotated[Literal[1], Field(description="version of the format")] = 1
    game: Annotated[Text | None, Field(description="the game; the project's game by default")] = None
    title: Annotated[Text, Field(max_length=60, description="the title")]
    subtitle: Annotated[Text, Field(max_length=60, description="a line beside the title")] = ""
    about: Annotated[Text | None, Field(description="a one-line description for the list of sheets")] = None
    each: Annotated[Text | None, Field(description="a kind of list, such as warband: one sheet for each")] = None
    paper: Annotated[PaperSize | None, Field(description="the default paper")] = None
    columns: Annotated[Int, Field(ge=1, le=4, description="number of columns on a page")] = 2
    pages: Annotated[
        PageCount | tuple[PageCount, PageCount] | None,
        Field(description="number of pages; or a range, such as [1, 2], for as few as possible"),
    ] = None
    body: Annotated[
        tuple[BodySize, BodySize],
        AfterValidator(_check_order),
        Field(description="smallest and largest type in points"),
    ] = (MIN_BODY_SIZE, 9.5)
    contents: Annotated[Flag, Field(description="true to start with a table of contents")] = False
    number: Annotated[Flag, Field(description="true to number sections and rules")] = False
    index: Annotated[
        Flag | Annotated[Text, Field(max_length=60)], Field(description="true to end with an index, or its title")
    ] = False
    trim: Annotated[TrimModel | None, Field(description="cut marks, for laminating")] = None
    language: Annotated[Language | None, Field(description="language of the text, such as en-GB")] = None
    credit: Annotated[Text, Field(max_length=160, description="a line in the footer")] = ""
    sections: Annotated[tuple[SectionModel, ...], Field(min_length=1, description="the sections")]

    @property
    def index_title(self) -> str:
        """The heading of the index."""
        return self.index if isinstance(self.index, str) else "Index"


@dataclass(frozen=True, slots=True)
class SheetFile:
    """A parsed sheet file.

    `id` is the name of the file without its suffix.
    """

    id: str
    model: SheetModel
    origin: SourceMap

    def place(self, route: KeyPath = (), *, key: bool = False) -> Place:
        """Return the place of the value, or its key, at a route.

        A route is a path of keys and indices, such as ('sections', 0).
        """
        return self.origin.place(route, key=key)

    def rules(self) -> Iterator[tuple[KeyPath, BlockModel]]:
        """Yield all rules in order, each with its route."""
        for route, section in self.sections():
            for number, item in enumerate(section.content):
                own = (*route, "content", number)
                if item.text is not None:
                    yield own, item
                    continue
                name = "steps" if item.steps else "points"
                yield from (((*own, name, each), rule) for each, rule in enumerate(item.rules()))

    def sections(self) -> Iterator[tuple[KeyPath, SectionModel]]:
        """Yield all sections in order, each with its route."""
        yield from _walk_sections(("sections",), self.model.sections)


def _walk_sections(route: KeyPath, sections: tuple[SectionModel, ...]) -> Iterator[tuple[KeyPath, SectionModel]]:
    for number, section in enumerate(sections):
        yield (*route, number), section
        yield from _walk_sections((*route, number, "sections"), section.sections)


def original_of(path: Path) -> Path:
    """Return the sheet that a file has in another language, such as `rules.yaml` for `rules.de.yaml`, or the file."""
    stem, _, tag = path.stem.rpartition(".")
    original = path.with_name(f"{stem}{path.suffix}")
    return original if stem and is_language(tag) and original.is_file() else path


def read_sheet(path: Path, name: str) -> SheetFile:
    """Read a sheet file, which messages call `name`.

    Raises CardgenError with all problems of the file.
    """
    return parse_sheet(read_document(path, name), original_of(path).stem)


def parse_sheet(document: Document, id: str) -> SheetFile:  # noqa: A002
    """Parse a sheet. Raises CardgenError with all problems of the document."""
    stop_on_errors(document.diagnostics)
    if not isinstance(document.data, dict):
        message = f"a sheet must be a map, not {describe_value(document.data)}"
        stop_on_errors([Diagnostic(Code.NOT_A_SHEET, message, document.place(), "write 'title' and 'sections'")])
    origin = SourceMap(document, (SheetModel,))
    model, problems = validate(SheetModel, document.data, origin)
    stop_on_errors(problems)
    assert model is not None
    sheet = SheetFile(id, model, origin)
    # A diagnostic for each item inside a rule with keys that only rules can have.
    marks_below_rules: list[Diagnostic] = []
    for route, rule in sheet.rules():
        for path, inner in _inner_items(route, rule):
            if inner.is_marked:
                key = "id" if inner.id else "term" if inner.term else "index"
                message = f"'{key}' is only allowed for rules: the items of a section and of its lists"
                marks_below_rules.append(Diagnostic(Code.NOT_A_SHEET, message, sheet.place((*path, key), key=True)))
    # A diagnostic for each section or rule with a duplicate id.
    duplicate_ids: list[Diagnostic] = []
    first: dict[str, Place] = {}
    anchors = [
        (section.anchor, sheet.place((*route, "id" if section.id else "title"))) for route, section in sheet.sections()
    ]
    anchors += [(rule.id, sheet.place((*route, "id"))) for route, rule in sheet.rules() if rule.id]
    for anchor, place in anchors:
        if anchor in first:
            related = ((first[anchor], "first defined here"),)
            message = f"duplicate id '{anchor}'"
            duplicate_ids.append(
                Diagnostic(Code.SAME_SECTION, message, place, "give one of the sections another 'id'", related=related)
            )
        first.setdefault(anchor, place)
    stop_on_errors((*duplicate_ids, *marks_below_rules))
    return sheet


def _inner_items(route: KeyPath, item: BlockModel) -> Iterator[tuple[KeyPath, BlockModel]]:
    for name in ("steps", "points"):
        for number, inner in enumerate(getattr(item, name) or ()):
            path = (*route, name, number)
            yield path, inner
            yield from _inner_items(path, inner)
