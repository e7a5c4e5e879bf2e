"""Cards that are added to files, moved between them, and taken over from tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.studio.engine.remote import Engine
from tests.editor.harness import HERO, RELIC, WARBAND
from tests.studio.engine.test_card_changes import texts
from tests.tables.workbooks import xlsx

LAMPS = """\
kind: relic
defaults: {motto: Bright.}
cards:
  # The first lamp.
  - name: Calm Lamp  # calm
    text: It shines.

  - {name: Storm Lamp, text: It burns.}
"""
BELLS = """\
game: warniris
cards:
    - kind: relic
      name: Old Bell
      text: It rings.  # low
"""
ROWS = 'name,text,qty,tags\nDusk Lamp,"It fades.\nIt ends.",2,old; dim\nDawn Lamp,It grows.,,\n'
CLOAK, OATH, HERO_FILE = "cards/cloak.yaml", "cards/oath.yaml", "cards/hero.yaml"
SETTINGS = "game: warniris\ntables:\n  cards/rows.csv: {kind: relic}  # old\n"
FILES = {
    CLOAK: f"# yaml-language-server: $schema=x\n# Made by hand.\n{RELIC}",
    OATH: WARBAND,
    HERO_FILE: HERO,
    "cards/lamps.yaml": LAMPS,
    "cards/bells.yaml": BELLS,
    "cards/rows.csv": ROWS,
    "cardgen.yaml": SETTINGS,
}
KEY = "warniris/relic"


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    (tmp_path / "cards").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return Engine(str(tmp_path))


def test_a_new_card_comes_below_the_last_one_of_its_kind(engine: Engine) -> None:
    change = engine.moves.add(KEY, "Night Lamp")
    text = texts(change)["cards/lamps.yaml"]
    assert text is not None
    assert text.startswith(LAMPS)
    assert "  - name: Night Lamp\n" in text
    assert change.key == f"{KEY}/night-lamp"


def test_a_new_card_of_a_kind_without_lists_has_a_file_of_its_own(engine: Engine) -> None:
    change = engine.moves.add("warniris/character", "Young Gravel")
    assert [*texts(change)] == ["cards/young-gravel.yaml"]
    with pytest.raises(CardgenError, match="another card has the name 'Old Gravel'"):
        engine.moves.add("warniris/character", "Old Gravel")


def test_cards_move_with_their_comments_and_with_what_they_inherit(engine: Engine) -> None:
    change = engine.moves.move([f"{KEY}/calm-lamp", f"{KEY}/test-cloak"], "cards/bells.yaml")
    changed = texts(change)
    assert changed["cards/bells.yaml"] == (
        f"{BELLS}    # The first lamp.\n    - name: Calm Lamp  # calm\n      motto: Bright.\n      kind: relic\n"
        "      text: It shines.\n    # Made by hand.\n    - name: Test Cloak\n      kind: relic\n"
        "      motto: Seen too late.\n      effects:\n"
        "        - {when: attacked, if: {range_over: 12}, attacker: {mind: -1, spirit: -1}}\n"
    )
    assert changed[CLOAK] is None
    assert changed["cards/lamps.yaml"] == LAMPS.replace(
        "  # The first lamp.\n  - name: Calm Lamp  # calm\n    text: It shines.\n", ""
    )


def test_cards_move_into_a_new_file(engine: Engine) -> None:
    changed = texts(engine.moves.move([f"{KEY}/storm-lamp"], "cards/storms.yaml"))
    assert changed["cards/storms.yaml"] == (
        "format: 1\ngame: warniris\nkind: relic\ncards:\n  - {name: Storm Lamp, motto: Bright., text: It burns.}\n"
    )


@pytest.mark.parametrize(
    ("card", "file", "reason"),
    [
        (f"{KEY}/calm-lamp", CLOAK, "one card only"),
        (f"{KEY}/calm-lamp", "cards/lamps.yaml", "already"),
        (f"{KEY}/old-bell", "cards/lamps.yaml", "would not say the same"),
        (f"{KEY}/dusk-lamp", "cards/bells.yaml", "is a row of"),
    ],
)
def test_a_move_that_would_change_a_card_is_refused(engine: Engine, card: str, file: str, reason: str) -> None:
    with pytest.raises(CardgenError, match=reason):
        engine.moves.move([card], file)


def test_rows_of_a_table_become_cards_that_say_the_same(engine: Engine) -> None:
    before = {row.name: row.cells for row in engine.table.rows(KEY).rows}
    changed = texts(engine.moves.take_over([f"{KEY}/dusk-lamp"]))
    assert [*changed] == ["cards/rows.yaml", "cardgen.yaml"]
    assert "  - name: Dusk Lamp\n    text: |-\n      It fades.\\\n      It ends.\n    qty: 2\n" in str(
        changed["cards/rows.yaml"]
    )
    for file, text in changed.items():
        Path(file).write_text(str(text), encoding="utf-8")
    engine.forget(tuple(changed))
    rows = engine.table.rows(KEY).rows
    assert {row.name: row.cells for row in rows} == before
    assert not any(row.lock for row in rows)
    with pytest.raises(CardgenError, match="in texts already"):
        engine.moves.take_over([f"{KEY}/dusk-lamp"])


def test_rows_that_cannot_be_read_are_not_lost(engine: Engine) -> None:
    Path("cards/rows.csv").write_text(ROWS.replace(",2,", ",many,"), encoding="utf-8")
    with pytest.raises(CardgenError, match=r"some rows of 'cards/rows\.csv' cannot be read"):
        engine.moves.take_over([f"{KEY}/dawn-lamp"])


def test_tags_are_added_and_removed(engine: Engine) -> None:
    changed = texts(engine.table.tag([f"{KEY}/old-bell", f"{KEY}/test-cloak"], ["loud", "new"], ["old"]))
    assert "tags: [loud, new]" in str(changed["cards/bells.yaml"])
    assert "tags: [loud, new]" in str(changed[CLOAK])


def test_a_newer_table_says_which_cards_change(engine: Engine, tmp_path: Path) -> None:
    upload = tmp_path / "upload"
    upload.write_text("name,text,qty,tags\nDusk Lamp,It fades.,2,old; dim\nNoon Lamp,It glares.,,\n", encoding="utf-8")
    newer = engine.moves.newer("cards/rows.csv", str(upload))
    assert (newer.new, newer.changed, newer.gone) == (("Noon Lamp",), ("Dusk Lamp",), ("Dawn Lamp",))
    assert newer.problems == ()
    assert newer.content == upload.read_bytes()
    assert (tmp_path / "cards" / "rows.csv").read_text(encoding="utf-8") == ROWS
    assert {row.name for row in engine.project().cards} >= {"Dusk Lamp", "Dawn Lamp"}, "nothing has changed yet"


def test_a_newer_table_says_what_will_be_wrong(engine: Engine, tmp_path: Path) -> None:
    upload = tmp_path / "upload"
    upload.write_text("name,text,qty\nDusk Lamp,It fades.,many\nCalm Lamp,It shines.,1\n", encoding="utf-8")
    newer = engine.moves.newer("cards/rows.csv", str(upload))
    assert any("cards/rows.csv" in each and "many" in each for each in newer.problems)
    upload.write_bytes(b"\0\0")
    assert engine.moves.newer("cards/rows.csv", str(upload)).problems
    (tmp_path / "cards" / "other.csv").write_text(ROWS, encoding="utf-8")
    with pytest.raises(CardgenError, match=r"does not read 'cards/other\.csv'"):
        engine.moves.newer("cards/other.csv", str(upload))


GAME = """\
# A game for lamps.
game: marsh
name: Marsh
prefix: MA
kinds:
  # 2 cards
  lamps:
    fields:
      # 2 words
      color: {type: choice, choices: ["Red", "Blue"], label: "Color"}  # of the light
"""


@pytest.fixture
def marsh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    """A project with a game of its own, and one sheet of a workbook."""
    (tmp_path / "games/marsh").mkdir(parents=True)
    (tmp_path / "games/marsh/game.yaml").write_text(GAME, encoding="utf-8")
    settings = "game: marsh\ntables:\n  lamps.xlsx:\n    A: {kind: lamps}  # the only sheet\n"
    (tmp_path / "cardgen.yaml").write_text(settings, encoding="utf-8")
    (tmp_path / "lamps.xlsx").write_bytes(xlsx([["name", "Color"], ["Ash", "Red"], ["Oak", "Blue"], ["Elm", "Blue"]]))
    monkeypatch.chdir(tmp_path)
    return Engine(str(tmp_path))


def test_new_columns_and_words_of_a_newer_table_can_be_learned(marsh: Engine, tmp_path: Path) -> None:
    upload = tmp_path / "upload"
    upload.write_bytes(
        xlsx([["name", "Color", "Wick"], ["Ash", "Red", 2], ["Oak", "Green", 3], ["Fir", "green", None]])
    )
    newer = marsh.moves.newer("lamps.xlsx", str(upload))
    assert newer.problems == ()
    assert (newer.new, newer.changed, newer.gone) == (("Fir",), ("Ash", "Oak"), ("Elm",))
    assert newer.offers == (
        ("'Green' in the column 'Color' is new", ("allow it", "leave it as a mistake")),
        ("The column 'Wick' is new", ("add it to the cards", "leave it out")),
    )
    changed = {each.file: str(each.text) for each in newer.files}
    assert changed["games/marsh/game.yaml"] == GAME.replace('"Blue"]', '"Blue", Green]') + (
        "      wick: {type: integer, min: 0, optional: true, label: Wick}\n"
    )
    assert "A: {kind: lamps, columns: {Wick: wick}}  # the only sheet" in changed["cardgen.yaml"]
    newer = marsh.moves.newer("lamps.xlsx", str(upload), {question: answers[-1] for question, answers in newer.offers})
    assert [each.file for each in newer.files] == ["cardgen.yaml"]
    assert "columns: {Wick: null}" in str(newer.files[0].text)
    assert "Green" in newer.problems[0]
    assert newer.gone == ("Elm",), "cards with mistakes are not gone"
