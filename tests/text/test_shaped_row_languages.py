"""Texts in thirteen languages: their glyphs, their lines, and what is copied from their files.

Fonts for most of them come with the extras `fonts` and `scripts`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import time
import unicodedata
from functools import cache
from importlib.util import find_spec

import pypdfium2
import pytest

from cardgen.export.svg import render_face
from cardgen.face.face import Face, Text
from cardgen.text.bidi import reorder
from cardgen.text.copyfitting import set_line, set_text
from cardgen.text.lines import Box, Glyph, Line, Run, Style, TypesetText, parse_markup
from cardgen.text.shaped_row import ShapedRow, built_in_icons, shape_paragraph
from cardgen.units import Size
from tests.cases import each_case
from tests.text.typesetting import FONTS

TEXTS = {
    "de": "Füge einem Gegner innerhalb von 15 cm 2 Wunden zu. Seine Verlängerungsmöglichkeit entfällt.",
    "fr": "Piochez 2 cartes : gardez-en « une » ! Sinon, défaussez-vous d’une carte.",
    "pl": "Dobierz 2 karty i zadaj 5 ran przeciwnikowi w zasięgu 10 cm.",
    "tr": "Diğer birim iyileşir. İki kart çek ve ılık suya gir.",
    "el": "Αν χάσεις, ο αντίπαλος παίρνει μία κάρτα· τι θα κάνεις;",
    "ru": "Нанесите противнику 2 раны, если он в 15 см от вас.",
    "vi": "Mỗi khi bị thương, rút 2 lá bài rồi chọn một đối thủ.",
    "ja": "敵1体に2ダメージを与える。「勝利」と叫び、カードを1枚引いてもよい！",
    "zh-Hans": "对10厘米内的一名敌人造成2点伤害。（然后抽一张牌。）",
    "th": "เลือกศัตรูหนึ่งตัว แล้วสร้างความเสียหาย 2 แต้ม",
    "ar": "اسحب بطاقتين، ثم اختر خصمًا ضمن 15 cm (مرة واحدة لا أكثر).",
    "he": "שלפו 2 קלפים (מקסימום 3), ואז בחרו יריב בטווח 15 cm.",
    "hi": "अपने शत्रु को 2 क्षति दें। फिर 1 कार्ड निकालें।",
}
EXTRAS = {**dict.fromkeys(("ja", "zh-Hans", "he", "hi"), "rendercv_fonts"), "ar": "fontpkg_noto_sans_arabic",
          "th": "fontpkg_noto_sans_thai"}  # fmt: skip
NO_MARKS = str.maketrans("()", "||")


def style(language: str) -> Style:
    if language in EXTRAS and find_spec(EXTRAS[language]) is None:
        pytest.skip(f"{EXTRAS[language]} is not installed")
    return Style("Lato", 9.0, language=language)


def row(language: str, text: str = "") -> ShapedRow:
    (paragraph,) = parse_markup(text or TEXTS[language])
    return shape_paragraph(paragraph, style(language), FONTS, built_in_icons())


@cache
def typeset(language: str) -> TypesetText:
    return set_text(TEXTS[language], Box(2, 2, 40, 30), style(language), FONTS, min_size=7)


@cache
def drawn(language: str) -> bytes:
    lines = set_text(TEXTS[language], Box(2, 2, 160, 30), style(language), FONTS, min_size=7).lines
    return render_face(Face(Size(164, 34), 0, (Text(lines),)), "pdf", FONTS, "Test")


def glyphs(language: str, text: str) -> list[tuple[Run, Glyph]]:
    (line,) = set_line(text, 0, 10, style(language), FONTS, min_size=9).lines
    return [(run, glyph) for run in line.pieces if isinstance(run, Run) for glyph in run.glyphs]


def names(language: str, text: str) -> list[str]:
    """The names of the glyphs, from left to right."""
    faces = ((FONTS.font_by_key(run.font).face, glyph) for run, glyph in glyphs(language, text))
    return [face._font.glyph_to_string(number) for face, glyph in faces for number, _, _ in glyph.parts]


def plain(text: str) -> str:
    """A text without blanks, controls of direction, and the direction of brackets."""
    kept = (each for each in unicodedata.normalize("NFC", text) if not each.isspace())
    return "".join(each for each in kept if unicodedata.category(each) != "Cf").translate(NO_MARKS)


def assert_copied(copied: str, language: str) -> None:
    found, wanted = plain(copied), plain(TEXTS[language])
    if language in ("ar", "he"):
        # Readers guess the order of numbers, units, and the marks beside them in text from right to left.
        assert sorted(found) == sorted(wanted)
        found, wanted = (re.sub(r"\d|cm|[.,|]", "", each) for each in (found, wanted))
    assert found == wanted


@each_case("language", TEXTS)
def test_every_letter_has_a_glyph_and_every_line_fits(language: str) -> None:
    text = typeset(language)
    assert text.fit.ok
    assert text.fit.size == 9
    assert len(text.lines) > 1
    for line in text.lines:
        assert max(run.x + run.width for run in line.pieces) <= 42.01
        assert min(run.x for run in line.pieces) >= 1.99


@each_case("language", TEXTS)
def test_what_is_copied_is_the_source(language: str) -> None:
    copied = pypdfium2.PdfDocument(drawn(language))[0].get_textpage().get_text_range()
    assert_copied(copied, language)


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed")
@each_case("language", TEXTS)
def test_another_program_copies_the_same(language: str) -> None:
    shown = subprocess.run(["pdftotext", "-", "-"], input=drawn(language), capture_output=True, check=True)
    assert_copied(shown.stdout.decode(), language)


def test_arabic_letters_join_and_begin_at_the_right() -> None:
    assert names("ar", "لا") == ["uni0627.fina.rlig", "uni0644.init.rlig"]
    assert [name.partition(".")[2] for name in names("ar", "سلام")] == ["", "fina.rlig.2", "medi.rlig", "init"]
    shaped = row("ar")
    levels = [run.shaping.level for run in shaped.styled_runs for _ in range(run.start, run.stop)]
    assert (shaped.base, levels[shaped.source.index("15")], levels[0]) == (1, 2, 1)
    lines = typeset("ar").lines
    assert all(max(run.x + run.width for run in line.pieces) == pytest.approx(42, abs=0.01) for line in lines)
    last = min(lines[-1].pieces, key=lambda run: run.x)
    assert isinstance(last, Run)
    assert last.text == ").", "the full stop is leftmost"


def test_letters_that_touch_have_no_tracking() -> None:
    for language in ("ar", "hi"):
        (paragraph,) = parse_markup(TEXTS[language])
        wide = shape_paragraph(paragraph, style(language)._replace(tracking=0.2), FONTS, built_in_icons())
        assert list(wide.advances) == list(row(language).advances)


def test_a_hebrew_number_keeps_its_unit_at_its_right() -> None:
    shaped = row("he")
    order = reorder([run.shaping.level for run in shaped.styled_runs])
    printed = [shaped.source[shaped.styled_runs[place].start : shaped.styled_runs[place].stop] for place in order]
    assert "15 cm" in "".join(printed)
    assert printed[0] == "."
    assert printed.index("3") < next(place for place, each in enumerate(printed) if "מקסימום" in each)


def test_hindi_letters_combine_and_their_vowels_move() -> None:
    ((_, syllable),) = glyphs("hi", "कि")
    (vowel, _, _), (consonant, *_) = syllable.parts
    assert consonant == FONTS.font("Noto Sans").face.glyph_of("क"), "the vowel is left of it"
    assert vowel != consonant
    for conjunct in ("त्र", "क्ष"):
        ((_, glyph),) = glyphs("hi", conjunct)
        assert len(glyph.parts) == 1


def test_thai_marks_stay_on_their_letters() -> None:
    ((_, consonant), (_, vowel), (_, tone)) = glyphs("th", "ที่")[:3]
    assert (vowel.advance, tone.advance) == (0, 0)
    assert consonant.advance > 0
    assert tone.parts[0] != glyphs("th", "ท่")[1][1].parts[0], "it is higher above a vowel"


def test_vietnamese_marks_have_room() -> None:
    box, wide = Box(0, 0, 30, 30), style("vi")
    first = set_text("Ễ", box, wide, FONTS, min_size=9).lines[0]
    plain_first = set_text("E", box, wide, FONTS, min_size=9).lines[0]
    assert first.pieces[0].y > plain_first.pieces[0].y, "the mark is inside of the box"
    narrow = set_text("ỄẬ ỄẬ", Box(0, 0, 6, 30), wide._replace(leading=0.9), FONTS, min_size=9)
    (one, two) = (line.pieces[0] for line in narrow.lines)
    assert isinstance(one, Run)
    face = FONTS.font_by_key(one.font).face
    top, bottom = face.vertical_extent("ỄẬ")
    assert (two.y - one.y) * 72 / 25.4 / 9 >= top + bottom - 1e-6
    assert row("vi", unicodedata.normalize("NFD", TEXTS["vi"])).advances == row("vi").advances


def test_chinese_characters_come_from_the_font_of_their_language() -> None:
    keys = {each: {run.font.key for run in row(each, "直").styled_runs} for each in ("ja", "zh-Hans", "ko")}
    assert keys == {"ja": {"NotoSansJP-Regular"}, "zh-Hans": {"NotoSansSC-Regular"}, "ko": {"NotoSansKR-Regular"}}
    wide = style("ja")._replace(families=(("Jpan", "Noto Sans SC"),))
    (paragraph,) = parse_markup("直")
    (run,) = shape_paragraph(paragraph, wide, FONTS, built_in_icons()).styled_runs
    assert run.font.key == "NotoSansSC-Regular"


def test_a_text_is_in_one_font_if_its_own_lacks_many_letters() -> None:
    for language in ("tr", "el", "ru", "vi"):
        assert {run.font.key for run in row(language).styled_runs} == {"SourceSans3-Regular"}
    assert {run.font.key for run in row("en", "She, Şirin, draws two cards").styled_runs} == {
        "Lato-Regular",
        "SourceSans3-Regular",
    }


def test_forms_are_those_of_the_language() -> None:
    italic = Style("Noto Sans", 9.0, italic=True)
    shapes = []
    for language in ("ru", "sr"):
        (line,) = set_line("бгдпт", 0, 10, italic._replace(language=language), FONTS, min_size=9).lines
        shapes.append([run.glyphs for run in line.pieces if isinstance(run, Run)])
    assert shapes[0] != shapes[1]


def test_a_line_from_right_to_left_is_drawn_from_left_to_right() -> None:
    line = typeset("he").lines[0]
    assert isinstance(line, Line)
    places = [run.x for run in line.pieces]
    assert places == sorted(places)


@each_case(
    ("text", "language"),
    [
        ("a" + "\u0301" * 20_000, ""),
        ("س" * 20_000, "ar"),
        ("\u2067" * 200 + "א(" * 200, "he"),
        ("敵1体に2ダメージを与える。" * 1500, "ja"),
        ("aا" * 10_000, ""),
    ],
)
def test_long_texts_end_soon(text: str, language: str) -> None:
    started = time.process_time()
    assert set_text(text, Box(0, 0, 50, 50), style(language), FONTS, min_size=7).lines
    assert time.process_time() - started < 10, "it takes a second or less"
