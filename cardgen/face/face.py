"""Face: one side of a piece, as items in paint order; and SVG files as its art and icons.

Coordinates are in millimeters from the corner of the trim.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, Span
from cardgen.project.files import display_path
from cardgen.runtime import regular_file
from cardgen.runtime.processes import WATCHDOG, TimeLimitError
from cardgen.runtime.regular_file import ALL_SAVED, UnsavedFiles
from cardgen.svg.reduction import VectorArt, reduce_svg
from cardgen.svg.scene import (
    Fault,
    VectorArtError,
    box_outline,
    group_tag,
    parse_path,
    path_data,
    rounded_outline,
    transformed,
)
from cardgen.svg.tree import CHUNK, Element, parse_transform, read_tree
from cardgen.text.lines import Fit, IconArt, Line, Outline, PathCommand
from cardgen.units import IDENTITY, Box, Matrix, Size, compose, multiply, translation


@dataclass(frozen=True, slots=True)
class Artwork:
    """Chunk of vector artwork: an SVG document that covers trim and bleed.

    Chunks with equal content are equal, so that a frame shared by 300 cards is rendered once. `template` is the file
    that it first came from. The picture of an SVG file, `is_art`, is reduced to what is always translated.
    """

    svg: bytes
    template: Path | None = field(default=None, compare=False)
    is_art: bool = False


class Picture(NamedTuple):
    """Picture file in its box.

    `focus` is the point that stays visible, as fractions of width and height; `radius` is in millimeters. A picture
    that is smaller than its box is in the middle or, with `meet`, at its focus; with `stretch`, it has the sides of the
    box. The picture is `scale` times as large as it fits. What is outside of the `mask` is not seen; without one, that
    is what is outside of the box, with rounded corners.
    """

    path: Path
    box: Box
    fit: Literal["cover", "contain", "meet", "stretch"] = "cover"
    focus: tuple[float, float] = (0.5, 0.5)
    radius: float = 0.0
    matrix: Matrix = IDENTITY
    scale: float = 1.0
    mask: tuple[PathCommand, ...] = ()
    opacity: float = 1.0

    def place(self, width: float, height: float) -> Box:
        """Return the box of the whole picture, which has some `width` and `height` in any unit, in millimeters.

        Where it is larger than its box, it extends beyond it, and is shifted to keep its focus visible.
        """
        box = self.box
        choose = max if self.fit == "cover" else min
        scale = choose(box.width / width, box.height / height) * self.scale
        wide, high = width * scale, height * scale
        if self.fit == "stretch":
            wide, high = box.width * self.scale, box.height * self.scale
        across, down = self.focus if self.fit in ("cover", "meet") or self.scale > 1 else (0.5, 0.5)
        return Box(box.x + (box.width - wide) * across, box.y + (box.height - high) * down, wide, high)

    @property
    def outline(self) -> tuple[PathCommand, ...]:
        """What is seen of the picture."""
        rounded = min(self.radius, self.box.width / 2, self.box.height / 2)
        return self.mask or (rounded_outline(self.box, rounded, rounded) if rounded else box_outline(self.box))


class Text(NamedTuple):
    """Lines of text, laid out before `matrix` applies.

    A text that is bent is one for each glyph; all but its last one have `continues`.
    """

    lines: tuple[Line, ...]
    matrix: Matrix = IDENTITY
    continues: bool = False


Item = Artwork | Picture | Text


class Room(NamedTuple):
    """Space that a template has used and has available, in mm (`cg:room`)."""

    field: str
    used: float
    available: float

    @property
    def ok(self) -> bool:
        """True if the used space fits; 0.01 mm is a rounding error."""
        return self.used <= self.available + 0.01


def text_owners(face: Face) -> Iterator[tuple[Text, int]]:
    """Yield the texts of a face, each with the index of its fit among those of texts."""
    texts = [item for item in face.items if isinstance(item, Text)]
    at = 0
    for owner, fit in enumerate(fit for fit in face.fits if isinstance(fit, Fit)):
        # Of a text that is empty or too long for any card, nothing may be left but its fit.
        is_there = at < len(texts) and (fit.box is not None or not any(line.pieces for line in texts[at].lines))
        while is_there:
            yield texts[at], owner
            is_there = texts[at].continues
            at += 1


class Fold(NamedTuple):
    """Straight fold line of the printed piece (`cg:fold`)."""

    x1: float
    y1: float
    x2: float
    y2: float


class CutPath(NamedTuple):
    """Cut line of a piece with an outline of its own, as closed paths (`cg:cut`)."""

    outline: tuple[PathCommand, ...]


class Field(NamedTuple):
    """Form field to fill in on screen before printing (`cg:field`).

    `name` is unique on its face, `size` is its type size in points, and `multiline` allows several lines. `is_box` is
    a box to tick. `family` is the font of what is typed; empty for that of the sheet's labels.
    """

    name: str
    box: Box
    size: float
    multiline: bool = False
    align: Literal["left", "center"] = "left"
    is_box: bool = False
    family: str = ""


class Face(NamedTuple):
    """One side of a piece: trim size, bleed, items, and fits.

    `folds` and `fields` are on top of the items. `cuts` replace the trim as cut line on presses.
    """

    size: Size
    bleed: float
    items: tuple[Item, ...]
    fits: tuple[Fit | Room, ...] = ()
    folds: tuple[Fold, ...] = ()
    fields: tuple[Field, ...] = ()
    cuts: tuple[CutPath, ...] = ()

    @property
    def rest(self) -> Face:
        """What pages need of a face that is drawn already: all but its artwork and texts, which take most memory."""
        pictures = tuple(item for item in self.items if isinstance(item, Picture))
        return self if len(pictures) == len(self.items) else self._replace(items=pictures, fits=())


SUFFIX = ".svg"
MAX_BYTES = 8 << 20
# Time limit for reading and reducing one file, in seconds.
TIME_LIMIT = 10.0


def placed(art: VectorArt, picture: Picture) -> bytes:
    """Return the artwork of a picture: a file in the picture's box."""
    box, whole = picture.box, picture.place(*art.size)
    name = f"{art.digest}-{hashlib.blake2b(repr(picture).encode(), digest_size=4).hexdigest()}"
    # The box, or the picture if that is smaller on a side.
    x, y = max(box.x, whole.x), max(box.y, whole.y)
    right, bottom = min(box.right, whole.right), min(box.bottom, whole.bottom)
    part = Box(x, y, right - x, bottom - y)
    visible = box if all(abs(one - other) < 1e-6 for one, other in zip(part, box, strict=True)) else part
    outline = picture.outline if visible == box or picture.mask else box_outline(visible)
    clip = f'<clipPath id="{name}"><path d="{path_data(outline)}"/></clipPath>'
    scale = (whole.width / art.size[0], 0, 0, whole.height / art.size[1], 0, 0)
    matrix = compose(translation(whole.x, whole.y), scale)
    opacity = f"{picture.opacity:g}" if picture.opacity < 1 else ""
    return (
        f"<defs>{clip}{art.definitions}</defs>"
        f"{group_tag(picture.matrix, clip_path=f'url(#{name})', opacity=opacity)}{group_tag(matrix)}{art.body}</g></g>"
    ).encode()


def fault_diagnostics(error: VectorArtError, path: Path) -> tuple[Diagnostic, ...]:
    """Return the faults of a file as diagnostics at their lines."""
    name = display_path(path)
    return tuple(
        Diagnostic(Code.ART, fault.message, Place(name, Span(fault.line, 1, fault.line, 1)), fault.help)
        for fault in error.faults
    )


def is_vector_art(path: Path) -> bool:
    """Return whether a file is SVG by its name."""
    return path.suffix.lower() == SUFFIX


def open_vector_art(path: Path) -> VectorArt:
    """Return a reduced SVG file; recent ones are cached.

    Raises VectorArtError with all faults of the file, and ValueError if it cannot be read.
    """
    try:
        status = path.stat()
        result = _reduce_file(path, status.st_mtime_ns, status.st_size)
    except regular_file.FileTooLargeError:
        raise ValueError(
            f"'{path.name}' is larger than {MAX_BYTES >> 20} MiB; simplify it, or save it as PNG"
        ) from None
    except OSError as error:
        raise ValueError(f"'{path.name}' cannot be read: {error.strerror or error}") from None
    if isinstance(result, VectorArtError):
        raise VectorArtError(*result.faults)
    return result


@lru_cache(maxsize=16)
def _reduce_file(path: Path, _modified: int, _size: int) -> VectorArt | VectorArtError:
    content = regular_file.read(path, MAX_BYTES)
    try:
        with WATCHDOG.limit(TIME_LIMIT):
            return reduce_svg(content)
    except TimeLimitError:
        return VectorArtError(Fault(f"reading the picture took longer than {TIME_LIMIT:g} seconds", 1))
    except VectorArtError as error:
        return error


_MAX_BYTES = 1 << 18
_PAINT = re.compile(r'\b(fill|stroke)="(#[0-9a-f]{6})"')
_STOP = re.compile(r'\b(stop-color)="(#[0-9a-f]{6})"')
# Definitions with colors of their own.
_COLOURED = ("<linearGradient", "<radialGradient", "<pattern")
_FLAT_ATTRIBUTES = {"g": {"transform"}, "path": {"d", "fill", "fill-rule"}}


def read_icon(path: Path, *, own_colours: bool = True, unsaved: UnsavedFiles = ALL_SAVED) -> Outline:
    """Return the icon in an SVG file, whose height becomes 1.

    An icon of one color takes that of its text; one of several colors keeps them, except for 'currentColor'. Without
    `own_colours`, they become the color of the text, too. Raises CardgenError with the problems of the file, at their
    lines.
    """
    try:
        content = regular_file.read(path, _MAX_BYTES, unsaved)
    except regular_file.FileTooLargeError:
        raise _unusable(path, f"the icon is larger than {_MAX_BYTES // 1024} KiB") from None
    except OSError as error:
        raise _unusable(path, f"the icon cannot be read: {error.strerror or error}") from None
    return icon_outline(content, path, own_colours=own_colours)


def icon_outline(content: bytes, path: Path, *, own_colours: bool = True) -> Outline:
    """Return an icon from its SVG, as `read_icon` does. Raises CardgenError, at the path, if it cannot be drawn."""
    try:
        # A color that a file does not contain; it stands for that of the text.
        written, candidates = content.lower(), map("#{:06x}".format, range(0x010FE1, 0x1000000))
        stand_in = next(colour for colour in candidates if colour.encode() not in written)
        with WATCHDOG.limit(TIME_LIMIT):
            art = reduce_svg(content, stand_in)
    except TimeLimitError:
        raise _unusable(path, f"reading the icon took longer than {TIME_LIMIT:g} seconds") from None
    except VectorArtError as error:
        raise CardgenError(*fault_diagnostics(error, path)) from None
    if "<path" not in art.body:
        raise _unusable(path, "the icon draws nothing")
    body, colours = art.body, {colour for _, colour in _PAINT.findall(art.body)}
    if not own_colours:
        art = art._replace(definitions=_in_one_colour(art.definitions, stand_in))
    if not own_colours or (len(colours) == 1 and not any(tag in art.definitions for tag in _COLOURED)):
        body = _PAINT.sub(rf'\1="{stand_in}"', body)
        flat = None if art.definitions else _flat(art._replace(body=body))
        if flat:
            return flat
    scale = group_tag((1 / art.size.height, 0, 0, 1 / art.size.height, 0, 0))
    drawn = IconArt(art.definitions, f"{scale}{body}</g>", art.digest, stand_in)
    return Outline((), art.size.width / art.size.height, art=drawn)


def _in_one_colour(definitions: str, colour: str) -> str:
    """Return definitions whose gradients and patterns have one color; in masks, colors are transparency."""
    definitions = _STOP.sub(rf'\1="{colour}"', definitions)
    return definitions if "<mask" in definitions else _PAINT.sub(rf'\1="{colour}"', definitions)


def _unusable(path: Path, message: str) -> CardgenError:
    return CardgenError(Diagnostic(Code.ART, message, Place(display_path(path))))


def _flat(art: VectorArt) -> Outline | None:
    """Return the outline of filled paths with one fill rule; None for anything else, such as strokes."""
    paths: list[tuple[PathCommand, ...]] = []
    rules: set[str] = set()
    width, height = art.size
    # y points up in an outline
    whole = (1 / height, 0, 0, -1 / height, 0, 1)

    def add(element: Element, matrix: Matrix) -> bool:
        if not _FLAT_ATTRIBUTES[element.tag].issuperset(element.attributes):
            return False
        if element.tag == "g":
            inner = multiply(matrix, parse_transform(element.get("transform", "")))
            return all(add(child, inner) for child in element.children)
        paths.append(transformed(parse_path(element.get("d", "")), matrix))
        rules.add(element.get("fill-rule", "nonzero"))
        return element.get("fill") != "none"

    root = read_tree(f"<svg>{art.body}</svg>".encode(), CHUNK).root
    is_flat = all(add(child, whole) for child in root.children)
    return Outline(tuple(paths), width / height, evenodd=rules == {"evenodd"}) if is_flat and len(rules) == 1 else None
