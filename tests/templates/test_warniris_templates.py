from __future__ import annotations

from collections.abc import Callable

import pytest

from cardgen.export.svg_to_pdf import translate
from cardgen.face.face import Artwork
from cardgen.text.lines import Fit
from tests.templates.sitters import COLOUR, HERE, KIT, THEMES, Sitter, corners, identity, sitters

CARDS = ("character", "minion", "relic", "mission")
EXTREMES = HERE / "cards" / "extremes.yaml"
Snapshot = Callable[[str, str], None]

EXTREME = sitters(CARDS, EXTREMES)
ALL = [*EXTREME, *sitters(CARDS, KIT)]


def test_all_kinds_are_looked_at() -> None:
    assert {sitter.entry.kind for sitter in EXTREME} == set(CARDS)
    assert len(ALL) == len(EXTREME) + 12 + 3 + 8 + 16


@pytest.mark.parametrize("sitter", EXTREME, ids=identity)
def test_fronts_are_as_they_were(sitter: Sitter, snapshot: Snapshot) -> None:
    snapshot(f"{identity(sitter)}.svg", sitter.svg("default", "front"))


@pytest.mark.parametrize("kind", CARDS)
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
    ends = list(corners(sitter.face()))
    assert ends
    for x, y in ends:
        assert 3.3 <= x <= sitter.size.width - 3.3
        assert 3.3 <= y <= sitter.size.height - 3.3


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("sitter", ALL, ids=identity)
def test_artwork_is_drawn_without_cairo(sitter: Sitter, theme: str) -> None:
    artwork = [item for item in sitter.face(theme).items if isinstance(item, Artwork)]
    assert artwork
    assert all(translate(item.svg) is not None for item in artwork)


@pytest.mark.parametrize("side", ["front", "back"])
@pytest.mark.parametrize("sitter", EXTREME, ids=identity)
def test_low_ink_differs_by_its_colours_only(sitter: Sitter, side: str) -> None:
    default, low_ink = (sitter.svg(theme, side) for theme in THEMES)
    assert default != low_ink
    assert COLOUR.sub("#", default) == COLOUR.sub("#", low_ink)
