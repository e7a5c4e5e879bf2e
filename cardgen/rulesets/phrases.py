"""Phrases of card sentences: numbers, lists, quoted names, and pronouns for the bearer.

A sentence is built with placeholders for the bearer: `{B}` as a subject, `{b}` elsewhere, `{B's}` for what is its
own. `resolve` gives the first one the bearer's name and makes the later ones pronouns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path

from cardgen.rulesets.ruleset import read_glossary
from cardgen.text.markup import embolden, escape_markup
from cardgen.validation.base import Model
from cardgen.validation.suggestion import join_words

MINUS = "\N{MINUS SIGN}"
NBSP = "\N{NO-BREAK SPACE}"
APOSTROPHE = "\N{RIGHT SINGLE QUOTATION MARK}"
NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_BEARER = re.compile(r"\{(B's|B|b|the)\}")


def printed_text(thing: Model, sentences: Callable[[Model], Iterable[str]], glossary: Path) -> str:
    """Return the marked-up text of a card or a part of one, with the bold terms of the glossary file in bold.

    That is its own `text`, or else the sentences made from what it does; '' if it has neither.
    """
    return embolden(getattr(thing, "text", None) or " ".join(sentences(thing)), bold_forms(glossary))


@cache
def bold_forms(glossary: Path) -> tuple[str, ...]:
    """Return all forms of the terms that cards set bold."""
    return tuple([form for term in read_glossary(glossary) if term.bold for form in term.forms])


def signed(value: int) -> str:
    """A change: '+2', '−1'."""
    return f"{MINUS if value < 0 else '+'}{abs(value)}"


def centimetres(value: int | str) -> str:
    """A length in centimetres, which no line break may split."""
    return f"{value}{NBSP}cm"


def number_in_words(value: int) -> str:
    """A number in words up to ten, in figures beyond."""
    return NUMBER_WORDS[value] if value < len(NUMBER_WORDS) else str(value)


def die_faces(rolled: Sequence[int]) -> str:
    """Sorted faces of a die: '1', '1 or 2', '1, 3 or 5', '4 to 6'."""
    runs: list[list[int]] = []
    for face in rolled:
        if runs and face == runs[-1][-1] + 1:
            runs[-1].append(face)
        else:
            runs.append([face])
    parts: list[str] = []
    for run in runs:
        parts += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run)
    return join_words(parts, serial_comma=False)


def italic_name(name: str) -> str:
    """A card's name inside a sentence: in italics, its own marks made harmless."""
    return f"*{escape_markup(name)}*"


def resolve_bearer(sentence: str, bearer: str) -> str:
    """Name the bearer once and then say 'it'; an own thing before the bearer's first deed is 'its' ('its Activation').

    `{the}` is the bearer named again, where 'it' could be another's.
    """
    placeholders = [match[1] for match in _BEARER.finditer(sentence)]
    possessive_first = placeholders[:2] == ["B's", "B"]
    positions = iter(range(len(placeholders)))

    def word(match: re.Match[str]) -> str:
        named = next(positions) == (1 if possessive_first else 0) or match[1] == "the"
        if match[1] == "B's":
            return f"{bearer}{APOSTROPHE}s" if named else "its"
        return bearer if named else "it"

    return _BEARER.sub(word, sentence)


def join_clauses(clauses: Iterable[str], bearer: str = "") -> str:
    """Clauses to one sentence: commas between, the bearer named, a capital in front, a full stop."""
    text = resolve_bearer(", ".join(clause for clause in clauses if clause), bearer)
    return f"{text[:1].upper()}{text[1:]}."
