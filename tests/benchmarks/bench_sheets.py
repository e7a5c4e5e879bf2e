"""Benchmark of the imposition of thousands of mixed pieces: time and sheets."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from cardgen.sheet.gang_sheet import Demand, gang_sheets, lower_bound
from cardgen.units import CARD_SIZES, PAPER_SIZES, Box, Shape, Size
from tests.benchmarks.decks import minions_of_sizes
from tests.benchmarks.measure import CARDGEN, Row, cost

NOTE = """\
The minions are 3,000 distinct cards of five sizes, fronts and backs, packed on A4 in one PDF: one process, nothing
cached. The bound is that of the area which the printer can reach, without room for marks; no program can do better."""
CARDS = 3_000
SIZES = ("poker", "standard", "euro", "tarot", "a7")
MARGIN = 5.0
# The cards of the sample kit, and the same with tokens and blank cards.
KIT = (Demand(CARD_SIZES["tarot"], 12), Demand(CARD_SIZES["standard"], 19), Demand(CARD_SIZES["mini-usa"], 32))
WITH_TOKENS = (*KIT, Demand(Size(25, 25), 72, Shape.ROUND))


def _packed(folder: Path) -> Iterator[Row]:
    (folder / "cards").mkdir()
    for number, text in enumerate(minions_of_sizes(CARDS, SIZES)):
        (folder / f"cards/minions-{number}.yaml").write_text(text, encoding="utf-8")
    whole = cost([*CARDGEN, "build", "--layout", "packed", "--no-cache"], folder)
    yield f"{CARDS} cards of {len(SIZES)} sizes on packed A4 sheets, with backs", whole.seconds, "s", 10
    yield "  the same, processor time", whole.processor, "s"
    yield "  the same, peak memory", whole.memory, "MiB", 300
    yield "  the same, file", next(folder.glob("output/*.pdf")).stat().st_size / 2**20, "MiB"


def _packer(_: Path) -> Iterator[Row]:
    many = [Demand(CARD_SIZES[name], CARDS // len(SIZES)) for name in SIZES]
    for what, needs, bar in (("the sample kit", KIT, 1.05), ("the kit with tokens", WITH_TOKENS, None)):
        for paper in ("a4", "letter"):
            started = time.perf_counter()
            sheets, bound = len(_laid(needs, paper)), _bound(needs, paper)
            seconds = time.perf_counter() - started
            yield f"{what} on {paper}: sheets", sheets, ""
            yield "  as a multiple of what its area must take", sheets / bound, "x", bar
            yield "  packing", seconds, "s"
    started = time.perf_counter()
    sheets, bound = len(_laid(many, "a4")), _bound(many, "a4")
    seconds = time.perf_counter() - started
    yield f"{CARDS} cards of {len(SIZES)} sizes on a4: packing alone", seconds, "s"
    yield "  as a multiple of what their area must take", sheets / bound, "x"


PARTS = {"packed": _packed, "packer": _packer}


def _laid(needs: tuple[Demand, ...] | list[Demand], paper: str) -> list[object]:
    size = PAPER_SIZES[paper]
    return list(gang_sheets(needs, size, margin=MARGIN, gap=0, bleed=3, area=Box(0, 0, *size)))


def _bound(needs: tuple[Demand, ...] | list[Demand], paper: str) -> int:
    size = PAPER_SIZES[paper]
    return lower_bound(needs, [Size(size.width - 2 * MARGIN, size.height - 2 * MARGIN)])
