"""Scripted players, sample cards, and battles for the tests of the match tracker."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from cardgen.pipeline.load.card_lookup import CardLookup
from cardgen.referee.play import Event, LogEntry, play
from cardgen.referee.requests import Decision, Measurement, Question, Roll
from cardgen.referee.trial import Parameter, PreparedTrial
from cardgen.rulesets import ruleset
from cardgen.rulesets.ruleset import Ruleset
from tests.rulesets.warcry.referee.fights import case

CARDS = Path(__file__).parents[5] / "cards" / "warcry"


@cache
def _lookup() -> CardLookup:
    rules = ruleset.ruleset("warcry")
    assert isinstance(rules, Ruleset)
    return CardLookup(rules, (CARDS,), CARDS)


def sample(kind: str, name: str) -> dict[str, Any]:
    """Return the plain data of a card of the sample kit, with the cards that it names."""
    data: dict[str, Any] = _lookup().parameter_value(name, Parameter("card", "", (kind,)))
    return data


def abilities() -> tuple[dict[str, Any], ...]:
    """Return all abilities of the sample kit."""
    found: tuple[dict[str, Any], ...] = _lookup().parameter_value(True, Parameter("library", "", ("ability",)))
    return found


def battle(plan: str | dict[str, Any] = "Lightning Raid", **values: Any) -> PreparedTrial:
    """Return a battle of the two sample warbands."""
    rulings = values.pop("rulings", None)
    situation = {
        "a": sample("warband", "The Last Lanterns"),
        "b": sample("warband", "The Ember Choir"),
        "battleplan": sample("battleplan", plan) if isinstance(plan, str) else plan,
        "abilities": abilities(),
        **values,
    }
    return case("battle", rulings, **situation)


def warband(name: str, *fighters: dict[str, Any], **keys: Any) -> dict[str, Any]:
    """Return a warband of some fighters as plain data; a pair is a fighter with a blessing."""
    members = [
        {"fighter": each[0], "blessing": each[1]} if isinstance(each, tuple) else {"fighter": each} for each in fighters
    ]
    return {"kind": "warband", "name": name, "members": members, **keys}


Answer = int | str | Callable[[Question], int | str | None]


class Script:
    """Answers by the beginning of an option; whatever is not scripted gets a default.

    `answers` are by key: each a list that is used up in order, or a single answer for all. Dice come from `dice`, or
    show `face`.
    """

    def __init__(self, answers: dict[str, Any] | None = None, face: int = 1, dice: list[int] | None = None) -> None:
        self.answers = {key: [*each] if isinstance(each, list) else each for key, each in (answers or {}).items()}
        self.face, self.dice = face, dice or []
        self.asked: list[Question] = []

    def __call__(self, path: str, question: Question) -> int | str:
        self.asked.append(question)
        if isinstance(question, Roll):
            return min(question.sides, self.dice.pop(0) if self.dice else self.face)
        given = self.answers.get(question.key)
        if isinstance(given, list):
            given = given.pop(0) if given else None
        if isinstance(question, Measurement):
            return question.low if given is None else int(given)
        assert isinstance(question, Decision)
        return _option(question, given)

    def of(self, key: str) -> list[Decision]:
        """Return the decisions with this key that were asked."""
        return [each for each in self.asked if isinstance(each, Decision) and each.key == key]


DEFAULTS = {"action": "end the activation", "wild": "keep", "reaction": "no reaction", "control": "neither"}


def _option(question: Decision, given: str | None) -> str:
    wanted = given or DEFAULTS.get(question.key, question.options[0])
    matches = [option for option in question.options if option.startswith(wanted)]
    assert matches, f"{wanted!r} is not in {question.options} of {question.what}"
    return matches[0]


class Player:
    """Plays to win by chance: closes in, attacks what is in range, and uses abilities now and then."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.asked: list[tuple[str, Question]] = []

    def __call__(self, path: str, question: Question) -> int | str:
        if isinstance(question, Roll):
            return self.dice.randint(1, question.sides)
        self.asked.append((path, question))
        if isinstance(question, Measurement):
            return 9 if question.key == "gap" else self.dice.randint(question.low, min(question.high, 5))
        assert isinstance(question, Decision)
        if question.key in ("effect", "reserve"):
            return question.options[0] if self.dice.random() < 0.8 else self.dice.choice(question.options)
        wishes = self._wishes(path, question)
        liked = [option for wish in wishes for option in question.options if wish in option]
        return self.dice.choice(liked or [*question.options])

    def _wishes(self, path: str, question: Decision) -> tuple[str, ...]:
        """Return what it likes: moves in the first battle round; later attacks, and now and then anything."""
        if question.key not in ("activate", "action") or self.dice.random() < 0.15:
            return ()
        if path.startswith("battle round 1/"):
            return ("move twice",)
        near = [option for option in question.options if ", twice" in option]
        return (", twice",) if near else ("move, then attack", "attack twice")


def played(matter: PreparedTrial, player: Any) -> tuple[Any, list[LogEntry]]:
    """Return the outcome of a battle and its log entries."""
    log: list[LogEntry] = []
    return play(matter.start(), player, log.append), log


def texts(log: list[LogEntry]) -> list[str]:
    """Return the log entries that are text."""
    return [each for each in log if isinstance(each, str)]


def answers(log: list[LogEntry], key: str) -> list[Event]:
    """Return the events of a key."""
    return [each for each in log if isinstance(each, Event) and each.question.key == key]
