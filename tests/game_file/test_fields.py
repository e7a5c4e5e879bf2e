"""Each type of field: what cards can contain, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from PIL import Image

from cardgen.builds.builder import build
from cardgen.deck.deck import card_schema, load_deck
from cardgen.diagnostic import CardgenError
from cardgen.print.request import BuildRequest
from cardgen.sandbox.values import LinkedName
from cardgen.source import parse_document
from tests.game_file.games import HEADER, TEMPLATE, findings, write_game

GAME = (
    HEADER
    + """
unit: cm
glossary: {Smoke: {means: A cloud., forms: [smoky]}, Fire: Hot.}
kinds:
  brave:
    fields:
      value: %s
  other: {}
"""
)
CARD = "kind: brave\nname: Ash\n"
LIST = "{type: list, items: {type: integer, min: 1}, min: 1, max: 2}"
MAP = "{type: map, keys: [head, body], items: {type: integer}}"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def project(root: Path, field: str, value: str) -> Path:
    card = f"{CARD}value: {value}\n" if value else CARD
    return write_game(root, GAME % field, a=card, b="kind: other\nname: Spark\n")


def schema_accepts(value: str) -> bool:
    card = f"{CARD}value: {value}\n" if value else CARD
    return bool(Draft202012Validator(card_schema("ember")).is_valid(parse_document(card, "a.yaml").data))


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("{type: integer}", "3", 3),
        ("{type: integer}", "3.0", 3),
        ("{type: integer, default: 2}", "", 2),
        ("{type: integer, optional: true}", "", None),
        ("{type: number}", "1.5", 1.5),
        ("{type: number}", "2", 2),
        ("{type: length}", "12", 12),
        ("{type: length}", "12cm", 12),
        ("{type: length}", "25mm", 2.5),
        ("{type: length, max: 5}", "1in", 2.54),
        ("{type: text, max: 3}", "abc", "abc"),
        ("{type: flag}", "true", True),
        ("{type: flag}", "", False),
        ("{type: flag, optional: true}", "", None),
        ("{type: choice, choices: [a, b]}", "b", "b"),
        ("{type: choice, choices: {a: the first, b: the second}}", "a", "a"),
        ("{type: choice, choices: [a, b], code: EM105}", "b", "b"),
        ("{type: term}", "Smoky", "Smoky"),
        ("{type: dice}", "2d6+1", "2d6+1"),
        ("{type: card, kind: other}", "Spark", "Spark"),
        ("{type: card, kind: other}", "spark", "spark"),
        ("{type: colour}", "'#7d2620'", "#7d2620"),
        (LIST, "[1, 2]", (1, 2)),
        ("{type: list, items: {type: text}}", "", ()),
        ("{type: list, items: {type: text}, default: [a]}", "", ("a",)),
        (MAP, "{head: 1}", {"head": 1}),
        ("{type: map, items: {type: text}}", "{any: x}", {"any": "x"}),
        ("{type: map, items: {type: text}, optional: true}", "", {}),
    ],
)
def test_values_are_read(tmp_path: Path, field: str, value: str, expected: Any) -> None:
    project(tmp_path, field, value)
    card: Any = load_deck(())[1].cards[0].card
    assert card.value == expected
    assert type(card.value) in (type(expected), LinkedName)
    assert schema_accepts(value)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("{type: integer}", "3.5", "3:8 CG103 'value' must be a whole number, not 3.5"),
        ("{type: integer}", "'3'", "3:8 CG103 'value' must be a whole number, not '3'"),
        ("{type: integer}", "true", "3:8 CG103 'value' must be a whole number, not true"),
        ("{type: integer}", "", "1:1 CG102 missing key 'value'"),
        ("{type: integer, min: 2, max: 2}", "3", "3:8 EM100 must be exactly 2, not 3"),
        ("{type: number, max: 1.5, code: EM104}", "2", "3:8 EM104 must be at most 1.5, not 2"),
        ("{type: length}", "12 parsecs", "3:8 CG107 '12 parsecs' is not a valid length"),
        ("{type: length, max: 5}", "6cm", "3:8 EM100 must be at most 5, not 6"),
        ("{type: text, max: 3}", "abcd", "3:8 EM100 must have at most 3 characters, not 4"),
        ("{type: text}", "' '", "3:8 CG106 'value' must not be blank"),
        ("{type: flag}", "1", "3:8 CG103 'value' must be true or false, not 1"),
        ("{type: choice, choices: [aye, nay]}", "ayes", "3:8 CG105 'value' must be aye or nay, not 'ayes'"),
        ("{type: choice, choices: [a, b], code: EM105}", "c", "3:8 EM105 unknown "),
        ("{type: term}", "Fier", "3:8 EM100 unknown term 'Fier'; did you mean 'Fire'?"),
        ("{type: dice}", "2x6", "3:8 EM100 "),
        ("{type: dice}", "-1", "3:8 EM100 must be 0 or more, not -1"),
        ("{type: dice}", "1.5", "3:8 EM100 must be a whole number, not 1.5"),
        ("{type: card, kind: other}", "Sprak", "3:8 CG115 unknown other 'Sprak'; did you mean 'Spark'?"),
        ("{type: card, kind: other}", "Ash", "3:8 CG115 unknown other 'Ash'"),
        ("{type: list, items: {type: card, kind: other}}", "[Spark, Sprak]", "3:16 CG115 unknown other 'Sprak'"),
        ("{type: map, items: {type: card, kind: other}}", "{a: Sprak}", "3:12 CG115 unknown other 'Sprak'"),
        ("{type: colour}", "red", "3:8 CG106 'red' is not a valid color"),
        (LIST, "[]", "3:8 EM100 must have between 1 and 2 items, not 0"),
        (LIST, "[1, 2, 3]", "3:15 EM100 must have between 1 and 2 items, not 3"),
        (LIST, "[1, 0]", "3:12 EM100 must be at least 1, not 0"),
        (MAP, "{haed: 1}", "3:9 EM100 unknown key 'haed'; did you mean 'head'?"),
        (MAP, "{head: x}", "3:15 CG103 "),
        ("{type: picture}", "[a]", "3:8 CG103 'value' must be "),
    ],
)
def test_wrong_values_are_located(tmp_path: Path, field: str, value: str, message: str) -> None:
    project(tmp_path, field, value)
    (found,) = findings(tmp_path)
    assert found.startswith(f"cards/a.yaml:{message}")


@pytest.mark.parametrize(
    ("items", "words"), [("{type: term}", "Smoky, Fire"), ("{type: choice, choices: [aye, nay]}", "aye, nay")]
)
def test_words_in_one_item_of_a_list_are_told_apart(tmp_path: Path, items: str, words: str) -> None:
    project(tmp_path, f"{{type: list, items: {items}}}", f"['{words}']")
    with pytest.raises(CardgenError) as caught:
        load_deck(())
    (found,) = caught.value.diagnostics
    assert found.help == f"separate them: '{words.replace(',', ';')}' in a table, [{words}] in YAML"
    assert "did you mean" not in found.message


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("{type: integer, min: 2, max: 3}", "4"),
        ("{type: number, max: 1.5}", "2"),
        ("{type: text, max: 3}", "abcd"),
        ("{type: choice, choices: [a, b]}", "c"),
        ("{type: term}", "Smoek"),
        ("{type: colour}", "red"),
        (LIST, "[1, 2, 3]"),
        (LIST, "[1, 0]"),
        (MAP, "{haed: 1}"),
    ],
)
def test_the_schema_refuses_them_too(tmp_path: Path, field: str, value: str) -> None:
    project(tmp_path, field, value)
    assert not schema_accepts(value)


def test_pictures_are_drawn_by_templates(tmp_path: Path) -> None:
    project(tmp_path, "{type: picture, optional: true}", "art/ash.png")
    (tmp_path / "art").mkdir()
    Image.new("RGB", (300, 300), "red").save(tmp_path / "art" / "ash.png")
    drawing = '<cg:art x="4" y="30" width="20" height="20" file="{{ card.value.file }}"/></svg>'
    template = tmp_path / "games" / "ember" / "templates" / "brave.svg.j2"
    template.write_text(TEMPLATE.replace("</svg>", drawing).replace("{{ card.heat }}", "x"), encoding="utf-8")
    result = build(BuildRequest(output=tmp_path / "output", formats=("png",), dpi=72, backs="none"))
    front = next(path for path in result.files if path.name == "001-ash-front.png")
    with Image.open(front) as picture:
        colours: Any = picture.convert("RGB").getcolors(1 << 20)
    assert any(red > 240 and green < 20 and blue < 20 for _, (red, green, blue) in colours)


def test_texts_of_authors_are_checked(tmp_path: Path) -> None:
    project(tmp_path, "{type: text}", "to the the fire")
    assert [line.split(" ", 1)[1] for line in findings(tmp_path)] == ["CG201 repeated word 'the'"]
    project(tmp_path, "{type: list, items: {type: text}}", "[fine, to the the fire]")
    assert [line.split(":")[2][:2] for line in findings(tmp_path)] == ["18"]


def test_the_unit_of_a_game_can_be_its_own(tmp_path: Path) -> None:
    game = (GAME % "{type: length}").replace("unit: cm", "unit: hexes")
    for value, expected in (("3", 3), ("2 hexes", 2), ("3cm", None)):
        write_game(tmp_path, game, a=f"{CARD}value: {value}\n")
        if expected is None:
            message = "'3cm' is not a valid length; write a number such as 3, or 3 hexes"
            assert findings(tmp_path) == [f"cards/a.yaml:3:8 CG107 {message}"]
        else:
            card: Any = load_deck(())[1].cards[0].card
            assert card.value == expected
        assert schema_accepts(value) == (expected is not None)
