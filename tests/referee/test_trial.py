from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, NamedTuple

import pytest

from cardgen.referee.die import Die
from cardgen.referee.parameters import Parameter, Ruling, default_settings
from cardgen.referee.requests import Procedure, Test
from cardgen.referee.trial import OddsTable, PreparedTrial, RulesConfig, Trial, plain_data


class Points(NamedTuple):
    one: int
    both: tuple[int, bool]


@pytest.mark.parametrize(
    ("outcome", "data"),
    [(3, 3), (True, True), ((1, (2, 3)), [1, [2, 3]]), (Points(1, (2, True)), {"one": 1, "both": [2, True]})],
)
def test_an_outcome_as_plain_data(outcome: object, data: object) -> None:
    assert plain_data(outcome) == data


@dataclass(frozen=True)
class Luck:
    """Is it a lucky day?"""

    need: Annotated[int, Parameter("number", "What is lucky.", high=6)]


def set_up_luck(situation: Luck, config: RulesConfig) -> PreparedTrial:
    def procedure() -> Procedure[bool]:
        lucky = yield Test("luck", "", "is lucky", situation.need)
        return bool(lucky)

    def tables(die: Die[bool]) -> Iterator[OddsTable]:
        yield OddsTable("Luck", chances=(("lucky", die.chance_of(True)),))

    return PreparedTrial.of("Luck", procedure, lambda lucky: ["yes" if lucky else "no"], tables, ["cats"])


def test_a_trial_knows_its_situation_and_its_odds() -> None:
    trial = Trial.of(set_up_luck)
    assert trial.situation is Luck
    prepared = trial.set_up(Luck(2), RulesConfig({}, {}))
    assert prepared.odds is not None
    assert prepared.odds() == (OddsTable("Luck", chances=(("lucky", Fraction(1, 3)),)),)
    assert prepared.outcome_lines(True) == ("yes",)
    assert prepared.not_simulated == ("cats",)


def test_default_settings_are_the_first_ones() -> None:
    assert default_settings([Ruling("a", "?", {"x": "X.", "y": "Y."})]) == {"a": "x"}
