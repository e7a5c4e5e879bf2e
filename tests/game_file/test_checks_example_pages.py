"""The manual page of a check in a game file: its examples are card files, and say where the finding is."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.checking.check import expected_findings, parse_page
from tests.game_file.games import BRAVE, HEADER, findings, game_of, write_game

LIST = """
lists:
  band: {members: {kind: brave}, fields: {boss: {type: text, optional: true}, songs: {type: list, items: {type: text}}}}
checks:
  cold-band:
    code: EM301
    kind: band
    when: members.sum(heat) < 9
    at: AT
    say: it is cold
    wrong: {boss: Ash, songs: [La, Lo], members: [{name: Ash, heat: 2}, {heat: 1}, {heat: 1}]}
    right: {boss: Ash, songs: [La], members: [{name: Ash, heat: 2}, {heat: 6}, {heat: 6}]}
"""


@pytest.mark.parametrize(("at", "place"), [("members", (9, 14)), ("boss", (7, 11)), ("songs/0", (8, 13))])
def test_a_list_comes_with_its_members(tmp_path: Path, at: str, place: tuple[int, int]) -> None:
    rules = game_of(write_game(tmp_path, HEADER + BRAVE + LIST.replace("AT", at), a="kind: brave\nname: A\nheat: 1\n"))
    assert callable(rules.checks)
    page = parse_page(next(each for each in rules.checks() if each.code == "EM301").page)
    (wrong,), (right,) = page.examples, page.instead
    assert "members: [Ash, {Member 2: 2}]" in wrong
    assert [each[:3] for each in expected_findings(wrong)] == [("EM301", *place)]
    for text, expected in ((wrong, [f"cards/a.yaml:{place[0]}:{place[1]} EM301 it is cold"]), (right, [])):
        (tmp_path / "cards" / "a.yaml").write_text(text, encoding="utf-8")
        assert [line for line in findings(tmp_path) if "EM" in line] == expected
