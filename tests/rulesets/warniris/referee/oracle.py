"""Independent oracle: the rules of attacks and duels again, with icepool.

It shares no code with the program.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import icepool

D6 = icepool.d6
BONUS = {
    "Combat Drugs": {"M": 1, "S": 1},
    "Purity Seal": {"B": 1, "S": 1},
    "Servo-Skull": {"M": 2},
    "Warp Channeler": {"S": 2},
}


class Side(NamedTuple):
    """A fighter: attributes, wounds (current and printed), weapon, and relic."""

    M: int
    B: int
    S: int
    wounds: int
    printed: int
    kind: str
    penetration: int
    damage: int
    relic: str | None

    def value(self, attribute: str) -> int:
        return int(getattr(self, attribute)) + BONUS.get(self.relic or "", {}).get(attribute, 0)


class Setting(NamedTuple):
    """The situation: distance in cm, gap, line, and rulings.

    Miniatures in the line have attributes B and S, and wounds.
    """

    distance: int = 1
    gap: bool = False
    between: tuple[tuple[int, int, int], ...] = ()
    clamp: str = "once"
    hindered: bool = False


def clamp(value: int) -> int:
    return max(1, min(5, value))


def need(base: int, off: int, order: str) -> int:
    """Return the number that a test needs.

    It is `base` with modifiers, minus `off` for penetration.
    """
    if order == "before":
        return clamp(base) - off
    if order == "twice":
        return clamp(clamp(base) - off)
    return clamp(base - off)


def passed(target: int) -> Any:
    return target >= D6


def hindrance(target: Side, setting: Setting) -> int:
    cloak = target.relic == "Camo Cloak" and setting.distance > 12
    return -int(cloak) - int(target.relic == "Disruptor Module") - int(setting.gap)


def points(damage: int, halo: bool) -> Any:
    """Return the distribution of unresisted points of damage."""
    if not halo or damage == 0:
        return icepool.Die([damage])
    return damage @ (D6 > 1)


def blow(one: Side, other: Side, setting: Setting, *, reaction: bool = False) -> Any:
    """Return the unresisted points when `one` strikes `other`.

    The line is empty.
    """
    power = one.kind == "P"
    hit = need(one.value("S" if power else "M") + hindrance(other, setting), 0, setting.clamp)
    return landed(one, hit, other, other.value("S" if power else "B"), setting, reaction=reaction)


def landed(one: Side, hit: int, other: Side | None, defence: int, setting: Setting, *, reaction: bool = False) -> Any:
    resist = need(defence, one.penetration, setting.clamp)
    damage = min(one.damage, 1) if reaction else one.damage
    stuck = points(damage, other is not None and other.relic == "Iron Halo")
    through = icepool.Die({True: 6 - max(0, resist), False: max(0, resist)}) if resist < 6 else icepool.Die([False])
    return (hit >= D6).map(lambda hits: through.map(lambda wounds: stuck if wounds else 0) if hits else 0)


def attack(one: Side, other: Side, setting: Setting) -> Any:
    """Return the wounds lost by the target and by the line."""
    power = one.kind == "P"
    attribute = one.value("S" if power else "M")
    count = len(setting.between)
    past = need(attribute + hindrance(other, setting), 0, setting.clamp)
    free = need(attribute - int(setting.gap), 0, setting.clamp)
    left = (other.wounds, *(wounds for _, _, wounds in setting.between))

    def at(place: int) -> Any:
        if place == count:
            main = blow(one, other, setting)
            return main.map(lambda lost: loss(0, lost))
        body, spirit, _ = setting.between[place]
        astray = landed(one, free, None, spirit if power else body, setting)
        return (past >= D6).map(lambda ok: at(place + 1) if ok else astray.map(lambda lost: loss(place + 1, lost)))

    def loss(who: int, lost: int) -> tuple[int, ...]:
        return tuple(min(lost, left[who]) if who == i else 0 for i in range(count + 1))

    return at(0)


def exchange(one: Side, other: Side, setting: Setting) -> Any:
    """Return both remaining wounds after an attack.

    The reaction comes before its dice.
    """
    power = other.kind == "P"
    off = hindrance(one, setting) if setting.hindered else 0
    timing = need(other.value("S" if power else "M") + off, 0, setting.clamp) >= D6
    reaction, main = blow(other, one, setting, reaction=True), blow(one, other, setting)

    def end(timed: bool, back: int, forth: int) -> tuple[int, int]:
        mine, its = one.wounds, other.wounds
        if timed:
            mine = max(0, mine - back)
            return (mine, max(0, its - forth) if mine else its)
        its = max(0, its - forth)
        return (max(0, mine - back) if its else mine, its)

    return icepool.map(end, timing, reaction, main)


def duel(a: Side, b: Side, turns: int, first: int) -> Any:
    """Return the wounds and the VP of both at the end.

    The result is (wounds of a, wounds of b, VP of a, VP of b). Each activation has two attacks, with a reaction to the
    first.
    """
    setting = Setting()

    def step(state: tuple[int, ...], who: int, reacts: bool) -> Any:
        wounds, vp = list(state[:2]), list(state[2:])
        if not all(wounds):
            return state
        pair = [a._replace(wounds=wounds[0]), b._replace(wounds=wounds[1])]
        one, other = pair[who], pair[1 - who]
        if reacts:
            die = exchange(one, other, setting)
        else:
            die = blow(one, other, setting).map(lambda lost: (one.wounds, max(0, other.wounds - lost)))

        def settle(mine: int, its: int) -> tuple[int, ...]:
            left = (mine, its) if who == 0 else (its, mine)
            return (*left, vp[0] + wounds[1] - left[1], vp[1] + wounds[0] - left[0])

        return die.map(settle, star=True)

    state: Any = icepool.Die([(a.wounds, b.wounds, 0, 0)])
    for _ in range(turns):
        for who in (first, 1 - first):
            for reacts in (True, False):
                state = state.map(lambda *s, who=who, reacts=reacts: step(s, who, reacts), star=True)
    return state


def chances(die: Any) -> dict[Any, Fraction]:
    return {outcome: Fraction(weight, die.denominator()) for outcome, weight in die.items() if weight}
