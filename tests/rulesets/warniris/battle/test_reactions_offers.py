"""Who is asked to react."""

from __future__ import annotations

from typing import Any

from cardgen.referee.play import play
from cardgen.referee.requests import MarkedMeasurement, Measurement, Selection, Test
from cardgen.rulesets.warniris.battle.reactions import ask_reactions
from cardgen.rulesets.warniris.referee.attack import ATTACK_POINTS
from tests.rulesets.warniris.referee.fights import card, table

PAIR = [card(name, "M3 B3 S3 W9", "Gun: RW R20 P1 D1") for name in "AB"]


class Eager:
    """Reacts whenever it can; all dice show 1, and all distances are 5 cm."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, path: str, question: Any) -> Any:
        match question:
            case Selection(key="reaction"):
                self.asked.append(question.what)
                return question.options[:1]
            case MarkedMeasurement():
                return (5,)
            case Measurement():
                return 5
        return question.options[0] if hasattr(question, "options") else 1


def test_a_reaction_that_waits_for_answers_cannot_be_declared_again() -> None:
    game = table(*PAIR, asked=True, rulings={"reaction-chain": "allowed"})
    eager = Eager()
    after = play(ask_reactions(game, game.initial_state(), 0, ATTACK_POINTS), eager, list[Any]().append)
    assert eager.asked == ["who reacts to A", "who reacts to B"]
    assert [after.counters[game.reaction_counter(who)] for who in (0, 1)] == [0, 0]


def test_only_one_of_two_reactions_is_the_second() -> None:
    second = {"if": {"reaction": "second"}, "bearer": {"mind": 2}}
    more = {"bearer": {"reactions": "more"}}
    gifted = card("B", "M3 B3 S3 W9", "Gun: RW R20 P1 D1", abilities=[{"name": "Gift", "effects": [second, more]}])
    game = table(PAIR[0], gifted, asked=True, rulings={"reaction-chain": "allowed"})
    eager, log = Eager(), list[Any]()
    play(ask_reactions(game, game.initial_state(), 0, ATTACK_POINTS), eager, log.append)
    tests = [each.question for each in log if isinstance(getattr(each, "question", None), Test)]
    assert sorted(test.need for test in tests if (test.who, test.key) == ("B", "timing")) == [3, 5]


def test_without_answers_only_one_reacts() -> None:
    game = table(*PAIR, asked=True)
    eager = Eager()
    after = play(ask_reactions(game, game.initial_state(), 0, ATTACK_POINTS), eager, list[Any]().append)
    assert eager.asked == ["who reacts to A"]
    assert [after.counters[game.reaction_counter(who)] for who in (0, 1)] == [1, 0]
