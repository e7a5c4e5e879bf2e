"""Cards rendered for the checks of fit and print."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from cardgen.checking.check import CheckContext, CheckScope, PrintedCard, PrintedPicture, Rendering, Spot
from cardgen.deck.deck import card_files, libraries, read_project_deck
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.export.pictures import inspect_image
from cardgen.face.face import Face, Picture
from cardgen.face.renderer import fit_diagnostics
from cardgen.model.card import Entry
from cardgen.print.render import CardRenderer
from cardgen.project.project import Project
from cardgen.project_checks.looks import BATCH, Looks, Side
from cardgen.project_checks.services import can_be_drawn, kit_pieces
from cardgen.sheet.imposition import PrintPiece
from cardgen.text.lines import Fit
from cardgen.units import MM_PER_INCH


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
    for made in kit_pieces(drawable, every_piece=True):
        if isinstance(made, Entry) and not made.card.draft:
            problems += _problems_of_piece(renderer, made)
    problems += _problems_in_other_languages(project, {entry.card.id for entry in drawable})
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


def _problems_in_other_languages(project: Project, ids: Collection[str]) -> Iterator[Diagnostic]:
    """Yield what keeps the translations of some cards from being printed."""
    for language in project.settings.languages:
        own = replace(project, workspace=replace(project.workspace, language=language))
        files = card_files(own)
        deck = read_project_deck(own, files, libraries(own, files))
        renderer = CardRenderer(own)
        entries = [each for each in deck.cards if each.translations and each.card.id in ids]
        renderer.expect(entries)
        for entry in entries:
            yield from _problems_of_piece(renderer, entry)


def _misfit_spots(
    renderer: CardRenderer, entry: Entry, piece: PrintPiece[Face]
) -> Iterator[tuple[Diagnostic, tuple[Entry, Spot]]]:
    """Yield the problems of fit with their places on the card."""
    icons = renderer.face_renderer(entry).typesetter.icons
    for side, face in _sides(piece):
        for fit in face.fits:
            if isinstance(fit, Fit) and fit.box:
                yield from ((each, (entry, Spot(side, fit.box))) for each in fit_diagnostics([fit], entry, icons))


def _problems_of_piece(renderer: CardRenderer, piece: Entry) -> tuple[Diagnostic, ...]:
    """Return what keeps a piece that a kit makes from a card from being printed."""
    try:
        return renderer.render_piece(piece, backs=True)[1]
    except CardgenError as error:
        return error.diagnostics


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
    find_place = partial(renderer.place_of_text, entry)
    fonts = renderer.fonts if renderer.own_templates(entry) else None
    flaws = (
        looks.flaws(face, side, piece.shape, find_place, fonts, partial(renderer.own_colours, entry))
        for side, face in sides.items()
    )
    return PrintedCard(fits["front"], fits.get("back", ()), pictures, tuple(chain.from_iterable(flaws)))


def _sides(piece: PrintPiece[Face]) -> Iterator[tuple[Side, Face]]:
    yield "front", piece.front
    if piece.back:
        yield "back", piece.back


def _printed_picture(picture: Picture, side: Side, place: Place | None) -> PrintedPicture:
    image = inspect_image(picture.path)
    dpi = image.width * MM_PER_INCH / image.place(picture).width
    spot = Spot(side, picture.box)
    return PrintedPicture(picture.path.name, dpi, is_animated=image.is_animated, spot=spot, place=place)
