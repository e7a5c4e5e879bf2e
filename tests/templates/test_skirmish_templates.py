from __future__ import annotations

import re
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


def cells(sitter: Sitter) -> list[tuple[float, float, float, float]]:
    """Return left, top, right, and bottom of the cells for Wounds and states."""
    rows = ElementTree.fromstring(sitter.svg("default", "front")).iter(f"{SVG}rect")
    places = [
        [float(each.get(key, 0)) for key in ("x", "y", "width", "height")]
        for each in rows
        if (each.get("height"), each.get("stroke-width")) == ("4.7", "0.2")
    ]
    return [(x, y, x + wide, y + high) for x, y, wide, high in places]


@each_case("sitter", WARRIORS, ids=identity)
def test_each_state_has_a_box_to_write_in_beside_its_word(sitter: Sitter) -> None:
    """Cells share their edges, and a word has room beside its box."""
    found = cells(sitter)
    assert len(found) == 9
    assert len({top for _, top, _, _ in found}) == 3
    assert max(right for _, _, right, _ in found) == pytest.approx(sitter.size.width - 4, abs=0.02)
    svg = sitter.svg("default", "front")
    boxes = [(float(x), float(y)) for x, y in re.findall(r'<path d="M([\d.]+) ([\d.]+)h3.7v3.7h-3.7Z"', svg)]
    assert len(boxes) >= 8
    told = 0
    for item in (each for each in sitter.face().items if isinstance(each, Text)):
        for piece in (piece for line in item.lines for piece in line.pieces):
            x, y = item.matrix[4] + piece.x, item.matrix[5] + piece.y
            for left, top, right, bottom in found:
                if left < x < right and top < y < bottom:
                    told += 1
                    assert x + piece.width < right - 0.4
                    assert not [box for box in boxes if box[1] < y < box[1] + 3.7 and x - 0.4 < box[0] + 3.7 < x + 4]
    assert told >= 9


def test_tables_of_weapons_begin_at_one_height() -> None:
    heads: dict[bool, set[str]] = {False: set(), True: set()}
    for sitter in WARRIORS:
        heads[bool(sitter.entry.card.mount)] |= set(  # type: ignore[attr-defined]
            re.findall(r'y="([\d.]+)" style="head">Weapon', sitter.svg("default", "front"))
        )
    assert len(heads[False]) == 1
    assert len(heads[True]) <= 1


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


def test_warriors_differ_in_few_sizes_and_all_have_their_arms_in_one_place() -> None:
    arms, sizes = set[str](), set[str]()
    for sitter in WARRIORS:
        svg = sitter.svg("default", "front")
        arms |= set(re.findall(r'<g transform="([^"]*)" clip-path="url\(#shield', svg))
        sizes |= set(re.findall(r'style="body" size="([\d.]+)pt"[^>]* field="weapons">\*\*', svg))
    assert len(arms) == 1
    assert len(sizes) <= 3


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


def test_weapons_have_their_charge_table_and_text_in_one_place_and_few_sizes() -> None:
    places, charges, sizes = set[tuple[str, ...]](), set[str](), set[float]()
    weapons = sitters(("weapon",), KIT)
    for sitter in weapons:
        svg = sitter.svg("default", "front")
        (text,) = re.findall(r'y="([\d.]+)" [^>]* field="text"', svg)
        places.add((text, *re.findall(r'<rect x="4" y="([\d.]+)"', svg)))
        charges.add(sitter.entry.card.blazon or "")
        sizes |= {fit.size for fit in sitter.face().fits if isinstance(fit, Fit) and fit.field == "text"}
    assert len(places) == 1
    assert len(sizes) <= 3
    assert len(charges) > 15
    # Those that do not look alike share no charge.
    own = {each.entry.card.name: each.entry.card.blazon for each in weapons}
    assert {"Flail", "Morning Star", "Sling", "Pistol", "Spear", "Javelin"} <= {
        name for name, charge in own.items() if list(own.values()).count(charge) == 1
    }


def test_a_scenario_has_one_size_beside_its_map_and_below() -> None:
    for sitter in (each for each in ALL if each.entry.kind == "scenario"):
        assert len(set(re.findall(r'style="body" size="([\d.]+)pt"', sitter.svg("default", "front")))) == 1
