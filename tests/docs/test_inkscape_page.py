"""The tutorial about Inkscape: its files build the card that it shows."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from PIL import Image

from cardgen.builds.builder import build
from cardgen.print.request import BuildRequest
from cardgen.studio.engine.templates import SourceFiles

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "inkscape.md").read_text(encoding="utf-8")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for folder in ("cards/art", "templates/warniris"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    drawing = (DOCS / "inkscape" / "minion.svg").read_text(encoding="utf-8")
    (tmp_path / "templates/warniris/minion.svg").write_text(drawing, encoding="utf-8")
    (block,) = re.findall(r"```yaml cards/ember-guard\.yaml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "cards/ember-guard.yaml").write_text(block, encoding="utf-8")
    Image.new("RGB", (600, 400), "#ff0000").save(tmp_path / "cards/art/ember.png")
    return tmp_path


def test_the_card_of_the_page_is_that_of_the_picture(project: Path) -> None:
    card = (DOCS / "inkscape" / "ember-guard.yaml").read_text(encoding="utf-8")
    assert (project / "cards/ember-guard.yaml").read_text(encoding="utf-8") == card


def test_the_drawing_of_the_page_prints_its_card(project: Path) -> None:
    (path,) = build(BuildRequest(formats=("svg",), backs="none")).files
    svg = path.read_text(encoding="utf-8")
    for text in ("EMBER GUARD", "Tongs", "door stays warm", "M 2 · B 3 · S 2 · W 1"):
        assert text in svg
    assert "<image" in svg
    assert "3 mm" not in svg, "the guides are left out"
    assert "#c9a55c" not in svg, "neither are the rectangles of fields drawn"


def test_the_drawing_is_what_inkscape_saves() -> None:
    drawing = (DOCS / "inkscape" / "minion.svg").read_text(encoding="utf-8")
    assert "sodipodi:namedview" in drawing
    assert {"guides", "name", "art", "weapons", "motto"} <= set(re.findall(r'inkscape:label="([^"]+)"', drawing))


def test_the_message_of_the_page_is_said(project: Path) -> None:
    path = project / "templates/warniris/minion.svg"
    glow = '<rect style="filter:url(#f1)" id="rect12" width="1" height="1" inkscape:label="Glow" />'
    path.write_text(path.read_text(encoding="utf-8").replace("</svg>", f"{glow}</svg>"), encoding="utf-8")
    (message,) = re.findall(r"error\[CG511\]: ('Glow'.*)", PAGE)
    with pytest.raises(Exception, match=re.escape(message)):
        build(BuildRequest(formats=("svg",), backs="none"))


def test_the_fields_of_the_drawing_move_by_hand(project: Path) -> None:
    (project / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    file, sources, dice = "templates/warniris/minion.svg", SourceFiles(project), Random(1)
    text = (project / file).read_text(encoding="utf-8")
    boxes = sources.boxes(file, text, "")
    assert {box.name for box in boxes} >= {"field name", "picture", "field weapons"}
    for turn in range(12):
        index = turn % len(boxes)
        x, y, width, height = boxes[index].at
        step, grown = dice.choice([-5, -0.5, 0.1, 2.75]), dice.choice([0, 0, 1.5, -0.4])
        at = (x + step, y - step / 2, width + grown, height)
        moved = sources.change(file, text, "", {"places": [[index, at]]})
        assert moved.fault == "", (boxes[index], at)
        assert moved.boxes[index].at == pytest.approx(at, abs=0.006)
        others = [box for number, box in enumerate(moved.boxes) if number != index]
        assert others == [box for number, box in enumerate(boxes) if number != index]
        assert re.sub(r"[-.\d]", "", moved.text) == re.sub(r"[-.\d]", "", text)
