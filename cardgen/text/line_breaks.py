"""Break opportunities of a row, and the choice of balanced lines.

Pure arithmetic. An item is an unbreakable part of one long row; item k extends from `begins[k]` to `ends[k]`, and a
line of the items i to j is `ends[j] - begins[i]` wide. Both increase from item to item. The space between two items is
between the end of one and the beginning of the next. A hyphen is part of an item's end, so an end may lie beyond the
next beginning.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import inf
from operator import sub

from cardgen.text.hyphenation import hyphen_points
from cardgen.text.shaped_row import ICON_PLACEHOLDER, ShapedRow, shape_word

# Partial solution: beginning of the next line, cost, and last items of the lines so far.
_PartialBreaks = tuple[float, float, tuple[int, ...]]
# Tolerance, so that rounding does not move a word that fits exactly to the next line.
_EPSILON = 1e-6
# Larger tolerance: whatever fits in greedy_breaks must fit here, however it is rounded.
_TOLERANCE = 2 * _EPSILON
# Penalty of a hyphen; an empty line costs 1.0.
_HYPHEN_PENALTY = 0.04
# Minimum fraction of the width for a last line without penalty.
_SHORT_LAST_LINE = 0.4


def greedy_breaks(begins: Sequence[float], ends: Sequence[float], width: float) -> list[int]:
    """Return the last item of each line, with every line full.

    This gives the fewest lines. An item wider than `width` gets its own line.
    """
    lasts: list[int] = []
    first, count = 0, len(ends)
    width += _EPSILON
    while first < count:
        following = bisect_right(ends, begins[first] + width, first)
        first = following if following > first else first + 1
        lasts.append(first - 1)
    return lasts


def balanced_breaks(
    begins: Sequence[float],
    ends: Sequence[float],
    hyphens: Sequence[bool],
    width: float,
    *,
    balance_last_line: bool = False,
) -> list[int]:
    """Return the last item of each line, minimizing squared empty space.

    The number of lines is that of `greedy_breaks`. Unless `balance_last_line` is set, the last line may be short, but
    not very short. If an item is wider than `width`, the result is that of `greedy_breaks`.
    """
    latest = greedy_breaks(begins, ends, width)
    if len(latest) < 2 or max(map(sub, ends, begins)) > width + _EPSILON:
        return latest
    search = _BreakSearch(begins, ends, hyphens, width, width if balance_last_line else width * _SHORT_LAST_LINE)
    return search.best_breaks(latest)


class _BreakSearch:
    """Search for the cheapest lines; `short` is a free last line's width."""

    def __init__(
        self, begins: Sequence[float], ends: Sequence[float], hyphens: Sequence[bool], width: float, short: float
    ) -> None:
        self._begins, self._ends, self._hyphens = begins, ends, hyphens
        self._width, self._short = width, short
        self._hyphen_cost = _HYPHEN_PENALTY * width * width

    def best_breaks(self, latest: list[int]) -> list[int]:
        """Return the cheapest breaks, found line by line."""
        earliest = self._earliest(len(latest))
        if earliest == latest:
            return latest
        bound = self._cost(latest) * (1 + _EPSILON) + _EPSILON
        ways: list[_PartialBreaks] = [(self._begins[0], 0.0, ())]
        for window in zip(earliest[:-1], latest[:-1], strict=True):
            ways = list(self._extend(ways, window, bound))
        return [*min(ways, key=self._final_cost)[2], latest[-1]]

    def _extend(self, ways: list[_PartialBreaks], window: tuple[int, int], bound: float) -> Iterator[_PartialBreaks]:
        """Yield partial solutions with one more line, cheaper than the bound."""
        begins, ends, width = self._begins, self._ends, self._width
        for last in range(window[0], window[1] + 1):
            room, cheapest, best = width - ends[last], bound, None
            for way in ways:
                empty = room + way[0]
                if empty < -_TOLERANCE:
                    continue
                square = empty * empty
                if square >= cheapest:
                    break  # the empty space only grows from here on
                if way[1] + square < cheapest:
                    cheapest, best = way[1] + square, way
            if best is not None:
                cost = cheapest + self._hyphen_cost if self._hyphens[last] else cheapest
                yield begins[last + 1], cost, (*best[2], last)

    def _final_cost(self, way: _PartialBreaks) -> float:
        line = self._ends[-1] - way[0]
        return inf if line > self._width + _TOLERANCE else way[1] + max(0.0, self._short - line) ** 2

    def _cost(self, lasts: list[int]) -> float:
        cost, begin = 0.0, self._begins[0]
        for last in lasts[:-1]:
            cost += (self._width - self._ends[last] + begin) ** 2 + self._hyphen_cost * self._hyphens[last]
            begin = self._begins[last + 1]
        return self._final_cost((begin, cost, ()))

    def _earliest(self, lines: int) -> list[int]:
        """Return the first feasible last item of each line."""
        last = len(self._ends) - 1
        lasts = [last]
        for _ in range(lines - 1):
            last = bisect_left(self._begins, self._ends[last] - self._width - _TOLERANCE) - 1
            lasts.append(last)
        # Every line has an item, even if the first lines could be empty.
        return [last if last > line else line for line, last in enumerate(reversed(lasts))]


_UNITS = "cm|mm|m|in|inch|inches|ft|pt|points?|dice"
_WIDE = "\u2e80-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff60"
_NOT_FIRST = "、。，．・：；！？）」』】〉》ー々"
_NOT_LAST = "（「『【〈《"
# Each pattern starts with a character class, so that the regex engine can skip other characters. No line breaks after a
# signed number (+1 Mind), or between a number and its unit, a term, or an icon (12 cm, 69 %, 2 Wounds).
_NO_BREAK = re.compile(
    rf"""[\d+±−-](?:
        (?<=[+±−-])(?<![^\s(].)\d+(?=\ )
      | (?<=\d)(?<![\w.,].)[\d.,]*(?:D\d+)?(?=\ (?:(?:{_UNITS})\b|%|[A-Z{ICON_PLACEHOLDER}]))
    )""",
    re.VERBOSE,
)
_BEFORE_DASH = re.compile(" (?=[–—])")
_DASH_OR_WIDE = re.compile(f"[–—{_WIDE}]")
# Lines may also break after the hyphen of Servo-Skull, the slash of and/or (but not in 1-2), and a dash.
_BREAK_AFTER = re.compile(r"[-‐/–—](?:(?<=[^\s\d][–—])(?=\w)|(?<=\w\w[-‐/])(?=[^\W\d_][^\W\d_]))")
_BESIDE_WIDE = re.compile(rf"(?<![{_NOT_LAST}])(?:(?<=[{_WIDE}])(?=\w)|(?<=\w)(?=[{_WIDE}]))(?![{_NOT_FIRST}])")
_LETTERS = re.compile(r"[^\W\d_]{5,}")


def insert_no_break_spaces(text: str) -> str:
    """Replace spaces where no line may break with no-break spaces."""
    letters = list(text)
    for match in _NO_BREAK.finditer(text):
        letters[match.end()] = "\u00a0"
    return "".join(letters)


@dataclass(slots=True)
class BreakItems:
    """Row split into unbreakable items; item k ends before character `stops[k]`.

    `begins` and `ends` are pen positions (thousandths of the size): where each item begins, and where a line that
    breaks after it ends. `hyphens` says whether that end includes a hyphen.
    """

    row: ShapedRow
    stops: list[int]
    hyphens: list[bool]
    begins: list[float]
    ends: list[float]

    @property
    def widest(self) -> float:
        """The width of the widest item."""
        widest: float = max(map(sub, self.ends, self.begins))
        return widest

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return the characters of a line of the items `first` to `last`."""
        return resume(self.row, self.stops[first - 1]) if first else 0, self.stops[last]


def single_item(row: ShapedRow) -> BreakItems:
    """Return a row as one unbreakable item."""
    return BreakItems(row, [len(row.source)], [False], [0.0], [row.width])


def break_items(row: ShapedRow, language: str | None = None) -> BreakItems:
    """Split a row at spaces and hyphens, and by language at syllables."""
    source = row.source
    stops = list(accumulate([len(word) + 1 for word in source.split(" ")], initial=-1))[1:-1]
    no_break = {number.end() for number in _NO_BREAK.finditer(source)}
    joints = [joint.end() for joint in _BREAK_AFTER.finditer(source)]
    if not source.isascii() and _DASH_OR_WIDE.search(source):
        no_break |= {space.start() for space in _BEFORE_DASH.finditer(source)}
        joints += [gap.start() for gap in _BESIDE_WIDE.finditer(source)]
    if no_break:
        stops = [stop for stop in stops if stop not in no_break]
    if joints:
        stops = sorted({*stops, *joints})
    hyphens = set(_syllables(row, language)) if language else set()
    if row.soft_hyphens:
        hyphens |= set(_soft_hyphens(row))
    return _build_items(row, stops, hyphens)


def emergency_breaks(items: BreakItems, width: float) -> tuple[BreakItems, int]:
    """Break items wider than `width`, and count the characters broken off."""
    row, stops, broken_characters = items.row, list[int](), 0
    for number, (stop, begin, end) in enumerate(zip(items.stops, items.begins, items.ends, strict=True)):
        if end - begin > width:
            hyphen = row.pen_positions[stop] - row.tracking - end
            pieces = list(_emergency_stops(row, items.span(number, number), width + min(0.0, hyphen)))
            broken_characters += stop - pieces[0] if pieces else 1
            stops += pieces
        stops.append(stop)
    hyphens = {stop for stop, hyphen in zip(items.stops, items.hyphens, strict=True) if hyphen}
    return _build_items(row, stops[:-1], hyphens), broken_characters


def hyphen_advances(row: ShapedRow, stop: int) -> tuple[float, float]:
    """Return the advances of the character before `stop`, and of its hyphen."""
    pair = shape_word(row.styled_runs[row.run_index_at(stop - 1)].font, row.text[stop - 1] + "-")
    return pair[0] + row.tracking, pair[1]


def _build_items(row: ShapedRow, stops: list[int], hyphens: Collection[int]) -> BreakItems:
    pen_positions, source, tracking = row.pen_positions, row.source, row.tracking
    if hyphens:
        stops = sorted({*stops, *hyphens})
    resumes = [stop + (source[stop] == " ") for stop in stops]
    stops = [*stops, len(source)]
    begins = [0.0, *map(pen_positions.__getitem__, resumes)]
    ends = [*map(pen_positions.__getitem__, stops)]
    if tracking:
        ends = [end - tracking for end in ends]
    plain = BreakItems(row, stops, [False] * len(stops), begins, ends)
    return _with_hyphens(plain, hyphens) if hyphens else plain


def _with_hyphens(items: BreakItems, hyphens: Collection[int]) -> BreakItems:
    """Add hyphen widths to the ends, and drop useless hyphens."""
    row = items.row
    flags = [stop in hyphens for stop in items.stops]
    ends = [
        row.pen_positions[stop - 1] + sum(hyphen_advances(row, stop)) if hyphen else end
        for stop, hyphen, end in zip(items.stops, flags, items.ends, strict=True)
    ]
    kept = _drop_useless_hyphens(ends, flags)
    begins = [0.0, *(items.begins[number + 1] for number in kept[:-1])]
    stops = [items.stops[number] for number in kept]
    return BreakItems(row, stops, [flags[number] for number in kept], begins, [ends[number] for number in kept])


def _drop_useless_hyphens(ends: list[float], hyphens: list[bool]) -> list[int]:
    """Return the breaks without hyphens that reach the next break."""
    kept: list[int] = []
    following = inf
    for number in reversed(range(len(ends))):
        if not hyphens[number] or ends[number] < following:
            kept.append(number)
            following = ends[number]
    return kept[::-1]


def resume(row: ShapedRow, stop: int) -> int:
    """Return where the next line begins, after a space if any."""
    return stop + row.source.startswith(" ", stop)


def _soft_hyphens(row: ShapedRow) -> Iterator[int]:
    """Yield the author's soft hyphens that are inside words."""
    inside = (stop for stop in row.soft_hyphens if 0 < stop < len(row.source))
    return (stop for stop in inside if row.source[stop - 1 : stop + 1].isalnum())


def _syllables(row: ShapedRow, language: str) -> Iterator[int]:
    for word in _LETTERS.finditer(row.source):
        for point in hyphen_points(word[0], language):
            yield word.start() + point


def _emergency_stops(row: ShapedRow, span: tuple[int, int], width: float) -> Iterator[int]:
    """Yield stops that split characters into pieces of at most `width`.

    Each piece has at least one character.
    """
    start, stop = span
    room = width + row.tracking
    while row.pen_positions[stop] - row.pen_positions[start] > room and start + 1 < stop:
        start = max(start + 1, bisect_right(row.pen_positions, row.pen_positions[start] + room, start, stop) - 1)
        yield start
