"""New projects and new games."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import chdir
from pathlib import Path
from typing import NamedTuple

from cardgen.deck.deck import require_game
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.editor.session import Session
from cardgen.project.files import PORTABLE_NAME_HELP, is_portable_name
from cardgen.rulesets import ruleset
from cardgen.runtime.fingerprint import SETTINGS_FILE
from cardgen.runtime.workspace import Workspace
from cardgen.scaffold import game as new_games
from cardgen.scaffold.cards import new_project, require_name
from cardgen.scaffold.game_from_table import Corrections
from cardgen.studio.page_words import FieldChoice
from cardgen.units import quantity


class GuessedSheet(NamedTuple):
    """What a sheet of a table becomes: a title, a kind, and for each column what `GuessedKind.guesses` says."""

    title: str
    kind: str
    columns: tuple[tuple[str, str, str, tuple[str, ...]], ...]


class GuessedTable(NamedTuple):
    """What was found in the files of a browser: the name of the table, its sheets, notes, and what files are for."""

    name: str
    sheets: tuple[GuessedSheet, ...]
    notes: tuple[str, ...]
    files: str


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

    def join(self, folder: str, earlier: str) -> str:
        """Return the folder of new files, or the one of an earlier choice if only that has tables.

        It gets what is in the other one if only one of them has tables; the other one is removed.
        """
        return new_games.join_folders(Path(folder), Path(earlier))

    def guess(self, folder: str) -> GuessedTable:
        """Return which cards are in the table or the deck of a folder. Raises CardgenError if there are none."""
        with new_games.own_names(folder):
            tables = new_games.find_tables(Path(folder))
            guess, deck, _, copied = new_games.read_tables(self._session.root, tables, is_sent=True)
        sheets = tuple(
            GuessedSheet(f"{kind.title or kind.name}: {quantity(kind.cards, 'card')}", kind.name, tuple(kind.guesses()))
            for kind in guess.kinds
        )
        files = new_games.told_files(Path(folder), tables, copied)
        notes = (*(deck.notes() if deck else ()), *guess.notes())
        place = tables[0].parent if len(tables) > 1 else tables[0]
        return GuessedTable("" if place == Path(folder) else place.stem, sheets, notes, files)

    def new_project(
        self,
        parent: str,
        name: str,
        game: str,
        *,
        sample: bool = False,
        own_game: str = "",
        table: str = "",
        size: str = "",
        corrections: Corrections = (),
    ) -> str:
        """Write a project into a new folder of `parent`, or into that folder itself without a name; return its folder.

        With `own_game`, the project gets a game of that name, for the `table` in a folder, if there is one. Raises
        CardgenError for a name that folders cannot have, and for a folder that is not new.
        """
        folder = Path(parent)
        if name:
            plain = name.strip()
            require_name(plain, "project")
            if not is_portable_name(plain):
                message = f"'{name}' cannot be the name of a folder"
                raise CardgenError(Diagnostic(Code.BAD_OPTION, message, Place("name"), PORTABLE_NAME_HELP))
            folder /= plain
            if folder.exists():
                message = f"folder '{plain}' already exists; left unchanged"
                is_project = (folder / SETTINGS_FILE).is_file()
                advice = "open the project with its button above, or choose another name"
                advice = advice if is_project else "choose another name"
                raise CardgenError(Diagnostic(Code.FILE_EXISTS, message, Place("name"), advice))
        elif (folder / SETTINGS_FILE).exists():
            raise CardgenError(Diagnostic(Code.FILE_EXISTS, "this folder is already a project", Place("name")))
        folder.mkdir(exist_ok=True)
        try:
            with chdir(folder):
                if own_game:
                    self._write_game(own_game, None, table, size, corrections)
                else:
                    new_project(Path(), game or None, sample=sample)
        except CardgenError:
            if name and not any(folder.iterdir()):
                folder.rmdir()
            raise
        return str(folder)

    def add_file(self, tables: Sequence[str], upload: str, name: str) -> str:
        """Copy a picture or an icon for the cards in tables into the project, and return what was done."""
        return new_games.add_file(self._session.root, tables, Path(upload), name)

    def new_game(self, name: str, table: str = "", size: str = "", corrections: Corrections = ()) -> tuple[str, ...]:
        """Write a game into the project, and return the files that have changed by their paths in the project."""
        root = self._session.root
        paths = self._write_game(name, self._session.workspace, table, size, corrections)
        return *(path.relative_to(root).as_posix() for path in paths), SETTINGS_FILE

    def _write_game(
        self, name: str, workspace: Workspace | None, table: str, size: str, corrections: Corrections
    ) -> tuple[Path, ...]:
        with new_games.own_names(table):
            sources = new_games.find_tables(Path(table)) if table else None
            return new_games.new_game(
                name, workspace, table=sources, size=size, corrections=corrections, is_sent=True
            ).files
