from __future__ import annotations

import pytest

from cardgen.reference.document_tree import Callout, ItemList, Section, Table, TextBlock, walk_blocks
from cardgen.text.lines import Icon, Phrase
from tests.cases import each_case
from tests.reference.sheets import document, problems, said

HEAD = "title: Test\nsections:\n  - section: Turn\n    content:\n"


def section(content: str) -> Section:
    return document(HEAD + content).sections[0]


def test_text_steps_and_points() -> None:
    found = section('      - "Do this:"\n      - steps: [Roll., {text: Pick one., points: [A, B]}]\n')
    intro, steps = found.blocks
    assert isinstance(intro, TextBlock)
    assert isinstance(steps, ItemList)
    assert steps.numbered
    (pick, points) = steps.items[1]
    assert isinstance(pick, TextBlock)
    assert isinstance(points, ItemList)
    assert (pick.text.plain_text, points.numbered, len(points.items)) == ("Pick one.", False, 2)


def test_marks_and_icons_are_read() -> None:
    (passage,) = section("      - Roll **one** {dice} now.\n").blocks
    assert isinstance(passage, TextBlock)
    assert passage.text.paragraphs == (
        (Phrase("Roll "), Phrase("one", bold=True), Phrase(" "), Icon("dice"), Phrase(" now.")),
    )


def test_a_quote_is_filled_in_with_the_marks_around_it() -> None:
    (passage,) = section("      - "
                         "'*After <number turns> turns*'\n").blocks  # fmt: skip
    assert isinstance(passage, TextBlock)
    assert [part for part in passage.text.paragraphs[0] if isinstance(part, Phrase) and part.bold] == [
        Phrase("5", bold=True, italic=True)
    ]


def test_a_cross_reference_takes_the_title_and_leads_there() -> None:
    found = document(f"{HEAD}      - See <see the-end>.\n  - section: The End\n    content: [Over.]\n")
    (passage,) = found.sections[0].blocks
    assert isinstance(passage, TextBlock)
    assert Phrase("The End", italic=True, link="the-end") in passage.text.paragraphs[0]


def test_a_plain_angle_bracket_is_no_quote() -> None:
    (passage,) = section("      - 2 < 3 and 4 > 3\n").blocks
    assert isinstance(passage, TextBlock)
    assert passage.text.plain_text == "2 < 3 and 4 > 3"


def test_short_columns_of_a_table_stand_in_the_middle() -> None:
    (table,) = section("      - table: {head: [Name, M, Text], rows: [[Brute, 2, Hits hard.]]}\n").blocks
    assert isinstance(table, Table)
    assert table.align == ("left", "center", "left")


def test_an_example_has_the_numbers_of_the_referee() -> None:
    example = "      - example: {text: It hits <hits>., with: {attacker: a}, dice: [3, 4]}\n"
    (callout,) = section(example).blocks
    assert isinstance(callout, Callout)
    text, told = callout.blocks
    assert isinstance(text, TextBlock)
    assert isinstance(told, ItemList)
    assert text.text.plain_text == "It hits 1 in 2 (50 %)."
    assert len(told.items) == 2


def test_the_game_shows_what_is_asked_for() -> None:
    blocks = tuple(walk_blocks(document(HEAD + "      - {show: again, with: {times: 2}}\n")))
    assert len(blocks) == 2
    assert all(isinstance(block, TextBlock) and block.text.place is not None for block in blocks)


def test_a_section_that_shows_nothing_is_left_out() -> None:
    found = document(f"{HEAD}      - {{show: nothing}}\n  - section: End\n    content: [Over.]\n")
    assert [each.id for each in found.sections] == ["end"]


def test_a_sheet_for_a_list_bears_its_name() -> None:
    assert document(HEAD + "      - Go.\n", "The Ashen Oath").title == "The Ashen Oath"


@each_case(
    ("content", "message"),
    [
        ("See <see trun>.", "sheet.yaml:5:13: error[CG602]: unknown section 'trun'; did you mean 'turn'?"),
        ("<nubmer turns>", "sheet.yaml:5:9: error[CG604]: unknown quote 'nubmer'; "
                           "did you mean 'number'?"),
        ("<number tuns>", "sheet.yaml:5:9: error[CG604]: unknown number 'tuns'; did you mean 'turns'?"),
        ("Roll [it]{.undreline}", "sheet.yaml:5:9: error[CG604]: unknown span 'undreline'; did you mean 'underline'?"),
        ("Roll {dcie}", "sheet.yaml:5:9: error[CG604]: unknown icon 'dcie'; did you mean 'dice'?"),
        ("{show: agian}", "sheet.yaml:5:16: error[CG603]: unknown content 'agian'; "
                          "did you mean 'again'?"),
        ("{show: again, with: {tiems: 2}}", "sheet.yaml:5:30: error[CG101]: unknown key 'tiems'; "
                                             "did you mean 'times'?"),
        ("{show: again, with: {times: 0}}", "sheet.yaml:5:37: error[CG104]: 'times' must be at least 1, not 0"),
        ("{show: again, with: {times: 9}}", "sheet.yaml:5:37: error[CG604]: nobody counts so far"),
        ("{tabel: 3}", "sheet.yaml:5:10: error[CG101]: unknown key 'tabel'; did you mean 'table'?"),
        ("{table: {head: [A, B], rows: [[a]]}}", "sheet.yaml:5:39: error[CG605]: row 1 must have 2 cells, "
                                                 "not 1"),
        ("{table: {head: [A, B], rows: [[a,]]}}", "sheet.yaml:5:39: error[CG605]: row 1 must have 2 cells, "
                                                   "not 1"),
        ("{table: {head: [A, B], rows: [[a, null]]}}", "sheet.yaml:5:43: error[CG605]: cell 2 of row 1 is missing"),
        ("{table: {head: [A], rows: [[a]], align: [left, left]}}", "sheet.yaml:5:49: error[CG605]: 'align' must have "
                                                                   "1 value, one for each column, not 2"),
        ("{example: {text: x, trial: atack, with: {}}}", "sheet.yaml:5:36: error[CG607]: unknown trial 'atack'; "
                                                         "did you mean 'attack'?"),
        ("{note: a, points: [b]}", "sheet.yaml:5:9: error[CG107]: must have text or exactly one of steps, points, "
                                   "table, note, example, and show"),
        ("{text: a, with: {}}", "sheet.yaml:5:25: error[CG107]: 'with' is only allowed with "
                                "'show'"),
    ],
)  # fmt: skip
def test_what_is_wrong_has_a_place(content: str, message: str) -> None:
    assert said(f"{HEAD}      - {content}\n") == [message]


def test_everything_that_is_wrong_is_told_at_once() -> None:
    assert len(problems(f"{HEAD}      - <see a> and more\n      - {{show: b}}\n      - '{{ccc}}'\n")) == 3


def test_two_sections_of_one_name_are_told_with_both_places() -> None:
    (problem,) = problems(f"{HEAD}      - a\n  - section: Turn\n    content: [b]\n")
    assert str(problem) == "sheet.yaml:6:14: error[CG606]: duplicate id 'turn'"
    assert [str(place) for place, _ in problem.related] == ["sheet.yaml:3:14"]


@pytest.mark.parametrize("lines", ["    id: My Turn\n    content: [a]\n", "    content: [{id: My Rule, text: a}]\n"])
def test_an_id_of_another_form_is_told_the_form(lines: str) -> None:
    (problem,) = problems(f"title: T\nsections:\n  - section: Turn\n{lines}")
    assert problem.help == "write lowercase letters and digits, separated by single hyphens"


def test_a_file_that_is_no_sheet() -> None:
    assert said("- a\n- b\n") == ["sheet.yaml:1:1: error[CG601]: a sheet must be a map, not a list"]
    assert said("title: A\n") == ["sheet.yaml:1:1: error[CG102]: missing key 'sections'"]


def test_bodies_too_small_to_read_are_refused() -> None:
    (message,) = said("title: A\nbody: [7, 9]\nsections: [{section: B, content: [c]}]\n")
    assert message == "sheet.yaml:2:8: error[CG104]: item 1 of 'body' must be at least 7.5, not 7"
