"""New projects and new games."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from shutil import copytree, rmtree
from typing import NamedTuple

from cardgen.deck.deck import require_game
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, join_words
from cardgen.editor.session import Session
from cardgen.project.files import PORTABLE_NAME_HELP, is_portable_name
from cardgen.rulesets import ruleset
from cardgen.runtime.fingerprint import PICTURE_SUFFIXES, SETTINGS_FILE
from cardgen.runtime.workspace import Workspace
from cardgen.scaffold.cards import new_project, require_name
from cardgen.scaffold.game import DEFAULT_SIZE, new_game, read_tables
from cardgen.scaffold.game_from_table import SUFFIXES, LeftOut
from cardgen.studio.page_words import FieldChoice
from cardgen.units import quantity


class GuessedSheet(NamedTuple):
    """What a sheet of a table becomes: a title, a kind, and for each column its heading, its key, and a reason."""

    title: str
    kind: str
    columns: tuple[tuple[str, str, str], ...]


class GuessedTable(NamedTuple):
    """What was found in the files of a browser: the name of the table, its sheets, and what to know about it."""

    name: str
    sheets: tuple[GuessedSheet, ...]
    notes: tuple[str, ...]


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
        kept, other = map(Path, (folder, earlier) if _has_tables(Path(folder)) else (earlier, folder))
        if not (_has_tables(kept) and _has_tables(other)):
            copytree(other, _inner(kept), dirs_exist_ok=True)
        rmtree(other)
        return str(kept)

    def guess(self, folder: str) -> GuessedTable:
        """Return which cards are in the table or the deck of a folder. Raises CardgenError if there are none."""
        with _own_names(folder):
            tables = _find_tables(Path(folder))
            guess, deck, *_ = read_tables(self._session.root, tables)
        sheets = tuple(
            GuessedSheet(f"{kind.title or kind.name}: {quantity(kind.cards, 'card')}", kind.name, tuple(kind.guesses()))
            for kind in guess.kinds
        )
        notes = (*(deck.notes() if deck else ()), *guess.notes())
        place = tables[0].parent if len(tables) > 1 else tables[0]
        return GuessedTable("" if place == Path(folder) else place.stem, sheets, notes)

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
        left_out: LeftOut = (),
    ) -> str:
        """Write a project into a new folder of `parent`, or into that folder itself without a name; return its folder.

        With `own_game`, the project gets a game of that name, for the `table` in a folder, if there is one. Columns are
        `left_out` by their kinds and headings. Raises
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
                    self._write_game(own_game, None, table, size, left_out)
                else:
                    new_project(Path(), game or None, sample=sample)
        except CardgenError:
            if name and not any(folder.iterdir()):
                folder.rmdir()
            raise
        return str(folder)

    def new_game(self, name: str, table: str = "", size: str = "", left_out: LeftOut = ()) -> tuple[str, ...]:
        """Write a game into the project, and return the files that have changed by their paths in the project."""
        root = self._session.root
        paths = self._write_game(name, self._session.workspace, table, size, left_out)
        return *(path.relative_to(root).as_posix() for path in paths), SETTINGS_FILE

    def _write_game(
        self, name: str, workspace: Workspace | None, table: str, size: str, left_out: LeftOut
    ) -> tuple[Path, ...]:
        with _own_names(table):
            sources = _find_tables(Path(table)) if table else None
            return new_game(name, workspace, table=sources, size=size or DEFAULT_SIZE, left_out=left_out).files


# Files by which a folder is a deck of another program, and how files end from which a game can be made.
_DECKS, _MSE = ("database.json", "deck.rb", "layout.yml"), ".mse-set"
TABLE_SUFFIXES = (*SUFFIXES, *PICTURE_SUFFIXES, _MSE, ".json", ".rb", ".yml", ".html", ".css")


def _inner(folder: Path) -> Path:
    """Return the folder that is chosen as a whole, if there is only this one, or the folder itself."""
    (*others, first) = folder.iterdir() if any(folder.iterdir()) else (folder / "",)
    return _inner(first) if not others and first.is_dir() and first != folder else folder


def _has_tables(folder: Path) -> bool:
    return any(path.suffix.lower() in (*SUFFIXES, _MSE) or path.name in _DECKS for path in _inner(folder).iterdir())


def _find_tables(folder: Path) -> list[Path]:
    """Return the tables in a folder of files from the browser, or the folder itself for a deck of another program."""
    folder = _inner(folder)
    if any((folder / name).is_file() for name in _DECKS):
        return [folder]
    found = [each for each in sorted(folder.iterdir()) if each.suffix.lower() in (*SUFFIXES, _MSE)]
    if found and (len(found) == 1 or all(each.suffix.lower() != _MSE for each in found)):
        return found
    message = "there is no spreadsheet among the files"
    if found:
        message = "choose one deck or spreadsheets, not " + join_words([f"'{each.name}'" for each in found], "and")
    advice = f"choose files that end in {join_words([*SUFFIXES, _MSE], 'or')}, and their pictures"
    raise CardgenError(Diagnostic(Code.BAD_TABLE, message, Place("table"), advice))


@contextmanager
def _own_names(folder: str) -> Iterator[None]:
    """Call files of a temporary folder in messages as the author does."""
    try:
        yield
    except CardgenError as error:
        if not folder:
            raise
        raise CardgenError(
            *(
                each._replace(
                    message=each.message.replace(f"{folder}/", ""),
                    place=each.place._replace(file=each.place.file.removeprefix(f"{folder}/")),
                )
                for each in error.diagnostics
            )
        ) from None
