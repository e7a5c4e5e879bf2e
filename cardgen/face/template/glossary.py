"""The glossary of a game as a template function."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Protocol

from jinja2 import TemplateRuntimeError

from cardgen.validation.suggestion import did_you_mean


class Term(Protocol):
    """A term with its definition in marked-up text."""

    @property
    def name(self) -> str:
        """The name of the term."""

    @property
    def definition(self) -> str:
        """What the term means."""


def meaning_function(terms: Callable[[], Iterable[Term]]) -> Callable[[str], str]:
    """Return the function `meaning(term)`, which reads the terms at its first call.

    The case of letters does not matter. The function raises TemplateRuntimeError for an unknown term.
    """

    @cache
    def glossary() -> dict[str, Term]:
        return {term.name.casefold(): term for term in terms()}

    def meaning(name: str) -> str:
        term = glossary().get(name.casefold())
        if term is None:
            names = [each.name for each in glossary().values()]
            raise TemplateRuntimeError(f"unknown term '{name}'{did_you_mean(name, names)}")
        return term.definition

    return meaning
