"""Edits of single values in the text of a YAML file, which keep comments, layout, and quotes of everything else.

Each edit is written in the style of its place, and the result is read again. If it does not say exactly what it
should, the next style is tried, so an edit is right or refused.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

from cardgen.editor.text import is_block, is_plain, scalar_like
from cardgen.source import Data, Document, KeyPath, parse_document
from cardgen.source.composer import CharRange, Node, extent


class EditError(Exception):
    """An edit that cannot be written in place; the text has to be edited itself."""


def set_value(text: str, path: KeyPath, value: Data) -> str:
    """Return the text with another value at a key path, which is added if only its last key is missing."""
    document = _readable(text)
    if _value_at(document.data, path, _MISSING) is _MISSING:
        if not isinstance(path[-1], str):
            raise EditError("the item does not exist")
        return add_key(text, path[:-1], path[-1], value)
    if is_same(_value_at(document.data, path), value):
        return text
    layout = _require_layout(document, path)
    return _first(text, replacements(path, layout, value), _with_value(document.data, path, value))


def add_key(text: str, path: KeyPath, key: str, value: Data, before: Sequence[str] = ()) -> str:
    """Return the text with another key in the map at a key path, after the last of the keys `before` that it has."""
    document = _readable(text)
    owner = _value_at(document.data, path, _MISSING)
    if not isinstance(owner, dict) or not owner:
        if path:
            return set_value(text, path, {key: value})
        start = f"{text}\n" if text and not text.endswith("\n") else text  # it has only comments
        return _first(text, [f"{start}{pair_text(key, value, 0)}\n"], {key: value})
    layout = _require_layout(document, path)
    names = layout.node.children
    assert isinstance(names, dict)
    place = next((name for name in reversed(before) if name in names), None)
    places = [*([place] if place else []), list(names)[-1]]
    candidates = [*(added_pair(layout, at, key, value) for at in places), rewritten(layout, {**owner, key: value})]
    return _first(text, candidates, _with_value(document.data, (*path, key), value))


def insert_item(text: str, path: KeyPath, index: int, value: Data) -> str:
    """Return the text with another item in the list at a key path, which may be missing."""
    document = _readable(text)
    owner = _value_at(document.data, path, _MISSING)
    if not isinstance(owner, list) or not owner:
        return set_value(text, path, [value])
    expected = deepcopy(document.data)
    _value_at(expected, path).insert(index, value)
    return _first(text, insertions(_require_layout(document, path), index, value), expected)


def append_item(text: str, path: KeyPath, value: Data) -> str:
    """Return the text with another item at the end of the list at a key path, which may be missing."""
    items = _value_at(_readable(text).data, path)
    return insert_item(text, path, len(items) if isinstance(items, list) else 0, value)


def copy_item(text: str, path: KeyPath, index: int) -> str:
    """Return the text with an item of a list twice: comments above it and on its line are copied, too."""
    document = _readable(text)
    expected = deepcopy(document.data)
    items = _value_at(expected, path)
    if not isinstance(items, list) or not 0 <= index < len(items):
        raise EditError("the item does not exist")
    items.insert(index, deepcopy(items[index]))
    return _first(text, copies(_require_layout(document, path), index), expected)


def remove_value(text: str, path: KeyPath) -> str:
    """Return the text without the item or the key at a key path; its comment on the same line goes with it."""
    document = _readable(text)
    if not path or _value_at(document.data, path, _MISSING) is _MISSING:
        raise EditError("there is nothing to remove")
    expected = deepcopy(document.data)
    owner = _value_at(expected, path[:-1])
    del owner[path[-1]]
    layout = _require_layout(document, path[:-1])
    return _first(text, removals(layout, path[-1], owner), expected)


def move_item(text: str, path: KeyPath, index: int, target: int) -> str:
    """Return the text with an item of a list at another index; comments above it and on its line go with it."""
    while index != target:
        neighbor = index + (1 if target > index else -1)
        text = _swap(text, path, min(index, neighbor))
        index = neighbor
    return text


def rename_key(text: str, path: KeyPath, name: str) -> str:
    """Return the text with another name for the key at a key path."""
    document = _readable(text)
    owner = _value_at(document.data, path[:-1])
    if not isinstance(owner, dict) or not name or name in owner:
        raise EditError(f"the key '{name}' already exists" if name else "a key needs a name")
    expected = _with_value(
        document.data, path[:-1], {name if key == path[-1] else key: value for key, value in owner.items()}
    )
    start, end = _require_layout(document, path).node.key_range
    styles = (*scalar_styles(text[start:end], name, 0), json.dumps(name, ensure_ascii=False))
    return _first(text, (text[:start] + style + text[end:] for style in styles), expected)


def _swap(text: str, path: KeyPath, index: int) -> str:
    """Return the text with an item of a list and the next one in each other's place."""
    document = _readable(text)
    expected = deepcopy(document.data)
    items = _value_at(expected, path)
    if not isinstance(items, list) or not 0 <= index < len(items) - 1:
        raise EditError("the item cannot be moved any further")
    items[index], items[index + 1] = items[index + 1], items[index]
    layout = _require_layout(document, path)
    parts = layout.items()
    if layout.is_flow:
        ranges = parts[index].whole, parts[index + 1].whole
    else:
        ranges = item_lines(parts, index), item_lines(parts, index + 1)
    return _first(text, [_exchanged(text, *ranges, as_lines=not layout.is_flow)], expected)


def _exchanged(text: str, one: CharRange, other: CharRange, *, as_lines: bool) -> str:
    first, second = text[slice(*one)], text[slice(*other)]
    if as_lines and not second.endswith("\n"):  # the last line of the file
        first, second = first.removesuffix("\n"), f"{second}\n"
    return text[: one[0]] + second + text[one[1] : other[0]] + first + text[other[1] :]


_MISSING: Any = object()


def _readable(text: str) -> Document:
    document = parse_document(text, "")
    if document.root is None and text.strip() and document.diagnostics:
        raise EditError("the text cannot be read")
    return document


def _first(text: str, candidates: Iterable[str], expected: Data) -> str:
    """Return the first text that says what is expected."""
    errors = len(parse_document(text, "").diagnostics)
    for candidate in candidates:
        document = parse_document(candidate, "")
        if len(document.diagnostics) <= errors and is_same(document.data, expected):
            return candidate
    raise EditError("this can only be changed in the text")


def is_same(one: Data, other: Data) -> bool:
    """Return whether two values are equal, and so are their types."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _with_value(data: Data, path: KeyPath, value: Data) -> Data:
    if not path:
        return value
    result: Any = deepcopy(data)
    _value_at(result, path[:-1])[path[-1]] = value
    return result  # type: ignore[no-any-return]


def _value_at(data: Any, path: KeyPath, default: Any = None) -> Any:
    for step in path:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return default
    return data


def _require_layout(document: Document, path: KeyPath) -> Layout:
    layout = layout_at(document, path)
    if layout is None:
        raise EditError("the value does not exist")
    return layout


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


def copies(layout: Layout, index: int) -> Iterator[str]:
    """Yield the text with an item of a list twice; the copy has as many blank lines before it as the next item."""
    source, items = layout.source, layout.items()
    if layout.is_flow:
        start, end = items[index].whole
        yield f"{source[:end]}, {source[start:end]}{source[end:]}"
        return
    start, end = item_lines(items, index)
    lines = source[start:end].strip("\n")
    neighbor = min(index + 1, len(items) - 1)
    below = source[slice(*item_lines(items, neighbor))]
    gap = "\n" * (len(below) - len(below.lstrip("\n"))) if neighbor else ""
    before = source[:end] if source[:end].endswith("\n") else f"{source[:end]}\n"
    yield f"{before}{gap}{lines}\n{source[end:]}"


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
    if old in ('""', "''", "null", "~"):  # they stand for an empty text, not for a style
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
        lines: list[str] = []
        for number, paragraph in enumerate(value.rstrip("\n").split("\n")):  # their break is a blank line
            lines += [*([""] if number else []), *_wrap(paragraph, _line_width(old) - width)]
        yield "\n".join((head, *_margined(lines, width)))
    yield literal_text(value, width)


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
    return "\n".join((f"|{chomp}", *_margined((body if chomp != "+" else value).split("\n"), indent)))


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


_COMMENT_LINE = re.compile(r" *#[^\n]*\n")


class Layout(NamedTuple):
    """The layout of one node of a text."""

    source: str
    node: Node

    @property
    def is_flow(self) -> bool:
        """True for a map or a list in brackets."""
        start = self.node.value_range[0]
        return self.source[start : start + 1] in ("{", "[")

    @property
    def value(self) -> CharRange:
        """The characters of the value with everything in it."""
        return self.node.value_range[0], max(self.node.value_range[1], extent(self.node)[1])

    @property
    def whole(self) -> CharRange:
        """The characters of the key and the value."""
        start, end = extent(self.node)
        return start, len(self.source[:end].rstrip()) if self.source[start:end].strip() else end

    def column(self, index: int) -> int:
        """Return the column of a character, from 0."""
        return index - (self.source.rfind("\n", 0, index) + 1)

    def line_start(self, index: int) -> int:
        """Return the index of the first character of a line."""
        return self.source.rfind("\n", 0, index) + 1

    def line_end(self, index: int) -> int:
        """Return the index of the line break after a character, or of the end of the text."""
        end = self.source.find("\n", index)
        return end if end >= 0 else len(self.source)

    def child(self, step: str | int) -> Layout | None:
        """Return the layout of a child."""
        node = self.node.child(step)
        return self._replace(node=node) if node else None

    def items(self) -> list[Layout]:
        """Return the layouts of the items of a list, or of the pairs of a map."""
        children = self.node.children
        nodes = children.values() if isinstance(children, dict) else children or ()
        return [self._replace(node=node) for node in nodes]


def layout_at(document: Document, path: KeyPath) -> Layout | None:
    """Return the layout of the value at a key path, or None if there is none."""
    node = document.root
    for step in path:
        node = node.child(step) if node else None
    return Layout(document.line_index.text, node) if node else None


def item_lines(items: list[Layout], index: int) -> CharRange:
    """Return the lines of an item of a block list, with the comments above it and the line break after it."""
    item = items[index]
    start = item.line_start(max(item.source.rfind("-", 0, item.node.value_range[0]), 0))
    above = item.line_end(items[index - 1].whole[1]) + 1 if index else _comments_above(item.source, start)
    return min(above, start), min(item.line_end(max(item.whole[1], start)) + 1, len(item.source))


def _comments_above(source: str, start: int) -> int:
    """Return where the comment lines begin that stand right above a line."""
    while start:
        above = source.rfind("\n", 0, start - 1) + 1
        if not _COMMENT_LINE.fullmatch(source, above, start):
            break
        start = above
    return start
