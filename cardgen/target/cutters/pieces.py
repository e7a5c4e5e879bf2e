"""Pieces that a cutter cuts, and accessories with outlines of their own, which are cut by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.print.render import RenderedCard
from cardgen.target.job import ExportJob, is_accessory


def cut_pieces(job: ExportJob[Any]) -> list[RenderedCard]:
    """Return the pieces that are rectangles or circles. Raises CardgenError if there are none."""
    cards = [card for card in job.cards if not is_accessory(card)]
    if not cards:
        message = f"{job.profile.title} cuts no boxes, dials, or mats"
        advice = "print them with 'cardgen build', and cut them by hand"
        raise CardgenError(Diagnostic(Code.NOT_EXPORTABLE, message, Place(job.name), advice))
    return cards


def left_out(job: ExportJob[Any]) -> tuple[RenderedCard, ...]:
    """Return the pieces that are cut by hand."""
    return tuple(card for card in job.cards if is_accessory(card))


def left_out_notes(job: ExportJob[Any]) -> Iterator[str]:
    """Yield a note about the pieces that are cut by hand."""
    kinds = list(dict.fromkeys(card.entry.kind for card in left_out(job)))
    if kinds:
        yield f"skipped {', '.join(kinds)}: print them with 'cardgen build', and cut them by hand"
