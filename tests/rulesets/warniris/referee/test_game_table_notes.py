"""What a battle remembers, what it does not ask again, and how much it asks in all."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.referee.play import Event, InvalidAnswerError, LogEntry, play
from cardgen.referee.requests import Decision, Question, Selection
from cardgen.rulesets.warniris.battle.activation import activate
from cardgen.rulesets.warniris.battle.reactions import DECLINED, LATER
from cardgen.rulesets.warniris.referee.effects import start_effects
from cardgen.rulesets.warniris.referee.game import Game, MiniatureStatus, SightLine, Span, TableNotes
from tests.rulesets.warniris.battle.test_activation import Script
from tests.rulesets.warniris.referee.fights import card, case, samples, table, warband
from tests.rulesets.warniris.referee.table_player import TablePlayer, answers_by_turn

GUN = "Gun: RW R20 D1"
PLAYS = 6
MOST_BATTLE_ANSWERS, MOST_LAST_STAND_ANSWERS = 33, 60


def test_a_span_widens_by_moves_and_narrows_by_answers() -> None:
    span = Span(10, 10)
    assert span.decides([9, 10])
    assert span.widened(5) == Span(4, 16)
    assert not span.widened(5).decides([10])
    assert Span(4, 16).narrowed(high=8) == Span(4, 8)
    assert Span(4, 16).narrowed(low=20) == Span(20, 73)
    assert Span().widened(80) == Span(0, 73)


def test_a_move_changes_the_distances_of_the_mover_and_every_line() -> None:
    notes = TableNotes()
    notes.set_span(0, 1, Span(10, 10))
    notes.set_span(1, 2, Span(7, 7))
    notes.set_line(0, 1, SightLine(between=(3, 2)))
    assert notes.line(1, 0) == SightLine(between=(2, 3))
    notes.move(2, 3)
    assert (notes.span(1, 0), notes.span(2, 1)) == (Span(10, 10), Span(3, 11))
    assert notes.line(0, 1) is None
    notes.forget([1])
    assert notes.span(0, 1) == Span()


def shooters(*cards: dict[str, Any], sides: tuple[int, ...] = (0, 1), **more: Any) -> Game:
    return table(*cards, sides=sides, asked=True, **more)


def keys_of(script: Script) -> list[str]:
    return [key for _, key in script.asked]


def take(game: Game, script: Script, actions: int = 2, who: int = 0) -> tuple[Any, list[str]]:
    told: list[LogEntry] = []
    state = play(activate(game, game.initial_state(), who, actions), script, told.append)
    return state, [each for each in told if not isinstance(each, Event)]


A, B = card("A", "M5 B3 S3 W9", GUN), card("B", "M3 B3 S3 W9", GUN)
SHOOT = "Gun (RW R20 D1) at B"


def test_a_second_attack_is_not_measured_again() -> None:
    script = Script(action=[SHOOT, SHOOT], distance=[(12, "gap")])
    take(shooters(A, B), script)
    assert keys_of(script).count("distance") == 1
    assert "sight" not in keys_of(script)
    hits = [question for question in script.questions if question.key == "hit"]
    assert [question.need for question in hits] == [4, 4]  # type: ignore[union-attr]


def test_after_a_move_the_distance_is_asked_where_it_matters() -> None:
    script = Script(action=[SHOOT, "Move up to 10 cm", SHOOT], distance=[(5,)])
    take(shooters(A, B), script, actions=3)
    assert keys_of(script).count("distance") == 1, "from 5 cm, a Move of 10 cm stays in Range"
    assert keys_of(script).count("sight") == 1, "but the line may have changed"
    script = Script(action=[SHOOT, "Move up to 10 cm", SHOOT], distance=[(15,), (21,)])
    take(shooters(A, B), script, actions=3)
    assert keys_of(script).count("distance") == 2


def test_who_is_too_far_away_is_not_offered() -> None:
    near, far = (card(name, "M3 B3 S3 W9", "Knife: RW R5 D1") for name in ("Near", "Far"))
    game = shooters(A, near, far, sides=(0, 1, 1))
    game.notes.set_span(0, 2, Span(18, 18))
    script = Script(action=["Gun (RW R20 D1) at Near"])
    take(game, script, actions=1)
    (offer,) = [question for question in script.questions if question.key == "reaction"]
    assert isinstance(offer, Selection)
    assert offer.options == ("Near with Knife", LATER, *DECLINED)
    game.notes.reset()
    game.notes.set_span(0, 2, Span(35, 35))
    script = Script()
    take(game, script, actions=1)
    (menu,) = [question for question in script.questions if isinstance(question, Selection)]
    assert not any("Far" in option for option in menu.options)


def test_nobody_else_is_a_decision_for_a_while() -> None:
    for until, asked in (("activation", 1), ("turn", 1)):
        game = shooters(A, B)
        words = {"activation": "nobody else in this Activation", "turn": "nobody else in this turn"}[until]
        script = Script(action=[SHOOT, SHOOT], reaction=[(words,)], distance=[5])
        take(game, script)
        assert keys_of(script).count("reaction") == asked
        game.notes.end_window("activation")
        assert game.notes.declines(1) is (until == "turn")
        game.notes.end_window("turn")
        assert not game.notes.declines(1)


def ability(effect: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    return [{"name": "Gift", "effects": [effect], **more}]


def asked_at(game: Game, trigger: str, wounds: tuple[int, ...], **answers: Any) -> tuple[list[Question], Any]:
    script = Script(**answers)
    state = play(start_effects(game, game.initial_state(wounds), trigger, (0,)), script, lambda _: None)
    return script.questions, state


def test_healing_asks_about_the_hurt_only() -> None:
    healer = card("Healer", "M3 B3 S3 W9", GUN, abilities=ability(
        {"when": "turn_start", "if": {"range_within": 10}, "friends": {"heal": 1}}))  # fmt: skip
    game = shooters(healer, A, B, {**A, "name": "C"}, sides=(0, 0, 1, 0))
    assert asked_at(game, "turn_start", (9, 9, 9, 9))[0] == []
    (one,), _ = asked_at(game, "turn_start", (9, 8, 9, 9))
    assert isinstance(one, Decision)
    game.notes.reset()
    (both,), state = asked_at(game, "turn_start", (9, 8, 9, 7), near=[("C",)])
    assert isinstance(both, Selection)
    assert both.options == ("A", "C")
    assert state.counters[:4] == (9, 8, 9, 8)
    assert game.notes.span(0, 3) == Span(0, 10)
    again, state = asked_at(game, "turn_start", (9, 8, 9, 7))
    assert (again, state.counters[:4]) == ([], (9, 8, 9, 8))


def test_an_aura_is_asked_where_its_number_is_looked_at() -> None:
    lamp = card("Lamp", "M3 B3 S3 W9", abilities=ability({"if": {"range_within": 8}, "friends": {"spirit": 1}}))
    bolt = {"name": "Bolt", "type": "P", "range": 20, "damage": 1}
    mage = card("Mage", "M3 B3 S3 W9", GUN, weapons=[bolt])
    for chosen, asked in ((SHOOT, 0), ("Bolt (P R20 D1) at B", 1)):
        script = Script(action=[chosen], distance=[10])
        take(shooters(mage, lamp, B, sides=(0, 0, 1)), script, actions=1)
        assert sum(key.startswith("near") for key in keys_of(script)) == asked


def test_a_thing_for_once_is_in_the_menu() -> None:
    drugs = card("A", "M3 B3 S3 W9", GUN, abilities=ability(
        {"when": "activation_start", "for": "turn", "bearer": {"mind": 1}}, once=True))  # fmt: skip
    script = Script(action=["use Gift", SHOOT], distance=[10])
    take(shooters(drugs, B), script)
    menus = [question.options for question in script.questions if question.key == "action"]  # type: ignore[union-attr]
    assert [("use Gift" in options) for options in menus] == [True, False, False]
    assert next(each for each in script.questions if each.key == "hit").need == 4  # type: ignore[union-attr]
    drink = card(
        "A", "M3 B3 S3 W9", GUN, abilities=ability({"when": "activation_start", "bearer": {"heal": 2}}, once=True)
    )
    script = Script()
    take(shooters(drink, B), script)
    assert "use Gift" not in script.questions[0].options  # type: ignore[union-attr]


@pytest.mark.parametrize("limit", [True, "turn"])
def test_a_thing_for_once_cannot_be_chosen_twice_in_a_menu(limit: bool | str) -> None:
    drugs = card("A", "M3 B3 S3 W9", GUN, abilities=ability(
        {"when": "activation_start", "for": "turn", "bearer": {"mind": 1}}, once=limit))  # fmt: skip
    with pytest.raises(InvalidAnswerError, match="repeated option 'use Gift'"):
        take(shooters(drugs, B), Script(action=[("use Gift", "use Gift", SHOOT)]))
    script = Script(action=[("use Gift", SHOOT, SHOOT)], distance=[10])
    told = take(shooters(drugs, B), script)[1]
    assert sum("holds until" in str(line) for line in told) == 1


@pytest.mark.parametrize(("limit", "offered"), [(True, [True, False, False]), ("turn", [True, False, True])])
def test_what_was_used_is_gone_for_the_turn_or_the_battle(limit: bool | str, offered: list[bool]) -> None:
    gift = {"when": "activation_start", "for": "turn", "bearer": {"mind": 1}}
    game = shooters(card("A", "M3 B3 S3 W9", GUN, abilities=ability(gift, once=limit)), B)
    state, menus = game.initial_state(), []
    for used, is_last in ((True, False), (False, True), (False, False)):
        script = Script(action=[("use Gift",)] * used)
        state = play(activate(game, state, 0, 1), script, list[LogEntry]().append)
        menus.append("use Gift" in script.questions[0].options)  # type: ignore[union-attr]
        state = state.set_status(0, MiniatureStatus()) if is_last else state
    assert menus == offered


def counts(enemy: str, seed: int, **more: Any) -> tuple[list[int], TablePlayer]:
    trial = case("battle", a=warband("The Ashen Oath"), b=warband(enemy), **more)
    player = TablePlayer(trial, seed)
    player.play(trial)
    return list(answers_by_turn(player)), player


@pytest.mark.parametrize("more", [{}, {"missions": tuple(samples("mission"))}], ids=["alone", "missions"])
def test_a_battle_takes_few_answers_and_remembers_the_truth(more: dict[str, Any]) -> None:
    turns, checked, reports = [], 0, 0
    for seed in range(PLAYS):
        answers, player = counts("The Drowned Court", seed, **more)
        turns += answers
        checked += player.checked
        reports += player.keys["report"]
    assert sum(turns) / len(turns) <= MOST_BATTLE_ANSWERS
    assert checked > 1000
    assert reports == (len(turns) if more else 0), "both sides report once a turn"


@pytest.mark.parametrize("seed", range(PLAYS))
def test_a_turn_of_a_last_stand_takes_few_answers(seed: int) -> None:
    assert max(counts("The Grey Levy", seed)[0]) <= MOST_LAST_STAND_ANSWERS
