from __future__ import annotations

import pytest

from cardgen.export.pdf import resources, writer
from cardgen.face.face import Artwork, Face, Item, Text
from cardgen.sheet.imposition import PrintPiece
from cardgen.text.fonts import Fonts
from cardgen.text.lines import Line
from cardgen.units import Box, Size
from tests.export.pdf.inspection import BLEED, CARD, FONTS, artwork, face, line, objects, picture_of, rectangle, text_of
from tests.sheet.pages import impose_single

OFTEN = 20
GLASS = '<linearGradient id="g"><stop stop-color="#f00"/><stop offset="1" stop-color="#00f"/></linearGradient>'


def pages(faces: list[Face]) -> bytes:
    sheets = [page for each in faces for page in impose_single([PrintPiece(each)], each.size, BLEED)]
    return writer.write(sheets, Fonts(), writer.DocumentInfo("Test"))


def cards(*items: Item, size: Size = CARD) -> list[Face]:
    """Faces with the same items and a number each."""
    return [face(*items, line(str(number), y=30), size=size) for number in range(OFTEN)]


def forms(content: bytes) -> int:
    return len(objects(content, "/Subtype", "/Form"))


def copy(text: Text) -> Text:
    return Text(tuple(Line(tuple(each.pieces)) for each in text.lines), text.matrix)


@pytest.mark.parametrize(
    "item",
    [
        line("Quick and strong"),
        artwork(rectangle(Box(3, 3, 20, 9), "#ff0000")),
        artwork(f"<defs>{GLASS}</defs>{rectangle(Box(3, 3, 20, 9), 'url(#g)')}"),
        artwork(f'<g opacity="0.4">{rectangle(Box(3, 3, 20, 9), "#ff0000")}</g>'),
    ],
    ids=["text", "artwork", "gradient", "group"],
)
def test_what_recurs_looks_the_same_and_is_stored_once(item: Text | Artwork, monkeypatch: pytest.MonkeyPatch) -> None:
    content = pages(cards(item))
    monkeypatch.setattr(resources, "_FORM_FROM", 10**9)
    apart = pages(cards(item))
    assert forms(content) == forms(apart) + 1
    for page in range(OFTEN):
        assert picture_of(content, page, 72).tobytes() == picture_of(apart, page, 72).tobytes()
        assert text_of(content, page) == text_of(apart, page)


def test_it_makes_no_difference_whether_items_are_the_same_objects() -> None:
    title = line("Quick and strong")
    same, equal = cards(title), [face(copy(title), *each.items[1:]) for each in cards(title)]
    assert pages(same) == pages(equal)


def test_what_recurs_rarely_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    faces = cards(line("Quick and strong"))
    assert forms(pages(faces)) == len(faces) + 1
    monkeypatch.setattr(resources, "_MAX_CANDIDATES", 4)
    assert forms(pages(faces)) == len(faces)


def test_faces_of_different_sizes_share_nothing() -> None:
    large = Size(CARD.width * 2, CARD.height)
    title = line("A text that is too wide for the first card", x=40)
    both = [*cards(title), *cards(title, size=large)]
    assert "first card" in text_of(pages(both), 2 * OFTEN - 1)
    assert forms(pages(both)) == len(both) + 2


def test_short_operators_are_not_shared() -> None:
    assert forms(pages([face(Text(())) for _ in range(OFTEN)])) == OFTEN


def test_many_equal_items_take_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "_MAX_ITEMS", 3)
    title = line("Quick and strong")
    faces = [face(copy(title), line(str(number), y=30)) for number in range(OFTEN)]
    document = writer.OpenDocument(FONTS)
    for each in faces:
        document.draw(each)
    (drawings,) = document._faces._shared_drawings.values()
    assert len(drawings._items) <= 3
