"""The fields by which visitors of the page filter and sort cards, and the values of cards in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from cardgen.deck.deck import kind_title, rules_of
from cardgen.model.card import Card, Entry
from cardgen.model.card_values import is_number
from cardgen.model.deck import find_links
from cardgen.model.left_out import StandIn
from cardgen.source import KeyPath
from cardgen.text.captions import Captions
from cardgen.text.lines import choice_label
from cardgen.validation.base import Aspect, Model, annotation_parts

# What a field is: words to choose from, a number with a range, or a yes or no.
CHOICE, NUMBER, FLAG = "choice", "number", "flag"
Words: TypeAlias = tuple[str, ...]
Value: TypeAlias = Words | float | bool

# The keys of values that cards do not have.
KIND, GAME, CHANGE, COST = "kind", "game", "since", "its cost"
_ENGLISH = Captions()
# Keys of every card that visitors do not ask for: they are shown already, or are meant for authors and printing.
_UNSHOWN = frozenset(
    {
        "name",
        "id",
        "formerly",
        "draft",
        "text",
        "art",
        "blazon",
        "back",
        "template",
        "theme",
        "language",
        "size",
        "motto",
    }
    | {"note"}
)
# Longer words are texts, and more choices than this are names: both are found by searching.
_LONGEST_WORD, _FEWEST_CHOICES, _MOST_CHOICES = 40, 2, 60
_ID = re.compile(r"[a-z0-9]+([_-][a-z0-9]+)*")
# Words that names do not capitalize.
_SMALL_WORDS = frozenset({"a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"})
_COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}")


class Fact(NamedTuple):
    """A value of a card: its key, such as 'stats.wounds', the labels that lead to it, and what it is."""

    key: str
    labels: tuple[str, ...]
    value: Value

    @property
    def sort(self) -> str:
        """CHOICE, NUMBER, or FLAG."""
        return CHOICE if isinstance(self.value, tuple) else FLAG if isinstance(self.value, bool) else NUMBER


class Field(NamedTuple):
    """A field of the page; `choices` are the words that the cards have in it, in alphabetical order."""

    key: str
    label: str
    sort: str
    choices: tuple[str, ...] = ()


def value_text(value: Value, captions: Captions = _ENGLISH) -> str:
    """Return a value as people read it."""
    if isinstance(value, bool):
        word = captions.name("yes" if value else "no")
        return word[:1].upper() + word[1:]
    return ", ".join(value) if isinstance(value, tuple) else captions.number(f"{value:.10g}")


def facts_of(entry: Entry, captions: Captions = _ENGLISH) -> Iterator[Fact]:
    """Yield the values of a card that visitors can read and filter by, in the order of its keys;
    those that all cards have come last.

    Cards that it names have their names. Parts in lists, such as weapons, have only the names of the parts.
    """
    names = {
        link.key_path: linked.card.name
        for link in find_links(entry.card)
        if (linked := entry.links.get((link.kind, link.name)))
    }
    word = captions.page_word
    yield Fact(GAME, (word("Game"),), (rules_of(entry).name,))
    yield Fact(KIND, (word("Kind"),), (choice_label(captions.name(kind_title(entry))),))
    if not isinstance(entry.card, StandIn):
        for each in _facts_below(entry.card, (), (), names):
            yield each._replace(
                labels=tuple(word("Copies") if label == "Copies" else captions.name(label) for label in each.labels)
            )


def _facts_below(model: Model, path: KeyPath, labels: tuple[str, ...], names: Mapping[KeyPath, str]) -> Iterator[Fact]:
    fields = type(model).model_fields
    for attribute, info in sorted(fields.items(), key=lambda field: not path and field[0] in Card.model_fields):
        key = info.alias or attribute
        is_shown = path or key not in _UNSHOWN
        if is_shown and Aspect.LOOKS not in (*info.metadata, *annotation_parts(info.annotation)):
            label = "Copies" if not path and key == "qty" else info.title or choice_label(key)
            yield from _facts(getattr(model, attribute), (*path, key), (*labels, label), names)


def _facts(value: object, path: KeyPath, labels: tuple[str, ...], names: Mapping[KeyPath, str]) -> Iterator[Fact]:
    """Yield the fact of a value, or those of its parts."""
    key = ".".join(map(str, path))
    if isinstance(value, bool):
        yield Fact(key, labels, value)
    elif is_number(value):
        yield Fact(key, labels, float(value))  # type: ignore[arg-type]
    elif isinstance(value, Model):
        yield from _facts_below(value, path, labels, names)
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield from _facts(each, (*path, str(name)), (*labels, choice_label(str(name))), names)
    elif isinstance(value, str | tuple | list):
        items = [value] if isinstance(value, str) else value
        paths = [path] if isinstance(value, str) else [(*path, number) for number in range(len(items))]
        words = (names.get(at) or _word(each) for at, each in zip(paths, items, strict=True))
        found = tuple(dict.fromkeys(filter(None, words)))
        if found:
            yield Fact(key, labels, found)


def _word(item: object) -> str:
    """Return an item as a word to choose: itself, or the name of a part; '' for a long text or a color."""
    name = getattr(item, "name", None) if isinstance(item, Model) else item
    if not isinstance(name, str) or len(name) > _LONGEST_WORD or "\n" in name or _COLOUR.fullmatch(name):
        return ""
    return choice_label(name_of_id(name)) if _ID.fullmatch(name) else name


def name_of_id(text: str) -> str:
    """Return words with hyphens as a name: 'Scions of the Flame' for 'scions-of-the-flame'."""
    words = text.split("-")
    return " ".join(word if word in _SMALL_WORDS and number else word.capitalize() for number, word in enumerate(words))


def fields_of(cards: Sequence[Sequence[Fact]], captions: Captions = _ENGLISH) -> list[Field]:
    """Return the fields by which the cards differ, in the order in which they first occur.

    A field is left out if all values are the same, if its words are different on every card, and if there are
    more of them than a list can show. Numbers of a part with nothing else, such as characteristics, have their own
    labels, and other values of parts also that of the part.
    """
    values: dict[tuple[str, str], list[Value]] = {}
    labels: dict[tuple[str, str], tuple[str, ...]] = {}
    for facts in cards:
        for fact in facts:
            values.setdefault((fact.key, fact.sort), []).append(fact.value)
            labels.setdefault((fact.key, fact.sort), fact.labels)
    found = {key: _choices(*key, each) for key, each in values.items()}
    useful = {key: words for key, words in found.items() if words is not None}
    inside = {key for key in useful if "." in key[0]}
    mixed = {_part_of(key) for key, sort in inside if sort != NUMBER}
    names = {
        key: " ".join(labels[key] if captions.language else (labels[key][0], *map(str.lower, labels[key][1:])))
        if _part_of(key[0]) in mixed
        else labels[key][-1]
        for key in useful
    }
    same = Counter(names.values())
    return [
        Field(key[0], names[key] if same[names[key]] == 1 else " ".join(labels[key]), key[1], words)
        for key, words in useful.items()
    ]


def _part_of(key: str) -> str:
    """Return the key of the part of a card that a value is in: 'stats' for 'stats.wounds', or ''."""
    return key.rpartition(".")[0]


def _choices(key: str, sort: str, values: Sequence[Value]) -> tuple[str, ...] | None:
    """Return the words of a field in alphabetical order, none for other fields; None if it is of no use."""
    distinct = set(values)
    if sort != CHOICE:
        return () if len(distinct) > 1 else None
    words = Counter(word for value in values for word in _words(value))
    are_names = key not in (KIND, GAME, CHANGE) and max(words.values()) < 2
    if not _FEWEST_CHOICES <= len(words) <= _MOST_CHOICES or are_names:
        return None
    return tuple(sorted(words, key=lambda word: (natural_key(word), word)))


def _words(value: Value) -> Words:
    return value if isinstance(value, tuple) else ()


def number_in(key: str | None, facts: Iterable[Fact]) -> float | None:
    """Return the number of a card with a key, or None."""
    found = (each.value for each in facts if each.key == key and each.sort == NUMBER)
    return next((value for value in found if isinstance(value, float)), None)


def words_of(field: Field, facts: Iterable[Fact]) -> Words:
    """Return the words of a card in a field, none if it has no such field."""
    return next((_words(each.value) for each in facts if (each.key, each.sort) == (field.key, CHOICE)), ())


# Python reads no numbers of thousands of digits.
_MOST_DIGITS = 30


def natural_key(text: str) -> list[tuple[int, int, str]]:
    """Return a sort key in which '10 mm' follows '9 mm', and case does not count."""
    parts = re.split(r"(\d+)", text.casefold())
    return [(0, int(part[:_MOST_DIGITS]), "") if part.isdecimal() else (1, 0, part) for part in parts if part]


def column(field: Field, facts: Iterable[Fact]) -> object:
    """Return the value of a card in a field as the script reads it; None if the card has none.

    Words are the numbers of the choices.
    """
    value = next((each.value for each in facts if (each.key, each.sort) == (field.key, field.sort)), None)
    if isinstance(value, tuple):
        return [field.choices.index(word) for word in value if word in field.choices]
    return int(value) if isinstance(value, float) and value.is_integer() else value
