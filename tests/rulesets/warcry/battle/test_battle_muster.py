"""Warbands as they muster: the alternative that a warband chooses of its battle trait."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.rulesets.warcry.battle.battle import Recruit, combatant_of, muster_side, recruits_of, side_of
from tests.rulesets.warcry.battle.players import Script, battle, played, run_with, texts, warband
from tests.rulesets.warcry.battle.test_battle import OTHER, PLAIN
from tests.rulesets.warcry.referee.fights import card, fighter

OMENS = card(
    "trait",
    "Omens",
    runemark="chaos",
    text="Choose one of these:",
    choices=[
        {"name": "Blood", "changes": [{"wounds": 3}, {"wild_dice": 2}]},
        {"name": "Smoke", "text": "Nobody sees them."},
        {"name": "Ash", "price": "double", "changes": [{"bonus_move": 3}]},
    ],
)
OPEN = warband("One", fighter("Ann"), fighter("Ben"), trait=OMENS)


def chosen(name: str) -> dict[str, Any]:
    return {**OPEN, "choice": name}


def test_a_warband_that_has_not_chosen_is_asked_once() -> None:
    script = Script({"choice": "Blood"})
    _, log = played(battle(PLAIN, a=OPEN, b=OTHER), script)
    (question,) = script.of("choice")
    assert (question.who, question.what) == ("One", "choice of Omens")
    assert question.options == ("Blood", "Smoke", "Ash")
    assert script.asked[0] == question, "before anything else"
    assert texts(log)[0].startswith("One: Blood: This fighter has +3 Wounds.")


def test_a_warband_that_has_chosen_is_not_asked() -> None:
    script = Script()
    _, log = played(battle(PLAIN, a=chosen("blood"), b=OTHER), script)
    assert not script.of("choice")
    assert texts(log)[0].startswith("One: Blood: This fighter has +3 Wounds.")


@pytest.mark.parametrize("one", [OPEN, chosen("Blood")], ids=["asked", "card"])
def test_the_changes_of_the_alternative_apply(one: dict[str, Any]) -> None:
    script = Script({"choice": "Blood"})
    _, log = played(battle(PLAIN, a=one, b=OTHER, rounds=1), script)
    assert "Ann (0/13)" in script.of("activate")[0].options[0]
    assert next(line for line in texts(log) if line.startswith("One: ") and "single" in line).endswith("3 wild dice")


def test_both_warbands_are_asked_of_a_trait_that_both_have() -> None:
    script = Script({"choice": ["Smoke", "Blood"]})
    played(battle(PLAIN, a=OPEN, b={**OTHER, "trait": OMENS}, rounds=1), script)
    assert [each.who for each in script.of("choice")] == ["One", "Other"]
    labels = {option for each in script.of("activate") for option in each.options}
    assert {"Ann (0/10)", "Cid (0/13)"} <= labels


def test_an_alternative_with_a_price_is_an_ability() -> None:
    side = side_of(0, chosen("Ash"), ())
    _, lines = run_with(muster_side(side), Script())
    assert [rule.name for rule in side.rules] == ["Ash"]
    assert side.words == ()
    assert lines == ['One: Ash: This fighter makes a bonus move of up to 3".']


def test_an_alternative_in_words_is_left_to_the_players() -> None:
    script = Script({"choice": "Smoke", "effect": "nothing"})
    matter = battle(PLAIN, a=OPEN, b=OTHER, rounds=1)
    assert "'Smoke' has only text" in matter.not_simulated
    assert not any("Omens" in note for note in matter.not_simulated), "its text introduces the choice"
    _, log = played(matter, script)
    assert texts(log).count("Smoke: Nobody sees them.") == 1
    assert [each.what for each in script.of("effect")] == ["effect of 'Smoke'"]


def test_only_the_chosen_alternative_is_left_to_the_players() -> None:
    matter = battle(PLAIN, a=chosen("Blood"), b=OTHER, rounds=1)
    assert not any("Smoke" in note for note in matter.not_simulated)
    script = Script()
    played(matter, script)
    assert not script.of("effect")


def test_a_granted_rule_in_words_without_a_price_is_shown() -> None:
    trait = card("trait", "Gifts", runemark="chaos", grants=[{"name": "Gloom", "text": "It is dark."}])
    script = Script({"effect": "nothing"})
    _, log = played(battle(PLAIN, a={**OPEN, "trait": trait}, b=OTHER, rounds=1), script)
    assert "Gloom: It is dark." in texts(log)
    assert [each.what for each in script.of("effect")] == ["effect of 'Gloom'"]


def test_a_choice_that_the_trait_does_not_offer_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown choice 'Blod'; did you mean 'Blood'"):
        battle(PLAIN, a=chosen("Blod"), b=OTHER)


def test_an_alternative_of_one_weapon_asks_which_if_there_are_two() -> None:
    armed = fighter("Ann", "M5 T4 W10", "Axe: axe R1 A3 S4 D1/4", "Bow: ranged R3-9 A3 S3 D1/4")
    choices = [{"name": "Edge", "changes": [{"attacks": 2, "weapon": "one"}]}, {"name": "Calm", "text": "Breathe."}]
    trait = card("trait", "Whet", runemark="chaos", choices=choices)
    side = side_of(0, warband("One", armed, trait=trait, choice="edge"), ())
    run_with(muster_side(side), Script())
    script = Script({"weapon": "Bow"})
    ann, _ = run_with(combatant_of(Recruit(0, "Ann", armed, None), side), script)
    assert [each.what for each in script.of("weapon")] == ["weapon of Ann with Whet"]
    assert [weapon.attacks for weapon in ann.stats.weapons] == [3, 5]
    script = Script()
    ben, _ = run_with(combatant_of(Recruit(0, "Ben", fighter("Ben"), None), side), script)
    assert not script.asked
    assert [weapon.attacks for weapon in ben.stats.weapons] == [5]


def test_the_tracker_knows_the_leader_of_a_warband() -> None:
    one = warband("One", fighter("Ann"), fighter("Ben"))
    one["members"][1]["leader"] = True
    recruits = recruits_of((one, OTHER))[:2]
    side = side_of(0, one, [])
    people = [run_with(combatant_of(each, side), Script())[0] for each in recruits]
    assert [(each.name, each.is_leader) for each in people] == [("Ann", False), ("Ben", True)]
