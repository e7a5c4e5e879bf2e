"""Templates, games, and settings that are being written, and the card that they draw."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from PIL import Image

from cardgen.diagnostic import CardgenError
from cardgen.face.layout import placed_boxes
from cardgen.scaffold.game import new_game
from cardgen.studio.engine.templates import SourceFiles
from cardgen.studio.page_words import TextError

RELIC = "format: 1\ngame: warniris\nkind: relic\ncards:\n  - name: Lamp\n    text: It shines.\n"
TEMPLATE = "templates/warniris/relic.svg.j2"
KEY = "warniris/relic/lamp"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    (root / "cards").mkdir(parents=True)
    (root / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    (root / "cards" / "relics.yaml").write_text(RELIC, encoding="utf-8")
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def ember(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    new_game("Ember")
    return tmp_path


def test_a_built_in_template_is_copied_and_drawn_with_each_change(project: Path) -> None:
    sources = SourceFiles(project)
    assert sources.files().files == ("cardgen.yaml",)
    assert "warniris/relic.svg.j2" in sources.files().originals
    assert sources.copy("warniris/relic.svg.j2") == TEMPLATE
    assert TEMPLATE in sources.files().files
    assert "warniris/relic.svg.j2" not in sources.files().originals
    text = (project / TEMPLATE).read_text(encoding="utf-8")
    before = sources.draw(TEMPLATE, text, KEY)
    assert not before.problems
    after = sources.draw(TEMPLATE, text.replace("</svg>", '<circle cx="9" cy="9" r="4.25"/></svg>'), KEY)
    assert before.face.svg != after.face.svg
    assert b"4.25" in after.face.svg
    assert sources.draw(TEMPLATE, text, "").face.svg == before.face.svg
    with pytest.raises(CardgenError, match="already exists"):
        sources.copy("warniris/relic.svg.j2")


@pytest.mark.parametrize("name", ["../cardgen/cli/build.py", "warniris/nothing.svg.j2", "/etc/passwd", ""])
def test_only_built_in_templates_are_copied(project: Path, name: str) -> None:
    with pytest.raises(TextError):
        SourceFiles(project).copy(name)


def test_a_mistake_in_a_template_has_its_line(project: Path) -> None:
    sources = SourceFiles(project)
    sources.copy("warniris/relic.svg.j2")
    view = sources.draw(TEMPLATE, "<svg xmlns='http://www.w3.org/2000/svg'>\n{{ card.nonsense + 1 }}</svg>", KEY)
    (problem, *_) = view.problems
    assert not view.face.svg
    assert (problem.file, problem.span.line) == (TEMPLATE, 2)


def test_a_template_that_never_ends_is_stopped(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgen.face.template.engine.TIME_LIMIT", 1.0)
    monkeypatch.setattr("cardgen.face.template.report._TIME_LIMIT", 0.2)
    sources = SourceFiles(project)
    sources.copy("warniris/relic.svg.j2")
    loop = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
    view = sources.draw(TEMPLATE, f"<svg xmlns='http://www.w3.org/2000/svg'>{loop}</svg>", KEY)
    assert view.problems
    assert not view.face.svg
    good = (project / TEMPLATE).read_text(encoding="utf-8")
    assert sources.draw(TEMPLATE, good, KEY).face.svg


def test_settings_show_at_once_with_their_problems(project: Path) -> None:
    sources = SourceFiles(project)
    plain = sources.draw("cardgen.yaml", "game: warniris\n", KEY)
    assert not plain.problems
    larger = sources.draw("cardgen.yaml", "game: warniris\nsizes: {relic: tarot}\n", KEY)
    assert plain.face.svg != larger.face.svg
    for mistake in ("game: [", "game: warniris\npapper: a4\n", "game: warniris\nsizes: {rellic: tarot}\n"):
        (problem, *_) = sources.draw("cardgen.yaml", mistake, KEY).problems
        assert problem.file == "cardgen.yaml"


def test_a_game_and_its_theme_show_at_once(ember: Path) -> None:
    sources = SourceFiles(ember)
    game, theme = "games/ember/game.yaml", "games/ember/templates/theme.yaml"
    assert {game, theme, "games/ember/templates/hero.layout.yaml", "cardgen.yaml"} == set(sources.files().files) - {
        "games/ember/templates/hero.back.layout.yaml"
    }
    text = (ember / game).read_text(encoding="utf-8")
    plain = sources.draw(game, text, "")
    assert plain.face.svg
    assert not plain.problems
    assert sources.draw(game, text.replace("size: poker", "size: tarot"), "").face.svg != plain.face.svg
    (problem, *_) = sources.draw(game, text.replace("type: integer", "type: intger", 1), "").problems
    assert problem.file == game
    colors = (ember / theme).read_text(encoding="utf-8")
    assert sources.draw(theme, colors, "").face.svg == plain.face.svg


@pytest.mark.parametrize("file", ["../x.yaml", "cards/relics.yaml", "games/x/y/z.yaml", "templates/.x/a.j2", "a.py"])
def test_other_files_are_refused(project: Path, file: str) -> None:
    with pytest.raises(TextError):
        SourceFiles(project).draw(file, "", KEY)


def test_a_template_that_no_card_is_drawn_with_is_said_not_to_be_checked(project: Path) -> None:
    sources = SourceFiles(project)
    sources.copy("warniris/minion.svg.j2")
    file = "templates/warniris/minion.svg.j2"
    text = (project / file).read_text(encoding="utf-8")
    view = sources.draw(file, text + "{{ 1 / 0 }}\n{% if %}\n", "")
    assert view.fault == "'Lamp' is not drawn with this file; no card of the project is"
    assert {row.span.line for row in view.problems} == {len(text.splitlines()) + 2}
    (project / "cards" / "relics.yaml").unlink()
    sources.reload()
    assert sources.draw(file, text, "").fault == "the project has no card to draw"


def test_a_file_that_is_included_is_drawn_with_a_card_that_includes_it(project: Path) -> None:
    sources = SourceFiles(project)
    sources.copy("warniris/relic.svg.j2")
    (project / "templates" / "warniris" / "corner.svg.j2").write_text(
        "<circle cx='5' cy='5' r='1.75'/>", encoding="utf-8"
    )
    relic = project / TEMPLATE
    text = relic.read_text(encoding="utf-8").replace("</svg>", "{% include 'warniris/corner.svg.j2' %}</svg>")
    relic.write_text(text, encoding="utf-8")
    sources.reload()
    view = sources.draw("templates/warniris/corner.svg.j2", "<circle cx='5' cy='5' r='2.75'/>", "")
    assert (view.key, view.fault, b"2.75" in view.face.svg) == (KEY, "", True)


def test_a_theme_that_is_not_in_force_is_said_not_to_be_checked(project: Path) -> None:
    sources = SourceFiles(project)
    sources.copy("shared/theme.yaml")
    sources.copy("shared/theme.low-ink.yaml")
    for name, is_used in (("theme.yaml", True), ("theme.low-ink.yaml", False)):
        file = f"templates/shared/{name}"
        view = sources.draw(file, (project / file).read_text(encoding="utf-8"), "")
        assert bool(view.fault) is not is_used


def test_problems_of_built_in_templates_have_no_absolute_path(project: Path) -> None:
    sources = SourceFiles(project)
    sources.copy("warniris/relic.svg.j2")
    text = (project / TEMPLATE).read_text(encoding="utf-8")
    view = sources.draw(TEMPLATE, text.replace("</svg>", "{% include 'shared/ruler.svg.j2' %}</svg>"), KEY)
    assert view.problems
    for row in view.problems:
        assert not row.file.startswith("/")
        assert str(project) not in row.message + row.help + view.face.problem


LAYOUT = "games/ember/templates/hero.layout.yaml"
BOXES = """\
background: paper
frame: hero.svg
boxes:
  - {shape: rect, at: [5, 5, 50, 9], fill: plaque}
  - {field: name, at: [6, 5, 48, 9]}
  - {shape: emblem, at: [5, 16, 20, 24], unless: art}
  - {each: [might, wounds], at: [30, 16, 12, 11], step: [12.5, 0], style: number, label: below}
  - {each: traits, at: [30, 30, 24, 5], step: [0, 5]}
  - {text: "{{ role }} {heart}", at: [5, 42, 50, 5]}
  - {icons: heart, count: wounds, at: [5, 80, 50, 5], align: center}
  - {field: art, at: [30, 50, 10, 10]}
  - {shape: ellipse, at: [5, 50, 10, 10], fill: accent}
  - {shape: line, at: [5, 48, 50, 0]}
"""
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" width="63.5mm" height="88.9mm" viewBox="0 0 63.5 88.9">{}</svg>'


@pytest.fixture
def layout(ember: Path) -> SourceFiles:
    (ember / LAYOUT).write_text(BOXES, encoding="utf-8")
    frame = DRAWING.format('<rect width="9" height="9" fill="#aa0000"/>')
    (ember / "games/ember/templates/hero.svg").write_text(frame, encoding="utf-8")
    return SourceFiles(ember)


def test_a_layout_is_drawn_with_its_boxes(layout: SourceFiles) -> None:
    view = layout.draw(LAYOUT, BOXES, "")
    assert (view.problems, view.fault, view.key) == ((), "", "ember/hero/ash")
    assert (view.face.size, view.face.bleed) == ((63.5, 88.9), 3.0)
    assert [box.line for box in view.boxes] == [*range(4, 14)]
    assert [box.name for box in view.boxes if not box.drawn] == ["field art"]
    hidden = BOXES.replace("unless: art", "when: art")
    names = [box.name for box in layout.draw(LAYOUT, hidden, "").boxes if not box.drawn]
    assert names == ["shape emblem", "field art"]
    moved = layout.change(LAYOUT, hidden, "", {"places": [[0, (6, 5, 50, 9)]]})
    assert [box.name for box in moved.boxes if not box.drawn] == names
    mistake = layout.draw(LAYOUT, BOXES.replace("field: name", "field: nmae"), "")
    assert not mistake.face.svg
    assert (mistake.problems[0].file, mistake.problems[0].span.line) == (LAYOUT, 5)


def test_the_drawing_behind_a_layout_is_drawn_with_it(layout: SourceFiles) -> None:
    file = "games/ember/templates/hero.svg"
    view = layout.draw(file, DRAWING.format('<circle cx="9" cy="9" r="4.25" fill="#aa0000"/>'), "")
    assert view.fault == ""
    assert b"4.25" in view.face.svg


def test_gestures_are_proved_by_drawing_and_move_one_box(layout: SourceFiles) -> None:
    dice, text = Random(7), BOXES
    for turn in range(40):
        before = placed_boxes(text)
        index = turn % len(before)
        x, y, width, height = before[index].at
        dx, dy, grown = (dice.choice([-5, -0.5, 0, 0.1, 0.5, 2.75]) for _ in range(3))
        at = (x + dx, y + dy, max(width + grown, 0), height)
        placed = layout.change(LAYOUT, text, "", {"places": [[index, at]]})
        assert placed.fault == ""
        assert placed.boxes[index].at == pytest.approx(at, abs=0.001)
        lines = [n for n, (a, b) in enumerate(zip(text.split("\n"), placed.text.split("\n"), strict=True)) if a != b]
        assert lines in ([], [before[index].line - 1])
        text = placed.text
    assert layout.draw(LAYOUT, text, "").problems == ()


def test_a_gesture_that_cannot_be_drawn_changes_nothing(layout: SourceFiles) -> None:
    broken = BOXES.replace("style: number", "style: nmber")
    impossible: list[tuple[str, dict[str, Any], int]] = [
        (BOXES, {"places": [[99, (0, 0, 1, 1)]]}, 0),
        (BOXES, {"places": [[0, (5, 5, 40, 9)], [1, (0, 0, -1, 1)]]}, 4),
        (broken, {"places": [[1, (0, 0, 9, 9)]]}, 0),
        (BOXES, {"add": {"field": "nmae", "at": [1, 1, 20, 5]}}, 0),
        (BOXES, {"add": {"picture": "art/none.png", "at": [1, 1, 20, 5]}}, 0),
        (BOXES, {"remove": 99}, 0),
        (BOXES, {"order": [0, 99]}, 4),
        (BOXES, {"look": [1, "style", "nmber"]}, 0),
        (BOXES, {"look": [1, "gap", 3]}, 5),
        (BOXES, {"look": [0, "fill", "none of the theme"]}, 4),
        (BOXES, {"look": [1, "size", "400pt"]}, 5),
    ]
    for text, gesture, line in impossible:
        changed = layout.change(LAYOUT, text, "", gesture)
        assert (changed.text, changed.boxes, changed.fault != "") == (text, (), True), gesture
        assert line in (0, changed.line), gesture


def test_boxes_are_added_removed_ordered_and_dressed(layout: SourceFiles, ember: Path) -> None:
    (ember / "art").mkdir()
    Image.new("RGB", (9, 9), "red").save(ember / "art" / "seal.png")
    names = layout.names(LAYOUT)
    assert {"name", "might", "traits"} <= set(names.fields)
    assert {"might", "wounds"} <= {*names.numbers}
    assert {"id", "name", "draft", "art.rotate", "traits"}.isdisjoint(names.numbers)
    assert names.pictures == ("art/seal.png",)
    assert "number" in names.styles
    assert dict(names.colours)["accent"] == "#b5451b"
    text, count = BOXES, len(placed_boxes(BOXES))
    gestures: list[tuple[dict[str, Any], str]] = [
        ({"add": {"text": "Text", "at": [20, 40, 23.5, 8]}}, "text: Text"),
        ({"add": {"field": "motto", "at": [5, 60, 50, 8]}}, "field: motto"),
        ({"add": {"shape": "ellipse", "fill": "panel", "at": [5, 60, 9, 8]}}, "shape: ellipse"),
        ({"add": {"picture": "art/seal.png", "at": [5, 60, 9, 9]}}, "art/seal.png"),
        ({"order": [count + 3, count + 2]}, "art/seal.png"),
        ({"look": [0, "fill", "#123456"]}, 'fill: "#123456"'),
        ({"look": [1, "size", "11pt"]}, "size: 11pt"),
        ({"look": [1, "align", "right"]}, "align: right"),
        ({"look": [1, "align", None]}, "size: 11pt}"),
        ({"places": [[0, [6, 6, 50, 9]], [3, [31, 16, 12, 11]]]}, "[31, 16, 12, 11]"),
        ({"remove": 2}, "field: name"),
    ]
    for gesture, written in gestures:
        changed = layout.change(LAYOUT, text, "", gesture)
        assert changed.fault == "", (gesture, changed.fault)
        assert written in changed.text, gesture
        text = changed.text
    assert len(placed_boxes(text)) == count + 3
    assert [box.name for box in placed_boxes(text)][-2:] == ["picture art/seal.png", "shape ellipse"]
    assert "emblem" not in text
    assert layout.draw(LAYOUT, text, "").problems == ()


def test_only_project_files_are_changed_by_hand(layout: SourceFiles) -> None:
    with pytest.raises(TextError):
        layout.change("../hero.layout.yaml", BOXES, "", {"remove": 0})
    with pytest.raises(TextError):
        layout.names("../hero.layout.yaml")


def test_boxes_of_a_template_are_moved_by_hand(project: Path) -> None:
    sources = SourceFiles(project)
    sources.copy("warniris/relic.svg.j2")
    text = (project / TEMPLATE).read_text(encoding="utf-8")
    boxes = sources.boxes(TEMPLATE, text, KEY)
    index = next(number for number, box in enumerate(boxes) if box.name == "field name")
    x, y, width, height = boxes[index].at
    moved = sources.change(TEMPLATE, text, KEY, {"places": [[index, [x + 1, y + 0.5, width, height]]]})
    assert moved.fault == ""
    assert moved.boxes[index].at == pytest.approx((x + 1, y + 0.5, width, height))
    assert sources.boxes(TEMPLATE, moved.text, KEY) == moved.boxes
    lines = [n for n, (a, b) in enumerate(zip(text.split("\n"), moved.text.split("\n"), strict=True), 1) if a != b]
    assert lines == [boxes[index].line]
    assert sources.draw(TEMPLATE, moved.text, KEY).problems == ()
    path = next(number for number, box in enumerate(boxes) if box.name.startswith("path of ground"))
    refused = sources.change(TEMPLATE, text, KEY, {"places": [[path, [9, 9, 9, 9]]]})
    assert (refused.text, refused.asks) == (text, False)
    assert "copy it first" in refused.fault
    assert sources.boxes(TEMPLATE, text.replace("{% import", "{% imprt"), KEY) == ()


def test_what_a_macro_fixes_is_moved_after_a_question(project: Path) -> None:
    sources, file = SourceFiles(project), "templates/warniris/parts.svg.j2"
    sources.copy("warniris/parts.svg.j2")
    text = (project / file).read_text(encoding="utf-8")
    boxes = sources.boxes(file, text, KEY)
    index = next(number for number, box in enumerate(boxes) if box.name == "rect of ground")
    x, y, width, height = boxes[index].at
    gesture: dict[str, Any] = {"places": [[index, [x + 1, y, width, height]]]}
    asked = sources.change(file, text, KEY, gesture)
    assert (asked.text, asked.asks, asked.line) == (text, True, boxes[index].line)
    assert asked.fault == "its place is fixed in the macro 'ground'; 1 card would change"
    moved = sources.change(file, text, KEY, {**gesture, "confirmed": True})
    assert (moved.fault, moved.asks) == ("", False)
    assert 'x="{{ -bleed + 1 }}"' in moved.text


def test_fields_of_a_drawing_are_moved_by_hand(layout: SourceFiles, ember: Path) -> None:
    (ember / LAYOUT).unlink()
    file = "games/ember/templates/hero.svg"
    label = 'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" inkscape:label="name"'
    text = DRAWING.format(f'<rect {label} x="6" y="5" width="50" height="9"/>')
    (ember / file).write_text(text, encoding="utf-8")
    layout.reload()
    (box,) = layout.boxes(file, text, "")
    assert (box.name, box.at) == ("field name", (6, 5, 50, 9))
    moved = layout.change(file, text, "", {"places": [[0, [7, 5.5, 50, 8]]]})
    assert (moved.fault, moved.text) == ("", text.replace('x="6" y="5"', 'x="7" y="5.5"').replace('"9"', '"8"'))
