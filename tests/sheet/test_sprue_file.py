from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.sheet.sprue_file import load
from cardgen.units import CARD_SIZES, PAPER_SIZES, Shape, Size
from tests.cases import each_case
from tests.projects import SPRUES, Folder
from tests.sheet.pictures import picture


def wrong(folder: Folder, content: str) -> tuple[Diagnostic, ...]:
    path = folder.write("sprues/mine.yaml", content)
    with pytest.raises(CardgenError) as caught:
        load(path, 3.0)
    return caught.value.diagnostics


def test_slots_stand_where_the_file_says(folder: Folder) -> None:
    path = folder.write(
        "sprues/mine.yaml",
        """\
about: Two cards, a row of tokens, and one that stands on its head
paper: 100mm x 80mm
slots:
  - {size: 30mm x 20mm, x: 10mm, y: 10mm, columns: 2, gap: 10mm}
  - {size: 10mm x 10mm, shape: round, x: 10mm, y: 40mm, columns: 3, gap: 10mm}
  - {size: 20mm x 10mm, x: 80mm, y: 50mm, turn: 270}
""",
    )
    found = load(path, 3.0)
    assert (found.name, found.about) == ("mine", "Two cards, a row of tokens, and one that stands on its head")
    assert picture(found.sprue.paper, found.sprue.slots, 5) == [
        "....................",
        "....................",
        "..aaaaaa..bbbbbb....",
        "..aaaaaa..bbbbbb....",
        "..aaaaaa..bbbbbb....",
        "..aaaaaa..bbbbbb....",
        "....................",
        "....................",
        "..cc..dd..ee........",
        "..cc..dd..ee........",
        "................ff..",
        "................ff..",
        "................ff..",
        "................ff..",
        "....................",
        "....................",
    ]
    assert [fit.shape for fit in found.formats] == [Shape.RECTANGLE] * 2 + [Shape.ROUND] * 3 + [Shape.RECTANGLE]
    assert (found.sprue.slots[5].turn, found.formats[5].size) == (270, Size(20, 10))


def test_bleeds_end_halfway_to_the_neighbour_and_circles_are_round(folder: Folder) -> None:
    path = folder.write(
        "sprues/mine.yaml",
        "paper: a5\nslots:\n  - {size: 30mm x 20mm, x: 10mm, y: 10mm, columns: 2, gap: 4mm}\n"
        "  - {size: 25mm x 25mm, shape: round, x: 10mm, y: 60mm}\n",
    )
    left, right, token = load(path, 3.0).sprue.slots
    assert (left.clip.x, left.clip.right, right.clip.x, right.clip.right) == (7, 42, 42, 77)
    assert token.clip == token.trim.expand(3)
    assert token.clip_area == ()


@pytest.mark.parametrize(
    ("slots", "line", "message"),
    [
        ("{size: poker, x: 10mm, y: 10mm}, {size: poker, x: 60mm, y: 10mm}", 4, "this slot overlaps another"),
        ("{size: poker, x: 180mm, y: 10mm}", 3, "a slot of 63.5 x 88.9 mm extends beyond the paper of 210 x 297 mm"),
        ("{size: poker, x: 5mm, y: 5mm, columns: 4}", 3, "a slot of 63.5 x 88.9 mm extends beyond the paper"),
        ("{size: 300mm x 300mm, x: 0mm, y: 0mm}", 3, "a slot of 300 x 300 mm extends beyond the paper"),
        ("{size: poker, x: 10mm, y: 10mm, turn: 45}", 3, "45"),
        ("{size: poker, x: 10mm, y: 10mm, columns: 20, rows: 21}", 3, "a sprue can have at most 400 slots"),
        ("{size: jumbp, x: 10mm, y: 10mm}", 3, "unknown size 'jumbp'"),
        ("{size: poker, x: 10mm}", 3, "'y'"),
        ("{size: poker, x: 10mm, y: 10mm, colums: 2}", 3, "unknown key 'colums'; did you mean 'columns'?"),
    ],
)
def test_slots_that_cannot_be_are_located(folder: Folder, slots: str, line: int, message: str) -> None:
    listed = "".join(f"  - {slot}}}\n" for slot in slots.rstrip("}").split("}, "))
    problem, *_ = wrong(folder, f"paper: a4\nslots:\n{listed}")
    assert message in problem.message
    assert problem.place.file == "sprues/mine.yaml"
    assert problem.place.span is not None
    assert problem.place.span.line in (line, 2)


def test_the_other_slot_is_shown_too(folder: Folder) -> None:
    slots = "  - {size: poker, x: 10mm, y: 10mm}\n  - {size: 25mm x 25mm, shape: round, x: 75mm, y: 10mm}\n"
    (problem,) = wrong(folder, f"paper: a4\nslots:\n{slots}")
    assert problem.message == "this slot overlaps another"
    assert [(place.span and place.span.line, word) for place, word in problem.related] == [(3, "the other slot")]
    assert problem.help == "a round slot needs 3 mm of paper on every side, for the punch"


def test_slots_that_overlap_come_with_advice(folder: Folder) -> None:
    slots = "  - {size: poker, x: 10mm, y: 10mm}\n  - {size: poker, x: 60mm, y: 10mm}\n"
    (problem,) = wrong(folder, f"paper: a4\nslots:\n{slots}")
    assert problem.help == "move one of them"


def test_all_that_is_wrong_is_said_at_once(folder: Folder) -> None:
    slots = "  - {size: poker, x: 200mm, y: 10mm}\n  - {size: poker, x: 10mm, y: 250mm, columns: 2, gap: 1mm}\n"
    assert len(wrong(folder, f"paper: a4\nslots:\n{slots}")) == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("paper: a9\nslots: [{size: poker, x: 1mm, y: 1mm}]\n", "unknown size 'a9'"),
        ("slots: [{size: poker, x: 1mm, y: 1mm}]\n", "paper"),
        ("paper: a4\nslots: []\n", "slots"),
        ("paper: a4\n", "slots"),
        ("[]\n", ""),
        ("", ""),
    ],
)
def test_a_file_that_is_no_sprue_is_refused(folder: Folder, content: str, message: str) -> None:
    problem, *_ = wrong(folder, content)
    assert message in problem.message
    assert problem.place.file == "sprues/mine.yaml"


def test_slots_that_no_straight_cut_takes_apart_have_ticks_without_numbers(folder: Folder) -> None:
    slots = (
        "  - {size: 40mm x 20mm, x: 20mm, y: 20mm}\n  - {size: 20mm x 40mm, x: 60mm, y: 20mm}\n"
        "  - {size: 40mm x 20mm, x: 40mm, y: 60mm}\n  - {size: 20mm x 40mm, x: 20mm, y: 40mm}\n"
    )
    sprue = load(folder.write("sprues/wheel.yaml", f"paper: a5\nslots:\n{slots}"), 3.0).sprue
    assert len(sprue.slots) == 4
    assert sprue.cut_steps == ()


def test_there_are_built_in_sprues_for_the_common_papers_and_sizes() -> None:
    names = {path.stem for path in SPRUES}
    assert {f"{paper}-{card}" for paper in ("a4", "letter") for card in CARD_SIZES} <= names
    assert {f"{paper}-poker" for paper in PAPER_SIZES} <= names
    assert {f"{paper}-token" for paper in ("a4", "letter")} <= names


@each_case("path", SPRUES, ids=lambda path: path.stem)
def test_built_in_sprues_keep_the_printers_margin_and_say_what_they_are(path: Path) -> None:
    found = load(path, 3.0)
    trim, paper = found.sprue.trim, found.sprue.paper
    assert min(trim.x, trim.y, paper.width - trim.right, paper.height - trim.bottom) >= found.sprue.margin
    assert found.about.split()[0] in _COUNTS
    assert _COUNTS[found.about.split()[0]] == len(found.formats)
    assert PAPER_SIZES[found.name.split("-")[0]] == paper


_COUNTS = {
    "Two": 2, "Three": 3, "Four": 4, "Six": 6, "Eight": 8, "Nine": 9, "Ten": 10, "Fifteen": 15, "Sixteen": 16,
    "Eighteen": 18, "Twenty": 20, "Forty-eight": 48,
}  # fmt: skip


STAGGERED = """\
paper: 100mm x 100mm
marks: [{marks}]
slots:
  - {{size: 40mm x 40mm, shape: round, x: 5mm, y: 5mm, columns: 2, gap: 2mm}}
  - {{size: 40mm x 40mm, shape: round, x: 26mm, y: {y}mm}}
"""


def test_disks_to_cut_out_need_no_room_for_a_punch_and_can_be_staggered(folder: Folder) -> None:
    found = load(folder.write("sprues/mine.yaml", STAGGERED.format(marks="circles", y=42)), 2.0)
    assert len(found.sprue.slots) == 3
    (first, second) = wrong(folder, STAGGERED.format(marks="ticks", y=42))
    assert "two of these slots overlap" in first.message
    assert "for the punch" in first.help
    assert "overlaps another" in second.message
    (only,) = wrong(folder, STAGGERED.format(marks="circles", y=38))
    assert (only.message, only.help) == ("this slot overlaps another", "move one of them")
