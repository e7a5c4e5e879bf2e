"""Models of Warcry cards: those of the core rules and of the Matched Play battlepack."""

from __future__ import annotations

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
    LimitRule,
    Model,
    Number,
    OneOf,
    Reference,
    RequiresOneOf,
    Text,
    closest,
)
from cardgen.rulesets.warcry import limits
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.runemarks import Runemark, alliance_of, name_of
from cardgen.rulesets.warcry.weapon import Weapon

SideLength = Annotated[Int, IntRange(12, 72, limits.MAP)]
Coordinate = Annotated[Number, Field(ge=0, le=72)]
ObjectiveLetter = Annotated[Text, Field(max_length=2)]


class Spot(Model):
    """A place on the map: `at` is x from the left edge and y from the upper one, in inches."""

    at: Annotated[tuple[Coordinate, Coordinate], Field(description="[x, y] in inches from the upper left corner")]


class Deployment(Spot):
    """Where a battle group is deployed; `round` is the battle round in which one in reserve arrives."""

    side: Annotated[Literal["red", "blue", "either"], Field(description="whose point it is")]
    group: Annotated[Literal["dagger", "hammer", "shield"] | None, Field(description="the battle group")] = None
    round: Annotated[Annotated[Int, IntRange(1, 9, limits.MAP)] | None, Field(description="from this battle round on")] = None  # fmt: skip  # noqa: E501


class Objective(Spot):
    """An objective; `mark` is the letter that stands on it."""

    mark: Annotated[ObjectiveLetter | None, Field(description="a letter on it, such as A")] = None


class BattleMap(Model):
    """The map: a battlefield of `width` by `height` inches, about 30 by 22 (core rules: The Battlefield)."""

    width: Annotated[SideLength, Field(description="in inches")] = 30
    height: Annotated[SideLength, Field(description="in inches")] = 22
    points: Annotated[tuple[Deployment, ...], Field(description="deployment points")] = ()
    objectives: Annotated[tuple[Objective, ...], Field(description="objectives")] = ()
    quarters: Annotated[Flag, Field(description="shows the table quarters")] = False
    halves: Annotated[Literal["left-right", "top-bottom", "diagonal"] | None,
                      Field(description="shows a red and a blue half, the red one first")] = None  # fmt: skip


DICE = ("double", "triple", "quad")
PRICES = (*DICE, "reaction", "action", "free")
MAX_RUNEMARKS, MAX_WEAPONS = 3, 2
# A fighter with more Wounds pays the elite price of a blessing (battlepack: Picking Divine Blessings).
MAX_REGULAR_WOUNDS = 22
POINTS_LIMIT = 1000


def _price_advice(word: str) -> str:
    meant = closest(word.casefold(), PRICES)
    return f"did you mean '{meant}'?" if meant else limits.PRICE.help


Price = Annotated[Text, OneOf(PRICES, limits.PRICE, _price_advice), Field(json_schema_extra={"enum": [*PRICES]})]
ShortText = Annotated[Text, Field(max_length=MAX_NAME_LENGTH)]
PointsCost = Annotated[Int, IntRange(0, 1000, limits.CHARACTERISTIC)]


class Stats(Model):
    """The characteristics of a fighter (core rules: Fighter Profiles). Move in inches."""

    SYNONYMS: ClassVar[dict[str, tuple[str, ...]]] = {"move": ("M",), "toughness": ("T",), "wounds": ("W",)}

    move: Annotated[Int, IntRange(0, 30, limits.CHARACTERISTIC), Field(description="M, in inches")]
    toughness: Annotated[Int, IntRange(1, 12, limits.CHARACTERISTIC), Field(description="T: to withstand attacks")]
    wounds: Annotated[Int, IntRange(1, 60, limits.CHARACTERISTIC), Field(description="W: damage points it can take")]


Runemarks = Annotated[
    tuple[Runemark, ...], ItemCount(0, MAX_RUNEMARKS, limits.RUNEMARK_COUNT, "{count} runemarks are too many")
]
Weapons = Annotated[
    tuple[Weapon, ...], ItemCount(1, MAX_WEAPONS, limits.WEAPON_COUNT, "{count} weapons are not one or two")
]


class Fighter(Card):
    """A fighter's profile. `base` is the diameter of the miniature's base in mm."""

    KIND: ClassVar[str] = "fighter"

    faction: Annotated[Runemark, Field(description="its faction runemark, or that of a grand alliance")]
    runemarks: Annotated[Runemarks, Field(description="up to three others, such as hero or beast")] = ()
    stats: Stats
    points: Annotated[PointsCost, Field(description="what it costs in a warband")]
    weapons: Annotated[Weapons, Field(description="one or two")]
    base: Annotated[Annotated[Number, Field(ge=5, le=200)], Field(description="diameter of the base in mm")] = 32
    height: Annotated[Height, Field(description="height of the miniature in mm")] = DEFAULT_HEIGHT

    @property
    def alliance(self) -> str:
        """The runemark of its grand alliance, or '' for a faction that nobody knows."""
        return alliance_of(self.faction)

    @property
    def names(self) -> tuple[tuple[str, str], ...]:
        """Icon and name of each runemark but the faction's."""
        return tuple((mark, name_of(mark)) for mark in self.runemarks)

    @property
    def faction_name(self) -> str:
        """The faction's name."""
        return name_of(self.faction)

    @property
    def marks(self) -> frozenset[str]:
        """All runemarks by which rules name it: its own, its faction's, and that of its grand alliance."""
        return frozenset((*self.runemarks, self.faction, self.alliance)) - {""}

    @property
    def elite(self) -> bool:
        """True where a blessing has its elite price."""
        return self.stats.wounds > MAX_REGULAR_WOUNDS


class Rule(RequiresOneOf):
    """Something of its own that a trait brings or offers. Without a `price` it simply holds."""

    FIELDS: ClassVar[tuple[str, ...]] = ("text", "changes")
    RULE: ClassVar[LimitRule] = limits.EMPTY_RULE

    name: ShortText
    price: Annotated[Price | None, Field(description="double, triple, quad, reaction, action or free")] = None
    runemarks: Annotated[tuple[Runemark, ...], Field(description="who may use it: one of these")] = ()
    changes: Annotated[tuple[Change, ...], Field(description="what it does")] = ()
    text: Annotated[Text | None, Field(description="printed instead of the text made from changes")] = None

    @property
    def names(self) -> tuple[tuple[str, str], ...]:
        """Icon and name of each runemark that may use it."""
        return tuple((mark, name_of(mark)) for mark in self.runemarks)


class Ability(RequiresOneOf, Card):
    """An ability, or a reaction or action. Without `runemarks` it is universal: every fighter may use it."""

    KIND: ClassVar[str] = "ability"
    FIELDS: ClassVar[tuple[str, ...]] = ("changes", "text")
    RULE: ClassVar[LimitRule] = limits.EMPTY_RULE

    price: Annotated[Price, Field(description="double, triple, quad, reaction, action or free")]
    runemarks: Annotated[tuple[Runemark, ...], Field(description="who may use it: whoever has all of these")] = ()
    changes: Annotated[tuple[Change, ...], Field(description="what it does")] = ()

    @property
    def dice(self) -> int:
        """How many ability dice of one value it costs: 2, 3 or 4, or 0."""
        return DICE.index(self.price) + 2 if self.price in DICE else 0

    @property
    def names(self) -> tuple[tuple[str, str], ...]:
        """Icon and name of each runemark that it asks for."""
        return tuple((mark, name_of(mark)) for mark in self.runemarks)


class Trait(RequiresOneOf, Card):
    """A battle trait: what every fighter of a warband has whose fighters share its runemark."""

    KIND: ClassVar[str] = "trait"
    FIELDS: ClassVar[tuple[str, ...]] = ("changes", "text", "choices", "grants")
    RULE: ClassVar[LimitRule] = limits.EMPTY_RULE

    runemark: Annotated[Runemark, Field(description="the faction or grand alliance that it belongs to")]
    once: Annotated[Literal["round", "battle"] | None, Field(description="once a battle round, or a battle")] = None
    changes: Annotated[tuple[Change, ...], Field(description="what it does")] = ()
    choices: Annotated[tuple[Rule, ...], Field(description="one of these is picked with the warband")] = ()
    grants: Annotated[tuple[Rule, ...], Field(description="abilities, actions or reactions that it brings")] = ()

    @property
    def alliance(self) -> str:
        """The runemark of its grand alliance, or ''."""
        return alliance_of(self.runemark)

    @property
    def runemark_name(self) -> str:
        """The name of its runemark."""
        return name_of(self.runemark)


BlessingPoints = Annotated[Int, IntRange(0, 200, limits.BLESSING)]


class Prices(Model):
    """What a blessing adds to a fighter's points."""

    regular: Annotated[BlessingPoints, Field(description="for a fighter with 22 Wounds or less")]
    elite: Annotated[BlessingPoints, Field(description="for a fighter with 23 Wounds or more")]


class Blessing(RequiresOneOf, Card):
    """A divine blessing (battlepack: Picking Divine Blessings)."""

    KIND: ClassVar[str] = "blessing"
    FIELDS: ClassVar[tuple[str, ...]] = ("changes", "text")
    RULE: ClassVar[LimitRule] = limits.EMPTY_RULE

    points: Annotated[Prices, Field(description="regular and elite")]
    changes: Annotated[tuple[Change, ...], Field(description="what it adds")] = ()

    def price(self, fighter: Fighter) -> int:
        """What it adds to the points of a fighter, by the Wounds on its profile."""
        return self.points.elite if fighter.elite else self.points.regular


class Score(Model):
    """Something that is worth victory points."""

    vp: Annotated[Annotated[Int, IntRange(1, 20, limits.ROSTER)] | None, Field(description="victory points")] = None
    text: Text


class Section(Model):
    """A part of a battleplan: a name, a text, and what scores."""

    name: Annotated[ShortText | None, Field(description="its heading")] = None
    text: Annotated[Text | None, Field(description="what it says")] = None
    scores: Annotated[tuple[Score, ...], Field(description="each thing that scores")] = ()


class Battleplan(Card):
    """A battleplan. Its line of setting is the `motto`; without a `map` the card says that it is to be entered."""

    KIND: ClassVar[str] = "battleplan"

    map: Annotated[BattleMap | None, Field(description="the deployment map as data")] = None
    sections: Annotated[tuple[Section, ...], Field(description="deployment, objectives and the like")] = ()
    primary: Annotated[Section, Field(description="the primary victory condition")]
    secondary: Annotated[Section, Field(description="the secondary victory condition")]
    twist: Annotated[Section, Field(description="what helps whoever has fewer victory points")]
    victory: Annotated[Text | None, Field(description="who wins; left out: who has more victory points")] = None


class Member(Model):
    """Fighters of one profile in a warband, with the blessing that each of them has."""

    fighter: Annotated[Text, Reference("fighter"), Field(description="id or name of a fighter")]
    blessing: Annotated[Annotated[Text, Reference("blessing")] | None, Field(description="id or name of a blessing")] = None  # fmt: skip  # noqa: E501
    leader: Annotated[Flag, Field(description="leads the warband")] = False
    qty: Annotated[Int, IntRange(1, 20, limits.ROSTER), Field(description="how many of it")] = 1


class Warband(Card):
    """A roster. `points` is what its author says it costs, which is checked; `limit` what it may cost."""

    KIND: ClassVar[str] = "warband"

    trait: Annotated[Annotated[Text, Reference("trait")] | None, Field(description="id or name of its battle trait")] = None  # fmt: skip  # noqa: E501
    members: Annotated[tuple[Member, ...], Field(min_length=1, description="the fighters")]
    points: Annotated[Annotated[Int, IntRange(1, 10_000, limits.ROSTER)] | None, Field(description="all points together, blessings included")] = None  # fmt: skip  # noqa: E501
    limit: Annotated[Int, IntRange(1, 10_000, limits.ROSTER), Field(description="the most that it may cost")] = POINTS_LIMIT  # fmt: skip  # noqa: E501
