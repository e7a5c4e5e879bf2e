"""Check runs on a project's cards, the other cards that they are compared with, and what they write."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from cardgen.checking import locate
from cardgen.checking.check import LOOKS_FAMILY, Check, CheckScope, GivenCards, OtherCards, ReleasedId, Rendering, Spot
from cardgen.checking.checks import lost_id, misplaced_card
from cardgen.checking.figures import KeptFigures
from cardgen.checking.locate import (
    Baseline,
    BaselineMatch,
    BaselineScope,
    DrawnSpot,
    LocatedFinding,
    diff,
    plan_fixes,
)
from cardgen.checking.registry import Registry, read_suppressions
from cardgen.checking.reports import HUMAN_FORMATS, report
from cardgen.checking.reports.statistics import statistics_table
from cardgen.checking.runner import (
    CheckResult,
    Drawn,
    FindInCards,
    RunRecord,
    find_here,
    run_checks,
    sort_findings,
    unread_texts,
)
from cardgen.deck.art import missing_back_pictures, unused_back_rules
from cardgen.deck.card_facts import CardFacts
from cardgen.deck.card_index import CardSource, can_store_index, library_of
from cardgen.deck.deck import (
    can_be_indexed,
    card_files,
    drawing_folders,
    indexed_sources,
    load_reader,
    missing_page,
    other_files,
    read_project_deck,
    require_game,
    rulings_of,
    unknown_settings,
)
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, Severity
from cardgen.model.card import Entry
from cardgen.model.deck import ALL_KINDS, ALL_NAMES, CardLibrary, Deck, find_links
from cardgen.project.files import built_in_folder, display_path, require_named_inside, skipped_files
from cardgen.project.project import Project, Settings
from cardgen.project_checks.check_reports import CheckReport, OutputText
from cardgen.project_checks.kept_findings import KeptCards, KeptFindings, LateList, group_by_file
from cardgen.project_checks.other_cards import BuiltInCards, IndexedCards, UncheckedCards
from cardgen.project_checks.services import (
    all_checks,
    checks_of,
    find_refusal,
    glossary_of,
    has_own_templates,
    latest_release,
    long_texts,
    look,
    print_problems,
    project_services,
    unknown_icons,
)
from cardgen.referee.die import dice_of_game
from cardgen.rulesets.ruleset import Ruleset, ruleset
from cardgen.runtime import atomic_write, regular_file
from cardgen.runtime.escapes import dump_json
from cardgen.runtime.workspace import GAME_FILE, FileMemory, Workspace, is_game
from cardgen.source import Document
from cardgen.validation.base import Model


class CheckRequest(NamedTuple):
    """Paths to check, and the checks to run.

    `select` and `ignore` contain codes, code prefixes, and names; `fit` also renders the cards. `workspace` is that of
    the project, by default of the current folder; cards are checked on its cluster, if it has one. With
    `keeps_figures`, figures of odds are kept in the user's cache, and the index of cards is used.
    """

    paths: tuple[Path, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fit: bool = False
    workspace: Workspace | None = None
    keeps_figures: bool = False


_BUILT_IN_TEMPLATES = built_in_folder("templates")
# Further ones in the settings are left out.
_MOST_REFUSED = 100
NOTHING_CHECKED = CheckResult((), files=(), cards=0, checks=(), not_applicable=())


def check_project(request: CheckRequest) -> CheckResult:
    """Check the cards of `request`, and report fatal errors as findings.

    Such errors are a project without cards, and invalid settings. Paths of games select the games themselves.
    """
    try:
        return check_or_raise(request)
    except CardgenError as error:
        games = (request.workspace or Workspace()).with_games()
        return NOTHING_CHECKED._replace(findings=sort_findings(_located_findings(error.diagnostics, games)))


def check_or_raise(request: CheckRequest) -> CheckResult:
    """Check the cards of `request`.

    Raises CardgenError if there is nothing to check, and for invalid settings.
    """
    project = Project.open(request.workspace)
    project.workspace.budget.renew()
    games = tuple(path for path in request.paths if is_game(path))
    cards = tuple(path for path in request.paths if path not in games)
    if request.keeps_figures and project.workspace.memory is None:  # A file can be needed for several questions.
        project = replace(project, workspace=replace(project.workspace, memory=FileMemory()))
    result = _CheckRun(request._replace(paths=cards), project).result() if cards or not games else None
    if not games:
        return result or NOTHING_CHECKED
    from cardgen.project_checks.game_checks import add_games  # loaded here because it loads games that are files

    return add_games(games, project, result or NOTHING_CHECKED)


def errors_in_play(
    entries: Iterable[Entry], paths: Iterable[Path], workspace: Workspace | None, rulings: Mapping[str, str]
) -> tuple[Diagnostic, ...]:
    """Return the errors that checks of the game find in cards, and in the cards that they name.

    `paths` are card files besides those of the project of the workspace. `rulings` are in force in place of the
    project's. Built-in cards are not checked.
    """
    project, named, waiting = Project.open(workspace), tuple(paths), [*entries]
    in_play = set[tuple[str, str, str]]()
    while waiting:
        entry = waiting.pop()
        if _identity(entry) not in in_play:
            in_play.add(_identity(entry))
            waiting += entry.links.values()
    names = {file for file, _, _ in in_play}
    own = (each for each in card_files(project) if project.display_path(each) in names)
    files = tuple(dict.fromkeys((*(card_files(project, named) if named else ()), *own)))
    if not files:
        return ()
    run = _CheckRun(CheckRequest(files, keeps_figures=True), project)
    scope = run._scope
    cards = tuple(each for each in scope.cards if _identity(each) in in_play)
    of_games = {each.game: {**scope.rulings[each.game], **rulings} for each in cards}
    checks = [each for each in run._selected_checks(scope) if each.game and each.severity is Severity.ERROR]
    record = run_checks(
        replace(scope, cards=cards, own=GivenCards(cards), rulings={**scope.rulings, **of_games}), checks
    )
    remaining = read_suppressions(scope.documents, partial(all_checks, project.workspace)).filter_findings(
        record.findings
    )
    return tuple(each.diagnostic for each in sort_findings(remaining))


def _identity(entry: Entry) -> tuple[str, str, str]:
    return entry.document.file, entry.kind, entry.card.id


# What is found in the whole text when a card is drawn, and the check that finds it at its character.
_FOUND_IN_TEXTS: Mapping[str, tuple[str, ...]] = {
    Code.MISSING_GLYPH: ("CG135",),
    Code.UNKNOWN_ICON: ("CG123", "CG136"),
}


_LAST_NAME = re.compile(r"'[^']+'$")


def _is_told(problem: Diagnostic, findings: Iterable[LocatedFinding]) -> bool:
    """Return whether a finding inside the text of a card says what its drawing says of the whole text.

    A check of the game that names an unknown icon knows what it stands for.
    """
    codes, (file, span) = _FOUND_IN_TEXTS.get(problem.code, ()), problem.place[:2]
    name = _LAST_NAME.search(problem.message) if codes else None
    told = (
        each.diagnostic.place
        for each in findings
        if each.diagnostic.code in codes or (name and each.check.game and name[0] in each.diagnostic.message)
    )
    return any(
        place.file == file and place.span and span and span.line <= place.span.line <= span.end_line for place in told
    )


def _cards_at(cards: Sequence[Entry], places: Iterable[Place]) -> Iterator[Entry]:
    """Yield the card that each place is in, if it is in a file with lines."""
    places = [*places]
    files, starts = {place.file for place in places}, dict[str, list[tuple[int, Entry]]]()
    for entry in cards if files else ():
        if entry.document.file in files and (span := entry.place().span):
            starts.setdefault(entry.document.file, []).append((span.line, entry))
    for place in places:
        before = [each for each in starts.get(place.file, ()) if place.span and each[0] <= place.span.line]
        if before:
            yield max(before, key=itemgetter(0))[1]


def _names_of_faulty_cards(cards: Sequence[Entry], findings: Iterable[LocatedFinding]) -> Iterator[Place]:
    """Yield the places where cards name others with errors, which can spoil what is drawn of them there."""
    errors = [one.diagnostic for one in findings if not one.check.needs_rendering]
    faulty = {
        id(entry.card) for entry in _cards_at(cards, (each.place for each in errors if each.severity is Severity.ERROR))
    }
    for entry in cards if faulty else ():
        for link in find_links(entry.card):
            named = entry.links.get((link.kind, link.name))
            if named and id(named.card) in faulty:
                yield entry.place(link.key_path)


def _without_results_of_copies(
    findings: list[LocatedFinding], cards: Sequence[Entry], problems: Iterable[Diagnostic]
) -> list[LocatedFinding]:
    """Return findings without what the game finds in lists that name cards of which several have the same id."""
    if not any(each.code == Code.DUPLICATE_ID for each in problems):
        return findings
    ids = Counter((entry.game, entry.kind, entry.card.id) for entry in cards)
    kept = []
    for one in findings:
        entries = [*_cards_at(cards, [one.diagnostic.place])] if one.check.game and one.check.find else []
        named = [linked for entry in entries for linked in entry.links.values()]
        if not any(ids[each.game, each.kind, each.card.id] > 1 for each in named):
            kept.append(one)
    return kept


@dataclass(frozen=True)
class _CheckRun:
    """A run on a project; unless it `may_recall`, what was found before does not count."""

    request: CheckRequest
    project: Project
    may_recall: bool = True

    def result(self) -> CheckResult:
        deck, scope = self._deck, self._scope
        checks = self._selected_checks(scope)
        rendered, problems, spots = self._rendered_cards(scope, checks)
        record = self._run_checks(scope, checks, rendered)
        cards = deck.cards if self._recalled else scope.cards
        printing = [
            *print_problems(self.project, cards, every_piece=self.request.fit),
            *long_texts(cards),
            *unknown_icons(cards, scope.services.icons),
        ]
        unread = 0 if self.request.select else sum(scope.own.said(unread_texts, scope))
        steps = self.project.workspace.budget.spent
        if self._kept and self._recalled and (printing or not self._kept.has_room(steps)):
            # What is wrong may have to do with cards that were not read.
            self.project.workspace.budget.renew()
            return replace(self, may_recall=False).result()
        scope.figures.save()
        if self._facts:
            self._facts.save()
        suppressions = read_suppressions(deck.documents, partial(all_checks, self.project.workspace))
        remaining = suppressions.filter_findings(record.findings)
        remaining = _without_results_of_copies(remaining, scope.cards, deck.diagnostics)
        found_places = {one.diagnostic.place for one in record.findings}
        codes_run = frozenset(check.code for check in checks)
        if problems:
            found_places |= {*_names_of_faulty_cards(scope.cards, record.findings)}
        missing_pictures = list(missing_back_pictures(self.project))
        diagnostics = [
            *unknown_settings(self.project),
            *self._outside,
            *missing_pictures,
            *self._latest_release[1],
            *self._unusable_icons(scope),
            *(unused_back_rules(self.project, scope.cards) if scope.is_complete and scope.is_whole else ()),
            *_with_new_names(self._relevant(deck.diagnostics), record.findings),
            *_others(printing, problems, found_places),
            *(
                each
                for each in problems
                if each.place not in found_places
                and each not in missing_pictures
                and not _is_told(each, record.findings)
            ),
            *suppressions.problems,
            *suppressions.unused_diagnostics(codes_run),
        ]
        located = _located_findings(diagnostics, self.project.workspace)
        if self._kept:
            wrong = {*suppressions.by_file, *(each.place.file for each in diagnostics)}
            is_general = any(each.place.file not in scope.files for each in printing)
            besides = [each for each in self._named_files if is_general or self.project.display_path(each) in wrong]
            self._kept.save(besides, steps)
        found = [*_without_looks_of_errors([*map(partial(_with_spot, spots), located), *remaining])]
        found = [*_with_causes_in_cells(found)]
        elsewhere = {each.diagnostic.place.file for each in found if each.check.code == misplaced_card.CODE}
        return CheckResult(
            # What else is wrong in a file that belongs to another project is judged there.
            findings=sort_findings(
                each
                for each in found
                if each.check.code == misplaced_card.CODE or each.diagnostic.place.file not in elsewhere
            ),
            files=tuple(map(self.project.display_path, self._named_files)),
            cards=len(scope.cards),
            checks=checks,
            not_applicable=tuple(check for check in checks if check.find and check.name not in record.applicable),
            skipped=self._skipped_files(),
            hidden=tuple(suppressions.hidden),
            unread=unread,
        )

    def _run_checks(self, scope: CheckScope, checks: Sequence[Check], rendered: Drawn) -> RunRecord:
        """Run checks, those of files whose findings are kept only on the others."""
        if self._kept is None:
            return run_checks(scope, checks, rendered, self._find_in_cards(scope))
        record, recalled = run_checks(scope, checks, rendered, None), self._recalled
        files = [file for file in self._named_files if file not in recalled]
        documents = dict(zip(files, self._deck.documents, strict=True))
        findings, applicable = self._kept.run(scope, documents, self._deck.cards, checks)
        registry = checks_of(self._games, self.project.workspace)
        record.findings += [*findings, *self._kept.findings(recalled, registry)]
        record.applicable |= applicable | self._kept.applicable(recalled)
        return record

    def _selected_checks(self, scope: CheckScope) -> tuple[Check, ...]:
        """Return the requested checks, general and of the games in scope."""
        games = self._games
        return checks_of(games, self.project.workspace).choose(
            self.request.select, self._ignored_checks(games), fit=self.request.fit
        )

    def _find_in_cards(self, scope: CheckScope) -> FindInCards:
        workspace = self.project.workspace
        if workspace.cluster is None:
            return find_here
        from cardgen.project_checks.cluster_cards import CheckSelection, ClusterRun

        request, games = self.request, self._games
        selection = CheckSelection(games, request.select, self._ignored_checks(games), request.fit)
        return ClusterRun(selection, workspace, workspace.cluster).find

    @cached_property
    def _named_files(self) -> tuple[Path, ...]:
        return self.project.find_card_files(self.request.paths, self._outside)

    @cached_property
    def _latest_release(self) -> tuple[Sequence[ReleasedId], Sequence[Diagnostic]]:
        """The cards of the latest release, and what keeps it from being read; nothing if only some are checked."""
        return ((), ()) if self.request.paths else latest_release(self.project)

    @property
    def _released(self) -> Sequence[ReleasedId]:
        """The ids of the latest release, without those that cards with mistakes may have."""
        deck = self._first_deck
        if self._outside or any(document.root is None for document in deck.documents if document.diagnostics):
            return ()
        hidden = {(card.game, name) for card in deck.rejected for name in card.names}
        nameless = {card.game for card in deck.rejected if not card.names}
        released = self._latest_release[0]
        return [each for each in released if each.game not in nameless and (each.game, each.id) not in hidden]

    @cached_property
    def _outside(self) -> list[Diagnostic]:
        """Links to cards outside the project, which are not read; filled when the files are found."""
        return []

    @cached_property
    def _deck(self) -> Deck:
        """The cards to check; unless the index knows all others, all cards of the project, to which these can refer."""
        if self._indexed is None:
            return self._first_deck
        return self._indexed.deck([each for each in self._named_files if each not in self._recalled], self._libraries)

    @cached_property
    def _first_deck(self) -> Deck:
        """The same, before it is known what the checks of other files look up."""
        if self._indexed is not None:
            return self._indexed.deck([each for each in self._named_files if each not in self._same], self._libraries)
        return read_project_deck(self.project, self._all_files, [self._library])

    @cached_property
    def _all_files(self) -> tuple[Path, ...]:
        return (*self._named_files, *(other_files(self.project, self._named_files) if self.request.paths else ()))

    @cached_property
    def _sources(self) -> Sequence[Callable[[str], CardSource]]:
        """The index of all cards, and where else cards can be; nothing if it cannot be used."""
        files, project = self._all_files, self.project
        is_alone = self.request.keeps_figures and not project.workspace.cluster
        can_be_used = is_alone and can_be_indexed(project) and can_store_index(project, files)
        return indexed_sources(project, files) if can_be_used else ()

    @cached_property
    def _kept(self) -> KeptFindings | None:
        """What was found before, if the whole project is checked."""
        request = self.request
        if request.paths or request.fit or request.select or not self._sources:
            return None
        kept = KeptFindings(self.project, self._sources[0](""), (request.ignore,))
        if not self.may_recall:
            kept.forget()
        return kept

    @cached_property
    def _same(self) -> Collection[Path]:
        """The files that did not change since what is found in them was kept, unless references or ids are wrong."""
        return self._kept.same if self._kept and self._indexed else ()

    @cached_property
    def _recalled(self) -> Collection[Path]:
        """Those of which all that their checks look up did not change either."""
        return {*self._kept.unchanged(self._same, self._scope)} if self._kept and self._same else ()

    @cached_property
    def _indexed(self) -> CardSource | None:
        """The index of all cards, if only some are checked, and there are no errors between these and the others."""
        if not self._sources or (self.request.paths and self._is_whole):
            return None
        besides = {*self._named_files}
        if self._kept:
            besides -= self._kept.same
        elif not self.request.paths:
            return None
        own, *others = self._sources
        return own("") if len(besides) < len(self._all_files) and own("").is_faultless(others, besides) else None

    @cached_property
    def _facts(self) -> CardFacts | None:
        if not self._sources or (self.request.paths and not self._indexed):
            return None
        return CardFacts(self.project, self._sources[0](""))

    @cached_property
    def _games(self) -> frozenset[str]:
        """The games of the cards to check."""
        if self._indexed and not self.request.paths:
            return frozenset(self._indexed.games)
        return frozenset(entry.game for entry in self._scope.cards)

    @property
    def _is_whole(self) -> bool:
        return len(self._all_files) == len(self._named_files)

    @property
    def _libraries(self) -> Sequence[CardLibrary]:
        """What cards can refer to: the cards of the index, and built-in cards."""
        index = self._indexed
        return [*([library_of(lambda _: index)] if index else ()), self._library]

    @cached_property
    def _built_in(self) -> Callable[[str], BuiltInCards]:
        """A cached function that returns the built-in cards of a game."""
        return cache(partial(BuiltInCards, self.project))

    def _library(
        self, game: str, kinds: frozenset[str] = ALL_KINDS, names: frozenset[str] = ALL_NAMES, /
    ) -> tuple[Entry, ...]:
        """Return built-in cards of a game."""
        kit = self._built_in(game)
        return kit.of_kinds(kinds) if kinds else kit.every()

    @cached_property
    def _scope(self) -> CheckScope:
        deck, files = self._first_deck, tuple(map(self.project.display_path, self._named_files))
        names = [entry.game for entry in deck.cards] if self._indexed is None else self._indexed.games
        games = {name: require_game(name, self.project.workspace) for name in names}
        # Built-in cards are left out if they are cards of the project as well, as in a checkout.
        kit = str(built_in_folder("cards"))
        may_be_built_in = (file for file in self._all_files if not file.is_absolute() or str(file).startswith(kit))
        files_read = frozenset(map(self.project.display_path, may_be_built_in))

        index, besides = self._indexed, (games, self._built_in, files_read)
        in_scope, facts = {*files}, self._facts
        cards: Sequence[Entry] = [entry for entry in deck.cards if entry.document.file in in_scope]
        documents: Sequence[Document] = [each for each in deck.documents if each.file in in_scope]
        own: OtherCards = GivenCards(cards)
        others: OtherCards
        if index and facts and self.request.paths:
            unchecked = [file for file in self._all_files if self.project.display_path(file) not in in_scope]
            others = IndexedCards(index, facts, unchecked, self._read_indexed, *besides)
        else:
            rest = [entry for entry in deck.cards if entry.document.file not in in_scope]
            others = UncheckedCards(lambda kinds: rest, *besides)
        if facts and not self.request.paths:
            source, read = self._sources[0](""), self._read_indexed if index else partial(self._of_files, cards)
            given = source, facts, self._named_files, read, games, None
            own = KeptCards(self._kept, *given) if self._kept else IndexedCards(*given)
        if index and not self.request.paths:
            number = sum(len(index.index[file].cards) for file in self._named_files)
            cards = LateList(number, lambda: index.deck(self._named_files, self._libraries).cards)
            documents = LateList(len(files), lambda: index.deck(self._named_files, self._libraries).documents)
        return CheckScope(
            cards=cards,
            documents=documents,
            other_cards=others,
            own=own,
            files=files,
            services=project_services(self.project, None if self.request.paths else self._named_files, self._released),
            glossaries={name: glossary_of(game) for name, game in games.items()},
            rulings={name: rulings_of(self.project, game)[0] for name, game in games.items()},
            dice={name: dice_of_game(game.dice) for name, game in games.items() if game.dice},
            readers=cache(lambda name: load_reader(games[name])),
            budget=self.project.workspace.budget,
            is_complete=not self._outside and not any(each.severity is Severity.ERROR for each in deck.diagnostics),
            is_whole=self._is_whole,
            figures=KeptFigures.of_user() if self.request.keeps_figures else KeptFigures(),
        )

    def _read_indexed(self, files: Iterable[Path]) -> Sequence[Entry]:
        assert self._indexed
        return self._indexed.deck(files, self._libraries).cards

    def _of_files(self, cards: Iterable[Entry], files: Iterable[Path]) -> Sequence[Entry]:
        names = {*map(self.project.display_path, files)}
        return [entry for entry in cards if entry.document.file in names]

    def _relevant(self, diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """Yield the diagnostics of files in scope.

        Unknown references are left out if a file cannot be parsed, because its cards could be meant.
        """
        other_files = {document.file for document in self._deck.documents}.difference(self._scope.files)
        any_unreadable = any(document.diagnostics and document.root is None for document in self._deck.documents)
        for each in diagnostics:
            if each.place.file not in other_files and not (any_unreadable and each.code == Code.UNKNOWN_REFERENCE):
                yield each

    def _unusable_icons(self, scope: CheckScope) -> Iterator[Diagnostic]:
        """Yield the problems of the project's own icons and charges, which stop a build."""
        for game in sorted(self._games):
            folders = (*drawing_folders(self.project, game, "icons"), *drawing_folders(self.project, game, "charges"))
            own = [each for each in folders if not each.is_relative_to(_BUILT_IN_TEMPLATES)]
            if any(regular_file.glob_inside(each, files) for each in own for files in ("*.svg", "*.json", "*/*.json")):
                yield from scope.services.icons(game).unusable_files(self.project.root)

    def _ignored_checks(self, games: Iterable[str]) -> tuple[str, ...]:
        """Return the ignored checks of the request and the settings.

        Raises CardgenError for checks that the settings cannot ignore.
        """
        words = self.project.settings.check.ignore
        refused: list[Diagnostic] = []
        refusals: dict[str, str] = {}
        for index, word in enumerate(words):
            if word not in refusals:
                refusals[word] = find_refusal(word, self.project.workspace, games, to_ignore=True)
            if refusals[word]:
                place = self.project.place(("check", "ignore", index))
                refused.append(Diagnostic(Code.BAD_SETTINGS, refusals[word], place))
            if len(refused) >= _MOST_REFUSED:
                break
        if refused:
            raise CardgenError(*refused)
        return (*self.request.ignore, *words)

    def _skipped_files(self) -> tuple[str, ...]:
        if self.request.paths:
            return ()
        skipped = skipped_files(self.project.root, self._named_files, self.project.settings.languages)
        return tuple(map(self.project.display_path, skipped))

    def _rendered_cards(self, scope: CheckScope, checks: Iterable[Check]) -> Rendering:
        """Render the cards if a check needs that, or at least look at their templates."""
        needs_rendering = any(check.needs_rendering for check in checks)
        if needs_rendering:
            from cardgen.project_checks import rendered_cards  # loaded here because it imports the template engine

            return rendered_cards.render_for_checks(self.project, scope)
        if not has_own_templates(self.project):
            return Rendering()
        looks = scope.own.said(look, scope)
        firsts = {repr(each): number for number, each in reversed([*enumerate(looks)])}
        samples = sorted({*firsts.values(), *(number for number, each in enumerate(looks) if each is None)})
        samples = [number for number in samples if looks[number] != []]
        read = partial(self._read_templates, scope, samples)
        return Rendering(problems=self._kept.problems_of(samples, looks, read) if self._kept else read())

    def _read_templates(self, scope: CheckScope, numbers: Sequence[int]) -> Sequence[Diagnostic]:
        """Return the mistakes in the templates of some cards of a scope, without reading others."""
        from cardgen.project_checks import rendered_cards  # loaded here because it imports the template engine

        if not (self._kept and self._recalled):
            return rendered_cards.read_templates(self.project, scope, [scope.cards[number] for number in numbers])
        places = [self._kept.places[number] for number in numbers]
        cards = self._read_indexed(dict.fromkeys(file for file, _ in places))
        by_file = group_by_file(cards)
        lists = ((by_file.get(self.project.display_path(file), ()), number) for file, number in places)
        entries = [
            entries[number] for entries, number in lists if number < len(entries)
        ]  # A file can just have changed.
        return rendered_cards.read_templates(self.project, scope, entries)


def _others(
    printing: Iterable[Diagnostic], problems: Iterable[Diagnostic], found_places: Collection[Place]
) -> Iterator[Diagnostic]:
    """Yield what a build cannot print, except what was found already."""
    known = {(each.code, each.place) for each in problems}
    return (each for each in printing if (each.code, each.place) not in known and each.place not in found_places)


def _with_new_names(diagnostics: Iterable[Diagnostic], findings: Iterable[LocatedFinding]) -> Iterator[Diagnostic]:
    """Yield diagnostics; an unknown reference that lost its card suggests what became of that, and no other card."""
    lost = (each.diagnostic for each in findings if each.check.code == lost_id.CODE)
    help_at = {place: each.help for each in lost for place, _ in each.related}
    for each in diagnostics:
        if each.code == Code.UNKNOWN_REFERENCE and each.place in help_at:
            yield each._replace(message=each.message.partition("; did you mean")[0], help=help_at[each.place])
        else:
            yield each


def with_fail_level(result: CheckResult, level: str | None, workspace: Workspace | None = None) -> CheckResult:
    """Return the result with a fail level (default: the setting of the project, or of it and its base)."""
    if level or not result.files:
        return result._replace(fail_level=Severity(level or Severity.ERROR))
    if result.since:
        return result
    return result._replace(fail_level=Project.open(workspace).settings.check.fail_level)


def _located_findings(diagnostics: Iterable[Diagnostic], workspace: Workspace) -> Iterator[LocatedFinding]:
    """Yield diagnostics as findings of their fixed limits, and those limits that have no page."""
    for diagnostic in diagnostics:
        general = checks_of(frozenset(), workspace)
        check = general.find(diagnostic.code) or known_checks(workspace).find(diagnostic.code)
        if check is None and Path(diagnostic.place.file).name != GAME_FILE:  # A game that is wrong is not loaded.
            yield from _located_findings([missing_page(diagnostic)], workspace)
        fix = None
        if diagnostic.code == Code.AMBIGUOUS:
            from cardgen.checking import ambiguity  # loaded here because most projects have none

            diagnostic, fix = ambiguity.settle(diagnostic, _models_of_files(workspace))
        yield LocatedFinding(diagnostic, check or Check(diagnostic.code, diagnostic.code.lower(), ""), fix)


def _models_of_files(workspace: Workspace) -> Iterator[type[Model]]:
    """Yield the models of the settings, and of the cards of all games."""
    yield Settings
    for game in workspace.game_ids:
        rules = ruleset(game, workspace)
        if isinstance(rules, Ruleset):
            yield from (kind.model for kind in rules.kinds.values())


def _without_looks_of_errors(findings: Sequence[LocatedFinding]) -> Iterator[LocatedFinding]:
    """Yield findings without those on the looks of cards in files with errors, from which these may follow."""
    wrong = {one.diagnostic.place.file for one in findings if one.diagnostic.severity is Severity.ERROR}
    for one in findings:
        if not (one.check.code.startswith(LOOKS_FAMILY) and one.diagnostic.place.file in wrong):
            yield one


def _with_causes_in_cells(findings: Sequence[LocatedFinding]) -> Iterator[LocatedFinding]:
    """Yield findings; an error in a cell that a spreadsheet has probably changed says so, in place of that finding."""
    if not findings:
        return
    from cardgen.checking.checks import mangled_cell  # loaded here because it loads what reads tables

    odd = {one.diagnostic.place: one.diagnostic for one in findings if one.check.code == mangled_cell.CODE}
    wrong = {one.diagnostic.place for one in findings if one.check.find is None} & odd.keys()
    for one in findings:
        place = one.diagnostic.place
        if place not in wrong:
            yield one
        elif one.check.code != mangled_cell.CODE:
            message = f"{one.diagnostic.message}; {odd[place].message}"
            yield one._replace(diagnostic=one.diagnostic._replace(message=message, help=odd[place].help))


def _with_spot(spots: Mapping[Diagnostic, tuple[Entry, Spot]], one: LocatedFinding) -> LocatedFinding:
    """Return a finding with its place on a drawn card, if it has one."""
    return one._replace(spot=DrawnSpot(*spots[one.diagnostic])) if one.diagnostic in spots else one


def known_checks(workspace: Workspace) -> Registry:
    """Return the checks of all games, or the general ones if a game is unfinished."""
    try:
        return all_checks(workspace)
    except CardgenError:
        return checks_of(frozenset(), workspace)


def render_reports(result: CheckResult, targets: Sequence[tuple[str, Path | None]], *, statistics: bool) -> CheckReport:
    """Render the requested reports, and the summary after those that are printed.

    Printed reports for people are colored, which whoever prints them may strip.
    """
    texts = [(name, file, report(name, result, color=file is None)) for name, file in targets]
    to_stderr = any(file is None and name not in HUMAN_FORMATS for name, file in targets)
    closing = [OutputText(statistics_table(result), to_stderr)] if statistics else []
    printed = [OutputText(text, is_data=name not in HUMAN_FORMATS) for name, file, text in texts if file is None]
    files = tuple((str(file), text) for _, file, text in texts if file is not None)
    return CheckReport((*printed, *closing, OutputText(f"{result.summary}\n", to_stderr)), files, result.failed)


def explain_checks(word: str, workspace: Workspace | None = None) -> str:
    """Return the manual pages of matching checks; for all, the handbook."""
    from cardgen.checking.check import render_handbook, render_page  # loaded here because it is rarely needed

    registry = all_checks(workspace)
    checks = registry.matching(word)
    return render_handbook(checks) if len(checks) == len(registry.checks) else "\n".join(map(render_page, checks))


_LARGEST = 16 << 20


def apply_baseline(result: CheckResult, file: Path, root: Path, *, whole_project: bool) -> CheckResult:
    """Return the result without the findings in a baseline file of the project in the folder `root`.

    Raises ValueError with a message for the user if the file is not a baseline, and CardgenError if it is a link that
    leads out of the project.
    """
    scope = _scope(result, file, whole_project)
    findings, count, stale = locate.apply(_read_baseline(file, root), result.findings, file.parent, scope)
    return result._replace(findings=findings, baseline=BaselineMatch(file.as_posix(), count, stale))


def write_baseline(result: CheckResult, file: Path, root: Path, *, whole_project: bool) -> None:
    """Record the findings in a baseline file of the project in the folder `root`.

    Entries for checks and files that the run did not include are kept. Raises ValueError with a message for the user if
    the file exists and is not a baseline.
    """
    old = _read_baseline(file, root) if file.exists() else {}
    new = locate.record(result.findings, file.parent)
    merged = locate.merge(old, new, _scope(result, file, whole_project))
    atomic_write.write(file, dump_json(locate.as_data(merged)).encode())


def _scope(result: CheckResult, file: Path, whole_project: bool) -> BaselineScope:
    files = frozenset(locate.relative_name(name, file.parent) for name in result.files)
    return BaselineScope(frozenset(check.code for check in result.checks), None if whole_project else files)


def _read_baseline(file: Path, root: Path) -> Baseline:
    require_named_inside(root, file, display_path(file))
    try:
        text = regular_file.read(file, _LARGEST).decode("utf-8")
    except OSError as error:
        raise ValueError(f"'{file}' cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ValueError(f"'{file}' is not encoded in UTF-8") from None
    try:
        return locate.parse(text)
    except ValueError as error:
        raise ValueError(f"'{file}': {error}") from None


# A fix can make another one necessary. After this many rounds, two fixes must be undoing each other.
MOST_ROUNDS = 10


def apply_fixes(request: CheckRequest, *, unsafe: bool) -> CheckResult:
    """Apply fixes to the files, and return the remaining findings."""
    result, count, files = check_project(request), 0, dict[str, None]()
    for _ in range(MOST_ROUNDS):
        fixed_files = plan_fixes(result.findings, unsafe=unsafe)
        if not fixed_files:
            break
        for path, file in fixed_files.items():
            atomic_write.write(path, file.after.encode("utf-8"))
            count += file.fixes
            files[display_path(path)] = None
        result = check_project(request)
    return result._replace(fix_count=count, fixed_files=tuple(files))


def preview_fixes(request: CheckRequest, *, unsafe: bool) -> str:
    """Return the unified diff of the available fixes, or ''.

    Raises CardgenError as `check_or_raise` does.
    """
    planned_files = plan_fixes(check_or_raise(request).findings, unsafe=unsafe)
    return "".join(diff(path, planned_files[path]) for path in sorted(planned_files))
