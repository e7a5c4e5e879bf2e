"""Files are written aside and moved into place, so that a build that dies leaves the last good one."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from cardgen.diagnostic import CardgenError, Diagnostic, Place

UNWRITABLE = "CG592"


def write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; its folder is made where it is missing.

    Raises CardgenError when it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, aside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            Path(aside).chmod(0o666 & ~_umask())
            Path(aside).replace(path)
        except BaseException:
            Path(aside).unlink(missing_ok=True)
            raise
    except OSError as error:
        message = f"it cannot be written: {error.strerror or error}"
        hint = "close the file where it is open, or choose another folder with -o"
        raise CardgenError(Diagnostic(UNWRITABLE, message, Place(str(path)), help=hint)) from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
