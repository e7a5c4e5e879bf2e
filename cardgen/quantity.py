"""Quantities in words: a number with its noun or unit, and nouns with an article."""

from __future__ import annotations

import re

# Nouns that begin with a vowel but are spoken with a consonant.
_CONSONANT = re.compile(r"one|uni(?!m|n)|us[eu]|eu", re.IGNORECASE)


def quantity(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun, '1 die' or '3 dice'; `many` is its plural unless that only adds an 's'.

    Names and labels from cards come with both forms: no plural of them is guessed.
    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def file_size(size: int) -> str:
    """Return the size of a file in bytes for people: '12 KiB', '3.4 MiB'."""
    return f"{size / 2**20:.1f} MiB" if size >= 2**20 else f"{max(round(size / 1024), 1)} KiB"


def with_article(noun: str) -> str:
    """Return a noun with its article: 'an attack', 'a disk', or 'a unit'."""
    is_vowel = noun[:1].lower() in (*"aeiou",) and not _CONSONANT.match(noun)
    return f"{'an' if is_vowel else 'a'} {noun}"
