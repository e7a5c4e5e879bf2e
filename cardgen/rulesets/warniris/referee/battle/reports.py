"""What players report for missions: what happened on the table that the record of a battle cannot tell.

Whoever holds the missions, the questions are the same: they follow from the deck and from what everybody has seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

from cardgen.game import Log, Procedure, Selection
from cardgen.rulesets.warniris.cards import Mission
from cardgen.rulesets.warniris.earn import REPORTED_EVENTS, Earn
from cardgen.rulesets.warniris.referee.battle.event_log import LogEvent
from cardgen.rulesets.warniris.referee.battle.goals import matching_events, report_words, reported_part, ruled_sentence
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.state import State

QUESTION = "which of these happened in this turn, whoever may hold the Mission"
TEXT_EVENT = "text"
# An event with its number in the record, or without one if it is new.
NumberedEvent: TypeAlias = tuple[int | None, LogEvent]


class Report(NamedTuple):
    """Something that players may report: a part of an objective, or None for the text of a mission without one.

    `asks_who` is true if it matters who did it.
    """

    goal: Earn | None
    asks_who: bool = False


def reports_of(game: Game, missions: Iterable[Mission]) -> dict[str, Report]:
    """Return the reports that may score one of these missions, by their words; equal ones are merged."""
    reports: dict[str, Report] = {}
    for mission in missions:
        goal = mission.earn
        if goal is None:
            reports[mission.text or mission.name] = Report(None)
        elif goal.is_reported:
            words = report_words(game, goal)
            asks_who = goal.count > 1 or (words in reports and reports[words].asks_who)
            reports[words] = Report(reported_part(goal), asks_who)
    return reports


def take_reports(game: Game, state: State, sides: tuple[str, str], reports: Mapping[str, Report]) -> Procedure[State]:
    """Ask both players at once what has happened in a turn; refuse what the record contradicts."""
    options = {f"{who}: {words}": (side, words) for side, who in enumerate(sides) for words in reports}
    for chosen in (yield Selection("report", "both players", QUESTION, tuple(options))):
        side, words = options[chosen]
        state = yield from _take_report(game, state, side, sides[side], words, reports[words])
    return state


def _take_report(game: Game, state: State, side: int, who: str, words: str, report: Report) -> Procedure[State]:
    possible = possible_events(game, state, side, report.goal)
    if not possible:
        yield Log("refused: {}", (_contradiction(game, who, report.goal),))
        return state
    by_label = _by_label(game, possible)
    labels: tuple[str, ...] = tuple(by_label)[:1]
    if report.asks_who and len(by_label) > 1:
        labels = yield Selection("who", who, f"who was it ({words})", tuple(by_label))
    for number, event in map(by_label.__getitem__, labels):
        state = _record(state, number, event._replace(reports=(*event.reports, words)))
    return state


def _record(state: State, number: int | None, event: LogEvent) -> State:
    """The state with a new event, or with a reported one in place of an earlier one."""
    if number is None:
        return state.add_events(event)
    events = state.mode.events
    return State(state.mode._replace(events=(*events[:number], event, *events[number + 1 :])), state.counters)


def _by_label(game: Game, events: Iterable[NumberedEvent]) -> dict[str, NumberedEvent]:
    """Return the events by who did them to whom; those that are alike by how many there were."""
    by_label: dict[str, NumberedEvent] = {}
    for number, event in events:
        at = "" if event.subject is None else f" at {game.name(event.subject)}"
        label = f"{game.name(event.actor)}{at}"
        count = sum(each == label or each.startswith(f"{label}, number ") for each in by_label)
        by_label[f"{label}, number {count + 1}" if count else label] = (number, event)
    return by_label


def possible_events(game: Game, state: State, side: int, goal: Earn | None) -> list[NumberedEvent]:
    """What a report may mean in this turn: events on record with their numbers, and new ones without."""
    turn = state.mode.turn
    if goal is not None and goal.event not in REPORTED_EVENTS:
        return [each for each in matching_events(game, state, side, goal) if each[1].turn == turn]
    kind = goal.event if goal else TEXT_EVENT
    actors = _possible_actors(game, state, side, kind)
    return [(None, LogEvent(kind, who, None, "", None, turn)) for who in actors]


def _possible_actors(game: Game, state: State, side: int, kind: str) -> list[int]:
    """Who of a side may have done in this turn what players report."""
    mine = [who for who, each in enumerate(game.sides) if each == side]
    if kind == TEXT_EVENT:
        return mine[:1]
    if kind == "control":
        return [who for who in mine if state.stands(who)][:1]
    moved = {event.actor for event in _events_of_turn(state, "move")}
    hit = {event.subject for event in _events_of_turn(state, "hit")}
    unhurt = [who for who in mine if kind != "retreat" or (who not in hit and state.stands(who))]
    return [who for who in unhurt if who in moved]


def _events_of_turn(state: State, kind: str) -> list[LogEvent]:
    return [event for event in state.mode.events if event.kind == kind and event.turn == state.mode.turn]


def _contradiction(game: Game, who: str, goal: Earn | None) -> str:
    """Return why the record contradicts a report."""
    event = goal.event if goal else TEXT_EVENT
    if goal is None or event == "control":
        return f"{who} has no Character left"
    if event in REPORTED_EVENTS:
        return f"no Character of {who} has Moved in this turn{' without being hit' if event == 'retreat' else ''}"
    deed = ruled_sentence(game, goal.model_copy(update={"origin": None})).removesuffix(".")
    return f"not on record for {who} in this turn: {deed[0].lower()}{deed[1:]}"
