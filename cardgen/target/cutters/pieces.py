"""Pieces that a cutter cuts, accessories with outlines of their own, which are cut by hand, and files of cut lines."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.print.render import RenderedCard
from cardgen.runtime.escapes import escape_xml as escape
from cardgen.sheet.leaf import Slot
from cardgen.target.job import ExportJob, is_accessory
from cardgen.units import Box, Shape, Size


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


# Cut lines of a sheet as DXF and SVG, for the programs of cutters.

# The bulge of a quarter circle: the tangent of a quarter of its angle.
_QUARTER = math.tan(math.pi / 8)
_LAYER = "CutContour"


def cut_dxf(slots: Sequence[Slot], paper: Size, radius: float) -> bytes:
    """Return the cut lines as DXF R12 in millimeters, y upward from the lower left corner of the paper."""
    groups: list[tuple[int, str | float]] = [
        (0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009"), (9, "$INSUNITS"), (70, 4),
        (9, "$EXTMIN"), (10, 0.0), (20, 0.0), (9, "$EXTMAX"), (10, paper.width), (20, paper.height), (0, "ENDSEC"),
        (0, "SECTION"), (2, "TABLES"), (0, "TABLE"), (2, "LTYPE"), (70, 1), (0, "LTYPE"), (2, "CONTINUOUS"), (70, 0),
        (3, "Solid line"), (72, 65), (73, 0), (40, 0.0), (0, "ENDTAB"),
        (0, "TABLE"), (2, "LAYER"), (70, 1), (0, "LAYER"), (2, _LAYER), (70, 0), (62, 6), (6, "CONTINUOUS"),
        (0, "ENDTAB"), (0, "ENDSEC"), (0, "SECTION"), (2, "ENTITIES"),
    ]  # fmt: skip
    for slot in slots:
        groups += _circle(slot.trim, paper) if slot.shape is Shape.ROUND else _rectangle(slot.trim, paper, radius)
    groups += [(0, "ENDSEC"), (0, "EOF")]
    return "".join(f"{code}\n{_text(value)}\n" for code, value in groups).encode()


def _text(value: str | float) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def _circle(box: Box, paper: Size) -> Iterator[tuple[int, str | float]]:
    yield from ((0, "CIRCLE"), (8, _LAYER), (10, box.x + box.width / 2))
    yield from ((20, paper.height - box.y - box.height / 2), (40, min(box.width, box.height) / 2))


def _rectangle(box: Box, paper: Size, radius: float) -> Iterator[tuple[int, str | float]]:
    yield from ((0, "POLYLINE"), (8, _LAYER), (66, 1), (70, 1))
    for x, y, bulge in _vertices(box, paper.height, min(radius, box.width / 2, box.height / 2)):
        yield from ((0, "VERTEX"), (8, _LAYER), (10, x), (20, y), (42, bulge))
    yield from ((0, "SEQEND"), (8, _LAYER))


def _vertices(box: Box, height: float, radius: float) -> Iterator[tuple[float, float, float]]:
    """Yield the vertices counterclockwise, each with the bulge of the part that follows it."""
    left, right, low, high = box.x, box.right, height - box.bottom, height - box.y
    if radius <= 0:
        yield from ((left, low, 0.0), (right, low, 0.0), (right, high, 0.0), (left, high, 0.0))
        return
    yield from ((left + radius, low, 0.0), (right - radius, low, _QUARTER))
    yield from ((right, low + radius, 0.0), (right, high - radius, _QUARTER))
    yield from ((right - radius, high, 0.0), (left + radius, high, _QUARTER))
    yield from ((left, high - radius, 0.0), (left, low + radius, _QUARTER))


def cut_svg(slots: Iterable[Slot], paper: Size, radius: float, title: str) -> bytes:
    """Return the cut lines as SVG in millimeters."""
    shapes = "\n".join(_shape(slot, radius) for slot in slots)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{paper.width:g}mm" height="{paper.height:g}mm"'
        f' viewBox="0 0 {paper.width:g} {paper.height:g}">\n<title>{escape(title)}</title>\n'
        f'<g id="{_LAYER}" fill="none" stroke="#ff00ff" stroke-width="0.1">\n{shapes}\n</g>\n</svg>\n'
    ).encode()


def _shape(slot: Slot, radius: float) -> str:
    box = slot.trim
    if slot.shape is Shape.ROUND:
        r = min(box.width, box.height) / 2
        return f'<circle cx="{box.x + box.width / 2:.4f}" cy="{box.y + box.height / 2:.4f}" r="{r:.4f}"/>'
    place = f'x="{box.x:.4f}" y="{box.y:.4f}" width="{box.width:.4f}" height="{box.height:.4f}"'
    return f'<rect {place} rx="{radius:g}"/>'
