"""What the texts of Diskwars cards say, read with clauses.txt."""

from functools import lru_cache
from pathlib import Path

from cardgen.game import Claims, Grammar, read_claims

GRAMMAR = Grammar(Path(__file__).with_name("clauses.txt"))


@lru_cache(maxsize=1_024)
def claims_of(text: str) -> Claims:
    """Return what a text says of its card."""
    return read_claims(GRAMMAR, text)
