"""The phases of a round: command cards in order, engagements from the top down, and the end phase."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.referee.rounds import DeckCard
from cardgen.rulesets.diskwars.referee.battle.battle import activation_phase, end_phase, melee_phase
from cardgen.rulesets.diskwars.referee.battle.table import Table
from cardgen.rulesets.diskwars.referee.disk import Health
from tests.rulesets.diskwars.referee.battle.players import Script, piece, run_with, table_of


def command(name: str, strategy: str = "steady", activation: int = 1, **keys: Any) -> DeckCard:
    return DeckCard(name, {"name": name, "strategy": strategy, "activation": activation, **keys})


def with_hands(table: Table, *hands: list[DeckCard]) -> Table:
    for player, hand in zip(table.players, hands, strict=True):
        player.hand = hand
    return table


def test_cards_are_resolved_by_strategy_and_nobody_must_wait_for_the_reserve() -> None:
    table = with_hands(table_of(piece(0, "A"), piece(1, "B")), [command("Slow", "slow")], [command("Bold", "bold")])
    script = Script(acts="B")
    lines = run_with(activation_phase(table), Script(acts=["B", "A"], action="passes"))
    assert lines == ["Reds reveals Slow", "Blues reveals Bold"]
    assert all(each.health.is_activated for each in table.models)
    assert [[each.name for each in player.discards] for player in table.players] == [["Slow"], ["Bold"]]
    assert script.of("acts") == []


@pytest.mark.parametrize(("setting", "rounds"), [("goes-on", 2), ("ends", 1)])
def test_one_player_has_no_cards_left(setting: str, rounds: int) -> None:
    """U11."""
    table = with_hands(table_of(piece(0, "A"), piece(0, "A2"), piece(0, "A3"), piece(1, "B"), loop_end=setting),
                       [command("One"), command("Two")], [command("Three")])  # fmt: skip
    lines = run_with(activation_phase(table), Script(card="One"))
    assert sum("Reds reveals" in line for line in lines) == rounds


@pytest.mark.parametrize(("setting", "offers"), [("between", [True, True]), ("ends", [True, False])])
def test_when_a_battle_ability_is_possible(setting: str, offers: list[bool]) -> None:
    """U13: before the first activation, and after it."""
    card = command("Bell", activation=2, battle="Ring.")
    table = with_hands(table_of(piece(0, "A"), piece(0, "A2"), piece(1, "B"), battle_moment=setting), [card], [])
    script = Script(acts=["A", "nobody", "nobody"], action="passes")
    run_with(activation_phase(table), script)
    asked = [each for each in script.of("acts") if "A2" in each.options]
    assert ["battle ability" in each.options for each in asked] == offers


def test_nobody_ends_a_card_whose_battle_ability_was_offered() -> None:
    card = command("Bell", activation=2, battle="Ring.")
    table = with_hands(table_of(piece(0, "A"), piece(0, "A2"), piece(1, "B")), [card], [])
    script = Script(acts=["nobody"])
    run_with(activation_phase(table), script)
    assert [each.what for each in script.of("acts")] == ["who acts with Bell, 2 activations left"]


def test_a_battle_ability_after_all_activations_has_a_question_of_its_own() -> None:
    card = command("Bell", activation=2, battle="Ring.")
    pieces = (piece(0, "A"), piece(0, "A2"), piece(0, "A3"), piece(1, "B"))
    table = with_hands(table_of(*pieces, battle_moment="ends"), [card], [])
    script = Script(acts=["A", "nobody", "battle ability"], action="passes", user="A2")
    run_with(activation_phase(table), script)
    assert [each.what for each in script.of("acts")][1:] == [
        "who acts with Bell, 1 activation left",
        "the battle ability of Bell, after its activations",
    ]
    assert len(script.of("user")) == 1


@pytest.mark.parametrize(("setting", "is_offered"), [("allowed", True), ("forbidden", False)])
def test_the_reserve_of_a_player_whose_disks_are_done(setting: str, is_offered: bool) -> None:
    """U41."""
    late = piece(0, "Late")
    late.place = "reserve"
    done = piece(0, "A", health=Health(is_activated=True))
    table = with_hands(table_of(done, late, piece(1, "B"), reserve_late=setting), [command("One")], [command("Two")])
    run_with(activation_phase(table), Script(acts=["Late", "B"], action="passes"))
    assert late.is_present == is_offered


def fought(table: Table, **answers: Any) -> list[str]:
    return run_with(melee_phase(table), Script(**answers))


def test_a_scrum_goes_from_the_top_down_and_what_is_new_waits() -> None:
    """F3: A on B on C; B leaves, and A falls onto C, which it fights next round at the earliest."""
    c = piece(0, "C", counter="9", toughness=9)
    b = piece(1, "B", c, attack="4", counter="2", toughness=3)
    a = piece(0, "A", b, attack="3", toughness=4)
    spare = piece(1, "D")
    fought(table_of(a, b, c, spare), falls=[("C",)])
    assert (a.health, c.health) == (Health(2), Health())
    assert b.is_lost
    assert a.beneath == [c]


@pytest.mark.parametrize(("setting", "damage"), [("one", (2, 0)), ("two", (2, 2))])
def test_one_disk_pins_two(setting: str, damage: tuple[int, int]) -> None:
    """U14: both counter either way."""
    b, c = piece(1, "B", counter="1"), piece(1, "C", counter="1")
    a = piece(0, "A", b, c, attack="2")
    script = Script(target="B")
    run_with(melee_phase(table_of(a, b, c, two_pinned=setting)), script)
    assert (b.health.damage, c.health.damage) == damage
    assert a.health.damage == 2
    assert {each.who for each in script.of("engagement")} <= {"Reds"}, "the first player chooses the order"


def test_an_engagement_whose_disk_has_fallen_in_another_is_not_offered() -> None:
    """Low has fallen to Top, so nothing lies on Base; Side's engagement is the last one."""
    base = piece(0, "Base", toughness=9)
    low = piece(1, "Low", base, toughness=2)
    top = piece(0, "Top", low, attack="2", toughness=9)
    foot = piece(1, "Foot", toughness=9)
    side, more = piece(0, "Side", foot, toughness=9), piece(1, "More", toughness=9)
    end = piece(0, "End", more, toughness=9)
    script = Script(engagement="Top")
    run_with(melee_phase(table_of(base, low, top, foot, side, more, end)), script)
    assert [each.options for each in script.of("engagement")] == [
        ("Top on Low", "Side on Foot", "End on More"),
        ("Side on Foot", "End on More"),
    ]


@pytest.mark.parametrize(("setting", "damage"), [("enemies", 0), ("all", 2)])
def test_frenzy_on_friends(setting: str, damage: int) -> None:
    """U28: the friend takes damage, but does not counter."""
    b, mate = piece(1, "B", counter="1"), piece(0, "C", counter="5")
    a = piece(0, "A", b, mate, attack="2", keywords={"frenzy"})
    fought(table_of(a, b, mate, frenzy_friends=setting))
    assert (b.health.damage, mate.health.damage, a.health.damage) == (2, damage, 1)


def test_opponents_attack_together_in_initiative_order() -> None:
    """O11: Greens choose before Reds, since they are earlier in initiative order."""
    low = piece(1, "L", counter="1")
    green, red = piece(2, "G", low, attack="1"), piece(0, "R", low, attack="2")
    table = table_of(red, low, green)
    table.order = [table.players[place] for place in (2, 0, 1)]
    lines = fought(table, target="R")
    assert [line for line in lines if "deals" in line][:2] == ["G deals 1 damage to L", "R deals 2 damage to L"]
    assert (red.health.damage, green.health.damage, low.health.damage) == (1, 0, 3)


def test_opponents_that_are_pinned_together_choose_in_initiative_order() -> None:
    """O11: Reds' defender chooses before that of Greens, although Greens attack in the same engagement."""
    red, green = piece(0, "R", counter="1"), piece(2, "G", counter="1")
    blues = [piece(1, "B1", red, green), piece(1, "B2", green), piece(1, "B3", red)]
    extra = piece(2, "G2", red, attack="1")
    script = Script()
    run_with(melee_phase(table_of(red, green, *blues, extra)), script)
    assert [each.who for each in script.of("target")][-2:] == ["R", "G"]


@pytest.mark.parametrize(("setting", "damage"), [("not-there", 0), ("overlap", 3)])
def test_attackers_that_are_enemies(setting: str, damage: int) -> None:
    """U25: Red lies on Green, and both pin Blue's."""
    low = piece(1, "L")
    green = piece(2, "G", low, attack="1")
    red = piece(0, "R", green, low, attack="3")
    fought(table_of(red, low, green, stacks="touching", mixed_sides=setting))
    assert green.health.damage == damage
    assert low.health.damage == 4


@pytest.mark.parametrize(("setting", "is_swift"), [("roles", False), ("damage", True)])
def test_types_of_swift(setting: str, is_swift: bool) -> None:
    """U16: the first type is for attacking, or for physical damage, which a counter is, too."""
    low = piece(1, "B", counter="9", swift={"attack"})
    top = piece(0, "A", low, attack="2", toughness=3)
    fought(table_of(top, low, piece(0, "C"), swift_types=setting))
    assert low.health.damage == (0 if is_swift else 2)


def test_the_end_phase_takes_tokens_and_returns_cards() -> None:
    who = piece(0, "A", health=Health(2, 0, True, True), toughness=3, stamina=1)
    table = with_hands(table_of(who, piece(1, "B")), [], [])
    table.turn, table.players[0].discards = 2, [command("One")]
    run_with(end_phase(table), Script())
    assert who.health == Health()
    assert len(table.players[0].hand) == 1


@pytest.mark.parametrize(("turn", "setting", "is_lost"), [(1, "all", True), (1, "able", False), (2, "all", False)])
def test_late_heroes(turn: int, setting: str, is_lost: bool) -> None:
    """S19 and U39."""
    hero = piece(0, "Hero", role="hero")
    hero.place = "reserve"
    table = table_of(hero, piece(0, "A"), piece(1, "B"), late_hero=setting)
    table.turn, table.is_deployed = turn, True
    run_with(end_phase(table), Script())
    assert hero.is_lost == is_lost
