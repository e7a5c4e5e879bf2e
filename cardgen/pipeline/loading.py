"""From files to cards: the project at hand and its deck."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from cardgen import rulesets
from cardgen.diagnostic import CardgenError, Diagnostic, Place, stop_on_errors
from cardgen.model import selection
from cardgen.model.card import Card
from cardgen.model.deck import CardLibrary, Deck, Entry, read_deck
from cardgen.model.schema import card_file_schema as schema_of
from cardgen.pipeline.settings import unknown_settings
from cardgen.project import Project
from cardgen.project.files import CARDS_FOLDER
from cardgen.project.paths import built_in_folder
from cardgen.rulesets.ruleset import Ruleset
from cardgen.rulesets.unknown import UnknownName
from cardgen.shape.sparing import share_field_sets

UNKNOWN_GAME = "CG030"


def load_deck(paths: Sequence[Path], only: Sequence[str] = ()) -> tuple[Project, Deck]:
    """The project at hand and its cards: those in `paths` that `only` names, by kind, id, name or tag.

    Raises CardgenError with everything that is wrong in the files.
    """
    project = Project.find()
    files = project.find_card_files(paths)
    whole_deck = read_deck(project, files, KINDS_BY_GAME, rulesets.default_game(), libraries(project, files))
    stop_on_errors((*unknown_settings(project), *whole_deck.diagnostics))
    for document in whole_deck.documents:
        document.release_data()  # All that is wanted of them is in the cards.
    share_field_sets(entry.card for entry in whole_deck.cards)
    return project, selection.select_cards(whole_deck, only)


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
    entries = read_deck(project, other_files(project, files), KINDS_BY_GAME, rulesets.default_game()).cards
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
    game = game or Project.find().settings.game or rulesets.default_game()
    return schema_of(game, card_models(require_game(game)))


class _KindsByGame(Mapping[str, Mapping[str, type[Card]]]):
    """The kinds of every game by its id; a game is loaded when a card of it is read."""

    def __getitem__(self, game: str) -> Mapping[str, type[Card]]:
        rules = rulesets.ruleset(game)
        if isinstance(rules, UnknownName):
            raise KeyError(game)
        return card_models(rules)

    def __iter__(self) -> Iterator[str]:
        return iter(rulesets.games())

    def __len__(self) -> int:
        return len(rulesets.games())


KINDS_BY_GAME = _KindsByGame()


def require_game(game: str) -> Ruleset:
    """The game of that id. Raises CardgenError when there is none."""
    rules = rulesets.ruleset(game)
    if isinstance(rules, Ruleset):
        return rules
    raise CardgenError(Diagnostic(UNKNOWN_GAME, str(rules), Place("--game"), rules.help))


def card_models(game: Ruleset) -> Mapping[str, type[Card]]:
    """The model of each kind of card."""
    return {name: kind.model for name, kind in game.kinds.items()}
