"""Disks on the table: who pins whom, passive abilities, and damage."""

from __future__ import annotations

import pytest

from cardgen.referee.rounds import DeckCard
from cardgen.rulesets.diskwars.referee.battle.table import with_bonuses
from cardgen.rulesets.diskwars.referee.disk import Harm, Health, Terrain
from tests.rulesets.diskwars.referee.battle.players import Script, piece, run_with, table_of


@pytest.mark.parametrize(("setting", "pins"), [("separated", False), ("touching", True)])
def test_a_disk_between_two_others(setting: str, pins: bool) -> None:
    """U8."""
    low = piece(1, "C")
    middle = piece(0, "B", low)
    top = piece(0, "A", middle, low)
    table = table_of(top, middle, low, stacks=setting)
    assert table.pins(top, low) == pins
    assert table.pins(middle, low)
    assert table.pinned_by(top) == ([low] if pins else [])
    assert table.pinned_by(top, is_enemy=False) == [middle]


@pytest.mark.parametrize(("setting", "is_ready"), [("pins", False), ("enemies", True)])
def test_friends_on_top(setting: str, is_ready: bool) -> None:
    """G7 and U5."""
    low = piece(0, "B")
    table = table_of(piece(0, "A", low), low, friendly_pin=setting)
    assert (low in table.ready(table.players[0])) == is_ready


def test_an_enemy_on_top_and_a_token_prevent_activation() -> None:
    low, done = piece(0, "B"), piece(0, "C", health=Health(is_activated=True))
    table = table_of(piece(1, "A", low), low, done)
    assert table.ready(table.players[0]) == []


def test_passive_abilities_last_until_the_card_is_discarded() -> None:
    """A7 and U12."""
    bonuses = [{"stat": "movement", "amount": 1, "when": "light"}, {"stat": "impact", "amount": 2, "when": "always"}]
    bonuses += [{"stat": "shelter", "amount": -1, "when": "far"}, {"stat": "shelter", "amount": -1, "when": "ready"}]
    bird, ram = piece(0, "A", movement=5, keywords={"flying"}), piece(0, "B", movement=2, impact=1)
    for ruling, is_resolved in (("reveal", False), ("resolved", True), ("resolved", False)):
        table = table_of(bird, ram, piece(1, "C", movement=3, keywords={"flying"}), passive_start=ruling)
        player = table.players[0]
        player.cards = [DeckCard("Wind", {"bonuses": bonuses})]
        table.resolved = {0} if is_resolved else set()
        gets = int(ruling == "reveal" or is_resolved)
        assert [table.movement(each) for each in table.models] == [5 + gets, 2, 3]
        assert [table.profile(each).impact for each in table.models] == [0, 1 + 2 * gets, 0]
        assert len(table.bonuses(bird, "shelter", is_far=True)) == 2 * gets
        assert table.bonuses(piece(0, "D", health=Health(is_activated=True)), "shelter") == []
        player.discard()
        assert table.movement(bird) == 5


@pytest.mark.parametrize(
    ("amounts", "left"),
    [
        (["-3"], 0),
        (["-3 at-least-1"], 1),
        (["-1 at-least-1", "-1 at-least-1"], 1),
        (["-3", "-1 at-least-1"], 0),
        (["-1 at-least-1", "1"], 2),
    ],
)
def test_a_bonus_lowers_a_number_to_0_unless_it_leaves_1(amounts: list[str], left: int) -> None:
    """T2: only cover leaves a battle die by the rules, so that an ability has to say so."""
    lines = [each.split() for each in amounts]
    assert with_bonuses(2, [{"amount": int(line[0]), "floor": line[1] if line[1:] else None} for line in lines]) == left


@pytest.mark.parametrize(("setting", "roles"), [("counter", {"counter"}), ("attack", {"attack"})])
def test_defensive_terrain(setting: str, roles: set[str]) -> None:
    """U16."""
    wall = Terrain("Wall", frozenset({"fortified"}), "", frozenset({"counter"}))
    who = piece(0, "A")
    who.ground = [wall]
    profile = table_of(who, defensive_type=setting).profile(who)
    assert profile.swift == roles
    assert profile.immune == {"impact damage"}


def test_damage_is_told_as_it_is_taken() -> None:
    who = piece(0, "A", toughness=3, resistant={"arcane"})
    lines = run_with(table_of(who, piece(1, "B")).hurt([(who, Harm(3, "arcane"))]), Script())
    assert lines == ["A takes 2 damage: 2 damage"]


@pytest.mark.parametrize(("setting", "first"), [("next", "Blues"), ("none", "")])
def test_the_first_player_is_eliminated(setting: str, first: str) -> None:
    """U18."""
    table = table_of(piece(0, "A"), piece(1, "B"), piece(2, "C"), eliminated_player=setting)
    table.players[0].is_out = True
    assert table.first == first
