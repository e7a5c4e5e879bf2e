"""Help, suggestions, colors, environment variables, the log, and what commands load."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import click
import pytest

from cardgen.cli import _group, commands
from cardgen.diagnostic import stop_log
from tests.cli.commands import Program
from tests.projects import MINION, Folder

ROOT = Path(__file__).parents[2]
RED = "\x1b[1;31m"


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)


def test_each_command_is_in_one_section(cardgen: Program) -> None:
    names = [name for section in _group.SECTIONS.values() for name in section]
    assert sorted(names) == commands.list_commands(click.Context(commands))
    text = cardgen("--help").out
    assert [title for title in _group.SECTIONS if f"\n{title}:\n" not in text] == []
    assert "Other:" not in text


@pytest.mark.parametrize("width", ["40", "60", "200"])
def test_the_help_fits_any_terminal(cardgen: Program, monkeypatch: pytest.MonkeyPatch, width: str) -> None:
    monkeypatch.setenv("COLUMNS", width)
    assert max(map(len, cardgen("--help").out.splitlines())) <= max(int(width), 50)


@pytest.mark.parametrize(
    ("typed", "meant"), [("bild", "build"), ("chek", "check"), ("refernce", "reference"), ("lst", "list")]
)
def test_the_command_that_was_meant(cardgen: Program, typed: str, meant: str) -> None:
    outcome = cardgen(typed)
    assert outcome.code == 2
    assert f"unknown command '{typed}'; did you mean '{meant}'?" in outcome.err


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (("show", "Bog", "Hag"), 'put a name with spaces in quotes: "Bog Hag"'),
        (("new", "minion", "Bog", "Hag"), 'put a name with spaces in quotes: "Bog Hag"'),
        (("duel", "Bog", "Hag", "Brute"), "put a name with spaces in quotes"),
        (("explain", "hag"), "CARD: error[CG117]: no card has the kind, id, name, or tag 'hag'"),
    ],
)
def test_a_name_of_several_words_needs_quotes(
    folder: Folder, cardgen: Program, arguments: tuple[str, ...], advice: str
) -> None:
    folder.write("cards/ash.yaml", MINION)
    outcome = cardgen(*arguments)
    assert outcome.code == 2
    assert advice in outcome.err
    assert "--only" not in outcome.err


def test_the_trial_that_was_meant(cardgen: Program) -> None:
    assert "unknown trial 'atack'; did you mean 'attack'?" in cardgen("trial", "atack").err
    assert "unknown trial 'shoot': it belongs to skirmish, so add '--game skirmish'" in cardgen("trial", "shoot").err
    assert "unknown trial 'xyz'; available: attack, " in cardgen("trial", "xyz").err
    assert "available: " not in cardgen("xyz").err


@pytest.mark.parametrize("arguments", [("--color", "always", "roll", "2x6"), ("roll", "2x6", "--color", "always")])
def test_colors_on_request(cardgen: Program, arguments: tuple[str, ...]) -> None:
    assert f"{RED}error[CG" in cardgen(*arguments).err


@pytest.mark.parametrize(
    ("environment", "colored"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "0"}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"NO_COLOR": "1", "CARDGEN_COLOR": "always"}, True),
        ({"NO_COLOR": ""}, False),
    ],
)
def test_colors_of_the_environment(
    cardgen: Program, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], colored: bool
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert (RED in cardgen("roll", "2x6").err) is colored


def test_a_terminal_gets_colors_unless_it_is_dumb(cardgen: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("click._compat.isatty", lambda _: True)
    assert RED in cardgen("roll", "2x6").err
    assert RED not in cardgen("roll", "2x6", "--color", "never").err
    monkeypatch.setenv("TERM", "dumb")
    assert RED not in cardgen("roll", "2x6").err


def test_reports_are_colored_on_terminals_but_not_in_files(folder: Folder, cardgen: Program) -> None:
    folder.write("cards/a.yaml", "kind: minion\nname: A\nmotto: the the\nstats: 5\n")
    for form in ("full", "concise"):
        report = cardgen("check", "--color", "always", "--format", form, "--format", f"{form}=report.txt").out
        assert f"{RED}error[CG103]\x1b[0m" in report
        plain = cardgen("check", "--format", form).out
        assert "\x1b" not in plain
        assert re.sub(r"\x1b\[[\d;]*m", "", report) == plain
        assert (folder.root / "report.txt").read_text(encoding="utf-8") in plain


def test_options_come_from_variables(folder: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.plain().minions("Anna", "Bert")
    monkeypatch.setenv("CARDGEN_BUILD_PAPER", "letter")
    monkeypatch.setenv("CARDGEN_BUILD_ONLY", "anna")
    assert cardgen("build").code == 0
    assert folder.files() == ["warniris-minion-selection-letter.pdf"]
    monkeypatch.setenv("CARDGEN_BUILD_PAPER", "a44")
    assert cardgen("build").code == 2
    assert cardgen("build", "--paper", "a5").code == 0
    monkeypatch.setenv("CARDGEN_LIST_JSON", "1")
    assert cardgen("list").out.startswith("{")


@pytest.mark.parametrize("arguments", [("-v", "build"), ("build", "-v")])
def test_the_log_goes_to_standard_error(folder: Folder, cardgen: Program, arguments: tuple[str, ...]) -> None:
    folder.plain().minions("Anna")
    time.sleep(0.2)  # A file that has just changed is not trusted.
    try:
        first, second = cardgen(*arguments), cardgen(*arguments)
    finally:
        stop_log()
    assert re.search(r"^\[ +\d+\.\d{3} s\] read .*cards/minions\.yaml$", first.err, re.MULTILINE)
    assert re.search(r"\] wrote output/warniris-minion-a4\.pdf$", first.err, re.MULTILINE)
    assert "] cards rendered: 1" in first.err
    assert first.out.startswith("output/warniris-minion-a4.pdf\n")
    assert "] nothing changed since the build in " in second.err
    assert cardgen("build").err == ""


@pytest.mark.parametrize(
    ("variable", "value", "arguments", "expected"),
    [
        ("CARDGEN_BUILD_FORMAT", "svg", ("build", "-q"), ""),
        ("CARDGEN_LIST_JSON", "1", ("list",), '"cards"'),
        ("CARDGEN_ROLL_ODDS", "1", ("roll", "d6"), "1/6"),
        ("CARDGEN_TEST_ODDS", "1", ("test", "Anna", "mind"), "%"),
        ("CARDGEN_TRIAL_TEST_BONUS", "1", ("trial", "test", "Anna", "mind"), "3 or less"),
        ("CARDGEN_RULINGS_GAME", "warcry", ("rulings",), ":"),
        ("CARDGEN_TRIAL_GAME", "warcry", ("trial", "--help"), "initiative"),
        ("CARDGEN_VERSION", "1", ("roll", "d1"), "1"),
    ],
)
def test_each_option_has_a_variable(
    folder: Folder,
    cardgen: Program,
    monkeypatch: pytest.MonkeyPatch,
    variable: str,
    value: str,
    arguments: tuple[str, ...],
    expected: str,
) -> None:
    folder.plain().minions("Anna")
    monkeypatch.setenv(variable, value)
    outcome = cardgen(*arguments)
    assert outcome.code == 0, outcome.err
    assert expected in outcome.out
    assert variable != "CARDGEN_BUILD_FORMAT" or "warniris-minion/001-anna-front.svg" in folder.files()
    assert not outcome.out.startswith("cardgen ")


# Libraries and parts of the program that a check of a card does not need, whatever its game.
HEAVY = {"reportlab", "cairosvg", "pikepdf", "pypdfium2", "uharfbuzz", "PIL", "importlib.metadata", "asyncio", "dask"}
HEAVY |= {f"cardgen.{name}" for name in ("cluster", "export", "builds", "releases", "print.render", "runtime.cluster")}
# What only some cards need: expressions, odds by play, sentences that are written or read, models of pieces.
RARE = {"jinja2", "cardgen.referee.odds", "cardgen.grammar", "cardgen.rulesets.pieces"}
FIGHTER = (
    "game: warcry\nkind: fighter\nname: Guard\nfaction: cities-of-sigmar\nrunemarks: [hero]\npoints: 100\n"
    "stats: {M: 5, T: 4, W: 12}\nweapons: [Saber: sword R1 A3 S4 D1/4]\n"
)
RELIC = "kind: relic\nname: Sun Stone\neffects: [{when: turn_start, bearer: {heal: 1}}]\nmotto: so so\n"
DISK = "game: diskwars\nkind: terrain\nname: Bog\n"


def loaded_by(arguments: list[str], folder: Path) -> set[str]:
    """Return the modules that a run of the program in a folder loads, and the packages that contain them."""
    script = (
        f"import atexit, sys; from cardgen.cli import main; sys.argv[1:] = {arguments}; "
        "atexit.register(lambda: print(*sys.modules)); main()"
    )
    installed = os.environ.get("INSTALLED_PYTHON", "")  # of a wheel that is tried; else this checkout runs
    path = {} if installed else {"PYTHONPATH": str(ROOT)}
    environment = {**path, "PATH": "", "SYSTEMROOT": "", "XDG_CACHE_HOME": str(folder / ".cache")}
    program = [installed or sys.executable, "-P", "-c", script]
    done = subprocess.run(program, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize(
    ("arguments", "card", "game", "unneeded"),
    [
        (["check"], RELIC, "warniris", {*RARE, "difflib"}),
        (["check"], FIGHTER, "warcry", RARE),
        (["attack", "Sun", "Sun", "Sun", "--odds"], RELIC, "warniris", {"cardgen.tables", "ctypes"}),
        (["check"], DISK, "diskwars", {"cardgen.referee.odds", "cardgen.game_file.trial_run"}),
        (["list"], FIGHTER, "warcry", {*RARE, "cardgen.checking.runner"}),
        (["--help"], RELIC, "", {*RARE, "pydantic", "yaml", "cardgen.model", "ctypes"}),
        (["roll", "2D6"], RELIC, "", {*RARE, "pydantic", "yaml", "cardgen.model"}),
    ],
    ids=lambda value: value if isinstance(value, str) and "\n" not in value else "",
)
def test_a_run_loads_nothing_that_it_does_not_need(
    tmp_path: Path, arguments: list[str], card: str, game: str, unneeded: set[str]
) -> None:
    """Nothing that draws, no other game, and not what pydantic would look for its plugins with."""
    (tmp_path / "card.yaml").write_text(card, encoding="utf-8")
    loaded = loaded_by(arguments, tmp_path)
    assert not game or f"cardgen.rulesets.{game}" in loaded
    assert loaded & (HEAVY | unneeded) == set()
    others = {"warniris", "warcry", "skirmish", "diskwars"} - {game}
    assert not loaded & {f"cardgen.rulesets.{other}" for other in others}


def test_a_check_of_cards_that_did_not_change_loads_no_models(tmp_path: Path) -> None:
    card = tmp_path / "card.yaml"
    card.write_text(RELIC, encoding="utf-8")
    os.utime(card, (1, 1))  # long enough ago to be trusted
    assert {"pydantic", "yaml"} < loaded_by(["check"], tmp_path)
    assert not {"pydantic", "yaml"} & loaded_by(["check"], tmp_path)


# What a build needs only for mistakes, drawings as templates, pieces, presses, and sheets other than grids.
RARE_IN_BUILDS = {
    f"cardgen.{name}"
    for name in (
        "checking",
        "export.press",
        "face.inkscape",
        "face.template.report",
        "rulesets.pieces",
        "sheet.cut_list",
        "sheet.gang_sheet",
        "sheet.sprue_file",
    )
}


def test_a_build_loads_nothing_that_few_builds_need(tmp_path: Path) -> None:
    (tmp_path / "card.yaml").write_text(RELIC, encoding="utf-8")
    assert all(find_spec(name) for name in RARE_IN_BUILDS)
    loaded = loaded_by(["build", "-q", "-j", "1"], tmp_path)
    assert (tmp_path / "output/warniris-relic-a4.pdf").is_file()
    assert not loaded & {*RARE_IN_BUILDS, "PIL.ImageCms", "PIL.ImageOps"}
