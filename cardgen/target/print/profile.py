"""Profiles of print services."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from cardgen.options import LEAST_DPI, MOST_DPI
from cardgen.project.project import CardSize, Length
from cardgen.target.profile import ServiceProfile
from cardgen.validation.base import Int, Number, Text

PageOrder = Literal["front-back", "back-front", "separate"]


class PrintProfile(ServiceProfile):
    """Requirements of a print service; lengths are in millimeters.

    `sizes` are the trim sizes that it cuts; without any, it cuts all. `safe` is the distance from the trim that it asks
    to keep free, and `ink_limit` the maximum total of inks in percent. `most_cards` is the maximum number of cards in
    an order, and `smallest_type` the smallest type size in points. `cut_contour` is the spot color of cut lines.
    """

    sizes: tuple[CardSize, ...] = ()
    bleed: Length | None = 3.0
    safe: Length = 3.0
    corner_radius: Length = 3.0
    page_order: PageOrder = "front-back"
    ink_limit: Annotated[Int, Field(ge=100, le=400)] = 300
    standard: Literal["PDF/X-4", "PDF/X-1a:2003"] | None = None
    cut_contour: Text | None = None
    most_cards: Annotated[Int, Field(ge=1)] | None = None
    smallest_type: Annotated[Number, Field(gt=0, le=72)] = 5.0
    min_dpi: Annotated[Int, Field(ge=LEAST_DPI, le=MOST_DPI)] = 250
