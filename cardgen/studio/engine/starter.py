"""New projects and new games."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

from cardgen.deck.deck import require_game
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.editor.session import Session
from cardgen.project.files import PORTABLE_NAME_HELP, is_portable_name
from cardgen.rulesets import ruleset
from cardgen.runtime.fingerprint import SETTINGS_FILE
from cardgen.scaffold.cards import new_project, require_name
from cardgen.scaffold.game import new_game
from cardgen.studio.page_words import FieldChoice


class Starter:
    """The part of the engine for new projects and games."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def games(self) -> tuple[FieldChoice, ...]:
        """Return the games that a new project can have, the default first; files of this project stay in it."""
        workspace = self._session.workspace.with_games()
        games = dict.fromkeys((ruleset.default_game(), *workspace.game_ids))
        own = workspace.games
        return tuple(FieldChoice(game, require_game(game, workspace).name) for game in games if game not in own)

    def new_project(self, parent: str, name: str, game: str, *, sample: bool = False, own_game: str = "") -> str:
        """Write a project into a new folder of `parent`, or into that folder itself without a name; return its folder.

        With `own_game`, the project gets a game of that name. Raises CardgenError for a name that folders cannot have,
        and for a folder that is not new.
        """
        folder = Path(parent)
        if name:
            folder /= _folder_name(name)
            if folder.exists():
                message = f"folder '{name.strip()}' already exists; left unchanged"
                raise CardgenError(Diagnostic(Code.FILE_EXISTS, message, Place("name"), "choose another name"))
        elif (folder / SETTINGS_FILE).exists():
            raise CardgenError(Diagnostic(Code.FILE_EXISTS, "this folder is already a project", Place("name")))
        folder.mkdir(exist_ok=True)
        try:
            self._fill(folder, game, own_game, sample=sample)
        except CardgenError:
            if name and not any(folder.iterdir()):
                folder.rmdir()
            raise
        return str(folder)

    def _fill(self, folder: Path, game: str, own_game: str, *, sample: bool) -> None:
        with chdir(folder):
            if own_game:
                new_game(own_game)
            else:
                new_project(Path(), game or None, sample=sample)

    def new_game(self, name: str) -> tuple[str, ...]:
        """Write a game into the project, and return its files by their paths in the project."""
        root = self._session.root
        paths = new_game(name, self._session.workspace).files
        return tuple(path.relative_to(root).as_posix() for path in paths)


def _folder_name(name: str) -> str:
    """Return the name of a new folder that every system accepts. Raises CardgenError for others."""
    plain = name.strip()
    require_name(plain, "project")
    if not is_portable_name(plain):
        message = f"'{name}' cannot be the name of a folder"
        raise CardgenError(Diagnostic(Code.BAD_OPTION, message, Place("name"), PORTABLE_NAME_HELP))
    return plain
