"""Renaming a card changes all places that name it, and nothing else."""

from __future__ import annotations

import pytest

from cardgen.editor.references import RenameError
from tests.editor.harness import HERO, RELIC, WARBAND, Editor


def test_a_card_is_renamed_with_its_references(editor: Editor) -> None:
    changed = editor.rename("cards/cloak.yaml", RELIC.replace("Test Cloak", "Test| Cloak"), "Night Cloak")
    assert changed == {
        "cards/cloak.yaml": RELIC.replace("Test Cloak", "Night Cloak"),
        "cards/oath.yaml": WARBAND.replace("Test Cloak", "Night Cloak").replace("test-cloak", "night-cloak"),
    }


def test_a_card_is_renamed_at_a_reference(editor: Editor) -> None:
    changed = editor.rename("cards/oath.yaml", WARBAND.replace("old-gravel", "old-gr|avel"), "Young Gravel")
    assert changed["cards/gravel.yaml"] == HERO.replace("Old Gravel", "Young Gravel")
    assert "{character: young-gravel" in changed["cards/oath.yaml"]


def test_references_by_an_own_id_stay(editor: Editor) -> None:
    text = RELIC.replace("name: Test Cloak", "name: Test Cloak\nid: test-cloak")
    changed = editor.rename("cards/cloak.yaml", text.replace("Test Cloak", "Test |Cloak"), "Night Cloak")
    assert changed["cards/oath.yaml"] == WARBAND.replace("Test Cloak", "Night Cloak")
    changed = editor.rename("cards/cloak.yaml", text.replace("test-cloak", "test|-cloak"), "cloak-1")
    assert changed["cards/oath.yaml"] == WARBAND.replace("test-cloak", "cloak-1")


def test_a_name_gets_the_quotes_it_needs(editor: Editor) -> None:
    changed = editor.rename("cards/cloak.yaml", RELIC.replace("Test Cloak", "|Test Cloak"), "Night: a {Cloak}")
    assert 'name: "Night: a {Cloak}"\n' in changed["cards/cloak.yaml"]
    assert 'relic: "Night: a {Cloak}"}' in changed["cards/oath.yaml"]


RELEASE = """\
format: 1
cards:
- id: test-cloak
  game: warniris
  kind: relic
  name: "Test Cloak"
  qty: 1
  rules: "00"
  words: "00"
date: 2026-05-31
"""
KEPT = "formerly: test-cloak"
RENAMED = RELIC.replace("Test Cloak\n", f"Night Cloak\n{KEPT}\n")


def test_a_released_id_is_kept_as_an_earlier_one(editor: Editor) -> None:
    (editor.root / "releases").mkdir()
    (editor.root / "releases" / "v1.yaml").write_text(RELEASE, "utf-8")
    in_flow = "cards:\n  - {kind: relic, name: Test Cloak, text: Hide.}\n"
    own_id = RELIC.replace("Test Cloak\n", "Test Cloak\nid: test-cloak\n")
    cases = {
        RELIC: RENAMED,
        RELIC.replace("Cloak\n", "Cloak  # black\n"): RENAMED.replace("Cloak\n", "Cloak  # black\n"),
        RELIC.replace("motto", "formerly: cape\nmotto"): RENAMED.replace(KEPT, "formerly: [cape, test-cloak]"),
        in_flow: in_flow.replace("Test Cloak", f"Night Cloak, {KEPT}"),
        own_id: own_id.replace("Test Cloak", "Night Cloak"),
    }
    for before, after in cases.items():
        changed = editor.rename("cards/cloak.yaml", before.replace("Test Cloak", "Test |Cloak"), "Night Cloak")
        assert changed["cards/cloak.yaml"] == after


REFUSALS = {
    "a key": ("cards/cloak.yaml", RELIC.replace("motto", "mot|to"), "X", "place the cursor"),
    "no name": ("cards/cloak.yaml", RELIC.replace("Test", "Te|st"), "  ", "a name must have"),
    "a line break": ("cards/cloak.yaml", RELIC.replace("Test", "Te|st"), "a\nb", "a name must have"),
    "another card's name": (
        "cards/cloak.yaml",
        RELIC.replace("Test", "Te|st"),
        "Old gravel",
        "has the id 'old-gravel'",
    ),
    "a built-in card": ("cards/oath.yaml", WARBAND.replace("Test Cloak", "Iron| Halo"), "X", "comes with the game"),
}


@pytest.mark.parametrize(("file", "text", "new", "message"), REFUSALS.values(), ids=REFUSALS)
def test_what_cannot_be_renamed(editor: Editor, file: str, text: str, new: str, message: str) -> None:
    with pytest.raises(RenameError, match=message):
        editor.rename(file, text, new)


def test_a_card_is_not_renamed_while_another_cannot_be_read(editor: Editor) -> None:
    editor.write("cards/oath.yaml", WARBAND + "nonsense: 1\n")
    with pytest.raises(RenameError, match=r"fix the errors in .*oath\.yaml first"):
        editor.rename("cards/cloak.yaml", RELIC.replace("Test", "Te|st"), "X")
