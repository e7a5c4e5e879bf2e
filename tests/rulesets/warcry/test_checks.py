"""Where the checks of Warcry begin and end: what just passes, and what just does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.project_checks.run import CheckRequest
from tests.cases import each_case
from tests.checking.harness import checked, found_marks

FIGHTER = """game: warcry
kind: fighter
name: Asha
faction: {faction}
runemarks: [{marks}]
stats: {{M: {move}, T: 4, W: 10}}
points: 70
weapons: [{{Iron: {line} A3 S4 D1/4}}]
"""
ABILITY = """game: warcry
kind: ability
name: Warpath
price: {price}
runemarks: [{marks}]
changes: [{change}]
"""
TEXT = "game: warcry\nkind: ability\nname: Shove\nprice: double\ntext: {text}\n"


def codes(folder: Path, text: str, select: str) -> list[str]:
    return [mark.code for mark in found_marks(checked(folder, text, request=CheckRequest(select=(select,))))]


def fighter(faction: str = "skaven", marks: str = "hero", move: int = 5, line: str = "axe R1") -> str:
    return FIGHTER.format(faction=faction, marks=marks, move=move, line=line)


@each_case(
    ("line", "found"),
    [
        ("sword R6-20", 1),
        ("axe R2-12", 0),
        ("unarmed R3-13", 1),
        ("reach R3", 0),
        ("ranged R1", 1),
        ("ranged R3", 1),
        ("ranged R2-4", 0),
        ("ranged R3-30", 0),
        ("ranged R9-3", 0),
        ("blast R3", 0),
        ("blast R6-20", 0),
    ],
)
def test_shapes_suit_their_range(line: str, found: int, tmp_path: Path) -> None:
    assert codes(tmp_path, fighter(line=line), "WC306") == ["WC306"] * found


@pytest.mark.parametrize(
    ("faction", "marks", "found"),
    [
        ("skaven", "hero, beast", []),
        ("chaos", "hero", []),
        ("order", "skaven", ["WC128"]),
        ("skaven", "chaos, the-unmade", []),
        ("skaven", "order, nighthaunt", ["WC128", "WC128"]),
        ("skaven", "hero, Hero, beast", ["WC129"]),
        ("skaven", "skaven", ["WC129"]),
        ("beast", "hero", ["WC127"]),
    ],
)
def test_runemarks_of_a_fighter(faction: str, marks: str, found: list[str], tmp_path: Path) -> None:
    text = fighter(faction, marks)
    assert [code for select in ("WC127", "WC128", "WC129") for code in codes(tmp_path, text, select)] == found


@pytest.mark.parametrize(
    ("marks", "found"),
    [
        ("skaven, chaos", 0),
        ("chaos, skaven", 0),
        ("skaven, beast", 0),
        ("skaven, order", 1),
        ("order, chaos", 1),
        ("chaos, skaven, the-unmade", 1),
        ("hero, beast", 0),
        ("my-own, hero", 0),
    ],
)
def test_abilities_of_two_factions(marks: str, found: int, tmp_path: Path) -> None:
    text = ABILITY.format(price="double", marks=marks, change="{move: +2, for: activation}")
    assert codes(tmp_path, text, "WC130") == ["WC130"] * found


@pytest.mark.parametrize(
    ("price", "change", "found"),
    [
        ("double", "{move: +1}", 1),
        ("quad", "{attacks: +1, weapon: melee}", 1),
        ("triple", "{move: +1, for: round}", 0),
        ("double", "{heal: value}", 0),
        ("quad", "{bonus_attack: true}", 0),
        ("free", "{move: +1}", 0),
        ("action", "{move: +1}", 0),
    ],
)
def test_what_dice_pay_for_ends(price: str, change: str, found: int, tmp_path: Path) -> None:
    assert codes(tmp_path, ABILITY.format(price=price, marks="hero", change=change), "WC308") == ["WC308"] * found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It makes an armour save.", 1),
        ("No Ward Saves against this.", 1),
        ("It loses 2 Health.", 1),
        ("It is in good health.", 0),
        ("Save the wild dice, and rend your clothes.", 0),
    ],
)
def test_words_of_other_games(text: str, found: int, tmp_path: Path) -> None:
    assert codes(tmp_path, TEXT.format(text=text), "WC202") == ["WC202"] * found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Roll a die. On a 7+ it falls.", 1),
        ("Roll a die. On a 6+ it falls.", 0),
        ("Roll 2D6. On an 8+ it falls.", 0),
        ("Roll two dice. On a 9+ it falls.", 0),
    ],
)
def test_results_that_dice_never_show(text: str, found: int, tmp_path: Path) -> None:
    assert codes(tmp_path, TEXT.format(text=text), "CG205") == ["CG205"] * found


@pytest.mark.parametrize(
    ("members", "found"),
    [
        ([("own", 3)], 0),
        ([("own", 4)], 1),
        ([("own", 1), ("monster", 1)], 0),
        ([("own", 1), ("monster", 2)], 1),
        ([("own", 1), ("ally", 2)], 0),
        ([("own", 1), ("ally", 3)], 1),
        ([("own", 1), ("other hero", 2)], 0),
        ([("own", 1), ("other hero", 3)], 2),
        ([("own", 1), ("native", 3)], 0),
    ],
)
def test_limits_of_roles(members: list[tuple[str, int]], found: int, tmp_path: Path) -> None:
    stats = "stats: {M: 5, T: 4, W: 10}, points: 9, weapons: [{Axe: axe R1 A3 S4 D1/4}]"
    kinds = (("own", "skaven", "hero"), ("monster", "chaos", "monster, ally"), ("ally", "the-unmade", "ally"),
             ("other hero", "the-unmade", "hero"), ("native", "skaven", "ally"))  # fmt: skip
    lines = [
        f"  - {{kind: fighter, name: {name}, faction: {faction}, runemarks: [{marks}], {stats}}}"
        for name, faction, marks in kinds
    ]
    roster = [f"{{fighter: {name}, qty: {qty}{', leader: true' if name == 'own' else ''}}}" for name, qty in members]
    lines.append(f"  - {{kind: warband, name: The Few, members: [{', '.join(roster)}]}}")
    assert codes(tmp_path, "game: warcry\ncards:\n" + "\n".join(lines) + "\n", "WC131") == ["WC131"] * found


BAND = """game: warcry
cards:
  - kind: fighter
    name: Asha
    faction: {leader}
    runemarks: [hero]
    stats: {{M: 5, T: 4, W: 10}}
    points: 9
    weapons: [{{Axe: axe R1 A3 S4 D1/4}}]
  - kind: fighter
    name: Bran
    faction: {faction}
    runemarks: [{marks}]
    stats: {{M: 5, T: 4, W: 10}}
    points: 9
    weapons: [{{Axe: axe R1 A3 S4 D1/4}}]
  - kind: warband
    name: The Few
    members: [{{fighter: Asha, leader: true}}, {{fighter: Bran, qty: 2}}]
"""


@each_case(
    ("leader", "faction", "marks", "found"),
    [
        ("skaven", "skaven", "", []),
        ("skaven", "the-unmade", "", ["WC133"]),
        ("skaven", "the-unmade", "warrior", ["WC133"]),
        ("skaven", "the-unmade", "ally", []),
        ("skaven", "the-unmade", "hero", []),
        ("skaven", "chaos", "", []),
        ("chaos", "skaven", "", []),
        ("skaven", "ironjawz", "", ["WC125"]),
        ("skaven", "ironjawz", "ally", ["WC125"]),
        ("skaven", "ironjawz", "hero", ["WC125"]),
    ],
)
def test_fighters_of_other_factions(leader: str, faction: str, marks: str, found: list[str], tmp_path: Path) -> None:
    """Allies are of another faction, but of the same grand alliance."""
    text = BAND.format(leader=leader, faction=faction, marks=marks)
    assert [*codes(tmp_path, text, "WC125"), *codes(tmp_path, text, "WC133")] == found


@pytest.mark.parametrize(("prices", "found"), [("regular: 9, elite: 9", 0), ("regular: 9, elite: 8", 1)])
def test_the_elite_pays_no_less(prices: str, found: int, tmp_path: Path) -> None:
    text = f"game: warcry\nkind: blessing\nname: Fury\npoints: {{{prices}}}\nchanges: [{{move: +2}}]\n"
    assert codes(tmp_path, text, "WC309") == ["WC309"] * found


def test_a_move_of_0_is_mentioned(tmp_path: Path) -> None:
    assert codes(tmp_path, fighter(move=0), "WC307") == ["WC307"]
    assert codes(tmp_path, fighter(move=1), "WC307") == []


@pytest.mark.parametrize(
    ("reach", "code", "severity", "told"),
    [
        ("R6-6", "WC331", "warning", "only targets at exactly 6 inches"),
        ("R9-6", "WC302", "error", "contains no target"),
    ],
)
def test_a_range_says_which_targets_are_left(reach: str, code: str, severity: str, told: str, tmp_path: Path) -> None:
    """A weapon that can hit is not an error."""
    text = fighter(line=f"ranged {reach}")
    (finding,) = checked(tmp_path, text, request=CheckRequest(select=("WC302", "WC331"))).findings
    assert (finding.diagnostic.code, finding.diagnostic.severity) == (code, severity)
    assert finding.diagnostic.message.endswith(told)


def test_one_point_over_the_limit_is_one_point(tmp_path: Path) -> None:
    asha, *lines = (line for line in fighter().splitlines() if not line.startswith("game"))
    few = "  - {kind: warband, name: The Few, limit: 69, members: [{fighter: asha, leader: true}]}"
    text = "\n".join(("game: warcry", "cards:", f"  - {asha}", *(f"    {line}" for line in lines), few, ""))
    (finding,) = checked(tmp_path, text, request=CheckRequest(select=("WC122",))).findings
    assert finding.diagnostic.help == "take out members that cost 1 in all, or raise 'limit'"


def test_heroism_does_nothing_for_a_hero(tmp_path: Path) -> None:
    """The blessing of the battlepack lends the runemark Hero for an ability."""
    people = "".join(
        "  - {{kind: fighter, name: {}, faction: chaos, runemarks: [{}], stats: {{M: 5, T: 4, W: 10}}, points: 70,"
        " weapons: [{{Axe: axe R1 A3 S4 D1/4}}]}}\n".format(*each)
        for each in (("Asha", "hero"), ("Bran", "brute"))
    )
    gift = "  - {kind: blessing, name: Heroism, points: {regular: 10, elite: 10}, text: This fighter is a hero.}\n"
    for name, found in (("Asha", ["WC126"]), ("Bran", [])):
        band = f"  - {{kind: warband, name: Few, members: [{{fighter: {name}, blessing: Heroism}}]}}\n"
        assert codes(tmp_path, f"game: warcry\ncards:\n{people}{gift}{band}", "WC126") == found


def test_a_roster_is_not_blamed_for_a_fighter_with_mistakes(tmp_path: Path) -> None:
    people = FIGHTER.format(faction="skaven", marks="hero, MARK", move=5, line="axe R1")
    people = people.replace("game: warcry\n", "").replace("\n", "\n    ").rstrip()
    band = "  - kind: warband\n    name: Few\n    members: [{fighter: Asha, leader: true}, {fighter: Asha, qty: 3}]\n"
    text = f"game: warcry\ncards:\n  - {people}\n{band}"
    for mark in ("agile-as-the-wind", "agile-as-the-wind-over-the-river"):
        outcome = checked(tmp_path, text.replace("MARK", mark), request=CheckRequest(fit=True, ignore=("WC131",)))
        assert [each.code for each in found_marks(outcome)] == ["WC120"]


@pytest.mark.parametrize(
    ("card", "said"),
    [
        ("{kind: ability, name: Bold, price: double, runemarks: [skaven, stilted], changes: [{heal: d3}]}",
         "to add one of your own, write 'runemarks: [wading, stilted]' under 'warcry' in cardgen.yaml"),
        ("{kind: ability, name: Bold, price: quad, runemarks: [heroe], changes: [{heal: d3}]}", "did you mean 'hero'?"),
        ("{kind: trait, name: Bold, runemark: mudders, changes: [{move: +1}]}",
         "write 'Fen'; or to add another one, write 'factions: {Fen: death, mudders: GRAND ALLIANCE}' under "
         "'warcry' in cardgen.yaml"),
    ],
)  # fmt: skip
def test_a_runemark_that_the_settings_lack_is_one_finding_with_what_they_have(
    card: str, said: str, tmp_path: Path
) -> None:
    """Its icon is missing as well, and the fighters of a warband do not share it."""
    settings = "game: warcry\nwarcry: {runemarks: [wading], factions: {Fen: death}}\n"
    (tmp_path / "cardgen.yaml").write_text(settings, "utf-8")
    person = fighter("skaven").replace("game: warcry\n", "").replace("\n", "\n    ").rstrip()
    trait = "trait: Bold, " if "kind: trait" in card else ""
    band = f"  - {{kind: warband, name: Few, {trait}members: [{{fighter: Asha, leader: true}}]}}\n"
    text = f"game: warcry\ncards:\n  - {person}\n  - {card}\n{band}"
    outcome = checked(tmp_path, text, request=CheckRequest(fit=True, ignore=("WC123", "WC131")))
    assert [(each.check.code, each.diagnostic.help) for each in outcome.findings] == [("WC120", said)]


def test_a_trait_is_not_foreign_to_a_faction_that_does_not_exist(tmp_path: Path) -> None:
    trait = "  - {kind: trait, name: Bold, runemark: skaven, changes: [{move: +1}]}\n"
    for faction, found in (("skavn", ["WC120"]), ("chaos", ["WC124"])):
        person = fighter(faction).replace("game: warcry\n", "").replace("\n", "\n    ").rstrip()
        band = "  - {kind: warband, name: Few, trait: Bold, members: [{fighter: Asha, leader: true}]}\n"
        text = f"game: warcry\ncards:\n  - {person}\n{trait}{band}"
        assert [*codes(tmp_path, text, "WC120"), *codes(tmp_path, text, "WC124")] == found
