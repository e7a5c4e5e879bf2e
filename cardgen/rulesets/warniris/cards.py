"""Models of Warniris cards. Section numbers refer to the rulebook."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

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
    Reference,
    RequiresOneOf,
    Text,
    kinds_by_name,
    roster_kind,
)
from cardgen.rulesets.warniris import limits
from cardgen.rulesets.warniris.earn import Earn
from cardgen.rulesets.warniris.effect import Effect, Weapon
from cardgen.rulesets.warniris.rulebook import EXAMPLES

Attribute = Annotated[Int, IntRange(limits.MIN_ATTRIBUTE, limits.MAX_ATTRIBUTE, limits.ATTRIBUTE)]
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
    wounds: Annotated[Int, IntRange(1, 30, limits.STAT), Field(description="W: wounds until it is eliminated")]
    movement: Annotated[Int, IntRange(0, limits.TABLE_DIAGONAL, limits.STAT), Field(description="Mo, in cm")]

    @property
    def printed(self) -> tuple[tuple[str, int], ...]:
        """The printed letters and values: ('M', 2), ('B', 3), and so on."""
        return tuple((letters[0], getattr(self, name)) for name, letters in self.SYNONYMS.items())


class Ability(RequiresOneOf):
    """A special skill. `once` is true for once a battle, 'turn' for once a turn."""

    FIELDS: ClassVar[tuple[str, ...]] = ("effects", "text")
    RULE: ClassVar[LimitRule] = limits.EMPTY_CARD

    name: Annotated[Text, Field(max_length=MAX_NAME_LENGTH)]
    once: Annotated[Once, Field(description="true: once a battle; turn: once a turn")] = False
    effects: Annotated[tuple[Effect, ...], Field(description="what it does")] = ()
    text: Annotated[Text | None, Field(description="printed instead of the text generated from effects")] = None


class Character(Card):
    """A Character Datacard. `base` is the diameter of the miniature's base in mm."""

    KIND: ClassVar[str] = "character"

    stats: Stats
    weapons: tuple[Weapon, ...] = ()
    abilities: tuple[Ability, ...] = ()
    base: Annotated[Base, Field(description="diameter of the base in mm")] = 32
    height: Annotated[Height, Field(description="height of the miniature in mm")] = DEFAULT_HEIGHT


class Minion(Card):
    """A Minion Datacard (Last Stand: Horde). `base` is the diameter of the miniature's base in mm."""

    KIND: ClassVar[str] = "minion"

    stats: Stats
    weapons: tuple[Weapon, ...] = ()
    base: Annotated[Base, Field(description="diameter of the base in mm")] = 25
    height: Annotated[Height, Field(description="height of the miniature in mm")] = DEFAULT_HEIGHT


class Relic(RequiresOneOf, Card):
    """A Relic card. `once` is true for a relic discarded when used, 'turn' for once a turn."""

    KIND: ClassVar[str] = "relic"
    FIELDS: ClassVar[tuple[str, ...]] = ("effects", "text")
    RULE: ClassVar[LimitRule] = limits.EMPTY_CARD

    once: Annotated[Once, Field(description="true: once a battle, then discarded; turn: once a turn")] = False
    effects: Annotated[tuple[Effect, ...], Field(description="what it does")] = ()


class Mission(RequiresOneOf, Card):
    """A Mission card (section 5). Without `earn`, the player declares when it scores."""

    KIND: ClassVar[str] = "mission"
    FIELDS: ClassVar[tuple[str, ...]] = ("earn", "text")
    RULE: ClassVar[LimitRule] = limits.EMPTY_MISSION

    number: Annotated[
        Annotated[Int, IntRange(1, 99, limits.MISSION)] | None,
        Field(description="its number in the list of missions"),
    ] = None
    vp: Annotated[Int, IntRange(1, 10, limits.MISSION), Field(description="victory points")]
    earn: Annotated[Earn | None, Field(description="the objective, as the tracker can decide it")] = None


class Member(Model):
    """A Character of a warband, with its relic."""

    character: Annotated[Text, Reference("character"), Field(description="id or name of a character")]
    relic: Annotated[Annotated[Text, Reference("relic")] | None, Field(description="id or name of its relic")] = None


class Troop(Model):
    """Minions of the same kind in a Horde."""

    minion: Annotated[Text, Reference("minion"), Field(description="id or name of a minion")]
    qty: Annotated[Int, IntRange(1, 100, limits.WARBAND), Field(description="the number of these minions")] = 1


Members = Annotated[tuple[Member, ...], ItemCount(0, MAX_MEMBERS, limits.WARBAND, "{count} members are too many")]


class Warband(RequiresOneOf, Card):
    """A list of cards: up to 4 Characters (section 1: Warband), or a Horde of Minions."""

    KIND: ClassVar[str] = "warband"
    FIELDS: ClassVar[tuple[str, ...]] = ("members", "minions")
    EXCLUSIVE: ClassVar[bool] = True
    RULE: ClassVar[LimitRule] = limits.WARBAND

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
