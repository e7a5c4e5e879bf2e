from __future__ import annotations

import pytest

from cardgen.deck.deck import project_icons
from cardgen.project.project import Project
from cardgen.releases.errata_sheet import BODY, INK, NEW, OLD, Block, _items, word_diff
from cardgen.sheet.leaf import Stroke, TypesetLine
from cardgen.text.copyfitting import Compositor
from cardgen.text.fonts import Fonts
from cardgen.text.lines import IconGlyph


def marked(old: str, new: str) -> str:
    """The parts of a diff, the old ones in brackets, and the new ones in angle brackets."""
    frames = {"": "{}", "old": "[{}]", "new": "<{}>"}
    return "".join(frames[part.mark.value].format(part.text) for part in word_diff(old, new))


@pytest.mark.parametrize(
    ("old", "new", "result"),
    [
        ("Hits within 8 cm.", "Hits within 10 cm.", "Hits within [8] <10> cm."),
        ("Heals 1.", "Heals **two wounds**.", "Heals [1] <two wounds>."),
        ("one two three four", "one five six four", "one [two three] <five six> four"),
        ("Test {body}.", "Test {mind}.", "Test [{body}] <{mind}>."),
        ("", "All new.", "<All new.>"),
        ("All gone.", "", "[All gone.]"),
        ("It is still.", "It is very still.", "It is <very> still."),
        ("12.5 cm", "12.7 cm", "[12.5] <12.7> cm"),
        ("Same\n\ntext", "Same text", "Same text"),
        ("Shoot after it.", "Shoot **after** it.", "Shoot [after] <after> (bold) it."),
        ("Lose *two cards* now.", "Lose two cards now.", "Lose [two cards] <two cards> (plain) now."),
        ("Lose it.", "[Lose it]{.underline}.", "[Lose it] <Lose it> (underline)."),
        ("**Lose** it.", "**Lose** all.", "Lose [it] <all>."),
    ],
)
def test_words_and_numbers_are_compared(old: str, new: str, result: str) -> None:
    assert marked(old, new) == result


def test_texts_of_any_length_are_compared_quickly() -> None:
    assert marked("a " * 5000, "b " * 5000).startswith("[a a")


def test_long_texts_of_few_words_are_replaced_as_a_whole() -> None:
    """Comparing them word by word takes minutes."""
    old, new = "a b c " * 600, "b a c " * 600
    assert marked(old, new) == f"[{old.strip()}] <{new.strip()}>"


def test_icons_are_drawn_in_the_color_of_their_mark() -> None:
    """So readers see what is on the card, not the name of the icon."""
    compositor = Compositor(Fonts(), project_icons(Project.open(None), "warniris"))
    block = Block(((word_diff("Keep {shield}, lose {heart}.", "Keep {shield}, lose {fire}."), BODY),))
    (item,) = _items([block], 150, compositor)
    (line,) = [mark.line for mark in item.content.marks if isinstance(mark, TypesetLine)]
    icons = {piece.name: piece.colour for piece in line.pieces if isinstance(piece, IconGlyph)}
    assert icons == {"shield": INK, "heart": OLD, "fire": NEW}
    assert "{" not in line.text
    strokes = [mark for mark in item.content.marks if isinstance(mark, Stroke)]
    marked = {
        (piece.name, stroke.colour)
        for piece in line.pieces
        if isinstance(piece, IconGlyph)
        for stroke in strokes
        if stroke.x1 == piece.x
    }
    assert marked == {("heart", OLD), ("fire", NEW)}
