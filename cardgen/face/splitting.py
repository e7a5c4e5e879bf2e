"""A rendered template is split, in paint order, into artwork chunks and boxes.

What stands on many cards is read once: each child of the root is read by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from cardgen.face.reading import MAX_ELEMENTS, BoxElement, Chunk, SvgError, SvgPieces, parse

# The definitions and the style sheet are repeated in each chunk that needs them.
MAX_ARTWORK_BYTES = 16 << 20
_ID_REFERENCE = re.compile(rb"#([-\w.:]+)")
_BETWEEN = rb"(?:\s++|<!--(?:[^-]++|-(?!-))*+-->)*+"
# A child of the root that has no children itself, and one that may have some, each with what stands in front of it.
_LEAF = re.compile(_BETWEEN + rb"""<([^\s<>"'/]++)[^<>]*+(?:(?<=/)>|>[^<]*+</\1>)""")
_BRANCH = re.compile(_BETWEEN + rb"""<([^\s<>"'/]++)""")
_ROOT_ENDS = re.compile(_BETWEEN + rb"</svg\s*>" + _BETWEEN)

_Definitions = tuple[tuple[str, bytes], ...]


def split_svg(svg: str) -> tuple[Chunk | BoxElement, ...]:
    """The chunks and boxes of a rendered template, in paint order.

    Raises SvgError for SVG that is not well-formed or that would not be drawn as written.
    """
    try:
        content = svg.encode()
    except UnicodeEncodeError as error:
        raise SvgError(f"U+{ord(svg[error.start]):04X} is half a character, which cannot be drawn") from None
    try:
        pieces = _parse_children(content)
    except ValueError:
        pieces = None
    # Where there is a fault, or anything out of the ordinary, the SVG is read as a whole.
    return tuple(_complete_chunks(pieces or parse(content)))


def _parse_children(svg: bytes) -> SvgPieces | None:
    """The pieces of all children of the root, each of which is read once, whichever cards it stands on.

    None where there are too many elements. Raises ValueError where it cannot be told what the children are; a part that
    is well-formed by itself was cut rightly.
    """
    start = svg.index(b">") + 1
    parsed = [_parse_root(svg[:start])]
    while child := _LEAF.match(svg, start) or _BRANCH.match(svg, start):
        begin, start = start, child.end() if child.re is _LEAF else _element_end(svg, child.start(1), child[1])
        parsed.append(_parse_child(svg[begin:start]))
    if not _ROOT_ENDS.fullmatch(svg, start) or sum([each.elements for each in parsed]) >= MAX_ELEMENTS:
        return None
    items = tuple(chain.from_iterable([each.items for each in parsed]))
    shared = [each for each in parsed if each.definitions or each.style]
    definitions = {name: source for each in shared for name, source in each.definitions.items()}
    return SvgPieces(items, definitions, b"".join([each.style for each in shared]), 0)


def _element_end(svg: bytes, start: int, name: bytes) -> int:
    """Where an element ends whose name begins at `start`, as far as that can be told from tags of this name."""
    opening, closing = b"<" + name, b"</" + name + b">"
    end, depth = start, 1
    while depth:
        begin, end = end, svg.index(closing, end) + len(closing)
        depth += svg.count(opening, begin, end) - 1
    return end


@lru_cache(maxsize=1 << 6)
def _parse_root(root: bytes) -> SvgPieces:
    return parse(root + b"</svg>")


@lru_cache(maxsize=1 << 12)
def _parse_child(source: bytes) -> SvgPieces:
    return parse(b"<svg>" + source + b"</svg>")


def _complete_chunks(pieces: SvgPieces) -> Iterator[Chunk | BoxElement]:
    size = 0
    definitions = tuple(pieces.definitions.items())
    for item in pieces.items:
        if isinstance(item, Chunk):
            item = _complete_chunk(item, definitions, pieces.style)
            size += len(item.body)
            if size > MAX_ARTWORK_BYTES:
                message = "its artwork, with the definitions and style sheets that it needs, is too large"
                raise SvgError(message, "<style")
        yield item


@lru_cache(maxsize=1 << 12)
def _complete_chunk(chunk: Chunk, definitions: _Definitions, style: bytes) -> Chunk:
    """The chunk behind the style sheet and those definitions that it refers to, directly or not."""
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
