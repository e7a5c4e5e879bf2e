"""What the referee's part of the engine answers; plain data, because it comes from another process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cardgen.studio.option_fields import FieldChoice, OptionField


@dataclass(frozen=True, slots=True)
class TrialQuestion:
    """A trial with the values of its options, with cards by id; rulings and policy are texts such as 'first=a'."""

    game: str
    trial: str
    values: Mapping[str, Any]
    rulings: tuple[str, ...] = ()
    policy: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TrialForm:
    """The options of a trial."""

    trial: str
    about: str
    fields: tuple[OptionField, ...]


@dataclass(frozen=True, slots=True)
class RefereeForm:
    """The trials of a game, its rulings and policies, and the cards to choose from by source.

    Without a referee, `problem` says so.
    """

    trials: tuple[TrialForm, ...] = ()
    rulings: tuple[OptionField, ...] = ()
    policies: tuple[OptionField, ...] = ()
    sources: Mapping[str, tuple[FieldChoice, ...]] = field(default_factory=dict)
    problem: str = ""


@dataclass(frozen=True, slots=True)
class OddsRow:
    """A chance or a mean, now and in the saved cards; `share` is a number from 0 to 1 for a bar, or None for a mean.

    The texts are '' for a row that only one of them has.
    """

    label: str
    text: str
    share: float | None
    fraction: str = ""
    saved_text: str = ""
    saved_share: float | None = None
    is_changed: bool = False


@dataclass(frozen=True, slots=True)
class OddsView:
    """An odds table; the odds of the saved cards stand beside those of the cards as they are being written."""

    title: str
    rows: tuple[OddsRow, ...]


@dataclass(frozen=True, slots=True)
class OddsAnswer:
    """The odds of a trial, or the `problem` with it.

    `has_saved` is true if cards of the trial have unsaved changes; `saved_problem` is then the problem with it before.
    """

    title: str = ""
    tables: tuple[OddsView, ...] = ()
    notes: tuple[str, ...] = ()
    problem: str = ""
    has_saved: bool = False
    saved_problem: str = ""


@dataclass(frozen=True, slots=True)
class RollAnswer:
    """What happened in a trial that was rolled, line by line, and the seed that repeats it; or the `problem`."""

    lines: tuple[str, ...] = ()
    seed: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class RulingAnswer:
    """What the odds would be under other rulings, a line for each that changes them; or the `problem`."""

    lines: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class SentenceRow:
    """A sentence of a card: how it was read, what it means in the words of the game, and what the referee does."""

    part: str
    text: str
    level: str
    meaning: str
    reason: str
    referee: str
    unread: tuple[str, ...]
    is_own: bool


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A figure of a benchmark that an unsaved change changes."""

    benchmark: str
    label: str
    saved: str
    now: str


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """The place of a card among all that fight, and the share of its duels that it wins."""

    place: int
    fighters: int
    score: float


@dataclass(frozen=True, slots=True)
class BalanceAnswer:
    """What a change of a card means: its benchmarks, and its place in the balance, before and after.

    `benchmarks` are the card's odds against typical cards as it is now. `has_places` is true for cards that fight, and
    `left_out` names the rules that all these numbers leave to the players.
    """

    benchmarks: tuple[str, ...] = ()
    figures: tuple[FigureRow, ...] = ()
    saved: PlaceRow | None = None
    now: PlaceRow | None = None
    has_places: bool = False
    problem: str = ""
    is_changed: bool = False
    left_out: tuple[str, ...] = ()
