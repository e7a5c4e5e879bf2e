"""Benchmark of a cluster: duels and pictures with two workers on this computer, and with one process."""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from cardgen.export.png import Rasterizer
from cardgen.pipeline.build import builder
from cardgen.pipeline.options import BuildRequest
from cardgen.pipeline.referee import setup
from cardgen.pipeline.referee.balance.arena import Arena
from cardgen.pipeline.referee.balance.round_robin import ComputeOptions, compute_scores
from cardgen.referee.trial import Competitor
from cardgen.runtime.cluster.address import parse_address
from cardgen.runtime.cluster.connection import Connection
from cardgen.runtime.cluster.pool import used
from tests.benchmarks.bench_balance import character
from tests.benchmarks.warniris_collection import kit_crowd

NOTE = "Clusters: two workers on this computer. The efficiency needs two idle cores."
ABLE, CHARACTERS, PICTURES, WORKERS, DPI = 24, 1000, 120, 2, 300


def rows() -> Iterator[tuple[str, float, str]]:
    """Yield times on the clock, the efficiency, and the bytes moved."""
    rules, trials = setup.load_referee("warniris")
    arena = Arena(rules, trials, setup.resolve_config(rules, trials, (), ()))
    characters = [Competitor(character(random.Random(number), number)) for number in range(CHARACTERS)]
    alone = ComputeOptions(cache=False)
    yield from _both(f"{ABLE} characters with abilities", lambda: compute_scores(arena, kit_crowd(ABLE), alone)[1].rows)
    yield from _both(f"{CHARACTERS:,} characters without", lambda: compute_scores(arena, characters, alone)[1].rows)
    document = _document()
    yield from _both(f"{2 * PICTURES} pictures of 300 dpi", lambda: _pictures(document))


def _both(what: str, work: Callable[[], object]) -> Iterator[tuple[str, float, str]]:
    """Yield figures of work in this process, and on a cluster."""
    one, expected = _timed(work)
    with Connection(parse_address("local"), WORKERS, print) as connection:
        with used(connection):
            many, result = _timed(work)
        sent, received = connection.channel.sent, connection.channel.received
    assert result == expected
    yield f"{what}: one process", one, "s"
    yield f"{what}: {WORKERS} workers, without their start", many, "s"
    yield f"{what}: efficiency", one / many / WORKERS, ""
    yield f"{what}: sent to the cluster", sent / 2**20, "MiB"
    yield f"{what}: received from it", received / 2**20, "MiB"


def _timed(work: Callable[[], object]) -> tuple[float, object]:
    started = time.perf_counter()
    result = work()
    return time.perf_counter() - started, result


def _document() -> bytes:
    """Return a PDF of random characters, as a build of pictures makes it."""
    dice = random.Random(PICTURES)
    drawn = [character(dice, number) for number in range(PICTURES)]
    cards = [{key: value for key, value in card.items() if key != "kind"} for card in drawn]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "cards").mkdir()
        text = "".join(f"- {json.dumps(card)}\n" for card in cards)
        (folder / "cards" / "all.yaml").write_text(f"game: warniris\nkind: character\ncards:\n{text}")
        request = BuildRequest((folder / "cards",), folder / "output", folder=folder, layout="single", cache=False)
        (file,) = builder.build(request).files
        return file.read_bytes()


def _pictures(document: bytes) -> list[bytes]:
    rasterizer = Rasterizer(document, DPI)
    return [rasterizer.page(number) for number in range(2 * PICTURES)]
