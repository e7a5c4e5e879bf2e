"""Which reference sheets there are: those that come with a game, and a project's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from typing import TypeVar

from cardgen import rulesets
from cardgen.diagnostic import CardgenError, Diagnostic, Place, stop_on_errors
from cardgen.project import Code, Project
from cardgen.project.files import SUFFIXES
from cardgen.project.paths import stays_in
from cardgen.reference import codes
from cardgen.reference.reading import Sheet, read_sheet
from cardgen.rulesets.reference import Reference
from cardgen.rulesets.ruleset import Ruleset
from cardgen.shape.suggestion import did_you_mean

SHEETS_FOLDER = "sheets"
Made = TypeVar("Made")


def reference_of(rules: Ruleset) -> Reference:
    """What a game gives its sheets. Raises CardgenError for a game that has none."""
    if not rules.reference:
        raise CardgenError(Diagnostic(codes.UNKNOWN_SHEET, f"{rules.name} has no reference sheets", Place(rules.id)))
    found: Reference = import_module(rules.reference).REFERENCE
    return found


def gathered(tasks: Iterable[Callable[[], Made]]) -> list[Made]:
    """What comes of all tasks. Raises CardgenError with the problems of all of them."""
    made: list[Made] = []
    problems: list[Diagnostic] = []
    for task in tasks:
        try:
            made.append(task())
        except CardgenError as error:
            problems += error.diagnostics
    stop_on_errors(dict.fromkeys(problems))
    return made


@dataclass(frozen=True)
class Repertoire:
    """The sheets of a game in a project."""

    project: Project
    rules: Ruleset
    reference: Reference

    def sheets(self, names: Sequence[str] = ()) -> list[Sheet]:
        """The sheets of these names, or in these files; without any all that are of the game.

        Raises CardgenError with all that is wrong in them.
        """
        if names:
            found = self._read(map(self._called, names))
            stop_on_errors(self._foreign(sheet) for sheet in found if self._game(sheet) != self.rules.id)
            return found
        return [sheet for sheet in self._read(self._files.values()) if self._game(sheet) == self.rules.id]

    @cached_property
    def _files(self) -> Mapping[str, Path]:
        """Every file by name: those that come with the game, and over them the project's own.

        Raises CardgenError for a link that leads out of its folder.
        """
        folders = (self.reference.sheets, self.project.root / SHEETS_FOLDER)
        found = [(folder, path) for folder in folders for path in sorted(folder.glob("*.yaml"))]
        stop_on_errors(
            Diagnostic(Code.OUTSIDE, "this link leads out of its folder", self._place(path), "put the file itself here")
            for folder, path in found
            if not stays_in(folder, path)
        )
        return {path.stem: path for _, path in found}

    def _called(self, name: str) -> Path:
        if name in self._files:
            return self._files[name]
        path = Path(name)
        if path.suffix in SUFFIXES and path.is_file():
            return path
        message = f"there is no sheet '{name}'{did_you_mean(name, self._files)}"
        advice = f"known: {', '.join(self._files)}; or write the path of a .yaml file"
        raise CardgenError(Diagnostic(codes.UNKNOWN_SHEET, message, Place("SHEET"), advice))

    def _read(self, paths: Iterable[Path]) -> list[Sheet]:
        """The sheets in some files. Raises CardgenError with all that is wrong in any of them."""
        return gathered(partial(read_sheet, path, self.project.shown(path)) for path in paths)

    def _game(self, sheet: Sheet) -> str:
        """The game that a sheet belongs to."""
        return sheet.written.game or self.project.settings.game or rulesets.default_game()

    def _foreign(self, sheet: Sheet) -> Diagnostic:
        game = self._game(sheet)
        message = f"this sheet is for the game '{game}', not for '{self.rules.id}'"
        return Diagnostic(codes.UNKNOWN_SHEET, message, sheet.place(("game",)), f"write --game {game}")

    def _place(self, path: Path) -> Place:
        return Place(self.project.shown(path))
