"""What the engine tells the server about a battle, and what it takes to begin one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from cardgen.referee.scoreboard import Scoreboard
from cardgen.studio.option_fields import FieldChoice, OptionField


class SetupForm(NamedTuple):
    """Everything that can be chosen for a new battle of a game; `sources` are the choices that fields share."""

    game: str
    games: tuple[FieldChoice, ...]
    fields: tuple[OptionField, ...]
    sources: Mapping[str, tuple[FieldChoice, ...]]
    rulings: tuple[OptionField, ...]
    policies: tuple[OptionField, ...]
    save: str


class BattleOrder(NamedTuple):
    """A new battle as the form describes it; the seed is '' for a random one."""

    game: str
    values: Mapping[str, Any]
    rulings: tuple[str, ...] = ()
    policies: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    save: str = ""
    seed: str = ""
    players_roll: bool = False


class SaveRow(NamedTuple):
    """A saved battle that can be resumed."""

    name: str
    title: str
    answers: int


class QuestionState(NamedTuple):
    """The question that waits for a player.

    `kind` is 'choose', 'seal', 'select', 'measure', 'mark', or 'die'. `side` is the place of the side that is asked,
    or None if anybody may answer. `most` limits a selection that can repeat options, except those at the places
    `once`; 0 stands for one without repeats.
    """

    kind: str
    text: str
    side: int | None
    options: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    unit: str = ""
    marks: tuple[str, ...] = ()
    hint: str = ""
    most: int = 0
    once: tuple[int, ...] = ()


class BattleState(NamedTuple):
    """A battle as the engine sees it, with the secrets of each side by its name.

    `step` counts the answers and undone answers since the battle was opened, so that a late answer to another question
    is noticed. `log` has the last lines, each with its kind: 'told', 'event', 'die', or 'undo'.
    """

    title: str
    save: str
    step: int
    sides: tuple[str, ...]
    scoreboard: Scoreboard
    log: tuple[tuple[str, str], ...]
    question: QuestionState | None
    secrets: Mapping[str, tuple[str, ...]]
    outcome: tuple[str, ...]
    notes: tuple[str, ...]
    commitment: str
    can_undo: bool
