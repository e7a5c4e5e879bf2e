"""Mutations of valid texts: random changes of letters, words, lines, and nesting."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hypothesis import strategies as st

_WORD = re.compile(r"[\w.#-]+|[^\w\s]")
# What trips programs up, whatever the language.
_NASTY = (
    "", "0", "-1", "1e999", "nan", "9" * 400, "\u0000", "\ud7ff", "\ufeff", "\u202e", "é", "🗡", "\x1b[2J", "\t", "\r\n",
    "'", '"', "\\", "<", ">", "&", "{", "}", "{{", "}}", "{%", "%}", "[", "]", "(", ")", "#", "|", ":", ",", "*", "~",
    "../..", "/etc/passwd", "https://example.org/", "x" * 3000, " " * 300, "\n" * 50, "None", "true", "NO", "1:30",
)  # fmt: skip


def nasty(own: Sequence[str]) -> st.SearchStrategy[str]:
    """Return inserted text: words of the language, troublesome characters, or any text."""
    return st.one_of(st.sampled_from(tuple(own)), st.sampled_from(_NASTY), st.text(max_size=6))


@st.composite
def mutated(draw: st.DrawFn, texts: Sequence[str], own: Sequence[str]) -> str:
    """Return one of the texts with up to four changes."""
    text = draw(st.sampled_from(tuple(texts)))
    for _ in range(draw(st.integers(1, 4))):
        text = draw(st.sampled_from((_words, _words, _letters, _lines)))(draw, text, own)
    return text


_NUMBER = re.compile(r"(?<![\w#])\d+(?![\w#])")


@st.composite
def nudged(draw: st.DrawFn, texts: Sequence[str], own: Sequence[str]) -> str:
    """Return one of the texts with up to three other numbers, which most programs accept, or one with other changes."""
    if draw(st.integers(0, 3)) == 0:
        return draw(mutated(texts, own))
    text = draw(st.sampled_from(tuple(texts)))
    for _ in range(draw(st.integers(1, 3))):
        found = list(_NUMBER.finditer(text))
        if found:
            number = found[draw(st.integers(0, len(found) - 1))]
            text = text[: number.start()] + str(draw(st.integers(1, 4))) + text[number.end() :]
    return text


def _words(draw: st.DrawFn, text: str, own: Sequence[str]) -> str:
    """Replace a word with another."""
    found = list(_WORD.finditer(text))
    if not found:
        return text + draw(nasty(own))
    word = found[draw(st.integers(0, len(found) - 1))]
    return text[: word.start()] + draw(nasty(own)) + text[word.end() :]


def _letters(draw: st.DrawFn, text: str, own: Sequence[str]) -> str:
    """Remove, repeat, or replace some letters."""
    start = draw(st.integers(0, len(text)))
    end = min(len(text), start + draw(st.integers(0, 12)))
    between = draw(st.one_of(st.just(""), st.just(text[start:end] * 2), nasty(own)))
    return text[:start] + between + text[end:]


def _lines(draw: st.DrawFn, text: str, own: Sequence[str]) -> str:
    """Remove, repeat, indent, dedent, or swap lines."""
    lines = text.split("\n")
    here, there = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
    match draw(st.integers(0, 4)):
        case 0:
            del lines[here]
        case 1:
            lines[here:here] = [lines[here]] * draw(st.sampled_from((1, 3, 40)))
        case 2:
            lines[here] = " " * draw(st.integers(1, 8)) + lines[here]
        case 3:
            lines[here] = lines[here][draw(st.integers(0, 4)) :]
        case _:
            lines[here], lines[there] = lines[there], lines[here]
    return "\n".join(lines)
