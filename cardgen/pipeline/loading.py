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
from cardgen.model.deck import Deck, Entry, Library, load
from cardgen.model.schema import schema as schema_of
from cardgen.pipeline.settings import misnamed
from cardgen.project import Project
from cardgen.project.files import CARDS_FOLDER
from cardgen.project.paths import built_in
from cardgen.rulesets.ruleset import Ruleset
from cardgen.rulesets.unknown import Unknown
from cardgen.shape.sparing import spare

UNKNOWN_GAME = "CG030"


def load_deck(paths: Sequence[Path], only: Sequence[str] = ()) -> tuple[Project, Deck]:
    """The project at hand and its cards: those in `paths` that `only` names, by kind, id, name or tag.

    Raises CardgenError with everything that is wrong in the files.
    """
    project = Project.find()
    files = project.card_files(paths)
    deck = load(project, files, GAMES, rulesets.default_game(), libraries(project, files))
    stop_on_errors((*misnamed(project), *deck.diagnostics))
    for document in deck.documents:
        document.forget()  # All that is wanted of them is in the cards.
    spare(entry.card for entry in deck.cards)
    return project, selection.select(deck, only)


def libraries(project: Project, files: Collection[Path]) -> tuple[Library, ...]:
    """Where the cards in some files of a project may refer to: its other files, then what comes with the program."""
    return cache(partial(_others, project, files)), cache(partial(kit, project))


def other_files(project: Project, files: Collection[Path]) -> tuple[Path, ...]:
    """The card files of the project without some; there need not be any."""
    named = frozenset(files)
    try:
        return tuple(file for file in project.card_files() if file not in named)
    except CardgenError:
        return ()


def _others(project: Project, files: Collection[Path], game: str) -> tuple[Entry, ...]:
    entries = load(project, other_files(project, files), GAMES, rulesets.default_game()).cards
    return tuple(entry for entry in entries if entry.game == game)


def kit(project: Project, game: str) -> tuple[Entry, ...]:
    """The cards of a game that come with the program; the `project` tells from where their files are seen."""
    folder = built_in(CARDS_FOLDER) / game
    files = Project(folder).card_files() if folder.is_dir() else ()
    return load(Project(project.root), files, {game: kinds_of(game_called(game))}, game).cards


def listing(paths: Sequence[Path], only: Sequence[str] = ()) -> list[tuple[str, str, str, str, str]]:
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


def schema(game: str | None = None) -> Mapping[str, Any]:
    """The JSON Schema of card files of one game, by default the one that the project plays."""
    game = game or Project.find().settings.game or rulesets.default_game()
    return schema_of(game, kinds_of(game_called(game)))


class _Games(Mapping[str, Mapping[str, type[Card]]]):
    """The kinds of every game by its id; a game is loaded when a card of it is read."""

    def __getitem__(self, game: str) -> Mapping[str, type[Card]]:
        found = rulesets.ruleset(game)
        if isinstance(found, Unknown):
            raise KeyError(game)
        return kinds_of(found)

    def __iter__(self) -> Iterator[str]:
        return iter(rulesets.games())

    def __len__(self) -> int:
        return len(rulesets.games())


GAMES = _Games()


def game_called(game: str) -> Ruleset:
    """The game of that id. Raises CardgenError when there is none."""
    found = rulesets.ruleset(game)
    if isinstance(found, Ruleset):
        return found
    raise CardgenError(Diagnostic(UNKNOWN_GAME, str(found), Place("--game"), found.help))


def kinds_of(game: Ruleset) -> Mapping[str, type[Card]]:
    """The model of each kind of card."""
    return {name: kind.model for name, kind in game.kinds.items()}
