"""How the texts of a drawn face stand: at the cut, on a fold, over others, beside rules, in rows, and in columns.

All lengths are in millimeters from the corner of the trim.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, pairwise, product
from math import ceil, hypot, sqrt
from statistics import median
from typing import NamedTuple, TypeAlias

from cardgen.checking.check import Flaw
from cardgen.face.face import Face, text_owners
from cardgen.project_checks.edges import Curve, DrawnShape, Edges, Rule, extent
from cardgen.text.lines import Fit, IconGlyph, Run
from cardgen.units import MM_PER_POINT, Box, Matrix, Shape, apply, inverse, joined_box, mapped_box

# Millimeters between text and cut.
SAFE_EDGE = 1.5
# Icons of this size in points and more are ornaments, which may be pale or lie behind text.
ORNAMENT_POINTS = 40.0
# The part of a text that may lie on another one: descenders touch ascenders.
_OVERLAP = 0.2
# A text that shares this part of its width with an icon is in it, or it is in the text.
_WITHIN = 0.98
CAPITALS, _DESCENDER, _SPACE = 0.7, 0.2, 0.15
# Pairs of texts of a face, and of words of texts, of which it is looked at whether one lies on the other.
MOST_PAIRS = 1_000_000
# Texts whose rows and columns are looked at.
_MOST_ROWS, _FEWEST_SHAPES = 400, 4
# Places this near are the same; what is farther off than the first and nearer than the second is meant to be the same.
_SAME, _OFF, _APART = 0.06, 0.2, 1.5
# A value is this near to its label, and off its baseline by less than the second, both as parts of the type size, and
# by less than the third in millimeters.
_PAIR, _STEP, _FARTHEST = 8.0, 0.3, 1.0
# Millimeters: the shortest rule beside a heading, how far it may be from it, and how far sides of a box may be apart.
_SHORTEST_RULE, _BESIDE_RULE, _NEAR_SIDE = 2.0, 8.0, 15.0
# A heading that is farther off them than this part of its height is not meant to be between them.
_STEP_OFF = 0.75
# A gap of less than this part of the others is crowded if these differ by no more than the second part.
_CROWDED, _ALIKE, _WIDE, _CLOSE = 0.55, 0.12, 0.8, 4.5
# A last line of at most this many letters, shorter than this part of the longest line, is too short for a title.
_SHORT_LETTERS, _SHORT_LINE, _TITLE = 4, 0.4, 10.0
# Texts of at most this many letters may stand on a line, as signs on a map.
_BESIDE, _SIGN = 0.28, 2
# Millimeters between the places on a chord of a curve.
_ALONG_CHORD = 0.1
_TAILS = re.compile(r"[gjpqyQ,;()\[\]{}|/]")

Owned: TypeAlias = tuple[Flaw, int]


class Piece(NamedTuple):
    """A word run or an icon on a face, with the matrix of its text and the index of its fit."""

    piece: Run | IconGlyph
    matrix: Matrix
    owner: int

    @property
    def words(self) -> str:
        """What it says; icons are in braces."""
        return self.piece.text.strip() if isinstance(self.piece, Run) else f"{{{self.piece.name}}}"

    @property
    def _height(self) -> float:
        return self.piece.size * MM_PER_POINT * (CAPITALS if isinstance(self.piece, Run) else 1.0)

    @property
    def box(self) -> Box:
        """The box of its capitals, or of the icon, on the face."""
        em = self._height
        return mapped_box(Box(self.piece.x, self.piece.y - em, self.piece.width, em), self.matrix)

    @property
    def corners(self) -> list[tuple[float, float]]:
        """The corners of that box as it stands."""
        em = self._height
        left, right, y = self.piece.x, self.piece.x + self.piece.width, self.piece.y
        return [apply(self.matrix, *point) for point in ((left, y), (right, y), (right, y - em), (left, y - em))]

    @property
    def printed_points(self) -> float:
        """Its size in points, with the transforms of the template."""
        a, b, c, d, *_ = self.matrix
        return self.piece.size * sqrt(abs(a * d - b * c))

    @property
    def is_upright(self) -> bool:
        """True if it reads from left to right."""
        return abs(self.matrix[1]) < 1e-6 and abs(self.matrix[2]) < 1e-6 and self.matrix[0] > 0


def pieces_of(face: Face) -> Iterator[Piece]:
    """Yield what is printed of the texts.

    Ornaments and icons with colors of their own are left out, and so are texts that do not fit, which is worse.
    """
    fits = [fit for fit in face.fits if isinstance(fit, Fit)]
    for text, owner in text_owners(face):
        if fits[owner].excess:
            continue
        for piece in (piece for line in text.lines for piece in line.pieces):
            if piece.text.strip() if isinstance(piece, Run) else _is_plain(piece):
                yield Piece(piece, text.matrix, owner)


def _is_printed(piece: Piece) -> bool:
    return isinstance(piece.piece, IconGlyph) or bool(piece.piece.text.strip())


def _is_plain(icon: IconGlyph) -> bool:
    return icon.size < ORNAMENT_POINTS and not icon.outline.art


class _Row(NamedTuple):
    """A line of a text: the box of its capitals, its looks, its words, and how many lines its text has."""

    owner: int
    box: Box
    points: float
    looks: tuple[str, float, int]
    words: str
    number: int

    @property
    def em(self) -> float:
        return self.points * MM_PER_POINT


def _rows(face: Face) -> list[_Row]:
    """Return the lines of upright texts, from the top of each text on."""
    fits = [fit for fit in face.fits if isinstance(fit, Fit)]
    of: dict[int, list[list[Piece]]] = defaultdict(list)
    for text, owner in text_owners(face):
        lines = [[Piece(each, text.matrix, owner) for each in line.pieces] for line in text.lines if line.pieces]
        lines = [line for line in lines if any(map(_is_printed, line))]
        if not fits[owner].excess and all(each.is_upright for line in lines for each in line):
            of[owner] += lines
    rows: list[_Row] = []
    for owner, found in of.items():
        for number, those in enumerate(found):
            runs = [each for each in those if isinstance(each.piece, Run) and each.piece.text.strip()] or those
            capitals, whole = joined_box(each.box for each in runs), joined_box(each.box for each in those)
            assert capitals
            assert whole
            points, first = max(each.printed_points for each in runs), runs[0].piece
            font = first.font if isinstance(first, Run) else first.name
            words, looks = " ".join(each.words for each in runs), (font, round(points, 1), len(found))
            box = Box(whole.x, capitals.y, whole.width, capitals.height)
            rows.append(_Row(owner, box, points, looks, words, number))
    return rows


def arranged_badly(pieces: Sequence[Piece], face: Face, shape: Shape, edges: Edges, is_seen: IsSeen) -> Iterator[Owned]:
    """Yield what is wrong with where the texts of a face stand, each with the index of its fit.

    `edges` are those that are drawn, as `edges_of` returns them.
    """
    rows = _rows(face)
    yield from _at_the_edge(pieces, face, shape)
    yield from _overlapping(pieces)
    if len(rows) <= _MOST_ROWS:
        yield from _touching(rows)
        yield from _at_rules(rows, edges.rules, is_seen)
        if len(pieces) * len(edges.curves) <= MOST_PAIRS:
            yield from _at_curves(pieces, edges.curves, is_seen)
        firsts = [row for row in rows if row.number == 0]
        for those in _alike(firsts):
            yield from _misaligned(those)
            yield from _crowded(those, rows)
        yield from _off_their_labels(firsts)
        yield from _off_the_middle(rows, edges.rules, is_seen)
        yield from _short_last_lines(rows)


# At the cut, on a fold, and over one another.


def _at_the_edge(pieces: Sequence[Piece], face: Face, shape: Shape) -> Iterator[Owned]:
    """Yield the texts that are too near to the cut, the nearest piece of each first, and those on a fold."""
    width, height = face.size
    radius = min(width, height) / 2
    found: list[tuple[float, str, int]] = []
    for each in pieces:
        corners = each.corners
        if shape is Shape.ROUND:
            distance = min(radius - hypot(x - width / 2, y - height / 2) for x, y in corners)
        else:
            distance = min(min(x, y, width - x, height - y) for x, y in corners)
        if distance < SAFE_EDGE - 0.05:
            found.append((distance, each.words, each.owner))
        for fold in face.folds:
            along, across = fold.x2 - fold.x1, fold.y2 - fold.y1
            sides = [(x - fold.x1) * across - (y - fold.y1) * along for x, y in corners]
            spans = [((x - fold.x1) * along + (y - fold.y1) * across) / (along**2 + across**2 or 1) for x, y in corners]
            if min(sides) < 0 < max(sides) and max(spans) > 0 and min(spans) < 1:
                yield Flaw("fold", "", each.words), each.owner
    yield from ((Flaw("cut", "", words, distance, SAFE_EDGE), owner) for distance, words, owner in sorted(found))


def _overlapping(pieces: Sequence[Piece]) -> Iterator[Owned]:
    """Yield the texts that lie on an earlier one.

    At most MOST_PAIRS pairs are compared, because a stranger's face can have thousands of texts.
    """
    of: dict[int, list[tuple[Piece, Box]]] = {}
    for each in pieces:
        of.setdefault(each.owner, []).append((each, each.box))
    extents = {owner: joined_box(box for _, box in those) for owner, those in of.items()}
    left = MOST_PAIRS
    for later, earlier in islice(((one, two) for one, two in product(sorted(of), repeat=2) if two < one), MOST_PAIRS):
        if _shared(extents[later], extents[earlier]):
            pairs = islice(product(of[later], of[earlier]), left)
            left -= min(left, len(of[later]) * len(of[earlier]))
            pair = next(((one, two) for (one, a), (two, b) in pairs if _lies_on(one, a, two, b)), None)
            if pair:
                yield Flaw("over", "", pair[0].words, other=pair[1].words), later


def _lies_on(one: Piece, its_box: Box, other: Piece, other_box: Box) -> bool:
    """Return whether a piece of text lies on another one; an icon may have a text in it, or be an ornament."""
    if not _shared(its_box, other_box):
        return False
    if isinstance(one.piece, IconGlyph) or isinstance(other.piece, IconGlyph):
        wide = min(its_box.right, other_box.right) - max(its_box.x, other_box.x)
        if wide > _WITHIN * min(its_box.width, other_box.width) or min(len(one.words), len(other.words)) <= _SIGN:
            return False
    elif one.is_upright and other.is_upright:
        return _shared(its_box, other_box) > _OVERLAP
    height = min(each.printed_points * MM_PER_POINT * CAPITALS for each in (one, other))
    return _shared_area(one.corners, other.corners) > _OVERLAP * height**2


def _shared_area(one: Sequence[tuple[float, float]], other: Sequence[tuple[float, float]]) -> float:
    """Return the area that two convex shapes share."""
    sign = 1 if _area(other) > 0 else -1
    shared = [*one]
    for (x1, y1), (x2, y2) in pairwise([*other, other[0]]):
        sides = [sign * ((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)) for x, y in shared]
        cut: list[tuple[float, float]] = []
        for at, (x, y) in enumerate(shared):
            (last_x, last_y), last, side = shared[at - 1], sides[at - 1], sides[at]
            if last * side < 0:
                part = last / (last - side)
                cut.append((last_x + part * (x - last_x), last_y + part * (y - last_y)))
            if side >= 0:
                cut.append((x, y))
        shared = cut
    return abs(_area(shared))


def _area(corners: Sequence[tuple[float, float]]) -> float:
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairwise([*corners, *corners[:1]])) / 2


def _shared(one: Box | None, other: Box | None) -> float:
    """Return the part of the smaller of two boxes that lies in the other."""
    if one is None or other is None:
        return 0.0
    wide = min(one.right, other.right) - max(one.x, other.x)
    high = min(one.bottom, other.bottom) - max(one.y, other.y)
    least = min(one.width * one.height, other.width * other.height)
    return wide * high / least if wide > 0 and high > 0 and least > 0 else 0.0


# Near other texts, rules, and the edges of boxes.


def _touching(rows: Sequence[_Row]) -> Iterator[Owned]:
    """Yield the texts whose descenders reach the text below, and those that run into the one beside them."""
    ordered = sorted(rows, key=lambda row: row.box.y)
    for at, upper in enumerate(ordered):
        for lower in islice(ordered, at + 1, None):
            if lower.box.y > upper.box.bottom + upper.em:
                break
            gap = _too_small_gap(upper, lower) if upper.owner != lower.owner else None
            if gap is not None:
                yield Flaw("touching", "", lower.words, gap, other=upper.words), lower.owner


def _too_small_gap(upper: _Row, lower: _Row) -> float | None:
    """Return the gap between two texts, the first of which begins higher; None if it is wide enough."""
    one, other, em = upper.box, lower.box, min(upper.em, lower.em)
    if _shared(one, other) > _OVERLAP:  # which is worse, and found as such
        return None
    if one.bottom - other.y > 0.4 * min(one.height, other.height):
        gap = max(other.x - one.right, one.x - other.right)
        return max(0.0, gap) if -0.3 * em < gap < _SPACE * em else None
    gap = other.y - one.bottom
    crosses = min(one.right, other.right) - max(one.x, other.x) > 0.3 * em
    return max(0.0, gap) if crosses and gap < _reach(upper, em) else None


def _reach(row: _Row, em: float) -> float:
    """Return how far something must be below a text: the length of its descenders, or half of it without any."""
    return _DESCENDER * em * (1.0 if _TAILS.search(row.words) else 0.5)


# Returns whether a part of a rule can be seen.
IsSeen: TypeAlias = Callable[[Rule], bool]


def _at_rules(rows: Sequence[_Row], rules: Sequence[Rule], is_seen: IsSeen) -> Iterator[Owned]:
    """Yield the texts that are nearer to a rule than their descenders are long, or crossed by it."""
    for row in rows:
        found = (near for rule in rules if (near := _near(row, rule)) and is_seen(near[1]))
        yield from ((Flaw("rule", "", row.words, max(0.0, gap)), row.owner) for gap, _ in islice(found, 1))


def _near(row: _Row, rule: Rule) -> tuple[float, Rule] | None:
    """Return how far a rule is from a text, and the part of it that is too near; None if it is far enough."""
    box, reach, beside = row.box, _reach(row, row.em), min(_DESCENDER * row.em / 2, _BESIDE)
    part = Rule(max(box.x, rule.x1), max(box.y, rule.y1), min(box.right, rule.x2), min(box.bottom, rule.y2), rule.half)
    if rule.is_level:
        below, above = rule.y1 - rule.half - box.bottom, box.y - rule.y1 - rule.half
        is_near = -box.height < below < reach if below > above else above < beside
        part = part._replace(y1=rule.y1, y2=rule.y1)
        if max(below, above) < 0.1 and len(row.words) <= _SIGN:
            return None
        return (max(below, above), part) if is_near and part.x2 - part.x1 > min(box.width / 2, 2.0) else None
    gap = max(box.x - rule.x1, rule.x1 - box.right) - rule.half
    if gap < 0.1 and len(row.words) <= _SIGN:
        return None
    part = part._replace(x1=rule.x1, x2=rule.x1)
    return (gap, part) if gap < beside and part.y2 - part.y1 > box.height / 2 else None


def _at_curves(pieces: Sequence[Piece], curves: Sequence[Curve], is_seen: IsSeen) -> Iterator[Owned]:
    """Yield the words that are nearer to a curve than their descenders are long, or crossed by it."""
    letters: Counter[int] = Counter()
    for each in pieces:
        letters[each.owner] += len(each.words)
    extents = [extent(curve) for curve in curves]
    for each in pieces:
        if not isinstance(each.piece, Run) or letters[each.owner] <= _SIGN:
            continue
        around = each.box.expand(each.printed_points * MM_PER_POINT * _DESCENDER)
        near = [curve for curve, box in zip(curves, extents, strict=True) if _meet(around, box)]
        gaps = [(gap, chord) for curve in near for chord in curve if (gap := _gap_to_chord(each, chord)) is not None]
        if seen := [gap for gap, chord in gaps if is_seen(chord)]:
            yield Flaw("rule", "", each.words, min(seen)), each.owner


def _meet(one: Box, other: Box) -> bool:
    return one.x <= other.right and other.x <= one.right and one.y <= other.bottom and other.y <= one.bottom


def _gap_to_chord(word: Piece, chord: Rule) -> float | None:
    """Return how far a word is from a chord, in its own direction; None if it is far enough."""
    back = inverse(word.matrix)
    scale = word.printed_points / word.piece.size
    em, half = word.piece.size * MM_PER_POINT, chord.half / scale
    below = _DESCENDER * em * (1.0 if _TAILS.search(word.words) else 0.5) + half
    beside = min(_DESCENDER * em / 2, _BESIDE / scale) + half
    left, right, bottom, top = word.piece.x, word.piece.x + word.piece.width, word.piece.y, word.piece.y - CAPITALS * em
    (x1, y1), (x2, y2) = apply(back, chord.x1, chord.y1), apply(back, chord.x2, chord.y2)
    steps = max(1, ceil(hypot(x2 - x1, y2 - y1) / _ALONG_CHORD))
    gaps = []
    for at in range(steps + 1):
        x, y = x1 + (x2 - x1) * at / steps, y1 + (y2 - y1) * at / steps
        across, down = max(left - x, x - right, 0.0), max(top - y, y - bottom, 0.0)
        if (across / beside) ** 2 + (down / (below if y > bottom else beside)) ** 2 < 1:
            gaps.append(max(0.0, hypot(across, down) - half) * scale)
    return min(gaps, default=None)


# Rows and columns of siblings: texts of one font and size, with as many lines.


def _alike(firsts: Iterable[_Row]) -> Iterator[list[_Row]]:
    of: dict[tuple[str, float, int], list[_Row]] = defaultdict(list)
    for row in firsts:
        of[row.looks].append(row)
    yield from (those for those in of.values() if len(those) >= 3)


_EDGES: tuple[Callable[[Box], float], ...] = (
    lambda box: box.x,
    lambda box: box.x + box.width / 2,
    lambda box: box.right,
)


def _misaligned(those: Sequence[_Row]) -> Iterator[Owned]:
    """Yield the texts beside or below which two or more siblings share a line that they nearly share."""
    for row in those:
        if distance := _off_line(row, those):
            yield Flaw("baseline", "", row.words, distance), row.owner
        elif distance := _off_column(row, those):
            yield Flaw("column", "", row.words, distance), row.owner


def _off_line(row: _Row, those: Sequence[_Row]) -> float:
    """Return how far a text is from the baseline of its neighbors; 0 if it is not meant to be there."""
    near = [each for each in those if each is not row and abs(each.box.bottom - row.box.bottom) <= _APART]
    beside = [each for each in near if each.box.right < row.box.x or each.box.x > row.box.right]
    if len(beside) < 2 or len(near) != len(beside):
        return 0.0
    middles = sorted(each.box.x + each.box.width / 2 for each in (*beside, row))
    steps = [right - left for left, right in pairwise(middles)]
    if max(steps) > 3 * min(steps):
        return 0.0
    line = median(each.box.bottom for each in beside)
    away = abs(row.box.bottom - line)
    return away if away > _OFF and all(abs(each.box.bottom - line) < _SAME for each in beside) else 0.0


def _off_their_labels(firsts: Sequence[_Row]) -> Iterator[Owned]:
    """Yield the values that are a little higher or lower than the label to their left, in type of the same size.

    Whichever of them is level with a third text is right.
    """
    lines = [row for row in firsts if row.looks[2] == 1]
    for value in lines:
        level = [each for each in lines if each is not value and _nearly_level(each, value)]
        before = (each for each in level if each.box.right < value.box.x)
        label = max(before, key=lambda each: each.box.right, default=None)
        if not label or value.box.x - label.box.right > _PAIR * value.em or abs(label.points - value.points) > 0.3:
            continue
        away = abs(value.box.bottom - label.box.bottom)
        if _OFF < away < min(_STEP * value.em, _FARTHEST):
            is_right = any(abs(each.box.bottom - value.box.bottom) < _SAME for each in level)
            wrong = label if is_right else value
            yield Flaw("baseline", "", wrong.words, away), wrong.owner


def _off_the_middle(rows: Sequence[_Row], rules: Sequence[Rule], is_seen: IsSeen) -> Iterator[Owned]:
    """Yield the headings that are a little higher or lower than the rules on both sides of them."""
    level = [rule for rule in rules if rule.is_level and rule.x2 - rule.x1 > _SHORTEST_RULE]
    spans: dict[tuple[float, float], list[float]] = defaultdict(list)
    for rule in level:
        spans[round(rule.x1, 1), round(rule.x2, 1)].append(rule.y1)
    # The side of a box has a parallel one; a rule beside a heading has none near it.
    lone = [rule for rule in level if _alone(rule.y1, spans[round(rule.x1, 1), round(rule.x2, 1)])]
    for row in (each for each in rows if each.looks[2] == 1):
        box, middle = row.box, row.box.y + row.box.height / 2
        near = [rule for rule in lone if abs(rule.y1 - middle) < min(_STEP_OFF * box.height, _APART)]
        left = max((rule for rule in near if rule.x2 <= box.x), key=lambda rule: rule.x2, default=None)
        right = min((rule for rule in near if rule.x1 >= box.right), key=lambda rule: rule.x1, default=None)
        if left and right and abs(left.y1 - right.y1) < _SAME and is_seen(left) and is_seen(right):
            before, after, away = box.x - left.x2, right.x1 - box.right, abs(middle - left.y1)
            if max(before, after) < _BESIDE_RULE and abs(before - after) < _APART and away > _OFF:
                yield Flaw("middle", "", row.words, away, other="the rules beside it"), row.owner


def _alone(y: float, those: Sequence[float]) -> bool:
    return all(abs(y - other) < _SAME or abs(y - other) > _NEAR_SIDE for other in those)


def _nearly_level(one: _Row, other: _Row) -> bool:
    return min(one.box.bottom, other.box.bottom) > max(one.box.y, other.box.y)


def _off_column(row: _Row, those: Sequence[_Row]) -> float:
    """Return how far a text is from the edge that those above and below share; 0 if it is not meant to be there."""
    others = [each for each in those if each is not row and not _beside(each.box, row.box)]
    shared = [each for each in others if any(abs(edge(each.box) - edge(row.box)) < _SAME for edge in _EDGES)]
    for edge in _EDGES:
        column = [each for each in others if abs(edge(each.box) - edge(row.box)) <= _APART]
        # What shares an edge with others stands in their column; with one text of this column, that is chance.
        if len(column) < 2 or len(shared) > 1 or any(each not in column for each in shared):
            continue
        line = median(edge(each.box) for each in column)
        away = abs(edge(row.box) - line)
        is_shared = all(abs(edge(each.box) - line) < _SAME for each in column)
        if away > _OFF and is_shared and _steps_alike(sorted([*column, row], key=lambda each: each.box.bottom)):
            return away
    return 0.0


def _beside(one: Box, other: Box) -> bool:
    return min(one.bottom, other.bottom) - max(one.y, other.y) > 0


def _steps_alike(column: Sequence[_Row]) -> bool:
    """Return whether texts follow one another closely, and at distances that are about equal."""
    steps = [lower.box.bottom - upper.box.bottom for upper, lower in pairwise(column)]
    return max(steps) <= min(1.25 * min(steps), _CLOSE * column[0].em)


def _crowded(those: Sequence[_Row], rows: Sequence[_Row]) -> Iterator[Owned]:
    """Yield the texts that are much nearer to their neighbor than their siblings are to theirs."""
    for edge in _EDGES:
        for column in _shared_lines(those, edge):
            column.sort(key=lambda row: row.box.bottom)
            steps = [lower.box.bottom - upper.box.bottom for upper, lower in pairwise(column)]
            if min(steps) < 2 * column[0].em:
                yield from _narrow(column, steps)
            yield from _shifted(column, steps)
    for line in _shared_lines(those, lambda box: box.bottom):
        line.sort(key=lambda row: row.box.x)
        gaps = [right.box.x - left.box.right for left, right in pairwise(line)]
        for edge in _EDGES:
            steps = [edge(right.box) - edge(left.box) for left, right in pairwise(line)]
            if max(steps) - min(steps) < _ALIKE * max(steps):
                break
            if found := [*_shifted(line, steps)]:
                yield from found
                break
        else:
            if min(gaps) < _WIDE * line[0].em:
                yield from _narrow(line, gaps)


def _shared_lines(those: Iterable[_Row], place: Callable[[Box], float]) -> Iterator[list[_Row]]:
    """Yield the texts that share a place, if there are four or more."""
    groups: list[list[_Row]] = []
    for row in sorted(those, key=lambda row: place(row.box)):
        if groups and place(row.box) - place(groups[-1][0].box) < _SAME:
            groups[-1].append(row)
        else:
            groups.append([row])
    yield from (group for group in groups if len(group) >= 4)


def shapes_arranged_badly(shapes: Sequence[DrawnShape]) -> Iterator[tuple[Flaw, DrawnShape]]:
    """Yield the small shapes, such as boxes to tick, that are a little off the line of others of their kind."""
    of: dict[object, list[_Row]] = defaultdict(list)
    for at, shape in enumerate(shapes):
        looks = (f"{shape.corners}", round(shape.box.width, 1) + 100 * round(shape.box.height, 1), 1)
        of[looks].append(_Row(at, shape.box, shape.box.height / MM_PER_POINT, looks, "", 0))
    for those in of.values():
        if _FEWEST_SHAPES <= len(those) <= _MOST_ROWS:
            # Shapes stand in groups, too: one that is between two others is meant to be in the middle.
            lines = (line for edge in _EDGES for line in _shared_lines(those, edge))
            columns = [sorted(line, key=lambda row: row.box.bottom) for line in lines]
            found = [*_misaligned(those)]
            for column in columns:
                found += _shifted(column, [lower.box.bottom - upper.box.bottom for upper, lower in pairwise(column)])
            for line in _shared_lines(those, lambda box: box.bottom):
                line.sort(key=lambda row: row.box.x)
                found += _shifted(line, [right.box.x - left.box.x for left, right in pairwise(line)])
            yield from ((flaw, shapes[at]) for flaw, at in found)


def _shifted(those: Sequence[_Row], steps: Sequence[float]) -> Iterator[Owned]:
    """Yield the one that stands between its neighbors, but not in the middle, while all others are at equal steps."""
    usual = median(steps)
    for at, (before, after) in enumerate(pairwise(steps)):
        others = [*steps[:at], *steps[at + 2 :]]
        away = abs(before - after) / 2
        is_even = all(abs(each - usual) < _SAME for each in (*others, (before + after) / 2))
        if len(others) >= 2 and is_even and _OFF < away < usual / 2:
            row, other = those[at + 1], those[at] if before < after else those[at + 2]
            yield Flaw("crowded", "", row.words, min(before, after), usual, other=other.words), row.owner


def _narrow(those: Sequence[_Row], gaps: Sequence[float]) -> Iterator[Owned]:
    least = min(gaps)
    others = sorted(gaps)[1:]
    usual = median(others)
    if usual > 0 and least < _CROWDED * usual and max(others) - min(others) < _ALIKE * usual:
        at = gaps.index(least)
        yield Flaw("crowded", "", those[at + 1].words, least, usual, other=those[at].words), those[at + 1].owner


def _short_last_lines(rows: Sequence[_Row]) -> Iterator[Owned]:
    """Yield the titles whose last line is one short word, where another break would not leave it alone."""
    of: dict[int, list[_Row]] = defaultdict(list)
    for row in rows:
        of[row.owner].append(row)
    largest = max((row.points for row in rows), default=0.0)
    for owner, lines in of.items():
        last, before = lines[-1], lines[:-1]
        if not 1 <= len(before) <= 3 or last.points < max(_TITLE, 0.8 * largest):
            continue
        longest = max(row.box.width for row in before)
        # What the last word of the line above would need below.
        *_, above = before[-1].words.split()
        moved = last.box.width + before[-1].box.width * (len(above) + 1) / len(before[-1].words)
        is_short = last.box.width < _SHORT_LINE * longest and len(last.words) <= _SHORT_LETTERS
        if is_short and " " in before[-1].words and moved <= longest:
            yield Flaw("widow", "", last.words, other=last.words), owner
