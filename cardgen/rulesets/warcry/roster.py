"""Rosters: the cards that a warband names, and what they cost with their blessings (battlepack: Divine Blessings)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cardgen.game import Card, CheckScope
from cardgen.rulesets.warcry.cards import Blessing, Fighter, Member, Trait, Warband

# From public notes on the core rules, which the sources at hand do not hold.
MIN_FIGHTERS, MAX_FIGHTERS = 3, 15


@dataclass(frozen=True, slots=True)
class RosterEntry:
    """A line of a roster with its cards; None stands for a card that is not there."""

    member: Member
    fighter: Fighter | None
    blessing: Blessing | None

    @property
    def points(self) -> int:
        """What all fighters of the line cost together."""
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
        """True where every card that is named is there."""
        return all(p.fighter and (p.blessing or not p.member.blessing) for p in self.entries)

    @property
    def points(self) -> int:
        """What the warband costs, blessings included."""
        return sum(place.points for place in self.entries)

    @property
    def fighter_count(self) -> int:
        """How many fighters it has."""
        return sum(place.member.qty for place in self.entries)

    @property
    def factions(self) -> frozenset[str]:
        """The faction runemarks of its fighters."""
        return frozenset(place.fighter.faction for place in self.entries if place.fighter)

    @property
    def alliances(self) -> frozenset[str]:
        """The grand alliances of its fighters; '' where one is not known."""
        return frozenset(place.fighter.alliance for place in self.entries if place.fighter)

    @property
    def shared_runemarks(self) -> frozenset[str]:
        """The runemarks that all of its fighters share, by which it may have a battle trait."""
        shared = [marks for marks in (self.factions, self.alliances) if len(marks) == 1]
        return frozenset().union(*shared) - {""}


def resolve_roster(warband: Warband, scope: CheckScope) -> Roster:
    """A warband with its cards from the table."""
    fighters, blessings, traits = (
        scope.compute_once(_fighters),
        scope.compute_once(_blessings),
        scope.compute_once(_traits),
    )
    entries = (
        RosterEntry(member, fighters.get(member.fighter), blessings.get(member.blessing or ""))
        for member in warband.members
    )
    return Roster(tuple(entries), traits.get(warband.trait or ""))


def _by_name(cards: Iterable[Card]) -> dict[str, Card]:
    """Cards by name and id; of two with one name the one that is looked at."""
    return {name: card for card in tuple(cards)[::-1] for name in (card.name, card.id)}


def _fighters(scope: CheckScope) -> Mapping[str, Fighter]:
    return _by_name(scope.cards_of_type(Fighter))  # type: ignore[return-value]


def _blessings(scope: CheckScope) -> Mapping[str, Blessing]:
    return _by_name(scope.cards_of_type(Blessing))  # type: ignore[return-value]


def _traits(scope: CheckScope) -> Mapping[str, Trait]:
    return _by_name(scope.cards_of_type(Trait))  # type: ignore[return-value]
