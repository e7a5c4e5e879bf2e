"""Armies: regiments of disks, each with its hero, and a hand of command cards (seed: Customising an Army)."""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, NamedTuple, Self

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from cardgen.game import (
    Aspect,
    Card,
    CheckContext,
    Entry,
    Field,
    GameSettings,
    Int,
    KeyPath,
    Kind,
    Model,
    Number,
    Pack,
    PackItem,
    Reference,
    Text,
)

DISK, COMMAND, TOKEN = "disk", "command", "token"
# Copies of one disk in a regiment.
MOST_COPIES = {"small": 3, "medium": 2, "large": 1}
# Tokens that each disk needs, and tokens that each player needs, by id and number.
_DISK_TOKENS = {"activation": 1, "damage": 2}
_PLAYER_TOKENS = {
    "first-player": 1, "initiative-2": 1, "initiative-3": 1, "initiative-4": 1, "battle-ability": 4, "wound": 6,
    "empowerment": 4,
}  # fmt: skip


class Troop(Model):
    """Copies of a unit. Authors write `NAME`, or `NAME: COPIES`."""

    unit: Annotated[Text, Reference(DISK), Field(description="id or name of a unit")]
    copies: Annotated[Int, Field(ge=1, le=20, description="number of copies")] = 1

    @model_validator(mode="before")
    @classmethod
    def _read_short_form(cls, data: Any) -> Any:
        if isinstance(data, str):
            return {"unit": data}
        if isinstance(data, dict) and len(data) == 1 and "unit" not in data:
            ((name, copies),) = data.items()
            return {"unit": name, "copies": copies}
        return data


class Regiment(Model):
    """A hero, and the units that this hero recruits."""

    hero: Annotated[Text, Reference(DISK), Field(description="id or name of the hero")]
    units: Annotated[tuple[Troop, ...], Field(max_length=30, description="its units, such as Ash or {Ash: 2}")] = ()


class Army(Card):
    """An army of regiments, with the command cards in its hand."""

    KIND: ClassVar[str] = "army"
    HAS_RULES: ClassVar[bool] = False

    regiments: Annotated[
        tuple[Regiment, ...], Aspect.RULES, Field(min_length=1, max_length=12, description="its regiments")
    ]
    commands: Annotated[
        tuple[Annotated[Text, Reference(COMMAND)], ...],
        Aspect.RULES,
        Field(max_length=40, description="the command cards in hand"),
    ] = ()


def _items(entry: Entry) -> Iterator[PackItem]:
    """Yield everything that an army takes to the table."""
    army = entry.card
    assert isinstance(army, Army)
    yield PackItem(Army.KIND, army.id)
    disks = 0
    for regiment in army.regiments:
        yield PackItem(DISK, regiment.hero)
        disks += 1 + sum(troop.copies for troop in regiment.units)
        yield from (PackItem(DISK, troop.unit, troop.copies) for troop in regiment.units)
    yield from (PackItem(COMMAND, name) for name in army.commands)
    for token, number in {**{name: disks * each for name, each in _DISK_TOKENS.items()}, **_PLAYER_TOKENS}.items():
        yield PackItem(TOKEN, token, number)


_EXAMPLE = """\
regiments:
  - hero: <disk>  # a disk with role: hero
    units:
      - <disk>
      # - <disk>: 2
"""
KIND = Kind(Army, "148mm x 210mm", _EXAMPLE, can_rotate=False)
PACK = Pack(("army",), {"disks": (DISK,), "cards": (COMMAND,), "tokens": (TOKEN,), "roster": ("army",)}, _items)


class Recruit(NamedTuple):
    """A disk of a regiment: its card, which has the fields of `game.yaml`, its copies, and its place in the army."""

    disk: Any
    copies: int
    path: KeyPath


class Muster(NamedTuple):
    """A regiment with its cards; `hero` is None if that card is missing, and `is_complete` false if any is."""

    number: int
    hero: Recruit | None
    units: tuple[Recruit, ...]
    is_complete: bool

    @property
    def is_led(self) -> bool:
        """Whether a hero leads it, not a unit."""
        return self.hero is not None and self.hero.disk.role == "hero"

    @property
    def everyone(self) -> tuple[Recruit, ...]:
        """The hero and the units."""
        return (*((self.hero,) if self.hero else ()), *self.units)

    def number_of(self, *sizes: str) -> int:
        """Return how many units have one of the sizes."""
        return sum(unit.copies for unit in self.units if unit.disk.disk in sizes)

    def repeats(self, *sizes: str) -> int:
        """Return how many of these units are further copies of a unique disk, which no army has."""
        unique = [unit for unit in self.units if unit.disk.disk in sizes and unit.disk.mark == "unique"]
        return sum(unit.copies for unit in unique) - len({unit.disk.id for unit in unique})


def musters(army: Army, context: CheckContext) -> Iterator[Muster]:
    """Yield the regiments of an army with the cards that exist."""
    for number, regiment in enumerate(army.regiments):
        place: KeyPath = ("regiments", number)
        hero = _card(DISK, regiment.hero, context)
        cards = [(_card(DISK, troop.unit, context), troop.copies) for troop in regiment.units]
        units = [Recruit(card, copies, (*place, "units", at)) for at, (card, copies) in enumerate(cards) if card]
        is_complete = bool(hero) and len(units) == len(cards)
        yield Muster(number, Recruit(hero, 1, (*place, "hero")) if hero else None, tuple(units), is_complete)


def _card(kind: str, name: str, context: CheckContext) -> Any:
    """Return the card that an army names, or None."""
    link = context.entry.links.get((kind, name)) if context.entry else None
    return link.card if link else None


def commands(army: Army, context: CheckContext) -> Iterator[tuple[int, Any]]:
    """Yield the command cards of an army that exist, each with its number."""
    for number, name in enumerate(army.commands):
        card = _card(COMMAND, name, context)
        if card:
            yield number, card


_Reach = Annotated[Number, Field(ge=20, le=900)]


class Settings(GameSettings):
    """The farthest distance of each range, in millimeters; siege range is everything beyond."""

    short: Annotated[_Reach, Field(description="end of short range in mm")] = 75
    medium: Annotated[_Reach, Field(description="end of medium range in mm")] = 150
    long: Annotated[_Reach, Field(description="end of long range in mm")] = 300

    @model_validator(mode="after")
    def _are_in_order(self) -> Self:
        if not self.short < self.medium < self.long:
            raise PydanticCustomError("ranges", "ranges must be in order: short, medium, long")
        return self
