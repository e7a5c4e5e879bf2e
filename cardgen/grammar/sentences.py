"""Sentences of a text, with their places, and the names that authors put before them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

_END = re.compile(r"[.!?]+[\"”’')*]*(?=\s+|$)|\n[ \t\r]*\n")
# A name in italics, which can contain anything.
_ITALIC = re.compile(r"(?<![\w*])\*(?![\s*])(?:\\.|[^\\*])+(?<!\s)\*(?![\w*])")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|etc|vs|approx|no|max|min)\.$", re.IGNORECASE)
_NAME = re.compile(
    r"\s*(?P<name>[\w’'*][\w’'* !-]{0,39}?)\s*(?P<mark>\s(?:[-–—]+>?|=>?|→)\s|[:–—.!…]+\s|,\s|(?<=\s)(?=\())\s*(?=\S)"
)
# Words that say something about a rule, so that no name is made of them.
_MEANINGFUL = frozenset(
    [
        "not",
        "no",
        "never",
        "only",
        "other",
        "each",
        "all",
        "any",
        "every",
        "unless",
        "except",
        "once",
        "twice",
        "if",
        "when",
        "whenever",
        "while",
        "until",
        "may",
        "must",
        "cannot",
        "enemy",
        "enemies",
        "friend",
        "friends",
        "friendly",
        "foe",
        "foes",
        "single",
        "double",
        "triple",
        "quad",
        "use",
        "uses",
        "per",
    ]
)
_SMALL = frozenset({"of", "the", "and", "a", "an", "in", "to", "for", "as", "on", "by", "with", "at", "from"})
_MAX_NAME_WORDS = 5
# More than any card has room for.
_MOST_SENTENCES = 200


class SentenceSpan(NamedTuple):
    """A sentence, and the index of its first character in the text."""

    text: str
    start: int


def split_sentences(text: str) -> Iterator[SentenceSpan]:
    """Yield the sentences of a text, without the space around them.

    The last one of an enormous text is everything that follows, so that reading it takes a bounded time.
    """
    start = number = 0
    for match in _END.finditer(_ITALIC.sub(lambda name: "x" * len(name[0]), text)):
        if _ABBREVIATION.search(text[start : match.end()]):
            continue
        number += 1
        if number == _MOST_SENTENCES:
            break
        yield from _trim(text, start, match.end())
        start = match.end()
    yield from _trim(text, start, len(text))


def _trim(text: str, start: int, end: int) -> Iterator[SentenceSpan]:
    piece = text[start:end]
    if stripped := piece.strip():
        yield SentenceSpan(stripped, start + len(piece) - len(piece.lstrip()))


def name_end(sentence: str, is_strange: Callable[[str], bool] | None = None) -> int:
    """Return where a sentence goes on after a name, as in 'Stone Skin - add 1', or 0 if it begins without one.

    `is_strange` says that no rule has a word. Names in lower case have only such words: 'Lucky coin, re-roll 1'.
    """
    match = _NAME.match(sentence)
    if not match:
        return 0
    words = _words(match["name"])
    strange = [word for word in words if is_strange(word)] if is_strange else []
    is_clear = not is_strange or bool(strange) or (len(words) > 1 and match["mark"].strip() not in ("", ","))
    return match.end() if (is_clear and is_name(match["name"])) or _is_title(words, strange) else 0


def _is_title(words: list[str], strange: list[str]) -> bool:
    """Return whether some words begin with a capital, and a rule can be made of none of them."""
    is_short = 0 < len(words) <= _MAX_NAME_WORDS and words[0][0].isupper() and words[0] in strange
    return is_short and all(word in _SMALL or word in strange for word in words)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:[’'][^\W_]+)?", text)


def is_name(text: str) -> bool:
    """Return whether some words look like a name: few, capitalized, and without words that rules are made of."""
    words = _words(text)
    if not 0 < len(words) <= _MAX_NAME_WORDS or any(word.lower() in _MEANINGFUL or word.isdigit() for word in words):
        return False
    return all(word[0].isupper() or word in _SMALL for word in words) and words[0][0].isupper()
