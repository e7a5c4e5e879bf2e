"""The table: disks, players, and everything that the tracker remembers about a battle."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from cardgen.game import CardData, Log, Player, Procedure, StackField, StackModel
from cardgen.rulesets.diskwars.referee.disk import Disk, Harm, Health
from cardgen.rulesets.diskwars.referee.harm import damage_taken, suffer


@dataclass(eq=False, kw_only=True)
class Piece(StackModel):
    """A disk in a battle, and what has happened to it."""

    disk: Disk
    card: CardData
    health: Health = field(default_factory=Health)

    @property
    def name(self) -> str:
        """Its name, which no other disk has."""
        return self.disk.name

    @property
    def is_hero(self) -> bool:
        """Whether it leads a regiment."""
        return self.card.get("role") == "hero"

    @property
    def status(self) -> str:
        """Its damage, wounds, and tokens, or the place where it is."""
        tokens = {"activated": self.health.is_activated, "empowered": self.health.is_empowered}
        words = [str(self.health), *(word for word, is_there in tokens.items() if is_there)]
        return ", ".join([each for each in words if each != "0 damage"] if self.is_present else [self.place])

    def __str__(self) -> str:
        return f"{self.name} ({self.status})" if self.status else self.name


@dataclass(eq=False, kw_only=True)
class Table(StackField[Piece]):
    """A battle in progress, with the places of the players whose cards are being resolved."""

    resolved: set[int] = field(default_factory=set)

    @property
    def first(self) -> str:
        """The name of the first player; by the ruling `eliminated-player`, '' once that player is eliminated."""
        return "" if self.order[0].is_out and self.says("eliminated-player", "none") else self.active[0].name

    def pins(self, upper: Piece, lower: Piece) -> bool:
        """Return whether a disk pins another: it lies on it, by the ruling `stacks` without a disk between them."""
        return lower in upper.beneath and (self.says("stacks", "touching") or upper.touches(lower))

    def is_pinned(self, who: Piece) -> bool:
        """Return whether a disk cannot be activated because others lie on it."""
        counts_friends = self.says("friendly-pin", "pins")
        return any(self.pins(each, who) and (counts_friends or each.side != who.side) for each in self.present)

    def pinned_by(self, who: Piece, *, is_enemy: bool = True) -> list[Piece]:
        """Return the enemies, or the friends, that a disk pins."""
        return [each for each in self.present if self.pins(who, each) and (each.side != who.side) == is_enemy]

    def ready(self, player: Player[Any]) -> list[Piece]:
        """Return the disks of a player on the field that can be activated."""
        return [each for each in self.of_player(player) if not (each.health.is_activated or self.is_pinned(each))]

    def profile(self, who: Piece) -> Disk:
        """Return a disk with what terrain and passive abilities give it."""
        disk = who.disk
        for each in who.ground:
            disk = disk.with_terrain(each, self.rules)
        impact = disk.impact and disk.impact + self.bonus(who, "impact")
        return disk._replace(impact=impact, movement=max(0, disk.movement + self.bonus(who, "movement")))

    def bonus(self, who: Piece, stat: str, *, is_far: bool = False) -> int:
        """Return what the passive ability of its player's card adds, which is in force until the card is discarded."""
        owner = self.owner(who)
        if not owner.cards or not (owner.index in self.resolved or self.says("passive-start", "reveal")):
            return 0
        is_light = not who.disk.keywords.isdisjoint(("flying", "strider"))
        is_met = {"always": True, "ready": not who.health.is_activated, "light": is_light, "far": is_far}
        bonuses = owner.cards[0].data.get("bonuses", ())
        return sum(int(each["amount"]) for each in bonuses if each["stat"] == stat and is_met[each["when"]])

    def hurt(self, blows: Iterable[tuple[Piece, Harm]]) -> Procedure[None]:
        """Deal damage to disks at once."""
        for who, harm in blows:
            who.health = suffer(self.profile(who), who.health, harm, self.rules)
            yield Log(
                "{} takes {} damage: {}", (who.name, damage_taken(self.profile(who), harm, self.rules), who.health)
            )
        yield from self.remove([each for each in self.present if each.health.is_out])
