"""What checks see of a drawn card: how its texts were set, and its pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardgen.source import Route

if TYPE_CHECKING:
    from cardgen.text.lines import Fit


@dataclass(frozen=True, slots=True)
class Placed:
    """A picture on a face: its pixels to an inch, at the route of the card's key that names it."""

    file: str
    dpi: float
    route: Route = ("art",)


@dataclass(frozen=True, slots=True)
class Print:
    """One card as it is printed, front and back together."""

    fits: tuple[Fit, ...]
    pictures: tuple[Placed, ...]
