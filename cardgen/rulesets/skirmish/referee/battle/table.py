"""The table: models, sides, and everything that the tracker remembers about a battle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cardgen.game import Procedure, confirm
from cardgen.rulesets.skirmish.referee.charts import leadership_test
from cardgen.rulesets.skirmish.referee.morale import LEADER_REACH, Member
from cardgen.rulesets.skirmish.referee.warrior import FIT, OUT, Health, Rules, Warrior

ALONE, PANIC = "alone", "panic"


@dataclass(eq=False, slots=True)
class Model:
    """A warrior in a battle.

    `flight` is why it flees: 'alone', 'panic', or ''. `acts` is what it has done or suffered in this turn, such as
    'ran'. `contacts` are the enemies that it touches, `rounds` the rounds of its combat so far, and `led_by` the side
    that inflicted more wounds in the last one, or -1. `exit` is the table edge by which it has left, if it chose to.
    """

    side: int
    warrior: Warrior
    health: Health
    is_leader: bool = False
    flight: str = ""
    is_hidden: bool = False
    is_gone: bool = False
    exit: str = ""
    is_proof_to_terror: bool = False
    is_defended: bool = False
    rounds: int = 0
    weapon: str = ""
    led_by: int = -1
    acts: set[str] = field(default_factory=set)
    contacts: set[Model] = field(default_factory=set)

    @property
    def name(self) -> str:
        """Its name, which no other model has."""
        return self.warrior.name

    @property
    def is_lost(self) -> bool:
        """Whether it is out of action, or has fled off the table."""
        return self.is_gone or self.health.state == OUT

    @property
    def is_present(self) -> bool:
        """Whether it is on the table."""
        return not self.is_lost and not self.exit

    @property
    def is_fit(self) -> bool:
        """Whether it is on the table, stands, and does not flee."""
        return self.is_present and self.health.state == FIT and not self.flight

    @property
    def is_free(self) -> bool:
        """Whether it is fit and not in close combat."""
        return self.is_fit and not self.contacts

    def has_acted(self, *acts: str) -> bool:
        """Return whether it has done any of these things in this turn."""
        return not self.acts.isdisjoint(acts)

    def has_rule(self, *rules: str) -> bool:
        """Return whether it has any of these special rules."""
        return not self.warrior.rules.isdisjoint(rules)

    @property
    def is_frenzied(self) -> bool:
        """Whether it has frenzy, and has not lost it."""
        return self.has_rule("frenzy") and not self.health.is_calm

    @property
    def ignores_fear(self) -> bool:
        """Whether psychology does not affect it."""
        return self.has_rule("immune", "undead") or self.is_frenzied

    def touch(self, enemy: Model) -> None:
        """Bring two models into contact."""
        self.contacts.add(enemy)
        enemy.contacts.add(self)

    def leave_combat(self) -> None:
        """Break all contacts."""
        for enemy in self.contacts:
            enemy.contacts.discard(self)
            enemy.rounds = enemy.rounds if enemy.contacts else 0
        self.contacts, self.rounds, self.is_defended = set(), 0, False

    def __str__(self) -> str:
        notes = [str(self.health), *(["flees"] if self.flight else []), *(["hidden"] if self.is_hidden else [])]
        return f"{self.name} ({', '.join(notes)})"


@dataclass(eq=False, slots=True)
class Table:
    """A battle in progress.

    `side` is the side whose turn it is. `marks` counts the markers of a letter that a side has carried off or
    destroyed. `settings` are the rulings in force, by id.
    """

    sides: tuple[str, str]
    models: list[Model]
    settings: Mapping[str, str]
    scenario: Mapping[str, Any]
    turns: int
    turn: int = 0
    side: int = 0
    marks: dict[tuple[int, str], int] = field(default_factory=dict)
    loser: int | None = None

    @property
    def rules(self) -> Rules:
        """The rulings in force as pairs."""
        return frozenset(self.settings.items())

    @property
    def conditions(self) -> Sequence[Mapping[str, Any]]:
        """The conditions of victory of the scenario."""
        conditions: Sequence[Mapping[str, Any]] = self.scenario.get("victory", ())
        return conditions

    @property
    def has_heights(self) -> bool:
        """Whether models can fall from something: by the scenario, if there is one."""
        return not self.scenario or any(each.get("level") for each in self.scenario.get("terrain", ()))

    def says(self, ruling: str, setting: str) -> bool:
        """Return whether a ruling has a setting."""
        return self.settings[ruling] == setting

    def of(self, side: int, test: Callable[[Model], bool] = lambda _: True) -> list[Model]:
        """Return the models of a side on the table that pass a test."""
        return [each for each in self.models if each.side == side and each.is_present and test(each)]

    def enemies(self, who: Model) -> list[Model]:
        """Return the enemies of a model on the table."""
        return self.of(1 - who.side)

    def force(self, side: int) -> list[Member]:
        """Return all models of a side, as rout tests see them."""
        return [
            Member(who.warrior.ld, who.warrior.points, who.health.state, who.is_leader, who.is_gone, bool(who.exit))
            for who in self.models
            if who.side == side
        ]

    def leader(self, side: int) -> Model | None:
        """Return the leader on the table, or by the ruling `successor` the next one."""
        present = self.of(side, lambda each: each.is_leader or self.says("successor", "next"))
        return max(present, key=lambda each: (each.is_leader, each.warrior.ld), default=None)

    def test_courage(self, who: Model, what: str) -> Procedure[bool]:
        """Take a Leadership test, perhaps with that of a fit leader within 6 inches, which players confirm."""
        leadership, leader = who.warrior.ld, self.leader(who.side)
        if leader and leader.is_fit and leader.warrior.ld > leadership:
            where = f'{who.name} is within {LEADER_REACH}" of {leader.name}, who leads'
            if (yield from confirm("leader", self.sides[who.side], where)):
                leadership = leader.warrior.ld
        return (yield from leadership_test(who.name, leadership, what))
