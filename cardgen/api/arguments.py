"""Arguments of the public functions: paths, words, numbers, and errors that name them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.pipeline.options import BAD_OPTION
from cardgen.project.files import CARDS_FOLDER
from cardgen.runtime.fingerprint import SETTINGS_FILE
from cardgen.validation.suggestion import did_you_mean, join_words

PathLike: TypeAlias = str | os.PathLike[str]
Paths: TypeAlias = PathLike | Iterable[PathLike]
Words: TypeAlias = str | Iterable[str]

# Where an option of the command line has another name than the argument.
_ARGUMENT_NAMES = {"format": "formats", "ruling": "rulings", "cards": "paths"}


def to_paths(paths: Paths) -> tuple[Path, ...]:
    """Return one path or several as a tuple."""
    return (Path(paths),) if isinstance(paths, str | os.PathLike) else tuple(map(Path, paths))


def to_words(words: Words) -> tuple[str, ...]:
    """Return one word or several as a tuple."""
    return (words,) if isinstance(words, str) else tuple(words)


def bad_argument(name: str, message: str, help_text: str = "") -> CardgenError:
    """Return the error for an argument with a value that cannot be used."""
    return CardgenError(Diagnostic(BAD_OPTION, message, Place(name), help_text))


def require_between(name: str, number: int, low: int, high: int) -> int:
    """Return the number itself. Raises CardgenError unless it is a whole number from `low` to `high`."""
    if type(number) is int and low <= number <= high:
        return number
    raise bad_argument(name, f"must be a whole number between {low} and {high}, not {number!r}")


def unexpected_argument(function: str, name: str, names: Iterable[str]) -> TypeError:
    """Return the error for a keyword argument that a function does not have; it names the nearest one."""
    suggestion = did_you_mean(name, names) or f"; the options are {join_words(names, 'and')}"
    return TypeError(f"{function}() has no option '{name}'{suggestion}")


@contextmanager
def argument_places() -> Iterator[None]:
    """Name arguments instead of command-line options in the errors raised inside."""
    try:
        yield
    except CardgenError as error:
        raise CardgenError(*map(_with_argument_name, error.diagnostics)) from None


def _with_argument_name(diagnostic: Diagnostic) -> Diagnostic:
    option = diagnostic.place.file
    if not option.startswith("--"):
        return diagnostic
    name = option.removeprefix("--").replace("-", "_")
    return diagnostic._replace(place=diagnostic.place._replace(file=_ARGUMENT_NAMES.get(name, name)))


def project_folder(paths: Iterable[Path]) -> Path | None:
    """Return the folder whose project some paths belong to; None for the current folder's.

    That is the folder of the next cardgen.yaml upward from them. Without one it is the current folder if all paths lie
    in it, and else the deepest folder that contains them all, or the parent of one called `cards`. Raises CardgenError
    for paths of different projects.
    """
    folders = [_folder_of(path) for path in paths]
    roots = {root for folder in folders if (root := _settings_folder(folder))}
    if len(roots) > 1:
        message = f"the paths belong to {len(roots)} projects: {join_words(sorted(map(str, roots)), 'and')}"
        raise bad_argument("paths", message, "handle one project at a time")
    return roots.pop() if roots else _bare_folder(folders)


def _folder_of(path: Path) -> Path:
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links
    return absolute if absolute.is_dir() else absolute.parent


def _settings_folder(folder: Path) -> Path | None:
    return next((each for each in (folder, *folder.parents) if (each / SETTINGS_FILE).is_file()), None)


def _bare_folder(folders: list[Path]) -> Path | None:
    """The folder for paths without a cardgen.yaml anywhere above them."""
    here = Path.cwd()
    if all(folder.is_relative_to(here) for folder in folders):  # Also for no paths at all.
        return None
    common = next(each for each in (folders[0], *folders[0].parents) if _contains_all(each, folders))
    return next((each.parent for each in (common, *common.parents) if each.name == CARDS_FOLDER), common)


def _contains_all(folder: Path, folders: list[Path]) -> bool:
    return folder == folder.parent or all(each.is_relative_to(folder) for each in folders)
