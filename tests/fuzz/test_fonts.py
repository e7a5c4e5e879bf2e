"""Font files that strangers made: a text is set and embedded in all forms, or the font is refused; see `test_fuzz`.

A case takes a few milliseconds, so there are as many as all others together.
"""

from __future__ import annotations

import random
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.diagnostic import CardgenError
from cardgen.export import svg
from cardgen.export.pdf import writer
from cardgen.export.svg import Rasterizer
from cardgen.face.face import Face, Text
from cardgen.sheet.imposition import PrintPiece
from cardgen.text.copyfitting import set_line
from cardgen.text.fonts import Fonts
from cardgen.text.lines import Style
from cardgen.units import Size
from tests.fuzz.test_fuzz import ENDS, ends, fuzzed
from tests.fuzz.test_fuzz import project as project
from tests.sheet.pages import impose_single
from tests.text.made_fonts import postscript_font, variable_font

# The cases have a limit each, whatever their number.
pytestmark = pytest.mark.timeout(0)
SIZE = Size(60, 20)
# Names of files with what some system, PDF, or CSS does not like.
NAMES = ("own.ttf", "own.otf", "Own Font (1).ttf", "-.ttf", "🗡.otf", "a'b\".ttf", "x" * 120 + ".ttf", "#%20.otf")
STRANGE = (0, 1, 2, 0x7F, 0x80, 0xFF)


@pytest.fixture(scope="module")
def materials(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    folder = tmp_path_factory.mktemp("made")
    return [make(folder / "made.ttf").read_bytes() for make in (postscript_font, variable_font)]


def spans(font: bytes) -> dict[str, tuple[int, int]]:
    """Return the start and the length of each table, and those of the directory."""
    (count,) = struct.unpack(">H", font[4:6])
    rows = [struct.unpack(">4sIII", font[12 + 16 * number : 28 + 16 * number]) for number in range(count)]
    return {"": (4, 8 + 16 * count), **{tag.decode(): (start, length) for tag, _, start, length in rows}}


def damaged(font: bytes, dice: random.Random) -> bytes:
    """Return a font with other bytes in one or two tables: names, as often as all other tables."""
    content, places = bytearray(font), spans(font)
    for _ in range(dice.randint(1, 2)):
        tag = "name" if dice.random() < 0.5 else dice.choice(list(places))
        start, length = places[tag]
        for _ in range(dice.choice((1, 1, 2, 9))):
            content[start + dice.randrange(length)] = dice.choice((*STRANGE, dice.randrange(256)))
    if dice.random() < 0.05:
        del content[dice.randrange(len(content)) :]
    return bytes(content)


def printed(folder: Path) -> None:
    """Set a text in each family of a folder, and embed its fonts in a PDF and an SVG."""
    fonts = Fonts([folder])
    problems = tuple(fonts.unusable_files())
    if problems:
        raise CardgenError(*problems)
    texts = []
    for file in {file.family: file for file in fonts.files.values() if file.path.is_relative_to(folder)}.values():
        for bold in (False, True):
            line = set_line("AVx", 5, 15, Style(file.family, 30, "#000000", bold=bold), fonts, min_size=6)
            texts.append(Text(line.lines))
    face = Face(SIZE, 0, tuple(texts))
    page = next(iter(impose_single([PrintPiece(face)], SIZE, 0)))
    content = writer.write([page], fonts, writer.DocumentInfo("Test"))
    Rasterizer(content, 30).page(0)
    svg.write(face, fonts, "Test")


@fuzzed(1)
@given(st.integers(0, 2**60), st.sampled_from(NAMES), st.booleans())
def test_fonts(materials: list[bytes], seed: int, name: str, has_twin: bool) -> None:
    dice = random.Random(seed)
    folder = Path("fonts")
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    font = damaged(dice.choice(materials), dice)
    (folder / name).write_bytes(font)
    if has_twin:  # of the same names
        (folder / f"twin {name}").write_bytes(font)
    ends(lambda: printed(folder), "fonts")


def test_some_are_accepted_and_some_refused() -> None:
    built, refused = ENDS["fonts built"], ENDS["fonts refused"]
    if built + refused < 30:
        pytest.skip("too few cases")
    assert 0.3 < built / (built + refused) < 0.95, ENDS
