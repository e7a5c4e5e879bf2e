"""Watching files: what changed since the last look.

Files are looked at several times a second, by name, time and size. That takes some milliseconds for a project of a
thousand files, and unlike the notices of an operating system it works on network drives and in containers too.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

Stamp: TypeAlias = tuple[int, int]
Snapshot: TypeAlias = Mapping[str, Stamp]

PAUSE = 0.1
# A look takes at most this share of the time, however many files there are.
_SHARE = 0.1


def stamp(path: Path) -> Stamp | None:
    """When a file was changed last and how long it is; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_size)


def snapshot(roots: Iterable[Path], but: Path | None = None) -> Snapshot:
    """The stamps of all files below some folders, and of single files; the folder `but` is left out.

    Hidden files and folders are passed over, and those that editors write aside ('card.yaml~').
    """
    seen: dict[str, Stamp] = {}
    left_out = os.path.abspath(but) if but else ""  # noqa: PTH100 - resolve() would follow links
    for root in dict.fromkeys(os.path.abspath(root) for root in roots):  # noqa: PTH100
        if Path(root).is_dir():
            seen.update(_below(root, left_out))
        elif found := stamp(Path(root)):
            seen[root] = found
    return seen


def _below(folder: str, left_out: str) -> Iterator[tuple[str, Stamp]]:
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and os.path.join(place, name) != left_out]  # noqa: PTH118
        for name in names:
            path = os.path.join(place, name)  # noqa: PTH118 - this is done for every file, several times a second
            if not name.startswith(".") and not name.endswith("~") and (found := stamp(Path(path))):
                yield path, found


def rounds(look: Callable[[], Snapshot], pause: float = PAUSE) -> Iterator[None]:
    """Comes round once at the start, and then whenever something has changed and is at rest again.

    What changes while a round goes on makes another one. Never ends.
    """
    while True:
        before = look()
        yield
        now = _next(look, pause)
        while now == before:
            now = _next(look, pause)
        while (later := _next(look, pause / 2)) != now:
            now = later


def _next(look: Callable[[], Snapshot], pause: float) -> Snapshot:
    time.sleep(pause)
    started = time.monotonic()
    found = look()
    time.sleep((time.monotonic() - started) / _SHARE * (1 - _SHARE))
    return found
