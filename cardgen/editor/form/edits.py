"""Edits of single values in the text of a YAML file, which keep comments, layout, and quotes of everything else.

Each edit is written in the style of its place, and the result is read again. If it does not say exactly what it
should, the next style is tried, so an edit is right or refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import Any

from cardgen.editor.form.edit_styles import added_pair, insertions, removals, replacements, rewritten
from cardgen.editor.form.layout import Layout, item_lines, layout_at
from cardgen.editor.form.scalar_styles import scalar_styles
from cardgen.editor.form.yaml_text import pair_text
from cardgen.source import Data, Document, KeyPath, parse_document
from cardgen.source.positions import CharRange


class EditError(Exception):
    """An edit that cannot be written in place; the text has to be edited itself."""


def set_value(text: str, path: KeyPath, value: Data) -> str:
    """Return the text with another value at a key path, which is added if only its last key is missing."""
    document = _readable(text)
    if _value_at(document.data, path, _MISSING) is _MISSING:
        if not isinstance(path[-1], str):
            raise EditError("the item does not exist")
        return add_key(text, path[:-1], path[-1], value)
    if _is_same(_value_at(document.data, path), value):
        return text
    layout = _require_layout(document, path)
    return _first(text, replacements(path, layout, value), _with_value(document.data, path, value))


def add_key(text: str, path: KeyPath, key: str, value: Data, before: Sequence[str] = ()) -> str:
    """Return the text with another key in the map at a key path, after the last of the keys `before` that it has."""
    document = _readable(text)
    owner = _value_at(document.data, path, _MISSING)
    if not isinstance(owner, dict) or not owner:
        return set_value(text, path, {key: value}) if path else _with_first_key(text, key, value)
    layout = _require_layout(document, path)
    names = layout.node.children
    assert isinstance(names, dict)
    place = next((name for name in reversed(before) if name in names), None)
    places = [*([place] if place else []), list(names)[-1]]
    candidates = [*(added_pair(layout, at, key, value) for at in places), rewritten(layout, {**owner, key: value})]
    return _first(text, candidates, _with_value(document.data, (*path, key), value))


def _with_first_key(text: str, key: str, value: Data) -> str:
    """Return a text that has only comments with a key."""
    separator = "\n" if text and not text.endswith("\n") else ""
    return _first(text, [f"{text}{separator}{pair_text(key, value, 0)}\n"], {key: value})


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
        if len(document.diagnostics) <= errors and _is_same(document.data, expected):
            return candidate
    raise EditError("this can only be changed in the text")


def _is_same(one: Data, other: Data) -> bool:
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
