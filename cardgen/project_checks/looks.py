"""What is seen of a card: texts of its drawn faces that are faint or hidden, what is empty, and what takes much ink."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice, pairwise, product
from math import ceil, hypot, inf, pi
from pathlib import Path
from statistics import mean
from typing import TypeAlias

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageStat

from cardgen.checking.check import Flaw, Side, Spot, Vision
from cardgen.checking.locate import DrawnSpot, LocatedFinding
from cardgen.diagnostic import Place
from cardgen.export.pdf.cairo import ArtworkCache
from cardgen.export.svg import draw_faces
from cardgen.face.face import Artwork, Face, Item, Picture, Text
from cardgen.face.theme import OwnColour
from cardgen.print.render import CardRenderer
from cardgen.project.project import Project
from cardgen.project_checks.arrangement import Piece, arranged_badly, pieces_of, shapes_arranged_badly
from cardgen.project_checks.colour_vision import alike_shapes, alike_signs, simulated
from cardgen.project_checks.edges import Edges, Rule, edges_of
from cardgen.runtime import atomic_write
from cardgen.sheet.imposition import PrintPiece
from cardgen.text.fonts import Fonts
from cardgen.text.lines import Fit, IconGlyph
from cardgen.units import MM_PER_INCH, MM_PER_POINT, Box, Shape, Size, apply

# WCAG 2.2, 1.4.3 and 1.4.11: the least contrast of text, of large text, and of icons.
TEXT_CONTRAST, LARGE_CONTRAST, LARGE_POINTS = 4.5, 3.0, 14.0
# The most pixels along a side, and the resolution of smaller faces: the letters of 7 points are 5 pixels high.
_MOST_PIXELS, _DPI = 900.0, 72.0
# Places at which the ground of a piece of text is looked at, as parts of its width and its type size.
_ACROSS, _UP = (0.1, 0.3, 0.5, 0.7, 0.9), (0.1, 0.35, 0.6)
# A letter with less contrast is not seen, and half the width of a narrow one, as a part of the type size.
_LETTER_CONTRAST, _HALF_LETTER = 2.0, 0.2
# Text that changes what is printed by less than this part of its color's difference from the ground is hidden: thin
# strokes are narrower than a pixel.
_SEEN = 0.2
# Text that changes it by less than this part lies under something half transparent.
_VEILED = 0.4
_HEX = "#{:02x}{:02x}{:02x}"
# Cards whose faces are drawn at once, and the grounds that are kept for the next ones.
BATCH, _MOST_GROUNDS = 64, 256

# Returns the place of a text in a template of the project, or None.
FindPlace: TypeAlias = Callable[[Side, Fit], Place | None]
# Returns the place of some markup in a template of the project, or None.
FindWord: TypeAlias = Callable[[Side, str], Place | None]


@lru_cache(maxsize=1 << 14)
def contrast(one: str, other: str) -> float:
    """Return the contrast of two colors such as '#1a2b3c', from 1 to 21 (WCAG 2)."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


# The resolution at which ink is measured, in dpi, and the most elements of a face of which each is left out once.
_INK_DPI, _MOST_ELEMENTS = 36.0, 250
_ELEMENT = re.compile(rb"<(?!svg|defs|style)(\w+)[^>]*>")


def _element(artwork: Artwork) -> str:
    """Return the first tag of some artwork."""
    found = _ELEMENT.search(artwork.svg)
    return found[0].decode() if found else ""


def ink(image: Image.Image) -> float:
    """Return the ink that a picture takes: the mean coverage with cyan, magenta, and yellow, from 0 to 1."""
    return 1 - mean(ImageStat.Stat(image.convert("RGB")).mean) / 255


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
        own_colours: Sequence[OwnColour] = (),
    ) -> Iterator[Flaw]:
        """Yield the flaws of a face, at most one of a kind for each of its texts.

        What has to be drawn once more for it is only looked at with `own_fonts`, those of a face of one's own template:
        whether texts are hidden, and what stays empty.
        """
        fits = [fit for fit in face.fits if isinstance(fit, Fit)]
        pieces, size = list(pieces_of(face)), face.size
        edges = edges_of(face) if own_fonts and min(size) <= _MOST_SIDE else Edges()
        for flaw, drawn in (*shapes_arranged_badly(edges.shapes), *alike_shapes(edges.shapes)):
            element = Fit("", 0.0, 0.0, markup=_element(drawn.artwork))
            found = flaw._replace(place=find_place(side, element), spot=Spot(side, drawn.box, flaw.vision))
            found = at_confused(found, own_colours)
            if self._is_new(found):
                yield found
        if not pieces:
            return
        if _ground(face) not in self._grounds:
            self.prepare([face])
        ground = self._grounds[_ground(face)]
        whole = None
        if own_fonts:
            printed = face._replace(bleed=0, fields=(), folds=())
            whole = next(draw_faces([printed], own_fonts, self._cache, _dpi(size)))
        seen: set[tuple[str, int]] = set()
        for flaw, owner in (
            *_covered(pieces, ground, whole, size),
            *_faint(pieces, ground, size),
            *arranged_badly(pieces, face, shape, edges, lambda rule: is_seen(rule, ground, size)),
            *alike_signs(pieces),
        ):
            # What is hidden is not faint, too, and what goes over an edge is not blamed for touching it.
            key = ("faint" if flaw.kind == "hidden" else flaw.kind, owner)
            if key not in seen and not (flaw.kind == "rule" and ("faint", owner) in seen):
                seen.add(key)
                fit = fits[owner]
                found = flaw._replace(field=fit.field, text=fit.markup or flaw.text, place=find_place(side, fit))
                found = _at_colour(found, own_colours) if found.colour else at_confused(found, own_colours)
                found = found._replace(spot=Spot(side, fit.box, flaw.vision) if fit.box else None)
                if self._is_new(found):
                    yield found
        # A text that does not fit leaves room where it would be.
        if whole and all(fit.fill <= 1 for fit in fits) and (empty := empty_area(whole, face, shape)):
            found = Flaw("empty", "", "", empty[0], _EMPTY, place=find_place(side, fits[0]), spot=Spot(side, empty[1]))
            if self._is_new(found):
                yield found

    def too_much_ink(
        self, face: Face, side: Side, most: float, fonts: Fonts, find_word: FindWord, own: Sequence[OwnColour]
    ) -> Flaw | None:
        """Return the element that takes most ink of a face that takes too much; pictures do not count.

        The ink of an element is what is saved without it. Its place is that of its markup, found by `find_word`, or
        else that of a color which it has from a theme of the project.
        """
        drawn = [item for item in face.items if not (isinstance(item, Picture) or getattr(item, "is_art", False))]
        elements = drawn[:_MOST_ELEMENTS]
        plain = face._replace(bleed=0, items=tuple(drawn), fits=(), folds=(), fields=())
        others = (plain._replace(items=(*drawn[:at], *drawn[at + 1 :])) for at in range(len(elements)))
        images = draw_faces([plain, *others], fonts, self._cache, min(_INK_DPI, _dpi(face.size)))
        whole = next(images)
        figure = ink(whole)
        if figure <= most:
            return None
        least, element, without = min(
            ((ink(image), item, image) for item, image in zip(elements, images, strict=True)), key=lambda one: one[0]
        )
        svg = element.svg if isinstance(element, Artwork) else b""
        colour = next((each for each in own if each.value.lower().encode() in svg.lower()), None)
        markup = _element(element) if isinstance(element, Artwork) else ""
        place = (find_word(side, markup) if markup else None) or (colour.place if colour else None)
        spot = Spot(side, Box(*(each * face.size.width / whole.width for each in _extent(whole, without))))
        name = f"<{markup[1:].split()[0].rstrip('/>')}>" if markup else "a text"
        flaw = Flaw("ink", "", name, figure, most, f"{figure - least:.0%}", place, spot)
        return flaw if self._is_new(flaw) else None

    def _is_new(self, flaw: Flaw) -> bool:
        """Return whether a flaw of a label of the program, a color, or an element is found for the first time."""
        is_of_theme = flaw.colour or flaw.ground or flaw.kind == "ink"
        about = str(flaw.place) if is_of_theme else "" if flaw.field or flaw.place else flaw.text
        is_new = not about or (flaw.kind, about) not in self._labels
        self._labels.add((flaw.kind, about))
        return is_new


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


def at_confused(flaw: Flaw, own: Sequence[OwnColour]) -> Flaw:
    """Return a flaw of two colors at the one that a theme of the project sets, if there is one."""
    found = next((each for each in own if flaw.colours and each.value.lower() in flaw.colours), None)
    return flaw._replace(place=found.place) if found else flaw


def changed_spot(one: PrintPiece[Face], other: PrintPiece[Face], fonts: Fonts, vision: Vision | None) -> Spot | None:
    """Return the part of the first side in which two pieces of one size differ."""
    sides: tuple[Side, Side] = ("front", "back")
    for side, *faces in zip(sides, one.faces, other.faces, strict=False):
        dpi = _dpi(faces[0].size)
        first, second = draw_faces([each._replace(bleed=0, fields=()) for each in faces], fonts, ArtworkCache(), dpi)
        if ImageChops.difference(first, second).getbbox():
            return Spot(side, Box(*(each * MM_PER_INCH / dpi for each in _extent(first, second))), vision)
    return None


# The resolution of pictures with marked spots, in dpi, and the most of them.
_PICTURE_DPI, MOST_PICTURES = 150.0, 500
_MARK, _HALO, _BETWEEN, _GUTTER = "#e3001b", "#ffffff", "#808080", 8


def draw_spots(findings: Iterable[LocatedFinding], folder: Path) -> tuple[Path, ...]:
    """Draw the sides of cards that findings are about, with red frames around the spots, and return the PNG files.

    What people with a color-vision deficiency do not see is drawn as it is, and as they see it. Of more than
    `MOST_PICTURES` sides, the first are drawn. Raises CardgenError if a file cannot be written.
    """
    spots: dict[str, tuple[DrawnSpot, dict[Box, None]]] = {}
    for each in (one.spot for one in findings if one.spot):
        words = (each.entry.game, each.entry.kind, each.entry.card.id, each.spot.side, each.spot.vision)
        name = f"{'-'.join(filter(None, words))}.png"
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
        seen = [image, simulated(image, first.spot.vision)] if first.spot.vision else [image]
        for view, box in product(seen, boxes):
            _frame(ImageDraw.Draw(view), box.expand(0.5), dpi / MM_PER_INCH, view.size)
        image = _side_by_side(seen)
        content = io.BytesIO()
        image.save(content, "PNG")
        files.append(folder / name)
        atomic_write.write(files[-1], content.getvalue())
    return tuple(files)


def _side_by_side(images: Sequence[Image.Image]) -> Image.Image:
    """Return pictures of one size beside one another."""
    width, height = images[0].size
    row = Image.new("RGB", (len(images) * (width + _GUTTER) - _GUTTER, height), _BETWEEN)
    for number, each in enumerate(images):
        row.paste(each, (number * (width + _GUTTER), 0))
    return row


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


def _pixels(places: Iterable[tuple[float, float]], image: Image.Image, size: Size) -> list[tuple[int, int]]:
    across = image.width / size.width
    found = [(int(x * across), int(y * across)) for x, y in places]
    return [(x, y) for x, y in found if 0 <= x < image.width and 0 <= y < image.height]


def _faint(pieces: Sequence[Piece], ground: Image.Image, size: Size) -> Iterator[tuple[Flaw, int]]:
    """Yield the texts with too little contrast, the worst piece of each first."""
    found: list[tuple[float, Flaw, int]] = []
    for each in pieces:
        least = _least(each)
        ratios = sorted(_contrasts(each, _places(each), ground, size))
        # Lines behind a text may be weak, but not what most of it stands on.
        ratio, under = ratios[len(ratios) // 5] if ratios else (least, "")
        if ratio < least:
            flaw = Flaw("faint", "", each.words, ratio, least, colour=each.piece.colour, ground=under)
            found.append((ratio / least, flaw, each.owner))
        elif (ratio := _least_of_a_letter(each, ground, size)) < _LETTER_CONTRAST:
            found.append((ratio / least, Flaw("faint", "", each.words, ratio, least, other="part"), each.owner))
    yield from ((flaw, owner) for _, flaw, owner in sorted(found, key=lambda one: one[0]))


def _contrasts(
    piece: Piece, places: Iterable[tuple[float, float]], ground: Image.Image, size: Size
) -> list[tuple[float, str]]:
    """Return the contrast of a text at some places of it, and the color of the ground there."""
    behind = (ground.getpixel(at) for at in _pixels(places, ground, size))
    grounds = (_HEX.format(*rgb) for rgb in behind)  # type: ignore[misc]
    return [(contrast(piece.piece.colour, one), one) for one in grounds]


def _least_of_a_letter(piece: Piece, ground: Image.Image, size: Size) -> float:
    """Return the contrast that no place has more of, from the capitals to the baseline, in the worst narrow letter."""
    em = piece.piece.size * MM_PER_POINT
    number = max(2, ceil(piece.piece.width / (_HALF_LETTER * em)))
    halves = [
        max((ratio for ratio, _ in _contrasts(piece, _at(piece, ((at + 0.5) / number,)), ground, size)), default=inf)
        for at in range(number)
    ]
    return min((max(pair) for pair in pairwise(halves)), default=inf)


def _covered(
    pieces: Sequence[Piece], ground: Image.Image, whole: Image.Image | None, size: Size
) -> Iterator[tuple[Flaw, int]]:
    """Yield the texts that make no difference to what is printed, and those that something half transparent dims."""
    for each in pieces if whole else ():
        pixels = _pixels(_places(each), ground, size)
        if whole is None or not pixels:
            continue
        xs, ys = zip(*pixels, strict=True)
        box = (min(xs), min(ys), max(xs) + 2, max(ys) + 2)
        drawn = whole.crop(box), ground.crop(box)
        most = max(high for _, high in ImageChops.difference(*drawn).getextrema())  # type: ignore[misc]  # three channels
        expected = _difference(ground, pixels, each.piece.colour)
        if most < _SEEN * expected:
            yield Flaw("hidden", "", each.words), each.owner
        # Dots and dashes are thinner than a pixel.
        elif (
            most < _VEILED * expected
            and sum(map(str.isalnum, each.words)) > 1
            and (ratio := _printed_contrast(*drawn)) < _least(each)
        ):
            yield Flaw("faint", "", each.words, ratio, _least(each), other="veiled"), each.owner


def _printed_contrast(whole: Image.Image, ground: Image.Image) -> float:
    """Return the contrast of the clearest pixel of a drawn text with the ground."""
    drawn, behind = whole.tobytes(), ground.tobytes()
    pairs = ((drawn[at : at + 3], behind[at : at + 3]) for at in range(0, len(drawn), 3))
    one, other = max(pairs, key=lambda pair: sum(abs(a - b) for a, b in zip(*pair, strict=True)))
    return contrast(_HEX.format(*one), _HEX.format(*other))


def _least(piece: Piece) -> float:
    """Return the contrast that a text needs."""
    is_large = piece.printed_points >= LARGE_POINTS or isinstance(piece.piece, IconGlyph)
    return LARGE_CONTRAST if is_large else TEXT_CONTRAST


def _places(piece: Piece) -> list[tuple[float, float]]:
    return _at(piece, _ACROSS)


def _at(piece: Piece, parts: Iterable[float]) -> list[tuple[float, float]]:
    """Return places of a text at these parts of its width, from the baseline up."""
    em = piece.piece.size * MM_PER_POINT
    x, y, width = piece.piece.x, piece.piece.y, piece.piece.width
    return [apply(piece.matrix, x + part * width, y - up * em) for part, up in product(parts, _UP)]


def _difference(ground: Image.Image, pixels: Sequence[tuple[int, int]], colour: str) -> int:
    """Return by how much a color changes a channel of the ground, at most."""
    channels = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    rgbs = [ground.getpixel(at) for at in pixels]
    return max(abs(one - other) for rgb in rgbs for one, other in zip(channels, rgb, strict=True))  # type: ignore[arg-type]


# A face is empty where this part of it, in one rectangle, has nothing but plain ground. Smaller faces are looked at as
# a whole. Steps of 1.5 mm; pixels of texts and pictures differ by more from those beside them.
_EMPTY, _LEAST_SIDE, _MOST_SIDE, _STEP, _PLAIN = 1 / 3, 40.0, 250.0, 1.5, 7


def empty_area(whole: Image.Image, face: Face, shape: Shape) -> tuple[float, Box] | None:
    """Return the largest rectangle of a drawn face in which nothing is, with its part of the face, if that is a third.

    Form fields are there to be filled in.
    """
    width, height = face.size
    if not _LEAST_SIDE <= min(face.size) <= _MOST_SIDE:
        return None
    gray = whole.convert("L")
    edges = ImageChops.subtract(gray.filter(ImageFilter.MaxFilter(3)), gray.filter(ImageFilter.MinFilter(3)))
    across, pen = whole.width / width, ImageDraw.Draw(edges)
    for box in (each.box for each in face.fields):
        pen.rectangle([side * across for side in (box.x, box.y, box.right, box.bottom)], fill=255)
    if shape is Shape.ROUND:
        outside = Image.new("L", edges.size, 255)
        ImageDraw.Draw(outside).ellipse((0, 0, edges.width - 1, edges.height - 1), fill=0)
        edges = ImageChops.lighter(edges, outside)
    marked = edges.point([255 * (value > _PLAIN) for value in range(256)])
    columns, rows = int(width / _STEP), int(height / _STEP)
    cells = marked.resize((columns, rows), Image.Resampling.BOX).tobytes()
    part, (left, top, right, bottom) = _largest([cells[at * columns : (at + 1) * columns] for at in range(rows)])
    share = part / (columns * rows) / (pi / 4 if shape is Shape.ROUND else 1)
    if share <= _EMPTY:
        return None
    wide, high = width / columns, height / rows
    return share, Box(left * wide, top * high, (right - left) * wide, (bottom - top) * high)


def _largest(rows: Sequence[bytes]) -> tuple[int, tuple[int, int, int, int]]:
    """Return the largest rectangle of zeros in rows of cells: its area, and its left, top, right, and bottom."""
    best, heights = (0, (0, 0, 0, 0)), [0] * (len(rows[0]) + 1)
    for bottom, row in enumerate(rows, 1):
        heights = [0 if cell else high + 1 for cell, high in zip(row, heights, strict=False)] + [0]
        open_bars: list[tuple[int, int]] = []
        for at, high in enumerate(heights):
            left = at
            while open_bars and open_bars[-1][1] >= high:
                left, above = open_bars.pop()
                best = max(best, (above * (at - left), (left, bottom - above, at, bottom)))
            open_bars.append((left, high))
    return best


def _extent(one: Image.Image, other: Image.Image) -> tuple[int, int, int, int]:
    """Return the left, the top, the width, and the height of what differs between two pictures."""
    left, top, right, bottom = ImageChops.difference(one, other).getbbox() or (0, 0, *one.size)
    return left, top, right - left, bottom - top


# Places along a rule, and the contrast at which it is seen.
_ALONG, _VISIBLE = (0.1, 0.3, 0.5, 0.7, 0.9), 1.25


def is_seen(rule: Rule, ground: Image.Image, size: Size) -> bool:
    """Return whether a part of a rule differs from what lies on one side of it."""
    across = ground.width / size.width
    beside = rule.half + max(0.5, 1 / across)
    length = hypot(rule.x2 - rule.x1, rule.y2 - rule.y1) or 1.0
    wide, high = beside * (rule.y2 - rule.y1) / length, -beside * (rule.x2 - rule.x1) / length
    found = []
    for part in _ALONG:
        x, y = rule.x1 + part * (rule.x2 - rule.x1), rule.y1 + part * (rule.y2 - rule.y1)
        near = [(int((x + step * wide) * across), int((y + step * high) * across)) for step in (-1, 0, 1)]
        if all(0 <= x < ground.width and 0 <= y < ground.height for x, y in near):
            one, line, other = (_HEX.format(*ground.getpixel(at)) for at in near)  # type: ignore[misc]
            found.append(max(contrast(one, line), contrast(line, other), contrast(one, other)) >= _VISIBLE)
    return sum(found) > len(found) / 2
