"""Artwork chunks become PDF, by CairoSVG."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from cardgen.diagnostic import CardgenError, Diagnostic, Place

NO_CAIRO = "CG590"
UNDRAWABLE = "CG591"


@lru_cache(maxsize=4096)
def to_pdf(svg: bytes) -> bytes:
    """A one-page PDF of the size that the SVG gives itself; what was drawn lately is not drawn again.

    Raises CardgenError when libcairo is missing, or when CairoSVG cannot draw the chunk.
    """
    cairosvg = _cairosvg()
    try:
        pdf: bytes = cairosvg.svg2pdf(bytestring=svg)
    except (ValueError, TypeError, KeyError, ArithmeticError, RecursionError, LookupError) as error:
        message = f"CairoSVG cannot draw a piece of artwork: {type(error).__name__}: {error}"
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
