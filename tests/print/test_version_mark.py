"""Version marks on the cards of a small project."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.builds.builder import build
from cardgen.deck.deck import load_deck
from cardgen.face.face import Artwork, Face, Text
from cardgen.print.output_formats import Renderer
from cardgen.print.render import CardRenderer, RenderedCard
from cardgen.print.request import BuildRequest
from cardgen.print.version_mark import Versions, mark_versions
from cardgen.releases.write import write_release
from tests.projects import FRONT, STATS, Folder, pages_of

CARDS = f"""\
kind: minion
cards:
  - {{name: Ash, stats: {STATS}}}
  - {{name: Ember, stats: {STATS}}}
  - {{name: Soot, stats: {STATS}}}
"""


def marked(front: str, folder: Folder) -> tuple[Text, Face]:
    """Return the mark on a card with a front, and its face."""
    folder.write("templates/warniris/minion.svg.j2", front)
    folder.minions("Ash")
    project, deck = load_deck((Path("cards"),))
    renderer = CardRenderer(project)
    (entry,) = deck.cards
    piece, _ = renderer.render_piece(entry, backs=False)
    versions = Versions({("warniris", "minion", "ash"): ("v1.2", "2026-05-31")})
    (card,) = mark_versions([RenderedCard(entry, piece)], versions, Renderer(renderer.fonts, "versions"))
    mark = card.piece.front.items[-1]
    assert isinstance(mark, Text)
    return mark, card.piece.front


def words(mark: Text) -> str:
    return "".join(line.text for line in mark.lines)


def test_a_card_shows_the_release_in_which_it_last_changed(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    folder.plain().write("cardgen.yaml", "version_mark: true\n")
    folder.write("cards/a.yaml", CARDS)
    write_release("v1")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1100000000")
    cards = CARDS.replace("Ember, ", "Ember, motto: Hot, ")
    folder.write("cards/a.yaml", cards)
    write_release("v2")
    folder.write("cards/a.yaml", cards.replace("Soot, ", "Soot, text: All new, "))
    request = BuildRequest(output=Path("x"), backs="none", jobs=1, layout="single")
    first, second, third = pages_of((folder.root / build(request).files[0]).read_bytes())
    assert "v1 · 2001-09-09" in first
    assert "v2 · 2004-11-09" in second
    assert "after v2" in third
    assert "2004" not in third
    content = (folder.root / "x/warniris-minion-single.pdf").read_bytes()
    build(request)
    assert (folder.root / "x/warniris-minion-single.pdf").read_bytes() == content


def test_without_releases_there_is_no_mark(folder: Folder) -> None:
    folder.plain().minions("Ash")
    request = BuildRequest(backs="none", jobs=1)
    plain = (folder.root / build(request).files[0]).read_bytes()
    folder.write("cardgen.yaml", "version_mark: true\n")
    assert (folder.root / build(request).files[0]).read_bytes() == plain


def test_a_mark_avoids_other_print(folder: Folder) -> None:
    low, _ = marked(FRONT, folder)
    assert words(low) == "v1.2 · 2026-05-31"
    assert low.matrix[5] > 85
    line = (
        '<rect x="0" y="82" width="63" height="5" fill="#000"/><rect x="0" y="84" width="63" height="1" fill="#fff"/>'
    )
    high, _ = marked(FRONT.replace("</svg>", f"{line}</svg>"), folder)
    assert high.matrix[5] < 82


def test_a_mark_on_busy_art_has_a_plate(folder: Folder) -> None:
    stripes = "".join(f'<rect x="{x}" y="-3" width="1" height="94" fill="#000"/>' for x in range(-3, 66, 2))
    mark, busy = marked(FRONT.replace("</svg>", f"{stripes}</svg>"), folder)
    plate = busy.items[-2]
    assert isinstance(plate, Artwork)
    assert b'fill-opacity="0.75"' in plate.svg
    assert words(mark) == "v1.2"


def test_a_mark_lies_within_the_outline_that_is_cut(folder: Folder) -> None:
    cut = '<cg:cut d="M10 10 H50 V60 H10 Z"/>'
    mark, _ = marked(FRONT.replace("</svg>", f"{cut}</svg>"), folder)
    assert 10 < mark.matrix[4] < 50
    assert mark.matrix[5] < 60
