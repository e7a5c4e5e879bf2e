"""Cricut: pictures without marks, which Design Space adds itself, and their cut lines."""

from __future__ import annotations

from cardgen.project.project import Length
from cardgen.sheet.leaf import Slot
from cardgen.target.cutters.pieces import cut_pieces, cut_svg, left_out, left_out_notes
from cardgen.target.job import CutFormat, ExportJob, Outcome, faces_of
from cardgen.target.profile import ServiceProfile
from cardgen.units import Box, Size


class CricutProfile(ServiceProfile):
    """Pictures for a Cricut; lengths are in millimeters."""

    corner_radius: Length = 3.0


Profile = CricutProfile


def export(job: ExportJob[CricutProfile]) -> Outcome:
    """Add a picture with bleed for each side, and cut lines for each size of piece.

    The cut lines lie in the middle of the picture, so that both align by their centers.
    """
    bleed = job.project.settings.bleed
    cards = cut_pieces(job)
    picture = job.pictures(faces_of(cards), job.dpi, bleed)
    formats = dict.fromkeys(map(CutFormat.of, cards))
    names: dict[int, str] = {}
    for number, card in enumerate(cards, 1):
        for side, face in (("front", card.piece.front), ("back", card.piece.back)):
            if face is not None and id(face) not in names:
                names[id(face)] = f"{side}s/{number:03}-{card.entry.card.id}-{side}.png"
                job.output.add(names[id(face)], picture(face))
    for each in formats:
        size = each.size
        box = Box(bleed, bleed, *size)
        name = f"cut-{size.width:g}x{size.height:g}mm{each.suffix}"
        paper = Size(size.width + 2 * bleed, size.height + 2 * bleed)
        cut = cut_svg([Slot(box, box, shape=each.shape)], paper, each.radius(job.profile.corner_radius), name)
        job.output.add(f"{name}.svg", cut)
    copies = sum(map(job.copies, cards))
    notes = (f"Design Space places the copies: cut {copies} in all", *left_out_notes(job))
    next_step = "upload a picture and its cut lines, center one on the other, attach them, and print then cut"
    return Outcome({"pictures": len(names), "templates": len(formats)}, notes, next_step, left_out(job))
