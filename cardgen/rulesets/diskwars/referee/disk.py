"""Disks and terrain as the procedures use them, made from cards, and what happens to a disk during a battle."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from cardgen.game import CardData, Procedure, Roll, find_by_name, missing_part, quantity

# The rulings in force, as pairs of a ruling and its setting.
Rules: TypeAlias = frozenset[tuple[str, str]]
DISKS, TERRAIN, COMMANDS = ("disk",), ("terrain",), ("command",)
RANGES = ("short", "medium", "long", "siege")
PHYSICAL, ARCANE, TRUE_DAMAGE = DAMAGE_TYPES = ("physical", "arcane", "true-damage")
# What a disk can be immune or resistant to besides types of damage.
IMPACT, MAGIC, RANGED = "impact", "magic", "ranged"
# What fortified terrain makes disks immune to, even if by the ruling `immune-to` cards can name no source.
IMPACT_DAMAGE = "impact damage"


class Strength(NamedTuple):
    """A strength: a number, which can be added to a d6."""

    number: int
    is_rolled: bool = False

    @classmethod
    def read(cls, text: str | int) -> Strength:
        """Return the strength that a card prints: a number or d6. Raises ValueError for other dice."""
        if str(text).strip().lower() in ("d6", "1d6"):
            return cls(0, True)
        if not str(text).strip().isdecimal():
            raise ValueError(f"a strength must be a number or d6, not '{str(text)[:20]}'")
        return cls(int(text))

    @property
    def least(self) -> int:
        """The damage that it deals at least."""
        return self.number + self.is_rolled

    @property
    def doubled_mean(self) -> int:
        """Twice its mean: a whole number."""
        return 2 * self.number + 7 * self.is_rolled

    def amount(self, who: str, what: str) -> Procedure[int]:
        """Return the damage, and roll the d6 if there is one."""
        return self.number + ((yield Roll("strength", who, what)) if self.is_rolled else 0)


class Ranged(NamedTuple):
    """A ranged attack: its missile value, maximum range, strength, and type of damage."""

    name: str
    missile: int
    range: str
    strength: Strength
    damage: str = PHYSICAL


class Health(NamedTuple):
    """What has happened to a disk: damage and wound tokens, and its other tokens."""

    damage: int = 0
    wounds: int = 0
    is_empowered: bool = False
    is_activated: bool = False
    is_out: bool = False

    def __str__(self) -> str:
        if self.is_out:
            return "casualty"
        tokens = [f"{self.damage} damage"] if self.damage or not self.wounds else []
        tokens += [quantity(self.wounds, "wound")] if self.wounds else []
        return ", ".join(tokens)

    @classmethod
    def of(cls, disk: Disk, damage: int, wounds: int, *tokens: bool) -> Health:
        """Return the health of a disk. Raises ValueError for tokens with which it would be a casualty."""
        health = cls(damage, wounds, *tokens)
        if wounds > disk.stamina or damage >= disk.toughness + health.is_empowered:
            raise ValueError(f"{disk.name} would be a casualty with {damage} damage and {quantity(wounds, 'wound')}")
        return health


class Harm(NamedTuple):
    """Damage of one source: its amount, its type, and the source if immune and resistant can name it."""

    amount: int
    damage: str = PHYSICAL
    source: str = ""


class Disk(NamedTuple):
    """A disk: its numbers, and its keywords; `card` is the name of its card, where copies of it fight."""

    name: str
    attack: Strength
    counter: Strength
    toughness: int
    movement: int = 0
    stamina: int = 0
    size: str = "small"
    keywords: frozenset[str] = frozenset()
    immune: frozenset[str] = frozenset()
    resistant: frozenset[str] = frozenset()
    swift: frozenset[str] = frozenset()
    slow: frozenset[str] = frozenset()
    ranged: tuple[Ranged, ...] = ()
    impact: int = 0
    magic: int = 0
    cost: int = 0
    card: str = ""

    @property
    def in_melee(self) -> tuple[Any, ...]:
        """What counts of it in melee."""
        types = (PHYSICAL in self.immune, PHYSICAL in self.resistant, "frenzy" in self.keywords)
        steps = tuple(sorted(self.swift)), tuple(sorted(self.slow))
        return self.attack, self.counter, self.toughness, self.stamina, *types, *steps

    def ranged_attack(self, name: str | None) -> Ranged:
        """Return the ranged attack of a name, or the first one.

        Raises ValueError for a name that it does not have, and if it has none.
        """
        match = find_by_name(self.ranged, name) if name is not None else next(iter(self.ranged), None)
        if match is None:
            raise ValueError(missing_part(self.name, "ranged attack", name, (each.name for each in self.ranged)))
        return match

    def with_terrain(self, terrain: Terrain | None, rules: Rules) -> Disk:
        """Return the disk with what the terrain that it overlaps gives; `defensive-type` can turn its swift around."""
        if terrain is None:
            return self
        immune = self.immune | ({IMPACT_DAMAGE} if "fortified" in terrain.keywords else set())
        is_turned = ("defensive-type", "attack") in rules and terrain.swift == _ROLES["counter"]
        return self._replace(immune=immune, swift=self.swift | (_ROLES["attack"] if is_turned else terrain.swift))


class Terrain(NamedTuple):
    """A terrain piece: its keywords, the type of its damage or '', and the swift that it gives."""

    name: str
    keywords: frozenset[str]
    dangerous: str
    swift: frozenset[str]


_NUMBERS = ("toughness", "movement", "stamina", "impact", "magic", "cost")
_WORDS = {"": (), "attack": ("attack",), "counter": ("counter",), "both": ("attack", "counter")}
_ROLES = {word: frozenset[str](roles) for word, roles in _WORDS.items()}


def disk_of(data: CardData, name: str = "") -> Disk:
    """Return the disk of a card, with a name of its own if there is one.

    Raises ValueError for a card of another kind.
    """
    _require_kind(data, DISKS)
    numbers: dict[str, Any] = {key: data.get(key) or 0 for key in _NUMBERS}
    names: dict[str, Any] = {key: frozenset(data.get(key, ())) for key in ("keywords", "immune", "resistant")}
    return Disk(
        name or data["name"],
        Strength.read(data["attack"]),
        Strength.read(data["counter"]),
        size=data["disk"],
        swift=_ROLES[data.get("swift") or ""],
        slow=_ROLES[data.get("slow") or ""],
        ranged=tuple(map(_ranged_of, data.get("ranged", ()))),
        **numbers,
        **names,
    )


def _ranged_of(data: Any) -> Ranged:
    strength = Strength.read(data["strength"])
    return Ranged(data["name"], data["missile"], data["range"], strength, data.get("damage", PHYSICAL))


def terrain_of(data: CardData | None) -> Terrain | None:
    """Return the terrain of a card, or None for None. Raises ValueError for a card of another kind."""
    if data is None:
        return None
    _require_kind(data, TERRAIN)
    keywords = frozenset(data.get("keywords", ()))
    return Terrain(data["name"], keywords, data.get("dangerous") or "", _ROLES[data.get("defensive") or ""])


def _require_kind(data: CardData, kinds: tuple[str, ...]) -> None:
    if data.get("kind") not in kinds:
        raise ValueError(f"card must be of kind '{kinds[0]}', not {data.get('kind')!r}")
