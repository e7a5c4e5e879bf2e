"""What stands on a column item: lines of text, boxes, rules, anchors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from cardgen.sheet.column_balancing import ColumnItem
from cardgen.text.lines import Line, Style


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of text; its own coordinates are moved by `dx` and `dy`."""

    line: Line
    dx: float
    dy: float


@dataclass(frozen=True, slots=True)
class FilledBox:
    """A filled rectangle; `radius` rounds its corners, and an outline is drawn in `edge` unless that is ''."""

    x: float
    y: float
    width: float
    height: float
    colour: str
    radius: float = 0.0
    edge: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across, `weight` points thick."""

    x: float
    y: float
    width: float
    colour: str
    weight: float


@dataclass(frozen=True, slots=True)
class Anchor:
    """The place of a section, for links and bookmarks; `level` counts from 1."""

    id: str
    title: str
    level: int


@dataclass(frozen=True, slots=True)
class PageReference:
    """The number of the page on which a section stands; its right end is at `x`, its baseline at `y`."""

    id: str
    x: float
    y: float
    style: Style


ItemMark: TypeAlias = TextLine | FilledBox | Rule | Anchor | PageReference


@dataclass(frozen=True, slots=True)
class Background:
    """What lies behind a strip and the gap above it: a colour, and a bar in another at its left edge."""

    x: float
    width: float
    colour: str
    bar: str
    bar_width: float


@dataclass(frozen=True, slots=True)
class ItemContent:
    """All marks of a strip in paint order, and what lies behind them."""

    marks: tuple[ItemMark, ...]
    background: Background | None = None


TypesetItem: TypeAlias = ColumnItem[ItemContent]


def with_marks(item: TypesetItem, *marks: ItemMark) -> TypesetItem:
    """The band with more marks upon it."""
    return replace(item, content=replace(item.content, marks=(*item.content.marks, *marks)))


def with_background(item: TypesetItem, background: Background) -> TypesetItem:
    """The band, and what it repeats, with a ground behind; one that has a ground already keeps it."""
    header = with_background(item.repeat_header, background) if item.repeat_header else None
    content = item.content if item.content.background else replace(item.content, background=background)
    return replace(item, content=content, repeat_header=header)
