"""Draws the cards whose YAML a page shows, beside it, while the site is built."""

from __future__ import annotations

import io
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from PIL import Image

import cardgen

_BLOCK = re.compile(r"^```\w+(?: (?P<file>[\w./-]+))?\n(?P<text>.*?)^```\n", re.MULTILINE | re.DOTALL)
# A whole card in a block without the name of a file, and a picture that the page does not have.
_CARD = re.compile(r"game: [\w-]+\nkind: [\w-]+\n")
_ART = re.compile(r"^ *(?:- )?art:", re.MULTILINE)
# The top-level keys of a game.yaml, of which a listing has those that are new.
_SECTION = re.compile(r"^(\w+):.*\n(?:(?: .*)?\n)*", re.MULTILINE)
_FOLDERS = ("cards", "games", "templates")
_DPI = 150
# In pixels; pages show half of it, so that pictures are sharp on dense screens.
_WIDEST = 560
_MOST_CARDS, _GAP = 3, 24


def blocks(markdown: str) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield the code blocks of a page with their numbers."""
    yield from enumerate(_BLOCK.finditer(markdown), 1)


def draw_examples(markdown: str, folder: Path, page: str) -> None:
    """Draw the cards of a page into a folder, as PAGE-NUMBER.png with the number of their code block.

    Blocks that name a file build up a project; a picture follows each that changes how its cards look. What cannot be
    drawn, such as the card of an unfinished game, has no picture.
    """
    with tempfile.TemporaryDirectory() as temporary:
        project, single = Path(temporary) / "project", Path(temporary) / "single"
        cards, last = None, b""
        for number, match in blocks(markdown):
            name, text = match["file"] or "", match["text"]
            if not name and _CARD.match(text) and not _ART.search(text):
                picture = _draw(_write(single / "cards" / "example.yaml", text))
            elif PurePosixPath(name).parts[:1] in {(each,) for each in _FOLDERS} or name == "cardgen.yaml":
                file = _write(project / name, text)
                cards = file if name.startswith("cards/") else cards
                picture = _draw(cards) if cards and not _ART.search(cards.read_text("utf-8")) else b""
                picture, last = (picture, picture) if picture != last else (b"", last)
            else:
                continue
            if picture:
                (folder / f"{page}-{number}.png").write_bytes(picture)


def _write(file: Path, text: str) -> Path:
    """Write a file of a listing, and return it; one of a game.yaml keeps the keys of earlier ones."""
    if file.name == "game.yaml" and file.exists():
        earlier, later = (
            {one[1]: one[0] for one in _SECTION.finditer(each)} for each in (file.read_text("utf-8"), text)
        )
        text = "".join({**earlier, **later}.values())
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def _draw(file: Path) -> bytes:
    """Return the first cards of a file as one PNG picture, or nothing if they cannot be drawn."""
    try:
        deck = cardgen.load(file)
        drawn = [cardgen.render(card, "png", dpi=_DPI) for card in [*deck][:_MOST_CARDS]]
    except cardgen.CardgenError:
        return b""
    cards = [Image.open(io.BytesIO(each)) for each in drawn]
    width = sum(each.width for each in cards) + _GAP * (len(cards) - 1)
    row = Image.new("RGBA", (width, max(each.height for each in cards)))
    left = 0
    for each in cards:
        row.paste(each, (left, 0))
        left += each.width + _GAP
    row.thumbnail((_WIDEST, _WIDEST))
    result = io.BytesIO()
    row.save(result, "PNG")
    return result.getvalue()


def with_pictures(markdown: str, folder: Path, page: str) -> str:
    """Return a page with the picture of each card beside its code."""
    parts, end = [], 0
    for number, match in blocks(markdown):
        picture = folder / f"{page}-{number}.png"
        if picture.exists():
            with Image.open(picture) as opened:
                width = opened.width // 2
            image = f'![What it prints](gallery/{picture.name}){{ width="{width}" }}'
            example = f'<div class="card-example" markdown>\n\n{match[0]}\n{image}\n\n</div>\n'
            parts += [markdown[end : match.start()], example]
            end = match.end()
    return "".join((*parts, markdown[end:]))
