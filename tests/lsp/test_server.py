"""A real client asks the server about a project of 1,000 cards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the language server needs cardgen[lsp]")
pytest.importorskip("pytest_lsp", reason="the client of these tests is pytest-lsp")

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.lsp.client import Client
from tests.lsp.harness import write_project

CLOAK, LEVY, MINIONS = "cards/cloak.yaml", "cards/levy.yaml", "cards/minions-3.yaml"
CONTEXT = types.ReferenceContext(include_declaration=True)


@pytest.fixture(scope="module")
def shared_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    root = tmp_path_factory.mktemp("project")
    write_project(root)
    client = Client(root, name="Visual Studio Code")
    for file in (CLOAK, LEVY, MINIONS):
        client.open(file)
    yield client
    assert client.close() == 0


@pytest.fixture
def client(shared_client: Client) -> Iterator[Client]:
    """The client, whose files are as they were before."""
    yield shared_client
    shared_client.restore()


def codes(found: list[types.Diagnostic]) -> list[object]:
    return [each.code for each in found]


def test_the_server_says_what_it_can(client: Client) -> None:
    able = client.capabilities
    assert able.position_encoding in (None, "utf-16")
    assert able.text_document_sync.change is types.TextDocumentSyncKind.Incremental
    assert able.rename_provider.prepare_provider
    assert able.hover_provider
    assert able.document_formatting_provider


def test_a_mistake_is_marked_at_its_place_and_goes_when_it_is_corrected(client: Client) -> None:
    client.replace(LEVY, "iron-warden", "iron-wardenn")
    found = client.diagnostics(LEVY, lambda found: "CG115" in codes(found))
    (problem,) = (each for each in found if each.code == "CG115")
    assert "did you mean 'iron-warden'?" in problem.message
    assert problem.range == client.range_of(LEVY, "iron-wardenn")
    assert problem.code_description is None or problem.code_description.href.endswith("#cg115-unknown-reference")
    client.replace(LEVY, "iron-wardenn", "iron-warden")
    client.diagnostics(LEVY, lambda found: "CG115" not in codes(found))


def test_columns_count_units_of_utf_16(client: Client) -> None:
    client.replace(CLOAK, "late 🎲, é", "late 🎲🎲, e\u0301 the the")
    found = client.diagnostics(CLOAK, lambda found: "CG201" in codes(found))
    place = next(each for each in found if each.code == "CG201").range
    start, end = place.start.character, place.end.character
    line = "motto: Seen too late 🎲🎲, e\u0301 the the".encode("utf-16-le")
    assert line[2 * start : 2 * end].decode("utf-16-le").strip() in ("the", "the the")


def test_two_cards_with_one_id_name_each_other(client: Client) -> None:
    client.replace(CLOAK, "Test Cloak", "Iron Warden")
    found = client.diagnostics("cards/minions-0.yaml", lambda found: "CG114" in codes(found))
    related = next(each for each in found if each.code == "CG114").related_information
    assert related
    assert (related[0].location.uri, related[0].message) == (client.uri(CLOAK), "first defined here")


def test_a_broken_file_has_one_diagnostic_and_the_server_goes_on(client: Client) -> None:
    client.replace(CLOAK, "effects:", "effects: [{")
    assert codes(client.diagnostics(CLOAK, lambda found: "CG005" in codes(found))) == ["CG005"]
    assert client.request("text_document_hover", types.HoverParams(**client.at(CLOAK, "motto"))) is None
    client.replace(CLOAK, "effects: [{", "effects:")
    client.diagnostics(CLOAK, lambda found: "CG005" not in codes(found))


def labels(client: Client, file: str, part: str, shift: int) -> list[str]:
    found = client.request("text_document_completion", types.CompletionParams(**client.at(file, part, shift)))
    return [item.label for item in found.items]


def test_keys_choices_and_cards_are_completed(client: Client) -> None:
    assert "bearer" in labels(client, CLOAK, "attacker", 0)
    assert "attacking" in labels(client, CLOAK, "attacked", 3)
    assert "Iron Warden" in labels(client, LEVY, "iron-warden", 4)


def test_a_completion_replaces_what_is_written(client: Client) -> None:
    params = types.CompletionParams(**client.at(LEVY, "iron-warden", 4))
    (item,) = (each for each in client.request("text_document_completion", params).items if each.label == "iron-warden")
    assert item.text_edit.range == client.range_of(LEVY, "iron")


def test_hover_shows_the_card_with_its_picture(client: Client) -> None:
    found = client.request("text_document_hover", types.HoverParams(**client.at(LEVY, "iron-warden")))
    assert found.contents.kind is types.MarkupKind.Markdown
    assert "**Iron Warden** · minion" in found.contents.value
    assert found.contents.value.startswith("![iron-warden](data:image/png;base64,iVBOR")
    assert "Rifle of Iron at " in found.contents.value
    assert found.range == client.range_of(LEVY, "iron-warden")


def test_hover_explains_a_key_and_the_text_made_of_an_effect(client: Client) -> None:
    key = client.request("text_document_hover", types.HoverParams(**client.at(CLOAK, "when")))
    assert "`attacked`" in key.contents.value
    value = client.request("text_document_hover", types.HoverParams(**client.at(CLOAK, "attacked")))
    assert value.contents.value.startswith("> Whoever Attacks")


def test_definition_and_references_of_a_card(client: Client) -> None:
    (definition,) = client.request("text_document_definition", types.DefinitionParams(**client.at(LEVY, "iron-warden")))
    assert definition.uri.endswith("minions-0.yaml")
    params = types.ReferenceParams(**client.at(LEVY, "iron-warden"), context=CONTEXT)
    found = client.request("text_document_references", params)
    assert [each.uri.rpartition("/")[2] for each in found] == ["minions-0.yaml", "levy.yaml"]


def test_a_card_is_renamed_across_files(client: Client) -> None:
    prepared = client.request(
        "text_document_prepare_rename", types.PrepareRenameParams(**client.at(LEVY, "iron-warden"))
    )
    assert prepared.placeholder == "Iron Warden"
    params = types.RenameParams(**client.at(LEVY, "iron-warden"), new_name="Steel Warden")
    edit = client.request("text_document_rename", params)
    texts = {uri.rpartition("/")[2]: [each.new_text for each in edits] for uri, edits in edit.changes.items()}
    assert texts == {"minions-0.yaml": ["Steel Warden"], "levy.yaml": ["steel-warden"]}
    assert edit.changes[client.uri(LEVY)][0].range == client.range_of(LEVY, "iron-warden")


def test_symbols_of_a_file_and_of_the_project(client: Client) -> None:
    params = types.DocumentSymbolParams(client.document(MINIONS))
    found = client.request("text_document_document_symbol", params)
    assert len(found) == 100
    assert found[0].detail == "minion"
    assert [child.name for child in found[0].children] == ["motto", "stats", "weapons"]
    (cloak,) = client.request("workspace_symbol", types.WorkspaceSymbolParams("testcloak"))
    assert (cloak.name, cloak.container_name) == ("Test Cloak", "relic")
    assert len(client.request("workspace_symbol", types.WorkspaceSymbolParams(""))) == 200


def test_a_file_is_formatted(client: Client) -> None:
    client.replace(CLOAK, "kind: relic\n", "#relic\nkind: relic  \n")
    options = types.FormattingOptions(2, insert_spaces=True)
    (edit,) = client.request(
        "text_document_formatting", types.DocumentFormattingParams(client.document(CLOAK), options)
    )
    assert edit.new_text.startswith("# relic\nkind: relic\nname:")


def test_a_suggestion_is_a_code_action(client: Client) -> None:
    client.replace(CLOAK, "attacked", "attcked")
    found = client.diagnostics(CLOAK, lambda found: "CG105" in codes(found))
    (problem,) = (each for each in found if each.code == "CG105")
    context = types.CodeActionContext([problem])
    params = types.CodeActionParams(client.document(CLOAK), problem.range, context)
    (action,) = client.request("text_document_code_action", params)
    assert (action.title, action.is_preferred) == ("Change to 'attacked'", True)
    assert list(action.edit.changes[client.uri(CLOAK)]) == [types.TextEdit(problem.range, "attacked")]


def test_a_text_that_does_not_fit_is_found_when_the_author_pauses(client: Client) -> None:
    client.replace(CLOAK, "motto: Seen", f"text: {'Many words. ' * 200}\nmotto: Seen")
    found = client.diagnostics(CLOAK, lambda found: "CG507" in codes(found))
    assert "the motto does not fit" in next(each.message for each in found if each.code == "CG507")
    client.restore()
    client.diagnostics(CLOAK, lambda found: "CG507" not in codes(found))


def test_templates_have_help_and_completions(client: Client) -> None:
    file = "templates/warniris/relic.svg.j2"
    path = client.root / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("<svg>{{ card.motto | upper }}</svg>\n", encoding="utf-8")
    client.open(file)
    found = client.request("text_document_hover", types.HoverParams(**client.at(file, "motto")))
    assert "a separate line" in found.contents.value
    assert found.range == client.range_of(file, "motto")
    assert labels(client, file, "motto", 3) == ["motto"]
    params = types.DocumentFormattingParams(client.document(file), types.FormattingOptions(2, insert_spaces=True))
    assert not client.request("text_document_formatting", params)
    client.forget(file)
    path.unlink()


def test_a_change_on_the_disk_shows_when_the_file_is_closed(client: Client) -> None:
    client.replace(CLOAK, "motto", "moto")
    client.diagnostics(CLOAK, lambda found: "CG101" in codes(found))
    client.close_file(CLOAK)
    client.diagnostics(CLOAK, lambda found: "CG101" not in codes(found))
    client.open(CLOAK)


def test_a_refusal_says_why(client: Client) -> None:
    params = types.RenameParams(**client.at(CLOAK, "motto"), new_name="X")
    with pytest.raises(JsonRpcException, match="place the cursor on the name of a card"):
        client.request("text_document_rename", params)


def test_a_file_outside_of_the_project_is_not_read(client: Client, tmp_path: Path) -> None:
    secret = tmp_path / "secret.yaml"
    secret.write_text("kind: relic\nname: Secret\n", encoding="utf-8")
    link = client.root / "cards" / "link.yaml"
    link.symlink_to(secret)
    try:
        with pytest.raises(JsonRpcException, match="points outside the project"):
            params = types.DocumentSymbolParams(client.document("cards/link.yaml"))
            client.request("text_document_document_symbol", params)
    finally:
        link.unlink()


def test_a_file_of_no_project_is_left_alone(client: Client, tmp_path: Path) -> None:
    (tmp_path / "compose.yaml").write_text("kind: relic\nname: X\nmoto: y\n", encoding="utf-8")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "secret.yaml").write_text("kind: relic\nname: Secret Word\nmoto: y\n", encoding="utf-8")
    client.open(str(tmp_path / "compose.yaml"))
    found = client.request("workspace_symbol", types.WorkspaceSymbolParams("Secret Word"))
    assert found == []
    client.replace(CLOAK, "motto", "moto")
    client.diagnostics(CLOAK, lambda found: "CG101" in codes(found))
    assert not [uri for uri in client.known_files() if not uri.startswith(client.root.as_uri())]
    client.forget(str(tmp_path / "compose.yaml"))
