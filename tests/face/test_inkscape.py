"""Drawings of Inkscape as templates."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.face.face import Artwork, Face, Picture, Text
from cardgen.text.lines import Run
from tests.face.inkscape_drawings import drawing, rect, text
from tests.face.rendering import SIZE, Desk

CARD = "kind: pawn\nname: Tom\nlines: [one, two]\n"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def draw(desk: Desk, source: str, card: str = CARD) -> Face:
    desk.template("pawn.svg", source)
    return desk.studio().front(desk.entry(card), SIZE).face


def faults(desk: Desk, source: str, card: str = CARD) -> list[Diagnostic]:
    with pytest.raises(CardgenError) as caught:
        draw(desk, source, card)
    return list(caught.value.diagnostics)


def background(x: float, y: float, width: float, height: float, more: str = "") -> str:
    return f'<rect id="r1" x="{x}" y="{y}" width="{width}" height="{height}" {more}/>'


def texts(face: Face) -> list[str]:
    return [
        " ".join(piece.text for line in item.lines for piece in line.pieces if isinstance(piece, Run))
        for item in face.items
        if isinstance(item, Text)
    ]


def artwork(face: Face) -> str:
    return "\n".join(item.svg.decode() for item in face.items if isinstance(item, Artwork))


def first_run(face: Face) -> tuple[float, float, Run]:
    """The position on the face of the first run of the first text."""
    item = next(each for each in face.items if isinstance(each, Text))
    run = next(piece for piece in item.lines[0].pieces if isinstance(piece, Run))
    a, b, c, d, e, f = item.matrix
    return a * run.x + c * run.y + e, b * run.x + d * run.y + f, run


def test_a_rectangle_with_the_name_of_a_field_is_its_text_box(desk: Desk) -> None:
    face = draw(desk, drawing(rect("name", 5, 5, 30, 8)))
    assert texts(face) == ["Tom"]
    assert "rect" not in artwork(face), "it only stands in for the text"
    assert face.fits[0].field == "name"


def test_an_id_is_a_label_too(desk: Desk) -> None:
    source = drawing(rect("x", 5, 5, 30, 8)).replace('inkscape:label="x"', "").replace('id="rect41"', 'id="name"')
    assert texts(draw(desk, source)) == ["Tom"]


def test_a_rectangle_for_a_list_has_its_items(desk: Desk) -> None:
    assert texts(draw(desk, drawing(rect("lines", 5, 5, 30, 30)))) == ["one two"]


def test_other_rectangles_are_drawn(desk: Desk) -> None:
    face = draw(desk, drawing(rect("frame", 1, 2, 30, 8) + rect("Name plate", 1, 20, 30, 8)))
    assert artwork(face).count("<rect") == 2
    assert "inkscape" not in artwork(face)
    assert not texts(face)


def test_a_label_that_is_almost_a_field_is_a_mistake(desk: Desk) -> None:
    source = drawing(rect("nmae", 5, 5, 30, 8))
    (fault,) = faults(desk, source)
    assert fault.message == "unknown pawn field 'nmae'; did you mean 'name'?"
    assert fault.place.span is not None
    assert fault.place.file.endswith("pawn.svg")
    assert source.splitlines()[fault.place.span.line - 1].strip() == "<rect"


@pytest.mark.parametrize("label", ["Name", " NAME ", "name"])
def test_labels_are_fields_in_any_capitalization(desk: Desk, label: str) -> None:
    face = draw(desk, drawing(rect(label, 5, 5, 30, 8)))
    assert texts(face) == ["Tom"]
    assert "rect" not in artwork(face)


def test_almost_a_field_in_other_capitals_is_a_mistake_too(desk: Desk) -> None:
    (fault,) = faults(desk, drawing(rect("Nmae", 5, 5, 30, 8)))
    assert fault.message == "unknown pawn field 'nmae'; did you mean 'name'?"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            '<circle id="c1" cx="9" cy="9" r="4" inkscape:label="Name"/>',
            "'name' (c1) must be a rectangle to become a field, not a circle",
        ),
        (
            '<g><path id="p1" d="M0 0h1" inkscape:label="art"/><path id="p2" d="M0 0h1"/></g>',
            "'art' (p1) must be a rectangle to become a field, not a path",
        ),
        (
            text(3, 10, "Sample", more=' inkscape:label="name"'),
            "'name' (text1) must be a rectangle to become a field, or contain a placeholder such as {{ card.name }}",
        ),
        (
            '<text id="t1"><textPath id="tp1" xlink:href="#p1"><tspan>x</tspan></textPath></text>',
            "'tp1' is text on a path; convert it to a path",
        ),
        (
            text(3, 10, 'Take <tspan style="fill:#ff0000">it</tspan>'),
            "'text1': part of it, 'it', has a different color; make it a text of its own",
        ),
        (
            text(3, 10, 'x<tspan style="font-size:65%">2</tspan>'),
            "'text1': part of it, '2', has a different size; make it a text of its own",
        ),
        (text(3, 10, "x", style="fill:url(#g)"), "'text1' refers to 'g', which is not in the drawing"),
        (text(3, 10, "x", style="fill:none"), "'text1' is text without a fill; give it a color"),
        (
            text(3, 10, "x", style="stroke:#000000"),
            "'text1' is text with an outline, which cannot be printed; remove the stroke",
        ),
        (text(3, 10, "x", style="writing-mode:tb-rl"), "'text1' is vertical text; rotate horizontal text instead"),
    ],
)
def test_what_would_be_printed_otherwise_than_it_looks_is_a_mistake(desk: Desk, body: str, message: str) -> None:
    assert [each.message for each in faults(desk, drawing(body))] == [message]


def test_shapes_with_other_labels_and_labeled_texts_with_placeholders_are_drawn(desk: Desk) -> None:
    body = '<circle id="c1" cx="9" cy="9" r="4" inkscape:label="leaf"/>'
    face = draw(desk, drawing(body + text(3, 10, "{{ card.name }}", more=' inkscape:label="name"')))
    assert "<circle" in artwork(face)
    assert texts(face) == ["Tom"]


def test_the_description_sets_style_and_alignment(desk: Desk) -> None:
    box = rect("name", 5, 5, 30, 20, description="style: title; align: right; valign: bottom; size: 10pt; fill: or")
    x, y, run = first_run(draw(desk, drawing(box)))
    assert run.size == pytest.approx(10)
    assert run.colour == "#ffffff"
    assert x > 20
    assert y > 20


def test_an_unknown_setting_is_a_mistake(desk: Desk) -> None:
    (fault,) = faults(desk, drawing(rect("name", 5, 5, 30, 8, description="algin: center")))
    assert fault.message == "unknown setting 'algin' in the description of 'name' (rect44); did you mean 'align'?"


def test_a_sentence_as_description_is_none_of_the_templates_business(desk: Desk) -> None:
    assert texts(draw(desk, drawing(rect("name", 5, 5, 30, 8, description="Note to self: larger")))) == ["Tom"]


def test_a_rectangle_of_a_picture_is_its_art_box(desk: Desk) -> None:
    (desk.root / "tom.png").write_bytes(b"")
    source = drawing(rect("art", 4, 6, 20, 10, more='\n       rx="2"\n       ry="2"'))
    face = draw(desk, source, f"{CARD}art: tom.png\n")
    (picture,) = (item for item in face.items if isinstance(item, Picture))
    assert tuple(picture.box) == (4, 6, 20, 10)
    assert (picture.radius, picture.fit) == (2, "cover")
    assert not [item for item in draw(desk, source).items if isinstance(item, Picture)], "a card without a picture"


def test_text_objects_hold_placeholders(desk: Desk) -> None:
    face = draw(desk, drawing(text(3, 10, "{{ card.name|upper }} &amp; Sons", "{{ card.qty }} of {{ card.qty }}")))
    assert texts(face) == ["TOM & Sons", "1 of 1"]


def test_a_placeholder_can_go_over_spans_and_lines(desk: Desk) -> None:
    spans = '{{ <tspan\n style="font-weight:bold"\n id="tspan9">card</tspan>.name }}'
    assert texts(draw(desk, drawing(text(3, 10, spans)))) == ["Tom"]
    assert texts(draw(desk, drawing(text(3, 10, "{{ card.name", "|upper }}", "end")))) == ["TOM", "end"]


def test_texts_keep_size_color_and_anchor(desk: Desk) -> None:
    style = "font-size:4.2333333px;font-family:'Source Sans 3';fill:#ab0000;text-anchor:middle"
    x, y, run = first_run(draw(desk, drawing(text(20, 10, "Tom", style=style))))
    assert run.size == pytest.approx(12, abs=0.01)
    assert run.colour == "#ab0000"
    assert y == pytest.approx(10, abs=0.01)
    assert 15 < x < 20


def looks(face: Face) -> list[tuple[str, bool, bool]]:
    """The runs of all texts, whether they are bold, and whether they are italic."""
    runs = [
        piece
        for item in face.items
        if isinstance(item, Text)
        for line in item.lines
        for piece in line.pieces
        if isinstance(piece, Run)
    ]
    return [(run.text.strip(), "Bold" in run.font, "Italic" in run.font) for run in runs if run.text.strip()]


def test_parts_of_a_line_can_be_bold_or_italic(desk: Desk) -> None:
    line = 'Take <tspan style="font-weight:bold">{{ card.qty }} of</tspan> <tspan style="font-style:italic">it</tspan>'
    face = draw(desk, drawing(text(3, 10, line, "plain")))
    assert looks(face) == [("Take", False, False), ("1 of", True, False), ("it", False, True), ("plain", False, False)]


def test_the_lines_of_a_plain_svg_are_lines(desk: Desk) -> None:
    source = drawing(text(3, 10, "one", "two")).replace('sodipodi:role="line"', "")
    face = draw(desk, source)
    assert texts(face) == ["one", "two"]


@pytest.mark.parametrize(("fill", "colour"), [("red", "#ff0000"), ("#fa0", "#ffaa00"), ("rgb(1,2,3)", "#010203")])
def test_texts_keep_any_notation_of_their_color(desk: Desk, fill: str, colour: str) -> None:
    assert first_run(draw(desk, drawing(text(3, 10, "x", style=f"font-size:4px;fill:{fill}"))))[2].colour == colour


def test_text_that_flows_in_a_rectangle_is_a_text_box(desk: Desk) -> None:
    defs = '    <rect\n       x="4"\n       y="20"\n       width="32"\n       height="30"\n       id="rect7" />'
    style = "font-size:3px;line-height:1.25;white-space:pre;shape-inside:url(#rect7);fill:#000000"
    face = draw(desk, drawing(text(0, 0, "{{ card.name }} is here", style=style), defs))
    assert texts(face) == ["Tom is here"]
    x, y, _ = first_run(face)
    assert 3.9 < x < 4.5
    assert 20 < y < 26


@pytest.mark.parametrize(
    ("width", "height", "box", "unit"),
    [
        ("40mm", "60mm", "0 0 40 60", 1.0),
        ("151.18110", "226.77165", "0 0 151.18110 226.77165", 96 / 25.4),
        ("151.18110px", "226.77165px", "", 96 / 25.4),
        ("4cm", "6cm", "0 0 400 600", 10.0),
        ("40mm", "60mm", "10 20 20 30", 0.5),
    ],
)
def test_units_of_the_page_are_millimeters_on_the_card(
    desk: Desk, width: str, height: str, box: str, unit: float
) -> None:
    left, top = map(float, (box or "0 0").split()[:2])
    body = rect("name", left + 5 * unit, top + 6 * unit, 30 * unit, 8 * unit, description="valign: top")
    source = drawing(body, width=width, height=height, box=box)
    source = source if box else source.replace('   viewBox=""\n', "")
    x, y, run = first_run(draw(desk, source))
    assert x == pytest.approx(5, abs=0.1)
    assert 6 < y < 14
    assert run.size == pytest.approx(14), "the size is not scaled"


def test_transforms_of_layers_and_objects_apply(desk: Desk) -> None:
    body = f'<g\n transform="translate(3,4)"\n id="g1">{rect("name", 0, 0, 15, 8)}{rect("frame", 0, 0, 9, 9)}</g>'
    source = drawing(body).replace('id="layer1">', 'id="layer1"\n     transform="scale(2)">')
    face = draw(desk, source)
    x, _, run = first_run(face)
    assert x == pytest.approx(6, abs=0.2)
    assert run.size == pytest.approx(14)
    assert 'transform="scale(2)"' in artwork(face)
    assert 'transform="translate(3,4)"' in artwork(face)


def test_a_rotated_text_is_rotated(desk: Desk) -> None:
    face = draw(desk, drawing(text(10, 10, "Tom", more='\n       transform="rotate(90,10,10)"')))
    item = next(each for each in face.items if isinstance(each, Text))
    assert item.matrix[0] == pytest.approx(0, abs=1e-6)
    assert item.matrix[1] == pytest.approx(1)
    x, y, _ = first_run(face)
    assert (x, y) == pytest.approx((10, 10), abs=0.01)


@pytest.mark.parametrize("label", ["guides", "Guides", " GUIDES "])
def test_layers_for_guides_are_left_out(desk: Desk, label: str) -> None:
    source = drawing(rect("frame", 1, 2, 30, 8) + text(3, 4, "{{ nonsense }}")).replace("Layer 1", label)
    assert draw(desk, source).items == ()


def test_hidden_layers_and_objects_are_left_out(desk: Desk) -> None:
    hidden = drawing(rect("frame", 1, 2, 30, 8)).replace('id="layer1">', 'style="display:none"\n     id="layer1">')
    assert draw(desk, hidden).items == ()
    one = rect("frame", 1, 2, 30, 8) + rect("other", 1, 2, 30, 9).replace("fill:#cccccc", "display:none")
    assert artwork(draw(desk, drawing(one))).count("<rect") == 1


def test_clones_are_copies_where_they_are(desk: Desk) -> None:
    clone = '    <use\n       x="0"\n       y="0"\n       xlink:href="#rect45"\n       id="use1"\n       transform="translate(0,20)" />'  # noqa: E501
    face = draw(desk, drawing(rect("frame", 1, 2, 30, 8) + clone))
    assert artwork(face).count("<rect") == 2
    assert "translate(0,20) translate(0 0)" in artwork(face)
    named = clone.replace("rect45", "rect44")
    assert texts(draw(desk, drawing(rect("name", 1, 2, 30, 8) + named))) == ["Tom", "Tom"]


def test_gradients_and_clips_are_kept(desk: Desk) -> None:
    defs = (
        '<linearGradient\n id="linearGradient1"\n inkscape:collect="always"><stop\n style="stop-color:#ff0000;stop-opacity:1"'  # noqa: E501
        '\n offset="0"\n id="stop1" /></linearGradient><linearGradient\n inkscape:collect="always"\n '
        'xlink:href="#linearGradient1"\n id="linearGradient2"\n x1="0"\n y1="0"\n x2="9"\n y2="0"\n '
        'gradientUnits="userSpaceOnUse" /><clipPath\n clipPathUnits="userSpaceOnUse"\n id="clipPath1"><circle\n cx="9"'
        '\n cy="9"\n r="9"\n id="circle1" /></clipPath>'
    )
    body = '<rect\n style="fill:url(#linearGradient2)"\n id="rect1"\n width="9"\n height="9"\n clip-path="url(#clipPath1)" />'  # noqa: E501
    drawn = artwork(draw(desk, drawing(body, defs)))
    assert 'id="linearGradient1"' in drawn
    assert 'xlink:href="#linearGradient1"' in drawn
    assert 'clip-path="url(#clipPath1)"' in drawn
    assert "inkscape" not in drawn


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('<image id="image1" inkscape:label="Logo" height="9" xlink:href="a.png"/>', "'Logo' (image1): <image> needs"),
        (
            '<rect id="r1" inkscape:label="Glow" style="filter:url(#f)" width="1" height="1"/>',
            "'Glow' (r1) has a filter",
        ),
        ('<rect id="r1" style="mix-blend-mode:multiply" width="1" height="1"/>', "'r1' has a blend mode"),
        ('<flowRoot id="flow1"><flowPara>x</flowPara></flowRoot>', "'flow1' is flowed text of an older version"),
        ('<foreignObject id="f1"/>', "'f1' is an HTML object"),
        ('<use id="use1" xlink:href="#nowhere"/>', "'use1' is a clone of '#nowhere', which is not in the drawing"),
        ('<use id="use1" xlink:href="file:///etc/passwd"/>', "'use1' is a clone of 'file:///etc/passwd'"),
        ('<g id="g1"><use id="use1" xlink:href="#g1"/></g>', "'use1' is a clone of itself"),
        ('<rect id="r1" style="fill:url(#nowhere)" width="1" height="1"/>', "'r1' refers to 'nowhere'"),
        (
            f'<g id="g1" style="opacity:0.5">{rect("name", 1, 2, 30, 8)}</g>',
            "'name' (rect44) is a text or field, so 'g1' around it cannot have opacity",
        ),
        ('<path id="p1" transform="wobble(3)" d="M0 0"/>' + text(1, 2, "x"), "transform"),
    ],
)
def test_what_cannot_be_drawn_is_named(desk: Desk, body: str, message: str) -> None:
    found = faults(desk, drawing(body))
    assert any(message in each.message for each in found), [each.message for each in found]


@pytest.mark.parametrize(
    ("body", "marked"),
    [
        ('<rect id="r1" inkscape:label="Glow" style="filter:url(#f)" width="1" height="1"/>', 'inkscape:label="Glow"'),
        ('<circle id="c1" style="filter:url(#f)" r="1"/>', 'id="c1"'),
        ('<circle r="1" inkscape:label="Name"/>', 'inkscape:label="Name"'),
        (background(-1, -1, 42, 62), "<rect"),
    ],
)
def test_a_message_points_to_the_label_or_id(desk: Desk, body: str, marked: str) -> None:
    span = faults(desk, source := drawing(body))[0].place.span
    assert span is not None
    assert source.splitlines()[span.line - 1][span.column - 1 : span.end_column - 1] == marked


def test_everything_that_cannot_be_drawn_is_said_at_once_at_its_line(desk: Desk) -> None:
    body = '<image id="image1"/>\n<rect id="r1" style="filter:url(#f)"/>\n<foreignObject id="f1"/>'
    found = faults(desk, drawing(body))
    lines = [each.place.span.line for each in found if each.place.span]
    assert len(found) >= 3
    assert lines == sorted(lines)
    assert len(set(lines)) == 3


@pytest.mark.parametrize(
    ("width", "message"), [("63mm", "the page is 63 x 60 mm, but the card is 40 x 60 mm"), ("100%", "the size '100%'")]
)
def test_a_page_of_another_size_is_a_mistake(desk: Desk, width: str, message: str) -> None:
    (fault,) = faults(desk, drawing(rect("name", 1, 2, 30, 8), width=width))
    assert message in fault.message


def test_a_page_can_include_the_bleed(desk: Desk) -> None:
    source = drawing(rect("name", 8, 9, 30, 8), width="46mm", height="66mm", box="0 0 46 66")
    x, _, _ = first_run(draw(desk, source))
    assert x == pytest.approx(5, abs=0.2)


@pytest.mark.parametrize(
    ("body", "reach", "side"),
    [
        (background(-2, -3, 45, 66), "2", "left"),
        (background(-3, -3, 46, 65), "2", "bottom"),
        (background(-2, -2, 44, 64), "2", "left, top, right, and bottom"),
        ('<path id="p1" d="m -3,-1 h 46 v 64 h -46 z"/>', "1", "top"),
        (f'<g transform="scale(2)">{background(-1.5, -1.5, 22, 33)}</g>', "1", "right"),
    ],
)
def test_a_background_that_ends_inside_the_bleed_is_a_mistake(desk: Desk, body: str, reach: str, side: str) -> None:
    (fault,) = faults(desk, drawing(body))
    expected = f"the background extends {reach} mm beyond the trim at the {side}, but the bleed is 3 mm; enlarge it"
    assert fault.message == expected


@pytest.mark.parametrize(
    "body",
    [
        background(0, 0, 40, 60),
        background(-3, -3, 46, 66),
        background(-1, -1, 42, 62) + background(-3, -3, 46, 66),
        background(-1, 5, 42, 9),
        background(-1, -1, 42, 62, 'style="fill:#ffffff"'),
        background(-1, -1, 42, 62, 'style="display:none"'),
    ],
)
def test_other_backgrounds_are_drawn(desk: Desk, body: str) -> None:
    draw(desk, drawing(body))


def test_mistakes_in_placeholders_are_at_their_lines(desk: Desk) -> None:
    source = drawing(text(3, 10, "{{ card.nmae }}") + "\n\n" + text(3, 30, "{{ cadr.name }}"))
    found = faults(desk, source)
    assert [each.message for each in found] == [
        "unknown pawn field 'nmae'; did you mean 'name'?", "unknown name 'cadr'; did you mean 'card'?",
    ]  # fmt: skip
    lines = source.splitlines()
    starts = [number for number, line in enumerate(lines, 1) if line.strip() == "<text"]
    assert [each.place.span.line for each in found if each.place.span] == starts


@pytest.mark.parametrize(
    "body",
    [
        text(3, 4, "{{ ''.__class__.__mro__ }}"),
        text(3, 4, "{{ card.__class__.__init__.__globals__ }}"),
        text(3, 4, "{% include '../../../etc/passwd' %}"),
        text(3, 4, "{% for i in range(1000000000) %}{% endfor %}"),
        text(3, 4, "{{ 'a' * 1000000000 }}"),
        '<style>@import url("file:///etc/passwd");</style><rect width="1" height="1"/>',
        '<rect width="1" height="1" style="fill:url(file:///etc/passwd)"/>',
        '<a xlink:href="file:///etc/passwd"><rect width="1" height="1"/></a>',
        "<g>" * 100 + "</g>" * 100,
        "".join(f'<g id="g{n}"><use xlink:href="#g{n + 1}"/><use xlink:href="#g{n + 1}"/></g>' for n in range(40))
        + '<g id="g40"><path id="p" d="M0 0h1"/></g>',
        '<rect width="1e999" height="nan" id="name"/>',
    ],
)
def test_a_strangers_drawing_is_a_template_like_any_other(desk: Desk, body: str) -> None:
    for fault in faults(desk, drawing(body)):
        assert len(fault.message) < 1_000
        assert "Traceback" not in fault.message
        assert "root:" not in fault.message


@pytest.mark.share(3)
@pytest.mark.parametrize(
    "source",
    [
        "<!DOCTYPE svg [<!ENTITY a 'aaaa'>]>" + drawing(""),
        "no svg", "<svg", "<html/>", "", "<svg width='1mm' height='1mm' viewBox='0 0 nan 1'/>",
    ],
)  # fmt: skip
def test_a_file_that_is_no_drawing_is_refused(desk: Desk, source: str) -> None:
    assert faults(desk, source)


@pytest.mark.parametrize(
    "place", ['id="x{{ 7 * 7 }}"', 'd="M0 0{{ 7 * 7 }}"', 'inkscape:label="{{ 7 * 7 }}"', 'style="fill:#{{ 7 }}"']
)
def test_only_texts_hold_placeholders(desk: Desk, place: str) -> None:
    desk.template("pawn.svg", drawing(f"<path {place}/>"))
    try:
        assert "49" not in artwork(desk.studio().front(desk.entry(CARD), SIZE).face)
    except CardgenError as error:
        words = " ".join(each.message for each in error.diagnostics)  # the path of the file may have any number
        assert not re.search(r"49|M0 049", words.replace("{{", ""))


def test_a_missing_end_is_named(desk: Desk) -> None:
    (fault,) = faults(desk, drawing("").replace("</svg>", ""))
    assert fault.message == "the SVG is not well-formed: no element found; </svg> is missing"


def test_a_back_is_drawn_too(desk: Desk) -> None:
    desk.template("pawn.svg", drawing(""))
    desk.template("pawn.back.svg", drawing(rect("frame", 1, 2, 30, 8)))
    back = desk.studio().back(desk.entry(CARD), SIZE)
    assert back is not None
    assert "<rect" in artwork(back.face)


def test_a_written_template_of_the_same_folder_wins(desk: Desk) -> None:
    desk.template("pawn.svg.j2", '<svg xmlns="http://www.w3.org/2000/svg"/>')
    assert draw(desk, drawing(rect("name", 1, 2, 30, 8))).items == ()


def test_clones_and_nested_groups_take_bounded_time(desk: Desk) -> None:
    shapes = '<path d="M0 0h1"/>' * 5_000
    many = "".join('<use xlink:href="#many"/>' for _ in range(5_000))
    (fault,) = faults(desk, drawing(f'<g id="many">{shapes}</g>{many}'))
    assert "the clones make more than" in fault.message
    nested = "<g>" * 50 + '<path d="M0 0h1" style="fill:none;clip-path:url(#c)"/>' * 5_000 + "</g>" * 50
    clip = '<clipPath id="c">' + '<path d="M0 0h1"/>' * 5_000 + "<text/></clipPath>"
    assert faults(desk, drawing(nested + text(1, 1, "x"), clip))
