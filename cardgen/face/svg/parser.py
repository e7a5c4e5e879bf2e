"""One-pass SVG parser: artwork chunks and cg: elements.

Items are in paint order. Every child of the root is a chunk, copied byte for byte from the source. A group that
contains boxes is split at each box; the parts between are wrapped in the group's own tags again.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple
from xml.parsers import expat

from cardgen.affine import IDENTITY, Matrix, multiply
from cardgen.face.svg import subset
from cardgen.face.svg.subset import style_fault

MAX_DEPTH = 64
MAX_ELEMENTS = 20_000
MAX_VALUE_LENGTH = 200_000
# A limit, because chunks repeat the groups around them, and the definitions and style sheets that they need.
MAX_ARTWORK_BYTES = 16 << 20
_TAG = re.compile(rb"""<[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>""")


class Chunk(NamedTuple):
    """Artwork as written, with the definitions and style sheet it needs."""

    body: bytes


class BoxElement(NamedTuple):
    """A `cg:text` or other box element, with the matrix of its groups."""

    tag: str
    attributes: dict[str, str]
    content: str
    matrix: Matrix


class SvgError(ValueError):
    """Error in rendered SVG: message for the user, source text, and offset in bytes, which is -1 if unknown."""

    def __init__(self, message: str, culprit: str = "", offset: int = -1) -> None:
        super().__init__(message)
        self.culprit = culprit
        self.offset = offset


class SvgPieces(NamedTuple):
    """Items of (a part of) a template, without their definitions.

    `elements` is the number of elements.
    """

    items: tuple[Chunk | BoxElement, ...]
    definitions: dict[str, bytes]
    style: bytes
    elements: int


def ill_formed(error: expat.ExpatError, open_tag: str) -> str:
    """Return the message for an SVG that is not well-formed, with the innermost tag that is still open."""
    reason = expat.errors.messages[error.code]
    is_open = open_tag and reason in (expat.errors.XML_ERROR_NO_ELEMENTS, expat.errors.XML_ERROR_TAG_MISMATCH)
    return f"the SVG is not well-formed: {reason}{f'; </{open_tag}> is missing' if is_open else ''}"


def parse(source: bytes) -> SvgPieces:
    """Parse an SVG document.

    Raises SvgError for SVG that is not well-formed or that would not be drawn as written.
    """
    return _SvgParser(source).run()


@dataclass(slots=True)
class _OpenElement:
    """An element that has not ended yet."""

    tag: str
    attributes: dict[str, str]
    start: int
    matrix: Matrix


# Elements that are drawn only where another element refers to them, and children of the root that are no chunks.
DEFINITION_TAGS = frozenset({"clipPath", "mask", "pattern", "marker", "symbol", "linearGradient", "radialGradient"})
_UNPAINTED = frozenset({"defs", "style", *DEFINITION_TAGS})


@dataclass(slots=True)
class _SvgParser:
    svg: bytes
    parser: expat.XMLParserType = field(init=False)
    items: list[Chunk | BoxElement] = field(default_factory=list)
    stack: list[_OpenElement] = field(default_factory=list)
    style: bytes = b""
    definitions: dict[str, bytes] = field(default_factory=dict)
    # The pending chunk: its start, the groups open there, and whether anything in it paints.
    start: int = -1
    prefix: list[_OpenElement] = field(default_factory=list)
    paints: bool = False
    elements: int = 0
    artwork_bytes: int = 0
    characters: list[str] | None = None
    definition_start: int = -1

    def run(self) -> SvgPieces:
        # Chunks are read as UTF-8 later, so read them as UTF-8 here too, whatever they declare.
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
            message = ill_formed(error, self.stack[-1].tag if self.stack else "")
            raise SvgError(message, line[0].strip() if line else "", parser.ErrorByteIndex) from None
        except SvgError as error:
            error.offset = parser.CurrentByteIndex
            raise
        finally:
            # The parser is large, and part of a reference cycle; without this, it would live until the next collection.
            del self.parser
        return SvgPieces(tuple(self.items), self.definitions, self.style, self.elements)

    def doctype(self, *_: object) -> None:
        raise SvgError("a template cannot have a DOCTYPE", "<!DOCTYPE")

    def start_element(self, tag: str, attributes: dict[str, str]) -> None:
        fault = subset.element_fault(tag, attributes)
        if fault:
            raise SvgError(fault, f"<{tag}")
        self._count(tag, attributes)
        position = self.parser.CurrentByteIndex
        depth = len(self.stack)
        if depth > MAX_DEPTH:
            raise SvgError(f"elements are nested more than {MAX_DEPTH} levels deep", f"<{tag}")
        if depth == 0 and tag != "svg":
            raise SvgError(f"the root of a template must be <svg>, not <{tag}>", f"<{tag}")
        if self.characters is not None:
            raise SvgError(f"<{self.stack[-1].tag}> can contain only marked-up text, not <{tag}>", f"<{tag}")
        if depth == 1 and tag not in _UNPAINTED:
            self._begin(position)
        if self._is_definition(tag):
            self.definition_start = position
        matrix = self.stack[-1].matrix if self.stack else IDENTITY
        if tag in subset.BOX_TAGS:
            self._require_plain_groups(tag)
            self._flush(position)
            self.characters = []
        elif tag == "style":
            self.characters = []
        elif tag == "g" and "transform" in attributes:
            matrix = _group_matrix(matrix, attributes["transform"])
        self.paints = self.paints or tag in subset.DRAWING_TAGS
        self.stack.append(_OpenElement(tag, attributes, position, matrix))

    def _count(self, tag: str, attributes: dict[str, str]) -> None:
        self.elements += 1
        if self.elements > MAX_ELEMENTS:
            raise SvgError(f"a template can have at most {MAX_ELEMENTS:,} elements", f"<{tag}")
        if any(len(value) > MAX_VALUE_LENGTH for value in attributes.values()):
            raise SvgError(f"an attribute of <{tag}> is longer than {MAX_VALUE_LENGTH:,} characters", f"<{tag}")

    def end_element(self, tag: str) -> None:
        element = self.stack.pop()
        depth = len(self.stack)
        if tag in subset.BOX_TAGS:
            content = "".join(self.characters or ())
            self.items.append(
                BoxElement(tag, shared_attributes(tuple(element.attributes.items())), content, element.matrix)
            )
            self.characters = None
            if depth > 1:
                self._begin(self._end_of(element))
        elif tag == "style":
            self._add_style("".join(self.characters or ()))
            self.characters = None
        elif self._is_definition(tag) and "id" in element.attributes:
            self.definitions[element.attributes["id"]] = self.svg[self.definition_start : self._end_of(element)]
        if depth == 1:
            self._flush(self._end_of(element))

    def _is_definition(self, tag: str) -> bool:
        """Return whether a child of the open element is a definition of the whole drawing."""
        depth = len(self.stack)
        return (depth == 2 and self.stack[1].tag == "defs") or (depth == 1 and tag in DEFINITION_TAGS)

    def character_data(self, data: str) -> None:
        if self.characters is not None:
            self.characters.append(data)
        elif data.strip() and self.stack[-1].tag not in ("title", "desc", "metadata"):
            raise SvgError(f"'{data.strip()[:40]}' is outside any text box", data.strip()[:40])

    def _begin(self, position: int) -> None:
        self.start, self.prefix, self.paints = position, self.stack[1:], False

    def _flush(self, end: int) -> None:
        """Close the pending chunk before `end`, unless it paints nothing."""
        if self.start >= 0 and self.paints:
            closers = b"".join(b"</%s>" % element.tag.encode() for element in reversed(self.stack[1:]))
            openers = b"".join(map(self._tag_source, self.prefix))
            self.items.append(Chunk(openers + self.svg[self.start : end] + closers))
            self.artwork_bytes += len(openers) + end - self.start + len(closers)
            if self.artwork_bytes > MAX_ARTWORK_BYTES:
                raise SvgError("the artwork, including the groups around its parts, is too large", "<g")
        self.start, self.paints = -1, False

    def _require_plain_groups(self, tag: str) -> None:
        for element in self.stack[1:]:
            refused = element.attributes.keys() - subset.BOX_GROUP_ATTRIBUTES
            if element.tag != "g" or refused:
                what = f"<g {sorted(refused)[0]}=…>" if element.tag == "g" else f"<{element.tag}>"
                message = f"<{tag}> cannot be inside {what}; groups around it can have only transform, class, and id"
                raise SvgError(message, f"<{tag}")

    def _add_style(self, text: str) -> None:
        fault = style_fault(text, subset.PROPERTIES, is_attribute=False)
        if fault:
            raise SvgError(fault, "<style")
        self.style += b"<style>" + _escape(text) + b"</style>"

    def _tag_source(self, element: _OpenElement) -> bytes:
        return self.svg[element.start : _tag_end(self.svg, element.start)]

    def _end_of(self, element: _OpenElement) -> int:
        """Return the position after an element that ends here.

        Expat is already there if the element is self-closing.
        """
        position = self.parser.CurrentByteIndex
        return position if self._tag_source(element).endswith(b"/>") else _tag_end(self.svg, position)


@lru_cache(maxsize=1 << 10)
def shared_attributes(attributes: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Return the attributes of a box; equal ones are one object.

    Boxes have the same attributes on all cards; only their text differs.
    """
    return dict(attributes)


def _group_matrix(outer: Matrix, text: str) -> Matrix:
    try:
        return multiply(outer, subset.parse_transform(text))
    except ValueError as error:
        raise SvgError(str(error), text) from None


def _tag_end(svg: bytes, position: int) -> int:
    """Return the position after the tag at `position`.

    Quoted values can contain '>'.
    """
    match = _TAG.match(svg, position)
    assert match, "expat found a tag here"
    return match.end()


def _escape(text: str) -> bytes:
    return text.replace("&", "&amp;").replace("<", "&lt;").encode()


_MOST_FAULTS = 50


def find_faults(svg: bytes, check_box: Callable[[BoxElement], object]) -> list[SvgError]:
    """Return the faults of all elements, with their offsets.

    `check_box` raises SvgError for an invalid text box, picture, and so on. What the parser refuses is the last fault,
    unless it is one of the others.
    """
    faults = _FaultReader(check_box).read(svg)
    try:
        parse(svg)
    except SvgError as error:
        if str(error) not in set(map(str, faults)):
            faults.append(error)
    return faults


class _FaultReader:
    def __init__(self, check_box: Callable[[BoxElement], object]) -> None:
        self._check_box = check_box
        self._faults: list[SvgError] = []
        self._box: tuple[str, dict[str, str], int] | None = None
        self._characters: list[str] = []
        self._parser = expat.ParserCreate("utf-8")

    def read(self, svg: bytes) -> list[SvgError]:
        self._parser.StartElementHandler, self._parser.EndElementHandler = self._start, self._end
        self._parser.CharacterDataHandler = self._characters.append
        with suppress(expat.ExpatError):  # The parser reports it.
            self._parser.Parse(svg, True)
        return self._faults

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        offset = self._parser.CurrentByteIndex
        fault = subset.element_fault(tag, attributes)
        if fault:
            self._add(SvgError(fault, subset.fault_word(tag, fault), offset))
        elif tag in subset.BOX_TAGS:
            self._box = (tag, attributes, offset)
            self._characters.clear()

    def _end(self, tag: str) -> None:
        if self._box is None or self._box[0] != tag:
            return
        (_, attributes, offset), self._box = self._box, None
        try:
            self._check_box(BoxElement(tag, attributes, "".join(self._characters), IDENTITY))
        except SvgError as error:
            self._add(SvgError(str(error), error.culprit, offset))

    def _add(self, fault: SvgError) -> None:
        if len(self._faults) < _MOST_FAULTS:
            self._faults.append(fault)
