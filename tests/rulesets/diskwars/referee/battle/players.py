"""Armies, scripted players, and players who play by chance, for the tests of the battle tracker."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

from cardgen.deck.card_lookup import CardLookup
from cardgen.project.project import Project
from cardgen.referee.parameters import Parameter
from cardgen.referee.play import LogEntry, SealedAnswer, play
from cardgen.referee.requests import Measurement, Question, Roll, SealedDecision, Selection
from cardgen.referee.rounds import Player
from cardgen.referee.trial import PreparedTrial
from cardgen.rulesets.diskwars import RULESET
from cardgen.rulesets.diskwars.referee.battle.table import Piece, Table
from tests.rulesets.diskwars.referee.cases import case, disk, terms

CARDS = Path(__file__).parents[5] / "cards" / "diskwars"


@cache
def _lookup() -> CardLookup:
    return CardLookup(RULESET, (CARDS,), Project.find(CARDS))


@cache
def library(kind: str) -> tuple[dict[str, Any], ...]:
    """Return the sample cards of a kind."""
    cards: tuple[dict[str, Any], ...] = _lookup().parameter_value(True, Parameter("library", "", (kind,)))
    return cards


def army(number: int = 0, name: str = "") -> dict[str, Any]:
    """Return a sample army, with a name of its own."""
    data = library("army")[number]
    return {**data, "name": name or data["name"]}


def battle(*armies: dict[str, Any], rulings: dict[str, str] | None = None, **keys: Any) -> PreparedTrial:
    """Return a battle of sample armies, by default of two, with the sample scenarios, deployments, and terrain."""
    armies = armies or (army(0), army(1))
    decks = {"scenarios": library("scenario"), "deployments": library("deployment"), "terrain": library("terrain")}
    return case("battle", rulings, **dict(zip("abcd", armies, strict=False)), **{**decks, **keys})


class Script:
    """Answers by key: a list that is used up in order, or one answer for all.

    Without an answer, decisions take 'nobody' or their last option, selections nothing, and measurements the least.
    Dice come from `dice`, or show the face 1.
    """

    def __init__(self, dice: list[int] | None = None, **answers: Any) -> None:
        self.answers = {key: [*each] if isinstance(each, list) else each for key, each in answers.items()}
        self.dice = dice or []
        self.asked: list[Question] = []

    def __call__(self, path: str, question: Question) -> Any:
        self.asked.append(question)
        if isinstance(question, Roll):
            return min(question.sides, self.dice.pop(0) if self.dice else 1)
        given = self.answers.get(question.key)
        if isinstance(given, list):
            given = given.pop(0) if given else None
        if isinstance(question, Selection):
            return tuple(option for each in given or () for option in question.options if option.startswith(each))
        if isinstance(question, Measurement):
            return question.low if given is None else given
        options = [each for each in question.options if each.startswith(given or "nobody")]  # type: ignore[union-attr]
        option = (options or [question.options[-1]])[0]  # type: ignore[union-attr]
        return SealedAnswer("0" * 18, option) if isinstance(question, SealedDecision) else option

    def of(self, key: str) -> list[Any]:
        """Return the questions of a key."""
        return [each for each in self.asked if each.key == key]


class Chance:
    """Plays by chance, and rarely lays disks on many others."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.asked: list[Question] = []

    def __call__(self, path: str, question: Question) -> Any:
        self.asked.append(question)
        if isinstance(question, Roll):
            return self.dice.randint(1, question.sides)
        if isinstance(question, Measurement):
            return self.dice.randint(question.low, question.high)
        if isinstance(question, Selection):
            count = int(question.what.split()[0]) if question.key == "deploy" else self.dice.choice((0, 1, 1, 2))
            return tuple(self.dice.sample(question.options, min(count, len(question.options))))
        option = self.dice.choice(question.options)  # type: ignore[union-attr]
        return SealedAnswer("0" * 18, option) if isinstance(question, SealedDecision) else option


def played(matter: PreparedTrial, player: Any) -> tuple[Any, list[LogEntry]]:
    """Return the outcome of a battle and its log entries."""
    log: list[LogEntry] = []
    return play(matter.start(), player, log.append), log


def texts(log: list[LogEntry]) -> list[str]:
    """Return the log entries that are text."""
    return [each for each in log if isinstance(each, str)]


def piece(side: int, name: str, *beneath: Piece, **keys: Any) -> Piece:
    """Return a disk on the field that lies on others; the keys are those of its card or of the disk."""
    card: dict[str, Any] = {key: keys.pop(key) for key in ("focus", "focus_effects", "role") if key in keys}
    health = {"health": keys.pop("health")} if "health" in keys else {}
    return Piece(side=side, disk=disk(name, **keys), card=card, place="field", beneath=[*beneath], **health)


def table_of(*pieces: Piece, terrain: Any = (), **rulings: str) -> Table:
    """Return a table with a player for each side; underscores in rulings stand for hyphens."""
    names = ("Reds", "Blues", "Greens")[: 1 + max((each.side for each in pieces), default=1)]
    players: list[Player[Any]] = [Player(index=place, name=name) for place, name in enumerate(names)]
    settings = terms(**rulings).rulings
    return Table(
        sides=names, models=[*pieces], settings=settings, players=players, order=[*players], terrain=[*terrain]
    )


def run_with(procedure: Any, script: Any) -> list[str]:
    """Run a procedure with a script, and return the lines of text."""
    log: list[LogEntry] = []
    play(procedure, script, log.append)
    return texts(log)
