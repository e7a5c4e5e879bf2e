"""The table: models, sides, and everything that the tracker remembers about a battle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from cardgen.game import Battlefield, BattleModel, Log, Procedure, confirm
from cardgen.rulesets.skirmish.referee.charts import leadership_test, rout_threshold
from cardgen.rulesets.skirmish.referee.morale import LEADER_REACH
from cardgen.rulesets.skirmish.referee.warrior import FIT, OUT, STUNNED, Health, Warrior

ALONE, PANIC = "alone", "panic"


@dataclass(eq=False, kw_only=True)
class Model(BattleModel):
    """A warrior in a battle.

    `flight` is why it flees: 'alone', 'panic', or ''. `led_by` is the side that inflicted more wounds in the last round
    of its combat, or -1.
    """

    warrior: Warrior
    health: Health
    contacts: set[Model] = field(default_factory=set)  # type: ignore[assignment]
    flight: str = ""
    is_hidden: bool = False
    is_gone: bool = False
    is_proof_to_terror: bool = False
    is_defended: bool = False
    weapon: str = ""
    led_by: int = -1

    @property
    def name(self) -> str:
        """Its name, which no other model has."""
        return self.warrior.name

    @property
    def is_lost(self) -> bool:
        """Whether it is out of action, or has fled off the table."""
        return self.is_gone or self.health.state == OUT

    @property
    def profile(self) -> Warrior:
        """Its warrior, without a mount that it has lost."""
        return self.warrior if self.health.is_mounted else self.warrior._replace(mount=None)

    @property
    def points(self) -> int:
        """Its cost."""
        return self.warrior.points

    @property
    def is_fit(self) -> bool:
        """Whether it is on the table, stands, and does not flee."""
        return self.is_present and self.health.state == FIT and not self.flight

    @property
    def is_free(self) -> bool:
        """Whether it is fit and not in close combat."""
        return self.is_fit and not self.contacts

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

    @property
    def status(self) -> str:
        """Its Wounds or state, and whether it flees or hides."""
        notes = [str(self.health), *(["flees"] if self.flight else []), *(["hidden"] if self.is_hidden else [])]
        return ", ".join(notes)

    def __str__(self) -> str:
        return f"{self.name} ({self.status})"


class Table(Battlefield[Model]):
    """A battle in progress."""

    @property
    def has_heights(self) -> bool:
        """Whether models can fall from something: by the scenario, if there is one."""
        return not self.scenario or bool(self.floors)

    @property
    def floors(self) -> dict[str, int]:
        """The heights of the scenario's floors in inches, each with a label that names its terrain."""
        terrain = [each for each in self.scenario.get("terrain", ()) if each.get("level")]
        return {f'{each["name"]}, {each["level"]}"': each["level"] for each in terrain}

    @property
    def highest(self) -> int:
        """The height of the scenario's highest floor in inches; 0 if it has none."""
        return max(self.floors.values(), default=0)

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

    def test_rout(self) -> Procedure[bool]:
        """Take the rout test of the side whose turn it is, if it needs one; return whether it routs."""
        force = [each for each in self.models if each.side == self.side]
        if not needs_rout_test(force, by_points=self.says("quarter", "points")):
            return False
        leadership, name = rout_leadership(force), self.sides[self.side]
        if not leadership:
            yield Log("{}: nobody is able to take the rout test", (name,))
            return self.says("leader-gone", "failed")
        return not (yield from leadership_test(name, leadership, "rout test"))


def needs_rout_test(force: Sequence[Model], *, by_points: bool = False) -> bool:
    """Return whether a quarter or more of a force is out of action, of its models or of its points."""
    values = [(each.is_lost, each.points if by_points else 1) for each in force]
    lost = sum(value for is_lost, value in values if is_lost)
    return lost >= max(1, rout_threshold(sum(value for _, value in values)))


def rout_leadership(force: Sequence[Model]) -> int:
    """Return the Leadership for a rout test: the leader's, or the best of those able; 0 if nobody is."""
    able = [each for each in force if each.is_present and each.health.state != STUNNED]
    leaders = [each.warrior.ld for each in able if each.is_leader]
    return max(leaders or [each.warrior.ld for each in able], default=0)
