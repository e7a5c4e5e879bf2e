"""Decks of other programs, from which `cardgen new game NAME --from` makes games: Cider, Squib, Magic Set Editor."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.runtime.limited_fork import LimitedFork, ResourceLimitError
from cardgen.runtime.processes import WATCHDOG, TimeLimitError, can_fork
from cardgen.scaffold.decks.foreign import MIB, Files, ForeignDeck, ForeignTable, require_small

# CPU time and memory for a deck. A pattern that meets the text for which it takes the longest cannot be stopped from
# inside of the process, so where possible a fork reads it.
_SECONDS = 30.0
_MEMORY = 1024 * MIB
# Bytes of a picture in a message.
_PART = 16 * MIB


def read_deck(path: Path) -> ForeignDeck | None:
    """Return the deck at a path, by what it is; None for a spreadsheet, and for what no other program writes.

    Raises CardgenError if the deck cannot be read, or has no cards.
    """
    if not can_fork():
        try:
            with WATCHDOG.limit(_SECONDS):
                return _read(path)
        except TimeLimitError:
            raise _error(path, _limit_message("time")) from None
    try:
        with closing(LimitedFork(_DeckInFork(path).answer, _SECONDS, _MEMORY)) as fork:
            answer = fork.call()
            if isinstance(answer, tuple):
                raise CardgenError(*answer)
            return _received(answer, fork) if answer else None
    except ResourceLimitError as error:
        raise _error(path, _limit_message(error.resource)) from None
    except RuntimeError as error:  # any other exception, with its name
        raise _error(path, f"the deck cannot be read ({error})") from None
    except OSError as error:
        raise _error(path, f"the deck cannot be read in a process of its own: {error.strerror or error}") from None


def _read(path: Path) -> ForeignDeck | None:
    from cardgen.scaffold.decks import cider, mse_set, squib  # loaded here because spreadsheets do without them

    deck: ForeignDeck | None = None
    if path.suffix.lower() == mse_set.SUFFIX:
        deck = mse_set.read_mse_set(Files(path))
    elif path.suffix.lower() == cider.SUFFIX:
        deck = cider.read_database(path)
    elif path.suffix.lower() in squib.SUFFIXES:
        deck = squib.read_squib(Files(path.parent), path.name)
    elif path.is_dir():
        files = Files(path)
        deck = cider.read_folder(files) if cider.is_project(files) else squib.read_squib(files)
    if deck:
        require_small(deck.tables, Place(path.as_posix()))
    return deck


class _DeckInFork:
    """A deck that a fork reads: it answers with the deck, and then with its pictures in parts."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._pictures: dict[str, bytes] = {}

    def answer(self, picture: str = "", start: int = 0) -> Any:
        """Return the deck as plain data, the diagnostics of its errors, or a part of a picture."""
        if picture:
            return self._pictures[picture][start : start + _PART]
        try:
            deck = _read(self._path)
        except CardgenError as error:
            return error.diagnostics
        if deck is None:
            return None
        self._pictures = deck.pictures
        return {
            "program": deck.program,
            "tables": [vars(table) for table in deck.tables],
            "lost": deck.lost,
            "sizes": {name: len(content) for name, content in deck.pictures.items()},
        }


def _received(answer: Any, fork: LimitedFork[..., Any]) -> ForeignDeck:
    def parts(name: str, size: int) -> Iterator[bytes]:
        yield from (fork.call(name, start) for start in range(0, size, _PART))

    tables = [ForeignTable(**fields) for fields in answer["tables"]]
    pictures = {name: b"".join(parts(name, size)) for name, size in answer["sizes"].items()}
    return ForeignDeck(answer["program"], tables, pictures, answer["lost"])


def _limit_message(resource: str) -> str:
    if resource == "time":
        return f"reading the deck takes longer than {_SECONDS:g} seconds"
    if resource == "memory":
        return f"reading the deck takes more than {_MEMORY // MIB} MiB of memory"
    return "the deck cannot be read; it is too large, or reading it ended the process"


def _error(path: Path, message: str) -> CardgenError:
    advice = "divide the deck, or leave out what is not needed"
    return CardgenError(Diagnostic(Code.BAD_TABLE, message, Place(path.as_posix()), advice))
