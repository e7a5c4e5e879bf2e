"""The words of Warniris as its rulebook writes them, explained in this project's own."""

from __future__ import annotations

from cardgen.rulesets.ruleset import GlossaryTerm


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
