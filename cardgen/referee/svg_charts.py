"""Bar charts and heat maps as SVG.

Every length is a whole number of tenths, so no floating point is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from html import escape

from cardgen.referee.number_format import decimal, percent

_FONT = 'font-family="Source Sans 3, Helvetica, Arial, sans-serif"'
_LABELS, _BARS, _ROW, _MARGIN = 230, 380, 22, 16
_CELL, _NAME = 34, 9
_HEAD = '<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" {font} font-size="13">'


def bar_chart(groups: Sequence[tuple[str, Sequence[tuple[str, Fraction]]]]) -> str:
    """Return a bar chart of chances as SVG, in groups with titles."""
    width = _MARGIN * 2 + _LABELS + _BARS + 70
    body, y = [], _MARGIN
    for title, rows in groups:
        y += _ROW
        body.append(_text(_MARGIN, y - 6, title, 'font-weight="bold"'))
        for words, value in rows:
            body.append(_text(_MARGIN + _LABELS - 8, y + 15, words, 'text-anchor="end"'))
            body.append(_box(_MARGIN + _LABELS, y + 3, decimal(value * _BARS, 1), str(_ROW - 6), "#8a3324"))
            end = _MARGIN + _LABELS + 6 + round(value * _BARS)
            body.append(_text(end, y + 15, percent(value, 2)))
            y += _ROW
    return _drawing(width, y + _MARGIN, body)


def heat_map(title: str, names: Sequence[str], cells: Sequence[Sequence[Fraction | None]]) -> str:
    """Return a heat map of chances as SVG: rows against columns.

    Colors range from red (0) through white (1/2) to blue (1). Cells of None stay empty.
    """
    room = _MARGIN + max((len(name) for name in names), default=0) * _NAME
    size = room + _CELL * len(names) + _MARGIN
    body = [_text(_MARGIN, _MARGIN + 4, title, 'font-weight="bold"')]
    for row, name in enumerate(names):
        y = room + row * _CELL
        body.append(_text(room - 6, y + 21, name, 'text-anchor="end"'))
        x = room + row * _CELL + 21
        body.append(_text(x, room - 6, name, f'transform="rotate(-90 {x} {room - 6})"'))
        for column, value in enumerate(cells[row]):
            if value is not None:
                body.append(_box(room + column * _CELL, y, str(_CELL - 1), str(_CELL - 1), _color(value)))
                middle = room + column * _CELL + _CELL // 2
                body.append(_text(middle, y + 21, decimal(value * 100, 0), 'text-anchor="middle" font-size="11"'))
    return _drawing(size, size, body)


def _color(value: Fraction) -> str:
    """Return the color of a chance between red, white, and blue."""
    share = round(min(value, 1 - value) * 2 * 135) + 120
    return f"#{share:02x}{share:02x}ff" if value > Fraction(1, 2) else f"#ff{share:02x}{share:02x}"


def _text(x: int, y: int, words: str, more: str = "") -> str:
    return f'<text x="{x}" y="{y}" {more}>{escape(words)}</text>'


def _box(x: int, y: int, width: str, height: str, fill: str) -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}"/>'


def _drawing(width: int, height: int, body: Sequence[str]) -> str:
    head = _HEAD.format(w=width, h=height, font=_FONT)
    return "\n".join((head, _box(0, 0, str(width), str(height), "#ffffff"), *body, "</svg>\n"))
