"""From cards to diagnostics: every check that a project's games have, run over its cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cardgen import rulesets
from cardgen.check.check import Check
from cardgen.check.locating import Found
from cardgen.check.mending import mend
from cardgen.check.outcome import Outcome, in_order
from cardgen.check.registry import GENERAL, Registry, registry
from cardgen.check.running import run
from cardgen.check.suppression import ignores
from cardgen.check.table import Glossary, Scene, Surroundings, Table
from cardgen.diagnostic import CardgenError, Diagnostic, Severity
from cardgen.model.codes import Code
from cardgen.model.deck import Deck, Entry, load
from cardgen.pipeline.loading import GAMES, game_called, kit, other_files
from cardgen.pipeline.pictures import find_art, icon_folders, pictures
from cardgen.pipeline.settings import UNKNOWN_NAME, misnamed
from cardgen.project import Project
from cardgen.project.files import passed_over
from cardgen.rulesets.ruleset import Ruleset

if TYPE_CHECKING:
    from cardgen.text.icons import Icons


class Request(NamedTuple):
    """What to check, and by which checks (codes, beginnings of codes, names); `fit` draws the cards too."""

    paths: tuple[Path, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fit: bool = False


def all_checks() -> Registry:
    """Every check of every game."""
    return checks_of(frozenset(rulesets.games()))


@cache
def checks_of(games: frozenset[str]) -> Registry:
    """The checks for all cards and those of some games; no other game is loaded for it."""
    own = {game_called(game).checks: game for game in games}
    return registry({GENERAL: "", **{package: game for package, game in own.items() if package}})


def check(request: Request) -> Outcome:
    """Check the cards of `request`; where there is nothing to check, and for wrong settings, that is what is found."""
    try:
        return checked(request)
    except CardgenError as error:
        return Outcome(in_order(map(_reported, error.diagnostics)), files=0, cards=0, checks=(), unmet=())


def checked(request: Request) -> Outcome:
    """Check the cards of `request`. Raises CardgenError where there is nothing to check, and for wrong settings."""
    return _Session(request, Project.find()).outcome()


@dataclass(frozen=True)
class _Session:
    """One run over a project."""

    request: Request
    project: Project

    def outcome(self) -> Outcome:
        deck, table = self._deck, self._table
        checks = self._checks(table)
        drawn, problems = self._drawn(table, checks)
        result = run(table, checks, drawn)
        silenced = ignores(table.documents, all_checks)
        loud = silenced.silence(result.found)
        told = {one.diagnostic.place for one in result.found}
        ran = frozenset(check.code for check in checks)
        said = [
            *misnamed(self.project),
            *self._relevant(deck.diagnostics),
            *(each for each in problems if each.place not in told),
            *silenced.problems,
            *silenced.unused(ran),
        ]
        return Outcome(
            found=in_order([*map(_reported, said), *loud]),
            files=len(self._named),
            cards=len(table.cards),
            checks=checks,
            unmet=tuple(check for check in checks if check.find and check.name not in result.met),
            passed_over=self._passed_over(),
        )

    def _checks(self, table: Table) -> tuple[Check, ...]:
        """The checks to run: of those that are wanted the general ones, and those of the games on the table."""
        games = frozenset(entry.game for entry in table.cards)
        return checks_of(games).chosen(self.request.select, self._ignored(), fit=self.request.fit)

    @cached_property
    def _named(self) -> tuple[Path, ...]:
        return self.project.card_files(self.request.paths)

    @cached_property
    def _deck(self) -> Deck:
        """All cards of the project, for those that are looked at may refer to others and are measured against them."""
        files = (*self._named, *(other_files(self.project, self._named) if self.request.paths else ()))
        return load(self.project, files, GAMES, rulesets.default_game(), [self._kit])

    @cached_property
    def _kit(self) -> Callable[[str], tuple[Entry, ...]]:
        """The cards of a game that come with the program, read once."""
        return cache(partial(kit, self.project))

    @cached_property
    def _table(self) -> Table:
        shown = {document.file for document in self._deck.documents[: len(self._named)]}
        looked_at = tuple(entry for entry in self._deck.cards if entry.document.file in shown)
        rest = tuple(entry for entry in self._deck.cards if entry.document.file not in shown)
        games = {entry.game: game_called(entry.game) for entry in self._deck.cards}
        return Table(
            cards=looked_at,
            documents=tuple(document for document in self._deck.documents if document.file in shown),
            others=cache(lambda: (*rest, *self._beside(games))),
            surroundings=_surroundings(self.project),
            glossaries={name: _glossary(game) for name, game in games.items()},
        )

    def _beside(self, games: Iterable[str]) -> Iterator[Entry]:
        """The cards that come with the program, which are in play wherever their game is."""
        already = {document.file for document in self._deck.documents}
        return (entry for game in games for entry in self._kit(game) if entry.document.file not in already)

    def _relevant(self, diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """Without what is wrong in files that were only read along.

        While a file cannot be read, references may lead to its cards, so that none is called broken.
        """
        shown = {document.file for document in self._table.documents}
        along = {document.file for document in self._deck.documents} - shown
        unread = any(document.diagnostics and document.root is None for document in self._deck.documents)
        for each in diagnostics:
            if each.place.file not in along and not (unread and each.code == Code.UNKNOWN_REFERENCE):
                yield each

    def _ignored(self) -> tuple[str, ...]:
        """What the request and the settings ignore. Raises CardgenError for what the settings cannot ignore."""
        words = self.project.settings.check.ignore
        refusals = [all_checks().refusal(word, to_ignore=True) for word in words]
        if any(refusals):
            places = [self.project.place(("check", "ignore", index)) for index in range(len(words))]
            located = zip(refusals, places, strict=True)
            raise CardgenError(*(Diagnostic(UNKNOWN_NAME, message, place) for message, place in located if message))
        return (*self.request.ignore, *words)

    def _passed_over(self) -> tuple[str, ...]:
        if self.request.paths:
            return ()
        return tuple(self.project.shown(file) for file in passed_over(self.project.root, self._named))

    def _drawn(
        self, table: Table, checks: Iterable[Check]
    ) -> tuple[Sequence[tuple[Scene, object]], Sequence[Diagnostic]]:
        """The cards as they are printed, where a check wants to see them, and what cannot be drawn."""
        if not any(check.prints for check in checks):
            return (), ()
        from cardgen.pipeline.proofs import proofs  # loaded here, for it needs the template engine

        return proofs(self.project, table)


def fails(outcome: Outcome, level: str | None) -> bool:
    """Whether a run fails: at the level given, or else at the one of the project's settings."""
    if level or not outcome.files:
        return outcome.fails(Severity(level or Severity.ERROR))
    return outcome.fails(Project.find().settings.check.fail_level)


def _glossary(game: Ruleset) -> Glossary:
    everyday = (form for term in game.glossary for form in term.everyday)
    return Glossary(frozenset(form for term in game.glossary for form in term.forms), frozenset(everyday))


def _surroundings(project: Project) -> Surroundings:
    def has_template(entry: Entry, name: str) -> bool:
        return any((folder / entry.game / f"{name}.svg.j2").is_file() for folder in project.folders("templates"))

    @cache
    def icons(game: str) -> Icons:
        from cardgen.text.icons import Icons  # loaded here, for it needs HarfBuzz

        return Icons(icon_folders(project, game))

    return Surroundings(partial(find_art, project), has_template, icons, partial(pictures, project))


def _reported(diagnostic: Diagnostic) -> Found:
    """What was found while cards were read or drawn, with the page of its limit and its severity."""
    check = checks_of(frozenset()).find(diagnostic.code) or all_checks().find(diagnostic.code)
    if check is None:
        raise LookupError(f"{diagnostic.code} has no manual page")
    return Found(diagnostic, check, mend(diagnostic))
