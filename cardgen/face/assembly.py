"""Faces from the elements of rendered templates; those of strangers are rendered in a fork with hard limits."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.face.elements import TEXT_TAGS, Typesetter, make_cut, make_field, make_fold, make_picture, make_room
from cardgen.face.face import Artwork, CutPath, Face, Field, Fold, Picture, Room, Text
from cardgen.face.template import engine
from cardgen.face.template.engine import RenderedTemplate
from cardgen.face.vector_art import fault_diagnostics, is_vector_art, open_vector_art, placed
from cardgen.model.card import Entry
from cardgen.project.files import display_path
from cardgen.runtime.limited_fork import LimitedFork, ResourceLimitError, limits_here
from cardgen.runtime.process_pool import is_worker
from cardgen.runtime.processes import can_fork
from cardgen.svg import chunks
from cardgen.svg.chunks import BoxElement, Chunk, split_svg
from cardgen.svg.scene import VectorArtError
from cardgen.svg.tree import SvgError
from cardgen.text.lines import Fit
from cardgen.units import Box, Size

# Elements whose parts are kept; more than on the cards of a game that recur.
_MAX_KEPT = 4096
# Boxes whose parts depend on the card or on other boxes.
_VARIABLE_TAGS = frozenset({"cg:art", "cg:field"})

Parts: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class FaceAssembler:
    """Assembler of faces; equal artwork is shared by all of them.

    Elements that appear on many cards, such as frames and headings of tables, are converted once. `find_art` finds a
    picture that a card names; it raises ValueError with a message for the user if it cannot.
    """

    typesetter: Typesetter
    find_art: Callable[[Entry, str], Path]
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
            return (self._chunk(element, size, bleed, path),)
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
        return (self._picture(element, entry, size, bleed),)

    def picture_face(self, path: Path, size: Size, bleed: float) -> Face:
        """Return a face that is a picture, up to the edge of the bleed.

        Raises VectorArtError for art that cannot be drawn, and ValueError for a file that cannot be read.
        """
        picture = Picture(path, Box(0, 0, *size).expand(bleed))
        item = self._vector_art(picture, size, bleed) if is_vector_art(path) else picture
        return Face(size, bleed, (item,))

    def _picture(self, element: BoxElement, entry: Entry, size: Size, bleed: float) -> Picture | Artwork:
        owner = _owner(element, entry)
        try:
            picture = make_picture(element, owner.card.art, partial(self.find_art, owner))
            return self._vector_art(picture, size, bleed) if is_vector_art(picture.path) else picture
        except SvgError:
            raise
        except VectorArtError as error:
            raise CardgenError(*fault_diagnostics(error, picture.path)) from None
        except ValueError as error:
            raise CardgenError(Diagnostic(Code.ART, str(error), owner.place(("art",)))) from None

    def _vector_art(self, picture: Picture, size: Size, bleed: float) -> Artwork:
        body = placed(open_vector_art(picture.path), picture)
        svg = b"%s%s</svg>" % (chunks.root_tag(size, bleed), body)
        if svg not in self._artwork:
            self._artwork[svg] = Artwork(svg, picture.path, is_art=True)
        return self._artwork[svg]

    def _chunk(self, chunk: Chunk, size: Size, bleed: float, template: Path) -> Artwork:
        """Return the chunk as a complete SVG document.

        Equal chunks share one artwork.
        """
        svg = b"%s%s</svg>" % (chunks.root_tag(size, bleed), chunk.body)
        artwork = self._artwork.get(svg)
        if artwork is None:
            chunks.check_references(chunk.body)
            artwork = self._artwork[svg] = Artwork(svg, template)
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

# Arguments: name, card, size, side, and whether to locate the lines of the template.
RenderTemplate: TypeAlias = Callable[[str, Entry, Size, str, bool], RenderedTemplate]
_Fork: TypeAlias = LimitedFork[[str, int, Size, str, bool], RenderedTemplate | tuple[Diagnostic, ...]]


class Isolation:
    """Fork of this process in which templates run; a new one is started whenever there is none.

    Workers of a pool can be ended themselves, so they need no forks of their own. Where this process cannot fork
    safely, templates run in it, with the sandbox's limits alone.
    """

    def __init__(self) -> None:
        # A fork knows the cards that this process knew when it started.
        self._entries: dict[int, Entry] = {}
        self._fork: _Fork | None = None
        # Templates that were killed are not tried again for every card.
        self._killed: dict[str, Diagnostic] = {}

    def expect(self, entries: Iterable[Entry]) -> None:
        """Announce cards, so that one fork can render them all; the ones announced before are forgotten."""
        self._drop_fork()
        self._entries = {id(entry): entry for entry in entries}

    def render(
        self, render: RenderTemplate, path: Path, name: str, entry: Entry, size: Size, side: str, located: bool
    ) -> RenderedTemplate:
        """Return the result of `render(name, entry, size, side, located)` for a template, whose file is `path`.

        `render` is the same function in all calls. Raises CardgenError, also when it exceeds a limit.
        """
        if is_worker():
            # If a limit ends this process, the pool renders its cards again where a fork can be ended.
            with limits_here(_SECONDS, MEMORY_LIMIT):
                return render(name, entry, size, side, located)
        if name in self._killed:
            raise CardgenError(self._killed[name])
        if id(entry) not in self._entries:
            self.expect((*self._entries.values(), entry))
        fork = self._usable_fork(render)
        if fork is None:
            return render(name, entry, size, side, located)
        try:
            result = fork.call(name, id(entry), size, side, located)
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
        self, render: RenderTemplate, name: str, entry: int, size: Size, side: str, located: bool
    ) -> RenderedTemplate | tuple[Diagnostic, ...]:
        try:
            return render(name, self._entries[entry], size, side, located)
        except CardgenError as error:
            return error.diagnostics


def _limit_message(error: ResourceLimitError) -> str:
    if error.resource == "time":
        return engine.slow_message()
    if error.resource == "memory":
        return f"it needs more than {MEMORY_LIMIT >> 20} MiB of memory"
    return "its process ended unexpectedly"
