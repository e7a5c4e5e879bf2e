"""Kinds of Warcry cards and pieces, and the warband pack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cardgen.game import (
    MINIATURE_PIECES,
    TOKEN,
    Card,
    Entry,
    Kind,
    LateKinds,
    PackItem,
    count_tokens,
    miniature_items,
    roster_pack,
)
from cardgen.rulesets.warcry.cards import Ability, Blessing, Fighter, Trait, Warband
from cardgen.rulesets.warcry.roster import Roster, linked_roster

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
    roster = linked_roster(warband)
    yield PackItem(Warband.KIND, warband.card.id)
    for line in roster.entries:
        if line.fighter:
            yield from _fighter_items(line.fighter, line.member.qty)
        if line.blessing:
            yield PackItem(Blessing.KIND, line.blessing.id, line.member.qty)
    if roster.trait:
        yield PackItem(Trait.KIND, roster.trait.id)
    yield PackItem(Ability.KIND, where=lambda card: _is_usable(card, roster))
    for token, qty in BATTLE_TOKENS.items():
        yield PackItem(TOKEN, token, qty)


def _fighter_items(fighter: Fighter, qty: int) -> Iterator[PackItem]:
    yield from miniature_items(fighter, qty)
    for token in FIGHTER_TOKENS:
        yield PackItem(TOKEN, token, qty)
    yield PackItem(TOKEN, WOUNDS_TOKEN, qty * count_tokens(fighter.stats.wounds - 1, WOUNDS_ON_BACK))


def _is_usable(ability: Card, roster: Roster) -> bool:
    """Return whether some fighter has all the runemarks that an ability requires."""
    assert isinstance(ability, Ability)
    return any(line.fighter and line.fighter.marks.issuperset(ability.runemarks) for line in roster.entries)


PACK = roster_pack(Warband.KIND, (Fighter.KIND, Ability.KIND, Trait.KIND, Blessing.KIND), pack_items)
