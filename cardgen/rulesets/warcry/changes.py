"""Changes made by rules on cards, as data and printed text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from cardgen.game import (
    APOSTROPHE,
    Field,
    Flag,
    Int,
    IntRange,
    LimitRule,
    Model,
    RequiresOneOf,
    join_words,
    printed_text,
    signed,
)
from cardgen.rulesets.warcry import limits
from cardgen.rulesets.warcry.rulebook import GLOSSARY

# The weapons that a change applies to: all, those of one type, or a single one that is picked for good.
WeaponFilter = Literal["any", "melee", "missile", "one", "one-melee", "one-missile"]
AttackType = Literal["any", "melee", "missile"]
InitiativeEffect = Literal["reroll-ones", "ties"]
Duration = Literal["attack", "activation", "round"]
# An amount: fixed, rolled, or the value of the ability's dice.
Amount = Annotated[Int, IntRange(1, 30, limits.CHANGE)] | Literal["value", "d3", "d6"]


CharacteristicChange = Annotated[Int, IntRange.change(12, limits.CHANGE)]
DieFace = Annotated[Int, IntRange(2, 6, limits.CHANGE)]


class Change(RequiresOneOf):
    """A change to a fighter or its weapons; 0 leaves a number as it is.

    `weapon` selects the weapons that `attacks`, `strength`, `damage` (of a hit), and `critical` apply to. `for` is the
    duration; without it, the change is permanent or happens at once. `heal` is the number of damage points to remove.
    `take_cover` is the roll that the Take Cover reaction needs, and `no_cover` the type of attack against which cover
    does not count. `initiative` and `impact` modify rolls: your own for the initiative, enemies' for impact damage.
    """

    RULE: ClassVar[LimitRule] = limits.EMPTY_CHANGE
    FIELDS: ClassVar[tuple[str, ...]] = (
        "move", "toughness", "wounds", "attacks", "strength", "damage", "critical",
        "heal", "bonus_move", "bonus_attack", "take_cover", "no_cover", "wild_dice", "initiative", "impact",
    )  # fmt: skip
    FIGHTER_FIELDS: ClassVar[tuple[str, ...]] = ("move", "toughness", "wounds")
    WEAPON_FIELDS: ClassVar[tuple[str, ...]] = ("attacks", "strength", "damage", "critical")

    move: Annotated[
        Int, IntRange.change(30, limits.CHANGE), Field(description="change of Move in inches, such as +1")
    ] = 0
    toughness: Annotated[CharacteristicChange, Field(description="change of Toughness")] = 0
    wounds: Annotated[Int, IntRange.change(40, limits.CHANGE), Field(description="change of Wounds")] = 0
    attacks: Annotated[CharacteristicChange, Field(description="change of a weapon's Attacks")] = 0
    strength: Annotated[CharacteristicChange, Field(description="change of a weapon's Strength")] = 0
    damage: Annotated[CharacteristicChange, Field(description="change of the Damage of a hit")] = 0
    critical: Annotated[CharacteristicChange, Field(description="change of the Damage of a critical hit")] = 0
    weapon: Annotated[WeaponFilter, Field(description="the weapons that it applies to")] = "any"
    span: Annotated[Duration | None, Field(alias="for", description="how long it lasts; permanent by default")] = None
    heal: Annotated[Amount | None, Field(description="damage points removed: a number, value, d3 or d6")] = None
    bonus_move: Annotated[Amount | None, Field(description="a bonus move action of up to this many inches")] = None
    bonus_attack: Annotated[Flag, Field(description="a bonus attack action")] = False
    take_cover: Annotated[DieFace | None, Field(description="the roll that Take Cover needs, instead of 4+")] = None
    no_cover: Annotated[AttackType | None, Field(description="attacks against which cover does not count")] = None
    wild_dice: Annotated[Int, IntRange.change(6, limits.CHANGE), Field(description="additional wild dice")] = 0
    initiative: Annotated[InitiativeEffect | None, Field(description="re-rolls 1s, or decides ties")] = None
    impact: Annotated[
        Int, IntRange.change(5, limits.CHANGE), Field(description="modifier to enemies' rolls for impact damage")
    ] = 0

    def nonzero(self, names: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
        """Return the characteristics among `names` that change, with the amount."""
        return tuple((name, value) for name in names if (value := getattr(self, name)))

    @property
    def uses_value(self) -> bool:
        """Whether it uses the value of the ability dice."""
        return "value" in (self.heal, self.bonus_move)


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
