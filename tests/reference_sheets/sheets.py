"""Documents for tests, laid out on pages."""

from __future__ import annotations

from cardgen.diagnostic import Place
from cardgen.face.theme import Theme, load_theme
from cardgen.project.files import built_in_folder
from cardgen.reference.document_tree import (
    Block,
    Callout,
    DefinitionList,
    Document,
    ItemList,
    Section,
    Table,
    TextBlock,
)
from cardgen.reference.resolve import rich_text
from cardgen.reference_sheets.pagination import PaginatedSheet, SheetFormat, paginate
from cardgen.sheet.columns import ItemContent, PositionedItem
from cardgen.sheet.leaf import Anchor
from cardgen.text.copyfitting import Compositor
from cardgen.text.fonts import Fonts
from cardgen.text.shaped_row import Icons
from cardgen.units import PAPER_SIZES

FONTS = Fonts()
ICONS = Icons()
A4 = PAPER_SIZES["a4"]


def theme(name: str = "default") -> Theme:
    return load_theme([built_in_folder("templates")], "warniris", name)


def sheet_format(columns: int = 2, pages: int | None = 1, least: float = 7.5, most: float = 9.0) -> SheetFormat:
    return SheetFormat(A4, columns, pages, (least, most), Place("sheet.yaml"))


def pages(document: Document, form: SheetFormat) -> PaginatedSheet:
    return paginate(document, form, theme(), Compositor(FONTS, ICONS, "en_GB"))


def prose(words: int) -> TextBlock:
    return TextBlock(rich_text(" ".join(["Plain words of a rule."] * (words // 5 + 1))))


def table(rows: int, columns: int = 3) -> Table:
    head = tuple(rich_text(f"Head {n}") for n in range(columns))
    cells = tuple(tuple(rich_text(f"{row}.{n}") for n in range(columns)) for row in range(rows))
    return Table(head, cells, tuple("left" for _ in range(columns)))


def points(count: int, words: int = 12) -> ItemList:
    return ItemList(tuple((prose(words),) for _ in range(count)), numbered=True)


def callout(words: int) -> Callout:
    return Callout("example", "An example", (prose(words), points(2)))


def terms(count: int) -> DefinitionList:
    return DefinitionList(
        tuple((f"Word {n}", rich_text("What it means, in a short sentence or two.")) for n in range(count))
    )


def document(*sections: tuple[Block, ...]) -> Document:
    """Return a document with sections, each with its blocks."""
    made = (Section(f"s{n}", f"Section {n}", blocks, icon="dice") for n, blocks in enumerate(sections))
    return Document("test", "A test", "of pages", tuple(made), credit="Made for a test.")


def is_heading(placed: PositionedItem[ItemContent]) -> bool:
    return any(isinstance(mark, Anchor) for mark in placed.item.content.marks)
