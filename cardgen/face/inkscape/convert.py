"""Drawings of Inkscape as the source of templates.

Objects keep their lines, so that messages about the template point to the line of the drawing. Everything is still
subject to the sandbox and to the limits of templates: this module only rewrites text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import sqrt

from cardgen.affine import Matrix
from cardgen.face.inkscape import boxes
from cardgen.face.inkscape.background import background_checks
from cardgen.face.inkscape.clones import at_line, clone_group, symbol_group
from cardgen.face.inkscape.document import MAX_ELEMENTS, MAX_MISTAKES, DrawingElement, DrawingError, read_drawing
from cardgen.face.inkscape.looks import look_faults, own_style
from cardgen.face.inkscape.objects import (
    SHAPES,
    SILENT,
    close_tag,
    escape_braces,
    is_left_out,
    object_faults,
    open_tag,
    outer_matrix,
)
from cardgen.face.inkscape.page import Page, read_page
from cardgen.face.inkscape.texts import lines_of

_GROUPS = frozenset({"svg", "g", "a", "symbol"})
_SHAPES_AND_GROUPS = SHAPES | _GROUPS | {"title", "desc"}
_REFERENCE = re.compile(r"url\(\s*[\"']?#([^)\"']+)")
_MAX_CLONES = 16


def convert(source: str) -> str:
    """Return the source of a template for a drawing.

    Raises DrawingError with all objects that cannot be drawn.
    """
    root = read_drawing(source)
    return _Converter(root, read_page(root)).run()


class _Converter:
    def __init__(self, root: DrawingElement, page: Page) -> None:
        self._root = root
        self._page = page
        self._ids = {each.attributes["id"]: each for each in root.walk() if "id" in each.attributes}
        self._mistakes: list[tuple[int, str]] = []
        self._parts: list[str] = []
        self._line = 1
        self._budget = 2 * MAX_ELEMENTS
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

    def _report(self, element: DrawingElement, message: str) -> None:
        if len(self._mistakes) < MAX_MISTAKES and (element.line, message) not in self._mistakes:
            self._mistakes.append((element.line, message))

    def _definitions(self) -> None:
        """Add style sheets, gradients, clip paths, and so on, in front of everything."""
        defs = [each for each in self._root.walk() if each.tag == "defs"]
        for sheet in (each for each in self._root.walk() if each.tag == "style" and each.text.strip()):
            self._emit(self._line, f"<style>{escape_braces(_escape(sheet.text)).replace(chr(10), ' ')}</style>")
        needed = [child for each in defs for child in each.children if self._is_paint(child)]
        if needed:
            self._emit(self._line, "<defs>" + "".join(self._subtree(each, keep_id=True) for each in needed) + "</defs>")

    @staticmethod
    def _is_paint(element: DrawingElement) -> bool:
        return element.tag in SILENT and element.tag not in ("title", "desc", "metadata", "style", "defs", "script")

    def _subtree(self, element: DrawingElement, *, keep_id: bool = False) -> str:
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

    def _spend(self, element: DrawingElement) -> None:
        """Count an object; clones could make any number of them."""
        self._budget -= 1
        if self._budget < 0:
            raise DrawingError([(element.line, f"the clones make more than {2 * MAX_ELEMENTS:,} objects")])

    def _place(self, element: DrawingElement, ancestors: list[DrawingElement]) -> None:
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

    def _paint_faults(self, element: DrawingElement) -> Iterator[str]:
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

    def _place_drawable(self, element: DrawingElement, ancestors: list[DrawingElement]) -> None:
        if element.tag == "use":
            self._place_clone(element, ancestors)
        elif element.tag == "text":
            self._place_text(element, ancestors)
        elif boxes.is_field_box(element):
            self._place_box(element, ancestors)
        elif element.tag in _GROUPS and not self._is_plain(element):
            for child in element.children:
                self._place(child, [*ancestors, element])
        elif element.tag in _GROUPS | SHAPES:
            if not any("clone" in each.attributes for each in ancestors):
                self._add_tests(element)
            self._emit(element.line, self._in_groups(self._subtree(element), ancestors))

    def _add_tests(self, element: DrawingElement) -> None:
        """Add tests of the labels of shapes, which only rectangles can have as fields, and of backgrounds."""
        for each in element.walk():
            if each.tag in SHAPES and not is_left_out(each):
                self._emit(each.line, boxes.label_check(each) + self._backgrounds.get(id(each), ""))

    def _is_plain(self, element: DrawingElement) -> bool:
        """Return whether a group contains only shapes, all of which are drawn."""
        if id(element) not in self._plain:
            self._plain[id(element)] = self._is_shape(element) and all(map(self._is_plain, element.children))
        return self._plain[id(element)]

    def _is_shape(self, element: DrawingElement) -> bool:
        if element.tag not in _SHAPES_AND_GROUPS or is_left_out(element) or boxes.is_field_box(element):
            return False
        return not any(object_faults(element)) and not any(self._paint_faults(element))

    def _is_simple_paint(self, name: str, target: DrawingElement) -> bool:
        """Return whether a gradient, pattern, or clip path has only paths in it."""
        if name not in self._paints:
            self._paints[name] = not any(each.tag in ("text", "use", "image") for each in target.walk())
        return self._paints[name]

    def _in_groups(self, drawn: str, ancestors: list[DrawingElement]) -> str:
        """Return an object inside the groups around it."""
        tags = [open_tag(each) for each in ancestors[1:]]
        openers = [tag for tag in tags if tag != "<g>"]
        return f"{self._page.opener}{''.join(openers)}{drawn}{'</g>' * (len(openers) + 1)}"

    def _place_clone(self, element: DrawingElement, ancestors: list[DrawingElement]) -> None:
        name = element.attributes.get("xlink:href", element.attributes.get("href", ""))
        target = self._ids.get(name.removeprefix("#")) if name.startswith("#") else None
        if target is None:
            self._report(element, f"{element} is a clone of '{name}', which is not in the drawing")
            return
        clones = sum(each.attributes.get("clone") == "yes" for each in ancestors)
        if clones >= _MAX_CLONES or target in ancestors:
            self._report(element, f"{element} is a clone of itself, or of too many other clones")
            return
        group = clone_group(element)
        if target.tag == "symbol":
            if "viewBox" in target.attributes:
                self._report(element, f"{element} is a symbol with its own scale; unlink the clone")
                return
            target = symbol_group(target)
        self._place(at_line(target, element.line), [*ancestors, group])

    def _require_plain_groups(self, element: DrawingElement, ancestors: list[DrawingElement]) -> bool:
        """Report a group around a box whose effects would be lost."""
        for each in (*ancestors[1:], element):
            properties = {**each.attributes, **each.style}
            lost = [name for name in ("clip-path", "mask") if properties.get(name, "none") != "none"]
            lost += ["opacity"] if properties.get("opacity", "1") not in ("1", "1.0") else []
            if lost:
                self._report(element, f"{element} is a text or field, so {each} around it cannot have {lost[0]}")
                return False
        return True

    def _place_box(self, element: DrawingElement, ancestors: list[DrawingElement]) -> None:
        settings, faults = boxes.read_settings(element)
        for fault in faults:
            self._report(element, fault)
        if faults or not self._require_plain_groups(element, ancestors):
            return
        matrix, scale = self._scaled([*ancestors, element])
        x, y, width, height = (_number(element, name) * scale for name in ("x", "y", "width", "height"))
        radius = float(element.attributes.get("rx") or element.attributes.get("ry") or 0) * scale
        original = self._backgrounds.get(id(element), "") + self._in_groups(self._subtree(element), ancestors)
        box = boxes.Box(x, y, width, height, radius)
        text, art = boxes.text_box(element, box, settings), boxes.art_box(element, box, settings)
        tests = boxes.by_field(element, self._positioned(text, matrix), self._positioned(art, matrix), original)
        self._emit(element.line, tests)

    def _place_text(self, element: DrawingElement, ancestors: list[DrawingElement]) -> None:
        faults = [*self._text_faults(element)]
        for fault in faults:
            self._report(element, fault)
        if faults or not self._require_plain_groups(element, ancestors):
            return
        self._emit(element.line, boxes.label_check(element))
        matrix, scale = self._scaled([*ancestors, element])
        inherited = {name: value for each in ancestors for name, value in own_style(each).items()}
        frame = self._frame_of(element)
        if frame is not None:
            x, y, width, height = (_number(frame, name) * scale for name in ("x", "y", "width", "height"))
            drawn = boxes.flowed_text(element, inherited, boxes.Box(x, y, width, height, 0), scale)
            self._emit(element.line, self._positioned(drawn, matrix))
            return
        drawn = "".join(boxes.text_line(line, scale) for line in lines_of(element, inherited))
        if drawn:
            self._emit(element.line, self._positioned(drawn, matrix))

    def _text_faults(self, element: DrawingElement) -> Iterator[str]:
        """Yield why a text cannot be set as it is."""
        for each in element.walk():
            if each is not element:
                yield from object_faults(each)
            yield from look_faults(each)

    def _frame_of(self, element: DrawingElement) -> DrawingElement | None:
        """Return the rectangle in which a text flows, if it does."""
        match = _REFERENCE.search(element.style.get("shape-inside", ""))
        if match is None:
            return None
        frame = self._ids.get(match[1])
        if frame is None or frame.tag != "rect" or frame.attributes.get("transform"):
            raise ValueError("text can flow only in a rectangle")
        return frame

    def _scaled(self, chain: list[DrawingElement]) -> tuple[Matrix, float]:
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


def _number(element: DrawingElement, name: str) -> float:
    text = element.attributes.get(name, "0")
    try:
        return float(text)
    except ValueError:
        raise ValueError(f'{name}="{text[:40]}" is not a number') from None


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
