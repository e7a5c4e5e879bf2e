from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft7Validator
from PIL import Image

from tests.projects import Folder
from tests.target.exports import (
    card_pictures,
    cell_of,
    open_picture,
    read_json,
    run_export,
    same_picture,
    small_project,
)
from tests.target.real_files import real_folder, real_json

# The program writes colors up to 255, and 'ZoomAndContext'; its schema allows 1, and 'Zoom and context menu'.
DISPUTED = {"PrimaryColor", "SecondaryColor", "GroundAccessibility"}
PACKAGE = "warniris-2nd-edition"


def template(folder: Folder, name: str) -> Any:
    return read_json(folder.root / "out" / PACKAGE / "Templates" / f"{name}.json")


def texture(folder: Folder, name: str) -> Image.Image:
    return open_picture((folder.root / "out" / PACKAGE / "Textures" / name).read_bytes())


def card_schema() -> Draft7Validator:
    return Draft7Validator({**real_json("ttpg/schema.json"), "$ref": "#/definitions/CardTemplate"})


def real_templates() -> list[Any]:
    return [real_json(f"ttpg/templates/{path.name}") for path in sorted((real_folder() / "ttpg/templates").iterdir())]


def test_templates_of_other_people_pass_the_official_schema() -> None:
    templates = real_templates()
    assert len(templates) > 10
    for each in templates:
        card_schema().validate({key: value for key, value in each.items() if key not in DISPUTED})


@pytest.mark.parametrize("name", ["minion/1", "token/wounds"])
def test_templates_pass_the_official_schema(folder: Folder, name: str) -> None:
    run_export("ttpg", small_project(folder))
    assert not DISPUTED & template(folder, name).keys()
    card_schema().validate(template(folder, name))
    broken = {key: value for key, value in template(folder, name).items() if key != "BackIndex"}
    assert list(card_schema().iter_errors(broken))


@pytest.mark.parametrize("name", ["minion/1", "token/wounds"])
def test_keys_have_types_that_the_program_writes(folder: Folder, name: str) -> None:
    run_export("ttpg", small_project(folder))
    seen: dict[str, set[str]] = {}
    for each in real_templates():
        for key, value in each.items():
            seen.setdefault(key, set()).add(_type(value))
    for key, value in template(folder, name).items():
        assert _type(value) in seen[key], key


def _type(value: object) -> str:
    return "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value).__name__


def test_a_stack_has_each_copy(folder: Folder) -> None:
    run_export("ttpg", small_project(folder))
    deck, token = template(folder, "minion/1"), template(folder, "token/wounds")
    assert deck["Indices"] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert deck["CardNames"]["4"] == "Minion E"
    assert (deck["Width"], deck["Height"], deck["Model"]) == (6.3, 8.8, "Rounded")
    assert (token["Indices"], token["Width"], token["Model"]) == ([0, 0, 0], 2.5, "Round")


@pytest.mark.parametrize("own_backs", [False, True])
def test_each_cell_is_the_picture_of_its_card(folder: Folder, own_backs: bool) -> None:
    small_project(folder, own_backs=own_backs)
    pictures = card_pictures(folder)
    run_export("ttpg", folder)
    deck = template(folder, "minion/1")
    grid = (deck["NumHorizontal"], deck["NumVertical"])
    assert deck["BackIndex"] == (-3 if own_backs else -2)
    fronts, backs = texture(folder, deck["FrontTexture"]), texture(folder, deck["BackTexture"])
    for index, letter in enumerate("abcde"):
        assert same_picture(cell_of(fronts, *grid, index), pictures[f"minion-{letter}-front"])
        back = cell_of(backs, *grid, index) if own_backs else backs
        assert same_picture(back, pictures[f"minion-{letter}-back"])


def test_the_manifest_names_the_package(folder: Folder) -> None:
    run_export("ttpg", small_project(folder))
    manifest = read_json(folder.root / "out" / PACKAGE / "Manifest.json")
    assert manifest["Name"] == "Warniris, 2nd edition"
    assert len(manifest["GUID"]) == 32
    assert manifest["GUID"] != template(folder, "minion/1")["GUID"] != template(folder, "token/wounds")["GUID"]
