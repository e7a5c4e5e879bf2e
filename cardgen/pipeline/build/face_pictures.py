"""Faces as PNG files, one PDF for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from cardgen.export import pdf
from cardgen.export.artwork_cache import ArtworkCache
from cardgen.face.face import Face
from cardgen.sheet.imposition import PrintPiece, impose_single
from cardgen.text.fonts import Fonts
from cardgen.units import Shape


class FaceShape(NamedTuple):
    """A face and the outline of its piece."""

    face: Face
    shape: Shape = Shape.RECTANGLE


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

    Without bleed, round faces have a transparent background. Faces are rasterized ahead if they are requested in order;
    what can fail has been done before. Raises CardgenError for artwork that cannot be drawn.
    """
    # loaded here because pdfium is slow to load, and sheets do not need it
    from cardgen.export.png import Rasterizer

    bleed = resolution.bleed
    # Comparing whole faces would take long, and equal ones are already the same object.
    distinct = {id(each.face): each for each in faces}
    numbers = {key: number for number, key in enumerate(distinct)}
    pieces = [PrintPiece(each.face, shape=each.shape) for each in distinct.values()]
    pages = list(chain.from_iterable(impose_single([piece], piece.front.size, bleed) for piece in pieces))
    transparent = [] if bleed else [n for n, piece in enumerate(pieces) if piece.shape is Shape.ROUND]
    document = pdf.write(pages, renderer.fonts, pdf.DocumentInfo(renderer.title), renderer.cache)
    rasters = Rasterizer(document, resolution.dpi, renderer.jobs, transparent)
    page = lru_cache(maxsize=4)(rasters.page)  # the same backs recur
    return lambda face: page(numbers[id(face)])
