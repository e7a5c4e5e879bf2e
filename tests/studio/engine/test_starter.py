"""New projects and games: names are validated, and nothing is overwritten."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from cardgen.diagnostic import CardgenError
from cardgen.editor.session import Session
from cardgen.scaffold.game_from_table import ANY_WORDS, LEFT_OUT
from cardgen.studio.engine.remote import Engine
from cardgen.studio.engine.starter import Starter
from tests.scaffold.test_pictures import SVG


@pytest.fixture
def starter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Starter:
    monkeypatch.chdir(tmp_path)
    return Starter(Session(tmp_path))


def test_the_games_to_choose_from_are_those_that_are_installed(starter: Starter, tmp_path: Path) -> None:
    games = starter.games()
    starter.new_project(str(tmp_path), "", "", own_game="Ember")
    assert Starter(Session(tmp_path)).games() == games
    assert {"warniris", "warcry"} <= {game.value for game in games}


def test_a_project_is_written_into_a_new_folder(starter: Starter, tmp_path: Path) -> None:
    folder = Path(starter.new_project(str(tmp_path), "Night Watch", "warcry", sample=True))
    assert folder == tmp_path / "Night Watch"
    assert "game: warcry" in (folder / "cardgen.yaml").read_text(encoding="utf-8")
    assert any((folder / "cards").iterdir())
    assert Path.cwd() == tmp_path
    with pytest.raises(CardgenError, match="already exists") as caught:
        starter.new_project(str(tmp_path), "Night Watch", "warcry")
    assert "open the project" in caught.value.diagnostics[0].help


def test_a_project_with_a_game_of_its_own_is_ready(starter: Starter, tmp_path: Path) -> None:
    folder = Path(starter.new_project(str(tmp_path), "ember", "", own_game="Ember"))
    assert (folder / "games" / "ember" / "game.yaml").exists()
    assert "game: ember" in (folder / "cardgen.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "name", ["../x", "a/b", "a\\b", ".hidden", "con", "x.", "/tmp", "a\0b", "-x", "x" * 90, " ", "_", "__.__"]
)
def test_names_that_no_folder_has_are_refused(starter: Starter, tmp_path: Path, name: str) -> None:
    with pytest.raises(CardgenError):
        starter.new_project(str(tmp_path), name, "warniris")
    assert not any(tmp_path.iterdir())


def test_a_mistake_leaves_no_folder(starter: Starter, tmp_path: Path) -> None:
    with pytest.raises(CardgenError, match="unknown game"):
        starter.new_project(str(tmp_path), "x", "chess")
    with pytest.raises(CardgenError, match="cannot be the name of a game"):
        starter.new_project(str(tmp_path), "x", "", own_game="123")
    assert not any(tmp_path.iterdir())


def test_a_game_is_added_to_the_project(starter: Starter, tmp_path: Path) -> None:
    assert "games/ash/game.yaml" in starter.new_game("Ash")
    with pytest.raises(CardgenError, match="already a game"):
        Starter(Session(tmp_path)).new_game("Ash")


def _files(folder: Path, *names: str) -> str:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("Name,Strength\nAda,3\nBo,4\n", encoding="utf-8")
    return str(folder)


def test_what_is_in_a_table_is_told_before_a_game_is_made_of_it(
    starter: Starter, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = _files(tmp_path_factory.mktemp("sent"), "desk/Heroes of the Marsh.csv")
    guess = starter.guess(folder)
    assert guess.name == "Heroes of the Marsh"
    (sheet,) = guess.sheets
    assert sheet.title.endswith("2 cards")
    assert [column[:2] for column in sheet.columns] == [("Name", "name"), ("Strength", "strength")]
    assert not any(tmp_path.iterdir())
    starter.new_project(str(tmp_path), "", "", own_game="Marsh", table=folder, size="tarot")
    assert (tmp_path / "Heroes of the Marsh.csv").exists()
    assert "size: tarot" in (tmp_path / "games" / "marsh" / "game.yaml").read_text(encoding="utf-8")


def test_each_of_several_tables_is_a_kind_of_the_game(
    starter: Starter, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = _files(tmp_path_factory.mktemp("sent"), "Marsh/beasts.csv", "Marsh/herbs.csv")
    (Path(folder) / "Marsh" / "notes.csv").write_text("12\n13\n", encoding="utf-8")
    guess = starter.guess(folder)
    assert guess.name == "Marsh"
    assert [sheet.title for sheet in guess.sheets] == ["beasts: 2 cards", "herbs: 2 cards"]
    assert any("notes" in note for note in guess.notes)
    starter.new_project(str(tmp_path), "", "", own_game="Marsh", table=folder)
    assert sorted(path.name for path in tmp_path.glob("*.csv")) == ["beasts.csv", "herbs.csv"]
    settings = (tmp_path / "cardgen.yaml").read_text(encoding="utf-8")
    assert all(f'  "{file}":\n    kind: {file[:-4]}\n' in settings for file in ("beasts.csv", "herbs.csv"))
    assert "# notes is not read: " in settings


def test_a_game_of_a_table_is_added_to_the_project(
    starter: Starter, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    starter.new_project(str(tmp_path), "", "warcry", sample=True)
    files = Starter(Session(tmp_path)).new_game("Marsh", _files(tmp_path_factory.mktemp("sent"), "heroes.csv"))
    assert {"heroes.csv", "cardgen.yaml", "games/marsh/game.yaml"} <= {*files}
    assert "heroes.csv" in (tmp_path / "cardgen.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("art/a.png",), "no spreadsheet among the files"),
        (("a.csv", "b.mse-set"), "one deck or spreadsheets, not 'a.csv' and 'b.mse-set'"),
        (("a.csv", "b.xlsx"), "b.xlsx"),
        (("a.xlsx",), "a.xlsx"),
    ],
)
def test_files_of_which_no_game_can_be_made_are_called_as_their_author_does(
    starter: Starter, tmp_path_factory: pytest.TempPathFactory, names: tuple[str, ...], message: str
) -> None:
    folder = _files(tmp_path_factory.mktemp("sent"), *names)
    with pytest.raises(CardgenError, match=message) as caught:
        starter.guess(folder)
    assert folder not in str(caught.value)


@pytest.mark.parametrize("first", ["desk/heroes.csv", "heroes.csv", "art/a.png"])
@pytest.mark.parametrize("second", ["desk/heroes.csv", "heroes.csv", "art/a.png", "a.png"])
def test_files_that_are_sent_later_are_added_to_a_table_and_a_table_replaces_another(
    starter: Starter, tmp_path_factory: pytest.TempPathFactory, first: str, second: str
) -> None:
    earlier, later = (_files(tmp_path_factory.mktemp("sent"), name) for name in (first, second))
    joined = starter.join(later, earlier)
    assert sorted(Path(each).exists() for each in (earlier, later)) == [False, True]
    found = {path.name for path in Path(joined).rglob("*") if path.is_file()}
    assert found == {first.rpartition("/")[2], second.rpartition("/")[2]}
    if "heroes.csv" in found:
        assert starter.guess(joined).sheets


def test_columns_that_are_left_out_are_no_fields(
    starter: Starter, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = _files(tmp_path_factory.mktemp("sent"), "beasts.csv", "herbs.csv")
    starter.new_project(
        str(tmp_path), "", "", own_game="Marsh", table=folder, corrections=(("herbs", "Strength", LEFT_OUT),)
    )
    kinds = yaml.safe_load((tmp_path / "games/marsh/game.yaml").read_text(encoding="utf-8"))["kinds"]
    assert {kind: [*each["fields"]] for kind, each in kinds.items()} == {"beasts": ["strength"], "herbs": []}
    assert Engine(str(tmp_path)).project().title == "Marsh"


def test_choices_can_be_called_texts(
    starter: Starter, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("sent")
    (folder / "herbs.csv").write_text("Name,Dice\nSage,1W6\nRue,2W6\nThyme,1W6\nMint,2W6\n", encoding="utf-8")
    ((name, dice),) = (sheet.columns for sheet in starter.guess(str(folder)).sheets)
    assert (name[3], dice[3]) == ((), (LEFT_OUT, ANY_WORDS))
    starter.new_project(
        str(tmp_path), "", "", own_game="Marsh", table=str(folder), corrections=(("herbs", "Dice", ANY_WORDS),)
    )
    assert 'dice: {type: text, label: "Dice"}' in (tmp_path / "games/marsh/game.yaml").read_text(encoding="utf-8")


def test_drawings_that_no_column_names_are_icons_and_what_becomes_of_files_is_said(
    starter: Starter, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("sent")
    rows = "Name,Bild,Text\nSage,sage.svg,Pay {gold} and go.\nRue,rue.svg,Nothing at all happens.\n"
    (folder / "herbs.csv").write_text(rows, encoding="utf-8")
    for name in ("sage.svg", "gold.svg", "sub/wood.svg", "notes.png"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(SVG, encoding="utf-8")
    guess = starter.guess(str(folder))
    assert guess.files == ("5 files read: 1 spreadsheet, 1 picture, and 2 icons ({gold}, {wood}). Not used: notes.png.")
    assert guess.notes == (
        "column 'Bild': 1 picture not found, such as 'rue.svg'; add what is missing, or leave the column out",
    )
    starter.new_project(str(tmp_path), "", "", own_game="Marsh", table=str(folder))
    assert sorted(path.name for path in (tmp_path / "icons").iterdir()) == ["gold.svg", "wood.svg"]
    assert [path.name for path in (tmp_path / "art").iterdir()] == ["sage.svg"]
    assert "Bild: art" in (tmp_path / "cardgen.yaml").read_text(encoding="utf-8")
