"""Whole battles: played by chance over several seeds, in few answers, and to the right winner."""

from __future__ import annotations

import re
from functools import cache
from statistics import fmean
from typing import Any

import pytest

from cardgen.referee.play import Event
from cardgen.referee.requests import Answer, Question, Roll
from tests.cases import each_case
from tests.rulesets.warcry.battle.players import (
    Player,
    Script,
    answers,
    battle,
    played,
    sample,
    texts,
    warband,
)
from tests.rulesets.warcry.referee.fights import card, fighter

PLANS = (
    "Lightning Raid", "Raze to the Ground", "Mystic Glade", "Plundered Spoils", "A War Over Nothing",
    "Running Out of Time", "A Tithe of Blades", "Endless Struggle", "Brutal Encounter", "A Reckoning for the Ages",
    "Uncompromising Slaughter", "Blood on the Forest Floor",
)  # fmt: skip
OWN_PLAN = "The Flooded Toll"
# On average over all battleplans, and for the one that asks most.
MOST_ANSWERS, MOST_OF_ONE_PLAN = 3.0, 3.25
ONE, OTHER = warband("One", fighter("Ann"), fighter("Ben")), warband("Other", fighter("Cid"), fighter("Dan"))
# A battleplan without objectives and without questions.
PLAIN = card(
    "battleplan",
    "Plain",
    map={"points": [{"side": "red", "at": [1, 1]}]},
    primary={"scores": [{"when": "any-taken-down", "vp": 2, "text": "Blood."}]},
    secondary={"rule": "devastation"},
    twist={"rule": "silence-enemy"},
)


@cache
def answers_per_activation(plan: str) -> float:
    """Count all answers of whole battles, those of the set-up and of the ends of battle rounds too."""
    asked, activations = 0, 0
    for seed in range(2):
        player = Player(seed)
        _, log = played(battle(plan), player)
        asked += len(player.asked)
        activations += len(answers(log, "activate")) + sum(line.endswith(" activates") for line in texts(log))
    return asked / activations


@pytest.mark.share(3)
def test_an_activation_takes_three_answers_on_average_and_few_with_any_plan() -> None:
    answers_by_plan = {plan: answers_per_activation(plan) for plan in (*PLANS, OWN_PLAN)}
    assert {plan: each for plan, each in answers_by_plan.items() if each > MOST_OF_ONE_PLAN} == {}
    assert fmean(answers_by_plan[plan] for plan in PLANS) <= MOST_ANSWERS


@pytest.mark.share(2)
@each_case("seed", range(6))
@each_case("plan", ["Plundered Spoils", "Endless Struggle", OWN_PLAN])
def test_battles_keep_to_the_rules(plan: str, seed: int) -> None:
    end, log = played(battle(plan), Player(seed))
    assert end.rounds == 4
    for number in range(1, 5):
        scope = f"battle round {number}/"
        assert _acts_in_a_round(log, scope) <= 4
        paid = [each for each in answers(log, "reaction") if each.path.startswith(scope)]
        by = [str(each.question.what).split(" (")[0] for each in paid if "no reaction" not in str(each.answer)]
        assert all(by.count(who) <= 2 for who in by)
    assert end.winner == (None if end.vp[0] == end.vp[1] else int(end.vp[1] > end.vp[0]))
    scored = [re.search(r"(The \S+ \S+) scores (\d+) VP", line) for line in texts(log)]
    for side, name in enumerate(("The Last Lanterns", "The Ember Choir")):
        assert end.vp[side] == sum(int(each[2]) for each in scored if each and each[1] == name)
    returned = sum(line.endswith(" returns") for line in texts(log))
    assert sum(line.endswith(" is taken down") for line in texts(log)) - returned == sum(end.down)


def _acts_in_a_round(log: list[Any], scope: str) -> int:
    """Return the most steps that one fighter takes: an activation each, two with a wait, and its free first step."""
    acts = [str(each.answer) for each in answers(log, "activate") if each.path.startswith(scope)]
    names = [re.sub(r" \(\d+/\d+(, waiting)?\)$", "", act).rpartition(": ")[2] for act in acts]
    return max(names.count(name) for name in names)


def test_the_same_answers_play_the_same_battle() -> None:
    matter = battle()
    assert played(matter, Player(3)) == played(matter, Player(3))


def test_a_draw() -> None:
    end, _ = played(battle(PLAIN, a=ONE, b=OTHER), Script())
    assert (end.winner, end.vp) == (None, (0, 0))
    matter = battle(PLAIN, a=ONE, b=OTHER)
    assert matter.outcome_lines(end)[0].startswith("a draw after 4 battle rounds: One 0 VP, Other 0 VP")


@pytest.mark.parametrize(
    ("setting", "winner", "rounds"), [("play-on", 0, 4), ("end", 0, 1), ("lose", 0, 1)], ids=lambda each: str(each)
)
def test_a_warband_that_is_wiped_out(setting: str, winner: int, rounds: int) -> None:
    one = warband("One", fighter("Ann", "M5 T4 W10", "Axe: axe R1 A4 S4 D1/9"))
    other = warband("Other", fighter("Cid", "M5 T4 W9", "Axe: axe R1 A1 S4 D1/1"))
    script = Script({"gap": 1, "action": ["Axe"], "first": "One", "activate": "Ann"}, face=6)
    end, _ = played(battle(PLAIN, a=one, b=other, rulings={"wiped-out": setting}), script)
    assert (end.winner, end.rounds, end.down) == (winner, rounds, (0, 1))
    assert end.vp[0] == 2 + 2 * rounds


def test_the_number_of_battle_rounds() -> None:
    for rounds, values in ((3, {"rulings": {"rounds": "three"}}), (2, {"rounds": 2}), (4, {})):
        end, _ = played(battle(PLAIN, a=ONE, b=OTHER, **values), Script())
        assert end.rounds == rounds


def test_the_battleplan_may_name_the_winner() -> None:
    plan = {**PLAIN, "victory": "Whoever laughed last."}
    matter = battle(plan, a=ONE, b=OTHER)
    assert "the winner has only text" in matter.not_simulated
    script = Script({"winner": "Other"})
    end, _ = played(matter, script)
    assert end.winner == 1
    assert "Whoever laughed last." in script.of("winner")[0].what


def test_what_is_not_adjudicated_is_said() -> None:
    notes = battle().not_simulated
    assert not any("Dawnbringer Zealots" in note or "Seared Wounds" in note for note in notes)
    assert not any("Lamp Oil" in note for note in notes)  # Its text is read and played.
    assert not any(word in note for note in notes for word in ("Inspiring", "Counter", "Strike", "Take Cover"))
    assert "'High Water' has only text" in battle(OWN_PLAN).not_simulated
    misplaced = {**PLAIN, "twist": {"name": "Odd", "rule": "devastation"}}
    assert "'Odd' has only text" in battle(misplaced, a=ONE, b=OTHER).not_simulated


def test_a_section_that_is_counted_in_part_is_not_only_text() -> None:
    scores = [{"when": "any-taken-down", "vp": 2, "text": "Blood."}, {"vp": 1, "text": "Glory."}]
    assert battle({**PLAIN, "primary": {"scores": scores}}, a=ONE, b=OTHER).not_simulated == (
        "'Glory' in 'primary' has only text",
    )


@each_case("plan", PLANS)
def test_the_battleplans_of_the_battlepack_score_by_themselves(plan: str) -> None:
    names = {sample("battleplan", plan)[key].get("name", key) for key in ("primary", "secondary", "twist")}
    assert not [note for note in battle(plan).not_simulated for name in names if name in note]


def test_a_blessing_of_one_weapon_asks_which_if_there_are_two() -> None:
    script = Script({"weapon": "Bow"})
    might = sample("blessing", "Might")
    armed = fighter("Ann", "M5 T4 W10", "Axe: axe R1 A3 S4 D1/4", "Bow: ranged R3-9 A3 S3 D1/4")
    played(battle(PLAIN, a=warband("One", (armed, might), (fighter("Ben"), might)), b=OTHER), script)
    assert [each.what for each in script.of("weapon")] == ["weapon of Ann with Might"]


def test_fighters_in_reserve_arrive() -> None:
    """Without a map they arrive in battle round 2; a map without later groups asks nothing."""
    plan = {key: value for key, value in PLAIN.items() if key != "map"}
    script = Script({"reserve": ["Ann", "nobody", "nobody"]})
    _, log = played(battle(plan, a=ONE, b=OTHER), script)
    lines = texts(log)
    assert lines.index("Battle round 2") < lines.index("Ann arrives") < lines.index("Battle round 3")
    acts = [each.what.split(" (")[0] for each in script.of("action")]
    assert acts.count("Ann") == acts.count("Ben") - 1
    script = Script()
    played(battle(PLAIN, a=ONE, b=OTHER), script)
    assert not script.of("reserve")


def test_a_map_without_points_asks_who_starts_in_reserve() -> None:
    """Two battleplans draw the table quarters alone, and one of these has groups that arrive in battle round 2."""
    for plan in ("Uncompromising Slaughter", "Brutal Encounter"):
        script = Script({"reserve": ["Ann", "nobody", "nobody"]})
        _, log = played(battle(plan, a=ONE, b=OTHER), script)
        assert "Ann arrives" in texts(log)


def test_a_map_says_when_groups_arrive() -> None:
    points = [{"side": "red", "at": [1, 1], "round": 2}, {"side": "blue", "at": [2, 2], "round": 3}]
    script = Script({"reserve": ["nobody", "Cid", "nobody"], "arrival": "battle round 3"})
    _, log = played(battle({**PLAIN, "map": {"points": points}}, a=ONE, b=OTHER), script)
    lines = texts(log)
    assert lines.index("Battle round 3") < lines.index("Cid arrives") < lines.index("Battle round 4")
    assert script.of("arrival")[0].options == ("battle round 2", "battle round 3")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"b": {**OTHER, "name": "One"}}, "One cannot fight itself"),
        (
            {"b": {**OTHER, "trait": {"kind": "trait", "name": "T", "runemark": "order", "text": "x"}}},
            "cannot have 'T'",
        ),
    ],
)
def test_warbands_that_cannot_meet(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        battle(PLAIN, **{"a": ONE, "b": OTHER, **values})


def test_only_abilities_that_somebody_can_use_are_kept() -> None:
    matter = battle(PLAIN, a=ONE, b=OTHER)
    assert "'Lamp Oil' has only text" not in matter.not_simulated


def test_wild_dice_are_saved() -> None:
    """Destiny gives one at the start; a die that is kept is there in the next battle round."""
    destiny = sample("blessing", "Destiny")
    a = warband("One", (fighter("Ann"), destiny))
    _, log = played(battle(PLAIN, a=a, b=OTHER, rounds=2), Script(face=1))
    hands = [line for line in texts(log) if line.startswith(("One: ", "Other: ")) and "single" in line]
    assert [line.rpartition(", ")[2] for line in hands] == ["2 wild dice", "1 wild die", "3 wild dice", "2 wild dice"]


def test_dice_are_the_only_rolls() -> None:
    _, log = played(battle(), Player(1))
    rolls = {each.question.key for each in log if isinstance(each, Event) and isinstance(each.question, Roll)}
    assert rolls <= {"die", "hit", "cover", "strike", "damage", "roll-off", "impact", "d3", "d6"}


def test_the_rules_of_a_battleplan_for_its_set_up_and_control_are_shown() -> None:
    _, log = played(battle("A War Over Nothing", rounds=1), Player(1))
    shown = [
        line.split(":")[0] for line in texts(log)[:20] if line.startswith(("Deployment:", "Objectives:", "Control:"))
    ]
    assert shown == ["Deployment", "Objectives", "Control"]


@pytest.mark.parametrize(
    ("once", "uses"), [("round", [1, 1]), ("battle", [1, 0]), (None, [2, 2])], ids=["round", "battle", "always"]
)
@pytest.mark.parametrize("price", ["action", "free"])
def test_a_trait_grants_its_rules_as_often_as_its_card_says(once: str | None, uses: list[int], price: str) -> None:
    """Both fighters of a warband would use the rule in both battle rounds."""
    grants = [{"name": "Graft", "price": price, "text": "Something grows back."}]
    one = {**ONE, "trait": card("trait", "Growth", runemark="chaos", grants=grants, once=once)}
    script, done = Script(), set[str]()

    def wish(path: str, question: Question) -> Answer:
        options = [each for each in getattr(question, "options", ()) if each.startswith("Graft")]
        activation = path.rpartition("/")[0]
        if not options or activation in done:
            return script(path, question)
        done.add(activation)
        return str(options[0])

    _, log = played(battle(PLAIN, a=one, b=OTHER, rounds=2), wish)
    rounds = "\n".join(texts(log)).split("Battle round ")[1:]
    assert [each.count(" uses Graft") for each in rounds] == uses


@pytest.mark.parametrize(("once", "asked"), [("round", 1), (None, 2)])
def test_a_reaction_of_a_trait_is_offered_as_often_as_its_card_says(once: str | None, asked: int) -> None:
    grants = [{"name": "Duck", "price": "reaction", "text": "The blow goes wide."}]
    trait = card("trait", "Low", runemark="chaos", grants=grants, once=once)
    one = warband("One", fighter("Ann", "M5 T4 W40"), trait=trait)
    script = Script({"reaction": ["Duck", "Duck"], "gap": 0, "first": "Other", "action": ["Axe", "Axe"]})
    if once:
        script.answers["reaction"] = ["Duck"]
    played(battle(PLAIN, a=one, b=OTHER, rounds=1), script)
    assert sum("Duck" in each.options for each in script.of("reaction")) == asked


INCOMING = {"strength": -1, "weapon": "missile", "beyond": 8, "incoming": True, "for": "round"}
KEPT = {"strength": 1, "weapon": "melee", "for": "round"}


@each_case(("rule", "told"), [
    ({"changes": [INCOMING]}, "'Odd' is not applied: Missile attacks that target this fighter made from more than 8"),
    ({"changes": [{"strength": -1, "weapon": "melee", "incoming": True, "for": "round"}]}, ""),
    ({"changes": [{"shift": 3}]}, "'Odd' is not applied: "),
    ({"changes": [{"when": {"event": "takes-down"}, "heal": 1}]}, "'Odd' is not applied: After an attack by this"),
    ({"text": "Sing a song."}, "'Odd' has only text"),
    ({"text": "If this fighter is in cover, it has +1 Strength until the end of the battle round."},
     "'Odd' has only text"),
    ({"price": "reaction", "changes": [{"bonus_attack": True}, {"reacts": {"event": "targeted"}}]},
     "'Odd' is not applied: This fighter makes a bonus attack."),
    ({"changes": [KEPT]}, ""),
    ({"changes": [{**KEPT, "while": {"cover": True}}]}, ""),
    ({"text": 'Pick a visible enemy within 4" and roll a die. On a 5+, it is allocated 1 damage point.'}, ""),
])  # fmt: skip
def test_what_the_players_apply_of_an_ability_is_listed(rule: dict[str, Any], told: str) -> None:
    odd = {"kind": "ability", "name": "Odd", "id": "odd", "price": "double", **rule}
    notes = [note for note in battle(PLAIN, a=ONE, b=OTHER, abilities=(odd,)).not_simulated if "Odd" in note]
    assert len(notes) == bool(told)
    assert "".join(notes).startswith(told)


def test_what_the_players_apply_of_a_choice_or_a_blessing_is_listed() -> None:
    choices = [{"name": "Luck", "price": "double", "changes": [INCOMING]}, {"name": "Song", "text": "Sing."}]
    trait = {"kind": "trait", "name": "Omens", "id": "omens", "runemark": "chaos", "choices": choices}
    gift = {"kind": "blessing", "name": "Gift", "id": "gift", "points": {"regular": 5, "elite": 5},
            "changes": [{"strength": 1}, {"initiative": "ties"}]}  # fmt: skip
    one = {**warband("One", (fighter("Ann"), gift), fighter("Ben")), "trait": trait}
    notes = battle(PLAIN, a=one, b=OTHER).not_simulated
    assert [note.split(":")[0] for note in notes] == [
        "'Song' has only text", "'Luck' is not applied", "'Gift' is not applied",
    ]  # fmt: skip
