"""Cards rendered for the checks of fit and print."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from cardgen.checking.context import CheckContext, CheckScope, PrintedCard, PrintedPicture
from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.export.images.picture import inspect_image
from cardgen.face.face import Face, Picture
from cardgen.model.entry import Entry
from cardgen.model.references import missing_links
from cardgen.pipeline.build.large_pieces import too_large
from cardgen.pipeline.build.layouts import LAYOUTS, room_problem
from cardgen.pipeline.build.render import CardRenderer, RenderedCard
from cardgen.pipeline.load.deck import require_game
from cardgen.pipeline.options import BuildRequest, PrintSetup, print_setup, require_known
from cardgen.project import Project
from cardgen.project.backs import is_picture
from cardgen.text.lines import Fit
from cardgen.units import MM_PER_INCH


def render_for_checks(
    project: Project, scope: CheckScope
) -> tuple[list[tuple[CheckContext, object]], list[Diagnostic]]:
    """Render each card in scope; also return problems with rendering and fit.

    Cards with a missing picture are skipped, because the checks `missing-art` and `missing-back` report them, and so
    are cards with a broken reference, which the deck reports.
    """
    renderer = CardRenderer(project)
    renderer.expect(scope.cards)
    rendered: list[tuple[CheckContext, object]] = []
    problems: list[Diagnostic] = []
    room = _Room(project)
    for entry in scope.cards:
        if not _can_be_drawn(scope, entry):
            continue
        try:
            problems += renderer.source_mistakes(entry)
            piece, misfits = renderer.render_piece(entry, backs=True)
            room.look_at(RenderedCard(entry, piece))
            rendered.append(
                (CheckContext(scope, entry), _printed_card([face for face in (piece.front, piece.back) if face]))
            )
        except CardgenError as error:
            problems += error.diagnostics
        else:
            problems += misfits
    return rendered, list(dict.fromkeys((*problems, *room.problems())))


class _Room:
    """The sheets of a project, and the pieces that do not fit on them.

    As in a build, a piece that is too large is a warning if there is anything else to print. Drafts are not printed,
    and cards do not depend on the printer of this computer. Only pieces with problems are kept.
    """

    def __init__(self, project: Project) -> None:
        anywhere = replace(project, settings=project.settings.model_copy(update={"printer": "none"}))
        self._setup: PrintSetup | None = None
        self._of_settings: tuple[Diagnostic, ...] = ()
        self._errors: list[Diagnostic] = []
        self._warnings: list[Diagnostic] = []
        self._anything_fits = False
        try:
            setup = print_setup(anywhere, BuildRequest())
            require_known(setup.layout, LAYOUTS, "layout", project.place(("layout",)))
            self._setup = setup
        except CardgenError as error:
            self._of_settings = error.diagnostics

    def look_at(self, card: RenderedCard) -> None:
        """Find out whether there is room for a piece."""
        if self._setup is None or card.entry.card.draft:
            return
        problem = room_problem(card, self._setup)
        if problem is None:
            self._anything_fits = True
        else:
            self._errors.append(problem)
            self._warnings.append(too_large(card, self._setup) or problem)

    def problems(self) -> Iterable[Diagnostic]:
        """Return the errors of the settings, and the problems of the pieces."""
        return (*self._of_settings, *(self._warnings if self._anything_fits else self._errors))


def read_templates(project: Project, scope: CheckScope) -> tuple[list[tuple[CheckContext, object]], list[Diagnostic]]:
    """Return the mistakes in the templates and themes of the cards in scope.

    Of the cards with the same templates, only the first is rendered, and texts that do not fit are ignored.
    """
    renderer = CardRenderer(project)
    problems: list[Diagnostic] = []
    samples: dict[object, Entry] = {}
    for entry in scope.cards:
        if not require_game(entry.game).kinds[entry.kind].is_printed:
            continue
        try:
            problems += renderer.source_mistakes(entry)
            names = renderer.own_templates(entry)
            if names and names not in samples and _can_be_drawn(scope, entry):
                samples[names] = entry
        except CardgenError as error:
            problems += error.diagnostics
    return [], list(dict.fromkeys((*problems, *_rendering_problems(renderer, [*samples.values()]))))


def _rendering_problems(renderer: CardRenderer, entries: Sequence[Entry]) -> Iterator[Diagnostic]:
    """Yield the errors of templates with which cards are rendered."""
    renderer.expect(entries)
    for entry in entries:
        try:
            renderer.render_faces(entry, backs=True)
        except CardgenError as error:
            yield from error.diagnostics


def _can_be_drawn(scope: CheckScope, entry: Entry) -> bool:
    is_printed = require_game(entry.game).kinds[entry.kind].is_printed
    return is_printed and not missing_links(entry) and _has_art(scope, entry)


def _has_art(scope: CheckScope, entry: Entry) -> bool:
    """Return whether the pictures that a card names exist and can be drawn."""
    card, names = entry.card, []
    if card.art:
        names.append(card.art.file)
    if card.back and is_picture(card.back):
        names.append(card.back)
    try:
        return not any(scope.services.art_faults(scope.services.find_art(entry, name)) for name in names)
    except ValueError:
        return False


def _printed_card(faces: Sequence[Face]) -> PrintedCard:
    """Return the texts and pictures of faces, as checks see them."""
    fits = tuple(fit for face in faces for fit in face.fits if isinstance(fit, Fit))
    pictures = (item for face in faces for item in face.items if isinstance(item, Picture))
    return PrintedCard(fits, tuple(map(_printed_picture, pictures)))


def _printed_picture(picture: Picture) -> PrintedPicture:
    image = inspect_image(picture.path)
    dpi = image.width * MM_PER_INCH / image.place(picture).width
    return PrintedPicture(picture.path.name, dpi, is_animated=image.is_animated)
