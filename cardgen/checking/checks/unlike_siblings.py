"""A word or number that is probably a slip, since the other cards of its kind have almost the same.

Why is this bad?
    A race, faction, or tag with a typo counts as a different one, and a number with a zero too many or too few is
    always wrong. cardgen looks for words on only one card that resemble a word on three or more others, and for numbers
    ten times as high or low as usual, and five times beyond those of six or more others. It skips cards with three
    numbers beyond all others. If the difference is intentional, suppress the warning.

Example
    kind: relic
    cards:
      - {name: Sun Stone, tags: [lamplit], text: It shines.}
      - {name: Moon Stone, tags: [lamplit], text: It gleams.}
      - {name: Ash Bell, tags: [lamplit], text: It rings.}
      - {name: Elm Bell, tags: [lamplt], text: It hums.}  # CG137: 29

Use instead
    kind: relic
    cards:
      - {name: Sun Stone, tags: [lamplit], text: It shines.}
      - {name: Moon Stone, tags: [lamplit], text: It gleams.}
      - {name: Ash Bell, tags: [lamplit], text: It rings.}
      - {name: Elm Bell, tags: [lamplit], text: It hums.}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from pydantic.fields import FieldInfo

from cardgen.checking.check import CheckContext, CheckScope, Confidence, Finding
from cardgen.diagnostic import VERY_CLOSE_CUTOFF, Severity, closest
from cardgen.model.card import Card
from cardgen.model.card_values import is_number
from cardgen.source import KeyPath
from cardgen.validation.base import Model, Prose, annotation_parts, once_per_model

CODE, NAME = "CG137", "unlike-siblings"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = CheckScope

_IGNORED = frozenset({*Card.model_fields, "number"} - {"tags"})
# Letters of a word, the cards that have the other one, those that have a number, and how far it is beyond theirs.
_SHORTEST, _FEWEST_WORDS, _FEWEST_NUMBERS, _BEYOND = 5, 3, 6, 5
_MOST_WORDS = 4
# A card with that many numbers beyond those of all others is meant to be unlike them.
_PECULIAR = 3


def find(scope: CheckScope, context: CheckContext) -> Iterator[Finding]:
    """Yield the words and numbers of cards that are almost those of others."""
    for model in scope.own.models():
        if not model.HAS_RULES:
            continue
        mine = _of_kind(model, scope.own.facts((model,), compared_values))
        rows = [*mine, *_of_kind(model, scope.other_cards.facts((model,), compared_values))]
        said = _slips(rows, {pair for row in mine for pair in _pairs(row)})
        wanted = [row for row in mine if any((key, value) in said for key, value in _pairs(row))]
        for entry in scope.own.like((model,), compared_values, lambda: wanted) if wanted else ():  # noqa: B023
            row = compared_values(entry.card)
            is_meant = row in wanted and _is_peculiar(row, rows)
            for key, value in _pairs(row) if row in wanted else ():
                if (key, value) in said and not (is_meant and isinstance(value, float)):
                    message, advice = said[key, value]
                    route: KeyPath = tuple(int(step) if step.isdigit() else step for step in key.split("/"))
                    word = value if isinstance(value, str) else ""
                    yield Finding(message, route, advice, word=word, entry=entry)


def compared_values(card: Card) -> list[Any]:
    """Return the name of a card's model, and its words and numbers by key."""
    return [type(card).__qualname__, dict(_values(card))] if card.HAS_RULES else []


def _of_kind(model: type[Card], rows: Any) -> list[Any]:
    return [row for row in rows if row and row[0] == model.__qualname__]


def _pairs(row: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    for key, value in row[1].items():
        yield from ((key, each) for each in (value if isinstance(value, list) else [value]))


def _is_peculiar(row: Sequence[Any], rows: Sequence[Any]) -> bool:
    beyond = 0
    for key, value in row[1].items():
        others = [each[1][key] for each in rows if each != row and isinstance(each[1].get(key), float)]
        beyond += isinstance(value, float) and bool(others) and not min(others) <= value <= max(others)
    return beyond >= _PECULIAR


def _values(model: Model) -> Iterator[tuple[str, Any]]:
    for attribute, key, is_free in _compared_fields(type(model)):
        value = getattr(model, attribute)
        if isinstance(value, str):
            if is_free and value.count(" ") < _MOST_WORDS and not any(map(str.isdigit, value)):
                yield key, value
        elif is_number(value):
            yield key, float(value)
        elif attribute == "tags":
            yield key, [str(each) for each in value]
        elif isinstance(value, Model):
            yield from ((f"{key}/{name}", each) for name, each in _values(value) if isinstance(each, float))


@once_per_model
def _compared_fields(model: type[Model]) -> tuple[tuple[str, str, bool], ...]:
    """Return the attributes and keys of what not every card has of its own, and whether its words are free."""
    return tuple(
        (attribute, info.alias or attribute, any(isinstance(part, Prose) for part in _metadata(info)))
        for attribute, info in model.model_fields.items()
        if not (issubclass(model, Card) and attribute in _IGNORED)
    )


def _metadata(info: FieldInfo) -> tuple[object, ...]:
    return (*info.metadata, *annotation_parts(info.annotation))


def _slips(rows: Sequence[Any], asked: Container[tuple[str, Any]]) -> Mapping[tuple[str, Any], tuple[str, str]]:
    """Return what to say of those words and numbers that are `asked` for, by key and value."""
    by_key: dict[str, list[Any]] = {}
    for row in rows:
        for key, value in _pairs(row):
            by_key.setdefault(key, []).append(value)
    said = {}
    for key, values in by_key.items():
        counts = Counter(values)
        common = [value for value, count in counts.items() if isinstance(value, str) and count >= _FEWEST_WORDS]
        numbers = {value: count for value, count in counts.items() if isinstance(value, float) and value > 0}
        for value in [value for value, count in counts.items() if count == 1 and (key, value) in asked]:
            if isinstance(value, str) and len(value) >= _SHORTEST and common:
                if meant := closest(value, common, VERY_CLOSE_CUTOFF):
                    message = f"only this card has '{value}', and {counts[meant]} others have '{meant}'"
                    said[key, value] = message, f"write '{meant}'"
            elif value in numbers and (meant_number := _meant(value, numbers)):
                others = [each for each in numbers if each != value]
                range_ = f"{min(others):g} to {max(others):g}"
                message = f"'{key.replace('/', '.')}' is {value:g}, but all other cards have {range_}"
                said[key, value] = (
                    message,
                    f"write {meant_number:g} if a zero is {'too many' if value > meant_number else 'missing'}",
                )
    return said


def _meant(value: float, numbers: Mapping[float, int]) -> float:
    """Return the number that is ten times as low or high, if only that is like those of the others; otherwise 0."""
    if sum(numbers.values()) <= _FEWEST_NUMBERS:
        return 0
    low, high = min(each for each in numbers if each != value), max(each for each in numbers if each != value)
    if value >= _BEYOND * high and not value % 10 and low <= value / 10 <= high:
        return value / 10
    return value * 10 if value * _BEYOND <= low <= value * 10 <= high else 0
