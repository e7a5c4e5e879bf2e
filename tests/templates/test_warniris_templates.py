from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from cardgen.export.pdf.translator import translate
from cardgen.face.face import Artwork, Text
from cardgen.text.lines import Fit
from cardgen.units import MM_PER_POINT
from tests.cases import each_case
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


@each_case("theme", THEMES)
@each_case("sitter", ALL, ids=identity)
def test_everything_fits_in_type_of_7_points_or_more(sitter: Sitter, theme: str) -> None:
    drawn = sitter.studios[theme].front(sitter.entry, sitter.size)
    assert drawn.diagnostics == ()
    assert min(fit.size for fit in drawn.face.fits if isinstance(fit, Fit)) >= 7


@each_case("sitter", ALL, ids=identity)
def test_texts_stay_inside_the_frame(sitter: Sitter) -> None:
    ends = list(corners(sitter.face()))
    assert ends
    for x, y in ends:
        assert 3.3 <= x <= sitter.size.width - 3.3
        assert 3.3 <= y <= sitter.size.height - 3.3


@each_case("theme", THEMES)
@each_case("sitter", ALL, ids=identity)
def test_artwork_is_drawn_without_cairo(sitter: Sitter, theme: str) -> None:
    artwork = [item for item in sitter.face(theme).items if isinstance(item, Artwork)]
    assert artwork
    assert all(translate(item.svg) is not None for item in artwork)


@each_case("side", ["front", "back"])
@each_case("sitter", EXTREME, ids=identity)
def test_low_ink_differs_by_its_colours_only(sitter: Sitter, side: str) -> None:
    default, low_ink = (sitter.svg(theme, side) for theme in THEMES)
    assert default != low_ink
    assert COLOUR.sub("#", default) == COLOUR.sub("#", low_ink)


def box(svg: str, tag: str) -> tuple[float, float]:
    """Return the upper edge and the height of the first box of a tag."""
    found = re.search(rf'<{tag} [^>]*?y="([\d.]+)"[^>]*? height="([\d.]+)"', svg)
    assert found
    return float(found[1]), float(found[2])


def card(folder: Path, keys: str) -> Sitter:
    (folder / "art").mkdir(exist_ok=True)
    file = folder / "card.yaml"
    file.write_text(f"game: warniris\n{keys}\n", encoding="utf-8")
    (found,) = sitters(CARDS, file)
    return found


STATS = "stats: {M: 1, B: 1, S: 1, W: 1, Mo: 8}"
WEAPON = "{Sword: CW R1 P2 D2}"
LONG = "Whoever Attacks this Character does so at a loss, and again, until nobody is left to say so. " * 2


@pytest.mark.parametrize(
    ("kind", "little", "much"),
    [
        ("character", f"weapons: [{WEAPON}]", f'weapons: [{WEAPON}]\nabilities: [{{name: Gloom, text: "{LONG}"}}]'),
        ("minion", f"weapons: [{WEAPON}]", f"weapons: [{WEAPON}, {{Bow: RW R9 P1 D1}}, {{Axe: CW R1 P1 D3}}]"),
        ("relic", "text: It shines.", f'text: "{LONG[:110]}"'),
    ],
)
def test_a_picture_has_the_room_that_the_text_leaves(tmp_path: Path, kind: str, little: str, much: str) -> None:
    """It begins below the name in both, and its height is what differs."""
    head = f"kind: {kind}\nname: Ox\nart: art/sun.png\n{STATS if kind != 'relic' else ''}"
    few, many = (card(tmp_path, f"{head}\n{words}").svg("default", "front") for words in (little, much))
    (top, high), (other_top, less) = box(few, "cg:art"), box(many, "cg:art")
    assert top == other_top
    assert high > less + 4


@pytest.mark.parametrize("kind", ["minion", "relic", "character"])
@pytest.mark.parametrize("layout", ["", ".long"])
def test_cards_without_a_picture_keep_their_arms(kind: str, layout: str) -> None:
    sitter = next(each for each in EXTREME if each.entry.kind == kind and not each.entry.card.art)
    if layout == "" or kind != "relic":
        assert 'id="shield"' in sitter.svg("default", "front", layout)


@pytest.mark.parametrize("layout", ["", ".long"])
def test_a_minion_shows_its_base_in_millimeters(layout: str) -> None:
    for sitter in (each for each in ALL if each.entry.kind == "minion"):
        assert "Minion · Base 25 mm" in sitter.svg("default", "front", layout)


def test_the_effects_of_a_weapon_are_below_its_numbers() -> None:
    """They come before the next weapon, and the heading of the abilities comes after all of them."""
    svg = next(each for each in ALL if each.entry.card.name == "Halvane Doru").svg("default", "front")
    name, effect, abilities = (svg.index(word) for word in (">Pommel<", "the target gets", ">Abilities<"))
    assert name < effect < abilities
    assert "Pommel:" not in svg
    effects = re.search(r'y="([\d.]+)" width="55.8" height="([\d.]+)" style="effect"', svg)
    assert effects
    top, high = map(float, effects.groups())
    heading = re.search(r'y="([\d.]+)" style="heading"[^>]*>Abilities', svg)
    assert heading
    assert top + high < float(heading[1]) - 1


def test_a_character_with_effects_but_no_abilities_has_no_heading_for_them(tmp_path: Path) -> None:
    weapon = "{name: Pommel, type: CW, range: 1, damage: 1, effects: [{for: turn, target: {movement: -4}}]}"
    svg = card(tmp_path, f"kind: character\nname: Ox\n{STATS}\nweapons: [{weapon}]").svg("default", "front")
    assert "the target gets" in svg
    assert "Abilities" not in svg


ARMED = [each for each in ALL if each.entry.kind in ("character", "minion", "relic") and not each.entry.card.art]


@each_case("sitter", ARMED, ids=identity)
def test_long_texts_shrink_before_the_arms_do(sitter: Sitter) -> None:
    """Arms are at least 7.5 mm wide, and 11 mm on Characters, in the first layout, which all of these have."""
    found = re.search(r'scale\(([\d.]+)\)" clip-path="url\(#shield\)', sitter.svg("default", "front"))
    assert found
    assert float(found[1]) * 100 >= (11 if sitter.entry.kind == "character" else 7.5)
    assert sitter.face()


def test_every_relic_of_the_kit_has_its_motto() -> None:
    relics = sitters(("relic",), KIT)
    assert len(relics) == 8
    for sitter in relics:
        assert re.search(r'field="motto">[^<]', sitter.svg("default", "front")), sitter.entry.card.name


def test_a_blank_roster_has_a_box_for_each_used_relic() -> None:
    (blank,) = (each for each in sitters(("blank",), KIT) if each.entry.card.id == "blank-roster")
    svg = blank.svg("default", "front")
    assert svg.count(">Relic used<") == 4
    assert len(re.findall(r'<cg:field type="check" name="Relic used \d', svg)) == 4


def test_characters_without_a_picture_have_their_arms_and_characteristics_in_the_same_places(tmp_path: Path) -> None:
    """Beside each other, their numbers are level, and charges are large enough to be told apart."""
    bare = card(tmp_path, f"kind: character\nname: Ox\n{STATS}")
    kit = sitters(("character",), KIT)
    panels, arms = set[str](), set[str]()
    for sitter in (bare, *kit):
        svg = sitter.svg("default", "front")
        panels.add(re.findall(r'y="([\d.]+)" style="label"', svg)[0])
        if sitter is not bare:
            arms.add(re.findall(r'scale\(([\d.]+)\)" clip-path="url\(#shield\)', svg)[0])
    assert len(panels) == len(arms) == 1
    assert float(arms.pop()) * 100 > 13


def test_the_rule_below_the_arms_of_relics_is_at_one_height() -> None:
    svgs = [sitter.svg("default", "front") for sitter in sitters(("relic",), KIT)]
    assert len({re.findall(r'y="([\d.]+)" style="kind"', svg)[0] for svg in svgs}) == 1


@pytest.mark.parametrize("kind", CARDS)
def test_names_and_texts_have_few_sizes(kind: str) -> None:
    sizes: dict[str, set[float]] = {"name": set(), "text": set()}
    for sitter in sitters((kind,), KIT):
        for fit in sitter.face().fits:
            if isinstance(fit, Fit) and fit.field in ("name", "abilities", "effects", "earn"):
                sizes["name" if fit.field == "name" else "text"].add(round(fit.size, 2))
    assert len(sizes["name"]) <= 3
    assert len(sizes["text"]) <= 3


@each_case("sitter", sitters({"mission"}, KIT), ids=identity)
def test_texts_of_missions_stand_clear_of_their_rule_and_seal(sitter: Sitter) -> None:
    """By 2 mm below the rule, and by 3 mm above the seal."""
    lines = [line for item in sitter.face().items if isinstance(item, Text) for line in item.lines if line.pieces]
    text = [line.pieces[0] for line in lines if 25 < line.pieces[0].y < sitter.size.height - 20]
    assert text
    first, last = text[0], text[-1]
    assert first.y - first.size * MM_PER_POINT * 0.7 > 24.3 + 2
    assert last.y + last.size * MM_PER_POINT * 0.2 < sitter.size.height - 16.2 - 9.4 - 3


def test_abilities_stand_apart_from_the_table_if_there_is_room() -> None:
    def gap(name: str) -> float:
        """Return how far the rule of the abilities is below the line above the last weapon."""
        svg = next(each for each in ALL if each.entry.card.name == name).svg("default", "front")
        (rule,) = re.findall(r'd="M6 ([\d.]+)H[\d.]+M[\d.]+ [\d.]+H', svg)
        (line,) = re.findall(r'd="M5.5 ([\d.]+)H[\d.]+" stroke', svg)
        return float(rule) - float(line)

    assert gap("Maerin Vex") == pytest.approx(6.2 + 1.2 + 2 + 1.4, abs=0.02)


def test_the_word_on_a_back_leaves_room_at_both_ends_of_its_plate() -> None:
    for kind in CARDS:
        sitter = next(each for each in EXTREME if each.entry.kind == kind)
        plate = re.search(r'd="M([\d.]+) [\d.]+H([\d.]+)A1\.2', sitter.svg("default", "back"))
        assert plate
        drawn = sitter.studios["default"].back(sitter.entry, sitter.size)
        assert drawn is not None
        (word,) = (item for item in drawn.face.items if isinstance(item, Text))
        (piece,) = word.lines[0].pieces
        assert piece.x - float(plate[1]) > 2
        assert float(plate[2]) - piece.x - piece.width > 2


def test_texts_and_ribbons_of_relics_keep_clear_of_the_frame_and_the_arms_of_the_plate() -> None:
    for sitter in sitters(("relic",), KIT):
        wide, high = sitter.size.width, sitter.size.height
        for item in (each for each in sitter.face().items if isinstance(each, Text)):
            for piece in (piece for line in item.lines for piece in line.pieces):
                assert item.matrix[4] + piece.x > 3.3 + 1.5
                assert item.matrix[4] + piece.x + piece.width < wide - 3.3 - 1.5
        svg = sitter.svg("default", "front")
        ribbon = re.search(r'd="M[\d.]+ ([\d.]+)H[\d.]+l-1\.6 ([\d.]+)l', svg)
        if ribbon:
            assert float(ribbon[1]) + 2 * float(ribbon[2]) < high - 3.3 - 1.5
        arms = re.search(r'translate\([\d.]+[ ,]([\d.]+)\)[^"]*" clip-path="url\(#shield', svg)
        assert arms
        assert float(arms[1]) > 14.4 + 1.2
