"""Edits of layouts by hand: exactly one box moves, the file differs in nothing else, and undo returns every byte."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from cardgen.editor.form.edits import EditError
from cardgen.editor.layout_edit import Change, change_layout, place_box
from cardgen.face.layout import CONTENTS, PlacedBox, background_of, change_fault, compile_layout, placed_boxes

LAYOUT = """\
# A layout; é and 🎲 come before the numbers.
size: [63.5, 88.9]
boxes:
  - {shape: rect, at: [-3, -3, 69, 94], fill: paper}   # [1, 2, 3, 4] to the bleed
  - {field: name, at: [7, 5.4, 37, 9.8], style: title}
  - field: art
    at:
      - 7       # left
      - 18.50
      - 1.5in
      - "24 mm"
    when: art
  - {each: [nerve, hide, stride], at: [7, 44, 11.5, 10], step: [12.5, 0], label: below}
  - {each: traits, at: [ 7,44.0 ,11.5,  10 ], step: [0, 5]}
  - {text: "at: [7, 44, 11.5, 10]", at: [7.0, 60, 30, 5], unless: {role: [scout]}}
  - {icons: heart, count: wounds, at: [0.2in, '76', 4.3cm, 14.4pt], gap: 1.2}
  - {picture: art/seal.png, at: [.5, 0, 9, 9]}
  - {shape: line, at: [5, 59.5, 53.5, 0]}
  - {shape: emblem, at: [5, 5, 10, 12]}
  - {shape: ellipse, at: [5, 5, 10, 12], stroke: ink}
"""
_NUMBER = re.compile(r"-?[\d.]+(?:e\d+)?")


def test_the_layout_has_all_contents() -> None:
    names = {each.name.partition(" ")[0] for each in placed_boxes(LAYOUT)}
    assert names == set(CONTENTS)


def test_boxes_have_names_lines_and_places() -> None:
    boxes = placed_boxes(LAYOUT)
    look = dict.fromkeys(("style", "size", "align", "valign", "fill", "radius", "fit", "label"))
    assert boxes[1] == PlacedBox("field name", 5, (7, 5.4, 37, 9.8), look={**look, "style": "title"})
    assert boxes[3][:5] == ("each nerve, hide, stride", 13, (7, 44, 11.5, 10), (12.5, 0), 3)
    assert boxes[3].look["label"] == "below"
    assert boxes[-1].look == {"fill": None, "stroke": "ink", "stroke_width": None, "radius": None, "opacity": None}
    assert boxes[2].at == pytest.approx((7, 18.5, 38.1, 24))
    assert placed_boxes("boxes: [{") == ()


def random_place(dice: random.Random, box: PlacedBox) -> tuple[float, float, float, float]:
    """A drag, a resize, a nudge, or a number that is typed, as the page sends it."""
    x, y, width, height = box.at
    step = dice.choice([0.1, 0.5, 5.0, round(dice.uniform(0.01, 30), dice.choice([1, 3]))])
    way = dice.choice([-step, step])
    return {
        "drag": (x + way, y + dice.uniform(-20, 20), width, height),
        "across": (x + way, y, width, height),
        "down": (x, y + way, width, height),
        "resize": (x, y, max(width + way, 0), height),
        "resize both": (x, y, max(width + way, 0), max(height - way, 0)),
        "corner": (x - step, y - step, width + step, height + step),
    }[dice.choice(["drag", "across", "down", "resize", "resize both", "corner"])]


def drawn(text: str) -> str:
    """The template of a layout, whose elements stand for what is drawn."""
    return re.sub(r"\{[{%].*?[}%]\}", "", compile_layout(text, "", lambda _: ""))


@pytest.mark.parametrize("seed", range(30))
def test_random_gestures_move_exactly_one_box_and_nothing_else(seed: int) -> None:
    dice = random.Random(seed)
    text = LAYOUT
    for _ in range(20):
        before = placed_boxes(text)
        index = dice.randrange(len(before))
        at = random_place(dice, before[index])
        after = place_box(text, index, at)
        boxes = placed_boxes(after)
        assert boxes[index].at == pytest.approx(at, abs=0.003)
        assert [each for n, each in enumerate(boxes) if n != index] == [
            each for n, each in enumerate(before) if n != index
        ]
        # Digits of this box differ, and nothing else: neither spaces and comments, nor units and quotes.
        assert _NUMBER.sub("#", after) == _NUMBER.sub("#", text)
        same = [n for n in range(4) if abs(at[n] - before[index].at[n]) < 0.0001]
        changed = [n for n, (one, other) in enumerate(zip(_NUMBER.findall(text), _NUMBER.findall(after), strict=True))
                   if one != other]  # fmt: skip
        assert len(changed) <= 4 - len(same)
        text = after


def test_a_box_that_stays_leaves_every_byte() -> None:
    for index, box in enumerate(placed_boxes(LAYOUT)):
        assert place_box(LAYOUT, index, box.at) == LAYOUT


def test_units_quotes_and_spaces_stay() -> None:
    moved = place_box(LAYOUT, 2, (8, 18.5, 25.4, 30))
    assert '      - 8       # left\n      - 18.50\n      - 1in\n      - "30 mm"\n' in moved
    assert "at: [ 7.5,44.0 ,11.5,  9 ]" in place_box(LAYOUT, 4, (7.5, 44, 11.5, 9))


@pytest.mark.parametrize(
    "text", ["boxes: [", "boxes: [{at: [1, 2, 3]}]", "boxes: []", "", "boxes: [{text: a, at: [1, 2, 3, 4]}]"]
)
def test_what_is_no_box_is_refused(text: str) -> None:
    with pytest.raises(EditError):
        change_layout(text, {"places": [[1, (1, 2, 3, 4)]]})


def test_a_negative_width_and_what_is_too_far_are_refused() -> None:
    for at in ((0, 0, -1, 5), (9e9, 0, 1, 1)):
        with pytest.raises(EditError, match="line 5"):
            place_box(LAYOUT, 1, at)


def svg(*boxes: tuple[int, int], more: str = "") -> str:
    """A drawing of rectangles, each with its left edge and the index of its box."""
    drawn = "".join(f'<rect x="{x}" y="2" data-box="{box}"/>' for x, box in boxes)
    return f'<svg xmlns="http://www.w3.org/2000/svg">{more}{drawn}</svg>'


def test_a_drawing_that_differs_elsewhere_is_refused() -> None:
    before, both = svg((1, 0), (5, 1)), {0: 0, 1: 1}
    moved = Change("", both, {0: (2, 0)})
    assert not change_fault(before, svg((3, 0), (5, 1)), *moved[1:])
    assert not change_fault(before, svg((1, 0), (9, 1)), *Change("", both, {1: None})[1:])
    assert not change_fault(before, svg((5, 0), (1, 1)), *Change("", {0: 1, 1: 0}, {})[1:])
    assert not change_fault(before, svg((5, 0)), *Change("", {1: 0}, {})[1:])
    assert not change_fault(before, svg((1, 0), (5, 1), (7, 2)), *Change("", both, {2: None})[1:])
    refused: list[tuple[str, Change]] = [
        (svg((3, 0), (6, 1)), moved),
        (svg((3, 0), (5, 1)), Change("", both, {0: (1, 0)})),
        (before, moved),
        (svg((3, 0), (5, 1), more="<g/>"), moved),
        (svg((3, 0), (3, 0), (5, 1)), moved),
        (svg((1, 0), (9, 1)), Change("", both, {0: None})),
        (svg((1, 0), (5, 1)), Change("", {0: 1, 1: 0}, {})),
        (svg((1, 0)), Change("", {1: 0}, {})),
        (svg((1, 0), (4, 1), (7, 2)), Change("", both, {2: None})),
    ]
    for after, change in refused:
        assert change_fault(before, after, *change[1:])


def random_gesture(dice: random.Random, count: int) -> dict[str, Any]:
    index, other = dice.randrange(count), dice.randrange(count)
    new = {"shape": "rect", "at": [1, 2, dice.randrange(60), 4], "fill": dice.choice(["ink", "#aa0000"])}
    look = dice.choice([("fill", "or"), ("fill", None), ("size", "12pt"), ("label", "above"), ("opacity", 0.5)])
    return dice.choice([{"add": new}, {"remove": index}, {"order": [index, other]}, {"look": [index, *look]}])


@pytest.mark.parametrize("seed", range(20))
def test_random_gestures_change_exactly_what_they_should(seed: int) -> None:
    dice, text = random.Random(seed), LAYOUT
    for _ in range(25):
        before = placed_boxes(text)
        gesture = random_gesture(dice, len(before))
        try:
            change = change_layout(text, gesture)
        except EditError:
            assert "look" in gesture
            continue
        after = placed_boxes(change.text)
        for index, at in change.indices.items():
            one, other = before[index]._replace(line=0), after[at]._replace(line=0)
            assert (one == other) is (at not in change.changed or gesture["look"][2] == one.look[gesture["look"][1]])
        assert len(after) == len(change.indices) + ("add" in gesture)
        if len(before) == len(LAYOUT_BOXES) and "add" in gesture:
            assert change_layout(change.text, {"remove": len(after) - 1}).text == text
        text = change.text if 3 < len(after) < 20 else text
    assert all(line in text or line in LAYOUT for line in text.split("\n"))


LAYOUT_BOXES = placed_boxes(LAYOUT)


def test_comments_go_with_their_boxes() -> None:
    removed = change_layout(LAYOUT, {"remove": 0}).text
    assert "to the bleed" not in removed
    assert removed == "".join(line for line in LAYOUT.splitlines(keepends=True) if "to the bleed" not in line)
    ordered = change_layout(LAYOUT, {"order": [0, 1]}).text
    assert "fill: paper}   # [1, 2, 3, 4] to the bleed\n" in ordered
    assert change_layout(ordered, {"order": [1, 0]}).text == LAYOUT


def test_a_new_box_is_on_a_line_of_its_own() -> None:
    box = {"field": "hide", "at": [10, 20, 30.5, 8]}
    added = change_layout(LAYOUT, {"add": box})
    assert added.text == LAYOUT + "  - {field: hide, at: [10, 20, 30.5, 8]}\n"
    assert change_layout("background: paper\n", {"add": box}).text == (
        "background: paper\nboxes:\n  - {field: hide, at: [10, 20, 30.5, 8]}\n"
    )


def test_words_icons_and_the_background_are_changed_by_hand() -> None:
    boxes = "  - {text: Text, at: [5, 5, 20, 8]}\n  - {icons: fire, at: [5, 20, 20, 8]}\n"
    text = f"size: [63, 88]\nboxes:\n{boxes}"
    text = change_layout(text, {"look": (0, "text", "Pay {{ cost }}\\\nnow")}).text
    assert '  - {text: "Pay {{ cost }}\\\\\\nnow", at: [5, 5, 20, 8]}\n' in text
    text = change_layout(text, {"look": (1, "icons", "heart")}).text
    assert "{icons: heart, at: [5, 20, 20, 8]}" in text
    change = change_layout(text, {"background": "#ff0000"})
    assert change.text == text.replace("88]\n", '88]\nbackground: "#ff0000"\n', 1)
    assert -1 in change.changed
    assert background_of(change.text) == "#ff0000"
    assert change_layout(change.text, {"background": None}).text == text
    with pytest.raises(EditError):
        change_layout(text, {"look": (1, "text", "no")})
