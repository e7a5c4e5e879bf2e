"""How long a build takes: 900 distinct minions to vector sheets, a card that changed, and single PNG files."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.decks import minions

from cardgen.pipeline.building import Builder
from cardgen.pipeline.drawing import Drawer
from cardgen.pipeline.loading import load_deck
from cardgen.pipeline.request import Request, Tally

CARDS, PICTURES = 900, 50


def rows() -> Iterator[tuple[str, float, str]]:
    """What was measured, the figure, and its unit."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path.cwd()
        os.chdir(folder)
        try:
            Path("cards").mkdir()
            yield from _figures(Path("cards/minions.yaml"))
        finally:
            os.chdir(home)


def _figures(file: Path) -> Iterator[tuple[str, float, str]]:
    file.write_text(minions(CARDS), encoding="utf-8")
    yield f"{CARDS} cards to A4 sheets, whole process, nothing cached", _seconds(lambda: _process("--no-cache")), "s"
    yield "the same, peak memory", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, "MiB"
    yield "the same, file", Path("output/warniris-minion-a4.pdf").stat().st_size / 2**20, "MiB"
    _process()
    yield "the same with artwork of an earlier build", _seconds(_process), "s"
    loading = _seconds(lambda: load_deck(()))
    project, deck = load_deck(())
    drawing = _seconds(lambda: Drawer(project).draw(deck.cards, Tally(), backs=True))
    builder = Builder(Request(cache=False))
    everything = _seconds(builder.build)
    yield "  of it reading the files", loading, "s"
    yield "  of it drawing faces", drawing, "s"
    yield "  of it making the PDF", everything - loading - drawing, "s"
    file.write_text(minions(CARDS).replace("Iron Warden\n", "Iron Widow\n"), encoding="utf-8")
    yield "one of them changed, built again by the same builder", _seconds(builder.build), "s"
    file.write_text(minions(PICTURES), encoding="utf-8")
    pictures = Builder(Request(formats=("png",), backs=False))
    yield f"{PICTURES} cards to PNG files of 744 x 1039, each", _seconds(pictures.build) / PICTURES * 1000, "ms"


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _process(*options: str) -> None:
    subprocess.run([sys.executable, "-m", "cardgen", "build", "-q", *options], check=True)
