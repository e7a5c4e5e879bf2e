"""From cards to pieces: every card is drawn, and all that is wrong with any of them is said together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from cardgen.diagnostic import CardgenError, Diagnostic, Place, stop_on_errors
from cardgen.export.images import look_at
from cardgen.face import codes
from cardgen.face.boxes import Typesetter
from cardgen.face.drawing import Drawn, Studio
from cardgen.face.face import Face, Picture
from cardgen.face.ornament import Ornaments
from cardgen.face.templates import Templates
from cardgen.face.theme import load_theme, theme_names
from cardgen.model.deck import Entry
from cardgen.pipeline.forking import shared_out
from cardgen.pipeline.loading import game_called
from cardgen.pipeline.pictures import find_art, icon_folders
from cardgen.pipeline.request import Tally, known
from cardgen.project import Project
from cardgen.sheet.imposition import Piece
from cardgen.text.fonts import Fonts
from cardgen.text.icons import Icons
from cardgen.units import CARD_SIZES, Size, size

BAD_SIZE = "CG521"


@dataclass(frozen=True, slots=True)
class Made:
    """A card and its drawn faces."""

    entry: Entry
    piece: Piece[Face]

    @property
    def size(self) -> Size:
        """The card's trim size."""
        return self.piece.front.size


class Sides(NamedTuple):
    """The sides of a card, drawn."""

    front: Drawn
    back: Drawn | None

    def adopted_by(self, studio: Studio) -> Sides:
        """The same, drawn by another process, where equal faces shall be one face."""
        return Sides(studio.adopt(self.front), studio.adopt(self.back) if self.back else None)


class Drawer:
    """Draws the cards of a project, with one studio for each game and theme.

    `theme` is for all cards, whatever they say; without it each has its own theme or the project's. `fonts` are those
    that are open already.
    """

    def __init__(self, project: Project, theme: str = "", fonts: Fonts | None = None) -> None:
        self.fonts = fonts or Fonts(project.folders("fonts"))
        self._project = project
        self._theme = theme
        self._templates = Templates(project.folders("templates"))
        self._studios: dict[tuple[str, str], Studio] = {}

    def draw(self, entries: Iterable[Entry], tally: Tally, *, backs: bool, jobs: int = 1) -> list[Made]:
        """All cards, drawn, in their order, by as many processes as `jobs` says.

        Raises CardgenError with everything that is wrong in all cards and templates.
        """
        cards = list(entries)
        problems: list[Diagnostic] = []
        made: list[Made] = []
        for entry, sides in zip(cards, self._all_sides(cards, tally, backs=backs, jobs=jobs), strict=True):
            if isinstance(sides, Sides):
                piece, found = _piece(entry, sides.adopted_by(self.studio(entry)))
                made.append(Made(entry, piece))
                problems.extend(found)
            else:
                problems.extend(sides)
        stop_on_errors(dict.fromkeys(problems))
        return made

    def _all_sides(
        self, cards: Sequence[Entry], tally: Tally, *, backs: bool, jobs: int
    ) -> list[Sides | tuple[Diagnostic, ...]]:
        """The sides of each card, or what is wrong with it. The first of each kind opens its templates and fonts."""
        firsts = {(card.game, card.kind): number for number, card in reversed([*enumerate(cards)])}

        def sides(number: int) -> Sides | tuple[Diagnostic, ...]:
            try:
                return self.sides(cards[number], backs=backs)
            except CardgenError as error:
                return error.diagnostics

        def done(number: int) -> None:
            tally.step(cards[number].card.name)

        return shared_out(sides, len(cards), jobs, first=firsts.values(), done=done)

    def sides(self, entry: Entry, *, backs: bool) -> Sides:
        """The faces of one card. Raises CardgenError for what cannot be drawn."""
        studio, card = self.studio(entry), self.size(entry)
        sides = Sides(studio.front(entry, card), studio.back(entry, card) if backs else None)
        for side in filter(None, sides):
            _look_at_pictures(entry, side.face)
        return sides

    def piece(self, entry: Entry, *, backs: bool) -> tuple[Piece[Face], tuple[Diagnostic, ...]]:
        """The faces of one card as a piece, and what does not fit on them. Raises CardgenError as `sides` does."""
        return _piece(entry, self.sides(entry, backs=backs))

    def studio(self, entry: Entry) -> Studio:
        """The studio that draws a card: that of its game and its theme."""
        key = (entry.game, self._theme or entry.card.theme or self._project.settings.theme)
        if key not in self._studios:
            game = game_called(entry.game)
            folders = self._project.folders("templates")
            known(key[1], theme_names(folders, entry.game), "theme", self._theme_place(entry))
            theme = load_theme(folders, *key)
            icons = Icons(icon_folders(self._project, entry.game))
            self._studios[key] = Studio(
                templates=self._templates,
                typesetter=Typesetter(theme, self.fonts, icons),
                ornaments=Ornaments(theme, icons),
                functions={"describe": game.describe, "once_label": game.once_label},
                find_art=partial(find_art, self._project),
                bleed=self._project.settings.bleed,
                back_bleed=self._project.settings.back_bleed,
            )
        return self._studios[key]

    def _theme_place(self, entry: Entry) -> Place:
        """Where it is said which theme the card has."""
        if self._theme:
            return Place("--theme")
        return entry.place(("theme",)) if entry.card.theme else self._project.place(("theme",))

    def size(self, entry: Entry) -> Size:
        """The card's own size, else the project's for its kind, else the kind's.

        Raises CardgenError for a size that is none, and for one where it follows from the card's other keys.
        """
        kind = game_called(entry.game).kinds[entry.kind]
        if entry.card.size is None:
            return self._project.settings.sizes.get(entry.kind) or kind.size_of(entry.card)
        if kind.usual_size is None:
            message = f"the size of a {entry.kind} follows from its other keys"
            raise CardgenError(Diagnostic(BAD_SIZE, message, entry.place(("size",)), "take 'size' away"))
        try:
            return size(entry.card.size, CARD_SIZES)
        except ValueError as error:
            raise CardgenError(Diagnostic(BAD_SIZE, str(error), entry.place(("size",)))) from None


def _piece(entry: Entry, sides: Sides) -> tuple[Piece[Face], tuple[Diagnostic, ...]]:
    front, back = sides
    kind = game_called(entry.game).kinds[entry.kind]
    piece = Piece(
        front.face, back.face if back else None, kind.shape, kind.may_turn, name=entry.card.name, group=entry.kind
    )
    return piece, (*front.diagnostics, *(back.diagnostics if back else ()))


def _look_at_pictures(entry: Entry, face: Face) -> None:
    """Raises CardgenError for a picture that cannot be printed; one that was drawn before may be gone by now."""
    for item in face.items:
        if isinstance(item, Picture):
            try:
                look_at(item.path)
            except ValueError as error:
                raise CardgenError(Diagnostic(codes.ART, str(error), entry.place(("art",)))) from None
