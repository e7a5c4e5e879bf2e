"""Artwork rendered to PDF by CairoSVG."""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr
from functools import lru_cache
from io import StringIO
from pathlib import Path
from types import FrameType
from typing import Any

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.export.artwork_cache import ArtworkCache
from cardgen.face.face import Artwork
from cardgen.face.svg.subset import DRAWING_TAGS
from cardgen.face.template.engine import diagnostic_in_template
from cardgen.runtime.time_limit import WATCHDOG, TimeLimitError

NO_CAIRO = "CG590"
UNDRAWABLE = "CG591"
# Time limit for one chunk, in seconds; the slowest of the built-in templates takes a tenth of a second.
TIME_LIMIT = 30.0
# The start of the first element that is drawn.
_FIRST_DRAWN = re.compile(rf"<(?:{'|'.join(sorted(DRAWING_TAGS))})\b[^<>]{{0,80}}")


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
    cairosvg = _import_cairosvg()
    try:
        with _deliver_interrupts(), WATCHDOG.limit(TIME_LIMIT):
            pdf: bytes = cairosvg.svg2pdf(bytestring=svg)
    except Exception as error:  # CairoSVG raises exceptions of any kind, and cairo its own
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


def _undrawable_diagnostic(svg: bytes, template: Path | None, message: str) -> Diagnostic:
    """Return the problem, located at the first drawn element if possible."""
    drawing = _FIRST_DRAWN.search(svg.decode("utf-8", "replace"))
    source = drawing[0] if drawing else ""
    advice = f"the artwork starts with {source!r}"
    if template is None:
        return Diagnostic(UNDRAWABLE, message, Place("<artwork>"), advice)
    # Values were inserted, so the template may contain only the start of the element.
    beginnings = (source[: space.start()] for space in reversed([*re.finditer(r"\s|\Z", source)]))
    diagnostics = (diagnostic_in_template(template, beginning, UNDRAWABLE, message) for beginning in beginnings)
    located = next((each for each in diagnostics if each.place.span), None)
    return (located or Diagnostic(UNDRAWABLE, message, Place(str(template))))._replace(help=advice)


def _import_cairosvg() -> Any:
    try:
        import cairosvg
    except OSError:
        raise CardgenError(
            Diagnostic(
                NO_CAIRO,
                "libcairo is not installed, but is needed to draw artwork",
                Place("cairo"),
                help=HOW_TO_GET_CAIRO,
            )
        ) from None
    return cairosvg


HOW_TO_GET_CAIRO = (
    "Debian and Ubuntu: apt install libcairo2; Fedora: dnf install cairo; macOS: brew install cairo; "
    "Windows: install the GTK runtime, or 'conda install cairo'"
)
