"""Arguments of the public functions: normalization, validation, and errors."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, did_you_mean, join_words
from cardgen.project.files import CARDS_FOLDER
from cardgen.runtime.fingerprint import settings_folders

PathLike: TypeAlias = str | os.PathLike[str]
Paths: TypeAlias = PathLike | Iterable[PathLike]
Words: TypeAlias = str | Iterable[str]

# Arguments whose names differ from those of the command-line options.
_ARGUMENT_NAMES = {"format": "formats", "ruling": "rulings", "cards": "paths"}


def to_paths(paths: Paths) -> tuple[Path, ...]:
    """Return one path or several as a tuple."""
    return (Path(paths),) if isinstance(paths, str | os.PathLike) else tuple(map(Path, paths))


def to_words(words: Words) -> tuple[str, ...]:
    """Return one word or several as a tuple."""
    return (words,) if isinstance(words, str) else tuple(words)


def bad_argument(name: str, message: str, help_text: str = "") -> CardgenError:
    """Return the error for an argument with an invalid value."""
    return CardgenError(Diagnostic(Code.BAD_OPTION, message, Place(name), help_text))


def require_between(name: str, number: int, low: int, high: int) -> int:
    """Return the number unchanged.

    Raises CardgenError unless it is a whole number between `low` and `high`.
    """
    if type(number) is int and low <= number <= high:
        return number
    raise bad_argument(name, f"must be a whole number between {low} and {high}, not {number!r}")


def unexpected_argument(function: str, name: str, names: Iterable[str]) -> TypeError:
    """Return the error for an unknown keyword argument, with a suggestion."""
    suggestion = did_you_mean(name, names) or f"; the options are {join_words(names, 'and')}"
    return TypeError(f"{function}() has no option '{name}'{suggestion}")


def warn(note: str) -> None:
    """Tell users something that is not an error."""
    warnings.warn(note, RuntimeWarning, stacklevel=2)


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
    """Return the project folder of paths, or None for the current project.

    This is the nearest folder, from the paths upward, that has a cardgen.yaml. If there is none, it is the current
    folder if that contains all paths; otherwise the deepest folder that contains them all, or its nearest parent of a
    folder named `cards`. Raises CardgenError if the paths belong to different projects.
    """
    named = tuple(paths)
    roots = settings_folders(named)
    if len(roots) > 1:
        message = f"the paths belong to {len(roots)} projects: {join_words(sorted(map(str, roots)), 'and')}"
        raise bad_argument("paths", message, "pass the paths of one project at a time")
    return roots.pop() if roots else _bare_folder([_folder_of(path) for path in named])


def _folder_of(path: Path) -> Path:
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links
    return absolute if absolute.is_dir() else absolute.parent


def _bare_folder(folders: list[Path]) -> Path | None:
    """Return the folder for paths that have no cardgen.yaml above them."""
    here = Path.cwd()
    if all(folder.is_relative_to(here) for folder in folders):  # Also true if there are no paths.
        return None
    common = next(each for each in (folders[0], *folders[0].parents) if _contains_all(each, folders))
    return next((each.parent for each in (common, *common.parents) if each.name == CARDS_FOLDER), common)


def _contains_all(folder: Path, folders: list[Path]) -> bool:
    return folder == folder.parent or all(each.is_relative_to(folder) for each in folders)
