"""Faces of cards rendered from templates, with diagnostics of misfits; those of strangers are rendered in a fork."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from html import escape
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.face.elements import TEXT_TAGS, Typesetter, make_cut, make_field, make_fold, make_picture, make_room
from cardgen.face.face import (
    Artwork,
    CutPath,
    Face,
    Field,
    Fold,
    Picture,
    Room,
    Text,
    fault_diagnostics,
    is_vector_art,
    open_vector_art,
    placed,
)
from cardgen.face.ornaments import Ornaments
from cardgen.face.template import engine
from cardgen.face.template.engine import RenderedTemplate, Templates, diagnostic_in_template
from cardgen.face.theme import DrawingFunctions
from cardgen.model.card import Card, Entry
from cardgen.model.card_values import BackSource
from cardgen.model.left_out import StandIn
from cardgen.project.files import display_path
from cardgen.runtime.limited_fork import LimitedFork, ResourceLimitError, limits_here
from cardgen.runtime.process_pool import is_worker
from cardgen.runtime.processes import WATCHDOG, TimeLimitError, can_fork
from cardgen.runtime.user_folders import is_embedded
from cardgen.svg import chunks
from cardgen.svg.chunks import BoxElement, Chunk, split_svg
from cardgen.svg.scene import VectorArtError
from cardgen.svg.tree import SvgError
from cardgen.text.break_rules import needs_dictionary
from cardgen.text.fonts import extra_advice
from cardgen.text.lines import Fit, to_plain_text
from cardgen.text.shaped_row import Icons
from cardgen.units import Box, Size, quantity, shorten

if TYPE_CHECKING:
    from cardgen.face.template.report import MistakeFinder
    from cardgen.face.template.syntax import TracingSandbox
    from cardgen.face.template.trace import Trace


# Elements whose parts are kept; more than on the cards of a game that recur.
_MAX_KEPT = 4096
PLACEHOLDER_TEMPLATE = "shared/placeholder"
# Boxes whose parts depend on the card or on other boxes.
_VARIABLE_TAGS = frozenset({"cg:art", "cg:field"})
# Characters of the address of a picture by which it is found in a template.
_MOST_MARKED = 200

Parts: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class FaceAssembler:
    """Assembler of faces; equal artwork is shared by all of them.

    Elements that appear on many cards, such as frames and headings of tables, are converted once. `find_art` finds a
    picture that a card names, `find_beside` one that is beside the file that names it; they raise ValueError with a
    message for the user if they cannot.
    """

    typesetter: Typesetter
    find_art: Callable[[Entry, str], Path]
    find_beside: Callable[[Entry, Path, str], Path]
    # Keyed by their SVG, which has their size and bleed.
    _artwork: dict[bytes, Artwork] = field(default_factory=dict)
    # Keyed by identity, because most elements recur unchanged; the element is stored to keep it alive.
    _kept: dict[tuple[Size, float], dict[int, tuple[Chunk | BoxElement, Parts]]] = field(default_factory=dict)

    def assemble(self, rendered: RenderedTemplate, entry: Entry, size: Size, bleed: float) -> Face:
        """Return the face of a rendered template.

        Raises SvgError for invalid markup, and CardgenError for a picture that cannot be used.
        """
        items, fits, folds, fields, cuts = list[Any](), list[Any](), list[Any](), list[Any](), list[Any]()
        list_of = {
            **dict.fromkeys((Artwork, Picture, Text), items),
            **dict.fromkeys((Fit, Room), fits),
            Fold: folds,
            Field: fields,
            CutPath: cuts,
        }
        kept = self._kept.setdefault((size, bleed), {})
        for element in split_svg(rendered.svg):
            known = kept.get(id(element))
            if known is None:
                known = element, self.parts(element, entry, size, bleed, rendered.path, [each.name for each in fields])
                _keep(known, kept)
            for part in known[1]:
                list_of[type(part)].append(part)
        return Face(size, bleed, tuple(items), tuple(fits), tuple(folds), tuple(fields), tuple(cuts))

    def parts(
        self,
        element: Chunk | BoxElement,
        entry: Entry,
        size: Size,
        bleed: float,
        path: Path,
        names: Collection[str] = (),
    ) -> Parts:
        """Return the parts of a face that an element makes; `names` are those of earlier form fields.

        Raises SvgError for invalid attributes.
        """
        if isinstance(element, Chunk):
            # A chunk becomes a complete SVG document; equal chunks share one artwork.
            svg = b"%s%s</svg>" % (chunks.root_tag(size, bleed), element.body)
            artwork = self._artwork.get(svg)
            if artwork is None:
                chunks.check_references(element.body)
                artwork = self._keep_artwork(Artwork(svg, path))
            return (artwork,)
        if element.tag in TEXT_TAGS:
            return self.typesetter.typeset(element)
        if element.tag == "cg:fold":
            return (make_fold(element),)
        if element.tag == "cg:cut":
            return (make_cut(element),)
        if element.tag == "cg:field":
            return (make_field(element, names, self.typesetter.theme),)
        if element.tag == "cg:room":
            return (make_room(element),)
        return (self._picture(element, entry, size, bleed, path),)

    def picture_face(self, path: Path, size: Size, bleed: float) -> Face:
        """Return a face that is a picture, up to the edge of the bleed.

        Raises VectorArtError for art that cannot be drawn, and ValueError for a file that cannot be read.
        """
        picture = Picture(path, Box(0, 0, *size).expand(bleed))
        item = self._vector_art(picture, size, bleed) if is_vector_art(path) else picture
        return Face(size, bleed, (item,))

    def _picture(self, element: BoxElement, entry: Entry, size: Size, bleed: float, path: Path) -> Picture | Artwork:
        owner = _owner(element, entry)
        try:
            find_beside = partial(self.find_beside, entry, path)
            picture = make_picture(element, owner.card.art, partial(self.find_art, owner), find_beside)
            return self._vector_art(picture, size, bleed) if is_vector_art(picture.path) else picture
        except SvgError:
            raise
        except VectorArtError as error:
            if is_embedded(picture.path):
                raise SvgError(f"an embedded picture: {error.faults[0].message}", "href=") from None
            raise CardgenError(*fault_diagnostics(error, picture.path)) from None
        except ValueError as error:
            if "href" in element.attributes:
                raise SvgError(str(error), element.attributes["href"][:_MOST_MARKED]) from None
            raise CardgenError(Diagnostic(Code.ART, str(error), owner.place(("art",)))) from None

    def _vector_art(self, picture: Picture, size: Size, bleed: float) -> Artwork:
        body = placed(open_vector_art(picture.path), picture)
        svg = b"%s%s</svg>" % (chunks.root_tag(size, bleed), body)
        return self._artwork.get(svg) or self._keep_artwork(Artwork(svg, picture.path, is_art=True))

    def _keep_artwork(self, artwork: Artwork) -> Artwork:
        """Keep an artwork for cards that have the same; most of a large deck is on one card only."""
        if len(self._artwork) >= _MAX_KEPT:
            self._artwork.clear()
        self._artwork[artwork.svg] = artwork
        return artwork


def _owner(element: BoxElement, entry: Entry) -> Entry:
    """Return the card whose picture an element shows: that of the face, or one that it names with `of`."""
    if "of" not in element.attributes:
        return entry
    kind, _, name = element.attributes["of"].partition("/")
    try:
        return entry.linked_entry(kind, name)
    except LookupError as error:
        raise SvgError(str(error), element.attributes["of"]) from None


def _keep(known: tuple[Chunk | BoxElement, Parts], kept: dict[int, tuple[Chunk | BoxElement, Parts]]) -> None:
    """Keep the parts of an element that has the same on all cards."""
    element = known[0]
    if isinstance(element, Chunk) or element.tag not in _VARIABLE_TAGS:
        if len(kept) >= _MAX_KEPT:
            kept.clear()
        kept[id(element)] = known


def art_sources(face: Face) -> tuple[tuple[Path, int], ...]:
    """Return the SVG files on a face, with the times of their last changes; 0 for one that is gone."""
    files = (item.template for item in face.items if isinstance(item, Artwork) and item.is_art and item.template)
    return tuple((path, changed_at(path)) for path in files)


def changed_at(path: Path) -> int:
    """Return the time of the last change of a file in nanoseconds; 0 if it is gone."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


# What a template may use beyond the memory of this process, in bytes; the built-in ones stay below a hundredth of it.
MEMORY_LIMIT = 512 << 20
# The limit inside the fork comes first where it works, because it knows the template's line.
_SECONDS = engine.TIME_LIMIT + 1.0

# What is marked in the output: nothing, the lines of the template, or what draws each element.
Marked: TypeAlias = Literal["", "lines", "tags"]
# Arguments: name, card, size, side, and what to mark.
RenderTemplate: TypeAlias = Callable[[str, Entry, Size, str, Marked], RenderedTemplate]
_Fork: TypeAlias = LimitedFork[[str, int, Size, str, Marked], RenderedTemplate | tuple[Diagnostic, ...]]


class Isolation:
    """Fork of this process in which templates run; a new one is started whenever there is none.

    Workers of a pool can be ended themselves, so they need no forks of their own. Where this process cannot fork
    safely, templates run in it, with the sandbox's limits alone.
    """

    def __init__(self) -> None:
        # A fork knows the cards that this process knew when it started.
        self._entries: dict[int, Entry] = {}
        self._fork: _Fork | None = None
        # Templates that took too long, or were killed, are not tried again for every card.
        self._killed: dict[str, Diagnostic] = {}

    def expect(self, entries: Iterable[Entry]) -> None:
        """Announce cards, so that one fork can render them all; the ones announced before are forgotten."""
        self._drop_fork()
        self._entries = {id(entry): entry for entry in entries}

    def render(
        self, render: RenderTemplate, path: Path, name: str, entry: Entry, size: Size, side: str, marked: Marked
    ) -> RenderedTemplate:
        """Return the result of `render(name, entry, size, side, marked)` for a template, whose file is `path`.

        `render` is the same function in all calls. Raises CardgenError, also when it exceeds a limit.
        """
        if name in self._killed:
            raise CardgenError(self._killed[name])
        try:
            return self._render(render, path, name, entry, size, side, marked)
        except CardgenError as error:
            slow = next((each for each in error.diagnostics if each.message == engine.slow_message()), None)
            if slow:
                self._killed[name] = slow
            raise

    def _render(
        self, render: RenderTemplate, path: Path, name: str, entry: Entry, size: Size, side: str, marked: Marked
    ) -> RenderedTemplate:
        if is_worker():
            # If a limit ends this process, the pool renders its cards again where a fork can be ended.
            with limits_here(_SECONDS, MEMORY_LIMIT):
                return render(name, entry, size, side, marked)
        if id(entry) not in self._entries:
            self.expect((*self._entries.values(), entry))
        fork = self._usable_fork(render)
        if fork is None:
            return render(name, entry, size, side, marked)
        try:
            result = fork.call(name, id(entry), size, side, marked)
        except ResourceLimitError as error:
            advice = engine.SLOW_ADVICE if error.resource == "time" else ""
            self._killed[name] = Diagnostic(Code.TEMPLATE, _limit_message(error), Place(display_path(path)), advice)
            raise CardgenError(self._killed[name]) from None
        if isinstance(result, RenderedTemplate):
            return result
        raise CardgenError(*result)

    def _usable_fork(self, render: RenderTemplate) -> _Fork | None:
        if self._fork is None or not self._fork.is_usable:
            self._drop_fork()
            if can_fork():
                try:
                    self._fork = LimitedFork(partial(self._answer, render), _SECONDS, MEMORY_LIMIT)
                except OSError:  # Too many processes, or too little memory.
                    return None
        return self._fork

    def _drop_fork(self) -> None:
        if self._fork is not None:
            self._fork.close()
            self._fork = None

    def _answer(
        self, render: RenderTemplate, name: str, entry: int, size: Size, side: str, marked: Marked
    ) -> RenderedTemplate | tuple[Diagnostic, ...]:
        try:
            return render(name, self._entries[entry], size, side, marked)
        except CardgenError as error:
            return error.diagnostics


def _limit_message(error: ResourceLimitError) -> str:
    if error.resource == "time":
        return engine.slow_message()
    if error.resource == "memory":
        return f"it needs more than {MEMORY_LIMIT >> 20} MiB of memory"
    return "its process ended unexpectedly"


_INDEX = re.compile(r"[0-9]{1,6}")


def fit_diagnostics(misfits: Iterable[Fit | Room], entry: Entry, icons: Icons) -> Iterator[Diagnostic]:
    """Yield diagnostics for the parts of a card that do not fit."""
    for fit in misfits:
        words = "" if isinstance(fit, Room) else shorten(to_plain_text(fit.markup).strip())
        text = f"'{fit.field.replace('/', '.')}'" if fit.field else f"the text '{words}'" if words else "a text"
        problems = _room_problems(fit) if isinstance(fit, Room) else _text_problems(fit, icons)
        for code, message, advice in problems:
            # Convert a field such as 'abilities/0/text' to a key path.
            key_path = tuple(int(step) if _INDEX.fullmatch(step) else step for step in fit.field.split("/") if step)
            place = entry.place(key_path)
            yield Diagnostic(code, f"{text} of '{entry.card.name}' {message}", place, advice)


def _text_problems(fit: Fit, icons: Icons) -> Iterator[tuple[str, str, str]]:
    if fit.missing:
        characters = ", ".join(f"'{character}' (U+{ord(character):04X})" for character in dict.fromkeys(fit.missing))
        advice = f"use other characters or an icon, or put a font that has them into fonts/{extra_advice(fit.missing)}"
        yield Code.MISSING_GLYPH, f"contains {characters}, which no font has", advice
    if fit.excess:
        excess = quantity(fit.excess, "character")
        message = f"is {fit.fill * 100:.0f} % full at {fit.size:g} pt: {excess} too many"
        words = (
            ", or install the extra 'words', so that lines end between words" if needs_dictionary(fit.markup) else ""
        )
        yield Code.OVERFLOW, message, f"shorten it, or enlarge its box in the template{words}"
    for name in fit.unknown_icons:
        if name.startswith("."):
            yield Code.UNKNOWN_ICON, f"contains the unknown span '{name}'", "define it under 'spans' in the theme"
            continue
        yield Code.UNKNOWN_ICON, f"contains the unknown icon '{name}'", icons.advice(name)


def _room_problems(room: Room) -> Iterator[tuple[str, str, str]]:
    message = f"needs {room.used:.1f} mm, but has only {max(0.0, room.available):.1f} mm"
    yield Code.OVERFLOW, message, "remove something, or give it more room in the template"


# Inputs of a face: hash of its SVG, size, and side; with pictures, also the card's art, as text, and folder. Forks have
# the same hashes, and with 64 bits, no two of a million faces will have the same.
FaceKey: TypeAlias = tuple[int, Size, str] | tuple[int, Size, str, str, str]


class RenderedFace(NamedTuple):
    """Face with its diagnostics, and the key of its inputs.

    Equal keys mean equal faces, as long as the `sources` are the same: SVG files that are drawn on it, each with the
    time of its last change.
    """

    face: Face
    diagnostics: tuple[Diagnostic, ...]
    key: FaceKey
    sources: tuple[tuple[Path, int], ...] = ()

    @property
    def is_full(self) -> bool:
        """True if something does not fit."""
        return any(each.code == Code.OVERFLOW for each in self.diagnostics)

    @property
    def is_current(self) -> bool:
        """True if the texts fit and the sources are unchanged, so that other cards can have the same face."""
        return not self.diagnostics and all(changed_at(path) == time for path, time in self.sources)


@dataclass(frozen=True, slots=True)
class FaceCache:
    """The faces of one renderer, by the keys of their inputs.

    Of a face that is drawn in the document of a kind of card, only the rest may be left. Cards of that kind share it,
    and for others it is rendered again.
    """

    _faces: dict[FaceKey, RenderedFace] = field(default_factory=dict)
    _drawn: dict[tuple[FaceKey, str], RenderedFace] = field(default_factory=dict)

    def find(self, key: FaceKey, kind: str) -> RenderedFace | None:
        """Return the face of a key for a kind of card, even if its sources have changed."""
        return self._drawn.get((key, kind)) or self._faces.get(key)

    def add(self, rendered: RenderedFace, kind: str) -> RenderedFace:
        """Cache a face, and return it, or the equal one that is cached already."""
        cached = self.find(rendered.key, kind)
        if cached is not None and (cached.diagnostics, cached.sources) == (rendered.diagnostics, rendered.sources):
            return cached
        self._faces[rendered.key] = rendered
        return rendered

    def intern(self, rendered: RenderedFace, kind: str) -> RenderedFace:
        """Return the cached face that is equal to one from another process."""
        return rendered if rendered.diagnostics else self.add(rendered, kind)

    def release(self, drawn: RenderedFace, kind: str, rest: Face) -> None:
        """Keep only the rest of a face that is drawn in the document of a kind."""
        if rest is not drawn.face and not drawn.diagnostics:
            self._faces.pop(drawn.key, None)
            self._drawn[drawn.key, kind] = drawn._replace(face=rest)


class FacePair(NamedTuple):
    """The rendered sides of a card."""

    front: RenderedFace
    back: RenderedFace | None

    @property
    def rests(self) -> tuple[Face, ...]:
        """The rests of the faces."""
        return tuple(side.face.rest for side in self if side)

    def interned_in(self, cache: FaceCache, kind: str) -> FacePair:
        """Return the pair for a kind of card with faces of this process.

        Faces from another process are replaced by equal ones.
        """
        return FacePair(cache.intern(self.front, kind), cache.intern(self.back, kind) if self.back else None)

    def release_in(self, cache: FaceCache, kind: str, rests: Iterable[Face]) -> None:
        """Keep only the rests of the faces, which are drawn in the document of a kind."""
        for side, rest in zip(filter(None, self), rests, strict=True):
            cache.release(side, kind, rest)


# Time limit for the texts and artwork of one face, in seconds.
TIME_LIMIT = 10.0
# A template that took more than this share of its time limit is not rendered again to find more mistakes.
_SLOW = 0.2


@dataclass(frozen=True, slots=True)
class FaceRenderer:
    """Renderer of the faces of one game's cards.

    `functions` are available to templates, above all `describe`, which generates text from a card's effects.
    `find_back` returns the source of a card's back, given a test for templates of backs. `bleed` is in millimeters;
    backs have `back_bleed` more. `rulings` are the settings in force by
    the id of the ruling. `generic` returns the template for kinds without one, or '', and `model_of` the model of a
    kind, or None.
    """

    templates: Templates
    assembler: FaceAssembler
    functions: Mapping[str, Callable[..., object]]
    ornaments: Ornaments
    find_back: Callable[[Entry, Callable[[str], bool]], BackSource]
    bleed: float
    back_bleed: float = 0.0
    rulings: Mapping[str, str] = field(default_factory=dict)
    generic: Callable[[str], str] = lambda kind: ""
    model_of: Callable[[str], type[Card] | None] = lambda kind: None
    cache: FaceCache = field(default_factory=FaceCache)
    _static_svg: dict[tuple[str, str, Size, str], RenderedTemplate] = field(default_factory=dict)
    _isolation: Isolation = field(default_factory=Isolation)
    _finder: list[MistakeFinder] = field(default_factory=list)
    _tracing: list[TracingSandbox] = field(default_factory=list)

    @property
    def typesetter(self) -> Typesetter:
        """The typesetter of the texts."""
        return self.assembler.typesetter

    @property
    def _mistakes(self) -> MistakeFinder:
        """The finder of mistakes, which few runs need."""
        if not self._finder:
            from cardgen.face.template.report import MistakeFinder

            self._finder.append(MistakeFinder(self.templates, self.typesetter.icons.names, self.model_of))
        return self._finder[0]

    def front(self, entry: Entry, size: Size) -> RenderedFace:
        """Render the front of a card.

        If its text does not fit, the kind's long layout is used if there is one, and then the motto is left out.
        """
        name = self._front_template(entry)
        face = self._render(name, entry, size, "front", long=f"{name}.long")
        if face.is_full and any(fit.field == "motto" for fit in face.face.fits):
            bare = replace(entry, card=entry.card.model_copy(update={"motto": None}))
            return self._render(name, bare, size, "front", long=f"{name}.long")
        return face

    def back(self, entry: Entry, size: Size) -> RenderedFace | None:
        """Render the back of a card; None if its kind has none, and for a placeholder.

        Raises CardgenError if it cannot be rendered.
        """
        if isinstance(entry.card, StandIn):
            return None
        source = self.back_source(entry)
        if source.picture is not None:
            return self._picture_back(source, source.picture, size, entry.kind)
        name = self._back_template(entry, source)
        if not source.template and not self.templates.has(name):
            return None
        return self._render(name, entry, size, "back", source.place)

    def back_source(self, entry: Entry) -> BackSource:
        """Return what the back of a card is made from."""
        return self.find_back(entry, lambda name: self.templates.has(f"{entry.game}/{name}.back"))

    def _front_template(self, entry: Entry) -> str:
        if isinstance(entry.card, StandIn):
            return PLACEHOLDER_TEMPLATE
        named = entry.card.template
        return self._own_or_generic(f"{entry.game}/{named or entry.kind}", entry, named)

    def _back_template(self, entry: Entry, source: BackSource) -> str:
        named = source.template or entry.card.template
        return self._own_or_generic(f"{entry.game}/{named or entry.kind}.back", entry, named, ".back")

    def _own_or_generic(self, own: str, entry: Entry, named: str | None, suffix: str = "") -> str:
        """Return a kind's own template or, if there is none and the card names none, the generic one."""
        generic = "" if named or self.templates.has(own) else self.generic(entry.kind)
        return f"{generic}{suffix}" if generic else own

    def _picture_back(self, source: BackSource, path: Path, size: Size, kind: str) -> RenderedFace:
        """Return a back that is a picture, up to the edge of the bleed."""
        try:
            face = self.assembler.picture_face(path, size, self._bleed("back"))
        except VectorArtError as error:
            raise CardgenError(*fault_diagnostics(error, path)) from None
        except ValueError as error:
            raise CardgenError(Diagnostic(Code.ART, str(error), source.place())) from None
        key = (hash(path), size, "back picture")
        return self.cache.add(RenderedFace(face, (), key, art_sources(face)), kind)

    def _render(
        self,
        name: str,
        entry: Entry,
        size: Size,
        side: str,
        place: Callable[[], Place] | None = None,
        long: str = "",
    ) -> RenderedFace:
        """Render one side, with the `long` layout if its text does not fit and there is one."""
        if not self.templates.has(name):
            at = place() if place else entry.place(("template",) if entry.card.template else ())
            raise CardgenError(self.templates.missing(name, entry.game, at))
        rendered = self._render_or_explain(name, entry, size, side)
        key: FaceKey = (hash(rendered.svg), size, side)
        if "<cg:art" in rendered.svg or "<image" in rendered.svg:
            # Pictures are looked up next to the card's file first, or next to the template.
            key = (*key, repr(entry.card.art), f"{Path(entry.document.file).parent}\n{rendered.path.parent}")
        cached = self.cache.find(key, entry.kind)
        if cached is not None and cached.is_current:
            return cached
        try:
            with WATCHDOG.limit(TIME_LIMIT):
                face = self.assembler.assemble(rendered, entry, size, self._bleed(side))
        except TimeLimitError:
            message = f"the text and artwork of '{entry.card.name}' took longer than {TIME_LIMIT:g} seconds"
            raise CardgenError(
                diagnostic_in_template(rendered.path, "<svg", Code.SVG, message, self.templates.loader.unsaved)
            ) from None
        except SvgError as error:
            from cardgen.face.template.report import all_svg_mistakes  # loaded here because most templates have none

            located = self._render_template(name, entry, size, side, "lines")
            check_box = self._check_box(rendered, entry, size)
            raise CardgenError(
                *all_svg_mistakes(error, rendered, located, check_box, self.templates.loader.unsaved)
            ) from None
        misfits = [fit for fit in face.fits if not fit.ok]
        is_full = any(isinstance(fit, Room) or fit.excess for fit in misfits)
        if is_full and long and self.templates.has(long):
            # Diagnostics would have to look up their places, which takes longer than anything else.
            return self._render(long, entry, size, side)
        diagnostics = tuple(fit_diagnostics(misfits, entry, self.typesetter.icons))
        return self.cache.add(RenderedFace(face, diagnostics, key, art_sources(face)), entry.kind)

    def source_mistakes(self, entry: Entry, size: Size) -> tuple[Diagnostic, ...]:
        """Return the mistakes in the sources of a card's templates, also where this card does not go.

        The templates of the program have none.
        """
        if self.templates.are_trusted:
            return ()
        return tuple(
            mistake
            for name, side in self.template_names(entry)
            for mistake in self._mistakes.in_source(self.templates.file_of(name), self.context(entry, size, side))
        )

    def template_names(self, entry: Entry) -> tuple[tuple[str, str], ...]:
        """Return the templates of a card that exist, each with its side."""
        front, back = self._front_template(entry), self._back_template(entry, self.back_source(entry))
        names = ((front, "front"), (f"{front}.long", "front"), (back, "back"))
        return tuple((name, side) for name, side in names if self.templates.has(name))

    def svg_of(self, entry: Entry, size: Size, side: str) -> str:
        """Return the SVG that the templates of one side render, before texts are set.

        Raises CardgenError with all mistakes of a template.
        """
        names = (name for name, its_side in self.template_names(entry) if its_side == side)
        return "\n".join(self._render_template(name, entry, size, side).svg for name in names)

    def with_templates(self, templates: Templates) -> FaceRenderer:
        """Return a renderer with other templates that shares everything else."""
        own: dict[str, Any] = {
            "cache": FaceCache(),
            "_static_svg": {},
            "_isolation": Isolation(),
            "_finder": [],
            "_tracing": [],
        }
        return replace(self, templates=templates, **own)

    def trace(self, entry: Entry, size: Size, side: str) -> Trace | None:
        """Return what draws each element of one side; None if no template does, or if that cannot be told.

        Raises CardgenError with all mistakes of a template.
        """
        # Loaded here because only the editor needs them.
        from cardgen.face.template.syntax import without_marks
        from cardgen.face.template.trace import Trace

        drawn = self.front(entry, size) if side == "front" else self.back(entry, size)
        svgs = {
            name: self._render_template(name, entry, size, side).svg
            for name, its_side in self.template_names(entry)
            if its_side == side
        }
        if drawn is None or not svgs:
            return None
        name = next((name for name, svg in svgs.items() if hash(svg) == drawn.key[0]), [*svgs][-1])
        traced = self._render_template(name, entry, size, side, "tags")
        if without_marks(traced.svg) != svgs[name]:
            return None
        return Trace(traced.svg, size, self._text_box)

    def _text_box(self, element: BoxElement) -> Box | None:
        fits = (each for each in self.typesetter.typeset(element) if isinstance(each, Fit))
        return next((each.box for each in fits), None)

    def place_of_word(self, entry: Entry, size: Size, side: str, word: str) -> Place | None:
        """Return the place of a text or an attribute in the first template of the side that has it.

        None if that template comes with the program.
        """
        from cardgen.face.template.report import LocatedOutput, template_diagnostic  # loaded here as few runs need it

        for name in (name for name, its_side in self.template_names(entry) if its_side == side):
            try:
                located = self._render_template(name, entry, size, side, "lines")
            except CardgenError:
                continue
            svg = located.svg.encode("utf-8", "surrogatepass")
            offset = max(svg.find(each.encode()) for each in (word, escape(word)))
            file, line = (LocatedOutput(located.svg, located.marks).line_at(offset) if offset >= 0 else None) or ("", 0)
            if file and not self.templates.is_trusted_file(Path(file)):
                return template_diagnostic(file, line, "", self.templates.loader.unsaved, word).place
        return None

    def expect(self, entries: Iterable[Entry]) -> None:
        """Announce the cards that will be rendered next; without it, each may cost a process."""
        self._isolation.expect(() if self.templates.are_trusted else entries)

    def _render_or_explain(self, name: str, entry: Entry, size: Size, side: str) -> RenderedTemplate:
        """Render the SVG of one side.

        Raises CardgenError with all mistakes of the template, and with those of its SVG that have other causes.
        """
        try:
            return self._render_template(name, entry, size, side)
        except CardgenError as error:
            from cardgen.face.template.report import with_svg_mistakes  # loaded here because most templates have none

            locate = partial(self._render_template, name, entry, size, side, "lines")
            unsaved = self.templates.loader.unsaved
            raise with_svg_mistakes(
                error, locate, lambda output: self._check_box(output, entry, size), unsaved
            ) from None

    def _check_box(self, rendered: RenderedTemplate, entry: Entry, size: Size) -> Callable[[BoxElement], object]:
        return partial(self.assembler.parts, entry=entry, size=size, bleed=0, path=rendered.path)

    def _render_template(self, name: str, entry: Entry, size: Size, side: str, marked: Marked = "") -> RenderedTemplate:
        """Render the SVG of one side; templates that may be a stranger's run isolated."""
        if self.templates.are_trusted:
            return self._render_here(name, entry, size, side, marked)
        return self._isolation.render(self._render_here, self.templates.path(name), name, entry, size, side, marked)

    def _render_here(self, name: str, entry: Entry, size: Size, side: str, marked: Marked) -> RenderedTemplate:
        """Render the SVG of one side in this process.

        With marks of lines, mistakes are ignored. Raises CardgenError with all mistakes of the template.
        """
        file = self.templates.file_of(name)
        if marked == "tags":
            return self._render_traced(name, entry, size, side)
        if marked:
            output = self._mistakes.locate(file, self.context(entry, size, side))
            return RenderedTemplate(output.svg, self.templates.path(name), output.marks)
        started = process_time()
        try:
            return self._render_once(name, entry, size, side)
        except CardgenError as error:
            if process_time() - started > _SLOW * engine.TIME_LIMIT:
                raise
            context = self.context(entry, size, side)
            raise CardgenError(*self._mistakes.find_all(file, context, error.diagnostics)) from None

    def _render_traced(self, name: str, entry: Entry, size: Size, side: str) -> RenderedTemplate:
        """Render the SVG of one side with marks of what draws each element."""
        if not self._tracing:
            from cardgen.face.template.syntax import TracingSandbox  # loaded here because only the editor needs it

            self._tracing.append(TracingSandbox(self.templates.loader))
        return self.templates.render(name, self.context(entry, size, side), self._tracing[0])

    def _render_once(self, name: str, entry: Entry, size: Size, side: str) -> RenderedTemplate:
        """Render the SVG of one side.

        A template that does not depend on the card, like most backs, is rendered once.
        """
        if self.templates.depends_on(name, "card") or self.templates.depends_on(name, "named"):
            return self.templates.render(name, self.context(entry, size, side))
        key = (name, entry.kind, size, side)
        if key not in self._static_svg:
            self._static_svg[key] = self.templates.render(name, self.context(entry, size, side))
        return self._static_svg[key]

    def context(self, entry: Entry, size: Size, side: str) -> dict[str, Any]:
        """Return the variables of a template for one side of a card."""
        fonts, card = self.typesetter.fonts, entry.card
        if self.typesetter.language and not card.language:
            card = card.model_copy(update={"language": self.typesetter.language})

        def named(kind: str, name: str) -> Card:
            return entry.linked_entry(kind, name).card

        return {
            "card": card,
            "named": named,
            "kind": entry.kind,
            "game": entry.game,
            "side": side,
            "rulings": self.rulings,
            "theme": self.typesetter.theme,
            "width": size.width,
            "height": size.height,
            "bleed": self._bleed(side),
            **DrawingFunctions(self.typesetter.theme, self._describe, lambda: fonts.families).functions,
            **self.functions,
            **self.ornaments.functions,
            "text_height": self.typesetter.text_height,
        }

    def _describe(self, thing: object) -> str:
        describe = self.functions.get("describe")
        return str(describe(thing)) if describe else ""

    def _bleed(self, side: str) -> float:
        return self.bleed + (self.back_bleed if side == "back" else 0.0)
