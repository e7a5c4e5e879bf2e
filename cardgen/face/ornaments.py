"""Ornaments of templates: icons, and coats of arms generated from ids.

The terms are those of heraldry: a field in one or two tinctures, an ordinary on it, and charges beside or upon it.
Tinctures are colors or metals, and a color is never placed on a color, so that everything is easy to tell apart.
Emblems are made of parts that cards share: a few distinct drawings give thousands of arms.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from jinja2 import TemplateRuntimeError
from markupsafe import Markup

from cardgen.diagnostic import did_you_mean
from cardgen.face.theme import Theme
from cardgen.text.lines import IconArt, Outline
from cardgen.text.shaped_row import Icons

# Draws a charge, given its name, center, size of the square around it, its color, and that of its details.
DrawCharge = Callable[[str, float, float, float, str, str], str]

# Shields are 100 wide and 116 high.
SHIELD = "M0 0H100V52C100 84 76 104 50 116C24 104 0 84 0 52Z"

DIVISIONS: Mapping[str, str] = {
    "plain": "",
    "per pale": "M50 0H100V116H50Z",
    "per fess": "M0 52H100V116H0Z",
    "per bend": "M0 0L100 100V0Z",
    "per bend sinister": "M100 0L0 100V0Z",
    "per chevron": "M0 116V88L50 44L100 88V116Z",
    "quarterly": "M50 0H100V52H50ZM0 52H50V116H0Z",
    "per saltire": "M0 0L50 52L100 0ZM0 104L50 52L100 104V116H0Z",
    "paly": "M16.7 0H33.3V116H16.7ZM50 0H66.7V116H50ZM83.3 0H100V116H83.3Z",
    "barry": "M0 17H100V34H0ZM0 51H100V68H0ZM0 85H100V116H0Z",
}

COLOURS = ("gules", "azure", "vert", "purpure", "sable")
METALS = ("or", "argent")
TINCTURES = (*COLOURS, *METALS)


class Ordinary(NamedTuple):
    """A broad shape on the shield.

    `spots` are the positions of charges (x and y of the center, and size). Charges beside the ordinary have its metal,
    charges upon it the color of the field; their details have that of what they lie on.
    """

    path: str
    spots: tuple[tuple[float, float, float], ...]
    upon: bool = False


ORDINARIES: Mapping[str, Ordinary] = {
    "none": Ordinary("", ((50, 52, 62),)),
    "fess": Ordinary("M0 36H100V62H0Z", ((26, 18, 23), (74, 18, 23), (50, 84, 25))),
    "pale": Ordinary("M36 0H64V116H36Z", ((18, 34, 22), (82, 34, 22))),
    "bend": Ordinary("M0 0H18L100 82V100L82 100L0 18Z", ((72, 26, 28), (27, 71, 28))),
    "bend sinister": Ordinary("M100 0H82L0 82V100L18 100L100 18Z", ((28, 26, 28), (73, 71, 28))),
    "chevron": Ordinary("M0 76L50 32L100 76V98L50 54L0 98Z", ((23, 22, 24), (77, 22, 24), (50, 88, 24))),
    "chief": Ordinary("M0 0H100V28H0Z", ((50, 66, 50),)),
    "pile": Ordinary("M14 0H86L50 92Z", ((50, 25, 32),), upon=True),
    "roundel": Ordinary("M50 14A38 38 0 0 1 50 90A38 38 0 0 1 50 14Z", ((50, 52, 46),), upon=True),
    "lozenge": Ordinary("M50 4L96 54L50 104L4 54Z", ((50, 54, 42),), upon=True),
    "base": Ordinary("M0 84H100V116H0Z", ((50, 43, 52),)),
}
# Stripes are busy, so charges on them need a background of their own.
_STRIPED_DIVISIONS = ("paly", "barry")
_ON_STRIPES = tuple(name for name, it in ORDINARIES.items() if it.upon)
_CLIP = f'<defs><clipPath id="shield"><path d="{SHIELD}"/></clipPath></defs>'


class Arms(NamedTuple):
    """The blazon of one shield."""

    division: str
    field: tuple[str, str]
    ordinary: str
    metal: str
    charge: str


def choose_arms(identity: str, charges: Iterable[str]) -> Arms:
    """Return the arms that an id determines, with one of the `charges`; without any, its charge is ''."""
    choices = _SeededChoices(identity)
    division = choices.pick(tuple(DIVISIONS))
    first = choices.pick(COLOURS)
    second = choices.pick([colour for colour in COLOURS if colour != first])
    ordinary = choices.pick(_ON_STRIPES if division in _STRIPED_DIVISIONS else tuple(ORDINARIES))
    return Arms(division, (first, second), ordinary, choices.pick(METALS), choose_charge(identity, charges))


def choose_charge(identity: str, charges: Iterable[str]) -> str:
    """Return the charge with the highest hash of the id and its name.

    Unlike a place in a list, this leaves the charges of all other ids as they are when one is added or removed: a new
    one takes its share, and those of a removed one are spread over the others (rendezvous hashing).
    """
    return max(charges, key=lambda name: hashlib.sha256(f"{identity}/{name}".encode()).digest(), default="")


def draw_emblem(
    arms: Arms, x: float, y: float, width: float, tinctures: Mapping[str, str], draw_charge: DrawCharge
) -> str:
    """Return arms as SVG root elements.

    Cards share the drawings. `x`, `y`, and `width` are the position of the shield in mm, and `tinctures` has the color
    of each tincture and of the 'line' around the shield.
    """
    scale = width / 100
    group = f'<g transform="translate({x:g} {y:g}) scale({scale:.5g})"'
    return _CLIP + "".join(f"{group}{part}</g>" for part in _emblem_layers(arms, tinctures, draw_charge))


def _emblem_layers(arms: Arms, tinctures: Mapping[str, str], draw_charge: DrawCharge) -> Iterator[str]:
    first, second = (tinctures[name] for name in arms.field)
    metal = tinctures[arms.metal]
    clipped = ' clip-path="url(#shield)">'
    division = DIVISIONS[arms.division]
    other = f'<path d="{division}" fill="{second}"/>' if division else ""
    yield f'{clipped}<path d="{SHIELD}" fill="{first}"/>{other}'
    ordinary = ORDINARIES[arms.ordinary]
    if ordinary.path:
        yield f'{clipped}<path d="{ordinary.path}" fill="{metal}"/>'
    fill, detail = (first, metal) if ordinary.upon else (metal, first)
    if arms.charge:
        yield ">" + "".join(draw_charge(arms.charge, x, y, size, fill, detail) for x, y, size in ordinary.spots)
    line = tinctures["line"]
    yield f'><path d="{SHIELD}" fill="none" stroke="{line}" stroke-width="4" stroke-linejoin="round"/>'


class _SeededChoices:
    """A deterministic sequence of evenly distributed choices, seeded by a text."""

    def __init__(self, text: str) -> None:
        self._number = int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")

    def pick(self, choices: Sequence[str]) -> str:
        self._number, index = divmod(self._number, len(choices))
        return choices[index]


# What stands for the tincture of a charge and for that of its details in its drawing.
_BODY, _DETAIL = "#000000", "#ffffff"
_PAINT = re.compile(f'(?<=")(?:{_BODY}|{_DETAIL})(?=")')


class _Shape(NamedTuple):
    """An outline as SVG: its width, path data, and fill rule, or its art."""

    width: float
    data: str
    rule: str
    art: IconArt | None


class Ornaments:
    """The functions `icon(…)`, `charge(…)`, and `emblem(…)` of one theme.

    `functions` has them by name.
    """

    def __init__(self, theme: Theme, icons: Icons) -> None:
        self._theme = theme
        self._icons = icons
        self._shapes: dict[str, _Shape] = {}
        self._charges: dict[str, _Shape] = {}
        self.functions: Mapping[str, Callable[..., Markup]] = {
            "icon": self.icon,
            "charge": self.charge,
            "emblem": self.emblem,
        }

    def icon(self, name: str, x: float, y: float, size: float, fill: str = "ink") -> Markup:
        """Return an icon as a path, or as a group if it has colors of its own.

        `x` and `y` are its center, `size` is the side of the square around it, in mm. Raises TemplateRuntimeError,
        which gets the template's line, for an unknown icon or color.
        """
        shape = self._shapes.get(name)
        if shape is None:
            outline = self._icons.find(name)
            if outline is None:
                raise TemplateRuntimeError(f"unknown icon '{name}'{did_you_mean(name, self._icons.names())}")
            shape = self._shapes[name] = _shape(outline)
        colour = self._colour(fill)
        return Markup(_placed(shape, x, y, size, colour, shape.art.drawn(colour) if shape.art else ""))

    def charge(self, name: str, x: float, y: float, size: float, fill: str = "ink", detail: str = "paper") -> Markup:
        """Return a charge without a shield, or the icon of that name if there is no such charge.

        `x` and `y` are its center, `size` is the side of the square around it, in mm, and `detail` is the color of its
        details. Raises TemplateRuntimeError for an unknown charge or color.
        """
        return Markup(self.draw_charge(name, x, y, size, self._colour(fill), self._colour(detail)))

    def emblem(self, identity: str, x: float, y: float, width: float, charge: str | None = None) -> Markup:
        """Return the coat of arms of an id, with a charge or icon if it is named.

        `x` and `y` are the shield's top left corner, `width` its width, in mm. Raises TemplateRuntimeError for an
        unknown charge.
        """
        arms = choose_arms(identity, (charge,) if charge else self._icons.charges.names())
        return Markup(draw_emblem(arms, x, y, width, self._tinctures, self.draw_charge))

    def draw_charge(self, name: str, x: float, y: float, size: float, fill: str, detail: str) -> str:
        """Return a charge in the square of a `size` around x, y, with the color of its body and that of its details."""
        shape = self._charges.get(name)
        if shape is None:
            outline = self._icons.find_charge(name)
            if outline is None:
                raise TemplateRuntimeError(f"unknown charge '{name}'{did_you_mean(name, self._icons.charges.names())}")
            shape = self._charges[name] = _shape(outline)
        return _placed(shape, x, y, size, fill, _tinctured(shape.art, fill, detail) if shape.art else "")

    def charge_file(self, identity: str, charge: str = "") -> Path | None:
        """Return the file of the charge in the arms of an id; None for an icon that is not a charge."""
        charges = self._icons.charges
        return charges.path(charge or choose_charge(identity, charges.names()))

    @cached_property
    def _tinctures(self) -> Mapping[str, str]:
        return {name: self._colour(name) for name in (*TINCTURES, "line")}

    def _colour(self, name: str) -> str:
        try:
            return self._theme.colour(name)
        except KeyError as error:
            raise TemplateRuntimeError(error.args[0]) from None


def _shape(outline: Outline) -> _Shape:
    rule = ' fill-rule="evenodd"' if outline.evenodd else ""
    return _Shape(outline.width, path_data(outline), rule, outline.art)


def _placed(shape: _Shape, x: float, y: float, size: float, colour: str, art: str) -> str:
    """Return a shape in the square of a `size` around x, y: its path, or the `art` in a group."""
    scale = size / max(1.0, shape.width)
    place = f"translate({x - shape.width * scale / 2:.3f} {y - scale / 2:.3f}) scale({scale:.4g})"
    if art:
        return f'<g transform="{place}">{art}</g>'
    return f'<path transform="{place}" d="{shape.data}" fill="{colour}"{shape.rule}/>'


def _tinctured(art: IconArt, fill: str, detail: str) -> str:
    """Return the drawing of a charge with its tinctures instead of black and white; other colors stay."""
    if art.definitions:  # which cards with other tinctures share
        return art.drawn(fill)
    return _PAINT.sub(lambda paint: fill if paint[0] == _BODY else detail, art.drawn(_BODY))


def path_data(outline: Outline) -> str:
    """Return an outline as SVG path data of height 1, y downward."""
    return "".join(
        kind + " ".join(f"{1 - n if index % 2 else n:.4g}" for index, n in enumerate(end))
        for path in outline.paths
        for kind, *end in path
    )
