"""Find releases, and compare them with each other or with the project."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial
from pathlib import Path

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.project.files import display_path, require_inside
from cardgen.releases.changes import NOTHING, QUICK_CARDS, QUICK_CHANGES, Change, Changes, Meanings, Release, compare
from cardgen.releases.git_tree import commit_of, last_commit, missing_history, write_tree
from cardgen.releases.release_file import read_release, release_date
from cardgen.runtime.fingerprint import find_project_root
from cardgen.validation.suggestion import did_you_mean

RELEASES_FOLDER = "releases"
# The name of the project as it is now, in reports.
WORKING_TREE = "working tree"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,79}")


def _snapshot(name: str, folder: Path | None = None) -> Release:
    # loaded here because it loads templates and fonts, which comparisons of files do not need
    from cardgen.releases.snapshot import take_snapshot

    return take_snapshot(name, folder)


def release_files(root: Path) -> dict[str, Path]:
    """Return the release files of a project by name, the earliest first."""
    folder = root / RELEASES_FOLDER
    names = [path.stem for path in folder.glob("*.yaml")] if folder.is_dir() else []
    files = {name: file_of(root, name) for name in names if NAME.fullmatch(name)}
    return dict(sorted(files.items(), key=lambda item: (release_date(item[1]), natural_order(item[0]))))


def natural_order(name: str) -> tuple[tuple[int, str], ...]:
    """Return a sort key in which v1.10 follows v1.9."""
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name))


def file_of(root: Path, name: str) -> Path:
    """Return the path of a release file. Raises CardgenError if a link leads it out of the project."""
    path = root / RELEASES_FOLDER / f"{name}.yaml"
    return require_inside(root, path, display_path(path))


def diff(old: str, new: str | None = None, *, folder: Path | None = None) -> Changes:
    """Return the changes from one release to another, by default to the project as it is now.

    The project is that of a folder, by default the current one.
    """
    return compare(*load_both(old, new, folder=folder))


def diff_with_odds(
    old: str, new: str | None = None, *, odds: bool | None = None, folder: Path | None = None
) -> tuple[Changes, Meanings]:
    """Return the changes, and what changed rules mean: by default, if that is quick; with `odds`, always or never."""
    releases = load_both(old, new, folder=folder)
    changes = compare(*releases)
    changed = sum(Change.RULES in each.changes and each.old is not None for each in changes.cards)
    if odds is False or not changed:
        return changes, NOTHING
    if odds is None and (changed > QUICK_CHANGES or len(releases[1].cards) > QUICK_CARDS):
        return changes, Meanings({}, f"no odds for {changed} changed cards; for these, use --odds")
    # loaded here because it loads the referee
    from cardgen.releases.odds import meanings

    return changes, copy_context().run(meanings, *releases, changes, every=bool(odds))


def load_both(old: str, new: str | None = None, *, folder: Path | None = None) -> tuple[Release, Release]:
    """Return two releases, the later of which is by default the project as it is now."""
    root = find_project_root(folder or Path.cwd())
    before = load_release(root, old)
    now = partial(_snapshot, WORKING_TREE, folder)
    return before, load_release(root, new) if new is not None else in_own_context(now)


def load_release(root: Path, name: str, argument: str = "NAME") -> Release:
    """Return a release of a project: its file, or else the project at a Git tag or commit.

    Raises CardgenError, located at the `argument`, if there is neither, and if its cards cannot be read.
    """
    if NAME.fullmatch(name):
        path = file_of(root, name)
        if path.is_file():
            return read_release(path, name)
    commit = commit_of(root, name)
    if commit is None:
        raise _unknown(root, name, argument)
    with _tree(root, commit, name) as folder:
        return in_own_context(partial(_snapshot, name, folder))


@contextmanager
def _tree(root: Path, commit: str, name: str) -> Iterator[Path]:
    """Write the files of a commit to a temporary folder; errors in them name the release."""
    with tempfile.TemporaryDirectory(prefix="cardgen-") as temporary:
        folder = Path(temporary).resolve()
        write_tree(root, commit, folder, name)
        with _places_at(name, folder):
            yield folder


@contextmanager
def folder_of(root: Path, name: str | None) -> Iterator[Path | None]:
    """Yield a folder with the files of a release: those of its tag, or of the commit of its file; None without these.

    Without a name, the files are those of the project.
    """
    commit = None if name is None else commit_of(root, name)
    if name is not None and commit is None and NAME.fullmatch(name):
        commit = last_commit(root, f"{RELEASES_FOLDER}/{name}.yaml")
    if name is None or commit is None:
        yield root if name is None else None
        return
    with _tree(root, commit, name) as folder:
        yield folder


def _unknown(root: Path, name: str, argument: str) -> CardgenError:
    folder = root / RELEASES_FOLDER
    names = sorted(path.stem for path in folder.glob("*.yaml") if path.is_file()) if folder.is_dir() else []
    message = f"unknown release '{name}'{did_you_mean(name, names)}"
    known = f"available: {', '.join(names)}, and the tags of the project's Git repository" if names else ""
    advice = known or "write one with 'cardgen release NAME', or name a tag of the project's Git repository"
    hint = missing_history(root)
    return CardgenError(Diagnostic(Code.NO_RELEASE, message, Place(argument), f"{advice}; {hint}" if hint else advice))


def in_own_context(run: Callable[[], Release]) -> Release:
    """Return what a function returns; the games of its project are in force only meanwhile."""
    return copy_context().run(run)


@contextmanager
def _places_at(name: str, folder: Path) -> Iterator[None]:
    """Name the files of errors 'NAME:PATH', as Git does, instead of in a temporary folder."""

    def renamed(place: Place) -> Place:
        path = Path(place.file)
        inside = path.is_absolute() and path.is_relative_to(folder)
        return place._replace(file=f"{name}:{path.relative_to(folder).as_posix()}") if inside else place

    def located(each: Diagnostic) -> Diagnostic:
        related = tuple((renamed(place), label) for place, label in each.related)
        return each._replace(place=renamed(each.place), related=related)

    try:
        yield
    except CardgenError as error:
        raise CardgenError(*map(located, error.diagnostics)) from None
