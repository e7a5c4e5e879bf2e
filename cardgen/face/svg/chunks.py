"""Rendered SVG split into chunks (fast path), with bounded references.

Each child of the root is parsed by itself, and once if it recurs on many cards; plain text boxes, groups, and shapes
need no parser.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, lru_cache
from xml.parsers import expat

from cardgen.affine import IDENTITY
from cardgen.face.svg import subset
from cardgen.face.svg.parser import (
    MAX_ARTWORK_BYTES,
    MAX_DEPTH,
    MAX_ELEMENTS,
    BoxElement,
    Chunk,
    SvgError,
    SvgPieces,
    parse,
    shared_attributes,
)
from cardgen.runtime.fast_paths import FAST
from cardgen.units import Size

# FAST PATH. Reason: most children of a root, such as frames and backs, are the same on many cards, so each is parsed
# once and remembered. Gain: building 900 cards takes 3.0 s of processor time instead of 5.8 s; a kit of 49 cards takes
# the same within noise. Slow twin: parser.parse for the whole SVG.


# Children that are kept: a game has some thousands that recur, such as names of weapons.
_MAX_CHILDREN = 1 << 11
# Levels of elements in a child of the root; SVG with more is parsed as a whole.
_MAX_LEVELS = 8
_ID_REFERENCE = re.compile(rb"#([-\w.:]+)")
_SPACE = r"[ \t\r\n]*+"
_BETWEEN = rf"{_SPACE}(?:<!--(?:[^-]++|-(?!-))*+-->{_SPACE})*+"
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
    return _complete_chunks(pieces or parse(_encode(svg)))


def _encode(svg: str) -> bytes:
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
    return SvgPieces(tuple(items), definitions, style, 0) if elements < MAX_ELEMENTS else None


@cache
def _child_pattern() -> re.Pattern[str]:
    """Return the pattern of a child of the root with preceding white space and comments, or of what follows the last.

    Start and end tags can have different names: a parser finds that out.
    """
    contents = "[^<]*+"
    for _ in range(_MAX_LEVELS):
        element = rf"<[^/!>][^>]*+(?:(?<=/)>|>{contents}</[^>]*+>)"
        contents = rf"[^<]*+(?:{element}[^<]*+)*+"
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
    parts = _ReferenceReader().read(body)
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


class _ReferenceReader:
    """Collector of elements by id; '' is the whole artwork."""

    def __init__(self) -> None:
        self.parts = {"": _ReferencedElement("")}
        self._stack = [self.parts[""]]
        self._style: list[str] = []

    def read(self, body: bytes) -> dict[str, _ReferencedElement]:
        parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler = self._characters
        parser.Parse(b"<svg>" + body + b"</svg>", True)
        for name in _HREF_REFERENCE.findall("".join(self._style)):
            if name in self.parts and self.parts[name].tag not in _GRADIENTS:
                message = f"a style sheet can refer only to gradients; write url(#{name}) on the elements themselves"
                raise SvgError(message, "<style")
        return self.parts

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        part = _ReferencedElement(attributes.get("id", ""), tag)
        for name, value in attributes.items():
            if name in _HREFS:
                part.references.append(value.removeprefix("#"))
            else:
                part.references.extend(_HREF_REFERENCE.findall(value))
        self._stack.append(part)

    def _end(self, _: str) -> None:
        part = self._stack.pop()
        self._stack[-1].elements += part.elements
        self._stack[-1].references.extend(part.references)
        same_id = self.parts.setdefault(part.name, part) if part.name else part
        if same_id is not part:
            same_id.tag = same_id.tag if part.tag in _GRADIENTS else part.tag
            same_id.elements += part.elements
            same_id.references.extend(part.references)

    def _characters(self, data: str) -> None:
        if self._stack[-1].tag == "style":
            self._style.append(data)


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
_BOX_ATTRIBUTES = re.compile(rf"(?:{_BOX_ATTRIBUTE.replace('(', '(?:')})++[ \t\r\n]*+")
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
_TAG = re.compile(rf"[{_WHITE_SPACE}]*+(<(?:/(\w++)|(\w++)[^>]*+)>)", re.ASCII)
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
    while found := _TAG.match(source, position):
        tag, end, name = found.groups()
        position = found.end()
        if name:
            names.append(_plain_name(tag, name))
            opened.append(name)
        if (end or tag[-2] == "/") and (not opened or opened.pop() != (end or name)):
            return None
        if not 0 < len(opened) < MAX_DEPTH:
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
        subset.parse_transform(text)
    except ValueError:
        return False
    return True
