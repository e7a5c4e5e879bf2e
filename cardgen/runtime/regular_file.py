"""Read regular files up to a size limit, as saved or as an editor has them open, and the files that users name '-'.

This is the only way in which files of a project are read, and in which their links are followed.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Mapping
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import IO, TextIO

from cardgen.diagnostic import escape_lines, log_activity

# What an editor has of files that are not saved, by absolute path.
UnsavedFiles = Mapping[str, bytes]
ALL_SAVED: UnsavedFiles = MappingProxyType({})


def unsaved_content(path: Path, unsaved: UnsavedFiles) -> bytes | None:
    """Return the unsaved content of a file, or None if it has none."""
    return unsaved.get(os.path.abspath(path)) if unsaved else None  # noqa: PTH100 - resolve() would follow links


DASH = Path("-")


def read_input(limit: int) -> bytes:
    """Return the first `limit` bytes of standard input, and one more if there are more; reads it once."""
    return _content(sys.stdin, limit)


@lru_cache(maxsize=1)
def _content(stream: TextIO, limit: int) -> bytes:
    return stream.buffer.read(limit + 1)


def write_output(content: IO[bytes]) -> None:
    """Copy a file to standard output, after what was printed before; a terminal gets escapes for control characters."""
    sys.stdout.flush()
    if sys.stdout.isatty():
        content = BytesIO(escape_lines(content.read().decode("utf-8", "backslashreplace")).encode())
    from shutil import copyfileobj  # loaded here because few commands write a file there

    copyfileobj(content, sys.stdout.buffer)
    sys.stdout.buffer.flush()


# Bytes by which a file is expected to grow, at most, while it is read; memory for them is reserved.
_REST = 1 << 16

# What Git has in place of a file that Git LFS keeps elsewhere.
_LFS_POINTER = b"version https://git-lfs.github.com/spec/"


class FileTooLargeError(OSError):
    """The file is larger than allowed."""


def read(path: Path, limit: int, unsaved: UnsavedFiles = ALL_SAVED) -> bytes:
    """Return the content of a file of up to `limit` bytes.

    Raises FileTooLargeError if it is larger. Raises OSError if it cannot be read, or is not a regular file: reading a
    pipe or a device may never end. Uses file descriptors, which are faster than file objects for thousands of files.
    The path '-' is standard input. What is `unsaved` takes the place of its file.
    """
    if path == DASH:
        return _within(read_input(limit), limit, path)
    content = unsaved_content(path, unsaved)
    if content is not None:
        return _within(content, limit, path)
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
    if content.startswith(_LFS_POINTER):
        raise OSError(errno.EIO, "Git LFS has not fetched it; run 'git lfs pull'")
    log_activity(f"read {path}")
    return content


def is_inside(folder: Path, path: Path) -> bool:
    """Return whether no link leads a file below `folder` out of it, or into its repository, which has secrets.

    Raises OSError if a link points to itself.
    """
    target, top = resolve(path, folder), resolve(folder, folder)
    return target.is_relative_to(top) and ".git" not in map(str.lower, target.relative_to(top).parts)


def stays_inside(folder: Path, path: Path) -> bool:
    """Return whether no link leads a file below `folder` out of it, or to itself."""
    try:
        return is_inside(folder, path)
    except OSError:
        return False


# The error of Windows for a link that it cannot resolve.
_WINDOWS_LINK_LOOP = 1921
# Windows connects to a server, with the name of the user, as soon as anything asks for a file there.
_CONNECTS = sys.platform == "win32"
# A path on a server, or of a device; '\\?\C:' is one of this computer.
_SERVER = re.compile(r"[/\\]{2}(?!\?[/\\][A-Za-z]:)|[/\\]\?\?[/\\]")
# Links on the way to a file.
_MOST_LINKS = 40


def _leads_to_server(path: Path, root: Path) -> bool:
    """Return whether a link below `root` on the way to a path leads to a server; nothing there is looked at."""
    path, root = (Path(os.path.abspath(each)) for each in (path, root))  # noqa: PTH100 - resolve() would follow links
    for _ in range(_MOST_LINKS):
        below = (each for each in (*reversed(path.parents), path) if each != root and each.is_relative_to(root))
        link = next((each for each in below if each.is_symlink()), None)
        if link is None:
            return False
        target = os.readlink(link)  # noqa: PTH115 - as it is written
        if _SERVER.match(target):
            return True
        path = link.parent / target / path.relative_to(link)
    return True


def read_inside(folder: Path, name: str | Path, limit: int) -> bytes:
    """Return the content of a file below a folder, of up to `limit` bytes.

    Raises OSError as `read` does, and if a link leads out of the folder.
    """
    path = folder / name
    if not is_inside(folder, path):
        raise PermissionError(errno.EPERM, "a link leads out of the folder", str(path))
    return read(path, limit)


def is_file_inside(folder: Path, name: str | Path) -> bool:
    """Return whether there is a file of this name below a folder; behind a link out of it, nothing is looked at."""
    return stays_inside(folder, folder / name) and (folder / name).is_file()


def glob_inside(folder: Path, pattern: str) -> list[Path]:
    """Return what is in a folder by a pattern such as 'icons/*.svg', in the order of names.

    Links out of it are left out before anything there is looked at or listed.
    """
    found = [folder]
    for step in pattern.split("/"):
        below = (path for each in found for path in (sorted(each.glob(step)) if "*" in step else (each / step,)))
        found = [path for path in below if stays_inside(folder, path)]
    return [path for path in found if os.path.lexists(path)]


def is_file(path: Path, root: Path) -> bool:
    """Return whether a path is a file; links below `root` that lead to a server are not followed."""
    return not (_CONNECTS and _leads_to_server(path, root)) and path.is_file()


def is_folder(path: Path, root: Path) -> bool:
    """Return whether a path is a folder; links below `root` that lead to a server are not followed."""
    return not (_CONNECTS and _leads_to_server(path, root)) and path.is_dir()


def resolve(path: Path, root: Path) -> Path:
    """Follow the links of a path, which need not exist; those below `root` to a server lead to no place in it.

    Raises OSError if a link points to itself. `Path.resolve` raises RuntimeError there, and nothing since Python 3.13.
    """
    if _CONNECTS and _leads_to_server(path, root):
        return Path(os.sep)
    try:
        return Path(os.path.realpath(path, strict=True))
    except OSError as error:
        if error.errno == errno.ELOOP or getattr(error, "winerror", 0) == _WINDOWS_LINK_LOOP:
            raise
    return Path(os.path.realpath(path))
