"""The fixed words of card sentences: numbers, lists, and who is spoken of.

A sentence is built with placeholders for the bearer: `{B}` as a subject, `{b}` elsewhere, `{B's}` for what is its
own. `resolve` gives the first one the bearer's name and makes the later ones pronouns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from cardgen.shape.suggestion import listed
from cardgen.text.markup import escape

MINUS = "\N{MINUS SIGN}"
SPACE = "\N{NO-BREAK SPACE}"
APOSTROPHE = "\N{RIGHT SINGLE QUOTATION MARK}"
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_BEARER = re.compile(r"\{(B's|B|b|the)\}")


def signed(value: int) -> str:
    """A change: '+2', '−1'."""
    return f"{MINUS if value < 0 else '+'}{abs(value)}"


def cm(value: int | str) -> str:
    """A length in centimetres, which no line break may split."""
    return f"{value}{SPACE}cm"


def counted(value: int) -> str:
    """A number in words up to ten, in figures beyond."""
    return NUMBERS[value] if value < len(NUMBERS) else str(value)


def faces(rolled: Sequence[int]) -> str:
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
    return listed(parts)


def quoted(name: str) -> str:
    """A card's name inside a sentence: in italics, its own marks made harmless."""
    return f"*{escape(name)}*"


def resolve(sentence: str, bearer: str) -> str:
    """Name the bearer once and then say 'it'; an own thing before the bearer's first deed is 'its' ('its Activation').

    `{the}` is the bearer named again, where 'it' could be another's.
    """
    order = [match[1] for match in _BEARER.finditer(sentence)]
    ahead = order[:2] == ["B's", "B"]
    places = iter(range(len(order)))

    def word(match: re.Match[str]) -> str:
        named = next(places) == (1 if ahead else 0) or match[1] == "the"
        if match[1] == "B's":
            return f"{bearer}{APOSTROPHE}s" if named else "its"
        return bearer if named else "it"

    return _BEARER.sub(word, sentence)


def joined(clauses: Iterable[str], bearer: str = "") -> str:
    """Clauses to one sentence: commas between, the bearer named, a capital in front, a full stop."""
    text = resolve(", ".join(clause for clause in clauses if clause), bearer)
    return f"{text[:1].upper()}{text[1:]}."
