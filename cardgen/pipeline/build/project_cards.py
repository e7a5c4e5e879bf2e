"""All cards and pieces of a project in order, although a build may print only those of some files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

from cardgen.diagnostic import Diagnostic, stop_on_errors
from cardgen.model.deck import Deck, read_deck
from cardgen.model.entry import Entry
from cardgen.pipeline.load import game_settings
from cardgen.pipeline.load.deck import card_files, other_files, require_game
from cardgen.project import Project
from cardgen.rulesets import ruleset
from cardgen.rulesets.ruleset import card_models


class ProjectCards(NamedTuple):
    """The cards of a project in order, and those of them that belong to the requested files."""

    cards: tuple[Entry, ...]
    own: tuple[Entry, ...]

    def with_pieces(self, derive: Callable[[Iterable[Entry]], Iterable[Entry | Diagnostic]]) -> ProjectCards:
        """Return the cards and the pieces that `derive` makes from them.

        Raises CardgenError for requested cards that a piece cannot be made from; others have no such piece.
        """
        requested = frozenset(map(id, self.own))
        cards, own, problems = list(self.cards), list(self.own), list[Diagnostic]()
        for card in self.cards:
            is_own = id(card) in requested
            for outcome in derive((card,)):
                if isinstance(outcome, Entry):
                    cards.append(outcome)
                    own += [outcome] if is_own else []
                elif is_own:
                    problems.append(outcome)
        stop_on_errors(dict.fromkeys(problems))
        return ProjectCards(tuple(cards), tuple(own))

    def numbers(self) -> dict[int, int]:
        """Return the number of each card among those of its kind, by identity."""
        counters: dict[tuple[str, str], Iterator[int]] = {}
        return {id(entry): next(counters.setdefault((entry.game, entry.kind), count(1))) for entry in self.cards}


def project_cards(project: Project, deck: Deck, paths: Sequence[Path]) -> ProjectCards:
    """Return the cards of a project, of which a deck has those of the requested `paths`, by default all.

    Mistakes in other files don't matter: what cannot be read there is left out.
    """
    others = _others(project, paths, dict.fromkeys(card.game for card in deck.cards)) if paths else ()
    if not others:
        return ProjectCards(deck.cards, deck.cards)
    positions = {project.display_path(file): number for number, file in enumerate(project.find_card_files())}
    every = sorted((*deck.cards, *others), key=lambda card: positions.get(card.document.file, len(positions)))
    return ProjectCards(tuple(every), deck.cards)


def _others(project: Project, paths: Sequence[Path], games: Iterable[str]) -> Collection[Entry]:
    """Return the cards of some games in the other files of a project; other games are not even loaded."""
    files = other_files(project, card_files(project, paths))
    if not files:
        return ()
    models = {game: card_models(require_game(game)) for game in games}
    with game_settings.in_force(project):
        return read_deck(project, files, models, ruleset.default_game()).cards
