"""Card files are read again only if they have changed, on the disk or in an editor."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.deck.deck import read_project_deck
from cardgen.model import deck as file_memory
from cardgen.model.deck import FileMemory
from cardgen.project import Project
from cardgen.runtime import regular_file

CARD = "kind: relic\nname: {}\ntext: Shines.\n"


@pytest.fixture
def card(tmp_path: Path) -> Path:
    (tmp_path / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    path = tmp_path / "cards" / "halo.yaml"
    path.parent.mkdir()
    path.write_text(CARD.format("Halo"), encoding="utf-8")
    return path


def read(card: Path) -> object:
    (entry,) = read_project_deck(Project.find(card.parent), [card]).cards
    return entry


def test_an_unchanged_file_is_read_once(card: Path) -> None:
    with file_memory.memory_in_force(FileMemory()):
        assert read(card) is read(card)
    assert read(card) is not read(card)


def test_a_changed_file_is_read_again(card: Path) -> None:
    with file_memory.memory_in_force(FileMemory()):
        first = read(card)
        card.write_text(CARD.format("Golden Halo"), encoding="utf-8")
        assert read(card) != first


def test_an_unsaved_text_takes_the_place_of_the_file(card: Path) -> None:
    with file_memory.memory_in_force(FileMemory()):
        first = read(card)
        with regular_file.unsaved_in_force({str(card): CARD.format("Iron Halo").encode()}):
            assert "Iron Halo" in repr(read(card))
        assert "Iron Halo" not in repr(read(card))
        assert read(card) == first


def test_a_file_that_is_gone_is_not_remembered(card: Path) -> None:
    project = Project.find(card.parent)
    with file_memory.memory_in_force(FileMemory()):
        read(card)
        card.unlink()
        deck = read_project_deck(project, [card])
    assert [each.code for each in deck.diagnostics] == ["CG001"]
