"""The ways to write an edit of a value, the most fitting one first; not every one is right in every place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cardgen.editor.form.layout import Layout, item_lines
from cardgen.editor.form.scalar_styles import scalar_styles
from cardgen.editor.form.yaml_text import flow_text, item_text, pair_text, scalar_text
from cardgen.source import Data, KeyPath
from cardgen.source.positions import CharRange

_STEP = 2


def replacements(path: KeyPath, layout: Layout, value: Data) -> Iterator[str]:
    """Yield the texts with another value in place of that of a layout."""
    source, (start, end) = layout.source, layout.value
    indent = _indent_below(path, layout)
    gap = "" if start == 0 or source[start - 1] in " \n[{" else " "
    if not isinstance(value, dict | list):
        if layout.node.children is None or layout.is_flow:
            for style in scalar_styles(source[start:end], value, indent):
                yield source[:start] + gap + style + source[end:]
        else:
            key_end = len(source[:start].rstrip())
            yield f"{source[:key_end]} {scalar_text(value)}{source[end:]}"
            yield source[:start] + scalar_text(value) + source[end:]
        return
    if value and path:
        yield from _block_replacements(source, (start, end), path, value, indent)
    yield source[:start] + gap + flow_text(value) + source[end:]
    if not layout.is_flow and path:
        key_end = len(source[:start].rstrip())
        yield f"{source[:key_end]} {flow_text(value)}{source[end:]}"


def _block_replacements(source: str, char_range: CharRange, path: KeyPath, value: Data, indent: int) -> Iterator[str]:
    """Yield the texts with a block list or map as the value of a key, or as an item."""
    start, end = char_range
    if isinstance(path[-1], int):
        dash = len(source[:start].rstrip()) - 1
        body = item_text(value, indent - _STEP)
        if dash >= 0 and source[dash] == "-" and "\n" in body:
            yield source[:dash] + body + source[end:]
    else:
        body = pair_text("k", value, indent - _STEP).removeprefix("k:")
        key_end = len(source[:start].rstrip(" \n"))
        if "\n" in body and source[key_end - 1 : key_end] == ":":
            yield source[:key_end] + body + source[end:]


def added_pair(layout: Layout, after: str, key: str, value: Data) -> str:
    """Return the text with another pair behind one of a map."""
    sibling = layout.child(after)
    assert sibling is not None
    source, end = layout.source, sibling.whole[1]
    if layout.is_flow:
        return f"{source[:end]}, {scalar_text(key)}: {flow_text(value)}{source[end:]}"
    first = layout.items()[0].node.key_range[0]
    indent = layout.column(first)
    at = layout.line_end(end)
    return f"{source[:at]}\n{' ' * indent}{pair_text(key, value, indent)}{source[at:]}"


def rewritten(layout: Layout, value: Data) -> str:
    """Return the text with a value in brackets; a pair in a list, as in [a: b], has none of its own."""
    start, end = layout.value
    start = min(start, layout.node.key_range[0])
    return layout.source[:start] + flow_text(value) + layout.source[end:]


def insertions(layout: Layout, index: int, value: Data) -> Iterator[str]:
    """Yield the texts with another item in a list that is not empty."""
    source, items = layout.source, layout.items()
    if layout.is_flow:
        if index < len(items):
            at = items[index].whole[0]
            yield f"{source[:at]}{flow_text(value)}, {source[at:]}"
        else:
            at = items[-1].whole[1]
            yield f"{source[:at]}, {flow_text(value)}{source[at:]}"
        return
    indent = layout.column(layout.node.value_range[0])
    margin = " " * indent
    for body in (item_text(value, indent), f"- {flow_text(value)}"):
        if index < len(items):
            at = item_lines(items, index)[0]
            yield f"{source[:at]}{margin}{body}\n{source[at:]}"
        else:
            at = layout.line_end(items[-1].whole[1])
            yield f"{source[:at]}\n{margin}{body}{source[at:]}"


def removals(layout: Layout, step: str | int, rest: Sequence[Data] | dict[str, Data]) -> Iterator[str]:
    """Yield the texts without an item or a pair; `rest` is what the list or map still has."""
    source = layout.source
    if not rest:
        start, end = layout.value
        empty = "[]" if isinstance(rest, list) else "{}"
        key_end = len(source[:start].rstrip())
        if not layout.is_flow and source[key_end - 1 : key_end] == ":":
            yield f"{source[:key_end]} {empty}{source[layout.line_end(end) :]}"
        yield source[:start] + empty + source[end:]
        return
    items = layout.items()
    names = list(layout.node.children) if isinstance(layout.node.children, dict) else []
    index = step if isinstance(step, int) else names.index(step)
    if layout.is_flow:
        yield _cut(source, _flow_range(items, index))
        return
    start, end = items[index].whole
    if isinstance(step, int):
        yield _cut(source, item_lines(items, index))
    elif not source[layout.line_start(start) : start].strip():
        yield _cut(source, (layout.line_start(start), min(layout.line_end(end) + 1, len(source))))
    elif index + 1 < len(items):  # the first key of an item: the next one moves up to the dash
        yield _cut(source, (start, items[index + 1].whole[0]))


def _flow_range(items: list[Layout], index: int) -> CharRange:
    """Return the characters of an item in brackets with one of its commas: the one before it, unless a comment is."""
    start, end = items[index].whole
    before = (items[index - 1].whole[1], end) if index else None
    after = (start, items[index + 1].whole[0]) if index + 1 < len(items) else None
    ranges = [each for each in (before, after) if each] or [(start, end)]
    return next((each for each in ranges if "#" not in items[index].source[slice(*each)]), ranges[0])


def _cut(source: str, char_range: CharRange) -> str:
    start, end = char_range
    return source[:start] + source[end:]


def _indent_below(path: KeyPath, layout: Layout) -> int:
    """Return the indent of lines below a key or a dash."""
    if path and isinstance(path[-1], int):
        start = layout.node.value_range[0]
        dash = layout.source.rfind("-", layout.line_start(start), start)
        return layout.column(dash) + _STEP if dash >= 0 else layout.column(start)
    return layout.column(layout.node.key_range[0]) + _STEP
