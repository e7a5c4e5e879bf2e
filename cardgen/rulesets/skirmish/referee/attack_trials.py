"""The trials of one warrior's attack or shot, of a combat, and of All Alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Annotated

from cardgen.game import (
    CardData,
    Die,
    OddsTable,
    Parameter,
    PreparedTrial,
    Procedure,
    RulesConfig,
    numbered_names,
)
from cardgen.rulesets.skirmish.referee.aim import COVER, Fighter, Shot, shots, strikes
from cardgen.rulesets.skirmish.referee.blow import Outcome, Volley, resolve
from cardgen.rulesets.skirmish.referee.cards import WARRIORS, warrior_of
from cardgen.rulesets.skirmish.referee.combat import CombatEnd, Healths, fight_round
from cardgen.rulesets.skirmish.referee.duel import best_weapon, state_table
from cardgen.rulesets.skirmish.referee.heights import slip
from cardgen.rulesets.skirmish.referee.morale import Break, Opponent, alone_test, leadership_near
from cardgen.rulesets.skirmish.referee.warrior import FIT, OUT, STATES, Health, Rules, Warrior

# Special rules that only the battle tracker and the players apply.
PLAYED = frozenset({"fear", "terror", "stupidity"})
MAX_RANGE, MAX_HEIGHT, MAX_WOUNDS = 72, 30, 10
SIDES = ("a", "b", "none")


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
    edge: Annotated[
        int | None, Parameter("number", 'Height of an edge within 1" of the target.', high=MAX_HEIGHT, unit="inches")
    ] = None

    @property
    def shot(self) -> Shot:
        """What changes the shot."""
        return Shot(self.distance, self.moved, self.cover or "", self.charging, self.all_shots)


def rules_of(config: RulesConfig) -> Rules:
    """Return the rulings in force as pairs."""
    return frozenset(config.rulings.items())


def _health(target: Warrior, lost: int, state: str) -> Health:
    if state == FIT and lost >= target.w:
        raise ValueError(f"{target.name} has {target.w} Wounds: with {lost} lost, give its state")
    return target.health._replace(wounds=max(0, target.w - lost) if state == FIT else 0, state=state)


def _volley(attacker: Warrior, target: Warrior, its: Health, situation: AttackSituation, rules: Rules) -> Volley:
    """Return the attacks with the weapon of the situation."""
    name = situation.weapon
    if name is not None and not any(each.name.casefold() == name.casefold() for each in attacker.melee_weapons):
        weapon = attacker.weapon(name, is_ranged=True)
        return shots(attacker, target, weapon, situation.shot, its, rules)
    one = Fighter(
        attacker,
        0,
        attacker.weapon(name, is_ranged=False),
        situation.charge or situation.dive,
        not situation.later,
        dives=situation.dive,
        is_afraid=situation.afraid,
    )
    other = Fighter(target, 1, target.weapon(situation.target_weapon, is_ranged=False), is_defended=situation.obstacle)
    return strikes(one, other, attacker.health, its, rules)


def set_up_attack(situation: AttackSituation, config: RulesConfig) -> PreparedTrial:
    """Set up the attacks of a warrior on another one."""
    names = numbered_names((situation.attacker["name"], situation.target["name"]))
    attacker, target = warrior_of(situation.attacker, names[0]), warrior_of(situation.target, names[1])
    rules, health = rules_of(config), _health(target, situation.lost, situation.target_state)
    volley = _volley(attacker, target, health, situation, rules)

    def procedure() -> Procedure[Health]:
        outcome: Outcome = yield from resolve(volley, health, not situation.no_critical)
        after = outcome.health
        if situation.edge and after.state not in (health.state, OUT):
            after = (yield from slip(target, after, situation.edge, rules, attacker.name)).health
        return after

    return PreparedTrial.of(
        f"{attacker.name} attacks {target.name}",
        procedure,
        lambda end: (f"{target.name}: {end}",),
        lambda die: (state_table(target.name, die),),
        not_simulated((attacker, target)),
    )


def set_up_shoot(situation: AttackSituation, config: RulesConfig) -> PreparedTrial:
    """Set up a shot with the named missile weapon, or the first one."""
    shooter = warrior_of(situation.attacker)
    values = {name: getattr(situation, name) for name in AttackSituation.__slots__}
    values["weapon"] = shooter.weapon(situation.weapon, is_ranged=True).name
    return set_up_attack(AttackSituation(**values), config)


def not_simulated(warriors: Iterable[Warrior]) -> Iterator[str]:
    """Yield the special rules that trials leave to the players."""
    for warrior in dict.fromkeys(warriors):
        yield from (f"{warrior.name}: {rule}" for rule in sorted(warrior.rules & PLAYED))


@dataclass(frozen=True, slots=True)
class CombatSituation:
    """A round of close combat, in which everyone touches every enemy."""

    a: Annotated[tuple[CardData, ...], Parameter("cards", "Warrior of the first side. Can be repeated.", WARRIORS)]
    b: Annotated[tuple[CardData, ...], Parameter("cards", "Warrior of the second side. Can be repeated.", WARRIORS)]
    charge: Annotated[str, Parameter("word", "The side that has charged in this turn.", words=SIDES)] = "a"
    later: Annotated[bool, Parameter("flag", "It is not the first round of the combat.")] = False


def combatants(sides: tuple[Iterable[CardData], Iterable[CardData]], config: RulesConfig) -> tuple[Fighter, ...]:
    """Return the fighters of both sides, each with the weapon of the policy."""
    cards = [(side, data) for side, data_of_side in enumerate(sides) for data in data_of_side]
    names = numbered_names([data["name"] for _, data in cards])
    warriors = [(side, warrior_of(data, name)) for name, (side, data) in zip(names, cards, strict=True)]
    foes = [next(other for its_side, other in warriors if its_side != side) for side in (0, 1)]
    rules, policy = rules_of(config), config.policy["weapon"]
    return tuple(Fighter(who, side, best_weapon(who, foes[side], policy, rules)) for side, who in warriors)


def set_up_combat(situation: CombatSituation, config: RulesConfig) -> PreparedTrial:
    """Set up a round of close combat."""
    if not situation.a or not situation.b:
        raise ValueError("a combat needs warriors on both sides")
    charging = SIDES.index(situation.charge)
    fighters = tuple(
        each._replace(charges=each.side == charging, first=not situation.later)
        for each in combatants((situation.a, situation.b), config)
    )
    start: Healths = tuple(each.warrior.health for each in fighters)

    def procedure() -> Procedure[Healths]:
        end: CombatEnd = yield from fight_round(fighters, start, rules_of(config))
        return end.healths

    def lines(healths: Healths) -> Iterator[str]:
        return (f"{each.warrior.name}: {health}" for each, health in zip(fighters, healths, strict=True))

    def tables(die: Die[Healths]) -> Iterator[OddsTable]:
        for who, each in enumerate(fighters):
            yield state_table(each.warrior.name, die.map(itemgetter(who)))

    title = " against ".join(", ".join(each.warrior.name for each in fighters if each.side == side) for side in (0, 1))
    notes = not_simulated(each.warrior for each in fighters)
    return PreparedTrial.of(title, procedure, lines, tables, notes)


@dataclass(frozen=True, slots=True)
class AloneSituation:
    """A warrior fights alone, and its Close Combat phase ends."""

    warrior: Annotated[CardData, Parameter("card", "Warrior that is alone.", WARRIORS)]
    opponents: Annotated[tuple[CardData, ...], Parameter("cards", "Opponent. Can be repeated.", WARRIORS)]
    no_critical: Annotated[bool, Parameter("flag", "The opponents have used their critical hits.")] = False


def set_up_alone(situation: AloneSituation, config: RulesConfig) -> PreparedTrial:
    """Set up an All Alone test with the parting blows of all opponents."""
    if len(situation.opponents) < 2:
        raise ValueError("a warrior is alone against two or more opponents")
    one, *others = combatants(((situation.warrior,), situation.opponents), config)
    opponents = tuple(Opponent(each, each.warrior.health, not situation.no_critical) for each in others)
    warrior = one.warrior

    def procedure() -> Procedure[Break | None]:
        end = yield from alone_test(one, warrior.health, opponents, leadership_near(warrior.ld, 0), rules_of(config))
        return end and end._replace(inches=0)

    def words(end: Break | None) -> str:
        return "stays" if end is None else f"runs, {end.health}" if end.runs else f"stays, {end.health}"

    def tables(die: Die[Break | None]) -> tuple[OddsTable, ...]:
        return (OddsTable(warrior.name, tuple(sorted(die.map(words)))),)

    notes = not_simulated(each.warrior for each in (one, *others))
    return PreparedTrial.of(f"{warrior.name} is alone", procedure, lambda end: (words(end),), tables, notes)
