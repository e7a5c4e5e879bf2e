"""`cardgen new game`: a game that builds and checks clean at once, with a safe name, and nothing overwritten."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.builds.builder import Builder
from cardgen.diagnostic import CardgenError
from cardgen.print.request import BuildRequest
from cardgen.scaffold.cards import new_card
from cardgen.scaffold.game import new_game
from tests.game_file.games import findings, game_of

FILES = {
    "cardgen.yaml", "cards/ember.yaml", "games/ember/game.yaml", "games/ember/templates/hero.layout.yaml",
    "games/ember/templates/hero.back.layout.yaml", "games/ember/templates/theme.yaml",
}  # fmt: skip


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_new_game_checks_clean_and_builds(folder: Path) -> None:
    assert {path.relative_to(folder).as_posix() for path in new_game("Ember").files} == FILES
    assert findings(folder) == []
    assert len(game_of(folder).kinds) == 1
    built = Builder(BuildRequest(folder=folder, output=folder / "out")).build()
    assert built
    assert (folder / "out" / "ember-hero-a4.pdf").stat().st_size > 5000


@pytest.mark.parametrize(
    ("name", "game", "prefix"),
    [
        ("Ember", "ember", "EM"),
        ("The Long Stair", "the-long-stair", "TL"),
        ("../Sun: & 'Moon'", "sun-moon", "SM"),
        ("Café #1", "cafe-1", "CA"),
        ("Cold Glass", "cold-glass", "GC"),
        ("X", "x", "XX"),
        ("$name $$ {game}", "name-game", "NG"),
    ],
)
def test_any_name_gives_a_safe_id_and_prefix(folder: Path, name: str, game: str, prefix: str) -> None:
    files = new_game(name).files
    assert all(path.resolve().is_relative_to(folder) for path in files)
    assert game_of(folder, game).name == name
    assert f"\nprefix: {prefix}\n" in (folder / "games" / game / "game.yaml").read_text(encoding="utf-8")
    assert findings(folder) == []


@pytest.mark.parametrize(
    ("name", "printed"), [("long-stair", "Long Stair"), ("Long stair", "Long stair"), ("ember", "Ember")]
)
def test_the_name_of_a_folder_becomes_a_title(folder: Path, name: str, printed: str) -> None:
    new_game(name)
    (game,) = (folder / "games").glob("*/game.yaml")
    assert f"\nname: {printed}\n" in game.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["", "  ", "12 Angry", "no", "Null", "Shared", "x" * 41, "!!!", "火", "CON", "Com1"])
def test_a_name_that_no_game_can_have_is_refused(folder: Path, name: str) -> None:
    with pytest.raises(CardgenError, match=r"cannot be the name of a game"):
        new_game(name)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("name", ["warniris", "Warcry"])
def test_a_game_of_the_program_is_not_replaced(folder: Path, name: str) -> None:
    with pytest.raises(CardgenError, match=r"there is already a game"):
        new_game(name)
    assert list(folder.iterdir()) == []


def test_nothing_is_overwritten(folder: Path) -> None:
    new_game("Ember")
    with pytest.raises(CardgenError, match=r"there is already a game 'ember'"):
        new_game("Ember")
    (folder / "cards" / "frost.yaml").write_text("mine", encoding="utf-8")
    with pytest.raises(CardgenError, match=r"file already exists; left unchanged"):
        new_game("Frost")
    assert not (folder / "games" / "frost").exists()
    assert (folder / "cards" / "frost.yaml").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("# Mine.\ngame: warniris  # for now\npaper: letter\n", "# Mine.\ngame: ember  # for now\npaper: letter\n"),
        ("paper: letter\n", "game: ember\npaper: letter\n"),
    ],
)
def test_a_project_without_cards_takes_the_game_and_keeps_its_settings(folder: Path, before: str, after: str) -> None:
    (folder / "cardgen.yaml").write_text(before, encoding="utf-8")
    made = new_game("Ember")
    assert (made.is_current, made.replaced) == (True, "warniris")
    assert (folder / "cardgen.yaml").read_text(encoding="utf-8") == after
    assert findings(folder) == []
    new_card("hero", "Bob")
    assert findings(folder) == []


def test_a_project_with_cards_keeps_its_game(folder: Path) -> None:
    (folder / "cardgen.yaml").write_text("paper: letter\n", encoding="utf-8")
    new_card("minion", "Guard")
    assert new_game("Ember").is_current is False
    assert (folder / "cardgen.yaml").read_text(encoding="utf-8") == "paper: letter\n"
    with pytest.raises(CardgenError) as error:
        new_card("hero", "Bob")
    assert error.value.diagnostics[0].help == (
        "it is a kind of card in ember: add --game ember, or write 'game: ember' in cardgen.yaml"
    )
    new_card("hero", "Bob", "ember")
    assert findings(folder) == []
