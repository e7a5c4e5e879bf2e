"""What changes while Warniris is played, as frozen values; so every procedure is a function from state to state."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

WINDOWS = ("attack", "action", "activation", "turn", "battle")


class MiniatureStatus(NamedTuple):
    """What lies beside a miniature's card: what it has used for this turn, and whether it has acted.

    `rested` holds the numbers of those sources of effects.
    """

    used_sources: tuple[int, ...] = ()
    has_acted: bool = False


class ActiveEffect(NamedTuple):
    """An effect in force: the `power` of the fighter `owner`, on whom (`on`), and until the end of what."""

    owner: int
    effect_number: int
    affected: tuple[tuple[str, tuple[int, ...]], ...]
    until: str


class PendingReaction(NamedTuple):
    """A reaction that waits for its point of the action: 'hit', 'resist', 'way' or, when its timing failed, 'end'."""

    reactor: int
    weapon: str
    point: str
    distance: int | None = None
    gap: bool = False


class Mode(NamedTuple):
    """Everything of a state that is no counter.

    `turn` and `deeds`, what was done so far, are kept only in a battle.
    """

    statuses: tuple[MiniatureStatus, ...]
    active_effects: tuple[ActiveEffect, ...] = ()
    pending_reactions: tuple[PendingReaction, ...] = ()
    turn: int = 0
    events: tuple[Any, ...] = ()


# Wounds left of each miniature, VP of each side, reactions left of each miniature in this turn (1 or 0), and uses left
# (1 or 0) of each thing for once a battle.
Counters: TypeAlias = tuple[int, ...]


class State(NamedTuple):
    """The whole of a game between its procedures."""

    mode: Mode
    counters: Counters

    def wounds(self, who: int) -> int:
        """Wounds left."""
        return self.counters[who]

    def stands(self, who: int) -> bool:
        """True while a miniature is not eliminated."""
        return self.counters[who] > 0

    def change_counter(self, counter: int, change: int) -> State:
        """The state with one counter changed."""
        if not change:
            return self
        counters = self.counters
        return State(self.mode, (*counters[:counter], counters[counter] + change, *counters[counter + 1 :]))

    def set_status(self, who: int, status: MiniatureStatus) -> State:
        """The state with other marks beside one card."""
        statuses = self.mode.statuses
        if status == statuses[who]:
            return self
        return State(self.mode._replace(statuses=(*statuses[:who], status, *statuses[who + 1 :])), self.counters)

    def add_effects(self, *effects: ActiveEffect) -> State:
        """The state with more effects in force, in an order that does not depend on when they started."""
        return State(
            self.mode._replace(active_effects=tuple(sorted((*self.mode.active_effects, *effects)))), self.counters
        )

    def end_window(self, window: str) -> State:
        """The state after the end of an attack, action, activation, turn or battle: what lasted until then is over."""
        active_effects = self.mode.active_effects
        if not active_effects:
            return self
        ended = WINDOWS[: WINDOWS.index(window) + 1]
        return State(
            self.mode._replace(active_effects=tuple(f for f in active_effects if f.until not in ended)), self.counters
        )

    def set_pending(self, *pending: PendingReaction) -> State:
        """The state with these reactions waiting, and no others."""
        if pending == self.mode.pending_reactions:
            return self
        return State(self.mode._replace(pending_reactions=pending), self.counters)
