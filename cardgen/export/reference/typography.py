"""Typography of a reference sheet: styles and distances relative to body size."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from cardgen.face.theme import Theme
from cardgen.text.lines import Style
from cardgen.units import MM_PER_POINT

LEADING = 1.22
# What a theme needs for sheets: colors for light and dark mode, and fonts.
COLOURS = (
    "ink",
    "soft",
    "glow",
    "panel",
    "line",
    "accent",
    "plaque",
    "frame",
    "light",
    "gilt",
    "edge",
    "lattice",
    "or",
)
FONTS = ("display", "text")


def missing_from_theme(theme: Theme) -> tuple[str, ...]:
    """Return what a theme lacks for sheets.

    For example 'the color gilt' and 'the font text'.
    """
    colours = (f"the color {name}" for name in COLOURS if name not in theme.colours)
    return (*colours, *(f"the font {name}" for name in FONTS if name not in theme.fonts))


@dataclass(frozen=True)
class Typography:
    """The typography of a sheet whose body has `size` points.

    Lengths are in millimeters.
    """

    theme: Theme
    size: float

    @cached_property
    def em(self) -> float:
        """The body size in millimeters."""
        return self.size * MM_PER_POINT

    @cached_property
    def body(self) -> Style:
        """Running text."""
        return self._style("text", 1.0, "ink")

    @cached_property
    def number(self) -> Style:
        """Numbers of list items."""
        return self._style("text", 1.0, "accent", bold=True)

    @cached_property
    def table_head(self) -> Style:
        """Headings of table columns."""
        return self._style("text", 1.0, "ink", bold=True)

    @cached_property
    def caption(self) -> Style:
        """Captions above tables."""
        return self._style("text", 1.0, "soft", bold=True)

    @cached_property
    def callout_title(self) -> Style:
        """Titles of callouts."""
        return self._style("display", 1.0, "accent", bold=True, caps=True, tracking=0.06)

    def heading(self, level: int) -> Style:
        """Return the style of a heading: level 1 is on a plaque."""
        if level == 1:
            return self._style("display", 1.2, "light", bold=True, caps=True, tracking=0.06)
        if level == 2:
            return self._style("display", 1.3, "accent", bold=True)
        return self._style("text", 1.0, "ink", bold=True)

    def icon(self, level: int) -> Style:
        """Return the style of the icon in front of a heading."""
        return self.heading(level)._replace(colour=self.colour("gilt" if level == 1 else "accent"))

    def title(self, size: float) -> Style:
        """Return the style of the sheet's title, at a size in points."""
        return self._fixed("display", size, "ink", bold=True, caps=True, tracking=0.06)

    def subtitle(self, size: float) -> Style:
        """Return the style of the line beside the title."""
        return self._fixed("display", size, "soft", italic=True)

    def running(self, size: float) -> Style:
        """Return the style of running heads and the foot."""
        return self._fixed("text", size, "soft")

    def colour(self, name: str) -> str:
        """Return a color of the theme."""
        return self.theme.colour(name)

    def _style(self, font: str, share: float, colour: str, **more: bool | float) -> Style:
        return self._fixed(font, self.size * share, colour, **more)

    def _fixed(self, font: str, size: float, colour: str, **more: bool | float) -> Style:
        return Style(family=self.theme.fonts[font], size=size, colour=self.colour(colour), leading=LEADING, **more)  # type: ignore[arg-type]


def leading(style: Style) -> float:
    """Return the distance between baselines in millimeters."""
    return style.leading * style.size * MM_PER_POINT


def scale(style: Style, share: float) -> Style:
    """Return the style at a fraction of its size."""
    return style._replace(size=style.size * share)
