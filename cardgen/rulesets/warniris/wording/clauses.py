"""The grammar of Warniris card text; its tables are clauses.txt and freedoms.txt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from cardgen.game import SIDES, Features, Grammar, Meaning, Series, Terminal, Token, italic_name, join_words
from cardgen.rulesets.warniris import rulebook
from cardgen.rulesets.warniris.effect import CHANGES, DEEDS, PARTIES, Deeds
from cardgen.rulesets.warniris.weapon_line import NUMBER_LETTERS, WEAPON_TYPES, Profile
from cardgen.rulesets.warniris.words import Phrase, Side

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
            and (following != ["cm"] or limit > rulebook.MAX_ATTRIBUTE)
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
        "above_five": _above(rulebook.MAX_ATTRIBUTE),
        "above_table": _above(rulebook.TABLE_DIAGONAL),
    },
)

# The grammar that writes; it reads nothing. Its clauses in other languages are in tables beside its own.
SENTENCES = Grammar(*(Path(__file__).with_name(name) for name in ("clauses.txt", "frames.txt")))
NO_FACTS = Features()


class Subject(NamedTuple):
    """A party that an effect applies to.

    `noun` is its name as a subject, `object` that as an object, and `pronoun` what stands for this one. `is_own` is
    true if the bearer's side chooses what it does, `change_verb` is the verb before a change of values, and
    `names_event` is true if the noun already names the action that the change applies to.
    """

    noun: str
    change_verb: str
    object: str = ""
    pronoun: str = ""
    plural: bool = False
    is_own: bool = False
    names_event: bool = False


class Clause(NamedTuple):
    """A main clause by itself, and as it follows a leading clause; '' if it cannot directly follow one."""

    plain: str
    turned: str = ""


def main_clause(say: Grammar, symbol: str, meaning: Meaning, words: Mapping[str, str], style: str = "") -> Clause:
    """Return a main clause in both orders."""
    return Clause(say.write(symbol, meaning, words, style), say.write(symbol, meaning, words, style or "turned"))


def series(say: Grammar, words: Iterable[str], conjunction: str = "and") -> str:
    """Return words joined as 'a, b and c'."""
    return join_words(words, say.write("joint", conjunction), serial_comma=False)


def has_changes(deeds: Deeds) -> bool:
    """Return whether deeds change a value for a while."""
    return any(getattr(deeds, name) for name in CHANGES)


def is_choice(party: str, deeds: Deeds) -> bool:
    """Return whether the sentence says 'may' for everything that happens to a party."""
    reroll_is_own = PARTIES[party].side is Side.OWN and not PARTIES[party].is_chosen
    ways = {DEEDS[name].says for name in deeds.keys} - {Phrase.SAVED}
    offers = {Phrase.SHIFT, Phrase.OFFER, Phrase.WEAPON, Phrase.ACTIONS, *[Phrase.REROLL] * reroll_is_own}
    return bool(ways) and ways <= offers


def consequence_clause(say: Grammar, subject: Subject, deeds: Deeds, until: str, *, one_point: bool) -> Clause:
    """Return 'enemies within 5 cm take 1 Damage'.

    `until` is when it ends, if that can be said within the clause. `one_point` is true if the sentence is about a
    single point of Damage, which can be ignored.
    """
    number = "several" if subject.plural else ""
    phrases = list(_phrases(say, deeds, one_point=one_point, is_own=subject.is_own, style=number))
    changes = [say.write("change", Features.of(**{name: by})) for name in CHANGES if (by := getattr(deeds, name))]
    if changes:
        verb = "at" if subject.names_event and not phrases else subject.change_verb
        phrases.append(say.write("gain", verb, {"changes": series(say, changes)}, number))
    clause = Clause("")
    if phrases:
        verb, _, rest = series(say, phrases).partition(" ")
        clause = main_clause(
            say, "main", NO_FACTS, {"subject": subject.noun, "verb": verb, "rest": rest, "until": until}
        )
    if deeds.move and not subject.is_own:  # The bearer's player may shift somebody else.
        words = {"whom": subject.pronoun, "until": ""} if phrases else {"whom": subject.object, "until": until}
        shift = main_clause(say, "shifting", deeds.move, words)
        both = (say.write("both", NO_FACTS, {"first": first, "second": shift.plain}) for first in clause)
        clause = Clause(*both) if phrases else shift
    if deeds.unless:
        saved = say.write("saved", Features.of(unless=deeds.unless), style=number)
        clause = Clause(*(say.write("saving_clause", NO_FACTS, {"clause": each, "saved": saved}, number)
                          for each in clause))  # fmt: skip
    return clause


def _phrases(say: Grammar, deeds: Deeds, *, one_point: bool, is_own: bool, style: str) -> Iterator[str]:
    """Yield what happens without a choice, then what the bearer's side may do and what others must do."""
    for name in sorted(deeds.keys, key=lambda name: DEEDS[name].says):
        says, value = DEEDS[name].says, getattr(deeds, name)
        facts: dict[str, Meaning] = {name: value.name if says is Phrase.WEAPON else value}
        if says is Phrase.IGNORED and one_point:
            facts["point"] = True
        elif says is Phrase.REROLL:
            facts["may" if is_own else "must"] = True
        elif says is Phrase.SHIFT:
            facts["shifter"] = "own"
        words = {"more": str(deeds.ignore - 1)} if says <= Phrase.SCORE else {}
        if says is Phrase.OFFER:
            words = {"bearer": "{the}"}
        elif says is Phrase.WEAPON:
            words = {"profile": f"{italic_name(value.name)} ({printed_line(say, value)})"}
        if says not in (Phrase.CHANGE, Phrase.SAVED) and (is_own or says is not Phrase.SHIFT):
            yield say.write("deed", Features.of(**facts), words, style)


def printed_line(say: Grammar, weapon: Profile) -> str:
    """Return the type and the numbers of a weapon: 'RW R15 P1 D1'."""
    values = ((letter, getattr(weapon, field)) for letter, (field, _) in NUMBER_LETTERS.items())
    numbers = (f"{say.write('number_letter', letter)}{value}" for letter, value in values if value)
    return " ".join((say.write("type_letter", weapon.type), *numbers))
