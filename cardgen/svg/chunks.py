"""Rendered templates split into chunks of artwork and cg: elements, with bounded references.

Items are in paint order. Every child of the root is a chunk, copied byte for byte from the source, except for what HTML
reads differently from XML. A group that contains boxes is split at each box; the parts between are wrapped in the
group's own tags again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from html import escape
from itertools import islice
from typing import NamedTuple

from cardgen.runtime.installation import FAST
from cardgen.svg import subset
from cardgen.svg.scene import outline_of, path_data, transformed
from cardgen.svg.subset import style_fault
from cardgen.svg.tree import (
    CHUNK,
    TEMPLATE,
    Element,
    Metrics,
    SvgError,
    Tree,
    box_matrix,
    parse_aspect,
    parse_number,
    parse_reference,
    parse_share,
    parse_transform,
    read_style,
    read_tree,
)
from cardgen.units import IDENTITY, Box, Matrix, Size, multiply

# A limit, because chunks repeat the groups around them, and the definitions and style sheets that they need.
MAX_ARTWORK_BYTES = 16 << 20
_TAG = re.compile(rb"""<[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>""")


class Chunk(NamedTuple):
    """Artwork, with the definitions and style sheet it needs."""

    body: bytes


class BoxElement(NamedTuple):
    """A `cg:text` or other box element, with the matrix of its groups."""

    tag: str
    attributes: dict[str, str]
    content: str
    matrix: Matrix


class SvgPieces(NamedTuple):
    """Items of (a part of) a template, without their definitions.

    `elements` is the number of elements.
    """

    items: tuple[Chunk | BoxElement, ...]
    definitions: dict[str, bytes]
    style: bytes
    elements: int


def parse(source: bytes) -> SvgPieces:
    """Parse an SVG document.

    Raises SvgError for SVG that is not well-formed or that would not be drawn as written.
    """
    return _Splitter(source, read_tree(source, TEMPLATE, partial=True)).run()


# Elements that are drawn only where another element refers to them, and children of the root that are not chunks.
DEFINITION_TAGS = frozenset({"clipPath", "mask", "pattern", "marker", "symbol", "linearGradient", "radialGradient"})
_UNPAINTED = frozenset({"defs", "style", *DEFINITION_TAGS})
_WITH_TEXT = subset.BOX_TAGS | {"style"}
_SILENT = ("title", "desc", "metadata")


class _Splitter:
    """Reads the elements of a template in order; the first fault is that of its SVG."""

    def __init__(self, svg: bytes, tree: Tree) -> None:
        self._svg = svg
        self._tree = tree
        self._items: list[Chunk | BoxElement] = []
        self._style = b""
        self._definitions: dict[str, bytes] = {}
        # The elements around the one that is being read, and the place of faults.
        self._above: list[Element] = []
        self._position = 0
        # The pending chunk: its start, the groups open there, and whether anything in it paints.
        self._start = -1
        self._prefix: list[Element] = []
        self._paints = False
        self._artwork_bytes = 0

    def run(self) -> SvgPieces:
        try:
            self._read(self._tree.root, IDENTITY)
        except SvgError as fault:
            fault.offset = self._position if fault is not self._tree.error else fault.offset
            raise
        if self._tree.error:
            raise self._tree.error
        return SvgPieces(tuple(self._items), self._definitions, self._style, len(self._tree.elements))

    def _read(self, element: Element, matrix: Matrix) -> None:
        tag, depth = element.tag, len(self._above)
        self._position = element.start
        self._require_allowed(element)
        if depth == 1 and tag not in _UNPAINTED:
            self._begin(element.start)
        if tag in subset.BOX_TAGS:
            self._require_plain_groups(tag)
            self._flush(element.start)
        elif tag == "g" and "transform" in element.attributes:
            matrix = _group_matrix(matrix, element.attributes["transform"])
        self._paints = self._paints or tag in subset.DRAWING_TAGS
        self._above.append(element)
        for index, each in enumerate(element.content):
            if isinstance(each, Element):
                self._read(each, matrix)
            elif tag not in _WITH_TEXT and tag not in _SILENT and each.strip():
                self._position = self._after(element, index)
                raise SvgError(f"'{each.strip()[:40]}' is outside any text box", each.strip()[:40])
        self._above.pop()
        if element.close < 0 and self._tree.error:
            raise self._tree.error
        self._position = element.close
        self._end(element, depth, matrix)

    def _require_allowed(self, element: Element) -> None:
        tag = element.tag
        fault = subset.element_fault(tag, element.attributes)
        if fault:
            raise SvgError(fault, f"<{tag}")
        if self._above and self._above[-1].tag in _WITH_TEXT:
            raise SvgError(f"<{self._above[-1].tag}> can contain only marked-up text, not <{tag}>", f"<{tag}")

    def _end(self, element: Element, depth: int, matrix: Matrix) -> None:
        if element.tag in subset.BOX_TAGS:
            self._items.append(_box(element, matrix, self._tree))
            if depth > 1:
                self._begin(self._end_of(element))
        elif element.tag == "style":
            fault = style_fault(element.text, subset.PROPERTIES, is_attribute=False)
            if fault:
                raise SvgError(fault, "<style")
            self._style += f"<style>{escape(element.text, quote=False)}</style>".encode()
        elif self._is_definition(element, depth) and "id" in element.attributes:
            self._definitions[element.attributes["id"]] = _as_in_html(self._svg[element.start : self._end_of(element)])
        if depth == 1:
            self._flush(self._end_of(element))

    def _is_definition(self, element: Element, depth: int) -> bool:
        """Return whether an element is a definition of the whole drawing."""
        return (depth == 2 and self._above[1].tag == "defs") or (depth == 1 and element.tag in DEFINITION_TAGS)

    def _after(self, element: Element, index: int) -> int:
        """Return the position of what follows a text in an element."""
        following = next((each for each in element.content[index:] if isinstance(each, Element)), None)
        if following is not None:
            return following.start
        return element.close if self._tree.error is None or element.close >= 0 else self._tree.error.offset

    def _begin(self, position: int) -> None:
        self._start, self._prefix, self._paints = position, self._above[1:], False

    def _flush(self, end: int) -> None:
        """Close the pending chunk before `end`, unless it paints nothing."""
        if self._start >= 0 and self._paints:
            closers = b"".join(b"</%s>" % element.tag.encode() for element in reversed(self._above[1:]))
            openers = b"".join(map(self._tag_source, self._prefix))
            self._artwork_bytes += len(openers) + end - self._start + len(closers)
            if self._artwork_bytes > MAX_ARTWORK_BYTES:
                raise SvgError("the artwork, including the groups around its parts, is too large", "<g")
            self._items.append(Chunk(_as_in_html(openers + self._svg[self._start : end] + closers)))
        self._start, self._paints = -1, False

    def _require_plain_groups(self, tag: str) -> None:
        for element in self._above[1:]:
            refused = element.attributes.keys() - subset.BOX_GROUP_ATTRIBUTES
            if element.tag != "g" or refused:
                what = f"<g {sorted(refused)[0]}=…>" if element.tag == "g" else f"<{element.tag}>"
                message = f"<{tag}> cannot be inside {what}; groups around it can have only transform, class, and id"
                raise SvgError(message, f"<{tag}")

    def _tag_source(self, element: Element) -> bytes:
        return self._svg[element.start : _tag_end(self._svg, element.start)]

    def _end_of(self, element: Element) -> int:
        """Return the position after an element."""
        return element.close if self._tag_source(element).endswith(b"/>") else _tag_end(self._svg, element.close)


_READ_DIFFERENTLY = re.compile(rb"<(?:[!?]|style|title|desc|metadata)")


def _as_in_html(source: bytes) -> bytes:
    """Return artwork without what HTML reads differently from XML, such as the ends of comments and CDATA.

    Titles are left out, because HTML inside them is live, and style sheets, because each chunk has them before it.
    """
    # Each tag has one '<' and one '>', and an attribute can have more of the latter.
    if not _READ_DIFFERENTLY.search(source) and source.count(b"<") == source.count(b">"):
        return source
    root = read_tree(b"<svg>" + source + b"</svg>", CHUNK).root
    return "".join(_written_anew(root.content)).encode()


# Characters that would be spaces in an attribute.
_REFERENCES = {ord(character): f"&#{ord(character)};" for character in "\t\n\r"}


def _written_anew(content: Iterable[Element | str]) -> Iterator[str]:
    for each in content:
        if isinstance(each, str):
            yield escape(each, quote=False)
        elif each.tag not in _SILENT and each.tag != "style":
            attributes = (
                f' {name}="{escape(value).translate(_REFERENCES)}"' for name, value in each.attributes.items()
            )
            inside = "".join(_written_anew(each.content))
            yield f"<{each.tag}{''.join(attributes)}" + (f">{inside}</{each.tag}>" if inside else "/>")


def _box(element: Element, matrix: Matrix, tree: Tree) -> BoxElement:
    """Return the box of an element; a picture of SVG becomes a `cg:art`. Raises SvgError for one that cannot."""
    if element.tag == "image":
        inner = element.attributes.get("transform", "")
        return BoxElement("cg:art", art_attributes(element, tree.ids), "", _group_matrix(matrix, inner))
    attributes = shared_attributes(tuple(element.attributes.items()))
    return BoxElement(element.tag, attributes, element.text, matrix)


# What a preserveAspectRatio is as the `fit` of a picture.
_FITS = {"none": "stretch", "meet": "meet", "slice": "cover"}
_PLAIN_DISPLAY = frozenset({"inline", "block"})
# Shapes in the clip path of a picture.
_MAX_CLIP_SHAPES = 1_000


def art_attributes(image: Element, ids: Mapping[str, Element]) -> dict[str, str]:
    """Return the attributes of the `cg:art` that an `image` is; its file is `href`, beside the template.

    Raises SvgError for what no picture can have.
    """
    given = image.attributes
    style = read_style(given.get("style", "")) or image.style
    refused = style.keys() - {"opacity", "clip-path", "image-rendering", "display"}
    if refused or style.get("display", "inline") not in _PLAIN_DISPLAY:
        name = min(refused, default="display")
        raise SvgError(f"the property '{name}' of <image> is not supported", f"{name}:")
    missing = next((name for name in ("width", "height") if name not in given), None)
    if missing:
        raise SvgError(f"<image> needs the attribute '{missing}'", "<image")
    href = given.get("href", given.get("xlink:href", "")).strip()
    if not href:
        raise SvgError("<image> has no picture; add an 'href', and test 'if' first if a card may lack it", "<image")
    made: dict[str, str] = {"x": "0", "y": "0"}
    made |= {name: given[name] for name in ("x", "y", "width", "height") if name in given}
    try:
        method, across, down = parse_aspect(given.get("preserveAspectRatio", "").strip())
        opacity = parse_share(style.get("opacity", given.get("opacity", "1")))
        clip = style.get("clip-path", given.get("clip-path", "none"))
        if clip != "none":
            sides = Box(*(parse_number(made[name]) for name in ("x", "y", "width", "height")))
            made["mask"] = _clip_mask(clip, ids, sides)
    except SvgError:
        raise
    except ValueError as error:
        raise SvgError(f"<image>: {error}", "<image") from None
    if opacity < 1:
        made["opacity"] = f"{opacity:g}"
    return {**made, "href": href, "fit": _FITS[method], "focus": f"{across:g} {down:g}"}


def _clip_mask(text: str, ids: Mapping[str, Element], box: Box) -> str:
    """Return the outline of a clip path, as the mask of a picture in a box. Raises ValueError if it has none."""
    reference = parse_reference(text)
    clip = ids.get(reference.name) if reference else None
    if clip is None or clip.tag != "clipPath":
        raise ValueError(f"its clip-path '{text[:40]}' is not a <clipPath> of the same template")
    if "clip-path" in clip.attributes or len(clip.children) > _MAX_CLIP_SHAPES:
        raise ValueError("its clip path has a clip path of its own, or too many shapes")
    whole = parse_transform(clip.attributes.get("transform", ""))
    if clip.attributes.get("clipPathUnits") == "objectBoundingBox":
        whole = multiply(whole, box_matrix(box))
    data = ""
    for shape in clip.children:
        if shape.tag in _SILENT:
            continue
        given = {**shape.attributes, **(read_style(shape.attributes.get("style", "")) or shape.style)}
        if shape.tag not in subset.DRAWING_TAGS - {"use"} or given.get("clip-path", "none") != "none":
            raise ValueError(f"its clip path contains <{shape.tag}>, which is not a plain shape; convert it to a path")
        matrix = multiply(whole, parse_transform(given.get("transform", "")))
        outline = transformed(outline_of(shape, Metrics(Size(box.width, box.height))), matrix)
        if given.get("clip-rule") == "evenodd" and sum(command == "M" for command, *_ in outline) > 1:
            raise ValueError("its clip path has the clip-rule 'evenodd'")
        # Parts that are left open are closed by a straight line.
        parts = (part.removesuffix("Z") for part in path_data(outline).split("M") if part)
        data += "".join(f"M{part}Z" for part in parts)
    return data or "M0 0Z"


@lru_cache(maxsize=1 << 10)
def shared_attributes(attributes: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Return the attributes of a box; equal ones are one object.

    Boxes have the same attributes on all cards; only their text differs.
    """
    return dict(attributes)


def _group_matrix(outer: Matrix, text: str) -> Matrix:
    try:
        return multiply(outer, parse_transform(text))
    except ValueError as error:
        raise SvgError(str(error), text) from None


def _tag_end(svg: bytes, position: int) -> int:
    """Return the position after the tag at `position`.

    Quoted values can contain '>'.
    """
    match = _TAG.match(svg, position)
    assert match, "expat found a tag here"
    return match.end()


_MOST_FAULTS = 50


def find_faults(svg: bytes, check_box: Callable[[BoxElement], object]) -> list[SvgError]:
    """Return the faults of all elements, with their offsets.

    `check_box` raises SvgError for an invalid text box, picture, and so on. What the parser refuses is the last fault,
    unless it is one of the others.
    """
    faults: list[SvgError] = []
    try:
        tree = read_tree(svg, TEMPLATE, partial=True)
        faults += islice(_element_faults(tree.root, tree, check_box), _MOST_FAULTS)
        _Splitter(svg, tree).run()
    except SvgError as error:
        if str(error) not in set(map(str, faults)):
            faults.append(error)
    return faults


def _element_faults(element: Element, tree: Tree, check_box: Callable[[BoxElement], object]) -> Iterator[SvgError]:
    tag, attributes = element.tag, element.attributes
    fault = subset.element_fault(tag, attributes)
    if fault:
        yield SvgError(fault, subset.fault_word(tag, fault), element.start)
    for child in element.children:
        yield from _element_faults(child, tree, check_box)
    if tag in subset.BOX_TAGS and not fault and element.close >= 0:
        try:
            check_box(_box(element, IDENTITY, tree))
        except SvgError as error:
            yield SvgError(str(error), error.culprit, element.start)


# FAST PATH. Reason: most children of a root, such as frames and backs, are the same on many cards, so each is parsed
# once and remembered. Gain: building 900 cards takes 3.0 s of processor time instead of 5.8 s; a kit of 49 cards takes
# the same within noise. Slow twin: parser.parse for the whole SVG.


# Children that are kept: a game has some thousands that recur, such as names of weapons.
_MAX_CHILDREN = 1 << 11
# Levels of elements in a child of the root; SVG with more is parsed as a whole.
_MAX_LEVELS = 8
_ID_REFERENCE = re.compile(rb"#([-\w.:]+)")
_SPACE = r"[ \t\r\n]*+"
# Groups are not possessive: Python before 3.11.5 goes on behind one that has failed.
_BETWEEN = rf"{_SPACE}(?:<!--(?:[^-]|-(?!-))*-->{_SPACE})*"
_ROOT_ENDS = re.compile(rf"{_BETWEEN}</svg{_SPACE}>{_BETWEEN}")

_Definitions = tuple[tuple[str, bytes], ...]


def split_svg(svg: str) -> tuple[Chunk | BoxElement, ...]:
    """Return the chunks and boxes of a rendered template, in paint order.

    Raises SvgError for SVG that is not well-formed or that would not be drawn as written.
    """
    try:
        pieces = _parse_children(svg) if FAST else None
    except ValueError:
        pieces = None
    # If anything is invalid or unusual, parse the SVG as a whole.
    return _complete_chunks(pieces or parse(_encoded(svg)))


def _encoded(svg: str) -> bytes:
    try:
        return svg.encode()
    except UnicodeEncodeError as error:
        raise SvgError(f"U+{ord(svg[error.start]):04X} is a surrogate, not a character") from None


def _parse_children(svg: str) -> SvgPieces | None:
    """Parse each child of the root once for all cards.

    Returns None if there are too many elements, or if the children cannot be told apart. Any part that is well-formed
    by itself was split correctly; raises ValueError for others.
    """
    start = svg.index(">") + 1
    *children, end = _child_pattern().findall(svg, start)
    if not _ROOT_ENDS.fullmatch(end):
        return None
    items, definitions, style, elements = list[Chunk | BoxElement](), dict[str, bytes](), b"", 0
    for pieces in (_parse_root(svg[:start]), *map(_parse_child, children)):
        own_items, own_definitions, own_style, own_elements = pieces
        items += own_items
        elements += own_elements
        if own_definitions or own_style:
            definitions |= own_definitions
            style += own_style
    return SvgPieces(tuple(items), definitions, style, 0) if elements < TEMPLATE.elements else None


@cache
def _child_pattern() -> re.Pattern[str]:
    """Return the pattern of a child of the root with preceding white space and comments, or of what follows the last.

    Start and end tags can have different names: a parser finds that out.
    """
    contents = "[^<]*+"
    for _ in range(_MAX_LEVELS):
        element = rf"<[^/!>][^>]*+(?:(?<=/)>|>{contents}</[^>]*+>)"
        contents = rf"[^<]*+(?:{element}[^<]*+)*"
    return re.compile(rf"{_BETWEEN}{element}|(?s:.++)")


@lru_cache(maxsize=1 << 6)
def _parse_root(root: str) -> SvgPieces:
    return parse(root.encode() + b"</svg>")


@lru_cache(maxsize=_MAX_CHILDREN)
def _parse_child(source: str) -> SvgPieces:
    box = read_plain_box(source)
    if box:
        return SvgPieces((box,), {}, b"", 2)
    return read_plain_artwork(source) or parse(b"<svg>" + source.encode() + b"</svg>")


def _complete_chunks(pieces: SvgPieces) -> tuple[Chunk | BoxElement, ...]:
    completed: list[Chunk | BoxElement] = []
    size, definitions, style = 0, tuple(pieces.definitions.items()), pieces.style
    for item in pieces.items:
        if isinstance(item, Chunk):
            if definitions or style:
                item = _complete_chunk(item, definitions, style)
            size += len(item.body)
            if size > MAX_ARTWORK_BYTES:
                message = "the artwork, including the definitions and style sheets that it needs, is too large"
                raise SvgError(message, "<style")
        completed.append(item)
    return tuple(completed)


@lru_cache(maxsize=1 << 10)
def _complete_chunk(chunk: Chunk, definitions: _Definitions, style: bytes) -> Chunk:
    """Return a chunk with its style sheet and the definitions it needs.

    These include definitions that other definitions refer to.
    """
    sources = dict(definitions)
    needed, queue = set(), _references(chunk.body + style) if sources else []
    while queue:
        name = queue.pop()
        if name in sources and name not in needed:
            needed.add(name)
            queue += _references(sources[name])
    if not needed and not style:
        return chunk
    used = b"".join(source for name, source in definitions if name in needed)
    return Chunk(style + (b"<defs>" + used + b"</defs>" if used else b"") + chunk.body)


def _references(source: bytes) -> list[str]:
    return [name.decode() for name in _ID_REFERENCE.findall(source)]


MAX_REFERENCE_CHAIN = 16
MAX_EXPANDED_ELEMENTS = 20_000
_HREFS = ("href", "xlink:href")
# Matches references with and without url(): CairoSVG reads mask="#m" as mask="url(#m)".
_HREF_REFERENCE = re.compile(r"#([-\w.:]+)")
_ID = re.compile(rb"id\s*=")
_GRADIENTS = ("linearGradient", "radialGradient", "stop")


@dataclass(slots=True)
class _ReferencedElement:
    """An element, its number of elements, and its references.

    Elements with the same id count as one that contains them all, because CairoSVG decides which one is drawn.
    """

    name: str
    tag: str = ""
    elements: int = 1
    references: list[str] = field(default_factory=list)


def check_references(body: bytes) -> None:
    """Refuse artwork with circular, deep, or exploding references.

    Raises SvgError with a message for the user.
    """
    if b"#" not in body or _has_shallow_references(body):
        return
    tree = read_tree(b"<svg>" + body + b"</svg>", CHUNK)
    parts = {"": _ReferencedElement("")}
    _add_part(tree.root, parts[""], parts)
    for name in _HREF_REFERENCE.findall("".join(each.text for each in tree.elements if each.tag == "style")):
        if name in parts and parts[name].tag not in _GRADIENTS:
            message = f"a style sheet can refer only to gradients; write url(#{name}) on the elements themselves"
            raise SvgError(message, "<style")
    _expanded_size(parts[""], parts, {}, frozenset())


def _has_shallow_references(body: bytes) -> bool:
    """Return whether the definitions before a drawing refer to nothing, and nothing in the drawing has an id.

    Then there are no chains. This looks only at the text, and can be False wrongly, as with colors in definitions.
    """
    definitions, end, drawing = body.rpartition(b"</defs>")
    if end and (not body.startswith(b"<defs>") or end in definitions):
        return False
    most = body.count(b"<") * (1 + drawing.count(b"#"))
    return b"#" not in definitions and not _ID.search(drawing) and most < MAX_EXPANDED_ELEMENTS


def _add_part(element: Element, above: _ReferencedElement, parts: dict[str, _ReferencedElement]) -> None:
    """Add an element and all inside it to the `parts` by id, and to the one around it; '' is the whole artwork."""
    part = _ReferencedElement(element.attributes.get("id", ""), element.tag)
    for name, value in element.attributes.items():
        if name in _HREFS:
            part.references.append(value.removeprefix("#"))
        else:
            part.references.extend(_HREF_REFERENCE.findall(value))
    for child in element.children:
        _add_part(child, part, parts)
    above.elements += part.elements
    above.references.extend(part.references)
    same_id = parts.setdefault(part.name, part) if part.name else part
    if same_id is not part:
        same_id.tag = same_id.tag if part.tag in _GRADIENTS else part.tag
        same_id.elements += part.elements
        same_id.references.extend(part.references)


def _expanded_size(
    part: _ReferencedElement,
    parts: dict[str, _ReferencedElement],
    sizes: dict[str, tuple[int, int]],
    above: frozenset[str],
) -> tuple[int, int]:
    """Return a part's expanded number of elements and longest chain.

    Every reference counts as a copy of its target.
    """
    if part.name in above:
        raise SvgError(f"'#{part.name}' refers to itself", f'id="{part.name}"')
    if len(above) > MAX_REFERENCE_CHAIN:
        raise _chain_too_long(part)
    if part.name not in sizes:
        inside = above | {part.name} if part.name else above
        below = [_expanded_size(parts[name], parts, sizes, inside) for name in part.references if name in parts]
        elements = part.elements + sum(each for each, _ in below)
        chain = 1 + max((length for _, length in below), default=0)
        if elements > MAX_EXPANDED_ELEMENTS:
            raise SvgError(f"the artwork expands to more than {MAX_EXPANDED_ELEMENTS:,} elements", f'id="{part.name}"')
        if chain > MAX_REFERENCE_CHAIN:
            raise _chain_too_long(part)
        sizes[part.name] = (elements, chain)
    return sizes[part.name]


def _chain_too_long(part: _ReferencedElement) -> SvgError:
    message = f"'#{part.name}' is part of a chain of more than {MAX_REFERENCE_CHAIN} references"
    return SvgError(message, f'"{part.name}"')


@lru_cache(maxsize=64)
def root_tag(size: Size, bleed: float) -> bytes:
    """Return the root tag of artwork; its viewBox is trim plus bleed."""
    width, height = f"{size.width + 2 * bleed:g}", f"{size.height + 2 * bleed:g}"
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{width}mm" height="{height}mm" viewBox="{-bleed:g} {-bleed:g} {width} {height}">'
    ).encode()


_BOX = re.compile(r"[ \t\r\n]*+<(text|cg:text)([ \t\r\n][^>]*+)>([^<]*+)</\1>")
_BOX_ATTRIBUTE = r'[ \t\r\n]++([a-z][-a-z]*+)="([^"<&\x00-\x1f]*+)"'
_BOX_ATTRIBUTES = re.compile(rf"(?:{_BOX_ATTRIBUTE.replace('(', '(?:')})+[ \t\r\n]*+")
_PAIR = re.compile(_BOX_ATTRIBUTE)
# The entities that templates write for special characters.
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&#34;": '"', "&apos;": "'", "&#39;": "'", "&amp;": "&"}
_ENTITY = re.compile("|".join(_ENTITIES))
_UNKNOWN_ENTITY = re.compile(rf"&(?!{'|'.join(entity[1:] for entity in _ENTITIES)})")
# Characters that XML does not allow, and the carriage return, which it replaces.
_CONTROL_CHARACTERS = bytes({*range(32)} - {*b"\t\n"})
_NONCHARACTERS = ("\ufffe".encode(), "\uffff".encode())
# Boxes have short attributes; longer ones can be mistakes.
_MAX_BOX_LENGTH = 100_000


def has_only_plain_characters(source: str) -> bool:
    """Return whether all characters of a source are allowed in XML, and stand for themselves.

    Raises ValueError for surrogates.
    """
    encoded = source.encode()
    if len(encoded.translate(None, _CONTROL_CHARACTERS)) < len(encoded):
        return False
    return source.isascii() or not any(character in encoded for character in _NONCHARACTERS)


def read_plain_box(source: str) -> BoxElement | None:
    """Return the text box that a child of the root is, or None if it is anything else, or if it has a mistake."""
    found = _BOX.fullmatch(source) if len(source) <= _MAX_BOX_LENGTH else None
    if found is None or not has_only_plain_characters(source):
        return None
    tag, attribute_source, content = found.groups()
    attributes = _plain_attributes(tag, attribute_source)
    if attributes is None or "]]>" in content:
        return None
    if "&" in content:
        if _UNKNOWN_ENTITY.search(content):
            return None
        content = _ENTITY.sub(lambda entity: _ENTITIES[entity[0]], content)
    return BoxElement(tag, attributes, content, IDENTITY)


@lru_cache(maxsize=1 << 10)
def _plain_attributes(tag: str, source: str) -> dict[str, str] | None:
    """Return the attributes of a text box, or None if they are unusual, or have a mistake.

    Boxes have the same attributes on all cards; only their text differs.
    """
    pairs = tuple(_PAIR.findall(source))
    attributes = shared_attributes(pairs)
    is_plain = _BOX_ATTRIBUTES.fullmatch(source) and len(attributes) == len(pairs)
    return attributes if is_plain and not subset.element_fault(tag, attributes) else None


_WHITE_SPACE = " \t\r\n"
_PLAIN_TAG = re.compile(rf"[{_WHITE_SPACE}]*+(<(?:/(\w++)|(\w++)[^>]*+)>)", re.ASCII)
_SHAPE_ATTRIBUTE = re.compile(r' ([A-Za-z][-\w.:]*+)="([^"]*+)"', re.ASCII)
_TAGS = subset.DRAWING_TAGS | {"g"}
# Longer artwork can have too many elements or too long values.
_MAX_ARTWORK_LENGTH = 50_000
# Tags that are kept; those of shapes recur in groups at other places.
_MAX_TAGS = 1 << 10


def read_plain_artwork(source: str) -> SvgPieces | None:
    """Return the chunk that a child of the root is, or None if it is anything else, or if it may have a mistake."""
    if len(source) > _MAX_ARTWORK_LENGTH or "&" in source or not has_only_plain_characters(source):
        return None
    names, opened, position = list[str](), list[str](), 0
    while found := _PLAIN_TAG.match(source, position):
        tag, end, name = found.groups()
        position = found.end()
        if name:
            names.append(_plain_name(tag, name))
            opened.append(name)
        if (end or tag[-2] == "/") and (not opened or opened.pop() != (end or name)):
            return None
        if not 0 < len(opened) < TEMPLATE.depth:
            break
    if opened or position < len(source) or "" in names or subset.DRAWING_TAGS.isdisjoint(names):
        return None
    return SvgPieces((Chunk(source.lstrip(_WHITE_SPACE).encode()),), {}, b"", 1 + len(names))


@lru_cache(maxsize=_MAX_TAGS)
def _plain_name(tag: str, name: str) -> str:
    """Return the name of the element that a tag starts; '' if it is unusual, or has a mistake."""
    pairs = _SHAPE_ATTRIBUTE.findall(tag)
    attributes = dict(pairs)
    plain = f"<{name}" + "".join([f' {each}="{value}"' for each, value in pairs])
    if tag.removesuffix(">").removesuffix("/").rstrip(" ") != plain or "<" in plain[1:] or "\n" in tag or "\t" in tag:
        return ""
    if name not in _TAGS or len(attributes) < len(pairs) or subset.element_fault(name, attributes):
        return ""
    return name if name != "g" or _is_transform(attributes.get("transform", "")) else ""


def _is_transform(text: str) -> bool:
    try:
        parse_transform(text)
    except ValueError:
        return False
    return True
