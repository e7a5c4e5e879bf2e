"""How authors write a sheet: the shape of its file."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from cardgen.model.card import slug
from cardgen.project.settings import PaperSize
from cardgen.reference.tree import Align, Start
from cardgen.shape.base import Flag, Int, Model, Number, Text
from cardgen.shape.codes import Code

# Type smaller than this cannot be read at a table.
SMALLEST_BODY = 7.5

# A cell may be empty, but not missing.
Words = Annotated[str, Field(strict=True)]
Cell = Words | Int
Identifier = Annotated[Text, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", description="small letters, digits and dashes")]
PageCount = Annotated[Int, Field(ge=1, le=200)]
BodySize = Annotated[Number, Field(ge=SMALLEST_BODY, le=14)]


class _Short(Model):
    """A map whose text may stand for all of it."""

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, data: Any) -> Any:
        return {"text": data} if isinstance(data, str) else data


class WrittenTable(Model):
    """A table. Without `align` the first column stands left and short columns of numbers in the middle."""

    head: Annotated[tuple[Words, ...], Field(min_length=1, description="the heading of each column")]
    rows: Annotated[tuple[tuple[Cell | None, ...], ...], Field(min_length=1, description="rows of cells")]
    align: Annotated[tuple[Align, ...] | None, Field(description="left, center or right for each column")] = None
    caption: Annotated[Text | None, Field(description="what the table is about")] = None


class WrittenNote(_Short):
    """A call-out."""

    text: Annotated[Text, Field(description="what it says")]
    title: Annotated[Text | None, Field(description="the words in front of it")] = None


class WrittenExample(Model):
    """An example that the referee works out: `text` may say <hits> and the like for what comes of `trial`."""

    text: Annotated[Text, Field(description="the story; <hits>, <wounds> and the like stand for exact chances")]
    trial: Annotated[Text, Field(description="what is judged: a command of the referee, such as attack")] = "attack"
    options: Annotated[dict[str, Any], Field(alias="with", description="who, with what, at whom: as the command asks")]
    dice: Annotated[tuple[Int, ...], Field(description="play it once with these dice, and tell what happens")] = ()
    title: Annotated[Text | None, Field(description="the words in front of it")] = None


class Piece(_Short):
    """One piece of a section. A text may stand in front of any other."""

    text: Annotated[Text | None, Field(description="running text")] = None
    steps: Annotated[tuple[Piece, ...] | None, Field(min_length=1, description="a numbered list")] = None
    points: Annotated[tuple[Piece, ...] | None, Field(min_length=1, description="a list without an order")] = None
    table: WrittenTable | None = None
    note: WrittenNote | None = None
    example: WrittenExample | None = None
    show: Annotated[Text | None, Field(description="something that the game knows")] = None
    options: Annotated[dict[str, Any] | None, Field(alias="with", description="what of it, for show")] = None

    @model_validator(mode="after")
    def _says_something(self) -> Piece:
        given = [name for name in ("steps", "points", "table", "note", "example", "show") if getattr(self, name)]
        if len(given) > 1 or (not given and self.text is None):
            message = "give one of text, steps, points, table, note, example and show"
            raise PydanticCustomError("piece", message, {"code": Code.INVALID})
        if self.options is not None and self.show is None:
            message = "'with' says what of something to show, and nothing is shown here"
            raise PydanticCustomError("piece", message, {"code": Code.INVALID, "path": ("with",)})
        return self


class WrittenSection(Model):
    """A section. Its `id` is made from the title where it is left out."""

    SYNONYMS: ClassVar[dict[str, tuple[str, ...]]] = {"title": ("section",)}

    title: Annotated[Text, Field(max_length=60, description="its heading")]
    id: Annotated[Identifier, Field(description="what cross-references call it")] = ""
    icon: Annotated[Text | None, Field(description="an icon before its heading")] = None
    start: Annotated[Start, Field(description="column or page: where it must begin")] = ""
    content: Annotated[tuple[Piece, ...], Field(description="what stands in it")] = ()
    sections: Annotated[tuple[WrittenSection, ...], Field(description="smaller sections")] = ()

    @property
    def name(self) -> str:
        """What cross-references call it."""
        return self.id or slug(self.title)


def _ordered(sizes: tuple[float, float]) -> tuple[float, float]:
    if sizes[0] > sizes[1]:
        raise ValueError("the smallest size of the body stands first, then the largest")
    return sizes


class WrittenSheet(Model):
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
        tuple[BodySize, BodySize], AfterValidator(_ordered), Field(description="smallest and largest type in points")
    ] = (SMALLEST_BODY, 9.5)
    contents: Annotated[Flag, Field(description="a list of the sections in front of them")] = False
    language: Annotated[Text, Field(description="language of its text, such as en-GB")] = "en-GB"
    credit: Annotated[Text, Field(max_length=160, description="a line at the foot")] = ""
    sections: Annotated[tuple[WrittenSection, ...], Field(min_length=1, description="its sections")]
