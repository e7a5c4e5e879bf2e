"""What templates may call to draw: icons and emblems, as SVG."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from jinja2 import TemplateRuntimeError
from markupsafe import Markup

from cardgen.face.emblem import TINCTURES, draw_emblem
from cardgen.face.theme import Theme
from cardgen.shape.suggestion import did_you_mean
from cardgen.text.icons import Icons
from cardgen.text.lines import Outline


class Ornaments:
    """The drawing functions of one theme: `icon(…)` and `emblem(…)`; `functions` has them by these names."""

    def __init__(self, theme: Theme, icons: Icons) -> None:
        self._theme = theme
        self._icons = icons
        self.functions: Mapping[str, Callable[..., Markup]] = {"icon": self.icon, "emblem": self.emblem}

    def icon(self, name: str, x: float, y: float, size: float, fill: str = "ink") -> Markup:
        """An icon as a path; `x` and `y` are its middle, `size` is the side of the square around it, in mm.

        Raises TemplateRuntimeError, which names the template's line, for an icon or colour that does not exist.
        """
        outline = self._outline(name)
        scale = size / max(1.0, outline.width)
        place = f"translate({x - outline.width * scale / 2:.3f} {y - scale / 2:.3f}) scale({scale:.4g})"
        rule = ' fill-rule="evenodd"' if outline.evenodd else ""
        return Markup(f'<path transform="{place}" d="{path_data(outline)}" fill="{self._colour(fill)}"{rule}/>')

    def emblem(self, identity: str, x: float, y: float, width: float) -> Markup:
        """The coat of arms of an id; `x`, `y` are the shield's top left corner, `width` its width, in mm."""
        tinctures = {name: self._colour(name) for name in (*TINCTURES, "line")}
        return Markup(draw_emblem(identity, x, y, width, tinctures, self.icon))

    def _outline(self, name: str) -> Outline:
        outline = self._icons.find(name)
        if outline is None:
            raise TemplateRuntimeError(f"there is no icon '{name}'{did_you_mean(name, self._icons.names())}")
        return outline

    def _colour(self, name: str) -> str:
        try:
            return self._theme.colour(name)
        except KeyError as error:
            raise TemplateRuntimeError(error.args[0]) from None


@lru_cache(maxsize=256)
def path_data(outline: Outline) -> str:
    """An outline as SVG path data on a height of 1, y downward."""
    return "".join(
        kind + " ".join(f"{1 - n if index % 2 else n:.4g}" for index, n in enumerate(end))
        for path in outline.paths
        for kind, *end in path
    )
