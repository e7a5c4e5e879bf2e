"""A card whose numbers are beyond those of all cards of its cost.

Why is this bad?
    Whoever has the points takes this card, and nobody takes the others.
    Of five or more cards of its kind that cost as much, or up to a fifth more, none is better in any number, and it is
    better than all in two or more. Texts and effects are not compared; if they make up for it, say so in a comment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cardgen.checking.check import CheckContext, CheckScope, Confidence, Finding, OtherCards
from cardgen.diagnostic import Severity, join_words
from cardgen.model.card import Card
from cardgen.model.card_values import COST_KEYS, cost_in, is_number
from cardgen.validation.base import Model

CODE, NAME = "CG134", "beyond-its-cost"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.GUESS
LOOKS_AT = CheckScope

_IGNORED = frozenset({*Card.model_fields, *COST_KEYS, "number"})
# The cost of compared cards, as a multiple; how many they must be; and in how many numbers a card must be better.
_MOST, _FEWEST, _BEYOND = 1.2, 5, 2
_SHOWN = 3


def find(scope: CheckScope, context: CheckContext) -> Iterator[Finding]:
    """Yield each card that is beyond all cards of its cost."""
    for model in scope.own.models():
        mine = _of_kind(model, scope.own)
        rows = [*mine, *(_of_kind(model, scope.other_cards) if mine else ())]
        found = dict[int, str]()
        for number, (_, cost, numbers) in enumerate(mine if len(rows) > _FEWEST else ()):
            rivals = [
                theirs for other, (_, its, theirs) in enumerate(rows) if other != number and cost <= its <= cost * _MOST
            ]
            if message := _beyond(numbers, rivals):
                found[number] = message
        wanted = [mine[number] for number in found]
        for entry in scope.own.like((model,), compared_numbers, lambda: wanted) if found else ():  # noqa: B023
            row = compared_numbers(entry.card)
            if row in wanted:
                message = found[mine.index(row)]
                yield Finding(message, ("name",), help="raise its cost, or lower its numbers", entry=entry)


def _of_kind(model: type[Card], cards: OtherCards) -> list[Any]:
    """Return what is compared of the cards that have a cost, and this very model."""
    rows = cards.facts((model,), compared_numbers) if model.HAS_RULES else ()
    return [row for row in rows if row and row[0] == model.__qualname__]


def compared_numbers(card: Card) -> list[Any]:
    """Return the name of a card's model, its cost, and its other numbers by key; [] for a card without a cost."""
    cost = cost_in(card) if card.HAS_RULES else None
    return [type(card).__qualname__, cost, _numbers(card)] if cost else []


def _beyond(own: Mapping[str, float], others: Sequence[Mapping[str, float]]) -> str:
    """Return how numbers are beyond those of others, or ''."""
    if len(others) < _FEWEST or any(each.get(key, 0) > value for each in others for key, value in own.items()):
        return ""
    best = {key: max(each.get(key, 0) for each in others) for key in own}
    beyond = sorted((key for key in own if own[key] > best[key]), key=lambda key: best[key] / own[key])
    if len(beyond) < _BEYOND or any(each.keys() - own.keys() for each in others):
        return ""
    shown = join_words([f"{key} {own[key]:g} (others up to {best[key]:g})" for key in beyond[:_SHOWN]], "and")
    return f"no card of {len(others)} that cost as much is better in any number: {shown}"


def _numbers(value: object, key: str = "") -> dict[str, float]:
    """Return the numbers of a card or part by key; of the items of a list, the largest."""
    found: dict[str, float] = {}
    items: list[tuple[str, object]] = []
    if isinstance(value, Model):
        ignored = _IGNORED if isinstance(value, Card) else frozenset[str]()
        items = [(name, each) for name, each in value.__dict__.items() if name not in ignored]
    elif isinstance(value, Mapping):
        items = [(str(name), each) for name, each in value.items()]
    elif isinstance(value, tuple | list):
        items = [("", each) for each in value]
    elif is_number(value):
        return {key: float(value)}  # type: ignore[arg-type]
    for name, each in items:
        for path, number in _numbers(each, f"{key} {name}".strip() if name else key).items():
            found[path] = max(number, found.get(path, number))
    return found
