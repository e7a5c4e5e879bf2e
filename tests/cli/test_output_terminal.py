"""What commands print cannot steer a terminal."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click
import pytest

import cardgen
from cardgen.cli import _output
from cardgen.cli._output import print_data, print_line, print_styled, show_usage_error

EVIL = "a\x1b[2J\u202eb\nc"
SHOWN = "a\\x1b[2J\\u202eb\\nc"
PACKAGE = Path(cardgen.__file__).parent
OWN = Path(_output.__file__)
_OUTPUT = re.compile(r"\bclick\.(s?echo|secho|confirm)\b|\bprint\(|\.stderr\.write")


def test_output_has_one_way_out() -> None:
    modules = [path for path in PACKAGE.rglob("*.py") if path != OWN]
    direct = [path for path in modules if _OUTPUT.search(path.read_text(encoding="utf-8"))]
    assert modules
    assert direct == []


def test_a_line_has_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    print_line(EVIL)
    print_line(EVIL, mark="* ", err=True)
    assert capsys.readouterr() == (f"{SHOWN}\n", f"* {SHOWN}\n")


def test_data_stays_as_it_is_in_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    print_data(EVIL)
    assert capsys.readouterr().out == EVIL


def test_data_has_escapes_on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    print_data(f"{EVIL}\r\nd\u2028e")
    assert capsys.readouterr().out == "a\\x1b[2J\\u202eb\nc\\r\nd\\u2028e"


def test_styles_stay(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with click.Context(click.Command("x"), color=True):
        print_styled("\x1b[1mbold\x1b[0m\n", err=True)
    assert capsys.readouterr().err == "\x1b[1mbold\x1b[0m\n"


def test_a_usage_error_has_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    show_usage_error(click.UsageError(f"unknown {EVIL}", click.Context(click.Command("x"), info_name="x")))
    error = capsys.readouterr().err
    assert error.startswith("Usage: x")
    assert not {"\x1b", "\u202e"} & set(error)
