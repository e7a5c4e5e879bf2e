"""What each page is sent: nothing of the secrets of others."""

from __future__ import annotations

import json

import pytest

from cardgen.referee.requests import Scoreboard, SideStatus, UnitStatus
from cardgen.studio.play.seats import SCREEN, BattleState, QuestionState, Seating, battle_view

CHOICES = ("Feint", "Charge!")
SECRETS = {"Oath": ("hold the hill",), "Court": ("burn the mill",)}
SIDES = tuple(SideStatus(name, "1 VP", (UnitStatus(f"{name} Guard", "2/3"),)) for name in SECRETS)


def _state(question: QuestionState | None) -> BattleState:
    board = Scoreboard("Turn 1", SIDES)
    log = (("    Turn 1", "told"), ("Oath: command card: chosen, unseen", "event"))
    outcome = () if question else ("Oath wins",)
    title, sides = "Oath against Court", tuple(SECRETS)
    return BattleState(title, "a.jsonl", 3, sides, board, log, question, SECRETS, outcome, (), "ff", can_undo=True)


@pytest.fixture
def seating() -> Seating:
    return Seating(tuple(SECRETS))


def test_a_secret_choice_is_sent_to_its_side_alone(seating: Seating) -> None:
    state = _state(QuestionState("seal", "Court: command card", 1, CHOICES))
    sent = {place: json.dumps(battle_view(state, seating, place)) for place in ("1", "2", SCREEN)}
    for choice in CHOICES:
        assert [place for place, text in sent.items() if choice in text] == ["2"]
    assert battle_view(state, seating, "2")["question"]["mine"] is True
    others = {"kind": "seal", "text": "Court: command card", "side": 1, "mine": False}
    assert [battle_view(state, seating, place)["question"] for place in ("1", SCREEN)] == [others, others]


def test_a_secret_choice_of_nobody_known_is_sent_to_nobody(seating: Seating) -> None:
    state = _state(QuestionState("seal", "command card", None, CHOICES))
    assert not any(CHOICES[0] in json.dumps(battle_view(state, seating, place)) for place in ("1", "2", SCREEN))


def test_hands_and_codes_are_sent_to_their_side_alone(seating: Seating) -> None:
    state = _state(QuestionState("choose", "Oath: who acts", 0, ("Oath Guard",)))
    sent = {place: json.dumps(battle_view(state, seating, place)) for place in ("1", "2", SCREEN)}
    for text, place in (("hold the hill", "1"), ("burn the mill", "2"), (seating.code, SCREEN)):
        assert [each for each, data in sent.items() if text in data] == [place]
    for place in ("1", "2"):
        assert [each for each, data in sent.items() if seating.seats[place].code in data] == [place]


def test_open_questions_are_shown_to_all_and_asked_of_one(seating: Seating) -> None:
    state = _state(QuestionState("choose", "Oath: who acts", 0, ("Oath Guard",)))
    views = [battle_view(state, seating, place) for place in ("1", "2", SCREEN)]
    assert [view["question"]["mine"] for view in views] == [True, False, False]
    assert all(view["question"]["options"] == ["Oath Guard"] for view in views)
    assert [view["canUndo"] for view in views] == [True, True, False]
    anybody = _state(QuestionState("measure", "how far", None, high=40))
    mine = [battle_view(anybody, seating, place)["question"]["mine"] for place in ("1", "2", SCREEN)]
    assert mine == [True, True, False]


def test_the_end_shows_the_outcome_and_no_code(seating: Seating) -> None:
    seating.is_over = True
    view = battle_view(_state(None), seating, SCREEN)
    assert (view["question"], view["outcome"], view["code"]) == (None, ["Oath wins"], "")
    assert battle_view(_state(None), seating, "1")["canUndo"] is False
