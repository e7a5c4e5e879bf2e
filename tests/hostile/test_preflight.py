"""Files for `cardgen preflight` and `cardgen proof` that expand, are locked, lead elsewhere, or steer a terminal."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from PIL import Image

from cardgen.target import preflight
from tests.cli.commands import Program

LIMITED = """
import sys
from cardgen.cli import run
from cardgen.target import preflight
preflight.TIME_LIMIT, preflight.MEMORY_LIMIT = float(sys.argv[1]), int(sys.argv[2])
sys.exit(run(["preflight", ".", "--service", "press"]))
"""
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


COMMANDS = ("preflight x.pdf --service press", "proof x.pdf")
each_command = pytest.mark.parametrize("command", COMMANDS)


@LINUX
@each_command
@pytest.mark.parametrize(
    ("seconds", "mebibytes", "words"),
    [
        (0.5, 4096, "longer than 0.5 seconds"),
        (60, 300, "takes more than 300 MiB of memory|reading it ended the process"),
    ],
)
def test_a_bomb_is_an_error(
    cardgen: Program, monkeypatch: pytest.MonkeyPatch, seconds: float, mebibytes: int, words: str, command: str
) -> None:
    monkeypatch.setattr(preflight, "TIME_LIMIT", seconds)
    monkeypatch.setattr(preflight, "MEMORY_LIMIT", mebibytes * 2**20)
    page(bomb(20))
    outcome = cardgen(*command.split())
    assert outcome.code == 1
    assert re.search(words, outcome.err)


@LINUX
@pytest.mark.parametrize(
    ("seconds", "mebibytes", "words"),
    [(0.1, 4096, "takes longer than 0.1 seconds"), (60, 30, "takes more than 30 MiB of memory")],
)
@pytest.mark.usefixtures("cardgen")
def test_a_picture_that_expands_is_an_error(seconds: float, mebibytes: int, words: str) -> None:
    """In a process of its own: what one that has run for long has free would count beside the limit."""
    Image.new("RGB", (7000, 7000)).save("a-front.png")
    command = [sys.executable, "-c", LIMITED, str(seconds), str(mebibytes * 2**20)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"a-front.png: error[CG545]: measuring the file {words}" in done.stderr


@LINUX
def test_all_files_of_a_command_share_a_limit(cardgen: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflight, "TOTAL_TIME_LIMIT", 0.02)
    for number in range(8):
        Image.new("RGB", (2000, 2000)).save(f"{number:02}-front.png", compress_level=1)
    outcome = cardgen("preflight", ".", "--service", "mpc")
    assert outcome.code == 1
    assert "-front.png: error[CG545]: measuring all files takes longer than 0.02 seconds" in outcome.err
    assert "00-front.png" not in outcome.err


def test_the_total_holds_without_processes_too(cardgen: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflight, "can_fork", lambda: False)
    monkeypatch.setattr(preflight, "TOTAL_TIME_LIMIT", 0.0)
    Image.new("RGB", (30, 30)).save("a-front.png")
    Image.new("RGB", (30, 30)).save("b-front.png")
    outcome = cardgen("preflight", ".", "--service", "mpc")
    assert outcome.code == 1
    assert "b-front.png: error[CG545]: measuring all files takes longer than 0 seconds" in outcome.err


@LINUX
@pytest.mark.parametrize("name", ["x.pdf", "a-front.png"])
def test_without_a_process_nothing_is_measured(cardgen: Program, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def fork() -> int:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr("os.fork", fork)
    page()
    Image.new("RGB", (30, 30)).save("a-front.png")
    outcome = cardgen("preflight", name, "--service", "press")
    assert outcome.code == 1
    assert f"{name}: error[CG545]: the file cannot be measured in a process of its own: Resource" in outcome.err


@LINUX
def test_pictures_are_not_all_in_memory_at_once(cardgen: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflight, "MEMORY_LIMIT", 100 * 2**20)
    for number in range(20):
        Path(f"{number}-front.png").write_bytes(bytes(20 * 2**20))
    outcome = cardgen("preflight", ".", "--service", "mpc")
    assert outcome.code == 1
    assert "0-front.png: error[picture]: the file is not a readable picture" in outcome.out
    assert "and 17 more places" in outcome.out


def test_too_many_files_are_an_error(cardgen: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgen.target.preflight.MOST_FILES", 2)
    for name in ("a", "b", "c"):
        Path(f"{name}.txt").touch()
    outcome = cardgen("preflight", ".", "--service", "mpc")
    assert outcome.code == 1
    assert "more than 2 files in this folder" in outcome.err


@LINUX
def test_a_page_of_a_mile_is_an_error(cardgen: Program) -> None:
    page(side=90_000)
    outcome = cardgen("preflight", "x.pdf", "--service", "press")
    assert outcome.code == 1
    assert "x.pdf: error" in outcome.err


@each_command
def test_a_locked_pdf_is_an_error(cardgen: Program, command: str) -> None:
    page(encryption=pikepdf.Encryption(owner="a", user="b"))
    outcome = cardgen(*command.split())
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


@pytest.mark.skipif(sys.platform == "win32", reason="creating links needs a privilege on Windows")
@pytest.mark.parametrize(
    "command",
    ["preflight link.pdf --service press", "preflight output/mpc --service mpc", "preflight mpc", "proof link.pdf"],
)
def test_a_link_out_of_the_project_is_an_error(cardgen: Program, command: str) -> None:
    page()
    Path("../elsewhere").mkdir()
    Path("x.pdf").rename("../elsewhere/x.pdf")
    Image.new("RGB", (100, 300)).save("../elsewhere/a-front.png")
    Path("link.pdf").symlink_to("../elsewhere/x.pdf")
    Path("output").mkdir()
    Path("output/mpc").symlink_to("../../elsewhere")
    outcome = cardgen(*command.split())
    assert outcome.code == 1
    assert "error[CG023]: the link points outside the project" in outcome.err
    assert "front" not in outcome.out + outcome.err


def test_a_page_of_a_mile_is_drawn_small(cardgen: Program) -> None:
    """Its pixels are limited, so that a proof needs no more memory than for other pages."""
    page(zlib.compress(b"0 0 14000 14000 re f"), side=14_000)
    outcome = cardgen("proof", "x.pdf", "--json")
    assert outcome.code == 0, outcome.err


def test_texts_of_a_proof_do_not_steer_the_terminal(cardgen: Program) -> None:
    content = "BT /F 3 Tf 20 20 Td (\x1b[31m\u202ered small type) Tj ET".encode("latin-1", "ignore")
    page(zlib.compress(content))
    outcome = cardgen("proof", "x.pdf")
    assert "error" not in outcome.err
    assert not {"\x1b", "\u202e"} & set(outcome.out + outcome.err)
