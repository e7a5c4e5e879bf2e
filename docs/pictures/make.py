"""Makes the pictures of the README from the sample kit: `make pictures`."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import pypdfium2
from PIL import Image

from cardgen.pipeline.building import build
from cardgen.pipeline.referencing import Wish, make
from cardgen.pipeline.request import Request

HERE = Path(__file__).parent
CARDS = HERE.parent.parent / "cards" / "warniris"
DPI = 120
GAP = 20
KIT = ("isolde-quill", "the-cartographer", "sorcerer", "tactical-dominance", "sacred-chalice")
LOW_INK = ("queen-ysolve", "brute", "shield-wall", "warp-channeler")


def main() -> None:
    """Write every picture anew."""
    with tempfile.TemporaryDirectory() as name:
        _row(_cards(Path(name), "default", KIT), HERE / "kit.png", "#3a3431")
        _row(_cards(Path(name), "low-ink", LOW_INK), HERE / "low-ink.png", "#b9b3a9")
        _sheets(Path(name), HERE / "sheets.png")
        _reference(Path(name), "rules-summary", HERE / "summary.png")
        _reference(Path(name), "warband", HERE / "warband.png", "The Drowned Court")


def _cards(folder: Path, theme: str, names: Sequence[str]) -> list[Image.Image]:
    build(Request((CARDS,), folder / theme, theme=theme, formats=("png",), dpi=DPI, backs=False))
    paths = (next((folder / theme).glob(f"**/*-{name}-front.png")) for name in names)
    return [Image.open(path).convert("RGB") for path in paths]


def _sheets(folder: Path, path: Path) -> None:
    """The first sheet of relics, front and back."""
    (document,) = build(Request((CARDS,), folder, only=("relic",))).files
    pages = pypdfium2.PdfDocument(document)
    _row([pages[side].render(scale=0.9).to_pil().convert("RGB") for side in (0, 1)], path, "#b9b3a9")


def _reference(folder: Path, sheet: str, path: Path, of: str | None = None) -> None:
    """The first two pages of a reference sheet."""
    (document,) = make(Wish((sheet,), folder, of=of)).files
    pages = list(pypdfium2.PdfDocument(document))[:2]
    _row([page.render(scale=1.1).to_pil().convert("RGB") for page in pages], path, "#b9b3a9")


def _row(pictures: Sequence[Image.Image], path: Path, ground: str) -> None:
    """Pictures side by side, their middles on one line."""
    height = max(picture.height for picture in pictures) + 2 * GAP
    width = sum(picture.width + GAP for picture in pictures) + GAP
    row = Image.new("RGB", (width, height), ground)
    x = GAP
    for picture in pictures:
        row.paste(picture, (x, (height - picture.height) // 2))
        x += picture.width + GAP
    row.quantize(160, dither=Image.Dither.NONE).save(path, optimize=True)


main()
