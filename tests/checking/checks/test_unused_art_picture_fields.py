"""Picture fields of a game that is a file: in templates, and as pictures that are used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from tests.cli.commands import Program
from tests.projects import Folder

GAME = """\
game: ember
name: Ember
prefix: EM
size: standard
kinds:
  brave:
    fields:
      bild: {type: picture, optional: true}
      bilder: {type: list, items: {type: picture}, optional: true}
    example: {}
"""
CARD = "kind: brave\nname: Ash\nbild: art/one.png\nbilder: [{file: art/two.png}]\n"
FRONT = """\
<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="https://cardgen.dev/svg">
<cg:art x="5" y="5" width="30" height="20" file="{{ card.bild }}"/>
<cg:art x="5" y="35" width="30" height="20" file="{{ card.bilder[0] }}"/>
<cg:art x="35" y="35" width="20" height="20" file="art/three.png"/>
<cg:art x="35" y="55" width="20" height="20" file='art/{{ card.id }}-crest.png'/>
</svg>
"""
IMAGES = """\
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
<image x="5" y="5" width="30" height="20" href="{{ card.bild }}" preserveAspectRatio="xMidYMid slice"/>
<image x="5" y="35" width="30" height="20" xlink:href='{{ card.bilder[0] }}' preserveAspectRatio="none"/>
<image x="35" y="35" width="20" height="20" href="../../cards/art/three.png"/>
<image x="35" y="55" width="20" height="20" href="art/{{ card.id }}%2Dcrest.png"/>
</svg>
"""
COLOURS = {"one": "red", "two": "lime", "three": "blue", "ash-crest": "yellow", "four": "white"}


@pytest.fixture
def cardgen(capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


@pytest.fixture(params=[FRONT, IMAGES], ids=["art", "image"])
def pictures(folder: Folder, request: pytest.FixtureRequest) -> Folder:
    """Return a project whose card has two pictures, and whose template has two more; nothing uses the fifth."""
    for name, content in {
        "games/ember/game.yaml": GAME, "cardgen.yaml": "game: ember\n", "cards/a.yaml": CARD,
        "templates/ember/brave.svg.j2": request.param,
    }.items():  # fmt: skip
        folder.write(name, content)
    (folder.root / "cards/art").mkdir()
    for name, colour in COLOURS.items():
        Image.new("RGB", (300, 200), colour).save(folder.root / f"cards/art/{name}.png")
    return folder


def test_a_picture_field_is_the_path_of_its_file(pictures: Folder, cardgen: Program) -> None:
    outcome = cardgen("build", "--no-cache", "--no-backs", "--format", "png", "--dpi", "72")
    assert outcome.code == 0, outcome.err
    (path,) = (pictures.root / "output").rglob("*.png")
    image = Image.open(path).convert("RGB")
    places = ((20, 15), (20, 45), (45, 45), (45, 65))
    found = [image.getpixel((round(x / 25.4 * 72), round(y / 25.4 * 72))) for x, y in places]
    assert found == [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0)]


def test_pictures_of_fields_and_templates_are_used(pictures: Folder, cardgen: Program) -> None:
    outcome = cardgen("check", "--format", "concise")
    assert [line for line in outcome.out.splitlines() if "CG124" in line] == [
        "cards/art/four.png: note[CG124]: no card uses this picture (unused-art)"
    ]


def test_pictures_are_listed_with_their_resolution(pictures: Folder, cardgen: Program) -> None:
    rows = json.loads(cardgen("list", "--art", "--json").out)["pictures"]
    assert {Path(each["file"]).stem for each in rows} == {"one", "two", "three", "ash-crest"}
    assert all(each["dpi"] > 100 for each in rows)


def test_a_picture_that_is_not_there_is_named(pictures: Folder, cardgen: Program) -> None:
    Path(pictures.root / "cards/art/one.png").unlink()
    outcome = cardgen("build", "--no-cache")
    assert outcome.code == 1
    assert "art/one.png" in outcome.err
    assert "file='" not in outcome.err


def test_a_picture_that_an_error_suggests_is_not_unused_as_well(folder: Folder, cardgen: Program) -> None:
    folder.write("cardgen.yaml", "game: warniris\n")
    folder.write("cards/ash.yaml", "kind: relic\nname: Ash\ntext: A text.\nart: art/Ash.PNG\n")
    (folder.root / "art").mkdir()
    Image.new("RGB", (600, 600), "red").save(folder.root / "art/ash.png")
    outcome = cardgen("check", "--format", "concise")
    assert "did you mean 'art/ash.png'?" in outcome.out
    assert "CG124" not in outcome.out


def test_a_picture_whose_name_only_ends_like_a_missing_one_is_unused(folder: Folder, cardgen: Program) -> None:
    folder.write("cardgen.yaml", "game: warniris\n")
    folder.write("cards/ash.yaml", "kind: relic\nname: Ash\ntext: A text.\nart: ash.jpg\n")
    (folder.root / "art").mkdir()
    Image.new("RGB", (600, 600), "red").save(folder.root / "art/bash.jpg")
    assert "art/bash.jpg: note[CG124]" in cardgen("check", "--format", "concise").out
