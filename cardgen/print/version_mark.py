"""Version marks: the release of a card, small, where the card has no other print."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from PIL import Image

from cardgen.deck.deck import kind_of
from cardgen.face.face import Artwork, CutPath, Item, Text
from cardgen.print.output_formats import FaceShape, Renderer, Resolution, rasterize
from cardgen.print.render import RenderedCard
from cardgen.rulesets.pieces import Box as BoxCard
from cardgen.rulesets.pieces import Dial, Mat
from cardgen.svg.chunks import root_tag
from cardgen.text.copyfitting import set_line
from cardgen.text.fonts import Fonts
from cardgen.text.lines import Style
from cardgen.units import MM_PER_INCH, MM_PER_POINT, Box, Shape, Size, compose, rotation, translation

_FAMILY, _SIZE = "Source Sans 3", 4.0
_DARK, _LIGHT = "#1d1a18", "#ffffff"
_DPI = 127  # 5 pixels per millimeter
_PER_MM = _DPI / MM_PER_INCH
# Distances from the trim at which a mark may lie, safe from imprecise cuts, and the free space around it, in mm.
_SAFE, _DEEPEST = 1.4, 6.6
_SPACE, _STEP = 0.35, 1.0
# The largest difference of a channel, of 255, in an area without other print.
_FLAT = 26
_BRIGHT = 140

_Corners: TypeAlias = list[tuple[float, float]]


class Versions(NamedTuple):
    """Version and date of each card, by game, kind, and id; a date may be ''."""

    by_key: Mapping[tuple[str, str, str], tuple[str, str]]

    def of(self, card: RenderedCard) -> tuple[str, str] | None:
        """Return version and date of a card, or of the card that a piece is made from."""
        entry = card.entry
        kinds = (entry.kind, *kind_of(entry).made_from)
        keys = ((entry.game, kind, entry.card.id) for kind in kinds)
        return next((self.by_key[key] for key in keys if key in self.by_key), None)


def mark_versions(cards: Iterable[RenderedCard], versions: Versions, renderer: Renderer) -> list[RenderedCard]:
    """Return cards with their versions on their fronts.

    Boxes, dials, and mats have none. A mark takes the flattest place near an edge; where nothing is flat, it has a
    plate.
    """
    cards = list(cards)
    marks = {id(card): version for card in cards if (version := _version(card, versions))}
    fronts = [card.piece.front for card in cards if id(card) in marks]
    if not fronts:
        return cards
    picture = rasterize(map(FaceShape, fronts), Resolution(_DPI), renderer)
    return [
        _marked(card, Image.open(io.BytesIO(picture(card.piece.front))).convert("RGB"), marks[id(card)], renderer.fonts)
        if id(card) in marks
        else card
        for card in cards
    ]


def _version(card: RenderedCard, versions: Versions) -> tuple[str, str] | None:
    return None if isinstance(card.entry.card, BoxCard | Dial | Mat) else versions.of(card)


def _marked(card: RenderedCard, picture: Image.Image, version: tuple[str, str], fonts: Fonts) -> RenderedCard:
    name, date = version
    texts = dict.fromkeys(filter(None, (f"{name} · {date}" if date else "", name)))
    spots = [(text, _best_spot(_text_size(text, fonts), card, picture)) for text in texts]
    text, spot = next(((text, spot) for text, spot in spots if spot.spread <= _FLAT), spots[-1])
    front = card.piece.front
    # The text of a mark, after a plate if the place is not flat.
    items: list[Item] = []
    box, is_flat = spot.box, spot.spread <= _FLAT
    if not is_flat:
        plate = box.expand(0.25)
        body = (
            f'<rect x="{plate.x:.2f}" y="{plate.y:.2f}" width="{plate.width:.2f}" height="{plate.height:.2f}" '
            f'rx="0.4" fill="{_LIGHT}" fill-opacity="0.75"/>'
        )
        items.append(Artwork(root_tag(front.size, 0) + body.encode() + b"</svg>"))
    color = _LIGHT if is_flat and spot.brightness < _BRIGHT else _DARK
    ascent = 0.8 * _SIZE * MM_PER_POINT
    lines = set_line(text, 0, ascent, _style(color), fonts, min_size=_SIZE).lines
    turn = compose(translation(box.x, box.bottom), rotation(-90)) if spot.turned else translation(box.x, box.y)
    items.append(Text(lines, turn))
    marked = front._replace(items=(*front.items, *items))
    return card._replace(piece=card.piece._replace(front=marked))


class _Spot(NamedTuple):
    """A place for a mark: its box, upright or turned, and how different its pixels are."""

    box: Box
    turned: bool
    spread: int
    brightness: float


def _best_spot(text: Size, card: RenderedCard, picture: Image.Image) -> _Spot:
    """Return the first flat place, or else the flattest one."""
    best: _Spot | None = None
    for box, turned in _candidates(text, card):
        spot = _measured(box, turned, picture)
        if spot.spread <= _FLAT:
            return spot
        if best is None or spot.spread < best.spread:
            best = spot
    return best or _measured(Box(0, 0, *text), False, picture)


def _measured(box: Box, turned: bool, picture: Image.Image) -> _Spot:
    around = box.expand(_SPACE)
    edges = (around.x, around.y, around.right, around.bottom)
    left, top, right, bottom = (round(edge * _PER_MM) for edge in edges)
    area = picture.crop((max(0, left), max(0, top), min(picture.width, right), min(picture.height, bottom)))
    extrema: Sequence[tuple[int, int]] = area.getextrema()  # type: ignore[assignment]
    return _Spot(box, turned, max(high - low for low, high in extrema), sum(map(sum, extrema)) / 6)


def _candidates(text: Size, card: RenderedCard) -> Iterator[tuple[Box, bool]]:
    """Yield places from the bottom edge inward, and then those along the left and right edges."""
    size, outlines = card.size, [_corners(cut) for cut in card.piece.front.cuts]
    insets = _insets(size.height / 2) if outlines else _insets(_DEEPEST)
    for inset in insets:
        for box in _along(text, size, size.height - inset - text.height):
            if _is_inside(box, size, card.piece.shape, outlines):
                yield box, False
    for inset in insets:
        for x in (inset, size.width - inset - text.height):
            for below in _along(text, size.swap_sides(), 0):
                box = Box(x, below.x, text.height, text.width)
                if _is_inside(box, size, card.piece.shape, outlines):
                    yield box, True


def _insets(deepest: float) -> list[float]:
    return [_SAFE + 0.4 * step for step in range(int((deepest - _SAFE) / 0.4) + 1)]


def _along(text: Size, card: Size, y: float) -> Iterator[Box]:
    """Yield places in a row, from the middle outward."""
    middle = (card.width - text.width) / 2
    for step in range(max(0, int((middle - _SAFE) / _STEP)) + 1):
        for x in dict.fromkeys((middle - step * _STEP, middle + step * _STEP)):
            yield Box(x, y, *text)


def _is_inside(box: Box, card: Size, shape: Shape, outlines: Sequence[_Corners]) -> bool:
    """Return whether a place keeps its distance from the trim, and from outlines that are cut instead."""
    around = box.expand(_SAFE)
    corners = [(x, y) for x in (around.x, around.right) for y in (around.y, around.bottom)]
    if outlines:
        return any(all(_is_within(corner, outline) for corner in corners) for outline in outlines)
    if shape is Shape.ROUND:
        radius = card.width / 2
        ends = ((x - radius, y - radius) for x in (box.x, box.right) for y in (box.y, box.bottom))
        return all(math.hypot(*end) <= radius - _SAFE for end in ends)
    return all(-1e-6 <= x <= card.width + 1e-6 and -1e-6 <= y <= card.height + 1e-6 for x, y in corners)


def _corners(cut: CutPath) -> _Corners:
    """Return an outline as a polygon; its curves have 8 sides each."""
    points: list[tuple[float, float]] = []
    for kind, *numbers in cut.outline:
        pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
        if kind == "C":
            points += (_on_curve([points[-1], *pairs], step / 8) for step in range(1, 9))
        else:
            points += pairs
    return points


def _on_curve(points: Sequence[tuple[float, float]], share: float) -> tuple[float, float]:
    weights = ((1 - share) ** 3, 3 * share * (1 - share) ** 2, 3 * share**2 * (1 - share), share**3)
    x, y = (sum(weight * point[axis] for weight, point in zip(weights, points, strict=True)) for axis in (0, 1))
    return x, y


def _is_within(point: tuple[float, float], outline: _Corners) -> bool:
    """Return whether a point is within a polygon, by the number of sides to its right."""
    x, y = point
    sides = zip(outline, (*outline[1:], outline[0]), strict=True)
    return (
        sum((y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1 for (x1, y1), (x2, y2) in sides) % 2 == 1
    )


def _text_size(text: str, fonts: Fonts) -> Size:
    runs = (piece for line in set_line(text, 0, 0, _style(_DARK), fonts, min_size=_SIZE).lines for piece in line.pieces)
    return Size(sum(run.width for run in runs), _SIZE * MM_PER_POINT)


def _style(color: str) -> Style:
    return Style(_FAMILY, _SIZE, color)
