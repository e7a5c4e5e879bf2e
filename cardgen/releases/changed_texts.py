"""What the texts of cards no longer say of their data, or of whom, since a branch changed one of both."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from cardgen.checking.locate import LocatedFinding
from cardgen.deck.deck import load_reader, rules_of
from cardgen.diagnostic import Code, Severity
from cardgen.grammar.reading import Level, TextReader
from cardgen.model.card import Card, Entry
from cardgen.releases.branch_findings import Branch
from cardgen.releases.earlier_values import ValueChange, undone
from cardgen.rulesets.phrases import NUMBER_WORDS
from cardgen.validation.base import Model

# Texts without rules.
_NO_RULES = frozenset({"name", "motto", "credit", "note"})
# Words of which each says of the other side what its neighbor says of one.
_SIDES = (
    "friend enemy, friends enemies, friendly enemy, ally enemy, allies enemies, own enemy, bearer target, "
    "bearer attacker, bearer enemies, friends target, self enemy, attacker defender, red blue"
)
# The same for everything else, which changes alone only if a text or the data was forgotten.
_OPPOSITES = (
    "north south, east west, left right, more fewer, more less, most least, highest lowest, higher lower, first last, "
    "before after, within beyond, within outside, inside outside, above below, always never, may cannot, can cannot, "
    "must cannot, gain lose, gains loses, adds subtracts, add subtract, melee missile, melee ranged, heal damage, "
    "hit miss, passed failed, passes fails, over within, most least, attacking attacked, damaging damaged, start end, "
    "begins ends, beginning end, with without, up down"
)
_TOKEN = re.compile(r"[+\-−]\d+|[A-Za-z]+|\d+|\S")
# Words of a value of data, and changes of a card that are a slip; words of a sentence that are.
_MOST_WORDS, _FEW_CHANGES, _FEW_WORDS, _ALIKE = 4, 2, 2, 0.8
# The letters that a word must have to be compared by its beginning.
_STEM = 4
# Keys of values that no text is about.
_NOT_SAID = frozenset({*_NO_RULES, "id", "formerly", "tags", "art", "kind", "template", "theme", "back", "game"})
# Words of sentences, which keys of data have, too, and say nothing of.
_PLAIN_WORDS = (
    "when then than with from that this they them their there have each every some into onto your until while which "
    "after before name text side cost only also once must will does were over range scores score"
)
_PLAIN = frozenset({*_PLAIN_WORDS.split(), *NUMBER_WORDS})
# Words of a text that limit what the rules of a game fix, besides numbers.
_LIMITS = re.compile(
    rf"\d+|{'|'.join(NUMBER_WORDS[1:])}|first|second|third|fourth|fifth|sixth|half|quarter|once|twice|more|less|fewer|than|or"
    r"|at|most|least|over|under|above|below|exactly|double|up|to|of|a|an|the|every|each|any"
)
_BARE = frozenset({"at", "up", "to", "of", "a", "an", "the", "or"})
# A letter of a map in a text, unless it is an article or a pronoun.
_MARK = re.compile(r"(?:(?:^|[.!?:]\s+)A\s+[a-z]|(?<![\w'’-])(I|(?P<mark>[A-Z]))(?![\w'’-]))")
# How many things a text counts: 'three sacks (A)'.
_COUNT = re.compile(
    rf"\b(?P<n>\d{{1,2}}|{'|'.join(NUMBER_WORDS[1:])})\s+(?:[a-z]+\s+)??(?P<noun>[a-z]+)(?:\s+\((?P<mark>[A-Z])\))?",
    re.IGNORECASE,
)


def _pairs(words: str) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair.split()) for pair in words.split(", "))


_OF_SIDES = _pairs(_SIDES)
_TURNED = _OF_SIDES | _pairs(_OPPOSITES)


def texts_of_rules(value: object) -> Iterator[str]:
    """Yield the rules texts of a card or part: those with spaces, and the names of what maps explain."""
    if isinstance(value, str) and " " in value.strip():
        yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            if isinstance(each, str):
                yield str(key)
            yield from texts_of_rules(each)
    elif isinstance(value, Model):
        for name, each in value.__dict__.items():
            yield from texts_of_rules(each) if name not in _NO_RULES else ()
    elif isinstance(value, tuple | list):
        for each in value:
            if not isinstance(each, str):
                yield from texts_of_rules(each)


class ChangedTexts:
    """The cards that were changed, and what their texts and data said of each other on the base."""

    def __init__(self, branch: Branch, found: Iterable[LocatedFinding]) -> None:
        self._branch, self._earlier = branch, branch.earlier
        found = [*found]
        self._noted = {branch.earlier.card_of(each.diagnostic.place) for each in found}
        self._told = {
            branch.earlier.card_of(each.diagnostic.place)
            for each in found
            if each.diagnostic.severity is not Severity.NOTE
        }

    def findings(self) -> Iterator[LocatedFinding]:
        """Yield what was changed on one side only, of the cards of which nothing else is found."""
        before, now = self._branch.cards
        readers = dict[str, TextReader | None]()
        for key, entry in now.items():
            old = before.get(key)
            name = entry.place(("name",))
            if not old or old.card == entry.card or self._earlier.card_of(name) in self._told:
                continue
            if key[0] not in readers:
                readers[key[0]] = load_reader(rules_of(entry))
            changes = self._earlier.changes_at(name)
            for change, message in _contradicted(old.card, entry, changes):
                yield self._branch.odd(message, change.at, "change the other one, too")
                break
            else:
                if self._earlier.card_of(name) not in self._noted:
                    yield from self._odd(readers[key[0]], old.card, entry, changes)

    def _odd(
        self, reader: TextReader | None, old: Card, entry: Entry, changes: Sequence[ValueChange]
    ) -> Iterator[LocatedFinding]:
        """Yield what is merely odd about the changes of a card."""
        found = (
            *_turned(old, entry, changes),
            *_limited(old, entry, changes),
            *_unread(reader, old, entry, changes),
            *_unmarked(old, entry, changes),
            *_miscounted(old, entry, changes),
        )
        for change, message in {change: message for message, change in reversed(found)}.items():
            advice = undone(change) or "if the change is intentional, keep it"
            told = self._branch.finding(Code.ODD_CHANGE, message, change.at, advice, Severity.NOTE)
            yield self._branch.explained(told) if change.old and change.new else told


def _turned(old: Card, entry: Entry, changes: Sequence[ValueChange]) -> Iterator[tuple[str, ValueChange]]:
    """Yield the words that are the opposite of what they were, if the data or the text stayed as it was."""
    if not 0 < len(changes) <= _FEW_CHANGES:
        return
    has_text = any(True for _ in texts_of_rules(entry.card))
    texts = {text for card in (old, entry.card) for text in texts_of_rules(card)}
    of_text = [each for each in changes if _is_text(each, texts)]
    if 0 < len(of_text) < len(changes):
        return
    for each in changes:
        pair = _only_replaced(each.old, each.new)
        if pair is None:
            continue
        numbers = (
            [word.lstrip("+-−") for word in pair] if pair[0][0] == pair[1][0] or pair[0][0].isdecimal() else [*pair]
        )
        is_only = len(changes) == 1 or of_text or has_text
        rest = "its data" if of_text else "its text" if has_text else "the rest of it"
        if _is_sign(*pair) or frozenset(pair) in (_TURNED if is_only else _OF_SIDES):
            yield f"'{pair[1]}' is the opposite of '{pair[0]}' before, and {rest} has not changed", each
        elif len(changes) == 1 and all(map(str.isdecimal, numbers)) and _is_digit_off(*map(int, numbers)):
            yield f"'{pair[1]}' was '{pair[0]}' before, and {rest} has not changed", each


def _contradicted(old: Card, entry: Entry, changes: Sequence[ValueChange]) -> Iterator[tuple[ValueChange, str]]:
    """Yield the only change of a card if its text and its data shared the word that became another one."""
    pair = _only_replaced(changes[0].old, changes[0].new) if len(changes) == 1 else None
    if pair is None or changes[0].key in _NOT_SAID or _PLAIN.intersection(pair):
        return
    if not all(map(str.isalpha, pair)) or len(pair[0]) < _STEM:
        return
    was, word = pair
    texts, texts_now = ([*texts_of_rules(card)] for card in (old, entry.card))
    data = _words_of_data(old)
    if texts == texts_now:
        said = {each.casefold() for text in texts for each in _TOKEN.findall(text)}
        if data != _words_of_data(entry.card) and (still := _shared(was, said)) and not _shared(word, said):
            yield changes[0], f"'{word}' was '{was}' before, and the text still says '{still}'"
    elif data == _words_of_data(entry.card) and (still := _shared(was, data)) and not _shared(word, data):
        left = {each for text in texts_now for each in re.findall(r"[a-z]+", text.casefold())}
        if not _shared(was, left):
            yield changes[0], f"the text says '{word}' instead of '{was}', and the data still has '{still}'"


def _shared(word: str, others: Iterable[str]) -> str:
    """Return the word that is the same as another one, or the beginning of one, or begins with it; or ''."""
    same = (each for each in others if len(each) >= _STEM and (each.startswith(word) or word.startswith(each)))
    return min(same, key=lambda each: (abs(len(each) - len(word)), each), default="")


def _words_of_data(thing: object) -> frozenset[str]:
    """Return the words of the data of a card or part: its values, and the keys of those that it has."""
    if isinstance(thing, Model):
        parts = {name: each for name, each in thing.__dict__.items() if name not in (*_NOT_SAID, "text")}
        return frozenset().union(
            *(
                _words_of_data(each) | _words_of_data(name)
                for name, each in parts.items()
                if name in thing.model_fields_set and each
            )
        )
    if isinstance(thing, Mapping):
        return frozenset().union(*(_words_of_data(str(each)) for pair in thing.items() for each in pair))
    if isinstance(thing, tuple | list):
        return frozenset().union(*map(_words_of_data, thing))
    is_text = isinstance(thing, str) and len(thing.split()) > _MOST_WORDS
    return frozenset(re.findall(r"[a-z]+", thing.casefold())) if isinstance(thing, str) and not is_text else frozenset()


def _limited(old: Card, entry: Entry, changes: Sequence[ValueChange]) -> Iterator[tuple[str, ValueChange]]:
    """Yield the number or comparison that alone was changed in a reference of the rules."""
    if not isinstance(getattr(entry.card, "rows", None), tuple) or len(changes) != 1 or changes[0].key in _NO_RULES:
        return
    words, others = ([word.casefold() for word in _TOKEN.findall(text)] for text in changes[0][:2])
    codes = SequenceMatcher(None, words, others, autojunk=False).get_opcodes()
    gone, added = (
        [word for tag, *at in codes if tag != "equal" for word in of[slice(*at[first : first + 2])]]
        for of, first in ((words, 0), (others, 2))
    )
    if all(map(_LIMITS.fullmatch, (*gone, *added))) and {*gone, *added} - _BARE:
        was, now = (" ".join(each) or "nothing" for each in (gone, added))
        yield f"'{now}' was '{was}' before in a text that says what the rules are", changes[0]


def _is_text(change: ValueChange, texts: Iterable[str]) -> bool:
    value = (change.new.partition(": ")[2] or change.new).strip(" '\"")
    words = value.split()
    return len(words) > _MOST_WORDS or "…" in words or (len(words) > 1 and any(value in text for text in texts))


def _only_replaced(old: str, new: str) -> tuple[str, str] | None:
    """Return the one word that was replaced in a value by another, in small letters."""
    words, others = ([word.casefold() for word in _TOKEN.findall(text)] for text in (old, new))
    if len(words) != len(others):
        return None
    pairs = {(one, other) for one, other in zip(words, others, strict=True) if one != other}
    return pairs.pop() if len(pairs) == 1 else None


def _is_sign(one: str, other: str) -> bool:
    signs = {one[:1], other[:1]}
    return one[1:] == other[1:] != "" and "+" in signs and bool(signs & {"-", "−"})


def _is_digit_off(was: int, now: int) -> bool:
    """Return whether a number has a digit too many or too few."""
    one, other = sorted((str(was), str(now)), key=len)
    return len(other) == len(one) + 1 and min(was, now) > 0 and (other.startswith(one) or other.endswith(one))


def _unread(
    reader: TextReader | None, old: Card, entry: Entry, changes: Sequence[ValueChange]
) -> Iterator[tuple[str, ValueChange]]:
    """Yield the sentences that differ in a word from one that was read, and are not read any more."""
    before, now = (_sentences(reader, card) if reader else {} for card in (old, entry.card))
    read = [text for text, level in before.items() if level is not Level.UNREAD and text not in now]
    for text, level in now.items():
        if level is Level.UNREAD and text not in before and any(_is_slip(one, text) for one in read):
            change = next((each for each in changes if each.new and _meets(each.new, text)), None)
            if change:
                yield "this sentence was read before this branch, and is not read any more", change


def _sentences(reader: TextReader, thing: object) -> dict[str, Level]:
    """Return the sentences of a card and its parts, and how each was read."""
    found = dict[str, Level]()
    if isinstance(thing, Model):
        text = getattr(thing, "text", None)
        if isinstance(text, str):
            found |= {each.text: each.level for each in reader.read(thing, text)}
        parts: Iterable[object] = thing.__dict__.values()
    elif isinstance(thing, tuple | list):
        parts = thing
    else:
        parts = ()
    for part in parts:
        found |= _sentences(reader, part)
    return found


def _is_slip(one: str, other: str) -> bool:
    words, others = one.split(), other.split()
    alike = SequenceMatcher(None, words, others, autojunk=False)
    differ = max(len(words), len(others)) - sum(block.size for block in alike.get_matching_blocks())
    return differ < _FEW_WORDS and alike.ratio() >= _ALIKE


def _meets(changed: str, text: str) -> bool:
    """Return whether a part of a line and a sentence, which can go over several lines, have words in common."""
    return any(word in text for word in changed.split() if len(word) > 1)


def _unmarked(old: Card, entry: Entry, changes: Sequence[ValueChange]) -> Iterator[tuple[str, ValueChange]]:
    """Yield the letters that a text names, and the map does not have, since one of both was changed."""
    (before, letters_before), (now, letters) = ((_marks(card), _letters(card)) for card in (old, entry.card))
    if not before & letters_before:
        return
    for letter in sorted(letters - now):
        if letter in before or letter not in letters_before:
            message = f"a text of '{entry.card.name}' refers to '{letter}', but nothing on the card has that letter"
            yield from _at_first(message, changes, letter)
    for letter in sorted((now & letters_before) - letters):
        yield from _at_first(f"no text of '{entry.card.name}' refers to '{letter}' any more", changes, letter)


def _at_first(message: str, changes: Sequence[ValueChange], word: str) -> Iterator[tuple[str, ValueChange]]:
    pattern = re.compile(rf"\b{re.escape(word)}\b")
    named = [each for each in changes if pattern.search(each.new) or pattern.search(each.old)]
    yield from ((message, each) for each in named[:1])


def _letters(card: Card) -> set[str]:
    """Return the letters that the texts of a card name."""
    found = set[str]()
    for text in texts_of_rules(card):
        found |= {each["mark"] for each in _MARK.finditer(text) if each["mark"]}
    return found


def _marks(value: Any) -> set[str]:
    """Return the letters that things of a card are marked with."""
    return {letter for things in _lists(value) for each in things for letter in [_mark(each)] if letter}


def _mark(thing: object) -> str:
    mark = getattr(thing, "mark", None)
    return mark if isinstance(mark, str) and len(mark) == 1 and mark.isupper() else ""


def _lists(value: object, key: str = "") -> Iterator[_Things]:
    """Yield the lists of parts that a card has, at any depth."""
    if isinstance(value, Model):
        for name, each in value.__dict__.items():
            yield from _lists(each, name)
    elif isinstance(value, tuple | list) and value and all(isinstance(each, Model) for each in value):
        yield _Things(key, value)
        for each in value:
            yield from _lists(each, key)


class _Things(tuple[Model, ...]):
    """The parts in a list, and its key."""

    key: str

    def __new__(cls, key: str, things: Iterable[Model]) -> _Things:
        made = super().__new__(cls, things)
        made.key = key
        return made


def _miscounted(old: Card, entry: Entry, changes: Sequence[ValueChange]) -> Iterator[tuple[str, ValueChange]]:
    """Yield the numbers of things that a text and the data agreed on, and do not any more."""
    there, here = _counted(old), _counted(entry.card)
    said_there, said_here = _said(old), _said(entry.card)
    for thing, (number, _) in said_there.items():
        now, phrase = said_here.get(thing, (here[thing], ""))
        if number == there[thing] and now != here[thing]:
            message = f"a text of '{entry.card.name}' says '{phrase}', and there are {here[thing]}"
            yield from ((message, each) for each in _of_count(changes, thing, number, now)[:1])


def _of_count(changes: Sequence[ValueChange], thing: str, number: int, now: int) -> Sequence[ValueChange]:
    """Return the changes of a number in a text, or of the things."""
    if number == now:
        return [each for each in changes if re.search(rf"\b{thing}", f"{each.old} {each.new}", re.I)] or changes
    words = {str(now), NUMBER_WORDS[now] if now < len(NUMBER_WORDS) else ""} - {""}
    return [each for each in changes if words & set(re.findall(r"\w+", each.new.casefold()))] or changes


def _said(card: Card) -> dict[str, tuple[int, str]]:
    """Return how many of each thing the texts of a card name, and how, by its letter or the stem of its word."""
    found = dict[str, tuple[int, str]]()
    for text in texts_of_rules(card):
        for match in _COUNT.finditer(text):
            word = match["n"].casefold()
            number = int(word) if word.isdecimal() else NUMBER_WORDS.index(word)
            for thing in filter(None, (match["mark"], _stem(match["noun"]))):
                if number > 1:
                    found.setdefault(thing, (number, match[0]))
    return found


def _counted(card: Card) -> Counter[str]:
    """Return how many of each thing there are in the data of a card, by letter and by the stems of words."""
    found = Counter[str]()
    for things in _lists(card):
        own = Counter({_stem(things.key): len(things)})
        for each in things:
            name = getattr(each, "name", None)
            own.update({_mark(each), *(map(_stem, name.split()) if isinstance(name, str) else ())} - {""})
        found |= own
    return found


def _stem(word: str) -> str:
    return word.casefold().removesuffix("s")
