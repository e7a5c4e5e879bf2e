"""Artwork chunks become PDF, by CairoSVG."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.export.shelf import Shelf
from cardgen.face.watchdog import TookTooLongError, Watchdog

NO_CAIRO = "CG590"
UNDRAWABLE = "CG591"
# How long one piece may take, in seconds; the slowest of ours takes a tenth of one.
LONGEST = 30.0
_WATCHDOG = Watchdog()


def drawn(chunks: Iterable[bytes], shelf: Shelf | None = None) -> Mapping[bytes, bytes]:
    """The PDF of each chunk; the shelf has those that were drawn in earlier runs, and takes in the others.

    Raises CardgenError as `to_pdf` does.
    """
    wanted = tuple(dict.fromkeys(chunks))
    found = shelf.find(wanted) if shelf else {}
    fresh = {svg: to_pdf(svg) for svg in wanted if svg not in found}
    if shelf:
        shelf.keep(fresh)
    return {**found, **fresh}


@lru_cache(maxsize=4096)
def to_pdf(svg: bytes) -> bytes:
    """A one-page PDF of the size that the SVG gives itself; what was drawn lately is not drawn again.

    Raises CardgenError when libcairo is missing, or when CairoSVG cannot draw the chunk.
    """
    cairosvg = _cairosvg()
    try:
        with _WATCHDOG.limit(LONGEST):
            pdf: bytes = cairosvg.svg2pdf(bytestring=svg)
    except Exception as error:  # CairoSVG raises whatever it stumbles over, and cairo its own errors
        slow = isinstance(error, TookTooLongError)
        why = f"it takes more than {LONGEST:g} seconds" if slow else f"{type(error).__name__}: {error}"
        message = f"CairoSVG cannot draw a piece of artwork: {why}"
        place = Place("<artwork>", excerpt=svg[:200].decode("utf-8", "replace"))
        raise CardgenError(Diagnostic(UNDRAWABLE, message, place, help=f"it begins {place.excerpt!r}")) from None
    return pdf


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
