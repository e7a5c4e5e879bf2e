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
from cardgen.scaffold.template import layout_text, new_template
from tests.cases import each_case
from tests.cli.commands import Program

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


def test_a_layout_for_a_new_game_builds_at_once_and_goes_on_as_svg(folder: Path) -> None:
    new_game("Ember")
    templates = folder / "games" / "ember" / "templates"
    for name in ("hero.svg.j2", "hero.back.svg.j2"):
        (templates / name).unlink()
    plain = pictures(folder)
    assert new_template("hero") == templates / "hero.layout.yaml"
    assert new_template("hero.back") == templates / "hero.back.layout.yaml"
    drawn = pictures(folder)
    assert drawn.keys() == plain.keys()
    assert all(drawn[name] != plain[name] for name in drawn)
    assert new_template("hero", svg=True) == templates / "hero.svg.j2"
    assert new_template("hero.back", svg=True) == templates / "hero.back.svg.j2"
    for path in templates.glob("*.layout.yaml"):
        path.unlink()
    assert pictures(folder) == drawn


def test_what_exists_stays_as_it_is(folder: Path) -> None:
    new_game("Ember")
    template = folder / "games" / "ember" / "templates" / "hero.svg.j2"
    before = template.read_bytes()
    with pytest.raises(CardgenError, match="already"):
        new_template("hero")
    with pytest.raises(CardgenError, match="there is no layout"):
        new_template("hero", svg=True)
    assert template.read_bytes() == before
    template.with_name("hero.layout.yaml").write_text("boxes: []\n", encoding="utf-8")
    with pytest.raises(CardgenError, match="already"):
        new_template("hero", svg=True)
    assert template.read_bytes() == before


def test_a_layout_with_mistakes_does_not_go_on(folder: Path) -> None:
    new_game("Ember")
    template = folder / "games" / "ember" / "templates" / "hero.svg.j2"
    template.unlink()
    template.with_name("hero.layout.yaml").write_text("boxes: [{text: a}]\nframe: x.svg\n", encoding="utf-8")
    with pytest.raises(CardgenError, match="missing key 'at'"):
        new_template("hero", svg=True)
    assert not template.exists()


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    cardgen = Program(capsys)
    assert cardgen("new", "project", ".", "--game", "warniris").code == 0
    outcome = cardgen("new", "template", "minion", "--json")
    assert json.loads(outcome.out)["files"] == ["templates/warniris/minion.layout.yaml"]
    assert cardgen("new", "template", "minion", "--svg").out == "templates/warniris/minion.svg.j2\n"
    assert "did you mean 'minion'" in cardgen("new", "template", "minoin").err
    assert cardgen("new", "template").code == 2
    assert cardgen("new", "minion", "Tom", "--svg").code == 2
