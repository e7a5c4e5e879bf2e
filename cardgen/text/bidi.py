"""Order of text in several directions: the Unicode Bidirectional Algorithm, UAX 9.

Levels are even for text from left to right, and odd for text from right to left. All of the algorithm is here but for
mirrored characters, which fonts have: HarfBuzz draws them in text from right to left.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

_MAX_DEPTH = 125
_MOST_BRACKETS = 63
_EMBEDDINGS = {"LRE": ("L", ""), "RLE": ("R", ""), "LRO": ("L", "L"), "RLO": ("R", "R")}
_ISOLATES = frozenset({"LRI", "RLI", "FSI"})
_REMOVED = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "BN"})
_NEUTRAL = frozenset({"B", "S", "WS", "ON", "LRI", "RLI", "FSI", "PDI"})
_STRONG = {"L": "L", "R": "R", "EN": "R", "AN": "R"}
# Pairs of brackets lie beside each other in Unicode, but for these.
_FAR_PAIRS = {"[": "]", "{": "}", "\uff3b": "\uff3d", "\uff5b": "\uff5d", "\u298d": "\u2990", "\u298f": "\u298e"}
_EQUIVALENT = {"\u2329": "\u3008", "\u232a": "\u3009"}

# Letters from right to left, and characters that set a direction.
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff"
                            "\U0001e800-\U0001efff]")  # fmt: skip
# A number is read from left to right with its sign and its unit, in any text: '+2', '15 cm', '50 %', '2-4'.
_MEASURE = re.compile(
    r"(?<![\w.,])[+±−-]?\d+(?:[.,:/×–-]\d+)*(?:[ \u00a0\u202f]?(?:[A-Za-z]{1,6}(?![A-Za-z])|[%°″′]))?"
)
_LRI, _PDI = "\u2066", "\u2069"


class Levels(NamedTuple):
    """The level of a paragraph, and those of its characters."""

    base: int
    levels: bytearray


def has_right_to_left(text: str) -> bool:
    """Return whether any of a text can be from right to left."""
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None


def resolve_text(text: str, base: int | None = None) -> Levels:
    """Return the levels of a printed text, in which numbers with signs or units keep their order (see `resolve`)."""
    whole, kept, at = "", bytearray(), 0
    for match in _MEASURE.finditer(text):
        if not match[0].isdigit():
            before = text[at : match.start()]
            whole += f"{before}{_LRI}{match[0]}{_PDI}"
            kept += b"\1" * len(before) + b"\0" + b"\1" * len(match[0]) + b"\0"
            at = match.end()
    resolved = resolve(whole + text[at:], base)
    kept += b"\1" * (len(text) - at)
    return Levels(resolved.base, bytearray(level for level, own in zip(resolved.levels, kept, strict=True) if own))


def resolve(text: str, base: int | None = None) -> Levels:
    """Return the levels of a paragraph, before those of blanks at the ends of its lines are reset (L1).

    Without a `base` level, its first strong character decides. Characters that the algorithm removes (X9) have the
    level of the one before them.
    """
    classes = [unicodedata.bidirectional(character) or "L" for character in text]
    # The place of the end of each isolate, and of the begin of each that has ended (BD9).
    opened: list[int] = []
    matches: dict[int, int] = {}
    for at, each in enumerate(classes):
        if each in _ISOLATES:
            opened.append(at)
        elif each == "PDI" and opened:
            matches[at] = opened[-1]
            matches[opened.pop()] = at
        elif each == "B":
            opened.clear()
    if base is None:
        base = _first_strong(classes, 0, len(classes), matches)
    levels = bytearray([base] * len(classes))
    resolved = _Explicit(classes, matches, base, levels).resolved
    kept = [place for place, sort in enumerate(classes) if sort not in _REMOVED]
    sequences = _sequences(kept, classes, levels, matches)
    for sequence in [_Sequence(text, places, classes, resolved, levels, base) for places in sequences]:
        sequence.resolve()
    before = base
    for place, sort in enumerate(classes):
        if sort in _REMOVED:
            levels[place] = before
        before = levels[place]
    return Levels(base, levels)


def reorder(levels: Sequence[int]) -> list[int]:
    """Return the places of runs or characters with these levels from left to right (L2)."""
    order = list(range(len(levels)))
    for level in range(max(levels, default=0), 0, -1):
        for is_high, group in groupby(range(len(order)), key=lambda place: levels[order[place]] >= level):
            if is_high:
                places = list(group)
                order[places[0] : places[-1] + 1] = order[places[0] : places[-1] + 1][::-1]
    return order


def _first_strong(classes: Sequence[str], start: int, stop: int, matches: dict[int, int]) -> int:
    """Return the level of a text by its first strong character outside of isolates (P2, P3)."""
    place = start
    while place < stop:
        if classes[place] in ("L", "R", "AL"):
            return int(classes[place] != "L")
        place = matches.get(place, stop) if classes[place] in _ISOLATES else place + 1
    return 0


class _Explicit:
    """Sets the explicit levels of all characters (X1 to X8); `resolved` are their classes with overrides."""

    def __init__(self, classes: Sequence[str], matches: dict[int, int], base: int, levels: bytearray) -> None:
        self._classes, self._matches, self._base, self._levels = classes, matches, base, levels
        self.resolved = list(classes)
        self._begin()
        for place, sort in enumerate(classes):
            if sort in _EMBEDDINGS:
                self._embed(*_EMBEDDINGS[sort])
            elif sort in _ISOLATES:
                self._set(place)
                self._isolate(place)
            elif sort == "PDI":
                self._end_isolate()
                self._set(place)
            elif sort == "PDF":
                self._end_embedding()
            elif sort == "B":
                self._begin()
                levels[place] = base
            elif sort != "BN":
                self._set(place)

    def _begin(self) -> None:
        # Level, override, and whether an isolate began here.
        self._stack = [(self._base, "", False)]
        self._overflow_isolates = self._overflow_embeddings = self._valid_isolates = 0

    def _set(self, place: int) -> None:
        level, override, _ = self._stack[-1]
        self._levels[place], self.resolved[place] = level, override or self._classes[place]

    def _push(self, direction: str, override: str, *, isolate: bool) -> bool:
        last = self._stack[-1][0]
        level = last + 1 + (last % 2 == (direction == "R"))
        fits = level <= _MAX_DEPTH and not self._overflow_isolates and not self._overflow_embeddings
        if fits:
            self._stack.append((level, override, isolate))
        return fits

    def _embed(self, direction: str, override: str) -> None:
        if not self._push(direction, override, isolate=False) and not self._overflow_isolates:
            self._overflow_embeddings += 1

    def _isolate(self, place: int) -> None:
        is_right = self._classes[place] == "RLI"
        if self._classes[place] == "FSI":
            end = self._matches.get(place, len(self._classes))
            is_right = _first_strong(self._classes, place + 1, end, self._matches) == 1
        if self._push("R" if is_right else "L", "", isolate=True):
            self._valid_isolates += 1
        else:
            self._overflow_isolates += 1

    def _end_isolate(self) -> None:
        if self._overflow_isolates:
            self._overflow_isolates -= 1
        elif self._valid_isolates:
            self._overflow_embeddings = 0
            while not self._stack.pop()[2]:
                pass
            self._valid_isolates -= 1

    def _end_embedding(self) -> None:
        if self._overflow_isolates:
            return
        if self._overflow_embeddings:
            self._overflow_embeddings -= 1
        elif not self._stack[-1][2] and len(self._stack) > 1:
            self._stack.pop()


def _sequences(
    kept: Sequence[int], classes: Sequence[str], levels: Sequence[int], matches: dict[int, int]
) -> Iterator[list[int]]:
    """Yield the isolating run sequences (BD13): runs of one level, joined over the isolates between them."""
    runs = [list(group) for _, group in groupby(kept, key=levels.__getitem__)]
    by_start = {run[0]: run for run in runs}
    for run in runs:
        if classes[run[0]] == "PDI" and run[0] in matches:
            continue  # goes on where the isolate began
        sequence = list(run)
        while classes[sequence[-1]] in _ISOLATES and matches.get(sequence[-1]) in by_start:
            sequence += by_start[matches[sequence[-1]]]
        yield sequence


class _Sequence:
    """Isolating run sequence, whose weak and neutral characters are resolved (W1 to I2)."""

    def __init__(
        self,
        text: str,
        places: list[int],
        classes: Sequence[str],
        resolved: list[str],
        levels: bytearray,
        base: int,
    ) -> None:
        self._text, self._places, self._levels = text, places, levels
        self._given = [classes[place] for place in places]
        self._classes = [resolved[place] for place in places]
        self._level = levels[places[0]]
        self._direction = "LR"[self._level % 2]
        first, last = places[0], places[-1]
        before = next((levels[at] for at in range(first - 1, -1, -1) if classes[at] not in _REMOVED), base)
        after = next((levels[at] for at in range(last + 1, len(classes)) if classes[at] not in _REMOVED), base)
        if self._given[-1] in _ISOLATES:  # it has no end
            after = base
        self._start, self._end = ("LR"[max(self._level, each) % 2] for each in (before, after))

    def resolve(self) -> None:
        sorts, previous, strong = self._classes, self._start, self._start
        for at, sort in enumerate(sorts):  # W1, W2
            if sort == "NSM":
                sort = "ON" if previous in _ISOLATES or previous == "PDI" else previous
            previous = sort
            if sort in ("L", "R", "AL"):
                strong = sort
            sorts[at] = "AN" if sort == "EN" and strong == "AL" else sort
        sorts[:] = ["R" if sort == "AL" else sort for sort in sorts]  # W3
        sorts, at = self._classes, 0
        for at in range(1, len(sorts) - 1):  # W4
            before, sort, after = sorts[at - 1 : at + 2]
            if before == after and ((sort == "ES" and before == "EN") or (sort == "CS" and before in ("EN", "AN"))):
                sorts[at] = before
        at = 0
        for sort, group in groupby(list(sorts)):  # W5
            count = len(list(group))
            if sort == "ET" and "EN" in (*sorts[max(0, at - 1) : at], *sorts[at + count : at + count + 1]):
                sorts[at : at + count] = ["EN"] * count
            at += count
        sorts[:] = ["ON" if sort in ("ES", "ET", "CS") else sort for sort in sorts]  # W6
        strong = self._start
        for at, sort in enumerate(self._classes):  # W7
            if sort in ("L", "R"):
                strong = sort
            elif sort == "EN" and strong == "L":
                self._classes[at] = "L"
        self._brackets()
        # Let neutral characters have the direction of both sides, or else that of their level (N1, N2).
        sorts, at, before = self._classes, 0, self._start
        for is_neutral, group in groupby(list(sorts), key=_NEUTRAL.__contains__):
            members = list(group)
            if is_neutral:
                after = _STRONG[sorts[at + len(members)]] if at + len(members) < len(sorts) else self._end
                sorts[at : at + len(members)] = [before if before == after else self._direction] * len(members)
            else:
                before = _STRONG[members[-1]]
            at += len(members)
        for place, sort in zip(self._places, self._classes, strict=True):
            if self._level % 2:
                self._levels[place] += sort != "R"
            else:
                self._levels[place] += {"R": 1, "L": 0}.get(sort, 2)

    def _brackets(self) -> None:
        """Let both brackets of a pair have one direction (N0)."""
        sorts = self._classes
        for first, last in sorted(self._pairs()):
            inside = {_STRONG[sort] for sort in sorts[first + 1 : last] if sort in _STRONG}
            if not inside:
                continue
            if self._direction in inside:
                direction = self._direction
            else:
                before = (_STRONG[sorts[at]] for at in range(first - 1, -1, -1) if sorts[at] in _STRONG)
                direction = next(before, self._start)
            for at in (first, last):
                sorts[at] = direction
                while at + 1 < len(sorts) and self._given[at + 1] == "NSM":
                    at += 1
                    sorts[at] = direction

    def _pairs(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs of brackets (BD16)."""
        opened: list[tuple[str, int]] = []
        for at, place in enumerate(self._places):
            if self._classes[at] != "ON" or not unicodedata.mirrored(self._text[place]):
                continue
            bracket = _EQUIVALENT.get(self._text[place], self._text[place])
            category = unicodedata.category(bracket)
            if category == "Ps":
                if len(opened) == _MOST_BRACKETS:
                    return
                opened.append((_FAR_PAIRS.get(bracket) or chr(ord(bracket) + 1), at))
            elif category == "Pe":
                for number in range(len(opened) - 1, -1, -1):
                    if opened[number][0] == bracket:
                        yield opened[number][1], at
                        del opened[number:]
                        break
