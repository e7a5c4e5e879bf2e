"""Effects of abilities: whom they strike, and what players report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from cardgen.referee.battlefield import Battlefield, BattleModel, Effect, EffectRules, apply_text
from cardgen.referee.play import LogEntry, play
from cardgen.referee.requests import Procedure


@dataclass(eq=False, kw_only=True)
class Man(BattleModel):
    name: str = ""

    def __str__(self) -> str:
        return self.name


MEN = [Man(side=0, name="Ada"), Man(side=0, name="Abe"), Man(side=1, name="Bea"), Man(side=2, name="Cyd")]
FIELD = Battlefield[Man](sides=("A", "B", "C"), models=MEN, settings={})


def answered(value: bool) -> Procedure[bool]:
    yield from ()
    return value


def run(effects: Sequence[Effect], answers: Any, *, backlash: Any = None) -> tuple[list[Any], dict[str, Any]]:
    """Use an ability of Ada; return what struck whom, and the options of each question by key."""
    struck: list[Any] = []
    asked: dict[str, Any] = {}

    def strike(user: Man, effect: Effect, targets: Sequence[Man]) -> Procedure[None]:
        struck.append((effect["do"], effect.get("amount"), [each.name for each in targets]))
        yield from ()

    def answer(path: str, question: Any) -> Any:
        asked[question.key] = getattr(question, "options", None)
        return answers[question.key].pop(0)

    rules = EffectRules[Man](
        lambda who, effect: who.name != "Cyd", strike, {"burn": {"amount": (), "with": ("oil", "pitch")}}
    )
    play(apply_text(FIELD, MEN[0], "Burn.", effects, rules, backlash=backlash), answer, list[LogEntry]().append)
    return struck, asked


@pytest.mark.parametrize(
    ("whom", "options", "answer", "struck"),
    [
        ("self", None, None, ["Ada"]),
        ("friend", ("nobody", "Ada", "Abe"), "Abe", ["Abe"]),
        ("other", ("nobody", "Abe"), "nobody", []),
        ("enemy", ("nobody", "Bea"), "Bea", ["Bea"]),
        ("any", ("nobody", "Ada", "Abe", "Bea"), "Ada", ["Ada"]),
        ("friends", ("Ada", "Abe"), ("Ada", "Abe"), ["Ada", "Abe"]),
        ("enemies", ("Bea",), (), []),
        ("all", ("Ada", "Abe", "Bea"), ("Bea",), ["Bea"]),
    ],
)
def test_whom_an_effect_can_strike(whom: str, options: Any, answer: Any, struck: list[str]) -> None:
    effect = {"name": "Burn", "do": "burn", "whom": whom, "within": "short"}
    ends, asked = run([effect], {"target": [answer], "targets": [answer]})
    assert ends == [("burn", None, struck)]
    assert (asked.get("target") or asked.get("targets")) == options


def test_an_effect_can_strike_its_user_too() -> None:
    effect = {"name": "Burn", "do": "burn", "whom": "enemy", "within": "any"}
    assert run([effect], {"target": ["Bea"]}, backlash=lambda: answered(True))[0] == [("burn", None, ["Bea", "Ada"])]
    assert run([effect], {"target": ["Bea"]}, backlash=lambda: answered(False))[0] == [("burn", None, ["Bea"])]


def test_an_effect_without_a_target_is_not_asked_whether_it_strikes_its_user() -> None:
    effect = {"name": "Burn", "do": "burn", "whom": "enemy", "within": "any"}
    asked = list[bool]()

    def backlash() -> Procedure[bool]:
        asked.append(True)
        return answered(True)

    effects = [{**effect, "name": name} for name in ("First", "Second", "Third")]
    struck = run(effects, {"target": ["nobody", "Bea", "nobody"]}, backlash=backlash)[0]
    assert [names for *_, names in struck] == [[], ["Bea", "Ada"], ["Ada"]]
    assert asked == [True]


def test_players_report_what_a_text_does() -> None:
    answers = {"report": ["burn", "nobody else"], "amount": [3], "with": ["pitch"], "targets": [("Bea", "Abe")]}
    assert run((), answers)[0] == [("burn", 3, ["Bea", "Abe"])]
