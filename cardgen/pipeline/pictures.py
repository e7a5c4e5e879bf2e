"""The pictures and icons of a project: those that cards name, and those that lie there."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from cardgen.model.entry import Entry
from cardgen.project import Project
from cardgen.project.files import NON_CARD_FOLDERS

ART_SUFFIXES = (".png", ".jpg", ".jpeg")
ART_FOLDER = "art"


def find_art(project: Project, entry: Entry, name: str) -> Path:
    """A picture that a card names: beside the card's file, or else from the project's folder.

    Raises ValueError with a sentence for the user when it lies outside the project, or nowhere.
    """
    beside = (Path.cwd() / entry.document.file).parent
    for base in (beside, project.root):
        path = project.resolve_inside(name, base)
        try:
            if path.is_file():
                return path
        except OSError as error:  # A name too long, or a folder that may not be entered.
            raise ValueError(f"'{name}' is no path that can be followed: {error.strerror or error}") from None
    raise ValueError(f"there is no file '{name}', neither beside the card nor in the project's folder")


def icon_folders(project: Project, game: str) -> tuple[Path, ...]:
    """Where the cards of a game find icons: in the project, then beside the templates of the game and of all games."""
    beside = (folder / name / "icons" for folder in project.folders("templates") for name in (game, "shared"))
    return (*project.folders("icons"), *beside)


def art_files(project: Project) -> Mapping[str, Path]:
    """The pictures in folders called 'art', by the path that users see."""
    return {project.display_path(path): path for path in sorted(_walk_art(project.root))}


def _walk_art(root: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in NON_CARD_FOLDERS]
        if ART_FOLDER in Path(parent).relative_to(root).parts:
            yield from (Path(parent, name) for name in names if name.lower().endswith(ART_SUFFIXES))
