"""State of a running trial, and what is fixed while it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from cardgen.game_file.trial.dice import Face, GameDie
from cardgen.sandbox.budget import Budget

# Steps of one roll of a trial, with those of the trials that it calls.
MOST_STEPS = 10_000
# Steps of all its expressions; exact odds evaluate them in every state.
MOST_EXPRESSION_STEPS = 3_000_000


class State(NamedTuple):
    """Where a trial is, and what its steps have found out so far.

    `position` leads to the next step: indices of steps, and between them the branch or, counted up from minus the
    number of rounds, the round of a repetition. Positions grow while a trial runs. `end` is the outcome, when there is
    one; then nothing else is left.
    """

    position: tuple[int, ...]
    values: tuple[tuple[str, Any], ...] = ()
    end: str | None = None


class Counter:
    """Steps that a roll of a trial has left."""

    def __init__(self, left: int = MOST_STEPS) -> None:
        self.left = left


@dataclass(frozen=True)
class Run:
    """What is fixed while a trial runs.

    `values` are those that it asks for, and the rulings; `programs` are all trials of the game, which this module
    cannot know. `candidates` are the indices of the faces that dice have, for dice whose true faces are unknown.
    """

    values: Mapping[str, Any]
    programs: Mapping[str, Any]
    candidates: Mapping[str, int]
    budget: Budget = field(default_factory=partial(Budget, MOST_EXPRESSION_STEPS))
    steps: Counter = field(default_factory=Counter)

    def with_values(self, values: Mapping[str, Any]) -> Run:
        """Return the run of a trial that this one calls."""
        return replace(self, values=values)

    def faces(self, die: GameDie) -> tuple[Face, ...]:
        """Return the faces of a die."""
        return die.candidates[self.candidates.get(die.name, 0)]
