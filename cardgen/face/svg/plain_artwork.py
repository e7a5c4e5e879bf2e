"""Groups and shapes read without an XML parser (part of the fast path of chunks)."""

from __future__ import annotations

import re
from functools import lru_cache

from cardgen.face.svg import subset
from cardgen.face.svg.parser import MAX_DEPTH, Chunk, SvgPieces
from cardgen.face.svg.plain_box import has_only_plain_characters

_WHITE_SPACE = " \t\r\n"
_TAG = re.compile(rf"[{_WHITE_SPACE}]*+(<(?:/(\w++)|(\w++)[^>]*+)>)", re.ASCII)
_ATTRIBUTE = re.compile(r' ([A-Za-z][-\w.:]*+)="([^"]*+)"', re.ASCII)
_TAGS = subset.DRAWING_TAGS | {"g"}
# Longer artwork can have too many elements or too long values.
_MAX_LENGTH = 50_000
# Tags that are kept; those of shapes recur in groups at other places.
_MAX_TAGS = 1 << 10


def read_plain_artwork(source: str) -> SvgPieces | None:
    """Return the chunk that a child of the root is, or None if it is anything else, or if it may have a mistake."""
    if len(source) > _MAX_LENGTH or "&" in source or not has_only_plain_characters(source):
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
    pairs = _ATTRIBUTE.findall(tag)
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
