"""Expressions read the fields of cards that other cards name."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.matches.session import TrialRequest, prepare_trial
from cardgen.project_checks.run import CheckRequest, check_project
from tests.game_file.games import HEADER, findings, write_game

KINDS = """
kinds:
  brave:
    fields:
      heat: {type: integer, min: 1, default: 3}
      friend: {type: card, kind: brave, optional: true}
      allies: {type: list, items: {type: card, kind: brave}}
    example: {heat: 3}
"""
CARDS = """\
game: ember
kind: brave
cards:
  - {name: Ash, heat: 2, friend: cinder}
  - {name: Cinder, heat: 6, friend: Ash, allies: [Ash, Oak]}
  - {name: Oak, heat: 4}
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def check(when: str, say: str = "x", more: str = "") -> str:
    return f"checks: {{cold: {{code: EM301, kind: brave, when: \"{when}\", say: '{say}'{more}}}}}\n"


def messages(root: Path, when: str, say: str = "x", cards: str = CARDS) -> list[str]:
    write_game(root, HEADER + KINDS + check(when, say), braves=cards)
    return [line.partition(" EM301 ")[2] or line for line in findings(root)]


@pytest.mark.parametrize(
    ("when", "say", "found"),
    [
        ("friend and friend.heat > 5", "{{ friend }}: {{ friend.heat }}", ["cinder: 6"]),
        ("friend and friend.friend.heat > 5", "{{ friend.friend.name }}", ["Cinder"]),
        ("friend and card.friend.friend.friend.name == 'Cinder'", "{{ name }}", ["Ash"]),
        ("allies and allies.sum(heat) == 6", "{{ allies[1].heat }}", ["4"]),
        ("allies and (allies | first).heat == 2", "{{ allies }}", ["Ash, Oak"]),
        ("friend == 'Ash'", "{{ friend | length }}", ["3"]),
    ],
)
def test_checks_read_the_fields_of_named_cards(tmp_path: Path, when: str, say: str, found: list[str]) -> None:
    assert messages(tmp_path, when, say) == found


def test_a_card_that_does_not_exist_is_reported_once(tmp_path: Path) -> None:
    (only,) = messages(tmp_path, "friend and friend.heat > 5", cards=CARDS.replace("friend: cinder", "friend: cindre"))
    assert "unknown brave 'cindre'; did you mean" in only


@pytest.mark.parametrize(
    ("when", "message"),
    [
        ("friend.haet > 1", "'friend' has no 'haet'; did you mean 'heat'?"),
        ("friend.friend.haet > 1", "'friend.friend' has no 'haet'; did you mean 'heat'?"),
        ("allies.sum(haet) > 1", "unknown name 'haet'; did you mean 'heat'?"),
        ("allies[0].haet > 1", "has no 'haet'; did you mean 'heat'?"),
    ],
)
def test_a_wrong_field_of_a_named_card_is_located(tmp_path: Path, when: str, message: str) -> None:
    write_game(tmp_path, HEADER + KINDS + check(when), braves=CARDS)
    found = check_project(CheckRequest((Path("games/ember"),))).findings
    assert any(message in each.diagnostic.message for each in found), found


def test_examples_name_the_example_of_the_kind(tmp_path: Path) -> None:
    examples = ", wrong: {heat: 1, friend: Someone}, right: {heat: 5, friend: Someone}"
    write_game(tmp_path, HEADER + KINDS + check("friend and friend.heat > heat", more=examples))
    (unread,) = check_project(CheckRequest((Path("games/ember"),))).findings
    assert unread.diagnostic.message == "nothing reads the field 'allies' of a brave"


TRIAL = """
trials:
  warm:
    asks: {brave: {type: card, kind: brave}}
    steps:
      - when: brave.friend
        set: {most: brave.friend.heat, same: brave.friend.friend.name}
        else: [{set: {most: "0", same: "'nobody'"}}]
      - call: {trial: count, with: {brave: brave.friend or brave}, into: other}
      - end: "{{ brave.friend }} {{ most }} {{ same }} {{ other }}"
  count:
    asks: {brave: {type: card, kind: brave}}
    steps: [{end: "{{ brave.name }} {{ brave.allies.sum(heat) }}"}]
"""


@pytest.mark.parametrize(
    ("name", "outcome"),
    [("Ash", "Cinder 6 Ash Cinder 6"), ("Cinder", "Ash 2 Cinder Ash 0"), ("Oak", "0 nobody Oak 0")],
)
def test_trials_read_the_fields_of_named_cards(tmp_path: Path, name: str, outcome: str) -> None:
    write_game(tmp_path, HEADER + KINDS + TRIAL, braves=CARDS)
    run = prepare_trial(TrialRequest("warm", {"brave": name}))
    assert run.prepared.odds
    assert outcome in str(run.prepared.odds())
