"""The trials of one warrior's attack or shot, of a combat, of All Alone, and of a duel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from operator import itemgetter
from typing import Annotated

from cardgen.game import (
    CardData,
    Die,
    FirstFighter,
    OddsTable,
    Parameter,
    PreparedTrial,
    Procedure,
    RulesConfig,
    find_by_name,
    label_table,
    quantity,
    recruits,
    slugify,
)
from cardgen.rulesets.skirmish.referee.aim import COVER, Fighter, Shot, mount_strikes, shots, strikes
from cardgen.rulesets.skirmish.referee.blow import Outcome, Volley, resolve, resolve_more
from cardgen.rulesets.skirmish.referee.combat import (
    TARGETS,
    CombatEnd,
    Healths,
    fight_round,
    strike_order,
    strikers_of,
)
from cardgen.rulesets.skirmish.referee.duel import TURNS, WarriorDuel
from cardgen.rulesets.skirmish.referee.heights import Attempt, slip
from cardgen.rulesets.skirmish.referee.morale import Break, Opponent, alone_test
from cardgen.rulesets.skirmish.referee.warrior import FIT, OUT, STATES, WARRIORS, Health, Rules, Warrior, warrior_of

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
    weapon: Annotated[str | None, Parameter("word", "Weapon (default: the first).")] = None
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
        if self.weapon and (missile := find_by_name(attacker.missile_weapons, self.weapon)):
            self._refuse(BLOW_FIELDS, f"{missile.name} shoots, and this is for blows in close combat")
            shot = Shot(self.distance, self.moved, self.cover or "", self.charging, self.all_shots)
            return [shots(attacker, target, missile, shot, its, rules)]
        weapon = attacker.weapon(self.weapon, is_ranged=False)
        self._refuse(SHOT_FIELDS, f"{weapon.name} strikes in contact, and this is for shots; name a missile weapon")
        one = Fighter(attacker, 0, weapon, self.charge or self.dive, not self.later)
        its_weapon = target.weapon(self.target_weapon, is_ranged=False)
        other = Fighter(target, 1, its_weapon, is_defended=self.obstacle)
        one = one._replace(dives=self.dive, is_afraid=self.afraid)
        order = strikers_of((one,), (attacker.health,))
        attacks = [mount_strikes if striker.is_mount else strikes for striker in order]
        return [each for each in (attack(one, other, attacker.health, its, rules) for attack in attacks) if each]

    def _refuse(self, names: Iterable[str], why: str) -> None:
        """Raise ValueError if any of these fields is set."""
        for field in fields(self):
            if field.name in names and getattr(self, field.name) not in (field.default, 0):
                raise ValueError(f"{field.name.replace('_', ' ')}: {why}")


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
    """Set up a shot with the named missile weapon, or the first one."""
    weapon = warrior_of(situation.attacker).weapon(situation.weapon, is_ranged=True)
    return set_up_attack(replace(situation, weapon=weapon.name), config)


def not_simulated(warriors: Iterable[Warrior]) -> Iterator[str]:
    """Yield the special rules and magic items that trials leave to the players."""
    for warrior in dict.fromkeys(warriors):
        left = {*warrior.rules - APPLIED - ELSEWHERE, *warrior.in_words} - set(map(slugify, warrior.in_words))
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
    opponents = tuple(Opponent(each, each.warrior.health, may_crit) for each in sorted(others, key=strike_order))
    warrior = one.warrior

    def procedure() -> Procedure[Break | None]:
        return (yield from alone_test(one, warrior.health, opponents, warrior.ld, config.pairs))

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
