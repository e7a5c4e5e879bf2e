"""A misspelled word in a translation.

Why is this bad?
    Reviewers may not know the language. This check needs the extra `spelling`, which has dictionaries for twelve
    languages. It skips capitalized words within a sentence. List other correct words in cardgen.yaml:
    `spelling: [Schattenheim, flirrt]`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial

from cardgen.checking.check import CheckContext, CheckScope, Confidence, Finding, FreeText
from cardgen.checking.checks.misspelled_word import is_of_name, wrong_words
from cardgen.diagnostic import Severity

CODE, NAME = "CG146", "misspelled-translation"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = CheckScope


def find(scope: CheckScope, context: CheckContext) -> Iterator[Finding]:
    """Yield the wrong words of the translations into languages with a dictionary."""
    for each in scope.services.translations():
        spelling = scope.services.spelling(each.language, "")
        if not spelling.has_dictionary:
            continue
        words = [*(term for terms in each.terms.values() for term in terms)]
        words += [pair.text for pair in each.pairs if pair.field == "name"]
        known = {word.casefold() for text in words for word in text.split()}
        for pair in each.pairs:
            key = pair.field.rpartition("/")[2]
            is_sound = len(pair.source.split()) == 1 and pair.source.endswith((".", "!"))  # 'Woof!'
            if key != "name" and pair.text != pair.source and not is_sound:
                text = FreeText(pair.text, key)
                for one in wrong_words(text, spelling, {}, partial(_is_known, scope, known)):
                    start, end = one.text_range or (0, 0)
                    yield one._replace(place=pair.place(), word=text.text[start:end], text_range=None, fix=None)


def _is_known(scope: CheckScope, known: Collection[str], word: str) -> bool:
    return word in known or is_of_name(scope, word)
