"""The engine of a project that answers the studio, in a process of its own."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from hashlib import sha256
from importlib import import_module
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from cardgen.deck.deck import game_of
from cardgen.diagnostic import CardgenError, Diagnostic, Span
from cardgen.editor.actions import code_actions
from cardgen.editor.references import unreadable
from cardgen.editor.session import LoadedProject, Session, check_all, check_file, check_files
from cardgen.editor.translations import in_language
from cardgen.runtime.fingerprint import OUTPUT_FOLDER, snapshot
from cardgen.runtime.request_process import RemoteService
from cardgen.scaffold.cards import new_card
from cardgen.studio.engine.answers import (
    CardRow,
    DrawnFace,
    FaceDrawer,
    ProblemRow,
    ProjectState,
    TextState,
    card_rows,
    card_version,
    diagnostic_rows,
    entry_of,
    problem_rows,
)
from cardgen.studio.page_words import page_words


def new_engine(root: str) -> RemoteService:
    """Return an engine in another process, which starts with the first request."""
    return RemoteService(partial(_engine, root))


def _engine(root: str) -> Engine:
    os.chdir(root)
    return Engine(root)


# The module and the class of each part. Parts are loaded when they are first used, so that the studio starts fast.
PARTS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "cards": ("cardgen.studio.engine.card_changes", "CardChanges"),
        "table": ("cardgen.studio.engine.card_table", "CardTable"),
        "moves": ("cardgen.studio.engine.card_moves", "CardMoves"),
        "renames": ("cardgen.studio.engine.renames", "Renames"),
        "form": ("cardgen.studio.engine.form_edits", "Form"),
        "assist": ("cardgen.studio.engine.assist", "Assist"),
        "rules": ("cardgen.studio.engine.rule_answers", "Referee"),
        "sheets": ("cardgen.studio.engine.sheets", "Sheets"),
        "translations": ("cardgen.studio.engine.translations", "Translations"),
        "printers": ("cardgen.studio.engine.sheets", "Printers"),
        "play": ("cardgen.studio.play.battle", "BattleDesk"),
        "companion": ("cardgen.studio.play.battle", "Companion"),
        "templates": ("cardgen.studio.engine.templates", "SourceFiles"),
        "thumbnails": ("cardgen.studio.engine.form_edits", "Thumbnails"),
        "starter": ("cardgen.studio.engine.starter", "Starter"),
    }
)
# Parts that read the project with other unsaved texts than the engine, and those that read it when a battle begins.
RELOADED = ("rules", "templates")
_AT_ROOT = (*RELOADED, "play", "companion")


def new_part(name: str, session: Session) -> Any:
    """Return a part of the engine for a project. Raises AttributeError for an unknown name."""
    if name not in PARTS:
        raise AttributeError(name)
    module, class_name = PARTS[name]
    return getattr(import_module(module), class_name)(session.root if name in _AT_ROOT else session)


class _LastCards(NamedTuple):
    """The rows of a file's cards, and the project that they were read with."""

    rows: tuple[CardRow, ...]
    loaded: LoadedProject


_NO_CARD = "this card is no longer in the project"


class _OpenProject(Session):
    """A session that also sees card files change outside."""

    def refresh(self) -> None:
        """Read the card files again that have changed on the disk."""
        self._loaded = None

    def reread(self) -> None:
        """Read everything again, because settings, games, or templates have changed on the disk."""
        self._loaded = None
        self._memory.forget()


class Engine:
    """The functions that the studio calls in the engine's process, each with plain arguments and answers.

    Its parts, such as `form`, are listed in `PARTS`.
    """

    def __init__(self, root: str) -> None:
        self._session = _OpenProject(Path(root))
        # The drawers of the project by language.
        self._drawers: dict[str, FaceDrawer] = {}
        # The cards of each file as they were last read, with the project that draws them.
        self._last: dict[str, _LastCards] = {}
        self._kinds: tuple[str, ...] = ()

    def __getattr__(self, name: str) -> Any:
        """Return a part of the engine, which is loaded when it is first used."""
        part = new_part(name, self._session)
        setattr(self, name, part)
        return part

    def project(self) -> ProjectState:
        """Return the cards of the project, and those that cannot be read as they last were."""
        try:
            return self._session.ask(self._project, strict=True)
        except CardgenError as error:
            unread = tuple(row for last in self._last.values() for row in last.rows)
            return ProjectState(self._session.root.name, (), self._kinds, unread, self._reasons(error.diagnostics))

    def _project(self, loaded: LoadedProject) -> ProjectState:
        rows = tuple(self._rows(loaded))
        game = game_of(loaded.project)
        self._kinds = tuple(game.kinds)
        reasons = self._reasons(unreadable(loaded.deck.diagnostics))
        by_file = {file: tuple(of_file) for file, of_file in groupby(rows, key=lambda row: row.file)}
        unread = tuple(row for each in reasons for row in self._unread(each.file, by_file.get(each.file, ())))
        failed = {each.file for each in reasons}
        self._last = {file: last for file, last in self._last.items() if file in failed}
        for file in by_file.keys() - failed:
            self._last[file] = _LastCards(by_file[file], loaded)
        settings = loaded.project.settings
        languages = settings.language or "", settings.languages
        title = game.name if game.id in loaded.project.workspace.games else self._session.root.name
        return ProjectState(title, rows, self._kinds, unread, reasons, *languages)

    def _rows(self, loaded: LoadedProject) -> Iterator[CardRow]:
        """Yield the rows of all cards; another layout, theme, or picture also makes another version of a card."""
        rows, root = tuple(card_rows(loaded.deck.cards)), self._session.root
        of_cards = {str(root / row.file) for row in rows}
        files = sorted(snapshot([root], root / OUTPUT_FOLDER).items())
        looks = [each for each in files if each[0] not in of_cards and not self._session.has_texts(Path(each[0]))]
        digest = sha256(repr(looks).encode("utf-8", "surrogatepass")).hexdigest()[:8]
        return (row._replace(version=f"{row.version}{digest}") for row in rows)

    def _reasons(self, diagnostics: Iterable[Diagnostic]) -> tuple[ProblemRow, ...]:
        """Return the first problem of each file."""
        rows = diagnostic_rows(diagnostics, self._session)
        return tuple({row.file: row for row in reversed(rows)}.values())[::-1]

    def _unread(self, file: str, read: tuple[CardRow, ...]) -> tuple[CardRow, ...]:
        """Return the cards of a file that cannot be read; `read` are its other cards."""
        if not self._session.has_cards(self._session.root / file):
            return ()
        keys, last = {row.key for row in read}, self._last.get(file)
        lost = tuple(row for row in last.rows if row.key not in keys) if last else ()
        if lost or (last and read):
            return lost
        return (CardRow(file, "", file.rpartition("/")[2], "", "", file, 1, (), (), False, ""),)

    def problems(self) -> tuple[ProblemRow, ...]:
        """Return the problems of all files of the project. Raises CardgenError if its settings cannot be read."""
        by_file = check_all(self._session)
        return problem_rows((each for problems in by_file.values() for each in problems), self._session)

    def looks(self, files: tuple[str, ...]) -> tuple[ProblemRow, ...]:
        """Return the problems of some card files with those that only drawing their cards finds."""
        paths = tuple(self._session.root / file for file in files)
        return problem_rows(check_files(self._session, paths, fit=True), self._session)

    def draw(self, key: str, *, back: bool = False, marks: tuple[str, ...] = (), language: str = "") -> DrawnFace:
        """Return one side of a card by its key, with overlays of `marks`, and in a `language` of the project."""
        try:
            return self._session.ask(lambda loaded: self._draw(loaded, key, marks, language, back=back))
        except CardgenError as error:
            return DrawnFace(b"", problem=page_words(str(error.diagnostics[0])))

    def _draw(self, loaded: LoadedProject, key: str, marks: tuple[str, ...], language: str, *, back: bool) -> DrawnFace:
        found = entry_of(loaded, key)
        if found is None:
            return self._draw_last(key, marks, back=back)
        project, entry = in_language(loaded, found, language)
        if language not in self._drawers:
            fonts = next((each.fonts for each in self._drawers.values()), None)
            self._drawers[language] = FaceDrawer(project, fonts)
        return self._drawers[language].draw(entry, card_version(entry), marks, back=back)

    def _draw_last(self, key: str, marks: tuple[str, ...], *, back: bool) -> DrawnFace:
        """Return one side of a card that cannot be read any more, as it last was."""
        last = next((each for each in self._last.values() if any(row.key == key for row in each.rows)), None)
        entry = entry_of(last.loaded, key) if last else None
        if last is None or entry is None:
            return DrawnFace(b"", problem=_NO_CARD)
        return FaceDrawer(last.loaded.project).draw(entry, card_version(entry), marks, back=back)

    def write(self, file: str, text: str | None) -> TextState:
        """Use the text of a file that is being written, or None for the file itself; return its cards."""
        path = self._session.root / file
        self._session.set_text(path, text)
        try:
            cards = self._session.ask(lambda loaded: loaded.deck.cards)
            return TextState(tuple(card_rows(each for each in cards if each.document.file == file)), ())
        except CardgenError as error:
            return TextState((), tuple(_failure(file, page_words(each.message)) for each in error.diagnostics))

    def problems_of(self, file: str) -> tuple[ProblemRow, ...]:
        """Return the problems of a file as it is being written."""
        try:
            problems = check_file(self._session, self._session.root / file)
        except CardgenError as error:
            return tuple(_failure(file, page_words(each.message)) for each in error.diagnostics)
        actions = code_actions(self._session, problems)
        rows = (*problem_rows(problems, self._session, actions), *self.renames.problems(file))
        return tuple(sorted(rows, key=lambda row: row[:3]))

    def forget(self, files: tuple[str, ...]) -> None:
        """Read files again that others have changed."""
        for part in filter(None, map(vars(self).get, RELOADED)):
            part.reload()
        if all(self._session.has_texts(self._session.root / file) for file in files):
            self._session.refresh()
        else:
            self._drawers.clear()
            self._session.reread()

    def new_card(self, kind: str, name: str) -> str:
        """Write a new card, and return its file. Raises CardgenError as `cardgen new` does."""
        path = new_card(kind, name, workspace=self._session.workspace)
        self._session.refresh()
        return path.relative_to(self._session.root).as_posix()

    def add_picture(self, upload: str, name: str, card: tuple[str, str, str]) -> str:
        """Copy a picture that was sent into the project for a card, and return its path as `scaffold.pictures` does."""
        from cardgen.scaffold.pictures import PictureCard, add_picture  # loaded here because few sessions need it

        return add_picture(self._session.root, Path(upload), name, PictureCard(*card))

    def add_icon(self, upload: str, name: str) -> str:
        """Copy an icon that was sent into the project, and return its name."""
        from cardgen.scaffold.pictures import add_icon  # loaded here because few sessions need it

        return add_icon(self._session.root, Path(upload), name)


def _failure(file: str, message: str) -> ProblemRow:
    return ProblemRow(file, Span(1, 1, 1, 1), "", "", "error", message, "")
