"""Read regular files up to a size limit; the only way in which files of a project are read."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from cardgen.runtime import activity_log, unsaved_files
from cardgen.runtime.standard_io import DASH, read_input

# Bytes by which a file is expected to grow, at most, while it is read; memory for them is reserved.
_REST = 1 << 16


class FileTooLargeError(OSError):
    """The file is larger than allowed."""


def read(path: Path, limit: int) -> bytes:
    """Return the content of a file of up to `limit` bytes.

    Raises FileTooLargeError if it is larger. Raises OSError if it cannot be read, or is not a regular file: reading a
    pipe or a device may never end. Uses file descriptors, which are faster than file objects for thousands of files.
    The path '-' is standard input. An editor's unsaved text takes the place of its file.
    """
    if path == DASH:
        return _within(read_input(limit), limit, path)
    unsaved = unsaved_files.content_of(path)
    if unsaved is not None:
        return _within(unsaved, limit, path)
    file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode):
            is_folder = stat.S_ISDIR(status.st_mode)
            raise OSError(errno.EISDIR, os.strerror(errno.EISDIR) if is_folder else "not a regular file")
        content = os.read(file, min(status.st_size, limit) + 1)
        while len(content) <= limit and (more := os.read(file, min(limit + 1 - len(content), _REST))):
            content += more
    finally:
        os.close(file)
    return _within(content, limit, path)


def _within(content: bytes, limit: int, path: Path) -> bytes:
    if len(content) > limit:
        raise FileTooLargeError(errno.EFBIG, "the file is too large")
    activity_log.record(f"read {path}")
    return content
