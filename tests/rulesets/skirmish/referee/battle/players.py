"""Scripted players, warbands, and battles for the tests of the match tracker."""

from __future__ import annotations

import random
from typing import Any

from cardgen.referee.play import Event, LogEntry, play
from cardgen.referee.requests import Decision, MarkedMeasurement, Measurement, Question, Roll, Selection
from cardgen.referee.trial import PreparedTrial
from cardgen.rulesets.skirmish.referee.battle.table import Model, Table
from cardgen.rulesets.skirmish.referee.warrior import Warrior
from tests.rulesets.skirmish.referee.fights import card, case, terms, warrior

BOW_CARD = {"kind": "weapon", "name": "Bow", "range": 24, "strength": 3}


def band(name: str, *members: Any, **keys: Any) -> dict[str, Any]:
    """Return a warband of some cards."""
    return {"kind": "warband", "name": name, "members": [{"card": each} for each in members], **keys}


REDS = band("Reds", card("Rhea", ld=8, ws=4, i=4), *(card("Rook") for _ in range(3)), card("Rill", weapons=[BOW_CARD]))
BLUES = band("Blues", card("Bern", ld=8, w=2), *(card("Bole") for _ in range(3)), card("Brim", weapons=[BOW_CARD]))


def battle(scenario: dict[str, Any] | None = None, rulings: dict[str, str] | None = None, **keys: Any) -> PreparedTrial:
    """Return a battle of two small warbands."""
    values = {"a": REDS, "b": BLUES, **keys}
    return case(
        "battle", rulings, scenario={"kind": "scenario", "name": "S", **scenario} if scenario else None, **values
    )


class Script:
    """Answers by key: a list that is used up in order, or one answer for all.

    Without an answer, decisions take their last option, selections nothing, and measurements the least; a
    number chooses the floor of this height, or else another height. Dice come from
    `dice`, or show `face`.
    """

    def __init__(self, face: int = 1, dice: list[int] | None = None, **answers: Any) -> None:
        self.answers = {key: [*each] if isinstance(each, list) else each for key, each in answers.items()}
        self.face, self.dice = face, dice or []
        self.asked: list[Question] = []

    def __call__(self, path: str, question: Question) -> Any:
        self.asked.append(question)
        if isinstance(question, Roll):
            return min(question.sides, self.dice.pop(0) if self.dice else self.face)
        given = self.answers.get(question.key)
        if isinstance(given, list):
            given = given.pop(0) if given else None
        if isinstance(question, Selection):
            return tuple(_option(question, each) for each in given or ())
        if isinstance(question, MarkedMeasurement):
            return (question.low,) if given is None else given
        if isinstance(question, Measurement):
            return question.low if given is None else given
        if isinstance(given, int) and isinstance(question, Decision):
            named = [option for option in question.options if option.endswith(f', {given}"')]
            return named[0] if named else question.options[-1]
        return _option(question, given) if given else _refusal(question)

    def asked_keys(self) -> list[str]:
        """Return the keys of all questions that were asked."""
        return [each.key for each in self.asked]

    def of(self, key: str) -> list[Any]:
        """Return the questions of a key."""
        return [each for each in self.asked if each.key == key]


def _option(question: Any, given: str) -> str:
    matches = [option for option in question.options if option.startswith(given)]
    assert matches, f"{given!r} is not in {question.options} of {question.what}"
    return str(matches[0])


def _refusal(question: Any) -> str:
    for answer in ("nobody", "no", "neither", "stays", "holds"):
        if match := [option for option in question.options if option.startswith(answer)]:
            return str(match[0])
    return str(question.options[0])


class Player:
    """Plays by chance: charges often, shoots, and rarely does anything odd."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.asked: list[Question] = []

    def __call__(self, path: str, question: Question) -> Any:
        if isinstance(question, Roll):
            return self.dice.randint(1, question.sides)
        self.asked.append(question)
        if isinstance(question, Selection):
            return tuple(each for each in question.options if self.dice.random() < 0.3)
        if isinstance(question, Measurement):
            return question.low if self.dice.random() < 0.6 else self.dice.randint(question.low, question.high)
        if isinstance(question, MarkedMeasurement):
            return (self.dice.randint(1, 24), *(mark for mark in question.marks[:1] if self.dice.random() < 0.3))
        assert isinstance(question, Decision)
        if question.key in ("off", "friend", "nearest", "step") and self.dice.random() < 0.8:
            return question.options[-1]
        return self.dice.choice(question.options)


def played(matter: PreparedTrial, player: Any) -> tuple[Any, list[LogEntry]]:
    """Return the outcome of a battle and its log entries."""
    log: list[LogEntry] = []
    return play(matter.start(), player, log.append), log


def texts(log: list[LogEntry]) -> list[str]:
    """Return the log entries that are text."""
    return [each for each in log if isinstance(each, str)]


def rolls(log: list[LogEntry]) -> list[str]:
    """Return what was rolled for."""
    return [each.question.what for each in log if isinstance(each, Event) and isinstance(each.question, Roll)]


def table_of(*models: Model, scenario: dict[str, Any] | None = None, side: int = 0, **rulings: str) -> Table:
    """Return a table in the first turn of a side; underscores in rulings stand for hyphens."""
    settings = terms({name.replace("_", "-"): value for name, value in rulings.items()}).rulings
    names, scenario = ("Reds", "Blues"), scenario or {"terrain": ()}
    return Table(sides=names, models=[*models], settings=settings, scenario=scenario, turns=6, turn=1, side=side)


def model(side: int, name: str, **keys: Any) -> Model:
    """Return a model of an ordinary warrior: keys of the model, or of the warrior."""
    own = {
        key: keys.pop(key)
        for key in [*keys]
        if key in ("flight", "is_leader", "is_hidden", "is_gone", "exit", "acts", "health")
    }
    who: Warrior = warrior(name, **keys)
    return Model(side=side, warrior=who, health=own.pop("health", who.health), **own)


def run_with(procedure: Any, script: Any) -> tuple[Any, list[str]]:
    """Run a procedure with a script; return its result and the lines of text."""
    log: list[LogEntry] = []
    result = play(procedure, script, log.append)
    return result, texts(log)
