"""Which words are spelled right: those of a dictionary, which is an extra, of tabletop games, and of a project."""

from __future__ import annotations

import gzip
import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from pkgutil import get_data
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
        return bool(_file(_base(self.language)))

    def finds(self, word: str) -> bool:
        """Return whether a word is right, without loading the dictionary: a few right words may not be found."""
        return self._knows(word, _is_in_file)

    def knows(self, word: str) -> bool:
        """Return whether a word is spelled right, as far as is known."""
        return self._knows(word, _is_in_dictionary)

    def _knows(self, word: str, is_listed: Callable[[str, str], bool]) -> bool:
        folded = word.lower().replace("’", "'")
        return any(self._has(each, is_listed) for each in {folded, folded.removesuffix("'s").removesuffix("'")})

    def _has(self, word: str, is_listed: Callable[[str, str], bool]) -> bool:
        language = _base(self.language)
        is_english = language == "en"
        if word in self.own or (is_english and word in _game_words()) or is_listed(language, word):
            return True
        head, apostrophe, rest = word.partition("'")
        if apostrophe and rest and head in _ELIDED.get(language, ()):
            return self._has(rest, is_listed)
        if language == "de" and any(is_listed(language, f"{head}{verb}") for head, verb in _infinitive_parts(word)):
            return True
        if "-" in word:
            return all(len(part) < _SHORT or self._has(part, is_listed) for part in word.split("-"))
        return is_english and any(
            british in word and is_listed(language, word.replace(british, american)) for british, american in _AMERICAN
        )

    def suggestion(self, word: str) -> str:
        """Return the most common word that differs from a wrong one by a single letter, or ''."""
        dictionary, folded = _dictionary(_base(self.language)), word.lower().replace("’", "'")
        found = (dictionary.candidates(folded) if dictionary is not None else None) or set()
        alike = [each for each in found if each != folded and ("'" in each) == ("'" in folded)]
        # Mistakes are rare in the first letter.
        return max(alike, key=lambda each: (each[0] == folded[0], dictionary[each]), default="") if dictionary else ""


def _infinitive_parts(word: str) -> Iterator[tuple[str, str]]:
    """Yield the parts around 'zu' in German infinitives, such as 'vorbei' and 'gehen' in 'vorbeizugehen'."""
    return ((word[: each.start()], word[each.end() :]) for each in re.finditer(r"(?<=..)zu(?=\w{2,}n$)", word))


# Short words that lose their vowel before another one, as in "n'en".
_ELIDED: Mapping[str, Collection[str]] = {
    "fr": frozenset("c d j l m n s t qu jusqu lorsqu puisqu quoiqu".split()),  # noqa: SIM905 - words, not a list
    "it": frozenset("l un dell nell all dall sull c d s quell quest".split()),  # noqa: SIM905 - words, not a list
}
# Parts of compounds such as 'd6' or 'un' are in no dictionary.
_SHORT = 4


def _base(language: str) -> str:
    return language.partition("-")[0].casefold()


@cache
def _file(language: str) -> bytes:
    """Return the file of a dictionary: JSON with a word and its frequency on each line, sorted; b'' without one."""
    try:
        from spellchecker import SpellChecker
    except ImportError:
        return b""
    is_known = language in SpellChecker.languages()
    return gzip.decompress(get_data("spellchecker", f"resources/{language}.json.gz") or b"") if is_known else b""


@cache
def _dictionary(language: str) -> SpellChecker | None:
    """Return the dictionary of a language, or None without one. It takes a quarter of a second and 30 MiB."""
    if not _file(language):
        return None
    from spellchecker import SpellChecker

    return SpellChecker(language, distance=1)


def _is_in_dictionary(language: str, word: str) -> bool:
    dictionary = _dictionary(language)
    return dictionary is not None and word in dictionary


@lru_cache(maxsize=10_000)
def _is_in_file(language: str, word: str) -> bool:
    """Return whether a line of the file begins with a word. Words with escapes are not found."""
    text, quoted = _file(language), f'"{word}'.encode()

    def line_at(place: int) -> bytes:
        start = text.rfind(b"\n", 0, place) + 1
        return text[start : text.find(b'":', start)]

    start = text.find(b"\n") + 1
    return bool(text) and line_at(start + bisect_left(range(start, len(text)), quoted, key=line_at)) == quoted


@cache
def _game_words() -> frozenset[str]:
    """Return words of tabletop games that dictionaries lack."""
    lines = _GAME_WORDS.read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())
