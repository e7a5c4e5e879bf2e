"""Whatever strangers write in games, tables, SVG art, and drawings of Inkscape ends in files or in messages.

These cases are a third of all; see `test_fuzz`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

from cardgen.matches.session import TrialRequest, exact_odds, prepare_trial, roll
from cardgen.project_checks.run import CheckRequest, check_project
from tests.fuzz.data_material import (
    ART,
    BRAVES,
    DRAWING_WORDS,
    GAME,
    GAME_WORDS,
    INKSCAPE,
    TABLE_CSV,
    TABLE_JSON,
    TABLE_SETTINGS,
    TABLE_WORDS,
)
from tests.fuzz.material import SVG
from tests.fuzz.mutation import mutated, nudged
from tests.fuzz.test_fuzz import ENDS, EXPORT, WEAPON, build, draw, ends, fuzzed, whole_way, written
from tests.fuzz.test_fuzz import project as project
from tests.projects import FRONT, MINION
from tests.tables.workbooks import xlsx

# The cases have a limit each, whatever their number.
pytestmark = pytest.mark.timeout(0)


@fuzzed(0.08)
@given(mutated((GAME,), GAME_WORDS), EXPORT)
def test_games(text: str, export: bool) -> None:
    whole_game({"games/ember/game.yaml": text, "cards/a.yaml": BRAVES}, export=export)


@fuzzed(0.02)
@given(mutated((BRAVES,), GAME_WORDS), EXPORT)
def test_cards_of_games(text: str, export: bool) -> None:
    whole_game({"games/ember/game.yaml": GAME, "cards/a.yaml": text}, export=export)


def whole_game(files: dict[str, str], *, export: bool) -> None:
    """Build cards of a game of the project, and run its checks and a trial."""
    written({"cardgen.yaml": "game: ember\n", **files})
    ends(build if export else draw, "games")
    ends(lambda: check_project(CheckRequest()), "games")
    ends(lambda: roll_trial("ebb", "ash"), "games")


def roll_trial(name: str, card: str) -> None:
    trial_run = prepare_trial(TrialRequest(name, {"brave": card}))
    roll(trial_run, "0" * 32)
    exact_odds(trial_run)


@fuzzed(0.07)
@given(st.sampled_from(("cards/a.csv", "data/c.json", "cardgen.yaml")), st.data(), EXPORT)
def test_tables(which: str, data: st.DataObject, export: bool) -> None:
    files = {"cards/a.csv": TABLE_CSV, "data/c.json": TABLE_JSON, "cardgen.yaml": TABLE_SETTINGS}
    files[which] = data.draw(nudged((files[which],), TABLE_WORDS))
    workbook = "  cards/b.xlsx: {kind: minion, rows: row.qty != 9, columns: {qty: qty}}\n"
    files["cardgen.yaml"] = files["cardgen.yaml"].replace(workbook, "")
    whole_way(files, export=export, name="tables")


@fuzzed(0.03)
@given(st.lists(nudged(TABLE_CSV.splitlines(), TABLE_WORDS), min_size=2, max_size=4), st.data())
def test_workbooks(lines: list[str], data: st.DataObject) -> None:
    rows = [[ILLEGAL_CHARACTERS_RE.sub("", cell)[:30_000] for cell in line.split(",")] for line in lines]
    written({"cardgen.yaml": "game: warniris\ntables: {cards/b.xlsx: {kind: minion}}\n"})
    content = bytearray(xlsx([TABLE_CSV.split("\n")[0].split(","), *rows]))
    if data.draw(st.integers(0, 3)) == 0:
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    Path("cards").mkdir(exist_ok=True)
    Path("cards/b.xlsx").write_bytes(content)
    ends(draw, "workbooks")


@fuzzed(0.07)
@given(nudged((ART,), SVG), EXPORT)
def test_vector_art(text: str, export: bool) -> None:
    front = FRONT.replace("</svg>", '<cg:art x="1" y="1" width="20" height="20"/></svg>')
    card = MINION + "art: a.svg\n"
    files = {"cards/a.yaml": card, "cards/a.svg": text, "templates/warniris/minion.svg.j2": front}
    whole_way(files, export=export, name="art")


@fuzzed(0.05)
@given(nudged((INKSCAPE,), (*DRAWING_WORDS, *SVG)), EXPORT)
def test_drawings_of_inkscape(text: str, export: bool) -> None:
    whole_way({"cards/a.yaml": WEAPON, "templates/warniris/minion.svg": text}, export=export, name="drawings")


@pytest.mark.parametrize("name", ["games", "tables", "art", "drawings"])
def test_some_are_accepted_and_some_refused(name: str) -> None:
    built, refused = ENDS[f"{name} built"], ENDS[f"{name} refused"]
    if built + refused < 30:
        pytest.skip("too few cases")
    assert 0.3 < built / (built + refused) < 0.9, ENDS
