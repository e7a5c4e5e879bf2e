"""Drawings of Inkscape as the source of templates.

Objects keep their lines, so that messages about the template point to the line of the drawing. Everything is still
subject to the sandbox and to the limits of templates: this module only rewrites text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import sqrt

from cardgen.face import inkscape_texts
from cardgen.face.inkscape_texts import (
    MAX_MISTAKES,
    ORIGIN,
    SHAPES,
    SILENT,
    DrawingError,
    close_tag,
    escape_braces,
    is_left_out,
    lines_of,
    look_faults,
    object_faults,
    object_matrix,
    open_tag,
    outer_matrix,
    own_style,
    read_drawing,
)
from cardgen.runtime.escapes import quoteattr
from cardgen.svg.chunks import art_attributes
from cardgen.svg.scene import parse_path, path_data, transformed
from cardgen.svg.tree import DRAWING, Element, Tree, parse_number
from cardgen.units import Matrix, apply, multiply

_GROUPS = frozenset({"svg", "g", "a", "symbol"})
_SHAPES_AND_GROUPS = SHAPES | _GROUPS | {"title", "desc"}
_REFERENCE = re.compile(r"url\(\s*[\"']?#([^)\"']+)")
_MAX_CLONES = 16


def convert(source: str) -> str:
    """Return the source of a template for a drawing.

    Raises DrawingError with all objects that cannot be drawn.
    """
    tree = read_drawing(source)
    return _Converter(tree, read_page(tree.root), source).run()


class _Converter:
    def __init__(self, tree: Tree, page: Page, source: str) -> None:
        self._tree = tree
        self._content = source.encode("utf-8", "surrogatepass")
        self._root = root = tree.root
        self._page = page
        # The last element of an id counts in drawings.
        self._ids = {each.attributes["id"]: each for each in tree.elements if "id" in each.attributes}
        self._mistakes: list[tuple[int, str]] = []
        self._parts: list[str] = []
        self._line = 1
        self._budget = 2 * DRAWING.elements
        self._backgrounds = background_checks(root, page.matrix, page.width, page.height)
        # Whether objects, by identity, contain only shapes, and paints, by id, only paths.
        self._plain: dict[int, bool] = {}
        self._paints: dict[str, bool] = {}

    def run(self) -> str:
        self._emit(1, '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ')
        self._emit(1, 'xmlns:cg="https://cardgen.dev/svg">' + self._page.setup)
        self._definitions()
        for child in self._root.children:
            self._place(child, [self._root])
        if self._mistakes:
            raise DrawingError(self._mistakes)
        return "".join((*self._parts, "</svg>"))

    def _emit(self, line: int, text: str) -> None:
        """Add text to the template, at the line of its object."""
        self._parts.append("\n" * max(0, line - self._line) + text)
        self._line = max(self._line, line) + text.count("\n")

    def _report(self, element: Element, message: str) -> None:
        if len(self._mistakes) < MAX_MISTAKES and (element.line, message) not in self._mistakes:
            self._mistakes.append((element.line, message))

    def _definitions(self) -> None:
        """Add style sheets, gradients, clip paths, and so on, in front of everything."""
        defs = [each for each in self._tree.elements if each.tag == "defs"]
        for sheet in (each for each in self._tree.elements if each.tag == "style" and each.text.strip()):
            rules = escape_braces(sheet.text.replace("&", "&amp;").replace("<", "&lt;"))
            self._emit(self._line, f"<style>{rules.replace(chr(10), ' ')}</style>")
        needed = [child for each in defs for child in each.children if self._is_paint(child)]
        if needed:
            self._emit(self._line, "<defs>" + "".join(self._subtree(each, keep_id=True) for each in needed) + "</defs>")

    @staticmethod
    def _is_paint(element: Element) -> bool:
        return element.tag in SILENT and element.tag not in ("title", "desc", "metadata", "style", "defs", "script")

    def _subtree(self, element: Element, *, keep_id: bool = False) -> str:
        """Return an object with everything inside it; objects that are left out are not in it."""
        self._spend(element)
        inside = [
            self._subtree(child, keep_id=keep_id)
            for child in element.children
            if child.tag not in ("title", "desc", "metadata", "script", "style", "defs") and not is_left_out(child)
        ]
        if not inside:
            return open_tag(element, closed=True, keep_id=keep_id)
        return open_tag(element, keep_id=keep_id) + "".join(inside) + close_tag(element)

    def _spend(self, element: Element) -> None:
        """Count an object; clones could make any number of them."""
        self._budget -= 1
        if self._budget < 0:
            raise DrawingError([(element.line, f"the clones make more than {2 * DRAWING.elements:,} objects")])

    def _place(self, element: Element, ancestors: list[Element]) -> None:
        """Add an object that is inside `ancestors`, the outermost of which is the root."""
        self._spend(element)
        if is_left_out(element) or element.tag in SILENT:
            return
        faults = [*object_faults(element), *self._paint_faults(element)]
        for fault in faults:
            self._report(element, fault)
        if faults:
            return
        try:
            self._place_drawable(element, ancestors)
        except ValueError as error:
            if isinstance(error, DrawingError):
                raise
            self._report(element, f"{element}: {error}")

    def _paint_faults(self, element: Element) -> Iterator[str]:
        """Yield why a gradient, pattern, or clip path of an object cannot be drawn."""
        for value in (*element.style.values(), *element.attributes.values()):
            for name in _REFERENCE.findall(value):
                target = self._ids.get(name)
                if target is None:
                    yield f"{element} refers to '{name}', which is not in the drawing"
                elif target.tag in ("meshgradient", "hatch"):
                    what = "mesh gradient" if target.tag == "meshgradient" else "hatch"
                    yield f"{element} has a {what}, which cannot be drawn"
                elif not self._is_simple_paint(name, target):
                    yield f"{element} is clipped or filled with text, a clone, or a picture; convert that to a path"

    def _place_drawable(self, element: Element, ancestors: list[Element]) -> None:
        if element.tag == "use":
            self._place_clone(element, ancestors)
        elif element.tag == "text":
            self._place_text(element, ancestors)
        elif element.tag == "image":
            self._place_image(element, ancestors)
        elif inkscape_texts.is_field_box(element):
            self._place_box(element, ancestors)
        elif element.tag in _GROUPS and not self._is_plain(element):
            for child in element.children:
                self._place(child, [*ancestors, element])
        elif element.tag in _GROUPS | SHAPES:
            if not any("clone" in each.attributes for each in ancestors):
                # Add tests of the labels of shapes, which only rectangles can have as fields, and of backgrounds.
                for each in element.walk():
                    if each.tag in SHAPES and not is_left_out(each):
                        self._emit(each.line, inkscape_texts.label_check(each) + self._backgrounds.get(id(each), ""))
            self._emit(element.line, self._in_groups(self._subtree(element), ancestors))

    def _is_plain(self, element: Element) -> bool:
        """Return whether a group contains only shapes, all of which are drawn."""
        if id(element) not in self._plain:
            self._plain[id(element)] = self._is_shape(element) and all(map(self._is_plain, element.children))
        return self._plain[id(element)]

    def _is_shape(self, element: Element) -> bool:
        if element.tag not in _SHAPES_AND_GROUPS or is_left_out(element) or inkscape_texts.is_field_box(element):
            return False
        return not any(object_faults(element)) and not any(self._paint_faults(element))

    def _is_simple_paint(self, name: str, target: Element) -> bool:
        """Return whether a gradient, pattern, or clip path has only paths in it."""
        if name not in self._paints:
            self._paints[name] = not any(each.tag in ("text", "use", "image") for each in target.walk())
        return self._paints[name]

    def _in_groups(self, drawn: str, ancestors: list[Element]) -> str:
        """Return an object inside the groups around it."""
        tags = [open_tag(each) for each in ancestors[1:]]
        openers = [tag for tag in tags if tag != "<g>"]
        return f"{self._page.opener}{''.join(openers)}{drawn}{'</g>' * (len(openers) + 1)}"

    def _place_clone(self, element: Element, ancestors: list[Element]) -> None:
        name = element.attributes.get("xlink:href", element.attributes.get("href", ""))
        target = self._ids.get(name.removeprefix("#")) if name.startswith("#") else None
        if target is None:
            self._report(element, f"{element} is a clone of '{name}', which is not in the drawing")
            return
        clones = sum(each.attributes.get("clone") == "yes" for each in ancestors)
        if clones >= _MAX_CLONES or target.number in {each.number for each in ancestors}:
            self._report(element, f"{element} is a clone of itself, or of too many other clones")
            return
        group = clone_group(element)
        if target.tag == "symbol":
            if "viewBox" in target.attributes:
                self._report(element, f"{element} is a symbol with its own scale; unlink the clone")
                return
            target = symbol_group(target)
        self._place(at_line(target, element.line), [*ancestors, group])

    def _require_plain_groups(self, element: Element, ancestors: list[Element], what: str = "text or field") -> bool:
        """Report a group around a box whose effects would be lost."""
        for each in ancestors[1:] if element.tag == "image" else (*ancestors[1:], element):
            properties = {**each.attributes, **each.style}
            lost = [name for name in ("clip-path", "mask") if properties.get(name, "none") != "none"]
            lost += ["opacity"] if properties.get("opacity", "1") not in ("1", "1.0") else []
            if lost:
                self._report(element, f"{element} is a {what}, so {each} around it cannot have {lost[0]}")
                return False
        return True

    def _place_image(self, element: Element, ancestors: list[Element]) -> None:
        """Add a linked or embedded picture, with its clip path as a mask."""
        if not self._require_plain_groups(element, ancestors, "picture"):
            return
        if element.style.get("mask", element.attributes.get("mask", "none")) != "none":
            raise ValueError("a picture can have a clip, but no mask")
        image = at_line(element, element.line)
        image.style = {name: element.style[name] for name in ("opacity", "clip-path") if name in element.style}
        made = art_attributes(image, self._ids)
        matrix, scale = self._scaled([*ancestors, element])
        for name in ("x", "y", "width", "height"):
            made[name] = f"{parse_number(made[name]) * scale:.6g}"
        if "mask" in made:
            made["mask"] = path_data(transformed(parse_path(made["mask"]), (scale, 0, 0, scale, 0, 0)))
        written = "".join(f" {name}={escape_braces(quoteattr(value))}" for name, value in made.items())
        self._emit(element.line, self._positioned(f"<cg:art{written}/>", matrix))

    def _place_box(self, element: Element, ancestors: list[Element]) -> None:
        settings, faults = inkscape_texts.read_settings(element)
        for fault in faults:
            self._report(element, fault)
        if faults or not self._require_plain_groups(element, ancestors):
            return
        matrix, scale = self._scaled([*ancestors, element])
        x, y, width, height = (_number(element, name) * scale for name in ("x", "y", "width", "height"))
        radius = float(element.attributes.get("rx") or element.attributes.get("ry") or 0) * scale
        original = self._backgrounds.get(id(element), "") + self._in_groups(self._subtree(element), ancestors)
        offset = len(self._content[: element.start].decode("utf-8", "replace"))
        box = inkscape_texts.Box(x, y, width, height, radius, f' {ORIGIN}="{offset}:{scale:.9g}"')
        text, art = inkscape_texts.text_box(element, box, settings), inkscape_texts.art_box(element, box, settings)
        tests = inkscape_texts.by_field(
            element, self._positioned(text, matrix), self._positioned(art, matrix), original
        )
        self._emit(element.line, tests)

    def _place_text(self, element: Element, ancestors: list[Element]) -> None:
        # Why a text cannot be set as it is.
        faults: list[str] = []
        for each in element.walk():
            if each is not element:
                faults += object_faults(each)
            faults += look_faults(each)
        for fault in faults:
            self._report(element, fault)
        if faults or not self._require_plain_groups(element, ancestors):
            return
        self._emit(element.line, inkscape_texts.label_check(element))
        matrix, scale = self._scaled([*ancestors, element])
        inherited = {name: value for each in ancestors for name, value in own_style(each).items()}
        frame = self._frame_of(element)
        if frame is not None:
            x, y, width, height = (_number(frame, name) * scale for name in ("x", "y", "width", "height"))
            drawn = inkscape_texts.flowed_text(element, inherited, inkscape_texts.Box(x, y, width, height, 0), scale)
            self._emit(element.line, self._positioned(drawn, matrix))
            return
        drawn = "".join(inkscape_texts.text_line(line, scale) for line in lines_of(element, inherited))
        if drawn:
            self._emit(element.line, self._positioned(drawn, matrix))

    def _frame_of(self, element: Element) -> Element | None:
        """Return the rectangle in which a text flows, if it does."""
        match = _REFERENCE.search(element.style.get("shape-inside", ""))
        if match is None:
            return None
        frame = self._ids.get(match[1])
        if frame is None or frame.tag != "rect" or frame.attributes.get("transform"):
            raise ValueError("text can flow only in a rectangle")
        return frame

    def _scaled(self, chain: list[Element]) -> tuple[Matrix, float]:
        """Return the scale of an object, and the matrix without it."""
        matrix = outer_matrix(chain[1:], self._page.matrix)
        a, b, c, d, e, f = matrix
        scale = sqrt(abs(a * d - b * c))
        if scale < 1e-6:
            raise ValueError("its transform scales it to nothing")
        return (a / scale, b / scale, c / scale, d / scale, e, f), scale

    def _positioned(self, drawn: str, matrix: Matrix) -> str:
        """Return boxes in a group that puts them in place; the page has its own origin."""
        numbers = " ".join(f"{number:.6g}" for number in matrix)
        return f'<g transform="{self._page.shift}matrix({numbers})">{drawn}</g>'


def _number(element: Element, name: str) -> float:
    text = element.attributes.get(name, "0")
    try:
        return float(text)
    except ValueError:
        raise ValueError(f'{name}="{text[:40]}" is not a number') from None


_LENGTH = re.compile(r"\s*+((?:[0-9]++(?:\.[0-9]++)?|\.[0-9]++)(?:[eE][-+]?[0-9]++)?)\s*+([a-z%]*+)\s*+")
_MM = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72, "pc": 25.4 / 6, "px": 25.4 / 96, "": 25.4 / 96}
_LARGEST = 2_000.0


@dataclass(frozen=True, slots=True)
class Page:
    """Page of a drawing in mm, and the matrix from its units."""

    width: float
    height: float
    matrix: Matrix

    @property
    def setup(self) -> str:
        """Template code that compares the page with the trim and the bleed."""
        return f"{{% set page_ = page_origin({self.width:.5g}, {self.height:.5g}, width, height, bleed) %}}"

    @property
    def shift(self) -> str:
        """The transform from the page to the trim."""
        return "translate({{ page_[0] }} {{ page_[1] }}) "

    @property
    def opener(self) -> str:
        """The tag of a group with the units of the page."""
        numbers = " ".join(f"{number:.6g}" for number in self.matrix)
        return f'<g transform="{self.shift}matrix({numbers})">'


def read_page(root: Element) -> Page:
    """Return the page of a drawing.

    Raises DrawingError if its size is missing or not a length.
    """
    try:
        width, height = (_millimeters(root.attributes.get(name, "")) for name in ("width", "height"))
        left, top, wide, high = _view_box(root.attributes.get("viewBox", ""), width, height)
    except ValueError as error:
        raise DrawingError([(root.line, str(error))]) from None
    across, down = width / wide, height / high
    return Page(width, height, (across, 0, 0, down, -left * across, -top * down))


def _millimeters(text: str) -> float:
    match = _LENGTH.fullmatch(text)
    if match is None or match[2] not in _MM:
        message = f"the page has the size '{text[:40]}'" if text else "the page has no size"
        raise ValueError(f"{message}; set it in millimeters in File > Document Properties")
    length = float(match[1]) * _MM[match[2]]
    if not 1 <= length <= _LARGEST:
        raise ValueError(f"the page must be between 1 and {_LARGEST:,.0f} mm, not {length:g} mm")
    return length


def _view_box(text: str, width: float, height: float) -> tuple[float, float, float, float]:
    if not text:
        return 0, 0, width / _MM["px"], height / _MM["px"]
    try:
        left, top, wide, high = map(float, re.split(r"[\s,]+", text.strip()))
    except ValueError:
        raise ValueError(f"viewBox '{text[:40]}' must be four numbers") from None
    if not (0 < wide < 1e6 and 0 < high < 1e6 and abs(left) < 1e6 and abs(top) < 1e6):
        raise ValueError(f"viewBox '{text[:40]}' is out of range")
    return left, top, wide, high


_GEOMETRY = frozenset({"x", "y", "width", "height", "href", "xlink:href", "transform"})


def clone_group(clone: Element) -> Element:
    """Return the group around the copy of an object, with the clone's position and properties."""
    x, y = (float(clone.attributes.get(axis, "0") or 0) for axis in "xy")
    outer = f"{clone.attributes.get('transform', '')} translate({x:g} {y:g})".strip()
    own = {name: value for name, value in clone.attributes.items() if name not in _GEOMETRY}
    group = Element("g", {**own, "transform": outer, "clone": "yes"}, clone.line, number=clone.number)
    group.style = clone.style
    return group


def symbol_group(symbol: Element) -> Element:
    """Return a symbol as a group, which is drawn where it is."""
    group = at_line(symbol, symbol.line)
    group.tag, group.style = "g", {name: value for name, value in symbol.style.items() if name != "display"}
    return group


def at_line(element: Element, line: int) -> Element:
    """Return an object as if it were at the line of its clone."""
    copy = Element(element.tag, element.attributes, line, element.start, element.number)
    copy.content, copy.style = element.content, element.style
    return copy


_SIDES = ("left", "top", "right", "bottom")
# A shape along this much of a side is a background.
_MOST_OF_A_SIDE = 0.9
_WHITE = frozenset({"#ffffff", "#fff", "white"})
# What is nearer to the edge of the page does not extend beyond it, in mm.
_EDGE = 0.3

_Extent = tuple[float, float, float, float]


def background_checks(root: Element, matrix: Matrix, width: float, height: float) -> dict[int, str]:
    """Return template code that compares backgrounds with the bleed, by the identity of their shapes.

    `matrix` leads from the units of the drawing to millimeters on the page. Only backgrounds that extend beyond the
    page count: who draws none up to the edge may want a white border.
    """
    reaches: dict[str, tuple[float, Element]] = {}
    for shape, extent in _extents(root, matrix):
        for side, reach in _reaches(extent, width, height):
            if reach > reaches.get(side, (_EDGE, shape))[0]:
                reaches[side] = (reach, shape)
    by_shape: dict[int, dict[str, float]] = {}
    for side, (reach, shape) in reaches.items():
        by_shape.setdefault(id(shape), {})[side] = round(reach, 3)
    return {shape: f"{{{{ require_bleed({sides}, page_, bleed) }}}}" for shape, sides in by_shape.items()}


def _reaches(extent: _Extent, width: float, height: float) -> Iterator[tuple[str, float]]:
    """Yield how far a shape extends beyond each side of the page along which it is a background."""
    left, top, right, bottom = extent
    covers = (min(bottom, height) - max(top, 0)) / height, (min(right, width) - max(left, 0)) / width
    reaches = (-left, -top, right - width, bottom - height)
    for index, side in enumerate(_SIDES):
        if covers[index % 2] >= _MOST_OF_A_SIDE:
            yield side, reaches[index]


def _extents(element: Element, outer: Matrix) -> Iterator[tuple[Element, _Extent]]:
    """Yield the painted shapes inside an element with their extents on the page."""
    for child in element.children:
        if is_left_out(child) or child.tag in SILENT:
            continue
        try:
            matrix = multiply(outer, object_matrix(child))
            points = [apply(matrix, x, y) for x, y in _points(child)] if _is_painted(child) else []
        except (ValueError, OverflowError):  # placing it reports the error
            continue
        if points:
            across, down = zip(*points, strict=True)
            yield child, (min(across), min(down), max(across), max(down))
        yield from _extents(child, matrix)


def _is_painted(element: Element) -> bool:
    fill = element.style.get("fill", element.attributes.get("fill", ""))
    return element.tag in SHAPES and fill not in _WHITE | {"none"}


def _points(element: Element) -> Iterator[tuple[float, float]]:
    """Yield the corners of a shape's extent, or the points of its outline."""
    if element.tag == "path":
        commands = parse_path(element.attributes.get("d", ""))
        numbers = (command[1:] for command in commands)
        return ((float(x), float(y)) for each in numbers for x, y in zip(each[::2], each[1::2], strict=True))
    if element.tag != "rect":
        return iter(())
    x, y, width, height = (float(element.attributes.get(name) or 0) for name in ("x", "y", "width", "height"))
    return product((x, x + width), (y, y + height))
