"""A real client asks the server about a file of translations."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the language server needs cardgen[lsp]")
pytest.importorskip("pytest_lsp", reason="the client of these tests is pytest-lsp")

from lsprotocol import types

from tests.lsp.client import Client
from tests.projects import IN_GERMAN, Folder

FILE = "cards/a.de.yaml"


def test_translations_have_their_problems_completion_and_definitions(folder: Folder) -> None:
    folder.write("cardgen.yaml", "game: warniris\nlanguage: en\nlanguages: [de]\n")
    folder.write(
        "cards/a.yaml", "kind: relic\ncards:\n  - {name: Ash, text: Deal 2 wounds.}\n  - {name: Ember, text: Burn.}\n"
    )
    folder.write(FILE, IN_GERMAN)
    client = Client(Path(folder.root))
    client.open(FILE)
    try:
        (stale,) = client.diagnostics(FILE, lambda found: [each.code for each in found] == ["CG145"])
        assert stale.range == client.range_of(FILE, "Füge 2 Wunden zu.")
        (place,) = client.request("text_document_definition", types.DefinitionParams(**client.at(FILE, "Asche")))
        assert place.uri == client.uri("cards/a.yaml")
        client.replace(FILE, "Füge 2 Wunden zu.", "Füge bis zu zwei Wunden zu, jetzt und immer. " * 40)
        client.diagnostics(FILE, lambda found: any(str(each.code).startswith("CG50") for each in found))
        client.replace(FILE, "name: Glut", "name: Glut\n    t")
        found = client.request("text_document_completion", types.CompletionParams(**client.at(FILE, "    t\n", 5)))
        assert [each.label for each in found.items] == ["text"]
    finally:
        assert client.close() == 0
