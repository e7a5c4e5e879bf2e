"""The state of a game between its procedures: its mode, and its counters."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from cardgen.rulesets.warniris.referee.mode import ActiveEffect, MiniatureStatus, Mode, PendingReaction

# What lasts until the end of the next turn lasts until the end of the turn when that begins.
_SHORTER = {"next-turn": "turn"}
WINDOWS = ("attack", "move", "action", "activation", "turn", "battle")
# Of each miniature: Wounds; of each side: VP; reactions left in this turn, and uses left of things for once (1 or 0).
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

    def add_events(self, *events: Any) -> State:
        """The state with more events on record."""
        return State(self.mode._replace(events=(*self.mode.events, *events)), self.counters)

    def add_effects(self, *effects: ActiveEffect) -> State:
        """The state with more effects in force, in an order that does not depend on when they started."""
        return State(
            self.mode._replace(active_effects=tuple(sorted((*self.mode.active_effects, *effects)))), self.counters
        )

    def end_window(self, window: str) -> State:
        """The state after the end of a window, such as an attack or a turn: what lasted until then is over."""
        active_effects = self.mode.active_effects
        if not active_effects:
            return self
        ended = WINDOWS[: WINDOWS.index(window) + 1]
        kept = tuple(each for each in active_effects if each.until not in ended)
        if window == "turn":
            kept = tuple(sorted(each._replace(until=_SHORTER.get(each.until, each.until)) for each in kept))
        return State(self.mode._replace(active_effects=kept), self.counters)

    def begin_activation(self, who: int) -> State:
        """The state at the start of an activation: what lasted until then is over."""
        active_effects = self.mode.active_effects
        kept = tuple(sorted(each for active in active_effects for each in active.at_activation(who)))
        return self if kept == active_effects else State(self.mode._replace(active_effects=kept), self.counters)

    def at_distance(self, distance: int) -> State:
        """The state with another distance between the two of a duel, in cm."""
        return State(self.mode._replace(distance=distance), self.counters)

    def with_face(self, face: int) -> State:
        """The state with the face of a die with several results, or with 0 after them."""
        return self if face == self.mode.face else State(self.mode._replace(face=face), self.counters)

    def with_actor(self, who: int | None) -> State:
        """The state at a moment of an enemy, or after it."""
        return State(self.mode._replace(actor=who), self.counters)

    def nested_in(self, outer: State) -> State:
        """The state after an attack within another action, of which nothing is over."""
        lasting = (each for each in self.mode.active_effects if each.until not in WINDOWS[:2])
        interrupted = [each for each in outer.mode.active_effects if each.until in WINDOWS[:2]]
        active_effects = tuple(sorted((*lasting, *interrupted)))
        if active_effects == self.mode.active_effects:
            return self
        return State(self.mode._replace(active_effects=active_effects), self.counters)

    def set_pending(self, *pending: PendingReaction) -> State:
        """The state with these reactions waiting, and no others."""
        if pending == self.mode.pending_reactions:
            return self
        return State(self.mode._replace(pending_reactions=pending), self.counters)
