"""The projects that a check concerns: those of the named files and folders, or else of the current folder."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, did_you_mean, join_words
from cardgen.project.files import CARDS_FOLDER, display_path, help_without_cards, projects_below
from cardgen.runtime.fingerprint import find_settings_folder, has_settings
from cardgen.runtime.regular_file import DASH, stays_inside
from cardgen.runtime.workspace import Workspace

# The files and folders to check in each project, none for all of its cards. Without a cardgen.yaml, the project has no
# folder of its own.
PathsByProject: TypeAlias = dict[Path | None, tuple[Path, ...]]


def paths_by_project(paths: Iterable[Path] = (), chosen: Iterable[Path] = ()) -> PathsByProject:
    """Return the projects of some files and folders, and all projects below these folders.

    Without paths, they are the project of the current folder and all below it. A folder that has projects below it, but
    no cards of its own, is not one itself. With some `chosen`, the others are left out. Raises
    CardgenError, located at `--project`, if one of those is not among them.
    """
    named, here = tuple(paths), Path.cwd()
    own = find_settings_folder(here)
    found: PathsByProject = {}
    for path in named:
        if path == DASH:
            found[own] = (*found.get(own, ()), path)
            continue
        absolute = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links
        top = find_settings_folder(absolute.parent) or (here if absolute.is_relative_to(here) else absolute.parent)
        is_folder = stays_inside(top, absolute) and absolute.is_dir()
        root = find_settings_folder(absolute if is_folder else absolute.parent)
        below = projects_below(absolute) if is_folder else ()
        if not below or _has_cards(absolute):
            found[root or own] = (*found.get(root or own, ()), path)
        for folder in below:
            found[folder] = ()
    if not named:
        below = projects_below(own or here)
        if not below or _has_cards(own or here):
            found[own] = ()
        for folder in below:
            found[folder] = ()
    return _chosen(found, tuple(chosen), own or here) if chosen else found


def require_project(folder: Path) -> None:
    """Raise CardgenError for a folder that has projects below it, but no cards of its own, and so is not one itself."""
    if projects_below(folder) and not _has_cards(folder):
        message, advice = "the cards belong to projects below this folder", help_without_cards(folder)
        raise CardgenError(Diagnostic(Code.NO_CARDS, message, Place(display_path(folder)), advice))


def _has_cards(folder: Path) -> bool:
    """Return whether a folder with projects below it has cards of its own."""
    if not has_settings(folder) and not (folder / CARDS_FOLDER).is_dir():
        return False
    from cardgen.project.project import Project  # loaded here because it is not small

    try:
        return bool(Project.open(Workspace(folder)).find_card_files())
    except CardgenError as error:
        return any(each.code != Code.NO_CARDS for each in error.diagnostics)


def _chosen(found: PathsByProject, chosen: Iterable[Path], root: Path) -> PathsByProject:
    """Return the chosen ones of the projects that were found."""
    folders = {root if each is None else each: paths for each, paths in found.items()}
    wanted = {Path(os.path.abspath(each)): each for each in chosen}  # noqa: PTH100 - resolve() would follow links
    names = [display_path(each) for each in folders]
    problems = [
        Diagnostic(
            Code.NO_SUCH_FILE,
            f"no project in '{name}'{did_you_mean(str(name), names)}",
            Place("--project"),
            f"pass {join_words(names)}",
        )
        for folder, name in wanted.items()
        if folder not in folders
    ]
    if problems:
        raise CardgenError(*problems)
    return {None if None in found and each == root else each: folders[each] for each in folders if each in wanted}
