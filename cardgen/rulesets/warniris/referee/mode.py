"""The mode of a game: everything in a state except its counters."""

from __future__ import annotations

from typing import Any, NamedTuple


class MiniatureStatus(NamedTuple):
    """The sources of effects that a miniature has used for this turn, and whether it has acted.

    `moved` is 'activation' or 'turn' after a Move in the activation that goes on, or earlier in this turn.
    """

    used_sources: tuple[int, ...] = ()
    has_acted: bool = False
    moved: str = ""


class ActiveEffect(NamedTuple):
    """An effect in force: whose it is, its number, on whom it is, and until the end of what."""

    owner: int
    effect_number: int
    affected: tuple[tuple[str, tuple[int, ...]], ...]
    until: str


class PendingReaction(NamedTuple):
    """A reaction that waits for its point of the action.

    The points are 'way', 'hit', 'resist', and, when its timing failed, 'end'.
    `distance`, `gap`, and `between` are those at its timing; where players measure, they do so again at its point.
    """

    reactor: int
    weapon: str
    point: str
    distance: int | None = None
    gap: bool = False
    between: tuple[int, ...] = ()
    is_second: bool = False


class Mode(NamedTuple):
    """Everything in a state except its counters.

    `turn` and `events`, what was done so far, are kept only in a battle; `distance` is that of the two in a duel,
    and `actor` is the enemy whose act is the moment.
    """

    statuses: tuple[MiniatureStatus, ...]
    active_effects: tuple[ActiveEffect, ...] = ()
    pending_reactions: tuple[PendingReaction, ...] = ()
    turn: int = 0
    events: tuple[Any, ...] = ()
    distance: int | None = None
    actor: int | None = None
