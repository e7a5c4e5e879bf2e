"""Whole cards that are duplicated, deleted, and renamed: the files that this changes."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from PIL import Image

from cardgen.diagnostic import CardgenError
from cardgen.studio.engine.card_changes import CardChange
from cardgen.studio.engine.remote import Engine
from tests.editor.harness import HERO, RELIC, WARBAND

CLOAK, OATH, LAMPS = "cards/cloak.yaml", "cards/oath.yaml", "cards/lamps.yaml"
LAMP_TEXT = """\
kind: relic
cards:
  - {name: Calm Lamp, text: It shines.}  # calm
  - {name: Storm Lamp, text: It burns.}
"""
FILES = {CLOAK: RELIC, OATH: WARBAND, "cards/hero.yaml": HERO, LAMPS: LAMP_TEXT, "cardgen.yaml": "game: warniris\n"}
KEY = "warniris/relic"


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    (tmp_path / "cards").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return Engine(str(tmp_path))


def texts(change: CardChange) -> dict[str, str | None]:
    return {each.file: each.text for each in change.files}


def test_cards_of_a_list_are_copied_below_each_other(engine: Engine) -> None:
    change = engine.cards.duplicate([f"{KEY}/calm-lamp", f"{KEY}/storm-lamp"])
    copies = (
        "  - {name: Calm Lamp, text: It shines.}  # calm\n  - {name: Calm Lamp (copy), text: It shines.}  # calm\n"
        "  - {name: Storm Lamp, text: It burns.}\n  - {name: Storm Lamp (copy), text: It burns.}\n"
    )
    assert texts(change) == {LAMPS: f"kind: relic\ncards:\n{copies}"}
    assert change.files[0].digest == sha256(LAMP_TEXT.encode()).hexdigest()


def test_the_card_of_a_whole_file_is_copied_beside_it(engine: Engine) -> None:
    change = engine.cards.duplicate([f"{KEY}/test-cloak"])
    file = "cards/test-cloak-copy.yaml"
    assert texts(change) == {file: RELIC.replace("Test Cloak", "Test Cloak (copy)")}
    assert (change.key, change.file, change.files[0].digest) == (f"{KEY}/test-cloak-copy", file, "")


def test_a_copy_overwrites_no_file(engine: Engine) -> None:
    Path("cards/night-cloak.yaml").write_text(LAMP_TEXT.replace("Lamp", "Moon"), encoding="utf-8")
    change = engine.cards.duplicate([f"{KEY}/test-cloak"], "Night Cloak")
    assert [*texts(change)] == ["cards/night-cloak-2.yaml"]


def test_a_copy_has_the_picture_that_its_card_finds_by_its_id(engine: Engine) -> None:
    Path("art").mkdir()
    Image.new("RGB", (8, 8)).save("art/test-cloak.png")
    Path(CLOAK).write_text(f"{RELIC}art: auto\n", encoding="utf-8")
    (text,) = texts(engine.cards.duplicate([f"{KEY}/test-cloak"])).values()
    assert text is not None
    assert text.endswith("art: art/test-cloak.png\n")


def test_a_copy_has_the_picture_of_any_field_that_finds_it_by_its_id(tmp_path: Path) -> None:
    files = {
        "games/ember/game.yaml": "game: ember\nname: Ember\nprefix: EM\nsize: standard\nkinds:\n  brave:\n    fields:\n"
        "      portrait: {type: picture, optional: true}\n    example: {}\n",
        "cardgen.yaml": "game: ember\n",
        "cards/ash.yaml": "kind: brave\nname: Ash\nportrait: {file: auto, scale: 2}\n",
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    (tmp_path / "art/portrait").mkdir(parents=True)
    Image.new("RGB", (8, 8)).save(tmp_path / "art/portrait/ash.png")
    (text,) = texts(Engine(str(tmp_path)).cards.duplicate(["ember/brave/ash"])).values()
    assert text is not None
    assert "portrait: {file: art/portrait/ash.png, scale: 2}" in text


def test_a_name_that_another_card_has_is_refused(engine: Engine) -> None:
    with pytest.raises(CardgenError, match="another card has the name 'Storm Lamp'"):
        engine.cards.duplicate([f"{KEY}/calm-lamp"], "Storm Lamp")


def test_before_a_card_is_deleted_it_is_said_who_refers_to_it(engine: Engine) -> None:
    (question,) = engine.cards.questions([f"{KEY}/test-cloak"])
    assert question == ("Test Cloak", CLOAK, ("The Oath 🎲 é",), "", True)
    first, second = engine.cards.questions([f"{KEY}/calm-lamp", f"{KEY}/storm-lamp"])
    assert (first.is_last, second.is_last, first.references) == (True, True, ())
    assert not engine.cards.questions([f"{KEY}/calm-lamp"])[0].is_last


def test_deleted_cards_leave_their_files_and_empty_files_go(engine: Engine) -> None:
    assert texts(engine.cards.delete([f"{KEY}/calm-lamp", f"{KEY}/test-cloak"])) == {
        LAMPS: "kind: relic\ncards:\n  - {name: Storm Lamp, text: It burns.}\n",
        CLOAK: None,
    }
    assert texts(engine.cards.delete([f"{KEY}/calm-lamp", f"{KEY}/storm-lamp"])) == {LAMPS: None}


def test_translations_go_with_their_cards(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "cardgen.yaml").write_text("game: warniris\nlanguages: [de]\n", encoding="utf-8")
    german = "translations:\n  calm-lamp:\n    name: Stille\n  storm-lamp: {name: Sturm}\n"
    (tmp_path / "cards" / "lamps.de.yaml").write_text(german, encoding="utf-8")
    changed = texts(engine.cards.delete([f"{KEY}/calm-lamp"]))
    assert changed["cards/lamps.de.yaml"] == "translations:\n  storm-lamp: {name: Sturm}\n"
    changed = texts(engine.cards.delete([f"{KEY}/calm-lamp", f"{KEY}/storm-lamp"]))
    assert changed == {LAMPS: None, "cards/lamps.de.yaml": None}


def test_a_released_card_that_is_deleted_is_retired_in_the_settings(engine: Engine, tmp_path: Path) -> None:
    from cardgen.api.release import release

    release("1.0", folder=tmp_path)
    (question,) = engine.cards.questions([f"{KEY}/calm-lamp"])
    assert question.release == "1.0"
    assert "cardgen.yaml" not in texts(engine.cards.delete([f"{KEY}/calm-lamp"]))
    changed = texts(engine.cards.delete([f"{KEY}/calm-lamp", f"{KEY}/storm-lamp"], retire=True))
    assert changed["cardgen.yaml"] == "game: warniris\nretired: [calm-lamp, storm-lamp]\n"


def test_a_card_is_renamed_with_all_references(engine: Engine) -> None:
    assert texts(engine.cards.rename(f"{KEY}/test-cloak", "Night Cloak")) == {
        CLOAK: RELIC.replace("Test Cloak", "Night Cloak"),
        OATH: WARBAND.replace("Test Cloak", "Night Cloak").replace("test-cloak", "night-cloak"),
    }
    with pytest.raises(CardgenError, match="another card has the id 'storm-lamp'"):
        engine.cards.rename(f"{KEY}/test-cloak", "Storm Lamp")


def test_a_card_that_is_gone_is_neither_copied_nor_deleted(engine: Engine) -> None:
    Path(CLOAK).unlink()
    for change in (engine.cards.duplicate, engine.cards.delete, engine.cards.questions):
        with pytest.raises(CardgenError, match="no longer in the project"):
            change([f"{KEY}/test-cloak"])
