"""A project that is open in an editor, with the texts that are not saved."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextvars import Context
from pathlib import Path
from typing import NamedTuple, TypeVar

from cardgen.diagnostic import CardgenError, Place
from cardgen.model import file_memory
from cardgen.model.deck import Deck
from cardgen.model.file_memory import FileMemory
from cardgen.pipeline.load import game_settings
from cardgen.pipeline.load.deck import card_files, libraries, read_project_deck
from cardgen.project import Project
from cardgen.project.confinement import is_inside
from cardgen.rulesets import ruleset
from cardgen.runtime import regular_file, unsaved_files
from cardgen.runtime.fingerprint import SETTINGS_FILE
from cardgen.runtime.project_games import GAME_FILE, GAMES_FOLDER
from cardgen.sandbox.budget import shared_budget
from cardgen.source import Document, parse_document

Result = TypeVar("Result")
_MAX_BYTES = 2**20
_CARD_SUFFIXES = (".yaml", ".yml")


class LoadedProject(NamedTuple):
    """A project and its cards, as the editor has them."""

    project: Project
    deck: Deck

    @property
    def game(self) -> str:
        """The id of the game of files that name none."""
        return self.project.settings.game or ruleset.default_game()


class Session:
    """A project in an editor; only one thread may use it.

    `root` is its absolute folder. Unsaved texts replace files in everything that the project reads. A session that is
    `empty` reads no cards: that of a folder which is not a project.
    """

    def __init__(self, root: Path, *, empty: bool = False) -> None:
        self.root, self.is_empty = root, empty
        self._contents: dict[str, bytes] = {}
        self._memory = FileMemory()
        self._loaded: LoadedProject | None = None
        self._last: LoadedProject | None = None
        self._files: frozenset[Path] | None = None

    @property
    def unsaved(self) -> Mapping[str, bytes]:
        """The unsaved contents by absolute path."""
        return dict(self._contents)

    def set_text(self, path: Path, text: str | None) -> None:
        """Use the unsaved text of a file; None stands for the file itself."""
        contents = {name: content for name, content in self._contents.items() if name != str(path)}
        self.replace_texts(contents if text is None else {**contents, str(path): text.encode("utf-8", "replace")})

    def replace_texts(self, contents: Mapping[str, bytes]) -> None:
        """Use these unsaved contents, by absolute path, and no others."""
        changed = {name for name in (*contents, *self._contents) if contents.get(name) != self._contents.get(name)}
        self._contents = dict(contents)
        for name in changed:
            self._forget(Path(name))

    def reload(self) -> None:
        """Read everything again, because files have changed on the disk."""
        self._loaded = None
        self._memory = FileMemory()
        self._files = None

    def _forget(self, path: Path) -> None:
        """Read what depends on a text again; settings and games decide how every card is read."""
        self._loaded = None
        if not self.has_cards(path):
            self._memory = FileMemory()

    def is_checked(self, path: Path) -> bool:
        """Return whether a file is one of the card files that the project reads."""
        if self._files is None:
            self._files = self.run(self._card_files)
        return path in self._files

    def _card_files(self) -> frozenset[Path]:
        try:
            return frozenset(() if self.is_empty else card_files(Project.find(self.root)))
        except CardgenError:
            return frozenset()

    def has_cards(self, path: Path) -> bool:
        """Return whether the name of a file is that of a card file."""
        is_game = path.name == GAME_FILE and path.parent.parent.name == GAMES_FOLDER
        return path.suffix in _CARD_SUFFIXES and path.name != SETTINGS_FILE and not is_game

    def owns(self, path: Path) -> bool:
        """Return whether a file is inside the project, and no link leads out of it."""
        try:
            return path.is_relative_to(self.root) and is_inside(self.root, path)
        except (OSError, ValueError):
            return False

    def run(self, question: Callable[[], Result]) -> Result:
        """Return the answer to a question about the project, with its texts and games in force."""
        return Context().run(self._run, question)

    def _run(self, question: Callable[[], Result]) -> Result:
        with unsaved_files.in_force(self._contents), file_memory.in_force(self._memory), shared_budget():
            return question()

    def ask(self, question: Callable[[LoadedProject], Result], *, strict: bool = False) -> Result:
        """Return the answer to a question about the loaded project.

        While it cannot be loaded, because of a mistake in its settings or games, the project is as it last was. With
        `strict`, raises CardgenError instead.
        """
        return self.run(lambda: self._ask(question, strict=strict))

    def _ask(self, question: Callable[[LoadedProject], Result], *, strict: bool) -> Result:
        loaded = self._require_loaded(strict=strict)
        loaded.project.put_games_in_force()
        with game_settings.in_force(loaded.project):
            return question(loaded)

    def _require_loaded(self, *, strict: bool) -> LoadedProject:
        if self._loaded is None:
            try:
                self._loaded = self._last = self._load()
            except CardgenError:
                if strict:
                    raise
                return self._last or LoadedProject(Project(self.root), Deck(()))
        return self._loaded

    def _load(self) -> LoadedProject:
        if self.is_empty:
            return LoadedProject(Project(self.root), Deck(()))
        project = Project.find(self.root)
        files = card_files(project)
        return LoadedProject(project, read_project_deck(project, files, libraries(project, files)))

    def text(self, path: Path) -> str:
        """Return the text of a file of the project, or '' if it cannot be read."""
        content = self._contents.get(str(path))
        try:
            content = regular_file.read(path, _MAX_BYTES) if content is None and self.owns(path) else content
        except OSError:
            content = None
        return (content or b"").decode("utf-8", "replace")

    def source(self, path: Path) -> str:
        """Return the text of a file as places count its characters: without a byte-order mark, and with line feeds."""
        return self.text(path).removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")

    def document(self, path: Path) -> Document:
        """Return the document of a file of the project."""
        return parse_document(self.text(path), str(path))

    def path_of(self, place: Place) -> Path:
        """Return the absolute path of a place's file."""
        return Path(os.path.abspath(place.file))  # noqa: PTH100 - resolve() would follow links
