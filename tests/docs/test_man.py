"""The manual pages."""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
from pathlib import Path

import click
import pytest

from cardgen.cli import commands

SCRIPT = Path(__file__).parent.parent.parent / "docs" / "man.py"


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return dict(runpy.run_path(str(SCRIPT))["pages"]())


def test_each_command_has_a_page(pages: dict[str, str]) -> None:
    names = commands.list_commands(click.Context(commands))
    assert sorted(pages) == sorted(["cardgen.1", *(f"cardgen-{name}.1" for name in names)])
    assert [name for name in names if f"\\fB{name}\\fP" not in pages["cardgen.1"]] == []
    assert "\\fB\\-\\-paper SIZE[,SIZE]\\fP" in pages["cardgen-build.1"]


def test_pages_are_plain_roff(pages: dict[str, str]) -> None:
    macros = {"TH", "SH", "PP", "TP", "B", "nf", "fi"}
    for name, text in pages.items():
        assert text.isascii(), name
        assert "\b" not in text, name
        assert set(re.findall(r"^[.']\s*(\w*)", text, re.MULTILINE)) <= macros, name


@pytest.mark.skipif(not shutil.which("groff"), reason="needs groff")
def test_groff_has_no_warnings(pages: dict[str, str]) -> None:
    for name, text in pages.items():
        done = subprocess.run(["groff", "-man", "-ww", "-z"], input=text, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), name
