"""Benchmarks: questions whose odds tell what a card does, for the changes between releases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from cardgen.referee.situation import parameters

# Returns the plain data of the most ordinary card of some kinds, besides the card in question, or None.
TypicalCard: TypeAlias = Callable[..., dict[str, Any] | None]
# Benchmarks for a trial of which nothing is known but what it asks for.
_MOST_CARDS = 2


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A trial of a card, such as 'Rifle at Brute', with the values of its situation.

    `rows` are the labels of the odds that matter, without names of cards: 'wounds' for 'Halvane Doru wounds'; or with
    the title of their table: 'Ash: casualty'. By default, all matter: chances and means, or else the parts of a
    distribution.
    """

    title: str
    trial: str
    situation: Mapping[str, Any]
    rows: tuple[str, ...] = ()


# Returns the benchmarks of a card, as plain data.
Benchmarks: TypeAlias = Callable[[dict[str, Any], TypicalCard], Iterable[Benchmark]]


def ask_trials(situations: Mapping[str, type[Any]]) -> Benchmarks:
    """Return the benchmarks of a game that names none: its trials that need only one card or two.

    `situations` are the classes of the situations of its trials, by name. The card takes each place that it can have,
    opposite an ordinary card.
    """

    def benchmarks(card: dict[str, Any], typical: TypicalCard) -> Iterator[Benchmark]:
        for trial, situation in situations.items():
            needed = {name: each for name, (each, is_required) in parameters(situation).items() if is_required}
            if not 1 <= len(needed) <= _MOST_CARDS or any(each.sort != "card" for each in needed.values()):
                continue
            for name in (name for name, each in needed.items() if card["kind"] in each.kinds):
                others = {other: typical(*each.kinds) for other, each in needed.items() if other != name}
                cards = [*others.values()]
                if None not in cards:
                    values = {**others, name: card}
                    names = " at ".join(str(value["name"]) for value in (values[each] or {} for each in needed))
                    yield Benchmark(f"{trial.replace('-', ' ')}: {names}", trial, values)

    return benchmarks
