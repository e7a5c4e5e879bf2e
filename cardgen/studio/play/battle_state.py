"""What the engine tells the server about a battle, and what it takes to begin one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from cardgen.referee.scoreboard import Scoreboard


class FormField(NamedTuple):
    """A field of the form for a new battle.

    `sort` is that of the parameter: 'card', 'cards', 'deck', 'number', 'flag', or 'word'. `options` are the ids and
    names of cards, or words.
    """

    name: str
    sort: str
    help: str
    is_required: bool
    options: tuple[tuple[str, str], ...] = ()
    low: int = 0
    high: int = 0
    unit: str = ""


class Switch(NamedTuple):
    """A ruling or a policy: its settings with their descriptions, and the one in force."""

    name: str
    question: str
    settings: tuple[tuple[str, str], ...]
    current: str


class SetupForm(NamedTuple):
    """Everything that can be chosen for a new battle of a game."""

    game: str
    games: tuple[tuple[str, str], ...]
    fields: tuple[FormField, ...]
    rulings: tuple[Switch, ...]
    policies: tuple[Switch, ...]
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
