"""Disks and terrain cards of Diskwars print what players need to know of them."""

from __future__ import annotations

import re
from itertools import pairwise
from math import hypot, pi
from pathlib import Path
from typing import Any

import pytest

from cardgen.face.face import Face, Picture, Text
from cardgen.rulesets.diskwars import RULESET
from cardgen.text.lines import Fit, Run
from cardgen.units import apply
from tests.templates.sitters import KIT, THEMES, Sitter, identity, sitters

CARDS = KIT.parent / "diskwars"
MORE = Path(__file__).parent / "cards" / "diskwars.yaml"


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


# In mm: twice the height that the digits of a disk of this size had before they moved into its flanks.
DIGITS = {"small": 5.28, "medium": 7.94, "large": 10.88}
CAPITALS = 0.72  # height of Lato's digits, in sizes of the type
MM_PER_POINT = 25.4 / 72


def numbers(face: Face) -> list[tuple[str, float, float]]:
    """Return each text of a face that is one number, with its height and the place of its middle, in mm."""
    return [
        (line.text, piece.size * CAPITALS * MM_PER_POINT, piece.x + piece.width / 2)
        for item in face.items
        if isinstance(item, Text) and not item.continues
        for line in item.lines
        for piece in line.pieces
        if isinstance(piece, Run) and line.text.isdigit()
    ]


@pytest.mark.parametrize("theme", THEMES)
def test_digits_of_disks_are_read_at_arms_length(theme: str) -> None:
    for each in sitters(("disk",), CARDS):
        card: Any = each.entry.card
        wanted = [str(card.attack), str(card.counter), str(card.toughness), str(card.movement)]
        tall = [text for text, height, _ in numbers(each.face(theme)) if height >= DIGITS[card.disk]]
        assert sorted(tall) == sorted(text for text in wanted if text.isdigit()), card.name


EDGE = re.compile(
    r'<path d="M([\d.]+) ([\d.]+)A([\d.]+) [^"]*" fill="#[0-9a-f]{6}" stroke="#[0-9a-f]{6}" stroke-width="0.45"'
)


@pytest.mark.parametrize("each", sitters(("disk",), CARDS), ids=identity)
def test_texts_of_disks_keep_away_from_the_edge_of_their_field(each: Sitter) -> None:
    """By 1 mm at the sides; letters of the name that descend, a quarter of their size, end outside of it."""
    (match,) = EDGE.finditer(each.svg("default", "front"))
    left, inner = float(match[1]), float(match[2])
    middle = each.size.width / 2
    for item in (one for one in each.face().items if isinstance(one, Text)):
        for piece in (piece for line in item.lines for piece in line.pieces if isinstance(piece, Run)):
            x, y = apply(item.matrix, piece.x, piece.y)
            away = hypot(x - middle, y - middle)
            if away > inner and y < middle and piece.text.isalpha() and abs(x - middle) < middle - left:
                assert away - 0.25 * piece.size * MM_PER_POINT > inner + 0.225
            elif away < inner and left < x < 2 * middle - left and item.matrix[1] == 0:
                assert left + 0.225 + 1 <= x
                assert x + piece.width <= 2 * middle - left - 0.225 - 1


@pytest.mark.parametrize("each", sitters(("disk",), CARDS, MORE), ids=identity)
def test_no_line_of_a_disk_begins_or_ends_with_a_separator(each: Sitter) -> None:
    for item in (one for one in each.face().items if isinstance(one, Text) and one.matrix[1] == 0):
        assert [line.text for line in item.lines if line.text.strip() != line.text.strip(" ·")] == []


def test_a_long_focus_ability_moves_neither_the_emblem_nor_the_numbers_of_a_disk() -> None:
    plain, wordy = sitter("disk", "Chain Brutes"), sitter("disk", "Mother Slag")
    shields = [
        re.search(r"<g[^>]*transform=\"translate\([^>]*>", each.svg("default", "front")) for each in (plain, wordy)
    ]
    assert shields[0] is not None
    assert shields[1] is not None
    assert shields[0][0] == shields[1][0]
    places = [
        sorted(x for _, height, x in numbers(each.face()) if height > DIGITS["medium"]) for each in (plain, wordy)
    ]
    assert places[0] == pytest.approx(places[1])


@pytest.mark.parametrize("theme", THEMES)
def test_a_hero_is_named_and_has_a_rim(theme: str) -> None:
    hero, unit = (sitter("disk", name).svg(theme, "front") for name in ("Marshal Ida Fenn", "Heron Riders"))
    assert "· Hero" in hero
    assert "· Hero" not in unit
    assert 'stroke-width="1.3"' in hero
    assert 'stroke-width="1.3"' not in unit


def test_a_disk_prints_the_meaning_of_its_keywords_where_it_fits() -> None:
    assert "It attacks every enemy that it pins" in sitter("disk", "Chain Brutes").svg("default", "front")
    assert "reinforce" not in sitter("disk", "Tin Rats").svg("default", "front")


@pytest.mark.parametrize("theme", THEMES)
def test_long_names_and_races_of_disks_fit(theme: str) -> None:
    face = sitter("disk", "The Last Wardens of the Dyke", MORE).face(theme)
    assert ("3", True) in [(text, height > 2) for text, height, _ in numbers(face)]


def test_terrain_cards_show_the_ground_of_their_pieces() -> None:
    for each in sitters(("piece",), CARDS):
        piece: Any = each.entry.card
        (outline,) = re.findall(r'<cg:cut d="([^"]*)"', each.svg("default", "front"))
        assert outline in sitter("terrain", piece.terrain).svg("default", "front"), piece.name


def test_command_cards_say_when_their_strategy_comes_as_the_glossary_does() -> None:
    assert isinstance(RULESET.glossary, tuple)
    meanings = {term.name: term.definition for term in RULESET.glossary}
    orders = {}
    for each in sitters(("command",), CARDS):
        card: Any = each.entry.card
        feet = re.findall(r'style="foot"[^>]*>([^<]*)<', each.svg("default", "front"))
        orders[card.strategy] = feet[0]
    assert len(orders) == 4
    for strategy, order in orders.items():
        assert order in meanings[strategy.title()]


def test_only_kinds_have_backs_of_their_own_because_command_cards_lie_face_down() -> None:
    backs: dict[str, set[str]] = {}
    for each in sitters(("command", "terrain", "scenario", "deployment"), CARDS):
        backs.setdefault(each.entry.kind, set()).add(each.svg("default", "back"))
    assert [len(different) for different in backs.values()] == [1, 1, 1, 1]
    assert len(set.union(*backs.values())) == 4


def test_a_deployment_card_without_an_ability_draws_its_disks_and_says_what_its_value_means() -> None:
    each = sitter("deployment", "Broad Front")
    assert "7 disks start wholly in the zone" in each.svg("default", "front")
    assert len(re.findall(r'<circle[^>]*stroke-width="0.4"', each.svg("default", "front"))) == 1 + 7


@pytest.mark.parametrize("theme", THEMES)
def test_every_kind_has_a_place_for_a_picture(theme: str) -> None:
    found = {}
    for each in sitters(("disk", "command", "terrain", "scenario", "deployment"), MORE):
        card: Any = each.entry.card
        pictures = [item for item in each.face(theme).items if isinstance(item, Picture)]
        assert len(pictures) == (card.art is not None), card.name
        if pictures:
            found[each.entry.kind] = min(pictures[0].box.width, pictures[0].box.height)
    assert found.keys() == {"disk", "command", "terrain", "scenario", "deployment"}
    assert min(found.values()) >= 8, found


def test_beads_close_around_rims_in_every_program() -> None:
    rims = re.compile(r'<circle[^>]* r="([\d.]+)"[^>]* stroke-dasharray="([\d.]+) ([\d.]+)" stroke-linecap="round"')
    for each in (sitter("disk", "Reed Pikes"), sitter("deployment", "Vanguard"), sitter("token", "Wound")):
        found = [tuple(map(float, rim)) for rim in rims.findall(each.svg("default", "front"))]
        assert found
        for radius, dash, gap in found:
            beads = 2 * pi * radius / (dash + gap)
            assert dash > 0
            assert beads == pytest.approx(round(beads), abs=0.01)


@pytest.mark.parametrize("theme", THEMES)
def test_an_army_has_a_circle_for_each_of_its_disks_and_the_head_of_its_faction(theme: str) -> None:
    for name, faction, count in (("The Dyke Watch", "order", 9), ("The Rust Choir", "destruction", 9)):
        each = sitter("army", name)
        svg = each.svg(theme, "front")
        assert len(re.findall(r'<cg:field type="check" name="Lost ', svg)) == count
        colours = each.studios[theme].typesetter.theme.colours
        head = re.search(r'A[\d.]+ [\d.]+ 0 0 0 [\d.]+ 15.4" stroke="(#[0-9a-f]{6})"', svg)
        assert head is not None
        assert head[1] == colours[f"{faction}-line"]


@pytest.mark.parametrize("theme", THEMES)
def test_water_with_arcane_danger_is_not_drawn_as_other_water(theme: str) -> None:
    """Its piece and its card have lights in place of reeds, and another colour."""
    for kind, suffix in (("terrain", ""), ("piece", " (piece)")):
        bog, light = (sitter(kind, f"{name}{suffix}").svg(theme, "front") for name in ("Quaking Bog", "Witch Light"))
        reeds = 'd="M22 30l-2 -7'
        assert reeds in bog
        assert reeds not in light
        fills = [re.search(r'd="M42 10C[^"]*" fill="(#[0-9a-f]{6})"', svg) for svg in (bog, light)]
        assert fills[0] and fills[1] and fills[0][1] != fills[1][1]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("each", sitters(("terrain",), CARDS), ids=identity)
def test_the_frame_of_a_ground_covers_the_ends_of_its_grid_which_is_seen(each: Sitter, theme: str) -> None:
    svg = each.svg(theme, "front")
    found = re.search(r'fill="(#\w+)"/>\s*<path d="M[^"]*h[\d.]+" stroke="(#\w+)"[^>]*/>\s*<rect [^>]*stroke="', svg)
    assert found is not None
    ground, line = (int(colour[3:5], 16) for colour in found.groups())
    assert ground - line > 30


def test_a_wall_stands_clear_of_its_frame() -> None:
    svg = sitter("terrain", "Dyke Wall").svg("default", "front")
    frame = re.search(r'<rect x="5.5" y="([\d.]+)" width="[\d.]+" height="([\d.]+)" rx="2"', svg)
    place = re.search(r'<g transform="translate\([\d.]+ ([-\d.]+)\) scale\(([\d.]+)\)">', svg)
    assert frame is not None
    assert place is not None
    top, high = map(float, frame.groups())
    shift, scale = map(float, place.groups())
    assert shift + 26 * scale - top > 1.5
    assert top + high - shift - 75 * scale > 0.8


def runs(face: Face) -> list[tuple[str, float, float, float]]:
    """Return each piece of the texts of a face with its size in points, its left end, and its baseline, in mm."""
    return [
        (piece.text, piece.size, *apply(item.matrix, piece.x, piece.y))
        for item in face.items
        if isinstance(item, Text)
        for line in item.lines
        for piece in line.pieces
        if isinstance(piece, Run)
    ]


def upper_edge(size: float, baseline: float) -> float:
    return baseline - size * CAPITALS * MM_PER_POINT


@pytest.mark.parametrize("theme", THEMES)
def test_a_die_in_place_of_a_digit_begins_where_the_digit_beside_it_does(theme: str) -> None:
    (die,) = [run for run in runs(sitter("disk", "Vesh the Gaunt").face(theme)) if run[0] == "d6"]
    (digit,) = [run for run in runs(sitter("disk", "Vesh the Gaunt").face(theme)) if run[0] == "4"]
    assert upper_edge(die[1], die[3]) == pytest.approx(upper_edge(digit[1], digit[3]), abs=0.15)


@pytest.mark.parametrize("each", sitters(("disk",), CARDS), ids=identity)
def test_the_icon_of_a_number_is_nearer_to_it_than_to_the_number_above(each: Sitter) -> None:
    """All icons stand at one distance above their numbers, whatever part of their square they fill."""
    stat = re.compile(
        r'<path transform="translate\([\d.]+ ([\d.]+)\) scale\(([\d.]+)\)" d="([^"]+)"[^>]*/>\s*'
        r'<text x="[\d.]+" y="([\d.]+)"[^>]* style="stat" size="([\d.]+)pt"'
    )
    found = stat.findall(each.svg("default", "front"))
    assert len(found) == 4
    gaps, edges = list[float](), list[tuple[float, float, float]]()
    for top, scale, path, baseline, size in found:
        inked = [float(y) for y in re.findall(r"[\d.]+ ([\d.]+)", path)]
        digit = upper_edge(float(size), float(baseline))
        gaps.append(digit - float(top) - float(scale) * max(inked))
        edges.append((float(top) + float(scale) * min(inked), digit, float(baseline)))
    small = each.size.width < 50
    assert min(gaps) > (0.45 if small else 0.6)
    assert max(gaps) < min(gaps) + 0.2
    for above, below in ((0, 1), (2, 3)):
        assert edges[below][0] - edges[above][2] > 1.5 * max(gaps)


@pytest.mark.parametrize("each", sitters(("terrain",), CARDS), ids=identity)
def test_the_rules_of_a_terrain_card_have_one_size_and_leading(each: Sitter) -> None:
    sizes: set[float] = set()
    leadings: set[float] = set()
    for item in each.face().items:
        pieces = [piece for line in item.lines for piece in line.pieces] if isinstance(item, Text) else []
        if pieces and pieces[0].y > 24:
            sizes |= {piece.size for piece in pieces if isinstance(piece, Run)}
            lines = sorted({round(piece.y, 2) for piece in pieces if isinstance(piece, Run)})
            leadings |= {round(below - above, 1) for above, below in pairwise(lines)}
    assert len(sizes) == 1
    assert len(leadings) == 1


@pytest.mark.parametrize("theme", THEMES)
def test_rules_of_terrain_have_boxes_of_one_height_and_a_size_by_their_number(theme: str) -> None:
    looks: dict[int, set[tuple[str, ...]]] = {}
    for each in sitters(("terrain",), CARDS):
        svg = each.svg(theme, "front")
        _, _, *heights = re.findall(r'<rect x="5\.5"[^>]* height="([\d.]+)" rx="2"', svg)
        sizes = re.findall(r'style="(?:body|small)" size="([\d.]+)pt"', svg)
        assert min(map(float, sizes)) >= 8.75
        looks.setdefault(len(sizes), set()).add((*sizes, *(f"{float(height):.1f}" for height in heights)))
    assert looks.keys() == {1, 2, 3}
    assert [len(different) for different in looks.values()] == [1, 1, 1]
    assert all(len(set(look)) == 2 for different in looks.values() for look in different)


def test_texts_of_scenarios_begin_at_one_distance_below_their_headings_and_clear_of_the_points() -> None:
    skips = set[tuple[str, float]]()
    for sitter in sitters(("scenario",), CARDS):
        svg = sitter.svg("default", "front")
        boxes = [float(y) for y in re.findall(r'<rect x="5\.5" y="([\d.]+)" [^>]*rx="2"', svg)]
        texts = re.findall(r'y="([\d.]+)" [^>]* style="body" [^>]*field="(ability|objective)"', svg)
        assert len(boxes) == len(texts) == 2
        skips |= {(field, round(float(y) - top, 1)) for top, (y, field) in zip(boxes, texts, strict=True)}
        (foot,) = [float(y) + float(r) for y, r in re.findall(r'cy="([\d.]+)" r="(5\.6)"', svg)]
        assert float(texts[1][0]) - foot >= 1.39
    assert len(skips) == 2


def test_both_texts_of_a_scenario_have_one_size() -> None:
    for sitter in sitters(("scenario",), CARDS):
        sizes = {fit.field: fit.size for fit in sitter.face().fits if isinstance(fit, Fit)}
        assert sizes["ability"] == sizes["objective"], sitter.entry.card.name


@pytest.mark.parametrize("each", sitters(("piece",), CARDS), ids=identity)
def test_the_words_of_a_piece_are_in_its_middle(each: Sitter) -> None:
    told = [(x, upper_edge(size, y), y) for _, size, x, y in runs(each.face())]
    assert (min(top for _, top, _ in told) + max(foot for *_, foot in told)) / 2 == pytest.approx(
        each.size.height / 2, abs=1
    )
    assert min(size for _, size, _, _ in runs(each.face())) >= 8
