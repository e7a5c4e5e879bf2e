"""Card files are read again only if they have changed, on the disk or in an editor."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.deck.deck import read_project_deck
from cardgen.project.project import Project
from cardgen.runtime.workspace import FileMemory, Workspace

CARD = "kind: relic\nname: {}\ntext: Shines.\n"


@pytest.fixture
def card(tmp_path: Path) -> Path:
    (tmp_path / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    path = tmp_path / "cards" / "halo.yaml"
    path.parent.mkdir()
    path.write_text(CARD.format("Halo"), encoding="utf-8")
    return path


def read(card: Path, workspace: Workspace) -> object:
    (entry,) = read_project_deck(Project.open(workspace), [card]).cards
    return entry


def test_an_unchanged_file_is_read_once(card: Path) -> None:
    remembered, plain = Workspace(card.parent, memory=FileMemory()), Workspace(card.parent)
    assert read(card, remembered) is read(card, remembered)
    assert read(card, plain) is not read(card, plain)


def test_with_many_files_earlier_ones_are_forgotten(card: Path) -> None:
    workspace = Workspace(card.parent, memory=FileMemory(most=2))
    first = read(card, workspace)
    others = [card.with_name(f"{name}.yaml") for name in ("one", "two")]
    for other in others:
        other.write_text(CARD.format(other.stem), encoding="utf-8")
    assert read(others[0], workspace) and read(card, workspace) is first
    assert read(others[1], workspace) and read(card, workspace) is not first


def test_a_changed_file_is_read_again(card: Path) -> None:
    workspace = Workspace(card.parent, memory=FileMemory())
    first = read(card, workspace)
    card.write_text(CARD.format("Golden Halo"), encoding="utf-8")
    assert read(card, workspace) != first


def test_an_unsaved_text_takes_the_place_of_the_file(card: Path) -> None:
    unsaved: dict[str, bytes] = {}
    workspace = Workspace(card.parent, unsaved, memory=FileMemory())
    first = read(card, workspace)
    unsaved[str(card)] = CARD.format("Iron Halo").encode()
    assert "Iron Halo" in repr(read(card, workspace))
    unsaved.clear()
    assert "Iron Halo" not in repr(read(card, workspace))
    assert read(card, workspace) == first


def test_a_file_that_is_gone_is_not_remembered(card: Path) -> None:
    workspace = Workspace(card.parent, memory=FileMemory())
    read(card, workspace)
    card.unlink()
    deck = read_project_deck(Project.open(workspace), [card])
    assert [each.code for each in deck.diagnostics] == ["CG001"]
