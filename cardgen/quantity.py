"""Quantities in words: a number with its noun."""

from __future__ import annotations


def quantity(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun, '1 die' or '3 dice'; `many` is its plural unless that only adds an 's'.

    Names and labels from cards come with both forms: no plural of them is guessed.
    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
