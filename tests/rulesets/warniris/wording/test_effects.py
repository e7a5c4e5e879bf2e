"""Sentences that have one reading: who acts, when, for how long, and whether it adds up."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.rulesets.phrases import MINUS, NBSP
from cardgen.rulesets.warniris.cards import Ability, Relic
from cardgen.rulesets.warniris.effect import Weapon
from cardgen.rulesets.warniris.wording.effects import describe


def plain(markup: str) -> str:
    return markup.replace("**", "").replace(NBSP, " ").replace(MINUS, "-").replace("’", "'")


def relic(**effect: Any) -> str:
    once = effect.pop("once", False)
    return plain(describe(Relic.model_validate({"name": "X", "once": once, "effects": [effect]})))


def ability(**effect: Any) -> str:
    once = effect.pop("once", False)
    return plain(describe(Ability.model_validate({"name": "X", "once": once, "effects": [effect]})))


def weapon(line: dict[str, Any], **effect: Any) -> str:
    return plain(describe(Weapon.model_validate({"name": "X", "effects": [effect], **line})))


SWORD = {"type": "CW", "range": 1, "damage": 1}


def test_a_point_is_ignored_before_it_is_lost() -> None:
    """The referee asks for each point before the Wound is lost, with the Wounds that are left then."""
    said = "For each point of Damage that the bearer takes, roll 1D6: on a 1, it ignores that point."
    assert relic(when="damaged", **{"if": {"roll": [1]}}, bearer={"ignore": 1}) == said
    said = (
        "For each point of Damage that this Character takes while it has 3 Wounds or fewer left, "
        "roll 1D6: on a 1 or 2, it ignores that point."
    )
    assert ability(when="damaged", **{"if": {"wounds_at_most": 3, "roll": [1, 2]}}, bearer={"ignore": 1}) == said
    said = "For each point of Damage that the bearer takes, it ignores that point and the next 2 dealt with it."
    assert relic(when="damaged", bearer={"ignore": 3}) == said


def test_what_follows_a_lost_wound_says_so() -> None:
    assert relic(when="damaged", enemies={"deal": 1}) == "Whenever the bearer loses a Wound, enemies take 1 Damage."


def test_a_thing_for_once_only_is_a_choice_at_any_activation() -> None:
    said = "At the start of one of the bearer's Activations, you may use this: the bearer regains 2 Wounds."
    assert relic(once=True, when="activation_start", bearer={"heal": 2}) == said
    said = "At the start of the bearer's Activation, you may use this: the bearer regains 2 Wounds."
    assert relic(once="turn", when="activation_start", bearer={"heal": 2}) == said
    assert relic(when="activation_start", bearer={"heal": 2}) == (
        "At the start of its Activation, the bearer regains 2 Wounds."
    )
    said = (
        "At the start of one of the bearer's Activations, you may use this: "
        "until the end of the turn, whoever Attacks or Channels at the bearer does so at -1 Mind."
    )
    assert relic(once=True, when="activation_start", **{"for": "turn", "while": "attacked"}, attacker={"mind": -1}) == (
        said
    )


def test_the_bearer_is_named_after_this() -> None:
    said = (
        "At the start of one of this Character's Activations, you may use this: until the end of the turn, "
        "whenever this Character Attacks or Channels, it gets +10 cm Range."
    )
    effect: dict[str, Any] = {"when": "activation_start", "for": "turn", "while": "attacking"}
    assert ability(once=True, **effect, bearer={"range": 10}) == said


def test_a_weapons_effect_without_a_moment_applies_while_it_is_used() -> None:
    said = "While it is used, the bearer has +1 Mind."
    assert weapon(SWORD, when="always", bearer={"mind": 1}) == said
    assert relic(bearer={"mind": 1}) == "The bearer has +1 Mind."


def test_the_wounds_at_the_start_of_a_guard_are_not_asked_for_each_point() -> None:
    effect: dict[str, Any] = {"when": "turn_start", "for": "turn", "while": "damaged", "if": {"wounds_at_most": 3}}
    assert relic(**effect, bearer={"ignore": 1}) == (
        "At the start of each turn, if the bearer has 3 Wounds or fewer left, until the end of the turn, "
        "for each point of Damage that it takes, it ignores that point."
    )


def test_a_choice_is_offered_once() -> None:
    """What the bearer 'may' do anyway needs no 'you may use this'."""
    said = "At the end of one of its Activations, this Character may shift up to 6 cm without Tests."
    assert ability(once=True, when="activation_end", bearer={"move": 6}) == said
    said = "When this Character loses a Wound, it may shift up to 5 cm without Tests."
    assert ability(once="turn", when="damaged", bearer={"move": 5}) == said


def test_a_shift_says_who_makes_it() -> None:
    said = "When it hits, you may shift the target up to 2 cm without Tests."
    assert weapon(SWORD, when="hit", target={"move": 2}) == said
    said = "When it deals Damage, the target regains 1 Wound, and you may shift it up to 2 cm without Tests."
    assert weapon(SWORD, target={"heal": 1, "move": 2}) == said
    said = (
        "At the start of each turn, enemies within 4 cm take 1 Damage, and you may shift them up to 2 cm without Tests."
    )
    assert relic(when="turn_start", **{"if": {"range_within": 4}}, enemies={"deal": 1, "move": 2}) == said


@pytest.mark.parametrize(
    ("effect", "adds_up"),
    [
        ({"for": "battle", "target": {"body": -1}}, True),
        ({"when": "hit", "for": "turn", "target": {"mind": -1}}, True),
        ({"for": "turn", "bearer": {"reroll": "hit"}}, False),
        ({"when": "activation_start", "for": "turn", "bearer": {"mind": 1}}, False),
        ({"when": "activation_start", "for": "battle", "bearer": {"mind": 1}}, True),
        ({"when": "battle_start", "for": "battle", "bearer": {"mind": 1}}, False),
        ({"when": "attacking", "bearer": {"mind": 1}}, False),
    ],
)
def test_what_adds_up_says_so(effect: dict[str, Any], adds_up: bool) -> None:
    assert weapon(SWORD, **effect).endswith(" (cumulative).") == adds_up


def test_what_happens_once_does_not_add_up() -> None:
    effect: dict[str, Any] = {"when": "attacking", "for": "turn", "bearer": {"mind": 1}}
    assert relic(**effect).endswith(" (cumulative).")
    assert not relic(once=True, **effect).endswith(" (cumulative).")
    assert not relic(once="turn", **effect).endswith(" (cumulative).")


def test_the_last_deed_comes_before_the_removal() -> None:
    said = "When this Character is eliminated, before it is removed, enemies within 4 cm take 1 Damage."
    assert ability(when="eliminated", **{"if": {"range_within": 4}}, enemies={"deal": 1}) == said


def test_a_re_roll_to_hit_is_not_for_miniatures_in_between() -> None:
    said = "When this Character Attacks, it may re-roll a failed Test to hit (not one for a miniature in between)."
    assert ability(when="attacking", **{"if": {"weapon": "RW"}}, bearer={"reroll": "hit"}) == said.replace(
        "Attacks", "Attacks with an RW"
    )
    said = "When this Character Reacts, it may re-roll a failed timing Test."
    assert ability(when="reacting", bearer={"reroll": "timing"}) == said


def test_an_effect_on_a_group_chooses_it_when_it_starts() -> None:
    said = (
        "At the start of the battle, friends within 12 cm at that moment get +2 cm Movement "
        "until the end of the battle."
    )
    effect: dict[str, Any] = {"when": "battle_start", "for": "battle", "if": {"range_within": 12}}
    assert ability(**effect, friends={"movement": 2}) == said
    assert ability(**{"if": {"range_within": 8}}, friends={"spirit": 1}) == "Friends within 8 cm have +1 Spirit."


def test_a_condition_that_holds_all_the_time_says_while() -> None:
    said = "While this Character has 4 Wounds or fewer left, it has +1 Mind."
    assert ability(**{"if": {"wounds_at_most": 4}}, bearer={"mind": 1}) == said


def test_a_weapon_without_damage_does_not_deal_any() -> None:
    """Its effect follows when it is not resisted; what takes no Test works when it is used."""
    net, hymn = {"type": "RW", "range": 8}, {"type": "P", "range": 8, "healing": 1}
    said = "When it is not resisted, the target gets -2 cm Movement until the end of the turn (cumulative)."
    assert weapon(net, **{"for": "turn"}, target={"movement": -2}) == said
    said = "When it is used, the target gets +1 Body until the end of the turn (cumulative)."
    assert weapon(hymn, **{"for": "turn"}, target={"body": 1}) == said
