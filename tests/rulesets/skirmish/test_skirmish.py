"""The game file and the sample kit of skirmishes: facts of the rules, and what the guidelines ask for."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
import yaml

from cardgen.cli import run
from cardgen.deck.deck import built_in_cards, load_content, require_game
from cardgen.game_file.example_run import run_examples
from cardgen.game_file.loader import compile_game, read_game
from cardgen.project.files import built_in_folder
from cardgen.project.project import Project
from cardgen.project_checks.run import CheckRequest
from cardgen.rulesets import skirmish
from cardgen.source import read_document
from tests.cases import each_case
from tests.checking.harness import checked, found_marks

FOLDER = Path(skirmish.__file__).parent
CARDS: dict[tuple[str, str], Any] = {
    (entry.kind, entry.card.name): entry.card for entry in built_in_cards(Project(Path.cwd()), "skirmish")
}
WARBANDS = ("The Ferry Watch", "The Mire Court")
SCENARIOS = [card for (kind, _), card in CARDS.items() if kind == "scenario"]
WARRIOR = (
    "game: skirmish\nkind: warrior\nname: Ada\nm: 4\nws: 3\nbs: 3\ns: 3\nt: 3\nw: 1\ni: 3\na: 1\nld: 7\npoints: 5\n"
)


def weapon(name: str) -> dict[str, Any]:
    """The numbers and rules of a weapon that differ from a hand weapon's without its bonus for shields."""
    numbers = CARDS["weapon", name].model_dump(exclude_defaults=True, exclude={"name", "id", "text", "blazon"})
    return {**numbers, **({"rules": set(numbers["rules"])} if "rules" in numbers else {})}


def members(name: str) -> list[Any]:
    return [CARDS["warrior", each.card] for each in CARDS["warband", name].members for _ in range(each.qty)]


def codes(folder: Path, text: str) -> set[str]:
    return {mark.code for mark in found_marks(checked(folder, text, request=CheckRequest(select=("WS",))))}


def test_the_examples_of_all_checks_do_what_they_say() -> None:
    context = read_game(read_document(FOLDER / "game.yaml", "game.yaml"), FOLDER)
    compile_game(context)
    assert run_examples(context) == 2 * len(context.spec.checks) > 80
    assert context.problems == []


# Facts 17.1 to 17.17 of the weapons.
@each_case(
    ("name", "numbers"),
    [
        ("Hand Weapon", {"rules": {"parry"}}),
        ("Two Hand Weapons", {"hands": 2, "attacks": 1, "rules": {"foot-only"}}),
        ("Halberd", {"bonus": 1, "hands": 2}),
        ("Spear", {"charge_bonus": 1, "rules": {"rider-charge"}}),
        ("Great Weapon", {"bonus": 2, "hands": 2, "rules": {"strikes-last"}}),
        ("Flail", {"first_bonus": 2, "hands": 2}),
        ("Morning Star", {"first_bonus": 1}),
        ("Lance", {"charge_bonus": 2, "rules": {"mounted-only"}}),
        ("Short Bow", {"range": 16, "strength": 3, "hands": 2}),
        ("Bow", {"range": 24, "strength": 3, "hands": 2}),
        ("Longbow", {"range": 30, "strength": 3, "hands": 2}),
        ("Crossbow", {"range": 30, "strength": 4, "hands": 2, "rules": {"move-or-fire"}}),
        ("Repeater Crossbow", {"range": 24, "strength": 3, "hands": 2, "shots": 2, "shots_penalty": 1}),
        ("Sling", {"range": 18, "strength": 3, "shots": 2, "shots_within": 9}),
        ("Handgun", {"range": 24, "strength": 4, "piercing": 1, "hands": 2, "rules": {"move-or-fire"}}),
        ("Pistol", {"range": 8, "strength": 4, "piercing": 1, "rules": {"pistol"}}),
        ("Javelin", {"range": 8, "rules": {"thrown"}}),
        ("Throwing Knife", {"range": 6, "rules": {"thrown"}}),
        ("Throwing Axe", {"range": 6, "bonus": 1, "rules": {"thrown"}}),
    ],
)
def test_weapons_have_their_numbers(name: str, numbers: dict[str, Any]) -> None:
    assert weapon(name) == numbers


def test_pistols_in_close_combat_improve_one_attack_or_all() -> None:
    brace = {"hands": 2, "attacks": 1, "first_strength": 4, "piercing": 1}
    assert weapon("Brace of Pistols") == {**brace, "rules": {"foot-only"}}
    assert weapon("Pistol and Hand Weapon") == {**brace, "rules": {"foot-only", "extra-only"}}


@pytest.mark.parametrize(
    ("worn", "save", "with_hand_weapon"),
    [
        ("{}", 7, 7),
        ("{armor: light}", 6, 6),
        ("{shield: true}", 6, 5),
        ("{armor: light, shield: true}", 5, 4),
        ("{armor: heavy}", 5, 5),
        ("{armor: heavy, shield: true}", 4, 3),
        ("{mount: {name: Pony, m: 8, ws: 3, s: 3, i: 3, a: 1}}", 6, 6),
        ("{armor: heavy, shield: true, mount: {name: Pony, m: 8, ws: 3, s: 3, i: 3, a: 1, barded: true}}", 2, 2),
        ("{save: 4, shield: true}", 3, 2),
    ],
)
def test_saves_follow_the_chart(worn: str, save: int, with_hand_weapon: int) -> None:
    model: Any = require_game("skirmish").kinds["warrior"].model
    profile = dict.fromkeys(("m", "ws", "bs", "s", "t", "w", "i", "a", "ld", "points"), 3)
    warrior = model(name="Ada", **profile, **yaml.safe_load(worn))
    assert skirmish.save_with(warrior) == save
    assert skirmish.save_with(warrior, CARDS["weapon", "Hand Weapon"]) == with_hand_weapon


def test_a_weapon_for_two_hands_leaves_none_for_a_shield() -> None:
    keeper = CARDS["warrior", "Toll Keeper"]
    assert [skirmish.save_with(keeper, CARDS["weapon", name]) for name in ("Halberd", "Morning Star")] == [6, 5]
    assert skirmish.save_with(keeper, CARDS["weapon", "Bow"]) == 6


@each_case(
    ("change", "code", "found"),
    [
        ("m: 4", "WS101", False), ("m: 10", "WS101", False), ("m: 11", "WS101", True),  # 3.5
        ("wizard: 1", "WS313", False), ("wizard: 2", "WS313", True),  # 2.3
        ("rules: [Flying]", "WS314", True), ("rules: [War Machine]", "WS314", True),  # 15.7, 15.4
        ("rules: [Chariot]", "WS314", True), ("rules: [Fear]", "WS314", False),
        ("weapons: [Lance]", "WS371", True), ("weapons: [Spear]", "WS371", False),  # 17.7, 17.4
        ("weapons: [Two Hand Weapons]", "WS371", False), ("weapons: [Bow]", "WS371", False),  # 17.2
        ("rules: [Killing Blow]", "WS372", False), ("rules: [Killing Blows]", "WS372", True),
        ("text: It has Rend −1.", "WS201", True), ("text: It has Strength 4.", "WS201", False),
        ("text: It moves 12 cm.", "WS200", True),
    ],
)  # fmt: skip
def test_checks_begin_where_the_rules_say(change: str, code: str, found: bool, tmp_path: Path) -> None:
    text = WARRIOR.replace("m: 4\n", "") if change.startswith("m:") else WARRIOR
    assert (code in codes(tmp_path, f"{text}{change}\n")) is found


@pytest.mark.parametrize(
    ("points", "copies", "code"),
    [(90, 1, "WS332"), (100, 1, ""), (250, 1, ""), (251, 1, "WS332"), (10, 15, ""), (10, 16, "WS333")],
)
def test_forces_have_100_to_250_points_and_fifteen_models(points: int, copies: int, code: str, tmp_path: Path) -> None:
    warrior = WARRIOR.replace("points: 5", f"points: {points}\nrank: lord")
    (tmp_path / "ada.yaml").write_text(warrior, encoding="utf-8")
    text = f"game: skirmish\nkind: warband\nname: W\nleader: Ada\nmembers: [{{Ada: {copies}}}]\n"
    assert codes(tmp_path, text) & {"WS332", "WS333"} == ({code} if code else set())


@pytest.mark.parametrize("name", WARBANDS)
def test_the_warbands_follow_the_guidelines(name: str) -> None:
    force = members(name)
    assert len(force) <= 15
    assert 100 <= sum(each.points for each in force) == CARDS["warband", name].points <= 250
    leader = CARDS["warrior", CARDS["warband", name].leader]
    assert leader.rank == "hero"
    assert sum(each.wizard for each in force) <= 1


def test_the_warbands_use_every_rule_and_almost_every_weapon() -> None:
    force = [each for name in WARBANDS for each in members(name)]
    absent = {"Chariot", "Flying", "Musician", "Standard", "War Machine"}
    special = {term.name for term in require_game("skirmish").terms[:19]}
    assert {rule for each in force for rule in each.rules} & special == special - absent
    assert {"Great Weapon", "Flail", "Lance", "Halberd", "Handgun", "Pistol", "Sling"} <= {
        weapon for each in force for weapon in each.weapons
    }


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda card: card.id)
def test_scenarios_follow_the_guidelines(scenario: Any) -> None:
    assert scenario.reason
    assert scenario.victory
    for force in scenario.forces:
        assert 100 <= force.points_min <= force.points_max <= 250
        assert force.models_max <= 15
    assert {force.side for force in scenario.forces} == {zone.side for zone in scenario.zones}
    assert set(scenario.switches or ()) <= {ruling.id for ruling in require_game("skirmish").rulings}


def test_there_are_four_scenarios_and_a_card_for_injuries() -> None:
    assert len(SCENARIOS) == 4
    rows = CARDS["aid", "Injuries"].rows
    assert [(row.roll, row.result.split(":")[0]) for row in rows] == [
        ("1 or 2", "Knocked down"), ("3 or 4", "Stunned"), ("5 or 6", "Out of action")
    ]  # fmt: skip


def test_every_open_point_and_every_house_rule_is_a_ruling() -> None:
    rulings = require_game("skirmish").rulings
    assert len(rulings) == 55
    assert [each.id for each in rulings[:5]] == ["single-target", "unit-casters", "cavalry", "poison", "swarms"]
    assert all(len(each.settings) >= 2 for each in rulings)


def test_the_sheets_quote_what_the_referee_uses() -> None:
    content = load_content(require_game("skirmish"))
    facts = {name: content.inline_values["fact"](name, None) for name in ("jump", "gap", "edge", "leader", "soft")}  # type: ignore[arg-type]
    assert facts == {"jump": '6"', "gap": '3"', "edge": '1"', "leader": '6"', "soft": "−1"}
    sheets = {path.stem: path.read_text(encoding="utf-8") for path in content.sheets.glob("*.yaml")}
    assert set(sheets) == {"turn-and-combat", "injuries-and-morale", "booklet"}
    shown = set(re.findall(r"show: ([a-z-]+)", " ".join(sheets.values())))
    assert set(content.content_providers) - {"cards", "texts"} <= shown


def test_every_kind_has_a_template_and_a_back() -> None:
    folder = built_in_folder("templates") / "skirmish"
    for kind in ("warrior", "weapon", "scenario", "aid"):
        assert (folder / f"{kind}.svg.j2").is_file()
        assert (folder / f"{kind}.back.svg.j2").is_file()
    assert (folder / "warband.svg.j2").is_file()


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
def test_the_map_of_a_scenario_tells_its_size_its_scale_and_all_names(scenario: Any, tmp_path: Path) -> None:
    folder = Path(__file__).parents[3] / "cards" / "skirmish"
    assert run(["build", str(folder), "--only", scenario.id, "--format", "pdf", "-o", str(tmp_path), "-q"]) == 0
    (path,) = tmp_path.glob("*.pdf")
    with pypdfium2.PdfDocument(path) as document:
        printed = " ".join(" ".join(page.get_textpage().get_text_range() for page in document).split())
    assert f'Table {scenario.table_width}" by {scenario.table_depth}"; squares of 6"' in printed.replace("”", '"')
    assert [each.name for each in scenario.terrain if each.name not in printed] == []
    for name, setting in (scenario.switches or {}).items():
        assert skirmish.ruling_answer(name, setting) in printed
        assert f"{name}:" not in printed


@each_case(
    ("band", "found"),
    [
        ("leader: Ada, points: 9, members: [Ada, {Bea: 2}]", ["WS331", "WS332"]),
        ("leader: Bea, members: [{Ada: 20}]", ["WS333", "WS334"]),
        ("leader: Ada, points: 9, members: [Ada, Beaa]", ["CG115"]),
        ("leader: Ada, members: [Ada, Bea x2]", ["CG115"]),
        ("leader: Adda, members: [{Ada: 20}]", ["CG115", "WS333"]),
        ("leader: Cid, points: 9, members: [Ada, Cid]", ["CG103"]),  # who cannot be read
    ],
)
def test_nothing_is_said_of_a_member_who_is_not_there(band: str, found: list[str], tmp_path: Path) -> None:
    people = "".join(
        f"  - {{kind: warrior, name: {name}, m: 4, ws: 3, bs: 3, s: 3, t: 3, w: 1, i: 3, a: 1, ld: {ld}, points: 5}}\n"
        for name, ld in (("Ada", 7), ("Bea", 7), *([("Cid", "high")] if "Cid" in band else []))
    )
    text = f"game: skirmish\ncards:\n{people}  - {{kind: warband, name: Band, {band}}}\n"
    request = CheckRequest(select=("WS331", "WS332", "WS333", "WS334", "WS335"))
    assert [mark.code for mark in found_marks(checked(tmp_path, text, request=request))] == found
