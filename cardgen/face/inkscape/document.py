"""Tree of a drawing, without what only Inkscape understands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cardgen.affine import Matrix, multiply
from cardgen.runtime.escapes import quoteattr
from cardgen.svg import subset
from cardgen.svg.styles import read_style
from cardgen.svg.tree import DRAWING, Element, SvgError, Tree, read_tree
from cardgen.svg.values import parse_transform

MAX_MISTAKES = 50


class DrawingError(ValueError):
    """Mistakes in a drawing: each has a line and a message."""

    def __init__(self, mistakes: list[tuple[int, str]]) -> None:
        super().__init__(mistakes[0][1])
        self.mistakes = mistakes


def read_drawing(source: str) -> Tree:
    """Return the tree of a drawing, with the style of each element.

    Elements of other namespaces are left out. Raises DrawingError for anything that is not a well-formed SVG file.
    """
    try:
        tree = read_tree(source.encode("utf-8", "surrogatepass"), DRAWING)
    except SvgError as error:
        raise DrawingError([(error.line, str(error))]) from None
    for element in tree.elements:
        element.style = read_style(element.attributes.pop("style", ""))
    return tree


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


def is_left_out(element: Element) -> bool:
    """Return whether an object is hidden, or is a layer for guides."""
    hidden = element.style.get("display", element.attributes.get("display")) == "none"
    return hidden or (
        element.attributes.get("inkscape:groupmode") == "layer" and label_of(element).strip().lower() == GUIDES
    )


def label_of(element: Element) -> str:
    """Return the label that people see in Inkscape, or else the id."""
    return element.attributes.get("inkscape:label") or element.attributes.get("id", "")


def object_faults(element: Element) -> Iterator[str]:
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


def object_matrix(element: Element) -> Matrix:
    """Return the matrix of an object's own transform.

    Raises ValueError if it is invalid.
    """
    text = element.attributes.get("transform", "")
    return parse_transform(text)


def outer_matrix(ancestors: list[Element], root: Matrix) -> Matrix:
    """Return the matrix of all transforms around an object."""
    matrix = root
    for each in ancestors:
        matrix = multiply(matrix, object_matrix(each))
    return matrix


def open_tag(element: Element, *, closed: bool = False, keep_id: bool = False) -> str:
    """Return the tag of an object with everything that can be drawn."""
    attributes = dict(_drawn_attributes(element, keep_id=keep_id))
    style = ";".join(f"{name}:{value}" for name, value in element.style.items() if name in subset.PROPERTIES)
    if style:
        attributes["style"] = style
    tag = "g" if element.tag in ("svg", "symbol") else element.tag
    written = "".join(f" {name}={escape_braces(quoteattr(value))}" for name, value in attributes.items())
    return f"<{tag}{written}{'/' if closed else ''}>"


def close_tag(element: Element) -> str:
    """Return the end tag of an object."""
    return f"</{'g' if element.tag in ('svg', 'symbol') else element.tag}>"


def _drawn_attributes(element: Element, *, keep_id: bool) -> Iterator[tuple[str, str]]:
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
