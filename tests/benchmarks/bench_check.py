"""Benchmark of checks: 1,000 card files, beside other programs, and hostile files.

The other programs are check-jsonschema with our schema, and yamllint.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import TypeAlias

from tests.benchmarks.measure import cost, middle, own_environment

FILES = 1000
BEST_OF = 5
# The most processor time that a check of one card should take, in s.
START_UP = 0.12
# What was measured, the figure, its unit, and its upper limit, if it has one.
Row: TypeAlias = tuple[str, float, str] | tuple[str, float, str, float]
_BIN = Path(sys.executable).parent
# What every check imports, as the models of cards use it.
_LIBRARIES = "import click, yaml; from pydantic import BaseModel, Field, model_validator"
_CARDGEN = [sys.executable, "-m", "cardgen"]


def rows() -> Iterator[Row]:
    """Yield what was measured.

    Ratios are valid on any machine, seconds only on this one.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        right, wrong = folder / "right", folder / "wrong"
        _fill(right, mistakes=False)
        _fill(wrong, mistakes=True)
        schema = folder / "schema.json"
        cost([*_CARDGEN, "schema", "-o", schema.name], folder)
        yield from _start_up(right)
        yield from _against_others(right, schema)
        yield f"{FILES} wrong cards, as a multiple of right ones", _wrong(right, wrong), "x"
        for what, text in _hostile().items():
            yield what, _refusal(folder, text), "s"


def _start_up(right: Path) -> Iterator[Row]:
    root = right.parent / "small"
    (root / "cards").mkdir(parents=True)
    shutil.copy(right / "cards/hero-0000.yaml", root / "cards")
    bare = _seconds([sys.executable, "-c", ""], root)
    yield "help, which only starts the program", _seconds([*_CARDGEN, "--help"], root), "s", START_UP
    yield "click, pydantic, and PyYAML alone", _seconds([sys.executable, "-c", _LIBRARIES], root), "s"
    for what, options in (("a first time", ["--no-cache"]), ("again", [])):
        checked = _seconds([*_CARDGEN, "check", *options], root, warm=not options)
        yield f"check of a single card, {what} ({START_UP} s wanted)", checked, "s", START_UP
        yield "  the same, as a multiple of starting Python", checked / bare, "x"
    for game, text in _OTHER_GAMES.items():
        (root / f"{game}.yaml").write_text(f"game: {game}\n{text}", encoding="utf-8")
        checked = _seconds([*_CARDGEN, "check", "--no-cache", f"{game}.yaml"], root)
        yield f"check of a single card of {game}, a first time ({START_UP} s wanted)", checked, "s", START_UP


def _against_others(right: Path, schema: Path) -> Iterator[Row]:
    files = [str(path) for path in sorted((right / "cards").iterdir())]
    ours = _seconds([*_CARDGEN, "check", "--no-cache"], right)
    again = _seconds([*_CARDGEN, "check"], right, warm=True)
    by_schema = _seconds([str(_BIN / "check-jsonschema"), "--schemafile", str(schema), *files], right)
    lint = [str(_BIN / "yamllint"), "-d", "relaxed", "cards"]
    by_lint = _seconds(lint, right)
    yield f"{FILES} card files, all checks but fit", ours, "s"
    yield "  with nothing changed", again, "s"
    yield "  check-jsonschema with our schema", by_schema, "s"
    yield "  yamllint", by_lint, "s"
    yield "  check-jsonschema as a multiple of ours (3 wanted)", by_schema / ours, "x"
    yield "  yamllint as a multiple of ours (7 wanted)", by_lint / ours, "x"
    clock = [_elapsed([*_CARDGEN, "check", "--no-cache"], right), _elapsed(lint, right)]
    yield "  the same, by the clock (5 wanted)", clock[1] / clock[0], "x"
    yield "  check-jsonschema as a multiple of nothing changed (15 wanted)", by_schema / again, "x"


def _wrong(right: Path, wrong: Path) -> float:
    command = [*_CARDGEN, "check", "--no-cache", "--format", "concise"]
    return _seconds(command, wrong, code=1) / _seconds(command, right)


def _refusal(folder: Path, text: str) -> float:
    path = folder / "hostile" / "card.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return _seconds([*_CARDGEN, "check", "--no-cache", path.name], path.parent, code=1)


def _seconds(command: Sequence[str], folder: Path, *, code: int = 0, warm: bool = False) -> float:
    """Return the lowest processor time of several runs, in s.

    All runs use one core, so on an idle machine it is also the elapsed time. Raises an error for an exit code other
    than `code`.
    """
    best = float("inf")
    environment = own_environment()
    for _ in range(BEST_OF + warm):
        before = _spent()
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False, env=environment)
        best = min(best, _spent() - before)
        if done.returncode != code:
            raise RuntimeError(done.stdout.decode() + done.stderr.decode())
    return best


def _elapsed(command: Sequence[str], folder: Path) -> float:
    """Return the median time of several runs on the clock, in s."""
    return middle([cost(command, folder) for _ in range(BEST_OF)]).seconds


def _spent() -> float:
    """Return the processor time in s of all finished child processes.

    os.times() has a resolution of only 10 ms.
    """
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _hostile() -> dict[str, str]:
    bomb = "a: &a0 x\n" + "".join(f"b{n}: &a{n + 1} [{', '.join([f'*a{n}'] * 9)}]\n" for n in range(60))
    return {
        "an alias bomb is refused in": bomb,
        "a file of 10 MB is refused in": "note: " + "x" * 10_000_000,
        "10,000 levels are refused in": "note: " + "[" * 10_000,
    }


def _fill(folder: Path, *, mistakes: bool) -> None:
    (folder / "cards").mkdir(parents=True)
    for number in range(FILES):
        text = _card(number, **(_MISTAKES if mistakes else _RIGHT))
        (folder / "cards" / f"hero-{number:04}.yaml").write_text(text, encoding="utf-8")


_RIGHT = {"word": "quiet", "reach": "1", "moment": "attacking"}
_MISTAKES = {"word": "quiet quiet", "reach": "30", "moment": "turn_start"}


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


def _card(number: int, word: str, reach: str, moment: str) -> str:
    """Return a Character, which is different for each number below 1,200."""
    mind, body, wounds = number % 4 + 1, number // 4 % 5 + 1, number // 20 % 3 + 4
    movement = number // 60 % 20 + 6
    return f"""kind: character
name: Hero {number}
motto: The {word} ones are the last to fall.
tags: [north, bench]
stats: {{M: {mind}, B: {body}, S: 3, W: {wounds}, Mo: {movement}}}
weapons:
  - Sword: CW R{reach} P2 D1
  - Bow: RW R{number % 20 + 6} P1 D1
  - name: Net
    type: RW
    range: 6
    damage: 1
    effects: [{{for: turn, target: {{movement: -5}}}}]
abilities:
  - name: Steady Hand
    once: turn
    effects:
      - {{when: {moment}, if: {{range_over: 5}}, bearer: {{mind: +1}}}}
"""


if __name__ == "__main__":
    for what, figure, unit, *_ in rows():
        print(f"{what:<64} {figure:>8.3f} {unit}")
