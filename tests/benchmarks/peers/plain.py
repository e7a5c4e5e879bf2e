"""The plain pipeline: SVG cards, CairoSVG for PDF, pikepdf for sheets.

Run `python plain.py CARDS OUT [COUNT]` in the folder of the material, for at most COUNT cards.
"""

from __future__ import annotations

import io
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cairosvg
import jinja2
import pikepdf
import yaml
from markupsafe import Markup

PAPER, CARD, ACROSS, DOWN = (595.276, 841.89), (198.425, 340.157), 2, 2
COLUMNS = (("R", 44.3), ("P", 49.7), ("D", 55.1), ("H", 60.5))
WIDE, LINE, TOP = 44, 3.97, 94.2


def wrapped(card: Any) -> Iterator[tuple[float, list[tuple[str, str]]]]:
    """Yield the lines of abilities, wrapped by character count.

    Each has its position and its runs.
    """
    y = TOP
    for paragraph in card["words"]:
        letters = [(letter, look) for look, text in paragraph for letter in text]
        at = 0
        for line in textwrap.wrap("".join(letter for letter, _ in letters), WIDE, break_on_hyphens=False):
            runs: list[tuple[str, str]] = []
            for letter, look in letters[at : at + len(line)]:
                if runs and runs[-1][0] == look:
                    runs[-1] = (look, runs[-1][1] + letter)
                else:
                    runs.append((look, letter))
            at += len(line) + 1
            yield y, runs
            y += LINE
        y += 1


def inner(path: Path) -> str:
    """Return the content of an SVG file without its root element."""
    svg = path.read_text(encoding="utf-8")
    return svg[svg.index(">") + 1 : svg.rindex("</svg>")]


def main(source: str, target: str, most: str = "1000000") -> None:
    """Write the sheets."""
    here = Path(__file__).parent
    cards = yaml.load(Path(source).read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)[: int(most)]
    template = jinja2.Environment(autoescape=True).from_string((here / "card.svg.j2").read_text(encoding="utf-8"))
    pips = {int(path.stem.removeprefix("pips-")): Markup(inner(path)) for path in Path().glob("pips-*.svg")}
    signs = {sort: Markup(inner(Path(f"{sort}.svg"))) for sort in ("CW", "RW", "P")}
    frame = Markup(inner(Path("frame.svg")))
    sheets = pikepdf.new()
    for start in range(0, len(cards), ACROSS * DOWN):
        sheets.add_blank_page(page_size=PAPER)
        page = sheets.pages[-1]
        for slot, card in enumerate(cards[start : start + ACROSS * DOWN]):
            svg = template.render(
                card=card, frame=frame, signs=signs, columns=COLUMNS, pips=pips[card["stats"]["W"]],
                emblem=Markup(inner(Path(f"{card['house']}.svg"))),
                motto=textwrap.wrap(card["motto"], 22), words=list(wrapped(card)),
            )  # fmt: skip
            with pikepdf.open(io.BytesIO(cairosvg.svg2pdf(bytestring=svg.encode()))) as drawn:
                left = (PAPER[0] - ACROSS * CARD[0]) / 2 + slot % ACROSS * CARD[0]
                bottom = (PAPER[1] + DOWN * CARD[1]) / 2 - (slot // ACROSS + 1) * CARD[1]
                page.add_overlay(drawn.pages[0], pikepdf.Rectangle(left, bottom, left + CARD[0], bottom + CARD[1]))
    sheets.save(target, compress_streams=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)


if __name__ == "__main__":
    main(*sys.argv[1:])
