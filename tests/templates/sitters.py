"""Sample cards with their sizes, and a studio for each theme."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cardgen.deck.deck import load_deck
from cardgen.face.face import Face, Text
from cardgen.face.renderer import FaceRenderer
from cardgen.model.card import Entry
from cardgen.print.render import CardRenderer
from cardgen.project.project import Project
from cardgen.units import Size, apply

HERE = Path(__file__).parent
KIT = HERE.parent.parent / "cards" / "warniris"
KITS = (KIT, KIT.parent / "warcry")
THEMES = ("default", "low-ink")
COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


@dataclass(frozen=True)
class Sitter:
    """A card, its size, and the studios of both themes."""

    entry: Entry
    size: Size
    studios: dict[str, FaceRenderer]

    def svg(self, theme: str, side: str, layout: str = "") -> str:
        studio = self.studios[theme]
        name = f"{self.entry.game}/{self.entry.kind}{layout}{'.back' if side == 'back' else ''}"
        return studio.templates.render(name, studio.context(self.entry, self.size, side)).svg

    def face(self, theme: str = "default") -> Face:
        drawn = self.studios[theme].front(self.entry, self.size)
        assert drawn.diagnostics == ()
        return drawn.face


def sitters(kinds: Collection[str], *paths: Path) -> list[Sitter]:
    _, deck = load_deck(paths)
    return seated(entry for entry in deck.cards if entry.kind in kinds)


def seated(entries: Iterable[Entry]) -> list[Sitter]:
    drawers = {theme: CardRenderer(Project(HERE), theme=theme) for theme in THEMES}
    return [
        Sitter(entry, drawers["default"].card_size(entry), {t: d.face_renderer(entry) for t, d in drawers.items()})
        for entry in entries
    ]


def identity(sitter: Sitter) -> str:
    return f"{sitter.entry.kind}-{sitter.entry.card.id}"


def corners(face: Face) -> Iterator[tuple[float, float]]:
    """Return both ends of the baseline of each text piece."""
    for item in face.items:
        if isinstance(item, Text):
            for line in item.lines:
                for piece in line.pieces:
                    yield apply(item.matrix, piece.x, piece.y)
                    yield apply(item.matrix, piece.x + piece.width, piece.y)
