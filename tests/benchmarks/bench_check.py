"""Benchmark of checks of cards that all differ, beside other programs, and of hostile files.

COLLECTION names a folder with a real project, if one is at hand.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests.benchmarks.decks import write_characters
from tests.benchmarks.measure import CARDGEN, ROOT, Cost, Row, cost, in_turn

NOTE = """\
Characters of Warniris that differ in stats, weapons, effects, and texts, each in a file of its own. Times are processor
times, medians of runs in which the programs take turns. The first run has nothing from earlier ones."""
FILES, MANY, WRONG = 1000, 20_000, 10
# The most processor time that a check of one card should take, in s.
START_UP = 0.12
_BIN = Path(sys.executable).parent
_LINT = (str(_BIN / "yamllint"), "-d", "relaxed")
# What every check imports, as the models of cards use it.
_LIBRARIES = (sys.executable, "-c", "import click, yaml; from pydantic import BaseModel, Field, model_validator")
# What a script without an index takes to find out what is in files.
_READ = (
    sys.executable,
    "-c",
    "import pathlib, yaml; "
    "[yaml.load(path.read_bytes(), yaml.CSafeLoader) for path in sorted(pathlib.Path('cards').iterdir())]",
)
# Files that changed earlier than this are trusted to have changed no more, in s.
_SETTLING = 2.5
_ODDS = "odds of an attack in a project of four games"
_FILE = "cards/characters-0000.yaml"


def _project(root: Path, number: int, wrong: int = 0) -> Path:
    write_characters(root / "cards", number, number, a_file=1, wrong=wrong)
    time.sleep(_SETTLING)
    return root


def _ours(root: Path, *words: str, first: bool = False, changed: str = "") -> Cost:
    """Return the cost of a command, for the `first` time or after a file was `changed`."""
    if first:
        shutil.rmtree(root / ".caches", ignore_errors=True)
    if changed:
        with (root / changed).open("a", encoding="utf-8") as file:
            file.write(f"# {time.time_ns()}\n")
    return cost([*CARDGEN, *words], root, codes=(0, 1))


def _theirs(root: Path, *command: str) -> Cost:
    return cost(command, root, codes=(0, 1))


def _start_up(folder: Path) -> Iterator[Row]:
    root, kit = _project(folder / "small", 1), folder / "kit"
    shutil.copytree(ROOT / "cards", kit / "cards")
    singles = {"warniris": "cards"} | {game: f"{game}.yaml" for game in _OTHER_GAMES}
    for game, text in _OTHER_GAMES.items():
        (root / singles[game]).write_text(f"game: {game}\n{text}", encoding="utf-8")
    works = {"help, which only starts the program": partial(_ours, root, "--help")}
    for game, file in singles.items():
        works[f"check of a single card of {game}, a first time"] = partial(_ours, root, "check", "--no-cache", file)
    works["check of a single card, again"] = partial(_ours, root, "check", "cards")
    works[_ODDS] = partial(_ours, kit, "attack", "Sentinel", "Rifle", "Brute", "--odds")
    theirs, *costs = in_turn(partial(_theirs, root, *_LIBRARIES), *works.values())
    yield "click, pydantic, and PyYAML alone", theirs.processor, "s"
    for what, ours in zip(works, costs, strict=True):
        yield what, ours.processor, "s", None if what == _ODDS else START_UP
        yield "  as a multiple of these libraries", ours.processor / theirs.processor, "x", 2 if what == _ODDS else None


def _thousand(folder: Path) -> Iterator[Row]:
    yield from _beside_others(_project(folder / "right", FILES), f"{FILES} card files that differ")


def _collection(_: Path) -> Iterator[Row]:
    if "COLLECTION" in os.environ:
        root = Path(os.environ["COLLECTION"])
        yield from _beside_others(root, f"the collection {root.name}", change="")


def _beside_others(root: Path, what: str, change: str = _FILE) -> Iterator[Row]:
    schema = root / "schema.json"
    cost([*CARDGEN, "schema", "-o", schema.name], root)
    files = sorted(str(path) for path in root.rglob("*.yaml"))
    first, again, one, by_lint, by_schema = in_turn(
        partial(_ours, root, "check", first=True),
        partial(_ours, root, "check"),
        partial(_ours, root, "check", changed=change),
        partial(_theirs, root, *_LINT, *files),
        partial(_theirs, root, str(_BIN / "check-jsonschema"), "--schemafile", schema.name, *files),
        runs=3,
    )
    yield f"{what}: all checks but fit, a first time", first.processor, "s"
    yield "  as a share of yamllint", first.processor / by_lint.processor, "x", 1 / 7
    yield "  the same, by the clock", first.seconds / by_lint.seconds, "x", 1 / 5
    yield "  as a share of check-jsonschema with our schema", first.processor / by_schema.processor, "x", 1 / 3
    yield "  peak memory", first.memory, "MiB"
    if change:
        yield "  again, one card changed", one.processor, "s"
        yield "  as a share of yamllint", one.processor / by_lint.processor, "x", 1 / 40
    yield "  again, nothing changed", again.processor, "s"
    yield "  as a share of check-jsonschema", again.processor / by_schema.processor, "x", 1 / 15
    yield "  yamllint", by_lint.processor, "s"
    yield "  check-jsonschema", by_schema.processor, "s"


def _wrong(folder: Path) -> Iterator[Row]:
    words = ("check", "--no-cache", "--format", "concise")
    roots = [_project(folder / f"{wrong}", FILES, wrong) for wrong in (0, WRONG, 1)]
    right, some, every = (each.processor for each in in_turn(*(partial(_ours, root, *words) for root in roots), runs=3))
    yield f"{FILES} cards, one of {WRONG} wrong, as a multiple of right ones", some / right, "x"
    yield f"{FILES} wrong cards, as a multiple of right ones", every / right, "x"
    for what, text in _hostile().items():
        root = folder / "hostile"
        root.mkdir(exist_ok=True)
        (root / "card.yaml").write_text(text, encoding="utf-8")
        yield what, cost([*CARDGEN, "check", "--no-cache", "card.yaml"], root, codes=(1,)).processor, "s"


def _many(folder: Path) -> Iterator[Row]:
    root = _project(folder / "many", MANY)
    first = _ours(root, "check", first=True)
    tenth = [str(path) for path in sorted((root / "cards").iterdir())[: MANY // 10]]
    by_lint = 10 * _theirs(root, *_LINT, *tenth).processor
    yield f"{MANY:,} card files that differ: check, a first time", first.processor, "s"
    yield "  as a share of yamllint (measured on a tenth)", first.processor / by_lint, "x", 1 / 7
    yield "  peak memory", first.memory, "MiB"
    for words in (("init", "-q"), ("add", "cards")):
        subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)
    git = partial(_theirs, root, "git", "status", "--porcelain")
    again, status = in_turn(partial(_ours, root, "check"), git, runs=3)
    yield "  again, nothing changed", again.processor, "s", 1
    yield "  as a multiple of git status", again.processor / status.processor, "x"
    for what, command, changed, bar in (
        ("list, a first time after a check", "list", "", 4),
        ("check of one file, which changed", f"check {_FILE}", _FILE, 1),
        ("show of one card", "show iron-warden", "", 1),
        ("build of one card, which changed", "build -q --only iron-warden", _FILE, 1),
    ):
        mine = partial(_ours, root, *command.split(), changed=changed)
        ours, theirs = in_turn(mine, partial(_theirs, root, *_READ), runs=3)
        yield what, ours.processor, "s", bar
        yield "  as a share of a script that reads all files with PyYAML", ours.processor / theirs.processor, "x"
        yield "  peak memory", ours.memory, "MiB", 200
    alone = _ours(root, "list", first=True)
    yield "list, where nothing is known of the files", alone.processor, "s", 4
    yield "  peak memory", alone.memory, "MiB", 200


PARTS = {"start": _start_up, "thousand": _thousand, "wrong": _wrong, "many": _many, "collection": _collection}


def _hostile() -> dict[str, str]:
    bomb = "a: &a0 x\n" + "".join(f"b{n}: &a{n + 1} [{', '.join([f'*a{n}'] * 9)}]\n" for n in range(60))
    return {
        "an alias bomb is refused in": bomb,
        "a file of 10 MB is refused in": "note: " + "x" * 10_000_000,
        "10,000 levels are refused in": "note: " + "[" * 10_000,
    }


# A card of each other game, with nothing to report.
_OTHER_GAMES = {
    "warcry": """kind: fighter
name: Toll Halberdier
faction: cities-of-sigmar
runemarks: [warrior]
stats: {M: 4, T: 4, W: 11}
points: 80
weapons: [Long Halberd: reach R2 A3 S4 D1/4]
""",
    "skirmish": """kind: warrior
name: Toll Crossbow
race: Riverfolk
rank: hero
m: 4
ws: 5
bs: 4
s: 4
t: 4
w: 2
i: 5
a: 2
ld: 9
points: 30
weapons: [Bow]
""",
    "diskwars": """kind: disk
name: Toll Pikes
disk: small
faction: order
race: Marshfolk
cost: 3
attack: 2
counter: 3
toughness: 3
movement: 3
swift: counter
""",
}
