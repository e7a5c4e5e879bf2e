"""A text that is about another card of its kind, and does not mention its own.

Why is this bad?
    It was probably copied from the other card, and the name was not changed. cardgen looks for names of two words or
    more at the beginning of a sentence or clause, as in 'the Sun Stone glows' and 'when Sun Stone is lost'. It skips a
    text that also uses a word of its own name, or whose card refers to the other one. If the text is meant to be about
    the other card, suppress the note.

Example
    kind: relic
    cards:
      - name: Sun Stone
        text: "At dawn, the Sun Stone glows."
      - name: Ash Bell
        text: "At dusk, the Sun Stone glows."  # CG209: 25

Use instead
    kind: relic
    cards:
      - name: Sun Stone
        text: "At dawn, the Sun Stone glows."
      - name: Ash Bell
        text: "At dusk, the Ash Bell glows."
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from cardgen.checking.check import CheckContext, CheckScope, Confidence, Finding, FreeText
from cardgen.diagnostic import Severity
from cardgen.model.card import Card

CODE, NAME = "CG209", "other-name"
SEVERITY, CONFIDENCE = Severity.NOTE, Confidence.LIKELY
LOOKS_AT = FreeText

_CAPITALIZED = r"[A-ZÀ-ÖØ-Þ][\w'’-]*"
# What a clause is about: words with capital letters, between which small ones such as 'of' may be.
_SUBJECT = re.compile(
    rf"(?:\A|[.,:;!?]\s+)(?i:when(?:ever)?\s+)?[*_]*+(?i:the\s+)?[*_]*+"
    rf"(?P<name>{_CAPITALIZED}(?:(?: [a-zà-ÿ]{{1,3}}){{0,2}} {_CAPITALIZED})+)"
)
_POSSESSIVE = re.compile(r"['’]s\b")
_WORD = re.compile(r"\w{4,}")


def find(free_text: FreeText, context: CheckContext) -> Iterator[Finding]:
    """Yield the first name of another card that a clause is about."""
    card = context.card
    if card is None or context.entry is None or not free_text.is_rules_text:
        return
    linked = {entry.card.name for entry in context.entry.links.values()}
    for match in _SUBJECT.finditer(free_text.text):
        words = match["name"]
        for name in dict.fromkeys((words, f"The {words}", _POSSESSIVE.split(words)[0])):
            if name in linked or not context.scope.look_up(_names, f"{card.KIND} {name}"):
                continue
            if name in card.name or _uses_own_name(free_text.text.replace(words, ""), card.name):
                return
            start = match.start("name")
            yield Finding(
                f"this text is about '{name}', another {card.KIND}, and does not mention '{card.name}'",
                help=f"if it was copied, write '{card.name}' in place of '{name}'",
                text_range=(start, start + len(name.removeprefix("The "))),
            )
            return


def _uses_own_name(text: str, name: str) -> bool:
    """Return whether a text has a word of a name, or the name of a card that has only short ones."""
    own = _WORD.findall(name.casefold()) or [name.casefold()]
    return any(word in text.casefold() for word in own)


def _names(scope: CheckScope) -> Mapping[str, bool]:
    """Return the kinds and names of the cards in play."""
    return {f"{kind} {name}": True for kind, name in scope.facts_of_type(_name, *scope.own.models())}


def _name(card: Card) -> list[str]:
    return [card.KIND, card.name]
