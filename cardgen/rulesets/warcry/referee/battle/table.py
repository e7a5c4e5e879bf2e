"""The table: both sides, their fighters, the battle round, and what is known about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from cardgen.game import Log, Procedure, Scoreboard, SideStatus
from cardgen.rulesets.warcry.battle_trait import for_players, passive_changes
from cardgen.rulesets.warcry.cards import Ability, Battleplan, Rule, Trait
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.referee.battle.combatant import Combatant
from cardgen.rulesets.warcry.referee.battle.distances import Distances
from cardgen.rulesets.warcry.referee.initiative_phase import DiceSet

# The battle trait that allows any number of abilities in an activation.
HEROES_WITHOUT_LIMITS = "heroes-without-limits"


@dataclass(eq=False, slots=True)
class Side:
    """A player: warband, battle trait, rules that the fighters can use, dice, and victory points.

    `wild` are the saved wild dice; `is_trait_spent` says that a battle trait of limited use has been used.
    """

    index: int
    name: str
    trait: Trait | None
    rules: tuple[Ability | Rule, ...]
    sets: list[DiceSet] = field(default_factory=list)
    wild: int = 0
    vp: int = 0
    is_trait_spent: bool = False

    @property
    def has_many_abilities(self) -> bool:
        """Whether its fighters can use several abilities in an activation."""
        return self.trait is not None and self.trait.id == HEROES_WITHOUT_LIMITS

    def rules_with(self, *prices: str) -> list[Ability | Rule]:
        """Return the rules of some prices that it can still use in this battle round."""
        return [
            rule for rule in self.rules if rule.price in prices and not (self.is_trait_spent and isinstance(rule, Rule))
        ]

    def note_use(self, rule: Ability | Rule) -> None:
        """Remember that a rule was used, if its battle trait can be used once only."""
        self.is_trait_spent |= isinstance(rule, Rule) and self.trait is not None and self.trait.once is not None

    def begin_round(self) -> None:
        """Restore a battle trait that can be used once per battle round."""
        if self.trait and self.trait.once == "round":
            self.is_trait_spent = False

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes that its battle trait always makes, for whichever fighters."""
        return passive_changes(self.trait)

    @property
    def words(self) -> tuple[Trait | Rule, ...]:
        """The rules of its battle trait that always apply, and that only the players can apply."""
        if self.has_many_abilities:
            return ()
        return for_players(self.trait)


class Fall(NamedTuple):
    """A fighter that was taken down, and by which attacker, if any."""

    victim: Combatant
    attacker: Combatant | None


@dataclass(eq=False, slots=True)
class RoundNotes:
    """What counts in this battle round alone.

    `near_objective` are the fighters taken down within 3 inches of an objective, as far as more of them can score. The
    twist fills the others.
    """

    falls: list[Fall] = field(default_factory=list)
    near_objective: list[Combatant] = field(default_factory=list)
    bloodgifted: Combatant | None = None
    held_before: dict[str, int] = field(default_factory=dict)
    prize: str = ""
    ignored_place: str = ""
    halved: tuple[str, int] = ("", 0)
    extra_objective: str = ""
    ignored_fighter: Combatant | None = None
    barred: Combatant | None = None
    exhausted: Combatant | None = None
    silenced: Combatant | None = None
    strength: tuple[str, int] = ("", 0)


@dataclass(eq=False, slots=True)
class Table:
    """A battle in progress.

    `control` names who holds each objective or place; `places` are those that can be held.
    """

    sides: tuple[Side, Side]
    combatants: list[Combatant]
    plan: Battleplan
    rulings: Mapping[str, str]
    rounds: int
    distances: Distances = field(default_factory=Distances)
    notes: RoundNotes = field(default_factory=RoundNotes)
    round: int = 0
    initiative: int = 0
    red_side: int = 0
    places: list[str] = field(default_factory=list)
    active: list[str] = field(default_factory=list)
    control: dict[str, int] = field(default_factory=dict)
    worthy: list[Combatant] = field(default_factory=list)

    def scoreboard(self) -> Scoreboard:
        """Return how both sides stand."""
        sides = (
            SideStatus(side.name, f"{side.vp} VP", tuple(each.status for each in self.combatants if each.side == place))
            for place, side in enumerate(self.sides)
        )
        return Scoreboard(f"Battle round {self.round}" if self.round else "Set-up", tuple(sides))

    def side_of(self, who: Combatant) -> Side:
        """Return the side of a fighter."""
        return self.sides[who.side]

    def standing(self, side: int) -> list[Combatant]:
        """Return the fighters of a side on the battlefield."""
        return [each for each in self.combatants if each.side == side and each.stands]

    def enemies(self, who: Combatant) -> list[Combatant]:
        """Return the enemies of a fighter on the battlefield."""
        return self.standing(1 - who.side)

    def friends(self, who: Combatant) -> list[Combatant]:
        """Return the other fighters of its side on the battlefield."""
        return [each for each in self.standing(who.side) if each is not who]

    def down(self, side: int) -> list[Combatant]:
        """Return the fighters of a side that are taken down."""
        return [each for each in self.combatants if each.side == side and each.is_down]

    def is_half_down(self, side: int) -> bool:
        """Whether at least half of a warband is taken down."""
        return 2 * len(self.down(side)) >= sum(each.side == side for each in self.combatants)

    @property
    def behind(self) -> Side | None:
        """The side with fewer victory points, or None if they are equal."""
        one, other = self.sides
        return None if one.vp == other.vp else min(self.sides, key=lambda side: side.vp)

    def may_be_beside_enemy(self, who: Combatant) -> bool:
        """Whether an enemy may be within 1 inch of a fighter."""
        return any(self.distances.is_within(who, enemy, 1) is not False for enemy in self.enemies(who))

    def is_beside_enemy(self, who: Combatant) -> bool:
        """Whether an enemy is known to be within 1 inch of a fighter."""
        return any(self.distances.is_within(who, enemy, 1) for enemy in self.enemies(who))

    def score(self, side: int, points: int, reason: str) -> Procedure[None]:
        """Add victory points, if there are any."""
        if points:
            self.sides[side].vp += points
            yield Log("{} scores {} VP: {}", (self.sides[side].name, points, reason))
