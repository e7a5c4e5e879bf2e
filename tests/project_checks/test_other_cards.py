"""The cards that checked cards are compared with."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.deck.deck import built_in_cards, built_in_files, require_game
from cardgen.model.card import Card
from cardgen.project.project import Project
from cardgen.project_checks.other_cards import BuiltInCards, UncheckedCards
from cardgen.rulesets.ruleset import games


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.mark.parametrize("game", games())
def test_each_kind_of_a_kit_is_complete_by_itself(game: str, project: Project) -> None:
    every, kit = built_in_cards(project, game), BuiltInCards(project, game)
    assert every
    for kind in require_game(game).kinds:
        of_kind = [entry for entry in every if entry.kind == kind]
        alone = BuiltInCards(project, game).of_kinds([kind])
        assert [entry.card for entry in alone] == [entry.card for entry in of_kind]
        assert [entry.links.keys() for entry in alone] == [entry.links.keys() for entry in of_kind]
    assert [entry.card for entry in kit.every()] == [entry.card for entry in every]


def test_only_the_files_of_a_kind_are_read(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    read = list[str]()

    def record(project: Project, game: str, files: list[Path]) -> tuple[()]:
        read.extend(file.stem for file in files)
        return ()

    monkeypatch.setattr("cardgen.project_checks.other_cards.built_in_cards", record)
    BuiltInCards(project, "warniris").of_kinds(["relic"])
    assert read == ["relics"]
    assert {file.stem for file in built_in_files("warniris")} > {"relics", "characters"}


def test_built_in_files_of_the_project_are_left_out(project: Project) -> None:
    rules = require_game("warniris")
    kit = BuiltInCards(project, "warniris")
    first = kit.every()[0]
    others = UncheckedCards(lambda kinds: (), {"warniris": rules}, lambda _: kit, {first.document.file})
    cards = others.of((type(first.card),), "")
    assert first.card not in [entry.card for entry in cards]
    others = UncheckedCards(lambda kinds: [first], {"warniris": rules}, lambda _: kit, {first.document.file})
    assert others.of((Card,), first.kind)[0] is first
