"""Lines: hyphenation, break opportunities, balanced breaks, and their places."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from math import inf
from operator import sub
from pathlib import Path
from typing import Any

from cardgen.language import hyphenation_dictionary
from cardgen.text.bidi import reorder
from cardgen.text.break_rules import break_opportunities
from cardgen.text.lines import IconGlyph, Line, Outline, Run
from cardgen.text.shaped_row import ICON_BEARING, ICON_SIZE, ShapedRow, StyledRun
from cardgen.text.shaped_word import NO_BREAK_HYPHEN, PLAIN_SPACES, glyphs_of, joins, shape_word
from cardgen.units import MM_PER_POINT

# Hyphenation points of words, by language.

# Minimum number of letters before and after a hyphen.
LEFT_MIN, RIGHT_MIN = 2, 3
ENGLISH = "en_GB"
_MAX_CACHED_WORDS = 1 << 14


# Digits in patterns are the values between letters.
_WITHOUT_VALUES = str.maketrans("", "", "0123456789")


class _LatePatterns:
    """Patterns of a language by their letters, each parsed when a word contains it.

    A language has 5,000 to 100,000 patterns, and the words of a card contain some dozens of them.
    """

    def __init__(self, lines: list[str], split: Callable[[str], list[tuple[str, str]]]) -> None:
        self._split = split
        self._lines = dict(zip("\n".join(lines).translate(_WITHOUT_VALUES).split("\n"), lines, strict=True))
        self._parsed: dict[str, Any] = {}
        self.longest = max(map(len, self._lines), default=0)

    def get(self, letters: str) -> tuple[int, tuple[int, ...]] | None:
        """Return the offset of the first value and the values of a pattern, or None."""
        line = self._lines.get(letters)
        if line is None:
            return None
        if letters not in self._parsed:
            # The offset of the first value that is not 0, and the values up to the last one; None if all are 0.
            values = [int(value or 0) for value, _ in self._split(line)]
            places = [place for place, each in enumerate(values) if each]
            self._parsed[letters] = (places[0], tuple(values[places[0] : places[-1] + 1])) if places else None
        value: tuple[int, tuple[int, ...]] | None = self._parsed[letters]
        return value


def _late_patterns(pyphen: Any, path: Path) -> _LatePatterns | None:
    """Return the patterns in a file; None for patterns that change letters, and for escapes, which pyphen parses."""
    encoding, *lines = path.read_bytes().split(b"\n")
    text = b"\n".join([line.strip() for line in lines]).decode(encoding.decode().strip())
    patterns = [line for line in text.split("\n") if line and not line.startswith(pyphen.ignored)]
    joined = "".join(patterns)
    return None if "=" in joined or "^^" in joined else _LatePatterns(patterns, pyphen.parse)


@lru_cache(maxsize=16)
def _patterns(language: str) -> Any:
    # Imported here, because loading the patterns takes longer than setting hundreds of texts, and few texts need them.
    pyphen: Any = import_module("pyphen")
    name = pyphen.language_fallback(language)
    if name is None:
        raise ValueError(f"no hyphenation patterns for language '{language}'; use a language such as en_GB, de, or fr")
    with suppress(AttributeError):  # of another version of pyphen, which then parses all patterns
        # Let pyphen find late patterns in its cache, if it has none for this file yet.
        path = pyphen.LANGUAGES[name]
        patterns = _late_patterns(pyphen, path) if path not in pyphen.hdcache else None
        if patterns:
            dictionary = pyphen.HyphDict.__new__(pyphen.HyphDict)
            dictionary.patterns, dictionary.maxlen, dictionary.cache = patterns, patterns.longest, {}
            pyphen.hdcache[path] = dictionary
    return pyphen.Pyphen(lang=language, left=LEFT_MIN, right=RIGHT_MIN)


# Words that English texts are made of, and texts in other languages are not, beside those that they share.
_ENGLISH_WORDS = """
    the and with this that each your you when its their they from which until within during after before into than every
    any have then while would other these those there where but does must cannot his her she was were been only also
    both either next same another may can for not if or of to is are be by at it
"""
# German, Dutch, French, Spanish, Portuguese, Italian, Polish, Czech, the Nordic languages, Turkish, Latin.
_OTHER_WORDS = """
    der die das den dem des und ist nicht ein eine einen einer eines mit von zu auf für wenn sich bei oder als wird het
    een van voor niet zijn wordt deze naar le la les un une du est et pour dans qui que avec sur pas ne vous si el los
    las del con por para su una se al como o os as do da em uma não com il lo gli di che per non sono della nie jest się
    na z w i za po od który lub jego je že pro s v och att som det på är för og til af ikke med ve bir bu için ile cum
    ad ab
"""
_ENGLISH = frozenset(_ENGLISH_WORDS.split())
_OTHER = frozenset(_OTHER_WORDS.split())
# A text reads as English if at least this share of its words does, and twice as many as in other languages.
_ENGLISH_SHARE, _MORE_THAN_OTHERS = 0.12, 2
_WORD = re.compile(r"[^\W\d_]+")


def reads_as_english(text: str) -> bool:
    """Return whether a text is certainly English, judged by its short words; a single name never is."""
    words = [word.casefold() for word in _WORD.findall(text)]
    english = sum(word in _ENGLISH for word in words)
    others = sum(word in _OTHER for word in words)
    return english > 0 and english >= len(words) * _ENGLISH_SHARE and english >= others * _MORE_THAN_OTHERS


def hyphenation_language(text: str, language: str) -> str | None:
    """Return the name of the dictionary that hyphenates a text, or None.

    It is that of the author's language, if there is one. Without a `language`, only English that reads so has one:
    words of another language that are hyphenated by English patterns are wrong ('Rindfleis-chetiket').
    """
    return hyphenation_dictionary(language) if language else ENGLISH if reads_as_english(text) else None


@lru_cache(maxsize=_MAX_CACHED_WORDS)
def hyphen_points(word: str, language: str) -> tuple[int, ...]:
    """Return the offsets in a word at which it may be hyphenated.

    They are at least two letters from the start and three from the end. Points that would change the spelling (old
    German 'ck') are omitted. Raises ValueError with a message for the user if the language has no patterns.
    """
    return tuple(int(point) for point in _patterns(language).positions(word) if not point.data)


# Break opportunities of a row, and the choice of balanced lines.
# Pure arithmetic. An item is an unbreakable part of one long row; item k extends from `begins[k]` to `ends[k]`, and a
# line of the items i to j is `ends[j] - begins[i]` wide. Both increase from item to item. The space between two items
# is between the end of one and the beginning of the next. A hyphen is part of an item's end, so an end may lie beyond
# the next beginning.

# Partial solution: beginning of the next line, cost, and last items of the lines so far.
_PartialBreaks = tuple[float, float, tuple[int, ...]]
# Tolerance, so that rounding does not move a word that fits exactly to the next line.
_EPSILON = 1e-6
# Larger tolerance: whatever fits in greedy_breaks must fit here, however it is rounded.
_TOLERANCE = 2 * _EPSILON
# Penalty of a hyphen; an empty line costs 1.0.
_HYPHEN_PENALTY = 0.04
# Minimum fraction of the width for a last line without penalty, and a further penalty of a shorter one that is only one
# word, or less than half of that.
_SHORT_LAST_LINE = 0.4
_LONE_WORD_PENALTY = 0.14


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
    not very short, and rather not a lone short word or two. If an item is wider than `width`, the result is that of
    `greedy_breaks`.
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
        # A last line that begins here or later is a word, or a part of one.
        word = next((item for item in range(len(ends) - 1, 0, -1) if not hyphens[item - 1]), 0)
        self._last_word, self._runt = (begins[word], short / 2) if short < width else (inf, 0.0)
        self._lone_word_cost = _LONE_WORD_PENALTY * width * width

    def best_breaks(self, latest: list[int]) -> list[int]:
        """Return the cheapest breaks, found line by line."""
        # The first feasible last item of each line.
        lines = len(latest)
        last = len(self._ends) - 1
        lasts = [last]
        for _ in range(lines - 1):
            last = bisect_left(self._begins, self._ends[last] - self._width - _TOLERANCE) - 1
            lasts.append(last)
        # Every line has an item, even if the first lines could be empty.
        earliest = [last if last > line else line for line, last in enumerate(reversed(lasts))]
        if earliest == latest:
            return latest
        cost, begin = 0.0, self._begins[0]
        for last in latest[:-1]:
            cost += (self._width - self._ends[last] + begin) ** 2 + self._hyphen_cost * self._hyphens[last]
            begin = self._begins[last + 1]
        bound = self._final_cost((begin, cost, ())) * (1 + _EPSILON) + _EPSILON
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
        if line >= self._short:
            return inf if line > self._width + _TOLERANCE else way[1]
        lone = self._lone_word_cost if way[0] >= self._last_word or line < self._runt else 0.0
        return way[1] + (self._short - line) ** 2 + lone


_LETTERS = re.compile(r"[^\W\d_]{5,}")


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


def break_items(row: ShapedRow, language: str | None = None, *, divides_terms: bool = True) -> BreakItems:
    """Split a row where its lines may end, and with the dictionary of a language also at syllables.

    Words that are bold in a text that is not are terms of the rules, and may be kept whole.
    """
    hyphens = set(_syllables(row, language, divides_terms=divides_terms)) if language else set()
    if row.soft_hyphens:
        # The author's soft hyphens that are inside words.
        inside = (stop for stop in row.soft_hyphens if 0 < stop < len(row.source))
        hyphens |= {stop for stop in inside if row.source[stop - 1 : stop + 1].isalnum()}
    return _build_items(row, break_opportunities(row.source, row.language), hyphens)


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
    run = row.styled_runs[row.run_index_at(stop - 1)]
    pair = shape_word(run.font, row.text[stop - 1] + "-", run.shaping).advances
    return pair[0] * run.scale + row.tracking, pair[1] * run.scale


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


def _syllables(row: ShapedRow, language: str, *, divides_terms: bool) -> Iterator[int]:
    for word in _LETTERS.finditer(row.source):
        if not divides_terms and row.styled_runs[row.run_index_at(word.start())].is_term:
            continue
        for point in hyphen_points(word[0], language):
            yield word.start() + point


def _emergency_stops(row: ShapedRow, span: tuple[int, int], width: float) -> Iterator[int]:
    """Yield stops that split characters into pieces of at most `width`.

    Each piece has at least one character, with the marks that belong to it.
    """
    start, stop = span
    room = width + row.tracking
    while row.pen_positions[stop] - row.pen_positions[start] > room and start + 1 < stop:
        begin = start
        start = max(begin + 1, bisect_right(row.pen_positions, row.pen_positions[begin] + room, begin, stop) - 1)
        while start > begin + 1 and joins(row.source[start]):
            start -= 1
        while start < stop and joins(row.source[start]):
            start += 1
        if start < stop:
            yield start


# Place a segment of a row as a line of runs.


@dataclass(slots=True, eq=False)
class Segment:
    """Characters `start` to `stop` of a row that form one line.

    `hyphen` appends a hyphen.
    """

    row: ShapedRow
    start: int
    stop: int
    hyphen: bool = False

    @property
    def width(self) -> float:
        """The width in thousandths of the size.

        It excludes the tracking after the last character.
        """
        pen = self.row.pen_positions
        if self.hyphen:
            return pen[self.stop - 1] - pen[self.start] + sum(hyphen_advances(self.row, self.stop))
        width = pen[self.stop] - pen[self.start] - self.row.tracking
        return width if width > 0.0 else 0.0

    @property
    def spaces(self) -> int:
        """The number of spaces that can be stretched."""
        return self.row.text.count(" ", self.start, self.stop)


def line_segments(items: BreakItems, lasts: Sequence[int]) -> list[Segment]:
    """Return the lines of a row, given the last item of each."""
    segments, start = [], 0
    for last in lasts:
        stop = items.stops[last]
        segments.append(Segment(items.row, start, stop, items.hyphens[last]))
        start = resume(items.row, stop)
    return segments


def place_line(segment: Segment, x: float, y: float, size: float, *, space: float = 0.0) -> Line:
    """Place a line with its baseline starting at x, y (mm).

    `size` is in points. `space` is added to every space, in thousandths of the size, to justify the line.
    """
    scale = size * MM_PER_POINT / 1000
    pieces: list[Run | IconGlyph] = []
    row = segment.row
    for styled_run in _from_left_to_right(segment):
        if styled_run.outline:
            pieces.append(_make_glyph(styled_run, x, y, size))
            width = row.advances[styled_run.start] * scale
        else:
            run = _make_run(segment, styled_run, x, y, size, space)
            pieces.append(run)
            width = run.width
        heights = (y - height * size * MM_PER_POINT for height in styled_run.rules)
        pieces += [_make_rule(styled_run.colour, x, height, width, size) for height in heights]
        x += width
    return Line(tuple(pieces))


def _from_left_to_right(segment: Segment) -> list[StyledRun]:
    """Return the styled runs of a line in the order in which they are printed."""
    row = segment.row
    runs = row.styled_runs[row.run_index_at(segment.start) : row.run_index_at(segment.stop - 1) + 1]
    return [runs[place] for place in reorder([run.shaping.level for run in runs])] if row.is_reordered else runs


def _make_run(segment: Segment, styled_run: StyledRun, x: float, y: float, size: float, space: float) -> Run:
    if not styled_run.is_plain:
        return _make_glyph_run(segment, styled_run, x, y, size, space)
    row = segment.row
    start = styled_run.start if styled_run.start > segment.start else segment.start
    stop = styled_run.stop if styled_run.stop < segment.stop else segment.stop
    text, advances = row.text[start:stop], row.advances[start:stop]
    width = row.pen_positions[stop] - row.pen_positions[start]
    if space or row.tracking or segment.hyphen:
        if space:
            advances = array("d", [a + space if c == " " else a for a, c in zip(advances, text, strict=True)])
        if stop == segment.stop:
            text = _finish_line(segment, text, advances)
        width = sum(advances)
    width_mm = width * size * MM_PER_POINT / 1000
    if styled_run.scale != 1.0:
        size *= styled_run.scale
        advances = array("d", [advance / styled_run.scale for advance in advances])
    text, doubles = _interned(text, advances.tobytes())
    return Run(text, styled_run.font.key, size, styled_run.colour, x, y, width_mm, doubles, styled_run.link)


def _make_glyph_run(segment: Segment, styled_run: StyledRun, x: float, y: float, size: float, space: float) -> Run:
    """Return the glyphs of a run. They are shaped anew, since letters at the ends of lines may have other forms."""
    row, scale = segment.row, styled_run.scale
    start, stop = max(styled_run.start, segment.start), min(styled_run.stop, segment.stop)
    text = row.source[start:stop].replace(NO_BREAK_HYPHEN, "-") + "-" * (segment.hyphen and stop == segment.stop)
    glyphs = [
        glyph._replace(advance=glyph.advance + (row.tracking + (space if glyph.text == " " else 0.0)) / scale)
        if (row.tracking or space) and glyph.advance
        else glyph
        for glyph in glyphs_of(styled_run.font, text, styled_run.shaping)
    ]
    size *= scale
    width = sum([glyph.advance for glyph in glyphs]) * size * MM_PER_POINT / 1000
    printed = text.translate(PLAIN_SPACES)
    key = styled_run.font.key
    return Run(printed, key, size, styled_run.colour, x, y, width, b"", styled_run.link, tuple(glyphs))


@lru_cache(maxsize=1 << 12)
def _interned(text: str, doubles: bytes) -> tuple[str, bytes]:
    """Return an equal text and its advances, which all lines with the same words share.

    They take more memory than the rest of a line, and most lines of a deck recur.
    """
    return text, doubles


def _finish_line(segment: Segment, text: str, advances: array[float]) -> str:
    """Finish the end of a line, and return its text.

    Adds the hyphen, if any, or removes the tracking after the last character.
    """
    if segment.hyphen:
        advances[-1:] = array("d", hyphen_advances(segment.row, segment.stop))
        return text + "-"
    advances[-1] -= segment.row.tracking
    return text


def _make_glyph(icon_run: StyledRun, x: float, y: float, size: float) -> IconGlyph:
    """Place an icon, vertically centered on the capitals."""
    assert icon_run.outline is not None
    em = size * MM_PER_POINT
    capitals = icon_run.font.cap_height * em
    side = capitals * ICON_SIZE
    left, bottom = x + side * ICON_BEARING, y + (side - capitals) / 2
    return IconGlyph(
        icon_run.name,
        icon_run.outline,
        side / MM_PER_POINT,
        icon_run.colour,
        left,
        bottom,
        icon_run.outline.width * side,
    )


# The thickness of a line under or through a text, as a fraction of its size.
_RULE = 0.06


@lru_cache(maxsize=1 << 8)
def _rule_outline(width: float) -> Outline:
    """Return a bar of height 1 around the height 0."""
    return Outline(((("M", 0.0, -0.5), ("L", width, -0.5), ("L", width, 0.5), ("L", 0.0, 0.5), ("Z",)),), width)


def _make_rule(colour: str, x: float, y: float, width: float, size: float) -> IconGlyph:
    """Place a line of a width (mm) whose middle is at a height `y`; `size` is that of the text in points."""
    thickness = size * _RULE
    outline = _rule_outline(round(width / (thickness * MM_PER_POINT), 3))
    return IconGlyph("", outline, thickness, colour, x, y, width)
