"""Facts of the rulebook that sheets must contain, with their patterns.

All patterns of a fact must occur in the same section of a sheet.
"""

from __future__ import annotations

EQUIPMENT = {
    "two players": ["two players"],
    "the dice are six-sided only": ["six-sided dice", "d6"],
    "lengths are centimetres, never inches": ["every distance in the game is in cm", "inches never"],
    "the battle zone is 60 cm by 42 cm": ["60 × 42 cm", "battle zone"],
    "its diagonal is 73.2 cm": ["diagonal is 73.2 cm"],
    "two deployment zones, in opposite corners, 20 cm wide": ["two deployment zones", "20 cm", "opposite corners"],
    "a warband has up to four miniatures, each with a datacard": ["warband of up to 4 miniatures", "datacard"],
    "at most one relic for a character, chosen before deployment": ["at most one", "before (anybody )?deploy"],
    "five turns": ["5 turns"],
    "a tape measure is needed": ["tape measure"],
    "any amount of terrain": ["any amount of terrain"],
    "relics are optional": ["relics are optional"],
    "the game's owner": ["orniris terensi"],
    "printing is for personal use only": ["printed is for your personal use only"],
    "three random missions each, secret, drawn after deployment, optional": [
        "missions are optional|missions \\(optional\\)|if you play with missions",
        "draws 3",
        "secret|after deployment",
    ],
}
CHARACTERISTICS = {
    "Mind: the test to hit with a weapon": ["mind a value from 1 to 5, tested to hit with a weapon"],
    "Mind times a reaction with a weapon": ["timing( test)?: (test )?mind for a weapon"],
    "Mind for miniatures in between": ["one additional test for each of them.*: mind for a weapon"],
    "Body: resists a weapon's penetration": ["body a value from 1 to 5, tested to resist a weapon’s penetration"],
    "Body: moving through an enemy": ["body test", "for (each|every enemy) whose space"],
    "Spirit: hits with a power, and resists one": [
        "spirit a value from 1 to 5, tested to hit with a power, to resist one"
    ],
    "Spirit times a reaction with a power, and passes miniatures in between": ["spirit for a power"],
    "attributes go from 1 to 5 after all bonuses and penalties": [
        "mind, body, and spirit",
        "between 1 and 5",
        "whatever bonuses and penalties",
    ],
    "Wounds: how many until it is eliminated": [
        "wounds how much damage eliminates a miniature",
        "loses its last wound is eliminated",
    ],
    "healing never lifts above the printed wounds": ["never (raises it )?above the printed number"],
    "Movement: cm for each move": ["movement how many centimeters a miniature can cover in one move"],
    "Abilities: special skills, passive or active": ["abilities", "always active", "used when"],
}
WEAPONS = {
    "T: RW, CW or P, and no other": ["ranged weapon", "combat weapon", "power", "no others?"],
    "R: cm within which the target may be hit": ["range how many centimeters a weapon or power reaches"],
    "P: taken off Body for weapons, Spirit for powers": ["reduces the target’s body, or a power its spirit"],
    "D: wounds lost when penetration is not resisted": ["how many wounds the target loses if it fails to resist"],
    "H: wounds given back": ["healing how many wounds a weapon or power restores"],
    "an effect comes after damage, unless it says when": ["effect", "after damage", "unless it says"],
    "what a line looks like": ["rifle", "rw r15 p1 d1"],
}
TESTS = {
    "1D6, equal to the attribute or less succeeds": ["1d6", "equal to the attribute or less", "succeeds"],
    "bonuses and penalties, then held within 1 to 5": [
        "bonus",
        "penalt",
        "treat a total below 1 as 1 and (a total )?above 5 as 5",
    ],
    "never certain, never impossible": ["6 always fails|none is impossible", "1 always succeeds|no test is certain"],
}
SETUP = {
    "both roll; the highest picks a zone": ["both players roll 1d6", "higher roll picks one of the two"],
    "the lowest places first, then in turns, one miniature each": ["lower roll places", "one miniature at a time"],
    "the highest of a second roll decides who goes first in every turn": [
        "higher roll decides who goes first in every turn"
    ],
    "each draws three missions": ["each player draws 3"],
    "disputes: both roll, the highest wins": ["both players roll 1d6", "disput", "no rule", "the higher roll wins"],
}
TURN = {
    "players alternate": ["players alternate"],
    "one miniature that has not acted, for up to two actions": ["activate", "not acted", "up to 2 actions"],
    "when all have acted the turn ends": ["when .* acted, the turn ends"],
    "after turn 5 the battle ends": ["after turn 5"],
    "move: up to Movement, straight or curved": ["movement", "straight or in (a curve|curves)"],
    "move: may not end on another miniature": ["may not (end on|overlap)", "another miniature"],
    "move: a body test for every enemy crossed, a failure stops in front": ["enem", "body test", "stop", "in front"],
    "move: friends are passed freely": ["friends freely|through a friend: no test"],
    "move: gaps up to twice the own height": ["jump", "twice (your own|the) height"],
    "attack with a weapon, channel a power": ["attack", "with a weapon", "channel", "power"],
    "target: in range between any parts, clear line of sight": [
        "within range|at most range away",
        "between the closest parts",
        "sight",
    ],
    "hit: Mind for a weapon, Spirit for a power; failure ends it": ["mind", "spirit", "fail", "over|ends the action"],
    "resist: Body or Spirit less Penetration, by the target's player": ["target’s player", "body", "penetration"],
    "resisted: nothing": ["resisted[?:] ?nothing more happens"],
    "not resisted: wounds equal to damage, then effects": ["not resisted", "damage", "then .*effects"],
    "a combat weapon's free move, only when it ends in range": ["free move", "ends with the target in range"],
    "cover: wholly hidden is blocked": ["hides the target completely", "blocks the attack"],
    "cover: a gap of 1 cm lets through at -1": ["gap", "1 cm", "−1"],
    "between: friend or foe, one more test each, the first failure is the new target": [
        "friend or foe",
        "one additional test",
        "first failed test makes that miniature the (new )?target",
    ],
    "what only heals or protects takes no test": ["nothing but heal or protect, it requires no test"],
    "end of activation: ongoing effects, then missions": ["ongoing effects", "mission"],
    "reaction: once a turn, only against an enemy's action": ["once a turn", "enemy(’s)?", "action"],
    "reaction: a timing test": ["timing", "mind for a weapon or spirit for a power"],
    "reaction: success at any moment, the enemy waits": ["any moment", "enemy waits"],
    "reaction: failure only after the action, if still seen": [
        "failure",
        "after the action|action is over",
        "only if you can still see",
    ],
    "reaction: at most 1 damage, no effects": ["1 damage", "at most", "no effects"],
    "minions never react": ["minions never react"],
}
VICTORY = {
    "1 VP for each point of damage, even if healed or undone later": [
        "1 victory point",
        "(each|every) point of damage",
        "later healed or undone",
    ],
    "missions add theirs": ["missions add their"],
    "the most VP after turn 5 win": ["after turn 5", "most vp"],
    "eliminating the whole enemy warband wins at once": ["whole enemy warband", "at once"],
}
LAST_STAND = {
    "three characters against twenty minions": ["3 characters", "20 minions"],
    "defenders deploy first, in a central circle of 12 cm": ["defenders deploy first", "circle", "12 cm"],
    "terrain as one likes": ["terrain as you like"],
    "the horde deploys evenly along the four edges": ["along all four edges, spread evenly"],
    "defenders start the first turn": ["start the first turn|first turn. the defenders start"],
    "a defender has up to three actions": ["defender has up to 3"],
    "a minion has two, by ruling": ["a minion 2†"],
    "each turn refills the horde to twenty": ["each turn", "new minions", "20"],
    "no limit of turns": ["no turn limit"],
    "no missions": ["no missions"],
    "minions have no reactions": ["minions never react"],
    "round bases of 25 to 30 mm": ["round bases of 25 to 30 mm"],
}
SECTIONS = (EQUIPMENT, CHARACTERISTICS, WEAPONS, TESTS, SETUP, TURN, VICTORY, LAST_STAND)
FACTS = {name: patterns for section in SECTIONS for name, patterns in section.items()}
