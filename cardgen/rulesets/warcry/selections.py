"""Fighters that an effect is for, conditions of a fighter, and moments in a battle."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, BeforeValidator, model_validator

from cardgen.game import MAX_NAME_LENGTH, Field, Flag, Int, IntRange, LimitRule, Model, OneOf, RequiresOneOf, Text
from cardgen.rulesets.warcry import limits
from cardgen.rulesets.warcry.runemarks import Runemark

AttackType = Literal["any", "melee", "missile"]
Side = Literal["enemy", "friend", "fighter"]
Inches = Annotated[Int, IntRange(1, 30, limits.SELECTION)]
Points = Annotated[Int, IntRange(1, 60, limits.SELECTION)]
DieValue = Annotated[Int, IntRange(1, 6, limits.SELECTION)]
Cost = Annotated[Int, IntRange(1, 1000, limits.COST)]
Number = Annotated[Int, IntRange(1, 9, limits.SELECTION)]
# A multiple of the value of the ability's dice; half is rounded up.
Multiple = Literal["value", "half-value", "double-value"]
# How many dice are rolled, or 2D6 that are added up.
DiceCount = Annotated[Int, IntRange(1, 12, limits.SELECTION)] | Multiple | Literal["2d6"]
# Whom a change is for, beside a group; `subject` is the friend that the moment is about.
Party = Literal["self", "picked", "rolled", "attacker", "target", "subject"]
# Results of 2D6 only.
HIGH_FACES = tuple(f"{face}+" for face in range(7, 13))
# Comparisons of a roll with the Toughness of the fighter that the change is for, or with the value of the ability's
# dice, and what is left.
OTHER_COMPARISONS: Mapping[str, str] = {
    f"{one}-{measure}": f"{other}-{measure}"
    for measure in ("toughness", "value")
    for one, other in (("over", "up-to"), ("up-to", "over"), ("from", "under"), ("under", "from"))
}
FACES: tuple[str, ...] = (
    *(f"{face}+" for face in range(2, 6)),
    *HIGH_FACES,
    *map(str, range(1, 7)),
    *(f"{low}-{high}" for low in range(1, 6) for high in range(low + 1, 6)),
    *OTHER_COMPARISONS,
)
Faces = Annotated[
    Text,
    OneOf(FACES, limits.FACES, lambda word: limits.FACES.help),
    BeforeValidator(lambda face: str(face) if type(face) is int else face),
    Field(json_schema_extra={"enum": [*FACES, *range(1, 7)]}),
]
# What is counted in an attack.
HitRoll = Literal["one", "miss", "hit", "critical"]
# Damage points that were allocated or removed just before.
PointCount = Literal["dealt", "healed"]


class State(Model):
    """What is true of a fighter; all of it must be."""

    damaged: Annotated[Points | None, Field(description="at least this many damage points")] = None
    unhurt: Annotated[Flag, Field(description="no damage points")] = False
    wounds_left: Annotated[Points | None, Field(description="at most this many Wounds left")] = None
    half_wounds: Annotated[Flag, Field(description="damage points of at least half its Wounds")] = False
    down: Annotated[Flag, Field(description="taken down")] = False
    fresh: Annotated[Flag, Field(description="has not activated in this battle round")] = False
    activated: Annotated[Flag, Field(description="has activated in this battle round")] = False
    took_down: Annotated[
        Literal["any", "attack", "melee", "missile"] | None,
        Field(description="has taken down an enemy in this activation, perhaps by an attack, or one of a type"),
    ] = None
    moved: Annotated[Flag, Field(description="has made a move action in this activation")] = False
    still: Annotated[Flag, Field(description="has not made a move action in this activation")] = False
    attacked: Annotated[Flag, Field(description="has made an attack action in this activation")] = False
    leader: Annotated[Flag, Field(description="leads its warband")] = False
    cost: Annotated[Cost | None, Field(description="costs this many points or less")] = None
    cover: Annotated[Flag, Field(description="in cover")] = False
    carries: Annotated[Flag, Field(description="carries treasure")] = False
    objective_within: Annotated[Inches | None, Field(description="within this many inches of an objective")] = None
    wholly: Annotated[Flag, Field(description="whether `objective_within` means wholly within")] = False
    obstacle_within: Annotated[Inches | None, Field(description="within this many inches of an obstacle")] = None
    enemy_within: Annotated[Inches | None, Field(description="an enemy is within this many inches")] = None
    no_enemy_within: Annotated[Inches | None, Field(description="no enemy is within this many inches")] = None
    no_friend_within: Annotated[Inches | None, Field(description="no other friend is within this many inches")] = None


class Group(State):
    """Fighters: those to pick from, or all of them.

    Distances are from the fighter that uses the rule; a friend may be that fighter itself unless `another` is true.
    """

    side: Annotated[Side, Field(description="enemy, friend, or fighter (of either side)")]
    within: Annotated[Inches | Literal["value"] | None, Field(description="at most this many inches away")] = None
    whole: Annotated[Flag, Field(description="whether `within` means wholly within")] = False
    to: Annotated[
        Literal["self", "picked", "friends", "others", "leader", "subject", "target"],
        Field(
            description="whom that is measured to: the user, the picked fighter, any friends (others: than the user), "
            "your leader, the friend that the moment is about, or the target of the attack"
        ),
    ] = "self"
    to_mark: Annotated[Runemark | None, Field(description="a runemark of those friends")] = None
    to_count: Annotated[Number, Field(description="how many friends must be that near")] = 1
    aura: Annotated[
        Literal["stay", "move", "activation"] | None,
        Field(description="only while it is that near, or if its move or activation starts that near"),
    ] = None
    visible: Annotated[Flag, Field(description="visible to the fighter that uses the rule")] = False
    another: Annotated[Flag, Field(description="not the fighter that uses the rule")] = False
    lower: Annotated[
        Literal["toughness", "wounds", "move"] | None, Field(description="a characteristic lower than the user's")
    ] = None
    reserve: Annotated[Flag, Field(description="in reserve")] = False
    unpicked: Annotated[Flag, Field(description="not the picked fighter")] = False
    nearest: Annotated[Flag, Field(description="the closest one")] = False
    runemarks: Annotated[tuple[Runemark, ...], Field(description="with all of these runemarks")] = ()
    any_runemarks: Annotated[tuple[Runemark, ...], Field(description="with one of these runemarks")] = ()
    beyond: Annotated[Inches | None, Field(description="more than this many inches from the user")] = None
    wounds: Annotated[Points | None, Field(description="with at least this many Wounds")] = None
    most_wounds: Annotated[Points | None, Field(description="with at most this many Wounds")] = None
    toughness: Annotated[Points | None, Field(description="with at least this Toughness")] = None
    most_toughness: Annotated[Points | None, Field(description="with at most this Toughness")] = None
    count: Annotated[Number, Field(description="how many are picked")] = 1
    up_to: Annotated[Flag, Field(description="whether fewer than `count` may be picked")] = False

    @model_validator(mode="after")
    def _check_another(self) -> Self:
        if self.another and self.side == "enemy":
            message = "an enemy is never the fighter that uses the rule"
            raise limits.SELECTION.error(message, path=("another",), at_key=True, help="remove 'another'")
        if self.whole and (self.within in (None, "value") or self.aura or self.to == "friends"):
            message = "'whole' needs a distance in inches to a fighter, without 'aura'"
            raise limits.SELECTION.error(message, path=("whole",), at_key=True, help="remove 'whole'")
        return self


class Condition(RequiresOneOf, State):
    """What must be true of a fighter or its warband: of the one that uses a rule, if `of` does not name another."""

    RULE: ClassVar[LimitRule] = limits.EMPTY_CONDITION
    FIELDS: ClassVar[tuple[str, ...]] = (
        *State.model_fields, "friend_within", "sees_enemy_within", "within",
        "runemarks", "standing", "more_objectives", "rounds", "ones", "misses", "once", "present", "half_down",
        "more_down", "outnumbered",
        "initiative", "least_value", "felled", "visible",
    )  # fmt: skip

    of: Annotated[
        Party | Literal["each", "leader"],
        Field(description="whom it is about: a party, your leader, or each fighter of a group"),
    ] = "self"
    friend_within: Annotated[Inches | None, Field(description="another friend is within this many inches")] = None
    sees_enemy_within: Annotated[Inches | None, Field(description="a visible enemy is within this many inches")] = None
    within: Annotated[Inches | None, Field(description="within this many inches of the user of the rule")] = None
    runemarks: Annotated[tuple[Runemark, ...], Field(description="has one of these runemarks")] = ()
    standing: Annotated[Flag, Field(description="is not taken down")] = False
    more_objectives: Annotated[
        Literal["friend", "enemy"] | None, Field(description="who controls more objectives than the other side")
    ] = None
    rounds: Annotated[tuple[Number, ...], Field(description="only in these battle rounds")] = ()
    friends: Annotated[Number, Field(description="how many other friends must be that near")] = 1
    enemies: Annotated[Number, Field(description="how many enemies must be within `enemy_within`")] = 1
    ones: Annotated[Number | None, Field(description="at least this many hit rolls of the attack show a 1")] = None
    misses: Annotated[Number | None, Field(description="at least this many hit rolls of the attack miss")] = None
    once: Annotated[
        Literal["activation", "round", "battle"] | None,
        Field(description="the rule was not used before in this activation, round, or battle"),
    ] = None
    present: Annotated[Flag, Field(description="any of your fighters is on the battlefield")] = False
    half_down: Annotated[Flag, Field(description="at least half of its warband is taken down")] = False
    initiative: Annotated[Flag, Field(description="its player has the initiative")] = False
    least_value: Annotated[DieValue | None, Field(description="the value of the ability's dice is at least this")] = (
        None
    )
    felled: Annotated[Flag, Field(description="the attack before has taken down an enemy")] = False
    visible: Annotated[Flag, Field(description="visible to the fighter that uses the rule")] = False
    outnumbered: Annotated[Flag, Field(description="its warband has fewer fighters on the battlefield")] = False
    more_down: Annotated[
        Literal["friend", "enemy"] | None, Field(description="more of these are taken down than of the others")
    ] = None

    @model_validator(mode="after")
    def _check_distance(self) -> Self:
        if self.within is not None and self.of == "self":
            message = "a fighter is always within every distance of itself"
            raise limits.SELECTION.error(message, path=("within",), at_key=True, help="add 'of', such as 'of: picked'")
        return self


class SetChange(RequiresOneOf):
    """A change of ability dice: of a double, triple, or quad that is picked, or of a new one."""

    RULE: ClassVar[LimitRule] = limits.EMPTY_CONDITION
    FIELDS: ClassVar[tuple[str, ...]] = ("value", "add", "swap")

    gain: Annotated[Literal["double", "triple", "quad"] | None, Field(description="a set that is gained")] = None
    value: Annotated[DieValue | Literal["rolled"] | None, Field(description="its new value, or that of the die")] = None
    add: Annotated[DieValue | None, Field(description="added to its value, to a maximum of 6")] = None
    swap: Annotated[Flag, Field(description="two sets swap their values")] = False
    either: Annotated[Flag, Field(description="whether the set may belong to either player")] = False


class Place(RequiresOneOf):
    """Where a fighter is set up; distances are in inches."""

    RULE: ClassVar[LimitRule] = limits.EMPTY_CONDITION

    near: Annotated[Inches | None, Field(description="within this distance of the fighter that uses the rule")] = None
    edge: Annotated[Inches | None, Field(description="within this distance of a battlefield edge")] = None
    wholly: Annotated[Flag, Field(description="whether `near` and `edge` mean wholly within")] = False
    enemies: Annotated[Inches | None, Field(description="farther than this from every enemy")] = None
    objectives: Annotated[
        Inches | None, Field(description="farther than this from every objective and treasure token")
    ] = None
    unharmed: Annotated[Flag, Field(description="without damage points")] = False
    ground: Annotated[Flag, Field(description="on the floor or a platform")] = False
    floor: Annotated[Flag, Field(description="on the battlefield floor")] = False


class Loan(RequiresOneOf):
    """An ability that a fighter may use, although it could not otherwise."""

    RULE: ClassVar[LimitRule] = limits.EMPTY_CONDITION
    FIELDS: ClassVar[tuple[str, ...]] = ("free", "runemark")

    ability: Annotated[Text, Field(max_length=MAX_NAME_LENGTH, description="its name")]
    free: Annotated[Flag, Field(description="without spending ability dice")] = False
    runemark: Annotated[Runemark | None, Field(description="as if the fighter had this runemark")] = None


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
