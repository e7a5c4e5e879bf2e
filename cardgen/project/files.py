"""Find card files, display paths, and confine paths to the project."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.project.codes import Code
from cardgen.runtime.fingerprint import PACKAGE, SETTINGS_FILE, walk

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


def display_path(path: Path) -> str:
    """The path as the user would type it: relative to the current folder when inside it, with slashes."""
    absolute, here = os.path.abspath(path), os.getcwd()  # noqa: PTH100, PTH109 - resolve() would follow links
    if absolute == here:
        return "."
    prefix = here.rstrip(os.sep) + os.sep
    return absolute.removeprefix(prefix).replace(os.sep, "/")


def built_in_folder(name: str) -> Path:
    """The folder of that name that comes with the program ('templates', 'cards').

    It lies inside the package when the program is installed, and beside it in a checkout.
    """
    packaged = PACKAGE / name
    return packaged if packaged.is_dir() else PACKAGE.parent / name


def resolve_inside(root: Path, text: str, base: Path) -> Path:
    """The file that a card in the folder `base` means by `text`, resolved; it need not exist.

    Raises ValueError with a sentence for the user when it is no relative path, or leads out of the folder `root`.
    """
    if _URL.match(text):
        raise ValueError(f"'{text}' is an address; save the file in the project and write its path")
    if PurePosixPath(text).is_absolute() or PureWindowsPath(text).anchor:
        raise ValueError(f"'{text}' is an absolute path; write one that starts at the card's folder")
    if "\\" in text:
        raise ValueError(f"'{text}' has a backslash; write the path with slashes")
    try:
        target = (base / text).resolve()
        within = target.is_relative_to(root.resolve())
    except (OSError, RuntimeError, ValueError) as error:  # A loop of links, a name too long, or a null byte.
        raise ValueError(f"'{text}' is no path that can be followed") from error
    if not within:
        raise ValueError(f"'{text}' leads out of the project")
    return target


def is_inside(folder: Path, path: Path) -> bool:
    """Whether a file found below `folder` lies there in truth: no link leads it out."""
    return path.resolve().is_relative_to(folder.resolve())


CARDS_FOLDER = "cards"
CARD_SUFFIXES = (".yaml", ".yml")
PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".svg")
NON_CARD_FOLDERS = frozenset({"templates", "fonts", "icons", "sheets", "sprues", "output"})
_FIRST_CARD_HELP = f"write a card such as {CARDS_FOLDER}/sentinel.yaml, or let 'cardgen new' write one"


def find_card_files(root: Path, paths: Iterable[Path]) -> tuple[Path, ...]:
    """The card files that `paths` name, or all of the project at `root`, each once and in the same order everywhere.

    A path is a card file or a folder of them. Hidden files and folders are passed over, the settings, and folders
    that hold something else. Raises CardgenError for a path that is missing or no card file, for a folder without
    card files, and for a link that leads out of the folder it was found in.
    """
    targets = tuple(paths) or (_cards_folder(root),)
    files: dict[Path, None] = {}
    problems: list[Diagnostic] = []
    for path in targets:
        try:
            files.update(dict.fromkeys(_expand_path(path)))
        except CardgenError as error:
            problems += error.diagnostics
    if problems:
        raise CardgenError(*problems)
    return tuple(files)


def skipped_files(root: Path, read_files: Iterable[Path]) -> tuple[Path, ...]:
    """The files of the project at `root` that look like cards, or lie among cards, and were not `read`.

    So a card that was saved as `.txt` or `.json`, or in the wrong folder, is not lost without a word. Pictures,
    hidden files, and those in folders with another task are never cards.
    """
    excluded = {*map(str, read_files), str(root / SETTINGS_FILE)}
    among_cards = (file.path for file in _walk(_cards_folder(root)) if not file.name.lower().endswith(PICTURE_SUFFIXES))
    elsewhere = (file.path for file in _walk(root) if file.name.lower().endswith(CARD_SUFFIXES))
    return tuple(sorted(map(Path, {*among_cards, *elsewhere} - excluded)))


def _walk(folder: Path | str) -> Iterator[os.DirEntry[str]]:
    """Yield the files below a folder, except in folders for other files; links to folders are skipped."""
    return (entry for entry in walk(str(folder), may_hold_cards) if not _is_folder(entry))


def may_hold_cards(folder: os.DirEntry[str]) -> bool:
    """Whether cards are searched for in a folder of this name."""
    return folder.name not in NON_CARD_FOLDERS


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # A link that leads to itself; whoever wants to read it will say so.
        return False


def _cards_folder(root: Path) -> Path:
    folder = root / CARDS_FOLDER
    return folder if folder.is_dir() else root


def _expand_path(path: Path) -> list[Path]:
    path = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links
    if path.is_dir():
        files = [Path(file) for file in sorted(_card_files_below(path), key=_folder_sort_key)]
        if not files:
            raise _path_error(Code.NO_CARDS, "there is no card file here", path, _FIRST_CARD_HELP)
        return files
    if not path.exists():
        raise _path_error(Code.NO_SUCH_FILE, "there is no such file or folder", path)
    if path.name == SETTINGS_FILE:
        raise _path_error(Code.NOT_A_CARD_FILE, "this file holds the project's settings, not cards", path)
    if path.suffix not in CARD_SUFFIXES:
        raise _path_error(Code.NOT_A_CARD_FILE, f"a card file ends in {' or '.join(CARD_SUFFIXES)}", path)
    return [path]


def _folder_sort_key(file: str) -> str:
    """What files are sorted by, so that a folder's files stand together whatever characters its name has."""
    return file.replace(os.sep, "\0")


def _card_files_below(folder: Path) -> Iterator[str]:
    for file in _walk(folder):
        if not file.name.endswith(CARD_SUFFIXES) or file.name == SETTINGS_FILE:
            continue
        if file.is_symlink():
            _refuse_outside(folder, Path(file))
        yield file.path


def _refuse_outside(folder: Path, link: Path) -> None:
    try:
        reason = "" if is_inside(folder, link) else "this link leads out of its folder"
    except (OSError, RuntimeError):
        reason = "this link leads to itself"
    if reason:
        raise _path_error(Code.OUTSIDE, reason, link, "put the file itself here")


def _path_error(code: Code, message: str, path: Path, help_text: str = "") -> CardgenError:
    return CardgenError(Diagnostic(code, message, Place(display_path(path)), help_text))
