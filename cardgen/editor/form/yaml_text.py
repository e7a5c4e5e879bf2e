"""Values as YAML text, in the layout of card files: a map or a list that fits on a line is written on one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from cardgen.editor.scalars import is_plain

_STEP = 2
_LONGEST_FLOW = 72
_PLAIN_WORD = re.compile(r"[A-Za-z][A-Za-z _-]*[A-Za-z]|[A-Za-z]")


def scalar_text(value: object) -> str:
    """Return a scalar on one line, in quotes only if it needs them."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"{value!r}"
    text = str(value)
    return text if is_plain(text) else json.dumps(text, ensure_ascii=False)


def flow_text(value: object) -> str:
    """Return a value in brackets on one line."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{scalar_text(key)}: {flow_text(item)}' for key, item in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(flow_text, value))}]"
    return scalar_text(value)


def pair_text(key: str, value: object, indent: int) -> str:
    """Return a key and its value as lines of a block map; the first line is not indented."""
    name = scalar_text(key)
    if isinstance(value, str) and "\n" in value:
        return f"{name}: {literal_text(value, indent + _STEP)}"
    if _fits_on_a_line(value):
        return f"{name}: {flow_text(value)}"
    margin = " " * (indent + _STEP)
    return "\n".join((f"{name}:", *(f"{margin}{line}" for line in _block_lines(value, indent + _STEP))))


def item_text(value: object, indent: int) -> str:
    """Return an item of a block list whose dash is at an indent, without that indent before its first line."""
    if isinstance(value, Mapping) and value and not _is_short(value):
        pairs = [pair_text(str(key), item, indent + _STEP) for key, item in value.items()]
        return "- " + f"\n{' ' * (indent + _STEP)}".join(pairs)
    return f"- {flow_text(value)}"


def literal_text(value: str, indent: int) -> str:
    """Return a text of several lines as a literal block."""
    body = value.rstrip("\n")
    chomp = "-" if body == value else "" if value == f"{body}\n" else "+"
    lines = (f"{' ' * indent}{line}" if line.strip() else "" for line in (body if chomp != "+" else value).split("\n"))
    return "\n".join((f"|{chomp}", *lines))


def _block_lines(value: object, indent: int) -> Iterator[str]:
    """Yield the lines of a block list or map; each but the first of an item has its own indent already."""
    if isinstance(value, Mapping):
        yield from (pair_text(str(key), item, indent) for key, item in value.items())
    elif isinstance(value, list | tuple):
        yield from (item_text(item, indent) for item in value)


def _fits_on_a_line(value: object) -> bool:
    if isinstance(value, Mapping):
        return not value or _is_short(value)
    if isinstance(value, list | tuple):
        return (
            all(not isinstance(item, Mapping | list | tuple) for item in value)
            and len(flow_text(value)) < _LONGEST_FLOW
        )
    return True


def _is_short(value: Mapping[object, object]) -> bool:
    """Return whether a map is written in brackets: one that holds no texts, such as the numbers of a profile."""
    return _has_no_texts(value) and len(flow_text(value)) < _LONGEST_FLOW


def _has_no_texts(value: object) -> bool:
    if isinstance(value, Mapping):
        return all(map(_has_no_texts, value.values()))
    if isinstance(value, list | tuple):
        return all(map(_has_no_texts, value))
    return not isinstance(value, str) or bool(_PLAIN_WORD.fullmatch(value) and " " not in value)
