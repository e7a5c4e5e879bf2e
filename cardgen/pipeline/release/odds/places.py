"""The places of changed cards in the balance of all cards, before and after."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from cardgen.pipeline.referee.balance.arena import Arena
from cardgen.pipeline.referee.balance.result import ClassRows
from cardgen.pipeline.referee.balance.round_robin import ComputeOptions, compute_scores
from cardgen.pipeline.release.content.released_card import CardKey
from cardgen.pipeline.release.odds.consequences import BalancePlace
from cardgen.pipeline.release.odds.figures import Table
from cardgen.referee.scores import Score
from cardgen.referee.trial import Competitor

# By default, no more pairs are computed: some games take a tenth of a second for each.
QUICK_PAIRS = 200


class Places(NamedTuple):
    """The places of fighting cards before and after, and the rules that their duels leave to the players."""

    old: Mapping[CardKey, BalancePlace]
    new: Mapping[CardKey, BalancePlace]
    left_out: tuple[str, ...] = ()


def places(old: Table, new: Table, *, every: bool) -> Places | None:
    """Return the places of all fighting cards in both releases; None if there are too many pairs.

    The duels use the present rulings, so that only changes of cards count. With `every`, there is no limit.
    """
    kinds = new.trials.fighters
    before, after = (dict(table.deck.of_kinds(kinds)) for table in (old, new))
    contents = dict.fromkeys(map(_content, (*before.values(), *after.values())))
    if min(len(before), len(after)) < 2 or (not every and len(contents) * (len(contents) - 1) // 2 > QUICK_PAIRS):
        return None
    numbers = {content: number for number, content in enumerate(contents)}
    competitors = [Competitor(json.loads(content)) for content in contents]
    arena = Arena(new.rules, new.trials, new.config)
    classes, matrix = compute_scores(arena, competitors, ComputeOptions())
    rows = ClassRows(classes, matrix)
    earlier, later = (
        _ranking({key: numbers[_content(data)] for key, data in cards.items()}, rows) for cards in (before, after)
    )
    return Places(earlier, later, arena.left_out(competitors))


def _content(data: object) -> str:
    return json.dumps(data, sort_keys=True)


def _ranking(cards: Mapping[CardKey, int], rows: Sequence[Sequence[Score | None]]) -> dict[CardKey, BalancePlace]:
    scores = {
        key: _mean(rows[number][other] for its, other in cards.items() if its != key) for key, number in cards.items()
    }
    ordered = sorted(scores, key=lambda key: (-scores[key], key))
    return {key: BalancePlace(place, len(ordered), scores[key]) for place, key in enumerate(ordered, 1)}


def _mean(scores: Iterable[Score | None]) -> float:
    """Return the mean score; a card is even with itself and its equals."""
    values = [Fraction(1, 2) if score is None else score for score in scores]
    return float(sum(values) / len(values))
