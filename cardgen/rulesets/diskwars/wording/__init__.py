"""What the texts of Diskwars cards say, read with tables of clauses."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from cardgen.game import Claim, Claims, Grammar, SentenceSpan, gap, read_claims, read_members, thing


def _is_strange(word: str) -> bool:
    return GRAMMAR.is_strange(word)


def _grammar(name: str) -> Grammar:
    paths = [Path(__file__).with_name(f"{each}.txt") for each in ("words", name)]
    return Grammar(*paths, terminals={"thing": thing(_is_strange), "gap": gap})


GRAMMAR: Grammar = _grammar("clauses")
CLAIMS = _grammar("claims")


@lru_cache(maxsize=1_024)
def claims_of(text: str) -> Claims:
    """Return what a text says of its card."""
    return read_claims(GRAMMAR, text)


@lru_cache(maxsize=1_024)
def all_claims_of(text: str) -> list[Claim]:
    """Return what a text says of its card, and what it claims of other keys in sentences that are not read."""
    return claims_of(text).and_also(read_claims(CLAIMS, text))


def sentences_left(text: str) -> Iterator[SentenceSpan]:
    """Yield the sentences that were not read to the last word, without reminders in parentheses."""
    claims, unread = claims_of(text)
    told = [*claims, *read_members(GRAMMAR, text)[0]]
    for sentence in unread:
        end = sentence.start + len(sentence.text)
        is_aside = sentence.text.startswith("(") and sentence.text.endswith(")")
        if not (is_aside and any(sentence.start <= each.start < end for each in told)):
            yield sentence
