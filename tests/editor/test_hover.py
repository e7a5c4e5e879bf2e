"""Help at a position."""

from __future__ import annotations

import pytest

from tests.editor.harness import RELIC, WARBAND, Editor

HOVERS = {
    "a key": ("cards/cloak.yaml", RELIC.replace("motto", "mo|tto"), "a separate line"),
    "a nested key": ("cards/cloak.yaml", RELIC.replace("when", "wh|en"), "`attacked`"),
    "the text made of an effect": ("cards/cloak.yaml", RELIC.replace("attacked", "atta|cked"), "> Whoever Attacks"),
    "the name of a card": ("cards/cloak.yaml", RELIC.replace("Test Cloak", "Test| Cloak"), "2 references"),
    "a reference": ("cards/oath.yaml", WARBAND.replace("Test Cloak", "Test Clo|ak"), "Whoever Attacks"),
    "a reference by id": ("cards/oath.yaml", WARBAND.replace("test-cloak", "test-c|loak"), "`test-cloak`"),
    "a term": ("cards/cloak.yaml", "kind: relic\nname: X\ntext: Roll a Te|st now.\n", "**Test**:"),
    "a sentence": (
        "cards/cloak.yaml",
        "kind: relic\nname: X\nmotto: 🎲\ntext: >\n  The bearer has +1 Body.\n  The sun sh|ines.\n",
        "Not read",
    ),
    "an expression": (
        "games/ember/game.yaml",
        "game: ember\nprefix: EM\nkinds: {brave: {}}\nchecks:\n  odd: {code: EM301, wh|en: qty > 3, say: Odd.}\n",
        "text, a number, or true or false",
    ),
    "a setting": ("cardgen.yaml", "pap|er: a4\n", "**paper**"),
}


@pytest.mark.parametrize(("file", "text", "part"), HOVERS.values(), ids=HOVERS)
def test_hover(editor: Editor, file: str, text: str, part: str) -> None:
    found = editor.hover(file, text)
    assert found
    assert part in found.markdown


def test_the_card_of_a_reference_can_be_drawn(editor: Editor) -> None:
    found = editor.hover("cards/oath.yaml", WARBAND.replace("Old Gravel", "Old Gr|avel"))
    assert found
    assert found.card
    assert found.card.card.id == "old-gravel"


@pytest.mark.parametrize("text", ["kind: [relic|", "", "|\n", "kind: relic\nname: X\n\n|\n"])
def test_there_may_be_no_help(editor: Editor, text: str) -> None:
    assert editor.hover("cards/cloak.yaml", text) is None


def test_texts_of_cards_cannot_link_or_embed_anything(editor: Editor) -> None:
    text = "kind: relic\nname: '![x](http://example.org/x.png) <b>'\ntext: a\n"
    found = editor.hover("cards/cloak.yaml", text.replace("example", "exa|mple"))
    assert found
    assert r"\!\[x\]" in found.markdown.replace("!\\[", r"\!\[")
    assert "<b>" not in found.markdown.replace(r"\<b\>", "")
