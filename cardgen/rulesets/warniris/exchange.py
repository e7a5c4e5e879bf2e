"""Attacks in general: what each Character's best one does, and how many each endures, beside all others in play.

The measure is the middle of what is in play: a target with the median Body and Spirit, and attacks with the median
numbers of weapons and of powers. Where nothing on a card bears on an attack, its Tests decide: a success is the
attribute, held within 1 to 5, out of 6 (section 3). Everything else is played out by the referee's procedures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from statistics import median_low
from typing import NamedTuple

from cardgen.check.table import Table
from cardgen.rulesets.warniris.changes import HIGHEST, LOWEST, fighters
from cardgen.rulesets.warniris.effect import Effect
from cardgen.rulesets.warniris.kinds import Character, Stats, Weapon

SIDES = 6
# Fewer figures than these have no middle to measure from.
_ENOUGH = 8
# The moments at which an effect may bear on an attack of one's own, and on one against oneself.
_OFFENCE = frozenset({"always", "attacking", "hit", "damaging"})
_DEFENCE = frozenset({"always", "attacked", "damaged", "eliminated"})
_NUMBERS = ("range", "penetration", "damage")


class Standing(NamedTuple):
    """Where a figure stands among all others: its rank from the top, their range, and what it is about."""

    figure: Fraction
    rank: int
    among: int
    lowest: Fraction
    highest: Fraction


class Figures:
    """One figure for each Character in play, by its id, and how they are spread."""

    def __init__(self, by_id: Mapping[str, Fraction]) -> None:
        self._by_id = by_id
        self._ordered = sorted(by_id.values())
        self._fences = _outer_fences(self._ordered) if len(self._ordered) >= _ENOUGH else None
        self._inside: set[Fraction] = set()

    def far_out(self, name: str) -> Standing | None:
        """The standing of a figure that lies outside Tukey's outer fences, or None."""
        figure = self._by_id.get(name)
        if figure is None or self._fences is None or figure in self._inside:
            return None
        if self._fences[0] <= figure <= self._fences[1]:
            self._inside.add(figure)
            return None
        rank = 1 + sum(other > figure for other in self._ordered)
        return Standing(figure, rank, len(self._ordered), self._ordered[0], self._ordered[-1])


def _outer_fences(ordered: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    """Three times the width of the middle half beyond it, on both sides."""
    low, high = ordered[len(ordered) // 4], ordered[-1 - len(ordered) // 4]
    return low - 3 * (high - low), high + 3 * (high - low)


class Blow(NamedTuple):
    """An attack of the middle: who makes it and with what, and how many attacks in play it stands for."""

    attacker: Stats
    weapon: Weapon
    share: int


def target(table: Table) -> Stats:
    """The middle of all that can be attacked."""
    return _middle(fighter.stats for fighter in table.fact(fighters))


def blows(table: Table) -> tuple[Blow, ...]:
    """The middle of all attacks with weapons that do damage, and that of all powers."""
    weapons: list[tuple[Stats, Weapon]] = []
    powers: list[tuple[Stats, Weapon]] = []
    for fighter in table.fact(fighters):
        for weapon in fighter.weapons:
            if weapon.damage:
                (powers if weapon.type == "P" else weapons).append((fighter.stats, weapon))
    return tuple(
        Blow(_middle(stats for stats, _ in made), _middle_weapon([weapon for _, weapon in made]), len(made))
        for made in (weapons, powers)
        if made
    )


def _middle(found: Iterable[Stats]) -> Stats:
    everybody = tuple(found)
    medians = {name: median_low(getattr(stats, name) for stats in everybody) for name in Stats.model_fields}
    return Stats.model_validate(medians)


def _middle_weapon(found: Sequence[Weapon]) -> Weapon:
    """Of the type that most of them have; the earlier name decides between equals."""
    kinds = Counter(sorted(weapon.type for weapon in found))
    medians = {name: median_low(getattr(weapon, name) for weapon in found) for name in _NUMBERS}
    return Weapon.model_validate({"name": "attack", "type": kinds.most_common(1)[0][0], **medians})


def dealt(table: Table) -> Figures:
    """The mean Damage of each Character's best attack on the middle target; not of those without one."""
    middle, exchange = table.fact(target), Exchange()
    return Figures(
        {
            character.id: max(exchange.inflicted(character, weapon, middle) for weapon in armed)
            for character in _last_first(table)
            if (armed := [weapon for weapon in character.weapons if weapon.needs_test])
        }
    )


def endured(table: Table) -> Figures:
    """How many of the middle attacks it takes on average to eliminate each Character; not of those nothing can hurt."""
    attacks, exchange = table.fact(blows), Exchange()
    found = {character.id: exchange.endured(character, attacks) for character in _last_first(table)}
    return Figures({name: figure for name, figure in found.items() if figure is not None})


def _last_first(table: Table) -> Sequence[Character]:
    """All Characters, so that of two with one id the one that is looked at remains."""
    return tuple(table.all(Character))[::-1]


class Exchange:
    """What attacks come to, each worked out once for all that are alike."""

    def __init__(self) -> None:
        self._figures: dict[Hashable, Fraction | None] = {}

    def inflicted(self, attacker: Character, weapon: Weapon, middle: Stats) -> Fraction:
        """The mean Damage of an attack."""
        stats = attacker.stats
        effects = [*_lasting(attacker, _OFFENCE), *weapon.effects]
        hits = stats.spirit if weapon.type == "P" else stats.mind
        key: tuple[Hashable, ...] = (weapon.type, hits, weapon.penetration, weapon.damage)
        if not effects:
            return self._once(key, lambda: _by_tests(hits, middle, weapon)) or Fraction(0)
        # What else they depend on: all effects, and how far away the attacker stands.
        far = tuple([_reaches(effect, weapon.range) for effect in effects])
        numbers = (stats.mind, stats.spirit, stats.wounds, weapon.healing)
        key = (*key, *numbers, far, _told(effects))
        return self._once(key, lambda: _played(attacker, weapon, middle)) or Fraction(0)

    def endured(self, character: Character, attacks: Sequence[Blow]) -> Fraction | None:
        """How many attacks it takes to eliminate somebody; None for one that no attack hurts."""
        stats, effects = character.stats, _lasting(character, _DEFENCE)
        numbers = (stats.body, stats.spirit, stats.wounds)
        if not effects:
            return self._once(numbers, lambda: _endures(stats.wounds, attacks, _tested(stats)))
        key = (*numbers, stats.mind, _told(effects))
        return self._once(key, lambda: _endures(stats.wounds, attacks, _suffered(character)))

    def _once(self, key: Hashable, work: Callable[[], Fraction | None]) -> Fraction | None:
        if key not in self._figures:
            self._figures[key] = work()
        return self._figures[key]


def _lasting(character: Character, moments: frozenset[str]) -> list[Effect]:
    """The effects of the abilities that bear at those moments and are no once-a-battle matter."""
    return [
        effect
        for ability in character.abilities
        if ability.once is not True
        for effect in ability.effects
        if effect.when in moments or effect.during in moments
    ]


def _reaches(effect: Effect, distance: int) -> tuple[bool, bool]:
    over, within = effect.condition.range_over, effect.condition.range_within
    return over is None or distance > over, within is None or distance <= within


def _told(effects: Iterable[Effect]) -> tuple[str, ...]:
    """The effects as text, which is compared more quickly than they are."""
    return tuple([effect.model_dump_json() for effect in effects])


def _held(attribute: int) -> int:
    return max(LOWEST, min(HIGHEST, attribute))


def chance(hits: int, resists: int) -> int:
    """How likely an attack is to come through, in 36ths; `resists` is what is left of Body or Spirit."""
    return _held(hits) * (SIDES - _held(resists))


def _by_tests(hits: int, middle: Stats, weapon: Weapon) -> Fraction:
    resists = middle.spirit if weapon.type == "P" else middle.body
    return Fraction(chance(hits, resists - weapon.penetration) * weapon.damage, SIDES**2)


def _played(attacker: Character, weapon: Weapon, middle: Stats) -> Fraction:
    from cardgen.rulesets.warniris.procedures.reference import inflicted  # loaded here: the referee is not small

    return inflicted(attacker, weapon, middle)


# The chance of each loss of Wounds by an attack, with so many left.
Losses = Callable[[Blow, int], Iterable[tuple[int, Fraction]]]


def _tested(stats: Stats) -> Losses:
    def losses(blow: Blow, wounds: int) -> Iterator[tuple[int, Fraction]]:
        power = blow.weapon.type == "P"
        hits, resists = (blow.attacker.spirit, stats.spirit) if power else (blow.attacker.mind, stats.body)
        yield min(wounds, blow.weapon.damage), Fraction(chance(hits, resists - blow.weapon.penetration), SIDES**2)

    return losses


def _suffered(character: Character) -> Losses:
    from cardgen.rulesets.warniris.procedures.reference import suffered  # loaded here: the referee is not small

    return lambda blow, wounds: suffered(character, wounds, blow.attacker, blow.weapon)


def _endures(wounds: int, attacks: Sequence[Blow], losses: Losses) -> Fraction | None:
    """The mean number of attacks that take so many Wounds: one, and then those for what is left, by what it took."""
    total = sum(blow.share for blow in attacks)
    means = [Fraction(0)]
    for left in range(1, wounds + 1):
        hurt = rest = Fraction(0)
        for blow in attacks:
            for lost, likely in losses(blow, left):
                if lost:
                    hurt += likely * blow.share / total
                    rest += likely * blow.share / total * means[left - lost]
        if not hurt:
            return None
        means.append((1 + rest) / hurt)
    return means[-1]
