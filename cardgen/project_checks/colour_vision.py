"""Colors as people with a color-vision deficiency see them, and what only such colors tell apart.

The simulation is that of Machado, Oliveira, and Fernandes, "A Physiologically-based Model for Simulation of Color
Vision Deficiency" (IEEE Transactions on Visualization and Computer Graphics 15, 2009), for people who lack one kind of
cone. Differences are distances in Oklab, as CSS Color 4 has them: 0.02 is just noticeable, and black and white are 1
apart.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, islice, permutations
from math import cbrt, dist
from typing import NamedTuple, TypeAlias, TypedDict

from PIL import Image, ImageFilter

from cardgen.checking.check import Flaw, Vision
from cardgen.diagnostic import CardgenError
from cardgen.face.face import Artwork, Face, Text, text_owners
from cardgen.model.card import Card, Entry
from cardgen.print.render import CardRenderer
from cardgen.project_checks.arrangement import Piece
from cardgen.project_checks.edges import DrawnShape
from cardgen.sheet.imposition import PrintPiece
from cardgen.svg.reduction import reduce_svg
from cardgen.svg.scene import VectorArtError
from cardgen.text.lines import Fit, IconGlyph, Run

_Triple: TypeAlias = tuple[float, float, float]

# Their table for a severity of 1: rows are red, green, and blue of what is seen, from linear red, green, and blue.
_MACHADO: Mapping[Vision, tuple[_Triple, _Triple, _Triple]] = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
_LMS = ((0.4122214708, 0.5363325363, 0.0514459929), (0.2119034982, 0.6806995451, 0.1073969566),
        (0.0883024619, 0.2817188376, 0.6299787005))  # fmt: skip
_OKLAB = ((0.2104542553, 0.793617785, -0.0040720468), (1.9779984951, -2.428592205, 0.4505937099),
          (0.0259040371, 0.7827717662, -0.808675766))  # fmt: skip
# Colors that differ by less than the first look alike; those that differ by more than the second are told apart.
ALIKE, APART = 0.06, 0.1


def _times(matrix: tuple[_Triple, _Triple, _Triple], colour: _Triple) -> _Triple:
    one, two, three = (sum(part * value for part, value in zip(row, colour, strict=True)) for row in matrix)
    return one, two, three


def _to_linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _to_srgb(value: float) -> float:
    value = min(max(value, 0.0), 1.0)
    return 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055


def _seen(colour: _Triple, vision: Vision) -> _Triple:
    """Return how a color is seen; its red, green, and blue are from 0 to 1."""
    red, green, blue = map(_to_linear, colour)
    red, green, blue = map(_to_srgb, _times(_MACHADO[vision], (red, green, blue)))
    return red, green, blue


@lru_cache(maxsize=1 << 12)
def difference(one: str, other: str, vision: Vision | None = None) -> float:
    """Return how much two colors such as '#1a2b3c' differ, as everybody sees them, or people with one deficiency."""
    return dist(_oklab(one, vision), _oklab(other, vision))


def _oklab(colour: str, vision: Vision | None) -> _Triple:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = _seen((red, green, blue), vision) if vision else (red, green, blue)
    long, medium, short = map(cbrt, _times(_LMS, (_to_linear(red), _to_linear(green), _to_linear(blue))))
    return _times(_OKLAB, (long, medium, short))


def simulated(image: Image.Image, vision: Vision) -> Image.Image:
    """Return an RGB picture as people with a deficiency see it."""
    return image.filter(_table(vision))


@lru_cache(maxsize=3)
def _table(vision: Vision) -> ImageFilter.Color3DLUT:
    return ImageFilter.Color3DLUT.generate(33, lambda red, green, blue: _seen((red, green, blue), vision))


class _OfFlaw(TypedDict):
    figure: float
    least: float
    colours: tuple[str, str]
    vision: Vision


class Confusion(NamedTuple):
    """Two colors that people with a deficiency see as one, and how much they differ for these."""

    vision: Vision
    colours: tuple[str, str]
    difference: float

    @property
    def of_flaw(self) -> _OfFlaw:
        """What it says in a flaw."""
        return {"figure": self.difference, "least": ALIKE, "colours": self.colours, "vision": self.vision}


def confusion(pairs: Collection[tuple[str, str]]) -> Confusion | None:
    """Return the deficiency for which all pairs of colors look alike, with the pair that differs most for others.

    None if people with any deficiency can tell one of the pairs apart, or if nobody can tell any.
    """
    clearest = max(pairs, key=lambda pair: difference(*pair), default=None)
    if clearest is None or difference(*clearest) < APART:
        return None
    found = ((max(difference(*pair, vision) for pair in pairs), vision) for vision in _MACHADO)
    figure, vision = min(found)
    return Confusion(vision, clearest, figure) if figure < ALIKE else None


# Elements of one face: the same sign in two colors.


def alike_signs(pieces: Sequence[Piece]) -> Iterator[tuple[Flaw, int]]:
    """Yield the icons, and texts of one letter, that a face also has in a color which looks alike to some people."""
    of: dict[tuple[str, str, float], dict[str, Piece]] = defaultdict(dict)
    for each in pieces:
        sign = each.piece
        if isinstance(sign, IconGlyph) or len(each.words) == 1:
            font = sign.font if isinstance(sign, Run) else ""
            of[each.words, font, round(each.printed_points, 1)].setdefault(sign.colour, each)
    for signs in of.values():
        for one, other in combinations(signs, 2):
            if found := confusion([(one, other)]):
                later = signs[other]
                yield Flaw("sign", "", later.words, other=later.words, **found.of_flaw), later.owner


# By how much a pip may be wider than high, in millimeters, and how many there are at least.
_SQUARE, _FEWEST_PIPS = 0.05, 3


def alike_shapes(shapes: Sequence[DrawnShape]) -> Iterator[tuple[Flaw, DrawnShape]]:
    """Yield the pips that stand beside others in a color which looks alike to some people.

    Pips are three or more small shapes in a row, as high as wide; arms and other drawings have parts of all forms.
    """
    of: dict[tuple[float, float, int, str], list[DrawnShape]] = defaultdict(list)
    for shape in shapes:
        if abs(shape.box.width - shape.box.height) < _SQUARE and _COLOUR.fullmatch(shape.fill):
            of[round(shape.box.bottom, 1), round(shape.box.width, 1), shape.corners, shape.outline].append(shape)
    for row in of.values():
        firsts = {shape.fill: shape for shape in reversed(row)}
        for one, other in combinations(dict.fromkeys(shape.fill for shape in row), 2):
            if len(row) >= _FEWEST_PIPS and (found := confusion([(one, other)])):
                yield Flaw("sign", "", "", other="shapes like it", **found.of_flaw), firsts[other]


# Values of cards: what changes if a card gets another value of a key.

# The most values of a key that are compared, the most cards that are drawn for the keys of one kind, and the most
# letters of a value: longer ones are sentences, which are printed.
_MOST_VALUES, _MOST_DRAWN, _LONGEST_VALUE = 12, 64, 40
_PAINT = re.compile(rb"(?:fill|stroke|stop-color)\s*[=:]\s*[\"']?\s*(#?\w+)")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}(?!\w)")
# Keys that every card has; of these, only tags and names choose a color.
_COMMON = frozenset({*Card.model_fields, "kind"} - {"tags"})
_NAME = "name"

_Value: TypeAlias = str | float | tuple[str, ...] | None


def paints(piece: PrintPiece[Face]) -> frozenset[str]:
    """Return the colors of a piece as its templates write them."""
    items = [item for face in piece.faces for item in face.items]
    drawn = (_paints_of(item) for item in items if isinstance(item, Artwork))
    texts = (each.colour for item in items if isinstance(item, Text) for line in item.lines for each in line.pieces)
    return frozenset().union(*drawn, texts)


@lru_cache(maxsize=1024)
def _paints_of(artwork: Artwork) -> frozenset[str]:
    return frozenset(found.decode() for found in _PAINT.findall(artwork.svg))


def alike_values(
    renderer: CardRenderer, cards: Sequence[tuple[Entry, frozenset[str]]]
) -> Iterator[tuple[Entry, Flaw, Sequence[PrintPiece[Face]]]]:
    """Yield the cards with a value that looks like another one to people with a color-vision deficiency.

    `cards` have their `paints`. One card is drawn with each of the values that cards with its templates have for a key:
    texts, numbers, flags, lists of texts, and none; and with the names of others, if several cards share a color. Where
    two of these pieces differ in colors alone, only colors tell the values apart. Each flaw comes with these two
    pieces, and of each key with the first two values.
    """
    groups: dict[tuple[object, ...], list[tuple[Entry, frozenset[str]]]] = defaultdict(list)
    for entry, colours in cards:
        look = renderer.face_renderer(entry)
        groups[id(look), entry.kind, look.template_names(entry)].append((entry, colours))
    for group in groups.values():
        left = _MOST_DRAWN
        for key, firsts in sorted((*_painted_keys(group), *_painted_names(group)), key=lambda found: len(found[1])):
            left -= len(firsts)
            if left >= 0:
                yield from islice(_alike_of_key(renderer, key, firsts), 1)


def _painted_keys(
    group: Sequence[tuple[Entry, frozenset[str]]],
) -> Iterator[tuple[str, Mapping[_Value, Entry]]]:
    """Yield the keys of which one value has a color that another has not, each with the first card of each value."""
    for key in (key for key in type(group[0][0].card).model_fields if key not in _COMMON):
        firsts: dict[_Value, Entry] = {}
        shared: dict[_Value, frozenset[str]] = {}
        used: dict[_Value, frozenset[str]] = {}
        for entry, colours in group:
            value = getattr(entry.card, key)
            is_number = isinstance(value, int | float)
            is_list = isinstance(value, tuple) and all(isinstance(each, str) for each in value)
            if (
                value is None
                or is_number
                or ((is_list or isinstance(value, str)) and len(_told(value)) <= _LONGEST_VALUE)
            ):
                firsts.setdefault(value, entry)
                shared[value] = shared.get(value, colours) & colours
                used[value] = used.get(value, colours) | colours
        if len(firsts) <= _MOST_VALUES and any(shared[one] - used[other] for one, other in permutations(firsts, 2)):
            yield key, firsts


def _painted_names(
    group: Sequence[tuple[Entry, frozenset[str]]],
) -> Iterator[tuple[str, Mapping[_Value, Entry]]]:
    """Yield the first card of each color, by its name, if cards share colors: such a color says more than a name."""
    firsts: dict[frozenset[str], Entry] = {}
    for entry, colours in group:
        firsts.setdefault(colours, entry)
    if 1 < len(firsts) <= _MOST_VALUES and len(firsts) < len(group):
        yield _NAME, {entry.card.name: entry for entry in firsts.values()}


def _told(value: _Value) -> str:
    """Return a value as messages tell it."""
    if isinstance(value, tuple):
        return ", ".join(value) or "none"
    return str(value).lower() if isinstance(value, int | float) else value or "none"


def _alike_of_key(
    renderer: CardRenderer, key: str, firsts: Mapping[_Value, Entry]
) -> Iterator[tuple[Entry, Flaw, Sequence[PrintPiece[Face]]]]:
    one_card = next(iter(firsts.values()))
    variants = [(value, replace(one_card, card=one_card.card.model_copy(update={key: value}))) for value in firsts]
    renderer.expect(entry for _, entry in variants)
    drawn: list[tuple[_Value, PrintPiece[Face]]] = []
    for value, entry in variants:
        with suppress(CardgenError):  # The card may not have that value.
            drawn.append((value, renderer.render_piece(entry, backs=True)[0]))
    for (one, piece), (other, other_piece) in combinations(drawn, 2):
        found = confusion(_changed_colours(piece, other_piece, key) or ())
        if found:
            flaw = Flaw("value", key, _told(one), other=_told(other), **found.of_flaw)
            yield firsts[one], flaw, (piece, other_piece)


def _changed_colours(one: PrintPiece[Face], other: PrintPiece[Face], key: str) -> set[tuple[str, str]] | None:
    """Return the colors that differ between two pieces; None if these differ in anything else but printed names."""
    drawings = [[_drawing(face, key) for face in piece.faces] for piece in (one, other)]
    if [shape for shape, _ in drawings[0]] != [shape for shape, _ in drawings[1]]:
        return None
    colours = ([each for _, found in drawing for each in found] for drawing in drawings)
    return {pair for pair in zip(*colours, strict=True) if pair[0] != pair[1]}


def _drawing(face: Face, key: str) -> tuple[Sequence[object], list[str]]:
    """Return what is on a face, apart from colors, and these in order; if names are compared, without them."""
    shapes: list[object] = []
    colours: list[str] = []
    fits = [fit for fit in face.fits if isinstance(fit, Fit)] if key == _NAME else []
    names = [text for text, owner in text_owners(face) if fits and fits[owner].field == key]
    for item in (each for each in face.items if each not in names):
        drawn = _reduced(item) if isinstance(item, Artwork) else repr(item)
        colours += map(str.lower, _COLOUR.findall(drawn))
        shapes.append(_COLOUR.sub("", drawn))
    return shapes, colours


def _reduced(artwork: Artwork) -> str:
    """Return artwork with all colors as six digits, or as it is if that is not possible."""
    try:
        art = reduce_svg(artwork.svg)
    except VectorArtError:
        return artwork.svg.decode()
    return f"{art.definitions}{art.body}"
