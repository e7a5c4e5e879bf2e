"""Programs that make the same sheets, and their costs for a deck."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import rendercv_fonts

from tests.benchmarks.measure import CARDGEN, ROOT, Cost, cost, middle

HERE = Path(__file__).parent
CARDS = 900
FAMILIES = ("EB Garamond", "Source Sans 3")
# A build of fronts, with nothing kept from earlier ones.
OURS = (*CARDGEN, "build", "-q", "--no-backs", "--no-cache")


@dataclass(frozen=True, slots=True)
class Program:
    """A program; slow programs are measured on a `share` of the cards."""

    name: str
    file: str
    share: int = CARDS


PEERS = (
    Program("Typst", "typst_sheets.py"),
    Program("plain CairoSVG and pikepdf", "plain.py", share=180),
    Program("WeasyPrint", "weasyprint_sheets.py", share=45),
)


@dataclass(frozen=True, slots=True)
class Figures:
    """The costs of a program for 900 cards.

    They are elapsed time in s, processor time in s, peak memory in MiB, and KiB per card.
    """

    seconds: float
    processor: float
    memory: float
    size: float


def deck(root: Path, houses: int, cards: int = CARDS) -> Path:
    """Create a project of characters, with material for other programs."""
    plain_deck(root, houses, cards)
    cost([sys.executable, str(HERE / "material.py"), "."], root, {"PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"})
    return root


def plain_deck(root: Path, houses: int, cards: int = CARDS) -> Path:
    """Create the same project without that material, with our own emblems."""
    from tests.benchmarks.decks import write_characters

    root.mkdir()
    write_characters(root / "cards", cards, houses)
    return root


def ours(root: Path, *, cards: int = CARDS, repeats: int = 3) -> Figures:
    """Return the cost of cardgen for a project's fronts, without caches."""
    return _figures(root, middle([_our_cost(root) for _ in range(repeats)]), cards)


def together(root: Path, repeats: int = 3) -> tuple[Figures, Mapping[str, Figures]]:
    """Return the costs of all programs for a project's fronts.

    The programs take turns, so that all run under the same conditions. The other programs have cached all fonts
    before.
    """
    starts = {program: min(their_cost(root, program, 1) for _ in range(2)) for program in PEERS}
    mine: list[Cost] = []
    taken: dict[Program, list[Cost]] = {program: [] for program in PEERS}
    for _ in range(repeats):
        mine.append(_our_cost(root))
        for program in PEERS:
            taken[program].append(their_cost(root, program, program.share))
    others = {program.name: _scaled(starts[program], middle(costs), program, root) for program, costs in taken.items()}
    return _figures(root, middle(mine), CARDS), others


def _our_cost(root: Path) -> Cost:
    return cost(OURS, root)


def _figures(root: Path, taken: Cost, cards: int) -> Figures:
    return Figures(*taken, _kilobytes(root / "output/warniris-character-a4.pdf") / cards)


def their_cost(root: Path, program: Program, cards: int) -> Cost:
    """Return the cost of another program for some cards of a deck with its material."""
    folder = root / "peers"
    fonts = {"FONTCONFIG_FILE": str(_fonts(folder))}
    command = [sys.executable, str(HERE / program.file), "cards.yaml", f"{program.file}.pdf", str(cards)]
    return cost(command, folder, fonts)


def _scaled(start: Cost, taken: Cost, program: Program, root: Path) -> Figures:
    more = CARDS / program.share
    seconds = start.seconds + (taken.seconds - start.seconds) * more
    processor = start.processor + (taken.processor - start.processor) * more
    return Figures(seconds, processor, taken.memory, _kilobytes(root / f"peers/{program.file}.pdf") / program.share)


def _fonts(folder: Path) -> Path:
    """Write a fontconfig configuration with only our fonts."""
    every = [path for path in rendercv_fonts.paths_to_font_folders if Path(path).name in FAMILIES]
    folders = "".join(f"<dir>{path}</dir>" for path in every)
    file = folder / "fonts.conf"
    head = '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">'
    cache = folder / "fontconfig"
    file.write_text(f"{head}<fontconfig>{folders}<cachedir>{cache}</cachedir></fontconfig>", encoding="utf-8")
    return file


def _kilobytes(path: Path) -> float:
    return path.stat().st_size / 1024
