from __future__ import annotations

import re
from collections import defaultdict
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cardgen.face.face import Text
from cardgen.text.lines import Fit
from tests.cases import each_case
from tests.templates.sitters import THEMES, Sitter, identity, sitters

KIT = Path(__file__).parent.parent.parent / "cards" / "skirmish"
SVG = "{http://www.w3.org/2000/svg}"
CG = "{https://cardgen.dev/svg}"
PRINTED = {"warrior", "weapon", "aid", "scenario", "blank"}
LONG = """
game: skirmish
cards:
  - kind: warrior
    name: Archdeacon Theophania of the Sorrowful Lanterns
    race: Riverfolk
    m: 4
    ws: 4
    bs: 4
    s: 4
    t: 4
    w: 10
    i: 4
    a: 4
    ld: 9
    points: 10
    weapons: [Hand Weapon, Long Gun, Short Gun]
  - {kind: weapon, name: Hand Weapon, text: "WORDS"}
  - {kind: weapon, name: Long Gun, range: 24, strength: 4, text: "WORDS"}
  - {kind: weapon, name: Short Gun, range: 8, strength: 4, text: "WORDS"}
""".replace(
    "WORDS", "Nobody who has carried it has ever said where it was made, or for whom, or what it was meant to hit."
)

ALL = sitters(PRINTED, KIT)
WARRIORS = [each for each in ALL if each.entry.kind == "warrior"]


def words(sitter: Sitter) -> list[str]:
    return [(each.text or "").strip() for each in ElementTree.fromstring(sitter.svg("default", "front")).iter()]


@each_case("theme", THEMES)
@each_case("sitter", ALL, ids=identity)
def test_everything_fits_in_type_of_7_points_or_more(sitter: Sitter, theme: str) -> None:
    drawn = sitter.studios[theme].front(sitter.entry, sitter.size)
    assert drawn.diagnostics == ()
    assert min((fit.size for fit in drawn.face.fits if isinstance(fit, Fit)), default=7) >= 7


def test_weapons_are_a_table_with_one_head_row() -> None:
    tables = [each for each in WARRIORS if "Range" in words(each)]
    assert len(tables) >= len(WARRIORS) - 2
    for sitter in tables:
        assert [words(sitter).count(head) for head in ("Range", "Strength")] == [1, 1]
        for name in sitter.entry.card.weapons:  # type: ignore[attr-defined]
            assert f"**{name}**" in words(sitter)


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ("", '**Long Gun** · Range 24" · Strength 4\\\nNobody'),
        (" Nobody who has asked has come back to say what the answer was.", '**Long Gun** (24", S 4): Nobody'),
    ],
)
def test_a_table_that_does_not_fit_becomes_paragraphs(tmp_path: Path, more: str, line: str) -> None:
    file = tmp_path / "long.yaml"
    file.write_text(LONG.replace("meant to hit.", "meant to hit." + more), encoding="utf-8")
    (sitter,) = sitters(("warrior",), file)
    assert "Range" not in words(sitter)
    assert line in unescape(sitter.svg("default", "front"))
    assert sitter.face()


@each_case("sitter", WARRIORS, ids=identity)
def test_each_word_of_the_state_is_above_its_box_in_a_cell_of_its_own(sitter: Sitter) -> None:
    root = ElementTree.fromstring(sitter.svg("default", "front"))
    texts = [each for each in root.iter(f"{SVG}text") if each.get("style") == "tick"]
    cells = [
        each for each in root.iter(f"{SVG}rect") if each.get("height") == "6.6" and each.get("stroke-width") == "0.2"
    ]
    assert len(texts) == len(cells) == 9
    for text in texts:
        x, y = (float(text.get(name, 0)) for name in "xy")
        around = [
            cell
            for cell in cells
            if 0 < x - float(cell.get("x", 0)) < float(cell.get("width", 0)) and 0 < y - float(cell.get("y", 0)) < 6.6
        ]
        assert len(around) == 1
        assert x == pytest.approx(float(around[0].get("x", 0)) + float(around[0].get("width", 0)) / 2, abs=0.011)


@each_case("sitter", WARRIORS, ids=identity)
def test_words_of_the_state_have_room_in_their_cells_and_boxes_below_them(sitter: Sitter) -> None:
    root = ElementTree.fromstring(sitter.svg("default", "front"))
    cells = [
        each for each in root.iter(f"{SVG}rect") if each.get("height") == "6.6" and each.get("stroke-width") == "0.2"
    ]
    found = 0
    for item in (each for each in sitter.face().items if isinstance(each, Text)):
        for piece in (piece for line in item.lines for piece in line.pieces):
            x, y = item.matrix[4] + piece.x, item.matrix[5] + piece.y
            for left, top, wide in ([float(cell.get(key, 0)) for key in ("x", "y", "width")] for cell in cells):
                if left < x < left + wide and top < y < top + 6.6:
                    found += 1
                    assert left + 0.7 < x and x + piece.width < left + wide - 0.7
                    assert y < top + 2.6
    assert found >= 9


def test_ornaments_of_the_corners_do_not_surround_the_grid_of_states() -> None:
    ornament = re.compile(r"M3 [\d.]+V[\d.]+H5M")
    for sitter in ALL:
        has_grid = sitter.entry.kind == "warrior" or sitter.entry.card.id == "blank-warrior"
        assert bool(ornament.search(sitter.svg("default", "front"))) is not has_grid


def test_every_weapon_without_a_table_has_its_range_and_strength() -> None:
    prose = [each for each in WARRIORS if "Range" not in words(each)]
    assert {each.entry.card.name for each in prose} == {"Ottilie Vane, Ferrymistress", "Dyke Rider"}
    for sitter in prose:
        svg = unescape(sitter.svg("default", "front"))
        for name in sitter.entry.card.weapons:  # type: ignore[attr-defined]
            assert re.search(rf"\*\*{name}\*\* · (Range \d+\"|Close combat) · (Strength \d|user's Strength)", svg)
        assert ":**" not in svg


def test_warriors_differ_in_two_sizes_and_all_have_their_arms_in_one_place() -> None:
    arms, sizes = set[str](), set[str]()
    for sitter in WARRIORS:
        svg = sitter.svg("default", "front")
        arms |= set(re.findall(r'<g transform="([^"]*)" clip-path="url\(#shield', svg))
        sizes |= set(re.findall(r'style="body" size="([\d.]+)pt"[^>]* field="weapons">\*\*', svg))
    assert len(arms) == 1
    assert len(sizes) == 2


def test_a_strength_in_the_column_is_not_repeated_below_it() -> None:
    (halberdier,) = (each for each in WARRIORS if each.entry.card.name == "Bridge Halberdier")
    assert "user +1" in words(halberdier)
    assert not any("+1 Strength" in each for each in words(halberdier))


ROSTERS = sitters(("warband",), KIT)
STATES = ("Ran", "Shot", "Hidden", "Fleeing", "Knocked down", "Stunned", "Out")


@each_case("theme", THEMES)
@each_case("sitter", ROSTERS, ids=identity)
def test_a_row_of_a_roster_is_as_high_as_its_words(sitter: Sitter, theme: str) -> None:
    """All words have the size of the style, in lines that are not tightened, and leave room above and below."""
    root = ElementTree.fromstring(sitter.svg(theme, "front"))
    told = [each for each in root.iter(f"{CG}text") if each.get("style") == "row" and each.get("size") == "7.5pt"]
    fits = [
        fit for fit in sitter.face(theme).fits if isinstance(fit, Fit) and fit.markup in {each.text for each in told}
    ]
    assert len(told) == len(fits) > 10
    assert {round(fit.size, 2) for fit in fits} == {7.5}
    assert max(fit.fill for fit in fits) < 0.97


@each_case("sitter", ROSTERS, ids=identity)
def test_no_fill_of_a_roster_covers_a_rule(sitter: Sitter) -> None:
    svg = sitter.svg("default", "front")
    rows = list(re.finditer(r'<path d="((?:M7 [\d.]+h[\d.]+)+)" fill="none"', svg))
    assert len(rows) == 1
    assert rows[0][1].count("M") > 10
    fills = [match.start() for match in re.finditer(r"M7 [\d.]+h[\d.]+v[\d.]+h-[\d.]+Z", svg)]
    assert len(fills) > 5
    assert max(fills) < rows[0].start()


@each_case(
    "sitter", [*WARRIORS, *ROSTERS, *(each for each in ALL if each.entry.card.id == "blank-warrior")], ids=identity
)
def test_states_have_one_word_each_on_cards_rosters_and_tokens(sitter: Sitter) -> None:
    assert set(STATES) <= set(words(sitter))
    assert not {"Fled", "Down", "Stun", "Hid"} & set(words(sitter))


def test_rules_of_weapons_begin_at_one_height_below_their_charge_and_short_ones_are_large() -> None:
    heights, charges = defaultdict[bool, set[tuple[str, str]]](set), set[str]()
    for sitter in (each for each in ALL if each.entry.kind == "weapon"):
        svg = sitter.svg("default", "front")
        ((top, size, valign),) = re.findall(r'y="([\d.]+)" [^>]*size="([\d.]+)pt"([^>]*) field="text"', svg)
        is_short = float(size) > 10
        heights[is_short].add((top, valign))
        charges.add(sitter.entry.card.blazon or "")
    assert [len(heights[is_short]) for is_short in (False, True)] == [1, 1]
    assert len(charges) > 10


def test_a_scenario_has_one_size_beside_its_map_and_below() -> None:
    for sitter in (each for each in ALL if each.entry.kind == "scenario"):
        assert len(set(re.findall(r'style="body" size="([\d.]+)pt"', sitter.svg("default", "front")))) == 1
