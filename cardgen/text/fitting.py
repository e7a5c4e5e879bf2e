"""Fitting: marked-up text is set into a box, or on one line, as large as it goes."""

from __future__ import annotations

import math

from cardgen.text.fonts import Fonts
from cardgen.text.icons import Icons, built_in
from cardgen.text.layout import Layout
from cardgen.text.lines import Align, Anchor, Box, Fit, Setting, Style, Valign
from cardgen.text.markup import Paragraph, Phrase, parse
from cardgen.text.measuring import measure
from cardgen.text.placing import Segment, place
from cardgen.units import MM_PER_POINT

STEP = 0.25
_GRAIN = 1e-6
_SHARE_LEFT = {"start": 0.0, "middle": 0.5, "end": 1.0}


def set_text(
    markup: str,
    box: Box,
    style: Style,
    fonts: Fonts,
    *,
    min_size: float,
    align: Align = "left",
    valign: Valign = "top",
    field: str = "",
    icons: Icons | None = None,
    hyphenate: bool = True,
    language: str = "en_GB",
) -> Setting:
    """Set marked-up text into a box (mm): at the style's size, else with less leading, else smaller.

    The size goes down to `min_size` (points) in steps of a quarter point; where even that is too large, words are
    hyphenated, again from the style's size down. What does not fit then is set at `min_size` beyond the box, and
    the fit says how many characters are too many; a word that is wider than the box is torn, and what was torn off
    counts as too many.

    Raises ValueError with a sentence for the user when a font, an icon's file or a language cannot be used.
    """
    layout = _layout(markup, box, style, fonts, icons)
    choice = layout.choose(_sizes(style, min_size), _languages(hyphenate, language))
    return layout.setting(choice, align, valign, field)


def fitted_size(
    markup: str,
    box: Box,
    style: Style,
    fonts: Fonts,
    *,
    min_size: float,
    icons: Icons | None = None,
    hyphenate: bool = True,
    language: str = "en_GB",
) -> float:
    """The size that `set_text` takes, in points.

    A group of texts that should look of one piece takes the smallest of their sizes.
    """
    layout = _layout(markup, box, style, fonts, icons)
    return layout.choose(_sizes(style, min_size), _languages(hyphenate, language)).size


def set_line(
    markup: str,
    x: float,
    y: float,
    style: Style,
    fonts: Fonts,
    *,
    anchor: Anchor = "start",
    max_width: float | None = None,
    min_size: float,
    field: str = "",
    icons: Icons | None = None,
) -> Setting:
    """Set marked-up text on one line whose baseline is at `y`; its start, middle or end is at `x` (mm).

    Where a `max_width` (mm) is given the size shrinks to it, in steps of a quarter point down to `min_size`; the
    fit's `fill` is the share of that width which is used, and `excess` counts the characters beyond it.
    Paragraphs are joined by a space. Raises ValueError as `set_text` does.
    """
    row = measure(_joined(parse(markup)), style, fonts, icons or built_in())
    segment = Segment(row, 0, len(row.text))
    size = _size_for(segment.width, max_width, _sizes(style, min_size))
    scale = size * MM_PER_POINT / 1000
    line = place(segment, x - _SHARE_LEFT[anchor] * segment.width * scale, y, size)
    fill = segment.width * scale / max_width if max_width else 0.0
    beyond = math.inf if max_width is None else max_width + _GRAIN
    excess = sum((pen - row.tracking) * scale > beyond for pen in row.pen)
    fit = Fit(field, size, fill, excess, row.missing, row.unknown_icons)
    return Setting((line,) if line.pieces else (), fit)


def _layout(markup: str, box: Box, style: Style, fonts: Fonts, icons: Icons | None) -> Layout:
    rows = tuple(measure(paragraph, style, fonts, icons or built_in()) for paragraph in parse(markup))
    font = fonts.font(style.family, style.bold, style.italic)
    return Layout(tuple(row for row in rows if row.text), box, style, font)


def _languages(hyphenate: bool, language: str) -> tuple[str | None, ...]:
    return (None, language) if hyphenate else (None,)


def _sizes(style: Style, min_size: float) -> list[float]:
    """The sizes to be tried, falling."""
    steps = max(0, int((style.size - min_size) / STEP))
    sizes = [style.size - STEP * step for step in range(steps + 1)]
    return sizes if sizes[-1] <= min_size else [*sizes, min_size]


def _size_for(width: float, max_width: float | None, sizes: list[float]) -> float:
    """The largest size at which `width` thousandths go into `max_width`, else the smallest size."""
    if max_width is None:
        return sizes[0]
    return next((size for size in sizes if width * size * MM_PER_POINT / 1000 <= max_width + _GRAIN), sizes[-1])


def _joined(paragraphs: tuple[Paragraph, ...]) -> Paragraph:
    joined: list[Paragraph] = []
    for paragraph in paragraphs:
        joined += [(Phrase(" "),), paragraph] if joined else [paragraph]
    return tuple(part for paragraph in joined for part in paragraph)
