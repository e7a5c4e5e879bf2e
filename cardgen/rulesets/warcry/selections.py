"""Fighters that an effect is for, conditions of a fighter, and moments in a battle."""

from collections.abc import Iterable, Mapping
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, BeforeValidator, model_validator

from cardgen.game import (
    MAX_NAME_LENGTH,
    Field,
    Flag,
    Int,
    IntRange,
    LimitRule,
    Model,
    OneOf,
    RequiresOneOf,
    Text,
    Vocabulary,
)
from cardgen.rulesets.warcry import limits
from cardgen.rulesets.warcry.limits import Runemark
from cardgen.rulesets.warcry.words import (
    BEFORE,
    BOTH,
    EVENTS,
    GROUP,
    IN_PROCEDURES,
    ONE,
    WITHIN,
    Circumstance,
    Event,
    Fact,
    Key,
)

AttackType = Literal["any", "melee", "missile"]
Side = Literal["enemy", "friend", "fighter"]
Inches = Annotated[Int, IntRange(1, 30, limits.SELECTION)]
Points = Annotated[Int, IntRange(1, 60, limits.SELECTION)]
DieValue = Annotated[Int, IntRange(1, 6, limits.SELECTION)]
Cost = Annotated[Int, IntRange(1, 1000, limits.COST)]
Number = Annotated[Int, IntRange(1, 9, limits.SELECTION)]
# The last battle round that a card can name, and those from which there are words for 'or later'.
LAST_ROUND, LATER_ROUNDS = 9, (2, 3, 4)
Name = Annotated[Text, Field(max_length=MAX_NAME_LENGTH)]
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


def shows(face: int, faces: str) -> bool:
    """Return whether a die shows one of some faces, such as '4+', '3-5', or '6'."""
    low, sign, high = faces.partition("+") if "+" in faces else faces.partition("-")
    return int(low) <= face and (sign == "+" or face <= int(high or low))


# What is counted in an attack.
HitRoll = Literal["one", "miss", "hit", "critical"]
# Damage points that were allocated or removed just before.
PointCount = Literal["dealt", "healed"]


class State(Model):
    """What is true of a fighter; all of it must be."""

    # fmt: off
    damaged: Annotated[Points | None, Circumstance("at least this many damage points", known=BOTH,
        never_with=("unhurt",))] = None
    unhurt: Annotated[Flag, Circumstance("no damage points", known=BOTH)] = False
    wounds_left: Annotated[Points | None, Circumstance("at most this many Wounds left", known=BOTH)] = None
    half_wounds: Annotated[Flag, Circumstance("damage points of at least half its Wounds", known=BOTH,
        never_with=("unhurt",))] = False
    down: Annotated[Flag, Circumstance("taken down", known=BOTH, never_with=("unhurt", "standing", "reserve"))] = False
    fresh: Annotated[Flag, Circumstance("has not activated in this battle round", known=BOTH, never_with=("activated",
        "moved", "attacked", "took_down"))] = False
    activated: Annotated[Flag, Circumstance("has activated in this battle round", known=BOTH)] = False
    took_down: Annotated[Literal["any", "attack", "melee", "missile"] | None,
        Circumstance("has taken down an enemy in this activation, perhaps by an attack, or one of a type",
        known=ONE)] = None
    moved: Annotated[Flag, Circumstance("has made a move action in this activation", known=ONE,
        never_with=("still",), option="moved")] = False
    still: Annotated[Flag, Circumstance("has not made a move action in this activation", known=ONE,
        option="moved")] = False
    dropped: Annotated[Inches | None, Circumstance("in this activation, has ended a move action at least this many "
        "inches lower than it started", never_with=("still",), option="dropped")] = None
    ended_near: Annotated[Inches | None, Circumstance("in this activation, has ended a move action within this many "
        "inches of an enemy", never_with=("still",))] = None
    attacked: Annotated[Flag, Circumstance("has made an attack action in this activation",
        known=ONE)] = False
    leader: Annotated[Flag, Circumstance("leads its warband", known=ONE, is_settled=True)] = False
    cost: Annotated[Cost | None, Circumstance("costs this many points or less", known=BOTH, is_settled=True)] = None
    cover: Annotated[Flag, Circumstance("in cover")] = False
    carries: Annotated[Flag, Circumstance("carries treasure")] = False
    objective_within: Annotated[Inches | None, Circumstance("within this many inches of an objective")] = None
    wholly: Annotated[Flag, Circumstance("whether `objective_within` means wholly within", position=WITHIN,
        detail_of="objective_within")] = False
    obstacle_within: Annotated[Inches | None, Circumstance("within this many inches of an obstacle")] = None
    one_of: Annotated[Flag, Circumstance("whether one of all that is said is enough", position=WITHIN)] = False
    enemy_within: Annotated[Inches | None, Circumstance("an enemy is within this many inches", known=ONE,
        farther="no_enemy_within")] = None
    no_enemy_within: Annotated[Inches | None, Circumstance("no enemy is within this many inches", known=ONE)] = None
    no_friend_within: Annotated[Inches | None, Circumstance("no other friend is within this many inches",
        known=ONE, option="near_friends")] = None
    # fmt: on


class Group(State):
    """Fighters: those to pick from, or all of them.

    Distances are from the fighter that uses the rule; a friend may be that fighter itself unless `another` is true.
    """

    # fmt: off
    side: Annotated[Side, Circumstance("enemy, friend, or fighter (of either side)", known=GROUP, position=WITHIN)]
    within: Annotated[Inches | Literal["value"] | None, Circumstance("at most this many inches away",
        farther="beyond")] = None
    whole: Annotated[Flag, Circumstance("whether `within` means wholly within", position=WITHIN,
        detail_of="within")] = False
    to: Annotated[Literal["self", "picked", "friends", "others", "leader", "subject", "target"],
        Circumstance("whom that is measured to: the user, the picked fighter, any friends (others: than the user), "
        "your leader, the friend that the moment is about, or the target of the attack", position=WITHIN,
        detail_of="within")] = "self"
    to_mark: Annotated[Runemark | None, Circumstance("a runemark of those friends", position=WITHIN,
        detail_of="within")] = None
    to_count: Annotated[Number, Circumstance("how many friends must be that near", position=WITHIN,
        detail_of="within")] = 1
    aura: Annotated[Literal["stay", "move", "activation"] | None,
        Circumstance("only while it is that near, or if its move or activation starts that near", position=WITHIN,
        detail_of="within")] = None
    visible: Annotated[Flag, Circumstance("visible to the fighter that uses the rule", position=BEFORE)] = False
    another: Annotated[Flag, Circumstance("not the fighter that uses the rule", known=GROUP, position=BEFORE)] = False
    lower: Annotated[Literal["toughness", "wounds", "move"] | None,
        Circumstance("a characteristic lower than the user's", known=GROUP)] = None
    reserve: Annotated[Flag, Circumstance("in reserve")] = False
    gone: Annotated[Flag, Circumstance("has left the battlefield by this rule", known=GROUP)] = False
    unused: Annotated[Flag, Circumstance("has not been picked for this rule before in the battle", known=GROUP)] = False
    struck: Annotated[Flag, Circumstance("has damage points from melee attacks of the user in this round")] = False
    together: Annotated[Inches | None, Circumstance("within this distance of each other")] = None
    unpicked: Annotated[Flag, Circumstance("not the picked fighter", known=GROUP)] = False
    nearest: Annotated[Flag, Circumstance("the closest one", position=BEFORE)] = False
    runemarks: Annotated[tuple[Runemark, ...],
        Circumstance("with all of these runemarks", known=GROUP, is_settled=True)] = ()
    any_runemarks: Annotated[tuple[Runemark, ...],
        Circumstance("with one of these runemarks", known=GROUP, is_settled=True)] = ()
    beyond: Annotated[Inches | None, Circumstance("more than this many inches from the user")] = None
    wounds: Annotated[Points | None, Circumstance("with at least this many Wounds", known=GROUP,
        at_most="most_wounds", is_settled=True)] = None
    most_wounds: Annotated[Points | None,
        Circumstance("with at most this many Wounds", known=GROUP, is_settled=True)] = None
    toughness: Annotated[Points | None, Circumstance("with at least this Toughness", known=GROUP,
        at_most="most_toughness")] = None
    most_toughness: Annotated[Points | None, Circumstance("with at most this Toughness", known=GROUP)] = None
    count: Annotated[Number, Circumstance("how many are picked", known=GROUP, position=WITHIN)] = 1
    up_to: Annotated[Flag, Circumstance("whether fewer than `count` may be picked", known=GROUP,
        position=WITHIN)] = False
    each_group: Annotated[Literal["one", "all"] | None, Circumstance("whether one of each battle group is picked, "
        "or all of one that is not in reserve", position=WITHIN)] = None
    # fmt: on

    @model_validator(mode="after")
    def _check_details(self) -> Self:
        if self.another and self.side == "enemy":
            message = "an enemy is never the fighter that uses the rule"
            raise limits.SELECTION.error(message, path=("another",), at_key=True, help="remove 'another'")
        if self.whole and (self.within in (None, "value") or self.aura or self.to not in ("self", "picked")):
            message = "'whole' needs a distance in inches to the user or the picked fighter, without 'aura'"
            raise limits.SELECTION.error(message, path=("whole",), at_key=True, help="remove 'whole'")
        for key, to in (("to_mark", "friends"), ("to_count", "friends"), ("aura", "self")):
            if getattr(self, key) not in (None, 1) and self.to != to:
                message, advice = "'{key}' needs 'to: {to}'", f"remove '{key}', or write 'to: {to}'"
                raise limits.SELECTION.error(message, key=key, to=to, path=(key,), at_key=True, help=advice)
        if self.to_mark and self.to_count != 1:
            message = "'to_mark' and 'to_count' do not go together"
            raise limits.SELECTION.error(message, path=("to_count",), at_key=True, help="remove one of them")
        return self


class Condition(RequiresOneOf, State):
    """What must be true of a fighter or its warband: of the one that uses a rule, if `of` does not specify another."""

    RULE: ClassVar[LimitRule] = limits.EMPTY_CONDITION
    FIELDS: ClassVar[tuple[str, ...]] = (
        *State.model_fields, "friend_within", "sees_enemy_within", "within",
        "runemarks", "standing", "more_objectives", "rounds", "ones", "misses", "hits", "criticals", "once",
        "present", "half_down", "more_down", "outnumbered",
        "initiative", "least_value", "felled", "visible", "uses", "uses_mark",
        "terrain_within", "on_floor", "any_called", "targets", "enemy_mark",
    )  # fmt: skip

    # fmt: off
    of: Annotated[Party | Literal["each", "leader"],
        Field(description="whom it is about: a party, your leader, or each fighter of a group")] = "self"
    friend_within: Annotated[Inches | None, Circumstance("another friend is within this many inches", known=ONE,
        farther="no_friend_within", option="near_friends")] = None
    sees_enemy_within: Annotated[Inches | None, Circumstance("a visible enemy is within this many inches", known=ONE,
        farther="no_enemy_within")] = None
    within: Annotated[Inches | None, Circumstance("within this many inches of the user of the rule")] = None
    runemarks: Annotated[tuple[Runemark, ...],
        Circumstance("has one of these runemarks", known=ONE, is_settled=True)] = ()
    standing: Annotated[Flag, Circumstance("is not taken down", known=ONE)] = False
    more_objectives: Annotated[Literal["friend", "enemy"] | None,
        Circumstance("who controls more objectives than the other side", is_of_nobody=True)] = None
    rounds: Annotated[tuple[Number, ...], Circumstance("only in these battle rounds; those up to 9 are 'or later'",
        known=ONE, is_settled=True, option="round")] = ()
    friends: Annotated[Number, Circumstance("how many other friends must be that near", detail_of="friend_within")] = 1
    enemies: Annotated[Number, Circumstance("how many enemies must be within `enemy_within`",
        detail_of="enemy_within")] = 1
    ones: Annotated[Number | None, Circumstance("at least this many hit rolls of the attack show a 1",
        known=ONE, is_of_nobody=True, is_settled=True)] = None
    misses: Annotated[Number | None, Circumstance("at least this many hit rolls of the attack miss",
        known=ONE, is_of_nobody=True, is_settled=True)] = None
    hits: Annotated[Number | None, Circumstance("at least this many hits of the attack, critical hits included",
        known=ONE, is_of_nobody=True, is_settled=True)] = None
    criticals: Annotated[Number | None, Circumstance("at least this many critical hits of the attack",
        known=ONE, is_of_nobody=True, is_settled=True)] = None
    once: Annotated[Literal["activation", "round", "battle"] | None,
        Circumstance("the rule was not used before in this activation, round, or battle",
        is_of_nobody=True, is_settled=True)] = None
    by_fighter: Annotated[Flag, Circumstance("whether `once` is for each fighter, and not for its warband",
        detail_of="once")] = False
    present: Annotated[Flag, Circumstance("any of your fighters is on the battlefield", known=ONE,
        is_of_nobody=True)] = False
    half_down: Annotated[Flag, Circumstance("at least half of its warband is taken down", known=ONE,
        is_of_nobody=True)] = False
    initiative: Annotated[Flag,
        Circumstance("its player has the initiative", known=ONE, is_of_nobody=True, is_settled=True)] = False
    terrain_within: Annotated[Inches | None, Circumstance("within this many inches of a terrain feature")] = None
    on_floor: Annotated[Flag, Circumstance("on the battlefield floor")] = False
    uses: Annotated[Name | None, Circumstance("the ability or reaction of this name is used", is_of_nobody=True,
        is_settled=True)] = None
    any_called: Annotated[Name | None, Circumstance("any enemy is what a rule has named it, such as 'worthy prey'",
        known=ONE, is_of_nobody=True)] = None
    targets: Annotated[Name | None, Circumstance("the ability that is used targets the fighter of this name",
        is_of_nobody=True)] = None
    enemy_mark: Annotated[Runemark | None, Circumstance("the enemy that the reaction answers has this runemark",
        is_of_nobody=True)] = None
    uses_mark: Annotated[Runemark | None, Circumstance("the ability that is used needs this runemark",
        is_of_nobody=True, is_settled=True)] = None
    least_value: Annotated[DieValue | None, Circumstance("the value of the ability's dice is at least this",
        is_of_nobody=True, is_settled=True)] = None
    felled: Annotated[Flag, Circumstance("the attack before has taken down an enemy", known=ONE,
        is_of_nobody=True, is_settled=True)] = False
    visible: Annotated[Flag, Circumstance("visible to the fighter that uses the rule")] = False
    outnumbered: Annotated[Flag, Circumstance("its warband has fewer fighters on the battlefield", known=ONE,
        is_of_nobody=True)] = False
    more_down: Annotated[Literal["friend", "enemy"] | None,
        Circumstance("more of these are taken down than of the others", known=ONE, is_of_nobody=True)] = None
    # fmt: on

    @model_validator(mode="after")
    def _check_distance(self) -> Self:
        if self.within is not None and self.of == "self":
            message = "a fighter is always within every distance of itself"
            raise limits.SELECTION.error(message, path=("within",), at_key=True, help="add 'of', such as 'of: picked'")
        return self


GROUP_STATES = Vocabulary.of(Group, Circumstance)
CONDITION_STATES = Vocabulary.of(Condition, Circumstance, [name for name in Condition.model_fields if name != "of"])
CONDITION_STATES.require_all(Condition.FIELDS, lambda state: state.detail_of in ("", "objective_within"))


# What is true of a fighter at one moment of what lasts for a while, and perhaps not at another.
CHANGING = frozenset(name for name in State.model_fields if not (GROUP_STATES[name].is_settled or name == "wholly"))


def goes_on(rounds: Iterable[int]) -> bool:
    """Return whether battle rounds are 'battle round 2 or later': those up to the last that a card can name."""
    return LAST_ROUND in rounds


def is_in(number: int, rounds: Iterable[int]) -> bool:
    """Return whether a battle round is one of some, or comes after those that go on."""
    return min(number, LAST_ROUND) in rounds


def is_settled(keys: Iterable[str]) -> bool:
    """Return whether what some keys of conditions say is the same at any moment of what lasts for a while."""
    states = [CONDITION_STATES.get(key) for key in keys if key != "of"]
    return all(state is not None and (state.is_settled or state.detail_of) for state in states)


class SetChange(RequiresOneOf):
    """A change of ability dice: of a double, triple, or quad that is picked, or of a new one."""

    RULE: ClassVar[LimitRule] = limits.EMPTY_CONDITION
    FIELDS: ClassVar[tuple[str, ...]] = ("value", "add", "swap", "lift")

    gain: Annotated[Literal["double", "triple", "quad"] | None, Field(description="a set that is gained")] = None
    value: Annotated[DieValue | Literal["rolled"] | None, Field(description="its new value, or the die's")] = None
    add: Annotated[DieValue | None, Field(description="added to its value, to a maximum of 6")] = None
    lift: Annotated[Flag, Field(description="a double counts as a triple, or a triple as a quad")] = False
    swap: Annotated[Flag, Field(description="two sets swap their values")] = False
    either: Annotated[Flag, Field(description="whether the set may belong to either player")] = False


class Place(RequiresOneOf):
    """Where a fighter is set up; distances are in inches."""

    RULE: ClassVar[LimitRule] = limits.EMPTY_CONDITION

    near: Annotated[Inches | None, Field(description="within this distance of the fighter that uses the rule")] = None
    edge: Annotated[Inches | None, Field(description="within this distance of a battlefield edge")] = None
    deployment: Annotated[Inches | None, Field(description="within this distance of its deployment point")] = None
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
    FIELDS: ClassVar[tuple[str, ...]] = ("free", "runemark", "reaction")

    ability: Annotated[Text, Field(max_length=MAX_NAME_LENGTH, description="its name")]
    free: Annotated[Flag, Field(description="without spending ability dice")] = False
    runemark: Annotated[Runemark | None, Field(description="as if the fighter had this runemark")] = None
    reaction: Annotated[Flag, Field(description="whether it is a reaction")] = False


# Whose fighter a moment is about: the one that uses the rule, or any of your fighters.
Subject = Literal["self", "friend"]


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
    by_attack: Annotated[Flag, Field(description="only if an attack or a reaction does it")] = False
    deadly: Annotated[Flag, Field(description="only if the damage is enough to take the fighter down")] = False
    first: Annotated[
        Flag | Literal["round", "battle"],
        Field(description="only the next time, or the first time in each round, or battle"),
    ] = False
    rounds: Annotated[
        tuple[Number, ...], Field(description="only in these battle rounds; those up to 9 are 'or later'")
    ] = ()
    uses: Annotated[Name | None, Field(description="only by the ability or reaction of this name")] = None
    of: Annotated[Subject | Group, Field(description="self, any friend, or a group of friends")] = "self"

    @model_validator(mode="after")
    def _check_keys(self) -> Self:
        allowed = {"event", *EVENTS[self.event].keys.split()}
        if self.of != "self":
            allowed.discard("cover")
        if self.attack == "anything" and self.event != "takes-down":
            allowed.discard("attack")
        for key, info in type(self).model_fields.items():
            if key not in allowed and getattr(self, key) != info.default:
                message = "'{key}' does not go with the event '{event}'"
                raise limits.MOMENT.error(message, key=key, event=self.event, path=(key,), at_key=True)
        return self


class Frame(Model):
    """When a change happens, and for whom.

    The changes of a card happen in order. `only_if`, `not_if`, and `reacts` say when the card can be used; `when` and
    `if` are for this change. A fighter that is picked, and dice that are rolled, are those of the changes that follow;
    with `on_roll`, they happen once for each die that shows one of these faces.
    """

    # fmt: off
    only_if: Annotated[Condition | None, Key("when an ability can be used", facts=IN_PROCEDURES,
        is_detail=False)] = None
    not_if: Annotated[Condition | None, Key("when an ability cannot be used", facts=IN_PROCEDURES,
        is_detail=False)] = None
    reacts: Annotated[Moment | None, Key("when a reaction can be made", is_detail=False)] = None
    when: Annotated[Moment | None, Key("the moment when it happens", is_detail=False)] = None
    condition: Annotated[Condition | None, Field(alias="if"), Key("what must be true for it", is_detail=False)] = None
    unless: Annotated[Condition | None, Key("what must not be true for it", is_detail=False)] = None
    during: Annotated[Condition | None, Field(alias="while"), Key("what must stay true for it")] = None
    pick: Annotated[Group | None, Key("a fighter to pick", facts=Fact.IN_ACTIVATION, step="asks whom to pick",
        is_detail=False)] = None
    roll: Annotated[DiceCount | None, Key("the number of dice to roll; 2d6 are added up", facts=Fact.IN_ACTIVATION,
        step="rolls the dice", is_detail=False)] = None
    roll_each: Annotated[Group | Literal["picked", "sets", "hits", "criticals", "misses", "tokens"] | None,
        Key("the fighters, sets, hit rolls, or tokens for each of which a die is rolled", facts=Fact.IN_ACTIVATION,
        step="asks for whom, and rolls a die for each", is_detail=False)] = None
    dice_each: Annotated[DiceCount, Key("the number of dice that `roll_each` rolls for each", is_detail=False)] = 1
    token: Annotated[Name | None, Key("the name of your tokens that dice are rolled for", is_detail=False)] = None
    on_roll: Annotated[Faces | None,
        Key("the faces for which it happens, once for each such die; or a comparison with Toughness or value",
        is_detail=False)] = None
    of: Annotated[Party | Group, Key("whom it is for: a fighter, or every fighter of a group", facts=Fact.IN_NUMBERS,
        is_detail=False)] = "self"

    @property
    def is_free(self) -> bool:
        """Whether nothing needs to happen, or to be true, for it."""
        return not any((self.when, self.condition, self.unless, self.during, self.on_roll, self.reacts))
    # fmt: on
