"""Edits of a document's data that keep the places of what is left."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cardgen.source.composer import Composition
from cardgen.source.document import Document, LazyTree
from cardgen.source.positions import Data, KeyPath, Node


def existing_path(document: Document, key_path: KeyPath) -> KeyPath:
    """Return the longest beginning of a key path that exists in the document."""
    node = document.root
    for index, step in enumerate(key_path):
        node = node.child(step) if node else None
        if node is None:
            return key_path[:index]
    return key_path


def value_at(document: Document, key_path: KeyPath) -> Data:
    """Return the value at a key path, which must exist."""
    data: Any = document.data
    for step in key_path:
        data = data[step]
    return data  # type: ignore[no-any-return]


def without(document: Document, key_path: KeyPath) -> Document:
    """Return the document without the value at a key path, which must exist and not be empty."""
    return _edited(document, key_path, None)


def renamed(document: Document, key_path: KeyPath, name: str) -> Document:
    """Return the document with another name for the key at a key path, which must exist."""
    return _edited(document, key_path, name)


def _edited(document: Document, key_path: KeyPath, name: str | None) -> Document:
    assert document.root is not None
    data, root = _edit(document.data, document.root, key_path, name)
    return replace(document, data=data, tree=LazyTree("", Composition(data, root, [])))


def _edit(data: Any, node: Node, key_path: KeyPath, name: str | None) -> tuple[Any, Node]:
    """Return data and node with the last key renamed, or removed if there is no name; only the path is copied."""
    step, *rest = key_path
    children: Any = node.children
    pairs = {key: (data[key], children[key]) for key in (data if isinstance(data, dict) else range(len(data)))}
    if rest:
        pairs[step] = _edit(*pairs[step], tuple(rest), name)
    elif name is None:
        del pairs[step]
    else:
        pairs = {name if key == step else key: pair for key, pair in pairs.items()}
    if isinstance(data, list):
        values, nodes = [value for value, _ in pairs.values()], [child for _, child in pairs.values()]
        return values, node._replace(children=nodes)
    return (
        {key: value for key, (value, _) in pairs.items()},
        node._replace(children={str(key): child for key, (_, child) in pairs.items()}),
    )
