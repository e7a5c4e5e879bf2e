"""Cards rendered for the checks of fit and print, and the pictures on them."""

from __future__ import annotations

from base64 import b64encode
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from cardgen.checking.check import (
    CheckContext,
    CheckScope,
    Flaw,
    PrintedCard,
    PrintedPicture,
    Rendering,
    Side,
    Spot,
)
from cardgen.checking.checks.low_resolution import MIN_DPI
from cardgen.deck.deck import card_files, libraries, load_deck, read_project_deck, rules_of
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.export.pictures import inspect_image, read_image, thumbnail
from cardgen.face.face import Artwork, Face, Picture
from cardgen.face.renderer import fit_diagnostics
from cardgen.model.card import Entry
from cardgen.print.render import CardRenderer
from cardgen.project.project import Project
from cardgen.project_checks.colour_vision import alike_values, paints
from cardgen.project_checks.looks import BATCH, Looks, at_confused, changed_spot
from cardgen.project_checks.services import can_be_drawn, kit_pieces
from cardgen.runtime import atomic_write
from cardgen.runtime.user_folders import is_embedded
from cardgen.runtime.workspace import Workspace
from cardgen.sheet.imposition import PrintPiece
from cardgen.text.lines import Fit
from cardgen.units import mapped_box, quantity


def render_for_checks(project: Project, scope: CheckScope) -> Rendering:
    """Render each card in scope, and the pieces of its kit.

    Cards with a missing picture are skipped, because the checks `missing-art` and `missing-back` report them, and so
    are cards with a broken reference, which the deck reports.
    """
    renderer, looks = CardRenderer(project), Looks()
    renderer.expect(scope.cards)
    rendered: list[tuple[CheckContext, PrintedCard]] = []
    problems: list[Diagnostic] = []
    spots: dict[Diagnostic, tuple[Entry, Spot]] = {}
    colours: list[tuple[Entry, frozenset[str]]] = []
    drawable = [entry for entry in scope.cards if can_be_drawn(scope, entry)]
    for start in range(0, len(drawable), BATCH):
        pieces: list[tuple[Entry, PrintPiece[Face]]] = []
        for entry in drawable[start : start + BATCH]:
            try:
                problems += renderer.source_mistakes(entry)
                piece, misfits = renderer.render_piece(entry, backs=True)
                pieces.append((entry, piece))
            except CardgenError as error:
                problems += error.diagnostics
            else:
                problems += misfits
                spots.update(_misfit_spots(renderer, entry, piece) if misfits else ())
        looks.prepare([face for _, piece in pieces for face in piece.faces])
        rendered += [
            (CheckContext(scope, entry), _printed_card(renderer, looks, entry, piece)) for entry, piece in pieces
        ]
        colours += [(entry, paints(piece)) for entry, piece in pieces]
    alike: dict[int, list[Flaw]] = defaultdict(list)
    for entry, flaw in _alike_values(renderer, colours):
        alike[id(entry)].append(flaw)
    rendered = [(context, card._replace(flaws=(*card.flaws, *alike[id(context.entry)]))) for context, card in rendered]
    made = [each for each in kit_pieces(drawable, every_piece=True) if isinstance(each, Entry) and not each.card.draft]
    renderer.expect(made)
    for entry in made:
        try:
            piece, misfits = renderer.render_piece(entry, backs=True)
        except CardgenError as error:
            problems += error.diagnostics
            continue
        problems += misfits
        if not misfits and (renderer.own_templates(entry) or renderer.own_colours(entry)):
            printed = _printed_card(renderer, looks, entry, piece)
            # What a piece has of its card is said of the card.
            pictures = tuple(each for each in printed.pictures if each.place)
            rendered.append((CheckContext(scope, entry), printed._replace(pictures=pictures)))
    for language in project.settings.languages:
        for entry, faces, found in _in_language(project, language, {entry.card.id for entry in drawable}):
            problems += found
            if faces and not any(fit.field == "motto" for face in faces for fit in face.fits):
                rendered.append((CheckContext(scope, entry), PrintedCard((), (), ())))
    return Rendering([*_with_largest_prints(rendered)], list(dict.fromkeys(problems)), spots)


def _with_largest_prints(
    cards: Sequence[tuple[CheckContext, PrintedCard]],
) -> Iterator[tuple[CheckContext, PrintedCard]]:
    """Yield the cards, of a picture that one place names for cards of several sizes only those with the largest one."""
    least: dict[tuple[Place, str], float] = {}
    for picture in chain.from_iterable(card.pictures for _, card in cards):
        if picture.place:
            key = (picture.place, picture.file)
            least[key] = min(picture.dpi, least.get(key, picture.dpi))
    for context, card in cards:
        pictures = (each for each in card.pictures if not each.place or each.dpi == least[each.place, each.file])
        yield context, card._replace(pictures=tuple(pictures))


def _in_language(
    project: Project, language: str, ids: Collection[str]
) -> Iterator[tuple[Entry, Sequence[Face], Sequence[Diagnostic]]]:
    """Yield the translations of some cards, as they are printed, with what keeps them from it."""
    own = replace(project, workspace=replace(project.workspace, language=language))
    files = card_files(own)
    deck = read_project_deck(own, files, libraries(own, files))
    renderer = CardRenderer(own)
    entries = [each for each in deck.cards if each.translations and each.card.id in ids]
    renderer.expect(entries)
    for entry in entries:
        try:
            piece, misfits = renderer.render_piece(entry, backs=True)
            yield entry, list(piece.faces), misfits
        except CardgenError as error:
            yield entry, (), error.diagnostics


def _misfit_spots(
    renderer: CardRenderer, entry: Entry, piece: PrintPiece[Face]
) -> Iterator[tuple[Diagnostic, tuple[Entry, Spot]]]:
    """Yield the problems of fit with their places on the card."""
    icons = renderer.face_renderer(entry).typesetter.icons
    for side, face in _sides(piece):
        for fit in face.fits:
            if isinstance(fit, Fit) and fit.box:
                yield from ((each, (entry, Spot(side, fit.box))) for each in fit_diagnostics([fit], entry, icons))


def read_templates(project: Project, scope: CheckScope, entries: Iterable[Entry]) -> Sequence[Diagnostic]:
    """Return the mistakes in the templates and themes of some cards in scope.

    Of the cards with the same templates, only the first is rendered, and texts that do not fit are ignored.
    """
    renderer = CardRenderer(project)
    problems: list[Diagnostic] = []
    samples: dict[object, Entry] = {}
    for entry in entries:
        try:
            problems += renderer.source_mistakes(entry)
            names = renderer.own_templates(entry)
            if names and names not in samples and can_be_drawn(scope, entry):
                samples[names] = entry
        except CardgenError as error:
            problems += error.diagnostics
    return list(dict.fromkeys((*problems, *_rendering_problems(renderer, [*samples.values()]))))


def _rendering_problems(renderer: CardRenderer, entries: Sequence[Entry]) -> Iterator[Diagnostic]:
    """Yield the errors of templates with which cards are rendered."""
    renderer.expect(entries)
    for entry in entries:
        try:
            renderer.render_faces(entry, backs=True)
        except CardgenError as error:
            yield from error.diagnostics


def _printed_card(renderer: CardRenderer, looks: Looks, entry: Entry, piece: PrintPiece[Face]) -> PrintedCard:
    """Return the texts and pictures of a card, and what is wrong with its looks, as checks see them."""
    sides = dict(_sides(piece))
    fits: dict[Side, tuple[Fit, ...]] = {
        side: tuple(fit for fit in face.fits if isinstance(fit, Fit)) for side, face in sides.items()
    }
    pictures = tuple(
        _printed_picture(item, side, renderer.place_of_picture(entry, side, item))
        for side, face in sides.items()
        for item in face.items
        if isinstance(item, Picture)
    )
    find_place, own_colours = partial(renderer.place_of_text, entry), renderer.own_colours(entry)
    fonts = renderer.fonts if renderer.own_templates(entry) else None
    most = renderer.face_renderer(entry).typesetter.theme.max_ink
    inked = (
        looks.too_much_ink(face, side, most, renderer.fonts, partial(renderer.place_of_word, entry), own_colours)
        for side, face in sides.items()
        if most and (fonts or own_colours)
    )
    seen = (looks.flaws(face, side, piece.shape, find_place, fonts, own_colours) for side, face in sides.items())
    # A mat is a ground to play on.
    own = (flaw for flaw in chain.from_iterable(seen) if not (piece.can_tile and flaw.kind == "empty"))
    has_drawings = any(isinstance(item, Artwork) and item.is_art for face in sides.values() for item in face.items)
    flaws = (*own, *filter(None, inked))
    return PrintedCard(fits["front"], fits.get("back", ()), pictures, flaws, find_place, has_drawings)


def _alike_values(
    renderer: CardRenderer, cards: Sequence[tuple[Entry, frozenset[str]]]
) -> Iterator[tuple[Entry, Flaw]]:
    """Yield the values that some people cannot tell apart, each at a color or in a template of the project's own."""
    for entry, flaw, (one, other) in alike_values(renderer, cards):
        spot = changed_spot(one, other, renderer.fonts, flaw.vision)
        place = renderer.place_of_word(entry, spot.side, flaw.colours[0]) if spot and flaw.colours else None
        yield entry, at_confused(flaw._replace(spot=spot, place=place), renderer.own_colours(entry))


def _sides(piece: PrintPiece[Face]) -> Iterator[tuple[Side, Face]]:
    yield "front", piece.front
    if piece.back:
        yield "back", piece.back


def _printed_picture(picture: Picture, side: Side, place: Place | None) -> PrintedPicture:
    image = inspect_image(picture.path)
    spot = Spot(side, mapped_box(picture.box, picture.matrix))
    return PrintedPicture(
        picture.path.name, image.resolution(picture), is_animated=image.is_animated, spot=spot, place=place
    )


class ListedPicture(NamedTuple):
    """A picture file with its largest print among some cards.

    `pixels` are its width and height; a drawing has none, and no `dpi`. `size` are the width and height in millimeters
    of the whole picture as it is printed, of which the box on the card may show a part.
    """

    path: Path
    file: str
    cards: tuple[str, ...]
    pixels: tuple[int, int] | None = None
    size: tuple[float, float] | None = None
    dpi: float | None = None

    @property
    def is_coarse(self) -> bool:
        """Whether it has too few pixels for its size, as the check `low-resolution` says."""
        return self.dpi is not None and self.dpi < MIN_DPI

    def as_data(self) -> dict[str, object]:
        """Return it as plain data for JSON."""
        width, height = self.pixels or (None, None)
        size = self.size and [round(side, 1) for side in self.size]
        dpi = None if self.dpi is None else round(self.dpi)
        printed = {"width": width, "height": height, "printed": size, "dpi": dpi, "coarse": self.is_coarse}
        return {"file": self.file, **printed, "cards": list(self.cards)}

    def words(self) -> tuple[str, str, str, str]:
        """Return pixels, printed size, resolution, and cards, as lists show them."""
        pixels = "{} x {}".format(*self.pixels) if self.pixels else "drawing"
        size = "{:.1f} x {:.1f}".format(*self.size) if self.size else ""
        dpi = f"{self.dpi:.0f}{' (too coarse)' if self.is_coarse else ''}" if self.dpi is not None else ""
        more = f" and {len(self.cards) - 1} more" if len(self.cards) > 1 else ""
        return pixels, size, dpi, f"{self.cards[0]}{more}"


def list_pictures(workspace: Workspace | None = None) -> list[ListedPicture]:
    """Return the pictures on the cards of a project and their backs, in order of their files.

    Raises CardgenError for cards that cannot be drawn.
    """
    project, deck = load_deck((), workspace=workspace, use_index=False)
    renderer = CardRenderer(project)
    renderer.expect(deck.cards)
    found: dict[Path, ListedPicture] = {}
    for entry in deck.cards:
        if rules_of(entry).kinds[entry.kind].is_printed:
            for face in renderer.render_piece(entry, backs=True)[0].faces:
                for item in face.items:
                    if each := _listed_picture(item, entry.card.name, project):
                        found[each.path] = _together(found.get(each.path), each)
    return sorted(found.values(), key=lambda each: each.file)


def _listed_picture(item: object, card: str, project: Project) -> ListedPicture | None:
    if isinstance(item, Artwork) and item.is_art and item.template:
        return ListedPicture(item.template, _shown(item.template, project), (card,))
    if not isinstance(item, Picture):
        return None
    image = inspect_image(item.path)
    pixels, size = (image.width, image.height), image.printed_size(item)
    return ListedPicture(item.path, _shown(item.path, project), (card,), pixels, size, image.resolution(item))


def _shown(path: Path, project: Project) -> str:
    return path.name if is_embedded(path) else project.display_path(path)


def _together(one: ListedPicture | None, other: ListedPicture) -> ListedPicture:
    """Return the larger print of the same picture, with the cards of both."""
    if one is None:
        return other
    larger = other if (other.dpi or 0) < (one.dpi or 0) else one
    return larger._replace(cards=tuple(dict.fromkeys((*one.cards, *other.cards))))


# The longer side of thumbnails, in pixels.
_THUMBNAIL = 240
_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
body {{ font: 14px/1.4 system-ui, sans-serif; margin: 1.5rem; color: #222; background: #fff; }}
main {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(12rem, 1fr)); gap: 1.2rem; }}
figure {{ margin: 0; overflow-wrap: anywhere; }}
img {{ width: 100%; height: 10rem; object-fit: contain; background: #eee; }}
strong {{ color: #b00; }}
</style>
</head>
<body>
<h1>{title}</h1>
<main>
{figures}
</main>
</body>
</html>
"""
_FIGURE = Markup('<figure><img src="{}" alt=""><figcaption>{}<br>{}</figcaption></figure>')


def write_pictures(pictures: Sequence[ListedPicture], output: Path) -> None:
    """Write a web page with a thumbnail of each picture, and what `words` says of it.

    Raises CardgenError for a picture that cannot be read, and OSError if the page cannot be written.
    """
    coarse = sum(each.is_coarse for each in pictures)
    title = quantity(len(pictures), "picture") + (f", {coarse} too coarse" if coarse else "")
    figures = Markup("\n").join(_FIGURE.format(_address(each), each.file, _caption(each)) for each in pictures)
    atomic_write.write(output, _PAGE.format(title=title, figures=figures).encode())


def _caption(picture: ListedPicture) -> Markup:
    pixels, size, _, cards = picture.words()
    resolution = Markup("<strong>{:.0f} dpi, too coarse</strong>" if picture.is_coarse else "{:.0f} dpi")
    parts = [f"{pixels} px", f"{size} mm", resolution.format(picture.dpi)] if picture.pixels else [pixels]
    return Markup("<br>").join((Markup(" · ").join(parts), cards))


def _address(picture: ListedPicture) -> str:
    try:
        content = thumbnail(picture.path, _THUMBNAIL) if picture.pixels else read_image(picture.path)
    except (ValueError, OSError) as error:
        raise CardgenError(Diagnostic(Code.ART, str(error), Place(picture.file))) from None
    return f"data:image/{'png' if picture.pixels else 'svg+xml'};base64,{b64encode(content).decode()}"
