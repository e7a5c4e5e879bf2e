"""Rendered cards as PDF, PNG, and SVG files, by format name; pieces that are larger than the paper are left out."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain, takewhile
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple, TypeAlias

from cardgen.deck.deck import kind_of, rules_of
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, Severity
from cardgen.export.pdf import writer
from cardgen.export.pdf.cairo import ArtworkCache
from cardgen.export.pdf.writer import OpenDocument
from cardgen.face.face import Artwork, Face, Item, Picture
from cardgen.model.card import Entry
from cardgen.options import BACKS_REVERSED, FRONTS
from cardgen.print.documents import Series
from cardgen.print.render import (
    PieceFormat,
    RenderedCard,
    arrange,
    format_of,
    lay_out,
    room_problem,
    sheets_if_packed,
)
from cardgen.print.request import BuildRequest, PrintSetup
from cardgen.project.project import Settings, corner_radius
from cardgen.runtime.fingerprint import WATCHED, Stamp, stamp
from cardgen.runtime.workspace import Link
from cardgen.sheet.imposition import PrintPiece, impose_single
from cardgen.sheet.leaf import (
    Backs,
    DuplexMode,
    Label,
    Leaf,
    SheetPage,
    Side,
    duplex_mode,
    pages_of,
    pages_of_side,
    printing_order,
)
from cardgen.text.captions import Captions
from cardgen.text.fonts import Fonts
from cardgen.units import MM_PER_INCH, PAPER_SIZES, Shape, Size, quantity

if TYPE_CHECKING:
    from cardgen.export.inks import OutputProfile
    from cardgen.print.render import RenderedCard


# Faces as PNG files, one PDF for all of them.


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
    """What turns faces into pictures, in up to `jobs` processes or on a `cluster`."""

    fonts: Fonts
    title: str
    cache: ArtworkCache | None = None
    jobs: int = 1
    cluster: Link | None = None


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
    rasters = Rasterizer(document, resolution.dpi, renderer.jobs, transparent, layers.ground_pages, renderer.cluster)
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


class OutputJob(NamedTuple):
    """The rendered, numbered cards of one document, and its output options.

    `stem` is the start of its file names, `title` a name for people. Jobs of one `series` become one document if pieces
    of all kinds share sheets. `is_partial` is true if some of its cards are left out. `document` is the PDF if faces
    were drawn while others were rendered. Pictures can be drawn on a `cluster`.
    """

    stem: str
    title: str
    series: Series
    is_partial: bool
    cards: tuple[tuple[int, RenderedCard], ...]
    request: BuildRequest
    settings: Settings
    setup: PrintSetup
    fonts: Fonts
    artwork_cache: ArtworkCache | None
    document: OpenDocument | None = None
    cluster: Link | None = None


Content: TypeAlias = bytes | IO[bytes]
Contents: TypeAlias = Mapping[Path, Callable[[], Content]]


class Batch(NamedTuple):
    """Files that are made together.

    `files` maps each to what its content depends on; while that is unchanged, the file is up to date. `make` prepares
    the given files; after that, nothing in them can fail. `sheets` is the number of sheets of paper, and `variety`
    that of different cards with rules.
    """

    files: Mapping[Path, Hashable]
    make: Callable[[Iterable[Path]], Contents]
    sheets: int = 0
    variety: int = 0


Format: TypeAlias = Callable[[OutputJob], Batch]


def _pdf_batch(job: OutputJob) -> Batch:
    """Return one PDF with all leaves, each front followed by its back.

    If some cards are left out, its name and its slug lines say so, and the PDF of all cards stays as it is.
    """
    setup, fonts = job.setup, job.fonts
    stem, title = (f"{job.stem}-selection", f"{job.title} (selection)") if job.is_partial else (job.stem, job.title)
    request = job.request
    leaves = lay_out((rendered for _, rendered in job.cards), request.qty, setup, title, fonts, request.sets)
    if request.sides:
        return pdf_of(job, stem, title, leaves, sides_of(printing_order(leaves), request.sides))
    return pdf_of(job, stem, title, leaves, pages_of(leaves))


def sides_of(leaves: Sequence[Leaf[Face]], sides: str) -> Sequence[SheetPage[Face]]:
    """Return the pages of one side of leaves, in the order in which they are printed."""
    pages = pages_of_side(leaves, Side.FRONT if sides == FRONTS else Side.BACK)
    return pages[::-1] if sides == BACKS_REVERSED else pages


def pdf_of(
    job: OutputJob, stem: str, title: str, leaves: Sequence[Leaf[Face]], pages: Sequence[SheetPage[Face]]
) -> Batch:
    """Return a PDF of pages, which are those of leaves or one of their sides; without pages, there is no file."""
    setup, fonts, cache, sides = job.setup, job.fonts, job.artwork_cache, job.request.sides
    if not pages:
        return Batch({}, lambda _: {})
    pages = with_captions(pages, setup.captions)
    path = job.request.output / f"{stem}-{setup.file_suffix}{f'-{sides}' if sides else ''}.pdf"
    duplex = DuplexMode.SIMPLEX if sides else duplex_mode(leaves)
    language = setup.language or "en"
    about = writer.DocumentInfo(title, duplex=duplex, language=language, shows_bookmarks=job.request.pnp)
    # In the order of the cards, in which faces are drawn, also if they were drawn before.
    printed = {id(placement.face) for page in pages for placement in page.placements} if sides else None
    drawn = (face for _, rendered in job.cards for face in rendered.piece.faces)
    # Comparing whole faces would take long, and equal ones are already the same object.
    faces = {id(face): face for face in drawn if printed is None or id(face) in printed}
    profile = _load_profile(Path(job.request.profile)) if job.request.profile else None
    dependencies = (pages, about, tuple(_picture_stamps(faces.values())), profile)
    sheets = sum(not leaf.is_plain for leaf in leaves)

    opened = job.document

    def make(_: Iterable[Path]) -> Contents:
        # uses no job, so that its cards can be freed before
        started = opened or OpenDocument(fonts)
        for face in faces.values():
            started.draw(face)
        document = writer.write_file(pages, fonts, about, cache, started)
        return finished_contents(path, _in_inks(document.content(), pages, profile) if profile else document)

    return Batch({path: dependencies}, make, sheets)


def packing_advice(jobs: Sequence[OutputJob]) -> Iterator[str]:
    """Yield what packing would save, for each series of documents whose grids leave much of their sheets bare."""
    series: dict[Series, list[OutputJob]] = {}
    for job in jobs:
        series.setdefault(job.series, []).append(job)
    for name, joined in series.items():
        if joined[0].setup.layout != "grid" or joined[0].setup.sprue:
            continue
        request = joined[0].request
        grids = [arrange((card for _, card in job.cards), request.qty, job.setup, request.sets) for job in joined]
        fewer = sheets_if_packed(grids)
        if fewer is not None:
            sheets = quantity(sum(len(grid.sheets) for grid in grids), "sheet")
            yield f"{name.title}: {sheets} in a grid; --layout packed needs only {fewer}"


def with_captions(pages: Sequence[SheetPage[Face]], captions: Captions) -> list[SheetPage[Face]]:
    """Return pages whose labels are in the language of the captions."""
    return [
        page._replace(
            marks=tuple(
                mark._replace(text=captions.translate(mark.text)) if isinstance(mark, Label) else mark
                for mark in page.marks
            )
        )
        for page in pages
    ]


def _load_profile(path: Path) -> OutputProfile:
    from cardgen.export.inks import load_profile  # loaded here because few builds need it

    return load_profile(path)


def _in_inks(document: bytes, pages: Sequence[SheetPage[Face]], profile: OutputProfile) -> bytes:
    """Return sheets as a PDF/X-4 in the inks of a press."""
    from cardgen.export.press import PressSettings, make_press_pdf  # loaded here because few builds need it

    return make_press_pdf(document, pages, PressSettings(profile, cut_contour=None))


def finished_contents(path: Path, content: Content) -> Contents:
    """Return the content of one file, which is already prepared."""
    return {path: lambda: content}


def _png_batch(job: OutputJob) -> Batch:
    """Return one PNG per face, rasterized from a PDF of single faces."""
    faces, bleed, dpi = dict(_face_files(job, "png")), _bleed(job), job.request.dpi
    shapes, radii = _face_shapes(job), _face_radii(job)

    def make(paths: Iterable[Path]) -> Contents:
        wanted = list(paths)
        shown = [FaceShape(faces[path], shapes[id(faces[path])], radii[id(faces[path])]) for path in wanted]
        renderer = Renderer(job.fonts, job.title, job.artwork_cache, job.request.processes, job.cluster)
        picture = rasterize(shown, Resolution(dpi, bleed), renderer)
        return {path: partial(picture, faces[path]) for path in wanted}

    return Batch(_dependencies(faces, radii, (dpi, bleed)), make)


def _svg_batch(job: OutputJob) -> Batch:
    """Return one SVG per face."""
    faces, bleed, shapes, radii = dict(_face_files(job, "svg")), _bleed(job), _face_shapes(job), _face_radii(job)
    titles = {path: f"{job.title} · {path.stem}" for path in faces}

    def make(paths: Iterable[Path]) -> Contents:
        from cardgen.export import svg  # loaded here because few builds write SVG

        return {
            path: partial(
                svg.write, face, job.fonts, titles[path], bleed, shape=shapes[id(face)], radius=radii[id(face)]
            )
            for path, face in ((path, faces[path]) for path in paths)
        }

    return Batch(_dependencies(faces, radii, (bleed,)), make)


FORMATS: Mapping[str, Format] = {"pdf": _pdf_batch, "png": _png_batch, "svg": _svg_batch}


def make_batches(name: str, jobs: Sequence[OutputJob]) -> Iterator[Batch]:
    """Yield the batches of a format.

    If kinds share sheets, the jobs of a series share a PDF.
    """
    if name == "pdf" and any(job.setup.mixes_kinds for job in jobs):
        jobs = _join_series(jobs)
    for job in jobs:
        entries = (card.entry for _, card in job.cards)
        variety = len({(each.kind, each.card.id) for each in entries if kind_of(each).model.HAS_RULES})
        yield FORMATS[name](job)._replace(variety=variety)


def _join_series(jobs: Sequence[OutputJob]) -> list[OutputJob]:
    """Return one job per series, with the cards of all its jobs."""
    series: dict[Series, list[OutputJob]] = {}
    for job in jobs:
        series.setdefault(job.series, []).append(job)
    return [
        each[0]._replace(
            stem=joined_series.stem,
            title=joined_series.title,
            is_partial=joined_series.is_partial,
            cards=tuple(card for job in each for card in job.cards),
        )
        if len(each) > 1
        else each[0]
        for joined_series, each in series.items()
    ]


def _face_files(job: OutputJob, suffix: str) -> Iterator[tuple[Path, Face]]:
    """Yield files and faces; file names sort in the order of cards."""
    folder = job.request.output / job.stem
    for number, rendered in job.cards:
        stem = f"{number:03}-{rendered.entry.card.id}"
        yield folder / f"{stem}-front.{suffix}", rendered.piece.front
        if rendered.piece.back is not None:
            yield folder / f"{stem}-back.{suffix}", rendered.piece.back


def _face_shapes(job: OutputJob) -> dict[int, Shape]:
    """Return the outline of each face, by identity."""
    return {id(face): rendered.piece.shape for _, rendered in job.cards for face in rendered.piece.faces}


def _face_radii(job: OutputJob) -> dict[int, float]:
    """Return the radius of the corners of each face, by identity."""
    return {
        id(face): corner_radius(job.settings, rendered.entry.kind)
        for _, rendered in job.cards
        for face in rendered.piece.faces
    }


def _bleed(job: OutputJob) -> float:
    return job.settings.bleed if job.request.keep_bleed else 0.0


def _dependencies(faces: Mapping[Path, Face], radii: Mapping[int, float], more: Hashable) -> Mapping[Path, Hashable]:
    return {path: (face, radii[id(face)], more, tuple(_picture_stamps([face]))) for path, face in faces.items()}


def _picture_stamps(faces: Iterable[Face]) -> Iterator[tuple[Path, Stamp]]:
    """Yield the picture files of faces with their current stamps."""
    for face in faces:
        yield from ((item.path, stamp(item.path, WATCHED)) for item in face.items if isinstance(item, Picture))


def picture_paths(cards: Iterable[RenderedCard]) -> Iterator[Path]:
    """Return the picture files of all faces."""
    items = (item for card in cards for face in card.piece.faces for item in face.items)
    return (item.path for item in items if isinstance(item, Picture))


LargePieces: TypeAlias = "tuple[tuple[RenderedCard, Diagnostic], ...]"


def split_large_pieces(jobs: Sequence[OutputJob]) -> tuple[Sequence[OutputJob], LargePieces]:
    """Return jobs without the pieces that do not fit on their sheets, and these pieces, each with a warning.

    If nothing else would be left, the jobs are unchanged, and laying them out reports the error.
    """
    fitting: list[OutputJob] = []
    large: list[tuple[RenderedCard, Diagnostic]] = []
    for job in jobs:
        warnings = {id(card): too_large(card.entry, format_of(card), job.setup) for _, card in job.cards}
        large += [(card, warning) for _, card in job.cards if (warning := warnings[id(card)])]
        cards = tuple((number, card) for number, card in job.cards if not warnings[id(card)])
        fitting += [job._replace(cards=cards)] if cards else []
    return (fitting, tuple(large)) if fitting else (jobs, ())


def too_large(entry: Entry, piece: PieceFormat, setup: PrintSetup) -> Diagnostic | None:
    """Return a warning about a piece that is left out of its sheets, with what to do; None for any other.

    If a sprue has no slot for a piece, it is the wrong sprue, and laying it out is an error; but no sprue has slots for
    lists of cards.
    """
    if setup.sprue and not _is_list(entry):
        return None
    found = room_problem(entry, piece, setup)
    if found is None:
        return None
    message = f"{found.message.partition(';')[0]}; {_advice(entry, piece, setup)}"
    return found._replace(severity=Severity.WARNING, message=message)


def _is_list(entry: Entry) -> bool:
    """Return whether a card is a list of cards, such as a roster."""
    pack = rules_of(entry).pack
    return pack is not None and entry.kind in pack.kinds


def _advice(entry: Entry, piece: PieceFormat, setup: PrintSetup) -> str:
    only, flat = f"--only {entry.card.id}", setup._replace(sprue=None)
    if setup.sheet.backs is Backs.GUTTERFOLD:
        unfolded = flat._replace(sheet=setup.sheet._replace(backs=Backs.NONE))
        if room_problem(entry, piece, unfolded) is None:
            return f"print it on a whole sheet: cardgen build --backs none {only}"
    for paper, size in PAPER_SIZES.items():
        if room_problem(entry, piece, flat._replace(sheet=setup.sheet._replace(paper=size))) is None:
            return f"print it on {paper}: cardgen build --paper {paper} {only}"
    return "use larger paper or a smaller margin"
