"""Text boxes read without an XML parser (part of the fast path of chunks)."""

from __future__ import annotations

import re

from cardgen.affine import IDENTITY
from cardgen.face.svg import subset
from cardgen.face.svg.parser import BoxElement, shared_attributes

_SPACE = rb"[ \t\r\n]"
_ATTRIBUTE = rb'([a-z][-a-z]*+)="([^"<&\x00-\x1f]*+)"'
# The entities that templates write for special characters.
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&#34;": '"', "&apos;": "'", "&#39;": "'", "&amp;": "&"}
_CONTENT = rb"(?:[^<&\x00-\x08\x0b-\x1f]|%s)*+" % b"|".join(entity.encode() for entity in _ENTITIES)
_BOX = re.compile(
    rb"%(space)s*+<(text|cg:text)((?:%(space)s++%(attribute)s)++)%(space)s*+>(%(content)s)</\1>"
    % {b"space": _SPACE, b"attribute": _ATTRIBUTE.replace(b"(", b"(?:"), b"content": _CONTENT}
)
_ATTRIBUTES = re.compile(_ATTRIBUTE.decode())
_ENTITY = re.compile("|".join(_ENTITIES))
# Boxes have short attributes; longer ones can be mistakes.
_MAX_BYTES = 100_000


def has_noncharacter(source: bytes) -> bool:
    """Return whether a source contains U+FFFE or U+FFFF, which XML does not allow."""
    return b"\xef\xbf" in source and (b"\xef\xbf\xbe" in source or b"\xef\xbf\xbf" in source)


def read_plain_box(source: bytes) -> BoxElement | None:
    """Return the text box that a child of the root is, or None if it is anything else, or if it has a mistake."""
    found = _BOX.fullmatch(source) if len(source) <= _MAX_BYTES else None
    if found is None or b"]]>" in source or has_noncharacter(source):
        return None
    tag, content = found[1].decode(), found[3].decode()
    pairs = tuple(_ATTRIBUTES.findall(found[2].decode()))
    attributes = shared_attributes(pairs)
    if len(attributes) < len(pairs) or subset.element_fault(tag, attributes):
        return None
    if "&" in content:
        content = _ENTITY.sub(lambda entity: _ENTITIES[entity[0]], content)
    return BoxElement(tag, attributes, content, IDENTITY)
