"""A large collection in public JSON becomes the same cards as the YAML of them, through cardgen.yaml alone."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from cardgen.deck.deck import KindsByGame, read_game_settings
from cardgen.model.deck import Deck, read_deck
from cardgen.project.project import Project
from cardgen.project_checks.run import CheckRequest, check_project
from tests.benchmarks.warcry_collection import (
    ABILITIES,
    FACTIONS,
    FIGHTERS,
    LONGEST_TEXT,
    UNKNOWN_PRICE,
    abilities,
    factions,
    fighters,
    write_json,
    write_yaml,
)
from tests.projects import Folder


def read() -> Deck:
    project = Project.find()
    kinds = KindsByGame(read_game_settings(project))
    return read_deck(project, project.find_card_files(), kinds, "warcry")


def test_the_collection_has_the_shape_of_public_data() -> None:
    names = Counter(row["name"] for row in fighters())
    assert (sum(names.values()), len(list(abilities())), len(factions())) == (FIGHTERS, ABILITIES, FACTIONS)
    assert max(names.values()) == 2
    assert any("É" in name for name in names)
    assert any('"' in name for name in names)
    assert max(len(row["description"]) for row in abilities()) == LONGEST_TEXT
    assert [row["cost"] for row in abilities()].count(UNKNOWN_PRICE) == 1


def test_json_and_yaml_give_the_same_cards(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    decks = []
    for name, write in (("json", write_json), ("yaml", write_yaml)):
        write(folder.root / name)
        monkeypatch.chdir(folder.root / name)
        decks.append(read())
    by_json, by_yaml = ({entry.card.id: entry.card for entry in deck.cards} for deck in decks)
    assert decks[0].diagnostics == decks[1].diagnostics == ()
    assert len(by_json) == FIGHTERS + ABILITIES
    assert by_json == by_yaml


def test_an_unknown_price_stops_no_other_card(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    write_json(folder.root / "json")
    monkeypatch.chdir(folder.root / "json")
    settings = folder.root / "json" / "cardgen.yaml"
    text = settings.read_text(encoding="utf-8")
    translation = "\"'free' if row.cost == 'passive' else row.cost\""
    assert translation in text
    settings.write_text(text.replace(translation, "row.cost"), encoding="utf-8")
    deck = read()
    (problem,) = deck.diagnostics
    assert str(problem.place) == "data/abilities.json:5107:13"
    assert problem.message.startswith("unknown ability price 'passive'")
    assert len(deck.cards) == FIGHTERS + ABILITIES - 1


def test_long_texts_but_the_longest_fit(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    write_json(folder.root / "json")
    monkeypatch.chdir(folder.root / "json")
    rows = sorted(abilities(), key=lambda row: -len(row["description"]))[:20]
    for name, content in (("abilities", rows), ("fighters", [])):
        (folder.root / "json" / "data" / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    findings = check_project(CheckRequest(fit=True)).findings
    places = [str(one.diagnostic.place) for one in findings if one.diagnostic.severity == "error"]
    assert places == ["data/abilities.json:/0/description"]
