"""Forms of miniatures that differ in duels have different contents."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.referee.trial import Competitor
from cardgen.rulesets.warniris.referee.duel import attacker_content, duel_form, target_content
from cardgen.rulesets.warniris.referee.situations import build_miniatures
from cardgen.rulesets.warniris.trials import TRIALS
from tests.rulesets.crowd_scores import assert_same_scores
from tests.rulesets.warniris.referee.fights import card, terms

AXE = "Axe: CW R1 P1 D2"


def fighter(name: str, stats: str, effect: dict[str, Any] | None = None, line: str = AXE) -> Competitor:
    relic = {"kind": "relic", "name": f"Relic of {name}", "effects": [effect]} if effect else None
    return Competitor(card(name, stats, line), relic)


OTHER = fighter("Other", "M4 B3 S3 W5")


@pytest.mark.parametrize("share", ["half", "below-half", "hurt"])
def test_a_share_of_the_printed_wounds(share: str) -> None:
    effect = {"when": "damaged", "if": {"wounds_at_most": share}, "bearer": {"ignore": 1}}
    crowd = [fighter(f"One with {wounds}", f"M4 B3 S3 W{wounds}", effect) for wounds in (4, 6, 8)]
    assert_same_scores(TRIALS, [*crowd, OTHER], terms())


@pytest.mark.parametrize(
    ("attribute", "moment", "deed"),
    [
        ("mind", "damaged", {"ignore": 1}),
        ("mind", "attacked", {"body": 1}),
        ("mind", "struck", {"reroll": "resist"}),
        ("body", "attacking", {"mind": 1}),
        ("body", "hit", {"damage": 1}),
        ("body", "reacting", {"reroll": "timing"}),
    ],
)
def test_an_attribute_that_only_an_effect_tests(attribute: str, moment: str, deed: dict[str, Any]) -> None:
    """The Mind of a target and the Body of an attacker matter if a Test of it lets an effect start."""
    effect = {"when": moment, "if": {"test": attribute}, "bearer": deed}
    stats = [{"mind": "M{} B3 S3 W4", "body": "M4 B{} S3 W4"}[attribute].format(number) for number in (1, 3, 5)]
    crowd = [fighter(f"One with {each}", each, effect) for each in stats]
    assert_same_scores(TRIALS, [*crowd, OTHER], terms())


@pytest.mark.parametrize(
    "effect",
    [
        {"when": "always", "bearer": {"body": 1}},
        {"when": "always", "bearer": {"mind": 1}},
        {"when": "attacking", "bearer": {"mind": -2}},
        {"when": "attacked", "bearer": {"body": 1}},
    ],
    ids=str,
)
def test_an_effect_of_a_weapon_is_not_that_of_a_relic(effect: dict[str, Any]) -> None:
    """That of a weapon counts only in attacks with it."""
    axe = {"name": "Axe", "type": "CW", "range": 1, "penetration": 1, "damage": 2, "effects": [effect]}
    armed = Competitor(card("Armed", "M4 B3 S3 W5", weapons=[axe]))
    assert_same_scores(TRIALS, [fighter("Bearer", "M4 B3 S3 W5", effect), armed, OTHER], terms())


def contents(*competitors: Competitor) -> set[tuple[str, str]]:
    forms = map(duel_form, build_miniatures([(each.card, each.carries) for each in competitors]))
    return {(attacker_content(form, with_names=False), target_content(form)) for form in forms}


def test_names_and_printed_wounds_do_not_matter_by_themselves() -> None:
    effect = {"when": "damaged", "if": {"wounds_at_most": 2}, "bearer": {"ignore": 1}}
    twins = fighter("Ash", "M4 B3 S3 W4", effect), fighter("Elm", "M4 B3 S3 W9", effect, "Club: CW R1 P1 D2")
    assert len(contents(*twins)) == 1
    assert len(contents(*twins, fighter("Oak", "M4 B2 S3 W4", effect))) == 2


def test_of_weapons_that_are_alike_the_policy_chooses_that_with_the_longer_range() -> None:
    """The chosen type matters to whoever hardens against one type."""
    armed = [
        Competitor(card(f"{near} {far}", "M4 B3 S3 W5", f"Axe: CW R{near} P1 D2", f"Bow: RW R{far} P1 D2"))
        for near, far in ((1, 15), (15, 12))
    ]
    hard = {"when": "activation_start", "for": "battle", "while": "attacked", "if": {"weapon": "CW"}}
    assert_same_scores(TRIALS, [*armed, fighter("Hard", "M3 B3 S3 W5", {**hard, "bearer": {"body": 1}})], terms())


def test_wounds_that_cost_wounds_are_not_regained_unasked() -> None:
    healing = {"when": "activation_start", "cost": 1, "bearer": {"heal": 2}}
    cup = {"kind": "relic", "name": "Cup", "once": True, "effects": [healing]}
    assert_same_scores(TRIALS, [Competitor(card("One", "M4 B3 S3 W5", AXE), cup), OTHER], terms())
