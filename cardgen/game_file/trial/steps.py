"""Steps of trials.

Each that acts is a procedure, which returns the values that it finds out.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

from cardgen.diagnostic import CardgenError
from cardgen.game_file.expression.formula import Formula, Located, Words
from cardgen.game_file.trial.run import Run
from cardgen.referee.requests import Decision, Log, Measurement, Procedure
from cardgen.sandbox.values import describe_kind, size_of
from cardgen.validation.base import Model
from cardgen.validation.suggestion import slugify

# Items and characters of a value that a step keeps.
MOST_WEIGHT = 1_000
_YES, _NO = "yes", "no"

Names: TypeAlias = Mapping[str, Any]
Values: TypeAlias = dict[str, Any]


@dataclass(eq=False)
class Step:
    """A step.

    It is skipped unless `when` holds. `live` are the names that later steps read.
    """

    when: Formula | None
    live: frozenset[str] = frozenset()

    @property
    def reads(self) -> frozenset[str]:
        """The names in its expressions."""
        every = (located for each in fields(self) for located in _located(getattr(self, each.name)))
        return frozenset().union(*(located.reads for located in every))

    @property
    def writes(self) -> tuple[str, ...]:
        """The names of the values that it finds out."""
        return ()


def _located(value: Any) -> tuple[Located, ...]:
    """Return the expressions in a field of a step."""
    if isinstance(value, dict):
        return tuple(value.values())
    return (value,) if isinstance(value, Located) else ()


@dataclass(eq=False)
class Action(Step):
    """A step that finds something out, and after which the next one follows."""

    @abstractmethod
    def act(self, names: Names, run: Run) -> Procedure[Values]:
        """Return the values that it finds out."""


@dataclass(eq=False)
class SetStep(Action):
    """Values from expressions."""

    formulas: dict[str, Formula] | None = None

    @property
    def writes(self) -> tuple[str, ...]:
        """The names of the values."""
        return tuple(self.formulas or ())

    def act(self, names: Names, run: Run) -> Procedure[Values]:
        """Evaluate the expressions in order; later ones see earlier values."""
        values: Values = {}
        for name, formula in (self.formulas or {}).items():
            values[name] = plain_value(formula, formula.value({**names, **values}, run.budget))
        return values
        yield


def plain_value(formula: Formula, value: Any) -> Any:
    """Return a value that a step can keep; lists become tuples.

    Raises CardgenError for cards, maps, and long values.
    """
    if isinstance(value, Model | Mapping):
        advice = "use a number, a text, or a list"
        raise CardgenError(formula.problem(f"a step cannot store {describe_kind(value)}")._replace(help=advice))
    if size_of(value) > MOST_WEIGHT:
        raise CardgenError(formula.problem(f"a step can store at most {MOST_WEIGHT:,} items and characters"))
    return tuple(plain_value(formula, each) for each in value) if isinstance(value, list | tuple) else value


@dataclass(eq=False)
class AskStep(Action):
    """A question that only a player can answer."""

    kind: str = ""
    name: Words | None = None
    who: Words | None = None
    low: Formula | None = None
    high: Formula | None = None
    unit: str = ""
    choices: tuple[str, ...] = ()
    default: str = ""
    into: str = ""

    @property
    def writes(self) -> tuple[str, ...]:
        """The name of the answer."""
        return (self.into,)

    def act(self, names: Names, run: Run) -> Procedure[Values]:
        """Ask the question."""
        who = self.who.text(names, run.budget) if self.who else ""
        what = self.name.text(names, run.budget) if self.name else ""
        key = slugify(what)
        if self.kind == "integer":
            low = self.low.whole(names, run.budget) if self.low else 0
            high = self.high.whole(names, run.budget) if self.high else 100
            answer = yield Measurement(key, who, what, low, max(low, high), self.unit)
        elif self.kind == "flag":
            answer = (yield Decision(key, who, what, (_YES, _NO), self.default)) == _YES
        else:
            answer = yield Decision(key, who, what, self.choices, self.default)
        return {self.into: answer}


@dataclass(eq=False)
class SayStep(Action):
    """A line of the log."""

    text: Words | None = None

    def act(self, names: Names, run: Run) -> Procedure[Values]:
        """Write the line."""
        if self.text:
            yield Log("{}", (self.text.text(names, run.budget),))
        return {}


@dataclass(eq=False)
class EndStep(Step):
    """The outcome, which ends the trial."""

    text: Words | None = None


@dataclass(eq=False)
class CallStep(Step):
    """Another trial, whose outcome is kept as text."""

    trial: str = ""
    arguments: dict[str, Formula] | None = None
    into: str = ""

    @property
    def writes(self) -> tuple[str, ...]:
        """The name of the outcome."""
        return (self.into,)


@dataclass(eq=False)
class Branch(Step):
    """Steps, and others if `when` does not hold."""

    steps: tuple[Step, ...] = ()
    otherwise: tuple[Step, ...] = ()


@dataclass(eq=False)
class Repeat(Step):
    """Steps that are repeated."""

    times: Formula | None = None
    until: Formula | None = None
    steps: tuple[Step, ...] = ()
