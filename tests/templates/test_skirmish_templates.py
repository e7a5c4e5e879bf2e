from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cardgen.face.face import Text
from cardgen.text.lines import Fit, Run
from cardgen.units import MM_PER_POINT, apply
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
    assert len(tables) == len(WARRIORS)
    for sitter in tables:
        assert [words(sitter).count(head) for head in ("Range", "Strength")] == [1, 1]
        for name in sitter.entry.card.weapons:  # type: ignore[attr-defined]
            assert f"**{name}**" in words(sitter)


@pytest.mark.parametrize(
    ("more", "line"),
    [
        (" Nobody asks.", '**Long Gun** · Range 24" · Strength 4\\\nNobody'),
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


def boxes(sitter: Sitter) -> list[tuple[float, float, float, float]]:
    """Return left, top, right, and bottom of the boxes for Wounds and states."""
    found = re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)h-", sitter.svg("default", "front"))
    places = [tuple(map(float, each)) for each in found]
    return [(x, y, x + wide, y + high) for x, y, wide, high in places]


@each_case("sitter", WARRIORS, ids=identity)
def test_each_state_has_a_box_to_write_in_before_its_word(sitter: Sitter) -> None:
    """Boxes stand apart, without rules around them, and each word has room between its box and the next one."""
    found = boxes(sitter)
    assert len(found) == 8 + sitter.entry.card.w  # type: ignore[attr-defined]
    assert min(min(right - left, foot - top) for left, top, right, foot in found) >= 3.7 - 0.001
    for one, (left, top, right, foot) in enumerate(found):
        for x, y, x2, y2 in found[one + 1 :]:
            assert max(x - right, left - x2, y - foot, top - y2) >= 0.8 - 0.001
    told = 0
    for item in (each for each in sitter.face().items if isinstance(each, Text)):
        for piece in (piece for line in item.lines for piece in line.pieces):
            x, y = item.matrix[4] + piece.x, item.matrix[5] + piece.y
            beside = [(left, right) for left, top, right, foot in found if top < y < foot]
            if beside:
                told += 1
                assert min(left for left, _ in beside) < x
                assert x + piece.width < sitter.size.width - 4
                assert not [left for left, right in beside if x - 0.4 < right and left < x + piece.width + 0.4]
    assert told >= 9


def test_many_wounds_are_written_down_instead_of_crossed_off(tmp_path: Path) -> None:
    file = tmp_path / "long.yaml"
    file.write_text(LONG, encoding="utf-8")
    (sitter,) = sitters(("warrior",), file)
    assert len(boxes(sitter)) == 9
    assert "of 10 Wounds" in words(sitter)


def test_tables_of_weapons_begin_at_one_height() -> None:
    heads: dict[bool, set[str]] = {False: set(), True: set()}
    for sitter in WARRIORS:
        heads[bool(sitter.entry.card.mount)] |= set(  # type: ignore[attr-defined]
            re.findall(r'y="([\d.]+)" style="head">Weapon', sitter.svg("default", "front"))
        )
    assert len(heads[False]) == 1
    assert len(heads[True]) <= 1


@each_case("sitter", WARRIORS, ids=identity)
def test_weapons_stand_clear_of_the_rules_between_them(sitter: Sitter) -> None:
    svg = sitter.svg("default", "front")
    rules = [float(y) for y in re.findall(r'd="M4 ([\d.]+)H[\d.]+" fill="none"', svg)]
    boxes = [
        (float(y), float(y) + float(high))
        for y, high in re.findall(r'y="([\d.]+)" width="[\d.]+" height="([\d.]+)" style="body"', svg)
    ]
    assert rules
    for rule in rules:
        assert [top for top, _ in boxes if top > rule]
        assert min(top - rule for top, _ in boxes if top > rule) >= 0.99
    for rule in rules[1:]:
        assert min(rule - foot for _, foot in boxes if foot < rule) >= 0.99
        assert max(foot for _, foot in boxes if foot < rule) + 1.81 >= rule


def test_ornaments_of_the_corners_do_not_surround_the_grid_of_states() -> None:
    ornament = re.compile(r"M3 [\d.]+V[\d.]+H5M")
    for sitter in ALL:
        has_grid = sitter.entry.kind == "warrior" or sitter.entry.card.id == "blank-warrior"
        assert bool(ornament.search(sitter.svg("default", "front"))) is not has_grid


def test_a_table_that_is_too_long_leaves_one_note_to_the_card_of_the_weapon() -> None:
    short = {each.entry.card.name: words(each).count("*See its card.*") for each in WARRIORS}
    assert {name for name, count in short.items() if count} == {"Ottilie Vane, Ferrymistress"}
    assert max(short.values()) == 1


def test_warriors_differ_in_few_sizes_and_all_have_their_arms_in_one_place() -> None:
    arms, sizes = set[str](), set[str]()
    for sitter in WARRIORS:
        svg = sitter.svg("default", "front")
        arms |= set(re.findall(r'<g transform="([^"]*)" clip-path="url\(#shield', svg))
        sizes |= set(re.findall(r'style="body" size="([\d.]+)pt"[^>]* field="weapons">\*\*', svg))
    assert len(arms) == 1
    assert len(sizes) <= 3


def test_names_on_one_line_have_one_size_on_warriors_and_two_on_weapons() -> None:
    for found, count in ((WARRIORS, 2), (sitters(("weapon",), KIT), 3)):
        names = [fit for each in found for fit in each.face().fits if isinstance(fit, Fit) and fit.field == "name"]
        # Those on two lines are smaller.
        assert len({round(fit.size, 2) for fit in names}) <= count


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


def test_the_forces_of_a_scenario_stand_together() -> None:
    for sitter in (each for each in ALL if each.entry.kind == "scenario"):
        names = [f"**{force.name}**" for force in sitter.entry.card.forces]  # type: ignore[attr-defined]
        assert len([each for each in words(sitter) if any(name in each for name in names)]) == 1


TITLED = [each for each in [*ALL, *ROSTERS] if each.entry.kind != "blank"]


@each_case("sitter", TITLED, ids=identity)
def test_names_stand_clear_of_the_rules_of_their_ribbon(sitter: Sitter) -> None:
    """Letters that descend do so by 0.26 of their size."""
    rules = re.search(
        r'd="M-?[\d.]+ ([\d.]+)H[\d.]+M-?[\d.]+ ([\d.]+)H[\d.]+" fill="none"', sitter.svg("default", "front")
    )
    assert rules
    upper, lower = map(float, rules.groups())
    (block,) = [
        item
        for item in sitter.face().items
        if isinstance(item, Text) and letters(item) == letters(sitter.entry.card.name)
    ]
    for piece in (piece for line in block.lines for piece in line.pieces if isinstance(piece, Run)):
        size = piece.size * MM_PER_POINT
        _, y = apply(block.matrix, piece.x, piece.y)
        assert y - size * 0.65 > upper + 0.4
        assert y + size * (0.26 if re.search("[gjpqy,]", piece.text) else 0) < lower - 0.4


def letters(text: Text | str) -> str:
    told = (
        text
        if isinstance(text, str)
        else "".join(piece.text for line in text.lines for piece in line.pieces if isinstance(piece, Run))
    )
    return re.sub(r"\W", "", told)


def test_the_numbers_of_weapons_have_one_size() -> None:
    sizes = set[float]()
    for sitter in sitters(("weapon",), KIT):
        sizes |= {fit.size for fit in sitter.face().fits if isinstance(fit, Fit) and fit.field in {"range", "strength"}}
    assert len(sizes) == 1


@each_case("sitter", [each for each in ALL if each.entry.kind in {"warrior", "blank"}], ids=identity)
def test_frames_cover_the_ends_of_the_lines_in_a_table(sitter: Sitter) -> None:
    for theme in THEMES:
        parts = list(ElementTree.fromstring(sitter.svg(theme, "front")).iter())
        lines = [n for n, part in enumerate(parts) if re.match(r"M[\d.]+ [\d.]+v[\d.]+M", part.get("d", ""))]
        (line,) = lines
        top, high = re.findall(r"M[\d.]+ ([\d.]+)v([\d.]+)M", parts[line].get("d", ""))[0]
        (frame,) = [
            n
            for n, part in enumerate(parts)
            if part.tag == f"{SVG}rect" and (part.get("y"), part.get("fill")) == (top, "none")
        ]
        assert frame > line
        assert parts[frame].get("height") == high
        assert parts[line].get("stroke") not in {"#ffffff", parts[line - 1].get("fill")}
