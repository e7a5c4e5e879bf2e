"""Press PDFs of a selection of cards, one per size."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.export.inks import PressStandard, load_profile
from cardgen.export.pdf import writer
from cardgen.export.press import PressSettings, make_press_pdf
from cardgen.face.face import Face
from cardgen.print.render import RenderedCard
from cardgen.sheet.imposition import impose_single
from cardgen.sheet.leaf import Leaf, SheetPage, pages_of
from cardgen.target.job import CutFormat, ExportJob, Outcome
from cardgen.target.print import pieces
from cardgen.units import Shape


def export_documents(job: ExportJob[Any], selection: pieces.Selection) -> Outcome:
    """Add one PDF for each size and shape, and return the outcome.

    Raises CardgenError without a color profile.
    """
    settings = _press_settings(job)
    by_format: dict[CutFormat, list[RenderedCard]] = {}
    for card in job.expand(selection.cards):
        by_format.setdefault(CutFormat.of(card), []).append(card)
    pages = 0
    for each, cards in by_format.items():
        leaves = list(impose_single([card.piece for card in cards], each.size, settings_bleed(job)))
        drawn = _in_order(leaves, job.profile.page_order)
        about = writer.DocumentInfo(job.title)
        in_format = replace(settings, corner_radius=_corner_radius(each, settings.corner_radius))
        document = writer.write(drawn, job.fonts, about, job.artwork_cache)
        job.output.add(_file_name(job, each, alone=len(by_format) == 1), make_press_pdf(document, drawn, in_format))
        job.progress.step("pages")
        pages += len(drawn)
    return Outcome(
        {"pages": pages}, (*selection.notes, *_notes(job, selection.cards)), _next_step(job), selection.skipped
    )


def _corner_radius(each: CutFormat, rounded: float) -> float:
    """Return the radius of cut corners; that of a round piece makes a circle."""
    return min(each.size) / 2 if each.shape is Shape.ROUND else each.radius(rounded)


def settings_bleed(job: ExportJob[Any]) -> float:
    """Return the bleed of the pages in millimeters."""
    return job.profile.bleed if job.profile.bleed is not None else job.project.settings.bleed


def _press_settings(job: ExportJob[Any]) -> PressSettings:
    path, profile = pieces.profile_option(job), job.profile
    if path is None:
        advice = "add --profile with the ICC file that the printer names"
        raise CardgenError(
            Diagnostic(Code.BAD_PROFILE, "a press PDF needs a color profile", Place("--profile"), advice)
        )
    return PressSettings(
        load_profile(path),
        PressStandard(profile.standard or "PDF/X-4"),
        profile.ink_limit / 100,
        profile.cut_contour,
        profile.corner_radius,
        job.dpi,
    )


def _in_order(leaves: Sequence[Leaf[Face]], order: str) -> Sequence[SheetPage[Face]]:
    """Return the pages in the order of the press; if only some cards have backs, those of the others are empty."""
    pages = pages_of(leaves)
    if all(leaf.back is None for leaf in leaves):
        return pages
    fronts, backs = pages[::2], pages[1::2]
    if order == "separate":
        return (*fronts, *backs)
    first, second = (backs, fronts) if order == "back-front" else (fronts, backs)
    return [page for pair in zip(first, second, strict=True) for page in pair]


def _file_name(job: ExportJob[Any], each: CutFormat, *, alone: bool) -> str:
    size = each.size
    detail = "" if alone else f"-{size.width:g}x{size.height:g}mm{each.suffix}"
    return f"{job.stem}{detail}.pdf"


def _notes(job: ExportJob[Any], cards: Sequence[RenderedCard]) -> Iterator[str]:
    bare = sum(card.piece.back is None for card in cards)
    if 0 < bare < len(cards):
        yield f"{bare} cards have no back; their back pages are empty"
    if any(face.fields for card in cards for face in (card.piece.front, card.piece.back) if face):
        yield "form fields are left out"


def _next_step(job: ExportJob[Any]) -> str:
    standard = job.profile.standard or PressStandard.X4
    folder = job.request.output
    option = "" if folder == Path("output") / job.name else f" -o {shlex.quote(os.fspath(folder))}"
    return f"run 'cardgen preflight {job.name}{option}', then send the PDF; it is made to {standard}, not certified"
