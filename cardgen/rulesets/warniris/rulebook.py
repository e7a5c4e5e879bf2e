"""The glossary of Warniris, and its rulings where the rulebook is silent. The first setting is in force."""

from __future__ import annotations

from types import MappingProxyType

from cardgen.game import GlossaryTerm, Ruling


def _bold(name: str, definition: str, *forms: str, everyday: tuple[str, ...] = ()) -> GlossaryTerm:
    """A term that cards set bold: a characteristic, a number of a weapon, or an Action."""
    return GlossaryTerm(name, definition, (name, *forms), bold=True, everyday=everyday)


def _plain(name: str, definition: str, *forms: str) -> GlossaryTerm:
    return GlossaryTerm(name, definition, (name, *forms))


def _everyday(name: str, definition: str, *forms: str) -> GlossaryTerm:
    """A term that sentences may use in small letters too."""
    return GlossaryTerm(name, definition, (name, *forms), everyday=(name, *forms))


GLOSSARY: tuple[GlossaryTerm, ...] = (
    _bold("Mind", "Tested to hit with a weapon, from 1 to 5. It also times a Reaction made with one."),
    _bold("Body", "Tested to resist a weapon's Penetration and to Move through an enemy, from 1 to 5."),
    _bold("Spirit", "Tested to hit with a Power and to resist one, from 1 to 5."),
    _bold(
        "Wounds",
        "How much Damage a miniature can take; the last one lost eliminates it. Healing stops at the printed number.",
        "Wound",
    ),
    _bold("Movement", "How many centimetres a miniature may go in one Move."),
    _bold("Range", "How many centimetres a weapon or Power reaches, its limit included."),
    _bold(
        "Penetration", "What a weapon takes off the target's Body, or a Power off its Spirit, for the Test to resist."
    ),
    _bold(
        "Damage",
        "The Wounds that a target loses when it does not resist. Damage dealt is worth Victory Points.",
        "Damages",
        "Damaged",
    ),
    _bold("Healing", "The Wounds that a weapon or Power gives back to its target.", "Heal", "Heals", "Healed"),
    _bold(
        "Move",
        "The Action of going up to Movement cm, straight or in a curve. Each enemy in the way takes a Body Test.",
        "Moves",
        "Moved",
        everyday=("Moved",),  # Who is moved by others makes no Move.
    ),
    _bold(
        "Attack", "The Action of using a weapon: Mind to hit, and the target's Body to resist.", "Attacks", "Attacked"
    ),
    _bold(
        "Channel",
        "The Action of using a Power: Spirit to hit, and the target's Spirit to resist.",
        "Channels",
        "Channelled",
    ),
    _bold(
        "Reaction",
        "An Attack or Channel at an enemy during its Action, once a turn. It deals 1 Damage at most and has no Effect.",
        "Reactions",
        "React",
        "Reacts",
    ),
    _plain("Action", "A Move, an Attack or a Channel. Two of them, alike or not, make an Activation.", "Actions"),
    _plain("Activation", "A miniature's go: up to two Actions, once a turn.", "Activations"),
    _plain(
        "Test",
        "Roll 1D6: equal to the attribute or less succeeds. Bonuses and penalties count first, within 1 to 5.",
        "Tests",
    ),
    _plain(
        "Effect",
        "What a weapon, Relic or Ability does beside Damage and Healing. "
        "A weapon's comes after its Damage unless it says otherwise.",
        "Effects",
    ),
    _everyday("Target", "The miniature that an Attack or Channel is aimed at: within Range and in sight.", "Targets"),
    _everyday("Weapon", "A Combat Weapon or a Ranged Weapon. It hits with Mind and is resisted with Body.", "Weapons"),
    _plain(
        "Combat Weapon",
        "CW: a weapon for close quarters. It brings a free Move at the target where that ends within Range.",
        "Combat Weapons",
        "CW",
    ),
    _plain("Ranged Weapon", "RW: a weapon that shoots or is thrown.", "Ranged Weapons", "RW"),
    _plain("Power", "P: what is Channelled. It hits with Spirit and is resisted with Spirit.", "Powers"),
    _plain("Ability", "A special skill of one Character, always at work or used at will.", "Abilities"),
    _plain("Relic", "A card that one Character bears, chosen before deployment.", "Relics"),
    _plain("Character", "A hero with a datacard of its own.", "Characters"),
    _plain("Minion", "One of the Horde in a Last Stand. Minions have no Reactions.", "Minions"),
    _plain("Warband", "A player's side: up to four Characters.", "Warbands"),
    _plain("Horde", "The twenty Minions of a Last Stand, made up to twenty again each turn.", "Hordes"),
    _plain("Mission", "A secret card that is worth Victory Points once its deed is done.", "Missions"),
    _plain(
        "Victory Point",
        "VP: one for each point of Damage dealt, and more for Missions. The most after turn 5 win.",
        "Victory Points",
        "VP",
    ),
    _plain("Last Stand", "A battle of three Characters against a Horde that never ends.", "Last Stands"),
)

BOLD_FORMS: tuple[str, ...] = tuple(form for term in GLOSSARY if term.bold for form in term.forms)


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
