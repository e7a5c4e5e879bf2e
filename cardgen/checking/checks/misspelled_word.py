"""A misspelled word.

Why is this bad?
    Spelling mistakes are easy to overlook until the card is printed. The check always finds words that are nearly terms
    of the game, such as 'wonuds'. To find others, it needs the extra `spelling`, which has dictionaries for twelve
    languages, and the language of the text (`language: de`; the cards of the built-in games are English). It skips
    names of cards and capitalized words within a sentence. List other correct words in cardgen.yaml:
    `spelling: [gloamwood, skirl]`.

Example
    kind: relic
    name: Sun Stone
    text: "Its bearer has +1 movment in the rain."  # CG210: 26

Use instead
    kind: relic
    name: Sun Stone
    text: "Its bearer has +1 Movement in the rain."
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache, partial

from cardgen.checking.check import CheckContext, CheckScope, Confidence, Finding, FreeText, Glossary, Word
from cardgen.diagnostic import Fix, Severity
from cardgen.language import as_utf8
from cardgen.model.card import Card
from cardgen.text.dictionary import Spelling

CODE, NAME = "CG210", "misspelled-word"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = FreeText

# Shorter words are too often right, and near to a term by chance.
_SHORT = 3
_SHORT_TERM = 6
# Unknown words that make a text one in another language, if they are more than the known ones.
_FOREIGN = 3
# Words that differ from a term as a mistake would.
_RIGHT = frozenset(
    {"action", "fiend", "fiends", "layer", "layers", "modes", "payer", "payers", "rage", "targe", "wheal"}
)
# Icons, spans, addresses, and words such as snake_case are not prose.
_NO_PROSE = re.compile(
    r"\{[^{}]*\}|(?<![^\s{}`])(?=[^\s{}`]*?(?:://|@))[^\s{}`]++|`[^`]*`|(?<!\w)[^\W_]++(?:_++[^\W_]++)++"
)
_MISREAD_WORD = re.compile(r"\S+")
_NAME_WORD = re.compile(r"[^\W\d_]+")


def find(free_text: FreeText, context: CheckContext) -> Iterator[Finding]:
    """Yield the wrong words of a text."""
    card, entry = context.card, context.entry
    if card is None or entry is None:
        return
    spelling = context.scope.services.spelling(card.language or "", entry.game)
    near = _misspellings(context.glossary) if free_text.is_rules_text else {}
    # Most texts have no slip in a term, and need no places of words if nothing else can be found.
    if spelling.has_dictionary or not near.keys().isdisjoint(map(str.casefold, free_text.word_texts())):
        own = cache(partial(_named, card))
        yield from wrong_words(free_text, spelling, near, lambda word: word in own() or is_of_name(context.scope, word))


def is_of_name(scope: CheckScope, word: str) -> bool:
    """Return whether a card, or a part of one, has a name with a word in small letters."""
    return bool(scope.look_up(_words_of_names, word))


def wrong_words(
    text: FreeText, spelling: Spelling, near: Mapping[str, str], is_named: Callable[[str], bool]
) -> Iterator[Finding]:
    """Yield the wrong words of a text. `near` are misspellings of terms, and `is_named` knows the words of names.

    A text most of whose words are unknown is in another language.
    """
    no_prose = [match.span() for match in _NO_PROSE.finditer(text.text)]
    if as_utf8(text.text):  # The whole word was another one.
        no_prose += [match.span() for match in _MISREAD_WORD.finditer(text.text) if as_utf8(match[0])]
    known, unknown = 0, list[Finding]()
    for word in text.words():
        folded = word.text.casefold()
        if len(folded) < _SHORT or word.text.isupper() or any(start <= word.start < end for start, end in no_prose):
            continue
        is_capital, term = word.text[0].isupper(), near.get(folded, "")
        if is_capital and not text.starts_sentence(word.start):
            continue  # A name, or perhaps a term, of which CG204 knows.
        if not term and not spelling.has_dictionary:
            continue
        if spelling.finds(word.text) or any(map(is_named, _NAME_WORD.findall(folded))) or spelling.knows(word.text):
            known += 1
        elif term:
            yield _finding(word, term)
        # A name at the start of a sentence differs from each word by more than a slip.
        elif (meant := spelling.suggestion(word.text)) or not is_capital:
            unknown.append(_finding(word, meant))
    if len(unknown) < _FOREIGN or len(unknown) <= known:
        yield from unknown


def _finding(word: Word, meant: str) -> Finding:
    if word.text[0].isupper():
        meant = meant[:1].upper() + meant[1:]
    advice = f"write '{meant}', or add '{word.text}'" if meant else "correct it, or add it"
    return Finding(
        f"unknown word '{word.text}'",
        help=f"{advice} to 'spelling' in cardgen.yaml if it is correct",
        text_range=(word.start, word.end),
        fix=Fix(meant, safe=False) if meant else None,
    )


@lru_cache(maxsize=64)
def _misspellings(glossary: Glossary) -> dict[str, str]:
    """Return what comes of a term if two letters are exchanged, one is left out, or one is doubled."""
    words = {word for form in glossary.forms for word in _NAME_WORD.findall(form)}
    right = {word.casefold() for word in words} | _RIGHT
    found: dict[str, str] = {}
    for word in sorted(words):
        term = word.casefold()
        places = range(len(term) if len(term) >= _SHORT_TERM else 0)
        slips = [term[:at] + term[at + 1 : at + 2] + term[at] + term[at + 2 :] for at in places[:-1]]
        slips += [term[:at] + term[at + 1 :] for at in places[1:]]
        slips += [term[:at] + term[at] + term[at:] for at in places]
        spelled = word if word in glossary.forms and word.casefold() not in glossary.forms else term
        found |= {slip: spelled for slip in slips if not {slip, f"{slip}s", slip.removesuffix("s")} & right}
    return found


def _words_of_names(scope: CheckScope) -> Mapping[str, bool]:
    """Return the words of the names of all cards, and of their parts."""
    return {word: True for words in scope.facts_of_type(_named, Card) for word in words}


def _named(card: Card) -> list[str]:
    values = card.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return sorted({word.casefold() for text in _names(values) for word in _NAME_WORD.findall(text)})


def _names(value: object, key: str = "") -> Iterator[str]:
    """Yield the texts of data that are not running text: names, words of lists, and keys such as names of weapons."""
    if isinstance(value, str) and key not in _RUNNING:
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _names(each, key)
    elif isinstance(value, dict):
        for name, each in value.items():
            yield name
            yield from _names(each, name)


_RUNNING = frozenset({"text", "motto", "note", "credit"})
