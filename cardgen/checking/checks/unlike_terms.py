"""A term, or the same text of several cards, that is translated in different ways.

Why is this bad?
    Players think that two names mean two things. List your terms and their translations under `glossary` in
    `cardgen.yaml`, such as `glossary: {de: {wound: [Wunde]}}`; a translation must contain one of them. Translate the
    same text on several cards in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from cardgen.checking.check import CheckContext, CheckScope, Confidence, Finding, TranslatedPair
from cardgen.diagnostic import Severity, join_words

CODE, NAME = "CG144", "unlike-terms"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = CheckScope


def find(scope: CheckScope, context: CheckContext) -> Iterator[Finding]:
    """Yield the translations that use another word."""
    for language in scope.services.translations():
        patterns = {term: re.compile(rf"\b{re.escape(term)}(?:e?s)?\b", re.IGNORECASE) for term in language.terms}
        for pair in language.pairs:
            for term, words in language.terms.items():
                if patterns[term].search(pair.source) and not _has_any(pair.text, words):
                    meant = join_words([f"'{each}'" for each in words])
                    yield Finding(f"'{term}' is {meant} in the glossary", help="use that word", place=pair.place())
        first: dict[str, TranslatedPair] = {}
        for pair in language.pairs:
            other = first.setdefault(pair.source, pair)
            if other.text != pair.text:
                message = f"the same text is translated as '{other.text}' at {other.place()}"
                yield Finding(message, help=f"the source is '{pair.source}'", place=pair.place())


def _has_any(text: str, words: Iterable[str]) -> bool:
    return any(each.casefold() in text.casefold() for each in words)
