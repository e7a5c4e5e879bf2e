"""Contents of column items: lines of text, boxes, rules, anchors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from cardgen.sheet.column_balancing import ColumnItem
from cardgen.text.lines import Line, Style


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of text, shifted by `dx` and `dy`."""

    line: Line
    dx: float
    dy: float


@dataclass(frozen=True, slots=True)
class FilledBox:
    """A filled rectangle.

    `radius` rounds its corners; `edge` is the color of its outline, '' for none.
    """

    x: float
    y: float
    width: float
    height: float
    colour: str
    radius: float = 0.0
    edge: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """A horizontal rule, `weight` points thick."""

    x: float
    y: float
    width: float
    colour: str
    weight: float


@dataclass(frozen=True, slots=True)
class Anchor:
    """The target of links and bookmarks to a section, or of links to a rule.

    `level` counts from 1; a rule has 0.
    """

    id: str
    title: str
    level: int


@dataclass(frozen=True, slots=True)
class PageReference:
    """The page number of a section or rule, after a prefix.

    It is right-aligned at `x`, with its baseline at `y`.
    """

    id: str
    x: float
    y: float
    style: Style
    prefix: str = ""


ItemMark: TypeAlias = TextLine | FilledBox | Rule | Anchor | PageReference


@dataclass(frozen=True, slots=True)
class Background:
    """Background of an item and the space above it.

    It has a color, and a bar in another color along its left edge.
    """

    x: float
    width: float
    colour: str
    bar: str
    bar_width: float


@dataclass(frozen=True, slots=True)
class ItemContent:
    """All marks of an item in paint order, and its background."""

    marks: tuple[ItemMark, ...]
    background: Background | None = None


TypesetItem: TypeAlias = ColumnItem[ItemContent]


def with_marks(item: TypesetItem, *marks: ItemMark) -> TypesetItem:
    """Return the item with additional marks on top."""
    return replace(item, content=replace(item.content, marks=(*item.content.marks, *marks)))


def with_background(item: TypesetItem, background: Background) -> TypesetItem:
    """Return an item and its repeated header with a background.

    An existing background is kept.
    """
    header = with_background(item.repeat_header, background) if item.repeat_header else None
    content = item.content if item.content.background else replace(item.content, background=background)
    return replace(item, content=content, repeat_header=header)
