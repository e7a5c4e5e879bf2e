from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.text.copyfitting import set_line, set_text, text_height
from cardgen.text.lines import Align, IconGlyph, Line, Run, SpanLook, Style, TypesetText, Valign, to_plain_text
from cardgen.units import MM_PER_POINT, Box
from tests.text.typesetting import FONTS, SANS, SERIF, baselines, line_width, picture, texts

TEXT = (
    "Once a turn, when this miniature is attacked with a **ranged weapon** from more than 12 cm away, the attacker "
    "takes -1 Mind for that attack. If the attack fails, this miniature may at once make a free *Move* of up to 5 cm."
)
WORDS = st.lists(
    st.sampled_from(
        [
            *["a", "Mind", "miniature", "12", "cm", "+1", "**bold**", "*it*", "{heart}", "Servo-Skull", "é"],
            "\n\n",
            "\n-",
            "[line d]{.underline}",
        ]
    ),
    min_size=1,
    max_size=40,
).map(" ".join)
BOXES = st.builds(Box, st.just(4.0), st.just(7.0), st.floats(6, 60), st.floats(3, 40))
STYLES = st.builds(
    lambda **given: Style(**given),  # of a named tuple Hypothesis would draw the other fields too
    family=st.sampled_from(["EB Garamond", "Source Sans 3", "Mukta"]),
    size=st.floats(6, 12).map(lambda size: round(size, 2)),
    bold=st.booleans(),
    tracking=st.sampled_from([0.0, 0.05]),
    caps=st.booleans(),
)
ALIGNS = st.sampled_from(["left", "center", "right", "justify"])
VALIGNS = st.sampled_from(["top", "middle", "bottom"])


def letters(text: str) -> str:
    return "".join(text.replace("-", "").replace("\u00ad", "").split())


def drawn(setting: TypesetText) -> str:
    return letters("".join(texts(setting)))


def icons_in(setting: TypesetText) -> int:
    return sum(is_icon(piece) for line in setting.lines for piece in line.pieces)


def is_icon(piece: Run | IconGlyph) -> bool:
    return isinstance(piece, IconGlyph) and bool(piece.name)


@given(WORDS, BOXES, STYLES, ALIGNS, VALIGNS)
def test_nothing_is_lost_and_what_fits_stands_inside(
    markup: str, box: Box, style: Style, align: Align, valign: Valign
) -> None:
    setting = set_text(markup, box, style, FONTS, min_size=5.5, align=align, valign=valign)
    wanted = letters(to_plain_text(markup.replace("{heart}", "\u00ad")))
    assert drawn(setting) == (wanted.upper() if style.caps else wanted)
    assert icons_in(setting) == markup.count("{heart}")
    fit = setting.fit
    assert min(5.5, style.size) <= fit.size <= style.size
    assert (fit.excess == 0) == (fit.fill <= 1) == fit.ok
    for line in setting.lines:
        assert line_width(line) <= box.width + 1e-3 or (fit.excess and len(line.text) <= 1)
    if fit.ok:
        em = fit.size * MM_PER_POINT
        for line, baseline in zip(setting.lines, baselines(setting), strict=True):
            assert box.x - 1e-3 <= line.pieces[0].x
            assert line.pieces[-1].x + line.pieces[-1].width <= box.x + box.width + 0.1 * em
            assert box.y < baseline < box.y + box.height


@given(WORDS, BOXES, STYLES)
def test_runs_follow_each_other_and_are_as_wide_as_their_advances(markup: str, box: Box, style: Style) -> None:
    for line in set_text(markup, box, style, FONTS, min_size=6).lines:
        pen = line.pieces[0].x
        for piece in (each for each in line.pieces if isinstance(each, Run) or is_icon(each)):
            assert piece.x >= pen - 1e-6
            if isinstance(piece, Run):
                assert len(piece.text) == len(piece.advances)
                assert piece.width == pytest.approx(sum(piece.advances) * piece.size * MM_PER_POINT / 1000, abs=1e-9)
            pen = piece.x + piece.width


@given(st.lists(st.sampled_from(["a", "Mind", "miniature", "12 cm"]), min_size=2, max_size=60), BOXES)
def test_fill_and_excess_grow_with_the_text(words: list[str], box: Box) -> None:
    settings = [
        set_text(" ".join(words[:count]), box, SERIF, FONTS, min_size=9, hyphenate=False).fit
        for count in (len(words) // 2, len(words))
    ]
    assert settings[0].fill <= settings[1].fill + 1e-9
    assert settings[0].excess <= settings[1].excess


@given(WORDS, BOXES, STYLES)
def test_a_fitted_size_fits_and_so_does_each_smaller_one(markup: str, box: Box, style: Style) -> None:
    size = set_text(markup, box, style, FONTS, min_size=5).fit.size
    fit = set_text(markup, box, style._replace(size=size), FONTS, min_size=size).fit
    assert fit.size == size
    if fit.ok and size > 5.5:
        smaller = style._replace(size=size - 0.5)
        assert set_text(markup, box, smaller, FONTS, min_size=smaller.size).fit.ok


def test_a_text_that_fits_keeps_its_size_and_leading() -> None:
    setting = set_text(TEXT, Box(0, 0, 55, 30), SERIF, FONTS, min_size=7, field="text")
    assert (setting.fit.size, setting.fit.field, setting.fit.ok) == (9, "text", True)
    lines = baselines(setting)
    assert lines[1] - lines[0] == pytest.approx(9 * MM_PER_POINT * 1.2)
    assert 0.6 < setting.fit.fill < 0.8


def test_leading_is_tightened_before_the_size_shrinks() -> None:
    loose = set_text(TEXT, Box(0, 0, 55, 100), SERIF, FONTS, min_size=7)
    needed = loose.fit.fill * 100
    tight = set_text(TEXT, Box(0, 0, 55, needed - 1), SERIF, FONTS, min_size=7)
    smaller = set_text(TEXT, Box(0, 0, 55, needed - 3), SERIF, FONTS, min_size=7)
    assert (loose.fit.size, tight.fit.size) == (9, 9)
    assert tight.fit.fill == pytest.approx(1)
    assert texts(tight) == texts(loose)
    assert 7 <= smaller.fit.size < 9
    assert smaller.fit.size % 0.25 == 0


def test_a_narrow_box_hyphenates_at_last() -> None:
    box, text = Box(0, 0, 13, 20), "the antidisestablishmentarianism"
    assert "-" in "".join(texts(set_text(text, box, SANS, FONTS, min_size=8)))
    whole = set_text(text, box, SANS, FONTS, min_size=8, hyphenate=False)
    assert whole.fit.excess == sum(map(len, texts(whole)[2:]))
    assert whole.fit.fill > 1
    assert set_text("miniature", box, SANS, FONTS, min_size=7).fit.ok


@pytest.mark.parametrize("text", ["Das Rindfleischetikettierungsgesetz ist nicht zu hoch", "Rindfleischetikettierung"])
def test_other_languages_are_not_hyphenated_as_if_they_were_english(text: str) -> None:
    box = Box(0, 0, 22, 30)
    assert "-" not in "".join(texts(set_text(text, box, SANS, FONTS, min_size=8)))
    assert "-" in "".join(texts(set_text(text, box, SANS._replace(language="de"), FONTS, min_size=8)))


def test_a_line_break_ends_a_line_but_no_paragraph() -> None:
    style = SANS._replace(paragraph_gap=1.0)
    lines = set_text("one\\\n**two**\n\nthree", Box(0, 0, 50, 50), style, FONTS, min_size=7)
    assert texts(lines) == ["one", "two", "three"]
    first, second, third = baselines(lines)
    em = style.size * MM_PER_POINT
    assert second - first == pytest.approx(style.leading * em)
    assert third - second == pytest.approx((style.leading + 1.0) * em)
    assert lines.fit.fill == pytest.approx(
        set_text("one two\n\nthree", Box(0, 0, 8, 50), style, FONTS, min_size=7).fit.fill
    )


def test_lines_that_an_author_ends_are_not_justified() -> None:
    lines = set_text("a b\\\na longer line of words", Box(0, 0, 40, 50), SANS, FONTS, min_size=7, align="justify").lines
    (run,) = lines[0].pieces
    assert isinstance(run, Run)
    assert run.width < 10


def test_hyphens_let_a_text_stay_large() -> None:
    setting = set_text(
        "penetration penetration", Box(0, 0, 10, 20), SANS._replace(language="en-GB"), FONTS, min_size=7.5
    )
    assert setting.fit.size == 9
    assert all(text.endswith("-") for text in texts(setting)[:1])


def test_bold_terms_are_divided_only_where_nothing_else_helps() -> None:
    text = (
        "this miniature has +1 **Penetration** against neighbouring opponents until the situation of the battle is "
        "resolved by its **Wounds**"
    )
    for term, divided in (
        (text, ["neighbouring opponents un-"]),
        (text.replace("**", ""), ["etration against neigh-"]),
    ):
        setting = set_text(term, Box(0, 0, 34, 16), SANS, FONTS, min_size=8)
        assert setting.fit.ok
        assert [each for each in texts(setting) if each.endswith("-")][-1:] == divided
    alone = set_text("the **antidisestablishmentarianism**", Box(0, 0, 13, 20), SANS, FONTS, min_size=8)
    assert any(each.endswith("-") for each in texts(alone))


def test_too_much_text_is_set_beyond_the_box_and_counted() -> None:
    box = Box(0, 0, 40, 10)
    setting = set_text(TEXT, box, SERIF, FONTS, min_size=7)
    assert setting.fit.size == 7
    assert setting.fit.fill > 1
    assert drawn(setting) == letters(to_plain_text(TEXT))
    descent = FONTS.font("EB Garamond").descent * 7 * MM_PER_POINT
    outside = [line.text for line, y in zip(setting.lines, baselines(setting), strict=True) if y + descent > 10]
    assert outside
    assert setting.fit.excess == sum(map(len, outside))


def test_excess_is_about_what_must_be_cut() -> None:
    box = Box(0, 0, 40, 12)
    excess = set_text(TEXT, box, SERIF, FONTS, min_size=7).fit.excess
    shorter = to_plain_text(TEXT)[: -excess - 8]
    assert set_text(shorter, box, SERIF, FONTS, min_size=7).fit.ok


PICTURES: dict[tuple[Align, Valign], str] = {
    ("left", "top"): """
+------------+
|##########  |
|########### |
|######      |
|            |
+------------+""",
    ("center", "middle"): """
+------------+
|            |
| ########## |
|  ########  |
| ########## |
+------------+""",
    ("right", "bottom"): """
+------------+
|            |
|  ##########|
| ###########|
|      ######|
+------------+""",
    ("justify", "top"): """
+------------+
|############|
|############|
|######      |
|            |
+------------+""",
}


@pytest.mark.parametrize(("align", "valign"), PICTURES)
def test_where_lines_stand(align: Align, valign: Valign) -> None:
    box = Box(10, 20, 24, 15.24)
    markup = "When the wind blows over these high hills"
    setting = set_text(markup, box, SANS, FONTS, min_size=9, align=align, valign=valign)
    assert picture(setting, box, cell=(2, 3.81)) == PICTURES[align, valign].strip()


def test_a_short_justified_line_is_not_torn_open() -> None:
    box = Box(0, 0, 30, 20)
    setting = set_text("a b ccccccccccccccccccc d", box, SANS, FONTS, min_size=7, align="justify")
    assert texts(setting) == ["a b", "ccccccccccccccccccc d"]
    assert line_width(setting.lines[0]) < 6


def test_in_the_middle_capitals_and_baselines_are_as_far_from_the_edges() -> None:
    cap_height = FONTS.font("EB Garamond").cap_height * 9 * MM_PER_POINT
    for markup in ("Mind", "Mind\n\nBody"):
        lines = baselines(set_text(markup, Box(0, 5, 20, 12), SERIF, FONTS, min_size=9, valign="middle"))
        assert lines[0] - cap_height - 5 == pytest.approx(17 - lines[-1])


def test_in_the_middle_of_little_room_the_depth_of_letters_stays_inside() -> None:
    font, em = FONTS.font("EB Garamond"), 9 * MM_PER_POINT
    needed = (font.ascent + font.descent) * em
    (baseline,) = baselines(set_text("dip", Box(0, 5, 20, needed + 0.1), SERIF, FONTS, min_size=9, valign="middle"))
    assert baseline == pytest.approx(5 + font.ascent * em + 0.1)
    (baseline,) = baselines(set_text("dip", Box(0, 5, 20, needed + 1), SERIF, FONTS, min_size=9, valign="middle"))
    assert 5 + font.ascent * em + 0.5 < baseline < 5 + font.ascent * em + 1


def test_in_the_middle_of_little_room_capitals_are_in_the_middle_as_in_a_high_box() -> None:
    capitals = SERIF._replace(caps=True, leading=1.05)
    high = text_height("Tactical\\\nDominance", 40, capitals, FONTS)
    boxes = [Box(0, -room / 2, 40, high + room) for room in (0, 20)]
    one, two = (set_text("Tactical\\\nDominance", box, capitals, FONTS, min_size=7, valign="middle") for box in boxes)
    assert baselines(one) == pytest.approx(baselines(two))


@pytest.mark.parametrize("markup", ["One.", "**Two** and more words than a line has\n\nIn two paragraphs", "- a\n- b"])
def test_a_box_of_the_height_of_a_text_keeps_its_size_and_leading(markup: str) -> None:
    high = text_height(markup, 30, SANS, FONTS)
    box, lower, endless = (Box(0, 0, 30, each) for each in (high, high - 0.3, 500))
    fitted = [set_text(markup, each, SANS, FONTS, min_size=4) for each in (box, lower, endless)]
    assert baselines(fitted[0]) == pytest.approx(baselines(fitted[2]))
    assert fitted[0].fit.fill == pytest.approx(1)
    assert baselines(fitted[1])[-1] < baselines(fitted[2])[-1]


def test_tall_letters_touch_the_top_and_deep_ones_the_bottom() -> None:
    font, em, box = FONTS.font("EB Garamond"), 9 * MM_PER_POINT, Box(0, 5, 20, 12)
    top = set_text("dip", box, SERIF, FONTS, min_size=9)
    bottom = set_text("dip", box, SERIF, FONTS, min_size=9, valign="bottom")
    assert baselines(top)[0] - font.ascent * em == pytest.approx(5)
    assert baselines(bottom)[0] + font.descent * em == pytest.approx(17)


def test_paragraphs_are_parted_by_a_gap() -> None:
    first, second = baselines(set_text("a\n\nb", Box(0, 0, 20, 12), SERIF, FONTS, min_size=9))
    assert second - first == pytest.approx(9 * MM_PER_POINT * (1.2 + 0.4))


def test_marks_choose_faces_and_emphasis_colours_what_is_marked_bold() -> None:
    style = SERIF._replace(emphasis="#aa0000")
    (line,) = set_text("a **b** *c* ***d***", Box(0, 0, 40, 10), style, FONTS, min_size=9).lines
    assert [(run.text, run.font, run.colour) for run in line.pieces if isinstance(run, Run)] == [
        ("a ", "EBGaramond-Regular", "#000000"),
        ("b", "EBGaramond-Bold", "#aa0000"),
        (" ", "EBGaramond-Regular", "#000000"),
        ("c", "EBGaramond-Italic", "#000000"),
        (" ", "EBGaramond-Regular", "#000000"),
        ("d", "EBGaramond-BoldItalic", "#aa0000"),
    ]


def test_without_a_colour_of_emphasis_bold_text_has_the_style_s() -> None:
    (line,) = set_text("**b**", Box(0, 0, 40, 10), SERIF, FONTS, min_size=9).lines
    assert line.pieces[0].colour == SERIF.colour


@pytest.mark.parametrize(("align", "widened"), [("left", False), ("justify", True)])
def test_spaces_are_widened_in_justified_lines_only(align: Align, widened: bool) -> None:
    natural = FONTS.font("EB Garamond").face.advance(" ") * 1000
    first, *_, last = set_text(TEXT, Box(0, 0, 30, 50), SERIF, FONTS, min_size=9, align=align).lines
    assert (advance_of_space(first) > natural + 10) == widened
    assert advance_of_space(last) == pytest.approx(natural, abs=0.01)


def advance_of_space(line: Line) -> float:
    run = line.pieces[0]
    assert isinstance(run, Run)
    return run.advances[run.text.index(" ")]


def test_paragraphs_beyond_the_box_are_counted_with_their_gaps() -> None:
    font, em = FONTS.font("EB Garamond"), 9 * MM_PER_POINT
    tightest = (font.ascent + font.descent + 2 * (1.08 + 0.4)) * em
    markup = "aa\n\nbb\n\ncc"
    assert set_text(markup, Box(0, 0, 30, tightest + 0.01), SERIF, FONTS, min_size=9).fit.ok
    assert set_text(markup, Box(0, 0, 30, tightest - 0.01), SERIF, FONTS, min_size=9).fit.excess == 2


def test_italics_in_an_italic_style_stand_upright() -> None:
    style = SERIF._replace(italic=True, bold=True)
    (line,) = set_text("a *b*", Box(0, 0, 40, 10), style, FONTS, min_size=9).lines
    fonts = [piece.font for piece in line.pieces if isinstance(piece, Run)]
    assert fonts == ["EBGaramond-BoldItalic", "EBGaramond-Bold"]


def test_what_cannot_be_drawn_is_reported() -> None:
    fit = set_text("𓀀 {hearth} **𓀀**\n\n{hearth} 𓀁", Box(0, 0, 40, 30), SERIF, FONTS, min_size=9).fit
    assert (fit.missing, fit.unknown_icons, fit.excess, fit.ok) == ("𓀀𓀁", ("hearth",), 0, False)


@pytest.mark.parametrize("align", ["left", "center", "justify"])
def test_items_of_a_list_are_indented_behind_their_markers(align: Align) -> None:
    words = "Move a very long way there and back again"
    box = Box(4, 7, 30, 60)
    setting = set_text(f"Choose:\n- {words}\n- Rest\n\nThen act.", box, SERIF, FONTS, min_size=7, align=align)
    lines = setting.lines
    assert lines[0].text.strip() == "Choose:"
    items = [line for line in lines if line.pieces[0].x == box.x and line.text.startswith("• ")]
    assert [line.text[2:] for line in items][-1] == "Rest"
    (indent,) = {round(line.pieces[1].x, 6) for line in items}
    inner = [line for line in lines if line not in items][1:-1]
    assert len(inner) >= 1
    assert {round(line.pieces[0].x, 6) for line in inner} == {indent}
    assert indent > box.x
    gaps = [b - a for a, b in pairwise(baselines(setting))]
    assert gaps[0] > gaps[1] == pytest.approx(gaps[2])
    assert gaps[-1] == pytest.approx(gaps[0])


def test_numbers_of_a_list_share_the_indent_of_the_widest() -> None:
    setting = set_text("9. nine\n10. ten", Box(0, 0, 40, 30), SERIF, FONTS, min_size=7)
    assert len({line.pieces[1].x for line in setting.lines}) == 1
    assert setting.lines[1].pieces[1].x == pytest.approx(setting.lines[1].pieces[0].width)


def test_without_text_there_is_nothing() -> None:
    setting = set_text(" \n\n ", Box(0, 0, 10, 10), SANS, FONTS, min_size=7)
    assert (setting.lines, setting.fit.fill, setting.fit.ok) == ((), 0, True)


def test_a_box_without_room_is_refused() -> None:
    with pytest.raises(ValueError, match="0 x 10 mm"):
        set_text("a", Box(0, 0, 0, 10), SANS, FONTS, min_size=7)


THEMED = SERIF._replace(emphasis="#00aa00", spans=(("danger", SpanLook(colour="#aa0000", bold=True)),))


def runs(setting: TypesetText) -> list[Run]:
    return [piece for line in setting.lines for piece in line.pieces if isinstance(piece, Run)]


def test_a_span_has_the_color_and_the_face_of_its_look() -> None:
    setting = set_text("a **b** [c {skull} [d]{.strike}]{.danger}", Box(0, 0, 60, 30), THEMED, FONTS, min_size=7)
    assert [(run.text.strip(), run.colour) for run in runs(setting) if run.text.strip()] == [
        ("a", "#000000"),
        ("b", "#00aa00"),
        ("c", "#aa0000"),
        ("d", "#aa0000"),
    ]
    assert runs(setting)[-1].font == "EBGaramond-Bold"
    icons = [piece for piece in setting.lines[0].pieces if isinstance(piece, IconGlyph)]
    assert [(icon.name, icon.colour) for icon in icons] == [("skull", "#aa0000"), ("", "#aa0000")]


@pytest.mark.parametrize(("name", "below"), [("underline", True), ("strike", False)])
def test_lines_run_along_the_words_of_a_span_in_every_line(name: str, below: bool) -> None:
    setting = set_text(f"Go [a long way around and back]{{.{name}}} now", Box(3, 0, 22, 30), SERIF, FONTS, min_size=7)
    marked = [(line, piece) for line in setting.lines for piece in line.pieces if isinstance(piece, IconGlyph)]
    assert len({id(line) for line, _ in marked}) >= 2
    for line, rule in marked:
        (run,) = [run for run in line.pieces if isinstance(run, Run) and run.x == rule.x]
        assert rule.width == pytest.approx(run.width)
        assert (rule.y > run.y) is below
        assert rule.outline.width * rule.size * MM_PER_POINT == pytest.approx(rule.width, rel=1e-3)


def test_small_capitals_are_smaller_capitals() -> None:
    setting = set_text("[Old Öl]{.small-caps}", Box(0, 0, 60, 30), SERIF, FONTS, min_size=7)
    assert [(run.text, run.size) for run in runs(setting)] == [
        ("O", 9.0),
        ("LD", pytest.approx(7.2)),
        (" Ö", 9.0),
        ("L", pytest.approx(7.2)),
    ]
    for run, after in pairwise(runs(setting)):
        assert after.x == pytest.approx(run.x + run.width)
        assert sum(run.advances) * run.size * MM_PER_POINT / 1000 == pytest.approx(run.width)


def test_a_line_is_aligned_as_it_asks() -> None:
    box = Box(5, 0, 40, 30)
    setting = set_text("[mid]{.center}\n\nplain\n\n[end]{.right}", box, SERIF, FONTS, min_size=7)
    middle, plain, end = (line.pieces[0] for line in setting.lines)
    assert middle.x + middle.width / 2 == pytest.approx(box.x + box.width / 2)
    assert plain.x == box.x
    assert end.x + end.width == pytest.approx(box.right)


def test_an_unknown_span_is_reported() -> None:
    fit = set_text("[a]{.dangr} {hearth}", Box(0, 0, 40, 30), THEMED, FONTS, min_size=7).fit
    assert fit.unknown_icons == ("hearth", ".dangr")
    assert not fit.ok


def test_a_title_that_shrinks_does_not_end_on_a_word_of_its_own() -> None:
    title = "Archdeacon Theophania of the Hundred Lanterns now"
    setting = set_text(title, Box(0, 0, 28, 8), SERIF._replace(size=14, bold=True), FONTS, min_size=7)
    assert setting.fit.size < 10
    assert texts(setting) == ["Archdeacon Theophania", "of the Hundred", "Lanterns now"]


def test_type_that_shrinks_has_one_of_the_given_sizes() -> None:
    sizes = [
        set_text(TEXT, Box(0, 0, 55, high), SERIF._replace(size=14), FONTS, min_size=7, steps=(11, 8)).fit.size
        for high in range(60, 10, -1)
    ]
    assert {size for size in sizes if size >= 8} == {14, 11, 8}
    assert 7.75 in sizes
    line = set_line("Once a turn", 0, 0, SERIF._replace(size=14), FONTS, max_width=16, min_size=7, steps=(11, 8))
    assert line.fit.size == 8
