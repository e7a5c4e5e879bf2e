"""What the texts of Diskwars cards say, read with clauses.txt."""

from functools import lru_cache
from pathlib import Path

from cardgen.game import Claims, Grammar, read_claims, thing


def _is_strange(word: str) -> bool:
    return GRAMMAR.is_strange(word)


GRAMMAR: Grammar = Grammar(Path(__file__).with_name("clauses.txt"), terminals={"thing": thing(_is_strange)})


@lru_cache(maxsize=1_024)
def claims_of(text: str) -> Claims:
    """Return what a text says of its card."""
    return read_claims(GRAMMAR, text)
