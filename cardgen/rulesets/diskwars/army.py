"""Armies: regiments of disks, each with its hero, and a hand of command cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from pydantic import model_validator

from cardgen.game import Aspect, Card, Entry, Field, Int, Kind, Model, Pack, PackItem, Reference, Text

DISK, COMMAND, TOKEN = "disk", "command", "token"
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
