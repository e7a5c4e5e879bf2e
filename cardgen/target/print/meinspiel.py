"""MeinSpiel: one picture per side and copy, JPEG in RGB or TIFF in CMYK."""

from __future__ import annotations

from functools import lru_cache

from cardgen.export.inks import Inks, load_profile
from cardgen.face.face import Face
from cardgen.target.job import ExportJob, Outcome, faces_of
from cardgen.target.print import pieces
from cardgen.target.print.pieces import PrintProfile

_QUALITY = 95


Profile = PrintProfile


def export(job: ExportJob[PrintProfile]) -> Outcome:
    """Add the pictures of all copies, numbered in order. Raises CardgenError for a card without a back."""
    selection = pieces.select_two_sided(job, job.profile.sizes)
    copies = list(job.expand(selection.cards))
    pieces.require_count(job, len(copies))
    bleed = job.profile.bleed or 0.0
    picture = job.pictures(faces_of(selection.cards), job.dpi, bleed)
    path = pieces.profile_option(job)
    inks = Inks(load_profile(path), job.profile.ink_limit / 100) if path else None
    suffix = "tif" if inks else "jpg"

    @lru_cache(maxsize=4)
    def content(face: Face) -> bytes:
        image = pieces.cropped(picture(face), pieces.pixels_of(face.size, bleed, job.dpi))
        if inks is None:
            return pieces.encoded(image, "JPEG", job.dpi, quality=_QUALITY, subsampling=0)
        options = {"compression": "tiff_lzw", "icc_profile": inks.profile}
        return pieces.encoded(inks.picture(image), "TIFF", job.dpi, **options)

    for number, card in enumerate(copies, 1):
        for side, face in (("front", card.piece.front), ("back", card.piece.back)):
            assert face is not None
            job.output.add(f"{number:03}-{card.entry.card.id}-{side}.{suffix}", content(face))
    next_step = "upload the pictures in the order of their numbers"
    return Outcome({"pictures": 2 * len(copies)}, selection.notes, next_step, selection.skipped)
