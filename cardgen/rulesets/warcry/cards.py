"""Models of Warcry cards (core rules, Matched Play battlepack), and runemarks of pieces."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from cardgen.game import (
    DEFAULT_HEIGHT,
    Aspect,
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
    slugify,
)
from cardgen.rulesets.warcry import limits
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.limits import EXAMPLES, BattleMap, MarkedModel, Runemark, Section, ShortText, Weapon

DICE = ("double", "triple", "quad")
PRICES = (*DICE, "reaction", "action", "free")
MAX_RUNEMARKS, MAX_WEAPONS = 3, 2
# A fighter with more Wounds pays the elite price for a blessing (battlepack: Picking Divine Blessings).
MAX_REGULAR_WOUNDS = 22
POINTS_LIMIT = 1000


Price = Annotated[Text, OneOf(PRICES, limits.PRICE), Field(json_schema_extra={"enum": [*PRICES]})]
PointsCost = Annotated[Int, IntRange(0, 1000, limits.CHARACTERISTIC)]


class Stats(Model):
    """Characteristics of a fighter (core rules: Fighter Profiles); Move is in inches."""

    SYNONYMS: ClassVar[dict[str, tuple[str, ...]]] = {"move": ("M",), "toughness": ("T",), "wounds": ("W",)}

    move: Annotated[Int, IntRange(0, 30, limits.CHARACTERISTIC), Field(description="M, in inches")]
    toughness: Annotated[
        Int, IntRange(1, 12, limits.CHARACTERISTIC), Field(description="T, compared with the Strength of attacks")
    ]
    wounds: Annotated[
        Int, IntRange(1, 60, limits.CHARACTERISTIC), Field(description="W, the damage points that take it down")
    ]


Runemarks = Annotated[
    tuple[Runemark, ...],
    ItemCount(0, MAX_RUNEMARKS, limits.RUNEMARK_COUNT, "must be at most three other runemarks, not {count}"),
]
Weapons = Annotated[
    tuple[Weapon, ...],
    ItemCount(1, MAX_WEAPONS, limits.WEAPON_COUNT, "must be one or two weapons, not {count}"),
]


class Fighter(MarkedModel, Card):
    """A fighter's profile; `base` is the diameter of its base in mm."""

    KIND: ClassVar[str] = "fighter"

    faction: Annotated[Runemark, Field(description="its faction or grand alliance runemark")]
    runemarks: Annotated[Runemarks, Field(description="up to three other runemarks, such as hero or beast")] = ()
    stats: Annotated[Stats, Field(description="its characteristics")]
    points: Annotated[PointsCost, Field(description="its cost in a warband")]
    weapons: Annotated[Weapons, Field(description="one or two weapons")]
    base: Annotated[Annotated[Number, Field(ge=5, le=200)], Field(description="diameter of the base in mm")] = 32
    height: Annotated[Height, Field(description="height of the miniature in mm")] = DEFAULT_HEIGHT

    @property
    def alliance(self) -> str:
        """The runemark of its grand alliance, or '' for an unknown faction."""
        return self.settings.alliance_of(self.faction)

    @property
    def faction_name(self) -> str:
        """Name of its faction."""
        return self.settings.name_of(self.faction)

    @property
    def marks(self) -> frozenset[str]:
        """All of its runemarks, including those of its faction and grand alliance."""
        return frozenset((*self.runemarks, self.faction, self.alliance)) - {""}

    @property
    def elite(self) -> bool:
        """Whether it pays the elite price for a blessing."""
        return self.stats.wounds > MAX_REGULAR_WOUNDS


class Rule(MarkedModel, RequiresOneOf):
    """A rule granted by a trait; without a `price`, it always applies."""

    FIELDS: ClassVar[tuple[str, ...]] = ("text", "changes")
    RULE: ClassVar[LimitRule] = limits.EMPTY_RULE

    name: Annotated[ShortText, Field(description="its name")]
    price: Annotated[Price | None, Field(description="double, triple, quad, reaction, action, or free")] = None
    runemarks: Annotated[tuple[Runemark, ...], Field(description="fighters with one of these may use it")] = ()
    changes: Annotated[tuple[Change, ...], Field(description="what it does")] = ()
    text: Annotated[Text | None, Field(description="printed instead of the text made from changes")] = None

    @property
    def id(self) -> str:
        """Its name as an id."""
        return slugify(self.name)


class Ability(MarkedModel, RequiresOneOf, Card):
    """An ability, reaction, or action.

    Without `runemarks`, it is universal: every fighter may use it.
    """

    KIND: ClassVar[str] = "ability"
    FIELDS: ClassVar[tuple[str, ...]] = ("changes", "text")
    RULE: ClassVar[LimitRule] = limits.EMPTY_RULE

    price: Annotated[Price, Field(description="double, triple, quad, reaction, action, or free")]
    runemarks: Annotated[tuple[Runemark, ...], Field(description="only fighters with all of these may use it")] = ()
    changes: Annotated[tuple[Change, ...], Field(description="what it does")] = ()

    @property
    def alliance(self) -> str:
        """The grand alliance of its faction, or ''."""
        return next(filter(None, map(self.settings.alliance_of, self.runemarks)), "")

    @property
    def dice(self) -> int:
        """Number of equal ability dice that it costs, or 0."""
        return DICE.index(self.price) + 2 if self.price in DICE else 0


class Trait(MarkedModel, RequiresOneOf, Card):
    """A battle trait of a warband whose fighters all share its runemark."""

    KIND: ClassVar[str] = "trait"
    FIELDS: ClassVar[tuple[str, ...]] = ("changes", "text", "choices", "grants")
    RULE: ClassVar[LimitRule] = limits.EMPTY_RULE

    runemark: Annotated[Runemark, Field(description="the faction or grand alliance that it belongs to")]
    once: Annotated[
        Literal["round", "battle"] | None, Field(description="once per battle round, or once per battle")
    ] = None
    changes: Annotated[tuple[Change, ...], Field(description="what it does")] = ()
    choices: Annotated[tuple[Rule, ...], Field(description="alternatives; the player picks one")] = ()
    grants: Annotated[tuple[Rule, ...], Field(description="abilities, actions, or reactions that it grants")] = ()

    @property
    def alliance(self) -> str:
        """The runemark of its grand alliance, or ''."""
        return self.settings.alliance_of(self.runemark)

    @property
    def runemark_name(self) -> str:
        """Name of its runemark."""
        return self.settings.name_of(self.runemark)


BlessingPoints = Annotated[Int, IntRange(0, 200, limits.BLESSING)]


class Prices(Model):
    """Cost of a blessing, added to the fighter's points."""

    regular: Annotated[BlessingPoints, Field(description="for a fighter with 22 or fewer Wounds")]
    elite: Annotated[BlessingPoints, Field(description="for a fighter with 23 or more Wounds")]


class Blessing(MarkedModel, RequiresOneOf, Card):
    """A divine blessing (battlepack: Picking Divine Blessings)."""

    KIND: ClassVar[str] = "blessing"
    FIELDS: ClassVar[tuple[str, ...]] = ("changes", "text")
    RULE: ClassVar[LimitRule] = limits.EMPTY_RULE

    points: Annotated[Prices, Field(description="regular and elite price")]
    changes: Annotated[tuple[Change, ...], Field(description="what it does")] = ()

    def price(self, fighter: Fighter) -> int:
        """Return its cost for a fighter, by the Wounds on the profile."""
        return self.points.elite if fighter.elite else self.points.regular


class Battleplan(Card):
    """A battleplan.

    The `motto` is its line of setting. Without a `map`, the card prints an empty one and says so.
    """

    KIND: ClassVar[str] = "battleplan"

    map: Annotated[BattleMap | None, Field(description="the deployment map as data")] = None
    sections: Annotated[tuple[Section, ...], Field(description="deployment, objectives, and similar")] = ()
    primary: Annotated[Section, Field(description="the primary victory condition")]
    secondary: Annotated[Section, Field(description="the secondary victory condition")]
    twist: Annotated[Section, Field(description="the rule that helps the player with fewer victory points")]
    victory: Annotated[
        Text | None, Aspect.RULES, Field(description="who wins; by default, the player with more victory points")
    ] = None

    @property
    def main_sections(self) -> Mapping[str, Section]:
        """The sections that the match tracker plays, by their keys."""
        return {"primary": self.primary, "secondary": self.secondary, "twist": self.twist}


class Member(Model):
    """Fighters with the same profile and blessing in a warband."""

    fighter: Annotated[Text, Reference("fighter"), Field(description="id or name of a fighter")]
    blessing: Annotated[Annotated[Text, Reference("blessing")] | None, Field(description="id or name of a blessing")] = None  # fmt: skip  # noqa: E501
    leader: Annotated[Flag, Field(description="whether it leads the warband")] = False
    qty: Annotated[Int, IntRange(1, 20, limits.ROSTER), Field(description="number of these fighters")] = 1


class Warband(Card):
    """A roster.

    `points` is the total cost as written by the author, which is checked; `limit` is the highest cost allowed.
    """

    KIND: ClassVar[str] = "warband"

    trait: Annotated[Annotated[Text, Reference("trait")] | None, Field(description="id or name of its battle trait")] = None  # fmt: skip  # noqa: E501
    choice: Annotated[ShortText | None, Aspect.RULES, Field(description="name of the alternative that it chooses, if its trait offers several")] = None  # fmt: skip  # noqa: E501
    members: Annotated[tuple[Member, ...], Field(min_length=1, description="the fighters")]
    points: Annotated[Annotated[Int, IntRange(1, 10_000, limits.ROSTER)] | None, Field(description="total cost, including blessings")] = None  # fmt: skip  # noqa: E501
    limit: Annotated[Int, IntRange(1, 10_000, limits.ROSTER), Field(description="highest cost allowed")] = POINTS_LIMIT  # fmt: skip  # noqa: E501

    @property
    def choice_id(self) -> str:
        """The chosen alternative of its trait as an id, or ''."""
        return slugify(self.choice) if self.choice else ""


KINDS: Mapping[str, Kind] = kinds_by_name(
    (
        Kind(Fighter, "tarot", EXAMPLES / "fighter.yaml"),
        Kind(Ability, "standard", EXAMPLES / "ability.yaml"),
        Kind(Trait, "standard", EXAMPLES / "trait.yaml"),
        Kind(Blessing, "mini-euro", EXAMPLES / "blessing.yaml"),
        Kind(Battleplan, "a6", EXAMPLES / "battleplan.yaml"),
        roster_kind(Warband, EXAMPLES),
    )
)


class Marks(MarkedModel):
    """Runemarks that a piece shows."""

    faction: Annotated[Runemark | None, Field(description="the runemark of its faction or grand alliance")] = None
    runemarks: Annotated[Runemarks, Field(description="up to three other runemarks; the first is on its front")] = ()

    @property
    def alliance(self) -> str:
        """The runemark of its grand alliance, or ''."""
        return self.settings.alliance_of(self.faction or "")


class MiniatureMarks(Marks):
    """Runemarks of a paper miniature."""
