"""From cards to pieces: every card is drawn, and all that is wrong with any of them is said together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from cardgen.diagnostic import CardgenError, Diagnostic, stop_on_errors
from cardgen.face.boxes import Typesetter
from cardgen.face.drawing import Drawn, Studio
from cardgen.face.face import Face
from cardgen.face.ornament import Ornaments
from cardgen.face.templates import Templates
from cardgen.face.theme import load_theme
from cardgen.model.deck import Entry
from cardgen.pipeline.loading import game_called
from cardgen.pipeline.request import Tally
from cardgen.project import Project
from cardgen.sheet.imposition import Piece
from cardgen.text.fonts import Fonts
from cardgen.text.icons import Icons
from cardgen.units import CARD_SIZES, Size, size

BAD_SIZE = "CG521"


@dataclass(frozen=True, slots=True)
class Stack:
    """The prints of one kind in one size, in the order of the cards; `entry` is the first of the cards."""

    game: str
    kind: str
    size: Size
    entry: Entry
    pieces: list[Piece[Face]] = field(default_factory=list)


class Drawer:
    """Draws the cards of a project, with one studio for each game and theme."""

    def __init__(self, project: Project) -> None:
        self.fonts = Fonts(project.folders("fonts"))
        self._project = project
        self._icons = Icons(project.folders("icons"))
        self._templates = Templates(project.folders("templates"))
        self._studios: dict[tuple[str, str], Studio] = {}

    def stacks(self, entries: Iterable[Entry], qty: int | None, *, backs: bool, tally: Tally) -> list[Stack]:
        """All cards, drawn and sorted by kind and size; `qty` stands for the copies that the cards ask for.

        Raises CardgenError with everything that is wrong in all cards and templates.
        """
        problems: list[Diagnostic] = []
        stacks: dict[tuple[str, str, Size], Stack] = {}
        for entry in entries:
            try:
                piece, found = self._piece(entry, backs=backs)
            except CardgenError as error:
                problems.extend(error.diagnostics)
            else:
                problems.extend(found)
                key = (entry.game, entry.kind, piece.front.size)
                stack = stacks.setdefault(key, Stack(*key, entry))
                stack.pieces.extend([piece] * (qty or entry.card.qty))
            tally.step(entry.card.name)
        stop_on_errors(dict.fromkeys(problems))
        return list(stacks.values())

    def _piece(self, entry: Entry, *, backs: bool) -> tuple[Piece[Face], tuple[Diagnostic, ...]]:
        studio, card = self._studio(entry), self._size(entry)
        front = studio.front(entry, card)
        back: Drawn | None = studio.back(entry, card) if backs else None
        if back is None:
            return Piece(front.face), front.diagnostics
        return Piece(front.face, back.face), (*front.diagnostics, *back.diagnostics)

    def _studio(self, entry: Entry) -> Studio:
        key = (entry.game, entry.card.theme or self._project.settings.theme)
        if key not in self._studios:
            game = game_called(entry.game)
            theme = load_theme(self._project.folders("templates"), *key)
            self._studios[key] = Studio(
                templates=self._templates,
                typesetter=Typesetter(theme, self.fonts, self._icons),
                ornaments=Ornaments(theme, self._icons),
                functions={"describe": game.describe, "once_label": game.once_label},
                find_art=self._find_art,
                bleed=self._project.settings.bleed,
            )
        return self._studios[key]

    def _size(self, entry: Entry) -> Size:
        """The card's own size, else the project's for its kind, else the kind's."""
        if entry.card.size is None:
            return (
                self._project.settings.sizes.get(entry.kind)
                or CARD_SIZES[game_called(entry.game).kinds[entry.kind].size]
            )
        try:
            return size(entry.card.size, CARD_SIZES)
        except ValueError as error:
            raise CardgenError(Diagnostic(BAD_SIZE, str(error), entry.place(("size",)))) from None

    def _find_art(self, entry: Entry, name: str) -> Path:
        """A picture that a card names: beside the card's file, or else from the project's folder.

        Raises ValueError with a sentence for the user when it lies outside the project, or nowhere.
        """
        beside = (Path.cwd() / entry.document.file).parent
        for base in (beside, self._project.root):
            path = self._project.inside(name, base)
            if path.is_file():
                return path
        raise ValueError(f"there is no file '{name}', neither beside the card nor in the project's folder")
