"""Random situations, computed again with icepool: every chance is the same fraction."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any, NamedTuple

import icepool

from cardgen.referee.odds import odds
from cardgen.rulesets.skirmish.referee.combat import fight_round
from cardgen.rulesets.skirmish.referee.target_numbers import (
    Attempt,
    Fighter,
    Opponent,
    Shot,
    alone_test,
    fall,
    jump,
    shots,
    strikes,
)
from cardgen.rulesets.skirmish.referee.warrior import DOWN, FIT, OUT, STUNNED, Blow, Health, Warrior, Weapon, resolve
from tests.rulesets.skirmish.referee.fights import rules, warrior

D6 = icepool.d6
STATES = (FIT, DOWN, STUNNED, OUT)
READINGS = ("wounds", "hits", "extra")


class Target(NamedTuple):
    """The Wounds left of a target, its injury dice, and what else the oracle must remember."""

    wounds: int
    dice: int = 0
    can_crit: bool = True
    is_out: bool = False


def exact(die: Any) -> dict[Any, Fraction]:
    """Return the chances of an icepool die."""
    die = icepool.Die([die]) if not isinstance(die, icepool.Die) else die
    return {outcome: Fraction(weight, die.denominator()) for outcome, weight in die.items() if weight}


def chance(wins: int) -> Any:
    """Return the die that is 1 with a chance of some sixths."""
    return icepool.Die({1: wins, 0: 6 - wins}) if 0 < wins < 6 else icepool.Die([int(wins > 0)])


def at_least(need: int) -> Any:
    """Return the die that is 1 if a D6 shows a number or more."""
    return chance(min(6, max(0, 7 - need)))


def hits(need: int) -> Any:
    """Return the die that is 1 for a hit, and 6 for a natural 6 that hits."""
    if need > 9:
        return icepool.Die([0])
    if need > 6:
        return (at_least(6) * at_least(need - 3)).simplify()
    return D6.map(lambda face: 6 if face == 6 else int(face >= need))


def unsaved(blow: Blow, *, armor: bool) -> Any:
    """Return the die that is 1 if no save is made."""
    plain = (1 - at_least(blow.save)) if armor else icepool.Die([1])
    return (plain * (1 - at_least(blow.ward))).simplify()


def wound(target: Target, count: int = 1) -> Target:
    """Return a target after some wounds."""
    for _ in range(count):
        left = max(0, target.wounds - 1)
        target = target._replace(wounds=left, dice=target.dice + (left == 0))
    return target


def strike(blow: Blow, target: Target, reading: str) -> Any:
    """Return the targets after one attack, as a die."""
    if target.is_out:
        return icepool.Die([target])
    first = hits(blow.hit)
    if "hatred" in blow.traits:
        first = first.map(lambda hit: hit or hits(blow.hit))
    return first.map(lambda hit: _wounding(blow, target, reading, hit) if hit else target)


def _wounding(blow: Blow, target: Target, reading: str, hit: int) -> Any:
    poisoned = hit == 6 and "poison" in blow.traits and blow.hit <= 6
    if poisoned:
        faces = D6.map(lambda face: 6 if face == 6 else 5) if target.can_crit and blow.can_be_critical else 5
    else:
        faces = D6.map(lambda face: face if face >= blow.wound else 0)
    faces = icepool.Die([faces]) if isinstance(faces, int) else faces
    return faces.map(lambda face: _harm(blow, target, reading, face, poisoned=poisoned) if face else target)


def _harm(blow: Blow, target: Target, reading: str, face: int, *, poisoned: bool) -> Any:
    if face == 6 and "killing-blow" in blow.traits and not poisoned:
        return unsaved(blow, armor=False).map(lambda hurt: target._replace(is_out=True) if hurt else target)
    if not (face == 6 and target.can_crit and blow.can_be_critical):
        return unsaved(blow, armor=True).map(lambda hurt: wound(target) if hurt else target)
    target = target._replace(can_crit=blow.kind == "shot")
    again = (at_least(blow.wound) * unsaved(blow, armor=False)).simplify()
    once = unsaved(blow, armor=False)
    counts = {"wounds": once + once, "hits": again + again, "extra": once + again}[reading]
    return counts.map(lambda count: wound(target, count))


def attacks(blow: Blow, count: int, wounds: int, reading: str) -> Any:
    """Return the state after some attacks, as a die of Wounds left and state."""
    targets = icepool.Die([Target(wounds)])
    for _ in range(count):
        targets = targets.map(lambda target: strike(blow, Target(*target), reading), star=False)
    return targets.map(lambda target: _injured(Target(*target)), star=False)


def _injured(target: Target) -> Any:
    if target.is_out or not target.dice:
        return (target.wounds, OUT if target.is_out else FIT)
    worst = D6.highest(target.dice)
    return worst.map(lambda face: (target.wounds, STATES[(face + 1) // 2]))


def health(end: Any) -> tuple[int, str]:
    """Return what the oracle compares of an outcome."""
    return end.health.wounds, end.health.state


def a_warrior(dice: random.Random, name: str) -> Warrior:
    """Return a random warrior."""
    numbers = {key: dice.randint(1, 6) for key in ("ws", "bs", "s", "t", "i")}
    traits = frozenset(each for each in ("poison", "hatred", "killing-blow") if dice.random() < 0.25)
    save, ward = dice.choice((7, 6, 5)), dice.choice((7, 7, 7, 6, 4))
    return warrior(name, **numbers, a=dice.randint(1, 3), w=dice.randint(1, 3), ld=dice.randint(4, 10), armor=save,
                   has_shield=dice.random() < 0.5, ward=ward, rules=traits)  # fmt: skip


def test_attacks() -> None:
    dice = random.Random(1)
    for _ in range(120):
        one, other, reading = a_warrior(dice, "A"), a_warrior(dice, "B"), dice.choice(READINGS)
        weapon = Weapon("Axe", bonus=dice.randint(0, 2), piercing=dice.randint(0, 1))
        fighters = (Fighter(one, 0, weapon, first=dice.random() < 0.5), Fighter(other, 1, weapon))
        volley = strikes(*fighters, one.health, other.health, rules(critical=reading))
        ((blow, count),) = volley
        assert dict(odds(resolve, volley, other.health).map(health)) == exact(attacks(blow, count, other.w, reading))


def test_shots() -> None:
    dice = random.Random(2)
    for _ in range(80):
        one, other, reading = a_warrior(dice, "A"), a_warrior(dice, "B"), dice.choice(READINGS)
        weapon = Weapon("Bow", range=24, strength=dice.randint(2, 5), piercing=dice.randint(0, 1))
        shot = Shot(dice.randint(1, 24), dice.random() < 0.5, dice.choice(("", "soft", "hard")), dice.random() < 0.3)
        volley = shots(
            one,
            other,
            weapon,
            shot,
            other.health,
            rules(critical=reading, single_target=dice.choice(("ignored", "counted"))),
        )
        ((blow, count),) = volley
        assert dict(odds(resolve, volley, other.health).map(health)) == exact(attacks(blow, count, other.w, reading))


def falls(who: Warrior, height: int) -> Any:
    """Return the state after a fall."""
    need = 7 if who.t >= height + 4 else min(6, max(2, 4 + who.t - height))
    hurt = (at_least(need) * (1 - at_least(who.ward))).simplify()
    wounds = icepool.d(3).map(lambda count: count @ hurt)
    return wounds.map(lambda count: _injured(wound(Target(who.w), count)))


def _landing(who: Warrior, fallen: Any) -> Any:
    return lambda ok: (who.w, FIT) if ok else fallen


def _answer(answer: Any, who: Warrior) -> Any:
    """Return what follows a first blow: the answer of a fighter who stands, or none."""

    def follow(end: tuple[int, str]) -> Any:
        return icepool.tupleize(end, answer) if end[1] == FIT else (end, (who.w, FIT))

    return follow


def test_falls_and_jumps() -> None:
    dice = random.Random(3)
    for _ in range(50):
        who, height = a_warrior(dice, "A"), dice.randint(1, 10)
        expected = falls(who, height)
        assert dict(odds(fall, who, who.health, Attempt(height), rules()).map(health)) == exact(expected)
        if height <= 6:
            landed = chance(min(5, who.i))
            tests = [landed] * (height // 2)
            whole = icepool.Die([1])
            for each in tests:
                whole = (whole * each).simplify()
            jumped = whole.map(_landing(who, expected))
            assert dict(odds(jump, who, who.health, Attempt(height), rules()).map(health)) == exact(jumped)


def test_combats() -> None:
    """Two warriors of different Initiative: whoever strikes first may fell the other."""
    dice = random.Random(4)
    for _ in range(30):
        one, other = a_warrior(dice, "A")._replace(i=5), a_warrior(dice, "B")._replace(i=2)
        weapon = Weapon("Axe")
        fighters = (Fighter(one, 0, weapon), Fighter(other, 1, weapon))
        ((blow, count),) = strikes(*fighters, one.health, other.health, rules())
        ((back, its_count),) = strikes(*fighters[::-1], other.health, one.health, rules())
        answer = attacks(back, its_count, one.w, "wounds")
        whole = attacks(blow, count, other.w, "wounds").map(_answer(answer, one), star=False)
        found = odds(fight_round, fighters, (one.health, other.health), rules())
        pairs = found.map(lambda end: tuple((each.wounds, each.state) for each in end.healths[::-1]))
        assert dict(pairs) == exact(whole)


def test_alone() -> None:
    """Parting blows of two or three opponents, in each reading: the worst of their injuries counts."""
    dice = random.Random(5)
    for number in range(18):
        one, reading = a_warrior(dice, "A"), READINGS[number % 3]
        foes = [a_warrior(dice, name) for name in "BCD"[: dice.randint(2, 3)]]
        settings, lone = rules(critical=reading), Fighter(one, 0, Weapon("Axe"))
        opponents = tuple(Opponent(Fighter(each, 1, Weapon("Axe")), each.health) for each in foes)
        ends: Any = icepool.Die([(one.w, FIT)])
        for foe in opponents:
            ((blow, _),) = strikes(foe.fighter, lone, foe.health, one.health, settings)
            sure = blow._replace(hit=1, traits=blow.traits & {"killing-blow"})
            ends = ends.map(_parting(sure, reading), star=False)
        fails = Fraction((icepool.d6 + icepool.d6 > one.ld).probability(True))
        found = odds(alone_test, lone, one.health, opponents, one.ld, settings)
        expected = {end: share * fails for end, share in exact(ends).items() if share * fails}
        broken = {end: found.chance(_ends_as(*end)) for end in expected}
        assert odds(alone_test, lone, one.health, opponents[:1], one.ld, settings).chance_of(None) == 1
        assert found.chance(lambda end: end is None) == 1 - fails
        assert broken == expected
        assert found.chance(lambda end: end is not None and end.runs != (end.health.state == FIT)) == 0


def _parting(blow: Blow, reading: str) -> Any:
    """Return what one blow does to a model that may have fallen to earlier ones; it keeps its worse state."""

    def follow(end: tuple[int, str]) -> Any:
        wounds, state = end
        if state == OUT:
            return end
        return attacks(blow, 1, wounds, reading).map(lambda left, new: (left, max(state, new, key=STATES.index)))

    return follow


def _ends_as(wounds: int, state: str) -> Any:
    return lambda end: end is not None and (end.health.wounds, end.health.state) == (wounds, state)


def test_finished_foes() -> None:
    """Attacks on the knocked down hit without a roll, and a wound is enough."""
    dice = random.Random(6)
    for _ in range(20):
        one, other = a_warrior(dice, "A")._replace(rules=frozenset()), a_warrior(dice, "B")
        fighters = (Fighter(one, 0, Weapon("Axe")), Fighter(other, 1, Weapon("Axe")))
        volley = strikes(*fighters, one.health, other.health, rules())
        ((blow, count),) = volley
        stays = attacks(blow._replace(hit=1), count, 1, "wounds")
        expected = sum((share for (_, state), share in exact(stays).items() if state == FIT), Fraction(0))
        found = odds(resolve, volley, Health(0, DOWN))
        assert found.chance(lambda end: end.health.state == DOWN) == expected
