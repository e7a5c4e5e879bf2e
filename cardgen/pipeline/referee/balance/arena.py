"""The arena: a game's duels under some rulings, and the scores of any competitors in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import NamedTuple

from cardgen.diagnostic import CardgenError
from cardgen.pipeline.referee.setup import located_outcomes, prepare_situation
from cardgen.referee.pairings import RowTask, Work
from cardgen.referee.scores import HALF, Score
from cardgen.referee.situation import parameters
from cardgen.referee.trial import Competitor, GameTrials, RulesConfig
from cardgen.rulesets.ruleset import Ruleset


class ScoreRows(NamedTuple):
    """The scores of some competitors, computed row by row.

    `classes` has the class of each competitor, and `row` returns the scores of a class against some classes. `contents`
    has a text for each class that tells all that its scores depend on; it is empty if no such text is known. `work`
    returns the work of each of some rows, which as many processes compute in turn.
    """

    classes: tuple[int, ...]
    row: Callable[[int, Sequence[int]], Sequence[Score]]
    contents: tuple[str, ...]
    is_exact: bool
    work: Callable[[Sequence[RowTask], int], list[Work]]


# The trial of two cards of a game, from which scores come.
DUEL = "duel"
# Raises CardgenError, with the names of both fighters, for a duel with too many outcomes.
located_duels = partial(
    located_outcomes, DUEL, "leave one of them out, or simplify their effects, such as those that heal or add up"
)


@dataclass(frozen=True, slots=True)
class Arena:
    """A game with its duels, and the rulings and the policy in force."""

    rules: Ruleset
    trials: GameTrials
    config: RulesConfig

    def left_out(self, competitors: Sequence[Competitor]) -> tuple[str, ...]:
        """Return what duels of these cards leave to the players, each once; every card fights in one of them."""
        half = (len(competitors) + 1) // 2
        pairs = zip(competitors, (*competitors[half:], *competitors[:half]), strict=True)
        return tuple(dict.fromkeys(note for one, other in islice(pairs, half) for note in self._notes(one, other)))

    def _notes(self, one: Competitor, other: Competitor) -> tuple[str, ...]:
        """Return what a duel leaves to the players; a carried card that does nothing for its bearer is left out."""
        if DUEL not in self.trials.trials:
            return ()
        asked = parameters(self.trials.trials[DUEL].situation).items()
        carrying = {name[-1]: name for name, (each, _) in asked if each.sort == "card" and name[-2:] in ("_a", "_b")}
        fighters = {"a": one, "b": other}
        cards = {side: each.card for side, each in fighters.items()}
        carried = {carrying[side]: each.carries for side, each in fighters.items() if side in carrying and each.carries}
        for values in ({**cards, **carried}, cards):
            try:
                return prepare_situation(self.rules, self.trials, DUEL, values, self.config).prepared.not_simulated
            except CardgenError:
                continue
        return ()

    def rows(self, competitors: Sequence[Competitor], *, exact: bool) -> ScoreRows:
        """Return the scores of competitors, as fractions or, if the game has them, as floats.

        Raises ValueError for an invalid card.
        """
        if exact or not self.trials.crowd:
            return self._exact_rows(competitors)
        crowd = self.trials.crowd(competitors, self.config)
        return ScoreRows(crowd.classes, crowd.row, crowd.contents, is_exact=False, work=crowd.work or _chains)

    def _exact_rows(self, competitors: Sequence[Competitor]) -> ScoreRows:
        """Return fractions; a class is a competitor, or several that are equal."""
        contents = [json.dumps([each.card, each.carries], sort_keys=True) for each in competitors]
        distinct = dict(zip(contents, competitors, strict=True))
        numbers = {content: number for number, content in enumerate(distinct)}
        members = [*distinct.values()]

        def row(one: int, others: Sequence[int]) -> list[Fraction]:
            rest = [members[other] for other in others if other != one]
            pairings = islice(self.trials.round_robin([members[one], *rest], self.config), len(rest))
            scores = (pairing.wins + (1 - pairing.wins - pairing.loses) / 2 for pairing in pairings)
            return [HALF if other == one else next(scores) for other in others]

        classes = tuple(numbers[content] for content in contents)
        return ScoreRows(classes, row, tuple(distinct), is_exact=True, work=_chains)


def _chains(tasks: Sequence[RowTask], _workers: int) -> list[Work]:
    """Return the work of rows of joint chains."""
    return [Work(chains=len(others)) for _, others in tasks]
