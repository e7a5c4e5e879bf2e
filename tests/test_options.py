"""An option is declared once: the command line, the request, the Python API, and the studio follow."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from cardgen import options
from cardgen.cli import build, export, show
from cardgen.options import OPTIONS, Options, mistakes
from cardgen.print.request import BuildRequest
from cardgen.project.project import Settings

NEW = (
    '    varnish: Annotated[int | None, Option("Layers of varnish.", export="Coats of varnish.", limits=(1, 9))]'
    " = None\n"
)
# Runs a statement in a program whose module of options has another line.
PATCHED = """
import sys
from importlib import util
spec = util.find_spec("cardgen.options")
module = util.module_from_spec(spec)
sys.modules["cardgen.options"] = module
source = open(spec.origin, encoding="utf-8").read()
assert source.count({before!r}) == 1
exec(compile(source.replace({before!r}, {new!r} + {before!r}), spec.origin, "exec"), module.__dict__)
{statement}
"""


def run_with_new_option(statement: str) -> str:
    """What a statement prints if the table has one more option."""
    script = PATCHED.format(before="    profile: Annotated[\n", new=NEW, statement=statement)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1]), "COLUMNS": "80"}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["build", "--help"], "--varnish N                     Layers of varnish.  [1<=x<=9]"),
        (["export", "tts", "--help"], "--varnish N                     Coats of varnish.  [1<=x<=9]"),
        (["build", "--varnish", "10"], "10 is not in the range 1<=x<=9."),
    ],
)
def test_a_new_option_is_on_the_command_line(arguments: list[str], said: str) -> None:
    assert said in run_with_new_option(f"from cardgen import cli; cli.run({arguments!r})")


def test_a_new_option_is_in_requests_and_the_python_api() -> None:
    script = (
        "from cardgen.print.request import BuildRequest; print(BuildRequest(varnish=3).varnish, BuildRequest().varnish)"
    )
    assert run_with_new_option(script) == "3 None\n"
    said = run_with_new_option("import cardgen; cardgen.build(varnish=10)")
    assert "varnish: error[CG520]: must be a whole number between 1 and 9, not 10" in said


def test_a_new_option_is_in_the_studio(tmp_path: Path) -> None:
    (tmp_path / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    script = f"""
from pathlib import Path
from cardgen.editor.session import Session
from cardgen.studio.engine.sheets import Sheets
form = Sheets(Session(Path({str(tmp_path)!r}))).form()
print([(each.label, each.sort, each.low, each.high, each.help) for each in form.rare if each.name == "varnish"])
print([each.help for each in form.of_exports if each.name == "varnish"])
"""
    assert run_with_new_option(script) == (
        "[('Varnish', 'number', 1, 9, 'Layers of varnish.')]\n['Coats of varnish.']\n"
    )


def test_a_new_setting_is_written_wherever_settings_and_options_are() -> None:
    script = f"""
import runpy
from dataclasses import replace
from cardgen import options
options.OPTIONS["varnish"] = replace(options.OPTIONS["varnish"], setting=options.Setting("2"))
files = runpy.run_path({str(Path(__file__).parents[1] / "docs" / "options.py")!r})["texts"]()
print(*(line.strip() for _, text in files for line in text.splitlines() if "varnish" in line), sep="\\n")
from cardgen.scaffold.cards import setting_lines
print(*(line for line in setting_lines("").splitlines() if "varnish" in line))
"""
    assert run_with_new_option(script).splitlines() == [
        "varnish: Annotated[int, Field(strict=True, ge=1, le=9)] = 2",
        "varnish: int | None",
        "varnish: Layers of varnish. From 1 to 9.",
        "varnish: 2                      # layers of varnish",
    ]


@pytest.mark.parametrize("command", ["build", "export", "show"])
def test_commands_have_the_options_of_the_table(command: str) -> None:
    groups = {"build": build.command, "show": show.command}
    found = groups.get(command) or export.command.get_command(click.Context(export.command), "tts")
    assert found is not None
    expected = [name for name, option in OPTIONS.items() if getattr(option, command)]
    assert expected
    assert list(dict.fromkeys(each.name for each in found.params if each.name in OPTIONS)) == expected


def test_options_that_override_settings_are_settings() -> None:
    names = {name for name, option in OPTIONS.items() if option.setting}
    assert names
    assert names <= {*Settings.model_fields}
    assert all(OPTIONS[name].default is None for name in names)


def test_types_and_defaults_come_from_the_fields() -> None:
    sorts = {name: OPTIONS[name].sort for name in ("paper", "qty", "kit", "only")}
    assert sorts == {"paper": options.TEXT, "qty": options.NUMBER, "kit": options.FLAG, "only": options.WORDS}
    assert {name: option.default for name, option in OPTIONS.items()} == {
        name: getattr(Options(), name) for name in OPTIONS
    }
    assert [OPTIONS[name].flag for name in ("cache", "formats", "jobs")] == ["--no-cache", "--format", "--jobs"]
    assert isinstance(BuildRequest._make(Options(qty=2)), BuildRequest)


@pytest.mark.parametrize(
    ("values", "messages"),
    [
        ({"kit": True, "warband": "Band"}, ["'kit' and 'warband' cannot be combined"]),
        ({"kit": False, "warband": "Band"}, []),
        ({"changes": ("looks",)}, ["'changes' needs 'changed_since'"]),
        (
            {"errata": ("sheet", "notes"), "changed_since": "v1"},
            ["unknown kind of errata 'notes' (one of sheet, stickers)"],
        ),
        ({"errata": ("sheet",), "changed_since": "v1"}, []),
    ],
)
def test_options_that_do_not_go_together(values: dict[str, object], messages: list[str]) -> None:
    assert [each.message for each in mistakes(values)] == messages
