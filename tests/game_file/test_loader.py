"""A game.yaml becomes the same Ruleset that a game in Python gives."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest

from cardgen.builds.builder import build
from cardgen.deck.deck import load_deck
from cardgen.diagnostic import CardgenError
from cardgen.game_file import loader
from cardgen.model.card import Card
from cardgen.print.request import BuildRequest
from cardgen.project_checks.services import registry_of
from tests.game_file.games import BRAVE, HEADER, findings, game_of, write_game


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_cards_are_read_checked_and_built(tmp_path: Path) -> None:
    write_game(tmp_path, a="kind: brave\nname: Ash\nheat: 4\n")
    (entry,) = load_deck(())[1].cards
    card = entry.card
    assert (entry.game, entry.kind, card.id) == ("ember", "brave", "ash")
    assert card.model_dump(include={"heat", "warms", "role", "saying"}) == {
        "heat": 4,
        "warms": 0,
        "role": "scout",
        "saying": None,
    }
    assert findings(tmp_path) == []
    result = build(BuildRequest(output=tmp_path / "output"))
    assert [path.name for path in result.files] == ["ember-brave-a4.pdf"]


def test_the_models_of_a_game_that_is_not_kept_any_longer_are_freed(tmp_path: Path) -> None:
    """Authors edit a game for hours while the studio loads each state of it."""

    def loaded(number: int) -> weakref.ref[type[Card]]:
        write_game(tmp_path, f"{HEADER}{BRAVE}# {number}\n", a="kind: brave\nname: Ash\nheat: 4\n")
        assert findings(tmp_path) == []
        return weakref.ref(type(load_deck(())[1].cards[0].card))

    first, second = loaded(1), loaded(2)
    for cache in (loader._load, registry_of):  # as if many others had been loaded
        cache.cache_clear()
    gc.collect()
    assert (first(), second()) == (None, None)


def test_wrong_cards_are_located(tmp_path: Path) -> None:
    write_game(tmp_path, a="kind: brave\nname: Ash\nheat: 9\nwarms: -1\nrole: smiht\nhaet: 3\n")
    assert findings(tmp_path) == [
        "cards/a.yaml:3:7 EM101 must be between 1 and 6, not 9",
        "cards/a.yaml:4:8 EM100 must be at least 0, not -1",
        "cards/a.yaml:5:7 CG105 'role' must be scout or smith, not 'smiht'; did you mean 'smith'?",
        "cards/a.yaml:6:1 CG101 unknown key 'haet' for kind 'brave'; did you mean 'heat'?",
    ]


def test_a_game_has_name_kinds_and_limits(tmp_path: Path) -> None:
    rules = game_of(write_game(tmp_path))
    assert (rules.id, rules.name, list(rules.kinds)) == ("ember", "Ember", ["brave"])
    assert rules.kinds["brave"].example_text == "heat: 3\n"
    assert callable(rules.checks)
    assert [check.code for check in rules.checks()] == ["EM100", "EM101"]


def test_the_id_is_that_of_the_folder(tmp_path: Path) -> None:
    write_game(tmp_path, HEADER + BRAVE, game="cinder")
    with pytest.raises(CardgenError, match=r"games/cinder/game.yaml:1:7: .*must be 'cinder'"):
        game_of(tmp_path, "cinder")


def test_a_game_is_read_again_when_its_file_changes(tmp_path: Path) -> None:
    write_game(tmp_path)
    first = game_of(tmp_path)
    assert game_of(tmp_path) is first
    write_game(tmp_path, (HEADER + BRAVE).replace("name: Ember", "name: Embers"))
    assert game_of(tmp_path).name == "Embers"
