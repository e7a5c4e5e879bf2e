"""YAML scalars as authors write them: quotes are kept, and added where they are needed."""

from __future__ import annotations

import json

from cardgen.source import parse_document

_BLOCK_STARTS = ("|", ">")


def scalar_like(old: str, text: str) -> str:
    """Return a text as a scalar in the style of an old one, or in double quotes if that style cannot hold it."""
    if old.startswith('"') or "\n" in text:
        return json.dumps(text, ensure_ascii=False)
    if old.startswith("'"):
        return "'" + text.replace("'", "''") + "'"
    return text if is_plain(text) else json.dumps(text, ensure_ascii=False)


def is_plain(text: str) -> bool:
    """Return whether a text needs no quotes, in lists and maps of both styles."""
    document = parse_document(f"[{{key: {text}}}]", "")
    return not document.diagnostics and document.data == [{"key": text}]


def is_block(old: str) -> bool:
    """Return whether a scalar is written as a block, which edits leave alone."""
    return old.startswith(_BLOCK_STARTS)
