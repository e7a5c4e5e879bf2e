"""Nothing in the current folder runs: neither its modules nor its programs, whatever command works there.

The folder is a project with a file for each module of the standard library and of the dependencies, and programs with
the names of those that this one or its libraries look for. Each leaves a marker when it runs.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from copy import copy
from datetime import date
from importlib.machinery import PathFinder
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import IO, Any
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

from cardgen.cli._group import SECTIONS
from cardgen.target.registry import PROFILE, TARGETS
from tests.export.press_tools import PROFILES
from tests.random_cases import of_today
from tests.scaffold.decks import test_cider, test_mse_set, test_squib
from tests.scaffold.decks.foreign_decks import archive, png

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the planted programs are shell scripts")

PROGRAMS = (
    "git", "git.exe", "python", "python3", "xdg-open", "open", "start", "gs", "gio", "wslview", "ld", "gcc", "cc",
    "objdump", "ldconfig", "sh", "bash", "uname", "which", "env", "less", "firefox", "chromium", "x-www-browser",
    "inkscape", "file", "cairo", "cmd", "cmd.exe",
)  # fmt: skip
LIBRARIES = ("libcairo.so.2", "libcairo.2.dylib", "libcairo-2.dll", "cairo-2", "cairo")
OWN_MODULES = (
    "cardgen",
    "cardgen_games",
    "sitecustomize",
    "usercustomize",
    "reportlab_settings",
    "local_reportlab_settings",
)
# What libraries use if it is installed, and what is not there.
OPTIONAL = (
    "numpy", "brotli", "brotlicffi", "zopfli", "olefile", "lxml", "orjson", "ujson", "uvloop", "colorama", "readline",
    "rlextra", "_rl_accel", "pyphen", "simplejson", "dotenv", "watchdog", "setproctitle", "winloop", "psutil", "pandas",
    "matplotlib", "plotly", "webview", "IPython", "rich", "markupsafe_c", "cardgen_plugins", "defusedxml", "gi",
    "cairo",
)  # fmt: skip
CARDS = "format: 1\ngame: warniris\nkind: minion\ncards:\n"
CARD = """  - name: Scout {number}
    stats: {{M: 2, B: 2, S: 2, W: 1, Mo: 10}}
"""
ARCHER = """format: 1
game: warniris
kind: minion
name: Archer
stats: {M: 2, B: 2, S: 2, W: 1, Mo: 10}
weapons:
  - {name: Bow, type: RW, range: 40, damage: 1}
"""
WARBAND = "format: 1\ngame: warniris\nkind: warband\nname: Levy\nminions:\n  - {minion: scout-1, qty: 2}\n"
OATH = "format: 1\ngame: warniris\nkind: warband\nname: {name}\nmembers: [{{character: {character}}}]\n"
# A service that cuts the cards above.
SERVICE = "target: meinspiel\ntitle: Own\nsizes: [63 x 88 mm]\n"
# Decks of other programs; a project takes one.
DECKS = ("cider", "squib", "swamp.mse-set")
DECK = DECKS[date.today().toordinal() % len(DECKS)]
ICC = next((path for path in PROFILES if path.exists()), None)


def exports() -> Iterator[str]:
    """Yield a line for each target; those of a press need a color profile."""
    for name, target in TARGETS.items():
        if PROFILE not in target.options:
            yield f"export {name} cards/archer.yaml"
        elif ICC:
            yield f"export {name} cards/archer.yaml --profile {shlex.quote(str(ICC))}"


# One line for each command, and more where a command starts processes in several ways.
COMMANDS: dict[str, tuple[str, ...]] = {
    "new": ("new relic 'Bone Key'", f"new game Bog --from {DECK}"),
    "list": ("list",),
    "show": ("show 'Scout 1' --open",),
    "check": ("check --fail-level error", "check --fit --no-cache --fail-level error"),
    "explain": ("explain Archer", "explain --coverage"),
    "fix": ("fix --structure",),
    "table": ("table export minion", "table export minion -o minions.xlsx"),
    "schema": ("schema",),
    "release": ("release v1", "release v2"),
    "diff": ("diff HEAD", "diff HEAD --odds --format html -o changes.html"),
    "build": ("build --no-cache --format png --dpi 60 --jobs 2", "build --jobs 2", "build --changed-since HEAD"),
    "export": tuple(of_today([*exports()], 5)),
    "preflight": ("export mpc -q", "preflight mpc"),
    "proof": ("build --layout single -o output/single -q", "proof output/single/warniris-minion-single.pdf"),
    "reference": ("reference rules-summary",),
    "calibrate": ("calibrate",),
    "roll": ("roll 2d6",),
    "attack": ("attack Archer 'Scout 2' --odds",),
    "test": ("test 'Scout 1' spirit",),
    "duel": ("duel Archer 'Scout 2'",),
    "trial": ("trial attack Archer 'Scout 2'",),
    "battle": ("battle Oath Pact --seed 1 --save oath.jsonl",),
    "balance": ("balance --jobs 2 --no-cache",),
    "rulings": ("rulings",),
    "verify": ("attack Archer 'Scout 2' -o shot.jsonl", "verify shot.jsonl"),
    "doctor": ("doctor",),
    "completion": ("completion bash",),
    "translate": ("translate status",),
}
# They start processes in all ways: each run takes them all, half of them with forks. Of the others it takes a share.
# Both change every day.
ALWAYS = {"show", "diff", "build", "balance"}
SHARE = 6
# How a battle ends that asks a question.
END_OF_INPUT = 130
INTERACTIVE = {"lsp", "studio"}


class Planted:
    """A project in which everything leaves a marker when it runs."""

    def __init__(self, root: Path) -> None:
        self.root, self.markers = root / "project", root / "markers"
        self.markers.mkdir()
        (self.root / "cards").mkdir(parents=True)
        (self.root / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
        cards = "".join(CARD.format(number=number) for number in range(70))
        (self.root / "cards" / "scouts.yaml").write_text(CARDS + cards, encoding="utf-8")
        (self.root / "cards" / "levy.yaml").write_text(WARBAND, encoding="utf-8")
        (self.root / "cards" / "archer.yaml").write_text(ARCHER, encoding="utf-8")
        (self.root / "services").mkdir()
        (self.root / "services" / "meinspiel.yaml").write_text(SERVICE, encoding="utf-8")
        for name, character in (("Oath", "maerin-vex"), ("Pact", "halvane-doru")):
            content = OATH.format(name=name, character=character)
            (self.root / "cards" / f"{name}.yaml").write_text(content, encoding="utf-8")
        test_cider.project(self.root / "cider")
        test_squib.deck(self.root / "squib")
        archive(self.root / "swamp.mse-set", {"set": test_mse_set.SET, "card 2": test_mse_set.OTHER, "image1": png()})
        for name in {*sys.stdlib_module_names, *packages_distributions(), *OWN_MODULES, *OPTIONAL} - {"__main__"}:
            if name.isidentifier():
                self._plant(name)
        for name in PROGRAMS:
            program = self.root / name
            program.write_text(f"#!/bin/sh\n: > {self.markers}/program-{name}\n", encoding="utf-8")
            program.chmod(0o755)
        for name in LIBRARIES:
            if not (self.root / name).exists():
                (self.root / name).write_bytes(b"")

    def _plant(self, name: str) -> None:
        """Write a module or, if it is one, a package with its submodules."""
        code = f"open({str(self.markers / f'module-{name}')!r}, 'a').close()\n"
        spec = PathFinder.find_spec(name)  # without the hooks of others, which change what is loaded
        if spec is None or not spec.submodule_search_locations:
            (self.root / f"{name}.py").write_text(code, encoding="utf-8")
            return
        folder = self.root / name
        folder.mkdir()
        for module in {"__init__", *(each.name for each in iter_modules(spec.submodule_search_locations))}:
            (folder / f"{module}.py").write_text(code, encoding="utf-8")

    def environment(self, *, forks: bool, finds_programs: bool = True) -> dict[str, str]:
        """An environment whose PATH names the current folder in all ways."""
        own = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV_"))}
        rest = own["PATH"] if finds_programs else str(self.root.parent)
        mine = {"PATH": os.pathsep.join(("", ".", rest)), "HOME": str(self.root.parent), "DISPLAY": ":99"}
        return {**own, **mine, "CARDGEN_NO_FORK": "" if forks else "1"}

    def ran(self) -> list[str]:
        """What has run since the last call."""
        found = sorted(path.name for path in self.markers.iterdir())
        for path in self.markers.iterdir():
            path.unlink()
        return found


def script() -> str:
    path = Path(sys.executable).parent / "cardgen"
    if not path.is_file():
        pytest.skip("cardgen is not installed as a program")
    return str(path)


@pytest.fixture(scope="module")
def traps(tmp_path_factory: pytest.TempPathFactory) -> Planted:
    return Planted(tmp_path_factory.mktemp("planted"))


@pytest.fixture
def planted(traps: Planted, tmp_path: Path) -> Planted:
    """A copy of the project; its traps leave their markers in the same folder."""
    traps.ran()
    own = copy(traps)
    own.root = tmp_path / "project"
    shutil.copytree(traps.root, own.root, copy_function=os.link)
    return own


@pytest.fixture(params=[True, False], ids=["fork", "no fork"])
def forks(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def test_each_command_is_tried() -> None:
    assert {*COMMANDS} | INTERACTIVE == {name for names in SECTIONS.values() for name in names}


def test_the_traps_work(planted: Planted) -> None:
    python = [sys.executable, "-c", "import multiprocessing, subprocess; subprocess.run(['git'])"]
    subprocess.run(python, cwd=planted.root, env=planted.environment(forks=True), check=False)
    assert {"module-multiprocessing", "module-subprocess"} & {*planted.ran()}


def share(forks: bool) -> list[str]:
    """The commands that a run tries: with `make fuzz` all, otherwise those of the day, which differ without forks."""
    others = [command for command in COMMANDS if command not in ALWAYS]
    chosen = {*of_today(sorted(ALWAYS), 2, forks), *of_today(others, SHARE, 3 * forks)}
    return [command for command in COMMANDS if command in chosen]


@pytest.mark.fuzz
def test_no_command_runs_what_is_in_its_folder(planted: Planted, forks: bool) -> None:
    repository = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@b"}
    repository |= {"GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@b"}
    for line in ("init -q", "add cards cardgen.yaml", "commit -q -m cards", "config core.fsmonitor ./git",
                 "config core.pager ./less", "config core.sshCommand ./sh", "config diff.external ./git"):  # fmt: skip
        subprocess.run(["git", *line.split()], cwd=planted.root, env=repository, check=True, capture_output=True)
    planted.ran()
    for command in share(forks):
        for line in COMMANDS[command]:
            environment = planted.environment(forks=forks, finds_programs=command != "show")
            done = subprocess.run(
                [script(), *shlex.split(line)], cwd=planted.root, env=environment, stdin=subprocess.DEVNULL,
                capture_output=True, text=True, check=False, timeout=120,
            )  # fmt: skip
            assert not planted.ran(), line
            assert "Traceback" not in done.stderr, line
            expected = END_OF_INPUT if command == "battle" else 0
            assert done.returncode == expected, (line, done.stdout[-500:], done.stderr[-500:])


class Messages:
    """The messages of the Language Server Protocol."""

    def __init__(self, reader: IO[bytes], writer: IO[bytes]) -> None:
        self._reader, self._writer, self._number = reader, writer, 0

    def tell(self, method: str, **parameters: Any) -> None:
        self._write({"method": method, "params": parameters})

    def ask(self, method: str, **parameters: Any) -> Any:
        self._number += 1
        self._write({"id": self._number, "method": method, "params": parameters})
        while True:
            answer = self._read()
            if answer.get("id") == self._number and "method" not in answer:
                return answer
            if "id" in answer:
                self._write({"id": answer["id"], "result": None})

    def _write(self, message: dict[str, Any]) -> None:
        content = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(content), content))
        self._writer.flush()

    def _read(self) -> dict[str, Any]:
        length = 0
        while header := self._reader.readline().strip():
            if header.lower().startswith(b"content-length:"):
                length = int(header.split(b":")[1])
        assert length, "the server ended"
        message: dict[str, Any] = json.loads(self._reader.read(length))
        return message


@pytest.mark.share(2)
@pytest.mark.skipif(find_spec("pygls") is None, reason="the language server needs pygls")
def test_the_language_server_runs_nothing_of_its_folder(planted: Planted, forks: bool) -> None:
    environment = planted.environment(forks=forks)
    command = [script(), "lsp"]
    with subprocess.Popen(
        command,
        cwd=planted.root,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as server:
        assert server.stdin and server.stdout
        client = Messages(server.stdout, server.stdin)
        client.ask("initialize", processId=None, rootUri=planted.root.as_uri(), capabilities={},
                   initializationOptions={"pictures": True})  # fmt: skip
        client.tell("initialized")
        path = planted.root / "cards" / "levy.yaml"
        text = path.read_text(encoding="utf-8")
        document = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": text}
        client.tell("textDocument/didOpen", textDocument=document)
        place = {"textDocument": {"uri": path.as_uri()}, "position": {"line": 5, "character": 16}}
        hover = client.ask("textDocument/hover", **place)
        client.ask("textDocument/completion", **place)
        client.ask("shutdown")
        client.tell("exit")
    assert not planted.ran()
    assert "data:image/png" in json.dumps(hover), "the second process has drawn the card"


@pytest.fixture
def studio(planted: Planted, forks: bool) -> Iterator[str]:
    if find_spec("nicegui") is None:
        pytest.skip("the studio needs NiceGUI")
    environment = planted.environment(forks=forks, finds_programs=False)
    with subprocess.Popen(
        [script(), "studio"], cwd=planted.root, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        yield process.stdout.readline().strip()
        process.terminate()


@pytest.mark.share(2)
def test_the_studio_runs_nothing_of_its_folder(planted: Planted, studio: str) -> None:
    browser = build_opener(HTTPCookieProcessor())
    browser.open(studio, timeout=60).read()
    home = studio.partition("?")[0]
    for page in ("", "edit", "rules", "print", "template", "new", "play", "face?key=warniris/minion/scout-1"):
        assert browser.open(home + page, timeout=100).status == 200, page
    time.sleep(1)
    assert not planted.ran()


@pytest.mark.parametrize("variable", ["", ".nicegui"])
def test_the_studio_keeps_nothing_in_a_folder_of_its_library(tmp_path: Path, variable: str) -> None:
    """NiceGUI writes what it has read from its folder to the target of a link."""
    if find_spec("nicegui") is None:
        pytest.skip("the studio needs NiceGUI")
    project, other = tmp_path / "project", tmp_path / "other.txt"
    (project / ".nicegui").mkdir(parents=True)
    (project / ".nicegui" / "storage-general.json").write_text('{"x": "written"}', encoding="utf-8")
    (project / ".nicegui" / "storage-general.json.tmp").symlink_to(other)
    other.write_text("mine", encoding="utf-8")
    environment = {**os.environ, **({"NICEGUI_STORAGE_PATH": variable} if variable else {})}
    with subprocess.Popen(
        [script(), "studio", "--no-browser"], cwd=project, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        address = process.stdout.readline().split()[-1]
        build_opener(HTTPCookieProcessor()).open(address, timeout=60).read()
        time.sleep(1)
        process.terminate()
    assert other.read_text(encoding="utf-8") == "mine"
    assert {path.name for path in (project / ".nicegui").iterdir()} == {
        "storage-general.json", "storage-general.json.tmp"
    }  # fmt: skip
