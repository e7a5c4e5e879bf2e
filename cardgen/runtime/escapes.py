"""Texts in JSON, XML, and Markdown that show exactly what they say.

The functions of the standard library do part of this, but load its network libraries.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from cardgen.diagnostic import escape_controls

# Control characters that the encoder leaves as they are, and halves of characters, which cannot be written.
_CONTROL = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def dump_json(data: object, *, indent: int | None = 2, default: Callable[[Any], Any] | None = None) -> str:
    r"""Return data as JSON with a final line break.

    Characters that could reorder what a terminal shows are escaped, such as '\u202e'. `default` returns a plain value
    for one that JSON lacks.
    """
    text = json.dumps(data, indent=indent, ensure_ascii=False, default=default)
    return _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


_TEXT = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_ATTRIBUTE = {**_TEXT, "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
_TEXT_TABLE, _ATTRIBUTE_TABLE = str.maketrans(_TEXT), str.maketrans(_ATTRIBUTE)


def escape_xml(text: str) -> str:
    """Return a text as the content of an element."""
    return text.translate(_TEXT_TABLE)


def quoteattr(text: str) -> str:
    """Return a text as the value of an attribute, with quotes: double ones unless only the text has those."""
    escaped = text.translate(_ATTRIBUTE_TABLE)
    if '"' not in escaped:
        return f'"{escaped}"'
    return f"'{escaped}'" if "'" not in escaped else '"{}"'.format(escaped.replace('"', "&quot;"))


# Characters of Markdown; and what GitHub makes links to people, issues, and pages, emojis, and formulas of, even if it
# is escaped.
_MARKUP = r"[\\`*_{}\[\]<>()#+!|~&]"
_LINK = r"@|#(?=\w)|:(?=[\w/+-])|\bwww(?=\.)|\bGH(?=-)|\$"
_SPECIAL = re.compile(rf"(?P<link>{_LINK})|{_MARKUP}", re.IGNORECASE)
INVISIBLE = "&#8203;"
_BACKTICKS = re.compile("`+")


def escape_markdown(text: str) -> str:
    """Return a text as one line of Markdown."""
    return _SPECIAL.sub(_escaped, escape_controls(" ".join(text.split())))


def _escaped(match: re.Match[str]) -> str:
    mark = "\\" if match[0] in "#" or not match["link"] else ""
    return f"{mark}{match[0]}{INVISIBLE if match['link'] else ''}"


def code_span(text: str) -> str:
    """Return a code span; more backticks around it than any within it end it nowhere else."""
    content = escape_controls(text)
    fence = "`" * (1 + max(map(len, _BACKTICKS.findall(content)), default=0))
    space = " " if content[:1] == "`" or content[-1:] == "`" else ""
    return f"{fence}{space}{content}{space}{fence}"
