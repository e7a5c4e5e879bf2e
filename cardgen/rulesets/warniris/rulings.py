"""What this project decides where the rulebook is silent or contradicts itself. The first setting is in force."""

from __future__ import annotations

from types import MappingProxyType

from cardgen.rulesets.ruling import Ruling


def _ruling(name: str, question: str, **settings: str) -> Ruling:
    """Keywords write the dashes of a setting's id as underscores."""
    return Ruling(name, question, MappingProxyType({key.replace("_", "-"): answer for key, answer in settings.items()}))


RULINGS: tuple[Ruling, ...] = (
    _ruling("tie-rolls", "What if both players roll the same on a roll-off?", again="Both roll again."),
    _ruling(
        "mission-14-type",
        "What is the 'MW' of mission 14?",
        any="Any weapon, CW or RW, but no Power.",
        cw="A Combat Weapon.",
        rw="A Ranged Weapon.",
    ),
    _ruling(
        "clamp-order",
        "When is an attribute held within 1 to 5?",
        once="Once, after every bonus, penalty and Penetration: no Test is ever impossible.",
        before="Before Penetration is taken off: a Test can become impossible.",
        twice="Before Penetration is taken off, and again after it.",
    ),
    _ruling(
        "overkill-vp",
        "Do points of Damage past the last Wound score?",
        lost="No: only Wounds that are really lost score.",
        all="Yes: every point dealt scores.",
    ),
    _ruling("friendly-vp", "Does Damage to one's own side score?", none="No."),
    _ruling(
        "elimination",
        "Who wins when a Warband is eliminated but has more VP?",
        wins="Elimination wins; VP decide only while both sides stand.",
        vp="VP alone decide.",
    ),
    _ruling("vp-tie", "Who wins with equal VP after turn 5?", draw="Nobody: it is a draw."),
    _ruling(
        "ignored-vp",
        "Do points of Damage that a Relic ignores score?",
        unscored="No. A Reaction is cut to 1 first, then each point has its die; with none left, no Effect.",
        scored="Yes, in the same order.",
    ),
    _ruling(
        "reaction-test",
        "Which attribute times a Reaction?",
        attribute="Mind for a weapon, Spirit for a Power, with changes to the attribute itself.",
    ),
    _ruling(
        "reaction-cloak",
        "Does what hinders an Attack (a cloak, a gap) hinder the timing Test?",
        free="No.",
        hindered="Yes.",
    ),
    _ruling(
        "reaction-hit",
        "Are a Reaction's Tests to hit and to resist still taken?",
        tested="Yes, both, after the timing Test.",
    ),
    _ruling(
        "reaction-when",
        "When does a timed Reaction happen?",
        any_point="At whichever moment its player names, part-way along a Move too.",
        before_dice="It is named and resolved before the Action's first die.",
    ),
    _ruling(
        "reaction-chain",
        "May one React to a Reaction?",
        none="No. Several Reactions are resolved one by one, in their player's order.",
    ),
    _ruling("reaction-cw-move", "Does a Combat Weapon's free Move come with a Reaction?", none="No.", allowed="Yes."),
    _ruling("reaction-spent", "Is a Reaction used up that comes too late to happen?", spent="Yes."),
    _ruling("bearer-dead", "What of a Relic whose bearer falls before its use?", lost="It is lost."),
    _ruling("bonus-on-reaction", "Does a bonus until the end of the turn hold for Reactions in it?", holds="Yes."),
    _ruling(
        "between-order",
        "In which order are miniatures in the line tested?",
        outward="From the attacker outward; the first failed Test makes that one the target.",
    ),
    _ruling("interference-cover", "Does the -1 for a gap count when miniatures in the line are tested?", counts="Yes."),
    _ruling(
        "unequal",
        "What if only one side has miniatures left to activate?",
        goes_on="That side goes on alone until all have acted.",
    ),
    _ruling(
        "distance", "What do 'over' and 'within' mean?", strict="Over is strictly more; within includes the limit."
    ),
    _ruling(
        "horde-actions",
        "How many Actions has a Minion in a Last Stand?",
        two="Two: the third is for the defenders.",
        three="Three, as the defenders.",
    ),
    _ruling(
        "channel-is-attack",
        "Does a Mission that says Attack mean a Channel too?",
        apart="No, only what it says.",
        included="Yes.",
    ),
    _ruling(
        "mission-scope",
        "Whose deeds count for a Mission?",
        as_said="One Character's for 4 and 12 (both may score), the whole Warband's for 11.",
    ),
    _ruling(
        "mission-once", "May a Mission score more than once?", once="No, once a battle.", each_time="Yes, each time."
    ),
    _ruling(
        "mission-2-check",
        "When is mission 2 looked at?",
        turn_end="At the end of each turn; it need not be the same Character.",
    ),
    _ruling("same-action", "May an Activation have the same Action twice?", allowed="Yes."),
    _ruling(
        "between-hit",
        "Is the Test to hit still taken when another miniature became the target?",
        tested="Yes.",
        skipped="No: it is hit.",
    ),
    _ruling(
        "penalty-scope",
        "Does the first target's cloak or disruptor weigh on Tests for miniatures in the line?",
        weighs="Yes.",
    ),
    _ruling(
        "cw-path",
        "Does a Combat Weapon's free Move take Body Tests for enemies in the way?",
        tested="Yes; and where it cannot bring the target within Range it is not made.",
    ),
    _ruling(
        "partial-cover",
        "Is there a penalty for a half-hidden target without a gap?",
        none="No; 'in cover' on a Mission means that terrain touches the line of sight.",
    ),
    _ruling("zone-shape", "What shape is a deployment zone?", square="A square of 20 cm in its corner."),
    _ruling("relic-duplicates", "May two Characters bear the same Relic?", allowed="Yes."),
    _ruling("relic-copies", "How many of each Relic are in the kit?", four="Four."),
    _ruling(
        "last-stand-score",
        "What is kept count of in a Last Stand?",
        deeds="Turns survived, Minions slain and Damage dealt; there are no VP.",
    ),
    _ruling("refill", "Where do new Minions appear?", edges="On the edges, as evenly as they can."),
    _ruling("heal-target", "May a healing Power be used on oneself?", oneself="Yes, unless its text says otherwise."),
)
