"""Faces as PNG files, one PDF for all of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from itertools import chain, takewhile
from typing import NamedTuple

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.export.pdf import writer
from cardgen.export.pdf.cairo import ArtworkCache
from cardgen.face.face import Artwork, Face, Item
from cardgen.sheet.imposition import PrintPiece, impose_single
from cardgen.sheet.leaf import SheetPage, pages_of
from cardgen.text.fonts import Fonts
from cardgen.units import MM_PER_INCH, Shape, Size


class FaceShape(NamedTuple):
    """A face, the outline of its piece, and the radius of its corners in millimeters."""

    face: Face
    shape: Shape = Shape.RECTANGLE
    radius: float = 0.0

    @property
    def is_cut(self) -> bool:
        """True unless the outline is a rectangle with sharp corners."""
        return self.shape is Shape.ROUND or self.radius > 0


class Resolution(NamedTuple):
    """Resolution in dpi, and the bleed to keep, in millimeters."""

    dpi: float
    bleed: float = 0.0


class Renderer(NamedTuple):
    """What turns faces into pictures, in up to `jobs` processes."""

    fonts: Fonts
    title: str
    cache: ArtworkCache | None = None
    jobs: int = 1


def rasterize(faces: Iterable[FaceShape], resolution: Resolution, renderer: Renderer) -> Callable[[Face], bytes]:
    """Return a function that returns a face as PNG.

    Without bleed, faces that are round or have rounded corners have a transparent background. Faces are rasterized
    ahead if they are requested in order; what can fail has been done before. Raises CardgenError for artwork that
    cannot be drawn, and for pictures that are too large.
    """
    # loaded here because pdfium is slow to load, and sheets do not need it
    from cardgen.export.svg import Rasterizer

    bleed = resolution.bleed
    faces = list(faces)
    for each in faces:
        _check_pixels(each.face.size, resolution)
    # Comparing whole faces would take long, and equal ones are already the same object.
    distinct = {id(each.face): each for each in faces}
    numbers = {key: number for number, key in enumerate(distinct)}
    layers = _Layers.of(list(distinct.values()))
    pages = list(chain.from_iterable(_page(each, bleed) for each in (*layers.upper, *layers.grounds)))
    transparent = [] if bleed else [number for number, each in enumerate(distinct.values()) if each.is_cut]
    document = writer.write(pages, renderer.fonts, writer.DocumentInfo(renderer.title), renderer.cache)
    rasters = Rasterizer(document, resolution.dpi, renderer.jobs, transparent, layers.ground_pages)
    page = lru_cache(maxsize=4)(rasters.page)  # the same backs recur
    return lambda face: page(numbers[id(face)])


class _Layers(NamedTuple):
    """Faces without the artwork that several of them paint first, and with each such ground as a face.

    `ground_of` maps the number of a face to that of its ground.
    """

    upper: list[FaceShape]
    grounds: list[FaceShape]
    ground_of: dict[int, int]

    @property
    def ground_pages(self) -> dict[int, int]:
        """The page of the ground of each page that has one."""
        return {number: len(self.upper) + ground for number, ground in self.ground_of.items()}

    @classmethod
    def of(cls, faces: Sequence[FaceShape]) -> _Layers:
        """Split faces of the same size and outline that start with the same artwork."""
        groups: dict[Hashable, list[int]] = {}
        for number, each in enumerate(faces):
            first = next(iter(each.face.items), None)
            if isinstance(first, Artwork):
                outline = (each.face.size, each.face.bleed, each.shape, each.radius)
                groups.setdefault((first, outline), []).append(number)
        layers = cls(list(faces), [], {})
        for numbers in groups.values():
            if len(numbers) > 1:
                layers._separate(numbers, _common_artwork([faces[number].face.items for number in numbers]))
        return layers

    def _separate(self, numbers: Sequence[int], common: tuple[Item, ...]) -> None:
        first = self.upper[numbers[0]]
        for number in numbers:
            self.ground_of[number] = len(self.grounds)
            shown = self.upper[number]
            self.upper[number] = shown._replace(face=shown.face._replace(items=shown.face.items[len(common) :]))
        self.grounds.append(first._replace(face=Face(first.face.size, first.face.bleed, common)))


def _common_artwork(lists: Sequence[tuple[Item, ...]]) -> tuple[Item, ...]:
    """Return the artwork with which all lists start."""

    def is_common(items: tuple[Item, ...]) -> bool:
        return isinstance(items[0], Artwork) and all(item == items[0] for item in items)

    return tuple(items[0] for items in takewhile(is_common, zip(*lists, strict=False)))


def _check_pixels(size: Size, resolution: Resolution) -> None:
    from cardgen.export.svg import MOST_PIXELS

    width, height = ((side + 2 * resolution.bleed) / MM_PER_INCH * resolution.dpi for side in size)
    if width * height > MOST_PIXELS:
        most = int(resolution.dpi * (MOST_PIXELS / (width * height)) ** 0.5)
        message = f"a picture of {width:.0f} x {height:.0f} pixels has more than {MOST_PIXELS // 10**6} million"
        raise CardgenError(Diagnostic(Code.BAD_OPTION, message, Place("--dpi"), f"use at most --dpi {most}"))


def _page(shown: FaceShape, bleed: float) -> Iterable[SheetPage[Face]]:
    piece = PrintPiece(shown.face, shape=shown.shape)
    return pages_of(impose_single([piece], shown.face.size, bleed, radius=shown.radius))
