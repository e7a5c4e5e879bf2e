"""Values of clauses as data of changes: amounts, faces of dice, and consequences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

from cardgen.game import Features, Grammar, Meaning, Series, Terminal, Token, read_keyed_lines, slugify, unclear_if
from cardgen.rulesets.warcry.changes import DEEDS, WEAPON_NUMBERS
from cardgen.rulesets.warcry.selections import FACES, HIGH_FACES, OTHER_COMPARISONS, shows
from cardgen.rulesets.warcry.words import Phrase

Data = dict[str, Any]


def plain(meaning: Meaning) -> Any:
    """Return a meaning as plain data."""
    if isinstance(meaning, Features):
        return {key: plain(value) for key, value in meaning}
    if isinstance(meaning, Series):
        return [plain(each) for each in meaning]
    return meaning


def amount(data: Any) -> Any:
    """Return an amount: a number, a multiple of the value, or dice."""
    if not isinstance(data, dict) or not data.keys() & {"base", "die"}:
        return data
    if "base" in data:
        return f"{data['base']}+{data['plus']}"
    die = str(data["die"]).removeprefix("1")
    return f"{die}+{data['plus']}" if "plus" in data else die


def faces(data: Mapping[str, int]) -> str:
    """Return the faces of a die as text."""
    if "plus" in data:
        text = f"{data['plus']}+"
    elif "from" in data:
        text = f"{data['from']}-{data['to']}"
    else:
        text = str(data["exact"])
    text = {"5-6": "5+", "4-6": "4+", "3-6": "3+", "2-6": "2+", "6+": "6"}.get(text, text)
    unclear_if(text not in FACES, "no such faces")
    return text


def other_faces(named: Sequence[str]) -> str:
    """Return the faces of a die that are left: '1-2' after '3-5' and '6'. Raises UnclearError if not in a row."""
    if len({*named}) == 1 and named[0] in OTHER_COMPARISONS:
        return OTHER_COMPARISONS[named[0]]
    unclear_if(not named or any(each in HIGH_FACES or each in OTHER_COMPARISONS for each in named), "which other faces")
    left = [face for face in range(1, 7) if not any(shows(face, each) for each in named)]
    unclear_if(not left or left != [*range(left[0], left[-1] + 1)], "other faces that are not in a row")
    return faces({"exact": left[0]} if len(left) == 1 else {"from": left[0], "to": left[-1]})


# Clauses that say that something is so.
FLAGS = DEEDS.where(lambda deed: deed.says in (Phrase.STATE, Phrase.FATE))


def consequence_data(kind: str, part: Data) -> Data:
    """Return the data of a change. Raises UnclearError for values that do not go together."""
    if kind == "stats":
        return _stats(part, part.pop("numbers"), None)
    if kind in ("add", "subtract"):
        by = amount(part.pop("by"))
        sign = -1 if kind == "subtract" else 1
        unclear_if(isinstance(by, str) and not by.endswith("value"), "a characteristic that is rolled")
        number = by if isinstance(by, int) else 1
        return _stats(part, [sign * number] * len(part["stats"]), by if isinstance(by, str) else None)
    if kind in DEEDS and DEEDS[kind].says is Phrase.MARKS:
        ((_, listed),) = part[kind].items()
        return {kind: listed}
    if kind == "no_cover" and kind not in part:
        return {kind: part.pop("weapon", "any"), **part}
    if kind == "shift":  # Of another fighter to the user or away, or of the user to the one picked.
        direction, _, to_other = part.pop("direction").partition("-")
        unclear_if(direction != "any" and bool(to_other) != (part["of"] == "self"), "toward itself")
        return {**part, "shift": amount(part["shift"]), "direction": direction}
    if kind in DEEDS and DEEDS[kind].says is Phrase.MULTIPLE:
        return {kind: part.pop("stats"), **part}
    flag = {kind: True} if kind in FLAGS else {}
    data = {key: amount(value) if key in DEEDS else value for key, value in part.items()}
    return {**flag, **{key: value for key, value in data.items() if (key, value) != ("weapon", "any")}}


def _stats(part: Data, numbers: list[int], times: str | None) -> Data:
    names = part.pop("stats")
    unclear_if(len(set(names)) < len(names), "the same characteristic twice")
    unclear_if(
        "weapon" in part and not part.get("incoming") and not {*names} <= {*WEAPON_NUMBERS},
        "not a characteristic of a weapon",
    )
    data = {**part, **dict(zip(names, numbers, strict=True)), **({"times": times} if times else {})}
    return {key: value for key, value in data.items() if (key, value) != ("weapon", "any")}


TABLES = ("fighters.txt", "actions.txt", "conditions.txt", "numbers.txt", "clauses.txt")
MAX_MARK_WORDS, MAX_CRY_WORDS = 6, 6
_LINES = tuple(read_keyed_lines(Path(__file__).with_name("title_words.txt")))


def words_of(kind: str) -> frozenset[str]:
    """Return the words of a kind in the table of words in names and titles."""
    return frozenset(word for key, line in _LINES if key == kind for word in line.split())


NO_MARK, AFTER_MARK, ROLES = words_of("no_mark"), words_of("after_mark"), words_of("roles")
LIMITS, ORDINALS = words_of("limits"), words_of("ordinals")


def _mark(tokens: tuple[Token, ...], start: int) -> Iterator[tuple[int, Meaning]]:
    """Match the name of a runemark, with or without its icon, before 'runemark' or another name."""
    index = start
    if index < len(tokens) and tokens[index].word.startswith("{"):
        index += 1
    words: list[str] = []
    for end in range(index, min(index + MAX_MARK_WORDS, len(tokens) - 1)):
        word = tokens[end].word
        if word in NO_MARK or not (word[0].isalpha() or word in (":", "'s")):
            return
        words.append(tokens[end].written)
        after = end + 1
        if tokens[after].word == "(":  # An icon that was lost: 'the Hero (#) runemark'.
            inside = [*takewhile(lambda token: token.word != ")", tokens[after + 1 :])]
            after += (
                len(inside) + 2 if all(len(each.word) == 1 and not each.kind for each in inside[:2]) else len(tokens)
            )
        if after < len(tokens) and tokens[after].word in AFTER_MARK:
            yield after, slugify(" ".join(filter(None, words)).replace(" 's", "s"))


def _role(tokens: tuple[Token, ...], start: int) -> Iterator[tuple[int, Meaning]]:
    word = tokens[start].word if start < len(tokens) else ""
    role = next((each for each in (word, word.removesuffix("s")) if each in ROLES - {"leader"}), "")
    if role:
        yield start + 1, role


def _title(tokens: tuple[Token, ...], start: int) -> Iterator[tuple[int, Meaning]]:
    """Match the quoted name of an ability, reaction, or battle trait: 'Walk The Spirit Paths' before 'ability'."""
    for end in range(start + 1, min(start + MAX_MARK_WORDS, len(tokens))):
        words = tokens[start:end]
        if not (words[0].is_capitalized and words[-1].is_capitalized):
            continue
        if tokens[end].word in ("ability", "reaction", "battle", "token", "without", "for"):
            yield end, " ".join(each.written.capitalize() if each.is_capitalized else each.written for each in words)


def _cry(tokens: tuple[Token, ...], start: int) -> Iterator[tuple[int, Meaning]]:
    """Match a few words before a colon that say nothing about a rule: 'the hunt is on:'."""
    for end in range(start, min(start + MAX_CRY_WORDS, len(tokens) - 1)):
        if not tokens[end].word.isalpha() or tokens[end].written in LIMITS | ORDINALS:
            return
        if tokens[end + 1].word == ":":
            yield end + 1, True


GRAMMAR = Grammar(
    *map(Path(__file__).with_name, TABLES),
    terminals={
        "mark": Terminal("", _mark),
        "role": Terminal("", _role),
        "cry": Terminal("", _cry),
        "title": Terminal("", _title),
    },
)
