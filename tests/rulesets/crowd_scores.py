"""Crowds against the joint chains of single duels."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from cardgen.referee.trial import Competitor, GameTrials, RulesConfig


def assert_same_scores(trials: GameTrials, competitors: Sequence[Competitor], config: RulesConfig) -> None:
    """Check each pair of a crowd against the fractions of the round robin, to 1e-12."""
    assert trials.crowd
    result = trials.crowd(competitors, config)
    rows = list(result.rows)
    for pairing in trials.round_robin(competitors, config):
        one, other = result.classes[pairing.one], result.classes[pairing.other]
        score = rows[one][other - one] if one <= other else 1 - rows[other][one - other]
        assert abs(Fraction(score) - (Fraction(1) + pairing.wins - pairing.loses) / 2) < Fraction(1, 10**12)
