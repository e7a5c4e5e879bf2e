"""Notes of a battle: what players have measured, as far as Moves leave it true, and who has declined to react."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

from cardgen.rulesets.warniris.limits import TABLE_DIAGONAL

# Players measure to the nearest cm.
ROUNDING = 1
# No miniature fits between two that are so near to each other, in cm.
NO_ROOM = 1
# What players add to a distance: marks of the line, and the names of those in between.
Marks: TypeAlias = tuple[int | str, ...]


class Span(NamedTuple):
    """The least and the greatest distance that two miniatures can have, in cm."""

    low: int = 0
    high: int = TABLE_DIAGONAL

    def __str__(self) -> str:
        if self.high == TABLE_DIAGONAL:
            return f"at least {self.low} cm"
        return f"{self.low} to {self.high} cm" if self.low else f"at most {self.high} cm"

    def decides(self, limits: Iterable[int]) -> bool:
        """Whether every distance of the span is on the same side of each limit."""
        return not any(self.low <= limit < self.high for limit in limits)

    def widened(self, cm: int) -> Span:
        """The span after a Move of up to `cm`."""
        return Span(max(0, self.low - cm - ROUNDING), min(TABLE_DIAGONAL, self.high + cm + ROUNDING))

    def narrowed(self, low: int = 0, high: int = TABLE_DIAGONAL) -> Span:
        """The part of the span within these bounds; the bounds themselves where they contradict it."""
        part = Span(max(self.low, low), min(self.high, high))
        return part if part.low <= part.high else Span(low, high)


class SightLine(NamedTuple):
    """What is in the line between two miniatures; `between` is in order, from the one that looks."""

    is_hidden: bool = False
    is_gap: bool = False
    between: tuple[int, ...] = ()


class _Counted(Protocol):
    """A state with counters."""

    @property
    def counters(self) -> tuple[int, ...]: ...


S = TypeVar("S", bound=_Counted)


class TableNotes:
    """Distances and lines of sight that are still true, and the windows in which a side does not react.

    `mover` is who has just Moved, while enemies may still say that they react to it. `counters` are the latest Wounds
    and VP, for the scoreboard.
    """

    def __init__(self) -> None:
        self._spans: dict[frozenset[int], Span] = {}
        self._lines: dict[tuple[int, int], SightLine] = {}
        self._arrivals: dict[tuple[int, int], Marks] = {}
        self._declined: dict[int, str] = {}
        self.mover: int | None = None
        self.counters: tuple[int, ...] = ()

    def reset(self) -> None:
        """Forget everything."""
        self._spans.clear()
        self._lines.clear()
        self._arrivals.clear()
        self._declined.clear()
        self.mover, self.counters = None, ()

    def note_counters(self, state: S) -> S:
        """Note the counters of a state, and return it."""
        self.counters = state.counters
        return state

    def span(self, who: int, other: int) -> Span:
        """The distances that two miniatures can have."""
        return self._spans.get(frozenset((who, other)), Span())

    def set_span(self, who: int, other: int, span: Span) -> None:
        """Note the distance of two miniatures."""
        self._spans[frozenset((who, other))] = span

    def line(self, who: int, other: int) -> SightLine | None:
        """The line from one miniature to another, or None if it may have changed."""
        return self._lines.get((who, other))

    def set_line(self, who: int, other: int, line: SightLine) -> None:
        """Note a line, in both directions."""
        self._lines[who, other] = line
        self._lines[other, who] = line._replace(between=line.between[::-1])

    def expect_arrival(self, who: int, other: int, marks: Marks) -> None:
        """Note the marks of the line that there will be at the end of a free Move."""
        self._arrivals[who, other] = marks

    def take_arrival(self, who: int, other: int) -> Marks | None:
        """Return the marks that were expected at the end of a free Move, once."""
        return self._arrivals.pop((who, other), None)

    def move(self, who: int, cm: int) -> None:
        """Note a Move of up to `cm`. A miniature that moves may enter or leave any line that it can come near."""
        for pair, span in self._spans.items():
            if who in pair:
                self._spans[pair] = span.widened(cm)
        self._lines = {pair: line for pair, line in self._lines.items() if not self._may_touch(who, pair, line)}

    def _may_touch(self, who: int, pair: tuple[int, int], line: SightLine) -> bool:
        """Whether a miniature that moves may change a line: whoever is in between is nearer than the two ends are."""
        if who in pair or who in line.between:
            return True
        length = self.span(*pair).high
        return length > NO_ROOM and all(self.span(who, end).low <= length for end in pair)

    def forget(self, whom: Iterable[int]) -> None:
        """Forget where these miniatures are."""
        gone = set(whom)
        self._spans = {pair: span for pair, span in self._spans.items() if not pair & gone}
        self._lines = {pair: line for pair, line in self._lines.items() if not gone & {*pair, *line.between}}

    def decline(self, side: int, window: str) -> None:
        """Note that a side does not react until the end of an activation or a turn."""
        self._declined[side] = window

    def declines(self, side: int) -> bool:
        """Whether a side does not react now."""
        return side in self._declined

    def end_window(self, window: str) -> None:
        """Ask again whether sides react that declined until now."""
        ended = ("activation",) if window == "activation" else ("activation", "turn")
        self._declined = {side: until for side, until in self._declined.items() if until not in ended}
