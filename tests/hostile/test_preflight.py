"""Files for `cardgen preflight` that expand, are locked, are torn, lead elsewhere, or steer a terminal."""

from __future__ import annotations

import sys
import zlib
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from PIL import Image

from cardgen.target import isolation
from tests.cli.commands import Program

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the limits of the kernel need Linux")


@pytest.fixture
def cardgen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Program:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return Program(capsys)


def page(content: bytes = b"", side: int = 200, **save: Any) -> pikepdf.Pdf:
    """Save a PDF with one page, whose content is compressed already, as x.pdf."""
    pdf = pikepdf.Pdf.new()
    stream = pdf.make_stream(b"")
    stream.write(content or zlib.compress(b""), filter=pikepdf.Name.FlateDecode)
    box = pikepdf.Array([0, 0, side, side])
    font = pikepdf.Dictionary(
        Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name("/\x1b[31m\u202ered")
    )
    resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F=pdf.make_indirect(font)))
    leaf = pikepdf.Dictionary(Type=pikepdf.Name.Page, MediaBox=box, TrimBox=box, Contents=stream, Resources=resources)
    pdf.pages.append(pikepdf.Page(pdf.make_indirect(leaf)))
    label = pikepdf.Dictionary(P=pikepdf.String("\x1b[2J\u202eAsh\nerror back"))
    pdf.Root.PageLabels = pikepdf.Dictionary(Nums=pikepdf.Array([0, label]))
    pdf.save("x.pdf", recompress_flate=False, **save)
    return pdf


def bomb(times: int) -> bytes:
    packer = zlib.compressobj(9)
    return b"".join(packer.compress(b"0 0 m 1 1 l S\n" * 500_000) for _ in range(times)) + packer.flush()


@LINUX
@pytest.mark.parametrize(
    ("seconds", "mebibytes", "words"), [(0.5, 4096, "longer than 0.5 seconds"), (60, 300, "x.pdf: error")]
)
def test_a_bomb_is_an_error(
    cardgen: Program, monkeypatch: pytest.MonkeyPatch, seconds: float, mebibytes: int, words: str
) -> None:
    monkeypatch.setattr(isolation, "TIME_LIMIT", seconds)
    monkeypatch.setattr(isolation, "MEMORY_LIMIT", mebibytes * 2**20)
    page(bomb(20))
    outcome = cardgen("preflight", "x.pdf", "--service", "press")
    assert outcome.code == 1
    assert words in outcome.err


@LINUX
def test_a_page_of_a_mile_is_an_error(cardgen: Program) -> None:
    page(side=90_000)
    outcome = cardgen("preflight", "x.pdf", "--service", "press")
    assert outcome.code == 1
    assert "x.pdf: error" in outcome.err


def test_a_locked_pdf_is_an_error(cardgen: Program) -> None:
    page(encryption=pikepdf.Encryption(owner="a", user="b"))
    outcome = cardgen("preflight", "x.pdf", "--service", "press")
    assert outcome.code == 1
    assert "the PDF is encrypted" in outcome.err


def test_texts_of_a_pdf_do_not_steer_the_terminal(cardgen: Program) -> None:
    page()
    outcome = cardgen("preflight", "x.pdf", "--service", "press")
    assert outcome.code == 1
    assert "is not embedded" in outcome.out
    assert not {"\x1b", "\u202e"} & set(outcome.out + outcome.err)
    assert all(line.startswith(("x.pdf", "Press: ")) for line in outcome.out.splitlines())


@pytest.mark.skipif(sys.platform == "win32", reason="creating links needs a privilege on Windows")
def test_a_link_out_of_a_folder_is_an_error(cardgen: Program) -> None:
    Image.new("RGB", (100, 300)).save("../secret.png")
    Path("front.png").symlink_to(Path("../secret.png").resolve())
    outcome = cardgen("preflight", ".", "--service", "mpc")
    assert outcome.code == 1
    assert "front.png: error" in outcome.err
    assert "the link points outside the folder" in outcome.err
    assert "100" not in outcome.out + outcome.err
