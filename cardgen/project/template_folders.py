"""Folders of templates, themes, and icons: those of all games, and those of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

from cardgen.project.files import built_in_folder
from cardgen.runtime import regular_file
from cardgen.runtime.installed_games import package_folders, program_game_files

MAX_TEMPLATE_BYTES = 1 << 20
# Templates that can also be drawings, which have no '.j2'.
DRAWN_SUFFIX = ".svg.j2"


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

    def find(self, name: str) -> Path | None:
        """Return the file of a template; a drawing such as 'brave.svg' stands in for 'brave.svg.j2'."""
        for each in (name, name.removesuffix(".j2")) if name.endswith(DRAWN_SUFFIX) else (name,):
            path = self.file(each)
            if path is not None and path.is_file():
                return path
        return None

    def names(self) -> Iterator[str]:
        """Yield the names of all its files, such as 'ember/brave.svg.j2'."""
        for path in self.path.glob("*" if self.game else "*/*"):
            if path.is_file():
                yield f"{self.game}/{path.name}" if self.game else f"{path.parent.name}/{path.name}"

    def of_game(self, game: str) -> Path | None:
        """Return the folder of a game or of 'shared', which need not exist; None if this one is for another game."""
        if not self.game:
            return self.path / game
        return self.path if self.game == game else None


def trusted_folders() -> tuple[Path, ...]:
    """Return the folders of templates that come with the program."""
    homes = (*package_folders().values(), *(file.path.parent for file in program_game_files().values()))
    return (built_in_folder("templates"), *(home / "templates" for home in homes))


def template_text(path: Path) -> str:
    """Return the source of a template, or '' if it cannot be read; rendering it reports why."""
    try:
        return regular_file.read(path, MAX_TEMPLATE_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


# A plain path is a folder with one folder for each game.
AnyTemplateFolder: TypeAlias = Path | TemplateFolder


def to_template_folder(folder: AnyTemplateFolder) -> TemplateFolder:
    """Return a folder of templates for a path or for itself."""
    return folder if isinstance(folder, TemplateFolder) else TemplateFolder(folder)


def game_folders(folders: Iterable[AnyTemplateFolder], game: str) -> Iterator[Path]:
    """Yield the folders of a game or of 'shared', which need not exist."""
    return (path for folder in folders if (path := to_template_folder(folder).of_game(game)))
