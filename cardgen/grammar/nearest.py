"""The form of a grammar that is nearest to words that were not read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from cardgen.grammar.grammar import Grammar
from cardgen.grammar.lexer import Token

_MIN_SIMILARITY = 0.3
_PLACEHOLDER = re.compile(r"\{(?:\w+:)?(\w+)\}")


def nearest_form(grammar: Grammar, tokens: tuple[Token, ...]) -> str:
    """Return the written form that shares the most words with some tokens, or ''; slots are shown as <name>."""
    words = {token.word for token in tokens if token.word.isalpha()}
    best, similarity = "", _MIN_SIMILARITY
    for text, others in _forms(grammar):
        shared = len(words & others)
        score = 2 * shared / (len(words) + len(others)) if shared else 0
        if score > similarity:
            best, similarity = text, score
    return best


@lru_cache(maxsize=8)
def _forms(grammar: Grammar) -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple(_written(grammar))


def _written(grammar: Grammar) -> Iterator[tuple[str, frozenset[str]]]:
    for clauses in grammar.table.clauses.values():
        for clause in clauses:
            for form in clause.forms:
                text = _PLACEHOLDER.sub(r"<\1>", form.text.replace("~", " "))
                words = frozenset(token.word for token in grammar.tokenize(_PLACEHOLDER.sub("", form.text)))
                alphabetic = frozenset(word for word in words if word.isalpha())
                if form.is_canonical and len(alphabetic) > 1:
                    yield text, alphabetic
