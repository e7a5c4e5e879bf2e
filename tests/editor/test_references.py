"""Definitions of cards, and the places that name them."""

from __future__ import annotations

from cardgen.diagnostic import Span
from tests.editor.harness import RELIC, WARBAND, Editor


def test_a_reference_leads_to_the_name_of_the_card(editor: Editor) -> None:
    (found,) = editor.definitions("cards/oath.yaml", WARBAND.replace("Test Cloak", "Test |Cloak"))
    assert (found.path, found.span) == (editor.path("cards/cloak.yaml"), Span(2, 7, 2, 17))


def test_references_are_found_by_name_and_by_id(editor: Editor) -> None:
    found = editor.references("cards/cloak.yaml", RELIC.replace("Test", "Te|st"))
    assert [(each.path.name, each.span.line) for each in found] == [
        ("cloak.yaml", 2),
        ("oath.yaml", 4),
        ("oath.yaml", 5),
    ]


def test_an_unsaved_name_counts(editor: Editor) -> None:
    editor.write("cards/cloak.yaml", RELIC.replace("Test Cloak", "Grey Cloak"))
    assert not editor.definitions("cards/oath.yaml", WARBAND.replace("Test Cloak", "Test |Cloak"))
    (found,) = editor.definitions("cards/oath.yaml", WARBAND.replace("Test Cloak", "Grey |Cloak"))
    assert found.path == editor.path("cards/cloak.yaml")


def test_a_built_in_card_is_found(editor: Editor) -> None:
    (found,) = editor.definitions("cards/oath.yaml", WARBAND.replace("relic: Test Cloak", "relic: Iron |Halo"))
    assert not found.path.is_relative_to(editor.root)


def test_other_values_lead_nowhere(editor: Editor) -> None:
    assert not editor.definitions("cards/cloak.yaml", RELIC.replace("Seen", "Se|en"))
