"""What stands printed on a card: its own text, or sentences made from what it changes."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.model.base import Model
from cardgen.rulesets.warcry.change import Change
from cardgen.rulesets.warcry.glossary import BOLD_FORMS
from cardgen.shape.suggestion import join_words
from cardgen.text.markup import embolden

MINUS, APOSTROPHE = "\N{MINUS SIGN}", "\N{RIGHT SINGLE QUOTATION MARK}"
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
DURATION_PHRASES = {
    "attack": " for this attack",
    "activation": " until the end of its activation",
    "round": " until the end of the battle round",
}
AMOUNT_PHRASES = {"value": "as many as the value of this ability", "d3": "D3", "d6": "D6"}
INITIATIVE_SENTENCES = {
    "reroll-ones": "You may re-roll the 1s of your initiative rolls.",
    "ties": "You decide ties for the initiative.",
}


def sentences(changes: tuple[Change, ...]) -> tuple[str, ...]:
    """A sentence for each change; different changes never read the same."""
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
        yield f"{weapons[0].upper()}{weapons[1:]} {verb} {_list_signed(weapon_changes)}{span}."


def _action_sentences(change: Change) -> Iterator[str]:
    if change.heal is not None:
        yield f"Remove damage points from this fighter: {AMOUNT_PHRASES.get(str(change.heal), change.heal)}."
    if change.bonus_move is not None:
        far = "the value of this ability" if change.bonus_move == "value" else str(change.bonus_move).upper()
        yield f"This fighter makes a bonus move of up to {far} in inches."
    if change.bonus_attack:
        yield "This fighter makes a bonus attack."


def _dice_sentences(change: Change) -> Iterator[str]:
    """What bears on dice, and on cover."""
    own = f"this fighter{APOSTROPHE}s"
    if change.take_cover is not None:
        yield f"In {own} Take Cover reaction, critical hits become hits on {change.take_cover}+."
    if change.no_cover is not None:
        sort = "" if change.no_cover == "any" else f" {change.no_cover}"
        yield f"Cover adds nothing to Toughness against {own}{sort} attacks."
    if change.wild_dice:
        many = abs(change.wild_dice)
        word = "more" if change.wild_dice > 0 else "fewer"
        yield f"You begin the battle with {many} wild {'die' if many == 1 else 'dice'} {word}."
    if change.initiative:
        yield INITIATIVE_SENTENCES[change.initiative]
    if change.impact:
        yield f"Enemies{APOSTROPHE} rolls for impact damage are changed by {_signed(change.impact)}."


def _signed(value: int) -> str:
    return f"{MINUS if value < 0 else '+'}{abs(value)}"


def _list_signed(changes: tuple[tuple[str, int], ...]) -> str:
    return join_words(
        [f"{_signed(by)} {CHARACTERISTIC_NAMES.get(name, name.capitalize())}" for name, by in changes], "and"
    )


def describe(thing: Model) -> str:
    """The marked-up text of a card or a rule on it: its free text, else its sentences; '' if it has neither.

    The terms that cards set bold are bold in both.
    """
    text = getattr(thing, "text", None) or " ".join(sentences(getattr(thing, "changes", ())))
    return embolden(text, BOLD_FORMS)


def once_label(thing: Model) -> str:
    """How often a trait may be used: 'Once a battle round', 'Once a battle', or '' for no limit."""
    return {"round": "Once a battle round", "battle": "Once a battle"}.get(getattr(thing, "once", None) or "", "")
