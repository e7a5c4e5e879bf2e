"""Benchmark of a cluster: duels, checks, and pictures with two workers on this computer, and with one process."""

from __future__ import annotations

import json
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from cardgen.balance.arena import Arena, ComputeOptions, compute_scores
from cardgen.builds import builder
from cardgen.export.svg import Rasterizer
from cardgen.matches import session
from cardgen.print.request import BuildRequest
from cardgen.project_checks.run import CheckRequest, check_project
from cardgen.referee.trial import Competitor
from cardgen.runtime.cluster.pool import Connection, parse_address
from cardgen.runtime.workspace import Link, Workspace
from tests.benchmarks.bench_balance import character
from tests.benchmarks.measure import Row
from tests.benchmarks.warcry_collection import write_yaml
from tests.benchmarks.warniris_collection import kit_crowd

NOTE = (
    "Clusters: two workers on this computer. The efficiency on the clock needs two idle cores. That by processor time "
    "is the time of one process, divided by twice that of this process and the busier worker, as if they took turns."
)
ABLE, CHARACTERS, PICTURES, WORKERS, DPI = 60, 1000, 120, 2, 300


def _duels(_: Path) -> Iterator[Row]:
    rules, trials = session.load_referee("warniris")
    config = session.resolve_config(rules, trials, (), ())

    def scores(fighters: Sequence[Competitor], link: Link | None) -> object:
        return compute_scores(Arena(rules, trials, config, Workspace(cluster=link)), fighters, alone)[1].rows

    alone = ComputeOptions(cache=False)
    characters = [Competitor(character(random.Random(number), number)) for number in range(CHARACTERS)]
    yield from _both(f"{ABLE} characters with abilities", partial(scores, kit_crowd(ABLE)))
    yield from _both(f"{CHARACTERS:,} characters without", partial(scores, characters))


def _checks(folder: Path) -> Iterator[Row]:
    root = folder / "project"
    write_yaml(root)
    yield from _both("checks of 2,277 cards with texts", lambda link: _findings(root, link))


def _rasters(_: Path) -> Iterator[Row]:
    document = _document()
    yield from _both(f"{2 * PICTURES} pictures of 300 dpi", lambda link: _pictures(document, link))


PARTS = {"duels": _duels, "checks": _checks, "pictures": _rasters}


def _both(what: str, work: Callable[[Link | None], object]) -> Iterator[Row]:
    """Yield figures of work in this process, and on a cluster."""
    one, alone, expected = _timed(work, None)
    with Connection(parse_address("local"), WORKERS, print) as connection:
        many, shared, result = _timed(work, connection)
        sent, received = connection.channel.sent, connection.channel.received
    assert result == expected
    here, there = shared[os.getpid()], sorted(shared[pid] for pid in shared if pid != os.getpid())
    yield f"{what}: one process", one, "s"
    yield f"{what}: {WORKERS} workers, without their start", many, "s"
    yield f"{what}: efficiency on the clock", one / many / WORKERS, ""
    yield f"{what}: processor time of one process", alone[os.getpid()], "s"
    yield f"{what}: processor time of this process with workers", here, "s"
    yield f"{what}: processor time of the busiest worker", there[-1], "s"
    yield f"{what}: efficiency by processor time", alone[os.getpid()] / (here + there[-1]) / WORKERS, ""
    yield f"{what}: sent to the cluster", sent / 2**20, "MiB"
    yield f"{what}: received from it", received / 2**20, "MiB"


def _timed(work: Callable[[Link | None], object], link: Link | None) -> tuple[float, dict[int, float], object]:
    """Return the seconds of the clock, the processor time of this process and its children, and the result."""
    before, started = _processor_times(), time.perf_counter()
    result = work(link)
    seconds, after = time.perf_counter() - started, _processor_times()
    return seconds, {pid: used - before.get(pid, 0.0) for pid, used in after.items()}, result


def _processor_times() -> dict[int, float]:
    """Return the processor times of this process and all that it started, by their ids; Linux tells them."""
    parents, times = dict[int, int](), {os.getpid(): time.process_time()}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = file.read_text().rpartition(")")[2].split()
            pid = int(file.parent.name)
            parents[pid] = int(fields[1])
            times.setdefault(pid, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
    return {pid: seconds for pid, seconds in times.items() if _is_ours(pid, parents)}


def _is_ours(pid: int, parents: Mapping[int, int]) -> bool:
    while pid not in (0, os.getpid()):
        pid = parents.get(pid, 0)
    return pid != 0


def _findings(root: Path, link: Link | None) -> object:
    return check_project(CheckRequest(workspace=Workspace(root, cluster=link))).findings


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


def _pictures(document: bytes, link: Link | None) -> list[bytes]:
    rasterizer = Rasterizer(document, DPI, cluster=link)
    return [rasterizer.page(number) for number in range(2 * PICTURES)]
