"""Texts of cards, templates, games, and settings: read and written without losing what others wrote."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import unified_diff
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from urllib.parse import urlencode

from cardgen.project.confinement import resolve_inside
from cardgen.runtime import atomic_write, regular_file
from cardgen.runtime.fingerprint import SETTINGS_FILE
from cardgen.runtime.project_games import GAME_FILE

CARD_SUFFIXES = (".yaml", ".yml")
SOURCE_SUFFIXES = (".j2", ".svg", ".yaml")
# Returns the path of a file that the studio may read and write, or raises TextError.
PathOf = Callable[[Path, str], Path]
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


def _inside(root: Path, file: str) -> Path:
    try:
        return resolve_inside(root, file, root)
    except ValueError as error:
        raise TextError(str(error)) from None


def card_path(root: Path, file: str) -> Path:
    """Return the absolute path of a card file. Raises TextError if it is not one of the project."""
    path = _inside(root, file)
    inside = path.relative_to(root.resolve())
    if path.suffix not in CARD_SUFFIXES or path.name == SETTINGS_FILE or any(part[0] == "." for part in inside.parts):
        raise TextError(f"'{file}' is not a card file")
    return path


def editor_address(file: str, line: int = 0) -> str:
    """Return the address of the page that edits a file of the project, at a line."""
    steps = PurePosixPath(file).parts
    page = "template" if _is_source(steps) else "edit"
    return f"/{page}?{urlencode({'file': file, **({'line': line} if line else {})})}"


def source_path(root: Path, file: str) -> Path:
    """Return the absolute path of a template, theme, game, or settings file. Raises TextError if it is not one."""
    path = _inside(root, file)
    steps = path.relative_to(root.resolve()).parts
    if not _is_source(steps) or any(part[0] == "." for part in steps):
        raise TextError(f"'{file}' is not a template, a game, or the settings")
    return path


def _is_source(steps: tuple[str, ...]) -> bool:
    """Return whether the steps of a path lead to a file of those that say how cards look and what they mean."""
    match steps:
        case (name,):
            return name == SETTINGS_FILE
        case ("templates", _, name) | ("games", _, "templates", name):
            return name.endswith(SOURCE_SUFFIXES)
        case ("games", _, name):
            return name == GAME_FILE
    return False


def read(root: Path, file: str, path_of: PathOf = card_path) -> FileText:
    """Return the text of a card file, or of a file that `path_of` allows. Raises TextError if it cannot be read."""
    path = path_of(root, file)
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


def save(root: Path, file: str, text: str, base: FileText, path_of: PathOf = card_path) -> FileText:
    """Write the text of a file that was read as `base`, and return it as it is then.

    Raises ChangedOutsideError, and writes nothing, if the file is another one by now. Raises CardgenError if it cannot
    be written.
    """
    current = read(root, file, path_of)
    if current.digest != base.digest:
        raise ChangedOutsideError(current)
    atomic_write.write(path_of(root, file), base.encode(text))
    return read(root, file, path_of)


def save_all(root: Path, changes: Mapping[str, tuple[str, FileText]]) -> dict[str, FileText]:
    """Write the texts of several card files, all or none, and return them as they are then.

    Each has the file that it is a change of. Raises ChangedOutsideError, and writes nothing, if one is another by now,
    and TextError or CardgenError if one cannot be read or written.
    """
    for file, (_, base) in changes.items():
        current = read(root, file)
        if current.digest != base.digest:
            raise ChangedOutsideError(current)
    atomic_write.write_all({card_path(root, file): base.encode(text) for file, (text, base) in changes.items()})
    return {file: read(root, file) for file in changes}


def difference(file: str, theirs: str, mine: str) -> str:
    """Return how a text differs from that of the file, as unified diff."""
    lines = unified_diff(theirs.splitlines(), mine.splitlines(), f"{file} (file)", f"{file} (studio)", lineterm="")
    return "\n".join(lines)
