"""Benchmark of comparisons of releases: 1,000 cards, half of which changed, without pictures."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.decks import minions
from tests.benchmarks.measure import cost, middle

CARDS = 1000
MOST_SECONDS, RUNS = 1.0, 3
_CARDGEN = [sys.executable, "-m", "cardgen"]
_COMPARISONS: dict[str, tuple[str, ...]] = {
    "two release files": ("diff", "v1", "v2"),
    "a release file and the cards": ("diff", "v1"),
    "a Git tag and the cards": ("diff", "start"),
}


def rows() -> Iterator[tuple[str, float, str, float]]:
    """Yield the processor time of each comparison, and its limit."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write(folder, minions(CARDS))
        _run(folder, *_CARDGEN, "release", "v1", "-q")
        for arguments in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "x"), ("tag", "start")):
            _run(folder, "git", "-c", "user.name=a", "-c", "user.email=a@b.c", *arguments)
        _write(folder, minions(CARDS).replace("W: 1", "W: 2"))
        _run(folder, *_CARDGEN, "release", "v2", "-q")
        for what, diff in _COMPARISONS.items():
            command = [*_CARDGEN, *diff, "--json"]
            seconds = middle([cost(command, folder) for _ in range(RUNS)]).processor
            yield f"{CARDS} cards: {what}", seconds, "s", MOST_SECONDS


def _write(folder: Path, text: str) -> None:
    (folder / "cards").mkdir(exist_ok=True)
    (folder / "cards" / "all.yaml").write_text(text, encoding="utf-8")


def _run(folder: Path, *command: str) -> None:
    own = {"PYTHONPATH": str(Path(__file__).parents[2]), "GIT_CONFIG_GLOBAL": os.devnull}
    subprocess.run(command, cwd=folder, check=True, capture_output=True, env={**os.environ, **own})
