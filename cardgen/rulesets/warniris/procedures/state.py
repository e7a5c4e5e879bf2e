"""What changes while Warniris is played, as frozen values; so every procedure is a function from state to state."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

WINDOWS = ("attack", "action", "activation", "turn", "battle")


class Marks(NamedTuple):
    """What lies beside a miniature's card: what it has used for this turn, and whether it has acted.

    `rested` holds the numbers of those sources of effects.
    """

    rested: tuple[int, ...] = ()
    acted: bool = False


class Force(NamedTuple):
    """An effect in force: the `power` of the fighter `owner`, on whom (`on`), and until the end of what."""

    owner: int
    power: int
    on: tuple[tuple[str, tuple[int, ...]], ...]
    until: str


class Waiting(NamedTuple):
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

    marks: tuple[Marks, ...]
    forces: tuple[Force, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    turn: int = 0
    deeds: tuple[Any, ...] = ()


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

    def adding(self, counter: int, change: int) -> State:
        """The state with one counter changed."""
        if not change:
            return self
        counters = self.counters
        return State(self.mode, (*counters[:counter], counters[counter] + change, *counters[counter + 1 :]))

    def marking(self, who: int, marks: Marks) -> State:
        """The state with other marks beside one card."""
        old = self.mode.marks
        if marks == old[who]:
            return self
        return State(self.mode._replace(marks=(*old[:who], marks, *old[who + 1 :])), self.counters)

    def forcing(self, *forces: Force) -> State:
        """The state with more effects in force, in an order that does not depend on when they started."""
        return State(self.mode._replace(forces=tuple(sorted((*self.mode.forces, *forces)))), self.counters)

    def ending(self, window: str) -> State:
        """The state after the end of an attack, action, activation, turn or battle: what lasted until then is over."""
        forces = self.mode.forces
        if not forces:
            return self
        ended = WINDOWS[: WINDOWS.index(window) + 1]
        return State(self.mode._replace(forces=tuple(f for f in forces if f.until not in ended)), self.counters)

    def waiting(self, *waiting: Waiting) -> State:
        """The state with these reactions waiting, and no others."""
        if waiting == self.mode.waiting:
            return self
        return State(self.mode._replace(waiting=waiting), self.counters)
