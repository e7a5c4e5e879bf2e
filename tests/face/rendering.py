"""A made-up game with one kind of card, for templates of tests."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import ClassVar

from cardgen.deck.art import find_art, find_beside
from cardgen.face.elements import Typesetter
from cardgen.face.ornaments import Ornaments
from cardgen.face.renderer import FaceAssembler, FaceRenderer
from cardgen.face.template.engine import Templates
from cardgen.face.theme import load_theme
from cardgen.model.card import Card
from cardgen.model.card_values import BackSource
from cardgen.model.deck import Entry, read_deck
from cardgen.project.project import Project
from cardgen.text.fonts import Fonts
from cardgen.text.shaped_row import Icons
from cardgen.units import Size
from cardgen.validation.base import Text

SIZE = Size(40, 60)
THEME = """
colours: {ink: "#101010", or: "#ffffff", argent: "#eeeeee", gules: "#aa0000", azure: "#0000aa", vert: "#00aa00",
          purpure: "#aa00aa", sable: "#000000", line: "#777777"}
fonts: {text: Source Sans 3}
styles:
  body: {font: text, size: 9, min_size: 7}
  title: {font: text, size: 14, min_size: 8, bold: true}
"""


class Pawn(Card):
    KIND: ClassVar[str] = "pawn"

    lines: tuple[Text, ...] = ()


def svg(body: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="https://cardgen.dev/svg">{body}</svg>'


class Desk:
    """A folder with templates and a card file."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "templates" / "chess").mkdir(parents=True)
        self.template("theme.yaml", THEME)

    def template(self, name: str, text: str) -> None:
        (self.root / "templates" / "chess" / name).write_text(text, encoding="utf-8")

    def studio(self) -> FaceRenderer:
        folders = [self.root / "templates"]
        theme, icons = load_theme(folders, "chess", "default"), Icons()
        return FaceRenderer(
            templates=Templates(folders),
            assembler=FaceAssembler(
                Typesetter(theme, Fonts(), icons),
                lambda entry, name: Project(self.root).resolve_inside(name),
                partial(find_beside, Project(self.root), find_art),
            ),
            functions={"describe": lambda card: " ".join(card.lines)},
            ornaments=Ornaments(theme, icons),
            find_back=lambda entry, _: BackSource(None, entry.card.back or "", entry.place),
            bleed=3,
        )

    def entry(self, text: str) -> Entry:
        path = self.root / "pawn.yaml"
        path.write_text(text, encoding="utf-8")
        deck = read_deck(Project(self.root), [path], {"chess": {"pawn": Pawn}}, "chess")
        assert not deck.diagnostics
        return deck.cards[0]
