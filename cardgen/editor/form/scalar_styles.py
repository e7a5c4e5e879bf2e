"""A scalar in the style of the one that it replaces: quotes, blocks, and folded lines stay."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator

from cardgen.editor.form.yaml_text import literal_text, scalar_text
from cardgen.editor.scalars import is_block, scalar_like

_HEADER = re.compile(r"[|>][^\n]*")
_MARGIN = re.compile(r"\n( +)\S")
_NARROWEST = 60


def scalar_styles(old: str, value: object, indent: int) -> Iterator[str]:
    """Yield the ways to write a value in place of an old scalar, the most similar one first.

    `indent` is that of the lines below the key. Not every way is right for every text, so the caller reads the result.
    """
    if not isinstance(value, str):
        yield scalar_text(value)
        return
    if is_block(old):
        yield from _blocks(old, value, indent)
    elif "\n" in value:
        yield literal_text(value, indent)
    elif "\n" in old:
        yield from _folded(old, value)
    if old in ('""', "''", "null", "~"):  # they stand for an empty text, and are no style
        yield scalar_text(value)
    elif old[:1] not in ("'", '"') and not is_block(old):
        yield value  # without quotes, more is allowed in a block than in brackets
    if not is_block(old):
        yield scalar_like(old, value)
    yield json.dumps(value, ensure_ascii=False)


def _blocks(old: str, value: str, indent: int) -> Iterator[str]:
    header = _HEADER.match(old)
    margin = _MARGIN.search(old)
    width = len(margin[1]) if margin else indent
    head = header[0] if header else "|"
    if old.startswith("|"):
        yield "\n".join((head, *_margined(value.rstrip("\n").split("\n"), width)))
    else:
        lines = _wrapped(value.rstrip("\n"), _line_width(old), width)
        yield "\n".join((head, *_margined(lines, width)))
    yield literal_text(value, width)


def _wrapped(value: str, longest: int, margin: int) -> list[str]:
    """Return the lines of a folded text; a line break of the text becomes a blank line."""
    lines: list[str] = []
    for number, paragraph in enumerate(value.split("\n")):
        lines += [""] if number else []
        lines += _wrap(paragraph, longest - margin)
    return lines


def _margined(lines: list[str], margin: int) -> list[str]:
    return [f"{' ' * margin}{line}" if line.strip() else "" for line in lines]


def _folded(old: str, value: str) -> Iterator[str]:
    """Yield a text over several lines, plain or in its quotes."""
    margin = _MARGIN.search(old)
    if margin is None:
        return
    quote = old[0] if old[0] in "\"'" else ""
    inner = {"'": value.replace("'", "''"), '"': json.dumps(value, ensure_ascii=False)[1:-1]}.get(quote, value)
    lines = _wrap(f"{quote}{inner}{quote}", _line_width(old) - len(margin[1]))
    yield "\n".join((lines[0], *_margined(lines[1:], len(margin[1]))))


def _wrap(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, max(width, _NARROWEST), break_long_words=False, break_on_hyphens=False) or [text]


def _line_width(old: str) -> int:
    return max(map(len, old.split("\n")))
