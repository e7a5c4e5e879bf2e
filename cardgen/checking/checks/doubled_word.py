"""A word that is repeated by mistake.

Why is this bad?
    Repeated words are a common mistake in edited text, and easy to overlook until the card is printed. In mottos, which
    may repeat a word on purpose, the check looks only for short ones such as 'the'.

Example
    kind: relic
    name: Sun Stone
    text: "When its bearer is hit, the the attacker is blinded by it."  # CG201: 32

Use instead
    kind: relic
    name: Sun Stone
    text: "When its bearer is hit, the attacker is blinded by it."
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from operator import eq

from cardgen.checking.check import CheckContext, Confidence, Finding, FreeText
from cardgen.diagnostic import Fix, Severity

CODE, NAME = "CG201", "doubled-word"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = FreeText

# Correct English can repeat these.
_PAIRS = {"had", "that"}
# Longer words can be repeated on purpose in what somebody says: 'Knock knock.'
_SHORT = 3


def find(free_text: FreeText, context: CheckContext) -> Iterator[Finding]:
    """Yield equal neighboring words that are separated only by whitespace."""
    folded = [word.casefold() for word in free_text.word_texts()]
    if not any(map(eq, folded, folded[1:])):
        return
    for word, after in pairwise(free_text.words()):
        same = word.text.casefold() == after.text.casefold() and word.text.casefold() not in _PAIRS
        same &= free_text.key != "motto" or len(word.text) <= _SHORT
        if same and free_text.text[word.end : after.start].isspace():
            # One of 'move Move' is a term, and which one is meant is for the author to say.
            is_clear = word.text == after.text or not {word.text, after.text} & context.glossary.forms
            fix = Fix(word.text, safe=is_clear)
            message = f"repeated word '{after.text}'"
            yield Finding(message, help="remove one of the two", text_range=(word.start, after.end), fix=fix)
