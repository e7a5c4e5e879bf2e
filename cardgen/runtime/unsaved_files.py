"""Texts that an editor has open and not saved, read in place of the files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

# Contents by absolute path.
UnsavedFiles = Mapping[str, bytes]
_IN_FORCE: ContextVar[UnsavedFiles] = ContextVar("unsaved files", default={})  # noqa: B039 - never changed in place


@contextmanager
def in_force(files: UnsavedFiles) -> Iterator[None]:
    """Read these contents in place of the files in the block."""
    token = _IN_FORCE.set(files)
    try:
        yield
    finally:
        _IN_FORCE.reset(token)


def content_of(path: Path) -> bytes | None:
    """Return the unsaved content of a file, or None if it has none."""
    files = _IN_FORCE.get()
    return files.get(os.path.abspath(path)) if files else None  # noqa: PTH100 - resolve() would follow links
