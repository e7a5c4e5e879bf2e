"""Texts of strangers in Markdown: they show exactly what they say, without links, pictures, or calls to people."""

from __future__ import annotations

import re

from cardgen.diagnostic import escape_controls

# Characters of Markdown; and what GitHub makes links to people, issues, and pages, emojis, and formulas of, even if it
# is escaped.
_MARKUP = r"[\\`*_{}\[\]<>()#+!|~&]"
_LINK = r"@|#(?=\w)|:(?=[\w/+-])|\bwww(?=\.)|\bGH(?=-)|\$"
_SPECIAL = re.compile(rf"(?P<link>{_LINK})|{_MARKUP}", re.IGNORECASE)
INVISIBLE = "&#8203;"
_BACKTICKS = re.compile("`+")


def escape(text: str) -> str:
    """Return a text as one line of Markdown."""
    return _SPECIAL.sub(_escaped, escape_controls(" ".join(text.split())))


def _escaped(match: re.Match[str]) -> str:
    mark = "\\" if match[0] in "#" or not match["link"] else ""
    return f"{mark}{match[0]}{INVISIBLE if match['link'] else ''}"


def code(text: str) -> str:
    """Return a code span; more backticks around it than any within it end it nowhere else."""
    content = escape_controls(text)
    fence = "`" * (1 + max(map(len, _BACKTICKS.findall(content)), default=0))
    space = " " if content[:1] == "`" or content[-1:] == "`" else ""
    return f"{fence}{space}{content}{space}{fence}"
