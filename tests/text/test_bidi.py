"""The order of text in several directions, as UAX 9 and other programs have it."""

from __future__ import annotations

import random
import unicodedata
from importlib import import_module
from pathlib import Path

from cardgen.text.bidi import reorder, resolve, resolve_text

CASES = Path(__file__).parent / "BidiCharacterTest.txt"
BLANKS = {"WS", "LRI", "RLI", "FSI", "PDI", "LRE", "RLE", "LRO", "RLO", "PDF", "BN"}
# Without controls: two other implementations differ from UCD's own test for some of them.
LETTERS = "abc אבגד ابت ١٢ 123 .,:+-%()[]«»{}/$\u0301\u064b\ufffc"


def levels_of_a_line(text: str, base: int | None = None) -> tuple[int, bytearray]:
    """The levels of a paragraph in one line, with those of its blanks (L1)."""
    level, levels = resolve(text, base)
    at_end = True
    for place in reversed(range(len(text))):
        sort = unicodedata.bidirectional(text[place])
        at_end = sort in ("B", "S") or (at_end and sort in BLANKS)
        levels[place] = level if at_end else levels[place]
    return level, levels


def shown(text: str) -> str:
    levels = resolve_text(text).levels
    return "".join(text[place] for place in reorder(levels))


def test_levels_and_order_are_those_of_unicode() -> None:
    cases = [line.split(";") for line in CASES.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    assert len(cases) > 200
    for codes, direction, base, levels, order in cases:
        text = "".join(chr(int(code, 16)) for code in codes.split())
        level, found = levels_of_a_line(text, None if direction == "2" else int(direction))
        kept = [place for place, wanted in enumerate(levels.split()) if wanted != "x"]
        assert (level, [found[place] for place in kept]) == (
            int(base),
            [int(wanted) for wanted in levels.split() if wanted != "x"],
        ), codes
        assert [place for place in reorder(found) if place in kept] == [int(place) for place in order.split()], codes


def test_the_order_is_that_of_another_program() -> None:
    other, chance = import_module("bidi").get_display, random.Random(9)
    for _ in range(1000):
        text = "".join(chance.choices(LETTERS, k=chance.randint(1, 24)))
        _, levels = levels_of_a_line(text)
        assert "".join(text[place] for place in reorder(levels)) == other(text), ascii(text)


def test_numbers_keep_their_order_with_signs_and_units() -> None:
    assert shown("שלפו 2 קלפים בטווח 15 cm.") == ".15 cm חווטב םיפלק 2 ופלש"
    assert shown("א +2 ב") == "ב +2 א"
    assert shown("ا 2-4 ب") == "ب 2-4 ا"
    assert resolve("א 15 cm").levels == bytes((1, 1, 2, 2, 1, 2, 2)), "they are only isolated in printed texts"


def test_isolates_and_brackets_can_be_nested_without_end() -> None:
    assert max(resolve("\u2067" * 200 + "א" + "\u2069" * 200).levels) == 125
    assert max(resolve("\u202b" * 20_000 + "a").levels) == 126
    assert set(resolve("א" + "(" * 1000 + "b" + ")" * 1000).levels) == {1, 2}
