"""Polls file fingerprints and reports changes once the files have settled.

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

POLL_INTERVAL = 0.1
# A look takes at most this share of the time, however many files there are.
_MAX_SHARE = 0.1


def stamp(path: Path) -> Stamp | None:
    """When a file was changed last and how long it is; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return (status.st_mtime_ns, status.st_size)


def snapshot(roots: Iterable[Path], excluded: Path | None = None) -> Snapshot:
    """The stamps of all files below some folders, and of single files; the folder `but` is left out.

    Hidden files and folders are passed over, and those that editors write aside ('card.yaml~').
    """
    stamps: dict[str, Stamp] = {}
    excluded_path = os.path.abspath(excluded) if excluded else ""  # noqa: PTH100 - resolve() would follow links
    for root in dict.fromkeys(os.path.abspath(root) for root in roots):  # noqa: PTH100
        if Path(root).is_dir():
            stamps.update(_walk(root, excluded_path))
        elif file_stamp := stamp(Path(root)):
            stamps[root] = file_stamp
    return stamps


def _walk(folder: str, excluded_path: str) -> Iterator[tuple[str, Stamp]]:
    for parent, folders, names in os.walk(folder):
        folders[:] = [
            name
            for name in folders
            if not name.startswith(".") and os.path.join(parent, name) != excluded_path  # noqa: PTH118
        ]
        for name in names:
            path = os.path.join(parent, name)  # noqa: PTH118 - this is done for every file, several times a second
            if not name.startswith(".") and not name.endswith("~") and (file_stamp := stamp(Path(path))):
                yield path, file_stamp


def poll_changes(take_snapshot: Callable[[], Snapshot], interval: float = POLL_INTERVAL) -> Iterator[None]:
    """Comes round once at the start, and then whenever something has changed and is at rest again.

    What changes while a round goes on makes another one. Never ends.
    """
    while True:
        before = take_snapshot()
        yield
        current = _take_after(take_snapshot, interval)
        while current == before:
            current = _take_after(take_snapshot, interval)
        while (later := _take_after(take_snapshot, interval / 2)) != current:
            current = later


def _take_after(take_snapshot: Callable[[], Snapshot], interval: float) -> Snapshot:
    time.sleep(interval)
    started = time.monotonic()
    result = take_snapshot()
    time.sleep((time.monotonic() - started) / _MAX_SHARE * (1 - _MAX_SHARE))
    return result
