"""Texts of Diskwars cards against their data and the rules: wrong cards are found, and unusual right ones are not."""

from __future__ import annotations

from pathlib import Path

from cardgen.project_checks.run import CheckRequest
from tests.cases import each_case
from tests.checking.harness import checked, found_marks

HEADS = {
    "disk": "disk: small, faction: order, race: Fen, cost: 3, attack: 2, counter: 2, toughness: 3, movement: 3",
    "command": "strategy: steady, activation: 2",
    "scenario": "points: 8, objective: Score 2 VP for each piece of terrain that you control.",
    "deployment": "value: 4",
    "terrain": "keywords: [cover]",
}


def codes(folder: Path, kind: str, keys: str) -> list[str]:
    (folder / "cardgen.yaml").write_text("game: diskwars\n", encoding="utf-8")
    text = f"game: diskwars\ncards:\n  - {{kind: {kind}, name: Test, {HEADS[kind]}, {keys}}}\n"
    marks = found_marks(
        checked(folder, text, request=CheckRequest(select=("DW2", "DW346", "DW347", "DW348", "DW349", "DW352")))
    )
    return sorted({mark.code for mark in marks})


@each_case(
    ("kind", "keys", "found"),
    [
        ("disk", "focus: Empower a disk within long range., focus_effects: [{A: empower any short}]", "DW202"),
        ("disk", "focus: Deal 2 arcane damage to an enemy., focus_effects: [{A: damage enemy any 1/arcane}]", "DW202"),
        ("command", "battle: Deal 2 damage to all enemies., battle_effects: [{A: damage enemy any 2}]", "DW202"),
        ("command", "passive: Friendly disks have 1 more movement., bonuses: [{A: movement 1 light}]", "DW202"),
        ("scenario", "ability: Heroes have 1 more toughness., bonuses: [{A: toughness units 1}]", "DW202"),
        ("scenario", "ability: All terrain has cover., bonuses: [{A: rough terrain}]", "DW202"),
        ("deployment", "ability: Disks deployed here have scout., bonuses: [{A: scout reinforced}]", "DW202"),
        ("command", "battle: Empower itself., battle_effects: [{A: empower self any}, {B: refresh any any}]", "DW203"),
        ("disk", "impact: 1, ability: It has impact 2.", "DW204"),
        ("command", "passive: Enemy disks have 1 less movement., bonuses: [{A: movement -1 always}]", "DW203"),
        ("disk", "impact: 1, ability: 'A giant, he crushes what lies below him for 3 impact damage.'", "DW204"),
        ("disk", "ability: 'Blades slide off, but spells do not: her thick hide halves arcane damage.'", "DW204"),
        ("command", "battle: 'Cackling, pour burning oil on one enemy for 3 arcane damage.', battle_effects:"
         " [{A: damage enemy any 2/arcane}]", "DW204"),
        ("command", "battle: 'With a blast of the horn, empower somebody within long range.', battle_effects:"
         " [{A: empower other short}]", "DW204"),
        ("scenario", "ability: 'Every hero who dares to strike does so with 1 more attack strength.', bonuses:"
         " [{A: counter heroes 1}]", "DW204"),
        ("disk", "ability: It is immune to arcane damage.", "DW204"),
        ("disk", "ranged: [{Bow: 2 medium 1}], ability: Its bow has long range.", "DW204"),
        ("terrain", "ability: Disks that overlap it have swift.", "DW204"),
        ("terrain", "ability: Targets in cover roll 2 dice fewer.", "DW204"),
        ("command", "passive: This card is slow.", "DW204"),
        ("command", "faction: order, passive: Destruction only.", "DW204"),
        ("disk", "stamina: 1, ability: It survives two wounds.", "DW204"),
        ("deployment", "ability: Up to six disks are deployed here.", "DW204"),
        ("disk", "keywords: [frenzy], ability: It attacks only one of the disks that it pins.", "DW352"),
        ("disk", 'resistant: [physical], ability: "It takes half of physical damage, rounded down."', "DW348"),
        ("disk", "magic: 2, ability: 'Magic 3: she deals 3 arcane damage to an enemy within medium range.'", "DW204"),
        ("disk", "focus: Put an empowerment token on another friendly disk within medium range., focus_effects:"
         " [{A: empower other short}]", "DW202"),
        ("disk", "ranged: [{Bow: 2 long 2}, {Axe: 3 short 1}], ability: 'Bow: it rolls 3 battle dice.'", "DW204"),
        ("disk", "ranged: [{Bow: 2 long 2}], ability: 'Bow: it rolls 2 battle dice, with strength 1.'", "DW204"),
        ("disk", 'ability: "While it is empowered, it has 4 attack strength."', "DW204"),
        ("disk", 'ability: "Empowered, it has 3 attack strength, 3 counter strength, and 5 toughness."', "DW204"),
        ("disk", "ability: 'Resistant: it takes only half the amount of physical damage.'", "DW204"),
        ("disk", 'resistant: [physical], ability: "It takes only half the amount of physical damage, rounded down."',
         "DW348"),
        ("disk", "stamina: 1, ability: It is removed as a casualty with its third wound.", "DW204"),
        ("disk", "ability: She costs 4 points.", "DW204"),
        ("command", "battle: Unstable. Deal 2 arcane damage to each enemy disk.", "DW204"),
        ("command", "passive: A ranged attack targeting a friendly disk rolls 1 fewer battle dice (minimum 1).,"
         " bonuses: [{A: shelter -1 far}]", "DW202"),
        ("terrain", "ability: 'Cover: a ranged attack targeting a disk overlapping this terrain rolls 2 fewer battle"
         " dice (minimum 1).'", "DW204"),
        ("terrain", "dangerous: physical, ability: 'If a disk overlaps this terrain after a flip or after being"
         " reinforced, roll d6 and deal that amount of arcane damage to the disk.'", "DW204"),
        ("terrain", "dangerous: physical, ability: A disk overlapping it after a flip takes 3 arcane damage.", "DW204"),
        ("terrain", "defensive: counter, ability: Disks overlapping this terrain gain swift when attacking.", "DW204"),
        ("deployment", "ability: Deploy 5 disks in this zone.", "DW204"),
        ("scenario", "ability: All hero disks gain 2 toughness., bonuses: [{A: toughness heroes 1}]", "DW202"),
        ("scenario", "ability: Units lose 2 toughness., bonuses: [{A: toughness units -1}]", "DW202"),
        ("scenario", "ability: 'At the end of round 6, all disks are placed again.'", "DW348"),
        ("disk", "focus: Empower this disk., ability: It cannot be empowered.", "DW347"),
        ("command", "battle: Empower this disk twice.", "DW346"),
        ("disk", 'keywords: [scout], ability: "When it reinforces, it makes its scout move."', "DW348"),
        ("disk", "ability: Its hits at siege range deal damage.", "DW348"),
        ("deployment", "ability: Disks deployed here may be placed on top of enemy disks.", "DW348"),
    ],
)  # fmt: skip
def test_a_text_that_says_something_else_is_found(kind: str, keys: str, found: str, tmp_path: Path) -> None:
    assert codes(tmp_path, kind, keys) == [found]


@each_case(
    ("kind", "keys"),
    [
        ("disk", "focus: Empower all friendly disks within long range., focus_effects: [{A: empower friends long}]"),
        ("disk", "focus: Move itself by 2 flips or empower it., focus_effects: [{A: move self any 2}]"),
        ("command", 'battle: "Deal 1 damage to an enemy, 2 to a hero.", battle_effects: [{A: damage enemy any 1}]'),
        ("command", "passive: Your disks cannot be empowered.  , bonuses: [{A: movement 1 always}]"),
        ("command", "battle: Deal 2 arcane damage to an enemy disk within medium range."),
        ("scenario", "ability: Units have 1 less stamina., bonuses: [{A: stamina units -1}]"),
        ("disk", "ability: Enemy disks with flying cannot pin it."),
        ("disk", "impact: 1, ability: 'Giants have 3 impact, as everybody knows, but not this one.'"),
        ("disk", "ability: 'Against toughness 6 or more, she strikes with three spears.'"),
        ("command", "battle: 'If the target is wounded, the oil deals 3 arcane damage instead.', battle_effects:"
         " [{A: damage enemy any 2/arcane}]"),
        ("disk", 'ability: "While it is empowered, it has 3 attack strength, 3 counter strength, and 4 toughness."'),
        ("disk", "ranged: [{Bow: 2 long 2}], ability: 'Enraged: it rolls 3 battle dice.'"),
        ("disk", 'resistant: [physical], ability: "It takes only half the amount of physical damage each time, rounded'
         ' up."'),
        ("disk", "stamina: 2, ability: It is a casualty with its third wound."),
        ("disk", "ability: 'They have flying.'"),
        ("disk", "ability: 'Against heroes, its attack strength is 4.'"),
        ("disk", "ability: 'As long as it has no wounds, its toughness is 5.'"),
        ("disk", "impact: 2, ability: 'Its impact is 3 on heroes.'"),
        ("disk", "ability: 'Beside a hero, it has flying.'"),
        ("command", "passive: Friendly disks have 1 more movement. Enemy disks have 1 less movement., bonuses:"
         " [{A: movement 1 always}]"),
        ("command", "passive: Enemy disks have 1 less movement."),
        ("command", "passive: Friendly disks gain 1 movement., bonuses: [{A: movement 1 always}]"),
        ("scenario", "special: true, ability: The game lasts 6 rounds. Score again after round 6."),
        ("terrain", "dangerous: physical, ability: A disk overlapping it after a flip takes d6 physical damage."),
        ("disk", "ability: 'While it is empowered, it has flying.'"),
        ("terrain", "ability: A disk that overlaps it cannot be empowered."),
    ],
)  # fmt: skip
def test_a_text_that_is_right_or_not_understood_is_not(kind: str, keys: str, tmp_path: Path) -> None:
    assert codes(tmp_path, kind, keys) == []


def test_an_army_leaves_the_points_unspent_that_its_text_names(tmp_path: Path) -> None:
    (tmp_path / "cardgen.yaml").write_text("game: diskwars\n", encoding="utf-8")
    hero = f"{HEADS['disk']}, role: hero, recruitment: 20, command: 1".replace("cost: 3, ", "")
    disks = f"  - {{kind: disk, name: Ida, {hero}}}\n  - {{kind: disk, name: Pike, {HEADS['disk']}}}\n"
    for number, found in (("14", []), ("11", ["DW204"])):
        text = f"{number} recruitment points stay unspent for the initiative roll."
        army = f"  - {{kind: army, name: Few, regiments: [{{hero: Ida, units: [{{Pike: 2}}]}}], text: {text}}}\n"
        marks = found_marks(
            checked(tmp_path, f"game: diskwars\ncards:\n{disks}{army}", request=CheckRequest(select=("DW2",)))
        )
        assert [mark.code for mark in marks] == found


def test_an_objective_is_worth_what_its_card_gives(tmp_path: Path) -> None:
    few = "ability: All terrain is rough., objective: Score 4 VP for each hero."
    text = f"game: diskwars\ncards:\n  - {{kind: scenario, name: Test, {few}, points: POINTS}}\n"
    (tmp_path / "cardgen.yaml").write_text("game: diskwars\n", encoding="utf-8")
    request = CheckRequest(select=("DW349",))
    for points, found in (("3", ["DW349"]), ("4", [])):
        marks = found_marks(checked(tmp_path, text.replace("POINTS", points), request=request))
        assert [mark.code for mark in marks] == found
