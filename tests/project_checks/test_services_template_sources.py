"""Which keys of a card its templates print, in the games' own templates and in those of a project."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checking.harness import checked, found_marks
from tests.face.inkscape_drawings import drawing, rect
from tests.projects import MINION

RELIC = (
    "kind: relic\nname: Sun Stone\nback: relic\ntext: It shines.\nmotto: Look.\nart: art/sun.png\ntemplate: golden\n"
)
KEYS = {"text": 4, "motto": 5, "art": 6}


def ignored(folder: Path, card: str) -> set[int]:
    """Return the lines of the keys that are not printed."""
    return {mark.line for mark in found_marks(checked(folder, card, ["art/sun.png"])) if mark.code == "CG126"}


def ignored_by(folder: Path, golden: str, **others: str) -> set[str]:
    """Return the keys that a template of the project does not print."""
    templates = folder / "templates" / "warniris"
    templates.mkdir(parents=True)
    for name, source in {"golden": golden, **others}.items():
        (templates / f"{name}.svg.j2").write_text(source, encoding="utf-8")
    lines = ignored(folder, RELIC)
    return {key for key, line in KEYS.items() if line in lines}


@pytest.mark.parametrize(
    ("golden", "missing"),
    [
        ("<svg/>", {"text", "motto", "art"}),
        ("<svg>{{ describe(card) }}{{ card.motto }}<cg:art x='1'/></svg>", set()),
        ('<svg>{{ card.text }}{{ card["motto"] }}<cg:art file="logo.png" x="1"/></svg>', {"art"}),
        ("<svg>{# {{ card.motto }} <cg:art x='1'/> #}{{ card.text }}</svg>", {"motto", "art"}),
        ("<svg>{% include 'warniris/relic.svg.j2' %}</svg>", set()),
        ("<svg>{% import 'warniris/parts.svg.j2' as parts %}{{ card.text }}</svg>", {"motto", "art"}),
        ("<svg>{% include 'warniris/' ~ card.id ~ '.svg.j2' %}</svg>", set()),
        ("<svg>{% include 'warniris/missing.svg.j2' %}</svg>", set()),
    ],
)
def test_a_key_is_printed_if_a_template_names_it(tmp_path: Path, golden: str, missing: set[str]) -> None:
    """A template whose name is computed or that is missing could print anything."""
    assert ignored_by(tmp_path, golden) == missing


@pytest.mark.parametrize(
    ("card", "advice"),
    [
        ("kind: token\nname: Sun\ntext: Go.\nvalue: 2\n", "remove it, or choose a 'template' that has a place for it"),
        (f"{MINION}text: Go.\n", "write it in 'weapons'"),
        (
            "kind: character\nname: S\ntext: Go.\nstats: {M: 2, B: 3, S: 2, W: 5, Mo: 10}\nweapons: [Bow: RW R9 D1]\n",
            "write it in 'weapons' or 'abilities'",
        ),
    ],
)
def test_a_text_goes_where_it_is_printed(tmp_path: Path, card: str, advice: str) -> None:
    found = {each.check.code: each.diagnostic.help for each in checked(tmp_path, card).findings}
    assert found["CG126"] == advice


def test_the_long_layout_and_the_back_count_too(tmp_path: Path) -> None:
    more = {"golden.long": "<svg>{{ card.motto }}</svg>", "relic.back": "<svg><cg:art x='1'/></svg>"}
    assert ignored_by(tmp_path, "<svg>{{ card.text }}</svg>", **more) == set()


@pytest.mark.parametrize(
    ("card", "lines"),
    [
        ("kind: mission\nname: Go\nart: art/sun.png\nmotto: On.\nvp: 3\ntext: Go.\n", {3}),
        ("kind: token\nname: Sun\nart: art/sun.png\nmotto: On.\ntext: Go.\nvalue: 2\n", {3, 4, 5}),
        (
            "kind: minion\nname: Ox\nart: art/sun.png\nmotto: On.\ntext: Go.\nstats: {M: 1, B: 1, S: 1, W: 1, Mo: 8}\n",
            {5},
        ),
    ],
)
def test_kinds_without_a_place_for_a_key(tmp_path: Path, card: str, lines: set[int]) -> None:
    assert ignored(tmp_path, card) == lines


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("template: mission", False),
        ("template: standee", True),
        ("template: standee\nback: relic", False),
        ("template: sunny", False),
    ],
)
def test_an_own_template_without_a_back_is_told(tmp_path: Path, line: str, found: bool) -> None:
    text = f"kind: relic\nname: Sun Stone\ntext: It shines.\n{line}\n"
    assert ("CG127" in {mark.code for mark in found_marks(checked(tmp_path, text))}) is found


def test_a_drawing_with_a_mistake_is_not_judged(tmp_path: Path) -> None:
    """Nobody knows which keys it will print."""
    folder = tmp_path / "templates" / "warniris"
    folder.mkdir(parents=True)
    head = '<svg xmlns="http://www.w3.org/2000/svg" width="63mm" height="88mm" viewBox="0 0 63 88">'
    box = '<rect id="name" width="9" height="9"/>'
    for body, keys in ((box, {"text", "motto", "art"}), (f'{box}<image id="i"/>', set())):
        (folder / "golden.svg").write_text(f"{head}{body}</svg>", encoding="utf-8")
        lines = ignored(tmp_path, RELIC)
        assert {key for key, line in KEYS.items() if line in lines} == keys


@pytest.mark.parametrize(
    ("boxes", "missing"),
    [
        ("", {"text", "motto", "art"}),
        ("{field: name, at: [0, 0, 9, 9]}", {"text", "motto", "art"}),
        ("{field: art, at: [0, 0, 9, 9]}", {"text", "motto"}),
        ("{each: [text, motto], at: [0, 0, 9, 9], step: [1, 1]}", {"art"}),
        ('{text: "{{ motto }}", at: [0, 0, 9, 9]}', {"text", "art"}),
        ("{picture: logo.png, at: [0, 0, 9, 9]}", {"text", "motto", "art"}),
    ],
)
def test_a_layout_prints_the_fields_of_its_boxes(tmp_path: Path, boxes: str, missing: set[str]) -> None:
    templates = tmp_path / "templates" / "warniris"
    templates.mkdir(parents=True)
    (templates / "golden.layout.yaml").write_text(f"boxes: [{boxes}]\n", encoding="utf-8")
    lines = ignored(tmp_path, RELIC)
    assert {key for key, line in KEYS.items() if line in lines} == missing


def test_a_layout_prints_the_fields_of_its_drawing(tmp_path: Path) -> None:
    templates = tmp_path / "templates" / "warniris"
    templates.mkdir(parents=True)
    (templates / "golden.layout.yaml").write_text("frame: golden.svg\n", encoding="utf-8")
    source = drawing(rect("Motto", 5, 5, 30, 8))
    (templates / "golden.svg").write_text(source, encoding="utf-8")
    lines = ignored(tmp_path, RELIC)
    assert {key for key, line in KEYS.items() if line in lines} == {"text", "art"}
