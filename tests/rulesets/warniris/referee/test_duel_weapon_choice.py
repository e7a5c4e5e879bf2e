"""Which weapon the policy of a duel chooses."""

from __future__ import annotations

from typing import Any

from cardgen.referee.trial import Competitor
from cardgen.rulesets.warniris.trials import TRIALS
from tests.rulesets.crowd_scores import assert_same_scores
from tests.rulesets.warniris.referee.fights import card, terms


def test_the_order_of_weapons_with_the_same_mean_damage_makes_no_difference() -> None:
    """Against Spirit 4, P2 D2 and P1 D3 have the same mean, but not the same spread."""
    bow, beam = "Bow: RW R15 P2 D2", "Beam: P R12 P1 D3"
    other = card("Other", "M2 B3 S4 W4", "Sling: RW R15 P1 D3")

    def scores(*lines: str) -> list[Any]:
        crowd = [Competitor(card("One", "M3 B4 S5 W4", *lines)), Competitor(other)]
        assert_same_scores(TRIALS, crowd, terms())
        return [(each.wins, each.loses) for each in TRIALS.round_robin(crowd, terms())]

    assert scores(bow, beam) == scores(beam, bow)
