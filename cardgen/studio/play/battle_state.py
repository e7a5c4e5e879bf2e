"""What the engine tells the server about a battle, and what it takes to begin one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from cardgen.referee.scoreboard import Scoreboard
from cardgen.studio.option_fields import FieldChoice, OptionField

SAVE_NAME = re.compile(r"[A-Za-z0-9][\w .-]{0,60}\.jsonl", re.ASCII)
TOO_LATE = "the battle has gone on in the meantime; look again"


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

    def is_for(self, side: int | None) -> bool:
        """Return whether a side may answer; None, which is nobody's, never may.

        Every side may answer what names none, except for a secret choice, whose options nobody else must see.
        """
        return side is not None and (self.side == side or (self.side is None and self.kind != "seal"))


class Refused(NamedTuple):
    """Why an answer or an undo was not accepted; `is_forbidden` if it was not for this side to give it."""

    text: str
    is_forbidden: bool = False


class BattleState(NamedTuple):
    """A battle as the engine sees it, with the secrets of each side by its name.

    `step` grows with every answer and undone answer, so that a late answer to another question is noticed. `log` has
    the last lines, each with its kind: 'told', 'event', 'die', or 'undo'.
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
