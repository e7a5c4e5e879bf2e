"""Shared by tests of the source: what a file imports and defines, parsed once in a process."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple


class Outline(NamedTuple):
    """The imports and classes of a file, at any depth.

    `imports` has a pair for each module: its name, and the names taken from it, none for a plain `import`.
    """

    imports: tuple[tuple[str, tuple[str, ...]], ...]
    classes: tuple[str, ...]


@cache
def outline(path: Path) -> Outline:
    """Return the outline of a file, which must not change while the tests run."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    return Outline(
        tuple(each for node in nodes for each in _modules(node)),
        tuple(node.name for node in nodes if isinstance(node, ast.ClassDef)),
    )


def _modules(node: ast.AST) -> Iterator[tuple[str, tuple[str, ...]]]:
    if isinstance(node, ast.Import):
        yield from ((alias.name, ()) for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield node.module, tuple(alias.name for alias in node.names)
