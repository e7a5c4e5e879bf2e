"""Checks of a game file: findings with places, suppression, manual pages, examples, and mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.checking.check import expected_findings, parse_page
from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.game_file.example_run import run_examples
from cardgen.game_file.loader import compile_game, read_game
from cardgen.source import parse_document
from tests.game_file.games import HEADER, findings, game_of, write_game

KINDS = """
types:
  weapon:
    fields:
      damage: {type: integer, min: 1, max: 6}
      range: {type: integer, default: 1}
kinds:
  brave:
    fields:
      heat: {type: integer, min: 1, max: 6, code: EM101}
      warms: {type: integer, min: 0, default: 0}
      armour: {type: map, keys: [head, body], items: {type: integer}, optional: true}
      weapons: {type: list, items: {type: weapon}}
    example: {heat: 3}
rulings:
  gifts: {question: May a brave give more than it has?, settings: {no-gifts: Never., any: Always.}}
"""
COLD = """
checks:
  cold-brave:
    code: EM301
    kind: brave
    when: warms > heat and rulings.gifts == 'no-gifts'
    at: warms
    say: it has {{ heat }} and gives {{ warms }}
    help: give {{ warms - heat }} less
    severity: error
    why: Nobody can give what they do not have.
    wrong: {heat: 2, warms: 3}
    right: {heat: 3, warms: 3}
"""
MORE = """
  harmless:
    code: EM302
    kind: weapon
    when: damage < range
    at: damage
    say: "{{ damage }} damage at {{ range }}, on {{ card.name }}"
    wrong: {damage: 1, range: 3}
    right: {damage: 3}
  strongest:
    code: EM303
    kind: brave
    when: weapons.max(damage) > 4 if weapons else false
    say: one weapon is too strong
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def problems(text: str) -> list[str]:
    """Return the mistakes in a game file: 'LINE:COLUMN MESSAGE (HELP)'."""
    context = read_game(parse_document(text, "game.yaml"), Path())
    compile_game(context)
    return [line_of(each) for each in sorted(context.problems, key=Diagnostic.sort_key)]


def line_of(problem: Diagnostic) -> str:
    span = problem.place.span
    assert span
    return f"{span.line}:{span.column} {problem.message}"


def failed_examples(text: str) -> tuple[int, list[str]]:
    context = read_game(parse_document(text, "game.yaml"), Path())
    compile_game(context)
    assert not context.problems
    count = run_examples(context)
    return count, [each.message for each in context.problems]


def test_findings_have_places_in_the_card_file(tmp_path: Path) -> None:
    card = "kind: brave\nname: Ash\nheat: 2\nwarms: 3\nweapons:\n- {damage: 1, range: 4}\n- {damage: 5}\n"
    write_game(tmp_path, HEADER + KINDS + COLD + MORE, a=card)
    assert findings(tmp_path) == [
        "cards/a.yaml:1:1 EM303 one weapon is too strong",
        "cards/a.yaml:4:8 EM301 it has 2 and gives 3",
        "cards/a.yaml:6:12 EM302 1 damage at 4, on Ash",
    ]


def test_a_check_is_certain_unless_it_says_likely(tmp_path: Path) -> None:
    rules = game_of(write_game(tmp_path, HEADER + KINDS + COLD + MORE + "    confidence: likely\n"))
    assert callable(rules.checks)
    assert {each.code: each.confidence for each in rules.checks() if each.code > "EM3"} == {
        "EM301": "certain", "EM302": "certain", "EM303": "likely"
    }  # fmt: skip


def test_a_finding_points_to_the_first_item_that_a_condition_asks_for(tmp_path: Path) -> None:
    """Not to the list, if the condition is 'any' of that list. Copies of members have no places of their own."""
    checks = """
checks:
  far-and-weak:
    code: EM304
    kind: brave
    when: heat > 1 and weapons.any(range > 2 * (damage + 1) and damage < card.heat)
    at: weapons
    say: one weapon reaches far
  no-weak-one:
    code: EM305
    kind: brave
    when: not (weapons.any(damage < 2))
    at: weapons
    say: no weapon is weak
  hot-member:
    code: EM306
    kind: band
    when: members.any(heat > 3)
    at: members
    say: somebody is hot
"""
    lists = "lists: {band: {members: {kind: brave}}}\n"
    cards = """
kind: brave
cards:
- {name: Ash, heat: 2, weapons: [{damage: 1}, {damage: 2, range: 9}, {damage: 1, range: 9}, {damage: 1, range: 8}]}
- {name: Elm, heat: 4, weapons: [{damage: 5, range: 99}]}
- {kind: band, name: Both, members: [{Ash: 3}, Elm]}
"""
    write_game(tmp_path, HEADER + KINDS + lists + checks, a=cards)
    found = [line for line in findings(tmp_path) if "EM3" in line]
    lines = cards.splitlines()
    assert found == [
        f"cards/a.yaml:4:{lines[3].index('{damage: 1, range: 9}') + 1} EM304 one weapon reaches far",
        f"cards/a.yaml:5:{lines[4].index('[') + 1} EM305 no weapon is weak",
        f"cards/a.yaml:6:{lines[5].index('[') + 1} EM306 somebody is hot",
    ]


def test_comments_suppress_findings_and_rulings_change_them(tmp_path: Path) -> None:
    card = "kind: brave\nname: Ash\nheat: 2\nwarms: 3  # cardgen: ignore[cold-brave] it is generous\n"
    write_game(tmp_path, HEADER + KINDS + COLD, a=card, b="kind: brave\nname: Elm\nheat: 3\nwarms: 4\n")
    assert findings(tmp_path) == ["cards/b.yaml:4:8 EM301 it has 3 and gives 4"]
    (tmp_path / "cardgen.yaml").write_text("game: ember\nrulings: {gifts: any}\n", encoding="utf-8")
    assert not [line for line in findings(tmp_path) if "EM301" in line]


def test_a_value_that_an_expression_cannot_use_is_a_finding_in_the_game_file(tmp_path: Path) -> None:
    text = HEADER + KINDS + COLD.replace("warms > heat and rulings.gifts == 'no-gifts'", "armour.head > heat")
    write_game(tmp_path, text, a="kind: brave\nname: Ash\nheat: 2\n")
    assert findings(tmp_path) == [
        "games/ember/game.yaml:25:18 EM301 the check cannot be evaluated: 'armour' is a map without 'head'"
    ]


def test_the_manual_page_has_both_examples(tmp_path: Path) -> None:
    rules = game_of(write_game(tmp_path, HEADER + KINDS + COLD))
    assert callable(rules.checks)
    check = next(each for each in rules.checks() if each.code == "EM301")
    page = parse_page(check.page)
    assert (check.name, page.title, page.why) == ("cold-brave", "Cold brave.", "Nobody can give what they do not have.")
    (wrong,), (right,) = page.examples, page.instead
    assert [each[:3] for each in expected_findings(wrong)] == [("EM301", 5, 8)]
    for name, text in (("wrong", wrong), ("right", right)):
        (tmp_path / "cards" / "a.yaml").write_text(text, encoding="utf-8")
        assert [line.split()[1] for line in findings(tmp_path)] == (["EM301"] if name == "wrong" else [])


def test_examples_are_run() -> None:
    assert failed_examples(HEADER + KINDS + COLD + MORE) == (4, [])
    swapped = COLD.replace("wrong:", "x:").replace("right:", "wrong:").replace("x:", "right:")
    assert failed_examples(HEADER + KINDS + swapped) == (
        2,
        ["the check does not report the wrong example", "the check reports the right example: it has 2 and gives 3"],
    )
    assert failed_examples(HEADER + KINDS + COLD.replace("{heat: 2, warms: 3}", "{heat: 9, warms: 3}"))[1] == [
        "the example is not a valid brave: must be between 1 and 6, not 9"
    ]


def test_all_mistakes_are_reported_at_once() -> None:
    wrong = """
checks:
  one: {code: XX301, kind: brave, when: heet > 1, say: "{{ warmz }} and {{ heat }"}
  two: {code: EM101, kind: brav, when: heat > 1, say: x}
  three: {code: EM302, kind: [brave, weapon], when: heat, say: x}
  four: {code: EM302, kind: brave, when: heat >, at: wepons/0, say: "{{ rulings.gift }}", help: "{{ nobody }}"}
  five: {code: EM303, kind: brave, when: weapons.any(damge > 1), say: x}
  six: {code: EM304, kind: brave, when: "clmp(heat, 1, 2) > 1", say: x}
"""
    assert problems(HEADER + KINDS + wrong) == [
        "22:15 the code must begin with the game's prefix, EM",
        "22:41 unknown name 'heet'; did you mean 'heat'?",
        "22:56 not a valid expression: unexpected '}'",
        "23:15 duplicate code 'EM101', also used by the limit 'em-limit-101'",
        "23:28 unknown kind 'brav'; did you mean 'brave'?",
        "24:53 unknown name 'heat'",
        "25:16 duplicate code 'EM302', also used by the check 'three'",
        "25:42 not a valid expression: unexpected end",
        "25:54 unknown field 'wepons'; did you mean 'weapons'?",
        "25:81 'rulings' has no 'gift'; did you mean 'gifts'?",
        "25:101 unknown name 'nobody'",
        "26:54 unknown name 'damge'; did you mean 'damage'?",
        "27:42 unknown function 'clmp'; did you mean 'clamp'?",
    ]


@pytest.mark.parametrize("key", ["code", "kind", "when", "say"])
def test_a_check_needs_its_keys(tmp_path: Path, key: str) -> None:
    lines = [line for line in COLD.splitlines() if not line.strip().startswith(f"{key}:")]
    write_game(tmp_path, HEADER + KINDS + "\n".join(lines) + "\n")
    with pytest.raises(CardgenError, match=f"'{key}'"):
        game_of(tmp_path)


@pytest.mark.parametrize(
    "when",
    ["range(9999).sum(range(9999).sum(each)) > 0", "heat ** 9 ** 9 ** 9 > 1", "('x' * 99999 ~ name) * 999 != ''"],
)
def test_hostile_expressions_are_findings(tmp_path: Path, when: str) -> None:
    text = HEADER + KINDS + COLD.replace("warms > heat and rulings.gifts == 'no-gifts'", when)
    write_game(tmp_path, text, a="kind: brave\nname: Ash\nheat: 2\n", b="kind: brave\nname: Elm\nheat: 3\n")
    assert all("the check cannot be evaluated" in line for line in findings(tmp_path))
