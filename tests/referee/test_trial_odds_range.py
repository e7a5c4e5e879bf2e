"""Odds as ranges over candidates for unknown dice."""

from __future__ import annotations

from fractions import Fraction

from cardgen.referee.requests import Procedure, Roll
from cardgen.referee.trial import OddsTable, PreparedTrial, over_candidates, range_tables

F = Fraction


def coin(heads: int) -> PreparedTrial:
    def start() -> Procedure[str]:
        face: str = yield Roll("coin", "", "coin", 4, faces=("heads",) * heads + ("tails",) * (4 - heads))
        return face

    return PreparedTrial.in_words("coin", start, str)


def test_equal_chances_are_one_row_and_others_two() -> None:
    one = OddsTable("A", parts=(("x", F(1, 2)), ("y", F(1, 2))), means=(("mean", F(1)),))
    other = OddsTable("A", parts=(("x", F(1, 2)), ("z", F(1, 2))), means=(("mean", F(2)),))
    (table,) = range_tables([(one,), (other,)])
    assert table.chances == (
        ("x", F(1, 2)),
        ("y: at least", F(0)),
        ("y: at most", F(1, 2)),
        ("z: at least", F(0)),
        ("z: at most", F(1, 2)),
    )
    assert table.means == (("mean: at least", F(1)), ("mean: at most", F(2)))
    assert table.parts == ()


def test_a_table_without_differences_stays() -> None:
    table = OddsTable("A", parts=(("x", F(1)),))
    assert range_tables([(table,), (table,)]) == (table,)


def test_a_trial_rolls_the_first_candidate() -> None:
    one, other = coin(1), coin(3)
    both = over_candidates([one, other])
    assert both.start is one.start
    assert both.odds
    assert both.odds()[0].chances[:2] == (("tails: at least", F(1, 4)), ("tails: at most", F(3, 4)))
    assert over_candidates([one]) is one
