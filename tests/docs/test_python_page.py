"""The page about the Python API: every example runs in the sample project, and prints what the page shows."""

from __future__ import annotations

import doctest
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import get_type_hints

import pytest

import cardgen
from cardgen import cli
from cardgen.api.build import BuildOptions
from cardgen.options import OPTIONS, WORDS, Options

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
FILES = re.findall(r"^```yaml (\S+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
SCRIPTS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The sample project with the page's files, as the current folder."""
    monkeypatch.chdir(tmp_path)
    assert cli.run(["new", "project", "kit", "--sample"]) == 0
    for name, text in FILES:
        path = tmp_path / "kit" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.chdir("kit")
    return tmp_path / "kit"


@pytest.mark.usefixtures("kit")
def test_the_examples_print_what_the_page_shows() -> None:
    examples = "\n".join(re.findall(r"^```pycon\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "python.md", "docs/python.md", 0)
    assert len(test.examples) > 30
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert report == []


@pytest.mark.usefixtures("kit")
def test_the_scripts_run() -> None:
    names: dict[str, object] = {}
    for script in SCRIPTS:
        exec(compile(script, "python.md", "exec"), names)
    deck = cardgen.load("cards")
    thumbnail = names["thumbnail"]
    assert callable(thumbnail)
    assert thumbnail(deck[0]).startswith(b"\x89PNG")


def test_mypy_checks_the_typed_script() -> None:
    functions = SCRIPTS[-1].partition("import cardgen\n")[2].strip()
    assert functions in (ROOT / "tests" / "test_api.py").read_text(encoding="utf-8")


def test_every_public_name_is_listed() -> None:
    rows = "".join(re.findall(r"^\| \[?`.*$", PAGE.partition("## Load cards")[0], re.MULTILINE))
    assert set(re.findall(r"`(\w+)`", rows)) >= set(cardgen.__all__)


def test_every_option_of_build_is_explained_by_its_help() -> None:
    said = inspect.getdoc(cardgen.build) or ""
    assert re.findall(r"^ {8}(\w+):", said, re.MULTILINE) == [*OPTIONS]


def test_options_of_build_have_the_types_of_the_table() -> None:
    types = get_type_hints(Options)
    words = {True: str | Sequence[str] | None, False: str | Sequence[str]}
    widened = {
        name: words[each.default is None] if each.sort == WORDS else types[name] for name, each in OPTIONS.items()
    }
    assert [*get_type_hints(BuildOptions).items()] == [*widened.items()]


def test_every_field_of_a_diagnostic_is_listed() -> None:
    table = PAGE.partition("A `Diagnostic` has these fields")[2].partition("A `Span`")[0]
    assert tuple(re.findall(r"^\| `(\w+)`", table, re.MULTILINE)) == cardgen.Diagnostic._fields
    assert all(f"`{name}`" in PAGE for name in (*cardgen.Span._fields, *cardgen.Place._fields))


def test_pytest_shows_what_the_page_shows(kit: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "cardgen.pytest_plugin", "--cardgen", "drafts", "drafts"],
        cwd=kit, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "80"},
    )  # fmt: skip
    shown = next(text for text in re.findall(r"^```text\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
    assert shown in done.stdout


def test_files_that_it_names_exist() -> None:
    for link in re.findall(r"\]\(((?!http)[^)#]+)[^)]*\)", PAGE):
        assert (ROOT / "docs" / link).exists(), link
