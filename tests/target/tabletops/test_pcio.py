from __future__ import annotations

import json
import zipfile
from typing import Any

import pytest

from cardgen.diagnostic import CardgenError
from tests.projects import Folder
from tests.target.exports import card_pictures, open_picture, run_export, same_picture, small_project

FILE = "warniris-2nd-edition.pcio"


def room(folder: Folder, **options: Any) -> tuple[list[Any], zipfile.ZipFile]:
    run_export("pcio", folder, options)
    archive = zipfile.ZipFile(folder.root / "out" / FILE)
    return json.loads(archive.read("widgets.json")), archive


@pytest.mark.parametrize(("old", "pile", "schema"), [(False, "holder", b"8"), (True, "cardPile", b"5")])
def test_piles_have_the_name_of_their_schema(folder: Folder, old: bool, pile: str, schema: bytes) -> None:
    widgets, archive = room(small_project(folder), old_schema=old)
    assert [each["type"] for each in widgets if each["id"].endswith("-pile")] == [pile, pile]
    assert archive.read("schemaVersion") == schema


def test_each_copy_is_a_card_of_a_deck_in_a_pile(folder: Folder) -> None:
    widgets, _ = room(small_project(folder))
    by_id = {each["id"]: each for each in widgets}
    assert len(by_id) == len(widgets)
    cards = [each for each in widgets if each["type"] == "card"]
    assert len(cards) == 5 * 2 + 3
    for card in cards:
        deck, pile = by_id[card["deck"]], by_id[card["parent"]]
        assert card["cardType"] in deck["cardTypes"]
        assert pile["x"] <= card["x"]
        assert card["x"] + deck["cardWidth"] <= pile["x"] + pile["width"]


def test_piles_do_not_overlap(folder: Folder) -> None:
    widgets, _ = room(small_project(folder))
    boxes = [
        (each["x"], each["y"], each["x"] + each["width"], each["y"] + each["height"])
        for each in widgets
        if each["type"] == "holder"
    ]
    for number, one in enumerate(boxes):
        for other in boxes[:number]:
            assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def test_each_picture_is_that_of_its_card(folder: Folder) -> None:
    small_project(folder)
    pictures = card_pictures(folder)
    widgets, archive = room(folder)
    deck = next(each for each in widgets if each["id"] == "minion")
    for name, card in deck["cardTypes"].items():
        front, back = (open_picture(archive.read(card[side].removeprefix("package://"))) for side in ("image", "back"))
        assert same_picture(front, pictures[f"{name}-front"])
        assert same_picture(back, pictures[f"{name}-back"])
    assert len({card["back"] for card in deck["cardTypes"].values()}) == 1


def test_the_archive_is_stored_without_dates(folder: Folder) -> None:
    _, archive = room(small_project(folder))
    assert {each.compress_type for each in archive.infolist()} == {zipfile.ZIP_STORED}
    assert {each.date_time for each in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert {"widgets.json", "schemaVersion", "variantId", "variantDate"} <= {*archive.namelist()}


def test_a_picture_that_is_too_large_is_refused(folder: Folder) -> None:
    folder.write("services/tiny.yaml", "target: pcio\ntitle: Tiny\nmost_bytes: 1024\n")
    with pytest.raises(CardgenError, match=r"minions\.yaml:3:.*CG542.* bytes, more than 1,024"):
        run_export("tiny", small_project(folder))
    assert not (folder.root / "out").exists()


def test_too_many_widgets_are_noted(folder: Folder) -> None:
    folder.write("services/tiny.yaml", "target: pcio\ntitle: Tiny\nmost_widgets: 5\n")
    result = run_export("tiny", small_project(folder))
    assert any("more than the 5" in note for note in result.outcome.notes)
