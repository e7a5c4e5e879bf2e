"""Plain artwork becomes PDF operators at once: shapes in solid colours, groups, transforms, and clips of one shape.

All else (gradients, opacity, style sheets, markers, `use`, units …) is left to CairoSVG, a whole chunk at a time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias
from xml.parsers import expat

from cardgen.export import operators
from cardgen.face import transform
from cardgen.face.watchdog import TookTooLongError, Watchdog
from cardgen.units import points

# How long one piece may take, in seconds; CairoSVG would take longer still, and say so.
LONGEST = 10.0
_WATCHDOG = Watchdog()
# A filled path of more characters is drawn once in a document, wherever it stands and in whatever colour.
_LONG = 160
_SILENT = ("title", "desc", "metadata")
_MAY_DEFINE = ("svg", "g")
_INHERITED = {
    "fill": "black", "fill-rule": "nonzero", "stroke": "none", "stroke-width": "1", "stroke-linecap": "butt",
    "stroke-linejoin": "miter", "stroke-miterlimit": "4", "stroke-dasharray": "none", "stroke-dashoffset": "0",
}  # fmt: skip
_GEOMETRY = {
    "path": {"d"},
    "rect": {"x", "y", "width", "height", "rx", "ry"},
    "circle": {"cx", "cy", "r"},
    "ellipse": {"cx", "cy", "rx", "ry"},
    "line": {"x1", "y1", "x2", "y2"},
    "polyline": {"points"},
    "polygon": {"points"},
    "g": set[str](),
}
_OF_ALL = {*_INHERITED, "transform", "clip-path", "id", "class", "style", "role"}
_KNOWN = {tag: _OF_ALL | geometry for tag, geometry in _GEOMETRY.items()}
_OF_NO_ACCOUNT = ("data-", "aria-")
_URL = re.compile(r"url\(#([-\w.:]+)\)")
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}
# What PDF draws with until it is told otherwise; width, limit and colours are always told.
_DEFAULTS = {"cap": "0 J", "join": "0 j", "dash": "[] 0 d"}


@dataclass(frozen=True, slots=True)
class Shape:
    """A long path with the operator that fills it, in the colour that is set where it is shown."""

    content: str

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, bottom, right and top; the handles of its curves count, so nothing is cut."""
        found = [float(word) for word in self.content.split() if word[-1] in "0123456789"]
        across, upward = found[::2], found[1::2]
        return (min(across), min(upward), max(across), max(upward)) if found else (0, 0, 0, 0)


Operations: TypeAlias = tuple[str | Shape, ...]


class _NotPlain(Exception):  # noqa: N818 - no error, but work for CairoSVG
    """The chunk holds something that is not translated."""


@lru_cache(maxsize=4096)
def translated(svg: bytes) -> Operations | None:
    """What draws a chunk, in points from the trim's lower left corner; None when CairoSVG has to draw it."""
    if b"<style" in svg:
        return None
    try:
        with _WATCHDOG.limit(LONGEST):
            return _Translator().run(svg)
    except (_NotPlain, ValueError, expat.ExpatError, TookTooLongError):
        return None


@dataclass(slots=True)
class _Open:
    """An element whose end has not come yet: what its parts inherit, and the graphics state to go back to."""

    tag: str
    look: Mapping[str, str]
    state: dict[str, str] | None = None


@dataclass(slots=True)
class _Translator:
    drawn: list[str | Shape] = field(default_factory=list)
    stack: list[_Open] = field(default_factory=list)
    clips: dict[str, str] = field(default_factory=dict)
    clip: tuple[str, list[str]] | None = None
    state: dict[str, str] = field(default_factory=lambda: dict(_DEFAULTS))

    def run(self, svg: bytes) -> Operations:
        parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.Parse(svg, True)
        return tuple(_joined(self.drawn))

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        above = self.stack[-1] if self.stack else None
        if above is None:
            self.stack.append(_Open(tag, _INHERITED))
            self._root(attributes)
        elif above.tag in _SILENT or tag in _SILENT:
            self.stack.append(_Open(_SILENT[0], above.look))
        elif tag == "defs" and above.tag in _MAY_DEFINE and not attributes:
            self.stack.append(_Open(tag, above.look))
        elif above.tag == "defs" or self.clip is not None:
            self._definition(above.tag, tag, attributes)
        elif tag in _GEOMETRY and above.tag not in operators.SHAPES:
            self._shown(tag, attributes, above.look)
        else:
            raise _NotPlain

    def _end(self, tag: str) -> None:
        element = self.stack.pop()
        if tag == "clipPath" and self.clip is not None:
            name, outlines = self.clip
            if len(outlines) != 1 or not outlines[0]:
                raise _NotPlain
            self.clips[name], self.clip = f"{outlines[0]} W n", None
        if element.state is not None:
            self.drawn.append("Q")
            self.state = element.state

    def _root(self, given: Mapping[str, str]) -> None:
        """The user space of the whole, in points from the trim's lower left corner: the bleed is as wide all round."""
        x, y, width, height = operators.numbers(given["viewBox"]) if "viewBox" in given else (0, 0, 0, 0)
        if given.get("width") != f"{width:g}mm" or given.get("height") != f"{height:g}mm":
            raise _NotPlain
        scale = points(1)
        if x != y:
            raise _NotPlain
        self.drawn.append(operators.concatenation((scale, 0, 0, -scale, 0, (height + 2 * y) * scale)))

    def _definition(self, above: str, tag: str, given: Mapping[str, str]) -> None:
        if tag == "clipPath" and above == "defs" and given.keys() == {"id"} and given["id"] not in self.clips:
            self.clip = (given["id"], [])
        elif (
            self.clip is not None and above == "clipPath" and tag in operators.SHAPES and given.keys() <= _GEOMETRY[tag]
        ):
            self.clip[1].append(operators.outline(tag, given))
        else:
            raise _NotPlain
        self.stack.append(_Open(tag, _INHERITED))

    def _shown(self, tag: str, attributes: dict[str, str], inherited: Mapping[str, str]) -> None:
        """A group or a shape."""
        given = _with_style(attributes)
        if any(name not in _KNOWN[tag] and not name.startswith(_OF_NO_ACCOUNT) for name in given):
            raise _NotPlain
        look = {**inherited, **{name: value for name, value in given.items() if name in _INHERITED}}
        place = self._place(given)
        element = _Open(tag, look, dict(self.state) if place else None)
        if place:
            self.drawn.append(f"q {place}")
        if tag != "g":
            self._paint(operators.outline(tag, given), tag, look)
        self.stack.append(element)

    def _place(self, given: Mapping[str, str]) -> str:
        """The operators that set an element's own space and clip."""
        place = []
        if "transform" in given:
            place.append(operators.concatenation(transform.parse(given["transform"])))
        if given.get("clip-path", "none") != "none":
            name = _URL.fullmatch(given["clip-path"])
            if name is None or name[1] not in self.clips:
                raise _NotPlain
            place.append(self.clips[name[1]])
        return " ".join(place)

    def _paint(self, outline: str, tag: str, look: Mapping[str, str]) -> None:
        filled = look["fill"] != "none" and tag != "line"
        stroked = look["stroke"] != "none" and operators.number(look["stroke-width"]) > 0
        rule = {"nonzero": "", "evenodd": "*"}.get(look["fill-rule"])
        if rule is None:
            raise _NotPlain
        if not outline or not (filled or stroked):
            return
        if filled:
            self._set("fill", operators.colour(look["fill"], "rg"))
        if stroked:
            self._pen(look)
        operator = ("B" if stroked else "f") + rule if filled else "S"
        shape = f"{outline} {operator}"
        self.drawn.append(Shape(shape) if not stroked and len(shape) > _LONG else shape)

    def _pen(self, look: Mapping[str, str]) -> None:
        """What strokes are drawn with."""
        cap, join = _CAPS.get(look["stroke-linecap"]), _JOINS.get(look["stroke-linejoin"])
        limit = operators.number(look["stroke-miterlimit"])
        if cap is None or join is None or limit < 1:
            raise _NotPlain
        self._set("stroke", operators.colour(look["stroke"], "RG"))
        self._set("width", f"{operators.written(operators.number(look['stroke-width']))} w")
        self._set("cap", f"{cap} J")
        self._set("join", f"{join} j")
        self._set("limit", f"{operators.written(limit)} M")
        self._set("dash", _dash(look["stroke-dasharray"], look["stroke-dashoffset"]))

    def _set(self, what: str, operator: str) -> None:
        if self.state.get(what) != operator:
            self.state[what] = operator
            self.drawn.append(operator)


def _with_style(given: dict[str, str]) -> dict[str, str]:
    """The attributes, with the properties of a `style` over them."""
    if "style" not in given:
        return given
    found = dict(given)
    for declaration in filter(str.strip, found.pop("style").split(";")):
        name, _, value = declaration.partition(":")
        found[name.strip()] = value.strip()
    return found


def _dash(lengths: str, offset: str) -> str:
    if lengths == "none":
        return _DEFAULTS["dash"]
    found = operators.numbers(lengths)
    if not found or min(found) < 0 or not any(found):
        raise _NotPlain
    return f"[{' '.join(map(operators.written, found))}] {operators.written(operators.number(offset))} d"


def _joined(drawn: list[str | Shape]) -> list[str | Shape]:
    """Neighbouring operators become one text."""
    found: list[str | Shape] = []
    for each in drawn:
        if isinstance(each, str) and found and isinstance(found[-1], str):
            found[-1] = f"{found[-1]}\n{each}"
        else:
            found.append(each)
    return found
