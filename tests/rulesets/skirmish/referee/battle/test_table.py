"""Routs: when a force tests, and by whose Leadership."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.rulesets.skirmish.referee.battle.table import needs_rout_test, rout_leadership
from cardgen.rulesets.skirmish.referee.warrior import DOWN, OUT, STUNNED, Health
from tests.rulesets.skirmish.referee.battle.players import Script, model, run_with, table_of

LOST, DOWNED, DAZED = Health(0, OUT), Health(0, DOWN), Health(0, STUNNED)


def force(lost: int, left: int) -> list[Any]:
    """Return a force with some models out of action."""
    return [model(0, "A", health=LOST) for _ in range(lost)] + [model(0, "B") for _ in range(left)]


@pytest.mark.parametrize(("models", "threshold"), [(1, 1), (4, 1), (5, 2), (8, 2), (9, 3), (12, 3), (13, 4), (15, 4)])
def test_the_threshold_of_a_rout(models: int, threshold: int) -> None:
    assert needs_rout_test(force(threshold, models - threshold))
    assert not needs_rout_test(force(threshold - 1, models - threshold + 1))


def test_a_quarter_of_the_points() -> None:
    models = [model(0, "A", points=5, health=LOST), model(0, "B", points=5), model(0, "C", points=40)]
    assert needs_rout_test(models)
    assert not needs_rout_test(models, by_points=True)


def test_models_that_fled_off_the_table_count_as_out_and_those_that_left_do_not() -> None:
    rest = [model(0, "B") for _ in range(3)]
    assert needs_rout_test([model(0, "A", is_gone=True), *rest])
    assert not needs_rout_test([model(0, "A", exit="north"), *rest])


@pytest.mark.parametrize(
    ("keys", "leadership"),
    [
        ({}, 9),
        ({"health": DOWNED}, 9),
        ({"flight": "panic"}, 9),
        ({"health": DAZED}, 7),
        ({"health": LOST}, 7),
        ({"exit": "north"}, 7),
        ({"ld": 6}, 6),
    ],
)
def test_the_leadership_of_a_rout_test(keys: dict[str, Any], leadership: int) -> None:
    leader = model(0, "L", **{"ld": 9, "is_leader": True, **keys})
    assert rout_leadership([leader, model(0, "A"), model(0, "B", ld=8, health=DAZED)]) == leadership


@pytest.mark.parametrize(("setting", "routs"), [("failed", True), ("none", False)])
def test_nobody_able(setting: str, routs: bool) -> None:
    table = table_of(model(0, "A", health=DAZED), model(0, "B", health=LOST), leader_gone=setting)
    assert run_with(table.test_rout(), Script(1))[0] == routs
