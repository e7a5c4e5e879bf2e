"""A project in an editor: unsaved texts, mistakes in settings, and the borders of the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.editor.session import check_all, check_file
from tests.editor.harness import RELIC, Editor


def codes(editor: Editor, name: str) -> list[str]:
    return [each.diagnostic.code for each in check_file(editor.session, editor.path(name))]


def test_problems_are_those_of_the_unsaved_text(editor: Editor) -> None:
    editor.write("cards/cloak.yaml", RELIC.replace("motto", "moto"))
    assert codes(editor, "cards/cloak.yaml") == ["CG101"]
    editor.session.set_text(editor.path("cards/cloak.yaml"), None)
    assert "CG101" not in codes(editor, "cards/cloak.yaml")


def test_a_card_that_another_file_names_is_missed_there(editor: Editor) -> None:
    editor.write("cards/cloak.yaml", RELIC.replace("Test Cloak", "Grey Cloak"))
    problems = check_all(editor.session)[editor.path("cards/oath.yaml")]
    assert [each.diagnostic.place.span for each in problems if each.diagnostic.code == "CG115"]


@pytest.mark.parametrize("file", ["cards/new.yaml", "cards/more/new.yml"])
def test_a_file_that_is_not_saved_yet_belongs_to_the_project(editor: Editor, file: str) -> None:
    path = editor.path(file)
    editor.session.set_text(path, RELIC.replace("Test Cloak", "Fresh Cloak").replace("motto", "moto"))
    assert codes(editor, file) == ["CG101"]
    assert [each.diagnostic.code for each in check_all(editor.session)[path]] == ["CG101"]
    editor.session.set_text(path, RELIC)
    assert "CG114" in {each.diagnostic.code for each in check_all(editor.session)[path]}  # of the card that it repeats
    editor.session.set_text(path, None)
    assert path not in check_all(editor.session)


@pytest.mark.parametrize("file", ["new.yaml", "cards/.new.yaml", "cards/templates/new.yaml", "cards/new.txt"])
def test_new_files_for_other_purposes_are_no_cards(editor: Editor, file: str) -> None:
    editor.session.set_text(editor.path(file), "kind: relic\n")
    assert editor.path(file) not in check_all(editor.session)


def test_unsaved_settings_apply(editor: Editor) -> None:
    editor.write("cardgen.yaml", "game: warniris\ncheck: {ignore: [near-duplicate]}\n")
    assert "CG125" not in codes(editor, "cards/cloak.yaml")
    editor.write("cardgen.yaml", "game: warniris\n")
    assert "CG125" in codes(editor, "cards/cloak.yaml")


def test_wrong_settings_are_marked_and_completed(editor: Editor) -> None:
    editor.write("cardgen.yaml", "gaem: warniris\n")
    (problem,) = check_all(editor.session)[editor.path("cardgen.yaml")]
    assert problem.diagnostic.code == "CG101"
    assert "paper" in editor.labels("cardgen.yaml", "gaem: warniris\npa|\n")
    with pytest.raises(CardgenError):
        editor.session.ask(lambda loaded: loaded, strict=True)


def test_links_out_of_the_project_are_not_read(editor: Editor, tmp_path_factory: pytest.TempPathFactory) -> None:
    secret = tmp_path_factory.mktemp("other") / "secret.yaml"
    secret.write_text("kind: relic\n", encoding="utf-8")
    link = editor.path("cards/link.yaml")
    link.symlink_to(secret)
    assert not editor.session.owns(link)
    assert editor.session.text(link) == ""
    assert editor.session.text(secret) == ""
    assert not editor.session.owns(Path("/etc/hostname"))


def test_a_text_that_is_too_large_is_not_analyzed(editor: Editor) -> None:
    path, _, _ = editor.write("cards/cloak.yaml", RELIC + "# " + "x" * 2**20)
    assert codes(editor, "cards/cloak.yaml") == ["CG002"]
    assert editor.session.text(path) == ""
    editor.write("cards/cloak.yaml", RELIC)
    assert editor.session.text(path) == RELIC
