from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from cardgen.face.theme import (
    CHARGES,
    COLOURS,
    DIVISIONS,
    METALS,
    ORDINARIES,
    TINCTURES,
    choose_arms,
    draw_emblem,
)
from cardgen.svg.chunks import split_svg
from cardgen.text.shaped_row import built_in_icons
from tests.cases import each_case

TINTED = {name: f"#{at:06x}" for at, name in enumerate((*TINCTURES, "line"))}


def draw(name: str, x: float, y: float, size: float, fill: str) -> str:
    return f'<path id="{name}" transform="translate({x} {y})" d="M0 0H{size}" fill="{fill}"/>'


def test_the_same_id_always_has_the_same_arms() -> None:
    assert choose_arms("sentinel") == choose_arms("sentinel")
    assert (choose_arms("sentinel").division, choose_arms("sentinel").ordinary) == ("per pale", "none")


def test_hundreds_of_ids_have_arms_that_differ() -> None:
    assert len({choose_arms(f"card-{number}") for number in range(900)}) > 880


@given(st.text(max_size=30))
def test_a_colour_never_lies_on_a_colour_nor_a_metal_on_a_metal(identity: str) -> None:
    shown = choose_arms(identity)
    assert shown.division in DIVISIONS
    assert set(shown.field) <= set(COLOURS)
    assert shown.field[0] != shown.field[1]
    assert shown.metal in METALS
    assert shown.charge in CHARGES
    svg = draw_emblem(identity, 0, 0, 20, TINTED, draw)
    charges = re.findall(rf'id="{shown.charge}".*?fill="(#\w+)"', svg)
    expected = shown.field[0] if ORDINARIES[shown.ordinary].upon else shown.metal
    assert charges == [TINTED[expected]] * len(ORDINARIES[shown.ordinary].spots)


@each_case("charge", CHARGES)
def test_every_charge_is_an_icon(charge: str) -> None:
    assert built_in_icons().find(charge) is not None


def test_no_charge_is_a_sign_of_a_religion() -> None:
    """The names are those of Font Awesome's category of religion, and of signs that look like them."""
    signs = {
        "ankh", "bible", "book-bible", "book-journal-whills", "book-quran", "book-tanakh", "chess-bishop", "chess-king",
        "church", "cross", "dharmachakra", "dove", "gopuram", "hamsa", "hanukiah", "hands-praying", "jedi", "kaaba",
        "khanda", "menorah", "moon", "mosque", "om", "peace", "person-praying", "place-of-worship", "plus",
        "quran", "scroll-torah", "spaghetti-monster-flying", "star-and-crescent", "star-of-david", "star-of-life",
        "synagogue", "torah", "torii-gate", "vihara", "yin-yang",
    }  # fmt: skip
    assert signs.isdisjoint(CHARGES)
    assert len(set(CHARGES)) == len(CHARGES) == 34


def test_an_emblem_is_well_formed_and_shares_its_parts() -> None:
    chunks = split_svg(f'<svg xmlns="http://www.w3.org/2000/svg">{draw_emblem("a", 3, 4, 20, TINTED, draw)}</svg>')
    assert 3 <= len(chunks) <= 4
    others = {
        chunk
        for number in range(200)
        for chunk in split_svg(
            f'<svg xmlns="http://www.w3.org/2000/svg">{draw_emblem(str(number), 3, 4, 20, TINTED, draw)}</svg>'
        )
    }
    assert chunks[-1] in others
    assert len(others) < 450


def test_every_shape_lies_on_the_shield() -> None:
    paths = [ordinary.path for ordinary in ORDINARIES.values()] + list(DIVISIONS.values())
    numbers = [float(number) for path in paths for number in re.findall(r"-?\d+(?:\.\d+)?", path)]
    assert numbers
    assert min(numbers) >= 0
    assert max(numbers) <= 116
    for ordinary in ORDINARIES.values():
        for x, y, size in ordinary.spots:
            assert size / 2 <= x <= 100 - size / 2
            assert size / 2 <= y <= 116 - size / 2


def test_it_stands_where_it_is_told() -> None:
    root = ET.fromstring(f"<svg>{draw_emblem('a', 3, 4, 20, TINTED, draw)}</svg>")
    assert {group.get("transform") for group in root.findall("g")} == {"translate(3 4) scale(0.2)"}
