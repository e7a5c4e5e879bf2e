"""Texts as XML. The functions of the standard library do the same, but load its network libraries."""

from __future__ import annotations

_TEXT = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_ATTRIBUTE = {**_TEXT, "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
_TEXT_TABLE, _ATTRIBUTE_TABLE = str.maketrans(_TEXT), str.maketrans(_ATTRIBUTE)


def escape(text: str) -> str:
    """Return a text as the content of an element."""
    return text.translate(_TEXT_TABLE)


def quoteattr(text: str) -> str:
    """Return a text as the value of an attribute, with quotes: double ones unless only the text has those."""
    escaped = text.translate(_ATTRIBUTE_TABLE)
    if '"' not in escaped:
        return f'"{escaped}"'
    return f"'{escaped}'" if "'" not in escaped else '"{}"'.format(escaped.replace('"', "&quot;"))
