"""The conditions of small checks; the rows in rows.txt have their codes, severities, and manual pages."""

import re
from collections import Counter

from cardgen.game import (
    CM_PER_INCH,
    CheckContext,
    CheckScope,
    Entry,
    Finding,
    Findings,
    FreeText,
    Related,
    cards_by_name,
    foreign_terms,
    foreign_units,
    join_words,
    slugify,
)
from cardgen.rulesets.warniris import attribute_bounds as bounds
from cardgen.rulesets.warniris.cards import (
    HORDE_SIZE,
    MEANINGFUL_KEYS,
    Ability,
    Character,
    Earn,
    Minion,
    Mission,
    Relic,
    Warband,
    meaningless_keys,
)
from cardgen.rulesets.warniris.effect import LASTING, Effect, Weapon, only_protects
from cardgen.rulesets.warniris.limits import MAX_ATTRIBUTE, MIN_ATTRIBUTE, TABLE_DIAGONAL
from cardgen.rulesets.warniris.rulebook import RULINGS
from cardgen.rulesets.warniris.weapon_line import WEAPON_TYPES
from cardgen.rulesets.warniris.words import MOMENTS

SMALLEST_BASE, LARGEST_BASE = 25, 30
MAX_NUMBER = 99
INCHES = re.compile(r"(?<!\d)(\d+(?:\.\d+)?)\s*(?:[\"”″]|''|-?inch(?:es)?\b|in\.)", re.IGNORECASE)
_TYPE = re.compile(r"\b(?:[A-Z]W|(?:melee|missile|magic|heavy|mounted)[ -]weapons?)\b", re.IGNORECASE)
_REACTION = re.compile(r"\bReact(?:s|ion|ions)?\b", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"\b(?:Mind|Body|Spirit)\b", re.IGNORECASE)
# What a text promises against the rules, and what to do about it, by the meaning of the clauses of faults.
_FAULTS = {
    "attribute": ("no attribute is above 5", "Mind, Body, and Spirit range from 1 to 5"),
    "turn": ("the battle has five turns", "choose a turn from 1 to 5"),
    "minion": ("Minions never React, and carry no Relics", "write it for a Character"),
    "reactions": ("a miniature Reacts once a turn, or once more", "allow no more than two Reactions a turn"),
    "healing": ("healing never raises Wounds above the printed number", "remove this"),
    "distance": ("the table's diagonal is 73 cm", "choose a distance up to 73 cm"),
    "floor": ("no attribute is below 1", "Mind, Body, and Spirit range from 1 to 5"),
}

inches = foreign_units(
    INCHES,
    "lengths are in centimeters",
    lambda match: (f"{match[1]} inches", f"{float(match[1]) * CM_PER_INCH:.0f} cm"),
)
# The words of other games, and what Warniris has instead.
borrowed_terms = foreign_terms(
    {
        r"(?i:(?:armou?r|ward|invulnerable) saves?|saving throws?)": "the target tests Body or Spirit to resist",
        r"(?i:hit points?)|Toughness|Health": "Warniris has Wounds and Body",
        r"(?i:(?:to-)?wound rolls?|rolls? to wound|mortal wounds?)": "Warniris has Damage",
        r"(?i:(?:charge|shooting|fight|psychic|morale|combat|hero|battleshock) phases?)": "Warniris has Activations",
        r"(?i:battle rounds?)": "Warniris has turns",
        r"(?i:(?:battleshock|morale) tests?|command points?|ability dice|wild dice)": "use a Test",
        r"\d*[dD]3": "use D6, and count 1 or 2 as 1, 3 or 4 as 2, and 5 or 6 as 3",
        r"\d*[dD](?:4|8|10|12|20|100)": "use D6",
        r"Weapon Skill|Ballistic Skill|Leadership|Bravery|Rend": "use an attribute of Warniris",
    }
)


def unknown_weapon_type(free_text: FreeText) -> Findings:
    """Find abbreviations that end in W, and weapon terms of other games."""
    for match in _TYPE.finditer(free_text.text) if free_text.is_rules_text else ():
        if match[0].upper() not in WEAPON_TYPES and (len(match[0]) > 2 or match[0].isupper()):
            ruling = next(ruling for ruling in RULINGS if ruling.id == "mission-14-type")
            quoted = f" (ruling {ruling.id}: {ruling.settings[ruling.default]})" if match[0] == "MW" else ""
            message = f"unknown weapon type '{match[0]}'"
            yield Finding(message, help=f"write CW, RW or Power{quoted}", text_range=match.span())


def against_rules(free_text: FreeText) -> Findings:
    """Find the words that no rule allows."""
    if not free_text.is_rules_text:
        return
    from cardgen.rulesets.warniris.wording.clauses import CLAUSES  # loaded here because few cards have texts

    text = free_text.text
    for fault, start, end in CLAUSES.occurrences("fault", text):
        if "," not in text[start:end] and (fault != "attribute" or _ATTRIBUTE.search(text)):
            message, advice = _FAULTS[str(fault)]
            yield Finding(message, help=advice, text_range=(start, end))


def same_character(warband: Warband) -> Findings:
    """Find the members that repeat a Character."""
    first: dict[str, int] = {}
    for index, member in enumerate(warband.members):
        before = first.setdefault(slugify(member.character), index)
        if before != index:
            twice = " with two Relics" if member.relic and warband.members[before].relic else ""
            message = f"duplicate character '{member.character}'{twice}"
            related = (Related("first listed here", ("members", before, "character")),)
            yield Finding(message, ("members", index, "character"), help="choose another Character", related=related)


def too_few_relics(warband: Warband, context: CheckContext) -> Findings:
    """Find, for each Relic, the first member without a copy left."""
    relics, carried = cards_by_name(context.scope, Relic), Counter[str]()
    for index, member in enumerate(warband.members):
        if relic := relics.get(member.relic or ""):
            carried[relic.id] += 1
            if carried[relic.id] == relic.qty + 1:
                message = f"not enough copies of '{relic.name}' (qty: {relic.qty})"
                yield Finding(message, ("members", index, "relic"), help="increase its 'qty', or choose another Relic")


def horde_size(warband: Warband) -> Findings:
    """Find Minions of a Horde that are more or fewer than 20 together."""
    count = sum(troop.qty for troop in warband.minions)
    if warband.minions and count != HORDE_SIZE:
        more = "lower" if count > HORDE_SIZE else "raise"
        message = f"a Horde must have {HORDE_SIZE} Minions, not {count}"
        yield Finding(message, ("minions",), help=f"{more} 'qty', or change the list of Minions", at_key=True)


def same_number(mission: Mission, context: CheckContext) -> Findings:
    """Find a Mission that is not the first with its number."""
    first = context.scope.compute_once(_first_by_number).get(mission.number or 0)
    if first and first.card is not mission:
        taken = {other.number for other in context.scope.cards_of_type(Mission)}
        free = next((f"write {number}, or " for number in range(1, MAX_NUMBER + 1) if number not in taken), "")
        message = f"duplicate number {mission.number}, already used by '{first.card.name}'"
        related = (Related("the other Mission", ("number",), first),)
        yield Finding(message, ("number",), help=f"{free}remove it", related=related)


def _first_by_number(scope: CheckScope) -> dict[int, Entry]:
    """Return the first Mission with each number among the checked cards."""
    missions = [(entry.card.number, entry) for entry in scope.cards[::-1] if isinstance(entry.card, Mission)]
    return {number: entry for number, entry in missions if number}


def minion_base(minion: Minion) -> Findings:
    """Find a base outside the limits."""
    if not SMALLEST_BASE <= minion.base <= LARGEST_BASE:
        nearest = SMALLEST_BASE if minion.base < SMALLEST_BASE else LARGEST_BASE
        message = f"the base of a Minion must be between {SMALLEST_BASE} and {LARGEST_BASE} mm, not {minion.base:g}"
        yield Finding(message, ("base",), help=f"write {nearest}")


def idle_weapon(weapon: Weapon) -> Findings:
    """Find a weapon without Damage, Healing, effects, or text."""
    if not (weapon.damage or weapon.healing or weapon.effects or weapon.text):
        yield Finding(f"'{weapon.name}' does nothing", help="give it Damage, Healing, an effect, or a text")


def short_range(weapon: Weapon) -> Findings:
    """Find Range 0, and Range 1 of a ranged weapon."""
    if weapon.range == 0:
        yield Finding(f"'{weapon.name}' has Range 0 and no possible target", ("range",), help="give it a Range in cm")
    elif weapon.type == "RW" and weapon.range == 1:
        message = "a ranged weapon with Range 1 reaches no farther than a combat weapon"
        yield Finding(message, ("range",), help="make it a CW, or increase its Range", word="R1")


def long_combat_weapon(weapon: Weapon, context: CheckContext) -> Findings:
    """Find a combat weapon with the Range of a ranged weapon."""
    if weapon.type == "CW" and weapon.range >= (shortest := context.scope.compute_once(_shortest_ranged)):
        message = f"a combat weapon with Range {weapon.range} reaches as far as a ranged weapon"
        advice = f"the shortest ranged weapon in play has Range {shortest}; make it an RW"
        yield Finding(message, ("range",), help=advice, word=f"R{weapon.range}")


def _shortest_ranged(scope: CheckScope) -> int:
    """Return the shortest Range over 1 of all ranged weapons in play."""
    weapons = (weapon for fighter in scope.compute_once(bounds.fighters_in_play) for weapon in fighter.weapons)
    return min((weapon.range for weapon in weapons if weapon.type == "RW" and weapon.range > 1), default=100)


def mixed_healing(weapon: Weapon) -> Findings:
    """Find Penetration and Damage beside Healing."""
    for key in ("penetration", "damage"):
        if weapon.healing and getattr(weapon, key):
            message = f"with {key.capitalize()}, healing requires Tests and hurts its target"
            word = f"{key[0].upper()}{getattr(weapon, key)}"
            yield Finding(message, (key,), help="split it into two lines", word=word)


def mixed_protection(weapon: Weapon) -> Findings:
    """Find effects that only aid the target of a line with Penetration or Damage."""
    for index, effect in enumerate(weapon.effects):
        if effect.target and only_protects(effect) and (weapon.penetration or weapon.damage):
            key = "damage" if weapon.damage else "penetration"
            message = f"a line with {key.capitalize()} takes Tests and hurts the target that it protects"
            yield Finding(message, ("effects", index, "target"), help="split it into two lines", at_key=True)


def wasted_penetration(weapon: Weapon, context: CheckContext) -> Findings:
    """Find Penetration beyond the strongest defense."""
    attribute, order = "spirit" if weapon.type == "P" else "body", context.rulings.get("clamp-order", "")
    strongest = context.scope.compute_once(bounds.attribute_bounds)[attribute].highest_possible
    useful = bounds.useful_penetration(strongest, order)
    if weapon.penetration > useful:
        message = f"Penetration {weapon.penetration} does no more than Penetration {useful}"
        why = f"exceed {MAX_ATTRIBUTE} before Penetration" if order == "before" else f"go below {MIN_ATTRIBUTE}"
        advice = f"the strongest defense in play is {attribute.capitalize()} {strongest}, and attributes never {why}"
        yield Finding(message, ("penetration",), help=advice, word=f"P{weapon.penetration}")


def useless_bonus(effect: Effect, context: CheckContext) -> Findings:
    """Find bonuses that take even the lowest attribute, less all penalties, beyond 5."""
    for whom, deeds in effect.deeds:
        for attribute, bonus in bounds.attribute_changes(deeds):
            bound, lowest = context.scope.compute_once(bounds.attribute_bounds)[attribute], 0
            if whom == "bearer" and isinstance(context.card, Character):
                lowest = getattr(context.card.stats, attribute)
            lowest = lowest or bound.lowest_printed
            useful, name = max(0, MAX_ATTRIBUTE - lowest + bound.max_penalty), attribute.capitalize()
            if bonus > useful:
                does = f"does no more than +{useful} {name}" if useful else "does nothing"
                advice = f"{name} {lowest} loses at most {bound.max_penalty} in play, and never exceeds {MAX_ATTRIBUTE}"
                yield Finding(f"+{bonus} {name} {does}", (whom, attribute), help=advice)


def excess_healing(part: Effect | Weapon, context: CheckContext) -> Findings:
    """Find excess healing by effects and weapons."""
    healings: list[tuple[str, int, tuple[str, ...]]]
    if isinstance(part, Weapon):
        healings = [("", part.healing, ("healing",))]
    else:
        healings = [(whom, deeds.heal, (whom, "heal")) for whom, deeds in part.deeds]
    for whom, healed, route in healings:
        card = context.card if whom == "bearer" else None
        own = card.stats.wounds if isinstance(card, Character | Minion) else 0
        wounds = own or context.scope.compute_once(_max_wounds)
        if healed and healed >= wounds:
            message = f"{healed} Wounds are healed, but a miniature can have lost at most {wounds - 1}"
            less = f"write {wounds - 1} or less" if wounds > 1 else "leave it out"
            advice = (
                f"{less}: the highest printed value is {wounds}, and losing the last Wound eliminates the miniature"
            )
            yield Finding(message, route, help=advice, word=f"H{healed}")


def _max_wounds(scope: CheckScope) -> int:
    """Return the highest printed Wounds of all cards in play."""
    return max((fighter.stats.wounds for fighter in scope.compute_once(bounds.fighters_in_play)), default=1)


def beyond_table(effect: Effect, context: CheckContext) -> Findings:
    """Find the bonuses that take even the shortest Range or Movement beyond the table."""
    for whom, deeds in effect.deeds:
        for key, bonus in (("movement", deeds.movement), ("range", deeds.range)):
            if bonus <= 0:
                continue
            lengths = context.scope.compute_once(_shortest_lengths)
            if whom == "bearer" and isinstance(context.card, Character | Minion):
                lengths = _lengths(context.card)
            total = bonus + lengths[key]
            if total > TABLE_DIAGONAL:
                what = f"{key.capitalize()} becomes {total} cm or more"
                message = f"{what}, but the table's diagonal is {TABLE_DIAGONAL} cm"
                yield Finding(message, (whom, key), help="lower the bonus")


def _lengths(fighter: Character | Minion) -> dict[str, int]:
    ranges = [weapon.range for weapon in fighter.weapons]
    return {"movement": fighter.stats.movement, "range": min(ranges, default=0)}


def _shortest_lengths(scope: CheckScope) -> dict[str, int]:
    each = [_lengths(fighter) for fighter in scope.compute_once(bounds.fighters_in_play)]
    return {key: min((one[key] for one in each), default=0) for key in ("movement", "range")}


def reacting_minion(part: Effect | FreeText, context: CheckContext) -> Findings:
    """Find the effects and texts of a Minion that refer to Reactions."""
    message, advice = "Minions have no Reactions", "choose another moment"
    if not isinstance(context.card, Minion):
        return
    if isinstance(part, FreeText):
        for match in _REACTION.finditer(part.text) if part.is_rules_text else ():
            yield Finding(message, help=advice, text_range=match.span())
        return
    if part.bearer and part.bearer.reactions in ("more", "more-others"):
        yield Finding(message, ("bearer", "reactions"), help="remove it")
    for key, moment in (("when", part.when), ("while", part.during)):
        if moment == "reacting":
            yield Finding(message, (key,), help=advice)


def once_always(thing: Ability | Relic) -> Findings:
    """Find a limited use whose effects are all always active; what only re-rolls is used up by the re-roll."""
    active = [effect for effect in thing.effects if not all(deeds.reroll for _, deeds in effect.deeds)]
    if thing.once and active and all(effect.when == "always" for effect in thing.effects):
        message = f"'{thing.name}' can be used only once, but is always active"
        yield Finding(message, ("once",), help="give an effect a moment with 'when', or remove 'once'")


def void_duration(effect: Effect) -> Findings:
    """Find durations that their moment or their effects make void."""
    if effect.span is None:
        return
    if not effect.during and not any({*LASTING} & {*deeds.keys} for _, deeds in effect.deeds):
        yield Finding("this effect happens immediately and does not last", ("for",), help="remove 'for'")
    elif effect.span in MOMENTS[effect.when].void:
        message = f"there is no {effect.span} in progress at '{effect.when}'"
        yield Finding(message, ("for",), help="choose a longer duration, or another moment")
    elif effect.when == "eliminated" and [name for name, _ in effect.deeds] == ["bearer"]:
        yield Finding("a lasting effect is useless to an eliminated miniature", ("for",), help="apply it to others")


def idle_objective_key(goal: Earn) -> Findings:
    """Find the keys of an objective that the tracker ignores."""
    for key in meaningless_keys(goal):
        events = [event for event, keys in MEANINGFUL_KEYS.items() if key in keys]
        message = f"'{key}' means nothing for the event '{goal.event}'"
        yield Finding(message, (key,), help=f"remove it; it is for {join_words(events, 'and')}")
    if goal.within == "move" and goal.event != "pass":
        message = f"'in: move' means nothing for the event '{goal.event}'"
        yield Finding(message, ("in",), help="write turn or battle; move is for pass")


def unusual_damage(character: Character, context: CheckContext) -> Findings:
    """Find a figure far outside those of all Characters in play, with its rank."""
    if outlier := context.scope.compute_once(bounds.damage_outliers).find(character.id):
        target = context.scope.compute_once(bounds.median_target)
        message = (
            f"the best attack deals {float(outlier.figure):.2f} Damage on average to Body {target.body} and Spirit "
            f"{target.spirit}, rank {outlier.rank} of {outlier.among}"
        )
        advice = f"the figures in play range from {float(outlier.lowest):.2f} to {float(outlier.highest):.2f}"
        yield Finding(message, ("weapons",), help=advice, at_key=True)


def unusual_endurance(character: Character, context: CheckContext) -> Findings:
    """Find a figure far outside those of all Characters in play, with its rank."""
    if outlier := context.scope.compute_once(bounds.endurance_outliers).find(character.id):
        message = f"it endures {float(outlier.figure):.1f} attacks on average, rank {outlier.rank} of {outlier.among}"
        advice = f"the figures in play range from {float(outlier.lowest):.2f} to {float(outlier.highest):.2f}"
        yield Finding(message, ("stats",), help=advice, at_key=True)
