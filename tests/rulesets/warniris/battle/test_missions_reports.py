"""What players report for missions: asked of both alike, and refused where the record contradicts it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from cardgen.referee.play import Event, InvalidAnswerError, LogEntry, play
from cardgen.referee.requests import Question
from cardgen.rulesets.warniris.battle.missions import (
    QUESTION,
    MissionHands,
    objective_in_force,
    report_words,
    reports_of,
    take_reports,
)
from cardgen.rulesets.warniris.cards import Earn, Mission
from cardgen.rulesets.warniris.referee.conditions import LogEvent
from cardgen.rulesets.warniris.referee.game import State
from tests.rulesets.warniris.battle.test_missions_goals import AMBUSH, BACK, SHOT, event, four, goal
from tests.rulesets.warniris.referee.fights import sample, samples

SIDES = ("Oath", "Court")
MOVE = event("move", 0, move=1)


def words(name: str, **rulings: str) -> str:
    return report_words(four(**rulings), Earn.model_validate(goal(name)))


def missions(*names: str) -> list[Mission]:
    return [Mission.model_validate({k: v for k, v in sample("mission", each).items() if k != "kind"}) for each in names]


def report(
    name: str, side: str, *events: LogEvent, fallen: Iterable[int] = (), **rulings: str
) -> tuple[State, list[str]]:
    """The state after a report, and what was told."""
    game = four(**rulings)
    start = game.initial_state(tuple(0 if who in fallen else 4 for who in range(4)))
    start = State(start.mode._replace(turn=1, events=events), start.counters)
    told: list[LogEntry] = []

    def answer(_: str, question: Question) -> Any:
        return (f"{side}: {words(name, **rulings)}",)

    state = play(take_reports(game, start, SIDES, reports_of(game, missions(name))), answer, told.append)
    assert sum(isinstance(each, Event) for each in told) == 1, "both sides report in one answer"
    return state, [each for each in told if isinstance(each, str)]


def test_five_missions_of_the_kit_need_a_report() -> None:
    names = [each["name"] for each in samples("mission")]
    reports = reports_of(four(), missions(*names))
    assert len(reports) == 5
    assert not any(report.asks_who for report in reports.values())
    assert not any(name in words for words in reports for name in names)


@pytest.mark.parametrize(
    ("name", "events"),
    [
        ("Tactical Dominance", []),
        ("Masterful Maneuver", [MOVE]),
        ("Artillery Supremacy", [SHOT]),
        ("Guerrilla Tactics", [AMBUSH, BACK]),
        ("Tactical Retreat", [MOVE]),
    ],
)
def test_what_is_reported_is_recorded(name: str, events: list[LogEvent]) -> None:
    state, told = report(name, "Oath", *events, mission_14_type="rw")
    assert not told
    (recorded,) = (each for each in state.mode.events if each.reports)
    assert recorded.reports == (words(name, mission_14_type="rw"),)
    assert recorded.actor == 0


@pytest.mark.parametrize(
    ("name", "side", "events", "reason"),
    [
        ("Masterful Maneuver", "Oath", [], "no Character of Oath has Moved in this turn"),
        ("Masterful Maneuver", "Court", [MOVE], "no Character of Court has Moved in this turn"),
        ("Masterful Maneuver", "Oath", [MOVE._replace(turn=2)], "no Character of Oath has Moved in this turn"),
        ("Tactical Retreat", "Oath", [MOVE, event("hit", 2, 0)], "has Moved in this turn without being hit"),
        ("Artillery Supremacy", "Oath", [SHOT._replace(weapon="CW")], "Characters Damages an enemy with an RW"),
        ("Artillery Supremacy", "Oath", [SHOT._replace(turn=2)], "not on record for Oath in this turn"),
        ("Artillery Supremacy", "Court", [SHOT], "not on record for Court in this turn"),
        ("Guerrilla Tactics", "Oath", [AMBUSH], "then Moves back into cover"),
        ("Guerrilla Tactics", "Oath", [BACK, AMBUSH], "then Moves back into cover"),
        ("Guerrilla Tactics", "Oath", [AMBUSH._replace(weapon="P"), BACK], "Attacks an enemy with an RW"),
    ],
)  # fmt: skip
def test_what_the_record_contradicts_is_refused(name: str, side: str, events: list[LogEvent], reason: str) -> None:
    state, (told,) = report(name, side, *events, mission_14_type="rw")
    assert told.startswith("refused: ")
    assert reason in told
    assert state.mode.events == tuple(events)


def test_nobody_is_at_the_center_when_nobody_is_left() -> None:
    _, told = report("Tactical Dominance", "Oath", fallen=(0, 1))
    assert told == ["refused: Oath has no Character left"]


def test_the_same_is_not_reported_twice() -> None:
    game = four()
    option = f"Oath: {words('Tactical Dominance')}"
    procedure = take_reports(game, game.initial_state(), SIDES, reports_of(game, missions("Tactical Dominance")))
    with pytest.raises(InvalidAnswerError, match="repeated option"):
        play(procedure, lambda *_: (option, option), lambda _: None)


def test_who_it_was_is_asked_only_where_it_matters() -> None:
    twice = Mission.model_validate({"name": "A", "vp": 1, "earn": {**goal("Masterful Maneuver"), "count": 2}})
    game = four()
    start = game.initial_state()
    start = State(start.mode._replace(turn=1, events=(MOVE, MOVE._replace(actor=1, move=2))), start.counters)
    told: list[LogEntry] = []
    answers = iter(((f"Oath: {words('Masterful Maneuver')}",), ("b",)))
    state = play(take_reports(game, start, SIDES, reports_of(game, [twice])), lambda *_: next(answers), told.append)
    asked = [each.question for each in told if isinstance(each, Event)]
    assert [each.key for each in asked] == ["report", "who"]
    assert asked[1].bounds == (1, 2), "somebody did it"  # type: ignore[union-attr]
    assert [each.actor for each in state.mode.events if each.reports] == [1]


def test_attacks_that_are_alike_are_told_apart() -> None:
    twice = Mission.model_validate({"name": "A", "vp": 1, "earn": {**goal("Artillery Supremacy"), "count": 2}})
    game = four(mission_14_type="rw")
    start = game.initial_state()
    start = State(start.mode._replace(turn=1, events=(SHOT, SHOT)), start.counters)
    given = iter(((f"Oath: {words('Artillery Supremacy')}",), ("a at c", "a at c, number 2")))
    state = play(take_reports(game, start, SIDES, reports_of(game, [twice])), lambda *_: next(given), lambda _: None)
    assert all(each.reports for each in state.mode.events)


def deal(hands: tuple[str, str], deck: tuple[str, ...], reported: tuple[str, ...], *events: LogEvent) -> list[str]:
    """What is on the screen at the end of a turn, for two hands of one mission each."""
    cards = missions(*deck)
    game = four()
    play_hands = MissionHands(tuple(cards), SIDES)
    for side, name in enumerate(hands):
        play_hands._hands[side].extend(each for each in cards if each.name == name)
    start = game.initial_state()
    start = State(start.mode._replace(turn=1, events=events), start.counters)
    told: list[LogEntry] = []
    play(play_hands.score(game, start, "turn"), lambda *_: reported, told.append)
    return [str(each) for each in told]


def test_the_questions_do_not_depend_on_the_hands() -> None:
    deck = ("Masterful Maneuver", "Tactical Retreat", "Hero Vanguard", "Killing Rampage")
    answers = (f"Court: {words('Tactical Retreat')}",)
    screens = {tuple(deal((mine, theirs), deck, answers, MOVE)) for mine in deck for theirs in deck if mine != theirs}
    assert len(screens) == 1
    assert QUESTION in str(screens)


def test_a_report_scores_for_whoever_holds_the_mission() -> None:
    deck = ("Masterful Maneuver", "Tactical Retreat")
    answers = (f"Oath: {words('Masterful Maneuver')}",)
    assert "Oath scores Masterful Maneuver: 3 VP" in deal(deck, deck, answers, MOVE)
    assert not any("scores" in each for each in deal(("Tactical Retreat", "Masterful Maneuver"), deck, answers, MOVE))


def test_a_mission_of_words_alone_is_reported_by_them() -> None:
    wordy = Mission.model_validate({"name": "Wake", "vp": 2, "text": "Sing for the fallen."})
    assert list(reports_of(four(), [wordy])) == ["Sing for the fallen."]
    hands = MissionHands((wordy,), SIDES)
    hands._hands[1].append(wordy)
    game = four()
    told: list[LogEntry] = []
    answer = ("Court: Sing for the fallen.",)
    state = play(hands.score(game, game.initial_state(), "turn"), lambda *_: answer, told.append)
    assert told[-1] == "Court scores Wake: 2 VP"
    assert game.vp(state) == (0, 2)
    assert play(hands.score(game, state, "turn"), lambda *_: "never", told.append) == state, "it is out: no question"


@pytest.mark.parametrize(
    ("ruling", "weapon"), [("cw", "with a CW"), ("rw", "with an RW"), ("any", "with a CW or an RW")]
)
def test_a_ruling_names_the_weapon(ruling: str, weapon: str) -> None:
    assert f" from cover {weapon}, " in words("Guerrilla Tactics", mission_14_type=ruling)
    _, (told,) = report("Guerrilla Tactics", "Oath", mission_14_type=ruling)
    assert f" {weapon}, " in told


@pytest.mark.parametrize(
    ("ruling", "when"),
    [("turn-end", "at the end of the turn"), ("throughout", "from the beginning to the end of the turn")],
)
def test_a_ruling_says_how_long_the_center_must_be_held(ruling: str, when: str) -> None:
    assert words("Tactical Dominance", mission_2_check=ruling).endswith(f", {when}")


@pytest.mark.parametrize(
    ("text", "earn"),
    [
        ("Kill at least three foes in a single turn.", {"event": "eliminate", "count": 3, "in": "turn"}),
        ("Kill at least three foes in a single turn. Then sing.", None),
        ("Sing.", None),
    ],
)
def test_a_mission_whose_text_was_read_is_scored_from_the_record(text: str, earn: dict[str, Any] | None) -> None:
    mission = objective_in_force(Mission.model_validate({"name": "X", "vp": 3, "text": text}))
    assert mission.earn == (earn and Earn.model_validate(earn))
    assert [*reports_of(four(), [mission])] == ([] if earn else [text])


def test_a_mission_with_an_objective_keeps_it() -> None:
    data = {"name": "X", "vp": 3, "text": "Attack an enemy.", "earn": {"event": "damage"}}
    assert objective_in_force(Mission.model_validate(data)).earn == Earn.model_validate({"event": "damage"})
