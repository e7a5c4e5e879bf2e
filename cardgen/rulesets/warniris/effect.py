"""Effects (trigger, condition, duration, consequences), and the weapons that have them."""

from functools import cached_property
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from cardgen.game import Field, Int, IntRange, LimitRule, Model, RequiresOneOf, Text
from cardgen.rulesets.warniris import limits
from cardgen.rulesets.warniris.weapon_line import Profile, WeaponType

Event = Literal[
    "battle_start",
    "turn_start",
    "activation_start",
    "activation_end",
    "turn_end",
    "moving",
    "attacking",
    "attacked",
    "hit",
    "damaging",
    "damaged",
    "reacting",
    "eliminated",
    "eliminating",
]
Trigger = Literal["always", Event]
Duration = Literal["action", "activation", "turn", "battle"]
OpponentKind = Literal["character", "minion"]
STRIKES: frozenset[str] = frozenset({"attacking", "attacked", "hit", "damaging", "damaged", "reacting"})


Distance = Annotated[Int, IntRange(0, 73, limits.AMOUNT)]
Points = Annotated[Int, IntRange(1, 30, limits.AMOUNT)]
Face = Annotated[Int, IntRange(1, 6, limits.AMOUNT)]
AttributeChange = Annotated[Int, IntRange.change(5, limits.AMOUNT)]
DistanceChange = Annotated[Int, IntRange.change(73, limits.AMOUNT)]


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
    weapon and the bearer's opponent; they are checked whenever the effect applies. At other moments, the distance
    selects friends and enemies, and `against` selects enemies. `wounds_at_most` (the wounds the bearer has left) and
    `roll` (the faces of a D6 that let the effect start) are checked when the effect starts.
    """

    range_over: Annotated[Distance | None, Field(description="farther away than this, in cm")] = None
    range_within: Annotated[Distance | None, Field(description="at most this far away, in cm")] = None
    weapon: Annotated[WeaponType | None, Field(description="the type of the attack's weapon")] = None
    against: Annotated[OpponentKind | None, Field(description="the kind of the opponent")] = None
    wounds_at_most: Annotated[Points | None, Field(description="the bearer has this many wounds left, or fewer")] = None
    roll: Annotated[Faces | None, Field(description="the faces of a D6 that let the effect start")] = None


# Built without validation, because the models are not complete yet.
_NO_CONDITION = Condition.model_construct()


class Deeds(RequiresOneOf):
    """What happens to one party of an effect. 0 means no change; distances are in cm.

    A `move` is a shift: the bearer's player moves the miniature up to that far, without tests; it is not a Move. A
    `reroll` is optional for the bearer and its friends, who re-roll a failed test; others must re-roll a passed one.
    More `actions` are optional for everybody.
    """

    RULE: ClassVar[LimitRule] = limits.EMPTY_EFFECT

    mind: Annotated[AttributeChange, Field(description="change of Mind, such as +1")] = 0
    body: Annotated[AttributeChange, Field(description="change of Body, such as -1")] = 0
    spirit: Annotated[AttributeChange, Field(description="change of Spirit, such as +1")] = 0
    movement: Annotated[DistanceChange, Field(description="change of Movement in cm")] = 0
    range: Annotated[DistanceChange, Field(description="change of a weapon's Range in cm")] = 0
    penetration: Annotated[
        Int, IntRange.change(10, limits.AMOUNT), Field(description="change of a weapon's Penetration")
    ] = 0
    damage: Annotated[Int, IntRange.change(30, limits.AMOUNT), Field(description="change of a weapon's Damage")] = 0
    heal: Annotated[Points, Field(description="wounds regained")] = 0
    deal: Annotated[Points, Field(description="points of damage taken")] = 0
    ignore: Annotated[Points, Field(description="points of damage that are ignored")] = 0
    move: Annotated[
        Int, IntRange(1, 73, limits.AMOUNT), Field(description="a shift of up to this many cm, without tests")
    ] = 0
    reroll: Annotated[
        Literal["hit", "resist", "timing", "mind", "spirit"] | None,
        Field(description="the test that may or must be re-rolled"),
    ] = None
    weapon: Annotated[Profile | None, Field(description="a weapon that may be used")] = None
    actions: Annotated[Int, IntRange(1, 2, limits.AMOUNT), Field(description="more actions in an activation")] = 0
    gaps: Annotated[Literal["ignored"] | None, Field(description="gaps in cover do not hinder its attacks")] = None
    crossing: Annotated[Literal["free"] | None, Field(description="it moves through enemies without tests")] = None
    reactions: Annotated[Literal["none"] | None, Field(description="it cannot react")] = None


class Effect(RequiresOneOf):
    """An effect of a relic or an ability. `friends` excludes the bearer."""

    FIELDS: ClassVar[tuple[str, ...]] = ("bearer", "attacker", "target", "friends", "enemies")
    RULE: ClassVar[LimitRule] = limits.EMPTY_EFFECT

    when: Annotated[Trigger, Field(description="the moment when it starts")] = "always"
    condition: Condition = Field(
        default=_NO_CONDITION, alias="if", description="the condition for it to start or apply"
    )
    span: Duration | None = Field(
        default=None, alias="for", description="how long it lasts; by default, it ends immediately"
    )
    during: Event | None = Field(
        default=None, alias="while", description="once started, it applies at each such moment"
    )
    bearer: Annotated[Deeds | None, Field(description="what happens to the bearer")] = None
    attacker: Annotated[Deeds | None, Field(description="what happens to the attacker")] = None
    target: Annotated[Deeds | None, Field(description="what happens to the target")] = None
    friends: Annotated[Deeds | None, Field(description="what happens to the bearer's friends")] = None
    enemies: Annotated[Deeds | None, Field(description="what happens to enemies")] = None

    @model_validator(mode="after")
    def _require_end(self) -> Self:
        if self.during and not self.span:
            raise limits.MISSING_DURATION.error(
                "'while: {during}' has no end", during=self.during, path=("while",), at_key=True
            )
        return self

    @property
    def active_at(self) -> str:
        """The moment when the effect applies."""
        return self.during or self.when

    @cached_property
    def deeds(self) -> tuple[tuple[str, Deeds], ...]:
        """The parties of the effect and what happens to them, the bearer first."""
        return tuple([(name, deeds) for name in self.FIELDS if (deeds := getattr(self, name))])

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Require in the schema, too, that an effect with `while` has an end."""
        schema = super().__get_pydantic_json_schema__(core, handler)
        target = handler.resolve_ref_schema(schema)
        begins, ends = ({"properties": {key: {"type": "string"}}, "required": [key]} for key in ("while", "for"))
        target["allOf"].append({"anyOf": [{"not": begins}, ends]})
        return schema


class WeaponEffect(Effect):
    """An effect of a weapon or power, by default after its damage (section 1: Effect)."""

    when: Trigger = "damaging"


_CHANGES = ("mind", "body", "spirit", "movement", "range", "penetration", "damage")
_HOSTILE_PARTIES = ("enemies", "attacker")


def only_protects(effect: Effect) -> bool:
    """Return whether an effect of a weapon or power only aids its bearer, its target, and friends."""
    return all(whom not in _HOSTILE_PARTIES and _only_aids(whom, deeds) for whom, deeds in effect.deeds)


def _only_aids(whom: str, deeds: Deeds) -> bool:
    """Return whether deeds only aid; a target that is moved, or that re-rolls, has no choice."""
    forced = whom == "target" and (deeds.move or deeds.reroll)
    return not (deeds.deal or deeds.reactions or forced or any(getattr(deeds, name) < 0 for name in _CHANGES))


class Weapon(Profile):
    """A weapon or power on a card, with its effects."""

    effects: Annotated[tuple[WeaponEffect, ...], Field(description="what it does beyond its line")] = ()
    text: Annotated[Text | None, Field(description="printed instead of the text generated from effects")] = None

    @property
    def needs_test(self) -> bool:
        """False for a line that only heals or protects (section 4: Attack/Channel, last note)."""
        if self.damage or self.penetration or not (self.healing or self.effects):
            return True
        return not all(map(only_protects, self.effects))
