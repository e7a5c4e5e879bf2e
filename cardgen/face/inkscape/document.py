"""Tree of a drawing, without what only Inkscape understands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from cardgen.affine import IDENTITY, Matrix, multiply
from cardgen.face.svg import subset
from cardgen.face.svg.parser import ill_formed
from cardgen.runtime.escapes import quoteattr

MAX_ELEMENTS, MAX_DEPTH, MAX_MISTAKES = 20_000, 60, 50
_SVG = "http://www.w3.org/2000/svg"
_INKSCAPE = "http://www.inkscape.org/namespaces/inkscape"
_SODIPODI = "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
_XLINK = "http://www.w3.org/1999/xlink"
_XML = "http://www.w3.org/XML/1998/namespace"
# Attributes of Inkscape that matter, under the names used here.
_KEPT = {
    f"{_INKSCAPE} label": "inkscape:label", f"{_INKSCAPE} groupmode": "inkscape:groupmode",
    f"{_SODIPODI} role": "sodipodi:role", f"{_XLINK} href": "xlink:href", f"{_XML} space": "xml:space",
}  # fmt: skip


class DrawingError(ValueError):
    """Mistakes in a drawing: each has a line and a message."""

    def __init__(self, mistakes: list[tuple[int, str]]) -> None:
        super().__init__(mistakes[0][1])
        self.mistakes = mistakes


@dataclass(slots=True)
class DrawingElement:
    """An element with its line in the file.

    `content` has texts and elements in order.
    """

    tag: str
    attributes: dict[str, str]
    line: int
    content: list[DrawingElement | str] = field(default_factory=list)
    style: dict[str, str] = field(default_factory=dict)

    @property
    def children(self) -> Iterator[DrawingElement]:
        """The elements directly inside this one."""
        return (each for each in self.content if isinstance(each, DrawingElement))

    @property
    def label(self) -> str:
        """The label that people see in Inkscape, or else the id."""
        return self.attributes.get("inkscape:label") or self.attributes.get("id", "")

    @property
    def is_layer(self) -> bool:
        """Whether this is a layer."""
        return self.attributes.get("inkscape:groupmode") == "layer"

    @property
    def text(self) -> str:
        """All text inside this element."""
        return "".join(each if isinstance(each, str) else each.text for each in self.content)

    def walk(self) -> Iterator[DrawingElement]:
        """Yield this element and all inside it."""
        yield self
        for child in self.children:
            yield from child.walk()

    def __str__(self) -> str:
        name, identity = self.attributes.get("inkscape:label", ""), self.attributes.get("id", "")
        if name and identity and name != identity:
            return f"'{name}' ({identity})"
        return f"'{name or identity or self.tag}'"


def read_drawing(source: str) -> DrawingElement:
    """Return the root of a drawing.

    Elements of other namespaces are left out. Raises DrawingError for anything that is not a well-formed SVG file.
    """
    return _Reader().read(source)


class _Reader:
    def __init__(self) -> None:
        self._root: DrawingElement | None = None
        self._stack: list[DrawingElement] = []
        self._foreign = 0
        self._count = 0
        self._parser = expat.ParserCreate("utf-8", namespace_separator=" ")

    def read(self, source: str) -> DrawingElement:
        parser = self._parser
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = self._characters, self._doctype
        try:
            parser.Parse(source.encode("utf-8", "surrogatepass"), True)
        except expat.ExpatError as error:
            message = ill_formed(error, self._stack[-1].tag if self._stack else "")
            raise DrawingError([(error.lineno, message)]) from None
        assert self._root is not None
        return self._root

    def _fail(self, message: str) -> DrawingError:
        return DrawingError([(self._parser.CurrentLineNumber, message)])

    def _doctype(self, *_: object) -> None:
        raise self._fail("a template cannot have a DOCTYPE; save the file as Inkscape SVG or plain SVG")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        namespace, _, tag = name.rpartition(" ")
        self._count += 1
        if self._count > MAX_ELEMENTS:
            raise self._fail(f"a template can have at most {MAX_ELEMENTS:,} elements")
        if len(self._stack) + self._foreign > MAX_DEPTH:
            raise self._fail(f"elements are nested more than {MAX_DEPTH} levels deep")
        if self._root is None and (tag != "svg" or namespace not in (_SVG, "")):
            raise self._fail(f"the root of a template must be <svg>, not <{tag}>")
        if self._foreign or namespace not in (_SVG, "") or tag == "metadata":
            self._foreign += 1
            return
        element = DrawingElement(tag, dict(_known_attributes(attributes)), self._parser.CurrentLineNumber)
        element.style = read_style(element.attributes.pop("style", ""))
        if self._stack:
            self._stack[-1].content.append(element)
        else:
            self._root = element
        self._stack.append(element)

    def _end(self, _: str) -> None:
        if self._foreign:
            self._foreign -= 1
        else:
            self._stack.pop()

    def _characters(self, text: str) -> None:
        if self._stack and not self._foreign:
            self._stack[-1].content.append(text)


def _known_attributes(attributes: dict[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in attributes.items():
        if name in _KEPT:
            yield _KEPT[name], value
        elif " " not in name:
            yield name, value


_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)


def read_style(text: str) -> dict[str, str]:
    """Return the properties of a style attribute or a description.

    They are written as in 'style: title; align: center'.
    """
    pairs = (part.partition(":") for part in _COMMENT.sub("", text).split(";"))
    return {name.strip().lower(): value.strip() for name, _, value in pairs if name.strip() and value.strip()}


GUIDES = "guides"
SHAPES = subset.DRAWING_TAGS - {"use"}
_DEFINITIONS = frozenset({"linearGradient", "radialGradient", "clipPath", "mask", "pattern", "marker", "stop"})
_PAINTED = SHAPES | {"g", "a", "svg"} | _DEFINITIONS
# Elements that paint nothing, and that no object refers to.
SILENT = frozenset({"title", "desc", "metadata", "style", "defs", "script", "symbol", "solidcolor", *_DEFINITIONS})
# Properties that would change the picture, their values without effect, and what people call them.
_REFUSED = {
    "filter": ({"none"}, "a filter, such as blur"),
    "mix-blend-mode": ({"normal"}, "a blend mode"),
    "paint-order": ({"normal", "fill", "fill markers stroke", "fill stroke markers", "fill stroke"}, "a paint order"),
    "vector-effect": ({"none"}, "a vector effect"),
}  # fmt: skip
_WHAT = {
    "image": "an embedded or linked picture; draw a rectangle with the label of a picture field instead",
    "flowRoot": "flowed text of an older version; convert it to text",
    "textPath": "text on a path; convert it to a path",
    "foreignObject": "an HTML object",
    "switch": "a switch",
    "meshgradient": "a mesh gradient",
    "filter": "a filter, such as blur",
}  # fmt: skip
_BRACE = re.compile(r"\{")


def is_left_out(element: DrawingElement) -> bool:
    """Return whether an object is hidden, or is a layer for guides."""
    hidden = element.style.get("display", element.attributes.get("display")) == "none"
    return hidden or (element.is_layer and element.label.strip().lower() == GUIDES)


def object_faults(element: DrawingElement) -> Iterator[str]:
    """Yield why an object itself cannot be drawn as it is."""
    if element.tag in _WHAT:
        yield f"{element} is {_WHAT[element.tag]}"
        return
    try:
        object_matrix(element)
    except ValueError as error:
        yield f"{element}: {error}"
    for name, (harmless, what) in _REFUSED.items():
        value = element.style.get(name, element.attributes.get(name, ""))
        if value and value.lower() not in harmless:
            yield f"{element} has {what}, which cannot be drawn; export it as a picture, or remove it"
    if element.tag not in _PAINTED | SILENT | {"use", "text", "tspan"}:
        yield f"{element} is a <{element.tag}>, which cannot be drawn; convert it to a path"


def object_matrix(element: DrawingElement) -> Matrix:
    """Return the matrix of an object's own transform.

    Raises ValueError if it is invalid.
    """
    text = element.attributes.get("transform", "")
    return subset.parse_transform(text) if text else IDENTITY


def outer_matrix(ancestors: list[DrawingElement], root: Matrix) -> Matrix:
    """Return the matrix of all transforms around an object."""
    matrix = root
    for each in ancestors:
        matrix = multiply(matrix, object_matrix(each))
    return matrix


def open_tag(element: DrawingElement, *, closed: bool = False, keep_id: bool = False) -> str:
    """Return the tag of an object with everything that can be drawn."""
    attributes = dict(_drawn_attributes(element, keep_id=keep_id))
    style = ";".join(f"{name}:{value}" for name, value in element.style.items() if name in subset.PROPERTIES)
    if style:
        attributes["style"] = style
    tag = "g" if element.tag in ("svg", "symbol") else element.tag
    written = "".join(f" {name}={escape_braces(quoteattr(value))}" for name, value in attributes.items())
    return f"<{tag}{written}{'/' if closed else ''}>"


def close_tag(element: DrawingElement) -> str:
    """Return the end tag of an object."""
    return f"</{'g' if element.tag in ('svg', 'symbol') else element.tag}>"


def _drawn_attributes(element: DrawingElement, *, keep_id: bool) -> Iterator[tuple[str, str]]:
    outer = element.tag in ("svg", "symbol")
    for name, value in element.attributes.items():
        if name == "id" and not keep_id:
            continue
        if outer and name not in subset.PROPERTIES | {"transform", "class"}:
            continue
        if name in subset.ATTRIBUTES and name != "xml:space":
            yield name, value


def escape_braces(text: str) -> str:
    """Return a text of XML whose braces mean nothing in a template."""
    return _BRACE.sub("&#123;", text)
