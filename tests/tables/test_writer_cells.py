"""Cards as cells, and back."""

from __future__ import annotations

import io
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from openpyxl import load_workbook

from cardgen.deck.deck import load_deck
from cardgen.deck.table_export import FORMATS, export_table
from cardgen.model.card import Card
from cardgen.rulesets.warcry.cards import Fighter
from cardgen.source import Data
from cardgen.tables.writer import card_grid
from tests.cases import each_case
from tests.projects import Folder

KITS = Path(__file__).parents[2] / "cards"
KINDS = [("warniris", "character"), ("warniris", "relic"), ("warniris", "mission"), ("warcry", "fighter"),
         ("warcry", "battleplan"), ("warcry", "trait"), ("warcry", "warband")]  # fmt: skip


def round_trip(
    folder: Folder, game: str, kind: str, file: str, convert: Callable[[Path], Path] = lambda path: path
) -> tuple[list[Card], list[Card]]:
    """Return the cards of a kind in the kit, and those that are read from their table."""
    folder.write("cardgen.yaml", f"game: {game}\n")
    export_table(kind, [KITS / game], (), Path(file), None, force=False)
    name = convert(folder.root / file).name
    folder.write("cardgen.yaml", f"game: {game}\ntables: {{{name}: {{kind: {kind}}}}}\n")
    kit = [entry.card for entry in load_deck([KITS / game])[1].cards if entry.kind == kind]
    return kit, [entry.card for entry in load_deck([Path(name)])[1].cards]


@pytest.mark.share(3)
@pytest.mark.parametrize("file_format", FORMATS)
@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_a_round_trip_gives_equal_cards(folder: Folder, game: str, kind: str, file_format: str) -> None:
    kit, read = round_trip(folder, game, kind, f"table.{file_format}")
    assert read == kit
    assert kit


@pytest.mark.parametrize(("of", "to"), [("xlsx", "ods"), ("ods", "xlsx"), ("csv", "xlsx")])
def test_a_round_trip_through_libreoffice_gives_equal_cards(folder: Folder, of: str, to: str) -> None:
    program = shutil.which("soffice") or shutil.which("libreoffice")
    if program is None:
        pytest.skip("LibreOffice is not installed")

    def convert(path: Path) -> Path:
        home = f"-env:UserInstallation=file://{folder.root}/home"
        command = [program, home, "--headless", "--convert-to", to, "--outdir", str(folder.root), str(path)]
        subprocess.run(command, check=True, capture_output=True, timeout=100)
        return path.with_suffix(f".{to}")

    kit, read = round_trip(folder, "warcry", "fighter", f"table.{of}", convert)
    assert read == kit


@each_case(
    ("value", "cell"),
    [
        ({"runemarks": ["hero", "beast"]}, "hero; beast"),
        ({"tags": ["a; b"]}, '["a; b"]'),
        ({"tags": []}, "[]"),
        ({"tags": ["[x"]}, '["[x"]'),
        ({"weapons": [{"Hook": "axe R1 A1 S1 D1/1"}]}, "Hook: axe R1 A1 S1 D1/1"),
        ({"weapons": [{"A: B": "axe"}]}, '[{"A: B": "axe"}]'),
        ({"points": 120}, "120"),
        ({"base": 28.5}, "28.5"),
        ({"motto": "1984"}, "1984"),
        ({"motto": "one\ntwo\u2028three\n\nfour\n"}, "one two\nthree\n\nfour"),
        ({"art": "art/a.png"}, "art/a.png"),
        ({"art": "yes"}, '"yes"'),
        ({"art": {"file": "a.png", "focus": [0, 1]}}, '{"file": "a.png", "focus": [0, 1]}'),
    ],
)
def test_a_value_has_its_plainest_form(value: dict[str, Data], cell: str) -> None:
    assert card_grid([value], "fighter", (Fighter,)) == [[*value], [cell]]


def test_maps_of_single_values_have_a_column_for_each_key() -> None:
    cards: list[dict[str, Data]] = [{"name": "A", "stats": {"M": 1}}, {"name": "B", "stats": {"T": 2}}]
    assert card_grid(cards, "fighter", (Fighter,)) == [["name", "stats.M", "stats.T"], ["A", "1", ""], ["B", "", "2"]]


def test_a_name_that_would_be_a_comment_comes_after_the_kind() -> None:
    assert card_grid([{"name": "#1"}], "fighter", (Fighter,)) == [["kind", "name"], ["fighter", "#1"]]


def test_cells_of_a_workbook_are_text_and_never_formulas(folder: Folder) -> None:
    folder.write("cards/a.yaml", "kind: token\ngame: warcry\nname: '=1+1'\nnote: '+1'\nvalue: 3\n")
    export_table("token", (), (), Path("t.xlsx"), None, force=False)
    sheet = load_workbook(io.BytesIO((folder.root / "t.xlsx").read_bytes())).active
    cells = {cell.value: cell for row in sheet.iter_rows() for cell in row}
    assert {cell.data_type for cell in cells.values()} == {"s"}
    assert {cell.number_format for cell in cells.values()} == {"@"}
    assert {"=1+1", "+1", "3"} <= cells.keys()
