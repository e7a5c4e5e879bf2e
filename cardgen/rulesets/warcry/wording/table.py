"""The grammar of Warcry rules; its tables are the text files beside this module."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cardgen.game import Grammar, Meaning, Terminal, Token, slugify
from cardgen.rulesets.warcry.wording.titles import LIMITS, ORDINALS

TABLES = ("fighters.txt", "actions.txt", "conditions.txt", "numbers.txt", "clauses.txt")
MAX_MARK_WORDS, MAX_CRY_WORDS = 6, 6
# Words that are not part of the name of a runemark, and those that come after one.
NO_MARK = frozenset(
    [
        "this",
        "that",
        "and",
        "or",
        "not",
        "no",
        "without",
        "runemark",
        "with",
        "either",
        "both",
        "faction",
        "any",
        "the",
        "a",
        "an",
        "has",
        "of",
    ]
)
AFTER_MARK = frozenset(("runemark", "and", "or", "faction", ","))
# Runemarks by which rules name fighters: 'a friendly Hero'.
ROLES = frozenset(("hero", "beast", "minion", "monster", "leader", "mount", "thrall", "champion"))


def _mark(tokens: tuple[Token, ...], start: int) -> Iterator[tuple[int, Meaning]]:
    """Match the name of a runemark, with or without its icon, before 'runemark' or another name."""
    index = start
    if index < len(tokens) and tokens[index].word.startswith("{"):
        index += 1
    words: list[str] = []
    for end in range(index, min(index + MAX_MARK_WORDS, len(tokens) - 1)):
        word = tokens[end].word
        if word in NO_MARK or not (word[0].isalpha() or word in (":", "'s")):
            return
        words.append(tokens[end].written)
        if tokens[end + 1].word in AFTER_MARK:
            yield end + 1, slugify(" ".join(filter(None, words)).replace(" 's", "s"))


def _role(tokens: tuple[Token, ...], start: int) -> Iterator[tuple[int, Meaning]]:
    word = tokens[start].word if start < len(tokens) else ""
    role = next((each for each in (word, word.removesuffix("s")) if each in ROLES - {"leader"}), "")
    if role:
        yield start + 1, role


def _cry(tokens: tuple[Token, ...], start: int) -> Iterator[tuple[int, Meaning]]:
    """Match a few words before a colon that say nothing about a rule: 'the hunt is on:'."""
    for end in range(start, min(start + MAX_CRY_WORDS, len(tokens) - 1)):
        if not tokens[end].word.isalpha() or tokens[end].written in LIMITS | ORDINALS:
            return
        if tokens[end + 1].word == ":":
            yield end + 1, True


GRAMMAR = Grammar(
    *map(Path(__file__).with_name, TABLES),
    terminals={"mark": Terminal("", _mark), "role": Terminal("", _role), "cry": Terminal("", _cry)},
)
