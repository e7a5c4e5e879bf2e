"""A translation with other icons or numbers than its source, or one that is only a copy of it.

Why is this bad?
    The card has other rules in that language: numbers, dice, and icons are the same in all. Numbers may be words
    in one and digits in the other. A copy of four words or more is not translated.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from cardgen.checking.check import CheckContext, CheckScope, Confidence, Finding, TranslatedPair
from cardgen.diagnostic import Severity, join_words
from cardgen.text.lines import Icon, parse_markup

CODE, NAME = "CG143", "unequal-translation"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = CheckScope
_WORD, _WORDS_OF_COPY = re.compile(r"[^\W\d_]{2,}"), 4
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")


def find(scope: CheckScope, context: CheckContext) -> Iterator[Finding]:
    """Yield the translations that say something else."""
    for language in scope.services.translations():
        for pair in language.pairs:
            is_copy = pair.text.strip() == pair.source.strip() and len(_WORD.findall(pair.text)) >= _WORDS_OF_COPY
            if is_copy and "-" not in language.language:  # Much is the same in the language of another region.
                advice = "translate it, or remove it; without it, the source is printed"
                yield Finding("the translation is a copy of its source", help=advice, place=pair.place())
            yield from _differences(pair)


def _differences(pair: TranslatedPair) -> Iterator[Finding]:
    (icons, numbers), (own_icons, own_numbers) = _parts(pair.source), _parts(pair.text)
    lacking, added = icons - own_icons, own_icons - icons
    # Where the source has no number to be lost, a word of it may have become one.
    lost, gained = numbers - own_numbers, own_numbers - numbers if numbers - own_numbers else Counter[str]()
    for missing, other, what in ((lacking, added, "icon"), (lost, gained, "number")):
        if missing or other:
            lacks = f"lacks the {what} {_names(missing)} of its source" if missing else ""
            has = f"has the {what} {_names(other)}, which its source does not have" if other else ""
            word = next(iter(other), "")
            yield Finding(
                f"the translation {' and '.join(filter(None, (lacks, has)))}", help=f"the source is '{pair.source}'",
                place=pair.place(), word=word,
            )  # fmt: skip


def _parts(text: str) -> tuple[Counter[str], Counter[str]]:
    """Return the icons and the numbers of a text, with how often it has each."""
    parts = [part for paragraph in parse_markup(text) for part in paragraph]
    icons = Counter(f"{{{part.name}}}" for part in parts if isinstance(part, Icon))
    plain = " ".join(part.text for part in parts if not isinstance(part, Icon))
    return icons, Counter(number.replace(",", ".") for number in _NUMBER.findall(plain))


def _names(counter: Counter[str]) -> str:
    return join_words([f"'{name}'" for name in counter], "and")
