"""What the engine answers; plain data, because it comes from another process.

The server must have loaded the classes of answers, so those of modules that only the engine needs are here.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, TypeAlias

from cardgen.checking.check import parse_page
from cardgen.checking.registry import Registry
from cardgen.deck.deck import kind_of, rules_of
from cardgen.diagnostic import CardgenError, Diagnostic, Span
from cardgen.editor.actions import CodeAction
from cardgen.editor.session import LoadedProject, Problem, Session
from cardgen.editor.text import FIRST_CHARACTER, TextEdit
from cardgen.export import svg
from cardgen.export.pictures import inspect_image
from cardgen.face.face import Face, Picture, Room
from cardgen.face.layout import PlacedBox
from cardgen.face.renderer import FaceRenderer
from cardgen.face.template.engine import Templates
from cardgen.face.template.trace import Trace
from cardgen.model.card import AUTO, Art, Entry
from cardgen.print.render import CardRenderer
from cardgen.project.files import built_in_folder, trusted_folders
from cardgen.project.project import Project, corner_radius
from cardgen.project_checks.run import known_checks
from cardgen.sheet.imposition import PrintPiece
from cardgen.sheet.printer_marks import SAFE_MARGIN
from cardgen.studio.page_words import OptionField, page_words
from cardgen.text.fonts import Fonts
from cardgen.units import MM_PER_POINT, Shape


class CardRow(NamedTuple):
    """A card in the grid.

    `file` is the path in the project, `line` the first line of the card, and `lists` are the names of the card lists
    that contain it. `version` changes whenever the card or its file does. `sheet` is that of its row in a workbook.
    """

    key: str
    id: str
    name: str
    game: str
    kind: str
    file: str
    line: int
    tags: tuple[str, ...]
    lists: tuple[str, ...]
    is_printed: bool
    version: str
    sheet: str = ""


class Action(NamedTuple):
    """A quick fix of a problem: its title, and the edits of the file's text."""

    title: str
    edits: tuple[TextEdit, ...]


class ProblemRow(NamedTuple):
    """A problem of a file, with its place and quick fixes; `reason` says why the check exists.

    `file` is its path in the project, or the name of a file that comes with the program, which is not `is_in_project`.
    `cell` is that of a workbook, such as 'Sheet1:C5'; its span counts rows and columns.
    A problem without a code is one that only the studio reports, such as a reference that saving would break.
    """

    file: str
    span: Span
    code: str
    check: str
    severity: str
    message: str
    help: str
    reason: str = ""
    actions: tuple[Action, ...] = ()
    is_in_project: bool = True
    cell: str = ""

    @property
    def place(self) -> str:
        """Where it is in its file."""
        return self.cell or f"line {self.span.line}"


# The keys of a picture that are changed by hand.
FRAME = ("focus", "scale", "rotate")


class DrawnFace(NamedTuple):
    """A drawn side of a card.

    `fill` is how full the fullest text box is, from 0, without single lines that fit; `fits` says it of each text by
    its place in the card's data. `dpi` is the lowest resolution of its pictures at their printed size, 0 without any.
    `size` and `bleed` are in mm, and `pictures` are those that the card can place. If the side cannot be drawn, `svg`
    is empty and `problem` says why.
    """

    svg: bytes
    fill: float = 0.0
    problem: str = ""
    has_back: bool = False
    fits: Mapping[str, float] = {}
    dpi: float = 0.0
    size: tuple[float, float] = (0.0, 0.0)
    bleed: float = 0.0
    pictures: tuple[Mapping[str, Any], ...] = ()


class TranslatedField(NamedTuple):
    """A text of a card by its pointer, and its translation, '' if there is none.

    `before` is the text that a stale translation was made from.
    """

    field: str
    source: str
    text: str
    state: str
    before: str = ""


# How many texts of a card are stale and missing, by language.
Gaps: TypeAlias = Mapping[str, tuple[int, int]]


class TextState(NamedTuple):
    """The cards and problems of a file whose text is being written."""

    cards: tuple[CardRow, ...]
    problems: tuple[ProblemRow, ...]


class ProjectState(NamedTuple):
    """All cards of a project; `kinds` are those for which cards can be written.

    `language` is that of the cards, '' if nobody names it, and they are translated into the `languages`. `unread` are
    the cards that cannot be read at the moment, as they last were; a file that was never read stands for its cards,
    with its path as their key. `problems` are the first ones of the files that are the reason.
    """

    title: str
    cards: tuple[CardRow, ...] = ()
    kinds: tuple[str, ...] = ()
    unread: tuple[CardRow, ...] = ()
    problems: tuple[ProblemRow, ...] = ()
    language: str = ""
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceList:
    """The files of the project that say how cards look and what they mean, and the templates that can be copied.

    Copies replace built-in templates; their names are such as 'chess/pawn.svg.j2'.
    """

    files: tuple[str, ...]
    originals: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SourceView:
    """A card drawn with the text of a file, its key, and the problems of the text.

    `fault` says why drawing the card says nothing about the text. `boxes` are those of a layout.
    """

    face: DrawnFace
    key: str = ""
    problems: tuple[ProblemRow, ...] = ()
    fault: str = ""
    boxes: tuple[PlacedBox, ...] = ()


class ChangedLayout(NamedTuple):
    """A layout or template after a gesture and all its boxes, or why it is not changed, with the line to look at.

    The `note` says what moved along. If the gesture `asks`, it is done once it is confirmed.
    """

    text: str
    boxes: tuple[PlacedBox, ...] = ()
    fault: str = ""
    line: int = 0
    note: str = ""
    asks: bool = False


class LayoutNames(NamedTuple):
    """What boxes of a layout can show and look like: fields, those with numbers, and so on."""

    fields: tuple[str, ...]
    numbers: tuple[str, ...]
    pictures: tuple[str, ...]
    icons: tuple[str, ...]
    styles: tuple[str, ...]
    colours: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class StoredProfile:
    """The profile of a printer, in words, and the file that holds it."""

    title: str
    figures: str
    file: str


@dataclass(frozen=True, slots=True)
class ExportForm:
    """A target of exports, or a profile of the project for one, with its own options."""

    name: str
    title: str
    about: str
    fields: tuple[OptionField, ...]


@dataclass(frozen=True, slots=True)
class PrintForm:
    """The options of builds, and the targets of exports.

    `cards` select what to print, `paper` are the options of sheets, and `rare` those that few people need. Exports to
    all targets have those `of_exports`.
    """

    cards: tuple[OptionField, ...]
    paper: tuple[OptionField, ...]
    rare: tuple[OptionField, ...]
    of_exports: tuple[OptionField, ...]
    exports: tuple[ExportForm, ...]


def card_key(entry: Entry) -> str:
    """Return the name of a card in the studio: game, kind, and id."""
    return f"{entry.game}/{entry.kind}/{entry.card.id}"


def entry_of(loaded: LoadedProject, key: str) -> Entry | None:
    """Return the card with a key, or None."""
    return next((entry for entry in loaded.deck.cards if card_key(entry) == key), None)


def card_rows(cards: Iterable[Entry]) -> Iterator[CardRow]:
    """Yield the rows of cards."""
    entries = tuple(cards)
    # The names of the card lists, such as warbands, that name each card.
    names: dict[str, dict[str, None]] = {}
    for entry in entries:
        pack = rules_of(entry).pack
        if pack and entry.kind in pack.kinds:
            for member in (entry, *entry.links.values()):
                names.setdefault(card_key(member), {})[entry.card.name] = None
    lists = {key: tuple(lists) for key, lists in names.items()}
    return (_card_row(entry, lists.get(card_key(entry), ())) for entry in entries)


def _card_row(entry: Entry, lists: tuple[str, ...]) -> CardRow:
    card, place = entry.card, entry.place()
    return CardRow(
        card_key(entry),
        card.id,
        card.name,
        entry.game,
        entry.kind,
        entry.document.file,
        place.span.line if place.span else 1,
        card.tags,
        lists,
        kind_of(entry).is_printed,
        card_version(entry),
        place.locator.rpartition(":")[0] if place.is_cell else "",
    )


def card_version(entry: Entry) -> str:
    """Return a digest of everything that a card says, with the cards that it names."""
    linked = sorted(repr(other.card) for other in entry.links.values())
    return sha256("\n".join((repr(entry.card), *linked)).encode("utf-8", "replace")).hexdigest()[:16]


def problem_rows(
    problems: Iterable[Problem], session: Session, actions: Iterable[CodeAction] = ()
) -> tuple[ProblemRow, ...]:
    """Return the rows of problems, in order of their places."""
    offers = [(each.problem, Action(each.title, each.edits)) for each in actions]
    checks = known_checks(session.workspace.with_games())
    rows = (
        _problem_row(each, session.root, checks, tuple(offer for cause, offer in offers if cause == each))
        for each in problems
    )
    return tuple(sorted(rows, key=lambda row: row[:3]))


def diagnostic_rows(diagnostics: Iterable[Diagnostic], session: Session) -> tuple[ProblemRow, ...]:
    """Return the rows of problems that no check reports, such as those of templates."""
    return problem_rows((Problem(session.path_of(each.place), each, "") for each in diagnostics), session)


def _problem_row(problem: Problem, root: Path, checks: Registry, actions: tuple[Action, ...]) -> ProblemRow:
    one = problem.diagnostic
    is_in_project = problem.path.is_relative_to(root)
    # The name of a file outside the project: a built-in template, or a file of an installed game.
    built_in, file = built_in_folder("templates"), problem.path.name
    if is_in_project:
        file = problem.path.relative_to(root).as_posix()
    elif problem.path.is_relative_to(built_in):
        file = f"built-in template {problem.path.relative_to(built_in).as_posix()}"
    return ProblemRow(
        file,
        one.place.span or FIRST_CHARACTER,
        str(one.code),
        problem.check,
        str(one.severity),
        page_words(one.message.replace(f"{root}{os.sep}", "")),
        page_words(one.help.replace(f"{root}{os.sep}", "")),
        _reason(check.page) if (check := checks.find(one.code)) else "",
        actions,
        is_in_project,
        one.place.locator if one.place.is_cell else "",
    )


@lru_cache(maxsize=1_000)
def _reason(page: str) -> str:
    """Return why a check exists, from its manual page."""
    return " ".join(parse_page(page).why.split())


# Overlays of a picture; with the bleed, more of the face is shown.
BLEED, SAFE, CUT = "bleed", "safe", "cut"
# Cards to remember as they were last drawn.
_MOST_DRAWN = 16
_LINES = {
    CUT: 'stroke="#d6006c" stroke-width=".35"',
    SAFE: 'stroke="#0a7d3c" stroke-width=".35" stroke-dasharray="1.6 1"',
}


class FaceDrawer:
    """Drawer of the faces of one project, which keeps fonts, templates, and themes between cards."""

    def __init__(self, project: Project, fonts: Fonts | None = None) -> None:
        self._project = project
        self._renderer = CardRenderer(project, fonts=fonts)
        self._pieces: OrderedDict[tuple[str, str], PrintPiece[Face]] = OrderedDict()

    @property
    def fonts(self) -> Fonts:
        """The fonts that are open."""
        return self._renderer.fonts

    def draw(self, entry: Entry, version: str, marks: Collection[str] = (), *, back: bool = False) -> DrawnFace:
        """Return one side of a card; `version` tells apart the states of a card with the same id."""
        try:
            return self.draw_strictly(entry, version, marks, back=back)
        except CardgenError as error:
            return DrawnFace(b"", problem=page_words(error.diagnostics[0].message))

    def draw_strictly(self, entry: Entry, version: str, marks: Collection[str] = (), *, back: bool) -> DrawnFace:
        """Return one side of a card. Raises CardgenError with all problems if it cannot be drawn."""
        key = (card_key(entry), version)
        if key not in self._pieces:
            self._pieces[key], _ = self._renderer.render_piece(entry, backs=True)
            if len(self._pieces) > _MOST_DRAWN:
                self._pieces.popitem(last=False)
        piece = self._pieces[key]
        face = piece.back if back else piece.front
        if face is None:
            return DrawnFace(b"", problem="this card has no back")
        picture, has_back = self._picture(face, piece.shape, entry, marks), piece.back is not None
        # The lowest resolution of the pictures of a face at their printed size in dpi, 0 without any.
        pictures = ((inspect_image(item.path), item) for item in face.items if isinstance(item, Picture))
        resolution = min((image.resolution(item) for image, item in pictures), default=0.0)
        # How full the boxes of texts are, by the path of the text in the card's data.
        fits: dict[str, float] = {}
        fill = 0.0
        for fit in face.fits:
            if not isinstance(fit, Room):
                fits[fit.field] = max(fits.get(fit.field, 0.0), fit.fill)
                has_lines = fit.box and fit.box.height >= 2 * fit.size * MM_PER_POINT
                fill = max(fill, fit.fill if has_lines or fit.fill > 1 else 0.0)
            elif fit.available > 0:
                fill = max(fill, fit.used / fit.available)
        return DrawnFace(
            picture,
            fill,
            has_back=has_back,
            fits=fits,
            dpi=resolution,
            size=face.size,
            bleed=face.bleed,
            pictures=tuple(_placed_pictures(entry, face)),
        )

    def svg_of(self, entry: Entry, *, back: bool = False) -> str:
        """Return the SVG that the templates of one side of a card render. Raises CardgenError for mistakes in them."""
        side = "back" if back else "front"
        return self._renderer.face_renderer(entry).svg_of(entry, self._renderer.card_size(entry), side)

    def tracer(self, project: Project, entries: Iterable[Entry], *, back: bool) -> Callable[[Entry], Trace | None]:
        """Return a function that traces one side of cards with the templates of a project. It raises CardgenError."""
        templates, expected = Templates(project.template_folders(), trusted_folders()), tuple(entries)
        renderers: dict[int, FaceRenderer] = {}

        def trace(entry: Entry) -> Trace | None:
            own = self._renderer.face_renderer(entry)
            if id(own) not in renderers:
                renderers[id(own)] = own.with_templates(templates)
                renderers[id(own)].expect(expected)
            return renderers[id(own)].trace(entry, self._renderer.card_size(entry), "back" if back else "front")

        return trace

    def _picture(self, face: Face, shape: Shape, entry: Entry, marks: Collection[str]) -> bytes:
        radius = corner_radius(self._project.settings, entry.kind)
        bleed = face.bleed if BLEED in marks else 0.0
        content = svg.write(face, self._renderer.fonts, entry.card.name, bleed, shape=shape, radius=radius)
        lines = "".join(_outline(face, shape, radius, mark) for mark in _LINES if mark in marks)
        return content.replace(b"</svg>", f"{lines}</svg>".encode()) if lines else content


def _outline(face: Face, shape: Shape, radius: float, mark: str) -> str:
    """Return the outline of the cut or of the safe zone."""
    width, height = face.size
    inset = min(SAFE_MARGIN, width / 8, height / 8) if mark == SAFE else 0.0
    corner = width / 2 if shape is Shape.ROUND else max(radius - inset, 0.0)
    return (
        f'<rect x="{inset:g}" y="{inset:g}" width="{width - 2 * inset:g}" height="{height - 2 * inset:g}" '
        f'rx="{corner:g}" fill="none" {_LINES[mark]}/>'
    )


def _placed_pictures(entry: Entry, face: Face) -> Iterator[Mapping[str, Any]]:
    """Yield the pictures of a face by the keys of their card, without those that the template places.

    A `box` is in mm before its `matrix` applies, `base` the size of the picture there at the scale 1, at which it may
    follow its focus (`pans`).
    """
    shown = [item for item in face.items if isinstance(item, Picture)]
    for key in type(entry.card).model_fields:
        art = getattr(entry.card, key)
        if not isinstance(art, Art):
            continue
        name = PurePosixPath(art.file).name
        for item in shown:
            is_named = item.path.name == name or (name == AUTO and item.path.stem == entry.card.id)
            if is_named and (item.focus, item.scale) == (art.focus, art.scale):
                image, (x, y, width, height) = inspect_image(item.path), item.box
                *_, wide, high = item._replace(scale=1.0).place(image.width, image.height)
                place = {"box": (x, y, width, height), "base": (wide, high), "matrix": item.matrix}
                frame = {name: getattr(art, name) for name in FRAME}
                yield {"key": key, "pans": item.fit in ("cover", "meet"), **place, **frame}
                break
