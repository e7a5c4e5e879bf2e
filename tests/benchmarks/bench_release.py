"""Benchmark of comparisons of releases: 1,000 cards, two fifths of which changed, without pictures."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.decks import characters
from tests.benchmarks.measure import CARDGEN, Row, cost, middle

CARDS = 1000
MOST_SECONDS, RUNS = 1.0, 3
_COMPARISONS: dict[str, tuple[str, ...]] = {
    "two release files": ("diff", "v1", "v2"),
    "a release file and the cards": ("diff", "v1"),
    "a Git tag and the cards": ("diff", "start"),
}


def _comparisons(folder: Path) -> Iterator[Row]:
    cards = "".join(f"  - name: {name}\n{keys}" for name, keys in characters(CARDS))
    _write(folder, cards)
    _run(folder, *CARDGEN, "release", "v1", "-q")
    for arguments in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "x"), ("tag", "start")):
        _run(folder, "git", "-c", "user.name=a", "-c", "user.email=a@b.c", *arguments)
    _write(folder, cards.replace("M: 1", "M: 2").replace("M: 4", "M: 3"))
    _run(folder, *CARDGEN, "release", "v2", "-q")
    for what, diff in _COMPARISONS.items():
        seconds = middle([cost([*CARDGEN, *diff, "--json"], folder) for _ in range(RUNS)]).processor
        yield f"{CARDS} cards: {what}", seconds, "s", MOST_SECONDS


PARTS = {"comparisons": _comparisons}


def _write(folder: Path, text: str) -> None:
    (folder / "cards").mkdir(exist_ok=True)
    (folder / "cards" / "all.yaml").write_text(f"kind: character\ncards:\n{text}", encoding="utf-8")


def _run(folder: Path, *command: str) -> None:
    own = {"PYTHONPATH": str(Path(__file__).parents[2]), "GIT_CONFIG_GLOBAL": os.devnull}
    subprocess.run(command, cwd=folder, check=True, capture_output=True, env={**os.environ, **own})
