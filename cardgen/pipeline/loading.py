"""From files to cards: the project at hand and its deck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cardgen import rulesets
from cardgen.diagnostic import CardgenError, Diagnostic, Place, stop_on_errors
from cardgen.model import selection
from cardgen.model.card import Card
from cardgen.model.deck import Deck, load
from cardgen.model.schema import schema as schema_of
from cardgen.pipeline.settings import misnamed
from cardgen.project import Project
from cardgen.rulesets.ruleset import Ruleset

UNKNOWN_GAME = "CG030"


def load_deck(paths: Sequence[Path], only: Sequence[str] = ()) -> tuple[Project, Deck]:
    """The project at hand and its cards: those in `paths` that `only` names, by kind, id, name or tag.

    Raises CardgenError with everything that is wrong in the files.
    """
    project = Project.find()
    games = {game: kinds_of(game_called(game)) for game in rulesets.games()}
    files = project.card_files(paths)
    library = _others(project) if paths else ()
    deck = load(project, files, games, rulesets.default_game(), library)
    stop_on_errors((*misnamed(project), *deck.diagnostics))
    return project, selection.select(deck, only)


def _others(project: Project) -> Sequence[Path]:
    """All card files of the project, which those that were named may refer to; there need not be any."""
    try:
        return project.card_files()
    except CardgenError:
        return ()


def listing(paths: Sequence[Path], only: Sequence[str] = ()) -> list[tuple[str, str, str, str, str]]:
    """Kind, id, copies, name and place of each card."""
    _, deck = load_deck(paths, only)
    return [
        (entry.kind, entry.card.id, str(entry.card.qty), entry.card.name, str(entry.place(("name",))))
        for entry in deck.cards
    ]


def schema(game: str | None = None) -> Mapping[str, Any]:
    """The JSON Schema of card files of one game, by default the one that the project plays."""
    game = game or Project.find().settings.game or rulesets.default_game()
    return schema_of(game, kinds_of(game_called(game)))


def game_called(game: str) -> Ruleset:
    """The game of that id. Raises CardgenError when there is none."""
    found = rulesets.ruleset(game)
    if isinstance(found, Ruleset):
        return found
    raise CardgenError(Diagnostic(UNKNOWN_GAME, str(found), Place("--game"), found.help))


def kinds_of(game: Ruleset) -> Mapping[str, type[Card]]:
    """The model of each kind of card."""
    return {name: kind.model for name, kind in game.kinds.items()}
