"""The `text` of a kind: a template over its fields.

Loads Jinja2, so games without texts do without it.
"""

from __future__ import annotations

from dataclasses import dataclass

from cardgen.diagnostic import CardgenError, Code, Diagnostic
from cardgen.game_file.expressions import GameContext, scope_of_model
from cardgen.game_file.kinds import CardWithText, budget_of
from cardgen.model.deck import find_links
from cardgen.runtime.workspace import BudgetError
from cardgen.sandbox.expression import ExpressionError, TextTemplate
from cardgen.sandbox.values import card_of
from cardgen.source import KeyPath


@dataclass(frozen=True)
class KindText:
    """The `text` of a kind, and its key path in the game file."""

    template: TextTemplate
    key_path: KeyPath
    context: GameContext

    def render(self, card: CardWithText) -> str:
        """Return the text of a card.

        Raises CardgenError, located in the game file, if that fails.
        """
        try:
            return self.template.render(dict(card), budget_of(card)).strip()
        except ExpressionError as error:
            if any(card_of(link.name) is None for link in find_links(card)):
                return ""  # A reference is wrong, which is reported there.
            place = self.context.place_in_text(self.key_path, self.template.source, error.start, error.end)
            message = f"{error.message}, in the text of '{getattr(card, 'name', '')}'"
            raise CardgenError(Diagnostic(Code.INVALID_GAME, message, place)) from None
        except BudgetError as error:
            raise CardgenError(Diagnostic(Code.INVALID_GAME, str(error), self.context.place(self.key_path))) from None


def compile_text(section: str, name: str, source: str, context: GameContext) -> KindText | None:
    """Return the text of a kind in a section such as 'kinds'.

    Report mistakes in it.
    """
    key_path = (section, name, "text")
    try:
        template = TextTemplate(source)
    except ExpressionError as error:
        context.report_in_text(key_path, source, error)
        return None
    for problem in template.problems(scope_of_model(context.kinds[name].model, context.kinds)):
        context.report_in_text(key_path, source, problem)
    return KindText(template, key_path, context)
