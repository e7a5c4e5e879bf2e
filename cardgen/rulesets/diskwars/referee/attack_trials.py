"""The trials of a ranged attack and of an unstable ability, whose odds depend on the battle die."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Annotated, Any

from cardgen.game import (
    CardData,
    Die,
    OddsTable,
    Parameter,
    PreparedTrial,
    Procedure,
    RulesConfig,
    at_least_rows,
    distribution_table,
    label_table,
    numbered_names,
)
from cardgen.rulesets.diskwars.referee.battle_die import CHAOS, RESULTS, Faces, over_dice
from cardgen.rulesets.diskwars.referee.disk import DAMAGE_TYPES, DISKS, RANGED, RANGES, Harm, Health, disk_of
from cardgen.rulesets.diskwars.referee.harm import names_harm
from cardgen.rulesets.diskwars.referee.moves import Backlash, unleash
from cardgen.rulesets.diskwars.referee.shot import Shot, ShotEnd, Struck, bystander_of, shoot

MAX_DAMAGE, MAX_WOUNDS = 12, 5
# Texts of abilities, and the fields that hold what they do.
TEXTS = {"focus": "focus_effects", "ability": "", "passive": "bonuses", "battle": "battle_effects"}


def not_simulated(*cards: CardData | None, plays_effects: bool = False) -> Iterator[str]:
    """Yield the abilities that are left to the players.

    A battle plays the effects that stand for an ability; other trials play no abilities at all.
    """
    for card in {card["name"]: card for card in cards if card}.values():
        for key, effects in TEXTS.items():
            if card.get(key) and not (plays_effects and card.get(effects)):
                yield f"{card['name']}: {card[key]}"


@dataclass(frozen=True, slots=True)
class AttackSituation:
    """A ranged attack of a disk on another, which can scatter."""

    attacker: Annotated[CardData, Parameter("card", "Disk that shoots.", DISKS)]
    target: Annotated[CardData, Parameter("card", "Target.", DISKS)]
    nearby: Annotated[
        tuple[CardData, ...],
        Parameter("cards", "Disk within short range of the target, closest first. Can be repeated.", DISKS),
    ] = ()
    weapon: Annotated[str | None, Parameter("word", "Ranged attack (default: the first).")] = None
    distance: Annotated[str, Parameter("word", "Range of the target.", words=RANGES)] = RANGES[0]
    cover: Annotated[bool, Parameter("flag", "The target overlaps cover.")] = False
    activated: Annotated[bool, Parameter("flag", "The target has an activation token.")] = False
    empowered: Annotated[bool, Parameter("flag", "The target is empowered.")] = False
    damage: Annotated[int, Parameter("number", "Damage tokens on the target.", high=MAX_DAMAGE)] = 0
    wounds: Annotated[int, Parameter("number", "Wound tokens on the target.", high=MAX_WOUNDS)] = 0

    def shot(self, faces: Faces, config: RulesConfig) -> Shot:
        """Return the ranged attack with a battle die. Raises ValueError for one that the rules do not allow."""
        shooter, rules = disk_of(self.attacker), config.pairs
        cards = (self.target, *self.nearby)
        names = numbered_names([each["name"] for each in cards])
        target, *nearby = (disk_of(each, name) for each, name in zip(cards, names, strict=True))
        attack = shooter.ranged_attack(self.weapon)
        if RANGES.index(self.distance) > RANGES.index(attack.range):
            raise ValueError(f"{attack.name} reaches {attack.range} range, not {self.distance} range")
        if names_harm(target.immune, Harm(1, attack.damage, RANGED), rules):
            raise ValueError(f"{target.name} is immune to {attack.name} and cannot be its target")
        bystander = bystander_of(attack, tuple(nearby), rules)
        is_siege = self.distance == RANGES[-1]
        return Shot(shooter.name, attack, target, faces, rules, bystander, is_siege, self.cover)


def set_up_attack(situation: AttackSituation, config: RulesConfig) -> PreparedTrial:
    """Set up a ranged attack; its odds are ranges while the battle die is unknown."""
    notes = tuple(not_simulated(situation.attacker, situation.target, *situation.nearby))

    def prepare(faces: Faces) -> PreparedTrial:
        shot = situation.shot(faces, config)
        empowered, activated = situation.empowered, situation.activated
        health = Health.of(shot.target, situation.damage, situation.wounds, empowered, activated)
        names = (shot.target.name, shot.bystander.name if shot.bystander else "")

        def lines(end: ShotEnd) -> Iterator[str]:
            for name, struck, was in zip(names, end, (health, Health()), strict=True):
                if struck:
                    yield f"{name}: {_words(struck, was)}"

        def tables(die: Die[ShotEnd]) -> Iterator[OddsTable]:
            yield from _tables(names[0], die.map(attrgetter("target")), health)
            if shot.bystander:
                yield from _tables(f"{names[1]}, after scatter", die.map(attrgetter("bystander")), Health())

        title = f"{shot.shooter} shoots at {shot.target.name} with {shot.attack.name}"
        return PreparedTrial.of(title, lambda: shoot(shot, health), lines, tables, notes)

    return over_dice(config, prepare)


def _words(struck: Struck, was: Health) -> str:
    is_new = struck.health.is_activated and not was.is_activated and not struck.health.is_out
    return f"{struck.health}, activated" if is_new else str(struck.health)


def _tables(name: str, die: Die[Any], was: Health) -> Iterator[OddsTable]:
    """Yield the dice that damage a disk, the damage that it takes, its health, and whether a critical activates it."""
    dice = die.map(attrgetter("dice"))
    yield OddsTable(f"{name}: hits and critical hits", chances=at_least_rows(dice), means=(("mean", dice.mean(int)),))
    yield distribution_table(f"{name}: damage", die.map(attrgetter("damage")))
    yield label_table(name, die.map(lambda struck: str(struck.health)))
    if not was.is_activated:
        token = die.chance(lambda struck: struck.health.is_activated)
        yield OddsTable(f"{name}: activation token", chances=(("gets a token", token),))


@dataclass(frozen=True, slots=True)
class UnstableSituation:
    """A disk deals damage with an unstable battle ability, which can strike the disk itself."""

    user: Annotated[CardData, Parameter("card", "Disk that uses the ability.", DISKS)]
    target: Annotated[CardData, Parameter("card", "Target.", DISKS)]
    damage: Annotated[int, Parameter("number", "Damage of the ability.", low=1, high=MAX_DAMAGE)]
    type: Annotated[str, Parameter("word", "Type of damage.", words=DAMAGE_TYPES)] = DAMAGE_TYPES[0]


def set_up_unstable(situation: UnstableSituation, config: RulesConfig) -> PreparedTrial:
    """Set up an unstable ability; by the ruling `unstable-result`, the result that strikes the user is unknown.

    Raises ValueError for a target that is immune to the damage.
    """
    names = numbered_names([situation.user["name"], situation.target["name"]])
    user, target = disk_of(situation.user, names[0]), disk_of(situation.target, names[1])
    harm = Harm(situation.damage, situation.type)
    if names_harm(target.immune, harm, config.pairs):
        raise ValueError(f"{target.name} is immune to {situation.type} damage and cannot be the target")
    is_chaos = config.rulings["unstable-result"] == "chaos"

    def prepare(faces: Faces, result: str) -> PreparedTrial:
        def start() -> Procedure[Backlash]:
            return unleash(user, target, (Health(), Health()), harm, faces, result, config.pairs)

        def lines(end: Backlash) -> Iterator[str]:
            yield from (f"{user.name}: {end.user}", f"{target.name}: {end.target}")

        def tables(die: Die[Backlash]) -> Iterator[OddsTable]:
            strikes = die.chance(attrgetter("strikes_user"))
            yield OddsTable("unstable", chances=((f"strikes {user.name}", strikes),))
            yield label_table(user.name, die.map(lambda end: str(end.user)))
            yield label_table(target.name, die.map(lambda end: str(end.target)))

        notes = not_simulated(situation.user, situation.target)
        return PreparedTrial.of(f"{user.name} uses an unstable ability", start, lines, tables, notes)

    return over_dice(config, prepare, (CHAOS,) if is_chaos else tuple(each for each in RESULTS if each != CHAOS))
