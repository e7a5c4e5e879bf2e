"""The tree of a stranger's SVG file, its lengths and style sheets, and the scene that it becomes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from math import hypot, isfinite
from typing import Any, NamedTuple
from xml.etree import ElementTree
from xml.parsers import expat

from cardgen.affine import IDENTITY, Matrix, compose, multiply, translation
from cardgen.face.svg import subset
from cardgen.units import Box, Size

MAX_DEPTH = 64
MAX_ELEMENTS = 20_000
MAX_VALUE_LENGTH = 1_000_000
_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_XML = "http://www.w3.org/XML/1998/namespace"
_TEXT_TAGS = frozenset({"style"})


class Fault(NamedTuple):
    """Reason why a file cannot be drawn as intended, with the line.

    `feature` names what is not supported, such as 'filter'; it is empty for a broken file.
    """

    message: str
    line: int
    feature: str = ""

    @property
    def help(self) -> str:
        """What the author can do about it."""
        if self.feature.startswith("text"):
            return "convert it to paths in your drawing program (Inkscape: Path > Object to Path)"
        return "change it in your drawing program, or save the picture as PNG" if self.feature else ""


class VectorArtError(ValueError):
    """The faults of a file.

    The message is that of the first one.
    """

    def __init__(self, *faults: Fault) -> None:
        super().__init__(faults[0].message)
        self.faults = faults


@dataclass(slots=True, eq=False)
class Element:
    """SVG element with local names.

    `style` has the specified properties after the cascade; `number` is its position in the file.
    """

    tag: str
    attributes: dict[str, str]
    line: int
    number: int
    parent: Element | None
    children: list[Element] = field(default_factory=list)
    style: dict[str, str] = field(default_factory=dict)
    text: str = ""

    def get(self, name: str, default: str = "") -> str:
        """Return an attribute without the space around it."""
        return self.attributes.get(name, default).strip()


class Tree(NamedTuple):
    """Root element, all elements in document order, and the first element of each id."""

    root: Element
    elements: tuple[Element, ...]
    ids: dict[str, Element]


def read_tree(content: bytes) -> Tree:
    """Parse an SVG file.

    Raises VectorArtError if it is not well-formed, is not SVG, or exceeds a limit.
    """
    return _TreeReader().read(content)


class _TreeReader:
    def __init__(self) -> None:
        self._elements: list[Element] = []
        self._stack: list[Element] = []
        # Depth inside an element of another namespace, which is skipped with all that it contains.
        self._foreign = 0
        self._parser = expat.ParserCreate(namespace_separator=" ")

    def read(self, content: bytes) -> Tree:
        parser = self._parser
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._doctype
        parser.ProcessingInstructionHandler = self._instruction
        try:
            parser.Parse(content, True)
        except expat.ExpatError as error:
            message = f"the SVG is not well-formed: {expat.errors.messages[error.code]}"
            raise VectorArtError(Fault(message, error.lineno)) from None
        except (LookupError, ValueError) as error:
            if isinstance(error, VectorArtError):
                raise
            raise self._error("the encoding of the SVG is not supported; save it as UTF-8") from None
        finally:
            del self._parser  # it is part of a reference cycle
        ids: dict[str, Element] = {}
        for element in self._elements:
            if "id" in element.attributes:
                ids.setdefault(element.attributes["id"], element)
        return Tree(self._elements[0], tuple(self._elements), ids)

    def _error(self, message: str, feature: str = "") -> VectorArtError:
        return VectorArtError(Fault(message, self._parser.CurrentLineNumber, feature))

    def _doctype(self, _name: str, _system: str | None, _public: str | None, has_subset: int) -> None:
        if has_subset:
            raise self._error("a DOCTYPE with entities is not supported; save it as plain SVG", "entities")

    def _instruction(self, target: str, _data: str) -> None:
        if target == "xml-stylesheet":
            raise self._error("an external style sheet is not supported; save it as plain SVG", "external style sheet")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        namespace, tag = _split(name)
        if self._foreign or (namespace not in ("", _SVG) and self._stack):
            self._foreign += 1
            return
        if not self._stack and (tag != "svg" or namespace not in ("", _SVG)):
            raise self._error(f"the root of the file is <{tag}>, not <svg>")
        self._check_limits(tag, attributes)
        parent = self._stack[-1] if self._stack else None
        own = _own_attributes(attributes)
        element = Element(tag, own, self._parser.CurrentLineNumber, len(self._elements), parent)
        if parent:
            parent.children.append(element)
        self._elements.append(element)
        self._stack.append(element)

    def _check_limits(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self._elements) >= MAX_ELEMENTS:
            raise self._error(f"the picture has more than {MAX_ELEMENTS:,} elements")
        if len(self._stack) >= MAX_DEPTH:
            raise self._error(f"elements are nested more than {MAX_DEPTH} levels deep")
        for name, value in attributes.items():
            if len(value) > MAX_VALUE_LENGTH:
                what = f"attribute '{_split(name)[1]}' of <{tag}>"
                raise self._error(f"the {what} is longer than {MAX_VALUE_LENGTH:,} characters")

    def _end(self, _: str) -> None:
        if self._foreign:
            self._foreign -= 1
        else:
            self._stack.pop()

    def _characters(self, data: str) -> None:
        if not self._foreign and self._stack and self._stack[-1].tag in _TEXT_TAGS:
            self._stack[-1].text += data


def _split(name: str) -> tuple[str, str]:
    namespace, _, local = name.rpartition(" ")
    return namespace, local


def _own_attributes(attributes: dict[str, str]) -> dict[str, str]:
    """Return the attributes of SVG; a plain `href` has priority over XLink's."""
    own: dict[str, str] = {}
    for name, value in attributes.items():
        namespace, local = _split(name)
        if not namespace:
            own[local] = value
        elif namespace == _XML and local == "id":
            own.setdefault("id", value)
        elif namespace == _XLINK and local == "href":
            own.setdefault("href", value)
    return own


# Numbers beyond this would lose precision in PDF viewers.
MAX_NUMBER = 1e6
MIN_AREA = 1e-12
_LENGTH = re.compile(r"([-+]?(?:[0-9]++\.?+[0-9]*+|\.[0-9]++)(?:[eE][-+]?[0-9]++)?+)\s*+([a-zA-Z%]*+)", re.ASCII)
# Pixels per unit; a pixel is 1/96 inch.
_UNITS = {
    "": 1.0, "px": 1.0, "pt": 96 / 72, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0, "q": 96 / 101.6,
}  # fmt: skip
_SEPARATOR = re.compile(r"[\s,]+")
_ALIGNMENT = re.compile(r"x(Min|Mid|Max)Y(Min|Mid|Max)")
_SHARES = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}


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
        scale = self._whole(axis) / 100 if unit == "%" else self._relative(unit)
        return in_range(float(match[1]) * scale, text)

    def _relative(self, unit: str) -> float:
        return {"em": self.em, "ex": self.em / 2}.get(unit) or _UNITS[unit]

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
        raise ValueError(f"'{text[:40]}' is not a valid number")
    return in_range(float(match[1]), text)


def parse_share(text: str) -> float:
    """Return a number or percentage as a number from 0 to 1.

    Raises ValueError if it is not one.
    """
    text = text.strip()
    value = parse_number(text[:-1]) / 100 if text.endswith("%") else parse_number(text)
    return min(1.0, max(0.0, value))


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
    words = aspect.removeprefix("defer ").split() or ["xMidYMid"]
    across, down = target.width / view.width, target.height / view.height
    if words[0] == "none":
        return compose(translation(target.x, target.y), (across, 0, 0, down, 0, 0), translation(-view.x, -view.y))
    match = _ALIGNMENT.fullmatch(words[0])
    if match is None or words[1:] not in ([], ["meet"], ["slice"]):
        raise ValueError(f"'{aspect[:40]}' is not a valid preserveAspectRatio")
    scale = max(across, down) if words[1:] == ["slice"] else min(across, down)
    x = target.x + (target.width - view.width * scale) * _SHARES[match[1]]
    y = target.y + (target.height - view.height * scale) * _SHARES[match[2]]
    return compose(translation(x, y), (scale, 0, 0, scale, 0, 0), translation(-view.x, -view.y))


def parse_transform(text: str) -> Matrix:
    """Return the matrix of a `transform`; raises ValueError if it is invalid."""
    return subset.parse_transform(text) if text not in ("", "none") else IDENTITY


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


# Limits of what is drawn after all copies are made.
MAX_DRAWN = 20_000
MAX_OUTPUT = 12 << 20
MAX_CHAIN = 16


@dataclass(slots=True)
class Scene:
    """Everything that is being drawn; definitions get ids that start with `prefix`.

    `faults` collects what cannot be drawn, each once.
    """

    tree: Tree
    prefix: str
    body: list[str] = field(default_factory=list)
    definitions: list[str] = field(default_factory=list)
    faults: dict[Fault, None] = field(default_factory=dict)
    _drawn: int = 0
    _size: int = 0
    _ids: int = 0

    def new_id(self) -> str:
        """Return an unused id."""
        self._ids += 1
        return f"{self.prefix}-{self._ids}"

    def add(self, source: str) -> None:
        """Add to the body; raises VectorArtError if there is too much."""
        self._size += len(source)
        if self._size > MAX_OUTPUT:
            raise VectorArtError(Fault(f"the picture expands to more than {MAX_OUTPUT >> 20} MiB", self.tree.root.line))
        self.body.append(source)

    def count(self, element: Element) -> None:
        """Count an element that is drawn.

        Raises VectorArtError if there are too many.
        """
        self._drawn += 1
        if self._drawn > MAX_DRAWN:
            message = f"the picture expands to more than {MAX_DRAWN:,} elements"
            raise VectorArtError(Fault(message, element.line))

    def refuse(self, element: Element, feature: str, message: str = "") -> None:
        """Record that an element cannot be drawn as written."""
        message = message or f"'{feature}' is not supported in SVG art"
        self.faults.setdefault(Fault(message, element.line, feature))

    @contextmanager
    def apart(self) -> Iterator[list[str]]:
        """Collect what the block draws in a list of its own."""
        outer, self.body = self.body, []
        try:
            yield self.body
        finally:
            self.body = outer


class Context(NamedTuple):
    """What an element inherits: style, lengths, and the chain of open references.

    `is_mask` draws in grays, and `is_clip` draws outlines only, in white.
    """

    style: Mapping[str, str]
    metrics: Metrics
    chain: frozenset[int] = frozenset()
    is_mask: bool = False
    is_clip: bool = False

    def entered(self, element: Element) -> Context | None:
        """Return the context inside a reference.

        Return None if it is circular or too deep.
        """
        if element.number in self.chain or len(self.chain) >= MAX_CHAIN:
            return None
        return self._replace(chain=self.chain | {element.number})


def group_tag(matrix: Matrix = IDENTITY, **attributes: str) -> str:
    """Return the start of a group; underscores in names are hyphens."""
    parts = [f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items() if value]
    transform = "" if matrix == IDENTITY else f' transform="{matrix_text(matrix)}"'
    return f"<g{transform}{''.join(parts)}>"


def matrix_text(matrix: Matrix) -> str:
    """Return a matrix as a `transform`."""
    return f"matrix({' '.join(f'{number:.9g}' for number in matrix)})"


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
_MARKERS = ("marker-start", "marker-mid", "marker-end")
# Rules that change nothing in a picture without text.
_HARMLESS_RULES = frozenset({"charset", "font-face", "namespace"})
_SVG_NAMESPACE = "{http://www.w3.org/2000/svg}"

# A declaration: property, value, and whether it is important.
_Declaration = tuple[str, str, bool]


def apply_styles(tree: Tree) -> None:
    """Set the specified style of all elements.

    Raises VectorArtError for style sheets that are not supported.
    """
    sheets = [element for element in tree.elements if element.tag == "style"]
    matched = _StyleSheets(sheets).match(tree) if sheets else {}
    for element in tree.elements:
        element.style = _cascade(element, matched.get(element.number, ()))


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
            raise VectorArtError(Fault("CSS variables are not supported; save it as plain SVG", line, "CSS variables"))
        if node.lower_name in _PROPERTIES or node.lower_name == "marker":
            yield node.lower_name, value, node.important


class _StyleSheets:
    """The rules of all style sheets of a file."""

    def __init__(self, sheets: Iterable[Element]) -> None:
        import cssselect2

        self._matcher = cssselect2.Matcher()
        for sheet in sheets:
            if sheet.get("type", "text/css") in ("text/css", ""):
                self._add(sheet)

    def _add(self, sheet: Element) -> None:
        import tinycss2

        for rule in tinycss2.parse_stylesheet(sheet.text, True, True):
            line = sheet.line + rule.source_line - 1
            if rule.type == "at-rule" and rule.lower_at_keyword not in _HARMLESS_RULES:
                name = f"@{rule.lower_at_keyword}"
                raise VectorArtError(Fault(f"'{name}' in a style sheet is not supported", line, name))
            if rule.type == "qualified-rule":
                self._add_rule(rule, line)

    def _add_rule(self, rule: Any, line: int) -> None:
        import cssselect2
        import tinycss2

        declarations = list(_declarations(tinycss2.parse_blocks_contents(rule.content, True, True), line))
        if not declarations:
            return
        try:
            selectors = cssselect2.compile_selector_list(rule.prelude)
        except cssselect2.SelectorError:
            return  # A rule with an invalid selector has no effect.
        for selector in selectors:
            self._matcher.add_selector(selector, declarations)

    def match(self, tree: Tree) -> dict[int, list[_Declaration]]:
        """Return the declarations of each element by its number, in ascending priority."""
        import cssselect2

        matched: dict[int, list[_Declaration]] = {}
        wrapped = cssselect2.ElementWrapper.from_xml_root(_element_tree(tree))
        for element, wrapper in zip(tree.elements, wrapped.iter_subtree(), strict=True):
            for _, _, pseudo, declarations in self._matcher.match(wrapper):
                if pseudo is None:
                    matched.setdefault(element.number, []).extend(declarations)
        return matched


def _element_tree(tree: Tree) -> ElementTree.Element:
    """Return the elements as the library for selectors reads them."""
    copies = [ElementTree.Element(_SVG_NAMESPACE + each.tag, each.attributes) for each in tree.elements]
    for element, copy in zip(tree.elements, copies, strict=True):
        if element.parent:
            copies[element.parent.number].append(copy)
    return copies[0]
