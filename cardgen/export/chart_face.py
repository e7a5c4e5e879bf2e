"""Charts as faces, which are written like those of cards."""

from __future__ import annotations

from cardgen.affine import IDENTITY, compose, rotation, translation
from cardgen.export.charts import Bar, Chart, Label
from cardgen.face.face import Artwork, Face, Text
from cardgen.text.copyfitting import set_line
from cardgen.text.fonts import Fonts
from cardgen.text.lines import Style
from cardgen.text.markup import escape_markup
from cardgen.units import MM_PER_INCH, Size

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
