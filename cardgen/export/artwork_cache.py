"""SQLite cache of rendered artwork, in the user's cache folder."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.user_folders import cache_folder

if TYPE_CHECKING:  # Most cards need no shelf, and these take their time to load.
    import sqlite3

_TABLE = "CREATE TABLE IF NOT EXISTS artwork (key TEXT PRIMARY KEY, pdf BLOB NOT NULL, day INTEGER NOT NULL)"
# Some 50 MB; beyond that, what was not used for longest is thrown away.
_MAX_ENTRIES = 20_000
_SECONDS_A_DAY = 86_400
_LOCK_TIMEOUT = 2.0


class ArtworkCache:
    """Artwork as PDF by its SVG. It is never needed: where the file cannot be read or written, nothing is kept."""

    def __init__(self, path: Path | None = None, max_entries: int = _MAX_ENTRIES) -> None:
        self._path = path or cache_folder() / "artwork.sqlite"
        self._max_entries = max_entries

    def find(self, svgs: Iterable[bytes]) -> dict[bytes, bytes]:
        """The PDF of each SVG that is there."""
        found: dict[bytes, bytes] = {}

        def look(table: sqlite3.Connection) -> None:
            for svg in svgs:
                key = self._key(svg)
                row = table.execute("SELECT pdf, day FROM artwork WHERE key = ?", (key,)).fetchone()
                if row is not None:
                    found[svg] = row[0]
                    if row[1] != _today():
                        table.execute("UPDATE artwork SET day = ? WHERE key = ?", (_today(), key))

        if self._path.is_file():
            self._run(look)
        return found

    def store(self, rendered: Mapping[bytes, bytes]) -> None:
        """Take in what was drawn, by its SVG."""
        rows = [(self._key(svg), pdf, _today()) for svg, pdf in rendered.items()]

        def store(table: sqlite3.Connection) -> None:
            table.executemany("INSERT OR REPLACE INTO artwork VALUES (?, ?, ?)", rows)
            newest = "SELECT rowid FROM artwork ORDER BY day DESC, rowid DESC LIMIT ?"
            table.execute(f"DELETE FROM artwork WHERE rowid NOT IN ({newest})", (self._max_entries,))

        if rows:
            self._run(store)

    @cached_property
    def _salt(self) -> bytes:
        """Another CairoSVG may draw in another way."""
        from importlib.metadata import version

        return f"cairosvg {version('cairosvg')}\n".encode()

    def _key(self, svg: bytes) -> str:
        return hashlib.sha256(self._salt + svg).hexdigest()

    def _run(self, action: Callable[[sqlite3.Connection], None]) -> None:
        """Do something with the table; what goes wrong is passed over, and a file that is no table is removed."""
        import sqlite3

        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._path, timeout=_LOCK_TIMEOUT)) as table, table:
                table.execute(_TABLE)
                action(table)
        except sqlite3.DatabaseError as error:
            if type(error) is sqlite3.DatabaseError:
                self._path.unlink(missing_ok=True)
        except OSError:
            pass


def _today() -> int:
    return int(time.time() // _SECONDS_A_DAY)
