"""What the texts of Skirmish cards say, read with tables of clauses."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from cardgen.game import Claims, Grammar, Meaning, Terminal, Token, read_claims, thing

_FOLDER = Path(__file__).parent


def _letter(tokens: tuple[Token, ...], start: int) -> Iterator[tuple[int, Meaning]]:
    """Match the letter of a marker, 'A' to 'F', but no article."""
    for word in tokens[start : start + 1]:
        if word.is_capitalized and word.word in "abcdef":
            yield start + 1, word.word.upper()


def _is_strange(word: str) -> bool:
    return WARRIORS.is_strange(word)


_TERMINALS = {"thing": thing(_is_strange), "letter": Terminal("", _letter)}


def _grammar(*names: str) -> Grammar:
    return Grammar(*(_FOLDER / f"{name}.txt" for name in ("words", *names)), terminals=_TERMINALS)


WARRIORS: Grammar = _grammar("warriors")
WEAPONS, SCENARIOS, WARBANDS = _grammar("weapons"), _grammar("scenarios", "forces"), _grammar("forces", "warbands")
AIDS = _grammar("aids")

# Words for the members of a warband in its text.
_MEMBERS = frozenset(("they", "them", "their", "model", "models", "men", "everyone", "everybody"))


@lru_cache(maxsize=1_024)
def claims_of(grammar: Grammar, text: str) -> Claims:
    """Return what a text says of its card."""
    return read_claims(grammar, text, _MEMBERS if grammar is WARBANDS else frozenset())
