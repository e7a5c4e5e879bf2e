"""Tokens, proxies, blank cards and rosters of all games: at their limits, and their geometry as it is printed."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image, ImageOps

from cardgen.deck.deck import load_deck
from cardgen.export.pdf.translator import translate
from cardgen.export.svg import render_face
from cardgen.face.face import Artwork, Fold, Text
from cardgen.model.card import Entry
from cardgen.print.documents import derive_pieces
from cardgen.print.render import CardRenderer
from cardgen.project.project import Project, Settings
from cardgen.rulesets.pieces import Box, Cylinder, Dial, Ruler, Standee
from cardgen.text.fonts import Fonts
from cardgen.text.lines import Fit, Run
from cardgen.units import MM_PER_POINT
from tests.cases import each_case
from tests.templates.sitters import COLOUR, HERE, KITS, THEMES, Sitter, corners, identity, seated, sitters

PIECES = ("token", "cylinder", "standee", "blank", "ruler", "warband", "box", "mat", "dial")
BACKED = ("token",)
Snapshot = Callable[[str, str], None]


def made() -> list[Sitter]:
    _, deck = load_deck(KITS)
    return seated(each for each in derive_pieces(deck.cards) if isinstance(each, Entry))


EXTREME = sitters(PIECES, HERE / "cards" / "pieces.yaml", HERE / "cards" / "warcry-pieces.yaml")
MADE = made()
ALL = [*EXTREME, *sitters(PIECES, *KITS), *MADE]


def of(kind: str, among: list[Sitter] = EXTREME) -> list[Sitter]:
    found = [sitter for sitter in among if sitter.entry.kind == kind]
    assert found
    return found


def prefix(sitter: Sitter) -> str:
    """Snapshots of the first game have none."""
    return "" if sitter.entry.game == "warniris" else f"{sitter.entry.game}-"


def test_all_kinds_are_looked_at() -> None:
    assert {sitter.entry.kind for sitter in EXTREME} == set(PIECES)
    assert len(MADE) == 3 * (12 + 3 + 15)
    assert len(ALL) == len(EXTREME) + (3 + 5 + 2 + 3) + (6 + 2 + 2 + 2) + len(MADE)


@pytest.mark.parametrize("sitter", of("box"), ids=identity)
def test_the_tongue_of_a_box_is_narrower_than_its_lid(sitter: Sitter) -> None:
    box = sitter.entry.card
    assert isinstance(box, Box)
    (net,) = re.findall(r'<cg:cut d="([^"]+)"', sitter.svg("default", "front"))
    points = [(0.0, 0.0)]
    for command, text in re.findall(r"([MLVHlQC])([^A-Za-z]*)", net):
        numbers = [float(each) for each in text.split()]
        x, y = points[-1]
        if command in "VH":
            points.append((x, numbers[0]) if command == "V" else (numbers[0], y))
        else:
            dx, dy = (x, y) if command == "l" else (0.0, 0.0)
            points += [(dx + one, dy + other) for one, other in zip(numbers[::2], numbers[1::2], strict=True)]
    lid, foot = box.shoulder - box.depth, box.shoulder + box.panel.height
    tongue = [x for x, y in points[1:] if y < lid - 0.5 and x < box.tab + box.panel.width + 0.01]
    assert max(tongue) - min(tongue) == pytest.approx(box.panel.width - 2 * box.inset)
    assert min(tongue) == pytest.approx(box.tab + box.inset)
    below = [y for x, y in points if box.tab - 0.01 <= x <= box.tab + box.panel.width + 0.01]
    assert foot + box.depth - box.paper in [pytest.approx(y) for y in below]


@pytest.mark.parametrize("bleed", [0.0, 1.0, 5.0])
def test_boxes_and_dials_have_the_bleed_of_the_project(bleed: float) -> None:
    project = Project(HERE, Settings(bleed=bleed))
    for sitter in (*of("box"), *of("dial")):
        renderer = CardRenderer(project).face_renderer(sitter.entry)
        svg = Sitter(sitter.entry, sitter.size, {"default": renderer}).svg("default", "front")
        card = sitter.entry.card
        if isinstance(card, Box):
            net = re.search(r'<path d="[^"]+" fill="#[^>]+>', svg)
            width = re.search(r'stroke-width="([^"]+)"', net[0] if net else "")
            assert (float(width[1]) if width else 0.0) == 2 * bleed
        else:
            assert isinstance(card, Dial)
            around = min(bleed, card.GAP / 2)
            circles = [float(each) for each in re.findall(r'<circle [^>]*r="([^"]+)" fill="#', svg)]
            assert circles == pytest.approx([card.side / 2 + around] * 2)


@each_case("sitter", EXTREME, ids=identity)
def test_fronts_are_as_they_were(sitter: Sitter, snapshot: Snapshot) -> None:
    snapshot(f"{prefix(sitter)}{identity(sitter)}.svg", sitter.svg("default", "front"))


@pytest.mark.parametrize("sitter", of("token"), ids=identity)
def test_backs_are_as_they_were(sitter: Sitter, snapshot: Snapshot) -> None:
    snapshot(f"{prefix(sitter)}{identity(sitter)}-back.svg", sitter.svg("default", "back"))


@each_case("theme", THEMES)
@each_case("sitter", ALL, ids=identity)
def test_everything_fits_in_type_of_7_points_or_more(sitter: Sitter, theme: str) -> None:
    sizes = [fit.size for fit in sitter.face(theme).fits if isinstance(fit, Fit)]
    assert sizes
    assert min(sizes) >= 7
    back = sitter.studios[theme].back(sitter.entry, sitter.size)
    assert back is None or back.diagnostics == ()
    assert (back is not None) == (sitter.entry.kind in BACKED or sitter.entry.card.back is not None)


@each_case("sitter", EXTREME, ids=identity)
def test_low_ink_differs_by_its_colours_only(sitter: Sitter) -> None:
    default, low_ink = (sitter.svg(theme, "front") for theme in THEMES)
    assert default != low_ink
    assert COLOUR.sub("#", default) == COLOUR.sub("#", low_ink)


@each_case("sitter", of("token", ALL), ids=identity)
def test_the_words_on_a_token_stay_inside_its_rings(sitter: Sitter) -> None:
    middle = sitter.size.width / 2
    for x, y in corners(sitter.face()):
        assert math.hypot(x - middle, y - middle) <= middle - 2.2


@each_case("sitter", [each for each in ALL if each.entry.kind != "token"], ids=identity)
def test_texts_stay_on_their_piece(sitter: Sitter) -> None:
    ends = list(corners(sitter.face()))
    assert ends
    for x, y in ends:
        assert 0.8 <= x <= sitter.size.width - 0.8
        assert 0.8 <= y <= sitter.size.height - 0.8


@each_case("theme", THEMES)
@each_case("sitter", ALL, ids=identity)
def test_artwork_is_drawn_without_cairo(sitter: Sitter, theme: str) -> None:
    faces = [sitter.face(theme)]
    if back := sitter.studios[theme].back(sitter.entry, sitter.size):
        faces.append(back.face)
    artwork = [item for face in faces for item in face.items if isinstance(item, Artwork)]
    assert artwork
    assert all(translate(item.svg) is not None for item in artwork)


SAFE = 3.0
DPI = 254


@each_case("sitter", of("cylinder", ALL) + of("standee", ALL) + of("ruler", ALL), ids=identity)
def test_the_ink_of_texts_on_proxies_and_rulers_stays_inside_the_safe_zone(sitter: Sitter) -> None:
    """Measured in the pixels of the texts alone, at ten pixels a millimeter."""
    face = sitter.face()
    texts = face._replace(items=tuple(painted_black(item) for item in face.items if isinstance(item, Text)), folds=())
    content = render_face(texts, "png", Fonts(), "Texts", DPI)
    ink = ImageOps.invert(Image.open(io.BytesIO(content)).convert("L")).getbbox()
    assert ink
    left, top, right, bottom = (edge * 25.4 / DPI for edge in ink)
    inside = (left, top, sitter.size.width - right, sitter.size.height - bottom)
    assert min(inside) >= SAFE - 0.05, inside


def painted_black(text: Text) -> Text:
    """Return the text in black, whatever it is printed on."""
    return text._replace(
        lines=tuple(
            line._replace(pieces=tuple(piece._replace(colour="#000000") for piece in line.pieces))
            for line in text.lines
        )
    )


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.name)
def test_one_wound_is_in_the_singular(kit: Path) -> None:
    (wounds,) = (each for each in sitters(("token",), kit) if each.entry.card.id == "wounds")
    assert ">Wound<" in wounds.svg("default", "front")
    assert ">Wounds<" in wounds.svg("default", "back")


def cylinder(sitter: Sitter) -> Cylinder:
    assert isinstance(sitter.entry.card, Cylinder)
    return sitter.entry.card


@each_case("sitter", of("cylinder", ALL), ids=identity)
def test_a_printed_wrap_closes_on_its_base(sitter: Sitter) -> None:
    """Bent round the base, the end of the wrap, where the tab is folded, meets its beginning."""
    card, face = cylinder(sitter), sitter.face()
    (fold,) = face.folds
    assert (fold.x1, fold.y1, fold.y2) == (fold.x2, 0, face.size.height)
    radius = (card.base + card.paper) / 2
    turned = fold.x1 / radius
    gap = math.hypot(radius * math.cos(turned) - radius, radius * math.sin(turned))
    assert gap < 0.05
    assert abs(turned - 2 * math.pi) < 0.1
    assert 6 <= round(face.size.width - fold.x1, 2) <= 8
    assert face.size.height == card.height


@each_case("sitter", of("cylinder", ALL), ids=identity)
def test_the_front_of_a_cylinder_is_in_the_middle_of_its_wrap(sitter: Sitter) -> None:
    found = re.search(r'<path d="M([\d.]+) [\d.]+h4.4l-2.2 2Z"', sitter.svg("default", "front"))
    assert found
    assert float(found[1]) + 2.2 == pytest.approx(cylinder(sitter).wrap / 2, abs=0.01)


@each_case("sitter", [each for each in of("cylinder", ALL) if each.entry.game == "warniris"], ids=identity)
def test_the_lozenges_of_a_cylinder_stand_clear_of_its_words(sitter: Sitter) -> None:
    svg = sitter.svg("default", "front")
    lozenges, *_ = re.findall(r'<path d="((?:M[\d.]+ [\d.]+(?:L[\d.]+ [\d.]+){3}Z){2,})" fill="#[0-9a-f]+"/>', svg)
    diamonds = [[float(each) for each in re.findall(r"[\d.]+", part)] for part in lozenges.split("Z")[:-1]]
    for text in (each for each in sitter.face().items if isinstance(each, Text) and each.matrix[1] == 0):
        for run in (piece for line in text.lines for piece in line.pieces if isinstance(piece, Run)):
            for _, top, right, _, _, bottom, left, _ in diamonds:
                if run.y - run.size * 0.7 * MM_PER_POINT < bottom and run.y > top:
                    assert max(run.x - right, left - run.x - run.width) > 1.4, run.text


@each_case("sitter", of("standee", ALL), ids=identity)
def test_a_standee_folds_onto_itself(sitter: Sitter) -> None:
    """Folded at its head, the back lies behind the front, upright, and the tabs meet at the foot."""
    card, face = sitter.entry.card, sitter.face()
    assert isinstance(card, Standee)
    wide, high = face.size
    foot, head, toe = (fold.y1 for fold in face.folds)
    assert face.folds == tuple(Fold(0, y, wide, y) for y in (foot, head, toe))
    assert head == pytest.approx(high / 2)
    assert toe - head == pytest.approx(head - foot) == pytest.approx(card.height)
    assert high - toe == pytest.approx(foot)
    texts = [item for item in face.items if isinstance(item, Text)]
    behind = [text for text in texts if text.matrix[0] == -1]
    before = [text for text in texts if text.matrix[0] == 1]
    assert {text.matrix[:4] for text in behind} == {(-1, 0, 0, -1)}
    assert all(y < head for text in behind for _, y in ends(text))
    assert all(y > head for text in before for _, y in ends(text))


def ends(text: Text) -> list[tuple[float, float]]:
    a, b, c, d, e, f = text.matrix
    return [
        (a * piece.x + c * piece.y + e, b * piece.x + d * piece.y + f) for line in text.lines for piece in line.pieces
    ]


def test_a_long_word_in_a_name_leaves_the_arms_of_a_standee_their_room() -> None:
    """Also where the type must be small: the plate is as high as the lines on it need."""
    _, deck = load_deck([HERE.parent.parent / "cards" / "skirmish"])
    entries = [each for each in derive_pieces(deck.cards) if isinstance(each, Entry)]
    (vane,) = seated(each for each in entries if each.kind == "standee" and "Ferrymistress" in each.card.name)
    card = vane.entry.card
    assert isinstance(card, Standee)
    names = [fit.box for fit in vane.face().fits if isinstance(fit, Fit) and fit.field == "name" and fit.box]
    box = max(names, key=lambda each: each.y)
    plate = 2 * (card.foot + 2 * card.height - 4.6 - box.y - box.height / 2)
    assert plate < 0.45 * card.height


def test_the_plates_of_standees_of_one_height_have_one_size() -> None:
    _, deck = load_deck([KITS[0].parent / "skirmish"])
    figures = seated(each for each in derive_pieces(deck.cards) if isinstance(each, Entry) and each.kind == "standee")
    plates: dict[tuple[float, float], set[tuple[str, ...]]] = {}
    for figure in figures:
        card = figure.entry.card
        assert isinstance(card, Standee)
        drawn = "".join(item.svg.decode() for item in figure.face().items if isinstance(item, Artwork))
        (plate,) = set(re.findall(r'<rect x="2\.2" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" rx="1"', drawn))
        plates.setdefault((card.base, card.height), set()).add(plate)
    assert len(figures) > 15
    assert [len(each) for each in plates.values()] == [1] * len(plates)


def front_name(sitter: Sitter) -> Fit:
    """Return how the name on the front of a figure fits."""
    names = (fit for fit in sitter.face().fits if isinstance(fit, Fit) and fit.field == "name" and fit.box)
    return max(names, key=lambda fit: (fit.box.bottom, fit.box.width) if fit.box else (0, 0))


@each_case("sitter", [each for each in of("standee", ALL) if each.entry.game == "warniris"], ids=identity)
def test_names_of_standees_stand_clear_of_the_rule_in_their_plate(sitter: Sitter) -> None:
    drawn = "".join(item.svg.decode() for item in sitter.face().items if isinstance(item, Artwork))
    corners = re.findall(r'd="M([\d.]+) [^"]*" fill="none" stroke="[^"]+" stroke-width="0.25"', drawn)
    box = front_name(sitter).box
    assert box is not None
    assert box.x - (float(corners[-1]) - 1.4) > 0.7


def test_names_on_leaning_plates_of_cylinders_have_one_size() -> None:
    """All but those that need two lines in smaller type."""
    sizes = [front_name(each).size for each in of("cylinder", MADE) if each.entry.game == "warcry"]
    assert sizes.count(max(sizes)) >= len(sizes) - 1


@each_case("sitter", of("standee", ALL), ids=identity)
def test_the_tabs_of_a_standee_stay_on_its_base(sitter: Sitter) -> None:
    card = sitter.entry.card
    assert isinstance(card, Standee)
    assert math.hypot(card.width / 2, card.foot) == pytest.approx(card.base / 2)


@pytest.mark.parametrize("sitter", of("blank"), ids=identity)
def test_lines_to_write_on_have_room_for_handwriting(sitter: Sitter) -> None:
    fields = sitter.face().fields
    assert fields
    names = [
        field
        for field in fields
        if re.match(r"(Ability|Effect|Text|Weapon|Fighter|Trait|Note) \d+$|Weapon \d \d$", field.name)
    ]
    groups: dict[str, list[float]] = {}
    for field in names:
        groups.setdefault(field.name.rpartition(" ")[0], []).append(field.box.bottom)
    assert groups
    for feet in groups.values():
        pitches = [lower - upper for upper, lower in pairwise(feet)]
        assert all(pitch >= 6 for pitch in pitches)


@each_case("sitter", [*of("blank"), *of("warband")], ids=identity)
def test_fields_do_not_overlap_and_stay_on_the_card(sitter: Sitter) -> None:
    fields = sitter.face().fields
    assert len({field.name for field in fields}) == len(fields) > 0
    for index, field in enumerate(fields):
        box = field.box
        assert box.x >= 3.3 and box.y >= 3.3
        assert box.right <= sitter.size.width - 3.3 and box.bottom <= sitter.size.height - 3.3
        for other in (each.box for each in fields[index + 1 :]):
            apart = box.right <= other.x or other.right <= box.x or box.bottom <= other.y or other.bottom <= box.y
            assert apart, (field.name, other)


def test_blank_cards_have_a_place_for_all_that_their_kind_has() -> None:
    names = {sitter.entry.card.id: {field.name for field in sitter.face().fields} for sitter in of("blank")}
    assert {"Name", "Mind", "Body", "Spirit", "Wounds", "Movement", "Weapon 1", "Weapon 1 T"} <= names["blank-minion"]
    assert names["blank-minion"] - {"Base"} <= names["blank-character"]
    assert {"Ability 1", "Motto", "O.C. by"} <= names["blank-character"]
    assert {"Name", "Text 1"} <= names["blank-relic"]
    assert {"Name", "Text 1", "VP"} <= names["blank-mission"]


@pytest.mark.parametrize(
    ("layout", "words"),
    [
        ("", ("CW R1 D1: When it deals **Damage**", "P R12 D1: When it deals **Damage**")),
        (".long", ("CW R1 D1 *(Effect)*", "P R12 D1 *(Effect)*")),
    ],
)
def test_a_roster_says_what_weapons_do_beside_their_line(layout: str, words: tuple[str, str]) -> None:
    """Pommel takes Movement off, and Blinding Light Mind; where room is short their datacards say how much."""
    (oath,) = (sitter for sitter in sitters(("warband",), KITS[0]) if sitter.entry.card.id == "the-ashen-oath")
    svg = oath.svg("default", "front", layout)
    for each in words:
        assert each in svg


def test_blank_rosters_have_a_place_for_a_whole_warband() -> None:
    rosters = {
        s.entry.game: {field.name for field in s.face().fields}
        for s in of("blank")
        if s.entry.card.id == "blank-roster"
    }
    fighter = ("Fighter", "Move", "Toughness", "Wounds", "Weapons", "Damage", "Points")
    assert {f"{each} {number}" for each in fighter for number in range(1, 16)} <= rosters["warcry"]
    assert {"Warband", "Points", "Faction", "Trait 1"} <= rosters["warcry"]
    character = ("Name", "Mind", "Body", "Spirit", "Wounds", "Movement", "Relic")
    assert {f"{each} {number}" for each in character for number in range(1, 5)} <= rosters["warniris"]


def ruler(sitter: Sitter) -> Ruler:
    assert isinstance(sitter.entry.card, Ruler)
    return sitter.entry.card


@pytest.mark.parametrize("sitter", of("ruler", ALL), ids=identity)
def test_the_scale_of_a_ruler_begins_and_ends_at_its_cuts(sitter: Sitter) -> None:
    card, unit = ruler(sitter), {"cm": 10.0, "in": 25.4}[ruler(sitter).unit]
    assert sitter.face().size.width == pytest.approx(card.length * unit)
    found = re.findall(r"M([\d.]+) -[\d.]+V([\d.]+)", sitter.svg("default", "front"))
    long_ticks = sorted({float(x) for x, y in found if float(y) > 4})
    assert long_ticks == pytest.approx([number * unit for number in range(1, card.length)])
    assert len({float(x) for x, _ in found}) == card.length * {"cm": 10, "in": 8}[card.unit] - 1


@pytest.mark.parametrize("sitter", of("ruler", ALL), ids=identity)
def test_zones_of_a_ruler_have_their_numbers_in_the_middle_and_units_are_no_capitals(sitter: Sitter) -> None:
    words = [item for item in sitter.face().items if isinstance(item, Text)]
    lines = [line for item in words for line in item.lines if line.pieces and line.pieces[0].y > 14]
    assert lines
    assert not any("CM" in line.text for line in lines)
    assert any(" cm" in line.text for line in lines) is (ruler(sitter).unit == "cm")
    middle = sitter.size.height - 8.6 / 2
    for line in lines:
        (first, *_) = line.pieces
        assert abs(first.y - 0.35 * first.size * MM_PER_POINT - middle) < 0.3


@pytest.mark.parametrize("sitter", of("ruler", ALL), ids=identity)
def test_the_bar_of_a_ruler_is_as_long_as_it_says(sitter: Sitter) -> None:
    svg = sitter.svg("default", "front")
    bar = re.search(r"M([\d.]+) 11.3H([\d.]+)M", svg)
    said = re.search(r"(\d+) mm", svg)
    assert bar and said
    assert float(bar[2]) - float(bar[1]) == pytest.approx(float(said[1]))
