from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.text.lines import parse_markup
from cardgen.text.shaped_row import (
    ICON_PLACEHOLDER,
    ShapedRow,
    built_in_icons,
    missing_in_rows,
    shape_paragraph,
    shape_text,
    unknown_in_rows,
)
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
    assert together.advances == shape_text(FONTS.font("Source Sans 3"), "AV")
    assert [*apart.advances] == [
        *shape_text(FONTS.font("Source Sans 3", bold=True), "A"),
        *shape_text(FONTS.font("Source Sans 3"), "V"),
    ]
    assert [*shape_text(FONTS.font("Source Sans 3"), "A")] != [*together.advances[:1]]


def test_what_is_missing_is_gathered_over_paragraphs() -> None:
    found = rows("漢{b-b} 漢{a-a}\n\n字漢{b-b}")
    assert missing_in_rows(found) == "漢字"
    assert unknown_in_rows(found) == ("b-b", "a-a")
