"""The grammar of Warniris card text; its tables are clauses.txt and freedoms.txt."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

from cardgen.game import SIDES, Grammar, Meaning, Series, Terminal, Token
from cardgen.rulesets.warniris import limits
from cardgen.rulesets.warniris.weapon_line import NUMBER_LETTERS, WEAPON_TYPES

_FACES = range(1, SIDES + 1)


def _faces(tokens: tuple[Token, ...], start: int) -> Iterator[tuple[int, Meaning]]:
    """Match '1', '1 or 2', '1, 3 or 5', '4 to 6', '4+', '4 or more', and '2 or less'."""
    faces: list[int] = []
    index = start
    while (run := _run(tokens, index)) is not None:
        index, found = run
        faces += found
        if set(faces) <= set(_FACES) and sorted(set(faces)) == faces:
            yield index, Series(faces)
        separators = sum(1 for _ in takewhile(lambda token: token.word in (",", "or", "and", "a"), tokens[index:]))
        if not separators:
            return
        index += separators


def _run(tokens: tuple[Token, ...], index: int) -> tuple[int, list[int]] | None:
    """Return the faces of '4', '4 to 6', '4+', or '4 or more', and the token after them."""
    words = [token.word for token in tokens[index : index + 3]]
    if not words or tokens[index].kind != "number":
        return None
    face = int(words[0])
    if len(words) == 3 and words[1] == "to" and words[2].isdigit():
        return index + 3, list(range(face, int(words[2]) + 1))[:7]
    if words[1:2] == ["+"]:
        return index + 2, list(range(face, 7))
    if words[1:2] == ["or"] and words[2:] in (["more"], ["higher"], ["better"], ["above"]):
        return index + 3, list(range(face, 7))
    if words[1:2] == ["or"] and words[2:] in (["less"], ["lower"], ["below"], ["fewer"]):
        return index + 3, list(range(1, min(face, 7) + 1))
    return index + 1, [face]


def _faces_up(tokens: tuple[Token, ...], start: int) -> Iterator[tuple[int, Meaning]]:
    """Match '4+'."""
    if [token.word for token in tokens[start + 1 : start + 2]] == ["+"]:
        yield from (match for match in _faces(tokens, start) if match[0] == start + 2)


_ORDINALS = ("first", "second", "third", "fourth", "fifth")


def _nth(tokens: tuple[Token, ...], start: int) -> Iterator[tuple[int, Meaning]]:
    """Match 'first'."""
    if start < len(tokens) and tokens[start].word in _ORDINALS:
        yield start + 1, Series((_ORDINALS.index(tokens[start].word) + 1,))


def _successor(tokens: tuple[Token, ...], start: int) -> Iterator[tuple[int, Meaning]]:
    """Match a number, which means one more."""
    if start < len(tokens) and tokens[start].kind == "number":
        yield start + 1, int(tokens[start].value) + 1


def _above(limit: int) -> Terminal:
    """Return a symbol for numbers above a limit; those of attributes are not centimeters."""

    def match(tokens: tuple[Token, ...], start: int) -> Iterator[tuple[int, Meaning]]:
        if start == len(tokens):
            return
        number, following = tokens[start], [token.word for token in tokens[start + 1 : start + 2]]
        if (
            number.kind == "number"
            and int(number.value) > limit
            and (following != ["cm"] or limit > limits.MAX_ATTRIBUTE)
        ):
            yield start + 1, int(tokens[start].value)

    return Terminal("number", match)


def _profile(tokens: tuple[Token, ...], start: int) -> Iterator[tuple[int, Meaning]]:
    """Match '*Claws* (CW R1 D2)', which means 'Claws' and its line."""
    words = [token.word for token in tokens[start : start + 9]]
    if len(words) < 4 or tokens[start].kind != "name" or words[1] != "(" or ")" not in words:
        return
    line = [word.upper() for word in words[2 : words.index(")")]]
    if line[0] in WEAPON_TYPES and all(word[0] in NUMBER_LETTERS and word[1:].isdigit() for word in line[1:]):
        yield start + 3 + len(line), Series((str(tokens[start].value), " ".join(line)))


# The last words of names of weapons, so that 'her rifle' is one.
_WEAPON_NOUNS = frozenset(
    {
        *("arquebus", "axe", "baton", "bayonet", "blaster", "blunderbuss", "bow", "cannon"),
        *("carbine", "chainsword", "claws", "cleaver", "club", "crossbow", "cudgel", "cutlass"),
        *("dagger", "falchion", "fangs", "fists", "flail", "flamethrower", "gauntlet", "glaive"),
        *("greatsword", "gun", "halberd", "hammer", "harpoon", "hatchet", "javelin", "katana"),
        *("knife", "lance", "launcher", "longbow", "longsword", "mace", "machete", "maul"),
        *("musket", "pike", "pistol", "polearm", "rapier", "revolver", "rifle", "sabre"),
        *("saber", "scepter", "sceptre", "scimitar", "scythe", "shotgun", "sickle", "sling"),
        *("spear", "staff", "stave", "stiletto", "sword", "talons", "tomahawk", "trident"),
        *("wand", "warhammer", "whip"),
    }
)
_MOST_NAME_WORDS = 4


def _weapon_name(tokens: tuple[Token, ...], start: int) -> Iterator[tuple[int, Meaning]]:
    """Match '*Hex Staff*', 'Hex Staff', and 'rifle': a name in italics, or one that ends with a kind of weapon."""
    if start < len(tokens) and tokens[start].kind == "name":
        yield start + 1, str(tokens[start].value)
    for end in range(start + 1, min(start + _MOST_NAME_WORDS, len(tokens)) + 1):
        *first, last = tokens[start:end]
        if last.written in _WEAPON_NOUNS and all(map(_is_proper, first)) and not _goes_on(tokens, end):
            yield end, _spelled(tokens[start:end])


def _proper_name(tokens: tuple[Token, ...], start: int) -> Iterator[tuple[int, Meaning]]:
    """Match 'Flash': words with capitals that no clause has."""
    name = tuple(takewhile(_is_proper, tokens[start : start + _MOST_NAME_WORDS + 1]))
    if 0 < len(name) <= _MOST_NAME_WORDS:
        yield start + len(name), _spelled(name)


def _is_proper(token: Token) -> bool:
    return token.is_capitalized and not token.kind and CLAUSES.is_strange(token.written)


def _goes_on(tokens: tuple[Token, ...], end: int) -> bool:
    """Return whether a name has more words, such as 'Rifle Mk'."""
    return end < len(tokens) and (_is_proper(tokens[end]) or tokens[end].written in _WEAPON_NOUNS)


def _spelled(name: tuple[Token, ...]) -> str:
    return " ".join(token.written.capitalize() if token.is_capitalized else token.written for token in name)


CLAUSES = Grammar(
    Path(__file__).with_name("clauses.txt"),
    Path(__file__).with_name("freedoms.txt"),
    terminals={
        "faces": Terminal("number", _faces),
        "successor": Terminal("number", _successor),
        "faces_up": Terminal("number", _faces_up),
        "nth": Terminal("", _nth),
        "profile": Terminal("name", _profile),
        "italic_name": Terminal("name", _weapon_name),
        "plain_name": Terminal("", _weapon_name),
        "proper_name": Terminal("", _proper_name),
        "above_five": _above(limits.MAX_ATTRIBUTE),
        "above_table": _above(limits.TABLE_DIAGONAL),
    },
)
