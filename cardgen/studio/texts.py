"""Texts of card files: read, compared, and written without losing what others wrote."""

from __future__ import annotations

from difflib import unified_diff
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from cardgen.project.confinement import resolve_inside
from cardgen.runtime import atomic_write, regular_file
from cardgen.runtime.fingerprint import SETTINGS_FILE

CARD_SUFFIXES = (".yaml", ".yml")
_MOST_BYTES = 2**20
_BYTE_ORDER_MARK = "\ufeff"


class TextError(Exception):
    """A text that cannot be read or written, with a message for the author."""


class ChangedOutsideError(TextError):
    """The file is not the one that was read; `current` is its text now."""

    def __init__(self, current: FileText) -> None:
        super().__init__("the file has changed outside the studio")
        self.current = current


class FileText(NamedTuple):
    """The text of a file as an editor shows it, and what it leaves out.

    Editors know one kind of line break; `line_break` is that of the file, and `mark` its byte-order mark. `digest`
    tells whether the file has changed; it is '' for a file that does not exist.
    """

    text: str
    digest: str
    line_break: str = "\n"
    mark: str = ""

    def encode(self, text: str) -> bytes:
        """Return another text as content of the file."""
        return (self.mark + text.replace("\n", self.line_break)).encode("utf-8", "surrogateescape")


def card_path(root: Path, file: str) -> Path:
    """Return the absolute path of a card file. Raises TextError if it is not one of the project."""
    try:
        path = resolve_inside(root, file, root)
    except ValueError as error:
        raise TextError(str(error)) from None
    inside = path.relative_to(root.resolve())
    if path.suffix not in CARD_SUFFIXES or path.name == SETTINGS_FILE or any(part[0] == "." for part in inside.parts):
        raise TextError(f"'{file}' is not a card file")
    return path


def read(root: Path, file: str) -> FileText:
    """Return the text of a card file. Raises TextError if it cannot be read."""
    path = card_path(root, file)
    try:
        content = regular_file.read(path, _MOST_BYTES)
        text = content.decode("utf-8")
    except FileNotFoundError:
        return FileText("", "")
    except (OSError, UnicodeDecodeError, regular_file.FileTooLargeError) as error:
        raise TextError(f"cannot read '{file}': {error}") from None
    mark = _BYTE_ORDER_MARK if text.startswith(_BYTE_ORDER_MARK) else ""
    line_break = "\r\n" if "\r\n" in text else "\n"
    plain = text.removeprefix(mark).replace("\r\n", "\n").replace("\r", "\n")
    return FileText(plain, sha256(content).hexdigest(), line_break, mark)


def save(root: Path, file: str, text: str, base: FileText) -> FileText:
    """Write the text of a card file that was read as `base`, and return it as it is then.

    Raises ChangedOutsideError, and writes nothing, if the file is another one by now. Raises CardgenError if it cannot
    be written.
    """
    current = read(root, file)
    if current.digest != base.digest:
        raise ChangedOutsideError(current)
    atomic_write.write(card_path(root, file), base.encode(text))
    return read(root, file)


def difference(file: str, theirs: str, mine: str) -> str:
    """Return how a text differs from that of the file, as unified diff."""
    lines = unified_diff(theirs.splitlines(), mine.splitlines(), f"{file} (file)", f"{file} (studio)", lineterm="")
    return "\n".join(lines)
