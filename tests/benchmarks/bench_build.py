"""Benchmark of builds: other programs, repeats, PNG, and longer decks."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from cardgen.builds.builder import Builder
from cardgen.deck.deck import load_deck
from cardgen.print.render import CardRenderer
from cardgen.print.request import BuildRequest, ProgressCounter
from tests.benchmarks.decks import illustrated_deck
from tests.benchmarks.measure import CARDGEN, Row, cost, memory, middle
from tests.benchmarks.peers.programs import (
    CARDS,
    OURS,
    PEERS,
    Figures,
    deck,
    ours,
    plain_deck,
    their_cost,
    together,
)

NOTE = f"""\
{CARDS} distinct characters of 70 x 120 mm, 4 to an A4 sheet, fronts only: each program reads them from YAML and writes
one PDF. Every figure is that of a whole process started fresh, the median of three; times are those on the clock.
{"; ".join(f"{each.name} was measured on {each.share} cards and scaled" for each in PEERS if each.share < CARDS)}
(what it takes for one card is taken off before and added again; its memory is that of the share).
The same for all: the cards, their words, the fonts, the frame and the emblems (as SVG files; 30 or 900 of them).
Unlike: the others read abilities that are worded already, while this program reads effects, checks and words them.
It alone fits texts to their boxes and refuses what does not fit, kerns and hyphenates by dictionaries of its own,
paints a bleed, and draws cut marks, a ruler and page boxes. With the others, text that is too long runs off the card.
The plain pipeline breaks lines by counting letters, and embeds fonts anew for each card. WeasyPrint draws each picture
anew wherever it stands."""
PICTURES = 150
PICTURE_CARDS, PICTURE_SIDE = 3_000, 600
LONGEST = 90_000


def _composed(folder: Path) -> Path:
    """Return a project of `CARDS` cards with emblems composed of shared parts."""
    root = folder / "composed"
    return root if root.exists() else plain_deck(root, CARDS)


def _beside_others(folder: Path) -> Iterator[Row]:
    shared, distinct = deck(folder / "shared", 30), deck(folder / "distinct", CARDS)
    mine, others = together(shared)
    yield from _compared("30 emblems shared", mine, others)
    yield from _shares(mine, others, 1 / 12, 1)
    yield "  peak memory of the largest process", mine.memory, "MiB", 90
    yield "  the same, as a multiple of Typst", mine.memory / others[PEERS[0].name].memory, "x"
    yield "  peak memory, all its processes together", memory(OURS, shared), "MiB", 100
    yield "  the same with one process (-j 1)", memory([*OURS, "-j", "1"], shared), "MiB"
    yield "  file, a card", mine.size, "KiB", 2
    mine, others = together(distinct)
    yield from _compared("900 distinct emblems, each one drawing", mine, others)
    yield from _shares(mine, others, 1 / 7)
    mine = ours(_composed(folder))
    yield from _compared("900 distinct emblems, composed of parts that cards share", mine, {})
    yield from _shares(mine, others, 1 / 7)


def _shares(
    mine: Figures, others: Mapping[str, Figures], of_plain: float, of_typst: float | None = None
) -> Iterator[Row]:
    """Return our time relative to others: elapsed and processor time.

    Other processes on the machine affect processor time less.
    """
    for what, peer, bar in (
        ("a share of the plain pipeline", PEERS[1], of_plain),
        ("a multiple of Typst", PEERS[0], of_typst),
    ):
        other = others[peer.name]
        yield f"  cardgen as {what}", mine.seconds / other.seconds, "x", bar
        yield f"  cardgen as {what}, processor time", mine.processor / other.processor, "x"


def _compared(what: str, mine: Figures, others: Mapping[str, Figures]) -> Iterator[Row]:
    for name, each in {"cardgen": mine, **others}.items():
        yield f"{what}: {name}, a card", each.seconds / CARDS * 1000, "ms"
        yield "  the same, processor time", each.processor / CARDS * 1000, "ms"
        if each is not mine:
            yield "  the same, as a multiple of cardgen", each.seconds / mine.seconds, "x"
        yield "  the same, peak memory", each.memory, "MiB"
        yield "  the same, file, a card", each.size, "KiB"


def _again(folder: Path) -> Iterator[Row]:
    root = _composed(folder)
    command = [*CARDGEN, "build"]
    first = cost(command, root)
    yield f"{CARDS} cards with backs, a first build", first.seconds, "s"
    again = middle([cost(command, root) for _ in range(7)])
    yield "  built again, nothing changed", again.seconds, "s", 0.4
    yield "  the same, as a share of the first build", again.seconds / first.seconds, "x", 0.25
    shutil.rmtree(root / "output")
    yield "  built again, the output removed", cost(command, root).seconds, "s"
    helped = middle([cost([*CARDGEN, "--help"], root) for _ in range(11)])
    yield "cardgen --help", helped.seconds, "s", 0.2


def _pictures(folder: Path) -> Iterator[Row]:
    options = ("build", "-q", "--no-backs", "--format", "png")
    for name in ("shared", "distinct"):
        root = deck(folder / f"png-{name}", 30 if name == "shared" else PICTURES, PICTURES)
        cold = cost([*CARDGEN, *options, "--no-cache"], root)
        cost([*CARDGEN, *options], root)
        shutil.rmtree(root / "output")
        warm = cost([*CARDGEN, *options], root)
        for how, each in (("nothing kept", cold), ("artwork kept", warm)):
            what = f"{PICTURES} PNG files of 827 x 1417, {name} emblems, {how}, each"
            yield what, each.seconds / PICTURES * 1000, "ms", 25
        yield "  the same, processor time", warm.processor / PICTURES * 1000, "ms"


def _longer(folder: Path) -> Iterator[Row]:
    taken = {}
    for number in (90, 900, 9000):
        root = _composed(folder) if number == CARDS else plain_deck(folder / f"{number}", number, number)
        taken[number] = ours(root, cards=number, repeats=3)
        many = number > CARDS
        yield f"{number} cards, a card", taken[number].seconds / number * 1000, "ms", 1 if many else None
        yield "  the same, peak memory", taken[number].memory, "MiB", 250 if many else None
    yield "9,000 cards as a multiple of 900", taken[9000].seconds / taken[900].seconds, "x", 11
    yield "  the same, processor time", taken[9000].processor / taken[900].processor, "x"


def _longest(folder: Path) -> Iterator[Row]:
    """Yield what one build of 90,000 cards takes, beside Typst with a tenth of them."""
    tenth = deck(folder / "tenth", 30, LONGEST // 10)
    theirs = their_cost(tenth, PEERS[0], LONGEST // 10)
    shutil.rmtree(tenth)
    made = cost(OURS, plain_deck(folder / "longest", LONGEST, LONGEST))
    yield f"{LONGEST:,} cards in one build", made.seconds, "s"
    yield "  the same, processor time", made.processor, "s"
    yield "  peak memory of the largest process", made.memory, "MiB", 400
    yield f"  Typst, {LONGEST // 10:,} cards", theirs.seconds, "s"
    yield "  the same, processor time", theirs.processor, "s"
    yield "  the same, peak memory", theirs.memory, "MiB"
    yield "  cardgen a card as a multiple of Typst, processor time", made.processor / theirs.processor / 10, "x", 1


def _distinct_pictures(folder: Path) -> Iterator[Row]:
    """Yield the memory of a build of pictures, and its part that grows with their size."""
    root, peaks = folder / "art", {}
    for side in (64, PICTURE_SIDE):
        illustrated_deck(root / f"{side}", PICTURE_CARDS, side)
        peaks[side] = cost([*OURS, "-j", "1"], root / f"{side}").memory
    size = sum(path.stat().st_size for path in (root / f"{PICTURE_SIDE}/art").iterdir()) / 2**20
    yield f"{PICTURE_CARDS} distinct pictures of together", size, "MiB"
    yield "  peak memory", peaks[PICTURE_SIDE], "MiB", 250
    yield "  the same, all processes together", memory(OURS, root / f"{PICTURE_SIDE}"), "MiB", 250
    yield "  growth with their size, as a share of it", (peaks[PICTURE_SIDE] - peaks[64]) / size, "x", 0.2


def _stages(folder: Path) -> Iterator[Row]:
    home, root = Path.cwd(), _composed(folder)
    os.chdir(root)
    try:
        project, cards = load_deck(())
        loading = _seconds(lambda: load_deck(()))
        drawing = _seconds(lambda: CardRenderer(project).render_all(cards.cards, ProgressCounter(), backs=False))
        everything = _seconds(Builder(BuildRequest(cache=False, backs="none", jobs=1)).build)
        builder = Builder(BuildRequest(cache=False, backs="none"))
        builder.build()
        file = root / "cards/characters-0000.yaml"
        file.write_text(file.read_text(encoding="utf-8").replace("Iron Warden\n", "Iron Widow\n"), encoding="utf-8")
        one = _seconds(builder.build)
    finally:
        os.chdir(home)
    yield f"of {CARDS} cards by one process, reading the files", loading, "s"
    yield "  drawing faces", drawing, "s"
    yield "  making the PDF", everything - loading - drawing, "s"
    yield "  one card changed, built again by the same builder (as --watch does)", one, "s"


PARTS = {
    "peers": _beside_others,
    "again": _again,
    "png": _pictures,
    "longer": _longer,
    "longest": _longest,
    "pictures": _distinct_pictures,
    "stages": _stages,
}


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
