"""Groups and shapes read without an XML parser (part of the fast path of chunks)."""

from __future__ import annotations

import re
from functools import lru_cache

from cardgen.face.svg import subset
from cardgen.face.svg.parser import MAX_DEPTH, Chunk, SvgPieces
from cardgen.face.svg.plain_box import has_noncharacter

_SPACE = rb"[ \t\r\n]"
_ATTRIBUTE = rb'([A-Za-z][-\w.:]*+)="([^"<&\x00-\x1f]*+)"'
_TAG = re.compile(
    rb"%(space)s*+<(?:/(\w++)|(\w++)(?:%(space)s++%(attribute)s)*+%(space)s*+(/?))>"
    % {b"space": _SPACE, b"attribute": _ATTRIBUTE.replace(b"(", b"(?:")}
)
_ATTRIBUTES = re.compile(_ATTRIBUTE.decode(), re.ASCII)
_TAGS = subset.DRAWING_TAGS | {"g"}
# Longer artwork can have too many elements or too long values.
_MAX_BYTES = 50_000
# Tags that are kept; those of shapes recur in groups at other places.
_MAX_TAGS = 1 << 10


def read_plain_artwork(source: bytes) -> SvgPieces | None:
    """Return the chunk that a child of the root is, or None if it is anything else, or if it may have a mistake."""
    if len(source) > _MAX_BYTES or has_noncharacter(source):
        return None
    names, opened, position = list[str](), list[bytes](), 0
    while tag := _TAG.match(source, position):
        end, name, is_empty = tag.groups()
        position = tag.end()
        if name:
            names.append(_plain_name(tag[0].lstrip()))
            opened.append(name)
        if (end or is_empty) and (not opened or opened.pop() != (end or name)):
            return None
        if not 0 < len(opened) < MAX_DEPTH:
            break
    if opened or position < len(source) or "" in names or subset.DRAWING_TAGS.isdisjoint(names):
        return None
    return SvgPieces((Chunk(source.lstrip()),), {}, b"", 1 + len(names))


@lru_cache(maxsize=_MAX_TAGS)
def _plain_name(tag: bytes) -> str:
    """Return the name of the element that a tag starts; '' if it is unusual, or has a mistake."""
    name = tag[1:].split(maxsplit=1)[0].rstrip(b"/>").decode()
    pairs = _ATTRIBUTES.findall(tag.decode())
    attributes = dict(pairs)
    if name not in _TAGS or len(attributes) < len(pairs) or subset.element_fault(name, attributes):
        return ""
    return name if name != "g" or _is_transform(attributes.get("transform", "")) else ""


def _is_transform(text: str) -> bool:
    try:
        subset.parse_transform(text)
    except ValueError:
        return False
    return True
