"""What stands on the strips of a column, in millimetres from the strip's upper left corner."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from cardgen.sheet.columns import Strip
from cardgen.text.lines import Line, Style


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text; its own coordinates are moved by `dx` and `dy`."""

    line: Line
    dx: float
    dy: float


@dataclass(frozen=True, slots=True)
class Fill:
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
class PageNumber:
    """The number of the page on which a section stands; its right end is at `x`, its baseline at `y`."""

    id: str
    x: float
    y: float
    style: Style


Mark: TypeAlias = Words | Fill | Rule | Anchor | PageNumber


@dataclass(frozen=True, slots=True)
class Ground:
    """What lies behind a strip and the gap above it: a colour, and a bar in another at its left edge."""

    x: float
    width: float
    colour: str
    bar: str
    bar_width: float


@dataclass(frozen=True, slots=True)
class Content:
    """All marks of a strip in paint order, and what lies behind them."""

    marks: tuple[Mark, ...]
    ground: Ground | None = None


Band: TypeAlias = Strip[Content]


def marked(band: Band, *marks: Mark) -> Band:
    """The band with more marks upon it."""
    return replace(band, content=replace(band.content, marks=(*band.content.marks, *marks)))


def grounded(band: Band, ground: Ground) -> Band:
    """The band, and what it repeats, with a ground behind; one that has a ground already keeps it."""
    again = grounded(band.again, ground) if band.again else None
    content = band.content if band.content.ground else replace(band.content, ground=ground)
    return replace(band, content=content, again=again)
