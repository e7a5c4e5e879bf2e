"""Makes the gallery of the site: pictures of cards, pieces, and sheets, rendered from the sample cards."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pypdfium2
from PIL import Image

import cardgen
from cardgen.reference_sheets.make_sheets import SheetRequest, make_sheets

CARDS = Path(__file__).parents[2] / "cards"
DPI = 144
# The size on the page of a pixel of a picture; pictures are sharp on dense screens and when they are enlarged.
SHOWN = 0.4
# The greatest width of a picture, so that two fit side by side.
WIDEST = 335
INTRODUCTION = """\
# Gallery

cardgen made every picture on this page from the sample cards while it built the site. Select a picture to enlarge it.
"""


@dataclass(frozen=True, slots=True)
class CardRow:
    """A section with cards or pieces; of each kind, the first `count`, or the named ones."""

    title: str
    text: str
    game: str
    kinds: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    count: int = 6
    theme: str | None = None
    sides: tuple[str, ...] = ("front",)


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A section with the first pages of sheets."""

    title: str
    text: str
    game: str
    only: tuple[str, ...] = ()
    layout: str | None = None
    sheet: str = ""
    of: str | None = None
    pages: int = 2


ROWS = (
    CardRow("Characters", "Warniris, from the sample kit. The coats of arms come from the cards' ids.", "warniris",
            ("character",), count=8),
    CardRow("Minions, relics, and missions", "Their rules texts come from the effects on the cards.", "warniris",
            ("minion", "relic", "mission"), count=3),
    CardRow("Backs", "Each kind of card has a back of its own.", "warniris", names=("sentinel", "sacred-chalice"),
            sides=("front", "back")),
    CardRow("Low ink", "The same cards as outlines on white: `--theme low-ink`.", "warniris",
            ("minion", "relic"), count=2, theme="low-ink"),
    CardRow("Warcry", "Fighters, abilities, battle traits, blessings, and battleplans.", "warcry",
            names=("captain-odile-marsh", "the-clinker", "aspire-to-glory", "onslaught", "might", "the-flooded-toll")),
    CardRow("Warhammer Skirmish", "Warriors, weapons, reference cards, and scenarios with maps.", "skirmish",
            names=("ottilie-vane-ferrymistress", "dyke-rider", "the-drowned-margrave", "great-weapon", "injuries",
                   "the-winter-grain")),
    CardRow("Tokens", "Fronts and backs, to punch out.", "warniris", ("token",), count=4, sides=("front", "back")),
    CardRow("Rosters", "A warband on a sheet that you fill in during the game.", "warniris", ("warband",), count=3),
    SheetRow("Print sheets", "Fronts and backs with cut marks and a scale bar.", "warniris", ("relic",)),
    SheetRow("Packed sheets", "Cards of all kinds on the fewest sheets, with numbered cuts: `--layout packed`.",
             "warniris", ("minion", "relic", "token"), layout="packed"),
    SheetRow("Rules summary", "`cardgen reference rules-summary`, front and back.", "warniris", sheet="rules-summary"),
    SheetRow("Warband sheet", "`cardgen reference warband`, with the odds of each attack.", "warniris",
             sheet="warband", of="The Drowned Court"),
)  # fmt: skip


def make_gallery(folder: Path) -> str:
    """Write the pictures into a folder, and return the page, which links them below `gallery/`."""
    sections = [INTRODUCTION]
    for row in ROWS:
        pictures = _card_pictures(row) if isinstance(row, CardRow) else _sheet_pictures(row)
        links = [_save(folder, row.title, caption, content) for caption, content in pictures]
        sections.append(f"## {row.title}\n\n{row.text}\n\n" + "\n".join(links) + "\n{ .gallery }\n")
    return "\n".join(sections)


def _save(folder: Path, title: str, caption: str, content: bytes) -> str:
    name = f"{_slug(title)}-{_slug(caption)}.png"
    (folder / name).write_bytes(content)
    size = Image.open(io.BytesIO(content)).size
    width, height = (round(min(SHOWN, WIDEST / size[0]) * length) for length in size)
    return f"[![{caption}](gallery/{name}){{ width={width} height={height} loading=lazy }}](gallery/{name})"


def _slug(text: str) -> str:
    return "-".join("".join(letter if letter.isalnum() else " " for letter in text.lower()).split())


def _card_pictures(row: CardRow) -> Iterator[tuple[str, bytes]]:
    deck = cardgen.load(CARDS / row.game)
    cards = [deck[name] for name in row.names] or [
        card for kind in row.kinds for card in deck.select([kind])[: row.count]
    ]
    for card in cards:
        for side in row.sides:
            caption = f"{card.name}, {card.kind}" + (f", {side}" if len(row.sides) > 1 else "")
            yield caption, cardgen.render(card, "png", side, row.theme, DPI)  # type: ignore[call-overload]


def _sheet_pictures(row: SheetRow) -> Iterator[tuple[str, bytes]]:
    with tempfile.TemporaryDirectory() as name:
        for number, content in enumerate(_pages(_documents(row, Path(name)), row.pages), 1):
            yield f"{row.title}, page {number}", content


def _documents(row: SheetRow, folder: Path) -> Sequence[Path]:
    if row.sheet:
        request = SheetRequest((row.sheet,), folder, of=row.of, paths=(CARDS / row.game,))
        return make_sheets(request).files
    return cardgen.build(CARDS / row.game, folder, only=row.only, layout=row.layout).files


def _pages(documents: Sequence[Path], count: int) -> Iterator[bytes]:
    pages = [page for document in documents for page in pypdfium2.PdfDocument(document)]
    for page in pages[:count]:
        stream = io.BytesIO()
        page.render(scale=DPI * 0.7 / 72).to_pil().convert("RGB").save(stream, "PNG", optimize=True)
        yield stream.getvalue()
