"""The limits of Warcry's cards, and what cards consist of: weapon lines, runemarks, maps, and sections."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, PrivateAttr, ValidationInfo, model_validator
from pydantic_core import PydanticCustomError

from cardgen.game import (
    MAX_NAME_LENGTH,
    Field,
    Flag,
    GameSettings,
    Int,
    IntRange,
    LimitRule,
    Model,
    Number,
    OneOf,
    Reference,
    ShorthandModel,
    Text,
    as_typed,
    did_you_mean,
    read_keyed_lines,
    read_rulings,
    slugify,
)
from cardgen.rulesets.warcry.words import ScoreCondition, SectionRule

if TYPE_CHECKING:
    from cardgen.game import KeyPath


# Runemarks, the symbols by which rules refer to fighters, and weapon shapes. Each has an id, for which cards may also
# write its name ('Icon Bearer'), and an original icon with that id. The factions and grand alliances are those of the
# battlepack's battle traits. The battlepack names Agile, Ally, Beast, Berserker, Brute, Hero, Icon Bearer, Minion,
# Monster, Mount, and Warrior; the other runemarks come from public sources.
_RUNEMARKS = tuple(read_keyed_lines(Path(__file__).with_name("runemarks.txt")))


def _names_of(kind: str) -> Mapping[str, str]:
    """Return the names of a kind by their ids."""
    names = ",".join(line for key, line in _RUNEMARKS if key == kind).split(",")
    return MappingProxyType({slugify(name): name.strip() for name in names})


ALLIANCES, ROLES, SHAPES = _names_of("alliances"), _names_of("roles"), _names_of("shapes")
# The factions of each grand alliance.
FACTIONS_OF: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {alliance: _names_of(alliance) for alliance in ALLIANCES}
)
FACTIONS: Mapping[str, str] = MappingProxyType(dict(item for names in FACTIONS_OF.values() for item in names.items()))
RUNEMARKS: Mapping[str, str] = MappingProxyType({**ALLIANCES, **FACTIONS, **ROLES})

CHARACTERISTIC = LimitRule(
    "WC101",
    "characteristic-limits",
    "Move is 0 to 30 inches, Toughness 1 to 12, Wounds 1 to 60, and points 0 to 1000",
)
SHAPE = LimitRule("WC102", "weapon-shape", "a shape is a weapon's runemark, such as sword, ranged, or claws")
LINE = LimitRule("WC103", "weapon-shorthand", "write NAME: SHAPE Rn An Sn Dn/n, such as 'Bow: ranged R3-15 A2 S3 D1/3'")
WEAPON = LimitRule(
    "WC104", "weapon-characteristics", "Range is 0 to 30 inches, Attacks and Strength 1 to 12, and Damage 0 to 20"
)
CHANGE = LimitRule("WC105", "change-limits", "write a whole number within the limits; write a change as +N or -N")
EMPTY_CHANGE = LimitRule("WC106", "silent-change", "add what changes, such as {attacks: +1, weapon: melee}")
SELECTION = LimitRule(
    "WC117", "selection-limits", "distances are 1 to 30 inches, points and Wounds 1 to 60, and fighters 1 to 9"
)
COST = LimitRule("WC151", "cost-limits", "a cost in a rule is 1 to 1000 points")
EMPTY_CONDITION = LimitRule("WC118", "silent-condition", "say what must be true, such as {took_down: any}")
FACES = LimitRule("WC119", "die-faces", "write the faces of a die, such as 4+, 3-5, or 6")
MOMENT = LimitRule("WC150", "moment-keys", "remove the key, or use another event")
PRICE = LimitRule("WC107", "ability-price", "double, triple, and quad are dice with equal values")
RUNEMARK_COUNT = LimitRule("WC108", "too-many-runemarks", "a fighter has a faction runemark and up to three others")
WEAPON_COUNT = LimitRule("WC109", "weapon-count", "a fighter has one or two weapons")
EMPTY_RULE = LimitRule("WC110", "silent-rule", "add changes, or a text for anything that changes cannot express")
BLESSING = LimitRule("WC111", "blessing-points", "both prices of a blessing are 0 to 200 points")
MAP = LimitRule("WC112", "map-limits", "a battlefield is 12 to 72 inches long and wide, and battle rounds are 1 to 9")
ROSTER = LimitRule(
    "WC113", "roster-limits", "up to 20 of a fighter, 1 to 20 victory points, and 1 to 10000 points in a warband"
)
PROXY_BASE = LimitRule("WC114", "miniature-base", "proxies are made for bases of 25, 28.5, 32, 40, 50, and 60 mm")
OWN_NAME = LimitRule(
    "WC116", "own-runemark", "write the name of a faction, runemark, or shape of your own; its id is derived from it"
)
TOKEN = LimitRule("WC115", "token-count", "the value of a token is 1 to 99")


SideLength = Annotated[Int, IntRange(12, 72, MAP)]
Coordinate = Annotated[Number, Field(ge=0, le=72)]
ObjectiveLetter = Annotated[Text, Field(max_length=2)]


class Spot(Model):
    """A place on the map, in inches from the upper left corner."""

    at: Annotated[tuple[Coordinate, Coordinate], Field(description="[x, y] in inches from the upper left corner")]


class Deployment(Spot):
    """A deployment point; `round` is when a group in reserve arrives."""

    side: Annotated[Literal["red", "blue", "either"], Field(description="the player who uses the point")]
    group: Annotated[Literal["dagger", "hammer", "shield"] | None, Field(description="the battle group")] = None
    round: Annotated[Annotated[Int, IntRange(1, 9, MAP)] | None, Field(description="the battle round in which the group arrives")] = None  # fmt: skip  # noqa: E501


class Objective(Spot):
    """An objective; `mark` is the letter on it."""

    mark: Annotated[ObjectiveLetter | None, Field(description="a letter on it, such as A")] = None


class BattleMap(Model):
    """A deployment map, usually 30 by 22 inches (core rules: The Battlefield)."""

    width: Annotated[SideLength, Field(description="in inches")] = 30
    height: Annotated[SideLength, Field(description="in inches")] = 22
    points: Annotated[tuple[Deployment, ...], Field(description="deployment points")] = ()
    objectives: Annotated[tuple[Objective, ...], Field(description="objectives")] = ()
    quarters: Annotated[Flag, Field(description="show the table quarters")] = False
    halves: Annotated[Literal["left-right", "top-bottom", "diagonal"] | None,
                      Field(description="show a red and a blue half, the red one first")] = None  # fmt: skip


class ShownMap(Model):
    """The map that a mat shows: its own, or that of a battleplan."""

    map: Annotated[BattleMap | None, Field(description="the deployment map as data")] = None
    battleplan: Annotated[
        Annotated[Text, Reference("battleplan")] | None, Field(description="id or name of a battleplan with a map")
    ] = None


ShortText = Annotated[Text, Field(max_length=MAX_NAME_LENGTH)]


class Score(Model):
    """A condition that scores victory points.

    With `when`, the battle tracker counts it by itself; otherwise, it asks the players.
    """

    when: Annotated[ScoreCondition | None, Field(description="the condition as the battle tracker counts it")] = None
    vp: Annotated[Annotated[Int, IntRange(1, 20, ROSTER)] | None, Field(description="victory points")] = None
    text: Annotated[Text, Field(description="the condition in words")]


class Section(Model):
    """A part of a battleplan: heading, text, and scoring conditions.

    With `rule`, the battle tracker plays a secondary victory condition or a twist; otherwise, the players do.
    """

    name: Annotated[ShortText | None, Field(description="its heading")] = None
    text: Annotated[Text | None, Field(description="its text")] = None
    scores: Annotated[tuple[Score, ...], Field(description="conditions that score victory points")] = ()
    rule: Annotated[SectionRule | None, Field(description="the rule as the battle tracker plays it")] = None


# Icons that cards use for something else.
RESERVED_ICONS = frozenset((
    "double", "triple", "quad", "reaction", "action", "free", "wild", "move", "toughness", "wounds", "objective",
))  # fmt: skip
_LETTER = re.compile(r"[A-Za-z0-9]")
_OTHER_NAME = "choose another name"


def _new_name(taken: Iterable[str], what: str) -> Callable[[str], str]:
    """Return a validator of names that refuses those of the game."""

    def check(name: str) -> str:
        mark = slugify(name)
        if not _LETTER.search(name):
            raise OWN_NAME.error("'{name}' has no letter from a to z and no digit", name=name)
        if mark in taken:
            raise OWN_NAME.error(f"'{{name}}' is already a {what} of the game", name=name, help="remove it")
        if what == "runemark" and (mark in RESERVED_ICONS or mark.startswith("weapon-")):
            raise OWN_NAME.error("'{name}' is an icon of the game", name=name, help=_OTHER_NAME)
        return name

    return check


def _check_alliance(name: str) -> str:
    alliance = slugify(name)
    if alliance not in ALLIANCES:
        known = ", ".join(ALLIANCES)
        message = "unknown grand alliance '{name}'{guess}"
        raise OWN_NAME.error(message, name=name, guess=did_you_mean(alliance, ALLIANCES), help=f"use one of {known}")
    return alliance


RunemarkName = Annotated[ShortText, AfterValidator(_new_name(RUNEMARKS, "runemark"))]
ShapeName = Annotated[ShortText, AfterValidator(_new_name(SHAPES, "shape"))]
Alliance = Annotated[Text, AfterValidator(_check_alliance)]


class Settings(GameSettings):
    """A project's own factions, with their grand alliances, runemarks, and weapon shapes.

    Each has an id, which is derived from its name, and is its icon: that of a shape begins with 'weapon-'.
    """

    factions: Annotated[Mapping[RunemarkName, Alliance], Field(description="the grand alliance of each faction")] = (
        Field(default_factory=dict)
    )
    runemarks: Annotated[tuple[RunemarkName, ...], Field(description="runemarks for roles of fighters")] = ()
    shapes: Annotated[tuple[ShapeName, ...], Field(description="shapes of weapons")] = ()

    @model_validator(mode="after")
    def _refuse_duplicates(self) -> Self:
        factions = ((name, ("factions", name)) for name in self.factions)
        _require_distinct((*factions, *_with_paths("runemarks", self.runemarks)))
        _require_distinct(_with_paths("shapes", self.shapes))
        return self

    @cached_property
    def all_factions(self) -> Mapping[str, str]:
        """Names of all factions by id, those of the game first."""
        return {**FACTIONS, **_by_id(self.factions)}

    @cached_property
    def own_runemarks(self) -> Mapping[str, str]:
        """Names of the project's own factions and runemarks by id."""
        return {**_by_id(self.factions), **_by_id(self.runemarks)}

    @cached_property
    def all_roles(self) -> Mapping[str, str]:
        """Names of all runemarks for roles by id."""
        return {**ROLES, **_by_id(self.runemarks)}

    @cached_property
    def all_runemarks(self) -> Mapping[str, str]:
        """Names of all runemarks by id: grand alliances, factions, and roles."""
        return {**ALLIANCES, **self.all_factions, **self.all_roles}

    @cached_property
    def all_shapes(self) -> Mapping[str, str]:
        """Names of all weapon shapes by id."""
        return {**SHAPES, **_by_id(self.shapes)}

    @cached_property
    def _alliances(self) -> Mapping[str, str]:
        built_in = {mark: alliance for alliance, factions in FACTIONS_OF.items() for mark in factions}
        own = {slugify(name): alliance for name, alliance in self.factions.items()}
        return {**{mark: mark for mark in ALLIANCES}, **built_in, **own}

    def alliance_of(self, mark: str) -> str:
        """Return the grand alliance of a faction or alliance, or ''."""
        return self._alliances.get(mark, "")

    def factions_of(self, alliance: str) -> Mapping[str, str]:
        """Return the names of the factions of a grand alliance by id."""
        return {mark: name for mark, name in self.all_factions.items() if self.alliance_of(mark) == alliance}

    def name_of(self, mark: str) -> str:
        """Return the name of a runemark, or the words of its id."""
        return self.all_runemarks.get(mark) or _words(mark)

    @property
    def generated_icons(self) -> tuple[str, ...]:
        """Icons of the project's own runemarks and shapes."""
        shapes = (f"weapon-{shape}" for shape in _by_id(self.shapes))
        return (*_by_id(self.factions), *_by_id(self.runemarks), *shapes)


class Mark(str):
    """The id of a runemark, with the name that the project gives it."""

    name: str

    def __new__(cls, mark: str, name: str = "") -> "Mark":
        """Return an id with a name."""
        self = super().__new__(cls, mark)
        self.name = name
        return self


def _read_mark(text: str, info: ValidationInfo) -> str:
    """Return the id of a runemark; one with a name of the project has that."""
    mark, settings = slugify(text), Settings.of(info.context)
    known = settings.all_runemarks
    if len(parts := text.split(",")) > 1 and all(slugify(part) in known for part in parts):
        context = {"text": text, "code": "CG106", "known_words": tuple(known)}
        raise PydanticCustomError("several_runemarks", "'{text}' is more than one runemark", context)
    return Mark(mark, settings.name_of(mark)) if mark in settings.own_runemarks else mark


# Id of a runemark; authors may also write its name.
Runemark = Annotated[Text, Field(max_length=MAX_NAME_LENGTH), AfterValidator(_read_mark)]


def name_of(mark: str) -> str:
    """Return the name of a runemark of a card, or the words of its id."""
    return mark.name if isinstance(mark, Mark) else RUNEMARKS.get(mark) or _words(mark)


class MarkedModel(Model):
    """A model with runemarks; `settings` are those of its project."""

    _settings: Settings = PrivateAttr(default_factory=lambda: Settings.of(None))

    def model_post_init(self, context: Any) -> None:
        """Keep the settings of the project that is read."""
        self._settings = Settings.of(context)

    @property
    def settings(self) -> Settings:
        """The settings of the project that it belongs to."""
        return self._settings

    @property
    def names(self) -> tuple[tuple[str, str], ...]:
        """Icon and name of each of its runemarks, except those of a faction or grand alliance of its own."""
        return tuple((mark, self.settings.name_of(mark)) for mark in getattr(self, "runemarks", ()))


def _with_paths(key: str, names: tuple[str, ...]) -> "Iterator[tuple[str, KeyPath]]":
    return ((name, (key, index)) for index, name in enumerate(names))


def _require_distinct(names: "Iterable[tuple[str, KeyPath]]") -> None:
    """Raise an error for the first name with the id of an earlier one."""
    ids: set[str] = set()
    for name, path in names:
        mark = slugify(name)
        if mark in ids:
            raise OWN_NAME.error(
                "duplicate id '{mark}'", mark=mark, help=_OTHER_NAME, path=path, at_key=isinstance(path[-1], str)
            )
        ids.add(mark)


def _by_id(names: Iterable[str]) -> Mapping[str, str]:
    """Return names by id; a name that is written as an id is put in words."""
    return {slugify(name): _words(name) if name == slugify(name) else name for name in names}


def _words(mark: str) -> str:
    return mark.replace("-", " ").title()


# A weapon with a longer Range makes missile attacks.
MELEE_REACH = 3
RANGE_LIMIT = IntRange(0, 30, WEAPON)
COUNT_LIMIT = IntRange(1, 12, WEAPON)
DAMAGE_LIMIT = IntRange(0, 20, WEAPON)
_LIMITS = {
    "min_range": RANGE_LIMIT, "range": RANGE_LIMIT, "attacks": COUNT_LIMIT,
    "strength": COUNT_LIMIT, "damage": DAMAGE_LIMIT, "critical": DAMAGE_LIMIT,
}  # fmt: skip
EN_DASH = "\N{EN DASH}"


def _line_pattern(shape: str, inches: str, count: str, damage: str) -> str:
    return f"{shape} R{inches}(?:-{inches})? A{count} S{count} D{damage}/{damage}"


_NUMBER = r"(\d{1,4})"
_LINE = re.compile(_line_pattern(r"(\S+)", _NUMBER, _NUMBER, _NUMBER))


def _almost(line: str) -> str:
    """Return the weapon line that was meant with other dashes, slashes, spaces, or capitals, or ''."""
    words = as_typed(line[:100]).replace('"', "").split()
    meant = " ".join([*words[:1], *(word.upper() for word in words[1:])])
    meant = re.sub(r"\bD(\d+)[-:,](\d+)$", r"D\1/\2", meant)
    return meant if _LINE.fullmatch(meant) else ""


def _shapes(context: object) -> tuple[str, ...]:
    """Return the ids of the shapes of the game and of the project."""
    return tuple(Settings.of(context).all_shapes)


_SHAPE = OneOf(_shapes, SHAPE)


class Weapon(ShorthandModel):
    """A weapon of a fighter.

    Its Range is from `min_range` to `range` in inches. `damage` is that of a hit, `critical` that of a critical hit.
    The shorthand is `NAME: SHAPE Rn An Sn Dn/n`, in which the Range may also be `Rn-n`.
    """

    TITLE: ClassVar[str] = "NAME: SHAPE Rn An Sn Dn/n"
    MAP_RULE: ClassVar[LimitRule | None] = LINE
    name: Annotated[Text, Field(max_length=MAX_NAME_LENGTH, description="its name")]
    shape: Annotated[Text, _SHAPE, Field(description="its runemark, such as axe, ranged, or claws")]
    min_range: Annotated[
        Int, RANGE_LIMIT, Field(description="minimum Range in inches; nearer targets are out of range")
    ] = 0
    range: Annotated[Int, RANGE_LIMIT, Field(description="R, in inches")]
    attacks: Annotated[Int, COUNT_LIMIT, Field(description="A, the number of dice that an attack rolls")]
    strength: Annotated[Int, COUNT_LIMIT, Field(description="S, compared with the target's Toughness")]
    damage: Annotated[Int, DAMAGE_LIMIT, Field(description="D before the slash, damage points that a hit allocates")]
    critical: Annotated[
        Int, DAMAGE_LIMIT, Field(description="D after the slash, damage points that a critical hit allocates")
    ]

    @classmethod
    def line_pattern(cls, context: object = None) -> str:
        """Return the regular expression of a line with a known shape."""
        shapes = f"(?:{'|'.join(map(re.escape, _shapes(context)))})"
        return f"^{_line_pattern(shapes, '(?:[0-9]|[12][0-9]|30)', '(?:[1-9]|1[0-2])', '(?:1?[0-9]|20)')}$"

    @classmethod
    def parse_line(cls, name: str, line: str, context: object) -> dict[str, Any]:
        """Return the fields of 'Bow: ranged R3-15 A2 S3 D1/3'."""
        match = _LINE.fullmatch(line)
        if match is None:
            meant = _almost(line)
            advice = {"help": f"write {meant}"} if meant else {}
            raise LINE.error("'{line}' is not a valid weapon line", line=line[:60], path=(name,), **advice)
        shape, near, far, *others = match.groups()
        _SHAPE.check(shape, (name,), context)
        numbers = dict(zip(_LIMITS, (near if far else 0, far or near, *others), strict=True))
        checked = {field: _LIMITS[field].check(int(number), (name,)) for field, number in numbers.items()}
        return {"name": name, "shape": shape, **checked}

    @property
    def melee(self) -> bool:
        """Whether it makes melee attacks; otherwise, it makes missile attacks."""
        return self.range <= MELEE_REACH

    @property
    def attack_type(self) -> str:
        """The type of its attacks: 'melee' or 'missile'."""
        return "melee" if self.melee else "missile"

    @property
    def reach(self) -> str:
        """Range as printed, such as '1' or '3–15'."""
        return f"{self.min_range}{EN_DASH}{self.range}" if self.min_range else str(self.range)

    @property
    def line(self) -> str:
        """It as one line, without its name: 'ranged R3–15 A2 S3 D1/3'."""
        return f"{self.shape} R{self.reach} A{self.attacks} S{self.strength} D{self.damage}/{self.critical}"

    @property
    def icon(self) -> str:
        """Icon of its shape."""
        return f"weapon-{self.shape}"


EXAMPLES = Path(__file__).with_name("examples")
GLOSSARY = Path(__file__).with_name("glossary.txt")
RULINGS = read_rulings(Path(__file__).with_name("rulings.txt"))
