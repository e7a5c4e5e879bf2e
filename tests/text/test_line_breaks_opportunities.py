from __future__ import annotations

from importlib.util import find_spec

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.text import break_rules
from cardgen.text.line_breaks import BreakItems, break_items, emergency_breaks
from cardgen.text.lines import escape_markup, parse_markup
from cardgen.text.shaped_row import ShapedRow, built_in_icons, shape_paragraph
from tests.cases import each_case
from tests.text.typesetting import FONTS, SANS


def row(markup: str) -> ShapedRow:
    (paragraph,) = parse_markup(markup)
    return shape_paragraph(paragraph, SANS, FONTS, built_in_icons())


def pieces(cut: BreakItems) -> list[str]:
    spans = (cut.span(number, number) for number in range(len(cut.stops)))
    return [cut.row.text[start:stop] for start, stop in spans]


@each_case(
    ("markup", "expected"),
    [
        ("up to 5 cm away", "up|to|5 cm|away"),
        ("69 % of all", "69 %|of|all"),
        ("1D6 points", "1D6 points"),
        ("2.5 cm, 3 VP", "2.5 cm,|3 VP"),
        ("Mut 12, Kraft 3. Heal 2.5, Or 3 Wounds", "Mut|12,|Kraft|3.|Heal|2.5,|Or|3 Wounds"),
        ("+1 Mind, −2 to hit (+1 die)", "+1 Mind,|−2 to|hit|(+1 die)"),
        ("lose 2 Wounds", "lose|2 Wounds"),
        ("roll 2 dice, then 3 times", "roll|2 dice,|then|3|times"),
        ("heal 1 {heart} now", "heal|1 \ufffc|now"),
        ("any {heart} Hero or {heart} {heart} then 2{heart} now", "any|\ufffc Hero|or|\ufffc|\ufffc then|2\ufffc|now"),
        ("({heart} Élan), {heart} (1) {heart} 1", "(\ufffc Élan),|\ufffc|(1)|\ufffc|1"),
        ("TRW R15 P1 D1", "TRW|R15|P1|D1"),
        ("Servo-Skull, non-ranged", "Servo-|Skull,|non-|ranged"),
        ("x-ray 1-2 e-mail -1 a/b", "x-ray|1-2|e-mail|-1 a/b"),
        ("and/or", "and/|or"),
        ("yes – no", "yes –|no"),
        ("yes—no", "yes—|no"),
        ("no\u00a0break, no\u2011break", "no break,|no-break"),
        ("**2** Wounds", "2 Wounds"),
        ("漢字、仮名「漢」", "漢|字、|仮|名|「漢」"),
        ("ちょっとメージ", "ちょっ|と|メー|ジ"),
        ("与える。「勝利」（三）", "与|え|る。|「勝|利」|（三）"),
        ("{heart}漢 2 {heart} 漢{heart} A{heart}", "\ufffc|漢|2 \ufffc|漢|\ufffc|A\ufffc"),
    ],
)
def test_where_lines_may_end(markup: str, expected: str) -> None:
    assert "|".join(pieces(break_items(row(markup)))) == expected


@each_case(
    ("language", "text", "expected"),
    [
        ("fr", "Piochez 2 cartes : gardez-en « une » !", "Piochez|2|cartes :|gardez-|en|« une » !"),
        ("", "cartes : « une »", "cartes|:|«|une|»"),
        ("pl", "Zadaj 5 ran i weź w ręce 10 cm.", "Zadaj|5|ran|i weź|w ręce|10 cm."),
        ("ru", "раны, если он в 15 см от вас", "раны,|если|он|в 15 см|от|вас"),
        ("el", "κάρτα· τι θα κάνεις;", "κάρτα·|τι|θα|κάνεις;"),
        ("ja", "敵1体に2ダメージを。", "敵|1|体|に|2|ダ|メー|ジ|を。"),
        ("zh-Hans", "对10厘米。（然后抽牌。）", "对|10|厘|米。|（然|后|抽|牌。）"),
        ("ko", "적 1기에게 피해를", "적|1기에게|피해를"),
        ("hi", "क्षति दें। फिर 1 कार्ड", "क्षति|दें।|फिर|1|कार्ड"),
        ("ar", "اختر خصمًا ضمن 15 cm (مرة).", "اختر|خصمًا|ضمن|15 cm|(مرة)."),
        ("he", "(מקסימום 3), ואז 15 cm.", "(מקסימום|3),|ואז|15 cm."),
    ],
)
def test_each_language_has_its_rules(language: str, text: str, expected: str) -> None:
    (paragraph,) = parse_markup(text)
    shaped = shape_paragraph(paragraph, SANS._replace(language=language), FONTS, built_in_icons())
    assert "|".join(pieces(break_items(shaped))) == expected


def test_thai_words_are_those_of_a_dictionary(monkeypatch: pytest.MonkeyPatch) -> None:
    (paragraph,) = parse_markup("เลือกศัตรูหนึ่งตัว แล้ว 2 แต้ม")
    shaped = shape_paragraph(paragraph, SANS._replace(language="th"), FONTS, built_in_icons())
    if find_spec("icu4py"):
        assert "|".join(pieces(break_items(shaped))) == "เลือก|ศัตรู|หนึ่ง|ตัว|แล้ว|2 แต้ม"
        assert not break_rules.needs_dictionary(shaped.source)
    monkeypatch.setattr(break_rules, "_line_breaker", lambda: None)
    assert "|".join(pieces(break_items(shaped))) == "เลือกศัตรูหนึ่งตัว|แล้ว|2 แต้ม"
    assert break_rules.needs_dictionary(shaped.source)
    assert not break_rules.needs_dictionary("English 漢字")


def test_syllables_and_soft_hyphens() -> None:
    assert pieces(break_items(row("the penetration"), "en_GB")) == ["the", "pen", "et", "ra", "tion"]
    cut = break_items(row("foo\u00adbar baz"))
    assert pieces(cut) == ["foo", "bar", "baz"]
    assert cut.hyphens == [True, False, False]
    assert pieces(break_items(row("x a\u00adbc. d\u00ad."))) == ["x", "a", "bc.", "d."]
    assert pieces(break_items(row("\u00adfoo\u00ad \u00adbaz\u00ad"))) == ["foo", "baz"]


def test_a_hyphen_is_part_of_the_end() -> None:
    cut = break_items(row("penetration"), "en_GB")
    hyphen = row("n-").pen_positions[-1] - row("n").pen_positions[-1]
    assert cut.ends[0] == pytest.approx(cut.begins[1] + hyphen, abs=30)
    assert cut.ends[-1] == cut.row.pen_positions[-1]


def test_tracking_behind_the_last_letter_is_no_part_of_an_end() -> None:
    (paragraph,) = parse_markup("ab cd")
    cut = break_items(shape_paragraph(paragraph, SANS._replace(tracking=0.1), FONTS, built_in_icons()))
    assert cut.ends == [pytest.approx(cut.row.pen_positions[2] - 100), pytest.approx(cut.row.pen_positions[5] - 100)]


def test_a_hyphen_as_wide_as_what_it_parts_is_left_out() -> None:
    assert pieces(break_items(row("foo\u00adi bar"))) == ["fooi", "bar"]
    assert pieces(break_items(row("foo\u00adi\u00adbar"))) == ["foo", "i", "bar"]
    for markup in ("foo\u00adi\u00adbar", "penetration", "l\u00adi\u00adl\u00adi\u00adl", "W\u00adi\u00adi.\u00adW"):
        ends = break_items(row(markup), "en_GB").ends
        assert ends == sorted(ends)


def test_words_that_are_too_wide_are_torn() -> None:
    cut = break_items(row("a penetration b"))
    torn, count = emergency_breaks(cut, 2000)
    assert pieces(torn) == ["a", "pen", "etrat", "ion", "b"]
    assert count == len("etration")
    assert emergency_breaks(cut, 9000) == (cut, 0)
    torn, count = emergency_breaks(break_items(row("ab c")), 10)
    assert pieces(torn) == ["a", "b", "c"]
    assert count == 2


@given(st.text(alphabet="abi -/1+漢—.\u00ad\u00a0", max_size=30), st.floats(1300, 4000), st.booleans())
def test_items_hold_everything_but_spaces(text: str, width: float, hyphenate: bool) -> None:
    for paragraph in parse_markup(escape_markup(text)):
        cut = break_items(shape_paragraph(paragraph, SANS, FONTS, built_in_icons()), "en_GB" if hyphenate else None)
        torn, _ = emergency_breaks(cut, width)
        for some in (cut, torn):
            assert "".join(pieces(some)).replace(" ", "") == some.row.text.replace(" ", "")
            assert some.begins[0] == 0
            assert some.begins == sorted(some.begins)
            assert some.ends == sorted(some.ends)
        for begin, end, piece in zip(torn.begins, torn.ends, pieces(torn), strict=True):
            assert end - begin <= width + 1e-6 or len(piece) == 1
