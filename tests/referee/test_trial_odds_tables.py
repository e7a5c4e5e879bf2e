from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from cardgen.referee.die import Die, uniform
from cardgen.referee.requests import Procedure, Roll
from cardgen.referee.trial import PreparedTrial, at_least_rows, distribution_rows, distribution_table, label_table

WEIGHTS = st.dictionaries(st.integers(0, 9), st.integers(1, 50), min_size=1)


@given(WEIGHTS)
def test_rows_are_in_order_and_sum_to_one(weights: dict[int, int]) -> None:
    rows = distribution_rows(Die.of(weights))
    assert [int(words) for words, _ in rows] == sorted(weights)
    assert sum(chance for _, chance in rows) == 1


@given(WEIGHTS)
def test_the_chance_of_a_number_or_more_falls_to_that_of_the_highest(weights: dict[int, int]) -> None:
    die = Die.of(weights)
    chances = [chance for _, chance in at_least_rows(die)]
    assert chances == sorted(chances, reverse=True)
    assert len(chances) == len(weights.keys() - {0})
    if chances:
        assert chances[-1] == die.chance_of(max(weights))


def test_the_table_of_a_number_has_its_mean() -> None:
    table = distribution_table("Face", uniform(2), (("even", Fraction(1, 2)),), "mean face")
    assert table.parts == (("1", Fraction(1, 2)), ("2", Fraction(1, 2)))
    assert table.chances == (("even", Fraction(1, 2)),)
    assert table.means == (("mean face", Fraction(3, 2)),)


def test_what_a_die_never_shows_has_no_chance() -> None:
    assert uniform(6).chance_of(7) == 0
    assert uniform(6).chance_of(6) == Fraction(1, 6)


def test_a_trial_in_words() -> None:
    def rolls() -> Procedure[int]:
        return int((yield Roll("k", "A", "luck")))

    trial = PreparedTrial.in_words("Luck", rolls, lambda face: "good" if face > 4 else "bad")
    assert trial.odds is not None
    assert [table.parts for table in trial.odds()] == [(("bad", Fraction(2, 3)), ("good", Fraction(1, 3)))]
    assert trial.outcome_lines(6) == ("good",)


def test_labels_in_order() -> None:
    die = Die.of({"a": 1, "b": 2, "c": 3})
    assert [label for label, _ in label_table("T", die, ("b", "x")).parts] == ["b", "c", "a"]
