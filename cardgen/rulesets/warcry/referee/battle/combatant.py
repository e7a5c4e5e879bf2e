"""Combatants: fighters in a battle, with damage points, actions left, and effects."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from cardgen.game import UnitStatus
from cardgen.rulesets.warcry.cards import Blessing, Fighter
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.effective import HEROISM
from cardgen.rulesets.warcry.referee.activation import ACTIONS
from cardgen.rulesets.warcry.referee.attack_trials import INSPIRING_PRESENCE
from cardgen.rulesets.warcry.referee.fighter import FighterStats, apply_changes

# What a fighter that cannot act cannot do.
ACTING = frozenset(("move", "disengage", "attack", "wait", "action", "bonus"))
# The blessing that makes one reaction in each battle round free.
SPITE = "spite"


class Effect(NamedTuple):
    """Changes in force until the end of an attack, an activation, or a battle round.

    `weapon` is the one that changes of a single weapon are for. Those for the next attack or move end with it, or with
    their `span`.
    """

    changes: tuple[Change, ...]
    until: str
    weapon: str = ""
    span: str = ""


@dataclass(eq=False, slots=True)
class Combatant:
    """A fighter in a battle.

    `actions` are those left in this battle round; `arrival` is the battle round in which it leaves the reserve, 0 for
    a fighter that starts on the battlefield.
    """

    side: int
    card: Fighter
    blessing: Blessing | None
    profile: FighterStats
    arrival: int = 0
    damage: int = 0
    actions: int = ACTIONS
    has_activated: bool = False
    is_waiting: bool = False
    has_used_spite: bool = False
    has_moved: bool = False
    is_in_reserve: bool = False
    effects: list[Effect] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Its name, which no other combatant has."""
        return self.profile.name

    @property
    def stats(self) -> FighterStats:
        """Its numbers with all effects in force."""
        stats = self.profile
        for effect in self.effects:
            stats = apply_changes(stats, effect.changes, effect.weapon)
        return stats

    @property
    def bans(self) -> frozenset[str]:
        """What effects do not let it do, or be done to it."""
        bans = frozenset(ban for effect in self.effects for change in effect.changes for ban in change.cannot)
        return bans | ACTING if "act" in bans else bans

    @property
    def points(self) -> int:
        """Its cost, including that of its blessing."""
        return self.card.points + (self.blessing.price(self.card) if self.blessing else 0)

    @property
    def is_down(self) -> bool:
        """Whether its damage points have reached its Wounds."""
        return self.damage >= self.stats.wounds

    @property
    def stands(self) -> bool:
        """Whether it is on the battlefield."""
        return not (self.is_down or self.is_in_reserve)

    @property
    def can_activate(self) -> bool:
        """Whether it can be picked: it has not activated in this battle round, or it waits."""
        return self.stands and (self.is_waiting or self.is_fresh) and "activate" not in self.bans

    @property
    def is_fresh(self) -> bool:
        """Whether it has not activated in this battle round."""
        return not self.has_activated and self.actions > 0

    @property
    def can_react(self) -> bool:
        """Whether it can make a reaction, which only those can that can still activate."""
        return self.can_activate and "react" not in self.bans

    @property
    def has_free_reaction(self) -> bool:
        """Whether Spite makes its next reaction free."""
        return self.blessing is not None and self.blessing.id == SPITE and not self.has_used_spite

    def pay_for_reaction(self) -> bool:
        """Forfeit an action for a reaction; return whether it was free.

        Two reactions use up both actions, and a waiting fighter no longer waits.
        """
        if self.has_free_reaction:
            self.has_used_spite = True
            return True
        self.actions -= 1
        self.is_waiting = False
        return False

    def begin_activation(self) -> int:
        """Mark it as activated, and return its number of actions."""
        actions, self.actions = self.actions, 0
        self.has_activated, self.is_waiting, self.has_moved = True, False, False
        self.end_effects("next-activation")
        return actions

    def wait(self) -> None:
        """Wait: activate once more in this battle round, with one action."""
        self.is_waiting, self.actions = True, 1

    def begin_round(self) -> None:
        """Restore what a battle round gives."""
        self.actions, self.has_activated, self.is_waiting, self.has_used_spite = ACTIONS, False, False, False

    def end_effects(self, until: str) -> None:
        """Drop the effects that last until the end of something.

        The loss of Wounds that an effect lent takes no fighter down.
        """
        was_down = self.is_down
        self.effects = [effect for effect in self.effects if until not in (effect.until, effect.span)]
        if not was_down:
            self.damage = min(self.damage, self.stats.wounds - 1)

    def allocate(self, points: int) -> int:
        """Allocate damage points up to its Wounds, and return how many."""
        allocated = min(points, self.stats.wounds - self.damage)
        self.damage += allocated
        return allocated

    def remove(self, points: int) -> int:
        """Remove damage points, and return how many."""
        removed = min(points, self.damage)
        self.damage -= removed
        return removed

    def marks_for(self, ability: str) -> frozenset[str]:
        """Return its runemarks for an ability; Heroism lends Hero for Inspiring Presence."""
        is_lent = ability == INSPIRING_PRESENCE and self.blessing is not None and self.blessing.id == HEROISM
        return self.card.marks | ({"hero"} if is_lent else frozenset())

    @property
    def status(self) -> UnitStatus:
        """Its damage, and what it does now, for the scoreboard."""
        notes = {"in reserve": self.is_in_reserve, "waiting": self.is_waiting, "activated": self.has_activated}
        words = [f"{self.damage}/{self.stats.wounds} damage", *(word for word, applies in notes.items() if applies)]
        return UnitStatus(self.name, "down" if self.is_down else ", ".join(words), self.is_down)

    def __str__(self) -> str:
        waiting = ", waiting" if self.is_waiting else ""
        return f"{self.name} ({self.damage}/{self.stats.wounds}{waiting})"


def combatant_named(combatants: Iterable[Combatant], label: str) -> Combatant:
    """Return the combatant that an option shows."""
    return next(each for each in combatants if str(each) == label)
