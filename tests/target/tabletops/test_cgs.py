from __future__ import annotations

import re
from typing import Any

import pytest
from jsonschema import Draft4Validator

from tests.projects import Folder
from tests.target.exports import card_pictures, open_picture, read_json, run_export, same_picture, small_project
from tests.target.real_files import real_json

BASE = "https://example.org/game/"
GAME = "warniris-2nd-edition"
# The official schema of cards names placeholders instead of keys.
CARDS = {
    "type": "array",
    "uniqueItems": True,
    "items": {
        "type": "object",
        "required": ["id", "name", "set"],
        "properties": {
            "id": {"type": "string", "minLength": 1},
            "name": {"type": "string", "minLength": 1},
            "set": {"type": "string", "minLength": 1},
            "backs": {"type": "array", "items": {"type": "string"}},
        },
        "additionalProperties": {"type": ["string", "number", "boolean"]},
    },
}


def exported(folder: Folder, name: str, base: str | None = BASE) -> Any:
    run_export("cgs", folder, {"asset_base_url": base})
    return read_json(folder.root / "out" / GAME / name)


@pytest.mark.parametrize("base", [BASE, None])
def test_the_game_passes_the_official_schema(folder: Folder, base: str | None) -> None:
    game = exported(small_project(folder), "cgs.json", base)
    schema = Draft4Validator(real_json("cgs/cgs.json"))
    schema.validate(game)
    assert list(schema.iter_errors({**game, "deckMaxCount": 60}))


def test_cards_sets_and_backs_belong_together(folder: Folder) -> None:
    small_project(folder)
    game, cards, sets = (exported(folder, name) for name in ("cgs.json", "AllCards.json", "AllSets.json"))
    Draft4Validator(CARDS).validate(cards)
    assert {card["set"] for card in cards} == {each["code"] for each in sets} == {"minion", "token"}
    backs = {each["id"] for each in game["cardBackFaceImageUrls"]}
    assert all({*card["backs"]} <= backs for card in cards)
    assert {"id", "name", "set", "backs"} | {each["name"] for each in game["cardProperties"]} >= {
        key for card in cards for key in card
    }


def test_each_picture_is_that_of_its_card(folder: Folder) -> None:
    small_project(folder)
    pictures = card_pictures(folder)
    root = folder.root / "out" / GAME
    for card in exported(folder, "AllCards.json"):
        name = card["id"].split("-", 1)[1]
        front = open_picture((root / "sets" / card["set"] / f"{card['id']}.png").read_bytes())
        assert same_picture(front, pictures[f"{name}-front"])
        back = open_picture((root / "backs" / f"{card['backs'][0]}.png").read_bytes())
        assert same_picture(back, pictures[f"{name}-back"])


def test_a_deck_lists_copies_with_ids(folder: Folder) -> None:
    cards = exported(small_project(folder), "AllCards.json")
    names = {card["id"]: (card["name"], card["set"]) for card in cards}
    lines = (folder.root / "out" / GAME / "decks" / "minion.txt").read_text(encoding="utf-8").splitlines()[1:]
    assert len(lines) == 5
    for line in lines:
        match = re.fullmatch(r"(\d+) \[(.+)\] (.+) \((.+)\)", line)
        assert match
        assert match[1] == "2"
        assert names[match[2]] == (match[3], match[4])


def test_addresses_lead_to_files(folder: Folder) -> None:
    small_project(folder)
    game = exported(folder, "cgs.json")
    names = set(folder.files(f"out/{GAME}"))
    addresses = [game["allCardsUrl"], game["allSetsUrl"], game["autoUpdateUrl"], game["cardBackImageUrl"]]
    addresses += [each["url"] for key in ("cardBackFaceImageUrls", "deckUrls") for each in game[key]]
    for each in addresses:
        assert each.removeprefix(BASE) in names
    assert exported(folder, "cgs.json") == read_json(folder.root / "out" / GAME / f"{GAME}.json")


def test_a_local_game_is_never_downloaded(folder: Folder) -> None:
    game = exported(small_project(folder), "cgs.json", None)
    assert game["autoUpdate"] == -1
    assert game["allCardsUrl"].startswith("file:///")
