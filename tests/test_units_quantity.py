"""Quantities: numbers and articles with their nouns."""

from __future__ import annotations

from cardgen.units import quantity, with_article


def test_one_is_singular_and_everything_else_plural() -> None:
    assert [quantity(number, "turn") for number in (0, 1, 2, 1200)] == ["0 turns", "1 turn", "2 turns", "1,200 turns"]
    assert [quantity(number, "die", "dice") for number in (1, 3)] == ["1 die", "3 dice"]


def test_nouns_have_their_article() -> None:
    for words in ("an attack", "an Effect", "an army", "a disk", "a unit", "a user", "a one-shot", "an underling"):
        assert with_article(words.split()[1]) == words
