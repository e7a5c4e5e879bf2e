"""What checks see of a drawn card: how its texts were set, and its pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardgen.source import KeyPath

if TYPE_CHECKING:
    from cardgen.text.lines import Fit


class PrintedPicture(NamedTuple):
    """A picture on a face: its pixels to an inch, at the route of the card's key that names it."""

    file: str
    dpi: float
    route: KeyPath = ("art",)


class PrintedCard(NamedTuple):
    """One card as it is printed, front and back together."""

    fits: tuple[Fit, ...]
    pictures: tuple[PrintedPicture, ...]
