"""The tree of an SVG file, with the place of each element, within limits; and the values of its attributes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from math import hypot, isfinite
from typing import Any, NamedTuple
from xml.etree import ElementTree
from xml.parsers import expat

from cardgen.units import IDENTITY, Box, Matrix, Size, compose, multiply, rotation, translation


class SvgError(ValueError):
    """Error in SVG: message for the user, source text at fault, and its place: offset in bytes, and line.

    An unknown offset is -1, and an unknown line 0. `feature` names what is not supported, such as 'entities'; it is
    empty for a mistake.
    """

    def __init__(self, message: str, culprit: str = "", offset: int = -1, line: int = 0, feature: str = "") -> None:
        super().__init__(message)
        self.culprit = culprit
        self.offset = offset
        self.line = line
        self.feature = feature


class Element:
    """An element, whose `content` has its texts and elements in order.

    `number` is its position in the file, and `last` that of the last element inside it. It starts at the byte `start`;
    `close` is the byte at which its end tag starts, or after it if it has none. `style` has its own properties.
    """

    __slots__ = ("attributes", "close", "content", "last", "line", "number", "parent", "start", "style", "tag")

    def __init__(
        self, tag: str, attributes: dict[str, str], line: int = 1, start: int = -1, number: int = 0,
        parent: Element | None = None,
    ) -> None:  # fmt: skip
        self.tag = tag
        self.attributes = attributes
        self.line = line
        self.start = start
        self.number = number
        self.parent = parent
        self.content: list[Element | str] = []
        self.close = self.last = -1
        self.style: dict[str, str] = {}

    def __str__(self) -> str:
        """What people call it: its label in Inkscape, or else its id."""
        name, identity = self.attributes.get("inkscape:label", ""), self.attributes.get("id", "")
        if name and identity and name != identity:
            return f"'{name}' ({identity})"
        return f"'{name or identity or self.tag}'"

    @property
    def children(self) -> list[Element]:
        """The elements directly inside this one."""
        return [each for each in self.content if isinstance(each, Element)]

    @property
    def text(self) -> str:
        """All text inside this element."""
        return "".join([each if isinstance(each, str) else each.text for each in self.content])

    def get(self, name: str, default: str = "") -> str:
        """Return an attribute without the space around it."""
        return self.attributes.get(name, default).strip()

    def walk(self) -> Iterator[Element]:
        """Yield this element and all inside it."""
        yield self
        for child in self.content:
            if isinstance(child, Element):
                yield from child.walk()


@dataclass(frozen=True)
class Tree:
    """All elements in document order, and why the rest of the file is missing, if it is."""

    elements: tuple[Element, ...]
    error: SvgError | None = None

    @property
    def root(self) -> Element:
        """The outermost element."""
        return self.elements[0]

    @cached_property
    def ids(self) -> dict[str, Element]:
        """The first element of each id."""
        return {each.attributes["id"]: each for each in reversed(self.elements) if "id" in each.attributes}


class Dialect(NamedTuple):
    """What a file may be.

    `depth` is the greatest number of elements around one, and `value` the length of an attribute in characters. Without
    `doctype`, the message that refuses it, a DOCTYPE may have no entities. `names` has those attributes of other
    namespaces that are kept; without it, namespaces mean nothing, and names are as written.
    """

    what: str
    elements: int = 20_000
    depth: int = 64
    value: int = 1_000_000
    doctype: str = ""
    names: Mapping[str, str] | None = None
    # None if the file declares it.
    encoding: str | None = "utf-8"


_SVG = "http://www.w3.org/2000/svg"
_XLINK_HREF = "http://www.w3.org/1999/xlink href"
_XML = "http://www.w3.org/XML/1998/namespace"
_INKSCAPE = "http://www.inkscape.org/namespaces/inkscape"
_SODIPODI = "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
# Chunks of templates are read as UTF-8 later, so they are read as UTF-8 here too, whatever they declare.
TEMPLATE = Dialect("template", value=200_000, doctype="a template cannot have a DOCTYPE")
DRAWING = Dialect(
    "template",
    depth=60,
    doctype="a template cannot have a DOCTYPE; save the file as Inkscape SVG or plain SVG",
    names={
        f"{_INKSCAPE} label": "inkscape:label", f"{_INKSCAPE} groupmode": "inkscape:groupmode",
        f"{_SODIPODI} role": "sodipodi:role", _XLINK_HREF: "xlink:href", f"{_XML} space": "xml:space",
    },
)  # fmt: skip
ART = Dialect("picture", names={_XLINK_HREF: "href", f"{_XML} id": "id"}, encoding=None)
# SVG that the program put together from what it read within the limits above.
CHUNK = Dialect("chunk", elements=1 << 20, depth=1 << 10, value=1 << 30)


def read_tree(content: bytes, dialect: Dialect, *, partial: bool = False) -> Tree:
    """Return the tree of a file.

    Raises SvgError if it is not well-formed, is not SVG, or exceeds a limit. With `partial`, the tree has the error and
    the elements before it, unless there are none.
    """
    reader = _Reader(dialect)
    error = reader.read(content)
    if error and not (partial and reader.elements):
        raise error
    return Tree(tuple(reader.elements), error)


class _Reader:
    def __init__(self, dialect: Dialect) -> None:
        self.elements: list[Element] = []
        self._dialect = dialect
        self._open: list[Element] = []
        # Depth inside an element of another namespace, which is skipped with all that it contains.
        self._foreign = 0
        separator = None if dialect.names is None else " "
        self._parser = expat.ParserCreate(dialect.encoding, namespace_separator=separator)

    def read(self, content: bytes) -> SvgError | None:
        """Read all elements, or those before an error, and return it."""
        parser = self._parser
        parser.buffer_text = True
        parser.StartElementHandler = self._start if self._dialect.names is None else self._start_qualified
        parser.EndElementHandler, parser.CharacterDataHandler = self._end, self._characters
        parser.StartDoctypeDeclHandler, parser.ProcessingInstructionHandler = self._doctype, self._instruction
        try:
            parser.Parse(content, True)
        except expat.ExpatError as error:
            lines = content.decode("utf-8", "replace").splitlines()
            number = min(error.lineno, max(1, len(lines)))  # An end that is missing is missing after the last line.
            culprit = lines[number - 1].strip() if lines else ""
            return SvgError(self._ill_formed(error), culprit, parser.ErrorByteIndex, number)
        except SvgError as error:
            return error
        except (LookupError, ValueError):
            return self._fault("the encoding of the SVG is not supported; save it as UTF-8", "")
        finally:
            # The parser is large, and part of a reference cycle; without this, it would live until the next collection.
            del self._parser
        return None

    def _start_qualified(self, name: str, attributes: dict[str, str]) -> None:
        namespace, _, tag = name.rpartition(" ")
        if self._foreign or (namespace not in ("", _SVG) and self._open):
            self._foreign += 1
        elif namespace in ("", _SVG):
            self._start(tag, _own_attributes(attributes, self._dialect.names or {}))
        else:
            raise self._wrong_root(tag)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        what, elements, depth, longest, *_ = self._dialect
        if not self._open and tag != "svg":
            raise self._wrong_root(tag)
        if len(self.elements) >= elements:
            raise self._fault(f"a {what} can have at most {elements:,} elements", f"<{tag}")
        if len(self._open) > depth:
            raise self._fault(f"elements are nested more than {depth} levels deep", f"<{tag}")
        for name, value in attributes.items():
            if len(value) > longest:
                raise self._fault(f"the attribute '{name}' of <{tag}> is longer than {longest:,} characters", f"<{tag}")
        parser, above = self._parser, self._open[-1] if self._open else None
        element = Element(tag, attributes, parser.CurrentLineNumber, parser.CurrentByteIndex, len(self.elements), above)
        if above is not None:
            above.content.append(element)
        self.elements.append(element)
        self._open.append(element)

    def _fault(self, message: str, culprit: str, feature: str = "") -> SvgError:
        return SvgError(message, culprit, self._parser.CurrentByteIndex, self._parser.CurrentLineNumber, feature)

    def _wrong_root(self, tag: str) -> SvgError:
        return self._fault(f"the root of a {self._dialect.what} must be <svg>, not <{tag}>", f"<{tag}")

    def _end(self, _: str) -> None:
        if self._foreign:
            self._foreign -= 1
        else:
            element = self._open.pop()
            element.close, element.last = self._parser.CurrentByteIndex, len(self.elements) - 1

    def _characters(self, data: str) -> None:
        if not self._foreign:
            self._open[-1].content.append(data)

    def _doctype(self, _name: str, _system: str | None, _public: str | None, has_subset: int) -> None:
        if self._dialect.doctype:
            raise self._fault(self._dialect.doctype, "<!DOCTYPE")
        if has_subset:
            message = "a DOCTYPE with entities is not supported; save it as plain SVG"
            raise self._fault(message, "<!DOCTYPE", feature="entities")

    def _instruction(self, target: str, _data: str) -> None:
        if target == "xml-stylesheet" and self._dialect is ART:
            message = "an external style sheet is not supported; save it as plain SVG"
            raise self._fault(message, "<?xml-stylesheet", feature="external style sheet")

    def _ill_formed(self, error: expat.ExpatError) -> str:
        """Return the message for an SVG that is not well-formed, with the innermost tag that is still open."""
        reason = expat.errors.messages[error.code]
        is_open = self._open and reason in (expat.errors.XML_ERROR_NO_ELEMENTS, expat.errors.XML_ERROR_TAG_MISMATCH)
        return f"the SVG is not well-formed: {reason}{f'; </{self._open[-1].tag}> is missing' if is_open else ''}"


def _own_attributes(attributes: dict[str, str], names: Mapping[str, str]) -> dict[str, str]:
    """Return the attributes that are kept; one of SVG has priority over one of another namespace."""
    own: dict[str, str] = {}
    for name, value in attributes.items():
        if " " not in name:
            own[name] = value
        elif name in names:
            own.setdefault(names[name], value)
    return own


# Numbers beyond this would lose precision in PDF viewers.
MAX_NUMBER = 1e6
MIN_AREA = 1e-12
# A group is not possessive: Python before 3.11.5 goes on behind one that has failed.
_LENGTH = re.compile(r"([-+]?(?:[0-9]++\.?+[0-9]*+|\.[0-9]++)(?:[eE][-+]?[0-9]++)?)\s*+([a-zA-Z%]*+)", re.ASCII)
# Pixels per unit; a pixel is 1/96 inch.
_UNITS = {
    "": 1.0, "px": 1.0, "pt": 96 / 72, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0, "q": 96 / 101.6,
}  # fmt: skip
_SEPARATOR = re.compile(r"[\s,]+")
_ALIGNMENT = re.compile(r"x(Min|Mid|Max)Y(Min|Mid|Max)")
_SHARES = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
_TRANSFORM_CALL = re.compile(r"\s*+,?+\s*+(\w++)\s*+\(([^()]*+)\)")
_MAX_COEFFICIENT = 1e6
_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_NAMED_COLOURS = {"black": "#000000", "white": "#ffffff"}
_URL = re.compile(r"""url\(\s*+(?:(["'])([^"']*+)\1\s*+|([^)]*+))\)\s*+(.*)""", re.DOTALL)
_RGB_SPACES = ("srgb", "hsl", "hwb")


class Metrics(NamedTuple):
    """What relative lengths refer to: the viewport, and the type size in pixels."""

    viewport: Size
    em: float = 16.0

    def length(self, text: str, axis: str) -> float:
        """Return a length in pixels.

        `axis` is 'x', 'y', or 'd' for the diagonal.

        Raises ValueError if it is not a length or out of range.
        """
        match = _LENGTH.fullmatch(text.strip())
        unit = match[2].lower() if match else ""
        if match is None or unit not in _UNITS.keys() | {"%", "em", "ex"}:
            raise ValueError(f"'{text[:40]}' is not a valid length")
        units = {**_UNITS, "em": self.em, "ex": self.em / 2}
        scale = self._whole(axis) / 100 if unit == "%" else units[unit]
        return in_range(float(match[1]) * scale, text)

    def _whole(self, axis: str) -> float:
        width, height = self.viewport
        return {"x": width, "y": height}.get(axis, hypot(width, height) / 2**0.5)


def in_range(value: float, text: str) -> float:
    """Return a number; raises ValueError if it is too large."""
    if not abs(value) <= MAX_NUMBER:
        raise ValueError(f"'{text[:40]}' is out of range (at most {MAX_NUMBER:,.0f})")
    return value


def parse_number(text: str) -> float:
    """Return a number without a unit.

    Raises ValueError if it is not one.
    """
    match = _LENGTH.fullmatch(text.strip())
    if match is None or match[2]:
        raise ValueError(f"'{text[:40]}' is not a plain number")
    return in_range(float(match[1]), text)


def parse_share(text: str) -> float:
    """Return a number or percentage as a number from 0 to 1.

    Raises ValueError if it is not one.
    """
    text = text.strip()
    value = parse_number(text[:-1]) / 100 if text.endswith("%") else parse_number(text)
    return _clamped(value)


def parse_numbers(text: str) -> list[float]:
    """Return numbers separated by spaces or commas; raises ValueError."""
    return [parse_number(part) for part in _SEPARATOR.split(text.strip()) if part]


def parse_view_box(text: str) -> Box | None:
    """Return a viewBox; None if there is none.

    Raises ValueError if it is invalid.
    """
    if not text:
        return None
    numbers = parse_numbers(text)
    if len(numbers) != 4 or min(numbers[2:]) < 0:
        raise ValueError(f"'{text[:40]}' is not a valid viewBox")
    return Box(*numbers)


def view_box_matrix(view: Box, target: Box, aspect: str) -> Matrix:
    """Return the matrix from a viewBox to its viewport, under a `preserveAspectRatio`.

    Raises ValueError if that is invalid, or the viewBox is empty.
    """
    method, along_x, along_y = parse_aspect(aspect)
    across, down = target.width / view.width, target.height / view.height
    if method == "none":
        return compose(translation(target.x, target.y), (across, 0, 0, down, 0, 0), translation(-view.x, -view.y))
    scale = max(across, down) if method == "slice" else min(across, down)
    x = target.x + (target.width - view.width * scale) * along_x
    y = target.y + (target.height - view.height * scale) * along_y
    return compose(translation(x, y), (scale, 0, 0, scale, 0, 0), translation(-view.x, -view.y))


def parse_aspect(aspect: str) -> tuple[str, float, float]:
    """Return the method of a `preserveAspectRatio`, 'none', 'meet', or 'slice', and its point as shares of the sides.

    Raises ValueError if it is invalid.
    """
    alignment, *method = aspect.removeprefix("defer ").split() or ["xMidYMid"]
    if alignment == "none":
        return "none", 0.5, 0.5
    match = _ALIGNMENT.fullmatch(alignment)
    if match is None or method not in ([], ["meet"], ["slice"]):
        raise ValueError(f"'{aspect[:40]}' is not a valid preserveAspectRatio")
    return (method or ["meet"])[0], _SHARES[match[1]], _SHARES[match[2]]


def parse_transform(text: str) -> Matrix:
    """Return the matrix of an SVG `transform` attribute.

    Raises ValueError with a message for the user if it is invalid.
    """
    matrix, position = IDENTITY, 0
    text = "" if text == "none" else text.rstrip()
    while position < len(text):
        call = _TRANSFORM_CALL.match(text, position)
        if call is None:
            raise ValueError(f"'{text[:40]}' is not a valid transform")
        matrix = multiply(matrix, _parse_call(call[1], call[2]))
        position = call.end()
    if not all(abs(number) < _MAX_COEFFICIENT for number in matrix):
        raise ValueError(f"'{text[:40]}' is out of range")
    return matrix


def _parse_call(name: str, arguments: str) -> Matrix:
    try:
        numbers = [float(number) for number in _SEPARATOR.split(arguments.strip()) if number]
    except ValueError:
        raise ValueError(f"'{name}({arguments})'"[:40] + " is not a valid transform") from None
    match name, numbers:
        case "translate", [x, *rest] if len(rest) <= 1:
            return (1, 0, 0, 1, x, rest[0] if rest else 0)
        case "scale", [x, *rest] if len(rest) <= 1:
            return (x, 0, 0, rest[0] if rest else x, 0, 0)
        case "rotate", [degrees]:
            return rotation(degrees)
        case "rotate", [degrees, x, y]:
            return multiply(multiply((1, 0, 0, 1, x, y), rotation(degrees)), (1, 0, 0, 1, -x, -y))
        case "skewX", [degrees]:
            return (1, 0, math.tan(math.radians(degrees)), 1, 0, 0)
        case "skewY", [degrees]:
            return (1, math.tan(math.radians(degrees)), 0, 1, 0, 0)
        case "matrix", [a, b, c, d, e, f]:
            return (a, b, c, d, e, f)
    raise ValueError(f"'{name}({arguments})' is not a valid transform")


def collapses(matrix: Matrix) -> bool:
    """Return whether a matrix leaves no area, so that nothing is visible."""
    a, b, c, d, _, _ = matrix
    return not all(map(isfinite, matrix)) or abs(a * d - b * c) < MIN_AREA


def box_matrix(box: Box) -> Matrix:
    """Return the matrix from the unit square to a box."""
    return (box.width, 0.0, 0.0, box.height, box.x, box.y)


def shift(matrix: Matrix, x: float, y: float) -> Matrix:
    """Return a matrix that first moves."""
    return multiply(matrix, translation(x, y))


class Colour(NamedTuple):
    """A color: its notation in hexadecimal digits, and its opacity."""

    text: str
    alpha: float = 1.0


class Reference(NamedTuple):
    """A reference to a paint server, with the paint that replaces a missing one."""

    name: str
    fallback: str


@lru_cache(maxsize=4096)
def parse_rgba(text: str) -> tuple[float, float, float, float]:
    """Return red, green, blue, and alpha from 0 to 1.

    Raises ValueError for anything that is not a color of CSS in the color space of screens.
    """
    text = _NAMED_COLOURS.get(text, text)
    if _HEX.fullmatch(text):
        digits = text[1:] if len(text) > 4 else "".join(digit * 2 for digit in text[1:])
        red, green, blue = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
        return (red, green, blue, 1.0)
    colour = parse_function(text.partition("icc-color(")[0].strip())
    if colour is None or isinstance(colour, str) or colour.space not in _RGB_SPACES:
        raise ValueError(f"'{text[:40]}' is not a valid color")
    red, green, blue = map(_clamped, colour.to("srgb").coordinates)
    return (red, green, blue, _clamped(colour.alpha))


def parse_function(text: str) -> Any:
    """Return a color such as rgb(10, 20, 30) as the library of CSS reads it, or None."""
    from tinycss2.color4 import parse_color  # loaded here because most artwork has colors such as #rrggbb

    try:
        return parse_color(text)
    except (ValueError, ArithmeticError, RecursionError):  # a number of thousands of digits, for instance
        return None


def _clamped(value: float) -> float:
    return min(1.0, max(0.0, value))


@lru_cache(maxsize=4096)
def parse_colour(text: str) -> Colour:
    """Return a color of CSS.

    Raises ValueError if it is not one that is supported.
    """
    *levels, alpha = parse_rgba(text)
    red, green, blue = (round(level * 255) for level in levels)
    return Colour(f"#{red:02x}{green:02x}{blue:02x}", alpha)


def gray_of(colour: Colour) -> Colour:
    """Return the luminance of a color as gray, by which masks measure opacity (SVG 1.1, 14.4)."""
    red, green, blue = (int(colour.text[at : at + 2], 16) for at in (1, 3, 5))
    level = round(0.2125 * red + 0.7154 * green + 0.0721 * blue)
    return Colour(f"#{level:02x}{level:02x}{level:02x}", colour.alpha)


def parse_reference(text: str) -> Reference | None:
    """Return a reference such as 'url(#leaf) red'.

    Return None if it is not one.

    Raises ValueError if it refers to another file.
    """
    match = _URL.match(text)
    if match is None:
        return None
    target = match[2] if match[1] else match[3].strip()
    if not target.startswith("#"):
        raise ValueError(f"'{target[:40]}' is in another file")
    return Reference(target[1:], match[4].strip())


def property_colour(text: str, context_colour: str, is_mask: bool) -> Colour:
    """Return the color of a property.

    Raises ValueError if it is not one.
    """
    colour = parse_colour(context_colour if text.lower() == "currentcolor" else text)
    return gray_of(colour) if is_mask else colour


# Style attributes and style sheets, and the style that each element has.

INHERITED: Mapping[str, str] = {
    "fill": "black", "fill-rule": "nonzero", "fill-opacity": "1", "stroke": "none", "stroke-opacity": "1",
    "stroke-width": "1", "stroke-linecap": "butt", "stroke-linejoin": "miter", "stroke-miterlimit": "4",
    "stroke-dasharray": "none", "stroke-dashoffset": "0", "visibility": "visible", "color": "black",
    "clip-rule": "nonzero", "marker-start": "none", "marker-mid": "none", "marker-end": "none",
    "paint-order": "normal", "font-size": "16px", "color-interpolation": "auto",
}  # fmt: skip
OWN: Mapping[str, str] = {
    "opacity": "1", "clip-path": "none", "mask": "none", "filter": "none", "display": "inline", "overflow": "",
    "stop-color": "black", "stop-opacity": "1", "mix-blend-mode": "normal", "isolation": "auto",
    "mask-type": "luminance", "vector-effect": "none", "transform": "", "transform-origin": "", "transform-box": "",
    "clip": "auto", "backdrop-filter": "none", "d": "",
    "background-color": "",
}  # fmt: skip
# Properties that are attributes with the same values.
_GEOMETRY = frozenset({"x", "y", "cx", "cy", "r", "rx", "ry", "width", "height"})
_NOT_PRESENTATIONAL = frozenset({
    "transform", "mix-blend-mode", "isolation", "backdrop-filter", "d", "background-color",
})  # fmt: skip
_PROPERTIES = INHERITED.keys() | OWN.keys() | _GEOMETRY
_PRESENTATIONAL = (INHERITED.keys() | OWN.keys()) - _NOT_PRESENTATIONAL
# Properties whose values are functions, such as url(#leaf), or these words.
_FUNCTIONAL = frozenset({"clip-path", "mask", "filter"})
_FUNCTION = re.compile(r"\(|^(?:none|inherit|initial|unset|revert|revert-layer|[a-z]+-box)$", re.IGNORECASE)
_MARKERS = ("marker-start", "marker-mid", "marker-end")
# Rules that change nothing in a picture without text.
_HARMLESS_RULES = frozenset({"charset", "font-face", "namespace"})
# What the libraries raise, which call themselves for each bracket and each part of a selector.
NESTED_TOO_DEEPLY = (RecursionError, MemoryError)
LONG_NUMBER = "a number in a style has too many digits"
_SVG_NAMESPACE = "{http://www.w3.org/2000/svg}"
# A declaration: property, value, and whether it is important.
_Declaration = tuple[str, str, bool]


_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)


def read_style(text: str) -> dict[str, str]:
    """Return the properties of a style attribute or a description.

    They are written as in 'style: title; align: center'.
    """
    pairs = (part.partition(":") for part in _COMMENT.sub("", text).split(";"))
    return {name.strip().lower(): value.strip() for name, _, value in pairs if name.strip() and value.strip()}


def apply_styles(tree: Tree) -> None:
    """Set the specified style of all elements.

    Raises SvgError for style sheets that are not supported, and styles that are nested too deeply.
    """
    sheets = [element for element in tree.elements if element.tag == "style"]
    element = sheets[0] if sheets else tree.elements[0]
    try:
        matched = _StyleSheets(sheets).match(tree) if sheets else {}
        for element in tree.elements:
            element.style = _cascade(element, matched.get(element.number, ()))
    except NESTED_TOO_DEEPLY:
        raise SvgError("a style is nested too deeply", line=element.line, feature="nested styles") from None
    except SvgError:
        raise
    except ValueError:  # of Python, which reads no number of thousands of digits
        raise SvgError(LONG_NUMBER, line=element.line) from None


def computed_style(element: Element, above: Mapping[str, str]) -> dict[str, str]:
    """Return the style of an element below one with the style `above`."""
    own = element.style
    style = {name: _inherit(own.get(name, ""), above[name], initial) for name, initial in INHERITED.items()}
    for name, initial in OWN.items():
        value = own.get(name, initial)
        style[name] = above[name] if value == "inherit" else initial if value in ("initial", "unset") else value
    style["overflow"] = style["overflow"] or ("visible" if own.get("overflow") == "inherit" else "")
    return style


INITIAL = {**INHERITED, **OWN}


def _inherit(value: str, above: str, initial: str) -> str:
    if value in ("", "inherit", "unset"):
        return above
    return initial if value == "initial" else value


def _cascade(element: Element, sheet: Iterable[_Declaration]) -> dict[str, str]:
    attributes = element.attributes
    own = _declarations_of(attributes["style"], element) if "style" in attributes else ()
    present = ((name, attributes[name].strip(), False) for name in attributes.keys() & _PRESENTATIONAL)
    style: dict[str, str] = {}
    important: dict[str, str] = {}
    for name, value, is_important in chain(present, sheet, own):
        if name in _FUNCTIONAL and not _FUNCTION.search(value):
            continue  # no value of the property, which is then ignored: some programs write 'clip-path="false"'
        target = important if is_important else style
        for each in _MARKERS if name == "marker" else (name,):
            target[each] = value
    style |= important
    for name in style.keys() & _GEOMETRY:
        attributes[name] = style[name]
    return style


def _declarations_of(text: str, element: Element) -> list[_Declaration]:
    import tinycss2

    return list(_declarations(tinycss2.parse_blocks_contents(text, True, True), element.line))


def _declarations(nodes: Iterable[Any], line: int) -> Iterator[_Declaration]:
    """Yield the declarations that matter.

    Unknown properties have no effect in any program.
    """
    import tinycss2

    for node in nodes:
        if node.type != "declaration":
            continue
        value = tinycss2.serialize(node.value).strip()
        if node.lower_name.startswith("--") or "var(" in value:
            message = "CSS variables are not supported; save it as plain SVG"
            raise SvgError(message, line=line, feature="CSS variables")
        if node.lower_name in _PROPERTIES or node.lower_name == "marker":
            yield node.lower_name, value, node.important


# Those of drawing programs have one to three. The library tries every way to find the parts among the elements around
# one, whose number grows with the power of the parts.
_MOST_PARTS = 6
# Of all style sheets of a drawing; each takes a sixth of a millisecond.
_MOST_SELECTORS = 10_000


def _most_parts(prelude: Iterable[Any]) -> int:
    """Return the number of elements that the longest selector of a rule names, one around the other."""
    longest = parts = 0
    is_between = True  # at the start, or in a combinator such as the '>' and the spaces around it
    for token in prelude:
        if token.type == "literal" and token.value == ",":
            parts, is_between = 0, True
        elif token.type == "whitespace" or (token.type == "literal" and token.value in ">+~"):
            is_between = True
        elif token.type != "comment":
            parts, is_between = parts + is_between, False
            longest = max(longest, parts)
    return longest


def compiled_selectors(prelude: Iterable[Any]) -> list[Any]:
    """Return the selectors before the declarations of a rule; a rule with an invalid one has none, and no effect."""
    import cssselect2

    # The library makes a function of Python of each, which does not exist for some that it does not refuse.
    failures = (SyntaxError, NotImplementedError, ValueError, ArithmeticError, TypeError, AttributeError)
    try:
        return list(cssselect2.compile_selector_list(prelude))
    except (cssselect2.SelectorError, *failures):
        return []


class _StyleSheets:
    """The rules of all style sheets of a file."""

    def __init__(self, sheets: Iterable[Element]) -> None:
        import cssselect2

        self._matcher, self._count = cssselect2.Matcher(), 0
        for sheet in sheets:
            if sheet.get("type", "text/css") in ("text/css", ""):
                self._add(sheet)

    def _add(self, sheet: Element) -> None:
        import tinycss2

        for rule in tinycss2.parse_stylesheet(sheet.text, True, True):
            line = sheet.line + rule.source_line - 1
            if rule.type == "at-rule" and rule.lower_at_keyword not in _HARMLESS_RULES:
                name = f"@{rule.lower_at_keyword}"
                raise SvgError(f"'{name}' in a style sheet is not supported", line=line, feature=name)
            if rule.type == "qualified-rule":
                self._add_rule(rule, line)

    def _add_rule(self, rule: Any, line: int) -> None:
        import tinycss2

        declarations = list(_declarations(tinycss2.parse_blocks_contents(rule.content, True, True), line))
        if not declarations:
            return
        if _most_parts(rule.prelude) > _MOST_PARTS:
            message = f"a selector in a style sheet has more than {_MOST_PARTS} parts; save the drawing as plain SVG"
            raise SvgError(message, line=line, feature="long selectors")
        self._count += 1 + sum(token.type == "literal" and token.value == "," for token in rule.prelude)
        if self._count > _MOST_SELECTORS:
            message = f"the style sheets have more than {_MOST_SELECTORS:,} selectors; save the drawing as plain SVG"
            raise SvgError(message, line=line, feature="many selectors")
        for selector in compiled_selectors(rule.prelude):
            self._matcher.add_selector(selector, declarations)

    def match(self, tree: Tree) -> dict[int, list[_Declaration]]:
        """Return the declarations of each element by its number, in ascending priority."""
        import cssselect2

        matched: dict[int, list[_Declaration]] = {}
        # The elements as the library for selectors reads them.
        copies = [ElementTree.Element(_SVG_NAMESPACE + each.tag, each.attributes) for each in tree.elements]
        for element, copy in zip(tree.elements, copies, strict=True):
            if element.parent:
                copies[element.parent.number].append(copy)
        wrapped = cssselect2.ElementWrapper.from_xml_root(copies[0])
        for element, wrapper in zip(tree.elements, wrapped.iter_subtree(), strict=True):
            for _, _, pseudo, declarations in self._matcher.match(wrapper):
                if pseudo is None:
                    matched.setdefault(element.number, []).extend(declarations)
        return matched
