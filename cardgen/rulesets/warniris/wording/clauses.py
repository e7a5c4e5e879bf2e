"""The grammar of Warniris card text; its tables are clauses.txt and freedoms.txt."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from cardgen.game import SIDES, Features, Grammar, Meaning, Series, Terminal, Token, italic_name, join_words
from cardgen.rulesets.warniris import limits
from cardgen.rulesets.warniris.effect import Deeds
from cardgen.rulesets.warniris.weapon_line import NUMBER_LETTERS, WEAPON_TYPES, Profile

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


CHANGED_STATS = ("mind", "body", "spirit", "movement", "range", "penetration", "damage")
# What happens without a choice, and has no number.
FREEDOMS = (
    *("between", "gaps", "crossing", "reactions", "healing", "targeted", "answered", "fails", "halved", "wounds"),
    "score",
)
# Where somebody may be set, and what it may do for free.
_OFFERS = ("free_move", "push", "pull", "swap", "free_attack")
PLURAL_VERBS = {
    "Moves": "Move",
    "gets": "get",
    "has": "have",
    "regains": "regain",
    "takes": "take",
    "ignores": "ignore",
    "starts": "start",
    "scores": "score",
    "loses": "lose",
}


class Subject(NamedTuple):
    """A party that an effect applies to.

    `is_own` is true if the bearer's side chooses what it does, `change_verb` is the verb before a change of values, and
    `names_event` is true if the noun already names the action that the change applies to.
    """

    noun: str
    change_verb: str
    plural: bool = False
    is_own: bool = False
    names_event: bool = False


def has_changes(deeds: Deeds) -> bool:
    """Return whether deeds change a value for a while."""
    return any(getattr(deeds, name) for name in CHANGED_STATS)


def is_choice(party: str, deeds: Deeds) -> bool:
    """Return whether the sentence says 'may' for everything that happens to a party."""
    is_own = party in ("bearer", "friends")
    offers_other = deeds.weapon or deeds.actions or (deeds.reroll and is_own)
    is_free = any(getattr(deeds, name) for name in FREEDOMS)
    is_forced = (
        deeds.most_healed or deeds.most_dealt or deeds.ignore or has_changes(deeds) or (deeds.reroll and not is_own)
    )
    return bool(deeds.move or any(getattr(deeds, name) for name in _OFFERS) or offers_other) and not (
        is_forced or is_free
    )


def consequence_clause(subject: Subject, deeds: Deeds, *, one_point: bool) -> str:
    """Return 'enemies within 5 cm take 1 Damage'.

    `one_point` is true if the sentence is about a single point of Damage, which can be ignored.
    """
    phrases = [*_forced_phrases(deeds, one_point=one_point), *_choice_phrases(deeds, is_own=subject.is_own)]
    changes = _stat_changes(deeds)
    if changes:
        verb = "does so at" if subject.names_event and not phrases else subject.change_verb
        phrases.append(f"{verb} {join_words(changes, 'and', serial_comma=False)}")
    words = list(map(_plural_phrase, phrases) if subject.plural else phrases)
    clause = f"{subject.noun} {join_words(words, 'and', serial_comma=False)}" if words else ""
    return f"{_with_shift(subject, clause, deeds)}{_saving_test(deeds, is_plural=subject.plural)}"


def _with_shift(subject: Subject, clause: str, deeds: Deeds) -> str:
    """Return a clause, and after it that the bearer's player may shift somebody else."""
    if not deeds.move or subject.is_own:
        return clause
    noun = ("them" if subject.plural else "it") if clause else subject.noun
    return f"{clause}{', and ' if clause else ''}you may {_shift_phrase(noun, deeds.move)}"


def _saving_test(deeds: Deeds, *, is_plural: bool) -> str:
    """Return ' unless it passes a Body Test', or ''."""
    saved = Features.of(unless=deeds.unless)
    words = CLAUSES.write("saved", saved, style="several" if is_plural else "") if deeds.unless else ""
    return f"{',' if is_plural else ''} {words}" if words else ""


def _shift_phrase(noun: str, distance: int) -> str:
    """Return 'shift it up to 3 cm without Tests'."""
    return " ".join(filter(None, ("shift", noun, CLAUSES.write("shift", distance))))


def _stat_changes(deeds: Deeds) -> list[str]:
    """Return the changes: '+1 Mind', '−5 cm Movement'."""
    changed = {name: getattr(deeds, name) for name in CHANGED_STATS if getattr(deeds, name)}
    return [CLAUSES.write("change", Features.of(**{name: by})) for name, by in changed.items()]


def _forced_phrases(deeds: Deeds, *, one_point: bool) -> list[str]:
    """Return what happens without a choice."""
    phrases = [
        Features.of(**{name: by}) for name in ("heal", "heal_die", "deal", "deal_die") if (by := getattr(deeds, name))
    ]
    if deeds.ignore:
        phrases.append(Features.of(ignore=deeds.ignore, **{"point": True} if one_point else {}))
    phrases += [Features(((name, value),)) for name in FREEDOMS if (value := getattr(deeds, name))]
    return [CLAUSES.write("deed", phrase, {"more": str(deeds.ignore - 1)}) for phrase in phrases]


def _choice_phrases(deeds: Deeds, *, is_own: bool) -> list[str]:
    """Return what the bearer's side may do, and what others must do."""
    phrases = []
    if deeds.move and is_own:
        phrases.append(CLAUSES.write("deed", Features.of(move=deeds.move, shifter="own")))
    offers = [Features(((name, value),)) for name in _OFFERS if (value := getattr(deeds, name))]
    phrases += [CLAUSES.write("deed", offer, {"bearer": "{the}"}) for offer in offers]
    if deeds.reroll:
        duty = {"may": True} if is_own else {"must": True}
        phrases.append(CLAUSES.write("deed", Features.of(reroll=deeds.reroll, **duty)))
    if deeds.weapon:
        lent = {"profile": _lent_weapon(deeds.weapon)}
        phrases.append(CLAUSES.write("deed", Features.of(weapon=deeds.weapon.name), lent))
    if deeds.actions:
        phrases.append(CLAUSES.write("deed", Features.of(actions=deeds.actions)))
    return phrases


def _lent_weapon(weapon: Profile) -> str:
    """Return '*Claws* (CW R1 D2)'."""
    return f"{italic_name(weapon.name)} ({weapon.line})"


def _plural_phrase(phrase: str) -> str:
    verb, rest = phrase.split(" ", 1)
    return f"{PLURAL_VERBS.get(verb, verb)} {rest}"
