"""What checks compare of cards, kept beside the index, so that a check of one file reads only what could match."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, TypeAlias

from cardgen.deck.card_index import CardSource, load_rows, store_rows, stored_file
from cardgen.project.project import Project
from cardgen.runtime.fingerprint import Stamp

# What is said of a card: plain data as JSON has it, but not None, which follows from nothing but the card.
CardFact: TypeAlias = Callable[[Any], Any]
# The facts of the cards in a file by the name of the fact, in the order of the cards; None for those not known yet.
_Facts: TypeAlias = dict[str, list[Any]]


# FAST PATH. Reason: a check of one file read all others to compare their cards with its own. Gain: among 20,000 files,
# a check of a Minion takes an eighth of the processor time. Slow twin: this module, which reads every file to find out
# what is said of its cards.
class CardFacts:
    """The facts of a source's cards."""

    def __init__(self, project: Project, source: CardSource) -> None:
        self._source = source
        self._file = stored_file(project, "facts") if source.kept.key else None
        stored = load_rows(self._file, source.kept.key) if self._file else ()
        self._rows: dict[str, tuple[Stamp, _Facts]] = {name: (tuple(stamp), facts) for name, stamp, facts in stored}
        self._is_new = False

    def by_file(
        self, fact: CardFact, kinds: Collection[tuple[str, str]], files: Collection[Path]
    ) -> dict[Path, list[Any]]:
        """Return what a fact says of the cards of some games and kinds in files; those not known yet are read."""
        name, found = f"{fact.__module__}.{fact.__qualname__}", dict[Path, list[Any]]()
        for file in files:
            found[file] = self._known(file, name, kinds)
            if None in found[file]:
                self._read(file, name, fact, kinds)
                found[file] = [value for value in self._known(file, name, kinds) if value is not None]
        return found

    def save(self) -> None:
        """Store the facts, if some are new."""
        if self._is_new and self._file:
            rows = [(name, *row) for name, row in self._rows.items() if row[0] and os.path.lexists(name)]
            store_rows(self._file, self._source.kept.key, rows)

    def _of_file(self, file: Path) -> _Facts:
        stamp, known = self._source.kept.stamps.get(file, ()), self._rows.get(str(file))
        if known is None or known[0] != stamp:
            known = self._rows[str(file)] = (stamp, {})
        return known[1]

    def _known(self, file: Path, name: str, kinds: Collection[tuple[str, str]]) -> list[Any]:
        """Return what is known of the cards of some kinds, None for nothing."""
        cards = self._source.index[file].cards
        values = self._of_file(file).get(name) or [None] * len(cards)
        return [value for card, value in zip(cards, values, strict=True) if (card.game, card.kind) in kinds]

    def _read(self, file: Path, name: str, fact: CardFact, kinds: Collection[tuple[str, str]]) -> None:
        self._is_new = True
        cards, entries = self._source.index[file].cards, self._source.entries(file)
        values = self._of_file(file).setdefault(name, [None] * len(cards))
        # The file can have changed since the index was read.
        for number, (card, entry) in enumerate(zip(cards, entries, strict=False)):
            if (card.game, card.kind) in kinds and entry.kind == card.kind:
                values[number] = fact(entry.card)
