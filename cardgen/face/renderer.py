"""Render faces of cards from templates, with diagnostics of misfits."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, TypeAlias

from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.face import codes
from cardgen.face.drawing_functions import DrawingFunctions
from cardgen.face.elements import TEXT_TAGS, Typesetter, make_field, make_fold, make_picture, make_room
from cardgen.face.face import Artwork, Face, Field, Fold, Picture, Room, Text
from cardgen.face.isolation import Isolation
from cardgen.face.misfits import fit_diagnostics
from cardgen.face.svg import chunks
from cardgen.face.svg.chunks import split_svg
from cardgen.face.svg.faults import find_faults
from cardgen.face.svg.parser import BoxElement, Chunk, SvgError
from cardgen.face.template.engine import RenderedTemplate, Templates, diagnostic_in_template
from cardgen.face.template.mistakes.report import LocatedOutput, MistakeFinder, svg_diagnostic
from cardgen.face.template.ornaments import Ornaments
from cardgen.model.card import Art
from cardgen.model.deck import Entry
from cardgen.runtime.time_limit import WATCHDOG, TimeLimitError
from cardgen.text.lines import Fit
from cardgen.units import Size
from cardgen.validation.suggestion import did_you_mean

# Time limit for the texts and artwork of one face, in seconds.
TIME_LIMIT = 10.0
# A template that took longer than this, in seconds, is not rendered again to find more mistakes.
_SLOW = 1.0


# Inputs of a face: digest of its SVG, size, the card's art, side, and folder.
_FaceKey: TypeAlias = tuple[bytes, Size, Art | None, str, str]


@dataclass(frozen=True, slots=True)
class RenderedFace:
    """Face with its diagnostics, and the key of its inputs.

    Equal keys mean equal faces.
    """

    face: Face
    diagnostics: tuple[Diagnostic, ...]
    key: _FaceKey


@dataclass(frozen=True, slots=True)
class FaceRenderer:
    """Renderer of the faces of one game's cards.

    `functions` are available to templates, above all `describe`, which generates text from a card's effects. `find_art`
    finds a picture that a card names; it raises ValueError with a message for the user if it cannot. `bleed` is in
    millimeters; backs have `back_bleed` more.
    """

    templates: Templates
    typesetter: Typesetter
    functions: Mapping[str, Callable[..., object]]
    ornaments: Ornaments
    find_art: Callable[[Entry, str], Path]
    bleed: float
    back_bleed: float = 0.0
    _faces: dict[_FaceKey, RenderedFace] = field(default_factory=dict)
    _artwork: dict[tuple[bytes, Size, float], Artwork] = field(default_factory=dict)
    _static_svg: dict[tuple[str, str, Size, str], RenderedTemplate] = field(default_factory=dict)
    _isolation: Isolation = field(default_factory=Isolation)
    _finder: list[MistakeFinder] = field(default_factory=list)

    @property
    def _mistakes(self) -> MistakeFinder:
        """The finder of mistakes, which few runs need."""
        if not self._finder:
            self._finder.append(MistakeFinder(self.templates, self.typesetter.icons.names))
        return self._finder[0]

    def front(self, entry: Entry, size: Size) -> RenderedFace:
        """Render the front of a card.

        If its text does not fit, the kind's long layout is used if there is one.
        """
        name = f"{entry.game}/{entry.card.template or entry.kind}"
        rendered = self._render(name, entry, size, "front")
        if not all(fit.ok for fit in rendered.face.fits) and self.templates.has(f"{name}.long"):
            return self._render(f"{name}.long", entry, size, "front")
        return rendered

    def back(self, entry: Entry, size: Size) -> RenderedFace | None:
        """Render the back of a card; None if its kind has none."""
        name = f"{entry.game}/{entry.card.back or entry.card.template or entry.kind}.back"
        if entry.card.back is None and not self.templates.has(name):
            return None
        return self._render(name, entry, size, "back")

    def _render(self, name: str, entry: Entry, size: Size, side: str) -> RenderedFace:
        if not self.templates.has(name):
            raise CardgenError(self._missing_template(name, entry))
        rendered = self._render_template(name, entry, size, side)
        # Pictures are looked up next to the card's file first.
        folder = str(Path(entry.document.file).parent) if "<cg:art" in rendered.svg else ""
        key = (_digest(rendered.svg), size, entry.card.art, side, folder)
        cached = self._faces.get(key)
        if cached is not None and not cached.diagnostics:
            return cached
        try:
            with WATCHDOG.limit(TIME_LIMIT):
                face = self._face(rendered, entry, size, self._bleed(side))
        except TimeLimitError:
            message = f"the text and artwork of '{entry.card.name}' took longer than {TIME_LIMIT:g} seconds"
            raise CardgenError(diagnostic_in_template(rendered.path, "<svg", codes.SVG, message)) from None
        except SvgError as error:
            raise CardgenError(*self._svg_mistakes(error, rendered, name, entry, size, side)) from None
        result = RenderedFace(face, tuple(fit_diagnostics(face.fits, entry, self.typesetter.icons)), key)
        self._faces[key] = result
        return result

    def source_mistakes(self, entry: Entry, size: Size) -> tuple[Diagnostic, ...]:
        """Return the mistakes in the sources of a card's templates, also where this card does not go.

        The templates of the program have none.
        """
        if self.templates.are_trusted:
            return ()
        front = f"{entry.game}/{entry.card.template or entry.kind}"
        back = f"{entry.game}/{entry.card.back or entry.card.template or entry.kind}.back"
        names = ((front, "front"), (f"{front}.long", "front"), (back, "back"))
        return tuple(
            mistake
            for name, side in names
            if self.templates.has(name)
            for mistake in self._mistakes.in_source(self.templates.file_of(name), self.context(entry, size, side))
        )

    def intern(self, rendered: RenderedFace) -> RenderedFace:
        """Return the cached face equal to one from another process."""
        return rendered if rendered.diagnostics else self._faces.setdefault(rendered.key, rendered)

    def expect(self, entries: Iterable[Entry]) -> None:
        """Announce cards that will be rendered; without it, each may cost a process."""
        self._isolation.expect(entries)

    def _svg_mistakes(
        self, error: SvgError, rendered: RenderedTemplate, name: str, entry: Entry, size: Size, side: str
    ) -> Iterable[Diagnostic]:
        """Return the diagnostics of all faults of a rendered SVG, at the lines of its templates."""
        svg = rendered.svg.encode("utf-8", "surrogatepass")
        faults = find_faults(svg, partial(self._item, entry=entry, size=size, bleed=0, path=rendered.path))
        if str(error) not in set(map(str, faults)):
            faults.append(error)
        located = self._render_template(name, entry, size, side, located=True)
        output = LocatedOutput(located.svg, located.marks) if located.svg == rendered.svg else None
        return dict.fromkeys(svg_diagnostic(each, rendered.path, output) for each in faults)

    def _render_template(
        self, name: str, entry: Entry, size: Size, side: str, *, located: bool = False
    ) -> RenderedTemplate:
        """Render the SVG of one side; templates that may be a stranger's run isolated."""
        if self.templates.are_trusted:
            return self._render_here(name, entry, size, side, located)
        return self._isolation.render(self._render_here, self.templates.path(name), name, entry, size, side, located)

    def _render_here(self, name: str, entry: Entry, size: Size, side: str, located: bool) -> RenderedTemplate:
        """Render the SVG of one side in this process.

        With `located`, mistakes are ignored. Raises CardgenError with all mistakes of the template.
        """
        file = self.templates.file_of(name)
        if located:
            output = self._mistakes.locate(file, self.context(entry, size, side))
            return RenderedTemplate(output.svg, self.templates.path(name), output.marks)
        started = monotonic()
        try:
            return self._render_once(name, entry, size, side)
        except CardgenError as error:
            if monotonic() - started > _SLOW:
                raise
            context = self.context(entry, size, side)
            raise CardgenError(*self._mistakes.find_all(file, context, error.diagnostics)) from None

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

    def _missing_template(self, name: str, entry: Entry) -> Diagnostic:
        key = "back" if entry.card.back and name.endswith(".back") else "template"
        place = entry.place((key,)) if getattr(entry.card, key) else entry.place()
        names = self.templates.names(entry.game)
        message = f"unknown template '{name}.svg.j2'{did_you_mean(name, names)}"
        return Diagnostic(codes.NO_TEMPLATE, message, place, f"available: {', '.join(names) or 'none'}")

    def context(self, entry: Entry, size: Size, side: str) -> dict[str, Any]:
        """Return the variables of a template for one side of a card."""
        return {
            "card": entry.card,
            "named": lambda kind, name: entry.linked_entry(kind, name).card,
            "kind": entry.kind,
            "game": entry.game,
            "side": side,
            "theme": self.typesetter.theme,
            "width": size.width,
            "height": size.height,
            "bleed": self._bleed(side),
            **DrawingFunctions(self.typesetter.theme, self._describe).functions,
            **self.functions,
            **self.ornaments.functions,
        }

    def _describe(self, thing: object) -> str:
        describe = self.functions.get("describe")
        return str(describe(thing)) if describe else ""

    def _bleed(self, side: str) -> float:
        return self.bleed + (self.back_bleed if side == "back" else 0.0)

    def _face(self, rendered: RenderedTemplate, entry: Entry, size: Size, bleed: float) -> Face:
        parts: list[object] = []
        for element in split_svg(rendered.svg):
            names = {part.name for part in parts if isinstance(part, Field)} if _is_field(element) else set()
            parts += self._item(element, entry, size, bleed, rendered.path, names)
        items = tuple(part for part in parts if isinstance(part, Artwork | Picture | Text))
        fits = tuple(part for part in parts if isinstance(part, Fit | Room))
        folds = tuple(part for part in parts if isinstance(part, Fold))
        return Face(size, bleed, items, fits, folds, tuple(part for part in parts if isinstance(part, Field)))

    def _item(
        self,
        element: Chunk | BoxElement,
        entry: Entry,
        size: Size,
        bleed: float,
        path: Path,
        names: Collection[str] = (),
    ) -> tuple[object, ...]:
        """Return the parts of a face that an element makes; `names` are those of earlier form fields.

        Raises SvgError for invalid attributes.
        """
        if isinstance(element, Chunk):
            return (self._chunk(element, size, bleed, path),)
        if element.tag in TEXT_TAGS:
            return self.typesetter.typeset(element) or ()
        if element.tag == "cg:fold":
            return (make_fold(element),)
        if element.tag == "cg:field":
            return (make_field(element, names),)
        if element.tag == "cg:room":
            return (make_room(element),)
        return (self._picture(element, entry),)

    def _picture(self, element: BoxElement, entry: Entry) -> Picture:
        try:
            return make_picture(element, entry.card.art, partial(self.find_art, entry))
        except SvgError:
            raise
        except ValueError as error:
            raise CardgenError(Diagnostic(codes.ART, str(error), entry.place(("art",)))) from None

    def _chunk(self, chunk: Chunk, size: Size, bleed: float, template: Path) -> Artwork:
        """Return the chunk as a complete SVG document.

        Equal chunks share one artwork.
        """
        key = (chunk.body, size, bleed)
        artwork = self._artwork.get(key)
        if artwork is None:
            chunks.check_references(chunk.body)
            svg = chunks.root_tag(size, bleed).encode() + chunk.body + b"</svg>"
            artwork = self._artwork[key] = Artwork(svg, template)
        return artwork


def _is_field(element: Chunk | BoxElement) -> bool:
    return isinstance(element, BoxElement) and element.tag == "cg:field"


def _digest(svg: str) -> bytes:
    """Return a short digest of a rendered template."""
    return hashlib.blake2b(svg.encode("utf-8", "surrogatepass"), digest_size=16).digest()
