"""Printed text of the cards of a game file."""

from __future__ import annotations

from collections.abc import Callable

from cardgen.game_file.context import GameContext
from cardgen.text.markup import embolden
from cardgen.validation.base import Model


def describer(context: GameContext) -> Callable[[Model], str]:
    """Return the function that returns the marked-up text of a card or part, or ''."""
    bold = tuple([form for term in context.terms if term.bold for form in term.forms])

    def describe(thing: Model) -> str:
        return embolden(getattr(thing, "text", None) or "", bold)

    return describe
