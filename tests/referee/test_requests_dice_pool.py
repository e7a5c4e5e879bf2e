from __future__ import annotations

from operator import add

import icepool
import pytest

from cardgen.referee.odds import odds
from cardgen.referee.play import LogEntry, roll
from cardgen.referee.requests import Roll, roll_pool


@pytest.mark.parametrize("count", [0, 1, 3, 12])
def test_a_pool_is_icepools(count: int) -> None:
    ours = odds(roll_pool, count, Roll("die", "", "a die"), 0, add)
    theirs = count @ icepool.d6
    assert ours.weights == dict(theirs.items())


def test_every_die_of_a_pool_is_rolled() -> None:
    told: list[LogEntry] = []
    total = roll(roll_pool(3, Roll("die", "", "a die"), 0, add), "seed", told.append)
    assert total == sum(each.answer for each in told if not isinstance(each, str))  # type: ignore[misc]
    assert [each.path for each in told if not isinstance(each, str)] == ["die", "die#2", "die#3"]
