from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from PIL import Image

from tests.projects import STATS, Folder
from tests.target.exports import (
    OWN_BACK,
    TOKENS,
    card_pictures,
    cell_of,
    open_picture,
    read_json,
    run_export,
    same_picture,
    small_project,
)
from tests.target.real_files import real_json
from tests.target.tabletops.tts_schema import OBJECT_SCHEMA, SAVE_SCHEMA

BASE = "https://example.org/cards"
STEM = "warniris-2nd-edition"


def all_objects(objects: list[Any]) -> Iterator[Any]:
    for each in objects:
        yield each
        yield from all_objects(each.get("ContainedObjects", []))
        yield from all_objects([*each.get("States", {}).values()])


def export_objects(folder: Folder, **options: Any) -> list[Any]:
    """Return the objects of an export, which has the form of a save."""
    run_export("tts", folder, {"asset_base_url": BASE}, **options)
    save = read_json(folder.root / "out" / f"{STEM}.json")
    Draft202012Validator(SAVE_SCHEMA).validate(save)
    objects: list[Any] = save["ObjectStates"]
    return objects


def asset(folder: Folder, url: str) -> Image.Image:
    return open_picture((folder.root / "out" / "images" / url.removeprefix(f"{BASE}/")).read_bytes())


@pytest.mark.parametrize("name", ["investigators_poirot.json", "investigators_tanya_von_degurechaff.json"])
def test_objects_of_other_people_pass_the_schema(name: str) -> None:
    assert list(Draft202012Validator(OBJECT_SCHEMA).iter_errors(real_json(f"tts/{name}"))) == []


@pytest.mark.parametrize(
    ("key", "value"), [("CardID", "100"), ("CustomDeck", {}), ("GUID", "12345"), ("Transform", {}), ("Hands", 1)]
)
def test_the_schema_finds_wrong_objects(folder: Folder, key: str, value: object) -> None:
    deck = export_objects(small_project(folder))[0]
    assert not list(Draft202012Validator(OBJECT_SCHEMA).iter_errors(deck))
    deck["ContainedObjects"][0][key] = value
    assert list(Draft202012Validator(OBJECT_SCHEMA).iter_errors(deck))


def test_a_deck_has_each_copy_in_order(folder: Folder) -> None:
    deck, bag = export_objects(small_project(folder))
    assert deck["DeckIDs"] == [100, 100, 101, 101, 102, 102, 103, 103, 104, 104]
    assert deck["DeckIDs"] == [card["CardID"] for card in deck["ContainedObjects"]]
    assert [card["Nickname"] for card in deck["ContainedObjects"][:3]] == ["Minion A", "Minion A", "Minion B"]
    assert (deck["Name"], bag["Name"], len(bag["ContainedObjects"])) == ("Deck", "Bag", 3)


def test_each_id_has_its_sheet_and_its_cell(folder: Folder) -> None:
    objects = export_objects(small_project(folder, 26))
    for each in all_objects(objects):
        for number in (*each.get("DeckIDs", ()), *([each["CardID"]] if "CardID" in each else ())):
            sheet = each["CustomDeck"][str(number // 100)]
            assert number % 100 < sheet["NumWidth"] * sheet["NumHeight"]


def test_guids_differ_and_stay_the_same(folder: Folder) -> None:
    small_project(folder)
    first, second = export_objects(folder), export_objects(folder)
    guids = [each["GUID"] for each in all_objects(first)]
    assert len(guids) == len(set(guids)) == 10 + 1 + 1 + 2 * 3
    assert first == second


@pytest.mark.parametrize("own_backs", [False, True])
def test_each_cell_is_the_picture_of_its_card(folder: Folder, own_backs: bool) -> None:
    small_project(folder, own_backs=own_backs)
    pictures = card_pictures(folder)
    (sheet,) = export_objects(folder)[0]["CustomDeck"].values()
    grid = (sheet["NumWidth"], sheet["NumHeight"])
    assert sheet["UniqueBack"] is own_backs
    fronts, backs = asset(folder, sheet["FaceURL"]), asset(folder, sheet["BackURL"])
    for index, letter in enumerate("abcde"):
        assert same_picture(cell_of(fronts, *grid, index), pictures[f"minion-{letter}-front"])
        back = cell_of(backs, *grid, index) if own_backs else backs
        assert same_picture(back, pictures[f"minion-{letter}-back"])


def test_many_cards_take_several_sheets(folder: Folder) -> None:
    folder.write("services/small.yaml", "target: tts\ntitle: Small\nlongest_side: 600\n")
    small_project(folder, 26)
    run_export("small", folder, {"asset_base_url": BASE})
    deck = read_json(folder.root / "out" / f"{STEM}.json")["ObjectStates"][0]
    assert [(each["NumWidth"], each["NumHeight"]) for each in deck["CustomDeck"].values()] == [(3, 2)] * 4 + [(2, 1)]
    assert max(deck["DeckIDs"]) == 501
    for sheet in deck["CustomDeck"].values():
        assert max(asset(folder, sheet["FaceURL"]).size) <= 600


def test_a_token_has_its_other_side_as_a_state(folder: Folder) -> None:
    _, bag = export_objects(small_project(folder))
    token = bag["ContainedObjects"][0]
    image, state = token["CustomImage"], token["States"]["2"]["CustomImage"]
    assert image["CustomTile"]["Type"] == 2
    assert (image["ImageURL"], image["ImageSecondaryURL"]) == (state["ImageSecondaryURL"], state["ImageURL"])
    assert image["ImageURL"] != image["ImageSecondaryURL"]


def test_a_card_with_a_damaged_side_has_it_as_a_state(folder: Folder) -> None:
    """Such a card lies beside the deck of the others."""
    small_project(folder, 3)
    folder.write("templates/warniris/damaged.back.svg.j2", OWN_BACK)
    card = f"kind: minion\nname: Ogre\nstats: {STATS}\nback: damaged\n"
    folder.write("cards/ogre.yaml", card)
    pictures = card_pictures(folder)
    deck, ogre, _ = export_objects(folder)
    assert (deck["Name"], len(deck["DeckIDs"]), ogre["Name"]) == ("Deck", 6, "Card")
    sides = []
    for each in (ogre, ogre["States"]["2"]):
        (sheet,) = each["CustomDeck"].values()
        sides.append(
            cell_of(asset(folder, sheet["FaceURL"]), sheet["NumWidth"], sheet["NumHeight"], each["CardID"] % 100)
        )
    assert same_picture(sides[0], pictures["ogre-front"])
    assert same_picture(sides[1], pictures["ogre-back"])


def test_a_lone_card_is_no_deck(folder: Folder) -> None:
    (card,) = export_objects(small_project(folder, 2), only=("Minion A",), qty=1)
    assert (card["Name"], card["CardID"]) == ("Card", 100)
    assert "States" not in card


def test_a_warband_is_a_bag_with_everything(folder: Folder) -> None:
    folder.write("cards/empty.txt", "")
    run_export("tts", folder, {"asset_base_url": BASE}, warband="The Ashen Oath")
    save = read_json(folder.root / "out" / "the-ashen-oath.json")
    Draft202012Validator(SAVE_SCHEMA).validate(save)
    (bag,) = save["ObjectStates"]
    assert bag["Nickname"] == "The Ashen Oath"
    assert {each["Name"] for each in bag["ContainedObjects"]} == {"Deck", "Custom_Tile"}


def test_pictures_have_absolute_paths_without_an_address(folder: Folder) -> None:
    result = run_export("tts", small_project(folder))
    deck = read_json(folder.root / "out" / f"{STEM}.json")["ObjectStates"][0]
    for sheet in deck["CustomDeck"].values():
        path = Path(sheet["FaceURL"])
        assert path.is_absolute()
        assert path in result.files
    assert any("cannot see" in note for note in result.outcome.notes)


def test_a_picture_that_changes_has_another_name(folder: Folder) -> None:
    small_project(folder)
    one = {path.name for path in run_export("tts", folder).files}
    folder.write("cards/tokens.yaml", TOKENS.replace("value: 1", "value: 3"))
    other = {path.name for path in run_export("tts", folder).files}
    changed = {re.sub(r"-[0-9a-f]{8}\.png$", "", name) for name in one ^ other}
    assert changed == {"token-wounds-front"}


def test_cards_without_backs_have_a_plain_one(folder: Folder) -> None:
    small_project(folder)
    run_export("tts", folder, {"asset_base_url": BASE}, backs="none")
    deck = read_json(folder.root / "out" / f"{STEM}.json")["ObjectStates"][0]
    (sheet,) = deck["CustomDeck"].values()
    assert asset(folder, sheet["BackURL"]).getextrema() == ((255, 255),) * 3


def test_the_thumbnail_is_beside_the_object(folder: Folder) -> None:
    run_export("tts", small_project(folder))
    assert open_picture((folder.root / "out" / f"{STEM}.png").read_bytes()).size == (256, 256)


def test_cards_of_another_size_have_a_deck_of_their_own(folder: Folder) -> None:
    """Landscape cards stay as they are printed."""
    folder.plain().minions("Minion A", "Minion B")
    cards = "".join(f"  - {{name: Wide {n}, stats: {STATS}, size: 88mm x 63mm}}\n" for n in "AB")
    folder.write("cards/wide.yaml", f"kind: minion\ncards:\n{cards}")
    upright, wide = export_objects(folder)
    assert [each["Nickname"] for each in (upright, wide)] == ["Minion", "Minion 2"]
    (sheet,) = wide["CustomDeck"].values()
    fronts = asset(folder, sheet["FaceURL"])
    cell = cell_of(fronts, sheet["NumWidth"], sheet["NumHeight"], 1)
    assert cell.width > cell.height
    assert same_picture(cell, card_pictures(folder)["wide-b-front"])
