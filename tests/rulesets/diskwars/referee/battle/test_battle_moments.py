"""Moments of a battle that a rules lawyer worked out by hand from the player's reference alone."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.referee.requests import Decision, Question
from cardgen.referee.rounds import BattleEndError, DeckCard
from cardgen.rulesets.diskwars.referee.battle.battle import activation_phase, end_phase, melee_phase, move_scouts
from cardgen.rulesets.diskwars.referee.battle.table import Piece, Table, act, move, reinforce
from cardgen.rulesets.diskwars.referee.disk import Health, Terrain
from tests.rulesets.diskwars.referee.battle.players import (
    Chance,
    Script,
    battle,
    piece,
    played,
    run_with,
    table_of,
    texts,
)
from tests.rulesets.diskwars.referee.cases import ranged

# Faces of the die with two hits.
HIT, CRITICAL, SCATTER, MISS = 1, 3, 4, 5
WOOD = Terrain("Wood", frozenset({"cover"}), "", frozenset())
FIRE = Terrain("Fire", frozenset(), "arcane", frozenset())


def archer(missile: int, **keys: Any) -> Piece:
    return piece(0, "A", ranged=(ranged(missile, "2"),), **keys)


def with_card(table: Table, player: int, *bonuses: dict[str, Any]) -> Table:
    table.players[player].cards = [DeckCard("Card", {"bonuses": bonuses})]
    return table


def test_nobody_is_left_if_the_last_disks_leave_together() -> None:
    low = piece(1, "B", counter="3", toughness=3)
    table = table_of(piece(0, "A", low, attack="3", toughness=3), low)
    table.is_deployed = True
    with pytest.raises(BattleEndError):
        run_with(melee_phase(table), Script())
    assert [each.is_out for each in table.players] == [True, True]


def test_a_player_with_a_full_reserve_is_eliminated_by_a_shot() -> None:
    who, foe, late = archer(1), piece(1, "B", toughness=2), piece(1, "C")
    late.place = "reserve"
    table = table_of(who, foe, late)
    table.is_deployed = True
    with pytest.raises(BattleEndError):
        run_with(act(table, who), Script([HIT], action="shoots", target="B", range="long"))
    assert [each.is_out for each in table.players] == [False, True]


def test_a_critical_hit_after_scatter_costs_a_friend_the_activation() -> None:
    who, foe, mate = archer(1), piece(1, "B"), piece(0, "C")
    table = table_of(who, foe, mate)
    script = Script([SCATTER, CRITICAL], action="shoots", target="B", range="siege", scatter=[("C",)])
    run_with(act(table, who), script)
    assert mate.health == Health(2, is_activated=True)
    assert table.ready(table.players[0]) == []
    run_with(end_phase(table), Script())
    assert table.ready(table.players[0]) == [who, mate]


@pytest.mark.parametrize(("setting", "is_free"), [("moves", True), ("stays", False)])
def test_a_scout_beneath_a_friend_is_not_activated_for_its_move(setting: str, is_free: bool) -> None:
    low = piece(0, "A", keywords={"scout"})
    table = table_of(low, piece(0, "B", low), piece(1, "C", keywords={"scout"}), scout_pinned=setting)
    table.order = table.order[::-1]
    lines = run_with(move_scouts(table), Script())
    assert lines == ["C scouts", "A scouts"][: 1 + is_free]


def test_a_disk_that_reinforces_acts_in_the_next_round() -> None:
    who = piece(0, "A", impact=3)
    who.place = "reserve"
    foe = piece(1, "B")
    table = table_of(who, foe)
    run_with(reinforce(table, who), Script(on=[("B",)]))
    assert (foe.health, table.ready(table.players[0]), table.ready(table.players[1])) == (Health(), [], [])
    run_with(end_phase(table), Script())
    assert table.ready(table.players[0]) == [who]


def test_the_first_player_chooses_between_the_tops_of_two_scrums() -> None:
    low, other = piece(0, "A2"), piece(1, "B4")
    first, second = piece(1, "B1", low), piece(0, "A3", other)
    table = table_of(piece(0, "A1", first), first, low, piece(1, "B3", second), second, other)
    script = Script(engagement=["B3 on A3", "A1 on B1"])
    run_with(melee_phase(table), script)
    first_options, *_ = [each.options for each in script.of("engagement")]
    assert set(first_options) == {"A1 on B1", "B3 on A3"}


def test_a_mobile_disk_that_dies_on_its_way_does_not_shoot() -> None:
    who, foe = archer(2, keywords={"mobile"}, movement=3, toughness=2), piece(1, "B")
    table = table_of(who, foe, terrain=(FIRE,))
    script = Script([2, HIT, HIT], action="moves, then shoots", flips=[1], on=[("Fire",)], target="B", range="short")
    run_with(act(table, who), script)
    assert who.is_lost
    assert foe.health == Health()


def test_cover_and_a_passive_ability_leave_one_die() -> None:
    who, foe = archer(2), piece(1, "B")
    foe.ground = [WOOD]
    table = with_card(table_of(who, foe), 1, {"stat": "shelter", "amount": -1, "when": "ready"})
    run_with(act(table, who), Script([HIT, HIT], action="shoots", target="B", range="short"))
    assert foe.health.damage == 2


def test_a_passive_ability_adds_to_impact_only_where_there_is_some() -> None:
    foe = piece(1, "B")
    for who, damage in ((piece(0, "A", impact=1), 2), (piece(0, "C"), 2)):
        table = with_card(table_of(who, foe), 0, {"stat": "impact", "amount": 1, "when": "always"})
        run_with(move(table, who, 3), Script(flips=[1], on=[("B",)]))
        assert foe.health.damage == damage


def test_pinned_and_activated_disks_use_the_battle_ability() -> None:
    low, done = piece(0, "A"), piece(0, "C", health=Health(is_activated=True))
    card = DeckCard("Bell", {"name": "Bell", "strategy": "bold", "activation": 1, "battle": "Ring."})
    table = table_of(low, done, piece(0, "D"), piece(1, "B", low))
    table.players[0].hand = [card]
    script = Script(acts=["battle ability", "nobody"], user="A")
    run_with(activation_phase(table), script)
    users = [each.split(" ")[0] for each in script.of("user")[0].options]
    assert users == ["A", "C", "D"]
    assert not low.health.is_activated


def test_the_set_up_says_what_too_few_disks_for_a_zone_mean() -> None:
    """U4: the tracker counts them."""
    for setting, words in (("exact", "choose others"), ("fewer", "Deploy as many as there are.")):
        _, log = played(battle(rulings={"zone-number": setting}, rounds=1), Chance(3))
        assert any("more disks than are left?" in each and words in each for each in texts(log))


class Grabber(Chance):
    """Plays by chance, but whoever takes the first deployment card takes the last option, and the other the first."""

    who = ""

    def __call__(self, path: str, question: Question) -> Any:
        if question.key == "zone card" and isinstance(question, Decision):
            self.who = self.who or question.who
            return (max if question.who == self.who else min)(question.options)
        return super().__call__(path, question)


@pytest.mark.parametrize(
    ("setting", "values", "totals", "is_told"),
    [
        ("exact", (4, 4, 7, 7), [11, 11], False),
        ("fewer", (4, 4, 7, 7), [8, 14], False),
        ("exact", (7, 7, 7, 7), [14, 14], True),
        ("fewer", (7, 7, 7, 7), [14, 14], False),
    ],
)
def test_an_army_takes_deployment_cards_that_it_can_fill(
    setting: str, values: tuple[int, ...], totals: list[int], is_told: bool
) -> None:
    """U4: each army has 11 disks; by `exact`, a card with too many places is left out while another one fits."""
    zones = tuple({"kind": "deployment", "name": f"Z{place}", "value": each} for place, each in enumerate(values))
    sizes = dict(zip(("Z0", "Z1", "Z2", "Z3"), values, strict=True))
    lines = texts(played(battle(deployments=zones, rulings={"zone-number": setting}, rounds=1), Grabber(1))[1])
    taken: dict[str, int] = {}
    for who, name in (line.split(" takes ") for line in lines if " takes Z" in line):
        taken[who] = taken.get(who, 0) + sizes[name]
    assert sorted(taken.values()) == totals
    assert any(line.endswith("does not fit its deployment cards") for line in lines) == is_told
