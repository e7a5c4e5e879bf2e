"""All cards of a run, from all files, as they know of each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from cardgen.diagnostic import Diagnostic
from cardgen.model import relations
from cardgen.model.codes import Code
from cardgen.model.entry import Entry
from cardgen.model.file import Games, RejectedCard, read_cards, unknown_name_diagnostic
from cardgen.project import Project
from cardgen.source import Document, read_document

__all__ = ["CardLibrary", "Deck", "Entry", "read_deck"]

# The cards of a game that references may mean although they are not part of a deck.
CardLibrary: TypeAlias = Callable[[str], Iterable[Entry]]


@dataclass(frozen=True, slots=True)
class Deck:
    """The cards of some files in their order, and everything that is wrong with them, sorted.

    `files` is the number of files that were read. `index` has the cards that references may mean; they may be more
    than `cards`. `documents` are the files themselves.
    """

    cards: tuple[Entry, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    file_count: int = 0
    index: relations.CardIndex = field(default_factory=dict, repr=False, compare=False)
    documents: tuple[Document, ...] = field(default=(), repr=False, compare=False)

    def find(self, game: str, kind: str, key: str) -> Entry | None:
        """The one card of a game and a kind with that id or name; None for none, and for several."""
        matches = relations.find_matches(self.index, game, kind, key)
        return matches[0] if len(matches) == 1 else None


def read_deck(
    project: Project, files: Iterable[Path], games: Games, default_game: str, libraries: Iterable[CardLibrary] = ()
) -> Deck:
    """The deck of all cards in `files`; whatever is wrong with them stands in its diagnostics.

    `games` gives each game's kinds of card. A file that names no game belongs to the project's, or else to
    `default_game`. The `libraries` are there for references only: each is
    asked only for what neither the deck nor a library before it has.
    """
    read_files = tuple(files)
    game = project.settings.game or default_game
    documents = tuple(read_document(file, project.display_path(file)) for file in read_files)
    results = [outcome for document in documents for outcome in read_cards(document, games, game)]
    entries = [outcome for outcome in results if isinstance(outcome, Entry)]
    rejected = [outcome for outcome in results if isinstance(outcome, RejectedCard)]
    problems = [outcome for outcome in results if isinstance(outcome, Diagnostic)]
    if game not in games:
        problems.append(unknown_name_diagnostic(Code.UNKNOWN_GAME, "game", game, games, project.place(("game",))))
    card_index = relations.build_index(entries)
    unresolved = relations.unresolved_links(entries, card_index)
    for library in libraries:
        for wanted in sorted({entry.game for entry, _ in unresolved}):
            card_index = {**relations.build_index(library(wanted)), **card_index}
        unresolved = relations.unresolved_links(entries, card_index) if unresolved else unresolved
    problems += [
        *relations.report_duplicate_ids(entries),
        *relations.report_broken_links(unresolved, card_index, rejected),
    ]
    unique = sorted(dict.fromkeys(problems), key=Diagnostic.sort_key)
    return Deck(
        tuple(relations.resolve_links(entries, card_index)), tuple(unique), len(read_files), card_index, documents
    )
