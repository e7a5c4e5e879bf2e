"""What the texts of Diskwars cards say, read with clauses.txt."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from cardgen.game import Claims, Grammar, SentenceSpan, read_claims, read_members, thing


def _is_strange(word: str) -> bool:
    return GRAMMAR.is_strange(word)


GRAMMAR: Grammar = Grammar(Path(__file__).with_name("clauses.txt"), terminals={"thing": thing(_is_strange)})


@lru_cache(maxsize=1_024)
def claims_of(text: str) -> Claims:
    """Return what a text says of its card."""
    return read_claims(GRAMMAR, text)


def sentences_left(text: str) -> Iterator[SentenceSpan]:
    """Yield the sentences that were not read to the last word, without reminders in parentheses."""
    claims, unread = claims_of(text)
    told = [*claims, *read_members(GRAMMAR, text)[0]]
    for sentence in unread:
        end = sentence.start + len(sentence.text)
        is_aside = sentence.text.startswith("(") and sentence.text.endswith(")")
        if not (is_aside and any(sentence.start <= each.start < end for each in told)):
            yield sentence
