from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cardgen.deck.deck import load_deck
from cardgen.export.pdf.translator import translate
from cardgen.face.face import Artwork, Text, read_icon
from cardgen.print.render import CardRenderer
from cardgen.project.project import Project
from cardgen.rulesets.warcry.cards import DICE, PRICES
from cardgen.rulesets.warcry.limits import RULINGS, RUNEMARKS, SHAPES
from cardgen.rulesets.warcry.pack import KINDS
from cardgen.runtime.workspace import Workspace
from cardgen.text.lines import Fit, Run
from cardgen.text.shaped_row import Drawings, Icons
from cardgen.units import MM_PER_POINT, apply
from tests.cases import each_case
from tests.templates.sitters import COLOUR, HERE, THEMES, Sitter, corners, identity, sitters

EXTREMES = HERE / "cards" / "warcry.yaml"
ROOT = HERE.parent.parent
KIT = ROOT / "cards" / "warcry"
ICONS = ROOT / "templates" / "warcry" / "icons"
PRINTED = {name for name, kind in KINDS.items() if kind.default_size} - {"warband"}
OMENS = """
game: warcry
cards:
  - {kind: fighter, name: Asha, faction: chaos, runemarks: [hero], stats: {M: 5, T: 4, W: 10}, points: 70,
     weapons: [{Axe: axe R1 A3 S4 D1/4}]}
  - kind: trait
    name: Omens
    runemark: chaos
    choices: [{name: Blood, text: It flows.}, {name: Ash, price: double, text: It burns.}]
  - {kind: warband, name: The Few, trait: Omens, members: [{fighter: Asha}]}
  - {kind: warband, name: The Many, trait: Omens, choice: Ash, members: [{fighter: Asha}]}
"""
Snapshot = Callable[[str, str], None]

EXTREME = sitters(PRINTED, EXTREMES)
ALL = [*EXTREME, *sitters(PRINTED, KIT)]


def called(name: str) -> Sitter:
    return next(sitter for sitter in ALL if sitter.entry.card.name == name)


def test_all_kinds_are_looked_at() -> None:
    assert {sitter.entry.kind for sitter in EXTREME} == PRINTED
    assert len(ALL) == len(EXTREME) + 15 + 14 + 61 + 10 + 13


@each_case("sitter", EXTREME, ids=identity)
def test_fronts_are_as_they_were(sitter: Sitter, snapshot: Snapshot) -> None:
    snapshot(f"warcry-{identity(sitter)}.svg", sitter.svg("default", "front"))


@pytest.mark.parametrize("kind", sorted(PRINTED))
def test_backs_are_as_they_were(kind: str, snapshot: Snapshot) -> None:
    sitter = next(each for each in EXTREME if each.entry.kind == kind)
    snapshot(f"warcry-{kind}-back.svg", sitter.svg("default", "back"))


@each_case("sitter", ALL[len(EXTREME) :], ids=identity)
def test_negative_numbers_have_a_minus_sign(sitter: Sitter) -> None:
    for item in (each for each in sitter.face().items if isinstance(each, Text)):
        for line in item.lines:
            assert not re.search(r"(^|[\s(])-\d", line.text), line.text


def test_the_legend_of_a_map_to_draw_has_one_column_of_words_within_the_margin() -> None:
    (field_map,) = (each for each in sitters(("blank",), KIT) if each.entry.card.name == "Field Map")
    words = {}
    for item in (each for each in field_map.face().items if isinstance(each, Text)):
        for line in item.lines:
            if line.text in {"Dagger", "Hammer", "Shield", "Objective"}:
                last = line.pieces[-1]
                words[line.text] = (
                    round(apply(item.matrix, line.pieces[0].x, 0)[0], 2),
                    apply(item.matrix, last.x + last.width, 0)[0],
                )
    assert len(words) == 4
    assert len({left for left, _ in words.values()}) == 1
    assert max(right for _, right in words.values()) <= field_map.size.width - 5


@each_case("theme", THEMES)
@each_case("sitter", ALL, ids=identity)
def test_everything_fits_in_type_of_7_points_or_more(sitter: Sitter, theme: str) -> None:
    drawn = sitter.studios[theme].front(sitter.entry, sitter.size)
    assert drawn.diagnostics == ()
    assert min(fit.size for fit in drawn.face.fits if isinstance(fit, Fit)) >= 7


@each_case("sitter", ALL, ids=identity)
def test_texts_stay_away_from_the_cut(sitter: Sitter) -> None:
    ends = list(corners(sitter.face()))
    assert ends
    for x, y in ends:
        assert 3 <= x <= sitter.size.width - 3
        assert 3 <= y <= sitter.size.height - 3


@each_case("theme", THEMES)
@each_case("sitter", [each for each in ALL if each.entry.kind != "battleplan"], ids=identity)
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


@each_case("theme", THEMES)
@each_case("sitter", EXTREME, ids=identity)
def test_no_outline_runs_along_the_bleed(sitter: Sitter, theme: str) -> None:
    for path in re.findall(r"<path[^>]*>", sitter.svg(theme, "front")):
        ends = re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", path)
        if "stroke=" in path and "Z" in path:
            assert not [(x, y) for x, y in ends if float(x) < 0 or float(y) < 0]


def test_the_colour_of_an_ability_and_a_roster_is_that_of_their_alliance() -> None:
    colours = {
        each.entry.card.name: COLOUR.findall(each.svg("default", "front"))
        for each in [*ALL, *sitters({"warband"}, KIT)]
        if each.entry.kind in ("ability", "warband")
    }
    for name, alliance in [("Lamp Oil", "order"), ("The Last Lanterns", "order"), ("Third Verse", "chaos")]:
        assert {"order": "#23598f", "chaos": "#a8231b"}[alliance] in colours[name]
    assert "#a8231b" not in colours["Lamp Oil"]
    assert "#a8231b" not in colours["The Last Lanterns"]


def test_every_runemark_shape_and_price_has_an_icon_of_its_own() -> None:
    wanted = {*RUNEMARKS, *(f"weapon-{shape}" for shape in SHAPES), *PRICES, *DICE, "wild", "objective"}
    drawn = {path.stem: path.read_text(encoding="utf-8") for path in ICONS.glob("*.svg")}
    assert wanted <= drawn.keys()
    assert len(set(drawn.values())) == len(drawn), "two icons look the same"
    icons = Icons(Drawings([ICONS], read_icon))
    assert all(icons.find(name) for name in drawn)


def test_a_battleplan_without_a_map_says_so_last_or_has_room_for_it() -> None:
    without = [sitter for sitter in ALL if sitter.entry.kind == "battleplan" and not sitter.entry.card.map]  # type: ignore[attr-defined]
    assert len(without) == 10 + 1
    for sitter in without:
        words = re.sub("<[^>]*>", "", sitter.svg("default", "front")).strip()
        assert words.endswith("Draw it on a field map.*") != (sitter.entry.card.name == "Ford")
    ford = called("Ford").svg("default", "front")
    assert "Draw the deployment map here." in ford
    assert 'fill="#dcd9c8"' in ford, "there is no field to draw on"


@pytest.mark.parametrize("name", ["Brutal Encounter", "Uncompromising Slaughter"])
def test_the_maps_of_two_battleplans_show_the_table_quarters(name: str) -> None:
    svg = called(name).svg("default", "front")
    assert svg.count("stroke-dasharray") == 1
    assert "Its deployment points are not included." in svg


def test_a_battleplan_without_a_map_gives_its_room_to_the_text() -> None:
    """The text starts below the line of setting."""
    svg = called("Lightning Raid").svg("default", "front")
    (text,) = (each for each in ElementTree.fromstring(svg).iter() if each.get("field") == "primary")
    assert float(text.get("y", 0)) < 42
    assert float(text.get("height", 0)) > 100


def test_a_map_is_drawn_from_its_numbers() -> None:
    svg = called("The Flooded Toll").svg("default", "front")
    assert "Not included" not in svg
    scale = 55 / 30
    circles = {
        (round(float(each.get("cx", 0)), 2), round(float(each.get("cy", 0)), 2))
        for each in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}circle")
    }
    for x, y in ((8, 14), (15, 11), (22, 8)):
        assert (round(6.5 + x * scale, 2), round(31 + y * scale, 2)) in circles
    assert svg.count(">R2<") == 2


BATTLEPLANS = [each for each in ALL if each.entry.kind == "battleplan"]


@each_case("sitter", BATTLEPLANS, ids=identity)
def test_text_and_map_of_a_battleplan_stand_clear_of_the_slanted_band(sitter: Sitter) -> None:
    """By 2.5 mm below its lowest point, at the left edge of the card."""
    band = 25 + 3.2
    for line in (each for item in sitter.face().items if isinstance(item, Text) for each in item.lines):
        for piece in (each for each in line.pieces if each.y > band):
            assert piece.y - piece.size * MM_PER_POINT * 0.72 >= band + 2.5
    frame = re.search(r'<rect x="[^"]*" y="([^"]*)"[^>]*stroke-width="0.5"', sitter.svg("default", "front"))
    assert bool(frame) is bool(sitter.entry.card.map or sitter.entry.card.name == "Ford")  # type: ignore[attr-defined]
    assert frame is None or float(frame[1]) - 0.25 >= band + 2.5


def test_victory_points_are_items_of_a_list() -> None:
    texts = [item for item in called("A Tithe of Blades").face().items if isinstance(item, Text)]
    lines = [line for item in texts for line in item.lines if line.pieces and line.pieces[0].y > 40]
    first = next(number for number, line in enumerate(lines) if "More enemies than" in line.text)
    marked, indented = lines[first].pieces, lines[first + 1].pieces
    assert indented[0].x == pytest.approx(marked[1].x)
    assert indented[0].x > marked[0].x + 1


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", ["Ford", "Field Map"])
def test_the_squares_of_a_map_to_draw_are_seen_and_end_under_its_frame(name: str, theme: str) -> None:
    sitter = next(each for each in [*ALL, *sitters(("blank",), KIT)] if each.entry.card.name == name)
    svg = sitter.svg(theme, "front")
    squares = re.search(r'<path d="(?:M[\d. ]+[vh][\d.]+){50}" stroke="([^"]*)" stroke-width="([\d.]+)"', svg)
    assert squares
    assert float(squares[2]) >= 0.18
    assert squares[1] == {"default": "#a8a192", "low-ink": "#8c8c8c"}[theme]
    assert re.search(r'<rect[^>]* fill="none" stroke="#1\w{5}" stroke-width="0.5"', svg[squares.end() :])


@pytest.mark.parametrize(("name", "wounds"), [("Ox", 1), ("With a Picture", 25), ("The Clinker", 35)])
def test_a_fighter_has_a_numbered_box_for_each_wound(name: str, wounds: int) -> None:
    root = ElementTree.fromstring(called(name).svg("default", "front"))
    svg = "{http://www.w3.org/2000/svg}"
    (boxes,) = (group for group in root.iter(f"{svg}g") if group.get("stroke-width") == "0.22")
    assert sum(path.get("d", "").count("M") for path in boxes.iter(f"{svg}path")) == wounds
    numbers = [text for text in root.iter(f"{svg}text") if text.get("style") == "pip"]
    assert [text.text for text in numbers] == [str(n) for n in range(1, wounds + 1)]
    assert len({text.get("y") for text in numbers}) == (wounds - 1) // 10 + 1
    words = [text.text for text in root.iter(f"{svg}text")]
    assert ("Wound" if wounds == 1 else "Wounds") in words
    assert {"Activated", "Waiting"} <= set(words)


def test_weapons_share_one_head_row() -> None:
    words = [text.text for text in ElementTree.fromstring(called("The Clinker").svg("default", "front")).iter()]
    assert [words.count(head) for head in ("Range", "Att", "Str", "Damage")] == [1, 1, 1, 1]


def test_long_names_of_weapons_stand_above_their_numbers() -> None:
    def places(name: str) -> list[float]:
        root = ElementTree.fromstring(called(name).svg("default", "front"))
        boxes = [each for each in root.iter() if each.get("field") == "weapons/0"]
        return [float(each.get("y", 0)) for each in boxes]

    title, *numbers = places("The Clinker")
    assert set(numbers) == {title}
    title, *numbers = places("Seventh Gravedigger of the Lower Ossuary, Unsleeping")
    assert min(numbers) > title


TRAITS = [each for each in ALL if each.entry.kind == "trait"]


@each_case("sitter", TRAITS, ids=identity)
def test_the_icons_and_the_name_of_a_faction_are_on_one_axis(sitter: Sitter) -> None:
    root = ElementTree.fromstring(sitter.svg("default", "front"))
    runemark = next(each for each in root.iter() if each.get("r"))
    name, sign = (each for each in root.iter() if each.get("field") == "runemark")
    axis = float(runemark.get("cy", 0))
    for box in (name, sign):
        assert float(box.get("y", 0)) + float(box.get("height", 0)) / 2 == pytest.approx(axis, abs=0.01)
    places = re.findall(r"translate\([\d.]+ ([\d.]+)\) scale\(([\d.]+)\)", sitter.svg("default", "front"))
    assert all(float(y) + float(side) / 2 == pytest.approx(axis) for y, side in places)


FIGHTERS = [each for each in ALL if each.entry.kind == "fighter"]


@each_case("sitter", FIGHTERS, ids=identity)
def test_the_faction_of_a_fighter_stands_clear_of_its_name(sitter: Sitter) -> None:
    """Names of two lines, too."""
    top = min(
        run.y - 0.72 * run.size * MM_PER_POINT
        for item in sitter.face().items
        for line in (item.lines if isinstance(item, Text) else ())
        for run in line.pieces
        if isinstance(run, Run) and run.size < 9 and run.y < 19
    )
    names = [item for item in sitter.face().items if isinstance(item, Text) and item.lines[0].pieces[0].x == 5]
    assert top - names[0].lines[-1].pieces[0].y > 2.6


@each_case("sitter", [each for each in FIGHTERS if each not in EXTREME], ids=identity)
def test_a_range_stands_clear_of_the_attacks(sitter: Sitter) -> None:
    """By 1.4 mm or more, so that 6–20 and 2 are not read as one number."""
    lines = []
    for item in (each for each in sitter.face().items if isinstance(each, Text)):
        for line in (each for each in item.lines if each.pieces):
            first, last = line.pieces[0], line.pieces[-1]
            x, y = apply(item.matrix, first.x, first.y)
            end, _ = apply(item.matrix, last.x + last.width, last.y)
            lines.append((line.text, x, end, y))
    for weapon in sitter.entry.card.weapons:  # type: ignore[attr-defined]
        ranges = [each for each in lines if each[0] == str(weapon.reach) and 30 < each[1] < 44]
        assert ranges
        for _, _, end, y in ranges:
            following = min(x for _, x, _, other in lines if abs(other - y) < 1 and x > end)
            assert following - end > 1.4


@pytest.mark.parametrize("theme", THEMES)
def test_nothing_that_is_marked_in_play_is_printed_as_if_it_were_marked(theme: str) -> None:
    """All boxes and circles for damage are as light as the ground; the last box of a fighter has a thick frame."""
    (roster,) = (each for each in sitters(("warband",), KIT) if each.entry.card.name == "The Ember Choir")
    svg = "{http://www.w3.org/2000/svg}"
    circles = [
        group
        for group in ElementTree.fromstring(roster.svg(theme, "front")).iter(f"{svg}g")
        if group.get("stroke-width") == "0.2" and len(group.findall(f"{svg}path")) > 1
    ]
    assert circles
    assert {path.get("fill") for group in circles for path in group.iter(f"{svg}path")} == {None}
    root = ElementTree.fromstring(called("Reaper of Slag").svg(theme, "front"))
    (boxes,) = (group for group in root.iter(f"{svg}g") if group.get("stroke-width") == "0.22")
    first, last = boxes.iter(f"{svg}path")
    assert [path.get("fill") for path in (first, last)] == [None, None]
    assert (first.get("stroke-width"), last.get("stroke-width")) == (None, "0.7")


@pytest.mark.parametrize("kind", ["fighter", "ability", "trait", "blessing"])
def test_all_cards_of_a_kind_have_the_same_header(kind: str) -> None:
    """The emblem or the sign of the price, the name, and the edge of the dark field."""
    heads = set()
    for sitter in (each for each in sitters((kind,), KIT)):
        root = ElementTree.fromstring(sitter.svg("default", "front"))
        slab = next(each.get("d") for each in root.iter() if each.get("fill") == "#17191c")
        name = next(each for each in root.iter() if each.get("field") == "name")
        emblem = next(
            (each.get("d") for each in root.iter() if each.get("fill") in ("#24272b", "#a8231b", "#23598f")), ""
        )
        heads.add((slab, name.get("y"), name.get("size"), "" if kind == "trait" else emblem))
    assert len(heads) == 1


@pytest.mark.parametrize("kind", ["fighter", "ability", "trait", "blessing", "battleplan"])
def test_names_and_texts_have_few_sizes(kind: str) -> None:
    """Cards of a kind are of one hand when they lie beside each other."""
    sizes: dict[str, set[float]] = {"name": set(), "text": set()}
    for sitter in sitters((kind,), KIT):
        for fit in sitter.face().fits:
            if isinstance(fit, Fit) and fit.field in ("name", "text", "changes", "primary"):
                sizes["name" if fit.field == "name" else "text"].add(round(fit.size, 2))
    assert len(sizes["name"]) <= 3
    assert len(sizes["text"]) <= 5


@pytest.mark.parametrize("theme", THEMES)
def test_texts_of_blessings_have_two_sizes(theme: str) -> None:
    fits = [fit for each in sitters(("blessing",), KIT) for fit in each.face(theme).fits if isinstance(fit, Fit)]
    assert {round(fit.size, 2) for fit in fits if fit.field in ("text", "changes")} == {10.75, 9.25}


def test_mottoes_of_blessings_stand_apart_from_their_texts() -> None:
    """By more than the lines of a text."""
    for sitter in sitters(("blessing",), KIT):
        words = [
            each.lines for each in sitter.face().items if isinstance(each, Text) and each.lines[0].pieces[0].y > 27
        ]
        text, motto = words[0], words[1]
        last, top = text[-1].pieces[0].y, motto[0].pieces[0].y - 0.72 * 8 * MM_PER_POINT
        size = max(piece.size for piece in text[-1].pieces if isinstance(piece, Run))
        pitch = text[-1].pieces[0].y - text[-2].pieces[0].y
        assert top - last > pitch - 0.72 * size * MM_PER_POINT + 0.6, sitter.entry.card.name


@pytest.mark.parametrize("theme", THEMES)
def test_no_emblem_lies_under_the_name_of_a_trait_or_blessing(theme: str) -> None:
    for sitter in sitters(("trait", "blessing"), KIT):
        root = ElementTree.fromstring(sitter.svg(theme, "front"))
        name = next(each for each in root.iter() if each.get("field") == "name")
        lowest = float(name.get("y", 0)) + float(name.get("height", 0))
        basalt = sitter.studios[theme].typesetter.theme.colours["basalt"]
        for rays in (each for each in root.iter() if each.get("stroke") == basalt):
            ys = [float(y) for path in rays for _, y in re.findall(r"([-\d.]+) ([-\d.]+)", path.get("d", ""))]
            assert min(ys) > lowest
        assert not [each for each in root.iter() if each.get("fill") == basalt]


def contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_deployment_points_are_told_apart_without_colour(theme: str) -> None:
    """The symbols of one player are filled, those of the other hollow, and all have a line that stands out."""
    root = ElementTree.fromstring(called("The Flooded Toll").svg(theme, "front"))
    colours = called("The Flooded Toll").studios[theme].typesetter.theme.colours
    groups = [each for each in root.iter() if each.get("stroke-linejoin") == "round"]
    found = {(group.get("fill"), group.get("stroke")) for group in groups}
    assert found == {(colours["red"], colours["red"]), (colours["pale"], colours["blue"])}
    assert len(groups) == 6 + 6, "the legend has not each symbol once"
    for line in ("red", "blue"):
        assert contrast(colours[line], colours["grass"]) > 4.5


@each_case("sitter", FIGHTERS, ids=identity)
def test_the_tag_with_the_points_hides_no_runemark(sitter: Sitter) -> None:
    """Runemarks end above the tag: in a column beside the emblem, or else in one line below the faction."""
    root = ElementTree.fromstring(sitter.svg("default", "front"))
    boxes = {each.get("field", ""): each for each in root.iter() if each.get("field")}
    tag = float(boxes["points"].get("y", 0))
    marks = [box for field, box in boxes.items() if field.startswith("runemarks")]
    assert all(float(box.get("y", 0)) + float(box.get("height", 0)) <= tag for box in marks)


def test_a_fighter_shows_its_alliance_and_its_base() -> None:
    svg = called("The Clinker").svg("default", "front")
    assert "Scions of the Flame · {chaos}\u00a0Chaos" in svg
    assert "Base 50 mm" in svg
    assert "Destruction · " not in called("Ox").svg("default", "front")


@each_case("sitter", [each for each in ALL if each.entry.kind == "ability"], ids=identity)
def test_a_text_fills_the_field_below_the_dark_one(sitter: Sitter) -> None:
    """Whether it is long or short, a quarter of the card at most stays empty at the foot."""
    lowest = max(y for _, y in corners(sitter.face()))
    assert sitter.size.height - lowest < sitter.size.height / 4


def test_words_on_a_picture_have_a_background() -> None:
    """A panel for each runemark, drawn between the picture and the words; characteristics stand below the picture."""
    pictured = called("With a Picture")
    svg = pictured.svg("default", "front")
    panels = [match.start() for match in re.finditer(r'<path d="[^"]*Z" fill="#24272b"', svg)]
    assert len(panels) == 1
    assert svg.index("<cg:art") < min(panels)
    assert min(panels) < svg.index("{hero} Hero")
    art = next(each for each in ElementTree.fromstring(svg).iter() if each.tag.endswith("}art"))
    below = float(art.get("y", 0)) + float(art.get("height", 0))
    stats = [each for each in ElementTree.fromstring(svg).iter() if each.get("field", "").startswith("stats/")]
    assert len(stats) == 3
    assert all(float(each.get("y", 0)) > below for each in stats)


def test_an_alternative_shows_its_price(tmp_path: Path) -> None:
    file = tmp_path / "omens.yaml"
    file.write_text(OMENS, encoding="utf-8")
    trait, few, many = (sitter.svg("default", "front") for sitter in sitters(("trait", "warband"), file))
    for svg in (trait, few, many):
        assert "{double}\u00a0**Ash (double):** It burns." in svg
    assert "**Blood:** It flows." in trait
    assert "**Blood:** It flows." in few
    assert "Blood" not in many


BLESSED = """
game: warcry
cards:
  - {kind: fighter, name: Asha, faction: chaos, runemarks: [hero], stats: {M: 5, T: 4, W: 10}, points: 70,
     weapons: [{Axe: axe R1 A3 S4 D1/4}]}
  - {kind: blessing, name: Ox, points: {regular: 5, elite: 5}, text: This fighter has +4 Wounds.}
  - {kind: trait, name: Hide, runemark: chaos, changes: [{wounds: +1, of: {side: friend}}]}
  - kind: trait
    name: Pelts
    runemark: chaos
    choices:
      - {name: Thick, changes: [{wounds: +2, of: {side: friend}}]}
      - {name: Thin, changes: [{move: +1, of: {side: friend}}]}
  - {kind: warband, name: Chosen, trait: Pelts, choice: Thick, members: [{fighter: Asha, qty: 2, blessing: Ox}]}
  - {kind: warband, name: Other, trait: Pelts, choice: Thin, members: [{fighter: Asha, qty: 2, blessing: Ox}]}
  - {kind: warband, name: Open, trait: Pelts, members: [{fighter: Asha, qty: 2, blessing: Ox}]}
  - {kind: warband, name: Plain, members: [{fighter: Asha, qty: 2}]}
  - {kind: warband, name: Blessed, members: [{fighter: Asha, qty: 2, blessing: Ox}]}
  - {kind: warband, name: Both, trait: Hide, members: [{fighter: Asha, qty: 2, blessing: Ox}]}
"""


@each_case(
    ("name", "wounds"), [("Plain", 10), ("Blessed", 14), ("Both", 15), ("Chosen", 16), ("Other", 14), ("Open", 14)]
)
def test_a_roster_has_a_box_for_each_wound_with_its_blessing_and_trait(name: str, wounds: int, tmp_path: Path) -> None:
    file = tmp_path / "blessed.yaml"
    file.write_text(BLESSED, encoding="utf-8")
    (roster,) = (each for each in sitters(("warband",), file) if each.entry.card.name == name)
    svg = "{http://www.w3.org/2000/svg}"
    groups = ElementTree.fromstring(roster.svg("default", "front")).iter(f"{svg}g")
    (boxes,) = (group for group in groups if group.get("stroke-width") == "0.2")
    assert len(boxes.findall(f"{svg}path")) == 2 * wounds


@each_case(("ruling", "rounds"), [("", 4), ("three", 3), ("five", 5)])
@pytest.mark.parametrize("kind", ["warband", "blank"])
def test_a_roster_has_a_column_for_each_battle_round(ruling: str, rounds: int, kind: str, tmp_path: Path) -> None:
    (tmp_path / "cardgen.yaml").write_text(
        f"game: warcry\n{f'rulings: {{rounds: {ruling}}}' if ruling else ''}\n", encoding="utf-8"
    )
    (tmp_path / "plain.yaml").write_text(BLESSED + "  - {kind: blank, name: Roster, of: warband}\n", encoding="utf-8")
    _, deck = load_deck([tmp_path / "plain.yaml"])
    entry = next(each for each in deck.cards if each.kind == kind)
    renderer = CardRenderer(Project.open(Workspace(tmp_path)))
    face = renderer.face_renderer(entry)
    size = renderer.card_size(entry)
    svg = face.templates.render(f"warcry/{kind}", face.context(entry, size, "front")).svg
    table = svg[svg.index("Battle rounds") :]
    assert re.findall(r">(\d|Total)<", table[: table.index(">Total<") + 7]) == [
        *map(str, range(1, rounds + 1)),
        "Total",
    ]
    texts = face.front(entry, size).face
    assert max(x for x, _ in corners(texts)) <= size.width - 3


ROSTERS = {"The Ember Choir", "The Last Lanterns"}
# The cards of the sample kit that say what a ruling decides. All others leave it as open as the rulebook does.
RULED = {
    "counter-ones each": {"Counter"},
    "ones-miss apart": {"Counter"},
    "onslaught double": {"Onslaught"},
    "rounds three": ROSTERS,
    "rounds five": ROSTERS,
}


def test_cards_say_what_the_rulings_of_the_project_say(tmp_path: Path) -> None:
    _, deck = load_deck([KIT])
    entries = [each for each in deck.cards if each.kind in ("ability", "battleplan", "warband")]

    def printed(ruling: str, setting: str) -> dict[str, str]:
        (tmp_path / "cardgen.yaml").write_text(f"game: warcry\nrulings: {{{ruling}: {setting}}}\n", encoding="utf-8")
        renderer = CardRenderer(Project.open(Workspace(tmp_path)))
        faces = {entry.kind: renderer.face_renderer(entry) for entry in entries}
        texts = {}
        for entry in entries:
            face, size = faces[entry.kind], renderer.card_size(entry)
            context = face.context(entry, size, "front")
            texts[entry.card.name] = face.templates.render(f"warcry/{entry.kind}", context).svg
        return texts

    usual = printed("onslaught", "triple")
    changed = {}
    for ruling in RULINGS:
        for setting in [*ruling.settings][1:]:
            other = printed(ruling.id, setting)
            changed[f"{ruling.id} {setting}"] = {name for name in usual if usual[name] != other[name]}
    assert {ruling: names for ruling, names in changed.items() if names} == RULED
    assert "Double" in printed("onslaught", "double")["Onslaught"]
    assert "Each 1 allocates 2 damage points." in printed("counter-ones", "each")["Counter"]
    assert "Dice that show 1 do not count as misses." in printed("ones-miss", "apart")["Counter"]


def test_a_name_of_several_words_does_not_break_at_a_hyphen() -> None:
    names = {each.entry.card.name: each for each in sitters(("trait",), KIT)}
    svg = names["Point-blank Volley"].svg("default", "front")
    assert ">Point\u2011blank Volley</cg:text>" in svg
    assert ">Disease-ridden</cg:text>" in names["Disease-ridden"].svg("default", "front")
