"""Fitting: marked-up text is set into a box, or on one line, as large as it goes."""

from __future__ import annotations

import math

from cardgen.text.fonts import Fonts
from cardgen.text.icons import Icons, built_in_icons
from cardgen.text.layout import BoxLayout
from cardgen.text.lines import Align, Anchor, Box, Fit, Style, TypesetText, Valign
from cardgen.text.markup import Paragraph, Phrase, parse_markup
from cardgen.text.measuring import shape_paragraph
from cardgen.text.placing import Segment, place_line
from cardgen.units import MM_PER_POINT

SIZE_STEP = 0.25
_EPSILON_MM = 1e-6
_ANCHOR_SHARE = {"start": 0.0, "middle": 0.5, "end": 1.0}


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
) -> TypesetText:
    """Set marked-up text into a box (mm): at the style's size, else with less leading, else smaller.

    The size goes down to `min_size` (points) in steps of a quarter point; where even that is too large, words are
    hyphenated, again from the style's size down. What does not fit then is set at `min_size` beyond the box, and
    the fit says how many characters are too many; a word that is wider than the box is torn, and what was torn off
    counts as too many.

    Raises ValueError with a sentence for the user when a font, an icon's file or a language cannot be used.
    """
    layout = _box_layout(markup, box, style, fonts, icons)
    choice = layout.choose_fit(_candidate_sizes(style, min_size), _hyphenation_languages(hyphenate, language))
    return layout.typeset(choice, align, valign, field)


def find_size(
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
    layout = _box_layout(markup, box, style, fonts, icons)
    return layout.choose_fit(_candidate_sizes(style, min_size), _hyphenation_languages(hyphenate, language)).size


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
) -> TypesetText:
    """Set marked-up text on one line whose baseline is at `y`; its start, middle or end is at `x` (mm).

    Where a `max_width` (mm) is given the size shrinks to it, in steps of a quarter point down to `min_size`; the
    fit's `fill` is the share of that width which is used, and `excess` counts the characters beyond it.
    Paragraphs are joined by a space. Raises ValueError as `set_text` does.
    """
    row = shape_paragraph(_join_paragraphs(parse_markup(markup)), style, fonts, icons or built_in_icons())
    segment = Segment(row, 0, len(row.text))
    size = _fitting_size(segment.width, max_width, _candidate_sizes(style, min_size))
    scale = size * MM_PER_POINT / 1000
    line = place_line(segment, x - _ANCHOR_SHARE[anchor] * segment.width * scale, y, size)
    fill = segment.width * scale / max_width if max_width else 0.0
    beyond = math.inf if max_width is None else max_width + _EPSILON_MM
    excess = sum((pen - row.tracking) * scale > beyond for pen in row.pen_positions)
    fit = Fit(field, size, fill, excess, row.missing, row.unknown_icons)
    return TypesetText((line,) if line.pieces else (), fit)


def _box_layout(markup: str, box: Box, style: Style, fonts: Fonts, icons: Icons | None) -> BoxLayout:
    rows = tuple(
        shape_paragraph(paragraph, style, fonts, icons or built_in_icons()) for paragraph in parse_markup(markup)
    )
    font = fonts.font(style.family, style.bold, style.italic)
    return BoxLayout(tuple(row for row in rows if row.text), box, style, font)


def _hyphenation_languages(hyphenate: bool, language: str) -> tuple[str | None, ...]:
    return (None, language) if hyphenate else (None,)


def _candidate_sizes(style: Style, min_size: float) -> list[float]:
    """The sizes to be tried, falling."""
    steps = max(0, int((style.size - min_size) / SIZE_STEP))
    sizes = [style.size - SIZE_STEP * step for step in range(steps + 1)]
    return sizes if sizes[-1] <= min_size else [*sizes, min_size]


def _fitting_size(width: float, max_width: float | None, sizes: list[float]) -> float:
    """The largest size at which `width` thousandths go into `max_width`, else the smallest size."""
    if max_width is None:
        return sizes[0]
    return next((size for size in sizes if width * size * MM_PER_POINT / 1000 <= max_width + _EPSILON_MM), sizes[-1])


def _join_paragraphs(paragraphs: tuple[Paragraph, ...]) -> Paragraph:
    joined: list[Paragraph] = []
    for paragraph in paragraphs:
        joined += [(Phrase(" "),), paragraph] if joined else [paragraph]
    return tuple(part for paragraph in joined for part in paragraph)
