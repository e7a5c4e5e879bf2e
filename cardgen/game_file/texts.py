"""Printed text of cards: the `text` of a kind, a template over the card's fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.game_file.codes import Code
from cardgen.game_file.context import GameContext
from cardgen.game_file.shapes import shape_of_model
from cardgen.game_file.spec.kinds import KindSpec
from cardgen.game_file.spec.pieces import PieceSpec
from cardgen.model.card import Card
from cardgen.sandbox.budget import BudgetError
from cardgen.sandbox.expression import ExpressionError, TextTemplate
from cardgen.source import KeyPath
from cardgen.text.markup import embolden
from cardgen.validation.base import Model


@dataclass(frozen=True)
class _Text:
    """The `text` of a kind, and its key path in the game file."""

    template: TextTemplate
    key_path: KeyPath
    context: GameContext

    def render(self, card: Model) -> str:
        """Return the text of a card. Raises CardgenError, located in the game file, if that fails."""
        try:
            return self.template.render(dict(card)).strip()
        except ExpressionError as error:
            place = self.context.place_in_text(self.key_path, self.template.source, error.start, error.end)
            message = f"{error.message}, in the text of '{getattr(card, 'name', '')}'"
            raise CardgenError(Diagnostic(Code.INVALID_GAME, message, place)) from None
        except BudgetError as error:
            raise CardgenError(Diagnostic(Code.INVALID_GAME, str(error), self.context.place(self.key_path))) from None


def compile_texts(context: GameContext) -> Callable[[Model], str]:
    """Return the function that returns the marked-up text of a card or part, or ''; report mistakes in the texts."""
    bold = tuple([form for term in context.terms if term.bold for form in term.forms])
    sources: Mapping[str, Mapping[str, KindSpec | PieceSpec]] = {
        "kinds": context.spec.kinds,
        "pieces": context.spec.pieces,
    }
    texts = {
        name: text
        for section, specs in sources.items()
        for name, spec in specs.items()
        if name in context.kinds and (text := _compile_text(section, name, spec.text, context))
    }

    def describe(thing: Model) -> str:
        own = getattr(thing, "text", None)
        if not own and isinstance(thing, Card) and thing.KIND in texts:
            own = texts[thing.KIND].render(thing)
        return embolden(own or "", bold)

    return describe


def _compile_text(section: str, kind: str, source: str | None, context: GameContext) -> _Text | None:
    if source is None:
        return None
    key_path = (section, kind, "text")
    try:
        template = TextTemplate(source)
    except ExpressionError as error:
        context.report_in_text(key_path, source, error)
        return None
    names = shape_of_model(context.kinds[kind].model).fields or {}
    for problem in template.problems(names):
        context.report_in_text(key_path, source, problem)
    return _Text(template, key_path, context)
