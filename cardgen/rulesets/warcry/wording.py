"""Printed text of changes."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.game import APOSTROPHE, Model, join_words, printed_text, signed
from cardgen.rulesets.warcry.changes import Amount, Change
from cardgen.rulesets.warcry.rulebook import GLOSSARY

POSSESSIVE = f"this fighter{APOSTROPHE}s"
WEAPON_PHRASES = {
    "any": f"{POSSESSIVE} attacks",
    "melee": f"{POSSESSIVE} melee attacks",
    "missile": f"{POSSESSIVE} missile attacks",
    "one": f"one of {POSSESSIVE} weapons",
    "one-melee": f"one of {POSSESSIVE} melee weapons",
    "one-missile": f"one of {POSSESSIVE} missile weapons",
}
CHARACTERISTIC_NAMES = {"damage": "Damage for hits", "critical": "Damage for critical hits"}
VALUE = "the value of this ability"
DURATION_PHRASES = {
    "attack": " for this attack",
    "activation": " until the end of its activation",
    "round": " until the end of the battle round",
}
INITIATIVE_SENTENCES = {
    "reroll-ones": "You may re-roll the 1s of your initiative rolls.",
    "ties": "You decide who wins ties for the initiative.",
}


def sentences(changes: tuple[Change, ...]) -> tuple[str, ...]:
    """Return a sentence for each change; different changes never read the same."""
    return tuple(" ".join(_sentences_of(change)) for change in changes)


def _sentences_of(change: Change) -> list[str]:
    return [*_characteristic_sentences(change), *_action_sentences(change), *_dice_sentences(change)]


def _characteristic_sentences(change: Change) -> Iterator[str]:
    span = DURATION_PHRASES.get(change.span or "", "")
    if fighter_changes := change.nonzero(Change.FIGHTER_FIELDS):
        yield f"This fighter has {_list_signed(fighter_changes)}{span}."
    if weapon_changes := change.nonzero(Change.WEAPON_FIELDS):
        weapons = WEAPON_PHRASES[change.weapon]
        verb = "has" if "one" in change.weapon else "have"
        yield f"{_capital(weapons)} {verb} {_list_signed(weapon_changes)}{span}."


def _action_sentences(change: Change) -> Iterator[str]:
    if change.heal is not None:
        yield f"Remove {_damage_points(change.heal)} from this fighter."
    if change.bonus_move is not None:
        far = f"{VALUE} in inches" if change.bonus_move == "value" else f'{str(change.bonus_move).upper()}"'
        yield f"This fighter makes a bonus move of up to {far}."
    if change.bonus_attack:
        yield "This fighter makes a bonus attack."


def _damage_points(amount: Amount) -> str:
    if amount == "value":
        return f"damage points equal to {VALUE}"
    return f"{str(amount).upper()} damage point{'' if amount == 1 else 's'}"


def _dice_sentences(change: Change) -> Iterator[str]:
    """Yield the sentences about dice and cover."""
    if change.take_cover is not None:
        yield f"{_capital(POSSESSIVE)} Take Cover reactions turn critical hits into hits on {change.take_cover}+."
    if change.no_cover is not None:
        yield f"Cover does not add to Toughness against {WEAPON_PHRASES[change.no_cover]}."
    if change.wild_dice:
        many = abs(change.wild_dice)
        word = "extra" if change.wild_dice > 0 else "fewer"
        yield f"You start the battle with {many} {word} wild {'die' if many == 1 else 'dice'}."
    if change.initiative:
        yield INITIATIVE_SENTENCES[change.initiative]
    if change.impact:
        yield f"Enemies have {signed(change.impact)} to their rolls for impact damage."


def _capital(phrase: str) -> str:
    return phrase[0].upper() + phrase[1:]


def _list_signed(changes: tuple[tuple[str, int], ...]) -> str:
    return join_words(
        [f"{signed(by)} {CHARACTERISTIC_NAMES.get(name, name.capitalize())}" for name, by in changes],
        "and",
        serial_comma=False,
    )


def describe(thing: Model) -> str:
    """Return the markup text of a card or rule, or ''."""
    return printed_text(thing, lambda each: sentences(getattr(each, "changes", ())), GLOSSARY)


def once_label(thing: Model) -> str:
    """Return the limit on uses, such as 'Once per battle', or ''."""
    return {"round": "Once per battle round", "battle": "Once per battle"}.get(getattr(thing, "once", None) or "", "")
