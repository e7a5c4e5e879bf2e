"""A card whose numbers are beyond those of all cards of its cost.

Why is this bad?
    Players take this card, and nobody takes the others. It is either

    - better than five or more cards of its kind that cost as much, or up to a fifth more, or than all that cost as much
      or more, if they are three or more: none is better in any number, and it is better than all in two or more; or
    - far too cheap: it costs less than a third of what cards with such numbers cost. cardgen judges this only if there
      are at least eight other cards, and cards with higher numbers do cost more.

    cardgen does not compare texts and effects. If they make up for it, say so in a comment.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from statistics import StatisticsError, correlation, mean, median
from typing import Any, TypeAlias

from cardgen.checking.check import CheckContext, CheckScope, Confidence, Finding, OtherCards
from cardgen.diagnostic import Severity, join_words
from cardgen.model.card import Card
from cardgen.model.card_values import COST_KEYS, cost_in, is_number
from cardgen.validation.base import Model

CODE, NAME = "CG134", "beyond-its-cost"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.GUESS
LOOKS_AT = CheckScope

# Numbers that do not measure strength.
_IGNORED = frozenset({*Card.model_fields, *COST_KEYS, "number", "limit", "base", "height"})
_LEAST = re.compile(r"(?:^|[ _])min(?:_|$)")
# The cost of compared cards, as a multiple; how many they must be; and in how many numbers a card must be better.
_MOST, _FEWEST, _FEWEST_OF_ALL, _BEYOND = 1.2, 5, 3, 2
# Other cards that tell a cost, and how well its order is that of their numbers; the share of them that has a number;
# how far a number counts, and two cards are apart, as the logarithm of a multiple; the share of the cost that is too
# low; and cards to look at.
_TELLING, _ORDER, _COMMON, _FARTHEST, _APART, _CHEAP, _SAMPLE = 8, 0.6, 0.75, 1.0, 0.02, 1 / 3, 120
_SHOWN = 3
_DICE = re.compile(r"(\d{0,3})[dD](\d{1,3})([+-]\d{1,3})?|(\d{1,6})")

# The name of a card's model, its cost, and its other numbers by key.
_Row: TypeAlias = Sequence[Any]


def find(scope: CheckScope, context: CheckContext) -> Iterator[Finding]:
    """Yield each card that is beyond all cards of its cost, or costs far less than its numbers suggest."""
    for model in scope.own.models():
        mine = _of_kind(model, scope.own)
        rows = [*mine, *(_of_kind(model, scope.other_cards) if mine else ())]
        found = dict[int, str]()
        usual = _usual_cost(rows) if len(rows) > _TELLING else None
        for number, (_, cost, numbers) in enumerate(mine if len(rows) > _FEWEST_OF_ALL else ()):
            rivals = [(its, theirs) for at, (_, its, theirs) in enumerate(rows) if at != number and cost <= its]
            if message := _beyond(cost, numbers, rivals) or (usual.too_cheap(cost, numbers) if usual else ""):
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
    return [type(card).__qualname__, cost, numbers_of(card)] if cost else []


def _beyond(cost: float, own: Mapping[str, float], others: Sequence[tuple[float, Mapping[str, float]]]) -> str:
    """Return how numbers are beyond those of others that cost as much or more, or ''."""
    comparable = [each for each in others if not each[1].keys() - own.keys()]
    near = [theirs for its, theirs in comparable if its <= cost * _MOST]
    rivals = near if len(near) >= _FEWEST else [theirs for _, theirs in comparable]
    if (
        len(rivals) < _FEWEST_OF_ALL
        or 2 * len(comparable) < len(others)
        or any(each.get(key, 0) > value for each in rivals for key, value in own.items())
    ):
        return ""
    best = {key: max(each.get(key, 0) for each in rivals) for key in own}
    beyond = sorted((key for key in own if own[key] > best[key]), key=lambda key: best[key] / own[key])
    if len(beyond) < _BEYOND:
        return ""
    shown = join_words([f"{key} {own[key]:g} (others up to {best[key]:g})" for key in beyond[:_SHOWN]], "and")
    as_much = "as much" if rivals is near else "as much or more"
    return f"no card of {len(rivals)} that cost {as_much} is better in any number: {shown}"


class _UsualCost:
    """What cards cost by their numbers: the logarithm of a cost grows evenly with the mean logarithm of the numbers."""

    def __init__(self, means: Mapping[str, float], cards: int) -> None:
        self._means, self._cards = means, cards
        self.growth, self.start = 0.0, 0.0

    def strength(self, numbers: Mapping[str, float]) -> float:
        """Return the mean logarithm of numbers as multiples of the usual ones; none counts more than e times."""
        parts = (math.log(max(numbers.get(key, 0), 0.05 * usual) / usual) for key, usual in self._means.items())
        return mean(max(-_FARTHEST, min(_FARTHEST, each)) for each in parts)

    def too_cheap(self, cost: float, numbers: Mapping[str, float]) -> str:
        """Return why a cost is too low, or ''."""
        usual = math.exp(self.start + self.growth * self.strength(numbers))
        if cost >= usual * _CHEAP:
            return ""
        return f"it costs {cost:g}, and by its numbers about {usual:.0f}, as {self._cards} other cards do"


def _usual_cost(rows: Sequence[_Row]) -> _UsualCost | None:
    """Return what cards cost by their numbers; None if that is not known.

    Medians decide, which a few unusual cards do not change.
    """
    rows = sorted(rows, key=lambda row: row[1])
    rows = [rows[at] for at in range(0, len(rows), 1 + len(rows) // _SAMPLE)]
    keys = sorted({key for row in rows for key in row[2]})
    values = {key: [row[2].get(key, 0.0) for row in rows] for key in keys}
    means = {
        key: mean(each)
        for key, each in values.items()
        if sum(number > 0 for number in each) >= _COMMON * len(rows) and len({*each}) > 1
    }
    if len(means) < _BEYOND:
        return None
    usual = _UsualCost(means, len(rows) - 1)
    points = [(usual.strength(numbers), math.log(cost)) for _, cost, numbers in rows]
    slopes = [(y2 - y1) / (x2 - x1) for (x1, y1), (x2, y2) in combinations(points, 2) if abs(x2 - x1) > _APART]
    usual.growth = median(slopes) if slopes else 0.0
    usual.start = median(y - usual.growth * x for x, y in points)
    # The most unusual card, which can be the one with the mistake, says nothing about the others.
    points.sort(key=lambda point: abs(point[1] - usual.start - usual.growth * point[0]))
    try:
        order = correlation(*map(_ranks, zip(*points[:-1], strict=True)))
    except StatisticsError:  # all are the same
        return None
    return usual if order >= _ORDER else None


def _ranks(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    return [ordered.index(each) + ordered.count(each) / 2 for each in values]


def numbers_of(value: object, key: str = "") -> dict[str, float]:
    """Return the numbers of a card or part by key; of dice, the mean, and of the items of a list, the largest."""
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
    elif isinstance(value, str) and (dice := _DICE.fullmatch(value)):
        count, sides, added, plain = dice.groups()
        return {key: float(plain) if plain else int(count or 1) * (int(sides) + 1) / 2 + int(added or 0)}
    for name, each in items:
        if _LEAST.search(name):
            continue  # A least range is a drawback.
        for path, number in numbers_of(each, f"{key} {name}".strip() if name else key).items():
            found[path] = max(number, found.get(path, number))
    return found
