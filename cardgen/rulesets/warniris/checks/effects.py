"""Checks of effects, their conditions, and their durations."""

import re

from cardgen.game import (
    SIDES,
    CheckContext,
    CheckScope,
    Finding,
    Findings,
    FreeText,
    KeyPath,
    join_words,
)
from cardgen.rulesets.warniris import attribute_bounds as bounds
from cardgen.rulesets.warniris.cards import (
    Ability,
    Character,
    Minion,
    Relic,
)
from cardgen.rulesets.warniris.effect import CHANGES, DEEDS, LASTING, PARTIES, SUDDEN, Condition, Effect, Weapon
from cardgen.rulesets.warniris.rulebook import MAX_ATTRIBUTE, TABLE_DIAGONAL
from cardgen.rulesets.warniris.weapon_line import is_same_name
from cardgen.rulesets.warniris.words import KILLS, MOMENTS, NO_DICE, REROLLS, Dice, Side, Sort, moments

_REACTION = re.compile(r"\bReact(?:s|ion|ions)?\b", re.IGNORECASE)
# When the weapon of a condition is one of the bearer's own; distances are those to the target, but not in KILLS.
_WITH_OWN_WEAPON = moments(lambda moment: moment.by_attacker) | {"reacting", "eliminating"}
_TARGET = re.compile(r"\b(?:the|its|a) target\b", re.IGNORECASE)
_ATTACK_WORDS = re.compile(
    r"attack|channel|hit|shoot|shot|react|strik|struck|aim|weapon|power|wound|damag", re.IGNORECASE
)
_MOST = "a Reaction deals at most 1 Damage"
_ADVICE = "choose another moment, or help the Reaction's Tests instead"
# A sentence about a Reaction with Damage in it; the game reads no such sentence, so that none of its effects tells.
_SENTENCE = re.compile(r"[^.;]+")
_REACTION_DEED = re.compile(r"\b(?:[Rr]eact(?:s|ing)|[Ii]n (?:a|its) Reaction|[Rr]eactions? (?:\w+ )?deals?)\b")
_DAMAGE = re.compile(r"\bdeals? (?:up to |\+)?(?:[2-9]|[1-9]\d)(?: (?:more|points? of))? [Dd]amage\b")


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
            are = "1 Wound is" if healed == 1 else f"{healed} Wounds are"
            message = f"{are} healed, but a miniature can have lost at most {wounds - 1}"
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


def _lengths(fighter: Character | Minion | bounds.Fighter) -> dict[str, int]:
    ranges = [weapon.range for weapon in fighter.weapons]
    return {"movement": fighter.stats.movement, "range": min(ranges, default=0)}


def _shortest_lengths(scope: CheckScope) -> dict[str, int]:
    each = [_lengths(fighter) for fighter in scope.compute_once(bounds.fighters_in_play)]
    return {key: min((one[key] for one in each), default=0) for key in ("movement", "range")}


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


def once_always(thing: Ability | Relic) -> Findings:
    """Find a limited use whose effects are all always active; what only re-rolls is used up by the re-roll."""
    active = [effect for effect in thing.effects if not all(deeds.reroll for _, deeds in effect.deeds)]
    if thing.once and active and all(effect.when == "always" for effect in thing.effects):
        message = f"'{thing.name}' can be used only once, but is always active"
        yield Finding(message, ("once",), help="give an effect a moment with 'when', or remove 'once'")


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


def reaction_promise(part: Effect | FreeText, context: CheckContext) -> Findings:
    """Yield extra Damage and effects on others at the moment of a Reaction."""
    if isinstance(part, FreeText):
        yield from _find_in_words(part)
    elif part.active_at == "reacting":
        for whom, deeds in part.deeds:
            if PARTIES[whom].side is not Side.OWN:
                message = "a Reaction has no Effects, so nothing more happens to its target"
                yield Finding(message, (whom,), help=_ADVICE, at_key=True)
            elif deeds.damage > 0:
                yield Finding(_MOST, (whom, "damage"), help=_ADVICE)
            elif deeds.weapon and deeds.weapon.damage > 1:
                yield Finding(_MOST, (whom, "weapon"), help=_ADVICE)


def _find_in_words(free_text: FreeText) -> Findings:
    for sentence in _SENTENCE.finditer(free_text.text) if free_text.is_rules_text else ():
        for damage in _DAMAGE.finditer(sentence[0]) if _REACTION_DEED.search(sentence[0]) else ():
            start = sentence.start() + damage.start()
            yield Finding(_MOST, help=_ADVICE, text_range=(start, sentence.start() + damage.end()))


def no_target(part: Effect | FreeText, context: CheckContext) -> Findings:
    """Yield effects on a missing party, and texts that mention a target but no attack."""
    if isinstance(part, FreeText):
        if part.is_rules_text and isinstance(context.parent, Ability | Relic) and not _ATTACK_WORDS.search(part.text):
            for match in _TARGET.finditer(part.text):
                yield Finding(
                    "there is no target without an attack",
                    help="say which miniature is meant",
                    text_range=match.span(),
                )
        return
    for whom, _ in part.deeds:
        if PARTIES[whom].is_chosen and part.active_at == "always":
            yield Finding(
                f"'always' gives no moment to choose {'a friend' if whom == 'friend' else 'an enemy'}",
                (whom,),
                help="choose a moment with 'when'",
                at_key=True,
            )
        moments = [name for name, moment in MOMENTS.items() if whom in moment.parties]
        if moments and not {part.when, part.during}.intersection(moments):
            message = f"there is no {whom} at '{part.active_at}'"
            advice = f"choose a moment with one ({', '.join(sorted(moments))}), or write enemies or friends"
            yield Finding(message, (whom,), help=advice, at_key=True)


def idle_effect(effect: Effect) -> Findings:
    """Yield the changes, re-rolls, and ignored losses that no later die roll uses, and deeds that have no moment."""
    if effect.when == "always" and not effect.during:
        for whom, deeds in effect.deeds:
            for key in sorted({*deeds.keys} & {*SUDDEN}):
                message = f"{DEEDS[key].help} at once, but 'always' is not a moment"
                yield Finding(message, (whom, key), help="choose a moment with 'when'")
    if effect.span or effect.when == "always":
        return
    moment = MOMENTS[effect.when]
    for whom, deeds in effect.deeds:
        # What else may matter during an attack, such as a change for friends, cannot be determined here.
        if moment.dice and moment.sort is not Sort.OWN and whom not in moment.dice:
            continue
        for key in deeds.keys:
            words, dice = _words_and_dice(key, getattr(deeds, key))
            if words and not dice & moment.dice.get(whom, NO_DICE):
                message = f"{words} does nothing at '{effect.when}', and ends immediately"
                yield Finding(message, (whom, key), help=_advice(whom, dice))


def _advice(whom: str, dice: Dice) -> str:
    moments = MOMENTS.where(lambda moment: moment.dice.get(whom, NO_DICE) & dice)
    another = f"use it at {join_words(moments)}" if moments else "choose another moment"
    return f"{another}; or set its duration with 'for'"


def _words_and_dice(key: str, value: str) -> tuple[str, Dice]:
    """Return the words for a deed, or '' if it needs no moment of its own, and what it can matter to."""
    if key == "reroll":
        return f"a re-roll of the {value} Test", REROLLS[value].dice
    return DEEDS[key].idle or (f"a change of {key.capitalize()}" if key in CHANGES else ""), DEEDS[key].dice


def impossible_condition(effect: Effect, context: CheckContext) -> Findings:
    """Check each part of the condition by itself and against the card."""
    yield from _check_alone(effect.condition)
    if isinstance(context.parent, Weapon) and effect.active_at in _WITH_OWN_WEAPON:
        yield from _check_weapon(effect, context.parent, context.card)
    elif isinstance(context.card, Character):
        yield from _check_character(effect, context.card)


def _check_alone(condition: Condition) -> Findings:
    over, within = condition.range_over, condition.range_within
    if over is not None and within is not None and over >= within:
        message = f"no distance is both over {over} cm and within {within} cm"
        yield Finding(message, ("if", "range_within"), help="swap the two numbers")
    yield from _check_neighbors("friend", condition.friend_within, condition.friend_over, ("if", "friend_over"))
    yield from _check_neighbors("enemy", condition.enemy_within, condition.enemy_over, ("if", "enemy_over"))
    if condition.unhurt and isinstance(condition.wounds_at_most, str):
        message = f"'unhurt' and 'wounds_at_most: {condition.wounds_at_most}' are never true together"
        yield Finding(message, ("if", "wounds_at_most"), help="remove 'unhurt' or 'wounds_at_most'")
    if condition.roll and len(condition.roll) == SIDES:
        yield Finding("a roll of any face always succeeds", ("if", "roll"), help="remove 'roll', or some of its faces")


def _check_neighbors(who: str, within: int | None, over: int | None, route: KeyPath) -> Findings:
    if within is not None and over is not None and within <= over:
        message = f"if every {who} is over {over} cm away, none is within {within} cm"
        yield Finding(message, route, help="raise the number of 'within', or lower that of 'over'")


def _check_weapon(effect: Effect, weapon: Weapon, card: object) -> Findings:
    condition = effect.condition
    if condition.weapon_name and not is_same_name(condition.weapon_name, weapon.name):
        message = f"this is an effect of '{weapon.name}', not of '{condition.weapon_name}'"
        yield Finding(message, ("if", "weapon_name"), help="remove 'weapon_name'")
    if condition.weapon and weapon.type not in condition.weapon.split("/"):
        message = f"'{weapon.name}' is of type {weapon.type}, never {condition.weapon}"
        yield Finding(message, ("if", "weapon"), help="remove 'weapon'")
    reach = weapon.range + sum(max(0, deeds.range) for each in _effects_on(card) for _, deeds in each.deeds)
    over = condition.range_over if effect.active_at not in KILLS else None
    if over is not None and over >= reach > 0:
        message = f"'{weapon.name}' has Range {reach}, so no target is over {over} cm away"
        yield Finding(message, ("if", "range_over"), help="lower it, or give the weapon more Range")


def _effects_on(card: object) -> list[Effect]:
    """Return all effects of a card, its abilities, and its weapons."""
    parts = (card, *getattr(card, "abilities", ()), *getattr(card, "weapons", ()))
    return [effect for part in parts for effect in getattr(part, "effects", ())]


def _check_character(effect: Effect, character: Character) -> Findings:
    condition = effect.condition
    if isinstance(condition.wounds_at_most, int) and condition.wounds_at_most >= character.stats.wounds:
        message = f"always true with {character.stats.wounds} Wounds"
        yield Finding(message, ("if", "wounds_at_most"), help="lower it, or remove it")
    lent = [deeds.weapon for each in _effects_on(character) for _, deeds in each.deeds if deeds.weapon]
    weapons = [*character.weapons, *lent]
    if not character.weapons or effect.active_at not in _WITH_OWN_WEAPON:
        return
    types = {weapon.type for weapon in weapons}
    if condition.weapon and not types & {*condition.weapon.split("/")}:
        message = f"'{character.name}' has no weapon of type {condition.weapon}"
        yield Finding(message, ("if", "weapon"), help=f"its weapons are of type {', '.join(sorted(types))}")
    name = condition.weapon_name
    if name and not any(is_same_name(name, weapon.name) for weapon in weapons):
        message = f"'{character.name}' has no weapon named '{name}'"
        yield Finding(message, ("if", "weapon_name"), help=f"its weapons are {join_words([w.name for w in weapons])}")
