from __future__ import annotations

import pytest

from cardgen.diagnostic import (
    LONGEST_LINE,
    CardgenError,
    Diagnostic,
    Place,
    Severity,
    Span,
    escape_lines,
    format_diagnostic,
    format_group,
    format_headline,
    group_alike,
    stop_on_errors,
)

PLACE = Place("cards/a.yaml", Span(3, 9, 3, 12), "  mind: NO1 # x")
ERROR = Diagnostic("CG104", "too much", PLACE, help="take less")
WARNING = Diagnostic("CG201", "hm", Place("cards/b.yaml"), severity=Severity.WARNING)


def test_a_diagnostic_is_one_line() -> None:
    assert str(ERROR) == "cards/a.yaml:3:9: error[CG104]: too much"
    assert str(WARNING) == "cards/b.yaml: warning[CG201]: hm"


def test_the_full_form_shows_the_line_and_a_caret() -> None:
    assert format_diagnostic(ERROR).split("\n") == [
        "cards/a.yaml:3:9: error[CG104]: too much",
        "   |",
        " 3 |   mind: NO1 # x",
        "   |         ^^^",
        "  help: take less",
    ]


def test_related_places_follow() -> None:
    place = Place("cards/b.yaml", Span(12, 2, 13, 4), "\tname: x")
    diagnostic = Diagnostic("CG114", "twice", Place("f"), related=((place, "first defined here"),))
    assert format_diagnostic(diagnostic).split("\n") == [
        "f: error[CG114]: twice",
        "  cards/b.yaml:12:2: first defined here",
        "    |",
        " 12 | \tname: x",
        "    | \t^^^^^^^",
    ]


def test_an_empty_place_still_has_a_caret() -> None:
    place = Place("f", Span(1, 6, 1, 6), "name:")
    assert format_diagnostic(Diagnostic("CG103", "empty", place)).endswith(" 1 | name:\n   |      ^")


def test_diagnostics_are_sorted_by_file_place_and_code() -> None:
    later = Diagnostic("CG101", "x", Place("cards/a.yaml", Span(10, 1, 10, 2)))
    whole = Diagnostic("CG101", "x", Place("cards/a.yaml"))
    error = CardgenError(WARNING, later, ERROR, whole)
    assert error.diagnostics == (whole, ERROR, later, WARNING)
    assert str(error).split("\n")[0] == "cards/a.yaml: error[CG101]: x"


def test_only_errors_stop() -> None:
    stop_on_errors([])
    stop_on_errors([WARNING])
    with pytest.raises(CardgenError) as caught:
        stop_on_errors([WARNING, ERROR])
    assert caught.value.diagnostics == (ERROR, WARNING)


def test_a_long_line_is_clipped_around_the_place() -> None:
    text = "text: " + "x" * 500 + " Strength " + "y" * 500
    start = text.index("Strength") + 1
    lines = format_diagnostic(Diagnostic("CG204", "odd", Place("f", Span(1, start, 1, start + 8), text))).split("\n")
    source, carets = lines[2].removeprefix(" 1 | "), lines[3].removeprefix("   | ")
    assert len(source) == LONGEST_LINE + 2
    assert source[0] == source[-1] == "…"
    assert source[carets.index("^") : carets.rindex("^") + 1] == "Strength"


def test_a_place_as_long_as_its_line_is_clipped_too() -> None:
    text = "text: " + "x" * 900
    lines = format_diagnostic(Diagnostic("CG301", "odd", Place("f", Span(1, 7, 1, 907), text))).split("\n")
    assert lines[2] == " 1 | " + text[:LONGEST_LINE] + "…"
    assert lines[3].count("^") == LONGEST_LINE - 6


def test_lines_keep_their_ends() -> None:
    assert escape_lines("a\u202e\r\nb\u2028\n") == "a\\u202e\\r\nb\\u2028\n"


def _cell(name: str, row: int, message: str) -> Diagnostic:
    return Diagnostic("CG103", message, Place("a.xlsx", Span(row, 1, row, 2), "", f"Heroes:{name}{row}"))


def test_mistakes_of_one_kind_in_a_column_are_one_finding_with_its_cells() -> None:
    rows = (2, 4, 5, 6, 9)
    wrong = [_cell("C", row, f"must be a whole number, not '{row}x'") for row in rows]
    others = [_cell("D", 2, "must be a whole number, not 'x'"), _cell("C", 3, "must be between 1 and 5, not 9")]
    first, *rest = group_alike([*wrong, *others], lambda each: each)
    assert [group.other_places for group in rest] == [(), ()]
    assert (first.cells, first.also) == ("C4:C6, C9", "also C4:C6, C9")
    assert format_group(first.finding, first, lists_all="--show-all").splitlines() == [
        "a.xlsx!Heroes:C2: error[CG103]: must be a whole number, not '2x'",
        "  also in C4:C6, C9",
    ]


def test_texts_of_different_cards_in_a_column_are_wrong_in_one_way() -> None:
    wrong = [_cell("H", row, f"'text' of 'Card {row}' contains the unknown icon 'swords'") for row in range(2, 8)]
    other = _cell("H", 9, "'text' of 'Card 9' contains the unknown icon 'spears'")
    assert [group.cells for group in group_alike([*wrong, other], lambda each: each)] == ["H3:H7", ""]


def test_values_in_lines_of_text_are_different_findings() -> None:
    place = [Place("a.yaml", Span(row, 1, row, 2)) for row in range(1, 9)]
    lines = [Diagnostic("CG103", f"must be a whole number, not 'x{each}'", each) for each in place]
    assert len(group_alike(lines, lambda each: each)) == 8


def test_a_message_that_quotes_a_whole_file_is_cut() -> None:
    one = Diagnostic("CG001", f"no card is '{'x' * 100_000}'", Place("f"), help="y" * 100_000)
    assert len(format_diagnostic(one)) < 10_000
    assert format_diagnostic(one).count("…") == 2
    assert len(format_headline(one)) < 5_000
