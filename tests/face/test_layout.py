"""Layouts as templates."""

from __future__ import annotations

import re
from pathlib import Path

import jsonschema
import pytest
import yaml

from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.face.face import Artwork, Face, Text
from cardgen.face.layout import CONTENTS, Layout, LayoutBox, as_template, compile_layout, layout_schema, read_layout
from cardgen.text.lines import Run
from tests.cases import each_case
from tests.face.inkscape_drawings import drawing, rect
from tests.face.rendering import SIZE, Desk

CARD = "kind: pawn\nname: Tom\nlines: [one, two]\nmotto: Hm.\n"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def draw(desk: Desk, boxes: str, card: str = CARD, head: str = "") -> Face:
    desk.template("pawn.layout.yaml", f"{head}boxes:\n{boxes}")
    return desk.studio().front(desk.entry(card), SIZE).face


def faults(desk: Desk, boxes: str, card: str = CARD, head: str = "") -> list[Diagnostic]:
    with pytest.raises(CardgenError) as caught:
        draw(desk, boxes, card, head)
    return list(caught.value.diagnostics)


def texts(face: Face) -> list[str]:
    return [
        " ".join(piece.text for line in item.lines for piece in line.pieces if isinstance(piece, Run))
        for item in face.items
        if isinstance(item, Text)
    ]


def artwork(face: Face) -> str:
    return "\n".join(item.svg.decode() for item in face.items if isinstance(item, Artwork))


def compiled(text: str) -> str:
    return compile_layout(text, "pawn.layout.yaml", lambda _: "<svg><g/></svg>")


SHOWN = {
    "a field": ("{field: name, at: [5, 5, 30, 8]}", ["Tom"]),
    "a list": ("{field: lines, at: [5, 5, 30, 20]}", ["one two"]),
    "each of several fields": ("{each: [name, motto], at: [5, 5, 30, 8], step: [0, 9]}", ["Tom", "Hm."]),
    "each item": ("{each: lines, at: [5, 5, 30, 8], step: [0, 9]}", ["one", "two"]),
    "a text": ('{text: "**{{ name }}**, <b> {{ motto }}", at: [5, 5, 30, 8]}', ["Tom , <b> Hm."]),
    "a label before": ("{field: name, at: [5, 5, 30, 8], label: before}", ["Name  Tom"]),
    "a label below": ("{field: name, at: [5, 5, 30, 12], label: below}", ["Tom", "Name"]),
    "a missing field": ("{field: credit, at: [5, 5, 30, 8], label: below}", []),
    "paragraphs": ("{each: [motto, credit, lines], at: [5, 5, 30, 40]}", ["Hm. one, two"]),
    "paragraphs with labels": (
        "{each: [lines, motto, qty], at: [5, 5, 30, 40], label: before}",
        ["Lines  one, two Hm. Qty  1"],
    ),
    "words with labels": ("{each: [id, qty, name], at: [2, 5, 36, 19], label: before}", ["Id  tom ·  Qty  1 Tom"]),
    "no paragraphs": ("{each: [credit], at: [5, 5, 30, 40], label: before}", []),
    "a text without its fields": ("{text: 'by {{ credit }}', at: [5, 5, 30, 8]}", []),
    "a text with one of its fields": ("{text: '{{ qty }}/{{ credit }}', at: [5, 5, 30, 8]}", ["1/"]),
    "braces": (r"{text: 'a \{{ b \{% c', at: [5, 5, 30, 8]}", ["a {{ b {% c"]),
    "when it has it": ("{field: name, at: [5, 5, 30, 8], when: motto}", ["Tom"]),
    "when it lacks it": ("{field: name, at: [5, 5, 30, 8], when: credit}", []),
    "unless it has it": ("{field: name, at: [5, 5, 30, 8], unless: motto}", []),
    "when it has a value": ("{field: name, at: [5, 5, 30, 8], when: {name: [Tim, Tom], qty: 1}}", ["Tom"]),
    "when it has another value": ("{field: name, at: [5, 5, 30, 8], when: {name: Tim}}", []),
    "unless all have the values": ("{field: name, at: [5, 5, 30, 8], unless: {name: Tom, qty: 2}}", ["Tom"]),
}


@each_case(("box", "shown"), SHOWN.values(), ids=SHOWN)
def test_what_a_box_shows(desk: Desk, box: str, shown: list[str]) -> None:
    assert texts(draw(desk, f"  - {box}\n")) == shown


def test_repeats_go_on_by_the_step(desk: Desk) -> None:
    source = compiled("boxes: [{each: [name, motto, credit], at: [5, 6, 7, 8], step: [10, -2.5]}]")
    places = re.findall(r'<cg:text x="([^"]+)" y="([^"]+)" width="7" height="8"', source)
    assert places == [("5", "6"), ("15", "3.5"), ("25", "1")]


SHAPES = {
    "rect": ("{shape: rect, at: [1, 2, 3, 4], fill: or, radius: 1}", '<rect x="1" y="2" width="3" height="4" rx="1"'),
    "ellipse": ("{shape: ellipse, at: [1, 2, 3, 4], fill: or}", '<ellipse cx="2.5" cy="4" rx="1.5" ry="2"'),
    "line": ("{shape: line, at: [1, 2, 3, 0]}", '<path d="M1 2l3 0" fill="none" stroke="#101010" stroke-width="0.25"'),
    "emblem": ("{shape: emblem, at: [1, 2, 10, 58]}", 'transform="translate(1 25.2) scale(0.1)"'),
    "colors": ("{shape: rect, at: [0, 0, 1, 1], fill: '#123456', stroke: gules}", 'fill="#123456" stroke="#aa0000"'),
    "units": ("{shape: rect, at: [-1in, 1cm, 72pt, 1], fill: or}", 'x="-25.4" y="10" width="25.4" height="1"'),
}


@each_case(("box", "part"), SHAPES.values(), ids=SHAPES)
def test_shapes(desk: Desk, box: str, part: str) -> None:
    assert part in artwork(draw(desk, f"  - {box}\n"))


def icons(face: Face) -> list[tuple[float, float]]:
    """The left edges and sizes of the icons, which are as wide as high."""
    found = re.findall(r'<path transform="translate\(([\d.]+) [\d.]+\) scale\(([\d.]+)\)"', artwork(face))
    return [(round(float(x), 2), round(float(size), 2)) for x, size in found]


ROWS = {
    "one": ("icons: heart, at: [5, 5, 30, 6]", 1),
    "a number": ("icons: heart, count: 3, at: [5, 5, 30, 6]", 3),
    "a field": ("icons: heart, count: qty, at: [5, 5, 30, 6]", 4),
    "more than fit": ("icons: heart, count: 20, at: [5, 5, 30, 6], gap: 0.5", 20),
}


def test_a_number_of_icons_that_is_none_is_told_in_words(desk: Desk) -> None:
    with pytest.raises(CardgenError, match=r"'name' is '.*' on this card; the number of icons must be a whole number"):
        draw(desk, "  - {icons: heart, count: name, at: [5, 5, 30, 6]}\n")


@each_case(("box", "number"), ROWS.values(), ids=ROWS)
def test_rows_of_icons_stay_in_their_box(desk: Desk, box: str, number: int) -> None:
    row = icons(draw(desk, f"  - {{{box}}}\n", CARD + "qty: 4\n"))
    assert len(row) == number
    assert row[0][0] >= 5
    assert row[-1][0] + row[-1][1] <= 35.01


@pytest.mark.parametrize(("align", "first", "last"), [("left", 5, 17), ("center", 14, 26), ("right", 23, 35)])
def test_rows_of_icons_are_aligned(desk: Desk, align: str, first: float, last: float) -> None:
    row = icons(draw(desk, f"  - {{icons: gem, count: 2, gap: 2, at: [5, 5, 30, 5], align: {align}}}\n"))
    assert row[0][0] - 5 == pytest.approx(first - 5, abs=1.5)
    assert row[-1][0] + row[-1][1] == pytest.approx(last, abs=1.5)


def test_the_background_goes_to_the_edge_of_the_bleed(desk: Desk) -> None:
    face = draw(desk, "  []\n", head="background: or\n")
    assert '<rect x="-3.0" y="-3.0" width="46.0" height="66.0" fill="#ffffff"/>' in artwork(face)


def test_a_drawing_is_behind_the_boxes(desk: Desk) -> None:
    desk.template("frame.svg", drawing('<circle cx="9" cy="9" r="4" fill="#aa0000"/>' + rect("motto", 1, 40, 30, 9)))
    face = draw(desk, "  - {field: name, at: [5, 5, 30, 8]}\n", head="frame: frame.svg\n")
    assert "<circle" in artwork(face)
    assert texts(face) == ["Hm.", "Tom"]


def test_the_drawing_can_have_the_name_of_the_kind(desk: Desk) -> None:
    desk.template("pawn.svg", drawing('<circle cx="9" cy="9" r="4" fill="#aa0000"/>'))
    assert "<circle" in artwork(draw(desk, "  []\n", head="frame: pawn.svg\n"))


def test_mistakes_in_the_drawing_are_at_its_lines(desk: Desk) -> None:
    desk.template("frame.svg", drawing('\n<text id="t"><textPath>a</textPath></text>'))
    fault = faults(desk, "  []\n", head="frame: frame.svg\n")[0]
    assert fault.place.file.endswith("frame.svg")
    assert fault.place.span


WRONG = {
    "an unknown field": ("  - {field: nmae, at: [1, 1, 9, 9]}", "unknown pawn field 'nmae'; did", "nmae"),
    "an unknown list": ("  - {each: lnes, at: [1, 1, 9, 9], step: [1, 1]}", "unknown pawn field 'lnes'", "lnes"),
    "an unknown placeholder": ('  - {text: "{{ nmae }}", at: [1, 1, 9, 9]}', "unknown pawn field 'nmae'", "nmae"),
    "an expression": ('  - {text: "{{ name|x }}", at: [1, 1, 9, 9]}', "is not the name of a field", '"{{ name'),
    "a statement": ('  - {text: "{% if name %}", at: [1, 1, 9, 9]}', "is not the name of a field", '"{% if'),
    "an unknown condition": ("  - {text: a, at: [1, 1, 9, 9], when: mtto}", "unknown pawn field 'mtto'", "mtto"),
    "an unknown color": ("  - {shape: rect, at: [1, 1, 9, 9], fill: gulse}", "unknown color 'gulse'", "gulse"),
    "an unknown style": ("  - {text: a, at: [1, 1, 9, 9], style: bdy}", "unknown style 'bdy'", "bdy"),
    "an unknown icon": ("  - {icons: hart, at: [1, 1, 9, 9]}", "unknown icon 'hart'", "hart"),
    "an unknown key": ("  - {text: a, at: [1, 1, 9, 9], colour: red}", "unknown key 'colour'", "colour"),
    "a short box": ("  - {text: a, at: [1, 1, 9]}", "item 4 of 'at' is missing", "[1, 1"),
    "a length": ("  - {text: a, at: [1, 1, 9, 9q]}", "'9q' is not a valid length", "9q"),
    "a size": ("  - {text: a, at: [1, 1, 9, 9], size: big}", "'big' is not a type size", "big"),
    "a negative side": ("  - {text: a, at: [1, 1, -9, 9]}", "must be at least 0", "-9"),
    "nothing to show": ("  - {at: [1, 1, 9, 9]}", "the box shows nothing", "{at"),
    "two things": ("  - {text: a, field: name, at: [1, 1, 9, 9]}", "the box shows field and text", "{text"),
    "a key of others": ("  - {text: a, at: [1, 1, 9, 9], gap: 2}", "'gap' does nothing in a box with 'text'", "gap"),
    "a color with an expression": ("  - {text: a, at: [1, 1, 9, 9], fill: '{{ qty + 1 }}'}", "'fill' cannot be", "'{{"),
    "a color of no field": ("  - {shape: rect, at: [1, 1, 9, 9], fill: '{{ suit }}'}", "'suit'", ""),
    "not YAML": ("  - {text: [", "", ""),
}  # fmt: skip


@each_case(("box", "message", "word"), WRONG.values(), ids=WRONG)
def test_mistakes_are_at_their_lines(desk: Desk, box: str, message: str, word: str) -> None:
    fault = faults(desk, f"  - {{field: name, at: [0, 0, 9, 9]}}\n{box}\n")[0]
    assert fault.place.file.endswith("pawn.layout.yaml")
    assert message in fault.message
    assert fault.place.span
    assert fault.place.span.line in (3, 4)
    if word:
        assert box[fault.place.span.column - 1 :].startswith(word)


def test_a_card_of_another_size_is_refused(desk: Desk) -> None:
    fault = faults(desk, "  []\n", head="# made for poker\nsize: [63.5, 88.9]\n")[0]
    assert "the layout is for 63.5 x 88.9 mm, but the card is 40 x 60 mm" in fault.message
    assert fault.place.span
    assert fault.place.span.line == 2
    draw(desk, "  []\n", head="size: [40, 6cm]\n")


def test_a_missing_drawing_is_refused(desk: Desk) -> None:
    fault = faults(desk, "  []\n", head="frame: frame.svg\n")[0]
    assert (fault.message, fault.place.span and fault.place.span.column) == (
        "the drawing 'frame.svg' does not exist",
        8,
    )


def test_a_template_has_priority_over_a_layout_and_that_over_a_drawing(desk: Desk) -> None:
    desk.template("pawn.svg", drawing(rect("motto", 5, 5, 30, 8)))
    assert texts(draw(desk, "  - {field: name, at: [5, 5, 30, 8]}\n")) == ["Tom"]
    desk.template("pawn.svg.j2", "<svg/>")
    assert texts(draw(desk, "  - {field: name, at: [5, 5, 30, 8]}\n")) == []


def test_a_frame_that_is_no_name_of_a_drawing_is_refused(desk: Desk) -> None:
    for name in ("../secret.svg", "theme.yaml", "/etc/passwd.svg"):
        assert faults(desk, "  []\n", head=f"frame: {name}\n")[0].place.span


def test_texts_cannot_be_templates(desk: Desk) -> None:
    """A text that looks like XML or Jinja is printed as it is, wherever it comes from."""
    assert faults(desk, "  - {text: '{# a #}', at: [5, 5, 30, 30]}\n")
    assert texts(draw(desk, "  - {text: '</svg> &lt; {{ name }}', at: [5, 5, 30, 30]}\n")) == ["</svg> &lt; Tom"]


def test_a_value_in_three_braces_is_the_name_of_an_icon() -> None:
    assert ">&#123;{{ card.name }}}<" in compiled('boxes: [{text: "{{{ name }}}", at: [1, 2, 3, 4]}]')


COLOURS = {
    "a name of the theme": ("name: or", "{{ name }}", "#ffffff"),
    "digits": ("name: '#aa00bb'", "{{ name }}", "#aa00bb"),
    "a part of a color": ("qty: 40", "hsl({{ qty }}, 30%, {{ qty }}%)", "hsl(40, 30%, 40%)"),
}


@each_case(("card", "fill", "drawn"), COLOURS.values(), ids=COLOURS)
def test_a_color_can_be_that_of_a_field(desk: Desk, card: str, fill: str, drawn: str) -> None:
    box = f"{{shape: rect, at: [1, 2, 3, 4], fill: '{fill}', stroke: '{fill}'}}"
    text = f"{{text: x, at: [1, 2, 9, 9], fill: '{fill}'}}"
    face = draw(desk, f"  - {box}\n  - {text}\n", f"kind: pawn\nname: Tom\n{card}\n".replace("name: Tom\nname", "name"))
    assert f'fill="{drawn}" stroke="{drawn}"' in artwork(face)
    assert texts(face) == ["x"]


LAYOUT = """
background: or
boxes:
  - {field: name, at: [5, 5, 30, 8]}
  - {field: art, at: [5, 15, 30, 8], when: art}
  - {each: [name, motto], at: [5, 25, 15, 8], step: [15, 0], label: below}
  - {each: lines, at: [5, 35, 30, 5], step: [0, 5], style: title}
  - {shape: rect, at: [5, 50, 30, 5], fill: gules}
  - {icons: heart, count: 3, at: [5, 50, 30, 5]}
"""


def test_a_layout_that_goes_on_as_svg_draws_the_same(desk: Desk) -> None:
    desk.template("pawn.layout.yaml", LAYOUT)
    before = desk.studio().front(desk.entry(CARD), SIZE).face
    source = as_template(compiled(LAYOUT), lambda field: field == "art")
    assert "data-box" not in source
    assert "require_field" not in source
    assert len(source.splitlines()) >= 10
    desk.template("pawn.svg.j2", source)
    after = desk.studio().front(desk.entry(CARD), SIZE).face
    assert texts(after) == texts(before)
    plain = re.sub(r' data-box="\d+"', "", artwork(before))
    assert artwork(after) == plain


def test_each_key_belongs_to_a_content_and_has_a_description() -> None:
    keys = set(LayoutBox.model_fields)
    assert {key for keys in CONTENTS.values() for key in keys} | {*CONTENTS, "at", "when", "unless"} == keys
    assert all(field.description for model in (Layout, LayoutBox) for field in model.model_fields.values())


def test_the_schema_accepts_what_is_read_and_refuses_what_is_not() -> None:
    schema = layout_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(yaml.safe_load(LAYOUT), schema)
    for box, _ in SHOWN.values():
        jsonschema.validate({"boxes": [yaml.safe_load(box)]}, schema)
    for wrong in ({"boxes": [{"at": [1, 2, 3], "text": "a"}]}, {"boxes": [{"at": [1, 2, 3, "9q"], "text": "a"}]}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)


def test_an_empty_layout_is_a_blank_card(desk: Desk) -> None:
    desk.template("pawn.layout.yaml", "# nothing yet\n")
    assert desk.studio().front(desk.entry(CARD), SIZE).face.items == ()
    assert read_layout("", "").layout.boxes == ()
