"""Which part of a template draws what on a card, and edits of the template that move and resize it by hand."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from jinja2 import TemplateSyntaxError, nodes

from cardgen.face.inkscape_texts import ORIGIN
from cardgen.face.layout import At, PlacedBox, number_text
from cardgen.face.template.syntax import (
    MARK,
    PLAIN,
    Argument,
    Call,
    TemplateSource,
    call_in,
    names_in,
    read_source,
    tokens_of,
)
from cardgen.project.files import template_text
from cardgen.svg.chunks import DEFINITION_TAGS, BoxElement
from cardgen.svg.scene import SHAPE_TAGS, outline_of
from cardgen.svg.tree import TEMPLATE, Element, Metrics, parse_transform, read_tree
from cardgen.units import IDENTITY, Box, Matrix, Size, apply, inverse, joined_box, mapped_box, multiply, shorten

# What is drawn.


class Site(NamedTuple):
    """A place in a template that draws: a tag, or the call of a macro or function with these parameters."""

    file: str
    offset: int
    name: str = ""
    parameters: tuple[str, ...] = ()


class Drawn(NamedTuple):
    """An element, or what a function draws, with the tag and the calls that drew it, the innermost first.

    Its `box` and `points` are in mm on the card; its `matrix` leads there from the units of its numbers.
    """

    tag: str
    elements: tuple[Element, ...]
    site: Site | None
    calls: tuple[Site, ...]
    box: Box
    points: tuple[tuple[float, float], ...]
    matrix: Matrix

    @property
    def sites(self) -> tuple[Site, ...]:
        """All places that draw it."""
        return ((self.site,) if self.site else ()) + self.calls


# The area of a text; None if nothing is drawn.
TextBox = Callable[[BoxElement], Box | None]
_BOXES = ("cg:text", "cg:art", "cg:field", "image")
_NOT_DRAWN = frozenset({"defs", "style", "title", "desc", "metadata", *DEFINITION_TAGS})
_START = re.compile(rb"""<[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>""")
# Shapes that one tag draws more often are a pattern, which nobody places by hand.
_MOST_PASSES = 12
FUNCTION = "function"


class Trace:
    """What a template draws on a card, in paint order; raises SvgError if that is not SVG."""

    def __init__(self, svg: str, size: Size, text_box: TextBox) -> None:
        self._content = svg.encode("utf-8", "surrogatepass")
        self._metrics, self._text_box = Metrics(size), text_box
        self.elements = read_tree(self._content, TEMPLATE).elements
        self.sites = [self._sites_of(each) for each in self.elements]
        self._functions: list[Drawn] = []
        found = list(self._find(self.elements[0], IDENTITY))
        passes: dict[tuple[Site, ...], int] = {}
        for each in found:
            passes[each.sites] = passes.get(each.sites, 0) + 1
        self.boxes = tuple(
            each for each in found if each.sites and (each.tag not in SHAPE_TAGS or passes[each.sites] <= _MOST_PASSES)
        )

    def _sites_of(self, element: Element) -> tuple[Site, ...]:
        sites = []
        for mark in element.attributes.get(MARK, "").split():
            file, _, rest = mark.partition(":")
            if rest:
                offset, _, call = rest.partition(":")
                name, _, parameters = call.partition(":")
                sites.append(Site(unquote(file), int(offset), name, tuple(filter(None, parameters.split(",")))))
        if sites and sites[0].file.endswith(".svg"):
            # Only the fields of a drawing say where they come from.
            origin = element.attributes.get(ORIGIN, "").partition(":")[0]
            return (Site(sites[0].file, int(origin)), *sites[1:]) if origin else ()
        return tuple(sites)

    def _find(self, element: Element, above: Matrix) -> Iterator[Drawn]:
        """Yield what is drawn by an element and those in it."""
        group: Drawn | None = None
        for each in element.children:
            if element.attributes.get(MARK, "")[:1] not in ("^", "+") and each.attributes.get(MARK, "")[:1] in (
                "^",
                "+",
            ):
                if each.attributes[MARK].startswith("^"):
                    if group:
                        yield group
                    group = Drawn(FUNCTION, (), None, self.sites[each.number], Box(0, 0, 0, 0), (), above)
                inside = list(self._find_in(each, above))
                if group and inside:
                    points = (*group.points, *(point for one in inside for point in one.points))
                    elements = (*group.elements, *(one for part in inside for one in part.elements))
                    group = group._replace(points=points, elements=elements, box=_around(points))
                continue
            if group and group.points:
                yield group
            group = None
            yield from self._find_in(each, above)
        if group and group.points:
            yield group

    def _find_in(self, element: Element, above: Matrix) -> Iterator[Drawn]:
        if element.tag in _NOT_DRAWN:
            return
        matrix = (
            multiply(above, parse_transform(element.attributes["transform"]))
            if "transform" in element.attributes
            else above
        )
        try:
            points, box = self._points(element, matrix)
        except ValueError:  # what is not drawn is reported elsewhere
            points, box = (), None
        if points:
            sites = self.sites[element.number]
            is_function = element.attributes.get(MARK, "")[:1] in ("^", "+")
            site, calls = (None, sites) if is_function else (sites[0] if sites else None, sites[1:])
            scale = float(element.attributes.get(ORIGIN, "").partition(":")[2] or 1)
            units = multiply(matrix, (scale, 0, 0, scale, 0, 0))
            yield Drawn(element.tag, (element,), site, calls, box or _around(points), points, units)
        yield from self._find(element, matrix)

    def _points(self, element: Element, matrix: Matrix) -> tuple[tuple[tuple[float, float], ...], Box | None]:
        """Return the points that place an element on the card, and the box around it if that is another one."""
        value = element.attributes
        if element.tag in SHAPE_TAGS:
            numbers = [command[1:] for command in outline_of(element, self._metrics)]
            flat = [pair for each in numbers for pair in zip(each[::2], each[1::2], strict=True)]
            return tuple(apply(matrix, x, y) for x, y in flat), None
        if element.tag == "text":
            start = _START.match(self._content, element.start)
            inner = self._content[start.end() if start else element.start : element.close].decode("utf-8", "replace")
            box = self._text_box(BoxElement("text", value, inner, matrix))
            return ((apply(matrix, float(value["x"]), float(value["y"])),), box) if box else ((), None)
        if element.tag == "cg:text" and "path" in value:
            x, y, r = (float(value[name]) for name in ("cx", "cy", "r"))
            corners = Box(x - r, y - r, 2 * r, 2 * r)
        elif element.tag in _BOXES:
            corners = Box(*(float(value.get(name, "0")) for name in ("x", "y", "width", "height")))
        else:
            return (), None
        ends = (
            (corners.x, corners.y),
            (corners.right, corners.y),
            (corners.x, corners.bottom),
            (corners.right, corners.bottom),
        )
        return tuple(apply(matrix, *each) for each in ends), mapped_box(corners, matrix)


def _around(points: Iterable[tuple[float, float]]) -> Box:
    return joined_box(Box(x, y, 0, 0) for x, y in points) or Box(0, 0, 0, 0)


# Edits of the source that move and resize what is drawn.

# What is nearer than this is the same place, in mm.
SAME = 0.006
_ROLE_OF = {"x": "x", "cx": "x", "x1": "x", "x2": "x", "y": "y", "cy": "y", "y1": "y", "y2": "y",
            "width": "width", "rx": "width", "r": "width", "height": "height", "ry": "height"}  # fmt: skip
# What macros and functions call their parameters, by what these do, the likeliest first.
_PARAMETERS = {
    "x": ("x", "cx", "left", "middle", "right", "x1"),
    "y": ("y", "cy", "top", "middle", "bottom", "y1"),
    "width": ("width", "wide", "w", "size", "r", "radius", "d"),
    "height": ("height", "high", "h"),
}
# Arguments that are tried for one number.
_MOST_TRIES = 6
_LITERAL = re.compile(r"\s*(-?(?:\d+\.?\d*|\.\d+))\s*")
_PRINTED = re.compile(r"\{\{[-+]?((?:(?!\{\{|\}\}).|\n)*?)[-+]?\}\}")
_ROUNDED = re.compile(r"\s*\((?P<inside>.*)\)\s*\|\s*round\(\s*(?P<places>\d)\s*\)\s*", re.DOTALL)
_TIGHT = (
    nodes.BinExpr,
    nodes.UnaryExpr,
    nodes.Name,
    nodes.Getattr,
    nodes.Getitem,
    nodes.Call,
    nodes.Filter,
    nodes.Const,
)
_LOOSE = (nodes.And, nodes.Or, nodes.Not)


class PlacementError(ValueError):
    """Why something cannot be moved by hand, with the line to look at.

    With `is_question`, it can, but that changes all cards that are drawn with the macro at that line.
    """

    def __init__(self, message: str, line: int = 0, *, is_question: bool = False) -> None:
        super().__init__(message)
        self.line, self.is_question = line, is_question


class Placed(NamedTuple):
    """The text of a template after a gesture, what is drawn with it, and what moved along, in words."""

    text: str
    trace: Trace
    note: str


class _Edit(NamedTuple):
    """A new text for a part of a file that changes what a place draws."""

    start: int
    end: int
    text: str
    site: Site
    how: str


LITERAL, FORMULA, CALL, DEFINITION = "literal", "formula", "call", "definition"


def shifted(expression: str, way: float, *, is_rounded: bool = True) -> str:
    """Return an expression whose value is larger by a way: a number at its end is changed, or else one is added.

    With `is_rounded`, the sum is rounded if the expression is, unless rounding would change the way. Raises
    ValueError if it is not an expression.
    """
    body = expression.strip()
    before, after = expression[: len(expression) - len(expression.lstrip())], expression[len(expression.rstrip()) :]
    if match := _LITERAL.fullmatch(body):
        return f"{before}{number_text(float(match[1]) + way)}{after}"
    match = _ROUNDED.fullmatch(body) if is_rounded else None
    if match and _is_balanced(match["inside"]) and abs(round(way, int(match["places"])) - way) < 1e-9:
        inside = shifted(match["inside"], way)
        return f"{before}{body[: match.start('inside')]}{inside}{body[match.end('inside') :]}{after}"
    try:
        (output,) = PLAIN.parse(f"{{{{ {body} }}}}").body
    except TemplateSyntaxError as error:
        raise ValueError(str(error)) from None
    node = output.nodes[0] if isinstance(output, nodes.Output) else output
    tokens = tokens_of(body)
    if isinstance(node, nodes.Add | nodes.Sub) and isinstance(node.right, nodes.Const):
        *_, sign, last = tokens
        if sign.text in ("+", "-") and last.kind in ("integer", "float"):
            number = float(node.right.value) * (-1 if sign.text == "-" else 1) + way
            rest = body[: sign.start].rstrip()
            if abs(number) < 0.0005:
                return f"{before}{rest}{after}"
            return f"{before}{rest} {'-' if number < 0 else '+'} {number_text(abs(number))}{after}"
    if not isinstance(node, _TIGHT) or isinstance(node, _LOOSE):
        body = f"({body})"
    return f"{before}{body} {'-' if way < 0 else '+'} {number_text(abs(way))}{after}"


def _is_balanced(text: str) -> bool:
    """Return whether the parentheses of a text match without those around it."""
    depth = 0
    for character in re.sub(r"\"[^\"]*\"|'[^']*'", "", text):
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return False
    return depth == 0


def _ways_to_shift(expression: str, way: float) -> Iterator[str]:
    """Yield expressions whose value is larger by a way; none if it is not an expression."""
    with suppress(ValueError):
        yield from dict.fromkeys(shifted(expression, way, is_rounded=is_rounded) for is_rounded in (True, False))


def _shifted_values(value: str, way: float) -> Iterator[tuple[str, str]]:
    """Yield values of an attribute that are larger by a way, and how they are; none if it is mixed with text."""
    if _LITERAL.fullmatch(value):
        yield shifted(value, way), LITERAL
    elif printed := _PRINTED.fullmatch(value.strip()):
        start = value.index("{{") + printed.start(1)
        for each in _ways_to_shift(printed[1], way):
            yield value[:start] + each + value[start + len(printed[1]) :], FORMULA


@dataclass(frozen=True)
class TemplateEditor:
    """Moves what a template's file draws, by editing the file.

    Each of `draws` draws a card with a text of the file, or returns None if that is impossible; the first card is the
    one that is seen. What a file outside of the `root` draws cannot be moved.
    """

    file: Path
    root: Path
    draws: Sequence[Callable[[str], Trace | None]]

    def placed_boxes(self, text: str, trace: Trace) -> tuple[PlacedBox, ...]:
        """Return the boxes of a drawing."""
        source = read_source(_with_line_feeds(text))
        found = []
        for each in trace.boxes:
            own = next((site for site in each.sites if self.is_here(site)), None)
            at: Any = tuple(round(number, 3) for number in each.box)
            found.append(PlacedBox(_name_of(each), source.line(own.offset) if own else 0, at))
        return tuple(found)

    def place(self, text: str, index: int, at: At, *, confirmed: bool = False) -> Placed:
        """Return the text with which a box is at another place, and nothing else has changed but what moves along.

        Raises PlacementError if that is impossible.
        """
        plain = _with_line_feeds(text)
        before = self._drawn(plain)
        if not 0 <= index < len(before.boxes):
            raise PlacementError("the box does not exist any more")
        drawn = before.boxes[index]
        goal = tuple(new if abs(new - old) >= SAME else old for new, old in zip(at, drawn.box, strict=True))
        attempt = _Attempt(self, plain, before, index, goal, confirmed)  # type: ignore[arg-type]
        edits = attempt.run()
        after = _with_edits(plain, edits)
        trace = self._drawn(after)
        changed = attempt.others(trace)
        for draw in self.draws[1:]:
            one, other = draw(plain), draw(after)
            if one and (other is None or not _is_same(one, other, {each.site[:2] for each in edits})):
                raise PlacementError("it would change other parts of other cards; edit the text", attempt.line)
        return Placed(_with_edits(text, _in_lines_of(text, edits)), trace, attempt.note(edits, changed))

    def is_here(self, site: Site) -> bool:
        """Return whether a place is in the file that is edited."""
        return site.file == str(self.file)

    def _drawn(self, text: str) -> Trace:
        trace = self.draws[0](text) if self.draws else None
        if trace is None:
            raise PlacementError("the card cannot be drawn with this text")
        return trace


def _with_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _in_lines_of(text: str, edits: Sequence[_Edit]) -> list[_Edit]:
    """Return edits of a text whose lines end with a line feed as those of the text as it is written."""
    ends = [match.start() - number for number, match in enumerate(re.finditer("\r\n", text))]
    return [
        each._replace(start=each.start + bisect(ends, each.start - 1), end=each.end + bisect(ends, each.end - 1))
        for each in edits
    ]


def _with_edits(text: str, edits: Sequence[_Edit]) -> str:
    for each in sorted(edits, reverse=True):
        text = text[: each.start] + each.text + text[each.end :]
    return text


def _is_same(before: Trace, after: Trace, places: set[tuple[object, ...]]) -> bool:
    """Return whether two drawings differ only in what some places draw."""
    if len(before.elements) != len(after.elements):
        return False
    return all(
        (one.tag == other.tag and places & {each[:2] for each in before.sites[one.number]})
        or _plain(one) == _plain(other)
        for one, other in zip(before.elements, after.elements, strict=True)
    )


def _plain(element: Element) -> object:
    """Return an element without its marks and the elements in it."""
    attributes = {key: value for key, value in element.attributes.items() if key not in (MARK, ORIGIN)}
    return element.tag, attributes, [each for each in element.content if isinstance(each, str)]


def _name_of(drawn: Drawn) -> str:
    value = drawn.elements[0].attributes
    if drawn.tag == FUNCTION:
        return drawn.calls[0].name or "drawing"
    if value.get("field"):
        return f"field {value['field']}"
    if drawn.tag in ("cg:text", "text"):
        return f"text {shorten(' '.join(drawn.elements[0].text.split()), 30)}"
    name = {"cg:art": "picture", "image": "picture", "cg:field": "form field"}.get(drawn.tag, drawn.tag)
    macro = next((each.name.rpartition(".")[2] for each in drawn.calls if each.name), "")
    return f"{name} of {macro}" if macro else name


class _Attempt:
    """One try to move a box, of which all edits are known before the first one is made."""

    def __init__(self, editor: TemplateEditor, text: str, before: Trace, index: int, goal: At, confirmed: bool) -> None:
        self._editor, self._text, self._before, self._index = editor, text, before, index
        self._goal, self._confirmed = Box(*goal), confirmed
        self._drawn = before.boxes[index]
        own = next((each for each in self._drawn.sites if editor.is_here(each)), None)
        self.line = read_source(text).line(own.offset) if own else 0

    def run(self) -> list[_Edit]:
        """Return the edits. Raises PlacementError if there are none that do exactly what they should."""
        ways = self._ways()
        options = {name: list(self._candidates(name, way)) for name, way in ways.items()}
        if self._is_scaled and options["width"]:
            options = self._scaled(ways["width"])
        for name, found in options.items():
            if not found:
                raise self._refusal(name)
        edits = [found[0] for found in options.values()]
        if not self._is_reached(edits):
            edits = [self._first_that_works(found, options) for found in options.values()]
            if not self._is_reached(edits):
                raise self._failure(next(iter(options)))
        if not self._confirmed and any(each.how == DEFINITION for each in edits):
            source = read_source(self._text)
            macro = source.macro_at(self._drawn.site.offset) if self._drawn.site else ""
            raise PlacementError(f"its place is fixed in the macro '{macro}'", self.line, is_question=True)
        return edits

    @property
    def _is_scaled(self) -> bool:
        """Return whether what a function draws changes its size; its height follows from its width."""
        return self._drawn.tag == FUNCTION and self._goal[2:] != self._drawn.box[2:]

    def _scaled(self, way: float) -> dict[str, list[_Edit]]:
        """Return the edits that scale what a function draws, and put it back where its corner was."""
        box, asked = self._drawn.box, 2 if self._goal.width != self._drawn.box.width else 3
        wanted = self._goal[asked] - box[asked]
        for _ in range(2):
            options = {"width": list(self._candidates("width", way))}
            after = self._after(options["width"][:1])
            if after is None or after.box[asked] == box[asked]:
                break
            # The argument may be the size of more than what is seen.
            way *= wanted / (after.box[asked] - box[asked])
        if after is None or abs(after.box[asked] - self._goal[asked]) >= SAME:
            return options
        self._goal = self._goal._replace(width=after.box.width, height=after.box.height)
        left = self._goal.x - after.box.x, self._goal.y - after.box.y
        scale = self._drawn.matrix[0], self._drawn.matrix[3]
        moves = {name: each / size for name, each, size in zip("xy", left, scale, strict=True) if abs(each) > SAME}
        return options | {name: list(self._candidates(name, each)) for name, each in moves.items()}

    def _ways(self) -> dict[str, float]:
        """Return what to add to which numbers of the element."""
        box, goal, tag = self._drawn.box, self._goal, self._drawn.tag
        a, b, c, d, *_ = inverse((*self._drawn.matrix[:4], 0, 0))
        wider, higher = goal.width - box.width, goal.height - box.height
        is_resized = abs(wider) + abs(higher) > 0
        if is_resized and (abs(b) > 1e-9 or abs(c) > 1e-9):
            raise PlacementError("it is turned, so its size cannot be changed by hand", self.line)
        across, down = goal.x - box.x, goal.y - box.y
        if tag == "text" and is_resized:
            raise PlacementError("its style sets the size of a line of text", self.line)
        is_bent = tag == "cg:text" and "path" in self._drawn.elements[0].attributes
        if tag in ("circle", "ellipse") or is_bent:
            wide, high = wider / 2, higher / 2
            if tag != "ellipse" and is_resized:
                if wide and high and abs(wide - high) > SAME:
                    raise PlacementError("a circle is as wide as it is high", self.line)
                wide = high = wide or high
                self._goal = Box(goal.x, goal.y, box.width + 2 * wide, box.height + 2 * wide)
            across, down = across + wide, down + high
            sizes = {"rx": wide * abs(a), "ry": high * abs(d)} if tag == "ellipse" else {"r": wide * abs(a)}
            names = ("cx", "cy")
        elif tag == "line":
            raise_ends = self._line_ways(across, down, wider, higher)
            return {name: way for name, way in raise_ends.items() if abs(way) > 1e-9}
        elif self._is_scaled:
            return {"width": (wider or higher * box.width / box.height) * abs(a)}
        else:
            sizes = {"width": wider * abs(a), "height": higher * abs(d)}
            names = ("x", "y")
            # Of an element that is mirrored, the other corner is written.
            across += wider if a < 0 else 0
            down += higher if d < 0 else 0
        ways = {names[0]: a * across + c * down, names[1]: b * across + d * down, **sizes}
        return {name: way for name, way in ways.items() if abs(way) > 1e-9}

    def _line_ways(self, across: float, down: float, wider: float, higher: float) -> dict[str, float]:
        a, b, c, d, *_ = inverse((*self._drawn.matrix[:4], 0, 0))
        ends = self._drawn.points[0], self._drawn.points[-1]
        ways = {}
        for number, end in enumerate(ends):
            other = ends[1 - number]
            x = across + (wider if (end[0], number) > (other[0], 1 - number) else 0)
            y = down + (higher if (end[1], number) > (other[1], 1 - number) else 0)
            ways[f"x{number + 1}"], ways[f"y{number + 1}"] = a * x + c * y, b * x + d * y
        return ways

    def _candidates(self, name: str, way: float) -> Iterator[_Edit]:
        """Yield edits that could add a way to a number of the element, the most local one first."""
        drawn, role = self._drawn, _ROLE_OF[name]
        site, value = drawn.site, ""
        source, span = self._source(site) if site else None, (-1, -1)
        if site and source and site.offset in source.tags:
            span = source.tags[site.offset].attributes.get(name, (-1, -1))
            value = source.text[slice(*span)] if span[0] >= 0 else ""
        macro = source.macro_at(site.offset) if site and source else ""
        if site and source and macro:
            is_written = drawn.tag in (*_BOXES, "text", "rect", "circle", "ellipse", "line")
            names = source.sources_of(names_in(value if is_written else self._all_values(source, site)), macro)
            known = names if is_written else [each for each in names if each in _PARAMETERS[role]]
            yield from self._arguments(drawn.calls, known, name, way)
        elif site is None:
            yield from self._arguments(drawn.calls, [*_PARAMETERS[role]], name, way)
        if site and self._editor.is_here(site) and span[0] >= 0:
            for text, how in _shifted_values(value, way):
                yield _Edit(*span, text, site, DEFINITION if macro else how)

    def _all_values(self, source: TemplateSource, site: Site) -> str:
        tag = source.tags.get(site.offset)
        return " ".join(source.text[slice(*span)] for span in tag.attributes.values()) if tag else ""

    def _arguments(self, calls: Sequence[Site], names: Sequence[str], name: str, way: float) -> Iterator[_Edit]:
        """Yield edits of arguments that are passed for some names, from the innermost call outward."""
        if not calls or not calls[0].parameters:
            return
        site, source = calls[0], self._source(calls[0])
        call = call_in(source.text[site.offset : source.values.get(site.offset, site.offset)])
        if call is None:
            return
        likely = (name, *_PARAMETERS[_ROLE_OF[name]])
        known = [each for each in names if each in site.parameters]
        known.sort(key=lambda each: likely.index(each) if each in likely else len(likely))
        macro = source.macro_at(site.offset)
        for each in known[:_MOST_TRIES]:
            argument = _argument(call, site.parameters.index(each), each)
            if argument is None:
                continue
            start, end = site.offset + argument.start, site.offset + argument.end
            written = source.text[start:end]
            if self._editor.is_here(site):
                for text in _ways_to_shift(written, way):
                    yield _Edit(start, end, text, site, CALL)
            if macro:
                inner = source.sources_of(names_in(f"{{{{ {written} }}}}"), macro)
                yield from self._arguments(calls[1:], inner, name, way)

    def _source(self, site: Site) -> TemplateSource:
        is_here = self._editor.is_here(site)
        return read_source(self._text if is_here else _with_line_feeds(template_text(Path(site.file))))

    def _first_that_works(self, found: Sequence[_Edit], options: Mapping[str, Sequence[_Edit]]) -> _Edit:
        """Return the first edit for one number that alone moves the element the right way, or the first one."""
        name = next(name for name, edits in options.items() if edits is found)
        for each in found if len(found) > 1 else ():
            after = self._after([each])
            if after is not None and self._is_right(name, after):
                return each
        return found[0]

    def _after(self, edits: Sequence[_Edit]) -> Drawn | None:
        """Return the element after edits; None if they change something else."""
        ranges = sorted((each.start, each.end) for each in edits)
        if any(end > start for (_, end), (start, _) in pairwise(ranges)):
            return None
        trace = self._editor.draws[0](_with_edits(self._text, edits))
        if trace is None or len(trace.boxes) != len(self._before.boxes):
            return None
        if not _is_same(self._before, trace, {each.site[:2] for each in edits}):
            return None
        return trace.boxes[self._index]

    def _is_right(self, name: str, after: Drawn) -> bool:
        """Return whether one number of the element has changed as it should, and no other one."""
        old, new = self._drawn.elements[0].attributes, after.elements[0].attributes
        if name in old and name in new:
            place = ("x", "y", "cx", "cy", "x1", "x2", "y1", "y2", "width", "height", "r", "rx", "ry")
            way = self._ways()[name]
            try:
                return all(
                    abs(float(new.get(each, 0)) - float(old.get(each, 0)) - (way if each == name else 0)) < SAME
                    for each in place
                )
            except ValueError:
                return False
        axis = {"x": 0, "y": 1, "width": 2, "height": 3}[_ROLE_OF[name]]
        ways = [new - old for new, old in zip(after.box, self._drawn.box, strict=True)]
        wanted = [new - old for new, old in zip(self._goal, self._drawn.box, strict=True)]
        return abs(ways[axis] - wanted[axis]) < SAME and (axis > 1 or max(map(abs, ways[2:])) < SAME)

    def _is_reached(self, edits: Sequence[_Edit]) -> bool:
        after = self._after(edits)
        if after is None or any(abs(new - old) >= SAME for new, old in zip(after.box, self._goal, strict=True)):
            return False
        if self._goal[2:] != self._drawn.box[2:]:
            return True
        way = self._goal.x - self._drawn.box.x, self._goal.y - self._drawn.box.y
        pairs = zip(self._drawn.points, after.points, strict=False)
        return len(after.points) == len(self._drawn.points) and all(
            abs(new[axis] - old[axis] - way[axis]) < SAME for old, new in pairs for axis in (0, 1)
        )

    def _failure(self, name: str) -> PlacementError:
        """Return why no edit has moved the element as it should."""
        if self._drawn.site and not self._editor.is_here(self._drawn.site):
            return self._refusal(name)
        return PlacementError("drawing it again has not moved it as it should; edit the text", self.line)

    def _refusal(self, name: str) -> PlacementError:
        """Return why a number cannot be changed."""
        drawn = self._drawn
        for site in drawn.sites:
            if not self._editor.is_here(site):
                path, line = Path(site.file), self._source(site).line(site.offset)
                advice = "open it to move it" if path.is_relative_to(self._editor.root) else "copy it first"
                name = f"{path.parent.name}/{path.name}"
                return PlacementError(f"it is drawn by {name}, line {line}; {advice}", self.line)
        what = "path" if drawn.tag in SHAPE_TAGS else "drawing"
        if drawn.tag in (*_BOXES, "text", "rect", "circle", "ellipse", "line"):
            return PlacementError(
                f"its '{name}' is not a number or one formula; edit it at line {self.line}", self.line
            )
        return PlacementError(f"it is drawn as a {what} at line {self.line}; edit it there", self.line)

    def others(self, after: Trace) -> int:
        """Return how many other boxes have changed."""
        pairs = zip(self._before.boxes, after.boxes, strict=False)
        return sum(one.box != other.box for number, (one, other) in enumerate(pairs) if number != self._index)

    def note(self, edits: Sequence[_Edit], others: int) -> str:
        """Return what has changed besides the element, in words."""
        words = []
        call = next((each for each in edits if each.how == CALL), None)
        if call and others:
            words.append(f"moves the whole '{call.site.name.rpartition('.')[2]}'")
        elif others:
            words.append(f"moves all {others + 1} that this line draws")
        hows = {each.how for each in edits}
        if DEFINITION in hows:
            words.append(f"changed inside a macro, line {self.line}")
        elif FORMULA in hows:
            words.append(f"offset from a formula, line {self.line}")
        return "; ".join(words)


def _argument(call: Call, index: int, name: str) -> Argument | None:
    for place, each in enumerate(call.arguments):
        if each.name == name or (not each.name and place == index):
            return each
    return None
