"""A battle round: initiative, the order of activations, waiting, and passing."""

from __future__ import annotations

import re

import pytest

from cardgen.referee.requests import Answer, Question
from cardgen.referee.trial import card_of_kind
from cardgen.rulesets.warcry.battle.battle import LEAVE_WAITING, play_round
from cardgen.rulesets.warcry.battle.table import Table
from cardgen.rulesets.warcry.cards import Trait
from cardgen.rulesets.warcry.referee.initiative import DiceSet
from tests.rulesets.warcry.battle.players import Script, run_with, sample, table_of
from tests.rulesets.warcry.referee.fights import terms


def round_of(table: Table, script: Script, rulings: dict[str, str] | None = None) -> list[str]:
    _, lines = run_with(play_round(table, terms(rulings)), script)
    return lines


def order(script: Script) -> list[str]:
    """Return who was asked for an activation, in order."""
    return [each.who for each in script.of("activate")]


def test_the_sides_activate_in_turns() -> None:
    """Equal hands are rolled off; a side with one fighter left is not asked which."""
    script = Script({"activate": ["Blue 2", "Red 1"], "first": "Blue"})
    round_of(table_of(), script)
    acts = [each.what.split(" (")[0] for each in script.of("action")]
    assert acts == ["Blue 2", "Red 1", "Blue 1", "Red 2"]


@pytest.mark.parametrize("first", ["Red", "Blue"])
def test_whoever_has_the_initiative_picks_who_activates_first(first: str) -> None:
    script = Script({"first": first})
    lines = round_of(table_of(), script)
    holder = next(line for line in lines if line.endswith("has the initiative")).split(" has")[0]
    assert script.of("first")[0].who == holder
    assert order(script)[0] == first


def test_a_side_without_fighters_left_passes() -> None:
    script = Script({"first": "Blue"})
    round_of(table_of(sizes=(3, 1)), script)
    assert [each.what.split(" (")[0] for each in script.of("action")] == ["Blue 1", "Red 1", "Red 2", "Red 3"]


def test_a_waiting_fighter_activates_once_more_with_one_action() -> None:
    script = Script({"first": "Red", "action": ["wait", "move up", "end", "end", "move up"]})
    lines = round_of(table_of(sizes=(1, 2)), script)
    assert lines.count("Red 1 waits") == 1
    again = [each.what for each in script.of("action") if each.what.startswith("Red 1")]
    assert again == ["Red 1 (0/10), 2 actions left", "Red 1 (0/10), 1 action left"]


def test_a_fighter_cannot_wait_twice_and_not_after_a_reaction() -> None:
    table = table_of(sizes=(1, 3))
    script = Script({"first": "Red", "action": ["wait", "end", "end"]})
    procedure = play_round(table, terms())

    def answer(path: str, question: Question) -> Answer:
        if path.endswith("Blue 1/action"):
            table.combatants[3].pay_for_reaction()
        return script(path, question)

    run_with(procedure, answer)
    asked = [each.what for each in script.of("action") if "wait" in each.options]
    assert asked == ["Red 1 (0/10), 2 actions left", "Blue 1 (0/10), 2 actions left", "Blue 2 (0/10), 2 actions left"]
    left = [each.what for each in script.of("action") if "wait" not in each.options]
    assert left == ["Red 1 (0/10), 1 action left", "Blue 3 (0/10), 1 action left"]


def test_those_who_wait_may_be_left_waiting() -> None:
    table = table_of(sizes=(1, 1))
    script = Script({"first": "Red", "action": ["wait", "end"], "activate": [LEAVE_WAITING]})
    round_of(table, script)
    assert len(script.of("action")) == 2
    assert script.of("activate")[0].options[:2] == ("Red 1 (0/10, waiting)", LEAVE_WAITING)


def test_the_hand_is_the_ability_dice_and_lost_at_the_end() -> None:
    """All ones: a quad of 1; a wild die that is kept is there in the next round."""
    table = table_of(sizes=(1, 1))
    script = Script({"action": ["end"]})
    round_of(table, script)
    assert any(option.startswith("Rush (quad of 1)") for each in script.of("action") for option in each.options)
    assert ([side.sets for side in table.sides], [side.wild for side in table.sides]) == ([[], []], [1, 1])


def test_everybody_is_ready_again_in_the_next_round() -> None:
    table = table_of(sizes=(1, 1))
    round_of(table, Script())
    assert not any(each.can_activate for each in table.combatants)
    script = Script()
    round_of(table, script)
    assert len(script.of("action")) == 2
    assert table.round == 2


AGAIN = "roll them again"


@pytest.mark.parametrize(
    ("effect", "ruling", "face", "options"),
    [
        ("reroll-ones", "any", 1, ("keep them", *(f"roll {count} of them again" for count in range(1, 6)), AGAIN)),
        ("reroll-ones", "all", 1, ("keep them", AGAIN)),
        ("reroll-ones", "any", 2, ()),
        ("reroll-one", "any", 2, ("keep them", "roll a 2 again")),
        ("", "any", 1, ()),
    ],
)
def test_traits_change_the_initiative(effect: str, ruling: str, face: int, options: tuple[str, ...]) -> None:
    table = table_of(sizes=(1, 1))
    changes = [{"initiative": effect or "ties"}]
    table.sides[0].trait = Trait.model_validate({"name": "Omen", "runemark": "chaos", "changes": changes})
    script = Script(face=face)
    round_of(table, script, {"primal-beliefs": ruling})
    assert [each.options for each in script.of("ones")] == [options] * bool(options)


def test_pulsing_power_lends_wild_dice_for_one_phase() -> None:
    table = table_of("Mystic Glade", sizes=(1, 1))
    table.sides[0].vp = 3
    lines = round_of(table, Script())
    assert lines[0] == "Blue is behind: Pulsing Power: 3 more wild dice for this initiative phase"
    wild = [re.search(r"(\d) wild", line) for line in lines if "single" in line]
    assert [each and each[1] for each in wild] == ["1", "4"]
    assert [side.wild for side in table.sides] == [1, 1]


def test_a_single_additional_wild_die_is_announced() -> None:
    table = table_of("Mystic Glade", sizes=(1, 1))
    table.sides[1].vp = 1
    assert round_of(table, Script())[0] == "Red is behind: Pulsing Power: 1 more wild die for this initiative phase"


def test_inspiring_presence_activates_a_friend_next() -> None:
    table = table_of(sizes=(3, 1), marks=("hero",))
    script = Script(
        {"first": "Red", "activate": ["Red 2"], "action": ["Inspiring", "end", "end"], "inspired": "Red 3"}, face=1
    )
    round_of(table, script)
    acts = list(dict.fromkeys(each.what.split(" (")[0] for each in script.of("action")))
    assert acts[:2] == ["Red 2", "Red 3"]
    assert acts[2] == "Blue 1"


def test_ability_dice_name_the_set() -> None:
    assert str(DiceSet(3, 2)) == "double of 3"


def test_battle_traits_in_words_are_shown_before_their_effect_is_asked_for() -> None:
    table = table_of()
    table.sides[0].trait = Trait(name="Omen", runemark="chaos", text="Nobody sees them.")
    lines = round_of(table, Script({"effect": "nothing"}))
    assert [line for line in lines if "Omen" in line] == ["Omen: Nobody sees them."]


@pytest.mark.parametrize(
    ("name", "key", "when"),
    [("Infection Vectors", "group", "before"), ("We Make War", "effect", "after"),
     ("Da Bad Moon Rises", "use", "after"), ("Dawnbringer Zealots", "pick", "last")],
)  # fmt: skip
def test_a_battle_trait_is_played_at_its_moment(name: str, key: str, when: str) -> None:
    """Before the initiative is rolled, before the first activation, or when the battle round ends."""
    table, script = table_of(), Script({"effect": "nothing", "use": "no"})
    table.sides[0].trait = card_of_kind(sample("trait", name), Trait)
    round_of(table, script)
    keys = [each.key for each in script.asked]
    place = keys.index(key)
    assert keys.count(key) == 1
    assert ("die" in keys[:place], "action" in keys[:place]) == {
        "before": (False, False), "after": (True, False), "last": (True, True),
    }[when]  # fmt: skip


def _end_with(name: str, **answers: object) -> tuple[list[str], Script, Table]:
    """Play a battle round of Brutal Encounter in which Red has a battle trait, and Blue 1 has one Wound left."""
    table = table_of("Brutal Encounter")
    trait = card_of_kind(sample("trait", name), Trait)
    table.sides[0].trait, table.combatants[2].damage, table.combatants[0].damage = trait, 9, 1
    script = Script({"condition": "no", "control": "neither", **answers}, face=4)
    return round_of(table, script), script, table


@pytest.mark.parametrize(("answer", "points"), [("battle traits", 2), ("control and victory points", 0)])
def test_whoever_has_the_initiative_says_what_comes_first_at_the_end(answer: str, points: int) -> None:
    """Blood Calls To Blood takes Blue 1 down, before or after victory points are scored for this battle round."""
    lines, script, table = _end_with("Blood Calls To Blood", pick="Blue 1", sequence=answer)
    holder = next(line for line in lines if line.endswith("has the initiative")).split(" has")[0]
    assert [each.who for each in script.of("sequence")] == [holder]
    assert (table.combatants[2].is_down, table.sides[0].vp) == (True, points)


@pytest.mark.parametrize("name", ["Dawnbringer Zealots", "There are Always More", "Infection Vectors"])
def test_nobody_orders_what_changes_no_victory_points(name: str) -> None:
    _, script, _ = _end_with(name, pick="Red 1" if name.startswith("Dawn") else "nobody")
    assert script.of("sequence") == []
