"""Where the rules of army building begin and end: what just passes, and what just does not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardgen.project_checks.run import CheckRequest
from tests.cases import each_case
from tests.checking.harness import checked, found_marks

CARDS = """game: diskwars
cards:
  - {{kind: disk, name: Ida, disk: medium, role: hero, faction: order, race: Fen, mark: {mark}, recruitment: 31,
     command: 2, attack: 3, counter: 2, toughness: 4, movement: 4}}
  - {{kind: disk, name: Pikes, disk: small, faction: order, race: Fen, cost: 3, attack: 1, counter: 2, toughness: 3,
     movement: 3}}
  - {{kind: disk, name: Bows, disk: small, faction: order, cost: 3, attack: 1, counter: 1, toughness: 2, movement: 3}}
  - {{kind: disk, name: Oxen, disk: medium, faction: order, race: Fen, mark: elite, cost: 4, attack: 3, counter: 2,
     toughness: 4, movement: 3}}
  - {{kind: disk, name: Tower, disk: large, faction: order, race: Fen, cost: 9, attack: 5, counter: 3, toughness: 6,
     movement: 2}}
  - {{kind: disk, name: Mill, disk: large, faction: order, race: Fen, mark: unique, cost: 6, attack: 4, counter: 4,
     toughness: 5, movement: 2}}
  - {{kind: command, name: Hold, strategy: steady, activation: 2}}
  - {{kind: command, name: Rush, strategy: bold, activation: 1}}
  - {{kind: command, name: Wait, strategy: slow, activation: 3}}
  - kind: army
    name: The Few
    regiments:
      - {{hero: Ida, units: [{units}]}}
    commands: [{commands}]
"""


def codes(
    folder: Path, units: str, commands: str = "Hold, Rush", mark: str = "unique", rulings: str = "{}"
) -> list[str]:
    (folder / "cardgen.yaml").write_text(f"game: diskwars\nrulings: {rulings}\n", encoding="utf-8")
    text = CARDS.format(units=units, commands=commands, mark=mark)
    return [mark.code for mark in found_marks(checked(folder, text, request=CheckRequest(select=("DW3",))))]


@each_case(
    ("units", "found"),
    [
        ("{Pikes: 3}", []),
        ("{Pikes: 4}", ["DW308"]),
        ("Pikes, Oxen", []),
        ("Pikes, Oxen, Tower", ["DW307"]),
        ("{Pikes: 2}, Oxen, Tower", []),
        ("{Pikes: 3}, {Tower: 2}", ["DW308"]),
        # All copies count for the sizes, also those that are too many.
        ("{Pikes: 5}, {Oxen: 4}", ["DW308", "DW308", "DW309"]),
        ("{Pikes: 3}, {Oxen: 4}", ["DW307", "DW308", "DW309"]),
        ("{Pikes: 3}, {Oxen: 2}", ["DW309"]),
        ("{Pikes: 3}, Bows, Bows, Bows, Oxen, Tower", []),
        ("{Pikes: 3}, {Bows: 3}, Oxen, Tower, Tower", ["DW301", "DW308"]),
        ("Pikes, Bows", []),
        ("Ida", ["DW302", "DW305", "DW307"]),
        ("Pikes, {Tower: 2}", ["DW307", "DW308"]),
        ("Pikes, {Mill: 2}", ["DW305"]),
        ("Pikes, Mill, Mill", ["DW305"]),
        ("Pikes, Oxen, {Mill: 2}", ["DW305", "DW307"]),
    ],
)
def test_regiments(units: str, found: list[str], tmp_path: Path) -> None:
    assert sorted(codes(tmp_path, units)) == found


@pytest.mark.parametrize(
    ("commands", "found"),
    [
        ("Hold, Rush", []),
        ("Hold", ["DW310"]),
        ("Hold, Rush, Wait", ["DW310"]),
        ("Hold, Hold", ["DW311"]),
        ("", ["DW310"]),
    ],
)
def test_hands(commands: str, found: list[str], tmp_path: Path) -> None:
    assert codes(tmp_path, "Pikes", commands) == found


@pytest.mark.parametrize(
    ("rulings", "units", "commands", "mark", "found"),
    [
        ("{no-race: nobody}", "Pikes, Bows", "Hold, Rush", "unique", ["DW304"]),
        ("{hand: basic}", "Pikes", "Hold, Rush, Wait", "unique", []),
        ("{}", "Pikes, Oxen", "Hold, Rush", "elite", ["DW306", "DW309"]),
        ("{hero-counts: never}", "Pikes, Oxen", "Hold, Rush", "elite", ["DW306"]),
    ],
)
def test_rulings_decide(rulings: str, units: str, commands: str, mark: str, found: list[str], tmp_path: Path) -> None:
    assert sorted(codes(tmp_path, units, commands, mark, rulings)) == found


@pytest.mark.parametrize(("ruling", "found"), [("any", []), ("none", ["DW304"])])
def test_a_ruling_decides_whom_a_hero_without_a_race_recruits(ruling: str, found: list[str], tmp_path: Path) -> None:
    (tmp_path / "cardgen.yaml").write_text(f"game: diskwars\nrulings: {{hero-race: {ruling}}}\n", encoding="utf-8")
    text = CARDS.replace("role: hero, faction: order, race: Fen", "role: hero, faction: order")
    text = text.format(units="Pikes, Bows", commands="Hold, Rush", mark="unique")
    marks = found_marks(checked(tmp_path, text, request=CheckRequest(select=("DW3",))))
    assert [mark.code for mark in marks] == found


@pytest.mark.parametrize(
    ("keywords", "setting", "found"),
    [
        ("flying, strider", "safe", []),
        ("flying, strider", "hurt", ["DW327"]),
        ("flying, relentless", "safe", ["DW327"]),
        ("relentless, strider", "hurt", []),
    ],
)
def test_keywords_that_flying_makes_idle(keywords: str, setting: str, found: list[str], tmp_path: Path) -> None:
    """A flyer pins nobody before it stops; a strider is safe where it stops, unless a ruling says otherwise."""
    (tmp_path / "cardgen.yaml").write_text(f"game: diskwars\nrulings: {{strider-rest: {setting}}}\n", encoding="utf-8")
    text = f"""game: diskwars
cards:
  - {{kind: disk, name: Kite, disk: small, faction: order, cost: 3, attack: 1, counter: 2, toughness: 3, movement: 3,
     keywords: [{keywords}]}}
"""
    assert [mark.code for mark in found_marks(checked(tmp_path, text, request=CheckRequest(select=("DW3",))))] == found


_SHY = "disk: small, faction: order, cost: 3, attack: 1, counter: 2, toughness: 3, movement: 3"


@pytest.mark.parametrize(
    ("keys", "found"),
    [
        (
            "immune: [physical], resistant: [impact]",
            ["immune to physical damage and resistant to impact, which deals it"],
        ),
        ("immune: [arcane], resistant: [magic]", ["immune to arcane damage and resistant to magic, which deals it"]),
        ("immune: [physical], resistant: [physical]", ["immune and resistant to physical"]),
        ("immune: [impact], resistant: [physical]", []),
        ("immune: [physical], resistant: [magic, ranged]", []),
    ],
)
def test_a_disk_that_takes_no_damage_halves_none(keys: str, found: list[str], tmp_path: Path) -> None:
    (tmp_path / "cardgen.yaml").write_text("game: diskwars\n", encoding="utf-8")
    text = f"game: diskwars\ncards:\n  - {{kind: disk, name: Ash, {_SHY}, {keys}}}\n"
    outcome = checked(tmp_path, text, request=CheckRequest(select=("DW324",)))
    assert [each.diagnostic.message for each in outcome.findings] == found


@pytest.mark.parametrize(
    ("ruling", "card", "found"),
    [
        ("defensive-type: attack", "kind: terrain, defensive: counter", ["DW353"]),
        ("defensive-type: counter", "kind: terrain, defensive: counter", []),
        ("defensive-type: attack", "kind: terrain, defensive: both", []),
        ("immune-to: types", f"kind: disk, {_SHY}, immune: [impact, arcane], resistant: [ranged]", ["DW353", "DW353"]),
        ("immune-to: sources", f"kind: disk, {_SHY}, immune: [impact, arcane], resistant: [ranged]", []),
        ("immune-to: types", "kind: terrain, keywords: [fortified]", []),
    ],
)
def test_cards_that_print_something_else_than_a_ruling(
    ruling: str, card: str, found: list[str], tmp_path: Path
) -> None:
    (tmp_path / "cardgen.yaml").write_text(f"game: diskwars\nrulings: {{{ruling}}}\n", encoding="utf-8")
    text = f"game: diskwars\ncards:\n  - {{name: Test, {card}}}\n"
    marks = found_marks(checked(tmp_path, text, request=CheckRequest(select=("DW353",))))
    assert [mark.code for mark in marks] == found


def marks_of(folder: Path, card: str) -> list[str]:
    """Return the codes of what the checks of the game find in a card, each with the word that it points to."""
    lines = ["game: diskwars", *card.splitlines()]
    marks = found_marks(checked(folder, "\n".join(lines), request=CheckRequest(select=("DW3",))))
    return [f"{mark.code}: {re.split('[^a-z0-9+]', lines[mark.line - 1][mark.column - 1 :])[0]}" for mark in marks]


@pytest.mark.parametrize(
    ("keys", "found"),
    [
        ("attack: d6\ncounter: 1D6", []),
        ("attack: 2d6\ncounter: 1", ["DW338: 2d6"]),
        ("attack: 5+1\ncounter: d6+1", ["DW338: 5+1", "DW338: d6+1"]),
        ("attack: 1\ncounter: 1\nranged: [{Bow: 2 long d6}]", []),
        ("attack: 1\ncounter: 1\nranged: [{Bow: 2 long 1}, {Sling: 1 short d3 arcane}]", ["DW338: d3"]),
    ],
)
def test_strengths_that_the_referee_does_not_resolve(keys: str, found: list[str], tmp_path: Path) -> None:
    disk = "kind: disk\nname: Ash\ndisk: small\nfaction: order\nrace: Fen\ncost: 3\ntoughness: 2\nmovement: 3\n"
    assert marks_of(tmp_path, disk + keys) == found


@each_case(
    ("effect", "found"),
    [
        ("damage enemy short 2/arcane", []),
        ("damage enemy short d6", []),
        ("damage enemy short", ["DW340: damage"]),
        ("damage enemies any 0/true-damage", ["DW340: damage"]),
        ("move friend short", ["DW340: move"]),
        ("move friend short 2", []),
        ("move friend short 2/arcane", ["DW341: arcane"]),
        ("move friend short/arcane", ["DW340: move", "DW341: arcane"]),
        *((f"{do} any short", []) for do in ("empower", "refresh", "exhaust")),
        ("empower friend short 3", ["DW341: 3"]),
        ("refresh friend short d6", ["DW341: d6"]),
        ("exhaust enemy short 3/arcane", ["DW341: 3", "DW341: arcane"]),
    ],
)
def test_amounts_of_effects(effect: str, found: list[str], tmp_path: Path) -> None:
    command = "kind: command\nname: Call\nstrategy: bold\nactivation: 1\nbattle: It works.\n"
    assert marks_of(tmp_path, f"{command}battle_effects: [{{Deed: {effect}}}]") == found


@pytest.mark.parametrize(
    ("bonus", "found"),
    [
        ("shots 1 far", []),
        ("impact 1 far", ["DW337: "]),
        ("movement 0 always", ["DW337: "]),
        ("movement -1 ready", []),
    ],
)
def test_bonuses_that_add_nothing(bonus: str, found: list[str], tmp_path: Path) -> None:
    command = "kind: command\nname: Call\nstrategy: bold\nactivation: 1\npassive: It works.\n"
    assert marks_of(tmp_path, f"{command}bonuses: [{{Wind: {bonus}}}]") == found


@pytest.mark.parametrize(
    ("effect", "keywords", "found"),
    [
        ("refresh self any", "", ["DW342"]),
        ("refresh self any", "scout", ["DW342"]),
        ("exhaust self any", "", ["DW342"]),
        ("exhaust self any", "scout", []),
        ("refresh friend short", "", []),
        ("empower self any", "", []),
    ],
)
def test_focus_abilities_that_change_a_token_in_vain(
    effect: str, keywords: str, found: list[str], tmp_path: Path
) -> None:
    """A11: the disk gets its activation token after the action; only a scout's free move gives none."""
    disk = "kind: disk\nname: Ash\ndisk: small\nfaction: order\nrace: Fen\ncost: 3\ntoughness: 2\nmovement: 3\n"
    keys = f"attack: 1\ncounter: 1\nkeywords: [{keywords}]\nfocus: Do.\nfocus_effects: [{{Wake: {effect}}}]"
    assert [mark.partition(":")[0] for mark in marks_of(tmp_path, disk + keys)] == found


@each_case(
    ("army", "found"),
    [
        ("regiments: [{hero: Ida, units: [Pikes, Bows]}], commands: [Raid, Hold]",
         ["DW312: choose a card of Order, or one without a faction, such as 'Rush', "]),
        ("regiments: [{hero: Ida, units: [Slinger]}]", ["DW304: take disks of the race Fen, such as 'Pikes', "]),
        ("regiments: [{hero: Pikes, units: [Pikes]}]", ["DW302: use a disk with 'role: hero', such as 'Ida'"]),
        ("regiments: [{hero: Ida, units: [Pikes, Goblin]}]", ["DW303: take a disk of Order, such as 'Pikes', "]),
        # A unit that is not there may be small or cheap, and a hero of any faction.
        ("regiments: [{hero: Ida, units: [Piks, Oxen]}]", ["CG115: "]),
        ("regiments: [{hero: Idda, units: [Oxen]}], commands: [Raid]", ["CG115: "]),
    ],
)  # fmt: skip
def test_advice_names_what_could_be_taken_instead(army: str, found: list[str], tmp_path: Path) -> None:
    cards = CARDS.format(units="Pikes", commands="Hold, Rush", mark="unique").partition("  - kind: army")[0]
    cards += "  - {kind: command, name: Raid, strategy: bold, activation: 1, faction: destruction}\n"
    for name, faction, race in (("Goblin", "destruction", "Fen"), ("Slinger", "order", "Hill")):
        cards += f"  - {{kind: disk, name: {name}, disk: small, faction: {faction}, race: {race}, cost: 1, attack: 1,"
        cards += " counter: 1, toughness: 1, movement: 3}\n"
    request = CheckRequest(select=("DW302", "DW303", "DW304", "DW307", "DW301", "DW312"))
    outcome = checked(tmp_path, f"{cards}  - {{kind: army, name: Few, {army}}}\n", request=request)
    said = [f"{one.diagnostic.code}: {one.diagnostic.help}" for one in outcome.findings]
    assert [text.startswith(start) for text, start in zip(said, found, strict=True)] == [True] * len(found), said


UNPAID = (
    "{{kind: disk, name: Ash, disk: small, faction: order, race: Fen, attack: 1, counter: 2, toughness: 2, "
    "movement: 3, {}}}"
)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (
            "role: hero, cost: 9, command: 2",
            [("a hero without recruitment points", "write recruitment in place of cost")],
        ),
        ("role: hero, command: 2", [("a hero without recruitment points", "add recruitment")]),
        ("role: hero, recruitment: 9", [("a hero without a command value", "add command")]),
        (
            "recruitment: 9",
            [("a unit without a recruitment cost", "write cost in place of recruitment, or role: hero")],
        ),
        ("cost: 9", []),
    ],
)
def test_a_disk_with_the_cost_of_another_role_is_one_finding(
    keys: str, said: list[tuple[str, str]], tmp_path: Path
) -> None:
    request = CheckRequest(select=("DW32", "DW31"))
    found = checked(tmp_path, f"game: diskwars\ncards:\n  - {UNPAID.format(keys)}\n", request=request).findings
    assert [(each.diagnostic.message, each.diagnostic.help) for each in found] == said


@pytest.mark.parametrize(
    ("terrain", "named", "codes"),
    [
        ("Reed Bank", "Reed Bank", []),
        ("Reed Bank", "Reed Bnk", ["CG115"]),
        ("Reed Banks", "Reed Bank", ["CG115"]),
        ("Reed Bank", "reed-bank", []),
    ],
)
def test_terrain_under_a_new_name_is_one_finding(terrain: str, named: str, codes: list[str], tmp_path: Path) -> None:
    text = f"game: diskwars\ncards:\n  - {{kind: terrain, name: {terrain}, keywords: [cover]}}\n"
    text += "  - {kind: terrain, name: Old Dyke, keywords: [rough]}\n"
    text += "  - {kind: piece, name: Dyke, terrain: Old Dyke, outline: hill}\n"
    text += f"  - {{kind: piece, name: Bank, terrain: {named}, outline: wood}}\n"
    assert [each.check.code for each in checked(tmp_path, text).findings] == codes


@pytest.mark.parametrize(
    ("objective", "found"),
    [("Victory points: 2 for each hero that is left.", []), ("Hold the middle of the field.", ["DW334"])],
)
def test_an_objective_names_victory_points_in_any_case(objective: str, found: list[str], tmp_path: Path) -> None:
    keys = f"name: Ford\nability: All terrain is rough.\npoints: 4\nobjective: '{objective}'\n"
    card = f"game: diskwars\nkind: scenario\n{keys}"
    marks = found_marks(checked(tmp_path, card, request=CheckRequest(select=("worthless-objective",))))
    assert [mark.code for mark in marks] == found


@pytest.mark.parametrize(
    ("passive", "found"),
    [
        ("Friendly disks have +1 attack strength.", "attack strength"),
        ("Your disks gain 1 attack and counter strength.", "attack and counter strength"),
        ("Friendly disks have **frenzy**.", "frenzy"),
        ("Friendly disks have 1 more toughness.", None),
        ("Friendly disks with attack strength 4 or more have 1 more movement.", None),
        ("Your disks have 1 more counter strength in the next melee phase.", None),
        ("A friendly disk resolves an engagement with 2 more attack strength.", None),
    ],
)
def test_what_a_passive_ability_gives_ends_before_melee(passive: str, found: str | None, tmp_path: Path) -> None:
    """A7: it lasts until the card is discarded, which is in the activation phase."""
    card = f"game: diskwars\nkind: command\nname: Stand\nstrategy: bold\nactivation: 1\npassive: '{passive}'\n"
    findings = checked(tmp_path, card, request=CheckRequest(select=("early-passive",))).findings
    messages = [f"{found} counts in melee, when this card is discarded"] if found else []
    assert [each.diagnostic.message for each in findings] == messages
