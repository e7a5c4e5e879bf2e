"""Reference sheets of a game and of the project, with worked examples that the referee computes."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeVar

from cardgen.deck.card_lookup import CardLookup
from cardgen.deck.deck import load_content, load_trials, own_game
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, did_you_mean, slugify, stop_on_errors
from cardgen.language import beside
from cardgen.matches.session import TrialRun, prepare_situation, resolve_switches
from cardgen.matches.session import exact_odds as odds_of
from cardgen.project.files import CARD_SUFFIXES, require_named_inside
from cardgen.project.project import Project
from cardgen.referee.odds import decimal, percent
from cardgen.referee.parameters import Parameter, parameters
from cardgen.referee.play import AnswerSource, Event, InvalidAnswerError, LogEntry, entry_line, play
from cardgen.referee.requests import Decision, Question
from cardgen.referee.trial import RulesConfig, not_adjudicated_sentence
from cardgen.reference.resolve import NotAvailableError, WorkedExample
from cardgen.reference.sheet_file import SheetFile, original_of, read_sheet
from cardgen.rulesets.game_settings import plain_settings
from cardgen.rulesets.reference import GameData, ReferenceContent
from cardgen.rulesets.ruleset import Ruleset
from cardgen.units import quantity

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
        built_in, own = self.reference.sheets, self.project.require_inside(self.project.root / SHEETS_FOLDER)
        own_files = map(self.project.require_inside, sorted(own.glob("*.yaml")))
        own_by_name = {path.stem: path for path in own_files}
        stop_on_errors(self._name_clashes(own_by_name))
        found = {**{path.stem: path for path in self._game_files(built_in)}, **own_by_name}
        # A sheet in another language is beside the original, and takes its place.
        return {name: beside(path, self.project.language) for name, path in found.items() if original_of(path) == path}

    def _game_files(self, folder: Path) -> list[Path]:
        """Return the sheets of the game, whose folder can be in the project."""
        if not folder.is_relative_to(self.project.root):
            return sorted(folder.glob("*.yaml"))
        return [*map(self.project.require_inside, sorted(self.project.require_inside(folder).glob("*.yaml")))]

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
        return sheet.model.game or own_game(self.project)

    def _wrong_game(self, sheet: SheetFile) -> Diagnostic:
        game = self._game_of(sheet)
        message = f"this sheet is for the game '{game}', not for '{self.rules.id}'"
        return Diagnostic(Code.UNKNOWN_SHEET, message, sheet.place(("game",)), f"use --game {game}")

    def _place(self, path: Path) -> Place:
        return Place(self.project.display_path(path))


def work_example(
    rules: Ruleset,
    lookup: CardLookup,
    game_data: GameData,
    trial: str,
    values: Mapping[str, Any],
    dice: Sequence[int],
) -> WorkedExample:
    """Compute a worked example.

    It has the odds of a trial, and its events with given dice. Raises NotAvailableError, with the route in the example,
    if the referee rejects the example.
    """
    game_trials = load_trials(rules)
    if trial not in game_trials.trials:
        raise NotAvailableError.unknown("trial", trial, game_trials.trials, ("trial",))
    parameters_by_name = parameters(game_trials.trials[trial].situation)
    for name in values:
        if name not in parameters_by_name:
            raise NotAvailableError.unknown("option", name, parameters_by_name, ("with", name))
    data = {name: _parameter_value(lookup, name, value, parameters_by_name[name][0]) for name, value in values.items()}
    try:
        config = RulesConfig(game_data.rulings, resolve_switches(game_trials.policies, {}, "--policy"))
        settings = plain_settings(rules.settings, game_data.workspace)
        trial_run = prepare_situation(rules, game_trials, trial, data, config, settings)
        chances: dict[str, str] = {}
        for name, words in _named_chances(trial_run):
            chances.setdefault(name, words)
    except CardgenError as error:
        first = error.diagnostics[0]
        raise NotAvailableError(first.message, first.help, ("with",)) from None
    left_out = not_adjudicated_sentence(trial_run.prepared.not_simulated)
    return WorkedExample(chances, tuple(_roll_lines(trial_run, dice)) if dice else (), left_out)


def _parameter_value(lookup: CardLookup, name: str, value: Any, parameter: Parameter) -> Any:
    try:
        return lookup.parameter_value(value, parameter)
    except CardgenError as error:
        first = error.diagnostics[0]
        raise NotAvailableError(first.message, first.help, ("with", name)) from None


def _named_chances(trial_run: TrialRun) -> Iterator[tuple[str, str]]:
    """Yield chances and means by name, without names of cards: 'hits', 'is-resisted'.

    Each also has a longer name with its title: 'wounds-that-brute-loses-1'.
    """
    card_names = [
        value["name"] for value in trial_run.header.situation.values() if isinstance(value, dict) and "name" in value
    ]
    names = sorted(card_names, key=len, reverse=True)
    for figures in odds_of(trial_run):
        worded_chances = [(words, chance_in_words(chance)) for words, chance in (*figures.chances, *figures.parts)]
        for words, figure in (*worded_chances, *((words, decimal(mean, 2)) for words, mean in figures.means)):
            yield _chance_key(words, names), figure
            yield slugify(f"{figures.title} {words}"), figure


def _chance_key(words: str, names: Sequence[str]) -> str:
    for name in names:
        words = words.removeprefix(f"{name} ")
    return slugify(words)


def chance_in_words(chance: Fraction) -> str:
    """Return text such as '2 in 9 (22 %)', with no-break spaces."""
    return f"{chance.numerator} in {chance.denominator} ({percent(chance, 0)})".replace(" ", "\u00a0")


def _roll_lines(trial_run: TrialRun, dice: Sequence[int]) -> list[str]:
    """Return the events of a trial with given dice."""
    left = list(dice)
    lines: list[str] = []

    def answer(path: str, question: Question) -> int | str:
        if isinstance(question, Decision) and question.default:
            return question.default
        if not left:
            raise InvalidAnswerError("too few dice for this example")
        return left.pop(0)

    answer_function: AnswerSource = answer
    try:
        play(trial_run.prepared.start(), answer_function, lambda event: lines.extend(_event_lines(event)))
    except InvalidAnswerError as error:
        raise NotAvailableError(str(error), "", ("dice",)) from None
    if left:
        raise NotAvailableError(f"{quantity(len(left), 'unused die', 'unused dice')}", "remove them", ("dice",))
    return lines


def _event_lines(event: LogEntry) -> Iterator[str]:
    if isinstance(event, Event) and isinstance(event.question, Decision):
        return
    yield entry_line(event).strip()
