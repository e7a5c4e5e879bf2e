"""A bold word in an ability that the game does not explain.

Why is this bad?
    Players look up bold words on the reference sheet. A keyword that is not in the glossary is not on it.

Example
    game: diskwars
    cards:
      - {kind: command, name: Low Mist, strategy: steady, activation: 2, passive: We are **Slippery**.}  # DW201: 79

Use instead
    game: diskwars
    cards:
      - {kind: command, name: Low Mist, strategy: steady, activation: 2, passive: Your disks have **Flying**.}
"""

import re
from collections.abc import Iterator

from cardgen.game import Card, CheckContext, Finding, Findings, rule

_BOLD = re.compile(r"\*\*([^*\n]+)\*\*")
# The value of a keyword: a number, or what is in parentheses.
_VALUE = re.compile(r"(?<!\s)\s*+(?:(?<!\d)\d++|\([^()]*+\))$")
_TEXTS = ("focus", "ability", "passive", "battle", "objective", "text")


@rule("DW201", "warning", "likely")
def find(card: Card, context: CheckContext) -> Findings:
    """Yield the bold words that are not in the glossary."""
    if context.card is not card or context.entry is None:
        return
    forms = context.scope.glossaries[context.entry.game]
    known = {form.casefold() for term in forms for form in term}
    for field, word in _bold_words(card):
        if _VALUE.sub("", word).casefold() not in known:
            advice = "use a term of the glossary, or write it without asterisks"
            yield Finding(f"'{word}' is not a keyword of the game", (field,), help=advice)


def _bold_words(card: Card) -> Iterator[tuple[str, str]]:
    """Yield the bold words of a card, each with the field that contains it."""
    for field in _TEXTS:
        for match in _BOLD.finditer(getattr(card, field, None) or ""):
            yield field, match[1].strip(" .:;,")
