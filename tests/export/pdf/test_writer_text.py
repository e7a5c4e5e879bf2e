from __future__ import annotations

import re
import struct
from typing import Any

import pikepdf
import pytest

from cardgen.export.pdf import writer
from cardgen.face.face import Face, Text
from cardgen.sheet.imposition import PrintPiece, SheetSettings
from cardgen.text.copyfitting import set_line
from cardgen.text.lines import Style
from cardgen.units import PAPER_SIZES, Box, Size
from tests.export.pdf.inspection import (
    BLEED,
    CARD,
    FONTS,
    SANS,
    SERIF,
    artwork,
    block,
    face,
    line,
    objects,
    rectangle,
    text_of,
)
from tests.sheet.pages import impose

BARE = SheetSettings(PAPER_SIZES["a4"], bleed=BLEED)


def written(*faces: Face) -> bytes:
    return writer.write(
        impose([PrintPiece(each) for each in faces], CARD, BARE, "Legend"), FONTS, writer.DocumentInfo("Test")
    )


def test_every_font_is_embedded_as_a_subset() -> None:
    content = written(face(line("Sentinel"), line("Gunner ∞ Ωmega", y=20, style=SANS)))
    fonts = objects(content, "/Subtype", "/CIDFontType2")
    assert {str(font.BaseFont).partition("+")[2] for font in fonts} == {"EBGaramond-Regular", "SourceSans3-Regular"}
    for font in fonts:
        assert re.match(r"/[A-Z]{6}\+", str(font.BaseFont)), "a subset's name begins with six letters"
        assert "/FontFile2" in font.FontDescriptor
        whole = FONTS.font("EB Garamond").path.stat().st_size
        assert len(font.FontDescriptor.FontFile2.read_bytes()) < whole / 5


def test_a_page_without_text_of_its_own_brings_no_unembedded_font() -> None:
    fonts = objects(written(face(artwork(rectangle(Box(0, 0, 10, 10))))), "/Type", "/Font")
    assert {str(font.Subtype) for font in fonts} == {"/Type0", "/CIDFontType2"}
    assert all("/FontFile2" in font.FontDescriptor for font in fonts if font.Subtype == "/CIDFontType2")


def test_text_can_be_copied_in_reading_order_face_by_face() -> None:
    card = face(line("Sentinel"), block("First sentence here. Second one.", Box(5, 20, 30, 30)))
    other = face(line("Brute"), block("Talks with the heavy end.", Box(5, 20, 50, 30)))
    text = " ".join(text_of(written(card, other)).split())
    words = ["Sentinel", "First sentence here. Second one.", "Brute", "Talks with the heavy end.", "Legend", "100 mm"]
    places = [text.find(word) for word in words]
    assert -1 not in places, f"{text!r}"
    assert places == sorted(places)


@pytest.mark.parametrize("text", ["Müller's Dæmon", "żółw", "a – b", "Ἀθήνα", "50 % (±2)", r"back\slash"])
def test_letters_of_all_sorts_can_be_copied(text: str) -> None:
    shown = Text(set_line(text.replace("\\", "\\\\"), 5, 10, SERIF, FONTS, min_size=6).lines)
    assert text in text_of(written(face(shown)))


def test_words_set_wide_are_still_words() -> None:
    wide = Style("EB Garamond", 8.0, tracking=0.25)
    assert "MINION BASE" in text_of(written(face(line("MINION BASE", style=wide))))


def test_pairs_of_letters_are_kerned() -> None:
    content = written(face(line("AVATAR To")))
    shown = [bytes(form.read_bytes()) for form in objects(content, "/Subtype", "/Form")]
    arrays = [array for stream in shown for array in re.findall(rb"\[(.*?)\] TJ", stream)]
    moved = [float(number) for array in arrays for number in re.findall(rb"> (-?[\d.]+) ", array)]
    assert any(number > 20 for number in moved), "nothing was pulled together"


def test_a_line_is_as_wide_in_the_file_as_it_was_measured() -> None:
    (measured,) = set_line("AVATAR WAVE To Ty", 5, 10, SERIF, FONTS, min_size=6).lines
    forms = objects(written(face(Text((measured,)))), "/Subtype", "/Form")
    drawn = sum(_width_of_text(form) for form in forms if b"TJ" in form.read_bytes())
    assert drawn == pytest.approx(sum(run.width for run in measured.pieces) * 72 / 25.4, abs=0.01)


def _width_of_text(form: Any) -> float:
    width, size, font = 0.0, 0.0, None
    for instruction in pikepdf.parse_content_stream(form):
        operands: Any = instruction.operands
        if str(instruction.operator) == "Tf":
            font, size = form.Resources.Font[str(operands[0])].DescendantFonts[0], float(operands[1])
        elif str(instruction.operator) == "TJ":
            assert font is not None
            for part in operands[0]:
                if isinstance(part, pikepdf.String):
                    codes = struct.unpack(f">{len(bytes(part)) // 2}H", bytes(part))
                    width += sum(float(font.W[1][code - 1]) for code in codes) * size / 1000
                else:
                    width -= float(part) * size / 1000
    return width


def test_lines_of_a_card_that_lies_on_its_side_are_read_in_their_order() -> None:
    """As pdfium and Chrome read them: a search for a name of two lines has to find it."""
    wide = Size(88, 63)
    name = Text(
        tuple(
            each
            for number, word in enumerate(("SACRED", "CHALICE"))
            for each in set_line(word, 44, 10 + 6 * number, SERIF, FONTS, anchor="middle", min_size=6).lines
        )
    )
    pages = impose([PrintPiece(face(name, size=wide))] * 9, wide, SheetSettings(PAPER_SIZES["a4"]), "Test")
    assert pages[0].placements[0].slot.turn == 270
    text = text_of(writer.write(pages, FONTS, writer.DocumentInfo("Test")))
    assert text.count("SACRED\nCHALICE") == 9
