"""Damaged fonts: a build ends in files or in a message that names the font."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
import rendercv_fonts

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
