"""`cardgen new game NAME --from TABLE`: what is guessed from headings and cells, and that the game builds at once."""

from __future__ import annotations

import csv
from contextlib import chdir
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import yaml
from PIL import Image

from cardgen.builds.builder import Builder
from cardgen.deck.deck import kind_title, load_deck
from cardgen.diagnostic import CardgenError
from cardgen.print.render import CardRenderer
from cardgen.print.request import BuildRequest
from cardgen.runtime.workspace import Workspace
from cardgen.scaffold.game import new_game
from tests.cases import each_case
from tests.game_file.games import findings

HEROES: list[list[Any]] = [
    ["Name", "Stärke", "Leben", "Klasse", "Elite", "Regeltext", "Zitat", "Anzahl", "Worte", "Nr. 2 {x}"],
    ["Grimm", 3, 12, "Krieger", "x", "Einmal je Kampf würfelt Grimm neu.", "Ich war hier.", 2, "Zwerg; Schmied", 0.5],
    ["Öl-Ute", 2, 9, "magier", None, "Ute verschiebt bis zu zwei Figuren um 3 Felder.", None, 1, "Mensch", 1],
    ["Falk", -5, "?", "Krieger", "x", None, None, 1, "Mensch; Reiter", None],
    ["Mira", 4, 10, "Magier", None, None, None, 3, "Elf", 2.25],
    [None, 14, None, None, None, None, None, 7, None, None],
]
PLACES: list[list[Any]] = [["Ort", "Preis"], ["Sumpf", "3 G"], ["Wald", "2 G"]]
NOTES: list[list[Any]] = [["Fragen"], ["Und?"], ["Und?"]]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    monkeypatch.chdir(root)
    return root


def workbook(path: Path, **sheets: list[list[Any]]) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def table(path: Path, rows: list[list[Any]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["" if cell is None else cell for cell in row] for row in rows])
    return path


def kinds(folder: Path, game: str) -> dict[str, Any]:
    data = yaml.safe_load((folder / "games" / game / "game.yaml").read_text(encoding="utf-8"))
    return {name: kind["fields"] for name, kind in data["kinds"].items()}


def settings(folder: Path) -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load((folder / "cardgen.yaml").read_text(encoding="utf-8"))
    return data


def test_each_sheet_is_a_kind_and_the_cards_are_printed_at_once(folder: Path) -> None:
    source = workbook(folder.parent / "karten.xlsx", Helden=HEROES, Orte=PLACES, Notizen=NOTES)
    made = new_game("Sumpfland", table=source)
    assert dict(made.kinds) == {"helden": 4, "orte": 2}
    assert made.notes == ("sheet 'Notizen' is not read: no column has a name for each card",)
    assert (folder / "karten.xlsx").read_bytes() == source.read_bytes()
    assert findings(folder) == []
    built = Builder(BuildRequest(folder=folder, output=folder / "out")).build()
    assert [path.name for path in built.files] == ["sumpfland-helden-a4.pdf", "sumpfland-orte-a4.pdf"]
    assert kinds(folder, "sumpfland") == {
        "helden": {
            "starke": {"type": "integer", "min": -5, "label": "Stärke"},
            "leben": {"type": "integer", "min": 0, "optional": True, "label": "Leben"},
            "klasse": {"type": "choice", "choices": ["Krieger", "Magier"], "label": "Klasse"},
            "elite": {"type": "flag", "label": "Elite"},
            "worte": {"type": "list", "items": {"type": "text"}, "label": "Worte"},
            "nr_2_x": {"type": "number", "optional": True, "label": "Nr. 2 {x}"},
        },
        "orte": {"preis": {"type": "text", "label": "Preis"}},
    }
    heroes = settings(folder)["tables"]["karten.xlsx"]["Helden"]
    keys = {"Name": "name", "Regeltext": "text", "Zitat": "motto", "Anzahl": "qty"}
    assert heroes["columns"].items() >= keys.items()
    assert heroes["values"] == {"Leben": {"?": None}}


def test_what_authors_have_to_add_is_said(folder: Path) -> None:
    rows: list[list[Any]] = [["name", "image", "own"], ["Ring", "ring.png", "ash.png"], ["ring", "ring.png", None]]
    (folder / "ash.png").touch()
    made = new_game("Loot", table=table(folder.parent / "loot.csv", rows))
    assert made.notes == (
        "column 'image' is not read: 1 picture not found, such as 'ring.png'; correct the column, and write its key, "
        "such as art, in place of null in cardgen.yaml",
        "several cards are alike (ring): add a column 'id' with a different word for each, or number copies in a "
        "column 'qty'",
    )
    assert settings(folder)["tables"]["loot.csv"]["columns"] == {"image": None}
    assert kinds(folder, "loot")["loot"] == {"own": {"type": "picture", "optional": True, "label": "own"}}


def test_own_ids_tell_cards_of_one_name_apart(folder: Path) -> None:
    names = [("Ring", "ring-1", "a/b"), ("Ring", "ring-2", "3 G"), ("Cup", "cup", "a/b"), ("Hat", "hat", "3 G")]
    rows: list[list[Any]] = [["name", "id", "tier", "worth"], *([*each, worth] for worth, each in enumerate(names))]
    made = new_game("Loot", table=table(folder / "loot.csv", rows))
    assert made.notes == ()
    assert findings(folder) == []
    assert kinds(folder, "loot")["loot"].keys() == {"tier", "worth"}
    assert kinds(folder, "loot")["loot"]["tier"]["choices"] == ["a/b", "3 G"]


def test_columns_tell_cards_of_one_name_apart_and_kinds_those_of_one_name_in_two_sheets(folder: Path) -> None:
    hits = [["Hit", "red", 1], ["Hit", "red", 2], ["Hit", "blue", 1], ["Miss", "blue", 1]]
    sheets: dict[str, list[list[Any]]] = {
        "Acts": [["name", "suit", "rank"], *hits],
        "Boons": [["name", "worth"], ["Rest", 3], ["Meal", 4]],
        "Banes": [["name", "worth"], ["Rest", 1], ["Cut", 2]],
    }
    made = new_game("Fray", table=workbook(folder.parent / "fray.xlsx", **sheets))
    assert made.notes == ()
    tables = settings(folder)["tables"]["fray.xlsx"]
    assert {sheet: each.get("id") for sheet, each in tables.items()} == {
        "Acts": "row['name'] ~ ' ' ~ row['suit'] ~ ' ' ~ row['rank']",
        "Boons": None,
        "Banes": "'banes ' ~ row['name']",
    }
    assert findings(folder) == []
    _, deck = load_deck((), folder=folder)
    assert [each.card.id for each in deck.cards] == [
        "hit-red-1", "hit-red-2", "hit-blue-1", "miss-blue-1", "rest", "meal", "banes-rest", "banes-cut",
    ]  # fmt: skip


def test_columns_of_translations_make_a_project_of_several_languages(folder: Path) -> None:
    rows: list[list[Any]] = [
        ["Name", "Cost", "Rules", "Name.de", "Rules.PT-br", "Cost.max"],
        ["Ash", 2, "Move.", "Esche", None, 3],
    ]
    made = new_game("Fray", table=table(folder / "fray.csv", rows))
    assert made.notes == ()
    assert settings(folder)["languages"] == ["de", "pt-BR"]
    assert kinds(folder, "fray")["fray"].keys() == {"cost", "cost_max"}
    assert [each.split(" ", 1)[1] for each in findings(folder)] == [
        "CG141 de: 1 text not translated", "CG141 pt-BR: 2 texts not translated",
    ]  # fmt: skip
    _, deck = load_deck((), workspace=Workspace(folder, language="de"))
    assert [each.card.name for each in deck.cards] == ["Esche"]


def test_a_table_of_the_project_is_read_where_it_is(folder: Path) -> None:
    (folder / "data").mkdir()
    source = table(folder / "data" / "loot cards.csv", [["Title", "Copies", "Worth"], ["Ring", 2, 5], ["Cup", 1, 3]])
    made = new_game("Loot", table=source.relative_to(folder))
    assert dict(made.kinds) == {"loot-cards": 2}
    assert settings(folder)["tables"].keys() == {"data/loot cards.csv"}
    assert not (folder / "loot cards.csv").exists()
    assert findings(folder) == []


def test_a_project_with_other_cards_keeps_its_game(folder: Path) -> None:
    (folder / "cardgen.yaml").write_text("# mine\ngame: warniris\n", encoding="utf-8")
    (folder / "cards").mkdir()
    (folder / "cards" / "bell.yaml").write_text("kind: relic\nname: Bell\ntext: Ring it.\n", encoding="utf-8")
    made = new_game("Loot", table=table(folder / "loot.csv", [["name", "worth"], ["Ring", 2]]))
    assert not made.is_current
    text = (folder / "cardgen.yaml").read_text(encoding="utf-8")
    assert text.startswith("# mine\ngame: warniris\n")
    assert settings(folder)["tables"]["loot.csv"]["game"] == "loot"
    assert findings(folder) == []
    with pytest.raises(CardgenError, match="the project reads tables already"):
        new_game("Other", table=folder / "loot.csv")


@pytest.mark.parametrize(
    "heading",
    ["id", "kind", "size", "yes", "12", "火", "line", "a: b", "# x", 'q"', "it's", "{{ 7 * 7 }}", "x" * 90, "model_x"],
)
def test_any_heading_gives_a_field(folder: Path, heading: str) -> None:
    new_game("Loot", table=table(folder / "loot.csv", [["name", heading], ["Ring", 2], ["Cup", 3], ["", 5]]))
    assert findings(folder) == []
    ((field, declared),) = kinds(folder, "loot")["loot"].items()
    assert declared == {"type": "integer", "min": 0, "label": heading[:40]}
    assert settings(folder)["tables"]["loot.csv"]["columns"] == {heading: field}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([["a", "b"], [1, 2]], "no column has a name for each card"),
        ([[]], "no column has a name for each card"),
    ],
)
def test_a_table_without_cards_is_refused_and_nothing_written(
    folder: Path, rows: list[list[Any]], message: str
) -> None:
    source = table(folder.parent / "bad.csv", rows)
    with pytest.raises(CardgenError, match=message):
        new_game("Loot", table=source)
    assert [*folder.iterdir()] == []


def test_only_spreadsheets_can_become_games(folder: Path) -> None:
    for name, message in (("cards.json", "only from a spreadsheet"), ("gone.csv", "gone.csv")):
        with pytest.raises(CardgenError, match=message):
            new_game("Loot", table=Path(name))
    assert [*folder.iterdir()] == []


def test_a_game_has_no_more_kinds_than_it_can_have(folder: Path) -> None:
    sheets: dict[str, list[list[Any]]] = {
        f"S{number}": [["Name", "Power"], [f"Ash {number}", number]] for number in range(60)
    }
    made = new_game("Crowd", table=workbook(folder.parent / "crowd.xlsx", **sheets))
    assert len(made.kinds) == 50
    more = "'S50', 'S51', 'S52', 'S53', 'S54', and 5 more"
    assert made.notes == (f"sheets {more} are not read: a game has at most 50 kinds",)
    assert findings(folder) == []


@pytest.mark.parametrize("name", ["game", "kind", "rows", "sheet", "id", "each"])
def test_a_sheet_can_have_the_name_of_a_key_of_settings(folder: Path, name: str) -> None:
    made = new_game("Ember", table=workbook(folder.parent / "t.xlsx", **{name: PLACES}))
    assert sum(made.kinds.values()) == 2
    assert [*settings(folder)["tables"]["t.xlsx"]] == [name]
    assert findings(folder) == []


def test_a_sheet_whose_name_could_be_the_settings_of_a_table_is_not_read(folder: Path) -> None:
    made = new_game("Ember", table=workbook(folder.parent / "t.xlsx", values=PLACES, Karten=HEROES))
    assert dict(made.kinds) == {"karten": 4}
    assert made.notes == ("sheet 'values' is not read: 'values' is a key of settings; rename the sheet",)
    assert findings(folder) == []


@pytest.mark.parametrize(
    "heading", ["{{ self }}", "{% raw %}", "=1+1", "{#", "a'b", '"', "a: b", "!!str", "\u202e", "&a"]
)
@pytest.mark.parametrize("of_names", [True, False])
def test_headings_that_mean_something_elsewhere(folder: Path, heading: str, of_names: bool) -> None:
    rows: list[list[Any]] = (
        [[heading, "Power"], ["Ash", 1], ["Bee", 2]] if of_names else [["Name", heading], ["Ash", 1], ["Bee", 2]]
    )
    made = new_game("Ember", table=table(folder / "t.csv", rows))
    assert sum(made.kinds.values()) == 2
    assert findings(folder) == []


@pytest.mark.parametrize("heading", ["a\x7fb", "\ufffe"])
def test_headings_that_settings_cannot_contain(folder: Path, heading: str) -> None:
    with pytest.raises(CardgenError, match="the name of a column contains an unprintable character"):
        new_game("Ember", table=table(folder / "t.csv", [["Name", heading], ["Ash", 1]]))
    assert not (folder / "games").exists()


def test_no_game_is_made_from_a_table_behind_a_link(folder: Path) -> None:
    (folder / "t.csv").symlink_to(table(folder.parent / "secret.csv", PLACES))
    (folder / "cardgen.yaml").touch()
    with pytest.raises(CardgenError, match="the link points outside the project"):
        new_game("Ember", table=Path("t.csv"))
    assert not (folder / "games").exists()


def test_titles_merged_cells_and_formulas_without_results_are_understood(folder: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Geschöpfe"
    sheet.append(["Moorgeister: alle Karten"])
    sheet.append([])
    sheet.append(["Name", "Gruppe", "Stärke", "Summe"])
    for number, name in enumerate(("Würger", "Hexe", "König", "Kröte")):
        sheet.append([name, "Nebel" if number == 0 else "Torf" if number == 2 else None, number, f"=C{number + 4}*2"])
    sheet.merge_cells("A1:D1")
    sheet.merge_cells("B4:B5")
    sheet.merge_cells("B6:B7")
    book.save("karten.xlsx")
    made = new_game("Moor", table=Path("karten.xlsx"))
    assert made.notes == (
        "column 'Summe' is not read: its cells have no values, only formulas without results, or errors; correct the "
        "column, and write its key, such as art, in place of null in cardgen.yaml",
    )
    assert findings(folder) == []
    cards = load_deck((), workspace=Workspace(folder))[1].cards
    assert [entry.card.gruppe for entry in cards] == ["Nebel", "Nebel", "Torf", "Torf"]  # type: ignore[attr-defined]
    assert {kind_title(entry) for entry in cards} == {"Geschöpfe"}


def test_a_single_column_has_no_title(folder: Path) -> None:
    source = table(folder / "orte.csv", [["Ort"], ["Sumpf"], ["Wald"]])
    assert dict(new_game("Orte", table=source).kinds) == {"orte": 2}


def test_a_row_of_sums_is_no_card_and_sentences_are_no_lists(folder: Path) -> None:
    rows: list[list[Any]] = [
        ["Nazwa", "Siła", "Skutek"],
        ["Żmij", 1, "Zadaj 1 ranę; dobierz."],
        ["Ćma", 2, "Odrzuć."],
        ["Razem", 3, None],
    ]
    made = new_game("Bagno", table=table(folder / "karty.csv", rows))
    assert dict(made.kinds) == {"karty": 2}
    assert kinds(folder, "bagno")["karty"]["skutek"]["type"] == "text"
    assert [entry.card.name for entry in load_deck((), workspace=Workspace(folder))[1].cards] == ["Żmij", "Ćma"]
    assert findings(folder) == []


def test_decimal_commas_are_numbers_and_the_language_is_that_of_the_headings(folder: Path) -> None:
    """So the numbers are printed with commas, too."""
    rows = [["Nom", "Quantité", "Prix", "Volant ?", "Illustrateur"]]
    table(folder / "jeu.csv", [*rows, *([f"Carte {number}", 2, f"{number},5", "oui", "Ann"] for number in range(4))])
    assert new_game("Jeu", table=Path("jeu.csv")).notes == ()
    assert settings(folder)["language"] == "fr"
    fields = kinds(folder, "jeu")["jeu"]
    assert fields == {"prix": {"type": "number", "label": "Prix"}, "volant": {"type": "flag", "label": "Volant"}}
    project, deck = load_deck((), workspace=Workspace(folder))
    renderer = CardRenderer(project)
    entry = deck.cards[1]
    assert entry.card.credit == "Ann"
    assert ">1,5<" in renderer.face_renderer(entry).svg_of(entry, renderer.card_size(entry), "front")


def test_pictures_in_a_folder_of_another_name_are_found_once_it_is_called_art(folder: Path) -> None:
    (folder / "images").mkdir()
    for name in ("a.png", "b.png"):
        Image.new("RGB", (4, 4)).save(folder / "images" / name)
    table(folder / "cards.csv", [["Name", "Picture"], ["Ash", "a.png"], ["Oak", "b.png"]])
    (note,) = new_game("First", table=Path("cards.csv")).notes
    assert "2 pictures not found, such as 'a.png', but in the folder 'images': rename it to 'art'" in note
    (folder / "images").rename(folder / "art")
    for path in (folder / "cardgen.yaml", folder / "games/first/game.yaml"):
        path.unlink()
    assert new_game("Second", table=Path("cards.csv")).notes == ()
    assert findings(folder) == []


@pytest.mark.parametrize("where", [".", "bilder"])
def test_pictures_beside_a_workbook_elsewhere_are_copied_with_it(folder: Path, where: str) -> None:
    source = folder.parent / "mine" / "karten.csv"
    (source.parent / where).mkdir(parents=True)
    for name in ("a.png", "sub/b.png"):
        (source.parent / where / name).parent.mkdir(exist_ok=True)
        Image.new("RGB", (900, 900)).save(source.parent / where / name)
    Image.new("RGB", (900, 900)).save(folder.parent / "secret.png")
    made = new_game("First", table=table(source, [["Name", "Bild"], ["Ash", "a.png"], ["Oak", "sub/b.png"]]))
    assert made.notes == ()
    assert (folder / "art" / "a.png").read_bytes() == (source.parent / where / "a.png").read_bytes()
    assert (folder / "sub" / "b.png") in made.files
    assert findings(folder) == []
    assert {entry.card.art is not None for entry in load_deck((), workspace=Workspace(folder))[1].cards} == {True}


@pytest.mark.parametrize("place", ["inside", "elsewhere"])
def test_pictures_can_be_found_by_the_names_of_cards(folder: Path, place: str) -> None:
    home = folder if place == "inside" else folder.parent / "mine"
    for name in ("art/bild/ash.png", "art/oak.png"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (900, 900)).save(home / name)
    rows: list[list[Any]] = [["Name", "Wappen", "Bild"], ["Ash", "auto", "auto"], ["Oak", "auto", None]]
    made = new_game("First", table=table(home / "karten.csv", rows))
    assert made.notes == ()
    assert kinds(folder, "first")


@pytest.mark.parametrize("cell", ["../secret.png", "{root}/secret.png", "link.png", "behind.png"])
def test_no_picture_elsewhere_is_copied(folder: Path, cell: str) -> None:
    source = folder.parent / "mine" / "karten.csv"
    source.parent.mkdir()
    Image.new("RGB", (4, 4)).save(folder.parent / "secret.png")
    (source.parent / "link.png").symlink_to(folder.parent / "secret.png")
    (folder.parent / "others").mkdir()
    Image.new("RGB", (4, 4)).save(folder.parent / "others" / "behind.png")
    (source.parent / "images").symlink_to(folder.parent / "others")
    rows = [["Name", "Bild"], ["Ash", cell.format(root=folder.parent)]]
    (note,) = new_game("First", table=table(source, rows)).notes
    assert "1 picture not found" in note
    assert not (folder / "art").exists()


@pytest.mark.parametrize("name", ["behind.png", "../secret.png"])
def test_no_folder_elsewhere_is_looked_into_for_a_hint(folder: Path, name: str) -> None:
    for path in ("secret.png", "others/behind.png"):
        (folder.parent / path).parent.mkdir(exist_ok=True)
        Image.new("RGB", (4, 4)).save(folder.parent / path)
    (folder / "images").symlink_to(folder.parent / "others")
    (note,) = new_game("First", table=table(folder / "cards.csv", [["Name", "Picture"], ["Ash", name]])).notes
    assert "1 picture not found" in note
    assert "images" not in note


def test_only_icons_of_texts_are_copied_from_a_folder_that_has_other_files(folder: Path) -> None:
    for name in ("coin.svg", "house.svg"):
        (folder.parent / name).write_text(_ICON, encoding="utf-8")
    new_game("First", table=table(folder.parent / "cards.csv", [["Name", "Text"], ["Ash", "Pay {coin} to go on."]]))
    assert [path.name for path in (folder / "icons").iterdir()] == ["coin.svg"]


def test_a_list_of_ideas_in_one_column_is_no_deck(folder: Path) -> None:
    source = workbook(folder / "karten.xlsx", Helden=HEROES, Ideen=[["Noch zu tun"], ["Katze"], ["Turm"]])
    made = new_game("Sumpf", table=source)
    assert dict(made.kinds) == {"helden": 4}
    assert made.notes == (
        "sheet 'Ideen' is not read: its only column is 'Noch zu tun', which does not say that it has names",
    )


@pytest.mark.parametrize("size", ["tarot", "50mm x 75mm"])
def test_layouts_have_the_size_that_is_asked_for(folder: Path, size: str) -> None:
    new_game("Sumpf", table=workbook(folder / "karten.xlsx", Helden=HEROES), size=size)
    new_game("Moor", size=size)
    assert findings(folder) == []
    assert Builder(BuildRequest(folder=folder, output=folder / "out")).build().files
    with pytest.raises(CardgenError, match="unknown size 'big'; write one of poker"):
        new_game("Third", size="big")


def test_the_picture_has_the_room_that_numbers_and_flags_do_not_need(folder: Path) -> None:
    """Cells of CSV are texts: numbers are in a row of their own, and only flags that are set are printed."""
    rows = [["Name", "Speed (km/h)", "Armor (mm)", "Flying", "Rare", "Text"]]
    table(
        folder / "a.csv", [*rows, *([f"Card {n}", f"{n},25", f"{n}00", "no", "no", "Draw 1 card."] for n in range(5))]
    )
    new_game("A", table=Path("a.csv"))
    layout = yaml.safe_load((folder / "games/a/templates/a.layout.yaml").read_text(encoding="utf-8"))
    (picture,) = (box["at"] for box in layout["boxes"] if box.get("field") == "art")
    assert picture[3] > 0.4 * layout["size"][1]


def boxes(folder: Path, kind: str) -> dict[str, dict[str, Any]]:
    """Return the boxes of fields of a kind's layout, by field; those of numbers and texts by the first of them."""
    (path,) = (folder / "games").glob(f"*/templates/{kind}.layout.yaml")
    listed = yaml.safe_load(path.read_text(encoding="utf-8"))["boxes"]
    return {str(box.get("field") or box["each"][0]): box for box in listed if "field" in box or "each" in box}


@pytest.mark.parametrize(("longest", "is_beside"), [("Das Seil", True), ("Der Hauswirt ganz von unten", False)])
def test_a_single_number_is_beside_short_names(folder: Path, longest: str, is_beside: bool) -> None:
    new_game(
        "A", table=table(folder / "a.csv", [["Name", "Kosten", "Text"], ["Motte", 2, "Flieg."], [longest, 4, "Los."]])
    )
    placed = boxes(folder, "a")
    assert (placed["name"]["at"][1] + 9 > placed["kosten"]["at"][1]) is is_beside
    assert Builder(BuildRequest(folder=folder, output=folder / "out")).build().files


def test_a_number_that_few_cards_have_leaves_no_gaps(folder: Path) -> None:
    rows: list[list[Any]] = [
        ["Name", "Rank", "Pearls", "Power"],
        ["Limpet", 3, 1, 4],
        ["Whelk", 4, None, 2],
        ["Conch", 8, None, None],
    ]
    new_game("A", table=table(folder / "a.csv", [*rows, ["Razor", 9, None, 1], ["Sprat", 7, 1, 2]]))
    placed = boxes(folder, "a")
    assert placed["rank"]["each"] == ["rank", "power"]
    assert placed["pearls"]["each"] == ["pearls", "text", "motto"]
    assert findings(folder) == []


@pytest.mark.parametrize(("size", "fit"), [((660, 1094), "contain"), ((900, 800), None), ((2000, 500), "contain")])
def test_pictures_that_would_lose_too_much_are_whole(folder: Path, size: tuple[int, int], fit: str | None) -> None:
    Image.new("RGB", size).save(folder / "a.png")
    new_game("A", table=table(folder / "a.csv", [["Name", "Bild", "Text"], ["Motte", "a.png", "Flieg."]]))
    assert boxes(folder, "a")["art"].get("fit") == fit


def test_cards_without_mottoes_keep_no_room_for_one(folder: Path) -> None:
    rows = [["Name", "Text", "Zitat"], ["Motte", "Flieg.", "Licht!"]]
    new_game("A", table=workbook(folder / "a.xlsx", A=[row[:2] for row in rows], B=rows))
    without, with_mottoes = boxes(folder, "a"), boxes(folder, "b")
    assert without["text"]["each"] == ["text", "motto"]
    assert with_mottoes["motto"]["at"][1] > with_mottoes["text"]["at"][1]
    assert without["art"]["at"][3] > with_mottoes["art"]["at"][3]


def test_lists_in_texts_have_the_room_that_they_need(folder: Path) -> None:
    text = "Choose:\n\n" + "\n".join(f"- option {n}" for n in range(9))
    new_game("A", table=table(folder / "a.csv", [["Name", "Text"], ["Motte", text], ["Talg", "Los."]]))
    assert Builder(BuildRequest(folder=folder, output=folder / "out")).build().files


def test_a_column_of_names_names_cards(folder: Path) -> None:
    rows: list[list[Any]] = [["Name", "Power", "Rival", "Element", "Foot"], ["Ash", 3, "oak", "Fire", "ash"]]
    rows += [["Oak", 4, "Ash", "Earth", "oak"], ["Elm", 1, None, "Wind", "elm"]]
    new_game("A", table=table(folder / "a.csv", rows))
    fields = kinds(folder, "a")["a"]
    assert fields["rival"] == {"type": "card", "kind": "a", "optional": True, "label": "Rival"}
    assert fields["element"]["type"] == fields["foot"]["type"] == "text"
    assert findings(folder) == []


LONG: list[list[Any]] = [
    ["Name", "Bewegungsreichweite (cm)", "Widerstandsfähigkeit", "Geschicklichkeit", "GESCHWINDIGKEIT", "Mut"],
    ["Ash", 12, 3, 4, 5, 6],
    ["Cinder", 8, 1, 2, 3, 4],
]


def test_numbers_with_long_headings_are_printed_at_once(folder: Path) -> None:
    new_game("Lab", table=table(folder / "truppe.csv", LONG))
    game = folder / "games" / "lab"
    settled = (game / "game.yaml").read_text(encoding="utf-8")
    settled = settled.replace("  truppe:\n", "  truppe:\n    boxes: {widerstandsmarken: mut, wounds: 9}\n")
    (game / "game.yaml").write_text(settled, encoding="utf-8")
    with (game / "game.yaml").open("a", encoding="utf-8") as file:
        file.write(
            "lists: {band: {members: {kind: truppe, min: 1, max: 9}, print: roster}}\npieces: {form: {piece: blank}}\n"
        )
    cards = "{kind: form, name: Blank, of: truppe}, {kind: band, name: Us, members: [Ash, Cinder]}"
    (folder / "cards").mkdir()
    (folder / "cards" / "more.yaml").write_text(f"game: lab\ncards: [{cards}]\n", encoding="utf-8")
    assert Builder(BuildRequest(folder=folder, output=folder / "out")).build().files
    # The faces of a kind without templates have room for them, too.
    for layout in (game / "templates").glob("truppe*"):
        layout.unlink()
    assert Builder(BuildRequest(folder=folder, output=folder / "plain")).build().files


@each_case(
    ("cells", "choices"),
    [
        ([0, 3, 2, 3, 0, 2, "X", "X"], None),  # numbers, for which others can come
        (["0", "3", "0", "3", "X", "X"], None),
        (["Item", "Person", "item", "Item", "person"], ["Item", "Person"]),
        (["item", "item", "Item", "Person", "Person"], ["item", "Person"]),
        (["Item", "Item", "Item", "Person", "Place"], None),  # two of them once
    ],
)
def test_few_words_that_recur_are_choices_in_their_usual_spelling(
    cells: list[Any], choices: list[str] | None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("choices")
    rows = [["name", "sort"], *([f"Card {number}", cell] for number, cell in enumerate(cells))]
    with chdir(folder):
        new_game("Deck", table=workbook(folder / "deck.xlsx", deck=rows))
    sort = kinds(folder, "deck")["deck"]["sort"]
    assert sort.get("choices") == choices
    assert sort["type"] == ("choice" if choices else "text")


def test_icons_beside_a_table_are_copied_with_it(folder: Path) -> None:
    (folder.parent / "icons").mkdir()
    for name in ("coin.svg", "gem.png", "notes.txt"):
        (folder.parent / "icons" / name).write_text(_ICON, encoding="utf-8")
    made = new_game("Loot", table=table(folder.parent / "loot.csv", [["name", "text"], ["Ring", "Pay {coin}."]]))
    assert [path.name for path in (folder / "icons").iterdir()] == ["coin.svg"]
    assert [note.partition(";")[0] for note in made.notes] == ["not copied from the folder icons: gem.png"]
    assert findings(folder) == []


_ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'
