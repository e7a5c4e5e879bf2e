"""Finding the card files of a project."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.project.codes import Code
from cardgen.project.paths import shown, stays_in

SETTINGS_FILE = "cardgen.yaml"
CARDS_FOLDER = "cards"
SUFFIXES = (".yaml", ".yml")
PICTURES = (".png", ".jpg", ".jpeg", ".svg")
OTHER_FOLDERS = frozenset({"templates", "fonts", "icons", "sheets", "sprues", "output"})
_START = f"write a card such as {CARDS_FOLDER}/sentinel.yaml, or let 'cardgen new' write one"


def card_files(root: Path, paths: Iterable[Path]) -> tuple[Path, ...]:
    """The card files that `paths` name, or all of the project at `root`, each once and in the same order everywhere.

    A path is a card file or a folder of them. Hidden files and folders are passed over, the settings, and folders
    that hold something else. Raises CardgenError for a path that is missing or no card file, for a folder without
    card files, and for a link that leads out of the folder it was found in.
    """
    named = tuple(paths) or (_cards_folder(root),)
    found: dict[Path, None] = {}
    problems: list[Diagnostic] = []
    for path in named:
        try:
            found.update(dict.fromkeys(_named(path)))
        except CardgenError as error:
            problems += error.diagnostics
    if problems:
        raise CardgenError(*problems)
    return tuple(found)


def passed_over(root: Path, read: Iterable[Path]) -> tuple[Path, ...]:
    """The files of the project at `root` that look like cards, or lie among cards, and were not `read`.

    So a card that was saved as `.txt` or `.json`, or in the wrong folder, is not lost without a word. Pictures,
    hidden files, and those in folders with another task are never cards.
    """
    known = {*map(str, read), str(root / SETTINGS_FILE)}
    among_cards = (file.path for file in _files(_cards_folder(root)) if not file.name.lower().endswith(PICTURES))
    elsewhere = (file.path for file in _files(root) if file.name.lower().endswith(SUFFIXES))
    return tuple(sorted(map(Path, {*among_cards, *elsewhere} - known)))


def _files(folder: Path | str) -> Iterator[os.DirEntry[str]]:
    """All files below a folder, without Path objects, of which thousands would be made for nothing.

    Passed over are hidden files and folders, folders that hold something else, and those that cannot be entered or
    are only links.
    """
    waiting = [str(folder)]
    while waiting:
        try:
            entries = tuple(os.scandir(waiting.pop()))
        except OSError:
            continue
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if not _is_folder(entry):
                yield entry
            elif entry.name not in OTHER_FOLDERS and not entry.is_symlink():
                waiting.append(entry.path)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # A link that leads to itself; whoever wants to read it will say so.
        return False


def _cards_folder(root: Path) -> Path:
    folder = root / CARDS_FOLDER
    return folder if folder.is_dir() else root


def _named(path: Path) -> list[Path]:
    path = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links
    if path.is_dir():
        files = [Path(file) for file in sorted(_below(path), key=_by_folder)]
        if not files:
            raise _refusal(Code.NO_CARDS, "there is no card file here", path, _START)
        return files
    if not path.exists():
        raise _refusal(Code.NO_SUCH_FILE, "there is no such file or folder", path)
    if path.name == SETTINGS_FILE:
        raise _refusal(Code.NOT_A_CARD_FILE, "this file holds the project's settings, not cards", path)
    if path.suffix not in SUFFIXES:
        raise _refusal(Code.NOT_A_CARD_FILE, f"a card file ends in {' or '.join(SUFFIXES)}", path)
    return [path]


def _by_folder(file: str) -> str:
    """What files are sorted by, so that a folder's files stand together whatever characters its name has."""
    return file.replace(os.sep, "\0")


def _below(folder: Path) -> Iterator[str]:
    for file in _files(folder):
        if not file.name.endswith(SUFFIXES) or file.name == SETTINGS_FILE:
            continue
        if file.is_symlink():
            _refuse_outside(folder, Path(file))
        yield file.path


def _refuse_outside(folder: Path, link: Path) -> None:
    try:
        what = "" if stays_in(folder, link) else "this link leads out of its folder"
    except (OSError, RuntimeError):
        what = "this link leads to itself"
    if what:
        raise _refusal(Code.OUTSIDE, what, link, "put the file itself here")


def _refusal(code: Code, message: str, path: Path, advice: str = "") -> CardgenError:
    return CardgenError(Diagnostic(code, message, Place(shown(path)), advice))
