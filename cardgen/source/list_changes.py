"""How one list became another, such as the lines of a file, in a time that grows with them, whatever they repeat."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

# Pairs of items that are compared one by one; and how often the items that a part has only once are looked for in it.
_FEW_PAIRS, _MOST_LEVELS = 2_500, 5


class _Block(NamedTuple):
    """Equal items, as `difflib` has them: the first of then, the first of now, and their number."""

    a: int
    b: int
    size: int


class ListChanges(SequenceMatcher[Any]):
    """Changes of a list, with the methods of its base class.

    That would compare each item with all equal ones, and once more for each change, which takes hours for a file of
    repeated lines. Here, items that are there once divide the list, and long parts without any are replaced as a whole.
    """

    def __init__(self, old: Sequence[Hashable], new: Sequence[Hashable]) -> None:
        super().__init__(None, (), ())
        self.a, self.b = old, new

    def get_matching_blocks(self) -> list[_Block]:  # type: ignore[override]
        """Return the equal items in order, and an empty block at the end."""
        blocks: list[_Block] = []
        for found in self._equal(0, len(self.a), 0, len(self.b), _MOST_LEVELS):
            last = blocks[-1] if blocks else _Block(-1, -1, 0)
            if (last.a + last.size, last.b + last.size) == found[:2]:
                blocks[-1] = last._replace(size=last.size + found.size)
            else:
                blocks.append(found)
        return [*blocks, _Block(len(self.a), len(self.b), 0)]

    def _equal(self, start: int, end: int, other: int, other_end: int, levels: int) -> Iterator[_Block]:
        """Yield what is equal in a part, in order."""
        old, new = self.a, self.b
        top, most = 0, min(end - start, other_end - other)
        while top < most and old[start + top] == new[other + top]:
            top += 1
        low = 0
        while low < most - top and old[end - low - 1] == new[other_end - low - 1]:
            low += 1
        if top:
            yield _Block(start, other, top)
        yield from self._in_middle(start + top, end - low, other + top, other_end - low, levels)
        if low:
            yield _Block(end - low, other_end - low, low)

    def _in_middle(self, start: int, end: int, other: int, other_end: int, levels: int) -> Iterator[_Block]:
        if (end - start) * (other_end - other) <= _FEW_PAIRS:
            few = SequenceMatcher(None, self.a[start:end], self.b[other:other_end], autojunk=False)
            yield from (_Block(start + a, other + b, size) for a, b, size in few.get_matching_blocks() if size)
        elif levels and (shared := self._shared(start, end, other, other_end)):
            for at, there in [*shared, (end, other_end)]:
                yield from self._equal(start, at, other, there, levels - 1)
                if at < end:
                    yield _Block(at, there, 1)
                start, other = at + 1, there + 1

    def _shared(self, start: int, end: int, other: int, other_end: int) -> list[tuple[int, int]]:
        """Return where the items are that a part has once, both then and now: the longest series that is in order."""
        counts, own = Counter(self.a[start:end]), Counter(self.b[other:other_end])
        places = {item: there for there, item in enumerate(self.b[other:other_end], other) if own[item] == 1}
        old = enumerate(self.a[start:end], start)
        pairs = [(at, places[item]) for at, item in old if item in places and counts[item] == 1]
        # Of the series of each length, that with the least end, and the pair before each.
        ends, last, before = list[int](), list[int](), list[int]()
        for number, (_, there) in enumerate(pairs):
            length = bisect_left(ends, there)
            ends[length : length + 1], last[length : length + 1] = [there], [number]
            before.append(last[length - 1] if length else -1)
        series, number = list[tuple[int, int]](), last[-1] if last else -1
        while number >= 0:
            series.append(pairs[number])
            number = before[number]
        return series[::-1]
