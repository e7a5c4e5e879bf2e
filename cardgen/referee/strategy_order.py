"""The order of cards whose strategies beat each other in a cycle, with those of one strategy last.

Players are in initiative order. Each card is compared with that of the first player; if that is last, the others are
compared with each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter

from cardgen.referee.die import Die
from cardgen.referee.requests import Procedure, Roll
from cardgen.referee.trial import OddsTable, PreparedTrial, label_table
from cardgen.validation.suggestion import join_words


def strategy_order(
    strategies: Sequence[str], beats: Mapping[str, str], last: str, *, is_compared: bool = False, has_ring: bool = False
) -> tuple[int, ...]:
    """Return the players in the order in which their cards are resolved; `beats` is what each strategy comes before.

    With `is_compared`, cards after that of the first player are compared with each other, too. With `has_ring`, three
    different cards are compared with the first of them, and otherwise stay in initiative order.
    """
    quick = [who for who, strategy in enumerate(strategies) if strategy != last]
    slow = [who for who, strategy in enumerate(strategies) if strategy == last]
    if slow[:1] != [0]:
        return (*_around(quick, strategies, beats, is_compared=is_compared), *slow)
    if not is_ring([strategies[who] for who in quick], beats):
        return (*_compared(quick, strategies, beats), *slow)
    return (*(_around(quick, strategies, beats, is_compared=True) if has_ring else quick), *slow)


def is_ring(strategies: Sequence[str], beats: Mapping[str, str]) -> bool:
    """Return whether no card comes before all others, because all strategies are there."""
    return set(beats) <= set(strategies)


def _around(
    players: Sequence[int], strategies: Sequence[str], beats: Mapping[str, str], *, is_compared: bool
) -> list[int]:
    """Return the order of players by comparison with the card of the first of them."""
    first, *others = players
    before = [who for who in others if beats[strategies[who]] == strategies[first]]
    after = [who for who in others if who not in before]
    return [*before, first, *(_compared(after, strategies, beats) if is_compared else after)]


def _compared(players: Sequence[int], strategies: Sequence[str], beats: Mapping[str, str]) -> list[int]:
    """Return the order of players with at most two strategies; equal ones keep their order."""
    beaten = {beats[strategies[who]] for who in players}
    return sorted(players, key=lambda who: strategies[who] in beaten)


def strategy_trial(
    players: Sequence[str],
    words: Sequence[str],
    draws: Mapping[str, tuple[str, ...]],
    order_of: Callable[[Sequence[str]], Sequence[int]],
) -> PreparedTrial:
    """Return a trial of the order of cards; a word of `draws` stands for one of its strategies, drawn at random."""

    def start() -> Procedure[tuple[str, ...]]:
        strategies = []
        for name, word in zip(players, words, strict=False):
            faces = draws.get(word, ())
            strategies.append((yield Roll("strategy", name, "strategy", len(faces), faces=faces)) if faces else word)
        return tuple(f"{players[who]} ({strategies[who]})" for who in order_of(strategies))

    def tables(die: Die[tuple[str, ...]]) -> Iterator[OddsTable]:
        for place in range(len(words)):
            names = die.map(itemgetter(place)).map(lambda card: str(card).rpartition(" (")[0])
            yield label_table(f"card {place + 1}", names, players)

    return PreparedTrial.of(f"order of {join_words(words, 'and')}", start, lambda cards: cards, tables)
