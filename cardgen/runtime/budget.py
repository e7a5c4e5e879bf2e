"""Budget of steps that all expressions of a run share.

An evaluation counts the nodes it visits and the items and characters it reads or builds, so the same input ends at the
same step on every machine.
"""

from __future__ import annotations

# A step takes about half a microsecond. A deck of 2,000 cards with 50 checks takes a fifth of the steps of a run.
RUN_STEPS = 10_000_000
EVALUATION_STEPS = 1_000_000
# What an evaluation costs besides its nodes, and one that fails, whose message may suggest one of hundreds of names.
START_STEPS = 8
FAILURE_STEPS = 2_000


class BudgetError(Exception):
    """An evaluation, or all evaluations of a run together, took too many steps.

    The text is a message for the user.
    """


class Budget:
    """Steps that a run has left; `renew` begins the next run."""

    def __init__(self, steps: int = RUN_STEPS) -> None:
        self._steps = self.left = steps

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Budget)  # cards that keep their budget are equal if their values are

    def __hash__(self) -> int:
        return hash(Budget)

    def renew(self) -> None:
        """Give back all steps."""
        self.left = self._steps

    def spend(self, steps: int) -> None:
        """Take steps from the budget. Raises BudgetError if it has fewer."""
        self.left -= steps
        if self.left < 0:
            raise BudgetError(f"all expressions together take more than {self._steps:,} steps")


class Meter:
    """Counter of the steps of one evaluation."""

    __slots__ = ("_budget", "_left")

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._left = EVALUATION_STEPS

    def spend(self, steps: int) -> None:
        """Count steps.

        Raises BudgetError above the limit of an evaluation or of the run.
        """
        self._left -= steps
        if self._left < 0:
            raise BudgetError(f"an expression takes more than {EVALUATION_STEPS:,} steps")
        self._budget.spend(steps)
