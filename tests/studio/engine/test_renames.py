"""Cards that a text renames: what refers to them is said, and renamed in all files."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.editor.text import apply_edits
from cardgen.studio.engine.remote import Engine
from cardgen.studio.engine.renames import RENAME
from tests.editor.harness import HERO, RELIC, WARBAND

CLOAK, OATH = "cards/cloak.yaml", "cards/oath.yaml"
RENAMED = RELIC.replace("Test Cloak", "Night Cloak").replace("too late", "at last")


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    root = tmp_path / "project"
    (root / "cards").mkdir(parents=True)
    for name, text in {
        "cardgen.yaml": "game: warniris\n",
        CLOAK: RELIC,
        OATH: WARBAND,
        "cards/hero.yaml": HERO,
    }.items():
        (root / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(root)
    return Engine(str(root))


def renames(engine: Engine, file: str = CLOAK) -> list[tuple[str, str, list[str]]]:
    rows = engine.problems_of(file)
    return [(row.severity, row.message, [each.title for each in row.actions]) for row in rows if not row.code]


def test_a_text_that_renames_a_card_says_which_references_it_breaks(engine: Engine) -> None:
    engine.write(CLOAK, RENAMED)
    assert renames(engine) == [
        (
            "warning",
            f"2 references to 'Test Cloak' in {OATH} would be left without this card",
            [RENAME, "Keep the id 'test-cloak'"],
        )
    ]


def test_a_text_that_keeps_the_names_breaks_nothing(engine: Engine) -> None:
    engine.write(CLOAK, RELIC.replace("too late", "at last"))
    assert renames(engine) == []


def test_all_files_get_the_new_name_and_the_text_keeps_its_other_changes(engine: Engine) -> None:
    engine.write(CLOAK, RENAMED)
    texts = {each.file: each.text for each in engine.renames.texts(CLOAK)}
    assert texts == {
        CLOAK: RENAMED,
        OATH: WARBAND.replace("Test Cloak", "Night Cloak").replace("test-cloak", "night-cloak"),
    }
    assert renames(engine)  # nothing was written


def test_the_id_can_be_kept_so_that_references_by_it_stay(engine: Engine) -> None:
    engine.write(CLOAK, RENAMED)
    (row,) = (row for row in engine.problems_of(CLOAK) if not row.code)
    text = apply_edits(RENAMED, row.actions[1].edits)
    assert text == RENAMED.replace("name: Night Cloak\n", "name: Night Cloak\nid: test-cloak\n")
    engine.write(CLOAK, text)
    ((_, message, titles),) = renames(engine)
    assert (message[:11], titles) == ("1 reference", [RENAME])
    texts = {each.file: each.text for each in engine.renames.texts(CLOAK)}
    assert texts == {CLOAK: text, OATH: WARBAND.replace("Test Cloak", "Night Cloak")}


def test_translations_are_references_to_an_id(engine: Engine) -> None:
    Path("cardgen.yaml").write_text("game: warniris\nlanguages: [de]\n", encoding="utf-8")
    Path("cards/cloak.de.yaml").write_text("translations:\n  test-cloak: {name: Umhang}\n", encoding="utf-8")
    engine.forget(("cardgen.yaml",))
    engine.write(CLOAK, RELIC.replace("Test Cloak", "Night Cloak"))
    (warning,) = (row for row in engine.renames.problems(CLOAK) if row.severity == "warning")
    assert "cards/cloak.de.yaml" in warning.message
    changed = {each.file: each.text for each in engine.renames.texts(CLOAK)}
    assert changed["cards/cloak.de.yaml"] == "translations:\n  night-cloak: {name: Umhang}\n"


def test_an_id_that_nothing_refers_to_can_be_kept(engine: Engine) -> None:
    engine.write(OATH, WARBAND.replace("The Oath", "The Vow"))
    ((severity, _, titles),) = renames(engine, OATH)
    assert severity == "note"
    assert titles[0].startswith("Keep the id")


def test_references_in_the_same_file_are_renamed(engine: Engine) -> None:
    relic = "".join(f"    {line}\n" for line in RELIC.splitlines()).replace("    kind", "  - kind", 1)
    warband = "".join(f"    {line}\n" for line in WARBAND.splitlines()).replace("    kind", "  - kind", 1)
    both = f"cards:\n{relic}{warband}"
    root = Path.cwd()
    (root / OATH).unlink()
    (root / CLOAK).write_text(both, encoding="utf-8")
    engine.forget((OATH, CLOAK))
    engine.write(CLOAK, both.replace("name: Test Cloak", "name: Night Cloak"))
    ((file, _, text),) = engine.renames.texts(CLOAK)
    assert (file, text) == (CLOAK, both.replace("Test Cloak", "Night Cloak").replace("test-cloak", "night-cloak"))


def test_a_card_that_is_left_out_is_missed(engine: Engine) -> None:
    engine.write("cards/hero.yaml", "# nobody\n")
    ((severity, message, titles),) = renames(engine, "cards/hero.yaml")
    assert (severity, message[:31], titles) == ("warning", "2 references to 'Old Gravel' in", [])


def test_a_file_with_unsaved_changes_is_not_renamed(engine: Engine) -> None:
    engine.write(OATH, WARBAND.replace("The Oath", "The Vow"))
    engine.write(CLOAK, RENAMED)
    with pytest.raises(CardgenError, match="not saved"):
        engine.renames.texts(CLOAK)
    assert [titles for _, _, titles in renames(engine)] == [["Keep the id 'test-cloak'"]]


def test_a_name_that_another_card_has_is_not_given(engine: Engine) -> None:
    (Path.cwd() / "cards/other.yaml").write_text(RELIC.replace("Test Cloak", "Night Cloak"), encoding="utf-8")
    engine.forget(("cards/other.yaml",))
    engine.write(CLOAK, RENAMED)
    with pytest.raises(CardgenError, match="another card has the id 'night-cloak'"):
        engine.renames.texts(CLOAK)
