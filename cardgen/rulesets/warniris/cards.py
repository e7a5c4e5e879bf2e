"""Models of Warniris cards. Section numbers refer to the rulebook."""

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar, Literal, get_args

from cardgen.game import (
    DEFAULT_HEIGHT,
    MAX_NAME_LENGTH,
    Card,
    Field,
    Flag,
    Height,
    Int,
    IntRange,
    ItemCount,
    Kind,
    LimitRule,
    Model,
    Number,
    OneOf,
    Reference,
    RequiresOneOf,
    Text,
    kinds_by_name,
    roster_kind,
)
from cardgen.rulesets.warniris import rulebook
from cardgen.rulesets.warniris.effect import Distance, Effect, Weapon
from cardgen.rulesets.warniris.rulebook import EXAMPLES
from cardgen.rulesets.warniris.weapon_line import WEAPON_TYPES, type_advice

GoalEvent = Literal["eliminate", "damage", "attack", "resist", "survive", "pass", "control", "raid", "retreat"]
EventCount = Annotated[Int, IntRange(1, 20, rulebook.MISSION)]
# The type that the ruling `mission-14-type` decides.
RULED_TYPE = "ruling"
GoalWeapon = Annotated[
    Literal["CW", "RW", "P", "ruling"], OneOf((*WEAPON_TYPES, RULED_TYPE), rulebook.WEAPON_TYPE, type_advice)
]


class Earn(Model):
    """An objective that the tracker can decide, from its record or with a yes or no.

    `event` must happen `count` times, by one Character or by the whole warband (`by`), within one Move, one turn, or in
    the whole battle (`in`), and to a different miniature each time if `different` is true; with `turns`, in so many
    turns in a row. `of` is who it happens to: 'enemy' is any enemy. For 'survive', it is a miniature of your own side,
    and for 'resist', the attacker. At least `attackers` of your own Characters must have attacked the same target.
    Distances are in cm: `range_over` means strictly more, and `range_within` includes the limit. `rescue` means a
    Reaction that stops the enemy's Attack on another Character. `from` and `then` are the places where the Character
    attacks from, and where it Moves afterward in the same turn. `first` requires that nobody has done it before in this
    battle.

    'pass' is to Move through an enemy without failing a Test. The players report the rest at the end of a turn:
    'control' is to have a Character within `range_within` of the center, 'raid' to Move into the enemy's deployment
    zone and out of it, and 'retreat' to Move out of the Range of an enemy weapon without being hit in that turn.
    """

    event: Annotated[GoalEvent, Field(description="the event that scores")]
    of: Annotated[Literal["enemy", "character", "minion"], Field(description="who it happens to")] = "enemy"
    count: Annotated[EventCount, Field(description="the required number of times")] = 1
    everyone: Annotated[Flag, Field(description="true: none may have fallen, for survive")] = False
    different: Annotated[Flag, Field(description="true: a different miniature each time")] = False
    by: Annotated[Literal["one", "warband"], Field(description="one character, or the whole warband together")] = (
        "warband"
    )
    attackers: Annotated[
        EventCount, Field(description="the number of characters that must have attacked the same target")
    ] = 1
    within: Literal["move", "turn", "battle"] = Field(
        default="battle", alias="in", description="within one Move, one turn, or in the whole battle"
    )
    turns: Annotated[EventCount, Field(description="in this many turns in a row")] = 1
    weapon: Annotated[
        GoalWeapon | None, Field(description="the type of weapon used; ruling: see the ruling mission-14-type")
    ] = None
    range_over: Annotated[Distance | None, Field(description="the target must be farther away than this, in cm")] = None
    range_within: Annotated[
        Distance | None, Field(description="the target (for control: the center) is at most this far away, in cm")
    ] = None
    rescue: Annotated[
        Flag, Field(description="true: by a reaction that stops an attack on another character of yours")
    ] = False
    reaction: Annotated[Flag, Field(description="true: in a reaction")] = False
    origin: Literal["zone", "cover"] | None = Field(
        default=None, alias="from", description="the attacker is in its own deployment zone, or in cover"
    )
    then: Annotated[Literal["cover"] | None, Field(description="where the attacker moves back to in the same turn")] = (
        None
    )
    first: Annotated[Flag, Field(description="true: before the other side does it")] = False

    @property
    def is_reported(self) -> bool:
        """Whether the players must report what happened, because the record cannot tell."""
        return self.event in REPORTED_EVENTS or bool(self.origin or self.then)


REPORTED_EVENTS = frozenset({"control", "raid", "retreat"})
_ATTACK_KEYS = frozenset({"of", "count", "different", "by", "in", "turns", "weapon", "range_over", "range_within"})
# The keys that mean something for an event, besides 'event'.
MEANINGFUL_KEYS: Mapping[str, frozenset[str]] = {
    "eliminate": _ATTACK_KEYS | {"attackers", "rescue", "reaction", "from", "then", "first"},
    "damage": _ATTACK_KEYS | {"attackers", "reaction", "from", "then", "first"},
    "attack": _ATTACK_KEYS | {"attackers", "reaction", "from", "then", "first"},
    "resist": _ATTACK_KEYS | {"first"},
    "survive": frozenset({"of", "count", "everyone", "in"}),
    "pass": frozenset({"count", "by", "in", "turns", "first"}),
    "control": frozenset({"count", "in", "turns", "range_within", "first"}),
    "raid": frozenset({"count", "by", "in", "turns", "first"}),
    "retreat": frozenset({"count", "by", "in", "turns", "first"}),
}
assert MEANINGFUL_KEYS.keys() == set(get_args(GoalEvent))


def meaningless_keys(goal: Earn) -> Iterator[str]:
    """Yield the keys of an objective that mean nothing for its event."""
    given = goal.model_dump(by_alias=True, exclude_defaults=True).keys() - {"event"}
    yield from sorted(given - MEANINGFUL_KEYS[goal.event])


Attribute = Annotated[Int, IntRange(rulebook.MIN_ATTRIBUTE, rulebook.MAX_ATTRIBUTE, rulebook.ATTRIBUTE)]
Base = Annotated[Number, Field(ge=5, le=200)]
MAX_MEMBERS = 4
HORDE_SIZE = 20
Once = Flag | Literal["turn"]


class Stats(Model):
    """The characteristics (section 1: Character attributes). Movement in cm."""

    SYNONYMS: ClassVar[dict[str, tuple[str, ...]]] = {
        "mind": ("M",),
        "body": ("B",),
        "spirit": ("S",),
        "wounds": ("W",),
        "movement": ("Mo",),
    }

    mind: Annotated[Attribute, Field(description="M: to hit with a weapon, and to time a reaction")]
    body: Annotated[Attribute, Field(description="B: to resist a weapon, and to move through an enemy")]
    spirit: Annotated[Attribute, Field(description="S: to hit with a power, to resist one, and to time a reaction")]
    wounds: Annotated[
        Int, IntRange(1, rulebook.MAX_WOUNDS, rulebook.STAT), Field(description="W: wounds until it is eliminated")
    ]
    movement: Annotated[Int, IntRange(0, rulebook.TABLE_DIAGONAL, rulebook.STAT), Field(description="Mo, in cm")]

    @property
    def printed(self) -> tuple[tuple[str, int], ...]:
        """The printed letters and values: ('M', 2), ('B', 3), and so on."""
        return tuple((letters[0], getattr(self, name)) for name, letters in self.SYNONYMS.items())


class Ability(RequiresOneOf):
    """A special skill. `once` is true for once a battle, 'turn' for once a turn."""

    FIELDS: ClassVar[tuple[str, ...]] = ("effects", "text")
    RULE: ClassVar[LimitRule] = rulebook.EMPTY_CARD

    name: Annotated[Text, Field(max_length=MAX_NAME_LENGTH, description="its name")]
    once: Annotated[Once, Field(description="true: once a battle; turn: once a turn")] = False
    effects: Annotated[tuple[Effect, ...], Field(description="what it does")] = ()
    text: Annotated[Text | None, Field(description="printed instead of the text generated from effects")] = None


class Character(Card):
    """A Character Datacard. `base` is the diameter of the miniature's base in mm."""

    KIND: ClassVar[str] = "character"

    stats: Annotated[Stats, Field(description="its attributes, Wounds, and Movement")]
    weapons: Annotated[tuple[Weapon, ...], Field(description="its weapons and powers")] = ()
    abilities: Annotated[tuple[Ability, ...], Field(description="its special skills")] = ()
    base: Annotated[Base, Field(description="diameter of the base in mm")] = 32
    height: Annotated[Height, Field(description="height of the miniature in mm")] = DEFAULT_HEIGHT


class Minion(Card):
    """A Minion Datacard (Last Stand: Horde). `base` is the diameter of the miniature's base in mm."""

    KIND: ClassVar[str] = "minion"

    stats: Annotated[Stats, Field(description="its attributes, Wounds, and Movement")]
    weapons: Annotated[tuple[Weapon, ...], Field(description="its weapons and powers")] = ()
    base: Annotated[Base, Field(description="diameter of the base in mm")] = 25
    height: Annotated[Height, Field(description="height of the miniature in mm")] = DEFAULT_HEIGHT


class Relic(RequiresOneOf, Card):
    """A Relic card. `once` is true for a relic discarded when used, 'turn' for once a turn."""

    KIND: ClassVar[str] = "relic"
    FIELDS: ClassVar[tuple[str, ...]] = ("effects", "text")
    RULE: ClassVar[LimitRule] = rulebook.EMPTY_CARD

    once: Annotated[Once, Field(description="true: once a battle, then discarded; turn: once a turn")] = False
    effects: Annotated[tuple[Effect, ...], Field(description="what it does")] = ()


class Mission(RequiresOneOf, Card):
    """A Mission card (section 5). Without `earn`, the player declares when it scores."""

    KIND: ClassVar[str] = "mission"
    FIELDS: ClassVar[tuple[str, ...]] = ("earn", "text")
    RULE: ClassVar[LimitRule] = rulebook.EMPTY_MISSION

    number: Annotated[
        Annotated[Int, IntRange(1, 99, rulebook.MISSION)] | None,
        Field(description="its number in the list of missions"),
    ] = None
    vp: Annotated[Int, IntRange(1, 10, rulebook.MISSION), Field(description="victory points")]
    earn: Annotated[Earn | None, Field(description="the objective, as the tracker can decide it")] = None


class Member(Model):
    """A Character of a warband, with its relic."""

    character: Annotated[Text, Reference("character"), Field(description="id or name of a character")]
    relic: Annotated[Annotated[Text, Reference("relic")] | None, Field(description="id or name of its relic")] = None


class Troop(Model):
    """Minions of the same kind in a Horde."""

    minion: Annotated[Text, Reference("minion"), Field(description="id or name of a minion")]
    qty: Annotated[Int, IntRange(1, 100, rulebook.WARBAND), Field(description="the number of these minions")] = 1


Members = Annotated[tuple[Member, ...], ItemCount(0, MAX_MEMBERS, rulebook.WARBAND, "{count} members are too many")]


class Warband(RequiresOneOf, Card):
    """A list of cards: up to 4 Characters (section 1: Warband), or a Horde of Minions."""

    KIND: ClassVar[str] = "warband"
    FIELDS: ClassVar[tuple[str, ...]] = ("members", "minions")
    EXCLUSIVE: ClassVar[bool] = True
    RULE: ClassVar[LimitRule] = rulebook.WARBAND

    members: Annotated[Members, Field(description="up to four characters")] = ()
    minions: Annotated[tuple[Troop, ...], Field(description="the minions of a horde")] = ()


KINDS: Mapping[str, Kind] = kinds_by_name(
    (
        Kind(Character, "tarot", EXAMPLES / "character.yaml"),
        Kind(Minion, "standard", EXAMPLES / "minion.yaml"),
        Kind(Relic, "mini-usa", EXAMPLES / "relic.yaml"),
        Kind(Mission, "standard", EXAMPLES / "mission.yaml"),
        roster_kind(Warband, EXAMPLES),
    )
)
