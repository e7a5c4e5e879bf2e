"""Trials: the procedures that a game offers the referee, their parameters and odds tables."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from fractions import Fraction
from typing import Any, TypeVar, get_type_hints

from cardgen.referee.die import Die
from cardgen.referee.odds import odds
from cardgen.referee.requests import Procedure
from cardgen.referee.ruling import Ruling
from cardgen.validation.suggestion import join_words

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a field of a situation is, as its metadata, so that a command line can ask for it.

    `sort` is card, cards, number, flag or word. A card is of one of `kinds`; a number lies within `low` and `high`,
    in `unit`; a word may have to be one of `words`.
    """

    sort: str
    help: str
    kinds: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    unit: str = ""
    words: tuple[str, ...] = ()


def parameters(situation: type[Any]) -> dict[str, tuple[Parameter, bool]]:
    """What a situation wants to know, by field in their order, and whether it must be given."""
    hints = get_type_hints(situation, include_extras=True)
    return {each.name: (hints[each.name].__metadata__[0], each.default is MISSING) for each in fields(situation)}


def check_values(situation: type[Any], values: Mapping[str, Any]) -> str:
    """What is wrong with the values of a situation, as a sentence, or ''; cards are plain data already."""
    expected = parameters(situation)
    for name in values.keys() - expected.keys():
        return f"'{name}' is nothing that is asked for"
    for name, (parameter, required) in expected.items():
        value = values.get(name)
        if value is None:
            if required:
                return f"'{name}' is missing"
        elif problem := _check_value(parameter, value):
            return f"'{name}' {problem}"
    return ""


def _check_value(parameter: Parameter, value: Any) -> str:
    """Why a value does not fit an option, or ''."""
    if parameter.sort == "number":
        fits = type(value) is int and parameter.low <= value <= parameter.high
        return "" if fits else f"must be a whole number from {parameter.low} to {parameter.high}"
    if parameter.sort == "flag":
        return "" if isinstance(value, bool) else "must be true or false"
    if parameter.sort == "word":
        fits = isinstance(value, str) and (not parameter.words or value in parameter.words)
        return (
            ""
            if fits
            else f"must be {join_words(parameter.words) if parameter.words else 'a text'}, not {str(value)[:40]!r}"
        )
    cards = value if parameter.sort in ("cards", "deck") else [value]
    whole = isinstance(cards, list | tuple) and all(isinstance(each, dict) and "kind" in each for each in cards)
    return "" if whole else "must be the data of a card"


@dataclass(frozen=True, slots=True)
class OddsTable:
    """An exact answer: chances of what may happen, each with its words, and means.

    `parts` are chances of things of which exactly one happens; `chances` and `means` stand by themselves.
    """

    title: str
    parts: tuple[tuple[str, Fraction], ...] = ()
    chances: tuple[tuple[str, Fraction], ...] = ()
    means: tuple[tuple[str, Fraction], ...] = ()


@dataclass(frozen=True, slots=True)
class PreparedTrial:
    """One thing to be judged: a procedure that is ready to run.

    `start` gives it anew each time; `told` says its outcome in sentences, and `kept` as plain data for a transcript.
    `odds` works it out (None where only dice or players can), `left_out` names what the players must see to.
    """

    title: str
    start: Callable[[], Procedure[Any]]
    outcome_lines: Callable[[Any], tuple[str, ...]]
    outcome_data: Callable[[Any], Any]
    odds: Callable[[], tuple[OddsTable, ...]] | None
    not_simulated: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        title: str,
        start: Callable[[], Procedure[T]],
        outcome_lines: Callable[[T], Iterable[str]],
        tables: Callable[[Die[T]], Iterable[OddsTable]],
        not_simulated: Iterable[str] = (),
    ) -> PreparedTrial:
        """Return the trial whose odds tables all come from the distribution of its outcomes."""
        return cls(
            title,
            start,
            lambda outcome: tuple(outcome_lines(outcome)),
            plain_data,
            lambda: tuple(tables(odds(start))),
            tuple(not_simulated),
        )


def plain_data(outcome: Any) -> Any:
    """Return an outcome as plain data for a transcript: a NamedTuple by its fields, another tuple as a list."""
    if not isinstance(outcome, tuple):
        return outcome
    if hasattr(outcome, "_asdict"):
        return {name: plain_data(value) for name, value in outcome._asdict().items()}
    return [plain_data(value) for value in outcome]


@dataclass(frozen=True, slots=True)
class RulesConfig:
    """Under which rulings something is judged, and by which policy choices are made that nobody is asked for."""

    rulings: Mapping[str, str]
    policy: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Trial:
    """A procedure that commands offer: the class of its situation, and how a situation becomes a matter.

    In a situation a card is the plain data of its model. `set_up` raises ValueError with a sentence for the user
    where a situation cannot be.
    """

    situation: type[Any]
    set_up: Callable[[Any, RulesConfig], PreparedTrial]

    @classmethod
    def of(cls, set_up: Callable[[Any, RulesConfig], PreparedTrial]) -> Trial:
        """Return the trial whose situation is the class that `set_up` is annotated to take as `situation`."""
        return cls(get_type_hints(set_up)["situation"], set_up)


@dataclass(frozen=True, slots=True)
class Competitor:
    """A card that fights, and the one that it carries or None, as plain data."""

    card: dict[str, Any]
    carries: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Pairing:
    """How two of several entrants, by their places, do against each other: chances to win, over both orders alike."""

    one: int
    other: int
    wins: Fraction
    loses: Fraction


@dataclass(frozen=True, slots=True)
class GameTrials:
    """All trials of a game by name, and the switches of its policy.

    `meetings` lets every two of several entrants meet once: cards of the kinds `fighters`, of which those of the kinds
    `bearers` may carry one card of the kinds `gear`.
    """

    trials: Mapping[str, Trial]
    policies: tuple[Ruling, ...]
    fighters: tuple[str, ...]
    round_robin: Callable[[Sequence[Competitor], RulesConfig], Iterator[Pairing]]
    carriers: tuple[str, ...] = ()
    equipment: tuple[str, ...] = ()
