"""A word that looks like a game term but is not one.

Why is this bad?
    Players look the word up in vain. It is a term of another game, or a spelling mistake. The check covers capitalized
    words similar to a term, except at the start of a sentence and in a name such as "Ember Court", and all capitalized
    words after a bonus or penalty such as "+1".

Example
    kind: relic
    name: Sun Stone
    text: "The bearer gets +1 Strength, and its Penetraton is doubled."  # CG204: 27, CG204: 45

Use instead
    kind: relic
    name: Sun Stone
    text: "The bearer gets +1 Body, and its Penetration is doubled."
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from cardgen.checking.check import CheckContext, CheckScope, Confidence, Finding, FreeText
from cardgen.diagnostic import VERY_CLOSE_CUTOFF, Severity, closest
from cardgen.model.card import Card

CODE, NAME = "CG204", "unknown-term"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.GUESS
LOOKS_AT = FreeText

_ADDED_TO = re.compile(r"[+\-\N{MINUS SIGN}]\d+\s+(?:to\s+)?$")
# Characters before a word in which a number to add is looked for.
_MOST_BEFORE = 16


def find(free_text: FreeText, context: CheckContext) -> Iterator[Finding]:
    """Yield capitalized words that are not terms, with the closest term."""
    if not free_text.is_rules_text:
        return
    forms = context.glossary.forms
    if not forms:  # A game without terms has none that a text could miss.
        return
    parts = {word for form in forms for word in form.split()}
    words = [*free_text.words()]
    for index, word in enumerate(words):
        text = re.sub(r"['’]s?$", "", word.text)
        if not text[0].isupper() or text.isupper() or text in parts:
            continue
        if context.scope.look_up(_labels, text):
            continue
        added_to = _ADDED_TO.search(free_text.text, max(0, word.start - _MOST_BEFORE), word.start)
        if not added_to and free_text.starts_sentence(word.start):
            continue
        if not added_to and any(
            each.text[0].isupper() and each.text not in parts and not free_text.starts_sentence(each.start)
            for each in words[max(0, index - 1) : index + 2]
            if each is not word
            and len(each.text) > 1
            and free_text.text[min(each.end, word.end) : max(each.start, word.start)] == " "
        ):
            continue
        meant = closest(text, parts, VERY_CLOSE_CUTOFF)
        if added_to or (meant and not _grows_from(text, parts) and not context.scope.look_up(_names, text)):
            advice = f"did you mean '{meant}'?" if meant else "use a term of the game"
            yield Finding(f"'{word.text}' is not a term of the game", help=advice, text_range=(word.start, word.end))


def _names(scope: CheckScope) -> Mapping[str, bool]:
    """Return the words of the names of the cards in play and of their races and the like."""
    return {word: True for words in scope.facts_of_type(_words_of_names, *scope.own.models()) for word in words}


def _labels(scope: CheckScope) -> Mapping[str, bool]:
    """Return the words of the labels of fields, which players read on the cards."""
    titles = (info.title for model in scope.own.models() for info in model.model_fields.values())
    return {word: True for title in titles if title for word in title.split()}


def _words_of_names(card: Card) -> list[str]:
    values = [card.name, *(value for value in vars(card).values() if isinstance(value, str) and value.istitle())]
    return [word for value in values for word in value.split()]


def _grows_from(word: str, forms: set[str]) -> bool:
    """Return whether a word extends a term, such as 'Attacker'."""
    return any(
        word.casefold().startswith(form.casefold()) or form.casefold().startswith(word.casefold()) for form in forms
    )
