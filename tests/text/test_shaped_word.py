from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.text.fonts import Font
from cardgen.text.shaped_word import SPACES, missing_characters, normalize, shape_word, shape_words
from tests.cases import each_case
from tests.text.typesetting import FONTS

SERIF = FONTS.font("EB Garamond")


def test_kerning_makes_av_narrower_than_its_letters() -> None:
    pair = sum(shape_word(SERIF, "AV").advances)
    alone = sum(sum(shape_word(SERIF, letter).advances) for letter in "AV")
    assert pair < alone - 50


def test_advances_are_thousandths_of_the_size() -> None:
    outline = SERIF.face.outline("n")
    assert outline is not None
    assert list(shape_word(SERIF, "n").advances) == pytest.approx([outline[1] * 1000])


@each_case("family", FONTS.families)
@each_case("word", ["office", "fjord", "Th", "ct", "Quick", "--"])
def test_no_ligature_swallows_a_letter(family: str, word: str) -> None:
    advances = shape_word(FONTS.font(family), word).advances
    assert len(advances) == len(word)
    assert min(advances) > 0


def test_a_combining_mark_is_composed_and_one_without_a_composed_form_takes_no_room() -> None:
    assert normalize("e\u0301") == "é"
    assert list(shape_word(SERIF, "q\u0301").advances) == [*shape_word(SERIF, "q").advances, 0.0]


def lacking(font: Font, text: str) -> str:
    shape_words(font, text)
    return missing_characters(font, text)


def test_characters_beyond_the_font_are_named_once() -> None:
    assert lacking(SERIF, "a漢b漢 漢 😀") == "漢😀"
    assert lacking(SERIF, "\x07") == "\x07"
    assert lacking(SERIF, "abc") == lacking(FONTS.font("Noto Sans JP"), "漢") == ""


def test_spaces_need_no_glyph() -> None:
    assert all(not lacking(FONTS.font(family), SPACES) for family in FONTS.families)


@given(st.text(alphabet="AVTo.é 漢1", max_size=20))
def test_there_is_an_advance_for_each_character(text: str) -> None:
    assert sum(len(word.advances) for word in shape_words(SERIF, text)) == len(text)


def test_a_word_is_shaped_once() -> None:
    shape_word.cache_clear()
    shape_words(SERIF, "on and on and on")
    assert shape_word.cache_info().misses == 3
