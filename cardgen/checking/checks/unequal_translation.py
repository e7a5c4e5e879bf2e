"""A translation whose icons or numbers differ from its source, or one that is only a copy of it.

Why is this bad?
    The card has different rules in that language: numbers, dice, and icons must be the same in every language. A number
    may be a word in one language and digits in the other. A copy of four words or more is not translated.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from cardgen.checking.check import CheckContext, CheckScope, Confidence, Finding, TranslatedPair
from cardgen.diagnostic import Severity, join_words
from cardgen.text.lines import Icon, parse_markup

CODE, NAME = "CG143", "unequal-translation"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = CheckScope
_WORD, _WORDS_OF_COPY = re.compile(r"[^\W\d_]{2,}"), 4
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
# How the words for 2 to 10 begin; a noun alone can say 1.
_WORDS: Mapping[str, Sequence[str]] = {
    language: words.split()
    for language, words in {
        "de": "zwei|beide drei|dritt vier fünf sechs sieb acht neun zehn",
        "en": "two|twice|both three|thrice four five six seven eight nine ten",
        "es": "dos|ambos|ambas tres cuatro cinco seis siete ocho nueve diez",
        "fr": "deux trois quatre cinq six sept huit neuf dix",
        "it": "due tre quattro cinque sei sette otto nove dieci",
        "ja": "二|両 三 四 五 六 七 八 九 十",
        "ko": "두|둘|이 세|셋|삼 네|넷|사 다섯|오 여섯|육 일곱|칠 여덟|팔 아홉|구 열|십",
        "nl": "twee|beide drie vier vijf zes zeven acht negen tien",
        "pl": "dw|ob trz czter pię sześ sied|siód os|ós dziewię dziesię",
        "pt": "dois|duas|ambos|ambas três quatro cinco seis sete oito nove dez",
        "zh": "二|两|兩 三 四 五 六 七 八 九 十",
    }.items()
}


def find(scope: CheckScope, context: CheckContext) -> Iterator[Finding]:
    """Yield the translations that say something else."""
    for language in scope.services.translations():
        for pair in language.pairs:
            is_copy = pair.text.strip() == pair.source.strip() and len(_WORD.findall(pair.text)) >= _WORDS_OF_COPY
            if is_copy and "-" not in language.language:  # Much is the same in the language of another region.
                advice = "translate the text, or remove the copy so that the source is printed"
                yield Finding("the translation is a copy of its source", help=advice, place=pair.place())
            yield from _differences(pair, language.language)


def _differences(pair: TranslatedPair, language: str) -> Iterator[Finding]:
    (icons, numbers), (own_icons, own_numbers) = _parts(pair.source), _parts(pair.text)
    lacking, added = icons - own_icons, own_icons - icons
    lost, gained = numbers - own_numbers, own_numbers - numbers
    if not gained:
        lost = Counter({each: n for each, n in lost.items() if not _is_word(each, pair.text, language)})
    elif not lost:  # A word of the source may have become a number.
        gained = Counter()
    for missing, other, what in ((lacking, added, "icon"), (lost, gained, "number")):
        if missing or other:
            lacks = f"lacks the {what} {_names(missing)} of its source" if missing else ""
            has = f"has the {what} {_names(other)}, which its source does not have" if other else ""
            word = next(iter(other), "")
            yield Finding(
                f"the translation {' and '.join(filter(None, (lacks, has)))}", help=f"the source is '{pair.source}'",
                place=pair.place(), word=word,
            )  # fmt: skip


def _is_word(number: str, text: str, language: str) -> bool:
    """Return whether a text may say a number in words. Those of languages without known words may say any."""
    words = _WORDS.get(language.partition("-")[0])
    if number == "1" or words is None:
        return True
    at = int(number) - 2 if number.isdecimal() else -1
    if not 0 <= at < len(words):
        return False
    boundary = r"\b" if words[at].isascii() or language[:2] not in ("ja", "ko", "zh") else ""
    return re.search(f"{boundary}(?:{words[at]})", text, re.IGNORECASE) is not None


def _parts(text: str) -> tuple[Counter[str], Counter[str]]:
    """Return the icons and the numbers of a text, with how often it has each."""
    parts = [part for paragraph in parse_markup(text) for part in paragraph]
    icons = Counter(f"{{{part.name}}}" for part in parts if isinstance(part, Icon))
    plain = " ".join(part.text for part in parts if not isinstance(part, Icon))
    return icons, Counter(number.replace(",", ".") for number in _NUMBER.findall(plain))


def _names(counter: Counter[str]) -> str:
    return join_words([f"'{name}'" for name in counter], "and")
