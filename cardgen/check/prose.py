"""Text on a card that an author wrote freely."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# The keys whose text is printed as running text; the rules speak in the first one only.
RULES_KEY = "text"
FREE_TEXT_KEYS = frozenset({RULES_KEY, "motto"})

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


class Word(NamedTuple):
    """A word of a text, and the characters that it takes."""

    text: str
    start: int
    end: int


class FreeText(NamedTuple):
    """A text and the key that it stands under."""

    text: str
    key: str

    @property
    def is_rules_text(self) -> bool:
        """True where the text says what a card does, and not only how it feels."""
        return self.key == RULES_KEY

    def word_texts(self) -> list[str]:
        """The words without their places, for a first look."""
        return _WORD.findall(self.text)

    def words(self) -> Iterator[Word]:
        """The words from the first to the last."""
        return (Word(match[0], *match.span()) for match in _WORD.finditer(self.text))

    def starts_sentence(self, index: int) -> bool:
        """Whether a sentence begins at that character, so that a capital letter says nothing."""
        before = self.text[:index].rstrip("*_ \t\n\"'“‘(")
        return not before or before[-1] in ".:!?"
