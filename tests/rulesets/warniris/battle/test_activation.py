"""Actions in a battle: what is measured when, and reactions that wait for their moment."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.referee.play import Event, LogEntry, play
from cardgen.referee.requests import (
    Decision,
    MarkedMeasurement,
    Procedure,
    Question,
    Roll,
    SealedDecision,
    Selection,
    Test,
)
from cardgen.rulesets.warniris.battle.activation import activate
from cardgen.rulesets.warniris.battle.reactions import LATER, ask_late
from cardgen.rulesets.warniris.effect import Weapon
from cardgen.rulesets.warniris.referee.conditions import AttackAction
from cardgen.rulesets.warniris.referee.game import Game, Span, State
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

    def __call__(self, path: str, question: Question) -> Any:
        self.asked.append((question.who, question.key))
        self.questions.append(question)
        waiting = self.answers.get(question.key, [])
        if waiting:
            answer = waiting.pop(0)
            is_tuple = isinstance(question, MarkedMeasurement | Selection)
            return (answer,) if is_tuple and not isinstance(answer, tuple) else answer
        match question:
            case Test() | Roll():
                return 1
            case Decision() | SealedDecision():
                return question.options[0]
            case MarkedMeasurement():
                return (0,)
            case Selection():
                return ()
        return question.low


def one_action(game: Game) -> Procedure[State]:
    state = yield from activate(game, game.initial_state(), 0, 1)
    return (yield from ask_late(game, state))


def acted(script: Script, game: Game | None = None, **rulings: str) -> tuple[State, list[str], Script]:
    """The state after one action of the first miniature, the lines of the log, and the script with what it asked.

    Reactions to a Move are named after it.
    """
    settings = {name.replace("_", "-"): setting for name, setting in rulings.items()}
    game = game or table(AXE, GUN, THIRD, sides=(0, 1, 1), asked=True, rulings=settings)
    told: list[LogEntry] = []
    state = play(one_action(game), script, told.append)
    assert not any(script.answers.values()), "each answer is asked for"
    return state, [each for each in told if not isinstance(each, Event)], script


MOVE, THROUGH = "Move up to 10 cm", "Move through enemies, up to 10 cm"
SHOT = ("Gun with Gun",)


def test_a_late_reaction_is_measured_after_the_move() -> None:
    for move in (MOVE, THROUGH):
        for where in (21, (9, "hidden")):
            script = Script(action=[move], reaction=[SHOT], timing=[6], distance=[20, where])
            state, told, _ = acted(script)
            assert state.wounds(0) == 9
            assert any("the Reaction is spent" in str(line) for line in told)
        state, *_ = acted(Script(action=[move], reaction=[SHOT], timing=[6], distance=[20, 20], resist=[6]))
        assert state.wounds(0) == 8


@pytest.mark.parametrize(
    ("move", "answers"),
    [
        (MOVE, {"distance": [21]}),
        (MOVE, {"distance": [(9, "hidden")]}),
        (THROUGH, {"distance": [30], "on the way": ["no"]}),
    ],
)
def test_a_reaction_is_spent_only_where_it_can_happen(move: str, answers: dict[str, Any]) -> None:
    """Section 6: Reaction. The distance is measured before the Reaction is used up, not taken from what is unknown."""
    game = table(AXE, GUN, THIRD, sides=(0, 1, 1), asked=True)
    state, told, script = acted(Script(action=[move], reaction=[SHOT], **answers), game)
    assert any("not possible" in str(line) for line in told)
    assert state.counters[game.reaction_counter(1)] == 1
    assert "timing" not in [key for _, key in script.asked]


def test_a_reaction_may_wait_for_the_way() -> None:
    script = Script(action=[THROUGH], reaction=[SHOT], distance=[30, 20], on_the_way=["yes"], resist=[6])
    assert acted(script)[0].wounds(0) == 8


def test_a_distance_that_notes_exclude_is_measured_again_unless_a_player_insists() -> None:
    for answer, distance, wounds in (("measure again", [1, 20], 8), ("it is right", [1], 8)):
        game = table(AXE, GUN, THIRD, sides=(0, 1, 1), asked=True)
        game.notes.set_span(0, 1, Span(low=31))
        script = Script(action=[MOVE], reaction=[SHOT], distance=distance, misfit=[answer], resist=[6])
        state, _, script = acted(script, game)
        assert state.wounds(0) == wounds
        (asked,) = [each.what for each in script.questions if each.key == "misfit"]
        assert asked == "1 cm to Axe does not fit: it was at least 20 cm, by zones, Moves, and answers"


def test_a_reaction_part_way_is_measured_there_and_again_by_the_next() -> None:
    script = Script(action=[MOVE], reaction=[SHOT], distance=[20], resist=[6])
    assert acted(script)[0].wounds(0) == 8
    both = (*SHOT, "Third with Gun")
    script = Script(action=[THROUGH], reaction=[(*both, LATER)], timing=[1, 6], moment=["part-way along the Move"],
                    distance=[20, 20, 20, 21], resist=[6])  # fmt: skip
    assert acted(script)[0].wounds(0) == 8


def test_an_attack_without_a_move_is_no_chance_to_react_from_too_far_away() -> None:
    game = table(GUN, AXE, sides=(0, 1), asked=True, rulings={"reaction-cw-move": "none"})
    script = Script(action=["Gun (RW R20 D1) at Axe"], distance=[9], hit=[6])
    state, _, script = acted(script, game)
    assert state.counters[game.reaction_counter(1)] == 1
    assert "reaction" not in [key for _, key in script.asked]


def test_miniatures_in_between_count_for_a_reaction_that_waits() -> None:
    script = Script(
        action=[THROUGH],
        reaction=[SHOT],
        timing=[6],
        distance=[(5, "Third")],
        sight=["Third"],
        between_1=[6],
        resist=[6],
    )
    state, *_ = acted(script)
    assert (state.wounds(0), state.wounds(2)) == (9, 8)


CHARGE = "Axe (CW R1 P1 D3) at Gun"


def test_a_distance_tells_the_line_after_a_free_move() -> None:
    script = Script(action=[CHARGE], distance=[(8, "through", "gap")], resist=[6])
    state, _, script = acted(script)
    keys = [key for _, key in script.asked]
    assert keys.index("distance") < keys.index("through 1") < keys.index("hit")
    assert not {"sight", "arrival"} & set(keys)
    assert next(each for each in script.questions if isinstance(each, Test) and each.key == "hit").need == 4
    assert state.wounds(1) == 6


def test_a_hidden_target_may_come_into_sight_by_the_free_move() -> None:
    script = Script(action=[CHARGE], distance=[(1, "hidden")], arrival=["in clear sight"], resist=[6])
    assert acted(script)[0].wounds(1) == 6
    still = Script(action=[CHARGE], distance=[(8, "hidden")])
    state, told, _ = acted(still)
    assert state.wounds(1) == 9
    assert any("wholly hidden" in str(line) for line in told)


def test_a_failed_body_test_cancels_only_where_the_move_stops_out_of_range() -> None:
    stopped: dict[str, Any] = {"action": [CHARGE], "through_1": [6]}
    assert acted(Script(**stopped, distance=[(8, "through"), 1], resist=[6]))[0].wounds(1) == 6
    assert acted(Script(**stopped, distance=[(8, "through"), 2]))[0].wounds(1) == 9


def test_whoever_is_charged_may_react_when_the_enemy_has_come_near() -> None:
    game = table(AXE, {**AXE, "name": "Other"}, sides=(0, 1), asked=True)
    script = Script(action=["Axe (CW R1 P1 D3) at Other"], reaction=[("Other with Axe", LATER)],
                    moment=["when it has hit"], distance=[8], resist=[6, 6])  # fmt: skip
    state, *_ = acted(script, game)
    assert (state.wounds(0), state.wounds(1)) == (8, 6)


def test_a_reaction_with_a_free_move_may_start_out_of_range() -> None:
    script = Script(action=[MOVE], reaction=[("Axe with Axe",)], distance=[8], resist=[6])
    game = table(GUN, AXE, sides=(0, 1), asked=True)
    assert acted(script, game)[0].wounds(0) == 8
    script = Script(action=[MOVE], reaction=[("Axe with Axe",)], distance=[12])
    assert acted(script, table(GUN, AXE, sides=(0, 1), asked=True))[0].wounds(0) == 9


WARD = {"name": "Ward", "type": "P", "range": 8, "effects": [{"for": "turn", "target": {"body": 2}}]}


def test_a_power_that_only_protects_takes_no_test_and_is_for_friends_and_oneself() -> None:
    priest = card("Priest", "M1 B1 S1 W5", weapons=[WARD])
    friend = card("Friend", "M3 B2 S3 W5")
    for whom, who, bodies in (("Friend", 1, 4), ("Priest", 0, 3)):
        game = table(priest, friend, GUN, sides=(0, 0, 1), asked=True)
        near = {} if whom == "Priest" else {"distance": [8]}
        script = Script(action=[f"Ward (P R8) at {whom}"], **near)
        state, _, script = acted(script, game)
        assert "hit" not in [key for _, key in script.asked]
        attack = AttackAction(2, who, "Gun", 5)
        assert resist_test(game, state, attack).need == bodies
        offered = [option for option in offers_of(script) if option.startswith("Ward")]
        assert offered == ["Ward (P R8) at Priest", "Ward (P R8) at Friend"]


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
    return next(each.options for each in script.questions if isinstance(each, Selection) and each.key == "action")


def test_what_applies_to_a_move_lasts_for_that_move() -> None:
    game = table(swimmer(FASTER), GUN, sides=(0, 1), asked=True)
    state, _, script = acted(Script(action=["Move through enemies, up to 14 cm"]), game)
    assert "Move up to 14 cm" in offers_of(script)
    assert next(each for each in script.questions if isinstance(each, Test)).need == 3
    assert state.mode.active_effects == ()


def test_a_free_move_goes_as_far_as_a_move() -> None:
    for distance in (15, 16):
        game = table(swimmer(FASTER), GUN, sides=(0, 1), asked=True)
        wound = {"resist": [6]} if distance == 15 else {}
        script = Script(action=[CHARGE], distance=[distance], **wound)
        assert acted(script, game)[0].wounds(1) == (6 if distance == 15 else 9)


def test_what_may_be_used_for_a_move_makes_a_free_move_possible() -> None:
    for answer, hit in (("yes", True), ("no", False)):
        game = table(swimmer(FASTER, once=True), GUN, sides=(0, 1), asked=True)
        wound = {"resist": [6]} if hit else {}
        script = Script(action=[CHARGE], distance=[15], use_Like_Water=[answer], **wound)
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
    for more in ({}, {"reaction": [(*SHOT, LATER)], "moment": ["when it has hit"]}):
        game = table(AXE, {**GUN, "abilities": ballast}, sides=(0, 1), asked=True)
        script = Script(action=[CHARGE], distance=[1], **more)
        _, _, script = acted(script, game)
        needs = [
            each.need
            for each in script.questions
            if isinstance(each, Test) and each.key == "resist" and each.who == "Gun"
        ]
        assert needs == [5]


def test_a_diverted_attack_is_measured_and_recorded_for_its_new_target() -> None:
    cloak = {"when": "attacked", "if": {"range_over": 12}, "attacker": {"mind": -1}}
    cloaked = {**THIRD, "name": "Cloaked", "abilities": [{"name": "Cloak", "effects": [cloak]}]}
    for distance, need in ((12, 5), (13, 4)):
        game = table(GUN, {**THIRD, "name": "Far"}, cloaked, sides=(0, 1, 1), asked=True)
        script = Script(action=["Gun (RW R20 D1) at Far"], distance=[(20, "Cloaked"), distance], between_1=[6],
                        resist=[6])  # fmt: skip
        state, _, script = acted(script, game)
        assert next(each for each in script.questions if isinstance(each, Test) and each.key == "hit").need == need
        events = {(event.kind, event.subject, event.distance) for event in state.mode.events}
        events -= {("aim", 1, 20), ("done", 1, None)}
        assert {("attack", 2, distance), ("hit", 2, distance), ("damage", 2, distance)} == events


def test_a_diverted_attack_may_need_sight_of_its_own() -> None:
    game = table(GUN, AXE, THIRD, sides=(0, 1, 1), asked=True, rulings={"diverted-sight": "own"})
    script = Script(action=["Gun (RW R20 D1) at Axe"], distance=[(20, "Third"), (9, "hidden")], between_1=[6])
    state, told, _ = acted(script, game)
    assert "not possible: Third is wholly hidden" in told
    assert [event.kind for event in state.mode.events] == ["aim", "done"]


LAMP = [{"name": "Lamp", "effects": [{"if": {"range_within": 8}, "friends": {"spirit": 1, "body": 1}}]}]


def test_auras_reach_reactions_and_new_targets() -> None:
    """The lamp is near: +1 to time a Reaction with a Power and to hit with it, +1 Body for whoever is in between."""
    lamp, caster = card("Lamp", "M3 B3 S3 W5", abilities=LAMP), card("Caster", "M3 B3 S3 W5", "Hex: P R20 D1")
    game = table(GUN, lamp, caster, sides=(0, 1, 1), asked=True)
    answers = {"near_Caster": ["yes"], "distance": [5]}
    _, _, script = acted(Script(action=[MOVE], reaction=[("Caster with Hex",)], **answers), game)
    needs = {each.key: each.need for each in script.questions if isinstance(each, Test) and each.who == "Caster"}
    assert needs == {"timing": 4, "hit": 4}
    game = table(GUN, lamp, caster, sides=(0, 1, 1), asked=True)
    shot = {"action": ["Gun (RW R20 D1) at Lamp"], "between_1": [6]}
    _, _, script = acted(Script(**shot, distance=[(9, "Caster")], near_Caster=["yes"]), game)
    assert next(each for each in script.questions if isinstance(each, Test) and each.key == "resist").need == 4


def test_a_free_move_may_lead_past_a_gap() -> None:
    for choice, need in (("yes", 5), ("no", 4)):
        script = Script(action=[CHARGE], distance=[(1, "gap")], free_move=[choice])
        _, _, script = acted(script)
        assert next(each for each in script.questions if isinstance(each, Test) and each.key == "hit").need == need
