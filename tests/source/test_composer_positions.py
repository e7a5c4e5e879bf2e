"""Where keys and values stand."""

from __future__ import annotations

from cardgen.diagnostic import Span
from cardgen.source import KeyPath, parse_document

DECK = """\
# a deck
kind: minion
cards:
  - name: "Wächter 🗡" # quoted
    stats: {M: 2, B: 3}
    text: |
      First.
      Second.

    tags:
    - a
    - b
    note:
  - name: Brute
    weapons:
      - Dagger: CW R1
        range:
          12
      - [1,
         2]
empty: {}
"""
DOCUMENT = parse_document(DECK, "cards/deck.yaml")


def marked(route: KeyPath, *, key: bool = False) -> str:
    """'LINE:COLUMN text' of what the place covers, up to the end of its line."""
    place = DOCUMENT.place(route, key=key)
    span = place.span
    assert span is not None
    end = span.end_column - 1 if span.end_line == span.line else None
    return f"{span.line}:{span.column} {place.source_line[span.column - 1 : end]}"


def test_values() -> None:
    assert marked(("kind",)) == "2:7 minion"
    assert marked(("cards", 0, "name")) == '4:11 "Wächter 🗡"'
    assert marked(("cards", 0, "stats", "B")) == "5:22 3"
    assert marked(("cards", 1, "weapons", 0, "range")) == "18:11 12"


def test_keys() -> None:
    assert marked(("kind",), key=True) == "2:1 kind"
    assert marked(("cards", 0, "stats", "B"), key=True) == "5:19 B"
    assert marked(("cards", 0, "tags", 1), key=True) == "12:7 b"


def test_maps_and_lists_in_brackets_are_covered_whole() -> None:
    assert marked(("cards", 0, "stats")) == "5:12 {M: 2, B: 3}"
    assert marked(("empty",)) == "21:8 {}"
    assert DOCUMENT.place(("cards", 1, "weapons", 1)).span == Span(19, 9, 20, 12)


def test_indented_maps_and_lists_are_shown_by_their_first_line() -> None:
    assert marked(()) == "2:1 kind: minion"
    assert marked(("cards", 0)) == '4:5 name: "Wächter 🗡"'
    assert marked(("cards",)) == '4:3 - name: "Wächter 🗡"'
    assert marked(("cards", 0, "tags")) == "11:5 - a"
    assert marked(("cards", 1, "weapons", 0)) == "16:9 Dagger: CW R1"


def test_a_text_below_its_key_ends_without_the_blank_lines() -> None:
    assert DOCUMENT.place(("cards", 0, "text")).span == Span(6, 11, 8, 14)


def test_a_value_that_is_left_out_stands_behind_its_colon() -> None:
    assert marked(("cards", 0, "note")) == "13:10 "


def test_a_route_that_leads_nowhere_ends_at_what_it_reached() -> None:
    card = marked(("cards", 1))
    assert marked(("cards", 1, "stats", "M")) == card
    assert marked(("cards", 1, "stats", "M"), key=True) == card
    assert marked(("cards", 9)) == marked(("cards",))
    assert marked(("cards", -1)) == marked(("cards",))
    assert marked(("cards", "name")) == marked(("cards",))
    assert marked((0,)) == marked(())
    assert marked(("kind", "x")) == "2:7 minion"


def test_the_place_of_a_file_without_data() -> None:
    place = parse_document("", "f").place(("a",))
    assert (place.file, place.span, place.source_line) == ("f", None, "")


def test_columns_count_characters_not_bytes() -> None:
    assert str(parse_document("ä🗡: [é, {x: NO}]", "f").diagnostics[0].place) == "f:1:13"


def test_a_very_long_line_is_not_copied() -> None:
    document = parse_document(f"a: [{'x, ' * 500}NO]", "f")
    assert document.diagnostics[0].place.source_line == ""


def test_comments_outside_values_are_found() -> None:
    text = "# top\na: |  # head\n  # not\n  x\n\n#below \nb: '# no' # yes\n'# k': a#b\nd:\n- [1, # in\n 2]\n"
    text += 'e: |-\nf: "\n # no\n"\n  # end'
    comments = parse_document(text, "f").comments()
    assert [(comment.line, comment.text) for comment in comments] == [
        (1, "top"), (2, "head"), (6, "below"), (7, "yes"), (10, "in"), (16, "end"),
    ]  # fmt: skip


def test_a_file_of_comments_and_one_without() -> None:
    assert [comment.text for comment in parse_document("# a\n#\n", "f").comments()] == ["a", ""]
    assert parse_document("a: 1", "f").comments() == ()
