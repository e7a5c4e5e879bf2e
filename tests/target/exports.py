"""Shared by tests of targets: a small project, and its export."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops

from cardgen.builds.builder import build
from cardgen.print.request import BuildRequest
from cardgen.target.job import ExportRequest, ExportResult, export
from cardgen.target.registry import TARGETS
from tests.projects import Folder

TABLETOPS = tuple(name for name, target in TARGETS.items() if ".tabletops." in target.module)
DPI = 72
NO_OPTIONS = {"dpi": DPI, "asset_base_url": None, "old_schema": False}
TOKENS = """\
kind: token
cards:
  - {name: Wounds, value: 1, flip: 2, qty: 3}
"""
# A back that differs from card to card.
OWN_BACK = """\
<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="https://cardgen.dev/svg">
<rect x="{{ -bleed }}" y="{{ -bleed }}" width="{{ width + 2 * bleed }}" height="{{ height + 2 * bleed }}" fill="#abc"/>
<cg:text x="5" y="5" width="{{ width - 10 }}" height="12" style="body" field="name">{{ card.name }}</cg:text>
</svg>
"""


def small_project(folder: Folder, cards: int = 5, *, own_backs: bool = False) -> Folder:
    """Write minions, of which each has two copies, and tokens."""
    folder.plain().minions(*(f"Minion {'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[n]}" for n in range(cards)), more=", qty: 2")
    folder.write("cards/tokens.yaml", TOKENS)
    if own_backs:
        folder.write("templates/warniris/minion.back.svg.j2", OWN_BACK)
    return folder


def run_export(name: str, folder: Folder, options: dict[str, Any] | None = None, **build_options: Any) -> ExportResult:
    """Export a project to the folder `out`."""
    request = BuildRequest(output=folder.root / "out", jobs=1, **build_options)
    return export(ExportRequest(name, request, NO_OPTIONS | (options or {})))


def card_pictures(folder: Folder, dpi: int = DPI) -> dict[str, Image.Image]:
    """Return the fronts and backs of all cards as `cardgen build` writes them, by the end of the file's name."""
    output = folder.root / "built"
    build(BuildRequest(output=output, formats=("png",), dpi=dpi, jobs=1))
    return {path.stem.split("-", 1)[1]: open_picture(path.read_bytes()) for path in output.rglob("*.png")}


def open_picture(content: bytes) -> Image.Image:
    """Return a PNG file on white."""
    picture = Image.open(BytesIO(content)).convert("RGBA")
    background = Image.new("RGBA", picture.size, "white")
    background.alpha_composite(picture)
    return background.convert("RGB")


def cell_of(sheet: Image.Image, columns: int, rows: int, index: int) -> Image.Image:
    """Return one cell of a sheet, counted row by row."""
    assert sheet.width % columns == 0
    assert sheet.height % rows == 0
    width, height = sheet.width // columns, sheet.height // rows
    row, column = divmod(index, columns)
    return sheet.crop((column * width, row * height, (column + 1) * width, (row + 1) * height))


def same_picture(one: Image.Image, other: Image.Image) -> bool:
    """Return whether two pictures are equal in every pixel."""
    return one.size == other.size and ImageChops.difference(one, other).getbbox() is None


def read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
