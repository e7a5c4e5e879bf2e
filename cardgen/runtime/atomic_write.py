"""Atomic file writes (a temporary file, synced, then moved into place), and files for content too large for memory."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from io import BytesIO, UnsupportedOperation
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, log_activity
from cardgen.runtime.fingerprint import OUTPUT_FOLDER, find_settings_folder
from cardgen.runtime.regular_file import DASH, is_inside, write_output

if TYPE_CHECKING:

    class _SpooledFile(tempfile.SpooledTemporaryFile[bytes], BinaryIO): ...
else:
    _SpooledFile = tempfile.SpooledTemporaryFile


_TEMPORARY_SUFFIX = ".cardgen~"
_STALE_AFTER = 3600.0
_PRIVATE = 0o600
_NO_ROOM = frozenset({errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)})
# Devices and links to open files, such as /dev/stdout: they are written to, never replaced.
_DEVICE_FOLDERS = (Path("/dev"), Path("/dev/fd"), Path("/dev/pts"), Path("/proc/self/fd"))


def write(
    path: Path,
    content: bytes | IO[bytes],
    *,
    durable: bool = True,
    confined: bool = True,
    is_private: bool = False,
    output: Path | None = None,
) -> os.stat_result:
    """Write a file completely or not at all, and return its status.

    Content that is an open file is copied from its start. The folder is created if it is missing. A file that exists
    keeps its permissions, and is not replaced if it is read-only. A `durable` file survives a power failure; caches
    need not, and are written faster. A `confined` file of a project stays in it, and in the folder `output` if it is
    below that, even if links lead elsewhere. Only the user may read a file that `is_private`. The path '-' is standard
    output. Devices and pipes are written to in /dev, and refused elsewhere. Raises CardgenError if the file cannot be
    written.
    """
    if path == DASH:
        write_output(_file_of(content))
        return Path(os.devnull).stat()
    with _reported(path):
        # Whether a path is a device or an open file of a process, such as /dev/null or /dev/fd/63.
        folder = Path(os.path.abspath(path)).parent  # noqa: PTH100 - resolve() would follow links
        is_device = folder in _DEVICE_FOLDERS and path.exists() and not stat.S_ISREG(path.lstat().st_mode)
        if is_device:
            with path.open("wb") as file:
                shutil.copyfileobj(_file_of(content), file)
                file.flush()
                return os.fstat(file.fileno())
        if confined:
            _require_confined(path, output)
        permissions = _PRIVATE if is_private else _permissions(path)
        temporary, status = _temporary_file(path, content, permissions, durable=durable)
        _move(temporary, path)
    return status


def write_all(contents: Mapping[Path, bytes | IO[bytes]], output: Path | None = None) -> None:
    """Write the files of a project, all or none; a full disk or Ctrl-C, for instance, leaves those of before.

    Those below the folder `output` stay there. Raises CardgenError for the first file that cannot be written.
    """
    temporaries: dict[Path, Path] = {}
    backups: dict[Path, Path] = {}
    try:
        for path, content in contents.items():
            with _reported(path):
                _require_confined(path, output)
                _require_no_folder(path)
                temporaries[path], _ = _temporary_file(path, content, _permissions(path), durable=True)
        for path, temporary in temporaries.items():
            with _reported(path):
                if os.path.lexists(path):
                    backups[path] = _backup(path)
                _move(temporary, path)
    except BaseException:
        for path, temporary in temporaries.items():
            with suppress(OSError):  # what else could be done?
                if path in backups:
                    backups[path].replace(path)
                elif not temporary.exists():  # it was moved
                    path.unlink(missing_ok=True)
                temporary.unlink(missing_ok=True)
        raise
    finally:
        for backup in backups.values():
            with suppress(OSError):
                backup.unlink(missing_ok=True)


def _backup(path: Path) -> Path:
    """Keep what a path leads to under another name until the files around it are in place; return that name."""
    backup = path.with_name(f".{path.name}.{secrets.token_hex(4)}{_TEMPORARY_SUFFIX}")
    try:
        if path.is_symlink():
            backup.symlink_to(path.readlink())
        else:
            backup.hardlink_to(path)
    except OSError:  # the file system has no links
        shutil.copy2(path, backup, follow_symlinks=False)
    return backup


def _temporary_file(
    path: Path, content: bytes | IO[bytes], permissions: int, *, durable: bool
) -> tuple[Path, os.stat_result]:
    """Write a temporary file beside a path; return it with its status."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove_stale_files(path.parent)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=_TEMPORARY_SUFFIX, dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            shutil.copyfileobj(_file_of(content), file)
            file.flush()
            if durable:
                os.fsync(file.fileno())
            status = os.fstat(file.fileno())
        temporary.chmod(permissions)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary, status


def _move(temporary: Path, path: Path) -> None:
    """Move a temporary file into place, or remove it."""
    try:
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    log_activity(f"wrote {path}")


@contextmanager
def _reported(path: Path) -> Iterator[None]:
    """Raise CardgenError for a file that cannot be written."""
    try:
        yield
    except OSError as error:
        message = f"file cannot be written: {error.strerror or error}"
        advice = remedy(error, "choose another folder with -o")
        raise CardgenError(Diagnostic(Code.UNWRITABLE, message, Place(str(path)), help=advice)) from None


def remedy(error: OSError, other: str) -> str:
    """Return the help for a file that cannot be written; `other` says how to write it somewhere else."""
    if error.errno in _NO_ROOM:
        return f"free space on this disk, or {other}"
    if error.errno == errno.EFBIG:
        return f"raise the limit on the size of files, or {other} on another disk"
    if error.errno == errno.EROFS:
        return other
    return f"close the file in other programs, or {other}"


def _file_of(content: bytes | IO[bytes]) -> IO[bytes]:
    if isinstance(content, bytes):
        return BytesIO(content)
    content.seek(0)
    return content


def _require_no_folder(path: Path) -> None:
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))


def _require_confined(path: Path, output: Path | None) -> None:
    """Raise OSError if a link leads from the project, or else from the current folder, to the folder of the file.

    Raises it also for a link that leads out of the output folder.
    """
    folder = Path(os.path.abspath(path)).parent  # noqa: PTH100 - resolve() would follow links
    root = find_settings_folder(folder) or Path.cwd()
    outputs = (Path.cwd() / each for each in (OUTPUT_FOLDER, output or OUTPUT_FOLDER))
    for top, name in ((root, "project"), *((Path(os.path.normpath(each)), "output folder") for each in outputs)):
        if folder.is_relative_to(root) and folder.is_relative_to(top) and not is_inside(top, folder):
            raise OSError(errno.EPERM, f"a link in '{folder}' points outside the {name}")


@lru_cache(maxsize=256)
def _remove_stale_files(folder: Path) -> None:
    """Remove temporary files of killed builds.

    This happens once per folder and run. Newer ones are kept, because they may belong to a running build.
    """
    for path in folder.glob(f".*{_TEMPORARY_SUFFIX}"):
        with suppress(OSError):
            if path.stat().st_mtime < time.time() - _STALE_AFTER:
                path.unlink()


def _permissions(path: Path) -> int:
    """Return the permissions that a file has, or those of a new one. Raises OSError if it is read-only."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        return 0o666 & ~_umask()
    if stat.S_ISLNK(status.st_mode) or stat.S_ISDIR(status.st_mode):
        return 0o666 & ~_umask()
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is a device or a pipe, not a file")
    if not status.st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError(errno.EACCES, "it is read-only")
    return stat.S_IMODE(status.st_mode)


@cache
def _umask() -> int:
    # Asked for once, and by a strict one: other threads may create files in the meantime.
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


# Shorter content stays in memory.
_MAX_IN_MEMORY = 1 << 20


class ScratchFile(_SpooledFile):
    """File without a name, which is deleted when it is closed or freed.

    Writing to it raises no error, because pikepdf would abort the program; call `check` afterward.
    """

    def __init__(self, max_in_memory: int = _MAX_IN_MEMORY) -> None:
        super().__init__(max_size=max_in_memory)
        self._error: OSError | None = None

    def __del__(self) -> None:
        """Close the file; its content is no longer needed."""
        self.close()

    def write(self, content: Any) -> int:
        """Write content, and return its length."""
        self._attempt(super().write, content)
        return len(content)

    def flush(self) -> None:
        """Pass written content on to the system."""
        self._attempt(super().flush)

    def fileno(self) -> int:
        """Raise UnsupportedOperation: content that is in memory has no descriptor, and would be moved to get one."""
        raise UnsupportedOperation("fileno")

    def check(self) -> None:
        """Raise CardgenError if there was no room for the content."""
        self.flush()
        if self._error is not None:
            message = f"temporary file cannot be written: {self._error.strerror or self._error}"
            advice = "free space there, or set TMPDIR to another folder"
            raise CardgenError(Diagnostic(Code.UNWRITABLE, message, Place(tempfile.gettempdir()), help=advice))

    def content(self) -> bytes:
        """Return the whole content."""
        self.seek(0)
        return self.read()

    def _attempt(self, action: Callable[..., object], *args: Any) -> None:
        """Do something unless it failed before; after an error, the file is empty."""
        if self._error is not None:
            return
        try:
            action(*args)
        except OSError as error:
            self._error = error
            with suppress(OSError):
                self.close()
            super().__init__()
