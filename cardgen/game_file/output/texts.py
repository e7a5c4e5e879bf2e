"""Printed text of cards: their own, or the `text` of their kind."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from cardgen.game_file.context import GameContext
from cardgen.model.card import Card
from cardgen.text.markup import embolden
from cardgen.validation.base import Model


def compile_texts(context: GameContext) -> Callable[[Model], str]:
    """Return the function for the marked-up text of a card or part.

    It returns '' if there is none. Report mistakes in the texts.
    """
    bold = tuple([form for term in context.terms if term.bold for form in term.forms])
    texts = _kind_texts(context)

    def describe(thing: Model) -> str:
        own = getattr(thing, "text", None)
        if not own and isinstance(thing, Card) and thing.KIND in texts:
            own = texts[thing.KIND](thing)
        return embolden(own or "", bold)

    return describe


def _kind_texts(context: GameContext) -> dict[str, Callable[[Model], str]]:
    """Return the functions that render the texts of kinds and pieces."""
    sections = {"kinds": context.spec.kinds, "pieces": context.spec.pieces}
    sources = [
        (section, name, text)
        for section, specs in sections.items()
        for name, spec in specs.items()
        if name in context.kinds and (text := getattr(spec, "text", None)) is not None
    ]
    if not sources:
        return {}
    compile_text = import_module("cardgen.game_file.output.text_template").compile_text
    texts = {name: compile_text(section, name, source, context) for section, name, source in sources}
    return {name: text.render for name, text in texts.items() if text}
