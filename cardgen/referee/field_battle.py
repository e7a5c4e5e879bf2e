"""Battles of armies on a field: initiative, scenario, zones, terrain, deployment, rounds, and victory points.

A scenario card has an `objective` that scores at most its `points`, and a zone card the number of models that it is
for, its `value`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from cardgen.referee.choice import select
from cardgen.referee.decks import DeckCard, Player, choose_unseen, deal, deal_secret, pick_in_turn
from cardgen.referee.deployment import deploy, form_zones
from cardgen.referee.requests import Log, Measurement, Procedure, in_scope
from cardgen.referee.rounds import RoundsResult, assign_order, eliminate, play_rounds, roll_initiative
from cardgen.referee.stacks import RESERVE, StackField, StackModel
from cardgen.referee.trial import CardData

S = TypeVar("S", bound=StackModel)
# The scenario cards from which the last player chooses.
CHOICE = 2


@dataclass(frozen=True, slots=True)
class FieldDecks:
    """The cards of a set-up, as plain data, and how many of them are dealt."""

    scenarios: Sequence[CardData]
    zones: Sequence[CardData]
    terrain: Sequence[CardData]
    zone_count: int
    terrain_count: int


def cards_of(data: Sequence[CardData], *told: str) -> list[DeckCard]:
    """Return the cards of a deck; `told` are the fields that players are told about."""
    return [DeckCard(each["name"], each, told) for each in data]


def set_up_field(
    table: StackField[S],
    decks: FieldDecks,
    bonuses: Sequence[int],
    terrain_of: Callable[[CardData], Any],
    is_compulsory: Callable[[S], bool],
) -> Procedure[None]:
    """Set up a battle: the winner of the initiative roll decides the order, and the last player begins everything else.

    Compulsory models must be deployed if there is room.
    """
    winner = yield from roll_initiative(table.sides, bonuses)
    table.order = yield from assign_order(table.players, table.sides[winner])
    backward = table.order[::-1]
    yield from _deal_scenarios(table, cards_of(decks.scenarios, "ability"))
    zones = yield from deal(cards_of(decks.zones, "ability"), decks.zone_count, "zone card")
    taken = yield from pick_in_turn(backward, zones, "zone card", "deployment card")
    terrain = yield from deal(cards_of(decks.terrain, "ability"), decks.terrain_count, "terrain")
    for cards in (yield from pick_in_turn(backward, terrain, "terrain", "terrain to place")):
        table.terrain += [terrain_of(each.data) for each in cards]
    for player in backward:
        yield from _deploy(table, player, taken[player.index], is_compulsory)


def _deal_scenarios(table: StackField[S], deck: list[DeckCard]) -> Procedure[None]:
    """Let the last player choose the scenario of all players, unseen until then, and deal each a secret objective."""
    last = table.order[-1]
    if len(deck) <= (players := len(table.order)):
        yield Log(
            "{} players need {} scenario cards, not {}: nobody has an objective", (players, players + 1, len(deck))
        )
        return
    few = yield from deal(deck, CHOICE, "scenario", last.name, is_hidden=True)
    active = yield from choose_unseen("scenario", last.name, "active scenario", few)
    yield Log("active scenario: {}", (active,))
    table.shared = [active]
    deck += [each for each in few if each is not active]
    for player in table.order:
        yield from deal_secret(deck, player, "objective", "secret objective: {0.name}: {0.data[objective]}")


def _deploy(
    table: StackField[S], player: Player[DeckCard], cards: list[DeckCard], is_compulsory: Callable[[S], bool]
) -> Procedure[None]:
    """Deploy the models of a player in zones; some lie on others, or overlap terrain."""
    zones = yield from form_zones(player.name, cards)
    sizes = [(" and ".join(each.name for each in zone), sum(each.data["value"] for each in zone)) for zone in zones]
    yield from deploy(table, player, sizes, is_compulsory)
    own = table.of_player(player)
    for each in (yield from select("stacked", player.name, "those that lie on others, or overlap terrain", own)):
        yield from table.lay(each, own)


def play_field(
    table: StackField[S], rounds: int, phases: Mapping[str, Callable[[], Procedure[None]]], *, shares: bool = False
) -> Procedure[RoundsResult]:
    """Play the phases of each round, and score; with `shares`, each player scores the scenario of all, too."""
    table.is_deployed = True

    def play_round(number: int) -> Procedure[None]:
        table.turn = number
        # Models can be lost in the set-up, as by terrain.
        yield from eliminate(table.order, lambda player: bool(table.of_player(player)))
        for player in table.active:
            own = (str(each) for each in table.models if each.side == player.index and not each.is_lost)
            yield Log("{}: {}", (player.name, ", ".join(own)))
        for name, phase in phases.items():
            yield from in_scope(name, phase())

    def count_lost(side: int) -> int:
        return sum(each.is_lost for each in table.models if each.side == side)

    score = partial(_score, table, table.shared if shares else [])
    return (yield from play_rounds(table.order, rounds, play_round, score, count_lost))


def _score(table: StackField[S], shared: Sequence[DeckCard]) -> Procedure[dict[int, int]]:
    """Make casualties of the reserves, and ask for the points of all objectives, which are shown now."""
    yield from table.remove([each for each in table.models if each.place == RESERVE])
    points: dict[int, int] = {}
    for player in table.active:
        for card in (*player.secrets, *shared):
            what = f"points for {card.name}: {card.data['objective']}"
            scored = yield Measurement("points", player.name, what, 0, card.data["points"])
            points[player.index] = points.get(player.index, 0) + scored
    return points
