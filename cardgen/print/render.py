"""Cards rendered to faces, with the problems of all together, and their pages: grid, packed, single, or sprue."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from cardgen.deck.art import find_art, find_back, find_beside
from cardgen.deck.deck import card_size, kind_of, language_of, project_icons, rules_of, rulings_of
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, join_words, stop_on_errors
from cardgen.export.pictures import inspect_image
from cardgen.face.elements import Typesetter
from cardgen.face.face import Face, Picture
from cardgen.face.ornaments import Ornaments
from cardgen.face.renderer import FaceAssembler, FacePair, FaceRenderer
from cardgen.face.template.engine import Templates, meaning_function, text_function
from cardgen.face.theme import OwnColour, load_theme, own_colours, theme_documents, theme_names
from cardgen.model.card import Entry
from cardgen.model.deck import Link, missing_links
from cardgen.model.left_out import StandIn
from cardgen.print.request import PACKED, PrintSetup, ProgressCounter, paper_name, require_known
from cardgen.project.files import trusted_folders
from cardgen.project.project import Project
from cardgen.rulesets.ruleset import Kind
from cardgen.runtime.process_pool import TaskPool, is_worker
from cardgen.runtime.user_folders import is_embedded
from cardgen.sheet.imposition import (
    ImposedSheet,
    PrintPiece,
    SheetSettings,
    fill_sprue,
    grid_sheets,
    impose_single,
    sheet_leaves,
    tile,
    tiling,
)
from cardgen.sheet.leaf import Backs, Leaf
from cardgen.sheet.sprue import grid_sprue
from cardgen.text.captions import CAPTIONS_FOLDER, load_captions
from cardgen.text.fonts import Fonts
from cardgen.text.lines import Fit
from cardgen.units import Shape, Size

if TYPE_CHECKING:
    from cardgen.model.card import Card


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

    def without_data(self) -> RenderedCard:
        """Return the card with only what is needed once it is drawn: the rest takes most of the memory of a deck."""
        card = self.entry.card
        if isinstance(card, StandIn):
            return self
        return self._replace(
            entry=replace(self.entry, card=cast("Card", _DrawnCard(card.id, card.name, card.qty)), links={})
        )


class _DrawnCard(NamedTuple):
    """What sheets and results need of a card that is drawn."""

    id: str
    name: str
    qty: int


class UnfitCard(NamedTuple):
    """A card that cannot be printed, such as one with texts that do not fit, and its problems."""

    entry: Entry
    diagnostics: tuple[Diagnostic, ...]


class CardRenderer:
    """Renderer of the cards of a project.

    There is one face renderer per game, theme, and language. `theme` overrides the themes of the cards; without it,
    each has its own theme or the project's. `fonts` are fonts that are already open, and `find_art` finds the
    pictures that cards name.
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
        self._theme, self._caption_folders = theme, project.folders(CAPTIONS_FOLDER)
        self._templates = Templates(project.template_folders(), trusted_folders())
        self._face_renderers: dict[tuple[str, str, str], FaceRenderer] = {}
        self._kinds: dict[tuple[str, str], Kind] = {}
        self._word_places: dict[tuple[object, str, str], Place | None] = {}
        self._own_colours: dict[tuple[str, str], tuple[OwnColour, ...]] = {}

    def render_all(
        self, entries: Iterable[Entry], progress: ProgressCounter, on_card: OnCard = None, *, backs: bool, jobs: int = 1
    ) -> list[RenderedCard]:
        """Render all cards, in order, in up to `jobs` processes.

        `on_card` is called for each in order, with its index, and returns it, or what is left of it once it is drawn.
        Raises CardgenError with the problems of all cards and templates.
        """
        outcomes = self._render_each(entries, progress, on_card, backs=backs, jobs=jobs)
        stop_on_errors(_mistakes(outcomes))
        return [each for each in outcomes if isinstance(each, RenderedCard)]

    def render_right(
        self, entries: Iterable[Entry], progress: ProgressCounter, on_card: OnCard = None, *, backs: bool, jobs: int = 1
    ) -> list[RenderedCard | UnfitCard]:
        """Render all cards as `render_all` does, but allow some that have mistakes.

        Raises CardgenError if all have.
        """
        outcomes = self._render_each(entries, progress, on_card, backs=backs, jobs=jobs)
        if all(isinstance(each, UnfitCard) or isinstance(each.entry.card, StandIn) for each in outcomes):
            stop_on_errors(_mistakes(outcomes))
        return outcomes

    def _render_each(
        self, entries: Iterable[Entry], progress: ProgressCounter, on_card: OnCard, *, backs: bool, jobs: int
    ) -> list[RenderedCard | UnfitCard]:
        cards = list(entries)
        outcomes: list[RenderedCard | UnfitCard] = []
        for number, sides in enumerate(self._render_faces_of(cards, progress, backs=backs, jobs=jobs)):
            entry = cards[number]
            if not isinstance(sides, FacePair):
                outcomes.append(UnfitCard(entry, sides))
                continue
            cache = self.face_renderer(entry).cache
            interned = sides.interned_in(cache, entry.kind)
            piece, misfits = self._make_piece(entry, interned)
            if misfits:
                outcomes.append(UnfitCard(entry, misfits))
            else:
                card = RenderedCard(entry, piece)
                rest = on_card(number, card) if on_card else card
                cards[number] = rest.entry
                interned.release_in(cache, entry.kind, rest.piece.faces)
                outcomes.append(rest)
        return outcomes

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
        for name, side in zip(("front", "back"), sides, strict=True):
            if side:
                self._require_pictures(entry, name, side.face)
        return sides

    def _require_pictures(self, entry: Entry, side: str, face: Face) -> None:
        """Raise CardgenError for unprintable pictures.

        Even the picture of a cached face may be gone by now.
        """
        for item in face.items:
            if isinstance(item, Picture):
                try:
                    inspect_image(item.path)
                except ValueError as error:
                    place = self.place_of_picture(entry, side, item) if is_embedded(item.path) else None
                    raise CardgenError(Diagnostic(Code.ART, str(error), place or entry.place(("art",)))) from None

    def source_mistakes(self, entry: Entry) -> tuple[Diagnostic, ...]:
        """Return the mistakes that the sources of a card's templates show."""
        return self.face_renderer(entry).source_mistakes(entry, self.card_size(entry))

    def own_templates(self, entry: Entry) -> tuple[tuple[str, str], ...]:
        """Return the templates of a card, each with its side, or () if all come with the program or a package."""
        names = self.face_renderer(entry).template_names(entry)
        return () if all(self._templates.is_trusted(name) for name, _ in names) else names

    def place_of_text(self, entry: Entry, side: str, fit: Fit) -> Place | None:
        """Return the place of the element that prints a text, if that is in a template of the project's own."""
        return self.place_of_word(entry, side, f'field="{fit.field}"' if fit.field else fit.markup)

    def place_of_word(self, entry: Entry, side: str, word: str) -> Place | None:
        """Return the place of what a template of the project's own prints or draws."""
        key = (self.own_templates(entry), side, word)
        if not key[0]:
            return None
        if key not in self._word_places:
            self._word_places[key] = self.face_renderer(entry).place_of_word(entry, self.card_size(entry), side, word)
        return self._word_places[key]

    def place_of_picture(self, entry: Entry, side: str, picture: Picture) -> Place | None:
        """Return the place that names a picture, unless it is the `art` of the card."""
        if side == "back" and (source := self.face_renderer(entry).back_source(entry)).picture == picture.path:
            return source.place()
        art = entry.card.art
        if art and Path(art.file).name == picture.path.name:
            return None
        return self.place_of_word(entry, side, picture.path.name)

    def own_colours(self, entry: Entry) -> tuple[OwnColour, ...]:
        """Return the colors of a card's theme that files of the project's own set."""
        name = self._theme or entry.card.theme or self._project.settings.theme
        key = (entry.game, name)
        if key not in self._own_colours:
            documents = theme_documents(self._project.template_folders(), *key, rules_of(entry).base_theme)
            self._own_colours[key] = own_colours(
                documents, lambda each: not self._templates.is_trusted_file(Path(each.file).absolute())
            )
        return self._own_colours[key]

    def render_piece(self, entry: Entry, *, backs: bool) -> tuple[PrintPiece[Face], tuple[Diagnostic, ...]]:
        """Render one card as a piece, and return it with its diagnostics.

        Raises CardgenError as `render_faces` does.
        """
        return self._make_piece(entry, self.render_faces(entry, backs=backs))

    def face_renderer(self, entry: Entry) -> FaceRenderer:
        """Return the face renderer for a card's game, theme, and language."""
        theme_name = self._theme or entry.card.theme or self._project.settings.theme
        key = (entry.game, theme_name, language_of(self._project, entry))
        if key not in self._face_renderers:
            game = rules_of(entry).in_language(key[2])
            folders = self._project.template_folders()
            # The place that specifies a card's theme.
            if self._theme:
                theme_place = Place("--theme")
            else:
                theme_place = entry.place(("theme",)) if entry.card.theme else self._project.place(("theme",))
            require_known(theme_name, theme_names(folders, entry.game, game.base_theme), "theme", theme_place)
            stop_on_errors(self.fonts.unusable_files())
            theme = load_theme(folders, entry.game, theme_name, game.base_theme, self.fonts.family_problem)
            icons = project_icons(self._project, entry.game, own_colours=theme.icons == "own")
            stop_on_errors(icons.unusable_files(self._project.root))
            # The functions of a game's templates that depend on the game.
            common: dict[str, Callable[..., object]] = {
                "describe": text_function(game.describe),
                "once_label": text_function(game.once_label),
                "abbreviation": game.abbreviation,
                "meaning": meaning_function(lambda: game.terms),
            }
            self._face_renderers[key] = FaceRenderer(
                templates=self._templates,
                assembler=FaceAssembler(
                    Typesetter(theme, self.fonts, icons, key[2], load_captions(key[2], self._caption_folders)),
                    partial(self._find_art, self._project),
                    partial(find_beside, self._project, self._find_art),
                ),
                ornaments=Ornaments(theme, icons),
                functions={**common, **game.template_functions},
                find_back=partial(find_back, self._project),
                bleed=self._project.settings.bleed,
                back_bleed=self._project.settings.back_bleed,
                rulings=rulings_of(self._project, game)[0],
                generic=lambda kind: game.kinds[kind].generic,
                model_of=lambda kind: game.kinds[kind].model if kind in game.kinds else None,
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


def _mistakes(outcomes: Iterable[RenderedCard | UnfitCard]) -> Iterable[Diagnostic]:
    return dict.fromkeys(each for card in outcomes if isinstance(card, UnfitCard) for each in card.diagnostics)


# A punch cuts disks of its diameter, within this many millimeters.
_PUNCH_TOLERANCE = 0.5


class PieceFormat(NamedTuple):
    """The properties of pieces that can swap places on a sheet."""

    size: Size
    shape: Shape
    may_turn: bool
    can_tile: bool = False


PiecesByFormat: TypeAlias = Mapping[PieceFormat, Sequence[PrintPiece[Face]]]
# Returns the sheets for pieces by format. Raises _DoesNotFitError with the format that does not fit.
Layout: TypeAlias = Callable[[PiecesByFormat, PrintSetup], list[ImposedSheet[Face]]]


class _DoesNotFitError(Exception):
    """Pieces of a format do not fit; its message is user-facing."""

    def __init__(self, piece_format: PieceFormat, message: str) -> None:
        super().__init__(message)
        self.format = piece_format


def _grid(pieces_by_format: PiecesByFormat, printing: PrintSetup) -> list[ImposedSheet[Face]]:
    """Lay out each format on sheets of its own.

    Round pieces for a punch are packed, because they need room for it; others are cut along circles.
    """
    sheets: list[ImposedSheet[Face]] = []
    for piece_format, pieces in pieces_by_format.items():
        is_round = piece_format.shape is Shape.ROUND
        if is_round and _has_punch(piece_format.size.width, printing):
            sheets += _packed({piece_format: pieces}, printing)
            continue
        try:
            sheets += (_disks if is_round else grid_sheets)(pieces, piece_format.size, printing.sheet)
        except ValueError as error:
            raise _DoesNotFitError(piece_format, str(error)) from None
    return sheets


def _has_punch(diameter: float, printing: PrintSetup) -> bool:
    return any(abs(diameter - punch) <= _PUNCH_TOLERANCE for punch in printing.punches)


def _disks(pieces: Sequence[PrintPiece[Face]], size: Size, sheet: SheetSettings) -> list[ImposedSheet[Face]]:
    """Lay out disks of one diameter, to cut with scissors.

    Raises ValueError with a message for the user if no disk fits.
    """
    from cardgen.sheet.gang_sheet import DISK_BLEED, disk_sprue  # loaded here because few cards are disks

    bleed = min(sheet.bleed, DISK_BLEED)
    sprue = disk_sprue(sheet.paper, size.width, margin=sheet.margin, gap=sheet.gap, bleed=bleed, area=sheet.area)
    return fill_sprue(sprue, pieces, bleed)


def _packed(pieces_by_format: PiecesByFormat, printing: PrintSetup) -> list[ImposedSheet[Face]]:
    """Lay out all formats together, on as few sheets as possible."""
    from cardgen.sheet.gang_sheet import Demand, TooLargeError, gang_sheets

    sheet = printing.sheet
    needs = [Demand(sort.size, len(pieces), sort.shape, sort.may_turn) for sort, pieces in pieces_by_format.items()]
    queues = [deque(pieces) for pieces in pieces_by_format.values()]
    try:
        ganged = gang_sheets(needs, sheet.paper, margin=sheet.margin, gap=sheet.gap, bleed=sheet.bleed, area=sheet.area)
    except TooLargeError as error:
        piece_format = tuple(pieces_by_format)[error.demand]
        room = "half a sheet" if sheet.backs is Backs.GUTTERFOLD else "paper"
        raise _DoesNotFitError(
            piece_format,
            f"a piece of {piece_format.size} does not fit on {room} of {sheet.paper} with a margin of "
            f"{sheet.margin:g} mm, its bleed, and the marks; use larger paper or a smaller margin",
        ) from None
    rounds = {sort.size.width for sort in pieces_by_format if sort.shape is Shape.ROUND}
    cut_out = tuple(sorted(diameter for diameter in rounds if not _has_punch(diameter, printing)))
    return [
        ImposedSheet(
            each.sprue._replace(cut_out=cut_out), tuple(queues[need].popleft() for need in each.demands), sheet.bleed
        )
        for each in ganged
    ]


def _in_sprue(pieces_by_format: PiecesByFormat, printing: PrintSetup) -> list[ImposedSheet[Face]]:
    """Lay out pieces in the matching slots of the sprue, in order."""
    pattern = printing.sprue
    assert pattern is not None
    queues: dict[tuple[Size, Shape], deque[PrintPiece[Face]]] = {}
    for piece_format, pieces in pieces_by_format.items():
        if (piece_format.size, piece_format.shape) not in pattern.formats:
            names = join_words(dict.fromkeys(_format_name(fit.size, fit.shape) for fit in pattern.formats))
            raise _DoesNotFitError(
                piece_format,
                f"the sprue '{pattern.name}' has no slots of {_format_name(piece_format.size, piece_format.shape)}, "
                f"only of {names}; use another sprue, or select cards with --only",
            )
        queues.setdefault((piece_format.size, piece_format.shape), deque()).extend(pieces)
    sheets: list[ImposedSheet[Face]] = []
    while any(queues.values()):
        dealt = (queues[fit].popleft() if queues.get(fit) else None for fit in pattern.formats)
        sheets.append(ImposedSheet(pattern.sprue, tuple(dealt), printing.sheet.bleed))
    return sheets


def _format_name(size: Size, shape: Shape) -> str:
    return f"{size}, round" if shape is Shape.ROUND else str(size)


def cut_list(
    sheets: Sequence[ImposedSheet[Face]], printing: PrintSetup, slug: str, fonts: Fonts
) -> Sequence[Leaf[Face]]:
    """Return the cut list of all sheets; there is none if each has only one piece."""
    if not printing.cut_list or all(len(sheet.pieces) == 1 for sheet in sheets):
        return ()
    # loaded here because the usual layout has none
    from cardgen.sheet.cut_list import cut_list_leaves
    from cardgen.text.copyfitting import Compositor
    from cardgen.text.shaped_row import Icons

    compositor = Compositor(fonts, Icons(), printing.language, printing.captions)
    return cut_list_leaves(sheets, slug, compositor, folded=printing.sheet.backs is Backs.GUTTERFOLD)


def _take_tiled(pieces_by_format: dict[PieceFormat, list[PrintPiece[Face]]], printing: PrintSetup) -> PiecesByFormat:
    """Remove and return the pieces that are tiled, because they do not fit on the paper."""
    too_large = [each for each in pieces_by_format if each.can_tile and not _fits(each, printing)]
    return {each: pieces_by_format.pop(each) for each in too_large}


def _fits(piece_format: PieceFormat, printing: PrintSetup) -> bool:
    sheet = printing.sheet
    try:
        grid_sprue(
            sheet.paper, piece_format.size, margin=sheet.margin, gap=sheet.gap, bleed=sheet.bleed, area=sheet.area
        )
    except ValueError:
        return False
    return True


_SHEET_LAYOUTS: Mapping[str, Layout] = {"grid": _grid, PACKED: _packed}
LAYOUTS = (*_SHEET_LAYOUTS, "single")


class Arrangement(NamedTuple):
    """The sheets of a document, and the pieces that are tiled because they are larger than the paper."""

    sheets: list[ImposedSheet[Face]]
    tiled: PiecesByFormat
    pieces: PiecesByFormat
    printing: PrintSetup


# A grid that leaves more of its sheets bare is compared with packed sheets.
_MOST_BARE = 1 / 3


def sheets_if_packed(arranged: Sequence[Arrangement]) -> int | None:
    """Return how many sheets are enough to pack what is arranged in grids.

    None if that is not fewer, or if the grids leave no more than a third of their sheets bare.
    """
    sheets, sheet = sum(len(each.sheets) for each in arranged), arranged[0].printing.sheet
    if sheets < 2 or arranged[0].printing.layout != "grid" or arranged[0].printing.sprue:
        return None
    counts = Counter[PieceFormat]()
    for each in arranged:
        counts.update({piece_format: len(pieces) for piece_format, pieces in each.pieces.items()})
    used = sum(size.width * size.height * count for (size, *_), count in counts.items())
    if used >= (1 - _MOST_BARE) * sheets * sheet.area.width * sheet.area.height:
        return None
    from cardgen.sheet.gang_sheet import Demand, lower_bound, sheets_at_most  # loaded here because few builds pack

    needs = [Demand(sort.size, count, sort.shape, sort.may_turn) for sort, count in counts.items()]
    if lower_bound(needs, [Size(sheet.area.width, sheet.area.height)], sheet.gap) >= sheets:
        return None
    most = sheets_at_most(needs, sheet.paper, margin=sheet.margin, gap=sheet.gap, bleed=sheet.bleed, area=sheet.area)
    return most if most is not None and most < sheets else None


def arrange(cards: Iterable[RenderedCard], qty: int | None, printing: PrintSetup, sets: int = 1) -> Arrangement:
    """Return the sheets of cards; `qty` overrides their copies, of which each of the `sets` has as many.

    Raises CardgenError for a card that is larger than the paper, or that has no slot in the sprue.
    """
    pieces_by_format, first_cards = _copies_by_format(cards, qty, sets)
    tiled = _take_tiled(pieces_by_format, printing)
    method = _in_sprue if printing.sprue else _SHEET_LAYOUTS[printing.layout]
    try:
        for piece_format in tiled:
            try:
                tiling(piece_format.size, printing.sheet)
            except ValueError as error:
                raise _DoesNotFitError(piece_format, str(error)) from None
        sheets = method(pieces_by_format, printing) if pieces_by_format else []
        return Arrangement(sheets, tiled, pieces_by_format, printing)
    except _DoesNotFitError as error:
        raise CardgenError(_no_room(first_cards[error.format].entry, str(error), printing)) from None


def _copies_by_format(
    cards: Iterable[RenderedCard], qty: int | None, sets: int
) -> tuple[dict[PieceFormat, list[PrintPiece[Face]]], dict[PieceFormat, RenderedCard]]:
    """Return the copies of cards, set by set, and the first card of each format."""
    pieces_by_format: dict[PieceFormat, list[PrintPiece[Face]]] = {}
    first_cards: dict[PieceFormat, RenderedCard] = {}
    for card in cards:
        piece_format = format_of(card)
        first_cards.setdefault(piece_format, card)
        pieces_by_format.setdefault(piece_format, []).extend([card.piece] * (qty or card.entry.card.qty))
    return {each: pieces * sets for each, pieces in pieces_by_format.items()}, first_cards


def lay_out(
    cards: Iterable[RenderedCard], qty: int | None, printing: PrintSetup, title: str, fonts: Fonts, sets: int = 1
) -> list[Leaf[Face]]:
    """Return the leaves of a document, with a title for its slug lines, of cards as for `arrange`.

    Raises CardgenError as that does.
    """
    if printing.one_per_page:
        sheet, backs = printing.sheet, printing.sheet.backs is not Backs.NONE
        return [
            leaf
            for piece_format, pieces in _copies_by_format(cards, qty, sets)[0].items()
            for leaf in impose_single(pieces, piece_format.size, sheet.bleed, backs=backs)
        ]
    arranged = arrange(cards, qty, printing, sets)
    slug = slug_of(title, printing)
    return [*card_leaves(arranged, slug), *cut_list(arranged.sheets, printing, slug, fonts)]


def slug_of(title: str, printing: PrintSetup) -> str:
    """Return what slug lines say: a title, and the sprue or the paper."""
    return f"{title} · {printing.sprue.name if printing.sprue else paper_name(printing.sheet.paper).upper()}"


def card_leaves(arranged: Arrangement, slug: str, before: int = 0, after: int = 0) -> Iterator[Leaf[Face]]:
    """Yield the leaves of arranged cards, in whose document other sheets are `before` and `after` these."""
    yield from sheet_leaves(arranged.sheets, arranged.printing.sheet, slug, before, after)
    for piece_format, pieces in arranged.tiled.items():
        yield from tile(pieces, piece_format.size, arranged.printing.sheet, slug)


def room_problem(entry: Entry, piece_format: PieceFormat, printing: PrintSetup) -> Diagnostic | None:
    """Return the error that `lay_out` raises for a card that is too large, or that has no slot; None if it fits."""
    message = _room_message(piece_format, printing)
    return _no_room(entry, message, printing) if message else None


@lru_cache(maxsize=256)
def _room_message(piece_format: PieceFormat, printing: PrintSetup) -> str:
    alone = {
        piece_format: [PrintPiece(Face(piece_format.size, 0.0, ()), None, piece_format.shape, piece_format.may_turn)]
    }
    if printing.one_per_page:
        return ""
    try:
        if _take_tiled(alone, printing):
            tiling(piece_format.size, printing.sheet)
        else:
            (_in_sprue if printing.sprue else _SHEET_LAYOUTS[printing.layout])(alone, printing)
    except (_DoesNotFitError, ValueError) as error:
        return str(error)
    return ""


def format_of(card: RenderedCard) -> PieceFormat:
    """Return the format of a card's piece."""
    return piece_format(card.size, card.piece.shape, card.piece.may_turn, can_tile=card.piece.can_tile)


def piece_format(size: Size, shape: Shape, may_turn: bool, *, can_tile: bool) -> PieceFormat:
    """Return a format; its sides are rounded, because sides that are equal on paper may differ as floats."""
    return PieceFormat(Size(*(round(side, 3) for side in size)), shape, may_turn, can_tile)


def _no_room(entry: Entry, message: str, printing: PrintSetup) -> Diagnostic:
    return Diagnostic(Code.BAD_SPRUE if printing.sprue else Code.NO_ROOM, message, entry.place(("size",)))
