"""Small projects with their own templates, shared by tests of features and commands."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pypdfium2

MINION = """\
kind: minion
name: Sentinel
stats: {M: 2, B: 2, S: 2, W: 1, Mo: 10}
"""
SPRUES = sorted((Path(__file__).parent.parent / "cardgen" / "sprues").glob("*.yaml"))
STATS = "{M: 2, B: 2, S: 2, W: 1, Mo: 10}"
# A front that is quick to draw, with one fitted text; a back that has none.
FRONT = """\
<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="https://cardgen.dev/svg">
<rect x="{{ -bleed }}" y="{{ -bleed }}" width="{{ width + 2 * bleed }}" height="{{ height + 2 * bleed }}" fill="#eee"/>
<cg:text x="5" y="5" width="{{ width - 10 }}" height="12" style="body" field="name">{{ card.name }}</cg:text>
{% if card.text %}
<cg:text x="5" y="20" width="{{ width - 10 }}" height="20" style="body" field="text">{{ card.text }}</cg:text>
{% endif %}
{% if card.art %}<cg:art x="5" y="45" width="30" height="30"/>{% endif %}
</svg>
"""
BACK = """\
<svg xmlns="http://www.w3.org/2000/svg">
<rect x="{{ -bleed }}" y="{{ -bleed }}" width="{{ width + 2 * bleed }}" height="{{ height + 2 * bleed }}" fill="#345"/>
</svg>
"""

# Two cards and some of their translations.
SOURCE = f"""\
kind: minion
cards:
  - {{name: Ash, stats: {STATS}, text: Deal 2 wounds.}}
  - {{name: Ember, stats: {STATS}, text: Burn.}}
"""
IN_GERMAN = """\
translations:
  ash:
    name: Asche
    text: Füge 2 Wunden zu.
    source: {name: Ash, text: Deal 1 wound.}
  ember:
    name: Glut
"""


@dataclass(frozen=True, slots=True)
class Folder:
    """A project folder, which is the current folder."""

    root: Path

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def translated(self) -> Folder:
        """Add cards in a file and in a table, with translations into German and French."""
        self.plain()
        tables = "tables: {cards/gulls.csv: {kind: minion}}"
        self.write("cardgen.yaml", f"language: en\nlanguages: [de, de-AT, fr]\n{tables}\n")
        self.write("cards/a.yaml", SOURCE)
        self.write("cards/a.de.yaml", IN_GERMAN)
        columns = "name,name.de,name.fr,stats.M,stats.B,stats.S,stats.W,stats.Mo,text,text.de"
        self.write("cards/gulls.csv", f"{columns}\nGull,Möwe,Mouette,2,2,2,1,10,It flies.,Sie fliegt.\n")
        return self

    def plain(self) -> Folder:
        """Add minimal templates for minions."""
        self.write("templates/warniris/minion.svg.j2", FRONT)
        self.write("templates/warniris/minion.back.svg.j2", BACK)
        return self

    def minions(self, *names: str, more: str = "") -> Folder:
        cards = "".join(f"  - {{name: {name}, stats: {STATS}{more}}}\n" for name in names)
        self.write("cards/minions.yaml", f"kind: minion\ncards:\n{cards}")
        return self

    def files(self, under: str = "output") -> list[str]:
        """Return all files below a folder, sorted."""
        root = self.root / under
        return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())

    def output(self, name: str) -> bytes:
        return (self.root / "output" / name).read_bytes()


def pages_of(content: bytes) -> list[str]:
    """Return the text of each page."""
    document = pypdfium2.PdfDocument(content)
    try:
        return [str(page.get_textpage().get_text_range()) for page in document]
    finally:
        document.close()
