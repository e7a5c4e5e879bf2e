from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from text.typeset import FONTS, SANS

from cardgen.text.icons import built_in
from cardgen.text.markup import parse
from cardgen.text.measuring import ICON, Row, measure, missing_in, unknown_in
from cardgen.text.shaping import shape

MARKUP = st.lists(
    st.sampled_from(["a", " ", "AV", "**b**", "*c*", "{heart}", "{hearth}", "漢", "\u00ad", "\u2009"])
).map("".join)


def rows(markup: str, tracking: float = 0.0) -> list[Row]:
    style = SANS._replace(tracking=tracking)
    return [measure(paragraph, style, FONTS, built_in()) for paragraph in parse(markup)]


@given(MARKUP, st.sampled_from([0.0, 0.1]))
def test_there_is_a_number_for_each_character_and_a_look_for_each_stretch(markup: str, tracking: float) -> None:
    for row in rows(markup, tracking):
        assert len(row.text) == len(row.source) == len(row.advances) == len(row.pen) - 1
        assert row.pen[-1] == pytest.approx(sum(row.advances))
        starts = [stretch.start for stretch in row.stretches]
        assert [*starts, len(row.text)] == [0, *(stretch.stop for stretch in row.stretches)]
        assert all((stretch.outline is not None) == (row.text[stretch.start] == ICON) for stretch in row.stretches)
        for character in range(len(row.text)):
            stretch = row.stretches[row.stretch_at(character)]
            assert stretch.start <= character < stretch.stop


def test_tracking_is_added_to_letters_and_icons() -> None:
    (plain,), (tracked,) = rows("a{heart} b"), rows("a{heart} b", 0.1)
    assert [b - a for a, b in zip(plain.advances, tracked.advances, strict=True)] == pytest.approx([100] * 4)


def test_letters_kern_within_a_look_only() -> None:
    (together,), (apart,) = rows("AV"), rows("A*V*")
    assert together.advances == shape(FONTS.font("Source Sans 3"), "AV")
    assert together.pen[1] < apart.pen[1]


def test_what_is_missing_is_gathered_over_paragraphs() -> None:
    found = rows("漢{b-b} 漢{a-a}\n\n字漢{b-b}")
    assert missing_in(found) == "漢字"
    assert unknown_in(found) == ("b-b", "a-a")
