"""Changes that abilities, blessings and battle traits make, as data and as printed text."""

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

# Of which weapons a change speaks: of all, of those of one sort, or of one that is picked for good.
WeaponFilter = Literal["any", "melee", "missile", "one", "one-melee", "one-missile"]
AttackType = Literal["any", "melee", "missile"]
InitiativeEffect = Literal["reroll-ones", "ties"]
Duration = Literal["attack", "activation", "round"]
# A number of the rules: fixed, rolled, or the value of the ability's dice.
Amount = Annotated[Int, IntRange(1, 30, limits.CHANGE)] | Literal["value", "d3", "d6"]


CharacteristicChange = Annotated[Int, IntRange.change(12, limits.CHANGE)]
DieFace = Annotated[Int, IntRange(2, 6, limits.CHANGE)]


class Change(RequiresOneOf):
    """What happens to a fighter, or to attacks with its weapons. 0 stands for what does not happen.

    `weapon` says of which weapons `attacks`, `strength`, `damage` (of a hit) and `critical` speak. `for` is how long
    it lasts; without it, for good or at once. `heal` is how many damage points are removed. `take_cover` is what a
    die must show in the Take Cover reaction, `no_cover` against which attacks cover protects nobody. `initiative` and
    `impact` bear on rolls: one's own for the initiative, and an enemy's for impact damage.
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
    weapon: Annotated[WeaponFilter, Field(description="of which weapons it speaks")] = "any"
    span: Annotated[Duration | None, Field(alias="for", description="how long it lasts; left out: for good")] = None
    heal: Annotated[Amount | None, Field(description="damage points removed: a number, value, d3 or d6")] = None
    bonus_move: Annotated[Amount | None, Field(description="a bonus move action of up to so many inches")] = None
    bonus_attack: Annotated[Flag, Field(description="a bonus attack action")] = False
    take_cover: Annotated[DieFace | None, Field(description="the die that Take Cover needs, instead of 4+")] = None
    no_cover: Annotated[AttackType | None, Field(description="attacks against which cover does not count")] = None
    wild_dice: Annotated[Int, IntRange.change(6, limits.CHANGE), Field(description="wild dice more")] = 0
    initiative: Annotated[InitiativeEffect | None, Field(description="1s are rolled again, or ties are won")] = None
    impact: Annotated[
        Int, IntRange.change(5, limits.CHANGE), Field(description="change of enemies' rolls for impact damage")
    ] = 0

    def nonzero(self, names: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
        """The characteristics among `names` that change, and by how much."""
        return tuple((name, value) for name in names if (value := getattr(self, name)))

    @property
    def uses_value(self) -> bool:
        """True where the value of ability dice counts."""
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
    if change.take_cover is not None:
        yield f"In {POSSESSIVE} Take Cover reaction, critical hits become hits on {change.take_cover}+."
    if change.no_cover is not None:
        sort = "" if change.no_cover == "any" else f" {change.no_cover}"
        yield f"Cover adds nothing to Toughness against {POSSESSIVE}{sort} attacks."
    if change.wild_dice:
        many = abs(change.wild_dice)
        word = "more" if change.wild_dice > 0 else "fewer"
        yield f"You begin the battle with {many} wild {'die' if many == 1 else 'dice'} {word}."
    if change.initiative:
        yield INITIATIVE_SENTENCES[change.initiative]
    if change.impact:
        yield f"Enemies{APOSTROPHE} rolls for impact damage are changed by {signed(change.impact)}."


def _list_signed(changes: tuple[tuple[str, int], ...]) -> str:
    return join_words(
        [f"{signed(by)} {CHARACTERISTIC_NAMES.get(name, name.capitalize())}" for name, by in changes],
        "and",
        serial_comma=False,
    )


def describe(thing: Model) -> str:
    """Return the marked-up text of a card or a rule on it, or ''."""
    return printed_text(thing, lambda each: sentences(getattr(each, "changes", ())), GLOSSARY)


def once_label(thing: Model) -> str:
    """Return how often a trait may be used: 'Once a battle round', 'Once a battle', or '' for no limit."""
    return {"round": "Once a battle round", "battle": "Once a battle"}.get(getattr(thing, "once", None) or "", "")
