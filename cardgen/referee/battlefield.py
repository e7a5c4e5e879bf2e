"""Models on a battlefield: what each has done in a turn, and who is in contact with whom."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from cardgen.referee.scoreboard import Scoreboard, SideStatus, UnitStatus

M = TypeVar("M", bound="BattleModel")


@dataclass(eq=False, kw_only=True)
class BattleModel:
    """A model in a battle.

    `acts` is what it has done or suffered in this turn, such as 'ran'. `contacts` are the enemies that it touches, and
    `rounds` the rounds of its combat so far. `exit` is the table edge by which it has left, if it chose to.
    """

    side: int
    acts: set[str] = field(default_factory=set)
    contacts: set[BattleModel] = field(default_factory=set)
    rounds: int = 0
    is_leader: bool = False
    exit: str = ""

    @property
    def name(self) -> str:
        """Its name, which no other model has."""
        return ""

    @property
    def status(self) -> str:
        """How it stands, in words; a screen shows them beside its name."""
        return ""

    @property
    def is_lost(self) -> bool:
        """Whether it is out of the battle for good."""
        return False

    @property
    def is_present(self) -> bool:
        """Whether it is on the table."""
        return not self.is_lost and not self.exit

    @property
    def is_fit(self) -> bool:
        """Whether it is on the table and can act."""
        return self.is_present

    @property
    def points(self) -> int:
        """Its cost."""
        return 0

    def has_acted(self, *acts: str) -> bool:
        """Return whether it has done any of these things in this turn."""
        return not self.acts.isdisjoint(acts)

    def touch(self, enemy: BattleModel) -> None:
        """Bring two models into contact."""
        self.contacts.add(enemy)
        enemy.contacts.add(self)

    def leave_combat(self) -> None:
        """Break all contacts; whoever has none left is no longer in combat."""
        for enemy in self.contacts:
            enemy.contacts.discard(self)
            enemy.rounds = enemy.rounds if enemy.contacts else 0
        self.contacts, self.rounds = set(), 0


@dataclass(eq=False, kw_only=True)
class Battlefield(Generic[M]):
    """The models of the sides, the rulings in force by id, and the scenario as plain data.

    `turns` is the limit of each side, and `side` the one whose turn it is. `marks` counts the markers of a letter that
    a side has carried off or destroyed, and `loser` is a side that has lost at once.
    """

    sides: tuple[str, ...]
    models: list[M]
    settings: Mapping[str, str]
    scenario: Mapping[str, Any] = field(default_factory=dict)
    turns: int = 1
    turn: int = 0
    side: int = 0
    marks: dict[tuple[int, str], int] = field(default_factory=dict)
    loser: int | None = None

    @property
    def conditions(self) -> Sequence[Mapping[str, Any]]:
        """The conditions of victory of the scenario."""
        conditions: Sequence[Mapping[str, Any]] = self.scenario.get("victory", ())
        return conditions

    @property
    def time(self) -> str:
        """The time, in words."""
        return f"Turn {self.turn} of {self.sides[self.side]}" if self.turn else "Set-up"

    def scoreboard(self) -> Scoreboard:
        """Return how all models stand."""
        return Scoreboard(self.time, tuple(self._side_status(place) for place in range(len(self.sides))))

    def _side_status(self, side: int) -> SideStatus:
        own = (each for each in self.models if each.side == side)
        units = (UnitStatus(each.name, each.status, each.is_lost or bool(each.exit)) for each in own)
        return SideStatus(self.sides[side], "", tuple(units))

    def count_mark(self, side: int, mark: str) -> None:
        """Count one more marker that a side has carried off or destroyed."""
        self.marks[side, mark] = self.marks.get((side, mark), 0) + 1

    @property
    def rules(self) -> frozenset[tuple[str, str]]:
        """The rulings in force as pairs."""
        return frozenset(self.settings.items())

    def says(self, ruling: str, setting: str) -> bool:
        """Return whether a ruling has a setting."""
        return self.settings[ruling] == setting

    def of(self, side: int, test: Callable[[M], bool] = lambda _: True) -> list[M]:
        """Return the models of a side on the table that pass a test."""
        return [each for each in self.models if each.side == side and each.is_present and test(each)]

    def enemies(self, who: M) -> list[M]:
        """Return the enemies of a model on the table."""
        return [each for each in self.models if each.side != who.side and each.is_present]


def combats(models: Sequence[M]) -> list[list[M]]:
    """Return the groups of models that touch each other, directly or through others."""
    groups: list[list[M]] = []
    for model in models:
        if model.contacts and not any(model in group for group in groups):
            group = [model]
            for each in group:
                group += [other for other in models if other in each.contacts and other not in group]
            groups.append([each for each in models if each in group])
    return groups
