"""Rosters: the cards that a warband names, and their cost with blessings (battlepack: Divine Blessings)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from cardgen.game import CardFinder, CheckScope, Entry, finder_in_scope, finder_of_links
from cardgen.rulesets.warcry.cards import Blessing, Fighter, Member, Trait, Warband

# From public notes on the core rules.
MIN_FIGHTERS, MAX_FIGHTERS = 3, 15
# How many fighters of each role a warband may have. Allies are of another faction than the leader.
ROLE_LIMITS: Mapping[str, int] = MappingProxyType({"hero": 3, "monster": 1, "ally": 2})


@dataclass(frozen=True, slots=True)
class RosterEntry:
    """A line of a roster with its cards; missing cards are None."""

    member: Member
    fighter: Fighter | None
    blessing: Blessing | None

    @property
    def points(self) -> int:
        """Total cost of all fighters of the line."""
        if self.fighter is None:
            return 0
        added = self.blessing.price(self.fighter) if self.blessing else 0
        return self.member.qty * (self.fighter.points + added)


@dataclass(frozen=True, slots=True)
class Roster:
    """A warband with the cards that it names."""

    entries: tuple[RosterEntry, ...]
    trait: Trait | None

    @property
    def is_complete(self) -> bool:
        """Whether every named card exists."""
        return all(p.fighter and (p.blessing or not p.member.blessing) for p in self.entries)

    @property
    def points(self) -> int:
        """Total cost of the warband, including blessings."""
        return sum(place.points for place in self.entries)

    @property
    def fighter_count(self) -> int:
        """Number of fighters."""
        return sum(place.member.qty for place in self.entries)

    @property
    def factions(self) -> frozenset[str]:
        """Faction runemarks of its fighters."""
        return frozenset(place.fighter.faction for place in self.entries if place.fighter)

    @property
    def alliances(self) -> frozenset[str]:
        """Grand alliances of its fighters; '' for an unknown one."""
        return frozenset(place.fighter.alliance for place in self.entries if place.fighter)

    @property
    def shared_runemarks(self) -> frozenset[str]:
        """Runemarks shared by all of its fighters, each with a battle trait."""
        shared = [marks for marks in (self.factions, self.alliances) if len(marks) == 1]
        return frozenset().union(*shared) - {""}


def resolve_roster(warband: Warband, scope: CheckScope) -> Roster:
    """Return a warband with its cards from the scope of a check."""
    return _roster(warband, finder_in_scope(scope))


def linked_roster(entry: Entry) -> Roster:
    """Return a warband with the cards that it links to."""
    assert isinstance(entry.card, Warband)
    return _roster(entry.card, finder_of_links(entry))


def _roster(warband: Warband, find: CardFinder) -> Roster:
    entries = (
        RosterEntry(member, find(Fighter, member.fighter), find(Blessing, member.blessing))
        for member in warband.members
    )
    return Roster(tuple(entries), find(Trait, warband.trait))
