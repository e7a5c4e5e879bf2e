"""What abilities, blessings and battle traits change, as far as it can be counted."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from cardgen.model.base import Flag, Int
from cardgen.rulesets.limits import IntRange, LimitRule, RequiresOneOf
from cardgen.rulesets.warcry import breaches

# Of which weapons a change speaks: of all, of those of one sort, or of one that is picked for good.
WeaponFilter = Literal["any", "melee", "missile", "one", "one-melee", "one-missile"]
AttackType = Literal["any", "melee", "missile"]
InitiativeEffect = Literal["reroll-ones", "ties"]
Duration = Literal["attack", "activation", "round"]
# A number of the rules: fixed, rolled, or the value of the ability's dice.
Amount = Annotated[Int, IntRange(1, 30, breaches.CHANGE)] | Literal["value", "d3", "d6"]


def _change_limit(most: int) -> IntRange:
    return IntRange(-most, most, breaches.CHANGE, is_change=True)


CharacteristicChange = Annotated[Int, _change_limit(12)]
DieFace = Annotated[Int, IntRange(2, 6, breaches.CHANGE)]


class Change(RequiresOneOf):
    """What happens to a fighter, or to attacks with its weapons. 0 stands for what does not happen.

    `weapon` says of which weapons `attacks`, `strength`, `damage` (of a hit) and `critical` speak. `for` is how long
    it lasts; without it, for good or at once. `heal` is how many damage points are removed. `take_cover` is what a
    die must show in the Take Cover reaction, `no_cover` against which attacks cover protects nobody. `initiative` and
    `impact` bear on rolls: one's own for the initiative, and an enemy's for impact damage.
    """

    RULE: ClassVar[LimitRule] = breaches.EMPTY_CHANGE
    FIELDS: ClassVar[tuple[str, ...]] = (
        "move", "toughness", "wounds", "attacks", "strength", "damage", "critical",
        "heal", "bonus_move", "bonus_attack", "take_cover", "no_cover", "wild_dice", "initiative", "impact",
    )  # fmt: skip
    FIGHTER_FIELDS: ClassVar[tuple[str, ...]] = ("move", "toughness", "wounds")
    WEAPON_FIELDS: ClassVar[tuple[str, ...]] = ("attacks", "strength", "damage", "critical")

    move: Annotated[Int, _change_limit(30), Field(description="change of Move in inches, such as +1")] = 0
    toughness: Annotated[CharacteristicChange, Field(description="change of Toughness")] = 0
    wounds: Annotated[Int, _change_limit(40), Field(description="change of Wounds")] = 0
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
    wild_dice: Annotated[Int, IntRange(-6, 6, breaches.CHANGE, is_change=True), Field(description="wild dice more")] = 0
    initiative: Annotated[InitiativeEffect | None, Field(description="1s are rolled again, or ties are won")] = None
    impact: Annotated[Int, _change_limit(5), Field(description="change of enemies' rolls for impact damage")] = 0

    def nonzero(self, names: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
        """The characteristics among `names` that change, and by how much."""
        return tuple((name, value) for name in names if (value := getattr(self, name)))

    @property
    def uses_value(self) -> bool:
        """True where the value of ability dice counts."""
        return "value" in (self.heal, self.bonus_move)
