"""What the program makes of the sample cards, made once in a run of the tests and shared by all of its processes."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cardgen.cli import run

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Products:
    """Folders of files, which tests read but do not change."""

    root: Path

    def kit(self, game: str) -> Path:
        """Return the folder with the kit of a game on A4."""
        return self._made(f"kit-{game}", ["build", str(ROOT / "cards" / game), "--kit", "--paper", "a4"])

    def sheets(self, game: str, paper: str = "a4") -> Path:
        """Return the folder with all sheets of a game."""
        options = ["--game", game, "--cards", str(ROOT / "cards"), "--paper", paper]
        return self._made(f"sheets-{game}-{paper}", ["reference", *options])

    def _made(self, name: str, command: Sequence[str]) -> Path:
        """Return the folder that a command fills; whoever asks first runs it, and the others wait."""
        folder, done = self.root / name, self.root / f"{name}.exit-code"
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            while not done.exists():
                time.sleep(0.05)
        else:
            part = done.with_suffix(".part")
            part.write_text(str(run([*command, "-o", str(folder), "-q"])), encoding="ascii")
            part.rename(done)
        assert done.read_text(encoding="ascii") == "0", f"cardgen {' '.join(command)} failed"
        return folder


def shared_folder(own: Path) -> Path:
    """Return the folder of a run of the tests, of which each process of pytest-xdist has one below it."""
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
