"""Texts of Skirmish cards against their data: wrong cards are found, and unusual right ones are not."""

from __future__ import annotations

import json
from pathlib import Path

import yaml

from cardgen.checking.runner import CheckResult
from cardgen.project_checks.run import CheckRequest
from cardgen.rulesets.skirmish import FORCE, RULESET
from tests.cases import each_case
from tests.checking.advice import impossible_advice
from tests.checking.harness import checked, found_marks

HEADS = {
    "warrior": "m: 4, ws: 3, bs: 3, s: 3, t: 3, w: 1, i: 3, a: 1, ld: 7, points: 8",
    "weapon": "qty: 1",
    "scenario": "reason: A goat., setup: The sides set up in turn., zones: [{A: 'attacker 0,0 8x36'},"
    " {B: 'defender 40,0 8x36'}], terrain: [{A: 'wood 20,4 6x6'}, {B: 'wood 20,12 6x6'}, {C: 'wood 20,20 6x6'},"
    " {D: 'wood 20,28 6x6'}], turns: 6, markers: [{G: '24,18 A'}, {G: '24,22 B'}]",
}
HOLD = "victory: [{side: either, when: hold, mark: A, text: "
REACH = "victory: [{side: attacker, when: reach-edge, edge: west, text: "
FORCES = "forces: [{side: attacker, name: A}, {side: defender, name: B}]"


def outcome_of(folder: Path, kind: str, keys: str) -> CheckResult:
    own = yaml.safe_load(f"{{{keys}}}")
    head = yaml.safe_load(f"{{{HEADS[kind]}, {FORCES if kind == 'scenario' else 'qty: 1'}}}")
    rest = ", ".join(f"{key}: {json.dumps(value)}" for key, value in head.items() if key not in own)
    text = f"game: skirmish\ncards:\n  - {{kind: {kind}, name: Test, {rest}, {keys}}}\n"
    return checked(folder, text, request=CheckRequest(select=("WS2", "WS315", "WS377")))


def codes(folder: Path, kind: str, keys: str) -> list[str]:
    return sorted({mark.code for mark in found_marks(outcome_of(folder, kind, keys))})


# Wrong cards: their kind, their keys, and the checks that find them.
WRONG = [
    ("weapon", 'hands: 1, bonus: 1, text: "It takes both of your arms to lift it."', "WS202"),
    ("weapon", 'hands: 2, bonus: 1, text: "One hand is enough, and the other one is free for a shield."', "WS202"),
    ("weapon", 'hands: 1, bonus: 1, text: "Whoever bears it has no hand left for a buckler."', "WS202"),
    ("weapon", 'range: 18, strength: 3, text: "Anybody beyond eight inches counts as far away."', "WS202"),
    ("weapon", 'bonus: 1, hands: 2, text: "Unless he charges, every opponent strikes before him."', "WS202"),
    ("weapon", 'range: 24, strength: 4, rules: [move-or-fire], text: "Whoever has walked this turn can still'
     ' fire it."', "WS202"),
    ("weapon", 'range: 24, strength: 4, text: "A shooter who has walked this turn cannot fire it."', "WS202"),
    ("weapon", 'bonus: 1, text: "It is made for horsemen alone."', "WS202"),
    ("weapon", 'bonus: 1, text: "Its edge is smeared with nightshade."', "WS202"),
    ("warrior", 'armor: heavy, text: "Neither steel nor leather has ever covered him."', "WS202"),
    ("warrior", 'armor: light, text: "Steel covers him from head to heel."', "WS202"),
    ("warrior", 'armor: heavy, text: "Nothing but a linen smock stops the arrows."', "WS202"),
    ("warrior", 'shield: true, text: "She sold her shield for a goose."', "WS202"),
    ("warrior", 'w: 2, text: "Not until the third wound does he fall."', "WS202"),
    ("warrior", 'w: 1, text: "He shrugs off his first wound."', "WS202"),
    ("warrior", 'm: 4, text: "She covers six inches at a walk."', "WS202"),
    ("warrior", 'm: 4, special: {Legs: "Five inches at a walk, and ten at a run."}, rules: [Legs]', "WS202"),
    ("warrior", 'wizard: 1, text: "She never learned a spell."', "WS202"),
    ("warrior", 'text: "She may cast spells."', "WS202"),
    ("warrior", 'a: 1, text: "Three blows in each round, and all of them low."', "WS202"),
    ("warrior", 'rules: [Hound], special: {Hound: "If it has won a combat by two, it may pursue its'
     ' enemies."}', "WS377"),
    ("warrior", 'rules: [Feathers], special: {Feathers: "She may glide up to 12 inches over houses."}', "WS377"),
    ("scenario", 'forces: [{side: attacker, name: A, text: "Infantry, and a spear thrower."}, {side: defender,'
     ' name: B}]', "WS377"),
    ("scenario", 'first: defender, setup: "The defender sets up. After that, the attacker comes up the lane.'
     ' They get the first turn."', "WS204"),
    ("weapon", "hands: 2, text: 'You need only one hand for it, so the other may hold a shield.'", "WS202"),
    ("weapon", "range: 28, strength: 3, text: 'It was made for geese, and carries 20 inches, not a step farther.'",
     "WS202"),
    ("weapon", "range: 30, strength: 4, text: The bolt is spent after 24 inches of flight.", "WS202"),
    ("warrior", "armor: light, text: 'He wears no armor of any kind, and says that it is for tortoises.'", "WS202"),
    ("warrior", "text: 'Quick, she strikes twice in every round of a fight, where others strike once.'", "WS202"),
    ("scenario", "setup: The raiders come over the moor from the north and set up., forces:"
     " [{side: attacker, name: Raiders}, {side: defender, name: Watch}], zones:"
     " [{A: 'attacker 0,30 36x6'}, {B: 'defender 0,0 36x6'}]", "WS204"),
    ("scenario", "special: {Curfew: 'When both have had five turns, the bell rings and the game is over.'}", "WS204"),
    ("scenario", "setup: The defender hides three casks (A) in the barn.", "WS204"),
    ("scenario", "forces: [{side: attacker, name: A, models_max: 9, text: 'They are quick, with no more than six"
     " models.'}, {side: defender, name: B}]", "WS204"),
    ("scenario", "victory: [{side: attacker, when: survive, count: 2, text: They win if three still breathe.}]",
     "WS204"),
    ("scenario", REACH + "They win once one of them gets out by way of the north.}]", "WS204"),
    ("weapon", "bonus: 1, text: +2 Strength.", "WS202"),
    ("weapon", "range: 24, strength: 3, text: 'Range 18\". One shot.'", "WS202"),
    ("weapon", "hands: 1, bonus: 1, text: +1 Strength. It needs two hands.", "WS202"),
    ("weapon", "range: 8, strength: 4, rules: [pistol], text: −1 to hit at long range.", "WS202"),
    ("weapon", "hands: 2, text: It strikes first.", "WS202"),
    ("weapon", "bonus: 1, rules: [killing-blow], text: +1 Strength.", "WS203"),
    ("weapon", "hands: 1, text: 'A heavy hook on a long pole, swung with both hands.'", "WS202"),
    ("weapon", "range: 24, strength: 4, text: Its bolts fly out to 30 inches and pin cloaks to doors.", "WS202"),
    ("warrior", "text: 'A grim veteran of three Wounds, she guards the ford.'", "WS202"),
    ("warrior", "text: 'As old as the hills, he stands behind his dented shield.'", "WS202"),
    ("warrior", "text: 'Nimble as a cat, she darts nine inches across the marsh.'", "WS202"),
    ("weapon", "charge_bonus: 2, text: For riders only.", "WS202 WS203"),
    ("warrior", "wizard: 1, text: She is a Level 2 Wizard.", "WS202"),
    ("warrior", "ward: 6, text: His charm gives a ward save of 5.", "WS202"),
    ("warrior", "armor: light, shield: true, text: He has an armor save of 4+.", "WS202"),
    ("warrior", "rules: [Quick], special: {Quick: His Movement is 6.}", "WS202"),
    ("warrior", "mount: {name: Horse, m: 8, ws: 3, s: 3, i: 3, a: 1}, text: His horse is barded.", "WS202"),
    ("weapon", "rules: [mounted-only], text: For riders only. It can be used on foot.", "WS202"),
    ("warrior", "text: He carries a magic sword.", "WS202"),
    ("warrior", "text: She wears no armor and carries a shield.", "WS202"),
    ("warrior", "rules: [Animal], text: It climbs walls.", "WS315"),
    ("warrior", "rules: [Frenzy], text: She flees from charges.", "WS315"),
    ("warrior", "rules: [Animal], text: 'It may climb walls and fences, like its master.'", "WS315"),
    ("warrior", "rules: [Hatred], text: 'Hatred: he repeats his misses in every round of a combat.'", "WS315"),
    ("warrior", "rules: [Killing Blow], text: 'Killing Blow: on a 6 to hit, the enemy is out of action.'", "WS315"),
    ("warrior", "rules: [Undead], text: It takes no rout tests.", "WS315"),
    ("warrior", "rules: [Frenzy], text: 'In its frenzy, it has 3 Attacks.'", "WS202"),
    ("warrior", "rules: [Frenzy], text: Frenzy gives it +2 Attacks.", "WS202"),
    ("warrior", "wizard: 1, text: A Level 2 Wizard who knows two spells.", "WS202"),
    ("warrior", "armor: heavy, shield: true, text: Heavy armor and a shield give him a save of 5+.", "WS202"),
    ("warrior", "armor: light, text: Heavy armor gives her a 5+ save.", "WS202"),
    ("warrior", "armor: light, shield: true, weapons: [Halberd], text: 'With the halberd, his shield still gives"
     " him a 5+ save in close combat.'", "WS202"),
    ("weapon", "bonus: 2, hands: 2, text: '+2 Strength. It needs two hands, and strikes last.'", "WS202"),
    ("weapon", "range: 24, strength: 4, text: 'Maximum range: 30\".'", "WS202"),
    ("weapon", "range: 24, strength: 4, text: 'Strength: 5.'", "WS202"),
    ("weapon", "range: 8, strength: 4, text: 'Armor piercing: saves against it are one worse.'", "WS202"),
    ("weapon", "range: 8, strength: 4, text: Saves against it are three worse.", "WS202"),
    ("weapon", "range: 8, rules: [thrown], text: As Strength of the thrower +1.", "WS202"),
    ("weapon", "range: 8, bonus: 1, rules: [thrown], text: Strength of the thrower.", "WS202"),
    ("scenario", "first: attacker, special: {A: The defender sets up last and takes the first turn.}", "WS204"),
    ("scenario", "special: {A: Place the bell (A) on the bank and the winch (C) beside it.}", "WS204"),
    ("scenario", "special: {A: Marker D is removed.}", "WS204"),
    ("scenario", "special: {A: 'From turn 8 on, it is dark.'}", "WS204"),
    ("scenario", "victory: [{side: defender, when: survive, text: Attackers lose after turn 8.}]", "WS204"),
    ("scenario", HOLD + "'Models within 6\" of A count.'}]", "WS204"),
    ("scenario", HOLD + "'Models within 3\" of B count.'}]", "WS204"),
    ("scenario", REACH + "Leave by the east edge.}]", "WS204"),
    ("scenario", "victory: [{side: attacker, when: wiped-out, text: The defender wins.}]", "WS204"),
    ("scenario", "special: {Rain: The game lasts 9 turns.}", "WS204"),
    ("scenario", "special: {Rain: The defender sets up in the west.}", "WS204"),
    ("scenario", "special: {Rain: The table is 36 by 36 inches.}", "WS204"),
    ("scenario", "first: defender, special: {Rain: The attacker takes the first turn.}", "WS204"),
    ("scenario", "forces: [{side: attacker, name: A, text: Up to 9 models.}, {side: defender, name: B}]", "WS204"),
    ("warrior", "armor: heavy, shield: true, text: Its heavy armor and shield give it an armor save of 5.", "WS202"),
    ("warrior", "rules: [Animal, Claws], special: {Claws: 'It climbs walls of any height, and needs no Initiative"
     " test.'}", "WS315"),
    ("warrior", "text: 'It flies up to 12\" over the battlefield.'", "WS202"),
    ("scenario", "special: {Rain: 'The table is 48\" by 48\".'}", "WS204"),
    ("scenario", "special: {Rain: 'The defender sets up first, in the west, and the attacker in the east.'}", "WS204"),
    ("scenario", "victory: [{side: attacker, when: wiped-out, text: The attacker wins when the leader of the enemies is"
     " out of action.}]", "WS204"),
    ("scenario", HOLD + "'The side whose enemy has lost its leader wins.'}]", "WS204"),
    ("warrior", "text: It has Killing Blow.", "WS202"),
    ("weapon", "range: 24, strength: 3, piercing: 1, text: Its arrows reduce the armor save of the target by"
     " 2.", "WS202"),
    ("weapon", "range: 18, strength: 3, shots: 2, shots_within: 6, text: The slinger may shoot three times at a target"
     " within 6 inches.", "WS202"),
    ("weapon", "charge_bonus: 2, rules: [rider-charge], text: Riders add 1 to their Strength when they"
     " charge.", "WS202"),
    ("warrior", "magic: [Ring], text: Old Tam carries two magic items.", "WS202"),
    ("warrior", "text: She can take two wounds before she falls.", "WS202"),
    ("warrior", "text: He runs up to 12 inches.", "WS202"),
    ("warrior", "armor: light, text: He fights without armor.", "WS202"),
    ("warrior", "text: He is a Hero of the river wars.", "WS202"),
    ("warrior", "text: She strikes three times in each round.", "WS202"),
    ("weapon", "hands: 2, bonus: 1, text: It needs only one hand. +1 Strength.", "WS202"),
    ("warrior", "mount: {name: Goat, m: 7, ws: 3, s: 3, i: 3, a: 1}, text: He climbs walls on his goat.", "WS202"),
    ("scenario", "special: {Odds: Each side has eight models.}", "WS204"),
    ("scenario", "special: {Odds: The attacker sets up within 12 inches of the west edge.}", "WS204"),
    ("warrior", "text: 'A grim man with Killing Blow, he rows.'", "WS202"),
    ("scenario", "victory: [{side: attacker, when: leader-out, text: The attacker wins when three of its models have"
     " left by the west edge.}]", "WS204"),
    ("warrior", "text: 'Quick of hand, he strikes before anyone else with an Initiative of 6.'", "WS202"),
    ("warrior", "text: 'She shoots better than most: BS 5.'", "WS202"),
    ("warrior", "text: He has S4 and T4.", "WS202"),
    ("warrior", "save: 5, text: His hide turns blades on a 4 or better.", "WS202"),
    ("warrior", "w: 2, text: It takes three wounds to bring him down.", "WS202"),
    ("warrior", "text: It bites twice in each round.", "WS202"),
    ("warrior", "armor: light, text: He has no armor but his shirt.", "WS202"),
    ("warrior", "text: He wields a halberd.", "WS202"),
    ("warrior", "ward: 5, magic: ['Ring of Oak: gives a ward save of 4+']", "WS202"),
    ("warrior", "armor: light, text: She never wears armor.", "WS202"),
    ("warrior", "points: 10, text: 'Twelve points buy him, and he knows it.'", "WS202"),
    ("warrior", "rules: [Poison, Sting], special: {Sting: Its poison wounds on 5s and 6s to hit.}", "WS202"),
    ("warrior", "rules: [Stupidity, Dim], special: {Dim: He is never affected by Stupidity.}", "WS315"),
    ("scenario", "special: {Gate: 'At the end of turn 7, the gate closes.'}", "WS204"),
    ("scenario", "forces: [{side: attacker, name: Raiders}, {side: defender, name: Watch}], markers: [{Chest:"
     " '24,18 A'}, {Well: '24,22 B'}], victory: [{side: attacker, when: carry, mark: A, edge: west, text: The"
     " raiders win when they have carried the well off the west edge.}]", "WS204"),
    ("warrior", "text: 'Slow but sure: he covers only three inches a turn.'", "WS202"),
    ("warrior", "rules: [Frenzy, Red Mist], special: {Red Mist: He has +2 Attacks and need not charge.}",
     "WS202 WS315"),
    ("warrior", "rules: [Fear, Grim], special: {Grim: Nobody needs a Leadership test to charge it.}", "WS315"),
    ("warrior", "rules: [Large, Thick], special: {Thick: Missiles have no bonus to hit it.}", "WS315"),
    ("warrior", "rules: [Killing Blow, Axe], special: {Axe: A 5+ to wound kills outright.}", "WS202"),
    ("warrior", "rules: [Terror, Dread], special: {Dread: Models within 8 inches of it take a Terror test.}", "WS202"),
    ("weapon", "range: 24, strength: 4, rules: [move-or-fire], text: 'Its user may move and still fire. Range 24,"
     " Strength 4.'", "WS202"),
    ("weapon", "bonus: 2, hands: 2, text: +2 Strength. Two hands. It may be used with a shield.", "WS202"),
    ("weapon", "first_bonus: 2, hands: 2, text: +2 Strength on the charge only. Two hands.", "WS202"),
    ("weapon", "range: 24, strength: 4, text: Strength 4. Armor saves are ignored.", "WS202"),
    ("weapon", "range: 18, strength: 3, shots: 2, shots_within: 9, text: Two shots at targets up to 12 inches"
     " away.", "WS202"),
    ("weapon", "rules: [poison], text: A 5+ to hit wounds without a roll.", "WS202"),
    ("scenario", "special: {Night: The battle ends at the end of the eighth turn.}", "WS204"),
    ("scenario", "forces: [{side: attacker, name: Raiders}, {side: defender, name: Watch}], first: defender, special:"
     " {Dawn: 'The raiders, who move first, come from the west.'}", "WS204"),
    ("scenario", "forces: [{side: attacker, name: Raiders}, {side: defender, name: Watch}], victory: [{side: attacker,"
     " when: reach-edge, edge: east, count: 4, text: At least three raiders must escape by the east edge.}]", "WS204"),
    ("scenario", "special: {Zones: Both sides set up within 12 inches of their own table edge.}", "WS204"),
    ("scenario", "special: {Table: The table is four feet by four.}", "WS204"),
    ("scenario", "markers: [{Chest: '24,18 A'}, {Well: '24,22 B'}], " + HOLD + "'The side with most fit models within 3"
     " inches of the well wins.'}]", "WS204"),
    ("scenario", "markers: [{Chest: '24,18 A'}], special: {A: Place the chest 6 inches from the west edge.}", "WS204"),
    ("scenario", "markers: [{Chest: '24,18 A'}], special: {A: There are three chests on the table.}", "WS204"),
    ("scenario", "terrain: [{Old Barn: 'building 30,20 6x6 H3'}], special: {A: The old barn is ten inches"
     " wide.}", "WS204"),
    ("scenario", "terrain: [{Old Barn: 'building 30,20 6x6 H3'}], special: {A: The old barn stands in the"
     " west.}", "WS204"),
    ("scenario", "terrain: [{Old Barn: 'building 30,20 6x6 H3'}], special: {A: The roof of the old barn is five inches"
     " up.}", "WS204"),
]  # fmt: skip


@each_case(("kind", "keys", "found"), WRONG)
def test_a_text_that_says_something_else_is_found(kind: str, keys: str, found: str, tmp_path: Path) -> None:
    assert codes(tmp_path, kind, keys) == found.split()


@each_case(("kind", "keys", "found"), WRONG)
def test_a_card_can_have_what_is_advised(kind: str, keys: str, found: str, tmp_path: Path) -> None:
    outcome = outcome_of(tmp_path, kind, keys)
    assert outcome.findings, found
    model = FORCE if keys.startswith("forces") else RULESET.kinds[kind].model
    assert impossible_advice(model, outcome) == []


def test_a_warband_has_the_models_and_points_that_its_text_names(tmp_path: Path) -> None:
    cards = f"game: skirmish\ncards:\n  - {{kind: warrior, name: Ada, {HEADS['warrior']}}}\n"
    for text, found in (
        ("Ten models, 80 points.", []),
        ("12 models for 80 points.", ["WS202"]),
        ("The whole band comes to 90 points.", ["WS202"]),
        ("Twelve villagers stand with Ada.", ["WS202"]),
        ("90 points.", ["WS202"]),
        ("There is no Wizard among them. All of them go on foot. They carry no magic items.", []),
        ("Ten models. Their leader has Leadership 7.", []),
        ("Their leader has Leadership 9.", ["WS202"]),
        ("Ada leads them with Leadership 8.", ["WS202"]),
        ("One of them is a Level 1 Wizard.", ["WS202"]),
        ("All of them are Undead.", ["WS202"]),
        ("Nine models hold the weir against anyone.", ["WS202"]),
        ("Two models can carry the bell, and nobody is a Hero.", []),
        ("If there is no Wizard among their enemies, they sing.", []),
    ):
        band = f"  - {{kind: warband, name: Band, members: [{{Ada: 10}}], leader: Ada, text: '{text}'}}\n"
        marks = found_marks(checked(tmp_path, cards + band, request=CheckRequest(select=("WS2",))))
        assert [mark.code for mark in marks] == found


@each_case(
    ("kind", "keys"),
    [
        ("weapon", "bonus: 1, hands: 2, text: 'Two hands hold it, and a third one would help.'"),
        ("weapon", "first_bonus: 1, hands: 1, text: 'A shield on the other arm is a comfort.'"),
        ("weapon", "hands: 1, bonus: 0, first_bonus: 1, text: 'It takes one hand to hold it, and both arms to be"
         " believed when you tell of it.'"),
        ("weapon", "bonus: 1, hands: 1, text: 'Nobody can hold a shield against it.'"),
        ("weapon", "first_bonus: 1, text: 'Everyone strikes a bargain before he draws it.'"),
        ("weapon", "first_bonus: 1, text: 'Its wielder has been struck by everyone before. He keeps it anyway.'"),
        ("weapon", "range: 24, strength: 4, hands: 2, rules: [move-or-fire], text: 'Anyone who has moved it may"
         " shoot his own foot.'"),
        ("weapon", "range: 24, strength: 4, hands: 2, rules: [move-or-fire], text: 'A crossbow of the old sort: who"
         " moved cannot shoot.'"),
        ("weapon", "range: 24, strength: 3, hands: 2, text: 'At more than 12 inches, it is at long range.'"),
        ("weapon", "range: 18, strength: 3, hands: 2, text: 'Short range is up to 9 inches.'"),
        ("weapon", "range: 18, strength: 3, hands: 2, text: 'Three quarrels hang on the belt of whoever carries it.'"),
        ("weapon", "bonus: 1, hands: 2, rules: [foot-only], text: 'Riders cannot use it, which is no loss to them.'"),
        ("weapon", "charge_bonus: 1, text: 'Good for riders, good for walkers.'"),
        ("weapon", "bonus: 1, hands: 2, text: 'Its edge was once dipped in poison, and then in beer.'"),
        ("warrior", "armor: light, text: 'She wears mail under a cloak, and no one knows.'"),
        ("warrior", "armor: heavy, text: 'In a linen shirt over steel, he looks like a baker.'"),
        ("warrior", "armor: light, text: 'No plate and no mail for him: only leather.'"),
        ("warrior", "armor: heavy, text: 'His father stood in his shirt against the tax collectors.'"),
        ("warrior", "armor: light, text: 'He wears nothing but black over his mail.'"),
        ("warrior", "shield: true, text: 'He lost his shield at the ford and got a better one.'"),
        ("warrior", "shield: true, text: 'He never carries his shield on Sundays.'"),
        ("warrior", "shield: true, text: 'He cannot hold a shield and a grudge at once, so he gave up the grudge.'"),
        ("warrior", "w: 3, rank: hero, text: 'The first wound made him angry. The second one made him a poet.'"),
        ("warrior", "w: 2, rank: champion, text: 'A single wound is nothing to him.'"),
        ("warrior", "w: 2, rank: champion, text: 'He shakes off his first wound, and falls at the second.'"),
        ("warrior", "w: 3, rank: hero, text: 'Out of action? Not with one wound, not with two.'"),
        ("warrior", "text: 'He walks four inches and talks for two hours.'"),
        ("warrior", "text: 'He runs eight inches with a full jug.'"),
        ("warrior", "m: 5, text: 'On the charge, it covers ten inches.'"),
        ("warrior", "wizard: 0, text: 'She cannot cast a net, a spell, or an eye without somebody falling.'"),
        ("warrior", "wizard: 1, rank: champion, text: 'She cannot cast spells while the moon is down, she says, and"
         " does it anyway.'"),
        ("warrior", "wizard: 1, rank: champion, text: 'No wizard of the college would speak to her.'"),
        ("warrior", "wizard: 0, text: 'His mother cast spells and his father cast iron.'"),
        ("warrior", "wizard: 0, text: 'He knows the wizard who cast the spell.'"),
        ("warrior", "a: 2, rank: champion, text: 'Two blows in each round, and neither of them quiet.'"),
        ("warrior", "text: His single blow is worth two."),
        ("warrior", "a: 2, rank: champion, text: 'He fights without a weapon on feast days, for the children.'"),
        ("warrior", "weapons: [Hand Weapon, Crossbow], text: 'With neither bow nor sling could he hit the barn. With"
         " his crossbow he can.'"),
        ("warrior", "text: 'Twice a day he eats, and four times a night he snores.'"),
        ("warrior", "text: Unarmed men hate him."),
        ("warrior", "shield: true, text: He has no fear of shields."),
        ("warrior", "shield: true, text: 'His shield is left over from the last war.'"),
        ("warrior", "wizard: 1, rank: champion, text: 'Magic is a lie, she says, and lights her pipe with a spell.'"),
        ("weapon", "bonus: 1, hands: 2, rules: [strikes-last], text: It adds 1 to Strength. It strikes last."),
        ("weapon", "first_bonus: 1, charge_bonus: 1, text: +1 Strength at first and in charges."),
        ("weapon", "range: 12, strength: 3, shots: 2, shots_penalty: 1, text: 'One shot, or two with −1 to hit each.'"),
        ("warrior", "rules: [Scarred], special: {Scarred: 'While he has lost a Wound, his Movement is 3.'}"),
        ("warrior", "rules: [Animal], text: It cannot climb."),
        ("warrior", "text: 'He has killed 12 men, and laughs at enemies with three Wounds.'"),
        ("warrior", "text: 'If the moon is full, a second soul gives her two more Wounds, three in all.'"),
        ("warrior", "text: 'Twenty-three wounds have not stopped him, nor has a whole shield.'"),
        ("weapon", "hands: 1, text: 'No two hands are needed, and no horsemen.'"),
        ("warrior", "text: She does not cause Fear."),
        ("warrior", "armor: light, mount: {name: Horse, m: 8, ws: 3, s: 3, i: 3, a: 1}, text: 'Mounted, his armor save"
         " is 5. On foot, it is 6.'"),
        ("scenario", "special: {Mill: 'The mill is 6\" by 6\", and whoever climbs it sees the attacker in his zone.'}"),
        ("scenario", "victory: [{side: defender, when: survive, text: 'The defender wins if a model that has not left"
         " the table is left after turn 6.'}]"),
        ("scenario", "victory: [{side: attacker, when: wiped-out, text: 'The attacker wins when no enemy is left, or"
         " their leader is out of action.'}]"),
        ("warrior", "rules: [Animal], text: It helps others climb walls."),
        ("warrior", "rules: [Killing Blow], text: It has Killing Blow."),
        ("warrior", "text: 'He runs up to 8 inches, and climbs walls.'"),
        ("warrior", "rules: [Shift], special: {Shift: 'As a bear, she has Strength 5 and three Attacks.'}"),
        ("warrior", "mount: {name: Goat, m: 7, ws: 3, s: 3, i: 3, a: 1}, text: 'On foot, he climbs walls.'"),
        ("weapon", "range: 24, strength: 4, piercing: 1, text: Its bolts reduce armor saves by 2."),
        ("warrior", "text: 'Her two brothers wear heavy armor; she does not.'"),
        ("warrior", "text: 'The arrow flew thirty inches past his ear, and he keeps no bow.'"),
        ("warrior", "text: 'He once wielded a halberd, and is anything but a Hero.'"),
        ("warrior", "weapons: [Longbow], text: 'With his bow, he shoots up to 30 inches.'"),
        ("warrior", "rules: [Frenzy], a: 2, text: 'With Frenzy, he has 3 Attacks.'"),
        ("warrior", "rules: [Terror], text: It causes Fear as well as Terror."),
        ("warrior", "rules: [Stupidity, Handler], special: {Handler: It passes its Stupidity tests while its handler is"
         " within 6 inches.}"),
        ("warrior", "rules: [Hatred, Grudge], special: {Grudge: 'Once in a game, he may re-roll any one die.'}"),
        ("warrior", "magic: ['Sword of Might: Strength 5']"),
        ("warrior", "text: 'Her tongue is a poisoned blade, and carrying a pistol is forbidden in her village.'"),
        ("scenario", "terrain: [{Pond: 'water 22,26 6x6'}], special: {A: 'After turn 4, the pond is 8 inches wide.'}"),
        ("scenario", "markers: [{Chest: '24,18 A'}, {Well: '24,22 B'}], " + HOLD + "'The side with most fit models"
         " around the chest, which lies by the well, wins.'}]"),
        ("scenario", "terrain: [{Old Barn: 'building 30,20 6x6 H3'}], special: {A: 'The old barn is 6 inches wide, and"
         " stands in the east.'}"),
        ("scenario", "special: {Odds: 'Each side has 15 models. The attacker sets up within 8 inches of the west"
         " edge.'}"),
        ("warrior", "armor: light, shield: true, weapons: [Halberd], text: 'With the halberd, he has a 6+ save in close"
         " combat. His armor and shield give him a save of 5+ against missiles.'"),
        ("warrior", "armor: heavy, shield: true, text: His shield alone gives him a save of 6+."),
        ("warrior", "armor: heavy, shield: true, text: His armor gives him a save of 5+."),
        ("warrior", "armor: heavy, shield: true, text: Heavy armor gives him a save of 5+."),
        ("warrior", "save: 1, ward: 4, text: It has a save of 1+."),
        ("warrior", "rules: [Frenzy, Hatred], text: 'In her frenzy, she has 2 Attacks. She rerolls all her misses in"
         " the first round of a combat.'"),
        ("warrior", "rules: [Killing Blow], text: 'Killing Blow: on a 6 to wound, the enemy is out of action.'"),
        ("weapon", "range: 8, strength: 4, piercing: 1, text: 'Armor piercing: saves against it are two worse.'"),
        ("weapon", "range: 8, strength: 4, text: 'Armor saves against it are 1 worse.'"),
        ("scenario", "special: {A: Split each side into two groups (C) and (D).}"),
        ("scenario", "special: {A: The defender sets up first. The attacker takes the first turn.}, first: attacker"),
        ("scenario", "special: {Rain: The defender sets up in the north.}"),
        ("scenario", "special: {Dawn: 'After turn 3, everybody sees twice as far.'}"),
        ("scenario", HOLD + "'The attacker wins, or the defender wins.'}]"),
        ("scenario", REACH + "From the east edge to the west edge.}]"),
        ("scenario", "victory: [{side: attacker, when: survive, count: 2, text: More than one of its models is left}]"),
        ("warrior", "text: 'Two wounds he took at the ford, and a third at the mill; he is proud of them.'"),
        ("weapon", "range: 20, strength: 3, text: 'Anyone within six inches of it goes deaf. It is 40 inches long.'"),
        ("weapon", "hands: 2, text: The smith made it for a giant who held it in one hand."),
        ("scenario", "setup: The attacker comes from the west. He fled from the east last year."),
        ("scenario", "special: {Reserves: 'Half of the attackers come from the north in turn 3.'}"),
        ("scenario", "special: {Fog: 'In the first three turns, nobody sees farther than 12 inches.'}"),
        ("weapon", "hands: 2, text: 'An ogre swings it in one hand, everybody else in both.'"),
        ("warrior", "text: 'She tells of a man with 3 Wounds, who fell to a goose.'"),
        ("warrior", "text: 'She strikes twice a day, like the bell of the church.'"),
        ("warrior", "text: 'It takes a fourth wound to kill a troll, and one to kill him.'"),
        ("scenario", "special: {Tired: After two turns of running everybody stops and rests.}"),
        ("scenario", "special: {Bell: 'The bell rings every two turns, and nobody knows when the fight ends.'}"),
        ("scenario", "victory: [{side: defender, when: survive, text: They win if anyone of the ten is left after six"
         " turns.}]"),
    ],
)  # fmt: skip
def test_a_text_that_is_right_or_not_understood_is_not(kind: str, keys: str, tmp_path: Path) -> None:
    assert codes(tmp_path, kind, keys) == []


def test_a_marker_that_a_text_names_and_the_map_lacks_says_what_to_write(tmp_path: Path) -> None:
    text = f"{HOLD}'A side with most fit models within 3\" of C wins.'}}]"
    card = f"game: skirmish\ncards:\n  - {{kind: scenario, name: Test, {HEADS['scenario']}, {FORCES}, {text}}}\n"
    found = checked(tmp_path, card, request=CheckRequest(select=("WS2",))).findings
    assert ("no marker has the letter C", "add it to 'markers', or write A or B") in [
        (each.diagnostic.message, each.diagnostic.help) for each in found
    ]


@each_case(
    ("text", "found"),
    [
        ("There is no Wizard among them.", ["WS202"]),
        ("All of them go on foot.", ["WS202"]),
        ("They march on foot, without magic items.", ["WS202", "WS202"]),
        ("No Hero leads them.", ["WS202"]),
        ("All of them are mounted.", ["WS202"]),
        ("They have hunted three Wizards, fear no Wizard, and no Lord or Hero escapes them.", []),
        ("Two Wizards lead them.", ["WS202"]),
        ("Bea leads these people.", ["WS202"]),
        ("None of them rides.", ["WS202"]),
        ("Ada leads these people, with one rider.", []),
        ("Led by a Lord, they go home.", ["WS202"]),
        ("A Hero leads them, with one Wizard.", []),
        ("One of them is a Level 1 Wizard. Their leader has Leadership 9.", []),
        ("They hate Wizards, and fight for riders.", []),
    ],
)
def test_a_warband_is_made_up_as_its_text_says(text: str, found: list[str], tmp_path: Path) -> None:
    head = HEADS["warrior"].replace("ld: 7, ", "")
    horse = "mount: {name: Horse, m: 8, ws: 3, s: 3, i: 3, a: 1}"
    cards = (
        f"game: skirmish\ncards:\n  - {{kind: warrior, name: Ada, ld: 9, {head}, rank: hero, magic: [Ring]}}\n"
        f"  - {{kind: warrior, name: Bea, ld: 7, {head}, wizard: 1}}\n"
        f"  - {{kind: warrior, name: Cid, ld: 7, {head}, {horse}}}\n"
        f"  - {{kind: warband, name: Band, members: [Ada, Bea, Cid], leader: Ada, text: '{text}'}}\n"
    )
    marks = found_marks(checked(tmp_path, cards, request=CheckRequest(select=("WS2",))))
    assert [mark.code for mark in marks] == found
