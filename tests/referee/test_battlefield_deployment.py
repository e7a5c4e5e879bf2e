"""Deployment: zones of cards, and the number of models in each."""

from __future__ import annotations

from typing import Any

from cardgen.referee.battlefield import RESERVE, StackField, deploy, form_zones
from cardgen.referee.play import Event, LogEntry, play
from cardgen.referee.rounds import DeckCard, Player
from tests.referee.test_battlefield_stacks import Tile, field_of, tile

CARDS = [DeckCard(name, {}) for name in ("One", "Two", "Three")]


def run(procedure: Any, *answers: Any) -> tuple[Any, list[LogEntry]]:
    log: list[LogEntry] = []
    given = iter(answers)
    return play(procedure, lambda path, question: next(given), log.append), log


def reserve() -> tuple[StackField[Tile], Player[Any]]:
    tiles = [tile(name) for name in ("King", "Pawn 1", "Pawn 2")]
    for each in tiles:
        each.place = RESERVE
    field = field_of(*tiles)
    return field, field.players[0]


def test_cards_next_to_each_other_form_a_zone() -> None:
    zones, _ = run(form_zones("A", CARDS), "no other card", "One")
    assert [[each.name for each in zone] for zone in zones] == [["One", "Three"], ["Two"]]


def test_a_card_between_two_zones_joins_them() -> None:
    zones, _ = run(form_zones("A", CARDS), "no other card", "both One and Two")
    assert [[each.name for each in zone] for zone in zones] == [["One", "Two", "Three"]]


def test_a_zone_has_exactly_as_many_models_as_it_is_for() -> None:
    field, player = reserve()
    _, log = run(deploy(field, player, [("One", 2)], lambda who: False), ("King",), ("King", "Pawn 2"))
    assert "choose 2, not 1" in log
    assert [each.name for each in field.of_player(player)] == ["King", "Pawn 2"]


def test_compulsory_models_must_be_deployed() -> None:
    field, player = reserve()
    _, log = run(deploy(field, player, [("One", 1)], lambda who: who.name == "King"), ("Pawn 1",), ("King",))
    assert "King must be deployed" in log
    assert [each.name for each in field.of_player(player)] == ["King"]


def test_an_army_that_is_too_small_is_deployed_as_a_whole() -> None:
    field, player = reserve()
    _, log = run(deploy(field, player, [("One", 2), ("Two", 4)], lambda who: False), ("King", "Pawn 1"))
    assert log[0] == "A has 3 for 6 places"
    assert len(field.of_player(player)) == 3
    assert sum(isinstance(each, Event) for each in log) == 1
