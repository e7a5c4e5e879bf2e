from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.text.copyfitting import set_line
from cardgen.text.lines import Anchor, IconGlyph, Run, Style, TypesetText, label_width
from cardgen.units import MM_PER_POINT
from tests.text.typesetting import FONTS, SANS, SERIF, line_width, texts


def line(markup: str, anchor: Anchor = "start", max_width: float | None = None, min_size: float = 6.0) -> TypesetText:
    return set_line(markup, 10, 20, SANS, FONTS, anchor=anchor, max_width=max_width, min_size=min_size, field="name")


def test_a_line_stands_at_its_anchor() -> None:
    start, middle, end = (line("Sentinel", anchor).lines[0].pieces[0] for anchor in ("start", "middle", "end"))
    assert (start.x, start.y) == (10, 20)
    assert line("Sentinel").fit.fill == 0
    assert middle.x == pytest.approx(10 - start.width / 2)
    assert end.x == pytest.approx(10 - start.width)


def test_a_line_shrinks_to_its_width_and_no_further_than_the_smallest_size() -> None:
    whole = line_width(line("Sentinel").lines[0])
    assert line("Sentinel", max_width=whole).fit.size == 9
    shrunk = line("Sentinel", max_width=whole * 0.9)
    assert (shrunk.fit.size, shrunk.fit.excess, shrunk.fit.field) == (8, 0, "name")
    assert shrunk.fit.fill == pytest.approx(line_width(shrunk.lines[0]) / (whole * 0.9))
    small = line("Sentinel", max_width=whole / 2)
    assert (small.fit.size, small.fit.excess) == (6, 3)
    assert small.fit.fill == pytest.approx(4 / 3)


@given(st.text(alphabet="abAV *1", max_size=30), st.floats(1, 40), st.sampled_from([0.0, 0.1]))
def test_excess_is_what_stands_beyond(markup: str, max_width: float, tracking: float) -> None:
    style = SANS._replace(tracking=tracking)
    setting = set_line(markup, 0, 0, style, FONTS, max_width=max_width, min_size=6)
    width = line_width(setting.lines[0]) if setting.lines else 0
    assert setting.fit.fill == pytest.approx(width / max_width)
    assert bool(setting.fit.excess) == (width > max_width + 1e-6)


def test_paragraphs_are_joined() -> None:
    assert texts(line("one\n\ntwo")) == ["one two"]
    assert line("").lines == ()


def test_kerning_and_tracking_are_in_the_advances() -> None:
    (kerned,) = line("AV").lines[0].pieces
    (tracked,) = set_line("AV", 0, 0, SANS._replace(tracking=0.1), FONTS, min_size=9).lines[0].pieces
    assert isinstance(kerned, Run)
    assert isinstance(tracked, Run)
    first, last = kerned.advances
    assert list(tracked.advances) == pytest.approx([first + 100, last])


def test_capitals() -> None:
    assert texts(set_line("straße **é**", 0, 0, SANS._replace(caps=True), FONTS, min_size=9)) == ["STRASSE É"]


def test_spaces_and_hyphens_of_all_kinds_are_drawn_as_the_plain_ones() -> None:
    plain_space, thin_space = (line(f"a{space}b").lines[0].pieces[0] for space in " \u2009")
    assert isinstance(plain_space, Run)
    assert isinstance(thin_space, Run)
    assert plain_space.text == thin_space.text == "a b"
    assert thin_space.width < plain_space.width
    assert texts(line("a\u00a0b\u2011c d\u00ade")) == ["a b-c de"]
    assert line("a\u2011b\u202fc").fit.ok


@pytest.mark.parametrize("style", [SANS, SERIF], ids=["sans", "serif"])
def test_an_icon_is_a_little_higher_than_capitals_and_stands_amid_them(style: Style) -> None:
    setting = set_line("a {heart} b", 10, 20, style, FONTS, min_size=9)
    before, icon, after = setting.lines[0].pieces
    assert isinstance(icon, IconGlyph)
    assert (icon.name, icon.colour) == ("heart", "#000000")
    capitals = FONTS.font(style.family).cap_height * 9 * MM_PER_POINT
    side = icon.size * MM_PER_POINT
    assert side == pytest.approx(1.2 * capitals)
    assert icon.width == pytest.approx(side)
    assert icon.y - side / 2 == pytest.approx(20 - capitals / 2)
    assert icon.x - (before.x + before.width) == pytest.approx(after.x - icon.x - icon.width)
    assert setting.lines[0].text == "a  b"


def test_an_unknown_icon_is_shown_as_it_was_written() -> None:
    setting = line("a {hearth}")
    assert texts(setting) == ["a {hearth}"]
    assert setting.fit.unknown_icons == ("hearth",)
    assert not setting.fit.ok


def test_a_bold_icon_has_the_colour_of_emphasis() -> None:
    setting = set_line("**{heart}**", 0, 0, SANS._replace(emphasis="#aa0000"), FONTS, min_size=9)
    assert setting.lines[0].pieces[0].colour == "#aa0000"


@pytest.mark.parametrize(
    "label", ["Nerve", "Stride (cm)", "Lebenspunkte", "GESCHWINDIGKEIT", "Wytrzymałość", "Ilość", "MWmw"]
)
def test_the_width_of_a_label_is_known_before_it_is_set(label: str) -> None:
    style = Style("Source Sans 3", 7.0, bold=True, tracking=0.04)
    line = set_line(label, 0, 0, style, FONTS, anchor="start", max_width=None, min_size=6.0, field="name").lines[0]
    assert line_width(line) <= label_width(label) <= line_width(line) * 1.2
