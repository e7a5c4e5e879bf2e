"""What does not change while Warniris is played: who plays, under which rulings, and by which policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from cardgen.rulesets.warniris.procedures.fighter import Fighter
from cardgen.rulesets.warniris.procedures.state import Counters, Marks, Mode, State


@dataclass(frozen=True, eq=False)
class Table:
    """The fighters, the side of each (0 or 1), the rulings in force, and the policy for choices that are not asked.

    `asked` is true where players decide and measure, as in a battle.
    """

    fighters: tuple[Fighter, ...]
    sides: tuple[int, ...]
    rulings: Mapping[str, str]
    policy: Mapping[str, str]
    asked: bool = False
    distance: int | None = None
    records: bool = False
    memory: dict[Any, Any] = field(default_factory=dict, repr=False)

    def __hash__(self) -> int:
        return id(self)

    def start(self, wounds: Counters = ()) -> State:
        """The state before anything has happened; `wounds` stand for the printed ones where they are given."""
        full = tuple(fighter.wounds for fighter in self.fighters)
        return State(Mode((Marks(),) * len(full)), (*(wounds or full), 0, 0, *[1] * (len(full) + len(self.uses))))

    @cached_property
    def uses(self) -> dict[tuple[int, int], int]:
        """The counter of each thing for once a battle, by fighter and source."""
        found = [
            (who, power.source)
            for who, fighter in enumerate(self.fighters)
            for power in fighter.powers
            if power.once is True
        ]
        return {thing: 2 * len(self.fighters) + 2 + at for at, thing in enumerate(dict.fromkeys(found))}

    def vp(self, side: int) -> int:
        """The counter of a side's victory points."""
        return len(self.fighters) + side

    def upright(self, state: State) -> tuple[bool, ...]:
        """Who stands."""
        if len(self.fighters) == 2:
            return (state.counters[0] > 0, state.counters[1] > 0)
        return tuple([count > 0 for count in state.counters[: len(self.fighters)]])

    def reaction(self, who: int) -> int:
        """The counter of a miniature's reactions left."""
        return len(self.fighters) + 2 + who

    def name(self, who: int) -> str:
        """What a miniature is called."""
        return self.fighters[who].name

    def enemies(self, state: State, who: int) -> tuple[int, ...]:
        """The enemy miniatures that stand."""
        mine = self.sides[who]
        return tuple(i for i, side in enumerate(self.sides) if side != mine and state.stands(i))

    def friends(self, state: State, who: int) -> tuple[int, ...]:
        """The other miniatures of one's own side that stand."""
        mine = self.sides[who]
        return tuple(i for i, side in enumerate(self.sides) if side == mine and i != who and state.stands(i))

    def defeated(self, state: State, side: int) -> bool:
        """True when nobody of a side stands."""
        return not any(state.stands(i) for i, each in enumerate(self.sides) if each == side)

    def starts(self, who: int, moment: str) -> bool:
        """True when some effect of a fighter starts at that moment, or may bear again at it."""
        fighter = self.fighters[who]
        return moment in fighter.started or any(power.during == moment for power in fighter.powers)

    @cached_property
    def thresholds(self) -> tuple[tuple[int, int], ...]:
        """The wounds, of which fighters, that some effect asks not to exceed."""
        found = {
            (who, power.condition.wounds_at_most)
            for who, fighter in enumerate(self.fighters)
            for power in fighter.powers
            if power.condition.wounds_at_most
        }
        return tuple(sorted(found))

    def threshold(self, who: int) -> int:
        """The highest of those of one fighter; 0 where no effect looks at its wounds."""
        return max((wounds for other, wounds in self.thresholds if other == who), default=0)

    def condition(self, state: State) -> tuple[bool, ...]:
        """Everything that numbers may depend on in the wounds: who stands, and which thresholds are met."""
        counters = state.counters
        return (*self.upright(state), *[counters[who] <= wounds for who, wounds in self.thresholds])

    @cached_property
    def steady(self) -> bool:
        """True when no effect lends weapons or changes ranges, so that what may be used stays the same."""
        powers = (power for fighter in self.fighters for power in fighter.powers)
        return not any(deeds.weapon or deeds.range for power in powers for _, deeds in power.deeds)

    @cached_property
    def rerolls(self) -> bool:
        """True when some effect re-rolls dice."""
        powers = (power for fighter in self.fighters for power in fighter.powers)
        return any(deeds.reroll for power in powers for _, deeds in power.deeds)

    @cached_property
    def moments(self) -> frozenset[str]:
        """All moments at which some effect starts, or bears again."""
        powers = [power for fighter in self.fighters for power in fighter.powers]
        begun = {moment for fighter in self.fighters for moment in fighter.started}
        return frozenset(begun | {power.during for power in powers if power.during})
