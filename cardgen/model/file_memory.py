"""Memory of card files, so that a program that stays open reads only what has changed."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from pathlib import Path
from typing import NamedTuple, TypeAlias

from cardgen.model.card_file import ReadResult
from cardgen.runtime import unsaved_files
from cardgen.source import Document

_Stamp: TypeAlias = bytes | tuple[int, int, int] | None


class FileCards(NamedTuple):
    """A card file, and what was read from it."""

    document: Document
    results: tuple[ReadResult, ...]


class FileMemory:
    """Card files as they were last read.

    A file is read again if its unsaved text, its size, or its time of change differs. Settings and games are not
    compared: after a change of these, use a new memory.
    """

    def __init__(self) -> None:
        self._files: dict[Hashable, tuple[_Stamp, FileCards]] = {}

    def recall(self, file: Path, key: Hashable, read: Callable[[], FileCards]) -> FileCards:
        """Return the cards of a file; `key` tells apart the ways in which the same file is read."""
        stamp, whole_key = _stamp(file), (str(file), key)
        old_stamp, old = self._files.get(whole_key, (None, None))
        if old is not None and stamp is not None and stamp == old_stamp:
            return old
        cards = read()
        self._files[whole_key] = (stamp, cards)
        return cards


def _stamp(file: Path) -> _Stamp:
    content = unsaved_files.content_of(file)
    if content is not None:
        return content
    try:
        status = os.stat(file)  # noqa: PTH116 - faster for thousands of files
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


_IN_FORCE: ContextVar[FileMemory | None] = ContextVar("memory of card files", default=None)


@contextmanager
def in_force(memory: FileMemory) -> Iterator[None]:
    """Read card files through a memory in the block."""
    token = _IN_FORCE.set(memory)
    try:
        yield
    finally:
        _IN_FORCE.reset(token)


def by_default(memory: FileMemory) -> AbstractContextManager[None]:
    """Read card files through a memory in the block, unless another one is in force."""
    return nullcontext() if _IN_FORCE.get() else in_force(memory)


def recall(file: Path, key: Hashable, read: Callable[[], FileCards]) -> FileCards:
    """Return the cards of a file from the memory in force, or read it."""
    memory = _IN_FORCE.get()
    return memory.recall(file, key, read) if memory else read()
