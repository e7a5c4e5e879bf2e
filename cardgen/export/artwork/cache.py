"""SQLite cache of rendered artwork, in the user's cache folder."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.runtime.sealed_entry import seal, unseal
from cardgen.user_folders import cache_folder

if TYPE_CHECKING:  # imported only when needed: most cards have no artwork to cache, and SQLite is slow to load
    import sqlite3

_TABLE = "CREATE TABLE IF NOT EXISTS artwork (key TEXT PRIMARY KEY, pdf BLOB NOT NULL, day INTEGER NOT NULL)"
# About 50 MB; beyond that, the least recently used entries are deleted.
_MAX_ENTRIES = 20_000
_SECONDS_A_DAY = 86_400
_LOCK_TIMEOUT = 2.0


class ArtworkCache:
    """Cache of artwork as PDF, keyed by its SVG.

    The cache is optional: if its file cannot be read or written, nothing is cached. Entries that this user did not
    write are ignored.
    """

    def __init__(self, path: Path | None = None, max_entries: int = _MAX_ENTRIES) -> None:
        self._path = path or cache_folder() / "artwork.sqlite"
        self._max_entries = max_entries

    def find(self, svgs: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return the cached PDFs by SVG."""
        found: dict[bytes, bytes] = {}

        def look(table: sqlite3.Connection) -> None:
            for svg in svgs:
                key = self._key(svg)
                row = table.execute("SELECT pdf, day FROM artwork WHERE key = ?", (key,)).fetchone()
                pdf = unseal(key, row[0]) if row is not None else None
                if pdf is not None:
                    found[svg] = pdf
                    if row[1] != _today():
                        table.execute("UPDATE artwork SET day = ? WHERE key = ?", (_today(), key))

        if self._path.is_file():
            self._run(look)
        return found

    def store(self, rendered: Mapping[bytes, bytes]) -> None:
        """Add rendered PDFs by SVG."""
        sealed = ((key, seal(key, pdf)) for key, pdf in ((self._key(svg), pdf) for svg, pdf in rendered.items()))
        rows = [(key, entry, _today()) for key, entry in sealed if entry is not None]

        def store(table: sqlite3.Connection) -> None:
            table.executemany("INSERT OR REPLACE INTO artwork VALUES (?, ?, ?)", rows)
            newest = "SELECT rowid FROM artwork ORDER BY day DESC, rowid DESC LIMIT ?"
            table.execute(f"DELETE FROM artwork WHERE rowid NOT IN ({newest})", (self._max_entries,))

        if rows:
            self._run(store)

    @cached_property
    def _salt(self) -> bytes:
        """Salt for the keys, because another CairoSVG may draw differently."""
        from importlib.metadata import version

        return f"cairosvg {version('cairosvg')}\n".encode()

    def _key(self, svg: bytes) -> str:
        return hashlib.sha256(self._salt + svg).hexdigest()

    def _run(self, action: Callable[[sqlite3.Connection], None]) -> None:
        """Run an action on the table, ignoring errors.

        A file that is not a database is deleted.
        """
        import sqlite3

        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._path, timeout=_LOCK_TIMEOUT)) as table, table:
                table.execute(_TABLE)
                action(table)
        except sqlite3.Error as error:
            if type(error) is sqlite3.DatabaseError:
                self._path.unlink(missing_ok=True)
        except OSError:
            pass


def _today() -> int:
    return int(time.time() // _SECONDS_A_DAY)
