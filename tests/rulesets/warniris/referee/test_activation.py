"""Actions in a battle: what is measured when, and reactions that wait for their moment."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.referee.play import Event, LogEntry, play
from cardgen.referee.requests import Decision, Question, Roll, Test
from cardgen.rulesets.warniris.effect import Weapon
from cardgen.rulesets.warniris.referee.activation import activate
from cardgen.rulesets.warniris.referee.attack_action import AttackAction
from cardgen.rulesets.warniris.referee.game import Game, State
from cardgen.rulesets.warniris.referee.modifiers import move_distance, resist_test
from tests.rulesets.warniris.referee.fights import card, table

AXE = card("Axe", "M5 B5 S5 W9", "Axe: CW R1 P1 D3")
GUN = card("Gun", "M5 B5 S5 W9", "Gun: RW R20 D1")
THIRD = card("Third", "M5 B5 S5 W9", "Gun: RW R20 D1")


class Script:
    """Answers questions by their key, in order; dice show the faces named, or else 1."""

    def __init__(self, **answers: Any) -> None:
        self.answers = {key.replace("_", " "): list(each) for key, each in answers.items()}
        self.asked: list[tuple[str, str]] = []
        self.questions: list[Question] = []

    def __call__(self, path: str, question: Question) -> int | str:
        self.asked.append((question.who, question.key))
        self.questions.append(question)
        waiting = self.answers.get(question.key, [])
        if waiting:
            return waiting.pop(0)  # type: ignore[no-any-return]
        if isinstance(question, Test | Roll):
            return 1
        if isinstance(question, Decision):
            return {"action": "done", "reaction": "nobody", "between": "nobody"}.get(question.key, question.options[0])
        return 0


def acted(script: Script, game: Game | None = None, **rulings: str) -> tuple[State, list[str], Script]:
    """The state after one action of the first miniature, the lines of the log, and the script with what it asked."""
    settings = {name.replace("_", "-"): setting for name, setting in rulings.items()}
    game = game or table(AXE, GUN, THIRD, sides=(0, 1, 1), asked=True, rulings=settings)
    told: list[LogEntry] = []
    state = play(activate(game, game.initial_state(), 0, 1), script, told.append)
    assert not any(script.answers.values()), "each answer is asked for"
    return state, [each for each in told if not isinstance(each, Event)], script


MOVE = "Move up to 10 cm"


def test_a_late_reaction_is_measured_again_after_the_move() -> None:
    for where in ({"distance": [5, 21]}, {"distance": [5, 9], "sight": ["in clear sight", "wholly hidden"]}):
        script = Script(action=[MOVE], reaction=["Gun with Gun"], timing=[6], **where)
        state, told, _ = acted(script)
        assert state.wounds(0) == 9
        assert any("the Reaction is spent" in str(line) for line in told)
    state, *_ = acted(Script(action=[MOVE], reaction=["Gun with Gun"], timing=[6], distance=[5, 20], resist=[6]))
    assert state.wounds(0) == 8


def test_a_reaction_part_way_may_reach_who_was_too_far_away() -> None:
    script = Script(
        action=[MOVE], reaction=["Gun with Gun"], distance=[25, 20], moment=["part-way along the Move"], resist=[6]
    )
    assert acted(script)[0].wounds(0) == 8


def test_an_attack_without_a_move_is_no_chance_to_react_from_too_far_away() -> None:
    game = table(GUN, AXE, sides=(0, 1), asked=True, rulings={"reaction-cw-move": "none"})
    script = Script(action=["Attack with Gun (RW R20 D1)"], reaction=["Axe with Axe"], distance=[9, 9], hit=[6])
    state, told, _ = acted(script, game)
    assert state.counters[game.reaction_counter(1)] == 1
    assert any("not possible" in str(line) for line in told)


def test_miniatures_in_between_count_for_a_reaction_that_waits() -> None:
    script = Script(
        action=[MOVE],
        reaction=["Gun with Gun"],
        timing=[6],
        distance=[5, 5],
        between=["nobody", "Third"],
        between_1=[6],
        resist=[6],
    )
    state, *_ = acted(script)
    assert (state.wounds(0), state.wounds(2)) == (9, 8)


CHARGE = "Attack with Axe (CW R1 P1 D3)"


def test_sight_and_line_are_asked_after_a_free_move() -> None:
    script = Script(action=[CHARGE], target=["Gun"], distance=[8, 1], resist=[6])
    state, _, script = acted(script)
    keys = [key for _, key in script.asked]
    assert keys.index("enemies in the way") < keys.index("sight") < keys.index("between") < keys.index("hit")
    assert keys.count("sight") == 1
    assert state.wounds(1) == 6


def test_a_hidden_target_may_come_into_sight_by_the_free_move() -> None:
    seen = ["wholly hidden", "in clear sight"]
    script = Script(action=[CHARGE], target=["Gun"], distance=[1, 1], sight=seen, resist=[6])
    assert acted(script)[0].wounds(1) == 6
    still = Script(action=[CHARGE], target=["Gun"], distance=[8, 1], sight=["wholly hidden"])
    state, told, _ = acted(still)
    assert state.wounds(1) == 9
    assert any("wholly hidden" in str(line) for line in told)


def test_a_failed_body_test_cancels_only_where_the_move_stops_out_of_range() -> None:
    stopped: dict[str, Any] = {"action": [CHARGE], "target": ["Gun"], "enemies_in_the_way": [1], "through_1": [6]}
    assert acted(Script(**stopped, distance=[8, 1], resist=[6]))[0].wounds(1) == 6
    assert acted(Script(**stopped, distance=[8, 2]))[0].wounds(1) == 9


def test_whoever_is_charged_may_react_when_the_enemy_has_come_near() -> None:
    game = table(AXE, {**AXE, "name": "Other"}, sides=(0, 1), asked=True)
    script = Script(action=[CHARGE], reaction=["Other with Axe"], moment=["when it has hit"], distance=[8, 8, 1, 1],
                    resist=[6, 6])  # fmt: skip
    state, *_ = acted(script, game)
    assert (state.wounds(0), state.wounds(1)) == (8, 6)


def test_a_reaction_with_a_free_move_is_measured_where_it_ends() -> None:
    script = Script(action=[MOVE], reaction=["Axe with Axe"], distance=[8, 1], moment=["before it moves"], resist=[6])
    game = table(GUN, AXE, sides=(0, 1), asked=True)
    assert acted(script, game)[0].wounds(0) == 8


WARD = {"name": "Ward", "type": "P", "range": 8, "effects": [{"for": "turn", "target": {"body": 2}}]}


def test_a_power_that_only_protects_takes_no_test_and_is_for_friends_and_oneself() -> None:
    priest = card("Priest", "M1 B1 S1 W5", weapons=[WARD])
    friend = card("Friend", "M3 B2 S3 W5")
    for whom, who, bodies in (("Friend", 1, 4), ("Priest", 0, 3)):
        game = table(priest, friend, GUN, sides=(0, 0, 1), asked=True)
        near = {} if whom == "Priest" else {"distance": [8]}
        script = Script(action=["Channel Ward (P R8)"], target=[whom], **near)
        state, _, script = acted(script, game)
        assert "hit" not in [key for _, key in script.asked]
        attack = AttackAction(2, who, "Gun", 5)
        assert resist_test(game, state, attack).need == bodies
        offered = [o for question in script.questions if question.key == "target" for o in question.options]  # type: ignore[union-attr]
        assert offered == ["Priest", "Friend"]


@pytest.mark.parametrize(
    ("power", "expected"),
    [
        ({}, True),
        ({"healing": 1}, False),
        ({"effects": [{"target": {"heal": 1}}]}, False),
        ({"effects": [{"for": "turn", "bearer": {"body": 1}}]}, False),
        ({"effects": [{"for": "turn", "target": {"body": 1}}], "damage": 1}, True),
        ({"effects": [{"for": "turn", "target": {"body": 1}}], "penetration": 1}, True),
        ({"effects": [{"for": "turn", "target": {"body": -1}}]}, True),
        ({"effects": [{"for": "turn", "target": {"body": 1}, "enemies": {"mind": -1}}]}, True),
        ({"effects": [{"target": {"move": 3}}]}, True),
        ({"effects": [{"target": {"deal": 1}}]}, True),
    ],
)
def test_what_needs_a_test(power: dict[str, Any], expected: bool) -> None:
    assert Weapon.model_validate({"name": "Word", "type": "P", "range": 5, **power}).needs_test is expected


def swimmer(effect: dict[str, Any], **more: Any) -> dict[str, Any]:
    return card(
        "Swimmer", "M5 B5 S5 W9", "Axe: CW R1 P1 D3", abilities=[{"name": "Like Water", "effects": [effect], **more}]
    )


FASTER = {"when": "moving", "bearer": {"movement": 4, "body": -2}}


def offers_of(script: Script) -> tuple[str, ...]:
    return next(each.options for each in script.questions if isinstance(each, Decision) and each.key == "action")


def test_what_applies_to_a_move_lasts_for_that_move() -> None:
    game = table(swimmer(FASTER), GUN, sides=(0, 1), asked=True)
    script = Script(action=["Move up to 14 cm"], enemies_in_the_way=[1])
    state, told, script = acted(script, game)
    assert "Swimmer may Move up to 14 cm" in told
    assert next(each for each in script.questions if isinstance(each, Test)).need == 3
    assert state.mode.active_effects == ()


def test_a_free_move_goes_as_far_as_a_move() -> None:
    for distance in (15, 16):
        game = table(swimmer(FASTER), GUN, sides=(0, 1), asked=True)
        measured = [distance, 1] if distance == 15 else [distance]
        wound = {"resist": [6]} if distance == 15 else {}
        script = Script(action=[CHARGE], target=["Gun"], distance=measured, **wound)
        assert acted(script, game)[0].wounds(1) == (6 if distance == 15 else 9)


def test_what_may_be_used_for_a_move_makes_a_free_move_possible() -> None:
    for answer, hit in (("yes", True), ("no", False)):
        game = table(swimmer(FASTER, once=True), GUN, sides=(0, 1), asked=True)
        measured = [15, 1 if hit else 5]
        wound = {"resist": [6]} if hit else {}
        script = Script(action=[CHARGE], target=["Gun"], distance=measured, use_Like_Water=[answer], **wound)
        state, _, script = acted(script, game)
        assert offers_of(script)[0] == MOVE
        assert state.wounds(1) == (6 if hit else 9)


def test_another_ones_move_is_not_ones_own() -> None:
    leader = card("Leader", "M3 B3 S3 W5", abilities=[{"name": "March", "effects": [
        {"when": "activation_start", "for": "turn", "while": "moving", "friends": {"movement": 5}}]}])  # fmt: skip
    game = table(AXE, leader, GUN, sides=(0, 0, 1), asked=True)
    state = play(activate(game, game.initial_state(), 1, 1), Script(), list[LogEntry]().append)
    assert move_distance(game, state, 0) == 10


def test_what_an_attack_started_outlasts_a_reaction_within_it() -> None:
    """Ballast still takes 1 off the Penetration after its bearer has reacted to the hit."""
    ballast = [
        {"name": "Ballast", "effects": [{"when": "attacked", "if": {"weapon": "CW"}, "attacker": {"penetration": -1}}]}
    ]
    game = table(AXE, {**GUN, "abilities": ballast}, sides=(0, 1), asked=True)
    for more in ({}, {"reaction": ["Gun with Gun"], "moment": ["when it has hit"]}):
        script = Script(action=[CHARGE], target=["Gun"], distance=[1] * (3 if more else 1), **more)
        _, _, script = acted(script, game)
        needs = [
            each.need
            for each in script.questions
            if isinstance(each, Test) and each.key == "resist" and each.who == "Gun"
        ]
        assert needs == [5]
