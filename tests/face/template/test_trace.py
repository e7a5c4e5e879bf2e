"""Boxes of templates moved by hand: by the most local edit that does it, and nothing else changes."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.face.inkscape import convert
from cardgen.face.template.engine import Templates
from cardgen.face.template.syntax import TracingSandbox, call_in, read_source, without_marks
from cardgen.face.template.trace import PlacementError, TemplateEditor, Trace, shifted
from cardgen.units import Box, Size
from tests.cases import each_case

SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="https://cardgen.dev/svg">{}</svg>'
PARTS = """\
{% macro plaque(x, y, width, height) %}
<rect x="{{ x }}" y="{{ y }}" width="{{ width }}" height="{{ height }}"/>
<path d="M{{ x + 1 }} {{ y + 1 }}h{{ width - 2 }}v{{ height - 2 }}z"/>
{% set right = x + width %}
<cg:text x="{{ right - 6 }}" y="{{ y }}" width="5" height="{{ height }}">7</cg:text>
<circle cx="3" cy="{{ 2 * 2 }}" r="2"/>
{% endmacro %}
{% macro row(left, top) %}{{ plaque(left, top, 20, 6) }}{% endmacro %}
"""
FACE = SVG.format("""
{% import "game/parts.svg.j2" as parts with context %}
<cg:text x="6" y="{{ width / 2 }}" width="{{ width - 12 }}" height="8">Name</cg:text>
{% for n in range(3) %}
<rect x="{{ 5 + n * 10 }}" y="40" width="8" height="{{ (n + 2.5)|round(2) }}"/>
{% endfor %}
{{ parts.plaque(5, 50, width - 10, 9) }}
{{ parts.row(10, top) }}
<path d="M1 1h5v5z"/>
<rect x="{{ n0 }}mm" y="1" width="2" height="2"/>
{{ emblem("fox", 30, 60, 12) }}
<circle cx="20" cy="70" r="{{ radius }}"/>
<g transform="translate(10 20) scale(2)"><rect x="1" y="2" width="3" height="4"/></g>
<g transform="rotate(90)"><rect x="1" y="-10" width="3" height="4"/></g>
<line x1="1" y1="{{ top }}" x2="9" y2="80"/>
<ellipse cx="8" cy="8" rx="3" ry="2"/>
""")


def emblem(name: str, x: float, y: float, width: float) -> Any:
    from markupsafe import Markup

    scale = f'transform="translate({x} {y}) scale({width / 10})"'
    parts = '<path d="M0 0h10v10z"/></g>', '<rect width="10" height="5"/></g>'
    return Markup("".join(f"<g {scale}>{part}" for part in parts))


CONTEXT = {"width": 60, "height": 90, "top": 75, "n0": 3, "radius": 2, "emblem": emblem}


class Desk:
    """A folder with two templates, and what moves the boxes of one."""

    def __init__(self, root: Path) -> None:
        self.folder = root / "templates"
        (self.folder / "game").mkdir(parents=True)
        self.write("parts.svg.j2", PARTS)

    def write(self, name: str, text: str) -> Path:
        path = self.folder / "game" / name
        path.write_bytes(text.encode())
        return path

    def draw(self, name: str, text: str, context: dict[str, Any], face: str = "face") -> Trace | None:
        self.write(name, text)
        templates = Templates([self.folder])
        try:
            traced = templates.render(f"game/{face}", context, TracingSandbox(templates.loader)).svg
            assert without_marks(traced) == templates.render(f"game/{face}", context).svg
        except CardgenError:
            return None
        return Trace(traced, Size(60, 90), lambda _: Box(1, 2, 3, 4))

    def editor(self, name: str = "face.svg.j2", root: Path | None = None, **others: Any) -> TemplateEditor:
        contexts = [CONTEXT, {**CONTEXT, **others}] if others else [CONTEXT]

        def drawer(context: dict[str, Any]) -> Callable[[str], Trace | None]:
            return lambda text: self.draw(name, text, context)

        path = (self.folder / "game" / name).resolve()
        return TemplateEditor(path, root or self.folder.resolve(), [drawer(each) for each in contexts])


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path)
    made.write("face.svg.j2", FACE)
    return made


def boxes(editor: TemplateEditor, text: str = FACE) -> tuple[Any, ...]:
    trace = editor.draws[0](text)
    assert trace
    return editor.placed_boxes(text, trace)


def index_of(editor: TemplateEditor, name: str, text: str = FACE) -> int:
    return next(number for number, each in enumerate(boxes(editor, text)) if each.name == name)


def moved(editor: TemplateEditor, name: str, way: tuple[float, ...], text: str = FACE, **options: bool) -> Any:
    """Move a box, and require that it is there, that undo would return every byte, and what is told about it."""
    index = index_of(editor, name, text)
    before = boxes(editor, text)[index].at
    goal: Any = tuple(one + other for one, other in zip(before, (*way, 0, 0)[:4], strict=True))
    placed = editor.place(text, index, goal, **options)
    assert placed.trace.boxes[index].box == pytest.approx(goal, abs=0.006)
    return placed


def changes(before: str, after: str) -> list[tuple[str, str]]:
    """The parts of a text that differ, by whole tags and values."""
    one, other = (re.findall(r"\{\{.*?\}\}|=\"[^\"{]*\"|.", text, re.DOTALL) for text in (before, after))
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    return [("".join(one[a:b]), "".join(other[c:d])) for kind, a, b, c, d in blocks if kind != "equal"]


@each_case(
    ("expression", "way", "result"),
    [
        (" 6 ", 1.5, " 7.5 "),
        ("-3", 3, "0"),
        ("x", 1, "x + 1"),
        ("x + 2", -0.5, "x + 1.5"),
        ("x - 2", 0.5, "x - 1.5"),
        ("x - 2", 3, "x + 1"),
        ("x + 2", -2, "x"),
        ("width / 2", 0.5, "width / 2 + 0.5"),
        ("a * 2", 1, "a * 2 + 1"),
        ("-bleed", -1, "-bleed - 1"),
        ("x|round(2)", 1, "x|round(2) + 1"),
        ("(x + 1)|round(2)", 0.25, "(x + 1.25)|round(2)"),
        ("(x + 1)|round(2)", 0.125, "(x + 1)|round(2) + 0.125"),
        ("(a) + (b)|round(2)", 1, "(a) + (b)|round(2) + 1"),
        ("8 if long else 4", 1, "(8 if long else 4) + 1"),
        ("a or b", 1, "(a or b) + 1"),
        ("a + (2)", 1, "a + (2) + 1"),
        ("f(1, 2)", 1, "f(1, 2) + 1"),
        ("x[2]", 1, "x[2] + 1"),
    ],
)
def test_a_number_at_the_end_is_changed_or_one_is_added(expression: str, way: float, result: str) -> None:
    assert shifted(expression, way) == result


def test_tags_values_and_macros_are_found_in_spite_of_what_jinja_reads() -> None:
    text = """{# <rect x="1"/> #}<!-- <rect/> --><g a="{{ '>' }}">{{- f("<rect/>") -}}</g>{% raw %}<b/>{% endraw %}
{% macro box(x) %}<rect x='{{ x }}' y="2"{% if a %} y="3"{% endif %}/>{{ x }}{% endmacro %}"""
    source = read_source(text)
    assert [tag.name for tag in source.tags.values()] == ["g", "b", "rect"]
    rect = source.tags[text.index("<rect x='")]
    assert text[slice(*rect.attributes["x"])] == "{{ x }}"
    assert rect.attributes["y"] == (-1, -1)
    assert source.macro_at(rect.start) == "box"
    assert source.macro_at(3) == ""
    assert [text[start:end] for start, end in source.values.items()] == [' f("<rect/>") ']
    assert read_source("{{ broken").tags == {}


@each_case(
    ("expression", "name", "arguments"),
    [
        ("parts.seal(x, y)", "parts.seal", ["x", "y"]),
        (" f( a(1, 2), [3, 4], k=5 )|safe ", "f", ["a(1, 2)", "[3, 4]", "5"]),
        ("f() ~ g()", None, []),
        ("x + 1", None, []),
    ],
)
def test_the_arguments_of_a_call_are_found(expression: str, name: str | None, arguments: list[str]) -> None:
    call = call_in(expression)
    assert (call.name if call else None) == name
    assert [expression[each.start : each.end] for each in (call.arguments if call else ())] == arguments


def test_numbers_and_formulas_are_changed_where_they_are(desk: Desk) -> None:
    placed = moved(desk.editor(), "text Name", (1, 0.5))
    assert changes(FACE, placed.text) == [('="6"', '="7"'), ("{{ width / 2 }}", "{{ width / 2 + 0.5 }}")]
    assert placed.note == "offset from a formula, line 3"
    wider = moved(desk.editor(), "text Name", (0, 0, 2.5, 1))
    assert changes(FACE, wider.text) == [("{{ width - 12 }}", "{{ width - 9.5 }}"), ('="8"', '="9"')]


def test_an_offset_is_outside_of_a_rounding_that_would_change_it(desk: Desk) -> None:
    """The sum of 77.465 and 3.02 would be rounded the other way."""
    text = SVG.format('<rect x="1" y="{{ (a - 4)|round(2) }}" width="2" height="2"/>')
    desk.write("face.svg.j2", text)
    for a in range(60):
        context = {**CONTEXT, "a": 4 + a / 100 + 77.465}
        draw = functools.partial(lambda context, text: desk.draw("face.svg.j2", text, context), context)
        editor = TemplateEditor((desk.folder / "game/face.svg.j2").resolve(), desk.folder, [draw])
        x, y, width, height = boxes(editor, text)[0].at
        assert editor.place(text, 0, (x, y + 3.02, width, height)).trace.boxes[0].box.y == pytest.approx(y + 3.02)


def test_all_passes_of_a_loop_move(desk: Desk) -> None:
    placed = moved(desk.editor(), "rect", (1, 2))
    assert placed.note == "moves all 3 that this line draws; offset from a formula, line 5"
    assert "{{ 5 + n * 10 + 1 }}" in placed.text
    assert 'y="42" width="8"' in placed.text


def test_the_argument_of_a_call_is_changed_and_moves_the_whole(desk: Desk) -> None:
    for name in ("rect of plaque", "path of plaque", "text 7"):
        placed = moved(desk.editor(), name, (1, -0.5))
        assert "parts.plaque(6, 49.5, width - 10, 9)" in placed.text
        assert placed.note == "moves the whole 'plaque'"
    wider = moved(desk.editor(), "rect of plaque", (0, 0, 2, 1))
    assert "parts.plaque(5, 50, width - 8, 10)" in wider.text


def test_an_outer_call_is_changed_if_the_inner_one_is_in_another_file(desk: Desk) -> None:
    editor = desk.editor()
    index = max(number for number, each in enumerate(boxes(editor)) if each.name == "rect of plaque")
    x, y, width, height = boxes(editor)[index].at
    placed = editor.place(FACE, index, (x + 2, y + 1, width, height))
    assert "{{ parts.row(12, top + 1) }}" in placed.text
    with pytest.raises(PlacementError, match=r"drawn by game/parts\.svg\.j2, line 2; open it"):
        editor.place(FACE, index, (x, y, width + 1, height))
    with pytest.raises(PlacementError, match="copy it first"):
        desk.editor(root=desk.folder / "elsewhere").place(FACE, index, (x, y, width + 1, height))


def test_what_is_fixed_in_a_macro_is_changed_after_a_question(desk: Desk) -> None:
    with pytest.raises(PlacementError, match=r"drawn by game/parts\.svg\.j2, line 6"):
        moved(desk.editor(), "circle of plaque", (1, 1))
    editor = desk.editor("parts.svg.j2")
    with pytest.raises(PlacementError, match="fixed in the macro 'plaque'") as raised:
        moved(editor, "circle of plaque", (1, 1), PARTS)
    assert (raised.value.is_question, raised.value.line) == (True, 6)
    placed = moved(editor, "circle of plaque", (1, 1), PARTS, confirmed=True)
    assert '<circle cx="4" cy="{{ 2 * 2 + 1 }}" r="2"/>' in placed.text
    assert placed.note.startswith("moves all 2")


def test_what_a_function_draws_is_one_box(desk: Desk) -> None:
    editor = desk.editor()
    assert boxes(editor)[index_of(editor, "emblem")].at == (30, 60, 12, 12)
    assert '{{ emblem("fox", 31, 59.5, 12) }}' in moved(editor, "emblem", (1, -0.5)).text
    assert '{{ emblem("fox", 30, 60, 15) }}' in moved(editor, "emblem", (0, 0, 3, 3)).text


def test_circles_lines_and_groups_are_moved_in_their_own_units(desk: Desk) -> None:
    editor = desk.editor()
    assert '<circle cx="21" cy="71" r="{{ radius }}"/>' in moved(editor, "circle", (1, 1)).text
    assert '<circle cx="21" cy="71" r="{{ radius + 1 }}"/>' in moved(editor, "circle", (0, 0, 2, 2)).text
    assert '<line x1="3" y1="{{ top + 1 }}" x2="11" y2="81"/>' in moved(editor, "line", (2, 1)).text
    assert '<line x1="1" y1="{{ top }}" x2="11" y2="81"/>' in moved(editor, "line", (0, 0, 2, 1)).text
    assert '<ellipse cx="9" cy="8" rx="4" ry="2"/>' in moved(editor, "ellipse", (0, 0, 2, 0)).text
    rects = [number for number, each in enumerate(boxes(editor)) if each.name == "rect"]
    scaled, turned = rects[-2:]
    assert boxes(editor)[scaled].at == (12, 24, 6, 8)
    assert 'x="2" y="2.5" width="4"' in editor.place(FACE, scaled, (14, 25, 8, 8)).text
    assert boxes(editor)[turned].at == (6, 1, 4, 3)
    assert 'x="2" y="-11" width="3"' in editor.place(FACE, turned, (7, 2, 4, 3)).text
    with pytest.raises(PlacementError, match="turned"):
        editor.place(FACE, turned, (6, 1, 5, 3))


def test_paths_and_mixed_values_are_refused_with_their_line(desk: Desk) -> None:
    editor = desk.editor()
    with pytest.raises(PlacementError, match="drawn as a path at line 9") as raised:
        moved(editor, "path", (1, 1))
    assert raised.value.line == 9
    mixed = FACE.replace('x="6"', 'x="{{ n0 }}{{ n0 }}"')
    with pytest.raises(PlacementError, match="'x' is not a number or one formula; edit it at line 3"):
        moved(editor, "text Name", (1, 1), mixed)


def test_an_edit_that_changes_something_else_is_withdrawn(desk: Desk) -> None:
    """The element moves only where a condition is not about its place."""
    text = SVG.format('{% for x in [5] %}<rect x="{{ [x, 5]|min }}" y="1" width="2" height="2"/>{% endfor %}')
    assert "{{ [x, 5]|min + 1 }}" in moved(desk.editor(), "rect", (1, 0), text).text
    other = SVG.format(
        '{% macro a(x) %}<rect x="{{ [x, 5]|min }}" y="1" width="2" height="2"/>{% endmacro %}{{ a(5) }}'
    )
    with pytest.raises(PlacementError) as raised:
        moved(desk.editor(), "rect of a", (1, 0), other)
    assert raised.value.is_question
    assert "a(4)" in moved(desk.editor(), "rect of a", (-1, 0), other).text


def test_other_cards_are_drawn_as_well(desk: Desk) -> None:
    """With the number of the other card, the edit fails there."""
    text = SVG.format('<rect x="{{ n0 }}" y="1" width="2" height="2"/>')
    assert "{{ n0 + 1 }}" in moved(desk.editor(n0=9), "rect", (1, 0), text).text
    with pytest.raises(PlacementError, match="other cards"):
        moved(desk.editor(n0="x"), "rect", (1, 0), text)


def test_lines_of_any_kind_stay(desk: Desk) -> None:
    text = FACE.replace("\n", "\r\n")
    placed = moved(desk.editor(), "rect of plaque", (1, 0.5), text)
    assert placed.text == text.replace("plaque(5, 50,", "plaque(6, 50.5,")


def test_patterns_of_many_shapes_are_no_boxes(desk: Desk) -> None:
    text = SVG.format(
        '{% for n in range(20) %}<circle cx="{{ n }}" cy="1" r="1"/>{% endfor %}<defs><path d="M1 1"/></defs>'
    )
    assert boxes(desk.editor(), text) == ()


DRAWING = """\
<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
  width="60mm" height="90mm" viewBox="0 0 600 900"><!-- ü -->
<g transform="translate(10 0)"><rect inkscape:label="name" x="50" y="60.0" width="400" height="90"/></g>
<rect x="1" y="1" width="9" height="9"/>
</svg>
"""


def test_fields_of_a_drawing_move_in_its_own_units(desk: Desk) -> None:
    functions = {
        "page_origin": lambda *_: (0, 0), "require_bleed": lambda *_: "", "field_kind": lambda *_: "text",
        "field_text": lambda *_: "Fox", "field_style": lambda *_: "body", "field_picture": lambda *_: "",
        "card": None, "bleed": 0,
    }  # fmt: skip
    assert "data-at" in convert(DRAWING)
    (desk.folder / "game" / "face.svg.j2").unlink()
    path = desk.write("face.svg", DRAWING).resolve()
    editor = TemplateEditor(path, desk.folder, [lambda text: desk.draw("face.svg", text, {**CONTEXT, **functions})])
    assert [(each.name, each.line, each.at) for each in boxes(editor, DRAWING)] == [("field name", 3, (6, 6, 40, 9))]
    placed = editor.place(DRAWING, 0, (7, 6.5, 41.5, 9))
    assert placed.text == DRAWING.replace('x="50" y="60.0" width="400"', 'x="60" y="65" width="415"')
