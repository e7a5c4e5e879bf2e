"""Moments in a battle, and when and for whom a change happens."""

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, model_validator

from cardgen.game import Field, Flag, Model
from cardgen.rulesets.warcry import limits
from cardgen.rulesets.warcry.selections import (
    AttackType,
    Condition,
    DiceCount,
    Faces,
    Group,
    Inches,
    Number,
    Party,
)

# Moments at which something can happen, and at which a reaction can be made.
Event = Literal[
    "battle-start", "deployment", "next-round", "round-start", "round-end", "initiative",
    "targeted", "totaled", "resolved", "attacks", "takes-down",
    "would-fall", "taken-down", "allocated", "enemy-falls", "move", "enemy-move", "enemy-disengage", "enemy-wait",
    "ability", "enemy-ability",
    "activation-start", "activation-end", "enemy-activation",
]  # fmt: skip
# Whose fighter a moment is about: the one that uses the rule, or any of your fighters.
Subject = Literal["self", "friend"]


# The keys that go with an event.
MOMENT_KEYS: Mapping[str, str] = {
    "resolved": "attack of first",
    "attacks": "attack of first",
    "targeted": "attack of cover first",
    **dict.fromkeys(("allocated", "ability", "would-fall"), "of first"),
    **dict.fromkeys(("activation-start", "activation-end"), "of"),
    "taken-down": "attack of enemy first",
    **dict.fromkeys(("enemy-falls", "enemy-disengage", "enemy-wait", "enemy-ability"), "enemy first"),
    "takes-down": "attack of enemy first",
    "enemy-activation": "enemy within",
    **dict.fromkeys(("round-start", "round-end"), "rounds"),
    "totaled": "attack of deadly",
    "move": "of within first",
    "enemy-move": "enemy within first",
}


def _drop_any_enemy(group: Group | None) -> Group | None:
    """Return None for a group of all enemies, which is the default."""
    return None if group == Group(side="enemy") else group


class Moment(Model):
    """When something happens.

    `attack` is the type of the attack, `within` how near an enemy is in inches at the end of a move, `of` whose fighter
    it is about, and `enemy` which enemies.
    """

    event: Annotated[Event, Field(description="what happens then")]
    attack: Annotated[
        AttackType | Literal["anything"], Field(description="the type of the attack, or anything else that does it")
    ] = "any"
    within: Annotated[Inches | None, Field(description="how near the two are after a move")] = None
    enemy: Annotated[
        Group | None, AfterValidator(_drop_any_enemy), Field(description="the enemies that it is about")
    ] = None
    cover: Annotated[Flag, Field(description="only if the target is in cover")] = False
    deadly: Annotated[Flag, Field(description="only if the damage is enough to take the fighter down")] = False
    first: Annotated[
        Flag | Literal["round", "battle"],
        Field(description="only the next time, or the first time in each round, or battle"),
    ] = False
    rounds: Annotated[tuple[Number, ...], Field(description="only in these battle rounds")] = ()
    of: Annotated[Subject | Group, Field(description="self, any friend, or a group of friends")] = "self"

    @model_validator(mode="after")
    def _check_keys(self) -> Self:
        allowed = {"event", *MOMENT_KEYS.get(self.event, "").split()}
        if self.of != "self":
            allowed.discard("cover")
        if self.attack == "anything" and self.event != "takes-down":
            allowed.discard("attack")
        for key in self.model_fields_set - allowed:
            if getattr(self, key) != type(self).model_fields[key].default:
                message = "'{key}' does not go with the event '{event}'"
                raise limits.MOMENT.error(message, key=key, event=self.event, path=(key,), at_key=True)
        return self


class Frame(Model):
    """When a change happens, and for whom.

    The changes of a card happen in order. `only_if`, `not_if`, and `reacts` say when the card can be used; `when` and
    `if` are for this change. A fighter that is picked, and dice that are rolled, are those of the changes that follow;
    with `on_roll`, they happen once for each die that shows one of these faces.
    """

    only_if: Annotated[Condition | None, Field(description="when an ability can be used")] = None
    not_if: Annotated[Condition | None, Field(description="when an ability cannot be used")] = None
    reacts: Annotated[Moment | None, Field(description="when a reaction can be made")] = None
    when: Annotated[Moment | None, Field(description="the moment when it happens")] = None
    condition: Annotated[Condition | None, Field(alias="if", description="what must be true for it")] = None
    unless: Annotated[Condition | None, Field(description="what must not be true for it")] = None
    during: Annotated[Condition | None, Field(alias="while", description="what must stay true for it")] = None
    pick: Annotated[Group | None, Field(description="a fighter to pick")] = None
    roll: Annotated[DiceCount | None, Field(description="the number of dice to roll")] = None
    roll_each: Annotated[
        Group | Literal["picked", "sets", "hits", "criticals", "misses"] | None,
        Field(description="the fighters, or hits, for each of which a die is rolled"),
    ] = None
    dice_each: Annotated[DiceCount, Field(description="the number of dice that `roll_each` rolls for each")] = 1
    on_roll: Annotated[Faces | None, Field(description="the faces for which it happens, such as 4+ or 3-5")] = None
    of: Annotated[Party | Group, Field(description="whom it is for: a fighter, or every fighter of a group")] = "self"

    @property
    def is_free(self) -> bool:
        """Whether nothing needs to happen, or to be true, for it."""
        return not any((self.when, self.condition, self.unless, self.during, self.on_roll, self.reacts))
