"""Which words are spelled right: those of a dictionary, which is an extra, of tabletop games, and of a project."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from spellchecker import SpellChecker

_GAME_WORDS = Path(__file__).with_name("tabletop_words.txt")
# The dictionary of English has the American spellings; these lead to them from the British ones.
_AMERICAN = (
    ("our", "or"), ("ise", "ize"), ("isa", "iza"), ("isi", "izi"), ("yse", "yze"), ("tre", "ter"), ("ogue", "og"),
    ("lled", "led"), ("lling", "ling"), ("ller", "ler"), ("ence", "ense"), ("grey", "gray"), ("mould", "mold"),
)  # fmt: skip


class Spelling(NamedTuple):
    """The words of a language, by its tag, and those that a project has besides.

    An empty tag is an unknown language, of which nobody knows the words.
    """

    language: str = ""
    own: Collection[str] = frozenset()

    @property
    def has_dictionary(self) -> bool:
        """True if a dictionary of the language is installed, so that a word that it lacks is a mistake."""
        return _dictionary(_base(self.language)) is not None

    def knows(self, word: str) -> bool:
        """Return whether a word is spelled right, as far as is known."""
        folded = word.casefold().replace("’", "'")
        return any(self._has(each) for each in {folded, folded.removesuffix("'s").removesuffix("'")})

    def _has(self, word: str) -> bool:
        if word in self.own:
            return True
        is_english = _base(self.language) == "en"
        dictionary = _dictionary(_base(self.language))
        if dictionary is not None and word in dictionary:
            return True
        if is_english and word in _game_words():
            return True
        if "-" in word:
            return all(len(part) < _SHORT or self._has(part) for part in word.split("-"))
        if not (is_english and dictionary is not None):
            return False
        return any(british in word and word.replace(british, american) in dictionary for british, american in _AMERICAN)

    def suggestion(self, word: str) -> str:
        """Return the most common word that differs from a wrong one by a single letter, or ''."""
        dictionary, folded = _dictionary(_base(self.language)), word.casefold().replace("’", "'")
        found = (dictionary.candidates(folded) if dictionary is not None else None) or set()
        alike = [each for each in found if each != folded and ("'" in each) == ("'" in folded)]
        # Mistakes are rare in the first letter.
        return max(alike, key=lambda each: (each[0] == folded[0], dictionary[each]), default="") if dictionary else ""


# Parts of compounds such as 'd6' or 'un' are in no dictionary.
_SHORT = 4


def _base(language: str) -> str:
    return language.partition("-")[0].casefold()


@cache
def _dictionary(language: str) -> SpellChecker | None:
    """Return the dictionary of a language, which takes a quarter of a second to load, or None without the extra."""
    try:
        from spellchecker import SpellChecker
    except ImportError:
        return None
    return SpellChecker(language, distance=1) if language in SpellChecker.languages() else None


@cache
def _game_words() -> frozenset[str]:
    """Return words of tabletop games that dictionaries lack."""
    lines = _GAME_WORDS.read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())
