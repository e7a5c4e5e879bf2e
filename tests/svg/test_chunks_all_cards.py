"""Drawings of real cards split child by child, with all shortcuts, are those that the parser splits as a whole."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from cardgen.deck.deck import load_deck
from cardgen.face import renderer
from cardgen.print.render import CardRenderer
from cardgen.svg import chunks
from tests.benchmarks.decks import write_characters

ROOT = Path(__file__).parents[2]
# Cards of each kind; they share most of their artwork.
MOST = 4


def built_in(folder: Path) -> None:
    shutil.copytree(ROOT / "cards", folder / "cards")


def many(folder: Path) -> None:
    write_characters(folder / "cards", 24, 5)


def example(name: str) -> Callable[[Path], None]:
    def create(folder: Path) -> None:
        shutil.copytree(ROOT / "examples" / name, folder, dirs_exist_ok=True)

    return create


def drawings(monkeypatch: pytest.MonkeyPatch, most: int) -> list[str]:
    """The SVG of both sides of the first cards of each kind of the current project."""
    sources: list[str] = []

    def recorded(svg: str) -> tuple[object, ...]:
        sources.append(svg)
        return chunks.split_svg(svg)

    monkeypatch.setattr(renderer, "split_svg", recorded)
    project, deck = load_deck(())
    counts = Counter[tuple[str, str]]()
    cards = CardRenderer(project)
    for entry in deck.cards:
        counts[entry.game, entry.kind] += 1
        if counts[entry.game, entry.kind] <= most:
            cards.render_faces(entry, backs=True)
    return sources


@pytest.mark.share(2)
@pytest.mark.parametrize(
    ("create", "most"),
    [(built_in, MOST), (many, 24), *((example(path.name), 2) for path in sorted((ROOT / "examples").iterdir()))],
)
def test_drawings_are_split_as_the_parser_splits_them(
    create: Callable[[Path], None], most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create(tmp_path)
    monkeypatch.chdir(tmp_path)
    sources = drawings(monkeypatch, most)
    assert len(sources) >= most
    fast = [chunks.split_svg(svg) for svg in sources]
    monkeypatch.setattr(chunks, "FAST", False)
    assert [chunks.split_svg(svg) for svg in sources] == fast
