"""FaceRenderer: a card's template becomes a Face, misfits become diagnostics."""

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

# How long the texts and the artwork of one face may take, in seconds.
TIME_LIMIT = 10.0


# What a face was drawn from: a digest of its SVG, its size, the card's art, and its side.
_FaceKey: TypeAlias = tuple[bytes, Size, Art | None, str, str]


@dataclass(frozen=True, slots=True)
class RenderedFace:
    """A face, what is wrong with it, and what it was drawn from: where that is equal, so are the faces."""

    face: Face
    diagnostics: tuple[Diagnostic, ...]
    key: _FaceKey


@dataclass(frozen=True, slots=True)
class FaceRenderer:
    """All that is needed to draw the cards of one game: templates, type, and the words that the game lends them.

    `functions` are what templates may call, above all `describe`, which makes text from a card's effects.
    `find_art` finds a picture that a card names, and raises ValueError with a sentence where it cannot.
    `bleed` is in millimetres; backs have `back_bleed` more.
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

    def front(self, entry: Entry, size: Size) -> RenderedFace:
        """The front of a card; where its text does not fit, in the kind's long layout if it has one."""
        name = f"{entry.game}/{entry.card.template or entry.kind}"
        rendered = self._render(name, entry, size, "front")
        if not all(fit.ok for fit in rendered.face.fits) and self.templates.has(f"{name}.long"):
            return self._render(f"{name}.long", entry, size, "front")
        return rendered

    def back(self, entry: Entry, size: Size) -> RenderedFace | None:
        """The back of a card, or None when its kind has none."""
        name = f"{entry.game}/{entry.card.back or entry.card.template or entry.kind}.back"
        if entry.card.back is None and not self.templates.has(name):
            return None
        return self._render(name, entry, size, "back")

    def _render(self, name: str, entry: Entry, size: Size, side: str) -> RenderedFace:
        if not self.templates.has(name):
            raise CardgenError(self._missing_template(name, entry))
        rendered = self._render_template(name, entry, size, side)
        # A picture is looked for beside the card's file first.
        folder = str(Path(entry.document.file).parent) if "<cg:art" in rendered.svg else ""
        key = (_digest(rendered.svg), size, entry.card.art, side, folder)
        cached = self._faces.get(key)
        if cached is not None and not cached.diagnostics:
            return cached
        try:
            with WATCHDOG.limit(TIME_LIMIT):
                face = self._face(rendered, entry, size, self._bleed(side))
        except TimeLimitError:
            message = f"the texts and the artwork of '{entry.card.name}' take more than {TIME_LIMIT:g} seconds"
            raise CardgenError(diagnostic_in_template(rendered.path, "<svg", codes.SVG, message)) from None
        except SvgError as error:
            raise CardgenError(diagnostic_in_template(rendered.path, error.culprit, codes.SVG, str(error))) from None
        result = RenderedFace(face, tuple(fit_diagnostics(face.fits, entry, self.typesetter.icons)), key)
        self._faces[key] = result
        return result

    def intern(self, rendered: RenderedFace) -> RenderedFace:
        """What another process has drawn, or what stands here already for the same face."""
        return rendered if rendered.diagnostics else self._faces.setdefault(rendered.key, rendered)

    def _render_template(self, name: str, entry: Entry, size: Size, side: str) -> RenderedTemplate:
        """The SVG of one side; a template that does not look at the card, as most backs do, is rendered once."""
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
        message = f"there is no template '{name}.svg.j2'{did_you_mean(name, names)}"
        return Diagnostic(codes.NO_TEMPLATE, message, place, f"there is {', '.join(names) or 'none'}")

    def context(self, entry: Entry, size: Size, side: str) -> dict[str, Any]:
        """What a template for one side of a card is given."""
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
        """The chunk as a whole SVG document; equal chunks give one and the same artwork."""
        key = (chunk.body, size, bleed)
        artwork = self._artwork.get(key)
        if artwork is None:
            chunks.check_references(chunk.body)
            svg = _root_tag(size, bleed).encode() + chunk.body + b"</svg>"
            artwork = self._artwork[key] = Artwork(svg, template)
        return artwork


def _digest(svg: str) -> bytes:
    """Stands for a rendered template, which is long."""
    return hashlib.blake2b(svg.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _root_tag(size: Size, bleed: float) -> str:
    """The tag that opens a chunk of artwork: its viewBox is the trim and the bleed around it."""
    width, height = f"{size.width + 2 * bleed:g}", f"{size.height + 2 * bleed:g}"
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{width}mm" height="{height}mm" viewBox="{-bleed:g} {-bleed:g} {width} {height}">'
    )


_INDEX = re.compile(r"[0-9]{1,6}")


def fit_diagnostics(fits: Iterable[Fit | Room], entry: Entry, icons: Icons) -> Iterator[Diagnostic]:
    """All that is wrong with how the parts of a card fitted, with what to do."""
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
        advice = "write it in other characters, or choose another font in the theme"
        yield codes.MISSING_GLYPH, f"has {characters}, which its font cannot draw", advice
    if fit.excess:
        excess = "1 character" if fit.excess == 1 else f"{fit.excess} characters"
        message = f"is {fit.fill * 100:.0f} % full at {fit.size:g} pt: {excess} too many"
        yield codes.OVERFLOW, message, "shorten it, or give its box more room in the template"
    for name in fit.unknown_icons:
        suggestion = closest(name, icons.names())
        advice = f"did you mean {{{suggestion}}}?" if suggestion else "write \\{ to print a brace"
        yield codes.UNKNOWN_ICON, f"names an icon '{name}' that does not exist", advice


def _room_problems(room: Room) -> Iterator[tuple[str, str, str]]:
    message = f"needs {room.used:.1f} mm and has {max(0.0, room.available):.1f} mm"
    yield codes.OVERFLOW, message, "take something away, or give it more room in the template"


def _key_path(field: str) -> tuple[str | int, ...]:
    """'abilities/0/text' as a route into the card."""
    return tuple(int(step) if _INDEX.fullmatch(step) else step for step in field.split("/") if step)
