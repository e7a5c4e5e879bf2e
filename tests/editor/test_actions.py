"""Fixes, suggestions, and suppression comments as edits."""

from __future__ import annotations

import pytest

from cardgen.editor.actions import code_actions, fix_all
from cardgen.editor.session import check_file
from cardgen.editor.text import apply_edits
from tests.editor.harness import RELIC, Editor


def actions(editor: Editor, text: str) -> dict[str, str]:
    path, *_ = editor.write("cards/cloak.yaml", text)
    problems = check_file(editor.session, path)
    return {each.title: apply_edits(text, each.edits) for each in code_actions(editor.session, problems)}


@pytest.mark.parametrize(
    ("right", "wrong", "title"),
    [
        ("when: attacked", "when: attcked", "Change to 'attacked'"),
        ("motto: Seen", "moto: Seen", "Change to 'motto'"),
        ("kind: relic", "kind: relik", "Change to 'relic'"),
    ],
)
def test_a_suggestion_is_applied(editor: Editor, right: str, wrong: str, title: str) -> None:
    assert actions(editor, RELIC.replace(right, wrong))[title] == RELIC


def test_a_fix_is_applied_and_a_check_is_ignored(editor: Editor) -> None:
    text = RELIC + "text: The bearer bearer heals.  # note\n"
    found = actions(editor, text)
    assert text.replace("bearer bearer", "bearer") in found.values()
    (ignored,) = (after for title, after in found.items() if title.startswith("Ignore doubled-word"))
    assert "# note  # cardgen: ignore[CG201] TODO: give a reason\n" in ignored


def test_all_safe_fixes_are_one_edit(editor: Editor) -> None:
    path, *_ = editor.write("cards/cloak.yaml", RELIC + "credit: yes\nnote: no\n")
    edits = fix_all(check_file(editor.session, path))
    assert apply_edits(RELIC + "credit: yes\nnote: no\n", edits) == RELIC + "credit: 'yes'\nnote: 'no'\n"
