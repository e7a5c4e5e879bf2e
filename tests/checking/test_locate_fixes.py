"""Fixes are edits by span: everything around them stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.project_checks.run import CheckRequest, apply_fixes, preview_fixes
from tests.checking.harness import CARD, inside

EFFECTS = "effects: [{when: turn_start, bearer: {heal: 1}}]"


def after(folder: Path, text: str, *, unsafe: bool = False) -> str:
    (folder / CARD).write_bytes(text.encode())
    with inside(folder):
        apply_fixes(CheckRequest(), unsafe=unsafe)
    return (folder / CARD).read_bytes().decode()


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_comments_and_layout_survive(newline: str, mark: str, tmp_path: Path) -> None:
    lines = [
        "# A stone.",
        "kind:   relic   # odd   spacing",
        "name: 'Sun Stone'",
        "motto: off  # to be quoted",
        "once:  false",
        "text: >-",
        "  The the bearer gets +1 Mind",
        "  when it is hit.   # part of the text",
    ]
    before = mark + newline.join(lines)
    expected = before.removeprefix(mark).replace("motto: off ", "motto: 'off' ").replace("The the", "The")
    assert after(tmp_path, before) == expected


def test_a_text_by_its_name_can_be_fixed(tmp_path: Path) -> None:
    """A map of texts has keys that are names, not attributes."""
    head = (
        "{kind: warrior, name: Ada, m: 4, ws: 3, bs: 3, s: 3, t: 3, w: 1, i: 3, a: 1, ld: 7, points: 5, rules: [Lucky],"
    )
    text = f"game: skirmish\ncards:\n  - {head}\n     special: {{Lucky: She takes the the test twice.}}}}\n"
    assert after(tmp_path, text) == text.replace("the the", "the")


def test_tabs_and_the_mark_at_the_start_are_removed(tmp_path: Path) -> None:
    """Also tabs because of which the file cannot be read, if it can be with spaces in their places."""
    text = "\ufeffkind: relic\nname: Sun\neffects:\n\t- when: turn_start\n\t  bearer:\n\t\t\theal: 1\n"
    assert after(tmp_path, text) == text.removeprefix("\ufeff").replace("\t", "  ")
    assert after(tmp_path, f"{text}\t: [") == f"{text}\t: [".removeprefix("\ufeff")


def test_fixes_are_applied_until_none_is_left(tmp_path: Path) -> None:
    text = f"kind: relic\nname: Sun\nmotto: so so so so good\n{EFFECTS}\n"
    assert "motto: so good\n" in after(tmp_path, text)


def test_what_changes_a_card_is_left_to_unsafe_fixes(tmp_path: Path) -> None:
    text = "kind: relic\nname: Sun\ntext: Seen from 12 inches away.\n"
    assert after(tmp_path, text) == text
    assert "Seen from 30 cm away." in after(tmp_path, text, unsafe=True)


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("It may not move while it is damaged.", "It may not move while it is Damaged."),
        ("It is damaged Damaged.", "It is Damaged."),
        ("It may not Move move.", "It may not Move."),
    ],
)
def test_a_word_becomes_a_term_only_if_the_author_says_so(text: str, fixed: str, tmp_path: Path) -> None:
    card = f"kind: relic\nname: Sun\ntext: {text}\n"
    assert after(tmp_path, card) == card
    assert f"text: {fixed}\n" in after(tmp_path, card, unsafe=True)


def test_numbers_keep_what_they_are_in_yaml_1_2(tmp_path: Path) -> None:
    text = "kind: mission\nname: Glory\nnumber: 0o17\nvp: 3\nearn: {event: eliminate}\n"
    assert "number: 15\n" in after(tmp_path, text)


def test_the_count_of_what_was_fixed(tmp_path: Path) -> None:
    (tmp_path / CARD).write_text(f"kind: relic\nname: Sun\nmotto: so so and no no\n{EFFECTS}\n", encoding="utf-8")
    with inside(tmp_path):
        outcome = apply_fixes(CheckRequest(), unsafe=False)
    assert outcome.fix_count == 2
    assert outcome.summary.startswith("2 fixed in card.yaml: 1 file, 1 card,")


def test_a_preview_changes_nothing(tmp_path: Path) -> None:
    text = f"kind: relic\nname: Sun\nmotto: so so\n{EFFECTS}\n"
    (tmp_path / CARD).write_text(text, encoding="utf-8")
    with inside(tmp_path):
        changes = preview_fixes(CheckRequest(), unsafe=False)
    assert changes == (
        "--- card.yaml\n+++ card.yaml\n@@ -1,4 +1,4 @@\n kind: relic\n name: Sun\n-motto: so so\n+motto: so\n"
        f" {EFFECTS}\n"
    )
    assert (tmp_path / CARD).read_text(encoding="utf-8") == text


def test_behind_an_escape_nothing_is_mended(tmp_path: Path) -> None:
    """For there the place of a word is that of the whole text."""
    text = f"kind: relic\nname: Sun\nmotto: 'it isn''t so so'\n{EFFECTS}\n"
    assert after(tmp_path, text) == text
