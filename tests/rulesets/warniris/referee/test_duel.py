"""Duels: when effects start in their turns, and re-rolls that are limited."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from cardgen.referee.trial import Competitor
from cardgen.rulesets.warniris.referee import counter_bounds
from cardgen.rulesets.warniris.trials import TRIALS
from tests.rulesets.crowd_scores import assert_same_scores
from tests.rulesets.warniris.referee.fights import card, terms


def relic(once: bool | str = False, **effect: Any) -> dict[str, Any]:
    return {"kind": "relic", "name": "Relic", "once": once, "effects": [effect]}


def score(*pair: Competitor) -> Fraction:
    (pairing,) = TRIALS.round_robin(pair, terms())
    return (1 + pairing.wins - pairing.loses) / 2


@pytest.mark.parametrize("moment", ["turn_start", "turn_end"])
def test_a_duel_has_as_many_starts_of_turns_as_turns(moment: str) -> None:
    """Neither attacks; after five turns, who loses a Wound in each has lost five."""
    harm = relic(when="turn_start", bearer={"deal": 1})
    idle = relic(when=moment, bearer={"mind": 1}, **{"for": "turn"})
    for wounds, expected in ((6, Fraction(1, 2)), (5, Fraction(0))):
        pair = Competitor(card("Martyr", f"M3 B3 S3 W{wounds}"), harm), Competitor(card("Other", "M3 B3 S3 W6"), idle)
        assert score(*pair) == expected
        assert_same_scores(TRIALS, pair, terms())


AXE = "Axe: CW R1 P1 D1"
FIGHTERS = [Competitor(card(name, "M3 B3 S3 W6", AXE)) for name in ("One", "Other")]


@pytest.mark.parametrize("once", [False, True, "turn"])
@pytest.mark.parametrize("reroll", ["hit", "resist", "body"])
def test_crowds_have_the_scores_of_re_rolls(once: bool | str, reroll: str) -> None:
    one, other = FIGHTERS
    pair = Competitor(one.card, relic(once, bearer={"reroll": reroll})), other
    assert score(*pair) > Fraction(1, 2)
    assert_same_scores(TRIALS, pair, terms())


@pytest.mark.share(3)
@pytest.mark.parametrize("moment", ["battle_start", "turn_start", "turn_end", "activation_start", "activation_end"])
@pytest.mark.parametrize("deed", [{"heal": 2}, {"heal_die": "D3"}, {"deal": 1}])
def test_wounds_change_as_they_would_without_bounds(
    moment: str, deed: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bounds on the Wounds that a step distinguishes change nothing, whoever goes first and whoever has the effect."""
    one, other = FIGHTERS
    charm = relic(when=moment, bearer=deed)
    pairs = [(Competitor(one.card, charm), other), (one, Competitor(other.card, charm))]
    bounded = [score(*pair) for pair in pairs]
    monkeypatch.setattr(counter_bounds, "of_effects", lambda game, *_: (None,) * len(game.initial_state().counters))
    assert bounded == [score(*pair) for pair in pairs]
    assert bounded[0] == 1 - bounded[1]


def test_nobody_is_healed_above_the_printed_wounds() -> None:
    one, other = FIGHTERS
    assert score(one, Competitor(other.card, relic(when="battle_start", bearer={"heal": 2}))) == Fraction(1, 2)


@pytest.mark.parametrize("line", [{"type": "RW", "range": 15}, {"type": "P", "range": 12, "healing": 1}])
@pytest.mark.parametrize("harm", [{}, {"effects": [{"when": "hit", "target": {"heal": 1}}]}])
def test_a_weapon_gives_wounds_without_being_used(line: dict[str, Any], harm: dict[str, Any]) -> None:
    given = {"name": "Charm", **line, "effects": [{"when": "always", "bearer": {"wounds": 2}}]}
    one = card("One", "M3 B3 S3 W6", AXE, weapons=[given])
    other = card("Other", "M3 B3 S3 W6", weapons=[{"name": "Axe", "type": "CW", "range": 1, "damage": 1, **harm}])
    assert score(Competitor(one), Competitor(other)) != score(FIGHTERS[0], Competitor(other))
    assert_same_scores(TRIALS, (Competitor(one), Competitor(other)), terms())


def test_a_weapon_lends_another_without_being_used() -> None:
    lent = {"name": "Club", "type": "CW", "range": 1, "penetration": 2, "damage": 2}
    lending = {"name": "Rack", "type": "RW", "range": 15, "effects": [{"when": "always", "bearer": {"weapon": lent}}]}
    bow, other = "Bow: RW R15 P3 D1", FIGHTERS[1]
    one, without = (Competitor(card("One", "M3 B3 S3 W6", bow, weapons=more)) for more in ([lending], []))
    assert score(one, other) != score(without, other)
    assert_same_scores(TRIALS, (one, other), terms())


@pytest.mark.parametrize("moment", ["turn_start", "activation_start"])
@pytest.mark.parametrize("condition", [{}, {"roll": [1, 2, 3, 4, 5, 6]}])
def test_a_thing_for_once_gives_re_rolls_as_long_as_it_lasts(moment: str, condition: dict[str, Any]) -> None:
    """For a whole battle, that is the same as a thing without a limit and without a start."""
    one, other = FIGHTERS
    always = Competitor(one.card, relic(bearer={"reroll": "hit"})), other
    lasting = relic(True, when=moment, bearer={"reroll": "hit"}, **{"for": "battle", "if": condition})
    begun = Competitor(one.card, lasting), other
    assert score(*begun) > Fraction(3, 4)
    if moment == "turn_start":
        assert score(*begun) == score(*always)
    assert_same_scores(TRIALS, begun, terms())
