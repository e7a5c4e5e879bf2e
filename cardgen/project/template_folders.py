"""Folders of templates, themes, and icons: those of all games, and those of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias


class TemplateFolder(NamedTuple):
    """A folder of templates.

    It has a folder for each game or, with a `game`, contains the templates of that one.
    """

    path: Path
    game: str = ""

    def file(self, name: str) -> Path | None:
        """Return the path of a template such as 'ember/brave.svg.j2', which need not exist.

        None if this folder cannot contain it.
        """
        if not self.game:
            return self.path / name
        own = f"{self.game}/"
        return self.path / name.removeprefix(own) if name.startswith(own) else None

    def of_game(self, game: str) -> Path | None:
        """Return the folder of a game or of 'shared', which need not exist; None if this one is for another game."""
        if not self.game:
            return self.path / game
        return self.path if self.game == game else None


# A plain path is a folder with one folder for each game.
AnyTemplateFolder: TypeAlias = Path | TemplateFolder


def to_template_folder(folder: AnyTemplateFolder) -> TemplateFolder:
    """Return a folder of templates for a path or for itself."""
    return folder if isinstance(folder, TemplateFolder) else TemplateFolder(folder)


def game_folders(folders: Iterable[AnyTemplateFolder], game: str) -> Iterator[Path]:
    """Yield the folders of a game or of 'shared', which need not exist."""
    return (path for folder in folders if (path := to_template_folder(folder).of_game(game)))
