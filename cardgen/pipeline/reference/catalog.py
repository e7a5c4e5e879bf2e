"""Reference sheets of a game and of the project."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TypeVar

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place, stop_on_errors
from cardgen.pipeline.load.game_modules import load_content
from cardgen.project import Project
from cardgen.project.files import CARD_SUFFIXES, require_named_inside
from cardgen.reference.sheet_file import SheetFile, read_sheet
from cardgen.rulesets import ruleset
from cardgen.rulesets.reference import ReferenceContent
from cardgen.rulesets.ruleset import Ruleset
from cardgen.validation.suggestion import did_you_mean

SHEETS_FOLDER = "sheets"
Made = TypeVar("Made")


def load_reference(rules: Ruleset) -> ReferenceContent:
    """Load the sheet content of a game.

    Raises CardgenError if the game has none.
    """
    if not rules.reference:
        raise CardgenError(Diagnostic(Code.UNKNOWN_SHEET, f"{rules.name} has no reference sheets", Place(rules.id)))
    return load_content(rules)


def run_all(tasks: Iterable[Callable[[], Made]]) -> list[Made]:
    """Run tasks and return their results.

    Raises CardgenError with the problems of all tasks.
    """
    results: list[Made] = []
    problems: list[Diagnostic] = []
    for task in tasks:
        try:
            results.append(task())
        except CardgenError as error:
            problems += error.diagnostics
    stop_on_errors(dict.fromkeys(problems))
    return results


@dataclass(frozen=True)
class SheetCatalog:
    """The sheets of a game in a project."""

    project: Project
    rules: Ruleset
    reference: ReferenceContent

    def sheets(self, names: Sequence[str] = ()) -> list[SheetFile]:
        """Return the sheets with these names or files.

        The default is all sheets of the game. Raises CardgenError with all problems in them.
        """
        if names:
            named_sheets = self._read(map(self._find_file, names))
            stop_on_errors(self._wrong_game(sheet) for sheet in named_sheets if self._game_of(sheet) != self.rules.id)
            return named_sheets
        return [sheet for sheet in self._read(self._files.values()) if self._game_of(sheet) == self.rules.id]

    @cached_property
    def _files(self) -> Mapping[str, Path]:
        """Sheet files by name; those of the project have priority.

        Raises CardgenError for a link that points outside its folder.
        """
        built_in, own = self.reference.sheets, self.project.root / SHEETS_FOLDER
        own_files = map(self.project.require_inside, sorted(own.glob("*.yaml")))
        own_by_name = {path.stem: path for path in own_files}
        stop_on_errors(self._name_clashes(own_by_name))
        return {**{path.stem: path for path in self._game_files(built_in)}, **own_by_name}

    def _game_files(self, folder: Path) -> list[Path]:
        """Return the sheets of the game, whose folder can be in the project."""
        files = sorted(folder.glob("*.yaml"))
        in_project = folder.is_relative_to(self.project.root)
        return list(map(self.project.require_inside, files)) if in_project else files

    def _name_clashes(self, names: Mapping[str, Path]) -> Iterator[Diagnostic]:
        """Yield a diagnostic for each sheet that would overwrite another where case or accents' form do not matter."""
        first: dict[str, str] = {}
        for name, path in names.items():
            other = first.setdefault(unicodedata.normalize("NFC", name).casefold(), name)
            if other != name:
                message = f"the names '{name}' and '{other}' are the same on some systems"
                yield Diagnostic(
                    Code.SAME_SHEET, message, Place(self.project.display_path(path)), "rename one of the sheets"
                )

    def _find_file(self, name: str) -> Path:
        if name in self._files:
            return self._files[name]
        path = Path(name)
        if path.suffix in CARD_SUFFIXES and path.is_file():
            return require_named_inside(self.project.root, path, self.project.display_path(path))
        message = f"unknown sheet '{name}'{did_you_mean(name, self._files)}"
        advice = f"use one of {', '.join(self._files)}, or the path of a .yaml file"
        raise CardgenError(Diagnostic(Code.UNKNOWN_SHEET, message, Place("SHEET"), advice))

    def _read(self, paths: Iterable[Path]) -> list[SheetFile]:
        """Read sheet files. Raises CardgenError with all problems in them."""
        return run_all(partial(read_sheet, path, self.project.display_path(path)) for path in paths)

    def _game_of(self, sheet: SheetFile) -> str:
        """Return the game of a sheet."""
        return sheet.model.game or self.project.settings.game or ruleset.default_game()

    def _wrong_game(self, sheet: SheetFile) -> Diagnostic:
        game = self._game_of(sheet)
        message = f"this sheet is for the game '{game}', not for '{self.rules.id}'"
        return Diagnostic(Code.UNKNOWN_SHEET, message, sheet.place(("game",)), f"use --game {game}")

    def _place(self, path: Path) -> Place:
        return Place(self.project.display_path(path))
