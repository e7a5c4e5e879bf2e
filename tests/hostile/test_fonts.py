"""Damaged fonts: a build ends in files or in a message that names the font."""

from __future__ import annotations

import io
import json
import os
import random
import struct
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pikepdf
import pytest
import rendercv_fonts
from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.fontBuilder import FontBuilder
from fontTools.misc.psCharStrings import T2CharString
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables.DefaultTable import DefaultTable

from cardgen.text.harfbuzz import FontFace
from tests.cli.commands import Program
from tests.projects import MINION, Folder
from tests.text.made_fonts import postscript_font, variable_font

(SOURCE,) = (Path(rendercv_fonts.__file__).parent / "EB Garamond").glob("*-Regular.ttf")


@pytest.fixture
def cardgen(capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


def shortened(font: bytearray, dice: random.Random) -> bytearray:
    return font[: dice.randrange(len(font))]


def changed_head(font: bytearray, dice: random.Random) -> bytearray:
    for _ in range(dice.choice([1, 5, 50])):
        font[dice.randrange(400)] = dice.randrange(256)
    return font


def changed(font: bytearray, dice: random.Random) -> bytearray:
    for _ in range(dice.choice([5, 500, 5000])):
        font[dice.randrange(len(font))] = dice.randrange(256)
    return font


def gap(font: bytearray, dice: random.Random) -> bytearray:
    start = dice.randrange(len(font))
    del font[start : start + dice.randrange(3000)]
    return font


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("damage", [shortened, changed_head, changed, gap])
def test_a_damaged_font(
    folder: Folder, cardgen: Program, damage: Callable[[bytearray, random.Random], bytearray], seed: int
) -> None:
    folder.plain().write("cards/a.yaml", MINION)
    folder.write("fonts/body.ttf", bytes(damage(bytearray(SOURCE.read_bytes()), random.Random(seed))))
    folder.write("templates/warniris/theme.yaml", "fonts: {text: EB Garamond}\n")
    outcome = cardgen("build", "-q", "--no-cache", "--format", "pdf,svg")
    assert outcome.code in (0, 1)
    assert outcome.code == 0 or folder.files() == []


def named(font: TTFont, *names: tuple[int, str]) -> None:
    """Give a font these names and no others."""
    font["name"].names = []
    for number, name in names:
        font["name"].setName(name, number, 3, 1, 0x409)


def without_table(font: TTFont) -> None:
    del font["name"]


def not_a_table(font: TTFont) -> None:
    font["name"] = DefaultTable("name")
    font["name"].data = b"\x00\x07\xff\xff\xff\xff"


def empty_table(font: TTFont) -> None:
    font["name"] = DefaultTable("name")
    font["name"].data = b""


BROKEN_NAMES: dict[str, tuple[Callable[[TTFont], None], str]] = {
    "no table": (without_table, "own font"),
    "not a table": (not_a_table, "own font"),
    "an empty table": (empty_table, "own font"),
    "no names": (named, "own font"),
    "a family only": (lambda font: named(font, (1, "Own")), "Own"),
    "no PostScript name": (lambda font: named(font, (1, "Own"), (4, "Own (Regular)")), "Own"),
    "brackets and percent": (lambda font: named(font, (1, "Own"), (6, "Own [%] <x>/(y){}")), "Own"),
    "letters of other scripts": (lambda font: named(font, (1, "Łódź 游ゴ"), (6, "Łódź 游ゴ")), "Łódź 游ゴ"),
    "control characters": (lambda font: named(font, (1, "Own\u202e\n\x00\tFont"), (6, "\x00\n")), "Own Font"),
    "only spaces": (lambda font: named(font, (1, "  \n "), (6, "  ")), "own font"),
    "a long name": (lambda font: named(font, (1, "Own" * 5000), (6, "Own" * 5000)), "Own" * 5000),
}


@pytest.mark.parametrize("make", [postscript_font, variable_font])
@pytest.mark.parametrize("case", BROKEN_NAMES)
def test_names_that_nobody_can_use(folder: Folder, cardgen: Program, make: Callable[[Path], Path], case: str) -> None:
    """A font is printed whatever it is called; without a family it has the name of its file."""
    damage, family = BROKEN_NAMES[case]
    (folder.root / "fonts").mkdir()
    path = make(folder.root / "fonts/own font.ttf")
    font = TTFont(path)
    damage(font)
    font.save(path)
    folder.plain().write("cards/a.yaml", MINION.replace("Sentinel", "AVA"))
    folder.write("templates/warniris/theme.yaml", f"fonts: {{text: {json.dumps(family)}}}\n")
    outcome = cardgen("build", "--no-cache", "--format", "pdf,png,svg")
    assert outcome.code == 0, outcome.err
    with pikepdf.open(next((folder.root / "output").rglob("*.pdf"))) as pdf:
        fonts = [each for each in pdf.objects if isinstance(each, pikepdf.Dictionary) and "/FontFile2" in each]
        names = {str(each.FontName).partition("+")[2] for each in fonts}
    assert any(name.startswith("ownfont") for name in names), names


def with_raw(font: TTFont, **tables: bytes) -> TTFont:
    """Replace tables of a font by these bytes."""
    for name, content in tables.items():
        font[name] = DefaultTable(name)
        font[name].data = content
    return font


def test_letters_whose_outlines_are_lost_are_named(folder: Folder, cardgen: Program) -> None:
    """They would be printed as blanks. Blank glyphs for letters that a font lacks are another thing."""
    (folder.root / "fonts").mkdir()
    path = variable_font(folder.root / "fonts/own.ttf", "Own")
    with TTFont(path) as font:
        glyf, count, at = font.reader["glyf"], len(font.getGlyphOrder()), font["loca"].locations
        loops = b"".join(struct.pack(">5hHHhh", -1, 0, 0, 9, 9, 3, number, 0, 0) for number in range(count))
        everywhere = struct.pack(f">{count + 1}H", *[9 * number for number in range(count + 1)])
    lost = {"no data": {"glyf": bytes(len(glyf))}, "no places": {"loca": bytes(2 * count + 2)},
            "short": {"glyf": glyf[: at[3]]}, "a glyph in itself": {"glyf": loops, "loca": everywhere}}  # fmt: skip
    folder.plain().write("cards/a.yaml", MINION.replace("Sentinel", "AVA"))
    folder.write("templates/warniris/theme.yaml", "fonts: {text: Own}\n")
    for name, tables in lost.items():
        variable_font(path, "Own")
        with TTFont(path) as font:
            with_raw(font, **tables).save(path, reorderTables=None)
        outcome = cardgen("build", "--no-cache", "--format", "png")
        assert (name, outcome.code, "own.ttf" in outcome.err) == (name, 1, True), outcome.err
        expected = "it draws nothing for 'V'" if name == "short" else "own.ttf is damaged"
        assert expected in outcome.err, name
    assert cardgen("check", "--fit").out.count("error[CG594]") == 1
    variable_font(path, "Own")
    with TTFont(path) as font:
        font["glyf"]["V"].numberOfContours = 0
        del font["gvar"].variations["V"]
        font.save(path)
    face = FontFace(path)
    assert [face.has_glyph(letter) for letter in "AV "] == [True, False, True]
    assert cardgen("build", "--no-cache", "--format", "pdf").code == 0  # in a font that has it


@pytest.mark.parametrize("command", ["build", "reference"])
@pytest.mark.parametrize("content", [b"", b"no font", SOURCE.read_bytes()[:5000], bytes(5000)], ids=range(4))
def test_what_is_no_font_is_named(folder: Folder, cardgen: Program, command: str, content: bytes) -> None:
    folder.plain().write("cards/a.yaml", MINION)
    folder.write("fonts/body.ttf", content)
    outcome = cardgen(command)
    assert outcome.code == 1
    assert "body.ttf" in outcome.err


def test_a_font_may_change_while_it_is_in_use(tmp_path: Path) -> None:
    path = tmp_path / "body.ttf"
    path.write_bytes(SOURCE.read_bytes())
    face = FontFace(path)
    os.truncate(path, 0)
    assert face.subset("abc", "Font")


def endless_letters(count: int) -> bytes:
    """Return a font whose letters have PostScript outlines of 2,000 curves each, repeated by its subroutines."""
    builder = FontBuilder(1000, isTTF=False)
    builder.font.recalcBBoxes = False  # It would draw every letter.
    names = [".notdef", *(f"g{number}" for number in range(count))]
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({0x4E00 + number: name for number, name in enumerate(names)})
    curves = [10, 300, 200, -300, -200, 50, -10, -300, -200, 300, 200, -50] * 4
    program = [600, 0, 0, "rmoveto", *([*curves, "rrcurveto"] * 250), "endchar"]
    outline = T2CharString(program=program)
    outline.compile()
    builder.setupCFF("Long", {}, {name: T2CharString(bytecode=outline.bytecode) for name in names}, {})
    builder.setupHorizontalMetrics(dict.fromkeys(names, (600, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Long", "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=800, usWinAscent=800, usWinDescent=200)
    builder.setupPost()
    file = io.BytesIO()
    builder.save(file)
    return file.getvalue()


def test_outlines_without_end_are_refused_soon(tmp_path: Path) -> None:
    path = tmp_path / "long.otf"
    path.write_bytes(endless_letters(200))
    started = time.process_time()
    with pytest.raises(ValueError, match="its outlines are too long"):
        FontFace(path).subset("".join(chr(0x4E00 + number) for number in range(200)), "Long")
    assert time.process_time() - started < 10


def font_with_characters(path: Path, table: bytes, encodings: int = 1) -> Path:
    """Write a font whose encodings all have the same table of characters."""
    font = TTFont(postscript_font(path))
    head = struct.pack(">HH", 0, encodings)
    records = b"".join(struct.pack(">HHI", 3, number, 4 + 8 * encodings) for number in range(encodings))
    font["cmap"] = DefaultTable("cmap")
    font["cmap"].data = head + records + table
    font.save(path)
    return path


def overlapping_segments(count: int) -> bytes:
    """Return a table of format 4 in which each segment has all characters."""
    numbers = (*[0xFFFE] * count, 0, *[1] * count, *[0] * count, *[0] * count)
    return struct.pack(f">7H{len(numbers)}H", 4, 0xFFFF, 0, 2 * count, 0, 0, 0, *numbers)


def overlapping_groups(count: int, form: int) -> bytes:
    return struct.pack(">HHIII", form, 0, 16 + 12 * count, 0, count) + struct.pack(">III", 0, 0x10FFFF, 1) * count


def variants(count: int) -> bytes:
    """Return a table of format 14 in which all selectors have the same ranges."""
    selectors = struct.pack(">3sII", b"\x0e\x01\x00", 10 + 11 * count, 0) * count
    head = struct.pack(">HII", 14, 10 + 11 * count + 4 + 4 * count, count)
    return head + selectors + struct.pack(">I", count) + b"\0\0\0\xff" * count


CROWDS = {
    "segments": (overlapping_segments(2_000), 1),
    "groups": (overlapping_groups(1_000, 12), 1),
    "one group for many": (overlapping_groups(1_000, 13), 1),
    "variants": (variants(500), 1),
    "encodings": (overlapping_segments(1), 100),
}


@pytest.mark.parametrize("case", CROWDS)
def test_a_font_that_maps_the_same_characters_again_and_again(folder: Folder, cardgen: Program, case: str) -> None:
    """HarfBuzz visits every character of every group, which takes minutes for a file of some megabytes."""
    (folder.root / "fonts").mkdir()
    font_with_characters(folder.root / "fonts/own.otf", *CROWDS[case])
    folder.plain().write("cards/a.yaml", MINION)
    outcome = cardgen("build", "--no-cache")
    assert outcome.code == 1
    assert "fonts/own.otf: error[CG594]: own.otf is damaged" in outcome.err


def test_the_largest_font_of_letters_is_accepted() -> None:
    fonts = Path(rendercv_fonts.__file__).parent.rglob("*.[ot]tf")
    assert not FontFace(max(fonts, key=lambda path: path.stat().st_size)).is_damaged


def test_too_many_fonts_are_refused_before_they_are_read(folder: Folder, cardgen: Program) -> None:
    (folder.root / "fonts").mkdir()
    postscript_font(folder.root / "fonts/own.otf")
    for number in range(200):
        (folder.root / f"fonts/own{number}.otf").symlink_to("own.otf")
    folder.plain().write("cards/a.yaml", MINION)
    outcome = cardgen("build", "--no-cache")
    assert outcome.code == 1
    assert "fonts: error[CG594]: there are 201 fonts in this folder, but cardgen reads at most 200" in outcome.err


def test_a_font_that_makes_endless_text_of_a_letter_is_named(folder: Folder, cardgen: Program) -> None:
    (folder.root / "fonts").mkdir()
    font = TTFont(postscript_font(folder.root / "fonts/own.otf"))
    steps = ["A", "V", "x", "H", "p"]
    lookups = "".join(f"lookup l{at} {{ sub {one} by {' '.join([two] * 60)}; }} l{at};\n" for at, (one, two) in
                      enumerate(pairwise(steps)))  # fmt: skip
    addOpenTypeFeaturesFromString(font, f"feature ccmp {{ {lookups} }} ccmp;")
    font.save(folder.root / "fonts/own.otf")
    folder.plain().write("cards/a.yaml", MINION.replace("Sentinel", "AVA"))
    folder.write("templates/warniris/theme.yaml", "fonts: {text: Squares}\n")
    outcome = cardgen("build", "--no-cache")
    assert outcome.code == 1
    assert "fonts/own.otf: error[CG594]: the font is damaged: it replaces letters by too many others" in outcome.err
