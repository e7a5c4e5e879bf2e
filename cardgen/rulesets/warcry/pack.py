"""Kinds of Warcry cards and pieces, rosters with their cost (battlepack: Divine Blessings), and the warband pack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from cardgen.game import (
    MINIATURE_PIECES,
    TOKEN,
    Card,
    CardFinder,
    CheckScope,
    Entry,
    Kind,
    LateKinds,
    PackItem,
    count_tokens,
    finder_in_scope,
    finder_of_links,
    miniature_items,
    roster_pack,
)
from cardgen.rulesets.warcry.cards import Ability, Blessing, Fighter, Member, Trait, Warband

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


KINDS: Mapping[str, Kind] = LateKinds(
    {
        f"{__package__}.cards": ("fighter", "ability", "trait", "blessing", "battleplan", "warband"),
        f"{__package__}.pieces": ("token", "cylinder", "standee", "blank", "ruler", "box", "mat", "dial"),
    },
    pieces={"fighter": MINIATURE_PIECES},
)

# Ids of tokens of the sample kit; a wounds token shows 1 on its front and 5 on its back.
FIGHTER_TOKENS, WOUNDS_TOKEN, WOUNDS_ON_BACK = ("activated", "waiting"), "wounds", 5
# Tokens that any battle needs: one wild die per battle round, and markers for the battleplan.
BATTLE_TOKENS: Mapping[str, int] = {"objective": 4, "treasure": 4, "wild-dice": 4}


def pack_items(warband: Entry) -> Iterator[PackItem]:
    """Yield everything that a warband takes to the table. Each fighter has its own card and tokens."""
    from cardgen.rulesets.warcry.referee.fighter import wounds_of

    assert isinstance(warband.card, Warband)
    roster, choice = linked_roster(warband), warband.card.choice
    yield PackItem(Warband.KIND, warband.card.id)
    for line in roster.entries:
        if line.fighter:
            yield from _fighter_items(line, line.fighter, wounds_of(line.fighter, line.blessing, roster.trait, choice))
        if line.blessing:
            yield PackItem(Blessing.KIND, line.blessing.id, line.member.qty)
    if roster.trait:
        yield PackItem(Trait.KIND, roster.trait.id)
    yield PackItem(Ability.KIND, where=lambda card: _is_usable(card, roster))
    for token, qty in BATTLE_TOKENS.items():
        yield PackItem(TOKEN, token, qty)


def _fighter_items(line: RosterEntry, fighter: Fighter, wounds: int) -> Iterator[PackItem]:
    qty = line.member.qty
    yield from miniature_items(fighter, qty)
    for token in FIGHTER_TOKENS:
        yield PackItem(TOKEN, token, qty)
    yield PackItem(TOKEN, WOUNDS_TOKEN, qty * count_tokens(wounds - 1, WOUNDS_ON_BACK))


def _is_usable(ability: Card, roster: Roster) -> bool:
    """Return whether some fighter has all the runemarks that an ability requires, or a blessing that lends them."""
    from cardgen.rulesets.warcry.referee.fighter import lent_runemarks

    assert isinstance(ability, Ability)
    return any(
        line.fighter and (line.fighter.marks | lent_runemarks(line.blessing, ability.id)).issuperset(ability.runemarks)
        for line in roster.entries
    )


PACK = roster_pack(Warband.KIND, (Fighter.KIND, Ability.KIND, Trait.KIND, Blessing.KIND), pack_items)
