"""What stands printed on a card: its own text, or sentences made from what it changes."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.model.base import Model
from cardgen.rulesets.warcry.change import Change
from cardgen.rulesets.warcry.glossary import BOLD
from cardgen.shape.suggestion import listed
from cardgen.text.markup import embolden

MINUS, APOSTROPHE = "\N{MINUS SIGN}", "\N{RIGHT SINGLE QUOTATION MARK}"
OWN = f"this fighter{APOSTROPHE}s"
ARMS = {
    "any": f"{OWN} attacks",
    "melee": f"{OWN} melee attacks",
    "missile": f"{OWN} missile attacks",
    "one": f"one of {OWN} weapons",
    "one-melee": f"one of {OWN} melee weapons",
    "one-missile": f"one of {OWN} missile weapons",
}
CHARACTERISTICS = {"damage": "Damage for hits", "critical": "Damage for critical hits"}
SPANS = {
    "attack": " for this attack",
    "activation": " until the end of its activation",
    "round": " until the end of the battle round",
}
AMOUNTS = {"value": "as many as the value of this ability", "d3": "D3", "d6": "D6"}
INITIATIVE = {
    "reroll-ones": "You may re-roll the 1s of your initiative rolls.",
    "ties": "You decide ties for the initiative.",
}


def sentences(changes: tuple[Change, ...]) -> tuple[str, ...]:
    """A sentence for each change; different changes never read the same."""
    return tuple(" ".join(_sentences(change)) for change in changes)


def _sentences(change: Change) -> list[str]:
    return [*_characteristics(change), *_deeds(change), *_rolls(change)]


def _characteristics(change: Change) -> Iterator[str]:
    span = SPANS.get(change.span or "", "")
    if own := change.of(Change.OF_FIGHTER):
        yield f"This fighter has {_signed(own)}{span}."
    if lent := change.of(Change.OF_WEAPON):
        arms = ARMS[change.weapon]
        yield f"{arms[0].upper()}{arms[1:]} {'has' if 'one' in change.weapon else 'have'} {_signed(lent)}{span}."


def _deeds(change: Change) -> Iterator[str]:
    if change.heal is not None:
        yield f"Remove damage points from this fighter: {AMOUNTS.get(str(change.heal), change.heal)}."
    if change.bonus_move is not None:
        far = "the value of this ability" if change.bonus_move == "value" else str(change.bonus_move).upper()
        yield f"This fighter makes a bonus move of up to {far} in inches."
    if change.bonus_attack:
        yield "This fighter makes a bonus attack."


def _rolls(change: Change) -> Iterator[str]:
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
        yield INITIATIVE[change.initiative]
    if change.impact:
        yield f"Enemies{APOSTROPHE} rolls for impact damage are changed by {_by(change.impact)}."


def _by(change: int) -> str:
    return f"{MINUS if change < 0 else '+'}{abs(change)}"


def _signed(changes: tuple[tuple[str, int], ...]) -> str:
    return listed([f"{_by(by)} {CHARACTERISTICS.get(name, name.capitalize())}" for name, by in changes], "and")


def describe(thing: Model) -> str:
    """The marked-up text of a card or a rule on it: its free text, else its sentences; '' if it has neither.

    The terms that cards set bold are bold in both.
    """
    text = getattr(thing, "text", None) or " ".join(sentences(getattr(thing, "changes", ())))
    return embolden(text, BOLD)


def once_label(thing: Model) -> str:
    """How often a trait may be used: 'Once a battle round', 'Once a battle', or '' for no limit."""
    return {"round": "Once a battle round", "battle": "Once a battle"}.get(getattr(thing, "once", None) or "", "")
