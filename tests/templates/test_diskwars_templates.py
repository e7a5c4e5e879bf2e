"""Disks and terrain cards of Diskwars print what players need to know of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.templates.sitters import KIT, THEMES, Sitter, sitters

CARDS = KIT.parent / "diskwars"


def sitter(kind: str, name: str, *paths: Path) -> Sitter:
    (found,) = (each for each in sitters((kind,), *(paths or (CARDS,))) if each.entry.card.name == name)
    return found


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("name", "sign"), [("Reed Pikes", "{scale-balanced}"), ("Tin Rats", "{fire}")])
def test_a_disk_shows_its_faction_without_color(name: str, sign: str, theme: str) -> None:
    for side in ("front", "back"):
        svg = sitter("disk", name).svg(theme, side)
        assert [each for each in ("{scale-balanced}", "{fire}") if each in svg] == [sign]


def test_a_terrain_card_says_when_its_keywords_do_not_matter() -> None:
    svg = " ".join(sitter("terrain", "Alder Carr").svg("default", "front").split())
    assert "No line of sight between disks outside of this terrain leads through it" in svg
    assert "unless the disk overlapped this piece before the flip" in svg
