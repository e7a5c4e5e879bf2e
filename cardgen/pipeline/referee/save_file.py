"""The save file of a match: one line after the other, each synced to disk."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.project.files import display_path
from cardgen.runtime import regular_file
from cardgen.runtime.atomic_write import remedy

MAX_TRANSCRIPT_BYTES = 16 * 2**20


def append_line(file: BinaryIO, text: str) -> None:
    """Append a line and sync it to disk; if that fails, leave the file as it was, and raise OSError.

    The line does not go through the buffer of the file, which would write the rest of it later.
    """
    descriptor, left = file.fileno(), text.encode()
    size = os.fstat(descriptor).st_size
    try:
        while left:
            left = left[os.write(descriptor, left) :]
        os.fsync(descriptor)
    except OSError:
        with suppress(OSError):
            file.truncate(size)
        raise


def unwritable(path: Path, error: OSError, *, is_new: bool = False) -> CardgenError:
    """Return the error for a save file that cannot be written; one that is new can have another name."""
    name = display_path(path)
    other = "choose another file with --save" if is_new else f"move {name} to another disk; then resume the match"
    message = f"file cannot be written: {error.strerror or error}"
    return CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place(name), remedy(error, other)))


def drop_torn_line(path: Path) -> None:
    """Remove the incomplete last line."""
    try:
        content = regular_file.read(path, MAX_TRANSCRIPT_BYTES)
        with path.open("ab") as file:
            file.truncate(content.rindex(b"\n") + 1)
    except OSError as error:
        raise unwritable(path, error) from None
