"""The studio's view of a project: its cards, their pictures, and their problems."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cardgen.diagnostic import CardgenError, Span
from cardgen.editor.actions import code_actions
from cardgen.editor.problems import check_all, check_file
from cardgen.editor.session import LoadedProject, Session
from cardgen.model.entry import Entry
from cardgen.model.file_memory import FileMemory
from cardgen.pipeline.load.deck import game_of
from cardgen.pipeline.scaffold.cards import new_card
from cardgen.studio.engine.answers import CardRow, DrawnFace, ProblemRow, ProjectState, TextState
from cardgen.studio.engine.drawings import FaceDrawer
from cardgen.studio.engine.parts import RELOADED, new_part
from cardgen.studio.engine.rows import card_key, card_rows, card_version, problem_rows

_NO_CARD = "this card is no longer in the project"


class _OpenProject(Session):
    """A session that also sees card files change outside."""

    def refresh(self) -> None:
        """Read the card files again that have changed on the disk."""
        self._loaded = None

    def reread(self) -> None:
        """Read everything again, because settings, games, or templates have changed on the disk."""
        self._loaded, self._memory = None, FileMemory()


class Engine:
    """The functions that the studio calls in the engine's process, each with plain arguments and answers.

    Its parts, such as `form`, are listed in `PARTS`.
    """

    def __init__(self, root: str) -> None:
        self._session = _OpenProject(Path(root))
        self._drawer: FaceDrawer | None = None
        self._rows: tuple[LoadedProject, tuple[CardRow, ...]] | None = None

    def __getattr__(self, name: str) -> Any:
        """Return a part of the engine, which is loaded when it is first used."""
        part = new_part(name, self._session)
        setattr(self, name, part)
        return part

    def project(self) -> ProjectState:
        """Return the cards of the project; problems are those that keep it from being read."""
        title = self._session.root.name
        try:
            return self._session.ask(lambda loaded: self._project(title, loaded), strict=True)
        except CardgenError as error:
            return ProjectState(title, (), (), (), str(error.diagnostics[0]))

    def _project(self, title: str, loaded: LoadedProject) -> ProjectState:
        return ProjectState(title, self._card_rows(loaded), (), tuple(game_of(loaded.project).kinds))

    def _card_rows(self, loaded: LoadedProject) -> tuple[CardRow, ...]:
        if self._rows is None or self._rows[0] is not loaded:
            self._rows = loaded, tuple(card_rows(loaded.deck.cards))
        return self._rows[1]

    def problems(self) -> tuple[ProblemRow, ...]:
        """Return the problems of all files of the project. Raises CardgenError if its settings cannot be read."""
        by_file = check_all(self._session)
        return problem_rows((each for problems in by_file.values() for each in problems), self._session.root)

    def draw(self, key: str, *, back: bool = False, marks: tuple[str, ...] = ()) -> DrawnFace:
        """Return one side of a card by its key, with overlays of `marks`."""
        try:
            return self._session.ask(lambda loaded: self._draw(loaded, key, marks, back=back))
        except CardgenError as error:
            return DrawnFace(b"", problem=str(error.diagnostics[0]))

    def _draw(self, loaded: LoadedProject, key: str, marks: tuple[str, ...], *, back: bool) -> DrawnFace:
        entry = _entry(loaded, key)
        if entry is None:
            return DrawnFace(b"", problem=_NO_CARD)
        self._drawer = self._drawer or FaceDrawer(loaded.project)
        return self._drawer.draw(entry, card_version(entry), marks, back=back)

    def write(self, file: str, text: str | None) -> TextState:
        """Use the text of a file that is being written, or None for the file itself; return its cards."""
        path = self._session.root / file
        self._session.set_text(path, text)
        try:
            return TextState(self._session.ask(lambda loaded: tuple(card_rows(_entries_of(loaded, file)))), ())
        except CardgenError as error:
            return TextState((), tuple(_failure(file, each.message) for each in error.diagnostics))

    def problems_of(self, file: str) -> tuple[ProblemRow, ...]:
        """Return the problems of a file as it is being written."""
        try:
            problems = check_file(self._session, self._session.root / file)
        except CardgenError as error:
            return tuple(_failure(file, each.message) for each in error.diagnostics)
        actions = code_actions(self._session, problems)
        return problem_rows(problems, self._session.root, actions)

    def forget(self, files: tuple[str, ...]) -> None:
        """Read files again that others have changed."""
        for part in filter(None, map(vars(self).get, RELOADED)):
            part.reload()
        if all(self._session.has_cards(self._session.root / file) for file in files):
            self._session.refresh()
        else:
            self._drawer = None
            self._session.reread()

    def new_card(self, kind: str, name: str) -> str:
        """Write a new card, and return its file. Raises CardgenError as `cardgen new` does."""
        path = self._session.run(lambda: new_card(kind, name))
        self._session.refresh()
        return path.relative_to(self._session.root).as_posix()


def _entry(loaded: LoadedProject, key: str) -> Entry | None:
    return next((entry for entry in loaded.deck.cards if card_key(entry) == key), None)


def _entries_of(loaded: LoadedProject, file: str) -> tuple[Entry, ...]:
    return tuple(entry for entry in loaded.deck.cards if entry.document.file == file)


def _failure(file: str, message: str) -> ProblemRow:
    return ProblemRow(file, Span(1, 1, 1, 1), "", "", "error", message, "")
