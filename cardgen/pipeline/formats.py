"""From made cards to files: the formats by name."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import TypeAlias

from cardgen.export import pdf
from cardgen.export.shelf import Shelf
from cardgen.face.face import Face, Picture
from cardgen.pipeline.assembling import Series
from cardgen.pipeline.drawing import Made
from cardgen.pipeline.laying import lay
from cardgen.pipeline.printing import Printing
from cardgen.pipeline.request import Request
from cardgen.pipeline.watching import Stamp, stamp
from cardgen.project import Settings
from cardgen.sheet.duplex import Backs
from cardgen.sheet.imposition import Piece
from cardgen.sheet.page import Page, Side
from cardgen.sheet.single import single
from cardgen.text.fonts import Fonts

DUPLEX = {Backs.LONG_EDGE: "DuplexFlipLongEdge", Backs.SHORT_EDGE: "DuplexFlipShortEdge"}


@dataclass(frozen=True, slots=True)
class Job:
    """The cards of one document, drawn and numbered, and how they are to be written.

    `stem` begins the names of its files, `title` says what the cards are, for people. Jobs of one `series` become one
    document where pieces of all kinds share sheets.
    """

    stem: str
    title: str
    series: Series
    cards: tuple[tuple[int, Made], ...]
    request: Request
    settings: Settings
    printing: Printing
    fonts: Fonts
    shelf: Shelf | None


Contents: TypeAlias = Mapping[Path, Callable[[], bytes]]


@dataclass(frozen=True, slots=True)
class Batch:
    """Files that are made together.

    `files` gives for each what its content depends on: a file is as it was while that is equal. `make` readies some
    of them; after that nothing in them can be wrong any more. `sheets` counts sheets of paper.
    """

    files: Mapping[Path, Hashable]
    make: Callable[[Iterable[Path]], Contents]
    sheets: int = 0


Format: TypeAlias = Callable[[Job], Batch]


def _sheets(job: Job) -> Batch:
    """One PDF: fronts, each page followed by its backs."""
    printing = job.printing
    pages = tuple(lay((made for _, made in job.cards), job.request.qty, printing, job.title))
    path = job.request.output / f"{job.stem}-{printing.name}.pdf"
    about = pdf.About(job.title, duplex=_duplex(pages, printing))
    faces = _distinct(placement.face for page in pages for placement in page.placements)
    depends = (pages, about, tuple(_pictures(faces.values())))
    sheets = sum(page.side is not Side.BACK and bool(page.placements) for page in pages)
    return Batch({path: depends}, lambda _: _ready({path: pdf.write(pages, job.fonts, about, job.shelf)}), sheets)


def _duplex(pages: Iterable[Page[Face]], printing: Printing) -> str:
    """How the printer should turn the paper; single cards are turned about their own upright axis."""
    backs = printing.sheet.backs
    if printing.single and backs is not Backs.NONE:
        landscape = any(page.paper.landscape for page in pages)
        return DUPLEX[Backs.SHORT_EDGE if landscape else Backs.LONG_EDGE]
    return DUPLEX.get(backs, "")


def _ready(contents: Mapping[Path, bytes]) -> Contents:
    return {path: partial(bytes, content) for path, content in contents.items()}


def _png(job: Job) -> Batch:
    """One PNG a face, rasterised from a PDF that holds one face a page."""
    faces, bleed, dpi = dict(_faces(job, "png")), _bleed(job), job.request.dpi

    def make(paths: Iterable[Path]) -> Contents:
        from cardgen.export.png import Rasters  # pdfium takes its time to load, and sheets need none.

        wanted = list(paths)
        shown = _distinct(faces[path] for path in wanted)
        numbers = {key: number for number, key in enumerate(shown)}
        pages = list(chain.from_iterable(single([Piece(face)], face.size, bleed) for face in shown.values()))
        rasters = Rasters(pdf.write(pages, job.fonts, pdf.About(job.title), job.shelf), dpi, job.request.processes)
        page = lru_cache(maxsize=4)(rasters.page)  # Backs come again and again.
        return {path: partial(page, numbers[id(faces[path])]) for path in wanted}

    return Batch(_depends(faces, (dpi, bleed)), make)


def _svg(job: Job) -> Batch:
    """One SVG a face."""
    faces, bleed = dict(_faces(job, "svg")), _bleed(job)
    titles = {path: f"{job.title} · {path.stem}" for path in faces}

    def make(paths: Iterable[Path]) -> Contents:
        from cardgen.export import svg  # Few builds write SVG.

        return {path: partial(svg.write, faces[path], job.fonts, titles[path], bleed) for path in paths}

    return Batch(_depends(faces, (bleed,)), make)


FORMATS: Mapping[str, Format] = {"pdf": _sheets, "png": _png, "svg": _svg}


def made_into(name: str, jobs: Sequence[Job]) -> Iterator[Batch]:
    """The batches of a format; where sheets are shared, the jobs of a series share a document."""
    if name == "pdf" and any(job.printing.together for job in jobs):
        jobs = _joined(jobs)
    return map(FORMATS[name], jobs)


def _joined(jobs: Sequence[Job]) -> list[Job]:
    """One job for each series, with the cards of all its documents."""
    series: dict[Series, list[Job]] = {}
    for job in jobs:
        series.setdefault(job.series, []).append(job)
    return [
        replace(each[0], stem=of.stem, title=of.title, cards=tuple(card for job in each for card in job.cards))
        if len(each) > 1
        else each[0]
        for of, each in series.items()
    ]


def _faces(job: Job, suffix: str) -> Iterator[tuple[Path, Face]]:
    """Each face and its file; the names sort in the order of the cards."""
    folder = job.request.output / job.stem
    for number, made in job.cards:
        stem = f"{number:03}-{made.entry.card.id}"
        yield folder / f"{stem}-front.{suffix}", made.piece.front
        if made.piece.back is not None:
            yield folder / f"{stem}-back.{suffix}", made.piece.back


def _distinct(faces: Iterable[Face]) -> dict[int, Face]:
    """Each face once, by its identity: to compare faces as a whole would take long, and equal ones are one object."""
    return {id(face): face for face in faces}


def _bleed(job: Job) -> float:
    return job.settings.bleed if job.request.keep_bleed else 0.0


def _depends(faces: Mapping[Path, Face], more: Hashable) -> Mapping[Path, Hashable]:
    return {path: (face, more, tuple(_pictures([face]))) for path, face in faces.items()}


def _pictures(faces: Iterable[Face]) -> Iterator[tuple[Path, Stamp | None]]:
    """The picture files on some faces, as they are now."""
    for face in faces:
        yield from ((item.path, stamp(item.path)) for item in face.items if isinstance(item, Picture))
