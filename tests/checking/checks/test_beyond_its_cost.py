"""Cards whose numbers are beyond those of all cards of their cost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checking.harness import checked

CARDS = """\
game: skirmish
kind: warrior
cards:
  - {name: Ash, m: 4, ws: 3, bs: 3, s: 3, t: 3, w: 1, i: 3, a: 1, ld: 7, points: 5}
  - {name: Birch, m: 4, ws: 3, bs: 4, s: 3, t: 3, w: 1, i: 3, a: 1, ld: 6, points: 5}
  - {name: Cedar, m: 4, ws: 4, bs: 3, s: 3, t: 3, w: 1, i: 3, a: 1, ld: 7, points: 6}
  - {name: Elder, m: 5, ws: 3, bs: 3, s: 3, t: 3, w: 1, i: 4, a: 1, ld: 6, points: 5}
  - {name: Fir, m: 4, ws: 3, bs: 3, s: 4, t: 3, w: 1, i: 3, a: 1, ld: 7, points: 6}
"""
GIANT = "  - {name: Giant, m: 6, ws: 5, bs: 4, s: 5, t: 5, w: 3, i: 5, a: 3, ld: 9, points: 5}\n"


@pytest.mark.parametrize(
    ("edit", "is_found"),
    [(("", ""), True), (("points: 5", "points: 12"), False), (("ld: 9", "ld: 5"), False)],
)
def test_a_card_that_is_better_in_all(edit: tuple[str, str], is_found: bool, tmp_path: Path) -> None:
    found = [one for one in checked(tmp_path, CARDS + GIANT.replace(*edit)).findings if one.check.code == "CG134"]
    assert [one.diagnostic.message for one in found] == [
        "no card of 7 that cost as much is better in any number: w 3 (others up to 1), a 3 (others up to 1), "
        "and t 5 (others up to 3)"
    ] * is_found


def test_a_few_cards_are_not_compared(tmp_path: Path) -> None:
    few = "".join(CARDS.splitlines(keepends=True)[:-3]) + GIANT
    assert not [one for one in checked(tmp_path, few).findings if one.check.code == "CG134"]
