"""What commands print cannot steer a terminal."""

from __future__ import annotations

import re
import sys
import time
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
    modules = [path for path in PACKAGE.rglob("*.py") if path != OWN and path.parent.name != "ci_files"]
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


COMMANDS = "::error::a\n  ::error::b\n\r\n\v::stop-commands::c\nd ::e:: ##[set-output f]g\n"


def test_people_are_shown_no_commands_to_the_runner(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    print_styled(COMMANDS)
    assert capsys.readouterr().out == COMMANDS, "no runner prints this"
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    print_styled(COMMANDS)
    print_line("::warning::h", err=True)
    print_line("##[i]", mark="::j")
    print_data(COMMANDS)
    printed = capsys.readouterr()
    people, data = printed.out[: -len(COMMANDS)], printed.out[-len(COMMANDS) :]
    shown = [r"\x3a:error::a", r"\x3a:error::b", r"\x3a:stop-commands::c", r"d ::e:: \x23#[set-output f]g"]
    assert [line.strip() for line in people.splitlines() if line.strip()] == [*shown, r"\x3a:j\x23#[i]"]
    assert data == COMMANDS
    assert printed.err == "\\x3a:warning::h\n"
    print_styled("\x1b[1m \x1b[31m:\x1b[0m:k\n#\x1b[1m#\x1b[0m[l]")
    assert capsys.readouterr().out == " \\x3a:k\n\\x23#[l]"


def test_commands_to_the_runner_are_found_in_linear_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    start = time.process_time()
    for text in ("\n", " ", "#", ":", "\x1b[1m", " \n", "a\x1b[", "#\x1b[m"):
        print_styled(text * 200_000)
    assert time.process_time() - start < 10
