"""Changes of single numbers that bring a card into the band, found with its real duels."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, fsum
from typing import Any, NamedTuple, TypeAlias

from pydantic import ValidationError

from cardgen.pipeline.referee.balance.arena import Arena, ScoreRows, located_duels
from cardgen.pipeline.referee.balance.strengths import Standing, Strengths
from cardgen.referee.scores import FEWEST_CARDS, FEWEST_COSTS
from cardgen.referee.trial import Competitor

# How far a number is changed at most.
MOST_CHANGE = 8
# The keys that lead to a number of a card.
NumberPath: TypeAlias = tuple[str | int, ...]


class Adjustment(NamedTuple):
    """A change of one number that brings a card into the band; `strength` is that of the changed card.

    `number` names it as in 'weapons.Axe.damage'.
    """

    place: int
    number: str
    old: float
    new: float
    strength: float


def unadjusted_reason(strengths: Strengths, places: Sequence[int]) -> str:
    """Return why no changes are proposed for any of some cards, or ''."""
    if strengths.fit is None:
        count = sum(cost is not None and cost > 0 for cost in strengths.costs)
        return (
            f"no changes are proposed: {count} of {len(strengths.costs)} cards have a cost, and the usual score for a "
            f"cost needs {FEWEST_CARDS} cards with {FEWEST_COSTS} different costs; --cost names the field with the cost"
        )
    return "" if places else "no changes are proposed: the score of every card is in the band of its cost"


@dataclass(frozen=True, slots=True)
class _Number:
    """A number of a card: its value, its name, and the strengths of the card with other values."""

    standing: Standing
    name: str
    value: int
    strength_at: Mapping[int, Callable[[], float]]


@dataclass(frozen=True, slots=True)
class Adjuster:
    """Finds adjustments of cards; all other cards, and the fit, stay as they are."""

    arena: Arena
    strengths: Strengths

    @located_duels()
    def adjustments(
        self, places: Sequence[int], on_progress: Callable[[int, int, str], None]
    ) -> dict[int, list[Adjustment]]:
        """Return the smallest change of each number that brings a card into the band, the smallest first.

        A change of the cost comes first. There are none for a card in the band, or without a cost.
        """
        changes: dict[int, list[Adjustment]] = {place: [] for place in places}
        numbers = self._numbers([place for place in places if self.strengths.by_place[place].side])
        for done, number in enumerate(numbers, 1):
            place = number.standing.place
            found = ((number.value, new, strength) for new, strength in self._smallest(number))
            changes[place] += [Adjustment(place, number.name, *each) for each in found]
            on_progress(done, len(numbers), self.strengths.balance.names[place])
        return {place: [*self._cost_change(place), *sorted(found, key=_size)] for place, found in changes.items()}

    def _numbers(self, places: Sequence[int]) -> list[_Number]:
        """Return all numbers of some cards; equal variants of cards, and of their attacks, are computed once."""
        cards = [self._with_defaults(self.strengths.balance.cards[place]) for place in places]
        variants: list[Competitor] = []
        plans = []
        for place, card in zip(places, cards, strict=True):
            for path in _number_paths(card.card, self.arena.trials.numbers):
                trials = [*self._variants(card, path)]
                plans.append((place, card.card, path, [value for value, _ in trials], len(variants)))
                variants += [variant for _, variant in trials]
        rows = self.arena.rows([*variants, *self.strengths.balance.cards], exact=False)
        return [
            _Number(
                self.strengths.by_place[place],
                _number_name(card, path),
                _value(card, path),
                {value: _strength_of(rows, at, place, len(variants)) for at, value in enumerate(values, first)},
            )
            for place, card, path, values, first in plans
        ]

    def _with_defaults(self, competitor: Competitor) -> Competitor:
        """Return a competitor with all numbers of its card, also those that its author left out."""
        full = self._validated(competitor.card)
        keys = (field.split(".")[0] for field in self.arena.trials.numbers)
        numbers = {key: full[key] for key in keys if key in full}
        return Competitor({**competitor.card, **numbers}, competitor.carries)

    def _validated(self, card: dict[str, Any]) -> dict[str, Any]:
        """Return the complete data of a card; none if it is not valid."""
        model = self.arena.rules.kinds[card["kind"]].model
        try:
            data = model.model_validate({key: value for key, value in card.items() if key != "kind"})
        except ValidationError:
            return {}
        return data.model_dump(mode="json", by_alias=True)

    def _variants(self, competitor: Competitor, path: NumberPath) -> Iterator[tuple[int, Competitor]]:
        """Yield the legal values of a number near its own, and the competitor with each."""
        old = _value(competitor.card, path)
        for new in range(max(0, old - MOST_CHANGE), old + MOST_CHANGE + 1):
            card = _with_value(competitor.card, path, new)
            if new != old and self._validated(card):
                yield new, Competitor(card, competitor.carries)

    def _smallest(self, number: _Number) -> Iterator[tuple[int, float]]:
        """Yield the value next to a number, below and above it, that brings the card into the band, and its strength.

        A direction is left at the first step that does not bring the card closer to the band.
        """
        fit, standing, strength_at = self.strengths.fit, number.standing, number.strength_at
        assert fit
        assert standing.cost is not None
        for step in (-1, 1):
            before, new, side = standing.strength, number.value + step, standing.side
            while side == standing.side and new in strength_at:
                after = strength_at[new]()
                if after >= before if side == "strong" else after <= before:
                    break
                side = fit.side(standing.cost, after)
                if not side:
                    yield new, after
                before, new = after, new + step

    def _cost_change(self, place: int) -> Iterator[Adjustment]:
        """Yield the smallest change of the cost that brings a card into the band."""
        standing = self.strengths.by_place[place]
        costs = self.strengths.fit.ordinary_costs(standing.strength) if self.strengths.fit else None
        if costs is None or standing.cost is None or not standing.side:
            return
        low, high = costs
        lowest, highest = self.strengths.cost_limits
        new = ceil(low) if standing.side == "strong" else floor(high)
        if max(low, lowest) <= new <= min(high, highest):
            yield Adjustment(standing.place, "cost", standing.cost, new, standing.strength)


def _size(change: Adjustment) -> tuple[float, str]:
    return abs(change.new - change.old), change.number


def _strength_of(rows: ScoreRows, number: int, place: int, first: int) -> Callable[[], float]:
    """Return the function for the strength of a variant of the card at a place; the cards are those from `first` on."""

    def strength() -> float:
        others = [*rows.classes[first : first + place], *rows.classes[first + place + 1 :]]
        scores = rows.row(rows.classes[number], others)
        return fsum(map(float, scores)) / max(1, len(scores))

    return strength


def _number_paths(card: dict[str, Any], fields: Sequence[str]) -> Iterator[NumberPath]:
    """Yield the paths of all whole numbers in some fields, such as 'stats' or 'weapons.damage'."""
    for field in fields:
        yield from _paths_below(card, field.split("."), ())


def _paths_below(value: object, keys: list[str], path: NumberPath) -> Iterator[NumberPath]:
    """Yield the paths of the numbers below some keys; without keys, of all numbers in a value."""
    match value:
        case bool():
            return
        case int() if not keys:
            yield path
        case dict():
            for key in keys[:1] or [*value]:
                if key in value:
                    yield from _paths_below(value[key], keys[1:], (*path, key))
        case list() | tuple():
            for index, part in enumerate(value):
                yield from _paths_below(part, keys, (*path, index))


def _value(card: dict[str, Any], path: NumberPath) -> int:
    part: Any = card
    for key in path:
        part = part[key]
    return int(part)


def _with_value(card: dict[str, Any], path: NumberPath, value: int) -> dict[str, Any]:
    changed = copy.deepcopy(card)
    part: Any = changed
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return changed


def _number_name(card: dict[str, Any], path: NumberPath) -> str:
    """Return the name of a number, with the names of parts that have one: 'weapons.Axe.damage'."""
    part: Any = card
    words = []
    for key in path:
        part = part[key]
        words.append(
            str(part["name"]) if isinstance(key, int) and isinstance(part, dict) and "name" in part else str(key)
        )
    return ".".join(words)
