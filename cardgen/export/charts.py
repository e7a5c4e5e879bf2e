"""Bar charts and heat maps, as bars and labels.

Every length is a whole number of tenths of a unit; there are 96 units to the inch, as in CSS.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from cardgen.face.face import Artwork, Face, Text
from cardgen.referee.odds import decimal, percent
from cardgen.runtime.processes import away_from_current_folder
from cardgen.text.copyfitting import set_line
from cardgen.text.fonts import Fonts
from cardgen.text.lines import Style, escape_markup
from cardgen.units import IDENTITY, MM_PER_INCH, Size, compose, rotation, translation

_LABELS, _BARS, _ROW, _MARGIN = 230, 380, 22, 16
# A cell, and a letter of a name and of a title.
_CELL, _NAME, _TITLE = 34, 9, 7
# The letters of a line of a note.
_NOTE = 90


class Bar(NamedTuple):
    """Filled rectangle; y points down."""

    x: float
    y: float
    width: float
    height: float
    fill: str


class Label(NamedTuple):
    """Line of text whose start, middle, or end is at a point.

    `turned` texts read from bottom to top.
    """

    x: float
    y: float
    text: str
    anchor: Literal["start", "middle", "end"] = "start"
    size: float = 13
    bold: bool = False
    turned: bool = False


class Chart(NamedTuple):
    """Chart on white: bars, and labels on top of them."""

    width: float
    height: float
    bars: tuple[Bar, ...]
    labels: tuple[Label, ...]


def bar_chart(groups: Sequence[tuple[str, Sequence[tuple[str, Fraction]]]], notes: Sequence[str] = ()) -> Chart:
    """Return a bar chart of chances, in groups with titles, below some notes."""
    bars: list[Bar] = []
    labels = _note_lines(notes)
    y = _MARGIN + _ROW * len(labels)
    for title, rows in groups:
        y += _ROW
        labels.append(Label(_MARGIN, y - 6, title, bold=True))
        for words, value in rows:
            labels.append(Label(_MARGIN + _LABELS - 8, y + 15, words, "end"))
            bars.append(Bar(_MARGIN + _LABELS, y + 3, float(decimal(value * _BARS, 1)), _ROW - 6, "#8a3324"))
            labels.append(Label(_MARGIN + _LABELS + 6 + round(value * _BARS), y + 15, percent(value, 2)))
            y += _ROW
    return Chart(_MARGIN * 2 + _LABELS + _BARS + 70, y + _MARGIN, tuple(bars), tuple(labels))


def _note_lines(notes: Sequence[str]) -> list[Label]:
    """Return notes as lines at the top of a chart."""
    lines = [line for note in notes for line in textwrap.wrap(note, _NOTE)]
    return [Label(_MARGIN, _MARGIN + _ROW * row + 16, line) for row, line in enumerate(lines)]


def heat_map(
    title: str, names: Sequence[str], cells: Sequence[Sequence[Fraction | None]], notes: Sequence[str] = ()
) -> Chart:
    """Return a heat map of chances, rows against columns, below some notes.

    Colors range from red (0) through white (1/2) to blue (1). Cells of None stay empty.
    """
    room = _MARGIN + max((len(name) for name in names), default=0) * _NAME
    bars: list[Bar] = []
    labels = _note_lines(notes)
    top = _ROW * len(labels) + (_MARGIN if labels else 0)
    wide = max((len(each.text) for each in labels), default=0)
    labels.append(Label(_MARGIN, top + _MARGIN + 4, title, bold=True))
    for row, name in enumerate(names):
        start, across = room + row * _CELL, room + row * _CELL + top
        labels.append(Label(room - 6, across + 21, name, "end"))
        labels.append(Label(start + 21, top + room - 6, name, turned=True))
        for column, value in enumerate(cells[row]):
            if value is not None:
                x = room + column * _CELL
                bars.append(Bar(x, across, _CELL - 1, _CELL - 1, _color(value)))
                labels.append(Label(x + _CELL // 2, across + 21, decimal(value * 100, 0), "middle", size=11))
    size = room + _CELL * len(names) + _MARGIN
    return Chart(max(size, 2 * _MARGIN + max(wide, len(title)) * _TITLE), top + size, tuple(bars), tuple(labels))


def _color(value: Fraction) -> str:
    """Return the color of a chance between red, white, and blue."""
    share = round(min(value, 1 - value) * 2 * 135) + 120
    return f"#{share:02x}{share:02x}ff" if value > Fraction(1, 2) else f"#ff{share:02x}{share:02x}"


CHART_DPI = 144
_FONT = "Source Sans 3"
_UNITS_PER_INCH = 96
_POINTS_PER_INCH = 72


def chart_face(chart: Chart, fonts: Fonts) -> Face:
    """Return a chart as a face without bleed."""
    size = Size(_to_mm(chart.width), _to_mm(chart.height))
    return Face(size, 0.0, (_bars(chart, size), *(_text(label, fonts) for label in chart.labels)))


def _to_mm(length: float) -> float:
    return length * MM_PER_INCH / _UNITS_PER_INCH


def _bars(chart: Chart, size: Size) -> Artwork:
    width, height = f"{size.width:g}", f"{size.height:g}"
    bars = (Bar(0, 0, chart.width, chart.height, "#ffffff"), *chart.bars)
    body = "\n".join(
        f'<rect x="{bar.x:g}" y="{bar.y:g}" width="{bar.width:g}" height="{bar.height:g}" fill="{bar.fill}"/>'
        for bar in bars
        if bar.width
    )
    return Artwork(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}"><g transform="scale({_to_mm(1):.6g})">{body}</g></svg>'.encode()
    )


def _text(label: Label, fonts: Fonts) -> Text:
    points = label.size * _POINTS_PER_INCH / _UNITS_PER_INCH
    x, y = _to_mm(label.x), _to_mm(label.y)
    lines = set_line(
        escape_markup(label.text), x, y, Style(_FONT, points, bold=label.bold), fonts, anchor=label.anchor,
        min_size=points,
    ).lines  # fmt: skip
    turn = compose(translation(x, y), rotation(-90), translation(-x, -y)) if label.turned else IDENTITY
    return Text(lines, turn)


# QR codes as SVG.

# Light modules around the code that readers need.
_QUIET = 4


def qr_svg(text: str) -> bytes:
    """Return the QR code of a text as an SVG picture, black on white, with one unit per module.

    About 15 % of the code may be covered.
    """
    with away_from_current_folder():  # where ReportLab looks for folders with fonts
        from reportlab.graphics.barcode import qrencoder  # loaded here because few programs need it

    code = qrencoder.QRCode(None, qrencoder.QRErrorCorrectLevel.M)
    code.addData(text)
    code.make()
    count = code.getModuleCount()
    path = "".join(
        f"M{column + _QUIET} {row + _QUIET}h1v1h-1z"
        for row in range(count)
        for column in range(count)
        if code.isDark(row, column)
    )
    side = count + 2 * _QUIET
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{side}v{side}h-{side}z"/><path d="{path}"/></svg>'
    ).encode()
