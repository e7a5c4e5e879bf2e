"""Trials of a game: situations with cards as plain data, parameters, odds tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from fractions import Fraction
from operator import attrgetter
from typing import Any, TypeAlias, TypeVar, get_type_hints

from cardgen.model.card import Card
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


# Words and their chance, a row each.
Rows: TypeAlias = tuple[tuple[str, Fraction], ...]


def distribution_rows(die: Die[int]) -> Rows:
    """Return the chance of each number, the lowest first."""
    return tuple((str(value), chance) for value, chance in sorted(die))


def at_least_rows(die: Die[int]) -> Rows:
    """Return the chance of each number or more; 0 or more is certain and left out."""
    return tuple((f"{least} or more", _chance_of_at_least(die, least)) for least in sorted(die.weights) if least)


def _chance_of_at_least(die: Die[int], least: int) -> Fraction:
    return die.chance(lambda value: value >= least)


def distribution_table(title: str, die: Die[int], chances: Rows = (), mean: str = "mean") -> OddsTable:
    """Return the table of a number: the chance of each value, other chances about it, and its mean."""
    return OddsTable(title, distribution_rows(die), chances, ((mean, die.mean(int)),))


CardData: TypeAlias = dict[str, Any]
C = TypeVar("C", bound=Card)

_name_of: Callable[[Any], str] = attrgetter("name")


def card_data(card: Card) -> CardData:
    """Return the plain data of a card."""
    return {"kind": type(card).KIND, **card.model_dump(mode="json", by_alias=True, exclude_defaults=True)}


def card_of_kind(data: CardData, *models: type[C]) -> C:
    """Return the card that plain data gives, of one of these kinds. Raise ValueError for another kind."""
    model = next((model for model in models if data.get("kind") == model.KIND), None)
    if model is None:
        place = f"where a {models[0].KIND} is asked for" if len(models) == 1 else "here"
        raise ValueError(f"a card of the kind {data.get('kind')!r} cannot stand {place}")
    return model.model_validate({key: value for key, value in data.items() if key != "kind"})


def optional_card(data: CardData | None, model: type[C]) -> C | None:
    """Return the card that plain data gives, or None without data. Raise ValueError for another kind."""
    return card_of_kind(data, model) if data is not None else None


def numbered_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names; those that several bear get numbers: 'Brute 1', 'Brute 2'."""
    total, count = Counter(names), Counter[str]()
    numbered = []
    for name in names:
        count[name] += 1
        numbered.append(f"{name} {count[name]}" if total[name] > 1 else name)
    return tuple(numbered)


def find_by_name(items: Iterable[T], name: str, name_of: Callable[[T], str] = _name_of) -> T | None:
    """Return the first item of that name, in capitals or not, or None."""
    return next((item for item in items if name_of(item).casefold() == name.casefold()), None)


def in_words_only(things: Iterable[tuple[str, Any]], rules: str) -> Iterator[str]:
    """Yield a note for each thing with a text and nothing under `rules`: the referee cannot play it."""
    for name, thing in things:
        if thing.text and not getattr(thing, rules):
            yield f"'{name}' is in words only"
