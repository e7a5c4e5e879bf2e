"""The save file of a match: one line after the other, each synced to disk."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.project.files import display_path
from cardgen.referee.codes import Code
from cardgen.runtime import regular_file

MAX_TRANSCRIPT_BYTES = 16 * 2**20


def append_line(file: BinaryIO, text: str) -> None:
    """Append a line and sync it to disk."""
    file.write(text.encode())
    file.flush()
    os.fsync(file.fileno())


def unwritable(path: Path, error: OSError) -> CardgenError:
    """Return the error for a save file that cannot be written."""
    message = f"file cannot be written: {error.strerror or error}"
    return CardgenError(
        Diagnostic(Code.NOT_POSSIBLE, message, Place(display_path(path)), "choose another file with --save")
    )


def drop_torn_line(path: Path) -> None:
    """Remove the incomplete last line."""
    try:
        content = regular_file.read(path, MAX_TRANSCRIPT_BYTES)
        with path.open("ab") as file:
            file.truncate(content.rindex(b"\n") + 1)
    except OSError as error:
        raise unwritable(path, error) from None
