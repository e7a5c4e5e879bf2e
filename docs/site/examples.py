"""Draws the cards whose YAML a page shows, beside it, while the site is built."""

from __future__ import annotations

import io
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

import cardgen

# A whole card in a code block: its game and its kind come first.
_CARD = re.compile(r"^```yaml\n(?P<text>game: [\w-]+\nkind: [\w-]+\n(?:.*\n)*?)```\n", re.MULTILINE)
_NAME = re.compile(r"^name: (?P<name>.*)$", re.MULTILINE)
# A picture that the page does not have.
_ART = re.compile(r"^art:", re.MULTILINE)
_DPI = 150
# In pixels; pages show half of it, so that pictures are sharp on dense screens.
_WIDEST = 560


def examples(markdown: str) -> Iterator[re.Match[str]]:
    """Yield the code blocks of a page that show one card, and nothing that is missing."""
    yield from (match for match in _CARD.finditer(markdown) if not _ART.search(match["text"]))


def draw_examples(markdown: str, folder: Path, page: str) -> None:
    """Draw the cards of a page into a folder, as PAGE-1.png and so on; kinds that are not printed have no picture."""
    for number, match in enumerate(examples(markdown), 1):
        with tempfile.TemporaryDirectory() as project:
            file = Path(project) / "cards" / "example.yaml"
            file.parent.mkdir()
            file.write_text(match["text"], encoding="utf-8")
            (card,) = cardgen.load(file)
            picture = Image.open(io.BytesIO(cardgen.render(card, "png", dpi=_DPI)))
            picture.thumbnail((_WIDEST, _WIDEST))
            picture.save(folder / f"{page}-{number}.png")


def with_pictures(markdown: str, folder: Path, page: str) -> str:
    """Return a page with the picture of each card beside its code."""
    parts, end = [], 0
    for number, match in enumerate(examples(markdown), 1):
        picture = folder / f"{page}-{number}.png"
        parts.append(markdown[end : match.start()])
        end = match.end()
        if not picture.exists():
            parts.append(match[0])
            continue
        named = _NAME.search(match["text"])
        width = Image.open(picture).width // 2
        link = f"gallery/{picture.name}"
        image = f'![{named["name"] if named else "The card"}]({link}){{ width="{width}" }}'
        parts.append(f'<div class="card-example" markdown>\n\n{match[0]}\n{image}\n\n</div>\n')
    return "".join((*parts, markdown[end:]))
