"""One expat pass splits a rendered template, in paint order, into artwork chunks and boxes.

Every direct child of the root is a chunk of its own, taken byte for byte from the source.
A group that holds boxes is cut at each box; what stands between is wrapped in the group's own tags again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from xml.parsers import expat

from cardgen.affine import IDENTITY, Matrix, multiply
from cardgen.face import transform, vocabulary

DEEPEST = 64
MOST_ELEMENTS = 20_000
LONGEST_VALUE = 200_000
# The definitions and the style sheet are repeated in each chunk that needs them.
LARGEST_ARTWORK = 16 << 20
_REFERENCE = re.compile(rb"#([-\w.:]+)")
_TAG = re.compile(rb"""<[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>""")

_ANY_TAG = re.compile(rb"""<(/?)[^\s<>"'/](?:[^<>"'/]++|"[^"<]*+"|'[^'<]*+'|/(?!>))*+(/?)>""")

_ROOT_ENDS = re.compile(rb"(?:</svg\s*|/)>\s*\Z")


@dataclass(frozen=True, slots=True)
class Chunk:
    """Artwork as it was written, with the definitions and the style sheet that it needs."""

    body: bytes


@dataclass(frozen=True, slots=True)
class BoxElement:
    """A `cg:text` or another box element: its attributes, its characters, and the matrix of its groups."""

    tag: str
    attributes: dict[str, str]
    content: str
    matrix: Matrix


class SvgError(ValueError):
    """A fault in rendered SVG: a sentence for the user, and the source text that it is about."""

    def __init__(self, message: str, culprit: str = "") -> None:
        super().__init__(message)
        self.culprit = culprit


@dataclass(frozen=True, slots=True)
class _Pieces:
    """What a template or a part of it comes to: items that lack their definitions yet, and how many elements."""

    items: tuple[Chunk | BoxElement, ...]
    definitions: dict[str, bytes]
    style: bytes
    elements: int


@dataclass(slots=True)
class _Open:
    """An element whose end has not come yet."""

    tag: str
    attributes: dict[str, str]
    start: int
    matrix: Matrix


@dataclass(slots=True)
class _Splitter:
    svg: bytes
    parser: expat.XMLParserType = field(init=False)
    items: list[Chunk | BoxElement] = field(default_factory=list)
    stack: list[_Open] = field(default_factory=list)
    style: bytes = b""
    definitions: dict[str, bytes] = field(default_factory=dict)
    # The pending chunk: where it starts, which groups were open there, and whether anything in it paints.
    start: int = -1
    prefix: list[_Open] = field(default_factory=list)
    paints: bool = False
    elements: int = 0
    characters: list[str] | None = None
    definition_start: int = -1

    def run(self) -> _Pieces:
        # The chunks are read as UTF-8 later, so that is what they are read as here, whatever they declare.
        self.parser = parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = self.start_element
        parser.EndElementHandler = self.end_element
        parser.CharacterDataHandler = self.character_data
        parser.StartDoctypeDeclHandler = self.doctype
        try:
            parser.Parse(self.svg, True)
        except expat.ExpatError as error:
            line = self.svg.decode("utf-8", "replace").splitlines()[error.lineno - 1 : error.lineno]
            message = f"the SVG is not well-formed: {expat.errors.messages[error.code]}"
            raise SvgError(message, line[0].strip() if line else "") from None
        return _Pieces(tuple(self.items), self.definitions, self.style, self.elements)

    def doctype(self, *_: object) -> None:
        raise SvgError("a template cannot have a DOCTYPE", "<!DOCTYPE")

    def start_element(self, tag: str, attributes: dict[str, str]) -> None:
        fault = vocabulary.fault_of(tag, attributes)
        if fault:
            raise SvgError(fault, f"<{tag}")
        self._count(tag, attributes)
        position = self.parser.CurrentByteIndex
        depth = len(self.stack)
        if depth > DEEPEST:
            raise SvgError(f"elements are nested more than {DEEPEST} levels deep", f"<{tag}")
        if depth == 0 and tag != "svg":
            raise SvgError(f"the root of a template is <svg>, not <{tag}>", f"<{tag}")
        if self.characters is not None:
            raise SvgError(f"<{self.stack[-1].tag}> holds marked-up text only, not <{tag}>", f"<{tag}")
        if depth == 1 and tag not in ("defs", "style"):
            self._begin(position)
        if depth == 2 and self.stack[1].tag == "defs":
            self.definition_start = position
        matrix = self.stack[-1].matrix if self.stack else IDENTITY
        if tag in vocabulary.BOXES:
            self._open_groups(tag)
            self._flush(position)
            self.characters = []
        elif tag == "style":
            self.characters = []
        elif tag == "g" and "transform" in attributes:
            matrix = _group_matrix(matrix, attributes["transform"])
        self.paints = self.paints or tag in vocabulary.DRAWING
        self.stack.append(_Open(tag, attributes, position, matrix))

    def _count(self, tag: str, attributes: dict[str, str]) -> None:
        self.elements += 1
        if self.elements > MOST_ELEMENTS:
            raise SvgError(f"a template comes to {MOST_ELEMENTS:,} elements at most", f"<{tag}")
        if any(len(value) > LONGEST_VALUE for value in attributes.values()):
            raise SvgError(f"a value of <{tag}> has more than {LONGEST_VALUE:,} characters", f"<{tag}")

    def end_element(self, tag: str) -> None:
        element = self.stack.pop()
        depth = len(self.stack)
        if tag in vocabulary.BOXES:
            content = "".join(self.characters or ())
            self.items.append(BoxElement(tag, element.attributes, content, element.matrix))
            self.characters = None
            if depth > 1:
                self._begin(self._end_of(element))
        elif tag == "style":
            self._keep_style("".join(self.characters or ()))
            self.characters = None
        elif depth == 2 and self.stack[1].tag == "defs" and "id" in element.attributes:
            self.definitions[element.attributes["id"]] = self.svg[self.definition_start : self._end_of(element)]
        if depth == 1:
            self._flush(self._end_of(element))

    def character_data(self, data: str) -> None:
        if self.characters is not None:
            self.characters.append(data)
        elif data.strip() and self.stack[-1].tag not in ("title", "desc", "metadata"):
            raise SvgError(f"'{data.strip()[:40]}' stands outside of any text box", data.strip()[:40])

    def _begin(self, position: int) -> None:
        self.start, self.prefix, self.paints = position, self.stack[1:], False

    def _flush(self, end: int) -> None:
        """Close the pending chunk before `end`, unless it paints nothing."""
        if self.start >= 0 and self.paints:
            closers = b"".join(b"</%s>" % element.tag.encode() for element in reversed(self.stack[1:]))
            opened = b"".join(map(self._tag_source, self.prefix))
            self.items.append(Chunk(opened + self.svg[self.start : end] + closers))
        self.start, self.paints = -1, False

    def _open_groups(self, tag: str) -> None:
        for element in self.stack[1:]:
            unfit = element.attributes.keys() - vocabulary.GROUP_WITH_BOXES
            if element.tag != "g" or unfit:
                what = f"<g {sorted(unfit)[0]}=…>" if element.tag == "g" else f"<{element.tag}>"
                message = f"<{tag}> cannot stand inside {what}; a group around it has transform, class and id only"
                raise SvgError(message, f"<{tag}")

    def _keep_style(self, text: str) -> None:
        fault = vocabulary.fault_of_css(text)
        if fault:
            raise SvgError(fault, "<style")
        self.style += b"<style>" + _escaped(text) + b"</style>"

    def _tag_source(self, element: _Open) -> bytes:
        return self.svg[element.start : _tag_end(self.svg, element.start)]

    def _end_of(self, element: _Open) -> int:
        """Just behind the element that ends here; for <a/> expat stands there already."""
        position = self.parser.CurrentByteIndex
        return position if self._tag_source(element).endswith(b"/>") else _tag_end(self.svg, position)


def split(svg: str) -> tuple[Chunk | BoxElement, ...]:
    """The chunks and boxes of a rendered template, in paint order.

    Raises SvgError for SVG that is not well-formed or that would not be drawn as written.
    """
    try:
        content = svg.encode()
    except UnicodeEncodeError as error:
        raise SvgError(f"U+{ord(svg[error.start]):04X} is half a character, which cannot be drawn") from None
    try:
        pieces = _gathered(content)
    except SvgError:
        pieces = None
    # Where there is a fault, or anything out of the ordinary, the SVG is read as a whole.
    return tuple(_completed(pieces or _Splitter(content).run()))


def _gathered(svg: bytes) -> _Pieces | None:
    """The pieces of all children of the root, each of which is read once, whichever cards it stands on."""
    parts = _parts(svg)
    if parts is None:
        return None
    found = [_read(parts[0]), *map(_read_inside, parts[1:])]
    if sum(each.elements for each in found) >= MOST_ELEMENTS:
        return None
    definitions = {name: source for each in found for name, source in each.definitions.items()}
    items = tuple(item for each in found for item in each.items)
    return _Pieces(items, definitions, b"".join(each.style for each in found), 0)


def _parts(svg: bytes) -> list[bytes] | None:
    """The root by itself, and the source of each of its children; None where that cannot be told."""
    if b"<!" in svg or b"<?" in svg:
        return None
    found: list[bytes] = []
    depth = start = end = 0
    for tag in _ANY_TAG.finditer(svg):
        closing, empty = tag.groups()
        if (depth < 2 and svg[end : tag.start()].strip()) or (depth == 0 and (closing or found)):
            return None
        end = tag.end()
        if depth == 0:
            found.append(tag[0] if empty else tag[0] + b"</svg>")
        elif depth == 1:
            start = tag.start()
        depth += bool(not closing) - bool(closing or empty)
        if depth == 1 and (closing or empty):
            found.append(svg[start:end])
    # What closes the root stands last.
    whole = depth == 0 and not svg[end:].strip() and _ROOT_ENDS.search(svg)
    return found if whole else None


@lru_cache(maxsize=1 << 8)
def _read(source: bytes) -> _Pieces:
    return _Splitter(source).run()


@lru_cache(maxsize=1 << 13)
def _read_inside(source: bytes) -> _Pieces:
    return _Splitter(b"<svg>" + source + b"</svg>").run()


def _completed(pieces: _Pieces) -> Iterator[Chunk | BoxElement]:
    size = 0
    for item in pieces.items:
        whole = _complete(item, pieces) if isinstance(item, Chunk) else item
        size += len(whole.body) if isinstance(whole, Chunk) else 0
        if size > LARGEST_ARTWORK:
            raise SvgError("its artwork, with the definitions and style sheets that it needs, is too large", "<style")
        yield whole


def _complete(chunk: Chunk, pieces: _Pieces) -> Chunk:
    """The chunk behind the style sheet and those definitions that it refers to, directly or not."""
    needed, queue = set(), list(_references(chunk.body + pieces.style)) if pieces.definitions else []
    while queue:
        name = queue.pop().decode()
        if name in pieces.definitions and name not in needed:
            needed.add(name)
            queue.extend(_references(pieces.definitions[name]))
    if not needed and not pieces.style:
        return chunk
    definitions = b"".join(source for name, source in pieces.definitions.items() if name in needed)
    head = b"<defs>" + definitions + b"</defs>" if definitions else b""
    return Chunk(pieces.style + head + chunk.body)


@lru_cache(maxsize=1 << 12)
def _references(source: bytes) -> frozenset[bytes]:
    return frozenset(_REFERENCE.findall(source))


def _group_matrix(outer: Matrix, text: str) -> Matrix:
    try:
        return multiply(outer, transform.parse(text))
    except ValueError as error:
        raise SvgError(str(error), text) from None


def _tag_end(svg: bytes, position: int) -> int:
    """The index just behind the tag that starts at `position`; a quoted value may hold '>'."""
    found = _TAG.match(svg, position)
    assert found, "expat has seen a tag here"
    return found.end()


def _escaped(text: str) -> bytes:
    return text.replace("&", "&amp;").replace("<", "&lt;").encode()
