"""A project that is open in an editor, with the texts that are not saved."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypeVar

from cardgen.checking.locate import LocatedFinding
from cardgen.deck.deck import (
    KindsByGame,
    card_files,
    kind_of,
    libraries,
    own_game,
    read_game_settings,
    read_project_deck,
    require_game,
    rulings_of,
)
from cardgen.deck.release_file import CardKey
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Fix, Place
from cardgen.matches.session import resolve_switches, with_referee
from cardgen.model.card import Entry
from cardgen.model.deck import Deck
from cardgen.project.files import NON_CARD_FOLDERS, translation_tag
from cardgen.project.project import Project
from cardgen.project_checks.run import CheckRequest, check_project
from cardgen.referee.trial import RulesConfig, not_adjudicated_lines
from cardgen.releases.odds import OddsCalculator, ReleasedDeck, typical_card
from cardgen.rulesets.ruleset import Ruleset
from cardgen.runtime.fingerprint import SETTINGS_FILE
from cardgen.runtime.regular_file import is_inside
from cardgen.runtime.workspace import FileMemory, Workspace, game_paths
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
        return own_game(self.project)

    @property
    def kinds(self) -> KindsByGame:
        """The kinds of every game by its id."""
        return KindsByGame(self.project.workspace)


class Session:
    """A project in an editor; only one thread may use it.

    `root` is its absolute folder. Unsaved texts replace files in everything that the project reads. A session that is
    `empty` reads no cards: that of a folder which is not a project.
    """

    def __init__(self, root: Path, *, empty: bool = False) -> None:
        self.root, self.is_empty = root, empty
        self._contents: dict[str, bytes] = {}
        self._memory = FileMemory()
        self._workspace = Workspace(root, self._contents, memory=self._memory)
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
        replaced = dict(contents)
        if replaced.keys() != self._contents.keys():  # a new file, perhaps
            self._files = None
        self._contents.clear()
        self._contents.update(replaced)
        for name in changed:
            # Read what depends on a text again; settings and games decide how every card is read.
            path = Path(name)
            self._loaded = None
            if not self.has_texts(path):
                self._memory.forget()

    def reload(self) -> None:
        """Read everything again, because files have changed on the disk."""
        self._loaded = self._files = None
        self._memory.forget()

    def checked_with(self, path: Path) -> tuple[Path, ...]:
        """Return the card files of the project that are checked for the problems of a file.

        They are the file itself, or those that it translates.
        """
        if self._files is None:
            self._files = self._card_files()
        if path in self._files:
            return (path,)
        stem = path.stem.rpartition(".")[0] if self._is_translation(path) else None
        return tuple(each for each in self._files if (each.parent, each.stem) == (path.parent, stem))

    def _card_files(self) -> frozenset[Path]:
        try:
            return frozenset(() if self.is_empty else card_files(Project.open(self._workspace)))
        except CardgenError:
            return frozenset()

    def has_cards(self, path: Path) -> bool:
        """Return whether the name of a file is that of a card file."""
        folders = path.parent.relative_to(self.root).parts if path.is_relative_to(self.root) else ()
        is_card = path.suffix in _CARD_SUFFIXES and path.name != SETTINGS_FILE
        return is_card and NON_CARD_FOLDERS.isdisjoint(folders) and not self._is_translation(path)

    def has_texts(self, path: Path) -> bool:
        """Return whether the name of a file is that of a card file, or of a file of translations."""
        return self.has_cards(path) or self._is_translation(path)

    def _is_translation(self, path: Path) -> bool:
        if path.name.count(".") < 2 or path.suffix not in _CARD_SUFFIXES:
            return False
        try:
            return bool(translation_tag(path.name, Project.open(self._workspace).settings.languages))
        except CardgenError:
            return False

    def owns(self, path: Path) -> bool:
        """Return whether a file is inside the project, and no link leads out of it."""
        try:
            return path.is_relative_to(self.root) and is_inside(self.root, path)
        except (OSError, ValueError):
            return False

    @property
    def workspace(self) -> Workspace:
        """The workspace for a question about the project, whose expressions have a new budget."""
        self._workspace.budget.renew()
        return self._workspace

    def ask(self, question: Callable[[LoadedProject], Result], *, strict: bool = False) -> Result:
        """Return the answer to a question about the loaded project.

        While it cannot be loaded, because of a mistake in its settings or games, the project is as it last was. With
        `strict`, raises CardgenError instead.
        """
        self._workspace.budget.renew()
        loaded = self._loaded
        if loaded is None:
            try:
                loaded = self._loaded = self._last = self._load()
            except CardgenError:
                if strict:
                    raise
                loaded = self._last or self._without_cards()
        read_game_settings(loaded.project)  # raises CardgenError for mistakes in the settings of games
        return question(loaded)

    def _load(self) -> LoadedProject:
        if self.is_empty:
            return self._without_cards()
        project = Project.open(self._workspace)
        files = card_files(project)
        return LoadedProject(project, read_project_deck(project, files, libraries(project, files)))

    def with_texts(self, texts: Mapping[Path, str | bytes | None]) -> LoadedProject:
        """Return the project as it would be with other texts of files, which may be new; None removes a file."""
        before = self.unsaved
        contents = {path: text if isinstance(text, bytes) else (text or "").encode() for path, text in texts.items()}
        self.replace_texts({**before, **{str(path): content for path, content in contents.items()}})
        try:
            project = Project.open(self._workspace)
            new = {path for path, text in texts.items() if text is not None and self.has_cards(path)}
            removed = {path for path, text in texts.items() if text is None}
            files = tuple(sorted({*card_files(project), *new} - removed))
            return LoadedProject(project, read_project_deck(project, files, libraries(project, files)))
        finally:
            self.replace_texts(before)

    def _without_cards(self) -> LoadedProject:
        return LoadedProject(Project(self.root, workspace=self._workspace.with_games()), Deck(()))

    def text(self, path: Path) -> str:
        """Return the text of a file of the project, or '' if it cannot be read or is too large, saved or not."""
        if str(path) not in self._contents and not self.owns(path):
            return ""
        try:
            return self._workspace.read(path, _MAX_BYTES).decode("utf-8", "replace")
        except OSError:
            return ""

    def source(self, path: Path) -> str:
        """Return the text of a file as places count its characters: without a byte-order mark, and with line feeds."""
        return self.text(path).removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")

    def document(self, path: Path) -> Document:
        """Return the document of a file of the project."""
        return parse_document(self.text(path), str(path))

    def path_of(self, place: Place) -> Path:
        """Return the absolute path of a place's file."""
        return Path(os.path.abspath(place.file))  # noqa: PTH100 - resolve() would follow links


class Problem(NamedTuple):
    """A finding as data, so that it can come from another process.

    `can_ignore` is true if a suppression comment may cover it.
    """

    path: Path
    diagnostic: Diagnostic
    check: str
    fix: Fix | None = None
    can_ignore: bool = False


Problems = Mapping[Path, tuple[Problem, ...]]
# A project with more problems shows the first of them.
MOST_PROBLEMS = 10_000


# The cards of a file with more of them are not drawn, because pictures and checks would wait for them.
MOST_DRAWN_CARDS = 100


def check_fit(session: Session, path: Path) -> tuple[Problem, ...]:
    """Return the problems of one file of cards or translations, with those that only drawing the cards finds."""
    files = session.checked_with(path)
    count = session.ask(lambda loaded: sum(session.path_of(entry.place()) in files for entry in loaded.deck.cards))
    return check_file(session, path, fit=count <= MOST_DRAWN_CARDS)


def check_file(session: Session, path: Path, *, fit: bool = False) -> tuple[Problem, ...]:
    """Return the problems of one card file, with those that its neighbors give it; with `fit`, draw its cards.

    Of a file of translations, only what drawing its cards finds is known; `check_all` has the rest.
    """
    found = check_files(session, session.checked_with(path) or (path,), fit=fit)
    return tuple(each for each in found if each.path == path)


def check_files(session: Session, paths: tuple[Path, ...], *, fit: bool) -> tuple[Problem, ...]:
    """Return the problems that checking some files finds, also those of other files."""
    findings = check_project(CheckRequest(paths, fit=fit, workspace=session.workspace)).findings
    return tuple(_problems(session, findings))


def check_all(session: Session) -> Problems:
    """Return the problems of all files of the project: cards, settings, templates, and games."""
    cards = check_project(CheckRequest(workspace=session.workspace)).findings
    games = tuple(game_paths(session.root))
    of_games = check_project(CheckRequest(games, workspace=session.workspace)).findings if games else ()
    by_file: dict[Path, list[Problem]] = defaultdict(list)
    for each in list(dict.fromkeys(_problems(session, (*cards, *of_games))))[:MOST_PROBLEMS]:
        by_file[each.path].append(each)
    return {path: tuple(problems) for path, problems in by_file.items()}


def _problems(session: Session, findings: Iterable[LocatedFinding]) -> Iterable[Problem]:
    return (
        Problem(
            session.path_of(one.diagnostic.place),
            one.diagnostic,
            one.check.name,
            one.fix,
            not one.check.is_fixed_limit,
        )
        for one in findings
    )


class ProjectState(NamedTuple):
    """A project as the editor has it; with another `generation`, its files have changed on the disk."""

    root: Path
    generation: int
    unsaved: Mapping[str, bytes]


class ProjectService:
    """Answers about projects that take long, for another process. It keeps the last session of each project."""

    def __init__(self) -> None:
        self._sessions: dict[Path, tuple[int, Session]] = {}

    def check(self, state: ProjectState) -> Problems:
        """Return the problems of a project by file."""
        return check_all(self._session(state))

    def check_fit(self, state: ProjectState, path: Path) -> tuple[Problem, ...]:
        """Return the problems of a file, with those that drawing its cards finds."""
        return check_fit(self._session(state), path)

    def picture(self, state: ProjectState, game: str, card: str, dpi: int) -> bytes:
        """Return the front of a card as PNG. Raises CardgenError if it cannot be drawn."""
        return self._session(state).ask(lambda loaded: draw_card(loaded, game, card, dpi))

    def odds(self, state: ProjectState, game: str, kind: str, card: str) -> list[str]:
        """Return the odds of a card, one benchmark a line."""
        return self._session(state).ask(lambda loaded: odds_lines(loaded, game, kind, card))

    def _session(self, state: ProjectState) -> Session:
        generation, session = self._sessions.get(state.root, (-1, None))
        if session is None or generation != state.generation:
            session = Session(state.root)
            self._sessions[state.root] = (state.generation, session)
        session.replace_texts(state.unsaved)
        return session


def draw_card(loaded: LoadedProject, game: str, card: str, dpi: int) -> bytes:
    """Return the front of a card as PNG. Raises CardgenError if it is not printed, or cannot be drawn."""
    cards = (each for found in loaded.deck.index.values() for each in found)
    entry = next((each for each in cards if each.game == game and each.card.id == card), None)
    if entry is None or not kind_of(entry).is_printed:
        raise CardgenError(Diagnostic(Code.NOT_ONE_CARD, f"'{card}' is not printed as a card", Place(card)))
    return draw_entry(loaded.project, entry, dpi)


def draw_entry(project: Project, entry: Entry, dpi: int) -> bytes:
    """Return the front of a printed card as PNG. Raises CardgenError if it cannot be drawn."""
    # loaded here because most requests need no graphics libraries
    from cardgen.export.svg import render_face
    from cardgen.print.render import CardRenderer
    from cardgen.print.request import ProgressCounter
    from cardgen.project.project import corner_radius

    renderer = CardRenderer(project)
    (rendered,) = renderer.render_all([entry], ProgressCounter(), backs=False)
    piece, radius = rendered.piece, corner_radius(project.settings, entry.kind)
    return render_face(piece.front, "png", renderer.fonts, entry.card.name, dpi, shape=piece.shape, radius=radius)


# After this time, in s, further benchmarks are left out.
_ENOUGH_SECONDS = 0.5
_MOST_LINES, _MOST_FIGURES = 4, 3


class _EditorDeck(ReleasedDeck):
    """The cards of a game in an editor."""

    def __init__(self, rules: Ruleset, cards: tuple[Entry, ...]) -> None:
        self._rules, self._cards = rules, cards

    @cached_property
    def entries(self) -> Mapping[CardKey, Entry]:
        """The cards by game, kind, and id."""
        own = (entry for entry in self._cards if entry.game == self._rules.id)
        return {(entry.game, entry.kind, entry.card.id): entry for entry in own}


def odds_calculator(loaded: LoadedProject, game: str) -> OddsCalculator:
    """Return a game with the project's rulings and cards. Raises CardgenError for a game without a referee."""
    workspace = loaded.project.workspace
    rules, trials = with_referee(require_game(game, workspace))
    deck = _EditorDeck(rules, loaded.deck.cards)
    policy = resolve_switches(trials.policies, {}, "--policy")
    return OddsCalculator(rules, RulesConfig(rulings_of(loaded.project, rules)[0], policy), deck, workspace)


def odds_lines(loaded: LoadedProject, game: str, kind: str, card: str) -> list[str]:
    """Return the odds of a card's benchmarks against typical cards of the project, one benchmark a line.

    Before them are lines for everything that they leave out.
    """
    lines, left_out = benchmark_odds(loaded, game, kind, card)
    return [*not_adjudicated_lines(left_out), *lines]


def benchmark_odds(loaded: LoadedProject, game: str, kind: str, card: str) -> tuple[list[str], tuple[str, ...]]:
    """Return the odds of a card's benchmarks, and the rules that they leave out."""
    if not require_game(game, loaded.project.workspace).trials:
        return [], ()
    calculator = odds_calculator(loaded, game)
    lines: list[str] = []
    left_out: dict[str, None] = {}
    started = time.monotonic()
    for line, notes in _lines(calculator, (game, kind, card)):
        lines.append(line)
        left_out |= dict.fromkeys(notes)
        if len(lines) == _MOST_LINES or time.monotonic() - started > _ENOUGH_SECONDS:
            break
    return lines, tuple(left_out)


def _lines(calculator: OddsCalculator, key: CardKey) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the line of each benchmark, and what it leaves out."""
    data = calculator.deck.data(key)
    if data is None or calculator.trials.benchmarks is None:
        return
    for benchmark in calculator.trials.benchmarks(data, lambda *kinds: typical_card(calculator, [key], kinds)):
        try:
            run = calculator.run_of(benchmark)
            figures = calculator.figures_of(benchmark, run) if run else {}
        except CardgenError:
            continue
        texts = [
            f"{label} {float(100 * value):.0f} %" if is_chance else f"{label} {float(value):.2f}"
            for (label, is_chance), value in figures.items()
            if value
        ]
        if texts:
            yield f"{benchmark.title}: {', '.join(texts[:_MOST_FIGURES])}", run.prepared.not_simulated if run else ()
