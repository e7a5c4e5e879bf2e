"""What only a drawn card shows: text that does not fit, characters without a shape, small type, coarse pictures."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from cardgen.checking.check import ExpectedFinding
from cardgen.checking.runner import CheckResult
from cardgen.project_checks.run import CheckRequest, check_project
from tests.checking.harness import checked, found_marks
from tests.projects import MINION, Folder

RELIC = "kind: relic\nname: Sun Stone\n"
LONG = "One of many words that nobody will ever read to the end of it all. " * 20


def drawn(folder: Path, text: str) -> CheckResult:
    return checked(folder, text, request=CheckRequest(fit=True))


def test_a_text_that_does_not_fit_has_a_place(tmp_path: Path) -> None:
    outcome = drawn(tmp_path, f"{RELIC}text: {LONG}\n")
    assert found_marks(outcome) == (ExpectedFinding("CG501", 3, 7),)
    assert "% full at 7 pt" in outcome.findings[0].diagnostic.message


def test_a_character_or_icon_that_does_not_exist_is_said_once_at_its_place(tmp_path: Path) -> None:
    assert found_marks(drawn(tmp_path, f"{RELIC}text: Its bearer knows 𓀀 well.\n")) == (
        ExpectedFinding("CG135", 3, 24),
    )
    outcome = drawn(tmp_path, f"{RELIC}text: Its bearer knows 𓀀𓀁 and \u2067\u2069𓀂 well.\n")
    assert [each.diagnostic.message for each in outcome.findings] == [
        "no font has '𓀀' (U+13000) and 2 other characters of its script"
    ]
    assert found_marks(drawn(tmp_path, f"{RELIC}text: Its bearer knows {{hart}}.\n")) == (
        ExpectedFinding("CG123", 3, 24),
    )
    assert found_marks(drawn(tmp_path, f"{RELIC}text: Its bearer [knows]{{.strik}}.\n")) == (
        ExpectedFinding("CG136", 3, 26),
    )


def test_a_character_that_another_font_has_is_printed_in_that(tmp_path: Path) -> None:
    assert found_marks(drawn(tmp_path, f"{RELIC}text: Its bearer knows ★ and → well.\n")) == ()


def test_the_text_of_a_list_is_printed_on_its_roster(tmp_path: Path) -> None:
    warrior = "{kind: warrior, name: Ada, m: 4, ws: 3, bs: 3, s: 3, t: 3, w: 1, i: 3, a: 1, ld: 7, points: 8}"
    band = f"kind: warband, name: Band, members: [{{Ada: 3}}], leader: Ada, text: {LONG[:200]}"
    outcome = drawn(tmp_path, f"game: skirmish\ncards:\n  - {warrior}\n  - {{{band}}}\n")
    assert not {"CG126", "CG501", "CG563"} & {mark.code for mark in found_marks(outcome)}
    hero = "role: hero, disk: large, faction: order, attack: 1, counter: 1, toughness: 1, movement: 1, recruitment: 9"
    disk = f"{{kind: disk, name: Ida, {hero}, command: 1}}"
    army = f"kind: army, name: Few, regiments: [{{hero: Ida, units: []}}], text: {LONG[:200]}"
    outcome = drawn(tmp_path, f"game: diskwars\ncards:\n  - {disk}\n  - {{{army}}}\n")
    assert not {"CG126", "CG501", "CG563"} & {mark.code for mark in found_marks(outcome)}


def test_cards_are_not_drawn_unless_somebody_asks(tmp_path: Path) -> None:
    text = f"{RELIC}text: {LONG}\n"
    assert found_marks(checked(tmp_path, text)) == ()
    assert found_marks(checked(tmp_path, text, request=CheckRequest(select=("CG501",)))) == (
        ExpectedFinding("CG501", 3, 7),
    )


@pytest.mark.parametrize(("pixels", "found"), [(2000, ()), (80, (ExpectedFinding("CG506", 3, 6),))])
def test_a_picture_needs_pixels_enough_for_its_size(
    tmp_path: Path, pixels: int, found: tuple[ExpectedFinding, ...]
) -> None:
    Image.new("RGB", (pixels, pixels)).save(tmp_path / "sun.png")
    outcome = drawn(tmp_path, f"{RELIC}art: sun.png\neffects: [{{when: turn_start, bearer: {{heal: 1}}}}]\n")
    assert found_marks(outcome) == found


@pytest.mark.parametrize(
    ("setting", "place"),
    [
        ("back: back.png", (2, 7)),
        ("back:\n  minion: front.svg\n  relic: back.png", (4, 10)),
        ("back: {kind: relic, back: back.png}", (2, 27)),
        ("back: [{back: back.png}]", (2, 15)),
    ],
)
@pytest.mark.parametrize("code", ["CG506", "CG508"])
def test_the_picture_of_a_back_is_found_once_where_the_settings_name_it(
    folder: Folder, code: str, setting: str, place: tuple[int, int]
) -> None:
    name, sides = ("back.png", 80) if code == "CG506" else ("back.gif", 2000)
    frames = [Image.new("RGB", (sides, sides), colour) for colour in ("red", "blue")]
    frames[0].save(folder.root / name, save_all=True, append_images=frames[1:])
    folder.write("front.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>')
    folder.write("cardgen.yaml", f"game: warniris\n{setting.replace('back.png', name)}\n")
    for card in ("Ash", "Coal"):
        folder.write(f"cards/{card}.yaml", f"kind: relic\nname: {card}\ntext: A text.\n")
    assert found_in(folder, code) == [("cardgen.yaml", *place)]


def test_a_picture_of_backs_of_several_sizes_is_found_at_the_largest(folder: Folder) -> None:
    Image.new("RGB", (248, 346)).save(folder.root / "back.png")
    folder.write(
        "cardgen.yaml", "game: warniris\nbleed: 0\nsizes: {relic: 63mm x 88mm, minion: 126mm x 176mm}\nback: back.png\n"
    )
    folder.write("cards/a.yaml", "kind: relic\nname: Ash\ntext: A text.\n")
    folder.write("cards/b.yaml", MINION)
    found = check_project(CheckRequest(fit=True)).findings
    messages = [each.diagnostic.message for each in found if each.check.code == "CG506"]
    assert messages == ["'back.png' has only 50 dpi at its printed size"]


def test_a_coarse_picture_is_found_at_the_back_of_its_card_or_in_the_template_that_prints_it(folder: Folder) -> None:
    Image.new("RGB", (80, 80)).save(folder.root / "seal.png")
    folder.write("cardgen.yaml", "game: warniris\n")
    folder.write("cards/a.yaml", "kind: relic\nname: Ash\ntext: A text.\nback: seal.png\n")
    assert found_in(folder, "CG506") == [("cards/a.yaml", 4, 7)]
    svg = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="https://cardgen.dev/svg">\n{}\n</svg>'
    box = '<cg:art x="9" y="9" width="40" height="40" file="seal.png"/>'
    folder.write("templates/warniris/relic.svg.j2", svg.format(box))
    folder.write("cards/a.yaml", "kind: relic\nname: Ash\ntext: A text.\n")
    (found,) = found_in(folder, "CG506")
    assert found == ("templates/warniris/relic.svg.j2", 2, box.index("seal") + 1)


def found_in(folder: Folder, code: str) -> list[tuple[str, int, int]]:
    places = [
        each.diagnostic.place for each in check_project(CheckRequest(fit=True)).findings if each.check.code == code
    ]
    return [(place.file, place.span.line, place.span.column) for place in places if place.span]


def test_an_animated_picture_is_noted(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (2000, 2000), colour) for colour in ("red", "blue")]
    frames[0].save(tmp_path / "sun.gif", save_all=True, append_images=frames[1:])
    outcome = drawn(tmp_path, f"{RELIC}art: sun.gif\neffects: [{{when: turn_start, bearer: {{heal: 1}}}}]\n")
    assert found_marks(outcome) == (ExpectedFinding("CG508", 3, 6),)


def test_vectors_have_no_resolution(tmp_path: Path) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>'
    (tmp_path / "sun.svg").write_text(svg, encoding="utf-8")
    outcome = drawn(tmp_path, f"{RELIC}art: sun.svg\neffects: [{{when: turn_start, bearer: {{heal: 1}}}}]\n")
    assert found_marks(outcome) == ()


def test_what_a_vector_picture_cannot_have_is_found_in_its_lines(tmp_path: Path) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">\n<text/>\n<image/></svg>'
    (tmp_path / "sun.svg").write_text(svg, encoding="utf-8")
    outcome = drawn(tmp_path, f"{RELIC}art: sun.svg\neffects: [{{when: turn_start, bearer: {{heal: 1}}}}]\n")
    assert found_marks(outcome) == (ExpectedFinding("CG120", 2, 1), ExpectedFinding("CG120", 3, 1))


def test_a_back_that_is_missing_is_named_once(tmp_path: Path) -> None:
    outcome = drawn(tmp_path, f"{RELIC}back: sun.png\neffects: [{{when: turn_start, bearer: {{heal: 1}}}}]\n")
    assert found_marks(outcome) == (ExpectedFinding("CG128", 3, 7),)


def test_a_picture_that_is_missing_is_named_once(tmp_path: Path) -> None:
    outcome = drawn(tmp_path, f"{RELIC}art: sun.png\neffects: [{{when: turn_start, bearer: {{heal: 1}}}}]\n")
    assert found_marks(outcome) == (ExpectedFinding("CG120", 3, 6),)


def test_a_picture_that_is_none_has_a_place(tmp_path: Path) -> None:
    (tmp_path / "sun.png").write_text("no picture", encoding="utf-8")
    outcome = drawn(tmp_path, f"{RELIC}art: sun.png\neffects: [{{when: turn_start, bearer: {{heal: 1}}}}]\n")
    assert found_marks(outcome) == (ExpectedFinding("CG504", 3, 6),)


def test_type_below_the_floor(tmp_path: Path) -> None:
    folder = tmp_path / "templates" / "warniris"
    folder.mkdir(parents=True)
    template = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="https://cardgen.dev/svg">'
        '<cg:text x="3" y="3" width="35" height="57" style="body" min-size="5" field="text">'
        "{{ describe(card) }}</cg:text></svg>"
    )
    (folder / "tiny.svg.j2").write_text(template, encoding="utf-8")
    text = f"{RELIC}template: tiny\nback: relic\ntext: {LONG[:1050]}\n"
    assert [mark.code for mark in found_marks(drawn(tmp_path, text))] == ["CG505"]


@pytest.mark.parametrize(("line", "code"), [("size: huge", "CG122"), ("template: sunny", "CG121")])
def test_what_a_check_has_said_already_is_not_said_by_drawing_too(tmp_path: Path, line: str, code: str) -> None:
    outcome = drawn(tmp_path, f"{RELIC}{line}\neffects: [{{when: turn_start, bearer: {{heal: 1}}}}]\n")
    assert code in [mark.code for mark in found_marks(outcome)]
    places = [one.diagnostic.place for one in outcome.findings]
    assert len(set(places)) == len(places)


@pytest.mark.parametrize(("words", "found"), [("Ring it.", ()), (LONG[:270], (ExpectedFinding("CG507", 3, 8),))])
def test_a_motto_without_room_is_told(tmp_path: Path, words: str, found: tuple[ExpectedFinding, ...]) -> None:
    outcome = drawn(tmp_path, f"{RELIC}motto: It shines.\ntext: {words}\n")
    assert found_marks(outcome) == found


WEAPON = "{{name: Axe {}, type: CW, range: 1, penetration: 1, damage: 1, text: {}}}"
ARMED = f"weapons: [{', '.join(WEAPON.format(n, 'This rings. ' * 9) for n in range(2))}]"


@pytest.mark.parametrize(
    "card",
    [
        f"game: warniris\n{MINION.partition('weapons')[0]}{ARMED}\nmotto: It shines.\n",
        f"game: warniris\n{MINION}motto: {LONG}\n",
        f"game: warcry\nkind: ability\nname: Sun\nprice: double\nmotto: It shines.\ntext: {LONG[:800]}\n",
        f"game: warcry\nkind: trait\nname: Sun\nrunemark: cypher-lords\nmotto: It shines.\ntext: {LONG[:760]}\n",
    ],
)
def test_a_card_of_any_kind_gives_up_its_motto_before_it_is_too_full(tmp_path: Path, card: str) -> None:
    outcome = drawn(tmp_path, card)
    codes = [mark.code for mark in found_marks(outcome)]
    assert "CG507" in codes
    assert "CG501" not in codes


def test_a_layout_with_more_room_keeps_the_motto(tmp_path: Path) -> None:
    pike = "{name: Pike, type: CW, range: 2, damage: 2, effects: [{target: {movement: -4}, for: turn}]}"
    text = f"game: warniris\n{MINION.partition('weapons')[0]}weapons: [Bow: RW R9 D1, {pike}]\nmotto: It shines.\n"
    assert "CG507" not in [mark.code for mark in found_marks(drawn(tmp_path, text))]


def test_a_layout_without_room_for_the_picture_is_told(tmp_path: Path) -> None:
    pike = "{name: Pike, type: CW, range: 2, damage: 2, effects: [{target: {movement: -4}, for: turn}]}"
    Image.new("RGB", (900, 900)).save(tmp_path / "pike.png")
    minion = f"game: warniris\n{MINION.partition('weapons')[0]}art: pike.png\nmotto: It shines.\nweapons: "
    assert "CG509" in [mark.code for mark in found_marks(drawn(tmp_path, f"{minion}[Bow: RW R9 D1, {pike}]\n"))]
    assert "CG509" not in [mark.code for mark in found_marks(drawn(tmp_path, f"{minion}[Bow: RW R9 D1]\n"))]


def test_a_template_without_a_place_for_the_motto_is_told_once(tmp_path: Path) -> None:
    folder = tmp_path / "templates" / "warniris"
    folder.mkdir(parents=True)
    (folder / "bare.svg.j2").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>', encoding="utf-8")
    outcome = drawn(tmp_path, f"{RELIC}motto: It shines.\ntemplate: bare\nback: relic\neffects: []\ntext: It rings.\n")
    assert [mark.code for mark in found_marks(outcome)].count("CG507") == 0
    assert "CG126" in [mark.code for mark in found_marks(outcome)]
