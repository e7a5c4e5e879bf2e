"""What is seen of a card: texts of its drawn faces that are faint, hidden, at the cut, on a fold, or over others."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice, product
from math import hypot, sqrt
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from PIL import Image, ImageChops, ImageDraw

from cardgen.checking.check import Flaw, Spot
from cardgen.checking.locate import DrawnSpot, LocatedFinding
from cardgen.diagnostic import Place
from cardgen.export.pdf.cairo import ArtworkCache
from cardgen.export.svg import draw_faces
from cardgen.face.face import Face, Item, Text, text_owners
from cardgen.face.theme import OwnColour
from cardgen.print.render import CardRenderer
from cardgen.project.project import Project
from cardgen.runtime import atomic_write
from cardgen.text.fonts import Fonts
from cardgen.text.lines import Fit, IconGlyph, Run
from cardgen.units import MM_PER_INCH, MM_PER_POINT, Box, Matrix, Shape, Size, apply, joined_box, mapped_box

# WCAG 2.2, 1.4.3 and 1.4.11: the least contrast of text, of large text, and of icons.
TEXT_CONTRAST, LARGE_CONTRAST, LARGE_POINTS = 4.5, 3.0, 14.0
# Millimeters between text and cut.
SAFE_EDGE = 1.5
# Icons of this size in points and more are ornaments, which may be pale or lie behind text.
ORNAMENT_POINTS = 40.0
# The part of a text that may lie on another one: descenders touch ascenders.
_OVERLAP = 0.2
# The most pixels along a side, and the resolution of smaller faces: the letters of 7 points are 5 pixels high.
_MOST_PIXELS, _DPI = 900.0, 72.0
# Places at which the ground of a piece of text is looked at, as parts of its width and its type size.
_GRID = tuple(product((0.1, 0.3, 0.5, 0.7, 0.9), (0.1, 0.35, 0.6)))
# Text that changes what is printed by less than this part of its color's difference from the ground is hidden: thin
# strokes are narrower than a pixel.
_SEEN = 0.2
_CAPITALS = 0.7
# Cards whose faces are drawn at once, and the grounds that are kept for the next ones.
BATCH, _MOST_GROUNDS = 64, 256

Side: TypeAlias = Literal["front", "back"]
# Returns the place of a text in a template of the project, or None.
FindPlace: TypeAlias = Callable[[Side, Fit], Place | None]
# Returns the colors of a theme that files of the project set.
FindColours: TypeAlias = Callable[[], Sequence[OwnColour]]


@lru_cache(maxsize=1 << 14)
def contrast(one: str, other: str) -> float:
    """Return the contrast of two colors such as '#1a2b3c', from 1 to 21 (WCAG 2)."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


class _Piece(NamedTuple):
    """A word run or an icon on a face, with the matrix of its text and the index of its fit."""

    piece: Run | IconGlyph
    matrix: Matrix
    owner: int

    @property
    def words(self) -> str:
        return self.piece.text.strip() if isinstance(self.piece, Run) else f"{{{self.piece.name}}}"

    @property
    def box(self) -> Box:
        """Return the box of its capitals, or of the icon, on the face."""
        em = self.piece.size * MM_PER_POINT * (_CAPITALS if isinstance(self.piece, Run) else 1.0)
        return mapped_box(Box(self.piece.x, self.piece.y - em, self.piece.width, em), self.matrix)

    @property
    def corners(self) -> list[tuple[float, float]]:
        em = self.piece.size * MM_PER_POINT * (_CAPITALS if isinstance(self.piece, Run) else 1.0)
        left, right, y = self.piece.x, self.piece.x + self.piece.width, self.piece.y
        return [apply(self.matrix, *point) for point in ((left, y), (right, y), (right, y - em), (left, y - em))]

    @property
    def points(self) -> list[tuple[float, float]]:
        em = self.piece.size * MM_PER_POINT
        x, y, width = self.piece.x, self.piece.y, self.piece.width
        return [apply(self.matrix, x + across * width, y - up * em) for across, up in _GRID]

    @property
    def least(self) -> float:
        a, b, c, d, *_ = self.matrix
        printed = self.piece.size * sqrt(abs(a * d - b * c))
        return LARGE_CONTRAST if printed >= LARGE_POINTS or isinstance(self.piece, IconGlyph) else TEXT_CONTRAST

    @property
    def is_upright(self) -> bool:
        return abs(self.matrix[1]) < 1e-6 and abs(self.matrix[2]) < 1e-6


class Looks:
    """Judge of drawn faces. What lies behind the texts is drawn once for all faces that share it."""

    def __init__(self) -> None:
        self._cache = ArtworkCache()
        self._grounds: dict[tuple[Size, tuple[Item, ...]], Image.Image] = {}
        # Labels that a template of the program prints on every card are reported at the first one only, and so are
        # colors of a theme.
        self._labels: set[tuple[str, str]] = set()

    def prepare(self, faces: Sequence[Face]) -> None:
        """Draw the grounds of faces that are looked at next, all in one document."""
        missing = dict.fromkeys(ground for face in faces if (ground := _ground(face)) not in self._grounds)
        if len(self._grounds) + len(missing) > _MOST_GROUNDS:
            missing = dict.fromkeys(map(_ground, faces))
            self._grounds.clear()
        for size in {size for size, _ in missing}:
            grounds = [each for each in missing if each[0] == size]
            images = draw_faces([Face(size, 0, items) for _, items in grounds], Fonts(), self._cache, _dpi(size))
            self._grounds.update(zip(grounds, images, strict=True))

    def flaws(
        self,
        face: Face,
        side: Side,
        shape: Shape,
        find_place: FindPlace,
        own_fonts: Fonts | None,
        find_colours: FindColours = tuple,
    ) -> Iterator[Flaw]:
        """Yield the flaws of a face, at most one of a kind for each of its texts.

        Whether texts are hidden is only looked at with `own_fonts`, those of a face of one's own template, for it has
        to be drawn once more.
        """
        fits = [fit for fit in face.fits if isinstance(fit, Fit)]
        pieces = list(_pieces(face))
        if not pieces:
            return
        if _ground(face) not in self._grounds:
            self.prepare([face])
        ground = self._grounds[_ground(face)]
        whole = None
        if own_fonts:
            printed = face._replace(bleed=0, fields=(), folds=())
            whole = next(draw_faces([printed], own_fonts, self._cache, _dpi(face.size)))
        seen: set[tuple[str, int]] = set()
        for flaw, owner in (
            *_covered(pieces, ground, whole, face.size),
            *_faint(pieces, ground, face.size),
            *_at_the_edge(pieces, face, shape),
            *_overlapping(pieces),
        ):
            # What is hidden is not faint, too.
            key = ("faint" if flaw.kind == "hidden" else flaw.kind, owner)
            if key not in seen:
                seen.add(key)
                fit = fits[owner]
                found = flaw._replace(field=fit.field, text=fit.markup or flaw.text, place=find_place(side, fit))
                found = _at_colour(found, find_colours()) if found.colour else found
                found = found._replace(spot=Spot(side, fit.box) if fit.box else None)
                is_of_theme = found.colour or found.ground
                about = str(found.place) if is_of_theme else "" if found.field or found.place else found.text
                label = (found.kind, about)
                if not label[1] or label not in self._labels:
                    self._labels.add(label)
                    yield found


def _at_colour(flaw: Flaw, own: Sequence[OwnColour]) -> Flaw:
    """Return a faint text at the color of a theme of the project's own that makes it faint, if there is one.

    That is its color or that of its ground if the one from before would be far enough from the other. Without such a
    one, a color of the project's own is to blame for what a template of the program prints.
    """
    sides = (("colour", flaw.colour, flaw.ground), ("ground", flaw.ground, flaw.colour))
    found = [(key, each, other) for key, side, other in sides for each in own if each.value.lower() == side.lower()]
    changed = [one for one in found if one[1].before and contrast(one[1].before, one[2]) >= flaw.least]
    for key, to_blame, _ in changed or (() if flaw.place else found):
        found_there = flaw._replace(field="", text="", place=to_blame.place, colour="", ground="")
        is_ground = key == "ground"
        return found_there._replace(ground=to_blame.name) if is_ground else found_there._replace(colour=to_blame.name)
    return flaw._replace(colour="", ground="")


# Pairs of texts of a face, and of words of texts, of which it is looked at whether one lies on the other.
MOST_PAIRS = 1_000_000
# The resolution of pictures with marked spots, in dpi, and the most of them.
_PICTURE_DPI, MOST_PICTURES = 150.0, 500
_MARK, _HALO = "#e3001b", "#ffffff"


def draw_spots(findings: Iterable[LocatedFinding], folder: Path) -> tuple[Path, ...]:
    """Draw the sides of cards that findings are about, with red frames around the spots, and return the PNG files.

    Of more than `MOST_PICTURES` sides, the first are drawn. Raises CardgenError if a file cannot be written.
    """
    spots: dict[str, tuple[DrawnSpot, dict[Box, None]]] = {}
    for each in (one.spot for one in findings if one.spot):
        name = f"{each.entry.game}-{each.entry.kind}-{each.entry.card.id}-{each.spot.side}.png"
        spots.setdefault(name, (each, {}))[1][each.spot.box] = None
    renderers: dict[int, CardRenderer] = {}
    cache = ArtworkCache()
    files: list[Path] = []
    for name, (first, boxes) in islice(spots.items(), MOST_PICTURES):
        workspace = first.entry.workspace
        if id(workspace) not in renderers:
            renderers[id(workspace)] = CardRenderer(Project.open(workspace))
        renderer = renderers[id(workspace)]
        face = getattr(renderer.render_piece(first.entry, backs=True)[0], first.spot.side)
        dpi = min(_PICTURE_DPI, 2 * _MOST_PIXELS * MM_PER_INCH / max(face.size))
        image = next(draw_faces([face._replace(bleed=0, fields=())], renderer.fonts, cache, dpi))
        pen, across = ImageDraw.Draw(image), dpi / MM_PER_INCH
        for box in boxes:
            _frame(pen, box.expand(0.5), across, image.size)
        content = io.BytesIO()
        image.save(content, "PNG")
        files.append(folder / name)
        atomic_write.write(files[-1], content.getvalue())
    return tuple(files)


def _frame(pen: ImageDraw.ImageDraw, box: Box, across: float, size: tuple[int, int]) -> None:
    """Draw a frame around a box, or along the edge where the box is outside."""
    left, top = max(3.0, box.x * across), max(3.0, box.y * across)
    right, bottom = min(size[0] - 4.0, box.right * across), min(size[1] - 4.0, box.bottom * across)
    corners = (left, top, max(left, right), max(top, bottom))
    pen.rectangle(corners, outline=_HALO, width=5)
    pen.rectangle(corners, outline=_MARK, width=3)


def _ground(face: Face) -> tuple[Size, tuple[Item, ...]]:
    """Return what lies around and behind the texts of a face."""
    return face.size, tuple(item for item in face.items if not isinstance(item, Text))


def _dpi(size: Size) -> float:
    return min(_DPI, _MOST_PIXELS * MM_PER_INCH / max(size))


def _pieces(face: Face) -> Iterator[_Piece]:
    """Yield what is printed of the texts.

    Ornaments and icons with colors of their own are left out, and so are texts that do not fit, which is worse.
    """
    fits = [fit for fit in face.fits if isinstance(fit, Fit)]
    for text, owner in text_owners(face):
        if fits[owner].excess:
            continue
        for piece in (piece for line in text.lines for piece in line.pieces):
            if piece.text.strip() if isinstance(piece, Run) else _is_plain(piece):
                yield _Piece(piece, text.matrix, owner)


def _is_plain(icon: IconGlyph) -> bool:
    return icon.size < ORNAMENT_POINTS and not icon.outline.art


def _pixels(piece: _Piece, image: Image.Image, size: Size) -> list[tuple[int, int]]:
    across = image.width / size.width
    found = [(int(x * across), int(y * across)) for x, y in piece.points]
    return [(x, y) for x, y in found if 0 <= x < image.width and 0 <= y < image.height]


def _faint(pieces: Sequence[_Piece], ground: Image.Image, size: Size) -> Iterator[tuple[Flaw, int]]:
    """Yield the texts with too little contrast, the worst piece of each first."""
    found: list[tuple[float, Flaw, int]] = []
    for each in pieces:
        behind = [ground.getpixel(at) for at in _pixels(each, ground, size)]
        grounds = ["#{:02x}{:02x}{:02x}".format(*rgb) for rgb in behind]  # type: ignore[misc]
        ratios = sorted((contrast(each.piece.colour, one), one) for one in grounds)
        # Lines behind a text may be weak, but not what most of it stands on.
        ratio, under = ratios[len(ratios) // 5] if ratios else (each.least, "")
        if ratio < each.least:
            found.append(
                (
                    ratio / each.least,
                    Flaw("faint", "", each.words, ratio, each.least, colour=each.piece.colour, ground=under),
                    each.owner,
                )
            )
    yield from ((flaw, owner) for _, flaw, owner in sorted(found, key=lambda one: one[0]))


def _covered(
    pieces: Sequence[_Piece], ground: Image.Image, whole: Image.Image | None, size: Size
) -> Iterator[tuple[Flaw, int]]:
    """Yield the texts that make no difference to what is printed."""
    for each in pieces if whole else ():
        pixels = _pixels(each, ground, size)
        if whole is None or not pixels:
            continue
        xs, ys = zip(*pixels, strict=True)
        box = (min(xs), min(ys), max(xs) + 2, max(ys) + 2)
        difference = ImageChops.difference(whole.crop(box), ground.crop(box)).getextrema()
        expected = _difference(ground, pixels, each.piece.colour)
        if max(high for _, high in difference) < _SEEN * expected:  # type: ignore[misc]  # three channels
            yield Flaw("hidden", "", each.words), each.owner


def _difference(ground: Image.Image, pixels: Sequence[tuple[int, int]], colour: str) -> int:
    """Return by how much a color changes a channel of the ground, at most."""
    channels = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    rgbs = [ground.getpixel(at) for at in pixels]
    return max(abs(one - other) for rgb in rgbs for one, other in zip(channels, rgb, strict=True))  # type: ignore[arg-type]


def _at_the_edge(pieces: Sequence[_Piece], face: Face, shape: Shape) -> Iterator[tuple[Flaw, int]]:
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


def _overlapping(pieces: Sequence[_Piece]) -> Iterator[tuple[Flaw, int]]:
    """Yield the texts that lie on an earlier one; those that are turned are not looked at.

    At most MOST_PAIRS pairs are compared, because a stranger's face can have thousands of texts.
    """
    of: dict[int, list[tuple[_Piece, Box]]] = {}
    for each in pieces:
        if each.is_upright and isinstance(each.piece, Run):
            of.setdefault(each.owner, []).append((each, each.box))
    extents = {owner: joined_box(box for _, box in those) for owner, those in of.items()}
    left = MOST_PAIRS
    for later, earlier in islice(((one, two) for one, two in product(sorted(of), repeat=2) if two < one), MOST_PAIRS):
        if _shared(extents[later], extents[earlier]):
            pairs = islice(product(of[later], of[earlier]), left)
            left -= min(left, len(of[later]) * len(of[earlier]))
            pair = next(((one, two) for (one, a), (two, b) in pairs if _shared(a, b) > _OVERLAP), None)
            if pair:
                yield Flaw("over", "", pair[0].words, other=pair[1].words), later


def _shared(one: Box | None, other: Box | None) -> float:
    """Return the part of the smaller of two boxes that lies in the other."""
    if one is None or other is None:
        return 0.0
    wide = min(one.right, other.right) - max(one.x, other.x)
    high = min(one.bottom, other.bottom) - max(one.y, other.y)
    least = min(one.width * one.height, other.width * other.height)
    return wide * high / least if wide > 0 and high > 0 and least > 0 else 0.0
