"""The table of a battle: combatants with damage points, actions left, and effects; sides; and distances."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cardgen.game import Log, Procedure, Scoreboard, SideStatus, UnitStatus, confirm
from cardgen.rulesets.warcry.cards import Ability, Battleplan, Blessing, Fighter, Rule, Trait
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.effective import changes_of, for_players, passive_changes, passive_rules
from cardgen.rulesets.warcry.limits import Weapon
from cardgen.rulesets.warcry.referee.activation import ACTIONS, ADJACENT
from cardgen.rulesets.warcry.referee.attack import Tally
from cardgen.rulesets.warcry.referee.fighter import FighterStats, apply_changes, lent_runemarks, lowers
from cardgen.rulesets.warcry.referee.initiative import DiceSet
from cardgen.rulesets.warcry.selections import Condition
from cardgen.rulesets.warcry.words import BANS

# What a fighter that cannot act cannot do, with the actions that cards grant.
ACTING = frozenset((*BANS.where(lambda ban: ban.is_act), "action"))
# The blessing that makes one reaction in each battle round free.
SPITE = "spite"


class Effect(NamedTuple):
    """Changes in force until the end of an attack, an activation, or a battle round.

    `weapon` is the one that changes of a single weapon are for. Those for the next attack or move end with it, or with
    their `span`. What has a `condition`, which is about the fighter `about`, counts in the attacks at which it holds.
    """

    changes: tuple[Change, ...]
    until: str
    weapon: str = ""
    span: str = ""
    condition: Condition | None = None
    about: Combatant | None = None


@dataclass(eq=False, slots=True)
class Combatant:
    """A fighter in a battle.

    `actions` are those left in this battle round; `arrival` is the battle round in which it leaves the reserve, 0 for
    a fighter that starts on the battlefield. `has_left` says that a rule has removed it from there, and `has_felled`
    whether its last attack took down the target, if known.
    """

    side: int
    card: Fighter
    blessing: Blessing | None
    profile: FighterStats
    arrival: int = 0
    is_leader: bool = False
    damage: int = 0
    actions: int = ACTIONS
    has_activated: bool = False
    is_waiting: bool = False
    has_used_spite: bool = False
    has_moved: bool = False
    has_attacked: bool = False
    is_in_reserve: bool = False
    has_left: bool = False
    called: set[str] = field(default_factory=set)
    has_felled: bool | None = None
    effects: list[Effect] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Its name, which no other combatant has."""
        return self.profile.name

    @property
    def stats(self) -> FighterStats:
        """Its numbers with all effects in force."""
        stats = self.profile
        in_force = [(change, each.weapon) for each in self.effects if not each.condition for change in each.changes]
        for change, weapon in sorted(in_force, key=lambda pair: lowers(pair[0])):
            stats = apply_changes(stats, [change], weapon)
        return stats

    @property
    def awaited(self) -> list[Effect]:
        """The effects whose condition is checked at each attack."""
        return [each for each in self.effects if each.condition]

    @property
    def answering(self) -> list[Effect]:
        """The effects that change the attacks on it."""
        return [each for each in self.effects if any(change.incoming for change in each.changes)]

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
        return not (self.is_down or self.is_in_reserve or self.has_left)

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
        self.has_activated, self.is_waiting = True, False
        self.has_moved = self.has_attacked = False
        return actions

    def wait(self) -> None:
        """Wait: activate once more in this battle round, with one action."""
        self.is_waiting, self.actions = True, 1

    def begin_round(self) -> None:
        """Restore what a battle round gives."""
        self.actions, self.has_activated, self.is_waiting, self.has_used_spite = ACTIONS, False, False, False

    def end_effects(self, *ends: str) -> None:
        """Drop the effects that last until the end of one of some things."""
        self.effects = [effect for effect in self.effects if {effect.until, effect.span}.isdisjoint(ends)]

    def fall(self) -> None:
        """Leave the battlefield, with no effects that could still change its Wounds, and nothing that it is called."""
        self.effects, self.called = [], set()
        self.damage = self.stats.wounds

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
        return self.card.marks | lent_runemarks(self.blessing, ability)

    @property
    def status(self) -> UnitStatus:
        """Its damage, and what it does now, for the scoreboard."""
        away = {"in reserve": self.is_in_reserve, "off the battlefield": self.has_left}
        notes = {**away, "waiting": self.is_waiting, "activated": self.has_activated}
        words = [f"{self.damage}/{self.stats.wounds} damage", *(word for word, applies in notes.items() if applies)]
        return UnitStatus(self.name, "down" if self.is_down else ", ".join(words), self.is_down)

    def __str__(self) -> str:
        waiting = ", waiting" if self.is_waiting else ""
        return f"{self.name} ({self.damage}/{self.stats.wounds}{waiting})"


# Longer than any battlefield, and just more than an inch.
FAR, BEYOND = 120.0, 0.01
COVER = "in cover"


class Distances:
    """The bounds of each distance in inches, and facts about pairs such as cover.

    Whoever picks an attack says that its target is in range. That is remembered, so that nothing that it excludes is
    offered. When one of the two moves, the distance changes by its move at most, and the facts are forgotten.
    """

    def __init__(self) -> None:
        self._bounds: dict[frozenset[Combatant], tuple[float, float]] = {}
        self._facts: dict[tuple[Combatant, Combatant, str], bool] = {}

    def bounds(self, one: Combatant, other: Combatant) -> tuple[float, float]:
        """Return the least and the greatest distance possible, in inches."""
        return self._bounds.get(frozenset((one, other)), (0.0, FAR))

    def claim(self, one: Combatant, other: Combatant, low: float, high: float) -> None:
        """Remember that a distance is between `low` and `high` inches."""
        before = self.bounds(one, other)
        self._bounds[frozenset((one, other))] = (max(low, before[0]), min(high, before[1]))

    def claim_apart(self, who: Combatant, others: Iterable[Combatant]) -> None:
        """Remember that others are more than 1 inch away."""
        for other in others:
            self.claim(who, other, ADJACENT + BEYOND, FAR)

    def move(self, who: Combatant, inches: int) -> None:
        """Widen the bounds of a fighter that has moved up to some inches, and forget its facts."""
        for pair, (low, high) in self._bounds.items():
            if who in pair:
                self._bounds[pair] = (max(0.0, low - inches), high + inches)
        self._forget_facts(who)

    def forget(self, who: Combatant) -> None:
        """Forget everything about a fighter that may be anywhere."""
        self._bounds = {pair: bounds for pair, bounds in self._bounds.items() if who not in pair}
        self._forget_facts(who)

    def _forget_facts(self, who: Combatant) -> None:
        self._facts = {key: value for key, value in self._facts.items() if who not in key[:2]}

    def forget_fact(self, name: str) -> None:
        """Forget a fact about all pairs."""
        self._facts = {key: value for key, value in self._facts.items() if key[2] != name}

    def is_within(self, one: Combatant, other: Combatant, inches: float) -> bool | None:
        """Return whether a distance is at most this, or None if that is unknown."""
        low, high = self.bounds(one, other)
        return True if high <= inches else False if low > inches else None

    def allows(self, one: Combatant, other: Combatant, weapon: Weapon, move: int = 0) -> bool:
        """Return whether a target may be in range of a weapon, after a move of some inches."""
        low, high = self.bounds(one, other)
        return low - move <= weapon.range and high + move >= weapon.min_range

    def fact(self, one: Combatant, other: Combatant, name: str = COVER) -> bool | None:
        """Return what is known about a pair: by default, whether `other` is in cover from `one`."""
        return self._facts.get((one, other, name))

    def note(self, one: Combatant, other: Combatant, value: bool, name: str = COVER) -> None:
        """Remember a fact about a pair."""
        self._facts[one, other, name] = value


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
        return any(change.many_abilities for rule in passive_rules(self.trait) for change in changes_of(rule))

    def rules_with(self, *prices: str) -> list[Ability | Rule]:
        """Return the rules of some prices that it can still use in this battle round."""
        return [
            rule for rule in self.rules if rule.price in prices and not (self.is_trait_spent and isinstance(rule, Rule))
        ]

    def note_use(self, rule: Ability | Rule) -> None:
        """Remember that a rule was used, if its battle trait can be used once only."""
        if isinstance(rule, Rule):
            self.note_trait_use()

    def note_trait_use(self) -> None:
        """Remember that the battle trait was used, if it can be used once only."""
        self.is_trait_spent |= self.trait is not None and self.trait.once is not None

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
        return tuple(rule for rule in for_players(self.trait) if not changes_of(rule))


class Fall(NamedTuple):
    """A fighter that was taken down, and by which attacker, if any."""

    victim: Combatant
    attacker: Combatant | None


class RuleUse(NamedTuple):
    """A rule that a fighter has used, and the battle round and activation in which it did, both counted from 1."""

    who: Combatant
    rule: str
    round: int
    activation: int


@dataclass(eq=False, slots=True)
class RoundNotes:
    """What counts in this battle round alone.

    `earlier_falls` is the number of falls before the activation in progress. `near_objective` are the fighters taken
    down within 3 inches of an objective, as far as more of them can score. The twist fills the others.
    """

    falls: list[Fall] = field(default_factory=list)
    earlier_falls: int = 0
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

    `activations` is the number of activations so far, `later` are the changes of battle traits that wait for the next
    battle round, and `challenges` the attackers and targets that they have picked. `harmed` are the fighters to which
    damage points were allocated, or that were taken down, and whose moment that is has still to come. `control` names
    who holds each objective or place; `places` are those that can be held.
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
    uses: list[RuleUse] = field(default_factory=list)
    picks: list[tuple[int, str, Combatant]] = field(default_factory=list)
    rolled: Tally | None = None
    activations: int = 0
    later: list[Any] = field(default_factory=list)
    challenges: list[tuple[Combatant, Combatant]] = field(default_factory=list)
    harmed: list[Combatant] = field(default_factory=list)

    def scoreboard(self) -> Scoreboard:
        """Return how both sides stand."""
        sides = (
            SideStatus(side.name, f"{side.vp} VP", tuple(each.status for each in self.combatants if each.side == place))
            for place, side in enumerate(self.sides)
        )
        return Scoreboard(f"Battle round {self.round}" if self.round else "Set-up", tuple(sides))

    def begin_activation(self) -> None:
        """Forget what counts within an activation alone."""
        self.activations += 1
        self.notes.earlier_falls = len(self.notes.falls)
        for each in self.combatants:
            each.has_moved = each.has_attacked = False

    def note_use(self, who: Combatant, rule: Ability | Rule) -> None:
        """Remember that a fighter has used a rule."""
        self.side_of(who).note_use(rule)
        self.uses.append(RuleUse(who, rule.name, self.round, self.activations))

    def was_used(self, who: Combatant, rule: str, limit: Condition) -> bool:
        """Return whether a fighter, or any of its warband, has used a rule that can be used once in a while."""
        now = {"activation": self.activations, "round": self.round}.get(limit.once or "")
        return any(
            use.rule == rule
            and (use.who is who if limit.by_fighter else use.who.side == who.side)
            and (now is None or getattr(use, limit.once or "") == now)
            for use in self.uses
        )

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


NOBODY, NEITHER = "nobody", "neither"


ANY_OBJECTIVE = "an objective"


def near_objective(table: Table, who: Combatant, objective: str) -> bool | None:
    """Return whether a fighter is known to be within 3 inches of an objective, or of any; None if that is open."""
    known = table.distances.fact(who, who, objective)
    near_any = table.distances.fact(who, who, ANY_OBJECTIVE)
    if known is None and objective != ANY_OBJECTIVE:
        return False if near_any is False else None
    if known is None and any(table.distances.fact(who, who, place) for place in table.places):
        return True
    return known


def is_near_objective(table: Table, who: Combatant, objective: str = ANY_OBJECTIVE) -> Procedure[bool]:
    """Ask whether a fighter is within 3 inches of an objective; the answer holds until it moves."""
    known = near_objective(table, who, objective)
    if known is None:
        known = yield from confirm("near", table.side_of(who).name, f'{who.name} is within 3" of {objective}')
        table.distances.note(who, who, known, objective)
    return known
