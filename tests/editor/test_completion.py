"""Completions of a file that is being written, and so is usually not valid."""

from __future__ import annotations

import pytest

from tests.editor.harness import Editor

CARD = "kind: relic\nname: X\n"
COMPLETIONS = {
    "a kind": ("kind: rel|", {"relic"}),
    "a key before the colon": (CARD + "mo|", {"motto"}),
    "a key between others": (CARD + "mo|\ntext: y\n", {"motto"}),
    "a key that exists": (CARD + "te|\ntext: y\n", {"template", "note"}),
    "a key in an open brace": (CARD + "effects:\n  - {wh|", {"when", "while"}),
    "a key after a comma": (CARD + "effects:\n  - {when: attacked, at|\n", {"attacker"}),
    "a key of an item": (CARD + "effects:\n  - when: attacked\n    if:\n      wea|\n", {"weapon"}),
    "a choice": (CARD + "effects:\n  - {when: attacki|}\n", {"attacking"}),
    "a choice in a block": (CARD + "effects:\n  - when: attacki|\n    bearer: {heal: 1}\n", {"attacking"}),
    "a flag": (CARD + "draft: |\n", {"true", "false"}),
    "a key of a card in a deck": ("kind: minion\ncards:\n  - name: X\n    wea|\n  - name: Y\n", {"weapons"}),
    "a key of the defaults": ("kind: relic\ndefaults:\n  on|\ncards:\n  - name: Y\n", {"once"}),
    "a card": ("kind: warband\nname: X\nmembers:\n  - {character: old|}\n", {"Old Gravel", "old-gravel"}),
    "a card in quotes": ('kind: warband\nname: X\nmembers:\n  - {relic: "Test|"}\n', {"Test Cloak", "test-cloak"}),
    "an icon": (CARD + "text: It has {skull-c|\n", {"skull-crossbones"}),
    "a term": (CARD + "text: Roll a Tes|\n", {"Test"}),
    "a size": (CARD + "size: tar|\n", {"tarot"}),
    "a tag of another card": (CARD + "tags: [und|]\n", {"undead"}),
}


@pytest.mark.parametrize(("text", "labels"), COMPLETIONS.values(), ids=COMPLETIONS)
def test_completions_of_a_card(editor: Editor, text: str, labels: set[str]) -> None:
    editor.write("cards/gravel.yaml", editor.path("cards/gravel.yaml").read_text("utf-8") + "tags: [undead]\n")
    assert set(editor.labels("cards/new.yaml", text)) == labels


def test_missing_keys_come_first(editor: Editor) -> None:
    found = editor.completions("cards/new.yaml", "kind: relic\n|\n")
    assert [each.label for each in found if each.is_first] == ["name"]


def test_a_name_that_needs_quotes_gets_them(editor: Editor) -> None:
    editor.write("cards/cloak.yaml", "kind: relic\nname: 'Night: Cloak'\ntext: Dark.\n")
    (first, *_) = editor.completions("cards/new.yaml", "kind: warband\nname: X\nmembers:\n  - {relic: Night|}\n")
    assert first.text == '"Night: Cloak"'


@pytest.mark.parametrize("text", ["kind: relic # mot|", "kind: relic\nname: X\nnonsense: {a: |}", "- [|", ": |", "|"])
def test_there_may_be_nothing_to_complete(editor: Editor, text: str) -> None:
    assert isinstance(editor.labels("cards/new.yaml", text), list)


def test_settings_are_completed(editor: Editor) -> None:
    assert "paper" in editor.labels("cardgen.yaml", "game: warniris\npap|\n")
    assert "letter" in editor.labels("cardgen.yaml", "paper: let|\n")


def test_pictures_are_completed(editor: Editor) -> None:
    path = editor.path("art/cloak.svg")
    path.parent.mkdir()
    path.write_text("<svg xmlns='http://www.w3.org/2000/svg'/>", encoding="utf-8")
    assert editor.labels("cards/new.yaml", "kind: relic\nname: X\nart: cl|\n") == ["art/cloak.svg"]
