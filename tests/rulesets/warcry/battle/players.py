"""Scripted players, sample cards, and battles for the tests of the match tracker."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

from cardgen.deck.card_lookup import CardLookup
from cardgen.project.project import Project
from cardgen.referee.parameters import Parameter
from cardgen.referee.play import Event, LogEntry, play
from cardgen.referee.requests import Answer, Decision, Measurement, Question, Roll, Selection
from cardgen.referee.trial import PreparedTrial, card_of_kind, optional_card
from cardgen.rulesets import ruleset
from cardgen.rulesets.ruleset import Ruleset
from cardgen.rulesets.warcry.battle.table import Combatant, Side, Table
from cardgen.rulesets.warcry.cards import Ability, Battleplan, Blessing, Fighter
from cardgen.rulesets.warcry.referee.fighter import fighter_stats
from tests.rulesets.warcry.referee.fights import case, fighter, terms

CARDS = Path(__file__).parents[4] / "cards" / "warcry"


@cache
def _lookup() -> CardLookup:
    rules = ruleset.ruleset("warcry")
    assert isinstance(rules, Ruleset)
    return CardLookup(rules, (CARDS,), Project.find(CARDS))


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


def warband(name: str, *fighters: Any, **keys: Any) -> dict[str, Any]:
    """Return a warband of some fighters as plain data; a pair is a fighter with a blessing."""
    members = [
        {"fighter": each[0], "blessing": each[1]} if isinstance(each, tuple) else {"fighter": each} for each in fighters
    ]
    return {"kind": "warband", "name": name, "members": members, **keys}


class Script:
    """Answers by the beginning of an option; whatever is not scripted gets a default.

    `answers` are by key: each a list that is used up in order, or a single answer for all. Dice come from `dice`, or
    show `face`.
    """

    def __init__(self, answers: dict[str, Any] | None = None, face: int = 1, dice: list[int] | None = None) -> None:
        self.answers = {key: [*each] if isinstance(each, list) else each for key, each in (answers or {}).items()}
        self.face, self.dice = face, dice or []
        self.asked: list[Question] = []

    def __call__(self, path: str, question: Question) -> Answer:
        self.asked.append(question)
        if isinstance(question, Roll):
            return min(question.sides, self.dice.pop(0) if self.dice else self.face)
        given = self.answers.get(question.key)
        if isinstance(given, list):
            given = given.pop(0) if given else None
        if isinstance(question, Measurement):
            return question.low if given is None else int(given)
        if isinstance(question, Selection):
            return tuple(option for option in question.options if option.startswith(given or ""))
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

    def __call__(self, path: str, question: Question) -> Answer:
        if isinstance(question, Roll):
            return self.dice.randint(1, question.sides)
        self.asked.append((path, question))
        if isinstance(question, Measurement):
            return 9 if question.key == "gap" else self.dice.randint(question.low, min(question.high, 5))
        if isinstance(question, Selection):
            return question.options
        assert isinstance(question, Decision)
        if question.key in ("effect", "reserve"):
            return question.options[0] if self.dice.random() < 0.9 else self.dice.choice(question.options)
        wishes = self._wishes(path, question)
        liked = [option for wish in wishes for option in question.options if wish in option]
        others = [option for option in question.options if option != "something else" or self.dice.random() < 0.2]
        return self.dice.choice(liked or others)

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


def table_of(plan: str | dict[str, Any] = "Lightning Raid", sizes: tuple[int, int] = (2, 2), **keys: Any) -> Table:
    """Return a table with fighters 'Red 1', 'Red 2' … against 'Blue 1' …, each with 10 Wounds."""
    data = sample("battleplan", plan) if isinstance(plan, str) else plan
    cards = [ability for ability in map(_ability, abilities()) if ability]
    sides = Side(0, "Red", None, tuple(cards)), Side(1, "Blue", None, tuple(cards))
    combatants = [
        combatant(side, f"{name} {number + 1}", **keys)
        for side, name in enumerate(("Red", "Blue"))
        for number in range(sizes[side])
    ]
    return Table(sides, combatants, card_of_kind(data, Battleplan), terms().rulings, 4)


def _ability(data: dict[str, Any]) -> Ability:
    return card_of_kind(data, Ability)


def combatant(
    side: int, name: str, stats: str = "M5 T4 W10", *weapons: str, marks: tuple[str, ...] = (), blessing: str = ""
) -> Combatant:
    """Return a combatant with a profile such as 'M5 T4 W10'."""
    card = fighter(name, stats, *weapons, marks=marks)
    gift = sample("blessing", blessing) if blessing else None
    return Combatant(side, card_of_kind(card, Fighter), optional_card(gift, Blessing), fighter_stats(card, gift))


def run_with(procedure: Any, script: Any) -> tuple[Any, list[str]]:
    """Run a procedure with a script; return its result and the lines of text."""
    log: list[LogEntry] = []
    result = play(procedure, script, log.append)
    return result, texts(log)
