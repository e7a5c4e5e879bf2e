"""Tables as cards, from the file to the places of their values."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cardgen.deck.deck import KindsByGame
from cardgen.diagnostic import CardgenError
from cardgen.model.deck import Deck, read_deck
from cardgen.project.project import Project
from cardgen.runtime.workspace import Budget, Workspace
from cardgen.text.lines import to_plain_text
from tests.projects import Folder
from tests.tables.workbooks import xlsx

FIGHTERS = """\
name;faction;runemarks;stats.M;Stats.T;stats.W;points;weapons
Élan;iron-golem;hero; 4;4;12;100;"Hook: reach R2 A3 S4 D2/4"
"""
FIGHTER = {"stats": {"move": 4, "toughness": 4, "wounds": 12}, "points": 100, "runemarks": ["hero"]}


def read(folder: Folder, file: str, content: str | bytes, settings: str, workspace: Workspace | None = None) -> Deck:
    folder.write(file, content)
    folder.write("cardgen.yaml", f"game: warcry\ntables:\n  {file}:\n    {settings}\n")
    project = Project.open(workspace)
    return read_deck(project, project.find_card_files(), KindsByGame(project.workspace), "warcry")


def messages(deck: Deck) -> list[str]:
    return [f"{each.place}: {each.message}" for each in deck.diagnostics]


def data(deck: Deck, index: int = 0) -> Mapping[str, Any]:
    return deck.cards[index].card.model_dump(mode="json", exclude_defaults=True)


def test_csv_rows_are_cards(folder: Folder) -> None:
    deck = read(folder, "cards/f.csv", "\ufeff" + FIGHTERS.replace("Stats.T", "stats.T"), "kind: fighter")
    assert not deck.diagnostics
    assert data(deck) == {
        "name": "Élan",
        "id": "elan",
        "faction": "iron-golem",
        **FIGHTER,
        "weapons": [
            {"name": "Hook", "shape": "reach", "range": 2, "attacks": 3, "strength": 4, "damage": 2, "critical": 4}
        ],
    }
    (entry,) = deck.cards
    assert str(entry.place(("stats", "wounds"))) == "cards/f.csv:2:27"
    assert str(entry.place(("weapons", 0, "range"))) == "cards/f.csv:2:34"
    assert str(entry.place(("base",))) == "cards/f.csv:2:1"


def test_ids_come_from_an_expression_and_own_ones_stay(folder: Folder) -> None:
    rows = "name;Level;text;id\nSun Stone;1;A.;\nSun Stone;2;B.;\nSun Stone;3;C.;own\n"
    deck = read(
        folder,
        "cards/r.csv",
        rows,
        "{kind: relic, game: warniris, id: row.name ~ ' L' ~ row.Level, columns: {Level: null}}",
    )
    assert not deck.diagnostics
    assert [each.card.id for each in deck.cards] == ["sun-stone-l1", "sun-stone-l2", "own"]


def test_mistakes_in_the_expression_of_ids_are_reported_at_the_settings_or_the_row(folder: Folder) -> None:
    rows = "name;Level;text\nSun Stone;1;A.\nMoon Stone;x;B.\n"
    deck = read(folder, "cards/r.csv", rows, "{kind: relic, game: warniris, id: row.Levle, columns: {Level: null}}")
    (message,) = messages(deck)
    assert message.startswith("cardgen.yaml:4:")
    assert "has no 'Levle'" in message
    settings = "{kind: relic, game: warniris, id: row.name ~ (1 + row.Level), columns: {Level: null}}"
    deck = read(folder, "cards/r.csv", rows, settings)
    (message,) = messages(deck)
    assert message.startswith("cards/r.csv:3:")


def test_an_unknown_column_is_reported_once_with_a_suggestion(folder: Folder) -> None:
    deck = read(folder, "f.csv", FIGHTERS.replace("runemarks", "runmarks"), "kind: fighter")
    assert messages(deck)[0] == "f.csv:1:14: unknown column 'runmarks'; did you mean 'runemarks'?"
    assert any("Stats.T" in message for message in messages(deck))


RELICS = "name,qty,text\nSun Stone,2,Heal 1.\nMoon Stone,1,Rest.\n"


@pytest.mark.parametrize(
    ("settings", "table", "found"),
    [
        (
            "",
            "{1}{0}{2}",
            ["f.csv:1:1: the first row does not contain the names of the columns; move them from line 2 to the top"],
        ),
        (
            "",
            "# sorted\n{1}{2}{0}",
            ["f.csv:2:1: the first row does not contain the names of the columns; move them from line 4"],
        ),
        (
            "",
            "{1}{2}",
            ["f.csv:1:1: the first row does not contain the names of the columns; write the names of the columns"],
        ),
        (
            ", columns: {qty: null}",
            "{2}{0}{1}",
            ["f.csv:1:1: the first row does not contain the names of the columns; move them"],
        ),
        ("", "{0}{1}{2}", []),
        ("", "{0}{1}{2}{0}", ["f.csv:4:6: 'qty' must be a whole number"]),
    ],
)
def test_a_table_without_its_header_is_one_mistake(settings: str, table: str, found: list[str], folder: Folder) -> None:
    text = table.format(*RELICS.splitlines(keepends=True))
    deck = read(folder, "f.csv", text, f"{{kind: relic, game: warniris{settings}}}")
    told = [f"{each.place}: {each.message}; {each.help}" for each in deck.diagnostics]
    assert len(told) == len(found)
    assert all(one.startswith(start) for one, start in zip(told, found, strict=True)), told


def test_a_sheet_whose_header_was_sorted_away_says_in_which_row_it_is(folder: Folder) -> None:
    content = xlsx([["Sun Stone", 2, "Heal 1."], ["name", "qty", "text"]])
    (problem,) = read(folder, "f.xlsx", content, "{kind: relic, game: warniris}").diagnostics
    assert problem.help == "move them from row 2 to the top"
    assert [(str(place), label) for place, label in problem.related] == [("f.xlsx!A:A2", "the names of the columns")]


def test_columns_in_words_of_the_authors_are_still_told_one_by_one(folder: Folder) -> None:
    deck = read(folder, "f.csv", "Karte,Anzahl\nSun Stone,2\n", "{kind: relic, game: warniris}")
    assert [each.message.partition(";")[0] for each in deck.diagnostics] == [
        "unknown column 'Karte'",
        "unknown column 'Anzahl'",
    ]


def test_columns_are_renamed_or_ignored(folder: Folder) -> None:
    text = FIGHTERS.replace("runemarks", "Notes").replace("Stats.T", "Tough")
    deck = read(folder, "f.csv", text, "{kind: fighter, columns: {Notes: null, Tough: stats.T}}")
    assert not deck.diagnostics
    assert data(deck)["stats"]["toughness"] == 4


def test_a_column_of_the_settings_that_the_table_lacks_is_located_there(folder: Folder) -> None:
    deck = read(folder, "f.csv", FIGHTERS, "{kind: fighter, columns: {Toughh: stats.T, Stats.T: stats.T}}")
    assert messages(deck) == ["cardgen.yaml:4:31: f.csv has no column 'Toughh'"]


def test_names_of_columns_ignore_case_and_spaces(folder: Folder) -> None:
    row = 'Ash,iron-golem,hero,9,"{M: 1, T: 1, W: 1}",A: axe R1 A1 S1 D1/1'
    text = f"Name,FACTION,Rune Marks,points,stats,weapons\n{row}\n"
    assert not read(folder, "f.csv", text, "kind: fighter").diagnostics


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("runemark", "cardgen.yaml:4:38: unknown key 'runemark'; did you mean 'runemarks'?"),
        ("none", "cardgen.yaml:4:38: unknown key 'none'"),
    ],
)
def test_a_wrong_key_in_the_settings_is_reported_once_and_there(folder: Folder, target: str, message: str) -> None:
    text = FIGHTERS.replace("Stats.T", "stats.T").replace("runemarks", "Notes")
    deck = read(folder, "f.csv", text + text.splitlines()[1] + "\n", f"{{kind: fighter, columns: {{Notes: {target}}}}}")
    assert messages(deck)[0] == message
    assert len({each.place for each in deck.diagnostics if each.place.file == "cardgen.yaml"}) == 1
    assert (deck.diagnostics[0].help == "write null to ignore the column") == (target == "none")


def test_columns_can_have_the_labels_of_fields(folder: Folder) -> None:
    fields = "{worst: {type: integer, label: Worst for}, safe: {type: flag, label: Is it safe}}"
    folder.write("f.csv", "name,worst FOR,Is it safe\nAsh,3,Yes\nBone,4,FALSE\nCarl,5,maybe\n")
    folder.write(
        "games/ember/game.yaml", f"game: ember\nname: Ember\nprefix: EM\nkinds: {{brave: {{fields: {fields}}}}}\n"
    )
    folder.write("cardgen.yaml", "game: ember\ntables: {f.csv: {kind: brave}}\n")
    project = Project.find()
    deck = read_deck(project, project.find_card_files(), KindsByGame(project.workspace), "ember")
    assert [one.card.model_dump(include={"worst", "safe"}) for one in deck.cards] == [
        {"worst": 3, "safe": True},
        {"worst": 4, "safe": False},
    ]
    assert messages(deck) == ["f.csv:4:8: must be TRUE or FALSE, not 'maybe'"]


def test_a_wrong_column_does_not_make_keys_missing(folder: Folder) -> None:
    text = FIGHTERS.replace("Stats.T", "stats.T").replace("name;", "Hero;")
    deck = read(folder, "f.csv", text, "kind: fighter")
    assert [each.partition(";")[0] for each in messages(deck)] == ["f.csv:1:1: unknown column 'Hero'"]


@pytest.mark.parametrize("name", ["cards/f.csv", "cards/f.ods"])
def test_a_missing_table_is_reported_in_the_settings(folder: Folder, name: str) -> None:
    folder.write("cards/fs.csv", FIGHTERS)
    folder.write("cardgen.yaml", f"game: warcry\ntables:\n  {name}:\n    kind: fighter\n")
    project = Project.find()
    deck = read_deck(project, project.find_card_files(), KindsByGame(project.workspace), "warcry")
    guess = "; did you mean 'fs.csv'?" if name.endswith("csv") else ""
    assert messages(deck)[0].startswith(f"cardgen.yaml:3:3: file '{name}' not found{guess}")


def test_rows_are_selected_by_every_column(folder: Folder) -> None:
    text = FIGHTERS.replace("Stats.T", "stats.T").replace("name;", "active;name;").replace("Élan;", "no;Élan;")
    text += text.splitlines()[1].replace("no;Élan", "yes;Ash") + "\n"
    settings = "{kind: fighter, rows: \"row.active != 'no' and row.points == 100\", columns: {active: null}}"
    deck = read(folder, "f.csv", text, settings)
    assert [entry.card.name for entry in deck.cards] == ["Ash"]
    assert not deck.diagnostics


def test_a_table_from_which_all_rows_are_left_out_is_no_mistake(folder: Folder) -> None:
    deck = read(folder, "f.csv", FIGHTERS.replace("Stats", "stats"), "{kind: fighter, rows: 'false'}")
    assert (deck.cards, deck.diagnostics) == ((), ())


def test_problems_of_cards_are_at_their_cells(folder: Folder) -> None:
    rows: list[list[object]] = [
        ["name", "faction", "stats.M", "stats.T", "stats.W", "points", "weapons"],
        ["Ash", "iron-golem", 4, 4, 70, "many", "Hook: reach R2 A3 S4"],
        [None, "iron-golem", 4, 4, 10, 100, "Hook: reach R2 A3 S4 D1/2"],
        ["# a comment"],
        ["Bone", "iron-golem", 4, 4, 10, "1,5", "Hook: reach R2 A3 S4 D1/2"],
    ]
    deck = read(folder, "f.xlsx", xlsx(rows), "kind: fighter")
    assert messages(deck) == [
        "f.xlsx!A:E2: must be between 1 and 60, not 70",
        "f.xlsx!A:F2: 'points' must be a whole number, not 'many'",
        messages(deck)[2],
        "f.xlsx!A:A3: missing key 'name'",
        "f.xlsx!A:F5: 'points' must be a whole number, not 1.5",
    ]
    assert messages(deck)[2].startswith("f.xlsx!A:G2: ")


def test_the_help_for_a_missing_key_is_about_cells(folder: Folder) -> None:
    text = "name,faction,points,weapons\nAsh,,100,A: axe R1 A1 S1 D1/1\n"
    deck = read(folder, "f.csv", text, "kind: fighter")
    assert {each.message: each.help for each in deck.diagnostics} == {
        "missing key 'faction'": "fill the cell, or begin the row with #",
        "missing key 'stats'": "add a column 'stats'",
    }


def test_a_card_without_a_value_can_still_be_meant_by_others(folder: Folder) -> None:
    text = 'name,faction,points,stats,weapons\nAsh,iron-golem,#REF!,"{M: 1, T: 1, W: 1}",A: axe R1 A1 S1 D1/1\n'
    folder.write("cards/w.yaml", "game: warcry\nkind: warband\nname: W\npoints: 100\nmembers: [{fighter: Ash}]\n")
    assert messages(read(folder, "f.csv", text, "kind: fighter")) == ["f.csv:2:16: the cell contains #REF!"]


def test_a_row_can_name_its_kind(folder: Folder) -> None:
    text = "kind,name,price,text,icon\nability,Leap,double,Jump.,\ntoken,Fire,,,fire\n"
    deck = read(folder, "f.csv", text, "{}")
    assert [(entry.kind, entry.card.name) for entry in deck.cards] == [("ability", "Leap"), ("token", "Fire")]
    assert not deck.diagnostics


@pytest.mark.parametrize("name", ["Kind", "KIND", " kind "])
def test_the_column_of_the_kind_is_found_in_any_capitalization(folder: Folder, name: str) -> None:
    deck = read(folder, "f.csv", f"{name},name,price,text\nability,Leap,double,Jump.\n", "{}")
    assert [(entry.kind, entry.card.name) for entry in deck.cards] == [("ability", "Leap")]
    assert not deck.diagnostics


def test_lines_of_a_cell_are_lines_of_the_card(folder: Folder) -> None:
    text = 'name,price,text\nLeap,double,"Pick an enemy.\nAllocate 3 damage points to it.\n\nThen\n- rest\n- sleep"\n'
    deck = read(folder, "f.csv", text, "kind: ability")
    assert to_plain_text(data(deck)["text"]) == text.split('"')[1].replace("- ", "• ")


@pytest.mark.parametrize("other", ["./f.csv", "cards/../f.csv", "link.csv"])
def test_a_file_has_one_entry(folder: Folder, other: str) -> None:
    folder.write("f.csv", FIGHTERS)
    (folder.root / "link.csv").symlink_to(folder.root / "f.csv")
    folder.write("cardgen.yaml", f"game: warcry\ntables:\n  f.csv: {{kind: fighter}}\n  {other}: {{kind: ability}}\n")
    with pytest.raises(CardgenError) as error:
        Project.find().find_card_files()
    (problem,) = error.value.diagnostics
    assert str(problem.place) == "cardgen.yaml:4:3"
    assert problem.message == f"'{other}' is the same file as 'f.csv', and a file can have one entry"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("{}", "f.csv: the rows have no kind"),
        ("kind: figter", "cardgen.yaml:4:11: unknown kind 'figter'; did you mean 'fighter'?"),
        ("kind: relic", "cardgen.yaml:4:11: unknown kind 'relic'"),
        ("{kind: fighter, game: warcy}", "cardgen.yaml:4:27: unknown game 'warcy'; did you mean 'warcry'?"),
        ("{kind: fighter, rows: row.nmae}", "cardgen.yaml:4:31: 'row' has no 'nmae'; did you mean 'name'?"),
        ("{kind: fighter, rows: 'row.('}", "cardgen.yaml:4:28: not a valid expression: expected name or number"),
    ],
)
def test_mistakes_in_the_settings_have_their_places(folder: Folder, settings: str, message: str) -> None:
    assert messages(read(folder, "f.csv", FIGHTERS.replace("Stats", "stats"), settings))[0].startswith(message[:60])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("{kind: fighter, colums: {}}", "unknown key 'colums'; did you mean 'columns'?"),
        ("{kind: fighter, columns: {a: b}, map: {name: row.a}}", "'columns' and 'map' cannot be combined"),
    ],
)
def test_wrong_settings_are_refused(folder: Folder, settings: str, message: str) -> None:
    with pytest.raises(CardgenError, match=message):
        read(folder, "f.csv", FIGHTERS, settings)


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n"])
def test_an_empty_table_is_reported(folder: Folder, text: str) -> None:
    assert messages(read(folder, "f.csv", text, "kind: fighter")) == ["f.csv: the table is empty"]


def test_a_table_without_rows_is_no_mistake(folder: Folder) -> None:
    assert not read(folder, "f.csv", "name,points\n", "kind: fighter").diagnostics


def test_a_map_can_be_in_one_column_and_in_several(folder: Folder) -> None:
    text = 'name,faction,points,stats.M,stats,weapons\nAsh,iron-golem,9,3,"{T: 4, W: 5}",A: axe R1 A1 S1 D1/1\n'
    deck = read(folder, "f.csv", text, "kind: fighter")
    assert not deck.diagnostics
    assert data(deck)["stats"] == {"move": 3, "toughness": 4, "wounds": 5}


def test_a_missing_table_is_reported(folder: Folder) -> None:
    folder.write("cardgen.yaml", "game: warcry\ntables: {f.csv: {kind: fighter}}\n")
    project = Project.find()
    deck = read_deck(project, project.find_card_files(), KindsByGame(project.workspace), "warcry")
    assert messages(deck) == ["cardgen.yaml:2:10: file 'f.csv' not found"]


JSON = """\
{"fighters": [
  {"name": "Dominar", "warband": "Iron Golem", "points": 155, "runemarks": ["hero"],
   "weapons": [{"runemark": "hammer", "max_range": 1}, {"runemark": "ball-and-chain", "max_range": 2}]},
  {"name": "Drillmaster", "warband": "Iron Golem", "points": 90, "motto": "Again.",
   "weapons": [{"runemark": "hamer", "max_range": 1}]}
]}
"""
MAP = """kind: fighter
    each: data.fighters
    map:
      name: row.name
      motto: row.motto
      faction: row.warband | slug
      points: row.points
      runemarks: [row.runemarks, "'elite' if row.points > 100 else none"]
      stats: {M: 4, T: 4, W: 12}
      weapons:
        each: row.weapons
        map:
          name: parent.name ~ "'s " ~ row.runemark
          shape: row.runemark
          range: row.max_range
          attacks: 3
          strength: 4
          damage: 1
          critical: 2"""


def test_json_is_mapped_by_expressions(folder: Folder) -> None:
    deck = read(folder, "data/f.json", JSON.replace("hamer", "hammer"), MAP)
    assert not deck.diagnostics
    assert data(deck)["runemarks"] == ["hero", "elite"]
    assert [weapon["name"] for weapon in data(deck)["weapons"]] == ["Dominar's hammer", "Dominar's ball-and-chain"]
    assert "motto" not in data(deck)
    assert data(deck, 1)["motto"] == "Again."
    entry = deck.cards[0]
    assert entry.place(("weapons", 1, "shape")).locator == "/fighters/0/weapons/1/runemark"
    assert entry.place(("runemarks", 0)).locator == "/fighters/0/runemarks/0"
    assert entry.place(("runemarks", 1)).locator == "/fighters/0/points"
    assert entry.place(("stats", "wounds")).locator == "/fighters/0"
    assert entry.place(("name",)).span is not None


def test_problems_of_mapped_cards_are_at_their_values(folder: Folder) -> None:
    (message,) = messages(read(folder, "data/f.json", JSON, MAP))
    assert message.startswith("data/f.json:5:29: unknown weapon shape 'hamer'")


def test_a_name_that_no_row_has_is_reported_once(folder: Folder) -> None:
    deck = read(
        folder, "data/f.json", JSON, MAP.replace("row.max_range", "row.max_rnge").replace("row.motto", "row.moto")
    )
    assert messages(deck) == [
        "cardgen.yaml:8:18: 'row' has no 'moto'; did you mean 'motto'?",
        "cardgen.yaml:18:22: 'row' has no 'max_rnge'; did you mean 'max_range'?",
    ]
    assert not deck.cards


def test_an_expression_that_fails_for_a_row_stops_no_other_row(folder: Folder) -> None:
    deck = read(folder, "data/f.json", JSON, MAP.replace("motto: row.motto", "motto: row.motto | upper"))
    message, other = messages(deck)
    assert message.startswith("data/f.json:2:3: 'upper' needs a text, not nothing")
    assert "row.motto | upper" in message
    assert other.startswith("data/f.json:5:29: unknown weapon shape")


def test_a_list_of_rows_needs_no_settings_but_the_kind(folder: Folder) -> None:
    text = '[{"name": "Leap", "price": "double", "text": "Jump."}, 5]'
    deck = read(folder, "a.json", text, "kind: ability")
    assert messages(deck) == ["a.json:/1: a row must be a map, not 5"]
    assert deck.cards[0].card.name == "Leap"


def test_json_lines(folder: Folder) -> None:
    text = '{"name": "Leap", "price": "double", "text": "Jump."}\n{"name": "Run", "price": "doble", "text": "Run."}\n'
    deck = read(folder, "a.jsonl", text, "kind: ability")
    (message,) = messages(deck)
    assert message.startswith("a.jsonl:2:26: unknown ability price 'doble'")


@pytest.mark.parametrize(
    ("text", "settings", "message"),
    [
        (JSON, "kind: fighter", "f.json:1:1: the file must contain a list of rows, not a map"),
        (JSON, "{kind: fighter, each: data.figters}", "cardgen.yaml:4:32: 'data' is a map without 'figters'"),
        (JSON, "{kind: fighter, each: 'data.fighters[0].name'}", "cardgen.yaml:4:27: 'each' must return a list"),
        ("[1, 2]", "{kind: fighter, map: {name: row}}", "f.json:/0: missing key 'faction'"),
    ],
)
def test_rows_that_are_not_there(folder: Folder, text: str, settings: str, message: str) -> None:
    assert messages(read(folder, "f.json", text, settings))[0].startswith(message)


def test_spreadsheets_can_be_mapped_too(folder: Folder) -> None:
    text = "Title;Cost;Marks;7up\n007;double;hero,mystic;x\n"
    settings = """kind: ability
    map: {name: row.Title, price: row.Cost, runemarks: "row.Marks | replace(',', ';')", text: "row['7up']"}"""
    deck = read(folder, "f.csv", text, settings)
    assert not deck.diagnostics
    card = deck.cards[0].card.model_dump()
    assert (card["name"], card["runemarks"], card["text"]) == ("007", ("hero", "mystic"), "x")
    assert str(deck.cards[0].place(("text",))) == "f.csv:2:24"


def test_expressions_of_a_run_share_a_budget(folder: Folder) -> None:
    deck = read(folder, "data/f.json", JSON, MAP, workspace=Workspace(budget=Budget(100)))
    (message,) = messages(deck)
    assert message.startswith("cardgen.yaml:4:5: all expressions together take more than")


def test_a_table_in_a_folder_for_other_purposes_is_named_in_the_settings(folder: Folder) -> None:
    deck = read(folder, "output/f.csv", FIGHTERS.replace("Stats", "stats"), "kind: fighter")
    assert len(deck.cards) == 1
    assert Path("output/f.csv").is_file()
