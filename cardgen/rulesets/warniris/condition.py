"""Conditions of effects: distances, weapons, the Wounds left, who is near, and dice."""

from typing import Annotated, Literal

from pydantic import AfterValidator

from cardgen.game import Field, Int, IntRange, Model
from cardgen.rulesets.warniris import limits
from cardgen.rulesets.warniris.weapon_line import WeaponName, WeaponType

OpponentKind = Literal["character", "minion"]
Attribute = Literal["mind", "body", "spirit"]
AttackType = WeaponType | Literal["CW/RW"]
WoundShare = Literal["half", "below-half", "hurt"]
Attackers = Literal["friend", "character", "minion"]
Place = Literal["cover", "terrain", "own-zone", "enemy-zone", "unseen"]
Distance = Annotated[Int, IntRange(0, limits.TABLE_DIAGONAL, limits.AMOUNT)]
Points = Annotated[Int, IntRange(1, 30, limits.AMOUNT)]
Face = Annotated[Int, IntRange(1, 6, limits.AMOUNT)]


def _require_distinct(faces: tuple[int, ...]) -> tuple[int, ...]:
    if len(set(faces)) < len(faces):
        raise limits.AMOUNT.error("repeated face of the die", help="list each face from 1 to 6 once")
    return tuple(sorted(faces))


Faces = Annotated[
    tuple[Face, ...], Field(min_length=1, json_schema_extra={"uniqueItems": True}), AfterValidator(_require_distinct)
]


class Condition(Model):
    """The condition of an effect.

    Distances are in cm; 'over' means strictly more, and 'within' includes the limit (ruling `distance`). In an attack
    (`STRIKES`), the distance is measured between attacker and target, and `weapon` and `against` refer to the attack's
    weapon and the bearer's opponent; they are checked whenever the effect applies. When somebody is eliminated
    (`KILLS`), they refer to the attack that did it, if it was one. At other moments, the distance selects friends and
    enemies, and `against` selects enemies. The other conditions are about the bearer. They, and `roll` (the faces of a
    D6 that let the effect start), are checked when the effect starts; `reaction` and `assisted` are about the attack.
    """

    range_over: Annotated[Distance | None, Field(description="farther away than this, in cm")] = None
    range_within: Annotated[Distance | None, Field(description="at most this far away, in cm")] = None
    weapon: Annotated[
        AttackType | None, Field(description="the type of the attack's weapon; CW/RW for any but a Power")
    ] = None
    weapon_name: Annotated[WeaponName | None, Field(description="the name of the attack's weapon")] = None
    against: Annotated[OpponentKind | None, Field(description="the kind of the opponent")] = None
    wounds_at_most: Annotated[
        Points | WoundShare | None,
        Field(description="the bearer has this many wounds left, or fewer: a number, or a share of the printed ones"),
    ] = None
    unmoved: Annotated[
        Literal["activation", "turn"] | None, Field(description="the bearer has not moved in this activation or turn")
    ] = None
    unhurt: Annotated[Literal[True] | None, Field(description="the bearer has lost no wounds")] = None
    friend_within: Annotated[Distance | None, Field(description="some friend is at most this far away, in cm")] = None
    enemy_within: Annotated[Distance | None, Field(description="some enemy is at most this far away, in cm")] = None
    friend_over: Annotated[Distance | None, Field(description="every friend is farther away than this, in cm")] = None
    enemy_over: Annotated[Distance | None, Field(description="every enemy is farther away than this, in cm")] = None
    place: Annotated[Place | None, Field(description="where the bearer is")] = None
    roll: Annotated[Faces | None, Field(description="the faces of a D6 that let the effect start")] = None
    same_roll: Annotated[
        Faces | None, Field(description="the faces of the die of an effect before this one, of the same moment")
    ] = None
    turns: Annotated[Faces | None, Field(description="the turns of a battle in which it starts or applies")] = None
    reaction: Annotated[
        Literal["second"] | None, Field(description="the reaction is the bearer's second in this turn")
    ] = None
    assisted: Annotated[
        Attackers | None, Field(description="another friend, or one of this kind, has attacked the target in this turn")
    ] = None
    test: Annotated[Attribute | None, Field(description="the test of the bearer that lets the effect start")] = None

    @property
    def takes_chance(self) -> bool:
        """Whether a die decides if the effect starts."""
        return bool(self.roll or self.same_roll or self.test)

    @property
    def asks_table(self) -> bool:
        """Whether only the table tells if it is met, unless all distances are known."""
        return bool(self.place) or any(getattr(self, key) is not None for key in NEIGHBORS)

    def wound_limit(self, printed: int) -> int | None:
        """Return `wounds_at_most` as a number for a bearer with the given printed Wounds."""
        if self.wounds_at_most == "half":
            return printed // 2
        if self.wounds_at_most == "below-half":
            return (printed - 1) // 2
        return printed - 1 if self.wounds_at_most == "hurt" else self.wounds_at_most


# Conditions on the distances of friends and enemies.
NEIGHBORS = ("friend_within", "enemy_within", "friend_over", "enemy_over")
