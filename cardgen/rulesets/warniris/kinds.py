"""The kinds of Warniris cards. Sections are those of the rulebook's second edition."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field

from cardgen.model.base import Flag, Int, Model, Number, Text
from cardgen.model.card import Card
from cardgen.model.reference import Reference
from cardgen.rulesets.limits import Breach, Limit, Telling
from cardgen.rulesets.warniris import breaches
from cardgen.rulesets.warniris.earn import Earn
from cardgen.rulesets.warniris.effect import Effect, WeaponEffect
from cardgen.rulesets.warniris.profile import Profile

Attribute = Annotated[Int, Limit(1, 5, breaches.ATTRIBUTE)]
Base = Annotated[Number, Field(ge=5, le=200)]
MOST_MEMBERS = 4
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

    mind: Attribute
    body: Attribute
    spirit: Attribute
    wounds: Annotated[Int, Limit(1, 30, breaches.STAT)]
    movement: Annotated[Int, Limit(0, 73, breaches.STAT)]

    @property
    def printed(self) -> tuple[tuple[str, int], ...]:
        """The letters and numbers as cards show them: ('M', 2), ('B', 3) and so on."""
        return tuple((letters[0], getattr(self, name)) for name, letters in self.SYNONYMS.items())


class Weapon(Profile):
    """A weapon or power on a card, with what it does beside its line."""

    effects: tuple[WeaponEffect, ...] = ()
    text: Text | None = None


class Ability(Telling):
    """A special skill. `once` is true for once a battle, 'turn' for once a turn."""

    TELLS: ClassVar[tuple[str, ...]] = ("effects", "text")
    SILENT: ClassVar[Breach] = breaches.SILENT_CARD

    name: Annotated[Text, Field(max_length=80)]
    once: Once = False
    effects: tuple[Effect, ...] = ()
    text: Text | None = None


class Character(Card):
    """A Character Datacard. `base` is the diameter of the miniature's base in mm."""

    KIND: ClassVar[str] = "character"

    stats: Stats
    weapons: tuple[Weapon, ...] = ()
    abilities: tuple[Ability, ...] = ()
    base: Base = 32


class Minion(Card):
    """A Minion Datacard (Last Stand: Horde). `base` is the diameter of the miniature's base in mm."""

    KIND: ClassVar[str] = "minion"

    stats: Stats
    weapons: tuple[Weapon, ...] = ()
    base: Base = 25


class Relic(Telling, Card):
    """A Relic card. `once` is true for a relic that is discarded when used, 'turn' for once a turn."""

    KIND: ClassVar[str] = "relic"
    TELLS: ClassVar[tuple[str, ...]] = ("effects", "text")
    SILENT: ClassVar[Breach] = breaches.SILENT_CARD

    once: Once = False
    effects: tuple[Effect, ...] = ()


class Mission(Telling, Card):
    """A Mission card (section 5). `earn` is what a transcript can decide; without it the player's word counts."""

    KIND: ClassVar[str] = "mission"
    TELLS: ClassVar[tuple[str, ...]] = ("earn", "text")
    SILENT: ClassVar[Breach] = breaches.SILENT_MISSION

    number: Annotated[Int, Limit(1, 99, breaches.MISSION)] | None = None
    vp: Annotated[Int, Limit(1, 10, breaches.MISSION)]
    earn: Earn | None = None


class Member(Model):
    """A Character of a warband, and the relic that it bears."""

    character: Annotated[Text, Reference("character")]
    relic: Annotated[Text, Reference("relic")] | None = None


class Troop(Model):
    """Some Minions of a Horde, all of one sort."""

    minion: Annotated[Text, Reference("minion")]
    qty: Annotated[Int, Limit(1, 100, breaches.WARBAND)] = 1


def _four_at_most(members: tuple[Member, ...]) -> tuple[Member, ...]:
    if len(members) > MOST_MEMBERS:
        raise breaches.WARBAND.error("{count} members are too many", count=len(members))
    return members


Members = Annotated[
    tuple[Member, ...], Field(json_schema_extra={"maxItems": MOST_MEMBERS}), AfterValidator(_four_at_most)
]


class Warband(Telling, Card):
    """A list of cards: up to 4 Characters (section 1: Warband), or a Horde of Minions."""

    KIND: ClassVar[str] = "warband"
    TELLS: ClassVar[tuple[str, ...]] = ("members", "minions")
    EITHER: ClassVar[bool] = True
    SILENT: ClassVar[Breach] = breaches.WARBAND

    members: Members = ()
    minions: tuple[Troop, ...] = ()


KINDS: tuple[tuple[type[Card], str], ...] = (
    (Character, "tarot"),
    (Minion, "standard"),
    (Relic, "mini-usa"),
    (Mission, "standard"),
    (Warband, ""),
)
