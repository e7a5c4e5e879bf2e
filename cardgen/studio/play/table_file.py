"""Table files: the seats, codes, and port of a battle, in a private file beside its save.

They let phones come back after the studio was closed. Whoever knows them can sit down at the table, so only the user
may read the file, and a file that this user's studio did not write, such as one in a stranger's project, is ignored.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.referee import strict_json
from cardgen.runtime import atomic_write, regular_file
from cardgen.runtime.sealed_entry import seal, unseal
from cardgen.studio.play.battle_state import SAVE_NAME
from cardgen.studio.play.table import ALPHABET, CODE_LENGTH, MOST_TOKENS, Table

_FORMAT = 1
_MOST_BYTES = 64 * 1024
_CODE = re.compile(f"[{ALPHABET}]{{{CODE_LENGTH}}}")
_DIGEST, _ID, _TOKEN = re.compile("[0-9a-f]{64}"), re.compile("[0-9a-f]{8}"), re.compile(r"[\w-]{43}", re.ASCII)


def path_of(folder: Path, save: str) -> Path:
    """Return the path of the table file of a save. Raises ValueError for a name that no save has."""
    if not SAVE_NAME.fullmatch(save):
        raise ValueError(f"'{save[:80]}' is not a valid name of a save file")
    return folder / f"{save}.table"


def write(folder: Path, save: str, table: Table, port: int) -> None:
    """Write the table file of a save. Raises CardgenError if that fails."""
    path = path_of(folder, save)
    seats = [{"name": each.name, "code": each.code, "digests": each.digests} for each in table.seats.values()]
    data = {"table": _FORMAT, "id": table.id, "port": port, "code": table.code, "screen": table.screen_token}
    content = seal(path.name, json.dumps({**data, "seats": seats}).encode())
    if content is None:
        message = "file cannot be written: there is no folder for settings, in which its key would be"
        raise CardgenError(Diagnostic(Code.UNWRITABLE, message, Place(str(path))))
    atomic_write.write(path, content, is_private=True)


def read(folder: Path, save: str, sides: tuple[str, ...] | None = None) -> tuple[Table, int] | None:
    """Return the table and port of a save, or None if there is no file of this user for it.

    `sides` are those that the battle must have.
    """
    path = path_of(folder, save)
    content = None
    if not path.is_symlink():
        with suppress(OSError):
            content = unseal(path.name, regular_file.read(path, _MOST_BYTES))
    if content is None:
        return None
    try:
        return _table_of(strict_json.parse(content.decode()), sides)
    except (ValueError, KeyError, TypeError):  # of another version
        return None


def remove(folder: Path, save: str) -> None:
    """Delete the table file of a battle that is over."""
    with suppress(OSError):
        path_of(folder, save).unlink(missing_ok=True)


def _table_of(data: Any, sides: tuple[str, ...] | None) -> tuple[Table, int]:
    """Return the table and port of plain data. Raises ValueError, KeyError, and TypeError."""
    names, port = tuple(each["name"] for each in data["seats"]), data["port"]
    if data["table"] != _FORMAT or type(port) is not int or not 0 <= port <= 65535:
        raise ValueError
    if sides is not None and names != sides:
        raise ValueError
    table = Table(names)
    table.id, table.code = _matching(_ID, data["id"]), _matching(_CODE, data["code"])
    table.screen_token = _matching(_TOKEN, data["screen"])
    for seat, each in zip(table.seats.values(), data["seats"], strict=True):
        seat.code = _matching(_CODE, each["code"])
        seat.digests = [_matching(_DIGEST, digest) for digest in each["digests"][:MOST_TOKENS]]
    return table, port


def _matching(pattern: re.Pattern[str], text: str) -> str:
    if not pattern.fullmatch(text):
        raise ValueError
    return text
