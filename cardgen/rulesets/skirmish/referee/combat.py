"""A round of close combat: strike order, targets, and blows (seed: The close combat phase)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import groupby
from operator import itemgetter
from typing import Annotated, Any, NamedTuple, TypeAlias

from cardgen.game import (
    CardData,
    Competitor,
    Decision,
    Die,
    FirstFighter,
    MemoizedCall,
    OddsSolver,
    OddsTable,
    Pairing,
    Parameter,
    PreparedTrial,
    Procedure,
    RelayDuel,
    Roll,
    RulesConfig,
    Ruling,
    at_least,
    copies_in_force,
    find_by_name,
    label_table,
    put,
    quantity,
    recruits,
    round_robin_pairings,
    slugify,
)
from cardgen.rulesets.skirmish.referee.target_numbers import (
    COVER,
    Attempt,
    Break,
    Fighter,
    Opponent,
    Shot,
    alone_test,
    mount_strikes,
    shot_fault,
    shots,
    slip,
    strikes,
)
from cardgen.rulesets.skirmish.referee.warrior import (
    DOWN,
    FALLEN,
    FIT,
    OUT,
    STATES,
    STUNNED,
    WARRIORS,
    Health,
    Mount,
    Outcome,
    Rules,
    Volley,
    Warrior,
    Weapon,
    resolve,
    resolve_more,
    warrior_of,
)

FRAIL, ABLE, ANY = "frail", "able", "any"
# A policy. Its setting is among the rules in force, like those of rulings.
TARGETS = Ruling(
    "targets",
    "Whom does a warrior attack in close combat if it can choose?",
    {
        FRAIL: "The enemy with the fewest Wounds left, then the lowest Toughness. Equal enemies are equally likely.",
        ABLE: "The enemy with the highest Weapon Skill, then the highest Strength. Equal enemies are equally likely.",
        ANY: "Any enemy, each with the same chance.",
    },
)

Fighters: TypeAlias = tuple[Fighter, ...]
# The health of each fighter of a combat.
Healths: TypeAlias = tuple[Health, ...]
STUPID_NEED = 4
# Ranks of the strike order: chargers, most fighters, weapons that strike last, and who stood up.
CHARGERS, OTHERS, SLOW, RISEN = range(4)


class Striker(NamedTuple):
    """A fighter or its mount, with its place in the strike order."""

    rank: int
    slowness: int
    side: int
    who: int
    is_mount: bool = False


class CombatEnd(NamedTuple):
    """The end of a round: health, the fighters who can still cause a critical hit, and the wounds by each side.

    `felled` has the fighters who felled an enemy, each with that enemy.
    """

    healths: Healths
    may_crit: tuple[bool, ...]
    wounds: tuple[int, ...] = (0, 0)
    felled: tuple[tuple[int, int], ...] = ()

    def after(self, striker: Striker, target: int, outcome: Outcome) -> CombatEnd:
        """Return the end of the round with the outcome of some blows."""
        wounds = put(self.wounds, striker.side, self.wounds[striker.side] + outcome.wounds)
        may_crit = put(self.may_crit, striker.who, outcome.may_crit)
        is_felled = self.healths[target].state == FIT and outcome.health.state in FALLEN
        felled = (*self.felled, (striker.who, target)) if is_felled else self.felled
        return CombatEnd(put(self.healths, target, outcome.health), may_crit, wounds, felled)


def strikers_of(fighters: Iterable[Fighter], healths: Healths) -> list[Striker]:
    """Return everyone who strikes, and mounts, in the order of rank and Initiative."""
    strikers = []
    for who, (fighter, health) in enumerate(zip(fighters, healths, strict=True)):
        rank = RISEN if fighter.stood_up else CHARGERS if fighter.charges else OTHERS
        is_slow = rank == OTHERS and "strikes-last" in fighter.weapon.rules
        strikers.append(Striker(SLOW if is_slow else rank, -fighter.warrior.i, fighter.side, who))
        if fighter.warrior.mount and health.is_mounted:
            strikers.append(Striker(rank, -fighter.warrior.mount.i, fighter.side, who, True))
    return sorted(strikers)


def _order(
    fighters: Fighters, group: Iterable[Striker], healths: Healths, leader: int, rules: Rules
) -> Procedure[list[Striker]]:
    """Return those of equal rank and Initiative who can still strike, in order; the two sides roll off."""
    tied = [each for each in group if healths[each.who].state == FIT and targets_of(fighters, each.who, healths)]
    first = tied[0].side if tied else 0
    if len({each.side for each in tied}) > 1:
        first = leader
        if ("equal-initiative", "roll") in rules or leader < 0:
            name = next(fighters[each.who].warrior.name for each in tied if not each.side)
            first = (yield Roll("roll-off", "", f"equal Initiative: 1 if {name} strikes first", 2)) - 1
    return sorted(tied, key=lambda each: (each.side != first, each.is_mount,
                                          *_precedence(fighters[each.who], healths[each.who])))  # fmt: skip


def parting_order(opponent: Opponent) -> tuple[Any, ...]:
    """Return the place of an opponent's parting blow: as in the strike order, first those that can be critical."""
    fighter, health, may_crit = opponent
    *precedence, name = _precedence(fighter, health)
    return -fighter.warrior.i, *precedence, not may_crit, name


def _precedence(fighter: Fighter, health: Health | None = None) -> tuple[Any, ...]:
    """Return the place among strikers of one side with equal Initiative: those who strike harder come first.

    It compares all numbers and the health, so that the order in which warriors are listed makes no difference.
    """
    warrior = fighter.warrior
    profile = repr(_numbers((*warrior[1:], *fighter[2:])))
    return -warrior.a, -warrior.s, -warrior.ws, profile, repr(health), warrior.name


def _numbers(value: Any) -> Any:
    """Return a value without the names of weapons and mounts, and with lists for sets, which have no order."""
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, Weapon | Mount):
        value = value._replace(name="")
    return [*map(_numbers, value)] if isinstance(value, tuple) else value


def fight_round(
    fighters: Fighters, healths: Healths, rules: Rules, leader: int = -1, may_crit: tuple[bool, ...] = ()
) -> Procedure[CombatEnd]:
    """Play a round of close combat; fighters who are not fit do not strike.

    `leader` is the side that inflicted more wounds in the last round, or -1. `may_crit` tells who can still cause a
    critical hit in this phase; by default, everyone can.
    """
    end = CombatEnd(healths, may_crit or (True,) * len(fighters))
    for _, group in groupby(strikers_of(fighters, healths), key=lambda each: each[:2]):
        for striker in (yield from _order(fighters, group, end.healths, leader, rules)):
            end = yield MemoizedCall(take_blows, (fighters, striker, end, rules))
    return end


def targets_of(fighters: Fighters, who: int, healths: Healths) -> list[int]:
    """Return the enemies that a fighter can attack: standing ones, or else fallen ones."""
    reach = fighters[who].reach or [each for each, its in enumerate(fighters) if its.side != fighters[who].side]
    enemies = [each for each in reach if healths[each].state != OUT]
    return [each for each in enemies if healths[each].state == FIT] or enemies


def take_blows(fighters: Fighters, striker: Striker, end: CombatEnd, rules: Rules) -> Procedure[CombatEnd]:
    """Resolve all attacks of a striker, if it can still fight."""
    fighter, own = fighters[striker.who], end.healths[striker.who]
    targets = targets_of(fighters, striker.who, end.healths)
    if own.state != FIT or not targets:
        return end
    what = "to fight in spite of stupidity"
    if fighter.is_stupid and not (yield at_least("stupidity", fighter.warrior.name, what, STUPID_NEED)):
        return end
    are_fallen = end.healths[targets[0]].state != FIT
    for target, volley in (yield from _aim(fighters, striker, targets, end.healths, rules)):
        method = resolve_more if (striker.who, target) in end.felled else resolve
        outcome: Outcome = yield MemoizedCall(method, (volley, end.healths[target], end.may_crit[striker.who]))
        end = end.after(striker, target, outcome)
    for target in targets if are_fallen and ("stunned-kill", "free") in rules else ():
        if end.healths[target].state == STUNNED and (striker.who, target) not in end.felled:
            dead = Outcome(end.healths[target]._replace(state=OUT), end.may_crit[striker.who], 1)
            end = end.after(striker, target, dead)
    return end


def _aim(
    fighters: Fighters, striker: Striker, targets: list[int], healths: Healths, rules: Rules
) -> Procedure[list[tuple[int, Volley]]]:
    """Choose the target of each attack before any die; return the volleys by target."""
    fighter, names = fighters[striker.who], {fighters[each].warrior.name: each for each in targets}
    attacks, own = mount_strikes if striker.is_mount else strikes, healths[striker.who]
    volleys = {each: attacks(fighter, fighters[each], own, healths[each], rules) for each in targets}
    what = f"target of an attack{' of the mount' if striker.is_mount else ''}"
    shares: dict[int, list[int]] = {}
    for part in [part for part, (_, count) in enumerate(volleys[targets[0]]) for _ in range(count)]:
        ties = _default_targets(fighters, targets, shares, healths, rules)
        target = names[
            (
                yield Decision(
                    "target", fighter.warrior.name, what, tuple(names), ties[0], ties if len({*ties}) > 1 else ()
                )
            )
        ]
        shares.setdefault(target, []).append(part)
    return [(target, _share(volleys[target], parts)) for target, parts in shares.items()]


def _share(volley: Volley, parts: list[int]) -> Volley:
    return tuple((blow, parts.count(part)) for part, (blow, _) in enumerate(volley) if part in parts)


def _default_targets(
    fighters: Fighters, targets: list[int], shares: Mapping[int, Any], healths: Healths, rules: Rules
) -> tuple[str, ...]:
    """Return the names of equally good targets of the next attack.

    Each stunned enemy is attacked once, and all other attacks are at the enemy that the policy chooses. Of equal copies
    of a warrior, one stands for all, as many times as there are copies.
    """
    stunned = [each for each in targets if healths[each].state == STUNNED and each not in shares]
    others = [each for each in targets if healths[each].state != STUNNED]
    if not stunned and (chosen := [each for each in others or targets if each in shares]):
        return (fighters[chosen[-1]].warrior.name,)

    def rank(who: int) -> tuple[int, ...]:
        warrior = fighters[who].warrior
        if (TARGETS.id, ANY) in rules:
            return ()
        return (-warrior.ws, -warrior.s) if (TARGETS.id, ABLE) in rules else (healths[who].wounds, warrior.t)

    ranks = {each: rank(each) for each in stunned or others or targets}
    equal = [each for each in ranks if ranks[each] == min(ranks.values())]
    if len(equal) == 1:
        return (fighters[equal[0]].warrior.name,)
    best = sorted(equal, key=lambda each: _precedence(fighters[each], healths[each]))
    warriors = {each: fighters[each].warrior for each in best}
    kinds = {each: (warrior.name.rstrip("0123456789"), fighters[each]._replace(warrior=warrior._replace(name="")),
                    healths[each]) for each, warrior in warriors.items()}  # fmt: skip
    return tuple(next(warriors[other].name for other in best if kinds[other] == kinds[each]) for each in best)


# Turns of both players in a duel, and in one of several warriors; and the most copies of the dearer warrior.
TURNS, LONGEST, MOST_COPIES = 12, 30, 3


class Clash(NamedTuple):
    """Two fighters: their health, whether a new combat begins, who stood up, and who leads by wounds."""

    healths: Healths
    is_new: bool = True
    stood_up: tuple[bool, ...] = (False, False)
    leader: int = -1


def recover(health: Health) -> tuple[Health, bool]:
    """Return the health after a Recovery phase, and whether the warrior stood up."""
    if health.state == STUNNED:
        return health._replace(state=DOWN), False
    return health._replace(state=FIT), health.state == DOWN


class WarriorDuel(RelayDuel[Clash]):
    """Two warriors in turns; those in reserve step in one after another.

    In a new combat, the player whose turn it is charges. Whoever is knocked down stands up as soon as possible.
    """

    def __init__(
        self, fighters: tuple[Fighter, Fighter], config: RulesConfig, turns: int = 0, solver: OddsSolver | None = None
    ) -> None:
        one, other = (each.warrior for each in fighters)
        copies = copies_in_force(config, one.points, other.points, MOST_COPIES)
        super().__init__((one.name, other.name), turns or (LONGEST if max(copies) > 1 else TURNS), copies, solver)
        self.fighters, self.rules = fighters, config.pairs

    def begin(self) -> Clash:
        """Return the clash of the first two warriors."""
        return Clash(tuple(each.warrior.health for each in self.fighters))

    def turn(self, owner: int, clash: Clash) -> Procedure[Clash]:
        """Play the Recovery and the Close Combat phase of a side."""
        health, has_risen = recover(clash.healths[owner])
        its_rank = clash.stood_up[1 - owner] and ("stand-up", "next-turn") in self.rules
        stood_up = put((its_rank, its_rank), owner, has_risen)
        clash = clash._replace(healths=put(clash.healths, owner, health), stood_up=stood_up)
        if clash.is_new and (has_risen or health.state != FIT):
            return clash
        fighters = tuple(
            each._replace(charges=clash.is_new and who == owner, first=clash.is_new, stood_up=stood_up[who])
            for who, each in enumerate(self.fighters)
        )
        end = yield from fight_round(fighters, clash.healths, self.rules, clash.leader)
        leads = ("equal-initiative", "wounds") in self.rules and end.wounds[0] != end.wounds[1]
        leader = int(end.wounds[1] > end.wounds[0]) if leads else -1
        return clash._replace(healths=end.healths, is_new=False, leader=leader)

    def relieve(self, clash: Clash, fallen: tuple[int, ...]) -> Clash:
        """Return a new combat with other warriors."""
        healths, stood_up = clash.healths, clash.stood_up
        for who in fallen:
            healths, stood_up = put(healths, who, self.fighters[who].warrior.health), put(stood_up, who, False)
        return Clash(healths, True, stood_up)

    def is_out(self, clash: Clash, who: int) -> bool:
        """Return whether a warrior is out of action."""
        return clash.healths[who].state == OUT

    def words(self, clash: Clash, who: int) -> str:
        """Return the health of a warrior."""
        return str(clash.healths[who])


def round_robin(competitors: Sequence[Competitor], config: RulesConfig) -> Iterator[Pairing]:
    """Yield the duel of every two warriors; equal blows share their odds, whoever strikes them."""
    warriors, solver = [warrior_of(each.card, "warrior") for each in competitors], OddsSolver()
    fighters = [Fighter(each, 0, each.melee_weapons[0]) for each in warriors]

    def duel_of(one: Fighter, other: Fighter) -> WarriorDuel:
        return WarriorDuel((one, other._replace(side=1)), config, solver=solver)

    return round_robin_pairings(fighters, duel_of)


# The special rules that trials apply, and those that do not bear on them.
APPLIED = frozenset({"frenzy", "hatred", "immune", "killing-blow", "large", "monster", "poison", "swarm", "undead"})
ELSEWHERE = frozenset({"animal", "unit-caster"})
MAX_RANGE, MAX_HEIGHT, MAX_WOUNDS = 72, 30, 10
SIDES = ("a", "b", "none")
# Fields of an attack that change only blows, and only shots.
BLOW_FIELDS = ("target_weapon", "charge", "later", "dive", "afraid", "obstacle")
SHOT_FIELDS = ("distance", "cover", "moved", "charging", "all_shots")


@dataclass(frozen=True, slots=True)
class AttackSituation:
    """One warrior attacks another, in close combat or with a missile weapon."""

    attacker: Annotated[CardData, Parameter("card", "Attacker.", WARRIORS)]
    target: Annotated[CardData, Parameter("card", "Target.", WARRIORS)]
    weapon: Annotated[str | None, Parameter("word", "Weapon (default: the first that can attack the target).")] = None
    target_weapon: Annotated[str | None, Parameter("word", "Target's weapon in close combat.")] = None
    charge: Annotated[bool, Parameter("flag", "The attacker has charged in this turn.")] = False
    later: Annotated[bool, Parameter("flag", "It is not the first round of the combat.")] = False
    dive: Annotated[bool, Parameter("flag", "The attacker has made a diving charge.")] = False
    afraid: Annotated[bool, Parameter("flag", "The attacker has failed a fear test.")] = False
    obstacle: Annotated[bool, Parameter("flag", "The target defends an obstacle.")] = False
    no_critical: Annotated[bool, Parameter("flag", "The attacker has used its critical hit.")] = False
    distance: Annotated[int | None, Parameter("number", "Distance of a shot.", high=MAX_RANGE, unit="inches")] = None
    cover: Annotated[str | None, Parameter("word", "Target's cover against a shot.", words=tuple(COVER))] = None
    moved: Annotated[bool, Parameter("flag", "The shooter has moved in this turn.")] = False
    charging: Annotated[bool, Parameter("flag", "The target charges the shooter.")] = False
    all_shots: Annotated[bool, Parameter("flag", "The shooter fires all shots of the weapon.")] = False
    target_state: Annotated[str, Parameter("word", "Target's state.", words=STATES[:3])] = FIT
    lost: Annotated[int, Parameter("number", "Wounds that the target has lost.", high=MAX_WOUNDS)] = 0
    edge: Annotated[int, Parameter("number", 'Height of an edge within 1" of the target.', high=MAX_HEIGHT)] = 0

    def health_of(self, target: Warrior) -> Health:
        """Return the health of the target; one that has stood up again may have no Wounds left."""
        if self.lost > target.w:
            raise ValueError(f"{target.name} has {quantity(target.w, 'Wound')}, so it cannot have lost {self.lost}")
        left = target.w - self.lost if self.target_state == FIT else 0
        return target.health._replace(wounds=left, state=self.target_state)

    def volleys(self, attacker: Warrior, target: Warrior, its: Health, rules: Rules) -> list[Volley]:
        """Return the shots, or the attacks of the warrior and of its mount in their order.

        Raises ValueError for what changes only shots, or only blows.
        """
        missiles = attacker.missile_weapons
        if find_by_name(missiles, self.weapon) if self.weapon else missiles and self._is_set(SHOT_FIELDS):
            missile = self.missile(attacker, target)
            self._refuse(BLOW_FIELDS, f"{missile.name} shoots, and this is for blows in close combat")
            return [shots(attacker, target, missile, self._shot, its, rules)]
        weapon = attacker.weapon(self.weapon, is_ranged=False)
        self._refuse(SHOT_FIELDS, f"{weapon.name} strikes in contact, and this is for shots; choose a missile weapon")
        one = Fighter(attacker, 0, weapon, self.charge or self.dive, not self.later)
        its_weapon = target.weapon(self.target_weapon, is_ranged=False)
        other = Fighter(target, 1, its_weapon, is_defended=self.obstacle)
        one = one._replace(dives=self.dive, is_afraid=self.afraid and not self.later)
        order = strikers_of((one,), (attacker.health,))
        attacks = [mount_strikes if striker.is_mount else strikes for striker in order]
        return [each for each in (attack(one, other, attacker.health, its, rules) for attack in attacks) if each]

    def missile(self, attacker: Warrior, target: Warrior) -> Weapon:
        """Return the missile weapon named, or the first one that can shoot at the target, or the first.

        Raises ValueError for a weapon that it does not have, and if it has none.
        """
        first = attacker.weapon(self.weapon, is_ranged=True)
        weapons = attacker.missile_weapons if self.weapon is None else ()
        return next((each for each in weapons if not shot_fault(target, each, self._shot)), first)

    @property
    def _shot(self) -> Shot:
        return Shot(self.distance, self.moved, self.cover or "", self.charging, self.all_shots)

    def _is_set(self, names: Iterable[str]) -> list[str]:
        """Return which of these fields are set."""
        return [field.name for field in fields(self)
                if field.name in names and getattr(self, field.name) not in (field.default, 0)]  # fmt: skip

    def _refuse(self, names: Iterable[str], why: str) -> None:
        """Raise ValueError if any of these fields is set."""
        for name in self._is_set(names):
            raise ValueError(f"{name.replace('_', ' ')}: {why}")


def set_up_attack(situation: AttackSituation, config: RulesConfig) -> PreparedTrial:
    """Set up the attacks of a warrior on another one."""
    attacker, target = (one.warrior for one in combatants((situation.attacker,), (situation.target,)))
    rules, health = config.pairs, situation.health_of(target)
    volleys = situation.volleys(attacker, target, health, rules)

    def procedure() -> Procedure[Health]:
        after, may_crit = health, not situation.no_critical
        for volley in volleys:
            if after.state == OUT:
                break
            method = resolve_more if after.state != health.state else resolve
            outcome: Outcome = yield from method(volley, after, may_crit)
            after, may_crit = outcome.health, outcome.may_crit
        if situation.edge and after.state not in (health.state, OUT):
            after = (yield from slip(target, after, Attempt(situation.edge), rules, attacker.name)).health
        return after

    title, notes = f"{attacker.name} attacks {target.name}", not_simulated((attacker, target))
    return PreparedTrial.in_words(title, procedure, str, notes)


def set_up_shoot(situation: AttackSituation, config: RulesConfig) -> PreparedTrial:
    """Set up a shot with the named missile weapon, or the first one that can shoot at the target."""
    weapon = situation.missile(warrior_of(situation.attacker), warrior_of(situation.target))
    return set_up_attack(replace(situation, weapon=weapon.name), config)


def not_simulated(warriors: Iterable[Warrior]) -> Iterator[str]:
    """Yield the special rules and magic items that trials leave to the players."""
    for warrior in dict.fromkeys(warriors):
        own = {slugify(name) for name, _ in warrior.texts}
        left = {*warrior.rules - APPLIED - ELSEWHERE - own, *warrior.in_words}
        yield from (f"{warrior.name}: {each}" for each in sorted(left))


@dataclass(frozen=True, slots=True)
class CombatSituation:
    """A round of close combat, in which everyone touches every enemy."""

    a: Annotated[tuple[CardData, ...], Parameter("cards", "Warrior of side A. Can be repeated.", WARRIORS)] = ()
    b: Annotated[tuple[CardData, ...], Parameter("cards", "Warrior of side B. Can be repeated.", WARRIORS)] = ()
    charge: Annotated[str, Parameter("word", "The side that has charged in this turn.", words=SIDES)] = "a"
    later: Annotated[bool, Parameter("flag", "It is not the first round of the combat.")] = False


def combatants(*sides: Iterable[CardData]) -> tuple[Fighter, ...]:
    """Return the fighters of both sides, each with its first weapon.

    Raises ValueError for a side without warriors.
    """
    bands = [{"members": [{"card": data} for data in side]} for side in sides]
    fighters = [(each.side, warrior_of(each.member["card"], each.name)) for each in recruits(bands, "card")]
    if len({side for side, _ in fighters}) < len(sides):
        raise ValueError("a combat needs warriors on both sides")
    return tuple(Fighter(who, side, who.melee_weapons[0]) for side, who in fighters)


def set_up_combat(situation: CombatSituation, config: RulesConfig) -> PreparedTrial:
    """Set up a round of close combat."""
    fighters = tuple(
        each._replace(charges=SIDES[each.side] == situation.charge, first=not situation.later)
        for each in combatants(situation.a, situation.b)
    )
    start: Healths = tuple(each.warrior.health for each in fighters)
    rules = config.pairs | {(TARGETS.id, config.policy[TARGETS.id])}

    def procedure() -> Procedure[Healths]:
        end: CombatEnd = yield from fight_round(fighters, start, rules)
        return end.healths

    def lines(healths: Healths) -> Iterator[str]:
        return (f"{each.warrior.name}: {health}" for each, health in zip(fighters, healths, strict=True))

    def tables(die: Die[Healths]) -> Iterator[OddsTable]:
        for who, each in enumerate(fighters):
            yield label_table(each.warrior.name, die.map(itemgetter(who)).map(str))

    title = " against ".join(", ".join(each.warrior.name for each in fighters if each.side == side) for side in (0, 1))
    return PreparedTrial.of(title, procedure, lines, tables, not_simulated(each.warrior for each in fighters))


@dataclass(frozen=True, slots=True)
class AloneSituation:
    """A warrior fights alone, and its Close Combat phase ends."""

    warrior: Annotated[CardData, Parameter("card", "Warrior that is alone.", WARRIORS)]
    opponents: Annotated[tuple[CardData, ...], Parameter("cards", "Opponent. Can be repeated.", WARRIORS)] = ()
    no_critical: Annotated[bool, Parameter("flag", "The opponents have used their critical hits.")] = False


def set_up_alone(situation: AloneSituation, config: RulesConfig) -> PreparedTrial:
    """Set up an All Alone test with the parting blows of all opponents."""
    if len(situation.opponents) < 2:
        raise ValueError("a warrior is alone against two or more opponents")
    one, *others = combatants((situation.warrior,), situation.opponents)
    may_crit = not situation.no_critical
    opponents = sorted((Opponent(each, each.warrior.health, may_crit) for each in others), key=parting_order)
    warrior = one.warrior

    def procedure() -> Procedure[Break | None]:
        return (yield from alone_test(one, warrior.health, tuple(opponents), warrior.ld, config.pairs))

    def words(end: Break | None) -> str:
        return "stays" if end is None else f"{'runs' if end.runs else 'stays'}, {end.health}"

    notes = not_simulated(each.warrior for each in (one, *others))
    return PreparedTrial.in_words(f"{warrior.name} is alone", procedure, words, notes)


@dataclass(frozen=True, slots=True)
class DuelSituation:
    """Two warriors alone in close combat."""

    a: Annotated[CardData, Parameter("card", "First warrior.", WARRIORS)]
    b: Annotated[CardData, Parameter("card", "Second warrior.", WARRIORS)]
    turns: Annotated[int, Parameter("number", "Number of turns of both players.", low=1, high=40)] = TURNS
    weapon_a: Annotated[str | None, Parameter("word", "Weapon of the first warrior.")] = None
    weapon_b: Annotated[str | None, Parameter("word", "Weapon of the second warrior.")] = None
    first: FirstFighter = "a"


def set_up_duel(situation: DuelSituation, config: RulesConfig) -> PreparedTrial:
    """Set up a duel; whoever goes first charges."""
    fighters = combatants((situation.a,), (situation.b,))
    names = (situation.weapon_a, situation.weapon_b)
    weapons = [each.warrior.weapon(name, is_ranged=False) for each, name in zip(fighters, names, strict=True)]
    one, other = (each._replace(weapon=weapon) for each, weapon in zip(fighters, weapons, strict=True))
    duel = WarriorDuel((one, other), replace(config, policy={"forces": "one"}), situation.turns)
    return duel.prepare(situation.first, not_simulated((one.warrior, other.warrior)))
