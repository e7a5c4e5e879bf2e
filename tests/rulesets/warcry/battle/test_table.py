"""Combatants: actions, waiting, the price of reactions, damage points, and effects."""

from __future__ import annotations

from cardgen.rulesets.warcry.battle.table import Effect
from cardgen.rulesets.warcry.changes import Change
from tests.rulesets.warcry.battle.players import combatant


def test_an_activation_uses_up_the_actions() -> None:
    who = combatant(0, "Ann")
    assert (who.can_activate, who.begin_activation(), who.can_activate, who.can_react) == (True, 2, False, False)
    who.begin_round()
    assert (who.can_activate, who.actions) == (True, 2)


def test_a_reaction_costs_an_action() -> None:
    who = combatant(0, "Ann")
    assert not who.pay_for_reaction()
    assert (who.can_react, who.begin_activation()) == (True, 1)


def test_two_reactions_use_up_the_activation() -> None:
    who = combatant(0, "Ann")
    who.pay_for_reaction()
    who.pay_for_reaction()
    assert (who.can_react, who.can_activate) == (False, False)


def test_a_waiting_fighter_has_one_action_and_loses_it_to_a_reaction() -> None:
    who = combatant(0, "Ann")
    who.begin_activation()
    who.wait()
    assert (who.can_activate, who.can_react, who.is_fresh, who.actions) == (True, True, False, 1)
    who.pay_for_reaction()
    assert (who.can_activate, who.can_react) == (False, False)


def test_spite_makes_one_reaction_in_each_battle_round_free() -> None:
    who = combatant(0, "Ann", blessing="Spite")
    assert [who.pay_for_reaction(), who.pay_for_reaction()] == [True, False]
    assert who.actions == 1
    who.begin_round()
    assert who.pay_for_reaction()


def test_spite_does_not_let_a_fighter_react_that_has_activated() -> None:
    who = combatant(0, "Ann", blessing="Spite")
    who.begin_activation()
    assert not who.can_react


def test_damage_points_stop_at_the_wounds() -> None:
    who = combatant(0, "Ann")
    assert [who.allocate(4), who.allocate(9), who.damage, who.is_down] == [4, 6, 10, True]
    assert not who.can_activate


def test_no_more_damage_points_are_removed_than_there_are() -> None:
    who = combatant(0, "Ann")
    who.allocate(3)
    assert [who.remove(2), who.remove(5), who.damage] == [2, 1, 0]


def test_effects_end() -> None:
    who = combatant(0, "Ann")
    who.effects = [Effect((Change(toughness=1),), "round"), Effect((Change(attacks=2),), "activation")]
    assert (who.stats.toughness, who.stats.weapons[0].attacks) == (5, 5)
    who.end_effects("activation")
    assert (who.stats.toughness, who.stats.weapons[0].attacks) == (5, 3)


def test_a_fall_leaves_no_effects_that_could_undo_it() -> None:
    who = combatant(0, "Ann")
    who.effects = [Effect((Change(wounds=-2),), "round")]
    who.allocate(8)
    who.fall()
    who.end_effects("round")
    assert (who.damage, who.is_down) == (10, True)


def test_points_include_the_blessing() -> None:
    assert combatant(0, "Ann", blessing="Swiftness").points == 115


def test_heroism_lends_hero_for_inspiring_presence_alone() -> None:
    who = combatant(0, "Ann", blessing="Heroism")
    assert ["hero" in who.marks_for(each) for each in ("inspiring-presence", "rush")] == [True, False]
