"""Names of files that could steer a terminal, a page, or a program that reads a report."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from lxml import etree

from tests.checking.reports.test_reports_ci import JUNIT
from tests.cli.commands import Program
from tests.projects import MINION, Folder

pytestmark = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="these systems have no such names")

ROOT = Path(__file__).parents[2]
NAMES = ["a\nb.yaml", "a`b`.yaml", "a\u202eb.yaml", "a|b.yaml", "a\x1b[2Jb.yaml", "a\u2066b.yaml", "<img src=x>.yaml"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", ["full", "concise", "markdown", "github"])
def test_a_report_has_no_raw_controls(folder: Folder, capsys: pytest.CaptureFixture[str], name: str, form: str) -> None:
    folder.plain().write(f"cards/{name}", MINION + "oops: 1\n")
    outcome = Program(capsys)("check", "--format", form, "--no-cache")
    assert outcome.code == 1
    assert not {"\x1b", "\u202e", "\u2066"} & set(outcome.out + outcome.err)
    assert all("oops" in line or ".yaml" not in line for line in outcome.out.splitlines() if form != "full")


@pytest.mark.parametrize("name", [*NAMES, "a&b'\".yaml", "a\ufffe.yaml", "a\tb.yaml"])
def test_reports_for_ci_servers_hold_any_name(folder: Folder, capsys: pytest.CaptureFixture[str], name: str) -> None:
    folder.plain().write(f"cards/{name}", MINION + "oops: 1\n")
    out = Program(capsys)("check", "--format", "junit", "--no-cache").out
    JUNIT.assertValid(etree.fromstring(out.encode()))
    assert not {"\x1b", "\u202e", "\u2066"} & set(out)
    (issue,) = json.loads(Program(capsys)("check", "--format", "gitlab", "--no-cache").out)
    assert issue["location"]["path"] == f"cards/{name}"


def test_a_baseline_holds_any_name(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    for number, name in enumerate([*NAMES, "\udcff.yaml"]):
        text = MINION.replace("Sentinel", f"Sentinel {number}") + "motto: so so\n"
        folder.plain().write("cards/x.yaml", text).rename(folder.root / "cards" / name)
    select = ("check", "--select", "doubled-word")
    assert Program(capsys)(*select, "--write-baseline", "b.json").code == 0
    assert Program(capsys)(*select).code == 1
    outcome = Program(capsys)(*select, "--baseline", "b.json")
    assert outcome.code == 0
    assert outcome.out.endswith(f", {len(NAMES) + 1} findings in the baseline\n")


def test_code_spans_of_markdown_hold_backticks_and_bars(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    folder.plain().write("cards/a``b`|c.yaml", MINION + "oops: 1\n")
    out = Program(capsys)("check", "--format", "markdown", "--no-cache").out
    assert "| ```cards/a``b`\\|c.yaml:4:1``` |" in out


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("@somebody", "@&#8203;somebody"),
        ("&lt;b&gt;", r"\&lt;b\&gt;"),
        ("![x](y)", r"\!\[x\]\(y\)"),
        ("~~x~~", r"\~\~x\~\~"),
    ],
)
def test_words_of_a_card_are_no_markdown(
    folder: Folder, capsys: pytest.CaptureFixture[str], text: str, shown: str
) -> None:
    folder.plain().write("cards/a.yaml", MINION + f"'{text}': 1\n")
    assert f"unknown key '{shown}'" in Program(capsys)("check", "--format", "markdown", "--no-cache").out


@pytest.mark.parametrize(
    "command",
    ["check", "build", "list", *(f"check --format {f}" for f in ("json", "sarif", "github", "junit", "gitlab"))],
)
def test_a_name_that_is_not_utf8(folder: Folder, command: str) -> None:
    folder.plain().write("cards/a.yaml", MINION + "oops: 1\n")
    (folder.root / "cards" / "a.yaml").rename(folder.root / "cards" / "a\udcff.yaml")
    process = subprocess.run(
        [sys.executable, "-P", "-m", "cardgen", *command.split()],
        cwd=folder.root,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    said = (process.stdout + process.stderr).decode("utf-8")
    assert process.returncode == 1, said
    assert "Traceback" not in said
    assert any(name in said for name in (r"a\xff.yaml", r"a\udcff.yaml", "a%FF.yaml", "a\ufffd.yaml")), said
    if "json" in command:
        assert json.loads(process.stdout)["findings"][0]["file"] == "cards/a\udcff.yaml"


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize("command", ["check", "attack Brute Brute --odds", "rulings"])
def test_output_that_the_encoding_lacks_is_escaped(folder: Folder, encoding: str, command: str) -> None:
    folder.plain().write("cards/a.yaml", MINION + "'\u0416': 1\n" if command == "check" else MINION)
    process = subprocess.run(
        [sys.executable, "-P", "-m", "cardgen", *command.split()],
        cwd=folder.root,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
    )
    assert b"Traceback" not in process.stderr, process.stderr.decode(encoding)
    assert process.stdout


LONG = "a" * 300


@pytest.mark.parametrize(
    "arguments",
    [("check", LONG), ("table", "export", "minion", LONG), ("check", "--write-baseline", LONG),
     ("new", "project", LONG), ("verify", LONG), ("build", "--output", LONG), ("check", "a/" * 3_000)],
    ids=lambda arguments: " ".join(arguments)[:24],
)  # fmt: skip
def test_a_name_that_is_too_long_is_no_fault(
    folder: Folder, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    folder.plain().write("cards/a.yaml", MINION)
    outcome = Program(capsys)(*arguments)
    assert outcome.code in (1, 2)
    assert "error" in outcome.err
    assert "bug" not in outcome.err


@pytest.mark.parametrize("command", ["check", "build"])
def test_a_name_in_a_card_or_in_settings_can_be_too_long(
    folder: Folder, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    folder.plain().write("cards/a.yaml", f"{MINION}back: {LONG}\n")
    outcome = Program(capsys)(command, "--no-cache")
    assert outcome.code == 1
    assert "cards/a.yaml" in outcome.out + outcome.err
    folder.write("cards/a.yaml", MINION)
    folder.write("cardgen.yaml", f"game: warniris\ntables: {{{LONG}.csv: {{kind: minion}}}}\n")
    outcome = Program(capsys)(command, "--no-cache")
    assert outcome.code == 1
    assert "cardgen.yaml:2:10: error" in outcome.out + outcome.err
