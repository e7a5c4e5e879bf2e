"""A card whose numbers are beyond those of all cards of its cost.

Why is this bad?
    Whoever has the points takes this card, and nobody takes the others: each new card that is stronger for the same
    cost makes all earlier ones weaker.
    Compared are the numbers of a card, such as its characteristics and the best of its weapons, with those of five or
    more cards of the same kind that cost as much, or up to a fifth more. A card is reported if none of them is better
    in any number, and it is better than all of them in two or more. Texts and effects are not compared; if they make
    up for the numbers, say so in a comment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cardgen.checking.check import CheckContext, CheckScope, Confidence, Finding
from cardgen.diagnostic import Severity, join_words
from cardgen.model.card import Card, Entry
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
    own = [entry for entry in scope.cards if entry.card.HAS_RULES and _cost(entry.card)]
    for model in dict.fromkeys(type(entry.card) for entry in own):
        mine = [entry for entry in own if type(entry.card) is model]
        others = [entry for entry in scope.others_of_type(model) if type(entry.card) is model]
        costs = sorted(((_cost(entry.card), number, entry) for number, entry in enumerate((*mine, *others))))
        numbers = {id(entry): _numbers(entry.card) for _, _, entry in costs}
        for entry in mine if len(costs) > _FEWEST else ():
            yield from _compare(entry, [each for cost, _, each in costs if _is_rival(cost, entry, each)], numbers)


def _is_rival(cost: float, entry: Entry, other: Entry) -> bool:
    own = _cost(entry.card)
    return other is not entry and own <= cost <= own * _MOST


def _compare(entry: Entry, rivals: list[Entry], numbers: Mapping[int, Mapping[str, float]]) -> Iterator[Finding]:
    own, others = numbers[id(entry)], [numbers[id(each)] for each in rivals]
    if len(others) < _FEWEST or any(each.get(key, 0) > value for each in others for key, value in own.items()):
        return
    best = {key: max(each.get(key, 0) for each in others) for key in own}
    beyond = sorted((key for key in own if own[key] > best[key]), key=lambda key: best[key] / own[key])
    if len(beyond) >= _BEYOND and not any(each.keys() - own.keys() for each in others):
        shown = join_words([f"{key} {own[key]:g} (others up to {best[key]:g})" for key in beyond[:_SHOWN]], "and")
        message = f"no card of {len(others)} that cost as much is better in any number: {shown}"
        yield Finding(message, ("name",), help="raise its cost, or lower its numbers", entry=entry)


def _cost(card: Card) -> float:
    return cost_in(card) or 0.0


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
