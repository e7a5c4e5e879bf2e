"""Trials of a game: situations, parameters, odds tables, and what odds of several candidates have in common.

Cards in situations are plain data.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import zip_longest
from operator import itemgetter
from typing import Any, TypeAlias, TypeVar, get_type_hints

from cardgen.diagnostic import join_words
from cardgen.model.card import Card
from cardgen.referee.die import Die
from cardgen.referee.odds import odds
from cardgen.referee.parameters import Benchmarks, Ruling
from cardgen.referee.requests import Procedure
from cardgen.referee.scores import CrowdScores, Pairing
from cardgen.runtime.workspace import SettledData
from cardgen.units import quantity
from cardgen.validation.base import accepted_keys

T = TypeVar("T", bound=Hashable)
NOT_ADJUDICATED, NO_EFFECT, ASSUMED = "not adjudicated", "no effect", "assumed"
# Pictures, pages, and short reports list as many rules that they leave out, and count the others.
MOST_LEFT_OUT = 10


class Idle(str):
    """A note on a card that was adjudicated, and leaves a result as it is; other notes are on what is left out."""

    __slots__ = ()


class Assumed(str):
    """A note on what a result takes for granted, because a rule that was counted needs it and nothing says it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class OddsTable:
    """An odds table: exact chances and means, each with its label.

    `parts` are the chances of outcomes of which exactly one happens; `chances` and `means` are independent of each
    other.
    """

    title: str
    parts: tuple[tuple[str, Fraction], ...] = ()
    chances: tuple[tuple[str, Fraction], ...] = ()
    means: tuple[tuple[str, Fraction], ...] = ()


@dataclass(frozen=True, slots=True)
class PreparedTrial:
    """A trial whose procedure is ready to run.

    `start` returns a new procedure. `outcome_lines` returns its outcome in sentences, and `outcome_data` returns it as
    plain data for a transcript. `odds` computes the exact odds, or is None if the trial can only be played.
    `not_simulated` names the rules that the players must apply themselves, and as Idle those without an effect;
    what is taken for granted is Assumed.
    `has_secrets` is true if it has hidden dice or sealed decisions, which need the secret of a match.
    """

    title: str
    start: Callable[[], Procedure[Any]]
    outcome_lines: Callable[[Any], tuple[str, ...]]
    outcome_data: Callable[[Any], Any]
    odds: Callable[[], tuple[OddsTable, ...]] | None
    not_simulated: tuple[str, ...] = ()
    has_secrets: bool = False

    @classmethod
    def of(
        cls,
        title: str,
        start: Callable[[], Procedure[T]],
        outcome_lines: Callable[[T], Iterable[str]],
        tables: Callable[[Die[T]], Iterable[OddsTable]],
        not_simulated: Iterable[str] = (),
    ) -> PreparedTrial:
        """Return a trial whose odds tables all come from its outcome distribution."""
        return cls(
            title,
            start,
            lambda outcome: tuple(outcome_lines(outcome)),
            plain_data,
            lambda: tuple(tables(odds(start))),
            tuple(not_simulated),
        )

    @classmethod
    def in_words(
        cls, title: str, start: Callable[[], Procedure[T]], words: Callable[[T], str], not_simulated: Iterable[str] = ()
    ) -> PreparedTrial:
        """Return a trial whose outcomes matter only as words, with the chance of each."""
        return cls.of(
            title, start, lambda end: (words(end),), lambda die: (label_table(title, die.map(words)),), not_simulated
        )

    @classmethod
    def of_several(
        cls, title: str, names: Sequence[str], start: Callable[[], Procedure[tuple[T, ...]]], lost: Callable[[T], bool],
        not_simulated: Iterable[str] = (),
    ) -> PreparedTrial:  # fmt: skip
        """Return a trial that ends with the state of several models, with the chances of each, and of who is lost."""

        def losses(ends: tuple[T, ...]) -> str:
            return ", ".join(name for name, end in zip(names, ends, strict=True) if lost(end)) or "nobody"

        def tables(die: Die[tuple[T, ...]]) -> Iterator[OddsTable]:
            for place, name in enumerate(names):
                yield label_table(name, die.map(itemgetter(place)).map(str))
            yield label_table("casualties", die.map(losses))

        def lines(ends: tuple[T, ...]) -> list[str]:
            return [f"{name}: {end}" for name, end in zip(names, ends, strict=True)]

        return cls.of(title, start, lines, tables, not_simulated)


def plain_data(outcome: Any) -> Any:
    """Return an outcome as plain data for a transcript.

    NamedTuples become maps of their fields, and other tuples become lists.
    """
    if not isinstance(outcome, tuple):
        return outcome
    if hasattr(outcome, "_asdict"):
        return {name: plain_data(value) for name, value in outcome._asdict().items()}
    return [plain_data(value) for value in outcome]


@dataclass(frozen=True, slots=True)
class RulesConfig:
    """The rulings of a trial, and its policy.

    The policy decides choices that no player makes. Both are settings by name.
    """

    rulings: Mapping[str, str]
    policy: Mapping[str, str]

    @property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """The rulings as pairs of a ruling and its setting, which can be arguments of memoized calls."""
        return frozenset(self.rulings.items())


@dataclass(frozen=True, slots=True)
class Trial:
    """The situation class of a trial, and its preparation.

    Cards in a situation are plain data. `set_up` raises ValueError, with a message for the user, for an illegal
    situation. Count `version` up when the trial asks other questions: transcripts of another version are refused.
    """

    situation: type[Any]
    set_up: Callable[[Any, RulesConfig], PreparedTrial]
    version: int = 1

    @classmethod
    def of(cls, set_up: Callable[[Any, RulesConfig], PreparedTrial], version: int = 1) -> Trial:
        """Return a trial from its `set_up` function.

        The class of the situation is the annotation of its parameter `situation`.
        """
        return cls(get_type_hints(set_up)["situation"], set_up, version)


@dataclass(frozen=True, slots=True)
class Competitor:
    """A fighting card and its carried card or None, as plain data."""

    card: dict[str, Any]
    carries: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class GameTrials:
    """All trials of a game by name, and its policy switches.

    `round_robin` yields the pairings of all competitors. Competitors are cards of the kinds `fighters`; cards of the
    kinds `carriers` can carry one card of the kinds `equipment`. `crowd`, if a game has it, returns the scores of many
    competitors faster, with an error below 1e-12.

    `cost` returns what a competitor costs, or None; by default, that is its field `points`. `groups` are the fields by
    which `balance` groups its results, and `numbers` those whose numbers it tries to change, such as
    `stats` or `weapons.damage`. `benchmarks` yields the trials that tell what a card does when its rules change between
    releases.
    """

    trials: Mapping[str, Trial]
    policies: tuple[Ruling, ...]
    fighters: tuple[str, ...]
    round_robin: Callable[[Sequence[Competitor], RulesConfig], Iterator[Pairing]]
    carriers: tuple[str, ...] = ()
    equipment: tuple[str, ...] = ()
    crowd: Callable[[Sequence[Competitor], RulesConfig], CrowdScores] | None = None
    cost: Callable[[Competitor], Fraction | int | None] | None = None
    groups: tuple[str, ...] = ("kind",)
    numbers: tuple[str, ...] = ("stats", "weapons")
    benchmarks: Benchmarks | None = None

    def extended(self, more: GameTrials) -> GameTrials:
        """Return these trials and `more`, which replace those of the same name.

        The competitors are those of `more`, if it has any.
        """
        trials = {**self.trials, **more.trials}
        return replace(more if more.fighters else self, trials=trials, policies=(*self.policies, *more.policies))


# Rows of a label and a chance.
Rows: TypeAlias = tuple[tuple[str, Fraction], ...]


def distribution_rows(die: Die[int]) -> Rows:
    """Return the chance of each number, lowest first."""
    return tuple((str(value), chance) for value, chance in sorted(die))


def at_least_rows(die: Die[int]) -> Rows:
    """Return the chance of each number or more, except 0."""
    return tuple((f"{least} or more", _chance_of_at_least(die, least)) for least in sorted(die.weights) if least)


def _chance_of_at_least(die: Die[int], least: int) -> Fraction:
    return die.chance(lambda value: value >= least)


def distribution_table(title: str, die: Die[int], chances: Rows = (), mean: str = "mean") -> OddsTable:
    """Return the odds table of a number.

    It has the chance of each value, other chances, and the mean.
    """
    return OddsTable(title, distribution_rows(die), chances, ((mean, die.mean(int)),))


def label_table(title: str, die: Die[str], order: Iterable[str] = ()) -> OddsTable:
    """Return the odds table of labels: those in `order` first, then the others, the most likely one first."""
    others = sorted(die.weights, key=lambda label: (-die.weights[label], label))
    labels = (label for label in dict.fromkeys((*order, *others)) if label in die.weights)
    return OddsTable(title, tuple((label, die.chance_of(label)) for label in labels))


CardData: TypeAlias = dict[str, Any]
C = TypeVar("C", bound=Card)


def card_data(card: Card) -> CardData:
    """Return the plain data of a card."""
    return {"kind": type(card).KIND, **card.model_dump(mode="json", by_alias=True, exclude_defaults=True)}


def card_of_kind(data: CardData, *models: type[C]) -> C:
    """Return the card of plain data, using the model of its kind, without the fields that a project adds to it.

    Raises ValueError for any other kind, and ValidationError for invalid data.
    """
    model = next((model for model in models if data.get("kind") == model.KIND), None)
    if model is None:
        kinds = join_words([f"'{model.KIND}'" for model in models])
        raise ValueError(f"card must be of kind {kinds}, not {data.get('kind')!r}")
    keys = _keys(model)
    settings = data.settings if isinstance(data, SettledData) else None
    return model.model_validate({key: value for key, value in data.items() if key in keys}, context=settings)


@lru_cache(maxsize=64)
def _keys(model: type[Card]) -> frozenset[str]:
    return frozenset(accepted_keys((model,)))


def optional_card(data: CardData | None, model: type[C]) -> C | None:
    """Return the card of plain data, or None if `data` is None.

    Raises ValueError for any other kind, and ValidationError for invalid data.
    """
    return card_of_kind(data, model) if data is not None else None


def in_words_only(things: Iterable[tuple[str, Any]], rules: str) -> Iterator[str]:
    """Yield a note for each thing that has only text.

    `rules` names the attribute that is then empty. The referee cannot simulate such things.
    """
    for name, thing in things:
        if thing.text and not getattr(thing, rules):
            yield f"'{name}' has only text"


def not_adjudicated_lines(not_simulated: Iterable[str], most: int | None = None) -> list[str]:
    """Return a line for everything that a result leaves out or takes for granted, or that has no effect on it.

    They come before the result. Of more than `most`, the others are counted.
    """
    lines = [str(each) if isinstance(each, Idle) else f"{label_of(each)}: {each}" for each in not_simulated]
    if most is None or len(lines) <= most:
        return lines
    return [*lines[:most], f"and {quantity(len(lines) - most, 'more rule')}"]


def not_adjudicated_sentence(not_simulated: Iterable[str]) -> str:
    """Return everything that a result leaves out or takes for granted as sentences, '' if there is nothing."""
    notes = notes_of(dict.fromkeys(not_simulated))
    sentences = [
        f"{label.capitalize()}: {'; '.join(notes[label])}." for label in (NOT_ADJUDICATED, ASSUMED) if notes[label]
    ]
    return " ".join([*sentences, *(f"{each}." for each in notes[NO_EFFECT])])


def notes_of(not_simulated: Iterable[str]) -> dict[str, list[str]]:
    """Return the notes on what a result leaves out, what it takes for granted, and what has no effect on it."""
    notes = [*not_simulated]
    labels = (NOT_ADJUDICATED, ASSUMED, NO_EFFECT)
    return {label: [str(each) for each in notes if label_of(each) == label] for label in labels}


def label_of(note: str) -> str:
    """Return what a note is on: what is left out, what is taken for granted, or what has no effect."""
    return NO_EFFECT if isinstance(note, Idle) else ASSUMED if isinstance(note, Assumed) else NOT_ADJUDICATED


BY_CANDIDATES = "by the candidates of its dice"


def range_rows(every: Sequence[Rows]) -> Iterator[tuple[str, Fraction]]:
    """Yield the lowest and the highest figure of each label, or its only one; a label that is missing has 0."""
    figures = [dict(rows) for rows in every]
    for label in dict.fromkeys(label for rows in figures for label in rows):
        values = [rows.get(label, Fraction(0)) for rows in figures]
        if min(values) == max(values):
            yield label, values[0]
        else:
            yield f"{label}: at least", min(values)
            yield f"{label}: at most", max(values)


def range_table(every: Sequence[OddsTable]) -> OddsTable:
    """Return the odds table of ranges over the candidates; one that they all agree on stays as it is."""
    first, *others = every
    if all(each == first for each in others):
        return first
    chances = tuple(range_rows([(*each.parts, *each.chances) for each in every]))
    means = tuple(range_rows([each.means for each in every]))
    return OddsTable(f"{first.title}, {BY_CANDIDATES}", chances=chances, means=means)


def range_tables(every: Iterable[Sequence[OddsTable]]) -> tuple[OddsTable, ...]:
    """Return the tables of ranges over the candidates, whose tables are in the same order."""
    together = zip_longest(*every, fillvalue=OddsTable(""))
    return tuple(range_table(tables) for tables in together)


def over_candidates(trials: Sequence[PreparedTrial]) -> PreparedTrial:
    """Return one trial of several that differ in unknown dice: rolls use the first, and its odds are ranges."""
    if len(trials) == 1:
        return trials[0]
    return replace(trials[0], odds=lambda: range_tables([each.odds() for each in trials if each.odds]))
