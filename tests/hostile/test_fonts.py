"""Damaged fonts: a build ends in files or in a message that names the font."""

from __future__ import annotations

import io
import os
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import rendercv_fonts
from fontTools.fontBuilder import FontBuilder
from fontTools.misc.psCharStrings import T2CharString

from cardgen.text.harfbuzz import FontFace
from tests.cli.commands import Program
from tests.pipeline.projects import MINION, Folder

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
    folder.write("templates/warniris/theme.yaml", "fonts: {body: EB Garamond}\n")
    outcome = cardgen("build", "-q", "--no-cache", "--format", "pdf,svg")
    assert outcome.code in (0, 1)
    assert outcome.code == 0 or folder.files() == []


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
    assert face.subset("abc")


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
        FontFace(path).subset("".join(chr(0x4E00 + number) for number in range(200)))
    assert time.process_time() - started < 10
