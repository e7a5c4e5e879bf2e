"""Decks of other programs, from which `cardgen new game NAME --from` makes games: Cider, Squib, Magic Set Editor."""

from __future__ import annotations

from pathlib import Path

from cardgen.scaffold.decks.foreign import ForeignDeck


def read_deck(path: Path) -> ForeignDeck | None:
    """Return the deck at a path, by what it is; None for a spreadsheet, and for what no other program writes.

    Raises CardgenError if the deck cannot be read, or has no cards.
    """
    from cardgen.scaffold.decks import cider, mse_set, squib  # loaded here because spreadsheets do without them
    from cardgen.scaffold.decks.foreign import Files

    if path.suffix.lower() == mse_set.SUFFIX:
        return mse_set.read_mse_set(Files(path))
    if path.suffix.lower() == cider.SUFFIX:
        return cider.read_database(path)
    if path.suffix.lower() in squib.SUFFIXES:
        return squib.read_squib(Files(path.parent), path.name)
    if path.is_dir():
        files = Files(path)
        return cider.read_folder(files) if cider.is_project(files) else squib.read_squib(files)
    return None
