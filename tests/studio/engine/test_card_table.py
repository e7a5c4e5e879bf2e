"""Cards as rows of a table, and what cells change in their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.studio.engine.card_table import CellChange, TableChange
from cardgen.studio.engine.remote import Engine
from tests.editor.harness import HERO, RELIC, WARBAND
from tests.studio.engine.test_card_changes import texts

LAMPS = """\
kind: relic
defaults: {motto: Bright.}
cards:
  # The first lamp.
  - name: Calm Lamp  # calm
    text: It shines.
    tags: [old, dim]  # two
  - {name: Storm Lamp, count: 2, text: It burns.}
"""
ROWS = "kind,name,text\nrelic,Dusk Lamp,It fades.\n"
FILES = {"lamps.yaml": LAMPS, "cloak.yaml": RELIC, "hero.yaml": HERO, "oath.yaml": WARBAND, "rows.csv": ROWS}
LAMP, STORM, CLOAK = (f"warniris/relic/{name}" for name in ("calm-lamp", "storm-lamp", "test-cloak"))


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    (tmp_path / "cards").mkdir()
    for name, text in FILES.items():
        (tmp_path / "cards" / name).write_text(text, encoding="utf-8")
    (tmp_path / "cardgen.yaml").write_text("game: warniris\ntables: {cards/rows.csv: {}}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return Engine(str(tmp_path))


def edit(engine: Engine, *cells: tuple[str, str, str]) -> TableChange:
    changed: TableChange = engine.table.edit([CellChange(*each) for each in cells])
    return changed


def test_rows_have_the_values_of_cards_with_the_defaults_of_their_files(engine: Engine) -> None:
    state = engine.table.rows("warniris/relic")
    keys = [each.key for each in state.columns]
    rows = {row.name: dict(zip(keys, row.cells, strict=True)) for row in state.rows}
    assert (keys[0], keys.index("effects") < keys.index("text")) == ("name", True)
    assert rows["Calm Lamp"] | {"tags": "old; dim", "motto": "Bright.", "text": "It shines."} == rows["Calm Lamp"]
    assert rows["Storm Lamp"]["qty"] == "2"
    used = {each.key for each in state.columns if each.is_used}
    assert used == {"name", "text", "tags", "motto", "qty", "effects"}


def test_the_profile_of_a_kind_has_columns_of_its_own(engine: Engine) -> None:
    state = engine.table.rows("warniris/character")
    fields = {each.key: each for each in state.columns}
    assert [state.rows[0].cells[[*fields].index(key)] for key in ("stats.mind", "stats.movement")] == ["4", "10"]
    assert (fields["stats.mind"].field["widget"], fields["stats.mind"].field["minimum"]) == ("number", 1)


def test_rows_of_spreadsheets_are_shown_and_say_why_they_cannot_be_changed(engine: Engine) -> None:
    (row,) = (each for each in engine.table.rows("warniris/relic").rows if each.file == "cards/rows.csv")
    assert row.lock.startswith("'Dusk Lamp' is a row of cards/rows.csv")
    with pytest.raises(CardgenError, match="is a row of"):
        edit(engine, (row.key, "text", "No."))


@pytest.mark.parametrize("cells", [[(LAMP, "text", "a" * 20_001)], [(LAMP, "text", "")] * 50_001])
def test_no_text_is_shortened_and_no_cell_left_out(engine: Engine, cells: list[tuple[str, str, str]]) -> None:
    with pytest.raises(CardgenError, match="at most 50,000 cells with 20,000 characters each"):
        edit(engine, *cells)


def test_cells_of_several_files_are_one_change_that_keeps_comments(engine: Engine) -> None:
    cells = [
        (LAMP, "text", "It glows."),
        (STORM, "motto", "Loud."),
        (CLOAK, "motto", "Seen."),
        (STORM, "qty", "3"),
        (LAMP, "tags", "new; dim"),
    ]
    changed = texts(edit(engine, *cells).change)
    lamps = LAMPS.replace("It shines.", "It glows.").replace("[old, dim]", "[new, dim]")
    lamps = lamps.replace("count: 2, text: It burns.}", "count: 3, text: It burns., motto: Loud.}")
    assert changed == {"cards/lamps.yaml": lamps, "cards/cloak.yaml": RELIC.replace("Seen too late.", "Seen.")}


def test_an_empty_cell_removes_its_key(engine: Engine) -> None:
    assert texts(edit(engine, (STORM, "qty", " ")).change) == {"cards/lamps.yaml": LAMPS.replace(", count: 2", "")}


def test_a_name_is_renamed_in_all_files_and_has_a_new_key(engine: Engine) -> None:
    changed = edit(engine, (CLOAK, "name", "Night Cloak"), (CLOAK, "motto", "Dark."))
    files = texts(changed.change)
    assert changed.keys == {CLOAK: "warniris/relic/night-cloak"}
    assert files["cards/cloak.yaml"] == RELIC.replace("Test Cloak", "Night Cloak").replace("Seen too late.", "Dark.")
    assert files["cards/oath.yaml"] == WARBAND.replace("Test Cloak", "Night Cloak").replace("test-cloak", "night-cloak")


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ((LAMP, "qty", "many"), "qty"),
        ((LAMP, "id", "other"), "change an id in the form"),
        ((CLOAK, "effects", "none"), "parts in the form"),
        ((LAMP, "name", "Storm Lamp"), "another card has the id"),
        ((LAMP, "colour", "red"), "no such column"),
        (("warniris/relic/lost", "qty", "1"), "no longer in the project"),
    ],
)
def test_a_cell_that_would_be_wrong_changes_nothing(engine: Engine, cell: tuple[str, str, str], reason: str) -> None:
    with pytest.raises(CardgenError, match=reason):
        edit(engine, cell, (STORM, "qty", "4"))
    assert engine.table.rows("warniris/relic").rows[0].cells


def test_a_mistake_that_was_there_before_does_not_keep_others_from_being_changed(engine: Engine) -> None:
    file = Path("cards/lamps.yaml")
    file.write_text(f"{LAMPS}  - {{name: Lost Lamp, qty: many}}\n", encoding="utf-8")
    assert "count: 4" in str(texts(edit(engine, (STORM, "qty", "4")).change)["cards/lamps.yaml"])


def test_a_cell_offers_what_its_field_offers(engine: Engine) -> None:
    labels = [each["label"] for each in engine.table.options(LAMP, "text", "{sk")]
    assert "skull" in labels


def test_lines_of_a_cell_end_where_they_do_in_the_text(engine: Engine) -> None:
    changed = texts(edit(engine, (LAMP, "text", "It shines.\nIt warms.\n\nIt fades.")).change)
    text = str(changed["cards/lamps.yaml"])
    assert "text: |-\n      It shines.\\\n      It warms.\n\n      It fades.\n" in text
    Path("cards/lamps.yaml").write_text(text, encoding="utf-8")
    engine.forget(("cards/lamps.yaml",))
    assert "It shines.\nIt warms.\n\nIt fades." in engine.table.rows("warniris/relic").rows[1].cells


def test_a_word_that_choices_lack_can_be_allowed_in_a_game_of_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = (
        "game: marsh\nname: Marsh\nprefix: MA\nkinds:\n  lamp:\n    fields:\n"
        "      dice: {type: choice, choices: [1W6, 2W6]}  # to hit\n"
    )
    files = {
        "games/marsh/game.yaml": game,
        "cards/ash.yaml": "kind: lamp\nname: Ash\ndice: 1W6\n",
        "cardgen.yaml": "game: marsh\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    table, cell = Engine(str(tmp_path)).table, CellChange("marsh/lamp/ash", "dice", "4W6")
    with pytest.raises(CardgenError, match="must be 1W6 or 2W6, not '4W6'"):
        table.edit([cell])
    changed = texts(table.edit([cell], True).change)
    assert changed == {
        "games/marsh/game.yaml": game.replace("2W6]", "2W6, 4W6]"),
        "cards/ash.yaml": "kind: lamp\nname: Ash\ndice: 4W6\n",
    }
    assert [*texts(table.edit([cell._replace(text="2W6")], True).change)] == ["cards/ash.yaml"]
