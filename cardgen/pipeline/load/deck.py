"""The project's deck, games and art, and its settings checked against the game."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from cardgen.diagnostic import CardgenError, Diagnostic, Place, stop_on_errors
from cardgen.model.card import Card
from cardgen.model.deck import CardLibrary, Deck, read_deck, select_cards
from cardgen.model.entry import Entry
from cardgen.model.schema import card_file_schema
from cardgen.project import Project
from cardgen.project.files import CARDS_FOLDER, built_in_folder, may_hold_cards
from cardgen.referee.ruling import settings_in_force
from cardgen.rulesets import registry
from cardgen.rulesets.ruleset import Ruleset
from cardgen.runtime.fingerprint import walk
from cardgen.validation.base import share_field_sets
from cardgen.validation.suggestion import UnknownName

UNKNOWN_NAME = "CG031"


def unknown_settings(project: Project) -> Iterator[Diagnostic]:
    """A diagnostic for each kind and ruling in the settings that the project's game does not have."""
    game = registry.ruleset(project.settings.game or registry.default_game())
    if not isinstance(game, Ruleset):
        return
    kinds = tuple(name for name, kind in game.kinds.items() if kind.default_size)
    for name in project.settings.sizes:
        if name in game.kinds and name not in kinds:
            message = f"the size of a {name} follows from its other keys"
            yield Diagnostic(UNKNOWN_NAME, message, project.place(("sizes", name)), "take this setting away")
        elif name not in kinds:
            yield _diagnostic_at(UnknownName("kind", name, kinds, (name,)), "sizes", project)
    _, unknown = settings_in_force(game.rulings, project.settings.rulings)
    for problem in unknown:
        yield _diagnostic_at(problem, "rulings", project)


def _diagnostic_at(problem: UnknownName, setting: str, project: Project) -> Diagnostic:
    return Diagnostic(UNKNOWN_NAME, str(problem), project.place((setting, *problem.path[:1])), problem.help)


ART_SUFFIXES = (".png", ".jpg", ".jpeg")
ART_FOLDER = "art"


def find_art(project: Project, entry: Entry, name: str) -> Path:
    """A picture that a card names: beside the card's file, or else from the project's folder.

    Raises ValueError with a sentence for the user when it lies outside the project, or nowhere.
    """
    beside = (project.cwd / entry.document.file).parent
    for base in (beside, project.root):
        path = project.resolve_inside(name, base)
        try:
            if path.is_file():
                return path
        except OSError as error:  # A name too long, or a folder that may not be entered.
            raise ValueError(f"'{name}' is no path that can be followed: {error.strerror or error}") from None
    raise ValueError(f"there is no file '{name}', neither beside the card nor in the project's folder")


def icon_folders(project: Project, game: str) -> tuple[Path, ...]:
    """Where the cards of a game find icons: in the project, then beside the templates of the game and of all games."""
    beside = (folder / name / "icons" for folder in project.folders("templates") for name in (game, "shared"))
    return (*project.folders("icons"), *beside)


def art_files(project: Project) -> Mapping[str, Path]:
    """The pictures in folders called 'art', by the path that users see."""
    return {project.display_path(path): path for path in sorted(_walk_art(project.root))}


def _walk_art(root: Path) -> Iterator[Path]:
    for entry in walk(str(root), may_hold_cards):
        path = Path(entry.path)
        if entry.name.lower().endswith(ART_SUFFIXES) and ART_FOLDER in path.relative_to(root).parts[:-1]:
            yield path


UNKNOWN_GAME = "CG030"


def load_deck(paths: Sequence[Path], only: Sequence[str] = (), folder: Path | None = None) -> tuple[Project, Deck]:
    """Return a project and its cards: those in `paths` that `only` names, by kind, id, name, or tag.

    The project is the one that `folder` belongs to, by default the current folder.

    Raises CardgenError with everything that is wrong in the files.
    """
    project = Project.find(folder)
    files = project.find_card_files(paths)
    whole_deck = read_deck(project, files, KINDS_BY_GAME, registry.default_game(), libraries(project, files))
    stop_on_errors((*unknown_settings(project), *whole_deck.diagnostics))
    for document in whole_deck.documents:
        document.release_data()  # All that is wanted of them is in the cards.
    share_field_sets(entry.card for entry in whole_deck.cards)
    return project, select_cards(whole_deck, only)


def libraries(project: Project, files: Collection[Path]) -> tuple[CardLibrary, ...]:
    """Where the cards in some files of a project may refer to: its other files, then what comes with the program."""
    return cache(partial(_other_cards, project, files)), cache(partial(built_in_cards, project))


def other_files(project: Project, files: Collection[Path]) -> tuple[Path, ...]:
    """The card files of the project without some; there need not be any."""
    named = frozenset(files)
    try:
        return tuple(file for file in project.find_card_files() if file not in named)
    except CardgenError:
        return ()


def _other_cards(project: Project, files: Collection[Path], game: str) -> tuple[Entry, ...]:
    entries = read_deck(project, other_files(project, files), KINDS_BY_GAME, registry.default_game()).cards
    return tuple(entry for entry in entries if entry.game == game)


def built_in_cards(project: Project, game: str) -> tuple[Entry, ...]:
    """The cards of a game that come with the program; the `project` tells from where their files are seen."""
    folder = built_in_folder(CARDS_FOLDER) / game
    files = Project(folder).find_card_files() if folder.is_dir() else ()
    return read_deck(Project(project.root), files, {game: card_models(require_game(game))}, game).cards


def list_cards(paths: Sequence[Path], only: Sequence[str] = ()) -> list[tuple[str, str, str, str, str]]:
    """Kind, id, copies, name and place of each card; where there are several games, the game before the kind."""
    _, deck = load_deck(paths, only)
    several = len({entry.game for entry in deck.cards}) > 1
    return [
        (
            f"{entry.game} {entry.kind}" if several else entry.kind,
            entry.card.id,
            str(entry.card.qty),
            entry.card.name,
            str(entry.place(("name",))),
        )
        for entry in deck.cards
    ]


def card_schema(game: str | None = None) -> Mapping[str, Any]:
    """The JSON Schema of card files of one game, by default the one that the project plays."""
    game = game or Project.find().settings.game or registry.default_game()
    return card_file_schema(game, card_models(require_game(game)))


class _KindsByGame(Mapping[str, Mapping[str, type[Card]]]):
    """The kinds of every game by its id; a game is loaded when a card of it is read."""

    def __getitem__(self, game: str) -> Mapping[str, type[Card]]:
        rules = registry.ruleset(game)
        if isinstance(rules, UnknownName):
            raise KeyError(game)
        return card_models(rules)

    def __iter__(self) -> Iterator[str]:
        return iter(registry.games())

    def __len__(self) -> int:
        return len(registry.games())


KINDS_BY_GAME = _KindsByGame()


def require_game(game: str) -> Ruleset:
    """The game of that id. Raises CardgenError when there is none."""
    rules = registry.ruleset(game)
    if isinstance(rules, Ruleset):
        return rules
    raise CardgenError(Diagnostic(UNKNOWN_GAME, str(rules), Place("--game"), rules.help))


def card_models(game: Ruleset) -> Mapping[str, type[Card]]:
    """The model of each kind of card."""
    return {name: kind.model for name, kind in game.kinds.items()}
