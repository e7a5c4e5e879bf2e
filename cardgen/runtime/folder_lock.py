"""A lock on a folder: one process at a time does what others must not do meanwhile."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path

from cardgen.user_folders import cache_folder


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Wait until no other process holds the lock of a folder, and hold it meanwhile.

    A process that ends, however, frees its locks. A file system without locks has none.
    """
    file = -1
    try:
        with suppress(OSError):
            file = _lock(folder)
        yield
    finally:
        if file >= 0:
            os.close(file)


if sys.platform == "win32":

    def _lock(folder: Path) -> int:
        """Lock a file of the user that stands for the folder, because Windows cannot open folders."""
        import msvcrt

        name = blake2b(os.fsencode(folder.resolve()), digest_size=12).hexdigest()
        path = cache_folder() / "locks" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT)
        while True:
            try:
                msvcrt.locking(file, msvcrt.LK_LOCK, 1)
            except OSError:  # after ten attempts in ten seconds
                continue
            return file

else:

    def _lock(folder: Path) -> int:
        import fcntl

        file = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
        except OSError:
            os.close(file)
            raise
        return file
