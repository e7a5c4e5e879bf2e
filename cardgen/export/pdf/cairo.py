"""What CairoSVG draws of artwork, and the cache of its drawings."""

from __future__ import annotations

import hashlib
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext, redirect_stderr
from functools import cached_property, lru_cache
from io import StringIO
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.export.pdf.translator import untranslatable_part
from cardgen.face.face import Artwork
from cardgen.face.template.engine import diagnostic_in_template
from cardgen.project.files import resolve_inside, template_text
from cardgen.runtime.processes import WATCHDOG, TimeLimitError, away_from_current_folder
from cardgen.runtime.user_folders import cache_folder, seal, unseal
from cardgen.svg.subset import DRAWING_TAGS

if TYPE_CHECKING:
    import sqlite3


# Time limit for one chunk, in seconds; the slowest of the built-in templates takes a tenth of a second.
TIME_LIMIT = 30.0
# The start of the first element that is drawn.
_FIRST_DRAWN = re.compile(rf"<(?:{'|'.join(sorted(DRAWING_TAGS))})\b[^<>]{{0,80}}")

# The names of other templates in a template.
_IMPORT = re.compile(r"""\{%[-+]?\s*(?:import|from|include|extends)\s+["']([^"']+)["']""")


def render_artwork(artwork: Iterable[Artwork], cache: ArtworkCache | None = None) -> Mapping[bytes, bytes]:
    """Return the PDF of each artwork, keyed by its SVG.

    Uses the `cache`, and adds what it lacks. Raises CardgenError as `to_pdf` does, located in the template.
    """
    wanted = {piece.svg: piece.template for piece in artwork}
    cached = cache.find(wanted) if cache else {}
    rendered = {svg: to_pdf(svg, template) for svg, template in wanted.items() if svg not in cached}
    if cache:
        cache.store(rendered)
    return {**cached, **rendered}


@lru_cache(maxsize=4096)
def to_pdf(svg: bytes, template: Path | None = None) -> bytes:
    """Render an SVG as a one-page PDF of its own size.

    Recent results are cached. Raises CardgenError if libcairo is missing, or if CairoSVG cannot draw the chunk.
    """
    try:
        with away_from_current_folder() if "cairosvg" not in sys.modules else nullcontext():
            import cairosvg
    except (ImportError, OSError):
        raise CardgenError(_no_cairo_diagnostic(svg, template)) from None
    try:
        with _deliver_interrupts(), WATCHDOG.limit(TIME_LIMIT):
            pdf: bytes = cairosvg.svg2pdf(bytestring=svg)
    # CairoSVG checks little: bad artwork raises whatever its drawing functions happen to raise, and cairo its own
    # errors. All of them mean that it cannot draw this artwork.
    except Exception as error:
        slow = isinstance(error, TimeLimitError)
        why = f"it took longer than {TIME_LIMIT:g} seconds" if slow else f"{type(error).__name__}: {error}"
        raise CardgenError(_undrawable_diagnostic(svg, template, f"CairoSVG cannot draw this artwork: {why}")) from None
    return pdf


@contextmanager
def _deliver_interrupts() -> Iterator[None]:
    """Let Ctrl-C end the block even while cairo writes through Python.

    Otherwise the exception is lost there, a traceback is printed, and CairoSVG fails with an unrelated error.
    """
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    interrupted = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal interrupted
        interrupted = True
        handler(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        with redirect_stderr(StringIO()):
            yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if interrupted:
            raise KeyboardInterrupt


def _no_cairo_diagnostic(svg: bytes, template: Path | None) -> Diagnostic:
    """Return the problem, located at the untranslatable element if possible."""
    reason, source = untranslatable_part(svg)
    message = f"libcairo is not installed, but is needed to draw this artwork: {reason or 'CARDGEN_NO_FAST is set'}"
    advice = f"change the artwork, or install the library; {HOW_TO_GET_CAIRO}"
    return _locate(Diagnostic(Code.NO_CAIRO, message, Place("<artwork>"), advice), source, template)


def _undrawable_diagnostic(svg: bytes, template: Path | None, message: str) -> Diagnostic:
    """Return the problem, located at the first drawn element if possible."""
    drawing = _FIRST_DRAWN.search(svg.decode("utf-8", "replace"))
    source = drawing[0] if drawing else ""
    advice = f"the artwork starts with {source!r}"
    return _locate(Diagnostic(Code.UNDRAWABLE, message, Place("<artwork>"), advice), source, template)


def _locate(diagnostic: Diagnostic, source: str, template: Path | None) -> Diagnostic:
    """Return the diagnostic at the place in the template that rendered `source`.

    Values were inserted, so the template, or one that it imports, may contain only the start of it.
    """
    if template is None:
        return diagnostic
    files = tuple(_with_imports(template))
    beginnings = (source[: space.start()] for space in reversed([*re.finditer(r"\s|\Z", source)]))
    located = (
        diagnostic_in_template(file, each, diagnostic.code, diagnostic.message) for each in beginnings for file in files
    )
    place = next((each.place for each in located if each.place.span), Place(str(template)))
    return diagnostic._replace(place=place)


def _with_imports(template: Path) -> Iterator[Path]:
    """Yield a template, and the templates of its project that it imports."""
    folder = template.parent.parent
    queue, seen = [template.relative_to(folder).as_posix()], set[Path]()
    while queue:
        name = queue.pop(0)
        try:
            target = resolve_inside(folder, name, folder)
        except ValueError:
            continue
        if target not in seen and target.is_file():
            seen.add(target)
            yield folder / name
            queue += _IMPORT.findall(template_text(target))


HOW_TO_GET_CAIRO = (
    "Debian and Ubuntu: apt install libcairo2; Fedora: dnf install cairo; macOS: brew install cairo; "
    "Windows: install the GTK runtime, or 'conda install cairo'"
)


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
