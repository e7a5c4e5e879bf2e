"""`cardgen new template`: a layout with the fields of a kind that builds at once, and goes on as SVG."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cardgen.builds.builder import build
from cardgen.deck.deck import require_game
from cardgen.diagnostic import CardgenError
from cardgen.face.layout import read_layout
from cardgen.print.request import BuildRequest
from cardgen.rulesets import ruleset
from cardgen.scaffold.game import new_game
from cardgen.scaffold.template import KnownCards, layout_text, new_template
from cardgen.units import Size
from tests.cases import each_case
from tests.cli.commands import Program
from tests.game_file.games import game_of

KINDS = [
    (game, name)
    for game in ruleset.games()
    for name, kind in require_game(game).kinds.items()
    if kind.is_printed and kind.default_size
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def pictures(folder: Path) -> dict[str, bytes]:
    output = folder / f"out{len(list(folder.glob('out*')))}"
    request = BuildRequest(folder=folder, output=output, formats=("png",))
    return {path.name: path.read_bytes() for path in build(request).files}


@each_case(("game", "kind"), KINDS, ids=[f"{game} {kind}" for game, kind in KINDS])
def test_the_layout_of_every_kind_is_right_and_inside_the_card(game: str, kind: str) -> None:
    found = require_game(game).kinds[kind]
    size = found.default_size
    assert size
    layout = read_layout(layout_text(found.model, size), "x").layout
    assert layout.size == (size.width, size.height)
    for box in layout.boxes:
        x, y, width, height = box.at
        times = len(box.each) - 1 if isinstance(box.each, tuple) else 0
        right = x + width + times * (box.step[0] if box.step else 0)
        assert (x >= 0, y >= 0, right <= size.width + 0.01) == (True, True, True), box
        assert y + height <= size.height + 0.01, box


def test_the_layouts_of_a_new_game_are_those_of_new_templates_and_go_on_as_svg(folder: Path) -> None:
    new_game("Ember")
    templates = folder / "games" / "ember" / "templates"
    layouts = {path: path.read_bytes() for path in templates.glob("*.layout.yaml")}
    assert {path.name for path in layouts} == {"hero.layout.yaml", "hero.back.layout.yaml"}
    drawn = pictures(folder)
    for path in layouts:
        path.unlink()
    plain = pictures(folder)
    assert drawn.keys() == plain.keys()
    assert all(drawn[name] != plain[name] for name in drawn)
    assert {new_template("hero"), new_template("hero.back")} == layouts.keys()
    assert layouts == {path: path.read_bytes() for path in layouts}
    assert new_template("hero", svg=True) == templates / "hero.svg.j2"
    assert new_template("hero.back", svg=True) == templates / "hero.back.svg.j2"
    for path in layouts:
        path.unlink()
    assert pictures(folder) == drawn


def test_what_exists_stays_as_it_is(folder: Path) -> None:
    new_game("Ember")
    layout = folder / "games" / "ember" / "templates" / "hero.layout.yaml"
    before = layout.read_bytes()
    with pytest.raises(CardgenError, match="already"):
        new_template("hero")
    template = new_template("hero", svg=True)
    text = template.read_bytes()
    with pytest.raises(CardgenError, match="already"):
        new_template("hero", svg=True)
    assert (layout.read_bytes(), template.read_bytes()) == (before, text)
    layout.unlink()
    with pytest.raises(CardgenError, match="there is no layout"):
        new_template("hero", svg=True)


def test_a_layout_with_mistakes_does_not_go_on(folder: Path) -> None:
    new_game("Ember")
    layout = folder / "games" / "ember" / "templates" / "hero.layout.yaml"
    layout.write_text("boxes: [{text: a}]\nframe: x.svg\n", encoding="utf-8")
    with pytest.raises(CardgenError, match="missing key 'at'"):
        new_template("hero", svg=True)
    assert not layout.with_name("hero.svg.j2").exists()


def test_long_texts_have_more_room_than_short_ones(folder: Path) -> None:
    new_game("Ember")
    model = game_of(folder).kinds["hero"].model
    size = Size(63.5, 88.9)

    def heights(letters: int) -> dict[str, float]:
        layout = read_layout(layout_text(model, size, KnownCards(letters)), "x").layout
        return {str(box.field or box.shape): box.at[3] for box in layout.boxes if box.field or box.shape == "emblem"}

    assert heights(20)["art"] > heights(200)["art"] > heights(400).get("art", 0)
    assert heights(20)["emblem"] == heights(20)["art"]


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    cardgen = Program(capsys)
    assert cardgen("new", "project", ".", "--game", "warniris").code == 0
    outcome = cardgen("new", "template", "minion", "--json")
    assert json.loads(outcome.out)["files"] == ["templates/warniris/minion.layout.yaml"]
    assert cardgen("new", "template", "minion", "--svg").out == "templates/warniris/minion.svg.j2\n"
    assert "did you mean 'minion'" in cardgen("new", "template", "minoin").err
    assert cardgen("new", "template").code == 2
    assert cardgen("new", "minion", "Tom", "--svg").code == 2


def test_a_layout_that_is_too_large_as_svg_is_left_as_it_is(folder: Path) -> None:
    new_game("Ember")
    layout = folder / "games" / "ember" / "templates" / "hero.layout.yaml"
    boxes = "".join(f"  - {{at: [1, 1, 9, 9], text: '{'&' * 2_000}'}}\n" for _ in range(150))
    layout.write_text(f"boxes:\n{boxes}", encoding="utf-8")
    with pytest.raises(CardgenError, match="larger than 1,024 KiB as SVG"):
        new_template("hero", svg=True)
    assert not [*layout.parent.glob("hero.svg*")]
