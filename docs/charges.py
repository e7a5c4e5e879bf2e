"""Writes the list of charges in charges.md, and the picture of them, from their files: `make docs`."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

from cardgen.face.face import read_icon
from cardgen.face.ornaments import COLOURS, METALS, Arms, Ornaments, draw_emblem
from cardgen.face.theme import load_theme
from cardgen.project.files import built_in_folder
from cardgen.text.shaped_row import Drawings, Icons

DOCS = Path(__file__).parent
TEMPLATES = built_in_folder("templates")
FOLDER = TEMPLATES / "shared" / "charges"
PAGE, PICTURE = DOCS / "charges.md", DOCS / "pictures" / "charges.svg"
_TABLE = re.compile(r"(?<=\| name \| blazon \|\n\|---\|---\|\n)(?:\|.*\n)*")
# In the picture, the width of a shield and the sides of its cell.
_SHIELD, _WIDE, _HIGH, _COLUMNS = 60, 84, 92, 10


def texts() -> Iterator[tuple[Path, str]]:
    """Yield the files, and their texts as they should be."""
    blazons = {path.stem: _blazon(path) for path in sorted(FOLDER.glob("*.svg"))}
    rows = "".join(f"| `{name}` | {blazon} |\n" for name, blazon in blazons.items())
    yield PAGE, _TABLE.sub(lambda _: rows, PAGE.read_text(encoding="utf-8"))
    yield PICTURE, "".join(_picture(tuple(blazons)))


def _blazon(path: Path) -> str:
    return ET.parse(path).findtext("{http://www.w3.org/2000/svg}title") or ""


def _picture(names: tuple[str, ...]) -> Iterator[str]:
    """Yield the parts of a picture with each charge on a shield, with its name."""
    theme = load_theme((TEMPLATES,), "shared", "default")
    ornaments = Ornaments(theme, Icons(charges=Drawings((FOLDER,), read_icon)))
    tinctures = {name: theme.colour(name) for name in (*COLOURS, *METALS, "line")}
    rows = -(-len(names) // _COLUMNS)
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_COLUMNS * _WIDE} {rows * _HIGH}">\n'
    yield f'<rect width="100%" height="100%" fill="{theme.colour("paper")}"/>\n'
    for at, name in enumerate(names):
        row, column = divmod(at, _COLUMNS)
        colour, metal = COLOURS[(column + row) % len(COLOURS)], METALS[(column + row) % len(METALS)]
        x, y = column * _WIDE, row * _HIGH
        arms = Arms("plain", (colour, colour), "none", metal, name)
        yield draw_emblem(arms, x + (_WIDE - _SHIELD) / 2, y + 4, _SHIELD, tinctures, ornaments.draw_charge) + "\n"
        yield f'<text x="{x + _WIDE / 2:g}" y="{y + 86}" font-family="sans-serif" font-size="10" text-anchor="middle" '
        yield f'fill="{theme.colour("ink")}">{name.replace("-", " ")}</text>\n'
    yield "</svg>\n"


if __name__ == "__main__":
    for file, text in texts():
        file.write_text(text, encoding="utf-8")
