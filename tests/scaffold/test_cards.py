"""New cards have every key that they cannot leave out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cardgen.deck import card_index
from cardgen.diagnostic import CardgenError
from cardgen.model import deck as decks
from cardgen.model.deck import FileCards
from cardgen.project.project import Project
from cardgen.project_checks.run import CheckRequest, check_project
from cardgen.scaffold.cards import new_card
from tests.game_file.games import HEADER, write_game

FIELDS = {
    "{type: integer, min: 3}": 3,
    "{type: integer, max: -2}": -2,
    "{type: number, min: 0.5}": 0.5,
    "{type: text, min: 3}": "………",
    "{type: choice, choices: [low, high]}": "low",
    "{type: dice}": "1d6",
    "{type: colour}": "#888888",
    "{type: length, min: 2}": 2,
    "{type: flag, optional: true}": None,
    "{type: list, items: {type: integer, min: 2}, min: 2}": (2, 2),
    "{type: map, keys: [head, body], items: {type: integer, min: 2}, min: 2}": {"head": 2, "body": 2},
}


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def codes() -> list[str]:
    return [each.diagnostic.code for each in check_project(CheckRequest()).findings]


def is_valid(path: Path) -> bool:
    """Whether no key of a card is missing or wrong."""
    assert path.is_file()
    return not any(code.startswith("CG10") or code == "EM100" for code in codes())


@pytest.mark.parametrize("field", FIELDS)
def test_a_kind_of_an_own_game_needs_no_example(tmp_path: Path, field: str) -> None:
    write_game(tmp_path, f"{HEADER}kinds: {{spark: {{fields: {{glow: {field}}}}}}}\n")
    assert is_valid(new_card("spark", "One"))


@pytest.mark.parametrize("field", FIELDS)
def test_free_fields_of_a_kind_with_an_example_are_added(tmp_path: Path, field: str) -> None:
    (tmp_path / "cardgen.yaml").write_text(f"kinds: {{relic: {{fields: {{glow: {field}}}}}}}\n", encoding="utf-8")
    path = new_card("relic", "Salt Bell")
    assert is_valid(path)
    text = path.read_text(encoding="utf-8")
    assert ("\nglow:" in text) == ("optional" not in field)


def test_an_incomplete_example_is_completed(tmp_path: Path) -> None:
    fields = "{heat: {type: integer, min: 1}, cold: {type: integer, min: 4}}"
    write_game(tmp_path, f"{HEADER}kinds: {{spark: {{fields: {fields}, example: {{heat: 2}}}}}}\n")
    text = new_card("spark", "One").read_text(encoding="utf-8")
    assert "\nheat: 2\ncold: 4\n" in text


def test_a_required_card_is_one_of_the_project(tmp_path: Path) -> None:
    kinds = "{brave: {}, spark: {fields: {owner: {type: card, kind: brave}}}}"
    lists = "lists: {band: {members: {kind: brave}, fields: {leader: {type: card, kind: brave}}}}"
    write_game(tmp_path, f"{HEADER}kinds: {kinds}\n{lists}\n")
    with pytest.raises(CardgenError, match="this kind of card needs a brave, but the project has no such card"):
        new_card("spark", "One")
    new_card("brave", "Ash")
    assert "\nowner: ash\n" in new_card("spark", "One").read_text(encoding="utf-8")
    assert "\nleader: ash\n" in new_card("band", "Two").read_text(encoding="utf-8")
    assert not [code for code in codes() if code.startswith("CG10")]


def test_a_new_card_reads_only_the_card_that_it_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card_index, "SETTLED_NS", -(10**9))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path.parent / "kept"))
    (tmp_path / "cards").mkdir()
    for number in range(4):
        (tmp_path / f"cards/{number}.yaml").write_text(f"kind: mission\nname: Raid {number}\n", encoding="utf-8")
    new_card("character", "Ash")
    new_card("character", "Elm")
    read: list[str] = []
    read_file = decks._read_file

    def spy(project: Project, file: Path, *given: Any) -> FileCards:
        read.append(file.name)
        return read_file(project, file, *given)

    monkeypatch.setattr(decks, "_read_file", spy)
    new_card("character", "Fir")
    assert {*read} <= {"elm.yaml"}  # of the card before, only the name is known
    with pytest.raises(CardgenError, match="already exists"):
        new_card("character", "Ash")
    assert {*read} <= {"ash.yaml", "elm.yaml", "fir.yaml"}
