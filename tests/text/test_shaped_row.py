from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.text.lines import ICON_PLACEHOLDER, parse_markup
from cardgen.text.shaped_row import (
    ShapedRow,
    built_in_icons,
    missing_in_rows,
    shape_paragraph,
    unknown_in_rows,
)
from cardgen.text.shaped_word import shape_word
from tests.text.typesetting import FONTS, SANS

MARKUP = st.lists(
    st.sampled_from(["a", " ", "AV", "**b**", "*c*", "{heart}", "{hearth}", "漢", "\u00ad", "\u2009"])
).map("".join)


def rows(markup: str, tracking: float = 0.0) -> list[ShapedRow]:
    style = SANS._replace(tracking=tracking)
    return [shape_paragraph(paragraph, style, FONTS, built_in_icons()) for paragraph in parse_markup(markup)]


@given(MARKUP, st.sampled_from([0.0, 0.1]))
def test_there_is_a_number_for_each_character_and_a_look_for_each_stretch(markup: str, tracking: float) -> None:
    for row in rows(markup, tracking):
        assert len(row.text) == len(row.source) == len(row.advances) == len(row.pen_positions) - 1
        assert row.pen_positions[-1] == pytest.approx(sum(row.advances))
        starts = [stretch.start for stretch in row.styled_runs]
        assert [*starts, len(row.text)] == [0, *(stretch.stop for stretch in row.styled_runs)]
        assert all(
            (stretch.outline is not None) == (row.text[stretch.start] == ICON_PLACEHOLDER)
            for stretch in row.styled_runs
        )
        for character in range(len(row.text)):
            stretch = row.styled_runs[row.run_index_at(character)]
            assert stretch.start <= character < stretch.stop


def test_tracking_is_added_to_letters_and_icons() -> None:
    (plain,), (tracked,) = rows("a{heart} b"), rows("a{heart} b", 0.1)
    assert [b - a for a, b in zip(plain.advances, tracked.advances, strict=True)] == pytest.approx([100] * 4)


def test_letters_kern_within_a_look_only() -> None:
    (together,), (apart,) = rows("AV"), rows("**A**V")
    assert together.advances == shape_word(FONTS.font("Source Sans 3"), "AV").advances
    assert [*apart.advances] == [
        *shape_word(FONTS.font("Source Sans 3", bold=True), "A").advances,
        *shape_word(FONTS.font("Source Sans 3"), "V").advances,
    ]
    assert [*shape_word(FONTS.font("Source Sans 3"), "A").advances] != [*together.advances[:1]]


def test_what_is_missing_is_gathered_over_paragraphs() -> None:
    found = rows("𓀀{b-b} 𓀀{a-a}\n\n𓀁𓀀{b-b}")
    assert missing_in_rows(found) == "𓀀𓀁"
    assert unknown_in_rows(found) == ("b-b", "a-a")


def stretches(markup: str) -> list[tuple[str, str]]:
    (row,) = rows(markup)
    return [(row.text[each.start : each.stop], each.font.key) for each in row.styled_runs]


def test_a_character_that_the_font_lacks_is_set_in_one_that_has_it() -> None:
    sans, japanese = "SourceSans3-Regular", "NotoSansJP-Regular"
    assert stretches("a → b") == [("a → b", sans)]
    assert stretches("a ★ b") == [("a ", sans), ("★", japanese), (" b", sans)]
    assert stretches("**2★**") == [("2", "SourceSans3-Bold"), ("★", "NotoSansJP-Bold")]
    (row,) = rows("a ★★ b")
    assert row.advances[2] == row.advances[3] == shape_word(FONTS.font("Noto Sans JP"), "★").advances[0]
    assert row.missing == ""


def test_marks_stay_with_their_letter_and_selectors_vanish() -> None:
    assert stretches("q\u0308★\ufe0f") == [("q\u0308", "SourceSans3-Regular"), ("★", "NotoSansJP-Regular")]


def test_what_no_font_has_is_missing() -> None:
    (row,) = rows("a 𓀀★ b")
    assert row.missing == "𓀀"
    assert missing_in_rows([row]) == "𓀀"
