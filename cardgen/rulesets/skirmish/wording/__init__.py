"""What the texts of Skirmish cards say, read with tables of clauses."""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from cardgen.game import Claim, Claims, Features, Grammar, Meaning, Terminal, Token, gap, read_claims, thing

_FOLDER = Path(__file__).parent


def _letter(tokens: tuple[Token, ...], start: int) -> Iterator[tuple[int, Meaning]]:
    """Match the letter of a marker, 'A' to 'F', but no article."""
    for word in tokens[start : start + 1]:
        if word.is_capitalized and word.word in "abcdef":
            yield start + 1, word.word.upper()


# A characteristic and its value, such as 'BS4'; a mention of some of them can mean a mount or a weapon.
_SCORE = re.compile(r"(ws|bs|ld|[mstwia])(\d\d?)")
_MENTIONED = frozenset("msa")


def _score(tokens: tuple[Token, ...], start: int) -> Iterator[tuple[int, Meaning]]:
    """Match a characteristic with its value in one word."""
    for token in tokens[start : start + 1]:
        if score := _SCORE.fullmatch(token.word):
            key = score[1] + "_mentioned" * (score[1] in _MENTIONED)
            yield start + 1, Features.of(**{key: int(score[2])})


# Stands before the letter of a marker in place of its name.
_MARKER = "marker"
# Things of a warrior that clauses name, and that are things in other sentences, too.
_GEAR = frozenset(
    (
        *("horse", "horses", "pony", "goat", "boar", "wolf", "warhorse", "steed", "mule", "donkey"),
        *("halberd", "flail", "lance", "spear", "bow", "longbow", "crossbow", "sling", "handgun", "pistol", "javelin"),
        *("sword", "blade", "axe", "ring", "cloak", "helmet", "staff", "hammer", "amulet", "talisman", "banner"),
        *("knife", "knives", "arrows", "bolts", "stones", "teeth", "claws", "fangs", "sting"),
    )
)


def _is_strange(word: str) -> bool:
    return word != _MARKER and (word in _GEAR or WARRIORS.is_strange(word))


_TERMINALS = {"thing": thing(_is_strange), "letter": Terminal("", _letter), "score": Terminal("", _score), "gap": gap}


def _grammar(*names: str) -> Grammar:
    return Grammar(*(_FOLDER / f"{name}.txt" for name in ("words", *names)), terminals=_TERMINALS)


WARRIORS: Grammar = _grammar("warriors")
WEAPONS, SCENARIOS, WARBANDS = _grammar("weapons"), _grammar("scenarios", "forces"), _grammar("forces", "warbands")
AIDS, CLAIMS = _grammar("aids"), _grammar("claims")

# Words for the members of a warband or a force in its text.
_MEMBERS = frozenset(("they", "them", "their", "model", "models", "men", "everyone", "everybody"))


@lru_cache(maxsize=1_024)
def claims_of(grammar: Grammar, text: str) -> Claims:
    """Return what a text says of its card."""
    return read_claims(grammar, text, _MEMBERS if grammar in (WARBANDS, SCENARIOS) else frozenset())


def all_claims_of(grammar: Grammar, text: str) -> list[Claim]:
    """Return what a text says of its card, and what it claims of other keys in sentences that are not read."""
    return claims_of(grammar, text).and_also(claims_of(CLAIMS, text))
