"""Phrases of card sentences: numbers, series, names, and pronouns for the bearer.

Sentences contain placeholders for the bearer: `{B}` as a subject, `{b}` elsewhere, and `{B's}` as a possessive.
`resolve_bearer` replaces the first placeholder with the bearer's name, and later ones with pronouns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
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
_BEARER = re.compile(r"\{(B's|B|b|the's|the)(?:@(\w+))?\}")


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


_LESS = ("less", "fewer", "lower")
_MORE = rf"(?P<how>(?i:more|additional|extra|higher|{'|'.join(_LESS)}))"
_COUNT = rf"\b(?P<number>\d{{1,3}}|(?i:{'|'.join(NUMBER_WORDS[1:])}))"


def told_changes(text: str, terms: Iterable[str]) -> Iterator[tuple[str, int, tuple[int, int]]]:
    """Yield the changes of terms in a text, with their places: '+1 Move', 'one less Attack', 'Body is 1 higher'.

    'One more Attack than its target' is not a change.
    """
    names = {term.removesuffix("s"): term for term in terms}
    term = rf"\b(?P<term>{'|'.join(names)})s?\b(?! than)"
    wordings = (
        rf"(?<![\w.])(?P<how>[+\-−])(?P<number>\d{{1,3}})(?: cm)? {term}",
        rf"{_COUNT} {_MORE} (?:(?:points?|inch(?:es)?|cm) of )?{term}",
        rf"{term} (?:(?:is|are|that is) )?{_COUNT} {_MORE}\b(?! than)",
    )
    for match in chain.from_iterable(re.finditer(wording.replace(" ", r"\s"), text) for wording in wordings):
        number = match["number"].lower()
        amount = int(number) if number.isdigit() else NUMBER_WORDS.index(number)
        is_less = match["how"].lower() in ("-", "−", *_LESS)
        yield names[match["term"]], -amount if is_less else amount, match.span()


def die_faces(rolled: Sequence[int], either: str = "or", up_to: str = "to") -> str:
    """Return the faces of a die as a phrase, with words of a language for 'or' and 'to'.

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
        parts += [f"{run[0]} {up_to} {run[-1]}"] if len(run) > 2 else map(str, run)
    return join_words(parts, either, serial_comma=False)


def italic_name(name: str) -> str:
    """Return the name of a card in italics, with its markup escaped."""
    return f"*{escape_markup(name)}*"


def resolve_bearer(sentence: str, bearer: str | Callable[[bool, str], str]) -> str:
    """Replace placeholders with the bearer's name first, then with 'it'.

    A possessive directly before the first subject becomes 'its' ('its Activation'). `{the}` repeats the bearer's name
    because 'it' could mean something else, and `{the's}` does so as a possessive. In other languages, `bearer` is a
    function that returns the name or, if its first argument is false, the pronoun in a style, such as 'dat' for
    `{B@dat}` and 'gen' for a possessive.
    """
    placeholders = [match[1] for match in _BEARER.finditer(sentence)]
    positions = iter(range(len(placeholders)))

    def english(is_named: bool, style: str) -> str:
        if style == "gen":
            return f"{bearer}{APOSTROPHE}s" if is_named else "its"
        return str(bearer) if is_named else "it"

    form = bearer if callable(bearer) else english
    # Languages without such a pronoun have the name in both places.
    possessive_first = placeholders[:2] == ["B's", "B"] and form(True, "gen") != form(False, "gen")

    def word(match: re.Match[str]) -> str:
        is_named = next(positions) == (1 if possessive_first else 0) or match[1].startswith("the")
        return form(is_named, match[2] or ("gen" if match[1].endswith("'s") else ""))

    return _BEARER.sub(word, sentence)
