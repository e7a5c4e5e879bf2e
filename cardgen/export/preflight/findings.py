"""Requirements of a print service, and what a file has that differs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import NamedTuple

from cardgen.diagnostic import Severity
from cardgen.units import Box, Size


@dataclass(frozen=True, slots=True)
class Requirements:
    """What a file must have; lengths are in millimeters, and sizes of type in points.

    `sizes` are the trim sizes and `pixels` the sizes of pictures, if only some are allowed. `ink_limit` is the maximum
    total of inks, such as 2.4, for `standard`, the version of PDF/X; without one, colors may be those of a screen.
    """

    title: str
    sizes: tuple[Size, ...] = ()
    pixels: Collection[tuple[int, int]] = ()
    bleed: float = 0.0
    safe: float = 0.0
    page_order: str = "front-back"
    standard: str | None = None
    ink_limit: float = 4.0
    most_cards: int | None = None
    smallest_type: float = 0.0
    min_dpi: int = 0


class Finding(NamedTuple):
    """A difference: the check that found it, its file, page from 1, card, and place on the page in millimeters."""

    check: str
    message: str
    file: str = ""
    page: int | None = None
    card: str = ""
    box: Box | None = None
    severity: Severity = Severity.ERROR


@dataclass(slots=True)
class Report:
    """What a preflight has measured and found."""

    findings: list[Finding] = field(default_factory=list)
    files: int = 0
    pages: int = 0

    @property
    def errors(self) -> int:
        """The number of findings that a service would refuse."""
        return sum(finding.severity is Severity.ERROR for finding in self.findings)


# Differences of measured lengths and resolutions that are rounding.
ROUNDING_MM = 0.05
ROUNDING_DPI = 2


def matches(size: Size, allowed: Collection[Size], tolerance: float = 0.15) -> bool:
    """Return whether a size is one of those allowed, upright or turned; without any, all are."""
    candidates = [turned for each in allowed for turned in (each, each.swap_sides())]
    return not candidates or any(
        max(abs(size.width - each.width), abs(size.height - each.height)) <= tolerance for each in candidates
    )
