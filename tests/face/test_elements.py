"""`cg:fold`, `cg:cut`, `cg:field` and `named`: what templates of the kit's pieces say beside what they draw."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.face.face import Face, Field, Fold
from cardgen.text.lines import Fit
from cardgen.units import Box
from tests.cases import each_case
from tests.face.rendering import SIZE, Desk, svg

ROOK = "kind: pawn\nname: Rook\n"
GROUND = '<rect width="40" height="60"/>'


def drawn(folder: Path, body: str) -> Face:
    desk = Desk(folder)
    desk.template("pawn.svg.j2", svg(GROUND + body))
    return desk.studio().front(desk.entry(ROOK), SIZE).face


def test_a_fold_is_moved_and_turned_with_its_group(tmp_path: Path) -> None:
    face = drawn(
        tmp_path,
        '<cg:fold x1="0" y1="20" x2="40" y2="20"/>'
        '<g transform="translate(10 0) rotate(90)"><cg:fold x1="0" y1="0" x2="60" y2="0"/></g>',
    )
    assert face.folds == (Fold(0, 20, 40, 20), Fold(10, 0, 10, 60))
    assert len(face.items) == 1


def test_a_template_can_measure_a_text(tmp_path: Path) -> None:
    words = 'A \u0026 B, in more words than one line has, and "quoted"'
    body = (
        f"{{% set words = '{words}' %}}"
        '<cg:text x="2" y="2" width="30" height="{{ text_height(words, 30, "body", 9) }}" size="9pt">'
        "{{ words }}</cg:text>"
    )
    (fit,) = (each for each in drawn(tmp_path, body).fits if isinstance(each, Fit))
    assert fit.size == 9
    assert fit.fill == pytest.approx(1, abs=0.002)


def test_a_style_to_measure_in_must_exist(tmp_path: Path) -> None:
    with pytest.raises(CardgenError) as caught:
        drawn(tmp_path, '<rect width="{{ text_height("words", 30, "bodi") }}" height="3"/>')
    assert "unknown style 'bodi'" in caught.value.diagnostics[0].message


def test_a_cut_line_is_moved_and_turned_with_its_group(tmp_path: Path) -> None:
    face = drawn(tmp_path, '<g transform="translate(10 0) rotate(90)"><cg:cut d="M0 0H60V5Z"/></g>')
    (cut,) = face.cuts
    assert [kind for kind, *_ in cut.outline] == ["M", "L", "L", "Z"]
    assert [number for _, *numbers in cut.outline for number in numbers] == pytest.approx([10, 0, 10, 60, 5, 60])
    assert len(face.items) == 1


def test_a_field_is_moved_with_its_group(tmp_path: Path) -> None:
    face = drawn(
        tmp_path,
        '<cg:field name="Name" x="2" y="3" width="30" height="8"/>'
        '<g transform="translate(1 10)">'
        '<cg:field name="Story" x="2" y="3" width="30" height="8" size="9pt" multiline="true" align="center"/></g>',
    )
    assert tuple(each._replace(family="") for each in face.fields) == (
        Field("Name", Box(2, 3, 30, 8), 11),
        Field("Story", Box(3, 13, 30, 8), face.fields[1].size, True, "center"),
    )
    assert face.fields[1].size == pytest.approx(9)


def test_a_box_to_tick_is_a_field(tmp_path: Path) -> None:
    (box,) = drawn(tmp_path, '<cg:field type="check" name="Once" x="2" y="3" width="4" height="4"/>').fields
    assert (box.name, box.box, box.is_box) == ("Once", Box(2, 3, 4, 4), True)


def test_what_is_typed_looks_like_the_text_of_the_card(tmp_path: Path) -> None:
    (field,) = drawn(tmp_path, '<cg:field name="Name" x="2" y="3" width="30" height="8"/>').fields
    assert field.family == "Source Sans 3"


FIELD = 'x="1" y="1" width="9" height="5"'
WRONG = {
    '<cg:fold x1="0" y1="1" x2="9"/>': "<cg:fold> needs the attribute 'y2'",
    '<cg:fold x1="a" y1="1" x2="9" y2="1"/>': 'x1="a" is not a valid number of millimeters',
    "<cg:cut/>": "<cg:cut> needs the attribute 'd'",
    '<cg:cut d=""/>': "<cg:cut> needs a path that ends with Z",
    '<cg:cut d="M0 0H9V9"/>': "<cg:cut> needs a path that ends with Z",
    '<cg:cut d="M0 0H9V9Zm1 1h1v1"/>': "<cg:cut> needs a path that ends with Z",
    '<cg:cut d="M0 0K9"/>': "unknown command 'K' in a path",
    '<cg:cut d="M0 0H1e300Z"/>': "the path is out of range",
    f"<cg:field {FIELD}/>": "<cg:field> needs the attribute 'name'",
    f'<cg:field name="A" {FIELD}/><cg:field name="A" {FIELD}/>': "duplicate <cg:field> name 'A'",
    f'<g transform="rotate(90)"><cg:field name="A" {FIELD}/></g>': "inside a group that rotates or scales it",
    f'<cg:field name="A" {FIELD} type="radio"/>': "unknown type 'radio' (one of text, check)",
    f'<cg:field name="A" {FIELD} align="justify"/>': "unknown align 'justify' (one of left, center)",
    '<cg:field name="A" x="1" y="1" width="0" height="5"/>': "<cg:field> must have a width and height greater than 0",
    f'<cg:field name="A" {FIELD} style="body"/>': "unknown attribute 'style' of <cg:field>",
}


@each_case(("body", "message"), WRONG.items())
def test_what_makes_no_sense_is_located_in_the_template(tmp_path: Path, body: str, message: str) -> None:
    with pytest.raises(CardgenError) as caught:
        drawn(tmp_path, body)
    (found,) = caught.value.diagnostics
    assert message in found.message
    assert found.place.span is not None
    assert found.place.file.endswith("pawn.svg.j2")


def test_a_card_that_is_not_named_is_located_in_the_template(tmp_path: Path) -> None:
    with pytest.raises(CardgenError) as caught:
        drawn(tmp_path, '{{ named("pawn", card.name).name }}')
    (found,) = caught.value.diagnostics
    assert "'Rook' has no reference to pawn 'Rook'" in found.message


def test_a_text_has_the_first_of_its_sizes_at_which_it_fits(tmp_path: Path) -> None:
    face = drawn(
        tmp_path,
        '<cg:text x="2" y="3" width="38" height="5" size="14pt 11pt 8pt">Over the water and back</cg:text>'
        '<text x="2" y="20" width="38" size="14 pt 11 pt 8 pt">Over the water and back</text>',
    )
    assert [fit.size for fit in face.fits if isinstance(fit, Fit)] == [pytest.approx(8), pytest.approx(8)]
