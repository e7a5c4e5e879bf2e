"""Shared by text tests: fonts, styles, and lines as a small picture."""

from __future__ import annotations

from cardgen.text.fonts import Fonts
from cardgen.text.lines import Line, Run, Style, TypesetText
from cardgen.units import Box

FONTS = Fonts()
SERIF = Style("EB Garamond", 9.0)
SANS = Style("Source Sans 3", 9.0)


def line_width(line: Line) -> float:
    """Return the width from the first to the last piece, in mm."""
    first, last = line.pieces[0], line.pieces[-1]
    return last.x + last.width - first.x


def texts(setting: TypesetText) -> list[str]:
    return [line.text for line in setting.lines]


def baselines(setting: TypesetText) -> list[float]:
    """Return the baseline of each line.

    The lower edge for lines with only icons.
    """
    return [min((p.y for p in line.pieces if isinstance(p, Run)), default=line.pieces[0].y) for line in setting.lines]


def picture(setting: TypesetText, box: Box, cell: tuple[float, float] = (2.0, 2.0)) -> str:
    """Return the box as a frame.

    A # is a 1 mm cell with the baseline of a line.
    """
    columns, rows = round(box.width / cell[0]), round(box.height / cell[1])
    grid = [[" "] * columns for _ in range(rows)]
    for line, baseline in zip(setting.lines, baselines(setting), strict=True):
        start = (line.pieces[0].x - box.x) / cell[0]
        row = int((baseline - box.y) / cell[1])
        for column in range(round(start), round(start + line_width(line) / cell[0])):
            grid[row][column] = "#"
    edge = f"+{'-' * columns}+"
    return "\n".join([edge, *(f"|{''.join(row)}|" for row in grid), edge])
