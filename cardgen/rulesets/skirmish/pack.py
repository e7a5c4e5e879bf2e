"""Everything that a warband takes to the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cardgen.game import Entry, PackItem, miniature_items, roster_pack

WARBAND, WARRIOR, WEAPON, AID, TOKEN = "warband", "warrior", "weapon", "aid", "token"
# Counters for each model, and for a whole force.
COUNTERS_OF_MODELS = ("knocked-down", "stunned")
COUNTERS = {"hidden": 4, "ran": 4, "fleeing": 3, "has-shot": 4, "rallied": 2, "leader": 1, "prize": 3}


def pack_items(warband: Entry) -> Iterator[PackItem]:
    """Yield a warband's roster, its warriors and their weapons, the reference cards, and the counters that it needs."""
    card: Any = warband.card
    yield PackItem(WARBAND, card.id)
    links = [(warband.links.get((WARRIOR, member.card)), member.qty) for member in card.members]
    warriors: list[tuple[Any, int]] = [(link.card, qty) for link, qty in links if link]
    for warrior, qty in warriors:
        yield from miniature_items(warrior, qty)
    for weapon in dict.fromkeys(name for warrior, _ in warriors for name in warrior.weapons):
        yield PackItem(WEAPON, weapon)
    yield PackItem(AID, where=lambda _: True)
    yield from (PackItem(TOKEN, name, sum(qty for _, qty in warriors)) for name in COUNTERS_OF_MODELS)
    yield from (PackItem(TOKEN, name, qty) for name, qty in COUNTERS.items())
    if wounds := sum((warrior.w - 1) * qty for warrior, qty in warriors):
        yield PackItem(TOKEN, "wound", wounds)


PACK = roster_pack(WARBAND, (WARRIOR, WEAPON, AID), pack_items)
