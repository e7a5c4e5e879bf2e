"""Paragraphs of templates: blank lines after lines that end with a tag.

Jinja2 removes the line break after a tag. That is right for a line that has only tags, but after a line with text, it
would join the paragraph with the next one.
"""

from __future__ import annotations

import re

# A line that ends with a tag, before a blank line.
_LINE = re.compile(r"^([^\n]*[^-+\n])([%#]\})\n(?=[ \t]*\n)", re.MULTILINE)
_TAG = re.compile(r"\{%[^%]*%\}|\{#[^#]*#\}")


def keep_paragraphs(source: str) -> str:
    """Return a template that keeps the line breaks between its paragraphs; its lines have the same numbers."""
    return _LINE.sub(_keep, source) if "}\n" in source else source


def _keep(match: re.Match[str]) -> str:
    line = match[0].rstrip("\n")
    return f"{match[1]}+{match[2]}\n" if _TAG.sub("", line).strip() else match[0]
