"""Words of sentences, and phrases in tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

# Tokens of card text, with the spelling freedoms of authors removed.

# Texts beyond these limits are not read.
MAX_CHARACTERS, MAX_TOKENS = 2_500, 500
NUMBER, SIGNED, NAME, DIE = "number", "signed", "name", "die"
NUMERALS = {
    word: value
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
        ]
    )
}
_UNITS = {
    "cm": "cm", "cms": "cm", "centimeter": "cm", "centimeters": "cm", "centimetre": "cm", "centimetres": "cm",
    "inch": "inch", "inches": "inch", "in.": "inch",
}  # fmt: skip
_CONTRACTIONS = {"can't": "cannot", "won't": "will not", "shan't": "shall not", "ain't": "is not"}
_TOKEN = re.compile(
    r"""
    (?P<name>(?<![\w*])\*(?![\s*])(?:\\.|[^\\*])+(?<!\s)\*(?![\w*]))  # *Stone Skin*
    | (?P<range>(?<=\d)\s?[-–]\s?(?=\d))
    | (?P<or_less>(?<=\d)[-–](?!\w))  # 5-
    | (?P<mark>\*+|\\(?=[\\*{}]))
    | \{(?P<icon>[A-Za-z0-9][\w-]*)\}
    | (?P<dice>\d*[dD](?:3|4|6|8|10|12|20|66|100))(?!\w)
    | (?P<sign>(?<![\w)])[+\-−–](?=\s?\d))\s?(?P<change>\d+)(?!\w*\d)
    | (?P<number>\d+)(?P<prime>\s?["″”]|''|(?:in|ins)\b\.?)?
    | (?P<possessive>(?<!\w)['’]s\b)
    | (?P<word>(?:[rR]e-(?=\w))?[^\W\d_]\w*(?:['’][^\W\d_]+)?)
    | (?P<point>[,;:.!?()\[\]+%/=])
    | (?P<other>[^\s"“”‘’'\-–—])
    """,
    re.VERBOSE,
)
_SIGN_WORDS = {"plus": 1, "minus": -1}


class Token(NamedTuple):
    """A token: its normalized word, its place in the text, and the kind and value of a number, die, or name.

    `written` is the word in lower case before another one stood for it, for names that are not known to the grammar;
    `is_capitalized` says that it began with a capital.
    """

    word: str
    start: int
    end: int
    kind: str = ""
    value: int | str = 0
    written: str = ""
    is_capitalized: bool = False


def _number(value: int, start: int, end: int) -> Token:
    return Token(str(value), start, end, NUMBER, value)


def _signed(value: int, start: int, end: int) -> Token:
    return Token(f"{value:+}", start, end, SIGNED, value)


def tokenize(text: str, lemmas: Mapping[str, str]) -> tuple[Token, ...]:
    """Return the tokens of a sentence; `lemmas` maps a form of a word to the word that stands for it.

    Capitals, hyphens, quotes, bold marks, units, numerals in words, and contractions are normalized. Places refer to
    the text as it is.
    """
    return tuple(_join_signs(_lexemes(text[: MAX_CHARACTERS + 1]), lemmas))


def _lexemes(text: str) -> Iterator[Token]:
    for match in _TOKEN.finditer(text):
        yield from _lexeme(match)


def _lexeme(match: re.Match[str]) -> Iterator[Token]:
    start, end = match.span()
    match match.lastgroup:
        case "name":
            yield Token("*", start, end, NAME, re.sub(r"\\([\\*{}])", r"\1", match[0][1:-1]))
        case "icon":
            yield Token(f"{{{match['icon'].lower()}}}", start, end)
        case "word":
            words = _word(match["word"].lower().replace("’", "'").replace("-", ""), start, end)
            yield from (word._replace(is_capitalized=True) for word in words) if match["word"][0].isupper() else words
        case "possessive":
            yield Token("'s", start, end)
        case "range":
            yield Token("to", start, end)
        case "point" | "other" | "or_less":
            yield Token(match[0], start, end)
        case _:
            yield from _amount(match)


def _amount(match: re.Match[str]) -> Iterator[Token]:
    """Yield the tokens of a number, a change, or a die; none for marks."""
    start, end = match.span()
    match match.lastgroup:
        case "dice":
            count, faces = re.split("[dD]", match["dice"])
            yield Token(f"{count or 1}d{faces}", start, end, DIE, f"{count or 1}d{faces}")
        case "change":
            yield _signed(int(match["change"][:6]) * (1 if match["sign"] == "+" else -1), start, end)
        case "number" | "prime":
            digits_end = match.end("number")
            yield _number(int(match["number"][:6]), start, digits_end)
            if match["prime"]:
                yield Token("inch", digits_end, end)


def _word(word: str, start: int, end: int) -> Iterator[Token]:
    if word in _CONTRACTIONS:
        yield from (Token(part, start, end) for part in _CONTRACTIONS[word].split())
    elif word.endswith("n't"):
        yield from (Token(word[:-3], start, end - 3), Token("not", end - 3, end))
    elif "'" in word:
        stem, _, ending = word.partition("'")
        yield from (Token(stem, start, start + len(stem)), Token(f"'{ending}", start + len(stem), end))
    elif word in NUMERALS:
        yield _number(NUMERALS[word], start, end)
    else:
        yield Token(_UNITS.get(word, word), start, end)


def _join_signs(lexemes: Iterator[Token], lemmas: Mapping[str, str]) -> Iterator[Token]:
    """Join 'plus' with the number after it, and replace each word with its lemma."""
    sign: Token | None = None
    for token in lexemes:
        if sign:
            if token.kind == NUMBER:
                yield _signed(_SIGN_WORDS[sign.word] * int(token.value), sign.start, token.end)
                sign = None
                continue
            yield sign
        sign = token if token.word in _SIGN_WORDS else None
        if not sign:
            yield token._replace(word=lemmas.get(token.word, token.word), written=token.word)
    if sign:
        yield sign


# Words that stand for others: 'each time' for 'when', or 'the bearer' for 'this fighter'.


class Phrase(NamedTuple):
    """Consecutive words, and the words that they stand for."""

    words: tuple[str, ...]
    meaning: tuple[str, ...]


# The phrases by their first word, the longest first.
PhraseBook = Mapping[str, tuple[Phrase, ...]]


def phrase_book(phrases: Sequence[Phrase]) -> PhraseBook:
    """Return the phrases by their first word, the longest first, so that an exception can precede a rule."""
    by_length = sorted(phrases, key=lambda phrase: -len(phrase.words))
    return {
        first: tuple(phrase for phrase in by_length if phrase.words[0] == first)
        for first in {phrase.words[0] for phrase in phrases}
    }


def replace_phrases(tokens: tuple[Token, ...], book: PhraseBook) -> tuple[Token, ...]:
    """Replace phrases with what they stand for; the new tokens all have the place of the phrase."""
    return tuple(_replaced(tokens, book)) if book else tokens


def _replaced(tokens: tuple[Token, ...], book: PhraseBook) -> Iterator[Token]:
    index = 0
    while index < len(tokens):
        phrase = _phrase_at(tokens, index, book)
        if phrase is None:
            yield tokens[index]
            index += 1
            continue
        replaced = tokens[index : index + len(phrase.words)]
        written = (" ".join(token.written for token in replaced), *[""] * len(phrase.meaning))
        for word, before in zip(phrase.meaning, written, strict=False):
            yield Token(word, replaced[0].start, replaced[-1].end, written=before)
        index += len(replaced)


def _phrase_at(tokens: tuple[Token, ...], index: int, book: PhraseBook) -> Phrase | None:
    for phrase in book.get(tokens[index].word, ()):
        if tuple(token.word for token in tokens[index : index + len(phrase.words)]) == phrase.words:
            return phrase
    return None
