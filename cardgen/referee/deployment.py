"""Deployment: zones of cards that lie next to each other, and the models in each zone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TypeVar

from cardgen.referee.choice import choose, select
from cardgen.referee.decks import NamedCard, Player
from cardgen.referee.requests import Log, Procedure
from cardgen.referee.stacks import FIELD, RESERVE, StackField, StackModel

C = TypeVar("C", bound=NamedCard)
S = TypeVar("S", bound=StackModel)
ALONE = "no other card"


def form_zones(who: str, cards: Sequence[C]) -> Procedure[list[list[C]]]:
    """Ask which cards of a player lie next to each other, and so form one zone; a card can join two zones."""
    zones: list[list[C]] = []
    for card in cards:
        names = {" and ".join(each.name for each in zone): [zone] for zone in zones}
        both = {f"both {one} and {other}": [*names[one], *names[other]] for one, other in combinations(names, 2)}
        beside = yield from choose("zone", who, f"{card.name} lies next to", {ALONE: [], **names, **both})
        joined = [*(each for zone in beside for each in zone), card]
        place = zones.index(beside[0]) if beside else len(zones)
        zones = [each for each in zones if each not in beside]
        zones.insert(place, joined)
    return zones


def deploy(
    table: StackField[S], player: Player[C], zones: Sequence[tuple[str, int]], is_compulsory: Callable[[S], bool]
) -> Procedure[None]:
    """Ask which models of a player are in each zone, exactly as many as it is for; the others stay in reserve.

    Compulsory models are in one of the zones if there is room.
    """
    count, room = len(table.of_player(player, RESERVE)), sum(size for _, size in zones)
    if count < room:
        yield Log("{} has {} for {} places", (player.name, count, room))
    yield from _fill(table, player, zones)
    late = [each for each in table.of_player(player, RESERVE) if is_compulsory(each)]
    if late and any(not is_compulsory(each) for each in table.of_player(player)):
        yield Log("{} must be deployed", (", ".join(each.name for each in late),))
        for each in table.of_player(player):
            each.place = RESERVE
        yield from deploy(table, player, zones, is_compulsory)


def _fill(table: StackField[S], player: Player[C], zones: Sequence[tuple[str, int]]) -> Procedure[None]:
    for name, size in zones:
        left = table.of_player(player, RESERVE)
        count, chosen = min(size, len(left)), left
        while len(left) > count and len(chosen) != count:
            chosen = yield from select("deploy", player.name, f"{count} in the zone of {name}", left)
            if len(chosen) != count:
                yield Log("choose {}, not {}", (count, len(chosen)))
        for each in chosen:
            each.place = FIELD
