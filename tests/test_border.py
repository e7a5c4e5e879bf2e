"""The border between the program and its games: each game is some folders, and nothing else knows of it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardgen.rulesets import ruleset
from tests.cases import each_case
from tests.syntax import outline

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "cardgen"
RULESETS = PACKAGE / "rulesets"
GAMES = tuple(sorted(path.parent.name for path in RULESETS.glob("*/__init__.py")))
# What belongs to games: everything else must do without their names. Documents for people may tell of them.
PLACES = ("rulesets", "cards", "templates", "tests", "docs")
BESIDE = ("pyproject.toml", "Makefile", "action.yml", ".pre-commit-hooks.yaml", ".ci", ".github")
NOT_TEXT = {".pyc", ".png", ".jpg", ".ttf", ".otf"}
# What all games are, which one of them has as its name.
GENRE = re.compile(r"\bskirmish[ -]games?\b")
KIT = {"warniris": ("cards/warniris/relics.yaml", "attack", "Sentinel", "Brute"),
       "diskwars": ("cards/diskwars/terrain.yaml", "attack", "Bell Slingers", "Tin Rats"),
       "skirmish": ("cards/skirmish/armory.yaml", "attack", "Toll Keeper", "Bog Levy"),
       "warcry": ("cards/warcry/blessings.yaml", "attack", "Wick Boy", "Toll Archer")}  # fmt: skip


def general_files() -> Iterator[Path]:
    """Files of the program that belong to no game, and those that build and ship it."""
    for path in PACKAGE.rglob("*"):
        if path.is_file() and path.relative_to(PACKAGE).parts[0] not in PLACES and path.suffix not in NOT_TEXT:
            yield path
    for name in BESIDE:
        place = ROOT / name
        yield from (path for path in ([place] if place.is_file() else place.rglob("*")) if path.is_file())


def test_there_are_as_many_games_as_kits() -> None:
    assert set(GAMES) == set(KIT)
    assert set(GAMES) <= set(ruleset.games())


def test_no_file_outside_of_the_rulesets_names_a_game() -> None:
    names = re.compile("|".join(GAMES), re.IGNORECASE)
    files = list(general_files())
    assert len(files) > 100
    found = [str(path.relative_to(ROOT)) for path in files if names.search(GENRE.sub("", path.read_text("utf-8")))]
    assert found == []


@each_case("game", GAMES)
def test_nothing_but_a_game_itself_imports_it(game: str) -> None:
    module = f"cardgen.rulesets.{game}"
    importers = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if any(name == module or name.startswith(f"{module}.") for name, _ in outline(path).imports)
    }
    assert importers
    assert all(path.startswith(f"rulesets/{game}/") for path in importers)


@pytest.fixture(scope="module", params=GAMES)
def alone(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """A copy of the program from which every other game's folders are taken out, and the game that is left."""
    left: str = request.param
    root = tmp_path_factory.mktemp(f"only-{left}")
    others = [game for game in GAMES if game != left]
    ignored = shutil.ignore_patterns(*others)  # What was compiled is copied, too: the copies have the same times.
    for name in ("cardgen", "cards", "templates"):
        shutil.copytree(ROOT / name, root / name, ignore=ignored)
    return left, root


# Runs commands one after the other, and says how each ended.
PROGRAM = """
import json, sys
from cardgen.cli import run
print(json.dumps([run(arguments) for arguments in json.loads(sys.argv[1])]), file=sys.__stderr__)
"""


def exit_codes(root: Path, *commands: tuple[str, ...]) -> tuple[list[int], str]:
    """Run commands in a process of the program in `root`; return their exit codes and all that they print."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(commands)],
        cwd=root, env={**os.environ, "PYTHONPATH": str(root)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    *messages, codes = done.stderr.splitlines()
    return json.loads(codes), done.stdout + "\n".join(messages)


def test_a_game_works_without_the_others(alone: tuple[str, Path]) -> None:
    game, root = alone
    cards, trial, one, other = KIT[game]
    unknown = next(each for each in GAMES if each != game)
    (root / "stray.yaml").write_text(f"game: {unknown}\nkind: thing\nname: Stray\n", encoding="utf-8")
    codes, said = exit_codes(
        root,
        ("check", "cards"),
        ("build", cards, "--quiet"),
        ("build", cards, "--quiet", "--format", "png"),
        ("rulings",),
        (trial, one, other, "--odds"),
        ("new", "project", "mine", "--sample"),
        ("schema", "-o", "schema.json"),
        ("reference", "--list"),
        ("build", "stray.yaml"),
    )
    assert codes == [0] * 8 + [1], said
    assert f"unknown game '{unknown}'" in said
    assert list((root / "output").glob(f"{game}-*.pdf"))
    assert f"game: {game}" in (root / "mine" / "cardgen.yaml").read_text(encoding="utf-8")
