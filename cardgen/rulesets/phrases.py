"""Phrases of card sentences: numbers, series, names, and pronouns for the bearer.

Sentences contain placeholders for the bearer: `{B}` as a subject, `{b}` elsewhere, and `{B's}` as a possessive.
`resolve_bearer` replaces the first placeholder with the bearer's name, and later ones with pronouns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path

from cardgen.diagnostic import join_words
from cardgen.rulesets.ruleset import read_glossary
from cardgen.text.lines import embolden, escape_markup
from cardgen.units import MINUS as MINUS
from cardgen.units import NBSP as NBSP
from cardgen.units import signed as signed
from cardgen.validation.base import Model

APOSTROPHE = "\N{RIGHT SINGLE QUOTATION MARK}"
NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_BEARER = re.compile(r"\{(B's|B|b|the)\}")


def printed_text(thing: Model, sentences: Callable[[Model], Iterable[str]], glossary: Path) -> str:
    """Return the marked-up text of a card or part.

    Terms of the glossary file are in bold. This is its own `text`, or the sentences for its effects if it has none; ''
    if it has neither.
    """
    text = getattr(thing, "text", None) or " ".join(sentences(thing))
    return embolden(text, bold_forms(glossary)) if text else ""


@cache
def bold_forms(glossary: Path) -> tuple[str, ...]:
    """Return all forms of the glossary terms that cards print in bold."""
    return tuple([form for term in read_glossary(glossary) if term.bold for form in term.forms])


def centimetres(value: int | str) -> str:
    """Return a length in centimeters, with a no-break space."""
    return f"{value}{NBSP}cm"


def number_in_words(value: int) -> str:
    """Return a number in words up to ten, and in figures above."""
    return NUMBER_WORDS[value] if value < len(NUMBER_WORDS) else str(value)


def die_faces(rolled: Sequence[int]) -> str:
    """Return the faces of a die as a phrase.

    Examples: '1', '1 or 2', '1, 3 or 5', '4 to 6'. The faces must be sorted.
    """
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
    """Return the name of a card in italics, with its markup escaped."""
    return f"*{escape_markup(name)}*"


def resolve_bearer(sentence: str, bearer: str) -> str:
    """Replace placeholders with the bearer's name first, then with 'it'.

    A possessive directly before the first subject becomes 'its' ('its Activation'). `{the}` repeats the bearer's name
    because 'it' could mean something else.
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
    """Join clauses with commas to a sentence about the bearer.

    It starts with a capital and ends with a period.
    """
    text = resolve_bearer(", ".join(clause for clause in clauses if clause), bearer)
    return f"{text[:1].upper()}{text[1:]}."
