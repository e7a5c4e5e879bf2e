"""Texts of Diskwars cards against their data and the rules: wrong cards are found, and unusual right ones are not."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from cardgen.checking.runner import CheckResult
from cardgen.project_checks.run import CheckRequest
from cardgen.rulesets.diskwars import RULESET
from cardgen.rulesets.diskwars.wording import GRAMMAR
from tests.cases import each_case
from tests.checking.advice import impossible_advice
from tests.checking.harness import checked, found_marks

HEADS = {
    "disk": "disk: small, faction: order, race: Fen, cost: 3, attack: 2, counter: 2, toughness: 3, movement: 3",
    "command": "strategy: steady, activation: 2",
    "scenario": "points: 8, objective: Score 2 VP for each piece of terrain that you control.",
    "deployment": "value: 4",
    "terrain": "keywords: [cover]",
}


COMPARED = ("DW201", "DW202", "DW203", "DW204")


def outcome_of(folder: Path, kind: str, keys: str, rulings: str = "{}") -> CheckResult:
    (folder / "cardgen.yaml").write_text(f"game: diskwars\nrulings: {rulings}\n", encoding="utf-8")
    own = {each.partition(":")[0] for each in keys.split(", ")}
    head = [each for each in HEADS[kind].split(", ") if each.partition(":")[0] not in own]
    text = f"game: diskwars\ncards:\n  - {{kind: {kind}, name: Test, {', '.join([*head, keys])}}}\n"
    request = CheckRequest(select=(*COMPARED, "DW346", "DW347", "DW348", "DW349", "DW352", "DW355"))
    return checked(folder, text, request=request)


def codes(folder: Path, kind: str, keys: str, rulings: str = "{}") -> list[str]:
    return sorted({mark.code for mark in found_marks(outcome_of(folder, kind, keys, rulings))})


# Wrong cards: their kind, their keys, and the check that finds them.
WRONG = [
    ("terrain", 'keywords: [cover], ability: "Arrows at disks in it roll all of their dice."', "DW352"),
    ("terrain", 'keywords: [rough], ability: "The mud slows nobody."', "DW352"),
    ("terrain", 'keywords: [blocks-sight], ability: "Anybody can look right through the reeds."', "DW352"),
    ("terrain", 'keywords: [high-ground], ability: "From here nobody sees over the wall."', "DW352"),
    ("terrain", 'keywords: [cover], dangerous: arcane, ability: "The lights are harmless."', "DW352"),
    ("disk", 'keywords: [flying], ability: "It has to walk around terrain."', "DW352"),
    ("disk", 'keywords: [frenzy], ability: "Its bite goes to only one of them."', "DW352"),
    ("disk", 'keywords: [relentless], ability: "The first enemy that it lands on brings it to a halt."', "DW352"),
    ("disk", 'keywords: [strider], ability: "It may come from any edge."', "DW204"),
    ("disk", 'resistant: [ranged], ability: "No arrow can do it any harm."', "DW204"),
    ("disk", 'immune: [arcane], ability: "Half of every bit of arcane damage gets through."', "DW204"),
    ("disk", 'swift: attack, ability: "When it attacks, its enemies strike first."', "DW352"),
    ("disk", 'stamina: 2, mark: unique, ability: "The second one sends it to the casualty pile."', "DW204"),
    ("disk", 'immune: [arcane], ability: "It is immune to true damage as well."', "DW348"),
    ("disk", 'magic: 1, ability: "Its magic rolls two battle dice."', "DW348"),
    ("disk", "magic: 2, ability: 'Its Magic rolls 1 battle die more at targets within short range.'", "DW348"),
    ("terrain", "keywords: [cover], ability: 'A disk that overlaps the mast has line of sight past other disks.'",
     "DW348"),
    ("disk", "ranged: [{Slag Bombs: 3 long 2}], ability: 'When it hits with Boulder, it takes 1 physical damage.'",
     "DW204"),
    ("command", "passive: 'Ranged attacks by friendly disks roll 1 battle die more.', bonuses: [{A: shots -1 always}]",
     "DW202"),
    ("disk", 'magic: 1, ability: "When she rolls a critical hit with Magic, place an activation token on the target."',
     "DW348"),
    ("disk", 'resistant: [ranged], ability: "They are immune to true damage."', "DW348"),
    ("command", 'battle: "Place 2 empowerment tokens on a friendly disk within short range."', "DW348"),
    ("terrain", 'keywords: [rough], dangerous: physical, ability: "A disk that overlaps the flats after a flip takes'
     ' d6 arcane damage."', "DW204"),
    ("disk", 'ranged: [{Bow: 2 long 1}], ability: "It throws three dice."', "DW204"),
    ("command", 'unstable: true, battle: "Deal 3 arcane damage to an enemy within short range. It never harms'
     ' its user.", battle_effects: [{A: damage enemy short 3/arcane}]', "DW352"),
    ("command", 'battle: "A friend nearby has its activation token taken away.", battle_effects: [{A: exhaust'
     ' friend any}]', "DW204"),
    ("command", 'battle: "An enemy gets an activation token.", battle_effects: [{A: refresh enemy any}]', "DW204"),
    ("command", 'battle: "A friend within short range suffers 2 damage.", battle_effects: [{A: damage enemy'
     ' short 2}]', "DW204"),
    ("command", 'passive: "They march one flip beyond their movement.", bonuses: [{A: movement 2'
     ' always}]', "DW204"),
    ("deployment", 'ability: "Whoever comes out of the reserve is a strider.", bonuses: [{A: strider'
     ' deployed}]', "DW204"),
    ("disk", "focus: 'Choose an enemy no farther off than medium range. It takes 2 damage.',"
     " focus_effects: [{A: damage enemy short 2}]", "DW204"),
    ("disk", "focus: 'Lightning hits an enemy within medium range, for 3 points of damage.',"
     " focus_effects: [{A: damage enemy medium 2}]", "DW204"),
    ("command", "passive: 'Everyone has dry boots, so friendly disks have 1 more movement.',"
     " bonuses: [{A: movement 2 always}]", "DW204"),
    ("deployment", "ability: Whoever starts on the meadow is a scout., bonuses: [{A: strider deployed}]", "DW204"),
    ("scenario", "ability: 'The heroes slept badly, so their toughness is one lower.',"
     " bonuses: [{A: toughness heroes 1}]", "DW204"),
    ("scenario", "ability: Fog hides every unit. Their attack strength is one lower.,"
     " bonuses: [{A: attack heroes -1}]", "DW204"),
    ("command", "activation: 3, battle: 'Once both activations are spent, the drum stops.'", "DW204"),
    ("command", "faction: destruction, passive: Choose it only if a hero of order is in your army.", "DW204"),
    ("disk", "ranged: [{A: 2 long 2}], ability: 'Stones fall short of anything farther away than medium range.'",
     "DW204"),
    ("disk", "stamina: 1, ability: Only the third makes it a casualty.", "DW204"),
    ("disk", "focus: Place two empowerment tokens on the same friendly disk within medium range.", "DW348"),
    ("command", "battle: Move an enemy disk within medium range by 1 flip. It cannot pin an enemy with this move.,"
     " battle_effects: [{A: move enemy medium 1}]", "DW202"),
    ("command", "battle: Move an enemy disk within medium range by 1 flip., battle_effects:"
     " [{A: shift enemy medium 1}]", "DW202"),
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
    ("disk", "ability: It moves no more than two flips.", "DW204"),
    ("disk", "stamina: 2, ability: It takes two wounds to kill him.", "DW204"),
    ("disk", "toughness: 4, ability: Three points of damage are enough to give it a wound.", "DW204"),
    ("disk", "ranged: [{Bow: 2 medium 1}], ability: Each arrow that hits deals 2 damage.", "DW204"),
    ("disk", "keywords: [scout], ability: 'It may move before round 1, and pin an enemy.'", "DW348"),
    ("disk", "keywords: [flank], ability: 'It may reinforce from any edge, even onto an enemy disk.'", "DW348"),
    ("disk", "keywords: [relentless], ability: Its move ends as soon as it pins someone.", "DW352"),
    ("disk", "keywords: [strider], ability: 'Old and lame, rough terrain slows it down.'", "DW352"),
    ("disk", "impact: 2, ability: 'After each flip, each enemy it pins takes 3 damage.'", "DW204"),
    ("disk", "magic: 2, ability: Its magic reaches foes at long range.", "DW204"),
    ("disk", "mark: elite, ability: A regiment may have two of these.", "DW204"),
    ("disk", "ability: It can be empowered more than once.", "DW348"),
    ("disk", "ability: 'While empowered, its toughness is 5.'", "DW204"),
    ("disk", "ability: It may attack all enemies beneath it.", "DW204"),
    ("disk", "ability: Arcane damage cannot harm it.", "DW204"),
    ("disk", "ranged: [{Bow: 2 medium 1}], ability: Its bow rolls a single battle die.", "DW204"),
    ("command", "activation: 3, passive: 'With this card, two of your disks are activated.'", "DW204"),
    ("command", "strategy: steady, passive: It is resolved before bold cards.", "DW204"),
    ("command", "strategy: slow, passive: 'In the mist, this card is resolved before devious cards.'", "DW204"),
    ("command", "faction: order, passive: Only for Destruction heroes.", "DW204"),
    ("deployment", "value: 4, ability: Five disks can be placed here.", "DW204"),
    ("terrain", "keywords: [blocks-sight], ability: Disks can see through it.", "DW352"),
    ("terrain", "ability: Ranged attacks against disks in it roll two dice fewer.", "DW204"),
    ("terrain", "keywords: [rough], dangerous: physical, ability: A disk that flips onto it takes d6 arcane"
     " damage.", "DW204"),
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
    ("disk", "slow: attack, ability: It deals its damage before all others when it attacks.", "DW204"),
    ("disk", "ability: It may be flipped six times in one move.", "DW204"),
    ("disk", "stamina: 2, ability: It leaves the battlefield with its second wound.", "DW204"),
    ("disk", "ranged: [{Javelins: 2 short 1}], ability: Its javelins reach disks at medium range.", "DW204"),
    ("disk", "ability: Arcane damage does not hurt it.", "DW204"),
    ("disk", "slow: both, ability: It deals damage at the same time as its enemies.", "DW352"),
    ("disk", "ranged: [{Mortar: 2 siege 2}], ability: The mortar may target its own disk.", "DW348"),
    ("disk", "ranged: [{Bow: 2 siege 1}], ability: Hits of its bow deal damage at siege range.", "DW348"),
    ("command", "battle: Deal 1 damage to an enemy disk. Use this ability twice.", "DW348"),
    ("command", "strategy: slow, passive: This card is resolved before all other cards.", "DW352"),
    ("scenario", "ability: Fog., objective: Score 1 VP for each of five terrain pieces.", "DW348"),
    ("disk", "magic: 1, ability: 'When it rolls chaos, it takes 1 arcane damage.'", "DW355"),
    ("disk", "ranged: [{Shell: 2 long 1}], ability: 'When it rolls a 6 with its ranged attack, it flips.'", "DW355"),
    ("command", "battle: 'Roll a battle die: on a 6, this disk is empowered.'", "DW355"),
    ("disk", "focus: Empower this disk., ability: It cannot be empowered.", "DW347"),
    ("command", "battle: Empower this disk twice.", "DW346"),
    ("disk", 'keywords: [scout], ability: "When it reinforces, it makes its scout move."', "DW348"),
    ("disk", "ability: Its hits at siege range deal damage.", "DW348"),
    ("deployment", "ability: Disks deployed here may be placed on top of enemy disks.", "DW348"),
    ("scenario", "ability: The game ends after round 4.", "DW348"),
    ("scenario", "ability: The game lasts 6 rounds.", "DW348"),
    ("scenario", "ability: All terrain is rough., bonuses: [{A: rough terrain}], objective: Score 1 VP after round"
     " 6.", "DW348"),
    ("disk", "ranged: [{Bow: 2 long 1}, {Sling: 1 short 3}], ability: Its Bow reaches short range.", "DW204"),
    ("disk", "ranged: [{Bow: 2 long 1}, {Sling: 1 short 3}], ability: Its Bow rolls 1 battle die.", "DW204"),
    ("disk", "ranged: [{Bow: 2 long 1}, {Sling: 1 short 3}], ability: Each hit of its Bow deals 3"
     " damage.", "DW204"),
    ("disk", "ranged: [{Bow: 2 long 1}, {Sling: 1 short 3}], ability: 'Bow: it rolls 2 battle dice, with strength"
     " 3.'", "DW204"),
    ("disk", "ability: 'Frenzy: It attacks all disks that it pins.'", "DW204"),
    ("disk", "swift: attack, ability: It has swift when attacking. It has swift when countering.", "DW204"),
    ("disk", "immune: [impact], ability: It is immune to physical damage.", "DW204"),
    ("command", "battle: Activate up to 3 of your disks.", "DW204"),
    ("command", "passive: Ranged attacks at friendly disks roll 3 battle dice fewer., bonuses:"
     " [{A: shelter -3 always at-least-1}]", "DW202"),
    ("command", "passive: Ranged attacks at friendly disks roll 3 battle dice fewer (at least 1)., bonuses:"
     " [{A: shelter -3 always}]", "DW202"),
    ("disk", "keywords: [scout], ability: It makes no move before round 1.", "DW352"),
    ("disk", "keywords: [scout], ability: It cannot move before the first round.", "DW352"),
    ("disk", "keywords: [strider], ability: It cannot ignore terrain.", "DW352"),
    ("disk", "keywords: [strider], ability: Terrain affects it while it moves.", "DW352"),
    ("disk", "keywords: [flying], ability: It cannot move over other disks.", "DW352"),
    ("disk", "keywords: [flank], ability: It reinforces only in its deployment zone.", "DW352"),
    ("disk", "keywords: [mobile], ranged: [{Bow: 2 long 1}], ability: It cannot move and shoot.", "DW352"),
    ("disk", "keywords: [relentless], ability: It must stop when it pins an enemy.", "DW352"),
    ("disk", "impact: 1, ability: It deals no impact damage.", "DW352"),
    ("disk", "magic: 1, ability: It cannot use Magic.", "DW352"),
    ("disk", "swift: both, ability: It strikes last.", "DW352"),
    ("disk", "slow: both, ability: It strikes before all other disks.", "DW352"),
    ("disk", "immune: [physical], ability: It is not immune to impact.", "DW352"),
    ("disk", "resistant: [arcane], ability: It takes full arcane damage.", "DW352"),
    ("disk", "keywords: [flying], ability: It does not have flying.", "DW352"),
    ("terrain", "ability: It gives no cover.", "DW352"),
    ("terrain", "dangerous: physical, ability: Disks that overlap it take no damage.", "DW352"),
    ("terrain", "defensive: both, ability: Disks that overlap it do not gain swift.", "DW352"),
    ("command", "passive: Friendly disks with flying have 1 more movement., bonuses: [{A: movement 1 light}]", "DW202"),
    ("command", "passive: Your disks with strider have 1 more movement., bonuses: [{A: movement 1 light}]", "DW202"),
    ("command", "passive: Friendly disks with flying and strider have 1 more movement., bonuses:"
     " [{A: movement 1 light}]", "DW202"),
    ("command", "passive: All disks with impact deal 1 more impact damage., bonuses: [{A: impact 1 always}]", "DW202"),
    ("command", "passive: Enemy disks with impact deal 1 more impact damage., bonuses: [{A: impact 1 always}]",
     "DW203"),
    ("command", "passive: Ranged attacks that target a friendly disk within short range roll 1 battle die fewer."
     ", bonuses: [{A: shelter -1 far}]", "DW202"),
    ("command", "passive: Ranged attacks of your disks within short range roll 1 more battle die., bonuses:"
     " [{A: shots 1 far}]", "DW202"),
    ("command", "passive: Ranged attacks at friendly disks that have been activated roll 1 battle die fewer., bonuses:"
     " [{A: shelter -1 ready}]", "DW202"),
    ("command", "battle: Remove a wound token from a friendly disk within short range., battle_effects:"
     " [{A: refresh friend short}]", "DW202"),
    ("command", "battle: Remove the empowerment token of this disk., battle_effects: [{A: empower self any}]",
     "DW202"),
    ("deployment", "ability: Disks that reinforce here have scout.", "DW348"),
    ("deployment", "ability: Disks that reinforce here can scout.", "DW348"),
    ("deployment", "ability: Disks with scout that reinforce here make a free move before round 1.", "DW348"),
    ("terrain", "dangerous: physical, ability: Disks that are deployed on this terrain take d6 damage.", "DW348"),
    ("disk", "keywords: [flying], ability: This disk cannot fly.", "DW352"),
    ("disk", "ability: 'When this disk attacks in melee, it deals 3 damage.'", "DW204"),
    ("disk", "ability: It deals d6 damage when it counters.", "DW204"),
    ("disk", "ability: It may flip up to 4 times when it moves.", "DW204"),
    ("disk", "ability: It has a movement of 5.", "DW204"),
    ("disk", "stamina: 1, ability: It needs 3 wounds to be removed.", "DW204"),
    ("disk", "ability: It is removed as soon as it has 2 damage.", "DW204"),
    ("disk", "swift: counter, ability: It strikes first when it attacks.", "DW204"),
    ("disk", "slow: attack, ability: 'When it counters, it strikes last.'", "DW204"),
    ("disk", "ability: It strikes first in melee.", "DW204"),
    ("disk", "ability: It deals its damage after all other disks.", "DW204"),
    ("disk", "keywords: [frenzy], ability: It damages only one of the disks that it pins.", "DW352"),
    ("disk", "keywords: [scout], ability: 'After its free move, it receives an activation token.'", "DW348"),
    ("disk", "mark: unique, ability: You may have 2 copies of this disk in your army.", "DW204"),
    ("disk", "ability: A regiment can have 4 of these disks.", "DW204"),
    ("disk", "disk: large, ability: A hero can recruit up to 2 copies of this disk.", "DW204"),
    ("disk", "role: hero, cost: null, recruitment: 14, command: 2, ability: You choose 3 command cards for this hero.",
     "DW204"),
    ("disk", "role: hero, cost: null, recruitment: 14, command: 2, ability: This hero recruits units for up to 16"
     " points.", "DW204"),
    ("disk", "magic: 2, ability: Its magic reaches long range.", "DW204"),
    ("disk", "magic: 2, ability: Its magic deals physical damage.", "DW204"),
    ("disk", "impact: 1, ability: Its impact deals arcane damage.", "DW204"),
    ("disk", "ranged: [{Bow: 2 medium 1}], ability: Its arrows deal arcane damage.", "DW204"),
    ("disk", "keywords: [relentless], ability: It ends its move as soon as it pins an enemy disk.", "DW352"),
    ("disk", "keywords: [strider], ability: Rough terrain stops it.", "DW352"),
    ("disk", "keywords: [mobile], ranged: [{Bow: 2 long 1}], ability: 'It may shoot or move, but not both.'", "DW352"),
    ("disk", "keywords: [flank], ability: It can reinforce only in your deployment zones.", "DW352"),
    ("disk", "resistant: [arcane], ability: It takes arcane damage as usual.", "DW352"),
    ("disk", "resistant: [physical], ability: 'It takes half of all physical damage, rounded down.'", "DW348"),
    ("disk", "ability: It takes no arcane damage.", "DW204"),
    ("disk", "ability: It cannot be targeted by ranged attacks.", "DW204"),
    ("disk", "ability: It may reinforce from any edge of the battlefield.", "DW204"),
    ("disk", "ability: It attacks all disks that it pins.", "DW204"),
    ("disk", "ability: It makes a free move before the first round.", "DW204"),
    ("disk", "ability: It ignores terrain while it moves.", "DW204"),
    ("disk", "ranged: [{Bow: 2 long 1}], ability: It may move and then shoot.", "DW204"),
    ("disk", "ability: It need not stop the first time that it pins an enemy.", "DW204"),
    ("disk", "focus: Take away the activation token of an enemy disk within short range., focus_effects:"
     " [{A: refresh friend short}]", "DW202"),
    ("disk", "focus: Move an enemy disk within long range by 2 flips., focus_effects: [{A: move enemy long 1}]",
     "DW202"),
    ("command", "battle: You can activate only 3 disks with this card.", "DW204"),
    ("deployment", "ability: You may deploy up to six disks in its zone.", "DW204"),
    ("deployment", "ability: Disks deployed here have flank., bonuses: [{A: scout deployed}]", "DW202"),
    ("terrain", "keywords: [rough], ability: Disks can flip across it without stopping.", "DW352"),
    ("terrain", "keywords: [blocks-sight], ability: Disks behind it can be seen.", "DW352"),
    ("terrain", "keywords: [high-ground], ability: Disks on it do not see past terrain that blocks sight.", "DW352"),
]  # fmt: skip


@each_case(("kind", "keys", "found"), WRONG)
def test_a_text_that_says_something_else_is_found(kind: str, keys: str, found: str, tmp_path: Path) -> None:
    assert codes(tmp_path, kind, keys) == [found]


@each_case(
    ("kind", "keys"),
    [
        ("disk", "ability: 'Roll a battle die at the end of the round. When it rolls chaos, it takes 1 damage.'"),
        ("terrain", "keywords: [cover], ability: 'Shots at disks in here roll 1 battle die fewer. All dice of other"
         " attacks are rolled.'"),
        ("terrain", "keywords: [rough], ability: It stops nobody who can fly."),
        ("terrain", "keywords: [rough], ability: 'A flying disk crosses it without stopping.'"),
        ("terrain", "keywords: [high-ground, blocks-sight], ability: 'Nobody sees through it, but from the top you"
         " see over everything.'"),
        ("terrain", "keywords: [blocks-sight], ability: 'Disks that overlap it can see out and be seen.'"),
        ("terrain", "dangerous: arcane, ability: 'It is harmless to disks that are deployed on it.'"),
        ("terrain", "dangerous: arcane, ability: Heroes are unharmed by it."),
        ("terrain", "keywords: [fortified], ability: 'No impact damage harms disks on it.'"),
        ("terrain", "defensive: counter, ability: 'Attackers deal their damage after it does, as they have no such"
         " wall.'"),
        ("disk", "movement: 5, keywords: [flying], ability: 'If it starts its move pinned, it must go around the"
         " disk that pins it.'"),
        ("disk", "keywords: [frenzy], ability: 'It attacks everything that it pins, and never only one of them.'"),
        ("disk", "keywords: [flank], ability: 'It comes from any edge that it likes.'"),
        ("disk", "keywords: [scout], ability: 'It is away before the game begins.'"),
        ("disk", "keywords: [strider], ability: Mud does not slow it."),
        ("disk", "movement: 5, keywords: [flying], ability: No terrain slows it."),
        ("disk", "immune: [physical], ability: 'Swords do nothing to it. Spells do.'"),
        ("disk", "immune: [ranged], ability: 'No arrow can harm it, and few words.'"),
        ("disk", "resistant: [ranged], ability: 'Arrows do only half their damage, rounded up.'"),
        ("disk", "resistant: [arcane], ability: 'It feels only half of a spell.'"),
        ("disk", "swift: attack, ability: 'When it attacks, it strikes first. When it counters, it strikes with all"
         " others.'"),
        ("disk", "slow: attack, ability: 'When it attacks, its enemies strike first.'"),
        ("disk", "swift: counter, slow: attack, ability: 'When it attacks, others strike first; when it counters, it"
         " does.'"),
        ("disk", "stamina: 2, ability: The third wound kills it., mark: unique"),
        ("disk", "stamina: 1, ability: It gets up after one wound., mark: unique"),
        ("disk", "recruitment: 15, ability: 'He spends 15 points, and counts them twice.', role: hero, mark: unique,"
         " command: 2"),
        ("disk", "recruitment: 15, ability: 'Her units may cost fifteen points in all. Once, she got a giant for 12"
         " points.', role: hero, mark: unique, command: 2"),
        ("disk", "command: 2, ability: 'She adds two cards to your hand.', role: hero, mark: unique, recruitment: 15"),
        ("disk", "ability: 'It makes 4 flips, or 2 if it carries a banner.'"),
        ("disk", "ability: 'An enemy that it pins makes two flips less in the next round.'"),
        ("disk", "magic: 2, ability: 'Its magic deals 2 arcane damage. A wound from the magic of others deals 3.'"),
        ("disk", "ranged: [{Slings: '2 medium 1'}], ability: 'It rolls two dice, and 1 die more at units.'"),
        ("disk", "ranged: [{Slings: '2 medium 1'}], ability: 'Enemies that shoot at it roll 1 battle die fewer.'"),
        ("command", "battle: 'Remove the activation token of a friendly disk within long range. It gets no"
         " activation token when it acts.', battle_effects: [{Nap: refresh friend long}]"),
        ("command", "battle: 'Place an activation token on an enemy disk within short range.', battle_effects:"
         " [{Nap: exhaust enemy short}]"),
        ("command", "activation: 3, passive: 'Three of your disks act. Two disks of the enemy watch.'"),
        ("command", "unstable: true, battle: 'Deal 3 arcane damage to an enemy disk within short range. The user may"
         " regret it.', battle_effects: [{Bolt: 'damage enemy short 3/arcane'}]"),
        ("command", "battle: 'Deal 2 physical damage to an enemy disk within short range of a friendly disk.',"
         " battle_effects: [{Stones: damage enemy short 2}]"),
        ("command", "passive: 'Your disks may flip one flip more than their movement.', bonuses: [{Ridge: movement 1"
         " always}]"),
        ("scenario", "ability: 'Heroes have 1 more toughness than units.', bonuses: [{Tough: toughness heroes 1}]"),
        ("deployment", "ability: 'Disks that begin the game here have scout. Those that reinforce here do not.',"
         " bonuses: [{Oath: scout deployed}]"),
        ("deployment", "ability: 'Reinforcements that come in here are ready at once.', bonuses: [{Oath: ready"
         " reinforced}]"),
        ("deployment", "ability: 'Whoever is deployed here flies. Whoever arrives later walks.', bonuses: [{Oath:"
         " flying deployed}]"),
        ("disk", "focus: Empower all friendly disks within long range., focus_effects: [{A: empower friends long}]"),
        ("disk", "focus: Move itself by 2 flips or empower it., focus_effects: [{A: move self any 2}]"),
        ("command", 'battle: "Deal 1 damage to an enemy, 2 to a hero.", battle_effects: [{A: damage enemy any 1}]'),
        ("command", "passive: Your disks cannot be empowered.  , bonuses: [{A: movement 1 always}]"),
        ("command", "battle: Deal 2 arcane damage to an enemy disk within medium range."),
        ("scenario", "ability: Units have 1 less stamina., bonuses: [{A: stamina units -1}]"),
        ("disk", "ability: Enemy disks with flying cannot pin it."),
        ("terrain", "keywords: [rough], ability: Small disks may flip across it without stopping."),
        ("terrain", "keywords: [blocks-sight], ability: Large disks can see through it."),
        ("command", "strategy: steady, passive: It is resolved before devious cards."),
        ("disk", "keywords: [scout], ability: It may scout before all other disks."),
        ("disk", "ability: A regiment may have two of these."),
        ("disk", "keywords: [relentless], ability: 'Against heroes, its move ends as soon as it pins someone.'"),
        ("disk", "stamina: 1, ability: It is a casualty with its second wound."),
        ("terrain", "keywords: [cover, rough], ability: Disks on it cannot be the target of ranged attacks beyond"
         " medium range."),
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
        # Impact deals physical damage, and Magic arcane damage.
        ("disk", "immune: [physical], ability: It is immune to impact."),
        ("disk", "immune: [arcane], ability: It is immune to Magic."),
        ("disk", "resistant: [physical], ability: It is resistant to impact."),
        ("disk", "resistant: [arcane], ability: It is resistant to Magic."),
        ("disk", "swift: both, ability: It has swift when attacking. It has swift when countering."),
        ("disk", "slow: both, ability: It is slow when it counters."),
        ("terrain", "defensive: both, ability: Disks that overlap it have swift when attacking."),
        # Of others.
        ("command", "battle: Move an enemy disk within medium range by 1 flip. It cannot pin an enemy with this move.,"
         " battle_effects: [{A: shift enemy medium 1}]"),
        ("command", "battle: 'Move an enemy disk by 1 flip, but not onto an enemy.', battle_effects:"
         " [{A: shift enemy any 1}]"),
        ("disk", "ability: Her arrows fly across the marsh."),
        ("disk", "ability: Nothing flies above it."),
        ("disk", "ability: It pins a disk with toughness 5."),
        ("disk", "ability: It sees past terrain that blocks sight."),
        ("disk", "ability: It is at home on rough ground."),
        ("disk", "ability: It shoots over disks with flying."),
        ("disk", "ability: A strider that ends its move on it is pinned."),
        ("terrain", "ability: A flyer that ends its move on it is pinned."),
        ("terrain", "keywords: [high-ground], ability: Disks on it see past rough terrain and cover."),
        ("command", "battle: Activate 1 of your disks that is pinned."),
        ("disk", "ranged: [{Bow: 2 long 1}, {Sling: 1 short 3}], ability: 'Bow: it rolls 2 battle dice, with strength"
         " 1. Its Sling reaches short range.'"),
        ("disk", "ranged: [{Bow: 2 long 1}, {Sling: 1 short 3}], ability: Each hit of its Sling deals 3 damage."),
        ("disk", "keywords: [strider], ability: It cannot move over other disks."),
        ("disk", "swift: attack, slow: counter, ability: It strikes last."),
        ("disk", "focus: Move this disk by 2 flips. It can pin an enemy with this move., focus_effects: [{A: move self"
         " any 2}]"),
        ("scenario", "ability: The game lasts 5 rounds."),
        ("scenario", "special: true, ability: The game ends after round 4."),
        ("command", "passive: Ranged attacks at friendly disks roll 3 battle dice fewer., bonuses:"
         " [{A: shelter -3 always}]"),
        # Under a condition, or with fewer copies than a regiment can have.
        ("disk", "ability: 'When it attacks a hero, it deals 3 damage.'"),
        ("disk", "ability: It may flip up to 5 times if it starts within short range of an edge."),
        ("disk", "ability: It strikes first against heroes."),
        ("disk", "swift: attack, ability: It strikes first when it attacks."),
        ("disk", "swift: counter, ability: It strikes first when it counters a hero."),
        ("disk", "ability: A regiment can have only 2 copies of this disk. You may have 2 copies of this disk in your"
         " army."),
        ("disk", "stamina: 2, ability: It is removed after three wounds. It moves up to 3 flips."),
        ("disk", "keywords: [frenzy], ability: 'Against heroes, it damages only one of the disks that it pins.'"),
        ("disk", "keywords: [scout], focus: This disk gets an activation token., focus_effects: [{A: exhaust self"
         " any}]"),
        ("disk", "ability: It ignores terrain while it moves over friendly disks."),
        ("disk", "ability: 'When an enemy shoots at it and it rolls chaos, that enemy takes 1 damage.'"),
        ("disk", "ability: 'Roll a battle die: on chaos, it takes 1 damage. Roll a d6: on a 6, it flips once.'"),
        ("disk", "ranged: [{Bow: 2 short 1}], ability: 'When it rolls chaos, it flips once.'"),
        ("disk", "stamina: 1, ability: It leaves the battlefield with its second wound."),
        ("command", "strategy: bold, passive: This card is resolved before all other cards."),
        ("disk", "ability: It deals damage at the same time as its enemies."),
        ("scenario", "ability: Fog., objective: Score 1 VP for each of four terrain pieces."),
        ("disk", "magic: 2, ability: Its magic reaches medium range. Its magic deals 2 arcane damage."),
        ("disk", "ranged: [{Bow: 1 short 1}, {Curse: 2 medium 1 arcane}], ability: Its Curse deals arcane damage."),
        ("terrain", "keywords: [rough], ability: Disks with flying can move across it without stopping."),
        ("command", "passive: 'If all other cards are slow, this card is resolved first.'"),
        ("disk", "focus: 'Choose an enemy within long range. If a friend is within short range of it, hit it twice.',"
         " focus_effects: [{A: damage enemy long 2}]"),
        ("command", "passive: Enemies have 2 less toughness. Your own have 1 more movement.,"
         " bonuses: [{A: movement 1 always}]"),
        ("command", "activation: 3, battle: 'Once two activations of this card are spent, cheer.'"),
        ("disk", "ability: It hates whoever belongs to destruction."),
    ],
)  # fmt: skip
def test_a_text_that_is_right_or_not_understood_is_not(kind: str, keys: str, tmp_path: Path) -> None:
    assert codes(tmp_path, kind, keys) == []


@each_case(
    ("keys", "found"),
    [
        ("battle: Deal 2 damage to an enemy hero within short range., battle_effects: [{A: damage enemy short 2}]", 1),
        ("battle: 'Deal 2 damage to an enemy disk. Drums roll, and nobody sleeps.', battle_effects:"
         " [{A: damage enemy any 2}]", 1),
        ("battle: 'Deal 2 damage to an enemy disk. (It is 2 damage, on heroes, too.)', battle_effects:"
         " [{A: damage enemy any 2}]", 0),
        ("battle: Deal 2 damage to an enemy disk., battle_effects: [{A: damage enemy any 2}]", 0),
        ("battle: Deal 2 damage to an enemy hero within short range.", 0),
        ("passive: Friendly disks deal 1 more impact damage., bonuses: [{A: impact 1 always}]", 0),
    ],
)  # fmt: skip
def test_a_sentence_beside_effects_that_is_not_compared_is_noted(keys: str, found: int, tmp_path: Path) -> None:
    """At the sentence itself, for which the players have to look."""
    (tmp_path / "cardgen.yaml").write_text("game: diskwars\n", encoding="utf-8")
    text = f"game: diskwars\ncards:\n  - {{kind: command, name: Test, {HEADS['command']}, {keys}}}\n"
    outcome = checked(tmp_path, text, request=CheckRequest(select=("DW205",)))
    assert len(outcome.findings) == found


@each_case(
    ("kind", "keys", "advice"),
    [
        ("command", "passive: All disks have 1 more movement., bonuses: [{A: movement 1 always}]", ""),
        ("command", "passive: Friendly disks have 9 more movement., bonuses: [{A: movement 1 always}]", ""),
        ("scenario", "ability: Friendly disks have 1 more movement., bonuses: [{A: movement all 1}]", ""),
        ("deployment", "ability: Heroes have 1 more toughness., bonuses: [{A: scout deployed}]", ""),
        ("disk", "focus: Deal 9 damage to an enemy., focus_effects: [{A: damage enemy any 2}]", ""),
        ("command", "passive: Friendly disks have 1 more movement., bonuses: [{A: movement 1 light}]",
         "bonuses: [{A: movement 1 always}]"),
        ("scenario", "ability: Units lose 2 toughness., bonuses: [{A: toughness units -1}]",
         "bonuses: [{A: toughness units -2}]"),
        ("disk", "stamina: 1, ability: It survives two wounds.", "stamina: 2"),
        ("disk", "stamina: 1, ability: It survives nine wounds.", ""),
        ("disk", "ability: It has flying.", "keywords: [flying]"),
        ("disk", "keywords: [scout], ability: It has flying.", "keywords: [scout, flying]"),
        ("command", "faction: order, passive: Destruction only.", "faction: destruction"),
    ],
)  # fmt: skip
def test_what_is_advised_is_right_on_the_card(kind: str, keys: str, advice: str, tmp_path: Path) -> None:
    """If the card can say what its text says, the advised line makes it right; otherwise, only the text can change."""
    [found] = outcome_of(tmp_path, kind, keys).findings
    help_text = found.diagnostic.help or ""
    assert ("write '" in help_text or "add '" in help_text) == bool(advice), help_text
    if advice:
        key, line = advice.split(": ", 1)
        for said in line.strip("[]{}").removeprefix("A: ").split(", "):
            assert said in help_text or said in keys
        rest = re.sub(rf"(?:^|, ){key}: (?:\[.*?\]|\w+)", "", keys).removeprefix(", ")
        assert outcome_of(tmp_path, kind, f"{rest}, {advice}").findings == ()


@each_case(("kind", "keys", "found"), WRONG)
def test_a_card_can_have_what_is_advised(kind: str, keys: str, found: str, tmp_path: Path) -> None:
    outcome = outcome_of(tmp_path, kind, keys)
    assert outcome.findings, found
    assert impossible_advice(RULESET.kinds[kind].model, outcome) == []


def test_the_opposite_of_every_keyword_is_read() -> None:
    """A keyword that texts could not deny would be one whose opposite is never found."""
    denied = {str(item.value) for clause in GRAMMAR.table.clauses["part"] for item in clause.meaning.items
              if item.key == "lacks" and not item.is_slot}  # fmt: skip
    words = [clause for symbol in ("ability", "state") for clause in GRAMMAR.table.clauses[symbol]]
    denied |= {str(clause.meaning.evaluate({})) for clause in words}
    lists = [get_args(RULESET.kinds[kind].model.model_fields["keywords"].annotation)[0] for kind in ("disk", "terrain")]
    assert {word for each in lists for word in get_args(each)} <= denied


@each_case(("setting", "found"), [("allowed", []), ("forbidden", ["DW348"])])
def test_a_ruling_decides_whether_a_move_by_an_ability_pins(setting: str, found: list[str], tmp_path: Path) -> None:
    text = (
        "focus: Move this disk by 2 flips. It can pin an enemy with this move., focus_effects: [{A: move self any 2}]"
    )
    assert codes(tmp_path, "disk", text, f"{{effect-move: {setting}}}") == found


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
    few = "ability: All terrain is rough., objective: OBJECTIVE"
    text = f"game: diskwars\ncards:\n  - {{kind: scenario, name: Test, {few}, points: POINTS}}\n"
    (tmp_path / "cardgen.yaml").write_text("game: diskwars\n", encoding="utf-8")
    request = CheckRequest(select=("DW349",))
    each, most = "Score 4 VP for each hero.", "'Score 2 VP for each hero, to a maximum of 6 VP.'"
    for objective, points, found in ((each, "3", ["DW349"]), (each, "4", []), (most, "8", ["DW349"]), (most, "6", [])):
        card = text.replace("POINTS", points).replace("OBJECTIVE", objective)
        marks = found_marks(checked(tmp_path, card, request=request))
        assert [mark.code for mark in marks] == found
