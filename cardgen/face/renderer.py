"""Render faces of cards from templates, with diagnostics of misfits."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.face import codes
from cardgen.face.elements import TEXT_TAGS, Typesetter, make_field, make_fold, make_picture, make_room
from cardgen.face.face import Artwork, Face, Field, Fold, Item, Picture, Room
from cardgen.face.isolation import Isolation
from cardgen.face.svg import chunks
from cardgen.face.svg.chunks import split_svg
from cardgen.face.svg.parser import BoxElement, Chunk, SvgError
from cardgen.face.template.engine import RenderedTemplate, Templates, diagnostic_in_template
from cardgen.face.template.ornaments import Ornaments
from cardgen.model.card import Art
from cardgen.model.deck import Entry
from cardgen.runtime.time_limit import WATCHDOG, TimeLimitError
from cardgen.text.icons import Icons
from cardgen.text.lines import Fit
from cardgen.units import Size
from cardgen.validation.suggestion import closest, did_you_mean

# Time limit for the texts and artwork of one face, in seconds.
TIME_LIMIT = 10.0


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
    millimeters; backs have `back_bleed` more. `generic` are the templates of kinds that have none of their own.
    """

    templates: Templates
    typesetter: Typesetter
    functions: Mapping[str, Callable[..., object]]
    ornaments: Ornaments
    find_art: Callable[[Entry, str], Path]
    bleed: float
    back_bleed: float = 0.0
    generic: Mapping[str, str] = field(default_factory=dict)
    _faces: dict[_FaceKey, RenderedFace] = field(default_factory=dict)
    _artwork: dict[tuple[bytes, Size, float], Artwork] = field(default_factory=dict)
    _static_svg: dict[tuple[str, str, Size, str], RenderedTemplate] = field(default_factory=dict)
    _isolation: Isolation = field(default_factory=Isolation)

    def front(self, entry: Entry, size: Size) -> RenderedFace:
        """Render the front of a card.

        If its text does not fit, the kind's long layout is used if there is one.
        """
        name = self._own_or_generic(f"{entry.game}/{entry.card.template or entry.kind}", entry, entry.card.template)
        rendered = self._render(name, entry, size, "front")
        if not all(fit.ok for fit in rendered.face.fits) and self.templates.has(f"{name}.long"):
            return self._render(f"{name}.long", entry, size, "front")
        return rendered

    def back(self, entry: Entry, size: Size) -> RenderedFace | None:
        """Render the back of a card; None if its kind has none."""
        named = entry.card.back or entry.card.template
        name = self._own_or_generic(f"{entry.game}/{named or entry.kind}.back", entry, named, ".back")
        if entry.card.back is None and not self.templates.has(name):
            return None
        return self._render(name, entry, size, "back")

    def _own_or_generic(self, own: str, entry: Entry, named: str | None, suffix: str = "") -> str:
        """Return a kind's own template or, if there is none and the card names none, the generic one."""
        generic = self.generic.get(entry.kind)
        return f"{generic}{suffix}" if generic and not named and not self.templates.has(own) else own

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
            raise CardgenError(diagnostic_in_template(rendered.path, error.culprit, codes.SVG, str(error))) from None
        result = RenderedFace(face, tuple(fit_diagnostics(face.fits, entry, self.typesetter.icons)), key)
        self._faces[key] = result
        return result

    def intern(self, rendered: RenderedFace) -> RenderedFace:
        """Return the cached face equal to one from another process."""
        return rendered if rendered.diagnostics else self._faces.setdefault(rendered.key, rendered)

    def expect(self, entries: Iterable[Entry]) -> None:
        """Announce cards that will be rendered; without it, each may cost a process."""
        self._isolation.expect(entries)

    def _render_template(self, name: str, entry: Entry, size: Size, side: str) -> RenderedTemplate:
        """Render the SVG of one side; templates that may be a stranger's run isolated."""
        if self.templates.are_trusted:
            return self._render_here(name, entry, size, side)
        return self._isolation.render(self._render_here, self.templates.path(name), name, entry, size, side)

    def _render_here(self, name: str, entry: Entry, size: Size, side: str) -> RenderedTemplate:
        """Render the SVG of one side in this process.

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
            **self.functions,
            **self.ornaments.functions,
        }

    def _bleed(self, side: str) -> float:
        return self.bleed + (self.back_bleed if side == "back" else 0.0)

    def _face(self, rendered: RenderedTemplate, entry: Entry, size: Size, bleed: float) -> Face:
        items: list[Item] = []
        fits: list[Fit | Room] = []
        folds: list[Fold] = []
        fields: list[Field] = []
        for element in split_svg(rendered.svg):
            if isinstance(element, Chunk):
                items.append(self._chunk(element, size, bleed, rendered.path))
            elif element.tag in TEXT_TAGS:
                if typeset := self.typesetter.typeset(element):
                    items.append(typeset[0])
                    fits.append(typeset[1])
            elif element.tag == "cg:fold":
                folds.append(make_fold(element))
            elif element.tag == "cg:field":
                fields.append(make_field(element, {each.name for each in fields}))
            elif element.tag == "cg:room":
                fits.append(make_room(element))
            else:
                items.append(self._picture(element, entry))
        return Face(size, bleed, tuple(items), tuple(fits), tuple(folds), tuple(fields))

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
            svg = _root_tag(size, bleed).encode() + chunk.body + b"</svg>"
            artwork = self._artwork[key] = Artwork(svg, template)
        return artwork


def _digest(svg: str) -> bytes:
    """Return a short digest of a rendered template."""
    return hashlib.blake2b(svg.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _root_tag(size: Size, bleed: float) -> str:
    """Return the root tag of artwork; its viewBox is trim plus bleed."""
    width, height = f"{size.width + 2 * bleed:g}", f"{size.height + 2 * bleed:g}"
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{width}mm" height="{height}mm" viewBox="{-bleed:g} {-bleed:g} {width} {height}">'
    )


_INDEX = re.compile(r"[0-9]{1,6}")


def fit_diagnostics(fits: Iterable[Fit | Room], entry: Entry, icons: Icons) -> Iterator[Diagnostic]:
    """Yield diagnostics for all parts of a card that do not fit."""
    for fit in fits:
        if fit.ok:
            continue
        text = f"'{fit.field.replace('/', '.')}'" if fit.field else "a text"
        problems = _room_problems(fit) if isinstance(fit, Room) else _text_problems(fit, icons)
        for code, message, advice in problems:
            place = entry.place(_key_path(fit.field))
            yield Diagnostic(code, f"{text} of '{entry.card.name}' {message}", place, advice)


def _text_problems(fit: Fit, icons: Icons) -> Iterator[tuple[str, str, str]]:
    if fit.missing:
        characters = ", ".join(f"'{character}' (U+{ord(character):04X})" for character in dict.fromkeys(fit.missing))
        advice = "use other characters, or another font in the theme"
        yield codes.MISSING_GLYPH, f"contains {characters}, which its font does not have", advice
    if fit.excess:
        excess = "1 character" if fit.excess == 1 else f"{fit.excess} characters"
        message = f"is {fit.fill * 100:.0f} % full at {fit.size:g} pt: {excess} too many"
        yield codes.OVERFLOW, message, "shorten it, or enlarge its box in the template"
    for name in fit.unknown_icons:
        suggestion = closest(name, icons.names())
        advice = f"did you mean {{{suggestion}}}?" if suggestion else "write \\{ to print a brace"
        yield codes.UNKNOWN_ICON, f"contains the unknown icon '{name}'", advice


def _room_problems(room: Room) -> Iterator[tuple[str, str, str]]:
    message = f"needs {room.used:.1f} mm, but has only {max(0.0, room.available):.1f} mm"
    yield codes.OVERFLOW, message, "remove something, or give it more room in the template"


def _key_path(field: str) -> tuple[str | int, ...]:
    """Convert a field such as 'abilities/0/text' to a key path."""
    return tuple(int(step) if _INDEX.fullmatch(step) else step for step in field.split("/") if step)
