"""Workbooks whose sheets are decks of their own, in the words of their authors."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.deck.deck import load_whole_deck
from cardgen.diagnostic import CardgenError
from cardgen.model.deck import Deck
from cardgen.project.project import Project
from cardgen.runtime.workspace import Workspace
from tests.projects import Folder
from tests.tables.workbooks import ods, repack, xlsx

GAME = """\
game: islands
name: Islands
prefix: IS
size: poker
kinds:
  hero:
    fields:
      might: {type: integer, min: 1, max: 6, label: Stärke}
      role: {type: choice, choices: [späher, schmied], label: Rolle}
      leader: {type: flag, label: Anführer}
      gear: {type: list, items: {type: choice, choices: [rope, lamp]}, label: Gepäck}
    example: {might: 1}
  place:
    fields:
      rarity: {type: choice, choices: [common, rare], label: Seltenheit}
      treasure: {type: flag, label: Schatz}
    example: {rarity: rare}
"""
HEROES: list[list[Any]] = [
    ["Name", "STÄRKE", "Rolle", "Anfu\u0308hrer", "Gepäck", "Notiz"],
    ["Ägir", 3, "Späher", "x", "Seil; LAMP", "fertig"],
    ["Otto", 6, "SCHMIED", "nein", "seil", None],
]
PLACES: list[list[Any]] = [["Name", "Seltenheit", "Schatz"], ["Bucht", "häufig", "WAHR"], ["Riff", "Selten", False]]
SETTINGS = """\
game: islands
tables:
  cards.xlsx:
    A:
      kind: hero
      columns: {notiz: null}
      values: {gepäck: {Seil: rope}}
    B:
      kind: place
      values: {Seltenheit: {häufig: common, selten: rare}}
"""


def _deck(folder: Folder, *sheets: list[list[Any]], settings: str = SETTINGS) -> Deck:
    folder.write("games/islands/game.yaml", GAME)
    folder.write("cardgen.yaml", settings)
    folder.write("cards.xlsx", xlsx(*sheets))
    return load_whole_deck((), (), "skip", workspace=Workspace(folder.root))[1]


def test_each_sheet_is_a_deck_with_columns_and_words_of_its_own(folder: Folder) -> None:
    deck = _deck(folder, HEROES, PLACES, [["anything"], ["else"]])
    assert deck.diagnostics == ()
    assert [(entry.kind, entry.card.id) for entry in deck.cards] == [
        ("hero", "agir"), ("hero", "otto"), ("place", "bucht"), ("place", "riff")
    ]  # fmt: skip
    heroes, places = deck.cards[:2], deck.cards[2:]
    assert [entry.card.model_dump(include={"role", "leader", "gear"}) for entry in heroes] == [
        {"role": "späher", "leader": True, "gear": ("rope", "lamp")},
        {"role": "schmied", "leader": False, "gear": ("rope",)},
    ]
    assert [entry.card.model_dump(include={"rarity", "treasure"}) for entry in places] == [
        {"rarity": "common", "treasure": True},
        {"rarity": "rare", "treasure": False},
    ]
    assert str(deck.cards[2].place(("rarity",))) == "cards.xlsx!B:B2"


def test_a_mistake_in_one_sheet_leaves_the_cards_of_the_others(folder: Folder) -> None:
    heroes = [[*row, "?"] for row in HEROES]
    deck = _deck(folder, heroes, [*PLACES, ["Kap", "selten", "Truhe"]])
    assert [entry.card.name for entry in deck.cards] == ["Bucht", "Riff"]
    assert [(each.name, each.problems[0].message) for each in deck.left_out] == [
        ("Ägir", "unknown column '?'"),
        ("Otto", "unknown column '?'"),
        ("Kap", "must be TRUE or FALSE, not 'Truhe'"),
    ]


def test_an_empty_cell_and_a_missing_column_have_their_own_advice(folder: Folder) -> None:
    deck = _deck(folder, [HEROES[0], [None, *HEROES[1][1:]]], [["Seltenheit"], ["selten"]])
    assert [(str(each.place), each.help) for each in deck.diagnostics] == [
        ("cards.xlsx!A:A2", "fill the cell, or begin the row with #"),
        ("cards.xlsx!B:A2", "add a column 'name'"),
    ]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("{A: {kind: hero}, Z: {kind: place}}", "cardgen.yaml:3:33: unknown sheet 'Z'"),
        ("{A: {kind: heroo}, B: {kind: place}}", "cardgen.yaml:3:26: unknown kind 'heroo'; did you mean 'hero'?"),
        ("{A: {kind: hero, sheet: A}}", "cardgen.yaml:3:32: the sheets of a workbook have no 'sheet' of their own"),
        ("{A: {kind: hero, values: {Nme: {a: b}}}}", "cardgen.yaml:3:41: cards.xlsx has no column 'Nme'"),
    ],
)
def test_mistakes_in_the_settings_of_sheets_have_their_places(folder: Folder, settings: str, message: str) -> None:
    deck = _deck(folder, HEROES, PLACES, settings=f"game: islands\ntables:\n  cards.xlsx: {settings}\n")
    found = [f"{problem.place}: {problem.message}" for each in deck.left_out for problem in each.problems]
    assert any(each.startswith(message) for each in found), found


def test_only_workbooks_have_sheets(folder: Folder) -> None:
    folder.write("cards.csv", "name\nA\n")
    deck = _deck(folder, HEROES, settings="game: islands\ntables:\n  cards.csv: {A: {kind: hero}}\n")
    assert (
        deck.left_out[0].problems[0].message == "'cards.csv' has no sheets, so its settings cannot be those of sheets"
    )


def test_unknown_keys_of_sheets_are_reported_where_they_are(folder: Folder) -> None:
    folder.write("cardgen.yaml", "game: islands\ntables:\n  cards.xlsx: {A: {knd: hero}}\n")
    with pytest.raises(CardgenError, match=r"yaml:3:20: error\[CG101\]: unknown key 'knd'; did you mean 'kind'"):
        Project.open(Workspace(folder.root))
    folder.write("cardgen.yaml", "game: islands\ntables:\n  cards.xlsx: {knd: hero, columns: {A: b}}\n")
    with pytest.raises(CardgenError, match=r"yaml:3:16: error\[CG101\]: unknown key 'knd'; did you mean 'kind'"):
        Project.open(Workspace(folder.root))


def test_formulas_that_result_in_a_flag_are_flags(folder: Folder) -> None:
    part = "xl/worksheets/sheet1.xml"
    text = '<c t="str"><v>{}</v></c>'
    rows = (
        (text.format("name"), text.format("Schatz"), text.format("rarity")),
        (text.format("One"), '<c t="b"><f>1=1</f><v>1</v></c>', text.format("rare")),
        (text.format("Two"), '<c t="str"><f>A1</f><v>FALSCH</v></c>', text.format("rare")),
    )
    cells = "".join(f"<row>{''.join(row)}</row>" for row in rows)
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    sheet = f'<worksheet xmlns="{main}"><sheetData>{cells}</sheetData></worksheet>'
    folder.write("games/islands/game.yaml", GAME)
    folder.write("cardgen.yaml", "game: islands\ntables: {a.xlsx: {kind: place}, a.ods: {kind: place}}\n")
    folder.write("a.xlsx", repack(xlsx([["x"]]), {part: sheet.encode()}))
    cell = "<table:table-cell office:value-type='string'><text:p>{}</text:p></table:table-cell>"
    written = (
        f"<table:table-row>{cell.format('name')}{cell.format('Schatz')}{cell.format('rarity')}</table:table-row>"
        f"<table:table-row>{cell.format('Three')}<table:table-cell table:formula='of:=1=1' office:value-type='boolean' "
        f"office:boolean-value='true'><text:p>WAHR</text:p></table:table-cell>{cell.format('rare')}</table:table-row>"
    )
    folder.write("a.ods", ods(written))
    deck = load_whole_deck((), (), workspace=Workspace(folder.root))[1]
    flags = {entry.card.name: entry.card.model_dump()["treasure"] for entry in deck.cards}
    assert flags == {"One": True, "Two": False, "Three": True}
