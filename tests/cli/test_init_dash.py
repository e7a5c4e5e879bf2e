"""The path '-': standard input and output."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from cardgen.cli import run
from tests.cli.commands import Program
from tests.projects import MINION, Folder


def cardgen_with(content: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "cardgen", *arguments]
    return subprocess.run(command, input=content, capture_output=True, check=False, env=dict(os.environ))


@pytest.fixture
def piped(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Return `cardgen_with` without a process of its own."""

    def run_with(content: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        return subprocess.CompletedProcess(arguments, run(arguments), *capfdbinary.readouterr())

    return run_with


def test_a_card_is_read_from_standard_input(folder: Folder) -> None:
    folder.plain()
    listed = cardgen_with(MINION.encode(), "list", "-")
    assert (listed.returncode, listed.stderr) == (0, b"")
    assert listed.stdout.splitlines()[1].split() == [b"minion", b"sentinel", b"1", b"Sentinel", b"-:2:7"]
    for name in ("Sentinel", "Brute"):  # No result of another input is used again.
        built = cardgen_with(MINION.replace("Sentinel", name).encode(), "build", "-", "--format", "svg")
        assert (built.returncode, built.stderr) == (0, b"")
        assert f"warniris-minion/001-{name.lower()}-front.svg" in folder.files()


def test_problems_of_standard_input_are_located(
    folder: Folder, piped: Callable[..., subprocess.CompletedProcess[bytes]]
) -> None:
    broken = MINION.replace("W: 1", "W: x").encode()
    checked = piped(broken, "check", "-", "--format", "concise")
    assert checked.returncode == 1
    assert checked.stdout.startswith(b"-:3:")
    assert piped(MINION.encode(), "check", "-").returncode == 0
    assert b"-:3:" in piped(broken, "build", "-").stderr
    assert b"is not valid UTF-8" in piped(b"\xff", "check", "-").stdout
    assert b"larger than" in piped(b"#" * 2_000_000, "check", "-").stdout


@pytest.mark.parametrize("arguments", [("check", "-", "--fix"), ("build", "-", "--watch")])
def test_standard_input_is_neither_changed_nor_watched(
    folder: Folder, cardgen: Program, arguments: tuple[str, ...]
) -> None:
    assert cardgen(*arguments).code == 2


def test_a_picture_goes_to_standard_output(folder: Folder, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    folder.plain().minions("Anna")
    assert run(["show", "anna", "-o", "-"]) == 0
    assert capfdbinary.readouterr().out.startswith(b"\x89PNG\r\n")
    assert folder.files() == []


def test_a_transcript_goes_through_a_pipe(folder: Folder) -> None:
    folder.minions("Anna")
    rolled = cardgen_with(b"", "test", "Anna", "mind", "-o", "-")
    assert rolled.returncode == 0
    assert [json.loads(line) for line in rolled.stdout.splitlines()]
    assert b"Anna" in rolled.stderr
    verified = cardgen_with(rolled.stdout, "verify", "-")
    assert (verified.returncode, verified.stderr) == (0, b"")
    assert verified.stdout.startswith(b"VALID: ")
    forged = cardgen_with(rolled.stdout.replace(b'"mind"', b'"body"'), "verify", "-")
    assert forged.returncode == 1


def test_other_files_go_to_standard_output(
    folder: Folder, piped: Callable[..., subprocess.CompletedProcess[bytes]]
) -> None:
    folder.minions("Anna")
    assert json.loads(piped(b"", "schema", "-o", "-").stdout)
    report = piped(b"", "check", "--format", "json=-").stdout
    assert json.loads(report.partition(b"\n}\n")[0] + b"}")
    plot = piped(b"", "test", "Anna", "mind", "--plot", "-")
    assert plot.stdout.startswith(b"<svg")
    assert plot.stdout.rstrip().endswith(b"</svg>")
    assert folder.files(".") == ["cards/minions.yaml"]


@pytest.mark.parametrize(
    "arguments", [("test", "Anna", "mind", "--json", "-o", "-"), ("show", "Anna", "--json", "-o", "-")]
)
def test_two_results_cannot_share_standard_output(folder: Folder, cardgen: Program, arguments: tuple[str, ...]) -> None:
    folder.plain().minions("Anna")
    assert cardgen(*arguments).code == 2
