"""Where lines may end, without hyphens: the rules of each script and language.

Latin, Greek, and Cyrillic are written with spaces, and have rules of their own here; all other scripts follow UAX 14.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from itertools import accumulate
from typing import Any

from cardgen.language import base_language
from cardgen.text.harfbuzz import script_of
from cardgen.text.lines import ICON_PLACEHOLDER
from cardgen.text.shaped_word import is_simple, joins

_UNITS = "cm|mm|m|in|inch|inches|ft|pt|points?|dice|см|мм|м"
# Each pattern starts with a character class, so that the regex engine can skip other characters. No line breaks after a
# signed number (+1 Mind), between a number and its unit, a term, or an icon (12 cm, 69 %, 2 Wounds), or between another
# icon and its word.
_NO_BREAK = re.compile(
    rf"""[\d+±−{ICON_PLACEHOLDER}-](?:
        (?<=[+±−-])(?<![^\s(].)\d+(?=\ )
      | (?<=\d)(?<![\w.,].)\d*(?:[.,]\d+)*(?:D\d+)?(?=\ (?:(?:{_UNITS})\b|%|[A-Z{ICON_PLACEHOLDER}]))
      | (?<={ICON_PLACEHOLDER})(?<![^\s({ICON_PLACEHOLDER}].)(?<!\d\s.)(?=\ [^\W\d_])
    )""",
    re.VERBOSE,
)
_BEFORE_DASH = re.compile(" (?=[–—])")
# Lines may also break after the hyphen of Servo-Skull, the slash of and/or (but not in 1-2), and a dash.
_BREAK_AFTER = re.compile(r"[-‐/–—](?:(?<=[^\s\d][–—])(?=\w)|(?<=\w\w[-‐/])(?=[^\W\d_][^\W\d_]))")
# Spaces where the lines of a language do not break: around the marks of French, and after short words.
_KEPT_SPACES = {
    "fr": re.compile(r" (?=[:;!?»%])|(?<=«) "),
    "pl": re.compile(r"(?i)(?<=\b[aiouwz]) "),
    **dict.fromkeys(("cs", "sk"), re.compile(r"(?i)(?<=\b[aikosuvz]) ")),
    "ru": re.compile(r"(?i)(?<=\b[авикосуя]) "),
    "uk": re.compile(r"(?i)(?<=\b[авезийіоу]) "),
    "th": re.compile(r"(?<=\d) "),
}
_SPACED = frozenset({"Hang"})
# Scripts without spaces between words, which only a dictionary can tell apart, by a language that has it.
_WORDS_OF = {"Thai": "th", "Laoo": "lo", "Khmr": "km", "Mymr": "my"}
_WIDE = frozenset({"Hani", "Hira", "Kana", "Bopo"})


def insert_no_break_spaces(text: str) -> str:
    """Replace spaces where no line may break with no-break spaces."""
    letters = list(text)
    for match in _NO_BREAK.finditer(text):
        letters[match.end()] = "\u00a0"
    return "".join(letters)


def break_opportunities(text: str, language: str = "") -> list[int]:
    """Return the offsets where a line may end; at a space, it ends before it.

    `language` is a tag, or '' if nobody has named it.
    """
    if is_simple(text):
        stops = list(accumulate([len(word) + 1 for word in text.split(" ")], initial=-1))[1:-1]
        joints = [joint.end() for joint in _BREAK_AFTER.finditer(text)]
    else:
        stops, joints = _segments(text), []
    no_break = {number.end() for number in _NO_BREAK.finditer(text)}
    if not text.isascii():
        no_break |= {space.start() for space in _BEFORE_DASH.finditer(text)}
    if language and (kept := _KEPT_SPACES.get(base_language(language))):
        no_break |= {space.start() for space in kept.finditer(text)}
    if no_break:
        stops = [stop for stop in stops if stop not in no_break]
    return sorted({*stops, *joints}) if joints else stops


def needs_dictionary(text: str) -> bool:
    """Return whether lines of a text could end in more places with the extra 'words', which is not installed."""
    return not (is_simple(text) or _WORDS_OF.keys().isdisjoint(map(script_of, text)) or _line_breaker())


@lru_cache(maxsize=1)
def _line_breaker() -> Any:
    """Return the class of ICU that finds words, or None if the extra is not installed."""
    return import_module("icu4py.breakers").LineBreaker if find_spec("icu4py") else None


def _between_words(text: str) -> set[int]:
    """Return the offsets between words of scripts without spaces."""
    language = next((_WORDS_OF[script] for script in map(script_of, text) if script in _WORDS_OF), "")
    breaker = _line_breaker() if language else None
    if breaker is None:
        return set()
    # Offsets are in UTF-16.
    offsets = accumulate([1 + (letter > "\uffff") for letter in text], initial=0)
    places = {offset: place for place, offset in enumerate(offsets)}
    stops = (places[stop] for _, stop in breaker(text, language).segments())
    return {stop for stop in stops if 0 < stop < len(text) and script_of(text[stop - 1]) in _WORDS_OF}


def _segments(text: str) -> list[int]:
    """Return the opportunities of UAX 14, without those inside Korean words and beside icons."""
    # Loaded here, because most texts do not need it. Offsets are in UTF-8.
    unicode: list[tuple[int, bool]] = import_module("unicode_segmentation_rs").line_breaks(text)
    places = dict(
        zip(accumulate([len(letter.encode()) for letter in text], initial=0), range(len(text) + 1), strict=True)
    )
    found = sorted({*(places[offset] for offset, _ in unicode), *_between_words(text)})
    return [stop - (text[stop - 1] == " ") for stop in found if 0 < stop < len(text) and _may_break(text, stop)]


def _may_break(text: str, stop: int) -> bool:
    before, after = text[stop - 1], text[stop]
    if before == " ":
        return True
    scripts = {script_of(before), script_of(after)}
    if ICON_PLACEHOLDER in (before, after):
        return not scripts.isdisjoint(_WIDE)
    return scripts.isdisjoint(_SPACED) and not joins(after)
