"""Atomic file writes: into a temporary file, synced, then moved into place."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import time
from contextlib import suppress
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import IO

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.runtime import activity_log
from cardgen.runtime.fingerprint import find_settings_folder
from cardgen.runtime.standard_io import DASH, write_output

UNWRITABLE = "CG592"
_TEMPORARY_SUFFIX = ".cardgen~"
_STALE_AFTER = 3600.0


def write(path: Path, content: bytes | IO[bytes], *, durable: bool = True, confined: bool = True) -> os.stat_result:
    """Write a file completely or not at all, and return its status.

    Content that is an open file is copied from its start. The folder is created if it is missing. A `durable` file
    survives a power failure; caches need not, and are written faster. A `confined` file of a project stays in it, even
    if links in the project lead elsewhere. The path '-' is standard output. Raises CardgenError if the file cannot be
    written.
    """
    if path == DASH:
        write_output(_file_of(content))
        return Path(os.devnull).stat()
    try:
        if confined:
            _require_confined(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_stale_files(path.parent)
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=_TEMPORARY_SUFFIX, dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                shutil.copyfileobj(_file_of(content), file)
                file.flush()
                if durable:
                    os.fsync(file.fileno())
                status = os.fstat(file.fileno())
            Path(temporary).chmod(0o666 & ~_umask())
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        message = f"file cannot be written: {error.strerror or error}"
        advice = "close the file in other programs, or choose another folder with -o"
        raise CardgenError(Diagnostic(UNWRITABLE, message, Place(str(path)), help=advice)) from None
    activity_log.record(f"wrote {path}")
    return status


def _file_of(content: bytes | IO[bytes]) -> IO[bytes]:
    if isinstance(content, bytes):
        return BytesIO(content)
    content.seek(0)
    return content


def _require_confined(path: Path) -> None:
    """Raise OSError if a link leads from the project, or else from the current folder, to the folder of the file."""
    folder = Path(os.path.abspath(path)).parent  # noqa: PTH100 - resolve() would follow links
    root = find_settings_folder(folder) or Path.cwd()
    if folder.is_relative_to(root) and not folder.resolve().is_relative_to(root.resolve()):
        raise OSError(errno.EPERM, f"a link in '{folder}' points outside the project")


@lru_cache(maxsize=256)
def _remove_stale_files(folder: Path) -> None:
    """Remove temporary files of killed builds.

    This happens once per folder and run. Newer ones are kept, because they may belong to a running build.
    """
    for path in folder.glob(f".*{_TEMPORARY_SUFFIX}"):
        with suppress(OSError):
            if path.stat().st_mtime < time.time() - _STALE_AFTER:
                path.unlink()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
