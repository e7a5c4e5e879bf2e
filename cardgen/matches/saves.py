"""The files of a match in progress: its save, each line synced to disk, and its secret beside it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.project.files import display_path
from cardgen.referee.transcript import Transcript, commitment, is_secret, revealed_secret
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
    other = "choose another file with --save" if is_new else f"move {name} to another disk; then resume the battle"
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


_MAX_BYTES = 1024


def path_of(save: Path) -> Path:
    """Return the path of a save's secret file."""
    return save.with_name(f"{save.name}.secret")


def create_secret(save: Path, secret: str) -> None:
    """Write the secret of a new match into a file that only its owner may read.

    Raises CardgenError if the file already exists.
    """
    path = path_of(save)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(f"{secret}\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError:  # an empty one would be in the way of the next match
            path.unlink(missing_ok=True)
            raise
    except FileExistsError:
        hint = "move or delete the file, or choose another save with --save"
        raise _error(path, "file already contains the secret of a battle; not overwritten", hint) from None
    except OSError as error:
        hint = remedy(error, "choose another save with --save")
        raise _error(path, f"file cannot be written: {error.strerror or error}", hint) from None


def remove_secret(save: Path) -> None:
    """Delete the secret file of a match that is over; its save reveals the secret."""
    with suppress(OSError):
        path_of(save).unlink(missing_ok=True)


def secret_of(save: Path, transcript: Transcript) -> str | None:
    """Return the secret of a match: the revealed one, or else the one in its secret file.

    It is None for a match without hidden dice. Raises CardgenError if the secret is missing, or does not match its
    commitment.
    """
    if transcript.is_finished or transcript.header.commitment is None:
        return revealed_secret(transcript)
    path = path_of(save)
    try:
        secret = regular_file.read_inside(path.parent, path.name, _MAX_BYTES).decode("ascii").strip()
    except (OSError, UnicodeDecodeError):
        message = "file with the secret of this battle is missing or cannot be read"
        raise _error(path, message, f"put it back beside {display_path(save)}") from None
    if not is_secret(secret) or commitment(secret) != transcript.header.commitment:
        hint = "put back the file that was written with this save"
        raise _error(path, f"secret does not match the commitment in {display_path(save)}", hint)
    return secret


def _error(path: Path, message: str, hint: str) -> CardgenError:
    return CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place(display_path(path)), hint))
