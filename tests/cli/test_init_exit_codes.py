"""The exit codes, as docs/commands.md lists them."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pypdfium2
import pytest

from cardgen.cli import commands
from cardgen.deck import deck
from cardgen.text.fonts import Fonts
from tests.cli.commands import Outcome, Program, process
from tests.projects import Folder

USAGE_ERRORS = (
    ("bild",),
    ("studio", "--port", "99999"),
    ("build", "--papr", "a4"),
    ("build", "--qty", "0"),
    ("build", "--kit", "--warband", "x"),
    ("build", "--paper", "a44"),
    ("build", "--layout", "heap"),
    ("build", "--sprue", "tree"),
    ("build", "--printer", "nowhere"),
    ("build", "--printer", "/"),
    ("build", "--theme", "pink"),
    ("build", "--bleed", "wide"),
    ("build", "--format", "gif"),
    ("build", "--only", "nobody"),
    ("build", "--warband", "nobodies"),
    ("calibrate", "--paper", "a44"),
    ("calibrate", "--backs", "none-edge"),
    ("calibrate", "--printer", "?"),
    ("calibrate", "--read", "middle=1"),
    ("calibrate", "--read", "top=x"),
    ("check", "--format", "xml"),
    ("check", "--select", "XX999"),
    ("check", "--explain", "XX999"),
    ("check", "--fail-level", "fatal"),
    ("list", "--only", "nobody"),
    ("list", "--sizes", "--sprues"),
    ("new", "minoin", "Sentinel"),
    ("new", "project", "kit", "--game", "chess"),
    ("new", "minion"),
    ("new", "minion", "Zed", "--size", "tarot"),
    ("new", "game", "Bog", "--size", "huge"),
    ("show", "nobody"),
    ("show", "minion"),
    ("show", "Anna", "--theme", "pink"),
    ("show", "Anna", "-o", "card.gif"),
    ("schema", "--game", "chess"),
    ("rulings", "--game", "chess"),
    ("reference", "no-sheet"),
    ("reference", "--paper", "a44"),
    ("reference", "--format", "gif"),
    ("reference", "--theme", "pink"),
    ("reference", "--game", "chess"),
    ("reference", "--of", "nobody"),
    ("export", "tabletop"),
    ("export", "tts", "--dpi", "0"),
    ("preflight", "output", "--service", "nowhere"),
    ("proof", "cards.pdf", "--backs", "up"),
    ("explain", "nobody"),
    ("fix", "--structure", "--only", "nobody"),
    ("table", "export", "minoin"),
    ("table", "export", "minion", "-o", "cards.pdf"),
    ("roll", "2x6"),
    ("roll", "2d6", "--times", "0"),
    ("roll", "2d6", "--seed", "s" * 300),
    ("attack", "Nobody", "Anna"),
    ("attack", "Anna", "Bert", "--ruling", "nothing=x"),
    ("attack", "Anna", "Bert", "--policy", "x"),
    ("attack", "Anna", "Bert", "--game", "chess"),
    ("attack", "Anna", "Bert", "--odds", "--plot", "odds.gif"),
    ("test", "Nobody", "body"),
    ("duel", "Anna", "Nobody"),
    ("trial", "no-trial"),
    ("trial", "--game", "chess", "attack"),
    ("battle", "Nobodies", "Nobodies"),
    ("release", "a b"),
    ("diff", "no-release"),
    ("build", "--changed-since", "no-release"),
    ("balance", "--kind", "relic"),
    ("balance", "--with", "nobody"),
    ("balance", "--plot", "map.gif"),
    ("balance", "--game", "chess"),
    ("translate", "export", "xx-no-language"),
)


@pytest.mark.parametrize("arguments", USAGE_ERRORS, ids=" ".join)
def test_an_invalid_command_line_is_usage(folder: Folder, cardgen: Program, arguments: tuple[str, ...]) -> None:
    folder.plain().minions("Anna", "Bert")
    outcome = cardgen(*arguments)
    assert outcome.code == 2, outcome.err
    assert "rror" in outcome.err
    assert folder.files() == []


def test_every_command_with_values_to_mistype_is_in_the_table() -> None:
    names = {arguments[0] for arguments in USAGE_ERRORS}
    assert set(commands.list_commands(None)) - names <= {"doctor", "verify", "completion", "lsp"}  # type: ignore[arg-type]


SETTINGS = (
    *(("build", f"{setting}: nothing") for setting in ("paper", "layout", "sprue", "printer", "theme", "game")),
    *((command, "paper: a44") for command in ("check", "list", "calibrate", "reference", "show Anna")),
    *((command, "theme: pink") for command in ("reference", "show Anna")),
    *((command, "game: chess") for command in ("check", "list", "list --sizes", "rulings", "schema", "new relic A")),
    *((command, "game: chess") for command in ("reference", "reference --list", "attack Anna Bert", "balance")),
    *((command, "rulings: {clamp: maybe}") for command in ("build", "check", "rulings", "attack Anna Bert", "balance")),
)


@pytest.mark.parametrize(("command", "setting"), SETTINGS)
def test_the_same_value_in_a_file_is_a_finding(folder: Folder, cardgen: Program, command: str, setting: str) -> None:
    folder.plain().minions("Anna", "Bert").write("cardgen.yaml", f"{setting}\n")
    outcome = cardgen(*command.split())
    assert outcome.code == 1, outcome.err
    assert "cardgen.yaml:1:" in outcome.out + outcome.err


def fail(*_: object) -> None:
    raise KeyError("the dog \x1b[31m ate it")


def test_a_fault_of_the_program_is_reported(folder: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deck, "list_cards", fail)
    outcome = cardgen("list", "--only", "a b")
    assert outcome.code == 3
    assert outcome.out == ""
    lines = outcome.err.splitlines()
    assert lines[0] == "error: cardgen failed because of a bug"
    assert f"Python {sys.version.split()[0]}" in lines[1]
    assert lines[2] == "  command: cardgen list --only 'a b'"
    assert "tests/cli/test_init_exit_codes.py" in outcome.err
    assert r"  KeyError: 'the dog \x1b[31m ate it'" in lines
    assert "Traceback" not in outcome.err
    (saved,) = (line.removeprefix("  full traceback: in ") for line in lines if line.startswith("  full traceback: "))
    text = Path(saved).read_text(encoding="utf-8")
    assert text.startswith("error: cardgen failed because of a bug\n")
    assert "Traceback (most recent call last):" in text
    assert lines[-1].startswith("  help: report it")


@pytest.mark.skipif(sys.platform == "win32", reason="the planted program is a shell script")
def test_the_report_of_a_fault_runs_no_program_of_the_project(
    folder: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name of the system would be that which 'uname' prints, from the current folder if PATH has it."""
    folder.write("uname", "#!/bin/sh\ntouch owned\n")
    (folder.root / "uname").chmod(0o755)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.environ['PATH']}")
    for name, empty in (("_uname_cache", None), ("_platform_cache", {})):
        monkeypatch.setattr(platform, name, empty, raising=False)
    monkeypatch.setattr(deck, "list_cards", fail)
    assert cardgen("list").code == 3
    assert not (folder.root / "owned").exists()


def test_an_incomplete_module_is_not_an_interruption(
    folder: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python leaves such a module behind when the disk is full, and click takes it for the end of the input."""

    def load(*_: object) -> None:
        raise EOFError("marshal data too short")

    monkeypatch.setattr(deck, "list_cards", load)
    outcome = cardgen("list")
    assert outcome.code == 1
    assert outcome.err.strip() == (
        "error: a file in a folder '__pycache__' of Python is incomplete; delete these folders"
    )


def test_a_traceback_is_shown_on_request(folder: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deck, "list_cards", fail)
    monkeypatch.setenv("CARDGEN_TRACEBACK", "1")
    outcome = cardgen("list")
    assert outcome.code == 3
    assert "Traceback (most recent call last):" in outcome.err
    assert "\x1b" not in outcome.err


def test_reports_do_not_pile_up(folder: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deck, "list_cards", fail)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder.root / "cache"))
    for number in range(30):
        folder.write(f"cache/cardgen/faults/cardgen-fault-2020{number}.txt", "")
    cardgen("list")
    assert len(folder.files("cache/cardgen/faults")) == 20


def test_where_no_report_can_be_saved_the_switch_is_named(
    folder: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deck, "list_cards", fail)
    monkeypatch.setattr("tempfile.gettempdir", lambda: os.devnull)
    monkeypatch.setenv("XDG_CACHE_HOME", os.devnull)
    assert "full traceback: shown with CARDGEN_TRACEBACK=1" in cardgen("list").err


def test_what_the_machine_lacks_is_no_fault(folder: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_memory(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(deck, "list_cards", no_memory)
    outcome = cardgen("list")
    assert (outcome.code, outcome.err) == (1, "error: not enough memory\n")


needs_shell = pytest.mark.skipif(not Path("/bin/sh").exists(), reason="needs a POSIX shell")


def shell(line: str, **environment: str) -> Outcome:
    """Run a line of shell, in which `cardgen` is the program."""
    line = f'cardgen() {{ "{sys.executable}" -m cardgen "$@"; }}\n{line}'
    done = subprocess.run(
        ["/bin/sh", "-c", line], capture_output=True, text=True, env={**os.environ, **environment}, check=False
    )
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    return Outcome(done.returncode, done.stdout, done.stderr)


@needs_shell
@pytest.mark.parametrize("command", ["list", "--help", "check --explain all", "rulings"])
def test_a_full_disk_behind_the_output(folder: Folder, command: str) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    folder.minions("Anna")
    outcome = shell(f"cardgen {command} > /dev/full")
    assert (outcome.code, outcome.err) == (1, "error: output cannot be written: No space left on device\n")
    assert shell(f"cardgen {command} > /dev/full 2> /dev/full").code == 1


@needs_shell
@pytest.mark.parametrize("command", ["check --explain all", "list --sizes", "build --help", "roll d6 --times 10000"])
def test_a_reader_that_has_seen_enough(folder: Folder, command: str) -> None:
    folder.minions("Anna")
    outcome = shell(f"{{ cardgen {command}; echo $? > code; }} | head -n 1 > first")
    assert outcome.err == ""
    assert (folder.root / "code").read_text() == "0\n"
    assert len((folder.root / "first").read_text().splitlines()) == 1


@needs_shell
def test_closed_streams(folder: Folder) -> None:
    folder.plain().minions("Anna", "Bert")
    assert shell("cardgen roll d6 --seed x <&-").code == 0
    assert shell("cardgen build -q <&- >&- 2>&-").code == 0
    assert folder.files() == ["warniris-minion-a4.pdf"]
    assert folder.output("warniris-minion-a4.pdf").startswith(b"%PDF")
    asked = shell("cardgen trial test Anna body --ask <&-")
    assert asked.code == 130
    assert "interrupted" in asked.err


@needs_shell
@pytest.mark.parametrize(
    "command", ["list", "build", "check", "rulings", "schema", "show x", "calibrate", "new minion A"]
)
def test_a_deleted_working_folder(folder: Folder, command: str) -> None:
    outcome = shell(f"mkdir gone; cd gone; rmdir ../gone; cardgen {command}")
    assert outcome.code == 1
    assert outcome.err == "error: the current folder no longer exists; change to another one\n"


@needs_shell
@pytest.mark.parametrize("command", ["--version", "roll d6"])
def test_a_deleted_working_folder_is_not_always_needed(folder: Folder, command: str) -> None:
    assert shell(f"mkdir gone; cd gone; rmdir ../gone; cardgen {command}").code == 0


@pytest.mark.parametrize("command", [("build", "-q"), ("check",), ("list",), ("reference", "-q", "rules-summary")])
def test_a_home_that_is_not_a_folder(folder: Folder, command: tuple[str, ...]) -> None:
    folder.plain().minions("Anna")
    home = str(folder.write("home", ""))
    outcome = process(*command, HOME=home, XDG_CACHE_HOME=f"{home}/.cache", XDG_CONFIG_HOME=f"{home}/.config")
    assert (outcome.code, outcome.err) == (0, "")


def test_damage_of_a_font_that_its_letters_do_not_need(folder: Folder, cardgen: Program) -> None:
    content = bytearray(Fonts().font("Source Sans 3").path.read_bytes())
    table = content.index(b"hhea")
    offset = int.from_bytes(content[table + 8 : table + 12])
    content[offset + 32] = 0xE9  # the format of horizontal metrics, of which there is one only
    folder.plain().minions("Anna").write("fonts/SourceSans3-Regular.ttf", bytes(content))
    outcome = cardgen("build", "--no-cache")
    assert outcome.code == 0, outcome.err
    document = pypdfium2.PdfDocument(folder.root / "output/warniris-minion-a4.pdf")
    assert "Anna" in document[0].get_textpage().get_text_range()
    document.close()


@pytest.mark.parametrize("command", ["build", "reference"])
def test_a_damaged_font(folder: Folder, cardgen: Program, command: str) -> None:
    folder.plain().minions("Anna").write("fonts/Bad.ttf", bytes(range(256)) * 20)
    outcome = cardgen(command)
    assert outcome.code == 1, outcome.err
    assert outcome.err.startswith("fonts/Bad.ttf: error[CG594]: Bad.ttf is not a valid font file")
    assert outcome.err.count("Bad.ttf is not") == 1
