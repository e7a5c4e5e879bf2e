from __future__ import annotations

from fractions import Fraction

import pytest

from cardgen.referee.race import TurnRace, advance, error_bound, exact_score, scores, stand

COIN = {(0, 0): 1, (1, 0): 1}
SURE = {(1, 0): 1}
# Strikes on one side of the coin, and is struck on the other.
RISK = {(1, 0): 1, (0, 1): 1}


def test_a_walk_keeps_its_weight() -> None:
    walk = advance(advance(stand(3), RISK), RISK)
    assert [row[3] for row in walk] == [1, 2, 1]
    assert [row[1] for row in walk] == [0, 0, 1]


def test_who_strikes_surely_wins_if_it_goes_first() -> None:
    """A coin that goes first wins on one side, and loses on the other."""
    sure, coin = (TurnRace(blow, None, 1, 1, 1).assault(1) for blow in (SURE, COIN))
    assert exact_score(sure, coin) == Fraction(1, 2) + Fraction(1 - 0, 4)
    assert scores([(sure.rounded(), coin.rounded()), (coin.rounded(), sure.rounded())]) == [0.75, 0.25]


def test_returned_damage_counts() -> None:
    """Whoever goes first wins or loses at its only blow; the other makes none."""
    risk = TurnRace(COIN, RISK, 1, 1, 1).assault(1)
    sure = TurnRace(SURE, None, 1, 1, 1).assault(1)
    assert exact_score(risk, risk) == Fraction(1, 2)
    # Risk first: as likely won as lost, and nothing is left to do for the other. Sure first: won.
    assert exact_score(risk, sure) == Fraction(1, 2) - Fraction(1, 4)


def test_a_blow_on_both_at_once_is_a_draw() -> None:
    """It is one if its fighter goes first; otherwise, nothing is returned, and that fighter wins."""
    both = TurnRace({(1, 0): 1}, {(1, 1): 1}, 1, 1, 1).assault(1)
    none = TurnRace({(0, 0): 1}, None, 1, 1, 1).assault(1)
    assert exact_score(both, none) == Fraction(3, 4)


@pytest.mark.parametrize("rounds", [1, 5])
def test_floats_are_within_their_bound(rounds: int) -> None:
    blow = {(damage, 0): damage + 1 for damage in range(5)}
    returned = {(damage, back): damage + back + 1 for damage in range(5) for back in range(3)}
    assaults = [
        TurnRace(blow, dealt, rounds, 2, 12).assault(wounds) for dealt in (None, returned) for wounds in (3, 7, 12)
    ]
    bound = Fraction(error_bound(4 * rounds))
    assert bound < Fraction(1, 10**13)
    for one in assaults:
        for other in assaults:
            (score,) = scores([(one.rounded(), other.rounded())])
            assert abs(Fraction(score) - exact_score(one, other)) <= bound
