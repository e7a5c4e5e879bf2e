"""Text boxes read without an XML parser (part of the fast path of chunks)."""

from __future__ import annotations

import re
from functools import lru_cache

from cardgen.affine import IDENTITY
from cardgen.face.svg import subset
from cardgen.face.svg.parser import BoxElement, shared_attributes

_BOX = re.compile(r"[ \t\r\n]*+<(text|cg:text)([ \t\r\n][^>]*+)>([^<]*+)</\1>")
_ATTRIBUTE = r'[ \t\r\n]++([a-z][-a-z]*+)="([^"<&\x00-\x1f]*+)"'
_ATTRIBUTES = re.compile(rf"(?:{_ATTRIBUTE.replace('(', '(?:')})++[ \t\r\n]*+")
_PAIR = re.compile(_ATTRIBUTE)
# The entities that templates write for special characters.
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&#34;": '"', "&apos;": "'", "&#39;": "'", "&amp;": "&"}
_ENTITY = re.compile("|".join(_ENTITIES))
_UNKNOWN_ENTITY = re.compile(rf"&(?!{'|'.join(entity[1:] for entity in _ENTITIES)})")
# Characters that XML does not allow, and the carriage return, which it replaces.
_CONTROL_CHARACTERS = bytes({*range(32)} - {*b"\t\n"})
_NONCHARACTERS = ("\ufffe".encode(), "\uffff".encode())
# Boxes have short attributes; longer ones can be mistakes.
_MAX_LENGTH = 100_000


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
    found = _BOX.fullmatch(source) if len(source) <= _MAX_LENGTH else None
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
    is_plain = _ATTRIBUTES.fullmatch(source) and len(attributes) == len(pairs)
    return attributes if is_plain and not subset.element_fault(tag, attributes) else None
