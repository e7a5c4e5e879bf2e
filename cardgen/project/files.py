"""Find card files and pictures, and display paths."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.project.confinement import require_inside, require_named_inside
from cardgen.runtime import installed_games, project_games
from cardgen.runtime.fingerprint import PACKAGE, PICTURE_SUFFIXES, SETTINGS_FILE, TABLE_SUFFIXES, has_settings, walk
from cardgen.runtime.project_games import GAME_ID, ProjectGames, game_paths
from cardgen.runtime.standard_io import DASH


class AmbiguousPictureError(ValueError):
    """Several pictures have the name of a card.

    The message is for the user, and `help` says what to do.
    """

    help = "keep one of them"

    def __init__(self, message: str, pictures: tuple[Path, ...]) -> None:
        super().__init__(message)
        self.pictures = pictures


def display_path(path: Path) -> str:
    """Return a path as the user would type it.

    It is relative if inside the current folder, and has forward slashes.
    """
    absolute, here = os.path.abspath(path), os.getcwd()  # noqa: PTH100, PTH109 - resolve() would follow links
    if absolute == here:
        return "."
    prefix = here.rstrip(os.sep) + os.sep
    return absolute.removeprefix(prefix).replace(os.sep, "/")


def find_games(root: Path) -> ProjectGames:
    """Return the games in a project's folder `games`, by id.

    Raises CardgenError for a link that points outside the project, a folder whose name is not an id, and a game that is
    already installed.
    """
    problems: list[Diagnostic] = []
    for path in game_paths(root):
        try:
            require_inside(root, path, display_path(path))
        except CardgenError as error:
            problems += error.diagnostics
            continue
        problems += _name_problems(path)
    if problems:
        raise CardgenError(*problems)
    return project_games.find_games(root)


def _name_problems(path: Path) -> Iterator[Diagnostic]:
    name, place = path.parent.name, Place(display_path(path))
    if not GAME_ID.fullmatch(name):
        message = f"'{name}' is not a valid id of a game"
        help_text = "rename the folder: use lowercase letters and digits, separated by single hyphens"
        yield Diagnostic(Code.BAD_GAME_FOLDER, message, place, help_text)
    elif name in installed_games.locations() or name in installed_games.program_game_files():
        message = f"the game '{name}' is installed and cannot be replaced"
        yield Diagnostic(Code.BAD_GAME_FOLDER, message, place, "rename the folder, and 'game' in the file")


def built_in_folder(name: str) -> Path:
    """Return the built-in folder of that name ('templates', 'cards').

    It is inside the installed package, or next to it in a checkout.
    """
    packaged = PACKAGE / name
    return packaged if packaged.is_dir() else PACKAGE.parent / name


CARDS_FOLDER = "cards"
CARD_SUFFIXES = (".yaml", ".yml")
# Windows opens a device instead of a file with one of these names, whatever its suffix.
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10))}
)
NON_CARD_FOLDERS = frozenset(
    {"templates", "fonts", "icons", "sheets", "sprues", "output", "games", "releases", "services", "data"}
)
_FIRST_CARD_HELP = f"write a card such as {CARDS_FOLDER}/sentinel.yaml, or run 'cardgen new' to create one"


def portable_stem(id: str, kind: str) -> str:  # noqa: A002
    """Return the name of a new card's file, without its suffix, that every platform accepts."""
    return f"{id}-{kind}" if is_device_name(id) else id


def is_device_name(name: str) -> bool:
    """Return whether Windows would open a device instead of a file with this name."""
    return name.partition(".")[0].casefold() in _DEVICES


def find_card_files(root: Path, paths: Iterable[Path], tables: Collection[Path] = ()) -> tuple[Path, ...]:
    """Return the card files in `paths`, or else of the whole project.

    `root` is the folder of the project, and `tables` are its tables, which belong to the cards of the project wherever
    they are. A path is a card file, a table, a folder of these, or the folder of the project itself. Each file comes
    once, and the order is the same on every machine. The path '-' is standard input. Hidden files and folders, the
    settings, and folders for other purposes are skipped. Raises CardgenError for a path that is missing or not a card
    file, for a folder without card files, and for a link that points outside the project.
    """
    named = tuple(paths)
    if any(os.path.abspath(path) == str(root) for path in named) and has_settings(root):  # noqa: PTH100 - links stay
        named = ()  # A project that is named is read as it is where it is the current folder.
    files: dict[Path, None] = {}
    problems: list[Diagnostic] = []
    for path in named or (_cards_folder(root),):
        try:
            files.update(dict.fromkeys(_expand_path(root, path, tables if named else ())))
        except CardgenError as error:
            if named or not tables or any(each.code != Code.NO_CARDS for each in error.diagnostics):
                problems += error.diagnostics
    if not named:
        files.update(dict.fromkeys(tables))
    if problems:
        raise CardgenError(*problems)
    return tuple(files)


def skipped_files(root: Path, read_files: Iterable[Path]) -> tuple[Path, ...]:
    """Return the files that look like cards but were not read.

    This reports a card saved as `.txt` or `.json`, or in the wrong folder. Pictures, hidden files, and files in folders
    for other purposes are never cards.
    """
    excluded = {*map(str, read_files), str(root / SETTINGS_FILE)}
    among_cards = (file.path for file in _walk(_cards_folder(root)) if not file.name.lower().endswith(PICTURE_SUFFIXES))
    elsewhere = (file.path for file in _walk(root) if file.name.lower().endswith(CARD_SUFFIXES))
    return tuple(sorted(map(Path, {*among_cards, *elsewhere} - excluded)))


def _walk(folder: Path | str) -> Iterator[os.DirEntry[str]]:
    """Yield the files below a folder.

    Folders for other purposes and links to folders are skipped.
    """
    return (entry for entry in walk(str(folder), may_hold_cards) if not _is_folder(entry))


def may_hold_cards(folder: os.DirEntry[str]) -> bool:
    """True if a folder of this name may contain cards."""
    return folder.name not in NON_CARD_FOLDERS


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself; reading it reports the error
        return False


def _cards_folder(root: Path) -> Path:
    folder = root / CARDS_FOLDER
    return require_inside(root, folder, display_path(folder)) if folder.is_dir() else root


def _expand_path(root: Path, path: Path, tables: Collection[Path]) -> list[Path]:
    if path == DASH:
        return [path]
    name = display_path(path)
    path = require_named_inside(root, path, name)
    if path.is_dir():
        files = [Path(file) for file in sorted(_card_files_below(root, path), key=_folder_sort_key)]
        files += (table for table in tables if table.is_relative_to(path))
        if not files:
            raise _path_error(Code.NO_CARDS, "no card files found", path, _FIRST_CARD_HELP)
        return files
    if not path.exists():
        raise _path_error(Code.NO_SUCH_FILE, "no such file or folder", path)
    if path.name == SETTINGS_FILE:
        raise _path_error(Code.NOT_A_CARD_FILE, "the file contains the project's settings, not cards", path)
    if path.suffix not in CARD_SUFFIXES and path not in tables:
        message = f"the name of a card file must end in {' or '.join(CARD_SUFFIXES)}"
        help_text = "name this table under 'tables' in cardgen.yaml" if path.suffix.lower() in TABLE_SUFFIXES else ""
        raise _path_error(Code.NOT_A_CARD_FILE, message, path, help_text)
    return [path]


def _folder_sort_key(file: str) -> str:
    """Return a sort key that keeps the files of a folder together.

    Folder names may contain characters that sort before the path separator.
    """
    return file.replace(os.sep, "\0")


def _card_files_below(root: Path, folder: Path) -> Iterator[str]:
    confines = root if folder.is_relative_to(root) else folder
    for file in _walk(folder):
        if not file.name.endswith(CARD_SUFFIXES) or file.name == SETTINGS_FILE:
            continue
        if file.is_symlink():
            require_inside(confines, Path(file), display_path(Path(file)))
        yield file.path


def _path_error(code: Code, message: str, path: Path, help_text: str = "") -> CardgenError:
    return CardgenError(Diagnostic(code, message, Place(display_path(path)), help_text))
