"""Releases of a project, and the cards that changed between them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from cardgen.api.arguments import PathLike, bad_argument
from cardgen.releases import run
from cardgen.releases.changes import Changes
from cardgen.releases.write import write_release


class ReleaseResult(NamedTuple):
    """The file of a release, the number of its cards, whether it was there already, and the file of its notes.

    The first release of a project has no notes.
    """

    file: Path
    cards: int
    unchanged: bool
    notes: Path | None


def release(
    name: str, *, since: str | None = None, notes: bool = True, force: bool = False, folder: PathLike | None = None
) -> ReleaseResult:
    """Write the release file and the notes of the project's cards, as `cardgen release` does.

    Args:
        name: The name of the release, such as 'v1.2'.
        since: The release, or Git tag without a release file, with which the notes compare. Default: the release
            before.
        notes: False to write no notes.
        force: True to replace the file of an earlier release of this name.
        folder: A folder of the project. Default: the current folder.

    Returns:
        The files, relative to the current folder, and the number of cards.

    Raises:
        CardgenError: The cards have errors, the name is not valid, a release does not exist, or the file exists with
            another content.

    """
    if since is not None and not notes:
        raise bad_argument("since", "'since' needs notes", "remove it, or 'notes=False'")
    at = _existing(folder)
    result = write_release(name, since=since, notes=notes, force=force, folder=at)
    return ReleaseResult(result.file, result.cards, result.unchanged, result.notes.file if result.notes else None)


def diff(old: str, new: str | None = None, *, folder: PathLike | None = None) -> Changes:
    """Return the cards that changed between two releases, as `cardgen diff` does.

    Args:
        old: The earlier release, or a Git tag without a release file.
        new: The later one. Default: the cards as they are now.
        folder: A folder of the project. Default: the current folder.

    Returns:
        The changes: `cards`, each with its classes in `changes`, its versions `old` and `new`, and the `values` that
        changed; and the `rulings` that changed. `of(change)` returns the cards of one class.

    Raises:
        CardgenError: A release does not exist or cannot be read, or the cards have errors.

    """
    return run.diff(old, new, folder=_existing(folder))


def _existing(folder: PathLike | None) -> Path | None:
    """Return a folder as a path. Raises CardgenError if it does not exist."""
    if folder is None:
        return None
    path = Path(folder).absolute()
    if not path.is_dir():
        raise bad_argument("folder", f"'{folder}' is not a folder")
    return path
