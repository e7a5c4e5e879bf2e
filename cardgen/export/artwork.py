"""Artwork chunks become PDF, by CairoSVG."""

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
from cardgen.export.shelf import Shelf
from cardgen.face.face import Artwork
from cardgen.face.templates import fault_in
from cardgen.face.vocabulary import DRAWING
from cardgen.face.watchdog import TookTooLongError, Watchdog

NO_CAIRO = "CG590"
UNDRAWABLE = "CG591"
# How long one piece may take, in seconds; the slowest of ours takes a tenth of one.
LONGEST = 30.0
_WATCHDOG = Watchdog()
# The beginning of the first element that is drawn.
_DRAWING = re.compile(rf"<(?:{'|'.join(sorted(DRAWING))})\b[^<>]{{0,80}}")


def drawn(artwork: Iterable[Artwork], shelf: Shelf | None = None) -> Mapping[bytes, bytes]:
    """The PDF of each piece, by its SVG; the shelf has those that were drawn in earlier runs, and takes in the others.

    Raises CardgenError as `to_pdf` does, located in the piece's template.
    """
    wanted = {piece.svg: piece.template for piece in artwork}
    found = shelf.find(wanted) if shelf else {}
    fresh = {svg: to_pdf(svg, template) for svg, template in wanted.items() if svg not in found}
    if shelf:
        shelf.keep(fresh)
    return {**found, **fresh}


@lru_cache(maxsize=4096)
def to_pdf(svg: bytes, template: Path | None = None) -> bytes:
    """A one-page PDF of the size that the SVG gives itself; what was drawn lately is not drawn again.

    Raises CardgenError when libcairo is missing, or when CairoSVG cannot draw the chunk.
    """
    cairosvg = _cairosvg()
    try:
        with _heeding_interrupts(), _WATCHDOG.limit(LONGEST):
            pdf: bytes = cairosvg.svg2pdf(bytestring=svg)
    except Exception as error:  # CairoSVG raises whatever it stumbles over, and cairo its own errors
        slow = isinstance(error, TookTooLongError)
        why = f"it takes more than {LONGEST:g} seconds" if slow else f"{type(error).__name__}: {error}"
        raise CardgenError(_undrawable(svg, template, f"CairoSVG cannot draw a piece of artwork: {why}")) from None
    return pdf


@contextmanager
def _heeding_interrupts() -> Iterator[None]:
    """Let Ctrl-C end the block even where it strikes while cairo writes through Python.

    There the exception is lost, a traceback is printed, and CairoSVG fails for a reason that is none.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    interrupted = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal interrupted
        interrupted = True
        before(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        with redirect_stderr(StringIO()):
            yield
    finally:
        signal.signal(signal.SIGINT, before)
        if interrupted:
            raise KeyboardInterrupt


def _undrawable(svg: bytes, template: Path | None, message: str) -> Diagnostic:
    """What is wrong with a piece, in its template where its first element can be found there."""
    drawing = _DRAWING.search(svg.decode("utf-8", "replace"))
    source = drawing[0] if drawing else ""
    advice = f"it begins {source!r}"
    if template is None:
        return Diagnostic(UNDRAWABLE, message, Place("<artwork>"), advice)
    # Values were filled in, so the template may have only the beginning of it.
    beginnings = (source[: space.start()] for space in reversed([*re.finditer(r"\s|\Z", source)]))
    diagnostics = (fault_in(template, beginning, UNDRAWABLE, message) for beginning in beginnings)
    found = next((each for each in diagnostics if each.place.span), None)
    return (found or Diagnostic(UNDRAWABLE, message, Place(str(template))))._replace(help=advice)


def _cairosvg() -> Any:
    try:
        import cairosvg
    except OSError:
        raise CardgenError(
            Diagnostic(
                NO_CAIRO, "libcairo, which draws the artwork, is not installed", Place("cairo"), help=HOW_TO_GET_CAIRO
            )
        ) from None
    return cairosvg


HOW_TO_GET_CAIRO = (
    "Debian and Ubuntu: apt install libcairo2; Fedora: dnf install cairo; macOS: brew install cairo; "
    "Windows: install the GTK runtime, or 'conda install cairo'"
)
