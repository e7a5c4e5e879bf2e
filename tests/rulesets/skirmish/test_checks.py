"""Checks of Skirmish that look at more than one card."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.project_checks.run import CheckRequest
from tests.checking.harness import checked, found_marks

CARDS = """game: skirmish
cards:
  - {name: Ada, kind: warrior, m: 4, ws: 4, bs: 3, s: 3, t: 3, w: 1, i: 4, a: 1, ld: 8, points: 60, rank: hero}
  - {name: Troll, kind: warrior, m: 6, ws: 3, bs: 1, s: 5, t: 4, w: 3, i: 1, a: 3, ld: 4, points: 50, rules: [RULE]}
  - {name: Mire, kind: warband, members: [Ada, Troll], leader: Ada}
  - {name: Den, kind: scenario, reason: A troll., setup: Place it., table_width: 36, table_depth: 36, hunt: HUNT,
     forces: [{side: attacker, name: A}, {side: defender, name: B}],
     zones: [{Lane: "attacker 0,0 8x36"}, {Yard: "defender 28,0 8x36"}],
     victory: [{side: attacker, when: wiped-out, text: The attacker wins.}]}
"""


@pytest.mark.parametrize(
    ("rule", "hunt", "found"), [("Monster", "false", ["WS374"]), ("Monster", "true", []), ("Large", "false", [])]
)
def test_a_monster_belongs_to_a_hunt(rule: str, hunt: str, found: list[str], tmp_path: Path) -> None:
    """15.3: no large monster, unless the scenario is about hunting it."""
    text = CARDS.replace("RULE", rule).replace("HUNT", hunt)
    marks = found_marks(checked(tmp_path, text, request=CheckRequest(select=("WS374",))))
    assert [mark.code for mark in marks] == found
