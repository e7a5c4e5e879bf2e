"""The scoreboard of a battle: what a screen shows of its sides and units."""

from __future__ import annotations

from typing import NamedTuple


class UnitStatus(NamedTuple):
    """How a unit stands, in words such as '3/5'; `is_out` is true if it is lost for good."""

    name: str
    state: str
    is_out: bool = False


class SideStatus(NamedTuple):
    """How a side stands: its score in words, which may be empty, and its units."""

    name: str
    score: str
    units: tuple[UnitStatus, ...]


class Scoreboard(NamedTuple):
    """How a battle stands: the time in words, such as 'Turn 2', and its sides."""

    time: str
    sides: tuple[SideStatus, ...]
