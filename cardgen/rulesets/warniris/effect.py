"""Effects (trigger, condition, duration, consequences), and the weapons that have them."""

import enum
from collections.abc import Mapping
from functools import cache, cached_property, reduce
from operator import or_
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from cardgen.game import Field, Flag, Int, IntRange, LimitRule, Model, RequiresOneOf, Text
from cardgen.rulesets.warniris import limits
from cardgen.rulesets.warniris.weapon_line import Profile, WeaponName, WeaponType

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


Event = Literal[
    "battle_start", "turn_start", "activation_start", "activation_end", "turn_end", "moving",
    "attacking", "attacked", "hit", "damaging", "damaged", "reacting", "eliminated", "eliminating",
    "resisting", "missed", "resisted", "missing", "struck", "attack_end", "friend_eliminated", "enemy_eliminated",
    "enemy_activated", "enemy_moved", "enemy_attacking",
]  # fmt: skip
Trigger = Literal["always", Event]
STRIKES: frozenset[str] = frozenset(
    {
        *("attacking", "attacked", "hit", "damaging", "damaged", "reacting", "resisting", "resisted", "struck"),
        *("missed", "missing", "attack_end"),
    }
)
# Moments at which an attack's weapon and an opponent are known, but distances select friends and enemies.
KILLS: frozenset[str] = frozenset({"eliminated", "eliminating"})
# Somebody else's moments; distances are those between the bearer and that miniature.
NEARBY_EVENTS: frozenset[str] = frozenset(
    {"friend_eliminated", "enemy_eliminated", "enemy_activated", "enemy_moved", "enemy_attacking"}
)
# What enemies do: the start of their Activation, the end of their Move, and their Attack or Channel before any die.
ENEMY_ACTS: frozenset[str] = frozenset({"enemy_activated", "enemy_moved", "enemy_attacking"})


Duration = Literal["action", "activation", "turn", "next-activation", "own-activation", "next-turn", "battle"]
Die = Literal["D3", "D6"]
AttributeChange = Annotated[Int, IntRange.change(5, limits.AMOUNT)]
ON_TABLE = IntRange(1, limits.TABLE_DIAGONAL, limits.AMOUNT)
DistanceChange = Annotated[Int, IntRange.change(limits.TABLE_DIAGONAL, limits.AMOUNT)]


class Meaning(enum.Flag):
    """What a key of deeds says about the odds.

    The first four limit it: there is nothing else to it. The others say what the odds depend on.
    """

    NUMBER = enum.auto()  # It changes a number of attacks or of their Tests.
    APART = enum.auto()  # It does nothing between two that touch, by itself.
    INSTANT = enum.auto()  # It is done at once, and does not last.
    BRIEF = enum.auto()  # It does not last, and is not done at once.
    SUM = enum.auto()  # How many times it is in force.
    AIM = enum.auto()  # Which weapons a miniature has, and whom they reach.
    STRIDE = enum.auto()  # Whom they reach after a Move.
    HEALS = enum.auto()  # Wounds regained.
    DEALS = enum.auto()  # Wounds lost.
    GIFT = enum.auto()  # The weapons that a miniature has, whether it uses them or not.
    LINGERS = enum.auto()  # More of an attack than its numbers, its re-rolls, and the Wounds lost.
    STATE = enum.auto()  # Wounds, chance beyond the attack, or reactions left.
    UNDECLARED = enum.auto()  # Nobody knows what.


NOTHING = Meaning(0)
EVERYTHING = ~NOTHING
# The meaning of each key of deeds. A key that is not declared here means EVERYTHING, and has no limits: no fast path is
# taken for it.
DEED_MEANINGS: Mapping[str, Meaning] = {
    **dict.fromkeys(("mind", "body", "spirit", "penetration", "damage"), Meaning.NUMBER | Meaning.SUM),
    "movement": Meaning.APART | Meaning.STRIDE | Meaning.SUM,
    "range": Meaning.APART | Meaning.AIM | Meaning.SUM,
    **dict.fromkeys(("heal", "heal_die"), Meaning.INSTANT | Meaning.HEALS | Meaning.STATE),
    **dict.fromkeys(("deal", "deal_die"), Meaning.INSTANT | Meaning.DEALS | Meaning.STATE),
    "ignore": Meaning.BRIEF,
    **dict.fromkeys(("move", "free_move", "push", "pull", "swap", "free_attack"), Meaning.APART | Meaning.INSTANT),
    "weapon": Meaning.AIM | Meaning.GIFT | Meaning.LINGERS | Meaning.STATE,
    "actions": Meaning.SUM,
    "between": Meaning.APART,
    "halved": Meaning.APART | Meaning.STRIDE,
    **dict.fromkeys(("reroll", "gaps", "crossing", "fails"), NOTHING),
    # One more reaction means STATE: see `Deeds.meaning`.
    "reactions": NOTHING,
    **dict.fromkeys(("healing", "answered"), Meaning.STATE),
    "targeted": Meaning.AIM | Meaning.STATE,
    "score": Meaning.INSTANT | Meaning.LINGERS | Meaning.STATE,
    "wounds": Meaning.BRIEF | Meaning.GIFT | Meaning.STATE,
    "unless": Meaning.APART | Meaning.BRIEF | Meaning.LINGERS | Meaning.STATE,
}
# What odds know how to deal with besides. Anything else means EVERYTHING, too.
_DECLARED_CONDITIONS = frozenset(
    {
        *("range_over", "range_within", "weapon", "weapon_name", "against", "wounds_at_most", "unmoved", "unhurt"),
        *("friend_within", "enemy_within", "friend_over", "enemy_over", "place", "roll", "same_roll", "turns"),
        *("reaction", "assisted", "test"),
    }
)
_DECLARED_EFFECT_KEYS = frozenset(
    {
        *("when", "condition", "span", "during", "cost", "cumulative"),
        *("bearer", "attacker", "target", "friends", "enemies", "friend", "enemy", "actor"),
    }
)
_DECLARED_MOMENTS = frozenset(
    {
        *STRIKES, *KILLS, *NEARBY_EVENTS,
        *("always", "battle_start", "turn_start", "activation_start", "activation_end", "turn_end", "moving"),
    }
)  # fmt: skip
_DECLARED_DURATIONS = frozenset(
    {None, "action", "activation", "turn", "next-activation", "own-activation", "next-turn", "battle"}
)
# Built without validation, because the models are not complete yet.
_NO_CONDITION = Condition.model_construct()


def given_keys(model: Model) -> tuple[str, ...]:
    """Return the names of the fields with another value than the one that they have by default."""
    return tuple([name for name, field in type(model).model_fields.items() if getattr(model, name) != field.default])


def _most(die: Die | None) -> int:
    return int(die[1:]) if die else 0


class Deeds(RequiresOneOf):
    """What happens to one party of an effect. 0 means no change; distances are in cm.

    A `move` is a shift: the bearer's player moves the miniature up to that far, without tests; it is not a Move. A
    `reroll` is optional for the bearer and its friends, who re-roll a failed test; others must re-roll a passed one.
    More `actions`, a `free_move`, which is a Move but no action, a `free_attack`, and where somebody is set (`push`,
    `pull`, `swap`) are optional. `unless` is a test of
    the miniature's own: if it passes, nothing of this happens to it.
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
    heal_die: Annotated[Die | None, Field(description="the die for more wounds regained")] = None
    deal_die: Annotated[Die | None, Field(description="the die for more points of damage taken")] = None
    ignore: Annotated[Points, Field(description="points of damage that are ignored")] = 0
    move: Annotated[Int, ON_TABLE, Field(description="a shift of up to this many cm, without tests")] = 0
    reroll: Annotated[
        Literal["hit", "resist", "timing", "mind", "body", "spirit", "any"] | None,
        Field(description="the test that may or must be re-rolled"),
    ] = None
    weapon: Annotated[Profile | None, Field(description="a weapon that may be used")] = None
    actions: Annotated[Int, IntRange(1, 2, limits.AMOUNT), Field(description="more actions in an activation")] = 0
    between: Annotated[
        Literal["ignored"] | None, Field(description="its attacks need no tests for those in between")
    ] = None
    gaps: Annotated[Literal["ignored"] | None, Field(description="gaps in cover do not hinder its attacks")] = None
    crossing: Annotated[Literal["free"] | None, Field(description="it moves through enemies without tests")] = None
    reactions: Annotated[
        Literal["none", "more", "more-others"] | None,
        Field(description="it cannot react, or reacts once more in a turn, to anybody or to another enemy"),
    ] = None
    healing: Annotated[Literal["none"] | None, Field(description="it cannot regain wounds")] = None
    targeted: Annotated[Literal["never"] | None, Field(description="it cannot be chosen as a target")] = None
    answered: Annotated[Literal["never"] | None, Field(description="nobody can react to its actions")] = None
    halved: Annotated[Literal["movement"] | None, Field(description="the value that is halved, rounded up")] = None
    fails: Annotated[Literal["attack"] | None, Field(description="its attack or channel has no effect")] = None
    free_move: Annotated[Int, ON_TABLE, Field(description="a free Move of up to this many cm")] = 0
    push: Annotated[Int, ON_TABLE, Field(description="moved away from the bearer, up to this many cm")] = 0
    pull: Annotated[Int, ON_TABLE, Field(description="moved toward the bearer, up to this many cm")] = 0
    swap: Annotated[Literal["bearer"] | None, Field(description="it may swap places with the bearer")] = None
    free_attack: Annotated[
        AttackType | Literal["any"] | None, Field(description="a free attack or channel, with this type of weapon")
    ] = None
    score: Annotated[Int, IntRange(1, 10, limits.AMOUNT), Field(description="victory points for its side")] = 0
    wounds: Annotated[Points, Field(description="more wounds at the start of the battle")] = 0
    unless: Annotated[Attribute | None, Field(description="the test that prevents all of this")] = None

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The keys of what happens, in the order of the fields."""
        return given_keys(self)

    @cached_property
    def meaning(self) -> Meaning:
        """What odds depend on because of it."""
        more = Meaning.STATE if self.reactions not in (None, "none", "more-others") else NOTHING
        return reduce(or_, (DEED_MEANINGS.get(key, EVERYTHING) for key in self.keys), more)

    def is_only(self, limit: Meaning) -> bool:
        """Whether there is nothing more to any of its keys than one of these limits."""
        return all(DEED_MEANINGS.get(key, NOTHING) & limit for key in self.keys)

    @cached_property
    def acts_at_once(self) -> bool:
        """Whether something happens at once."""
        return any(DEED_MEANINGS.get(key, NOTHING) & Meaning.INSTANT for key in self.keys)

    @cached_property
    def can_last(self) -> bool:
        """Whether something happens that can last: it bears on a number, a weapon, a die, or a rule."""
        return not self.is_only(Meaning.INSTANT | Meaning.BRIEF)

    @property
    def most_healed(self) -> int:
        """The most wounds that it gives back."""
        return self.heal + _most(self.heal_die)

    @property
    def most_dealt(self) -> int:
        """The most points of damage that it deals."""
        return self.deal + _most(self.deal_die)

    @classmethod
    @cache
    def _required_fields(cls) -> tuple[str, ...]:
        return tuple(name for name in cls.model_fields if name != "unless")


class Effect(RequiresOneOf):
    """An effect of a relic or an ability. `friends` excludes the bearer."""

    FIELDS: ClassVar[tuple[str, ...]] = (
        *("bearer", "attacker", "target", "friends", "enemies", "friend", "enemy", "actor"),
    )
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
    cost: Annotated[Points | None, Field(description="wounds that the bearer may lose for it, never its last")] = None
    cumulative: Annotated[Flag, Field(description="false: it does not add up with itself")] = True
    bearer: Annotated[Deeds | None, Field(description="what happens to the bearer")] = None
    attacker: Annotated[Deeds | None, Field(description="what happens to the attacker")] = None
    target: Annotated[Deeds | None, Field(description="what happens to the target")] = None
    friends: Annotated[Deeds | None, Field(description="what happens to the bearer's friends")] = None
    enemies: Annotated[Deeds | None, Field(description="what happens to enemies")] = None
    friend: Annotated[Deeds | None, Field(description="what happens to a friend that the bearer's player chooses")] = (
        None
    )
    enemy: Annotated[Deeds | None, Field(description="what happens to an enemy that the bearer's player chooses")] = (
        None
    )
    actor: Annotated[Deeds | None, Field(description="what happens to the enemy whose act is the moment")] = None

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

    @cached_property
    def meaning(self) -> Meaning:
        """What odds depend on because of it: what its deeds mean, if nothing else of it is undeclared."""
        is_declared = (
            _DECLARED_EFFECT_KEYS.issuperset(given_keys(self))
            and _DECLARED_CONDITIONS.issuperset(given_keys(self.condition))
            and _DECLARED_MOMENTS.issuperset((self.when, self.active_at))
            and self.span in _DECLARED_DURATIONS
        )
        return reduce(or_, (deeds.meaning for _, deeds in self.deeds), NOTHING if is_declared else EVERYTHING)


class WeaponEffect(Effect):
    """An effect of a weapon or power, by default after its damage (section 1: Effect)."""

    when: Trigger = "damaging"


_CHANGES = ("mind", "body", "spirit", "movement", "range", "penetration", "damage")
_HOSTILE_PARTIES = ("enemies", "enemy", "attacker", "actor")


def only_protects(effect: Effect) -> bool:
    """Return whether an effect of a weapon or power only aids its bearer, its target, and friends."""
    return all(whom not in _HOSTILE_PARTIES and _only_aids(whom, deeds) for whom, deeds in effect.deeds)


def _only_aids(whom: str, deeds: Deeds) -> bool:
    """Return whether deeds only aid; a target that is moved, or that re-rolls, has no choice."""
    forced = whom == "target" and (deeds.move or deeds.reroll or deeds.push or deeds.pull or deeds.swap)
    hinders = deeds.reactions == "none" or deeds.healing or deeds.halved or deeds.fails
    return not (deeds.most_dealt or hinders or forced or any(getattr(deeds, name) < 0 for name in _CHANGES))


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
