"""Cards rendered to faces, with the problems of all cards together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeAlias

from cardgen.deck.art import find_art, find_back
from cardgen.deck.deck import card_size, kind_of, project_icons, rules_of
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, join_words, stop_on_errors
from cardgen.export.pictures import inspect_image
from cardgen.face.assembly import FaceAssembler
from cardgen.face.drawing_functions import Ornaments
from cardgen.face.elements import Typesetter
from cardgen.face.face import Face, Picture
from cardgen.face.renderer import FacePair, FaceRenderer
from cardgen.face.template.engine import Templates, meaning_function, text_function
from cardgen.face.theme import load_theme, theme_names
from cardgen.model.card import Entry
from cardgen.model.deck import Link, missing_links
from cardgen.print.options import ProgressCounter, require_known
from cardgen.project import Project
from cardgen.project.files import trusted_folders
from cardgen.rulesets.ruleset import Kind, Ruleset
from cardgen.runtime.process_pool import TaskPool, is_worker
from cardgen.sheet.imposition import PrintPiece
from cardgen.text.fonts import Fonts
from cardgen.units import Size

OnCard: TypeAlias = Callable[[int, "RenderedCard"], "RenderedCard"] | None


class RenderedCard(NamedTuple):
    """A card with its rendered faces."""

    entry: Entry
    piece: PrintPiece[Face]

    @property
    def size(self) -> Size:
        """The card's trim size."""
        return self.piece.front.size

    def with_faces(self, convert: Callable[[Face], Face]) -> RenderedCard:
        """Return the card with converted faces."""
        back = None if self.piece.back is None else convert(self.piece.back)
        return self._replace(piece=self.piece._replace(front=convert(self.piece.front), back=back))


class UnfitCard(NamedTuple):
    """A card with texts that cannot be printed, and their problems."""

    entry: Entry
    diagnostics: tuple[Diagnostic, ...]


class CardRenderer:
    """Renderer of the cards of a project.

    There is one face renderer per game and theme. `theme` overrides the themes of the cards; without it, each has its
    own theme or the project's. `fonts` are fonts that are already open, and `find_art` finds the pictures that cards
    name.
    """

    def __init__(
        self,
        project: Project,
        theme: str = "",
        fonts: Fonts | None = None,
        find_art: Callable[[Project, Entry, str], Path] = find_art,
    ) -> None:
        self.fonts = fonts or Fonts(project.folders("fonts"))
        self._project, self._find_art = project, find_art
        self._theme = theme
        self._templates = Templates(project.template_folders(), trusted_folders())
        self._face_renderers: dict[tuple[str, str], FaceRenderer] = {}
        self._kinds: dict[tuple[str, str], Kind] = {}

    def render_all(
        self, entries: Iterable[Entry], progress: ProgressCounter, on_card: OnCard = None, *, backs: bool, jobs: int = 1
    ) -> list[RenderedCard]:
        """Render all cards, in order, in up to `jobs` processes.

        `on_card` is called for each in order, with its index, and returns it, or what is left of it once it is drawn.
        Raises CardgenError with the problems of all cards and templates.
        """
        outcomes, problems = self._render_each(entries, progress, on_card, backs=backs, jobs=jobs)
        stop_on_errors(dict.fromkeys((*problems, *_misfits(outcomes))))
        return [each for each in outcomes if isinstance(each, RenderedCard)]

    def render_fitting(
        self, entries: Iterable[Entry], progress: ProgressCounter, on_card: OnCard = None, *, backs: bool, jobs: int = 1
    ) -> list[RenderedCard | UnfitCard]:
        """Render all cards as `render_all` does, but allow some that do not fit.

        Raises CardgenError for all other problems, and if no card fits.
        """
        outcomes, problems = self._render_each(entries, progress, on_card, backs=backs, jobs=jobs)
        any_fits = any(isinstance(each, RenderedCard) for each in outcomes)
        stop_on_errors(dict.fromkeys(problems if any_fits else (*problems, *_misfits(outcomes))))
        return outcomes

    def _render_each(
        self, entries: Iterable[Entry], progress: ProgressCounter, on_card: OnCard, *, backs: bool, jobs: int
    ) -> tuple[list[RenderedCard | UnfitCard], list[Diagnostic]]:
        """Return the outcome of each card that can be drawn, and the problems of all others."""
        cards = list(entries)
        problems: list[Diagnostic] = []
        outcomes: list[RenderedCard | UnfitCard] = []
        for number, sides in enumerate(self._render_faces_of(cards, progress, backs=backs, jobs=jobs)):
            if not isinstance(sides, FacePair):
                problems.extend(sides)
                continue
            entry, cache = cards[number], self.face_renderer(cards[number]).cache
            interned = sides.interned_in(cache, entry.kind)
            piece, misfits = self._make_piece(entry, interned)
            if misfits:
                outcomes.append(UnfitCard(entry, misfits))
            else:
                card = RenderedCard(entry, piece)
                rest = on_card(number, card) if on_card else card
                interned.release_in(cache, entry.kind, rest.piece.faces)
                outcomes.append(rest)
        return outcomes, problems

    def _render_faces_of(
        self, cards: Sequence[Entry], progress: ProgressCounter, *, backs: bool, jobs: int
    ) -> Iterator[FacePair | tuple[Diagnostic, ...]]:
        """Yield the sides or the problems of each card, while workers render the next ones.

        The first card of each kind loads its templates and fonts before work is shared.
        """
        firsts = {(card.game, card.kind): number for number, card in reversed([*enumerate(cards)])}

        self.expect(cards)

        def sides(number: int) -> FacePair | tuple[Diagnostic, ...]:
            try:
                pair = self.render_faces(cards[number], backs=backs)
            except CardgenError as error:
                return error.diagnostics
            if is_worker():  # Its parent keeps the faces, and needs each only once.
                pair.release_in(self.face_renderer(cards[number]).cache, cards[number].kind, pair.rests)
            return pair

        def done(number: int) -> None:
            progress.step(cards[number].card.name)

        yield from TaskPool(lambda: sides, (), len(cards), jobs).results(warm_up=firsts.values(), on_done=done)
        self.expect(())

    def expect(self, entries: Iterable[Entry]) -> None:
        """Announce the cards that will be rendered next; strangers' templates are rendered faster then.

        Cards that were announced before are forgotten.
        """
        for renderer in self._face_renderers.values():
            renderer.expect(())
        cards_of: dict[int, tuple[FaceRenderer, list[Entry]]] = {}
        for entry in entries:
            with suppress(CardgenError):  # Rendering the card will report it.
                renderer = self.face_renderer(entry)
                cards_of.setdefault(id(renderer), (renderer, []))[1].append(entry)
        for renderer, cards in cards_of.values():
            renderer.expect(cards)

    def render_faces(self, entry: Entry, *, backs: bool) -> FacePair:
        """Render the sides of one card.

        Raises CardgenError if it cannot be rendered.
        """
        if broken := missing_links(entry):
            raise CardgenError(*(_broken_reference(entry, link) for link in broken))
        renderer, size = self.face_renderer(entry), self.card_size(entry)
        try:
            sides = FacePair(renderer.front(entry, size), renderer.back(entry, size) if backs else None)
        except CardgenError as error:
            is_own = bool(self.own_templates(entry))
            raise CardgenError(*(each if is_own else _at_card(entry, each) for each in error.diagnostics)) from None
        for side in filter(None, sides):
            _require_pictures(entry, side.face)
        return sides

    def source_mistakes(self, entry: Entry) -> tuple[Diagnostic, ...]:
        """Return the mistakes that the sources of a card's templates show."""
        return self.face_renderer(entry).source_mistakes(entry, self.card_size(entry))

    def own_templates(self, entry: Entry) -> tuple[tuple[str, str], ...]:
        """Return the templates of a card, each with its side, or () if all come with the program or a package."""
        names = self.face_renderer(entry).template_names(entry)
        return () if all(self._templates.is_trusted(name) for name, _ in names) else names

    def render_piece(self, entry: Entry, *, backs: bool) -> tuple[PrintPiece[Face], tuple[Diagnostic, ...]]:
        """Render one card as a piece, and return it with its diagnostics.

        Raises CardgenError as `render_faces` does.
        """
        return self._make_piece(entry, self.render_faces(entry, backs=backs))

    def face_renderer(self, entry: Entry) -> FaceRenderer:
        """Return the face renderer for a card's game and theme."""
        key = (entry.game, self._theme or entry.card.theme or self._project.settings.theme)
        if key not in self._face_renderers:
            game = rules_of(entry)
            folders = self._project.template_folders()
            require_known(key[1], theme_names(folders, entry.game, game.base_theme), "theme", self._theme_place(entry))
            stop_on_errors(self.fonts.unusable_files())
            theme = load_theme(folders, *key, game.base_theme, self.fonts.family_problem)
            icons = project_icons(self._project, entry.game, own_colours=theme.icons == "own")
            stop_on_errors(icons.unusable_files(self._project.root))
            self._face_renderers[key] = FaceRenderer(
                templates=self._templates,
                assembler=FaceAssembler(Typesetter(theme, self.fonts, icons), partial(self._find_art, self._project)),
                ornaments=Ornaments(theme, icons),
                functions=_template_functions(game),
                find_back=partial(find_back, self._project),
                bleed=self._project.settings.bleed,
                back_bleed=self._project.settings.back_bleed,
                generic=lambda kind: game.kinds[kind].generic,
            )
        return self._face_renderers[key]

    def _make_piece(self, entry: Entry, sides: FacePair) -> tuple[PrintPiece[Face], tuple[Diagnostic, ...]]:
        front, back = sides
        kind = self._kind(entry)
        piece = PrintPiece(
            front.face,
            back.face if back else None,
            kind.shape,
            kind.can_rotate,
            kind.can_tile,
            name=entry.card.name,
            group=entry.kind,
        )
        return piece, (*front.diagnostics, *(back.diagnostics if back else ()))

    def _kind(self, entry: Entry) -> Kind:
        key = (entry.game, entry.kind)
        if key not in self._kinds:
            self._kinds[key] = kind_of(entry)
        return self._kinds[key]

    def _theme_place(self, entry: Entry) -> Place:
        """Return the place that specifies a card's theme."""
        if self._theme:
            return Place("--theme")
        return entry.place(("theme",)) if entry.card.theme else self._project.place(("theme",))

    def card_size(self, entry: Entry) -> Size:
        """Return the size of a card. Raises CardgenError as `card_size` does."""
        return card_size(self._project, entry)


def _broken_reference(entry: Entry, link: Link) -> Diagnostic:
    message = f"unknown {join_words(link.kinds)} '{link.name}'"
    return Diagnostic(Code.UNKNOWN_REFERENCE, message, entry.place(link.key_path), "correct the name, or add the card")


def _at_card(entry: Entry, mistake: Diagnostic) -> Diagnostic:
    """Return a mistake in a template that comes with the program as one of the card: authors can only change that."""
    if mistake.code != Code.TEMPLATE:
        return mistake
    message = f"the built-in template cannot draw this card: {mistake.message}"
    template = Path(mistake.place.file)
    line = f":{mistake.place.span.line}" if mistake.place.span else ""
    help_text = f"correct the values of the card, or report this to cardgen with '{template.name}{line}'"
    return Diagnostic(Code.TEMPLATE, message, entry.place(), help_text)


def _misfits(outcomes: Iterable[RenderedCard | UnfitCard]) -> Iterator[Diagnostic]:
    return (misfit for each in outcomes if isinstance(each, UnfitCard) for misfit in each.diagnostics)


def _template_functions(game: Ruleset) -> dict[str, Callable[..., object]]:
    """Return the functions of a game's templates that depend on the game."""
    common: dict[str, Callable[..., object]] = {
        "describe": text_function(game.describe),
        "once_label": text_function(game.once_label),
        "meaning": meaning_function(lambda: game.terms),
    }
    return {**common, **game.template_functions}


def _require_pictures(entry: Entry, face: Face) -> None:
    """Raise CardgenError for unprintable pictures.

    Even the picture of a cached face may be gone by now.
    """
    for item in face.items:
        if isinstance(item, Picture):
            try:
                inspect_image(item.path)
            except ValueError as error:
                raise CardgenError(Diagnostic(Code.ART, str(error), entry.place(("art",)))) from None
