from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from cardgen.face.drawing import Studio
from cardgen.face.face import Face, Text
from cardgen.model.deck import Entry
from cardgen.pipeline.drawing import Drawer
from cardgen.pipeline.loading import load_deck
from cardgen.project import Project
from cardgen.text.lines import Fit
from cardgen.units import Size

HERE = Path(__file__).parent
EXTREMES = HERE / "cards" / "extremes.yaml"
KIT = HERE.parent.parent / "cards" / "warniris"
THEMES = ("default", "low-ink")
Snapshot = Callable[[str, str], None]
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


@dataclass(frozen=True)
class Sitter:
    """A card, its size, and the studios of both themes."""

    entry: Entry
    size: Size
    studios: dict[str, Studio]

    def svg(self, theme: str, side: str, layout: str = "") -> str:
        studio = self.studios[theme]
        name = f"warniris/{self.entry.kind}{layout}{'.back' if side == 'back' else ''}"
        return studio.templates.render(name, studio.context(self.entry, self.size, side)).svg


def sitters(*paths: Path) -> list[Sitter]:
    _, deck = load_deck(paths)
    drawers = {theme: Drawer(Project(HERE), theme=theme) for theme in THEMES}
    return [
        Sitter(entry, drawers["default"].size(entry), {t: d.studio(entry) for t, d in drawers.items()})
        for entry in deck.cards
        if entry.kind != "warband"
    ]


EXTREME = sitters(EXTREMES)
ALL = [*EXTREME, *sitters(KIT)]


def identity(sitter: Sitter) -> str:
    return f"{sitter.entry.kind}-{sitter.entry.card.id}"


def test_all_kinds_are_looked_at() -> None:
    assert {sitter.entry.kind for sitter in EXTREME} == {"character", "minion", "relic", "mission"}
    assert len(ALL) == len(EXTREME) + 12 + 3 + 8 + 16


@pytest.mark.parametrize("sitter", EXTREME, ids=identity)
def test_fronts_are_as_they_were(sitter: Sitter, snapshot: Snapshot) -> None:
    snapshot(f"{identity(sitter)}.svg", sitter.svg("default", "front"))


@pytest.mark.parametrize("kind", ["character", "minion", "relic", "mission"])
def test_backs_are_as_they_were(kind: str, snapshot: Snapshot) -> None:
    sitter = next(each for each in EXTREME if each.entry.kind == kind)
    snapshot(f"{kind}-back.svg", sitter.svg("default", "back"))


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("sitter", ALL, ids=identity)
def test_everything_fits_in_type_of_7_points_or_more(sitter: Sitter, theme: str) -> None:
    drawn = sitter.studios[theme].front(sitter.entry, sitter.size)
    assert drawn.diagnostics == ()
    assert min(fit.size for fit in drawn.face.fits if isinstance(fit, Fit)) >= 7


@pytest.mark.parametrize("sitter", ALL, ids=identity)
def test_texts_stay_inside_the_frame(sitter: Sitter) -> None:
    face = sitter.studios["default"].front(sitter.entry, sitter.size).face
    lines = list(pieces(face))
    assert lines
    for left, right, baseline in lines:
        assert left >= 3.3
        assert right <= sitter.size.width - 3.3
        assert 3.3 <= baseline <= sitter.size.height - 3.3


def pieces(face: Face) -> list[tuple[float, float, float]]:
    return [
        (piece.x, piece.x + piece.width, piece.y)
        for item in face.items
        if isinstance(item, Text)
        for line in item.lines
        for piece in line.pieces
    ]


@pytest.mark.parametrize("side", ["front", "back"])
@pytest.mark.parametrize("sitter", EXTREME, ids=identity)
def test_low_ink_differs_by_its_colours_only(sitter: Sitter, side: str) -> None:
    default, low_ink = (sitter.svg(theme, side) for theme in THEMES)
    assert default != low_ink
    assert _COLOUR.sub("#", default) == _COLOUR.sub("#", low_ink)
