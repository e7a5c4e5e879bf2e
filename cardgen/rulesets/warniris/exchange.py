"""Attacks in general: what each Character's best one does, and how many each endures, beside all others in play.

The measure is the middle of what is in play: a target with the median Body and Spirit, and attacks with the median
numbers of weapons and of powers. Where nothing on a card bears on an attack, its Tests decide: a success is the
attribute, held within 1 to 5, out of 6 (section 3). Everything else is played out by the referee's procedures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from statistics import median_low
from typing import NamedTuple, TypeAlias

from cardgen.check.table import Table
from cardgen.model.base import Model
from cardgen.model.entry import Entry
from cardgen.rulesets.warniris.changes import HIGHEST, LOWEST, Fighter, fighters
from cardgen.rulesets.warniris.effect import Effect
from cardgen.rulesets.warniris.kinds import Character, Stats, Weapon
from cardgen.rulesets.warniris.spread import ByName, Figures

SIDES = 6
# The moments at which an effect may bear on an attack of one's own, and on one against oneself.
_OFFENCE = frozenset({"always", "attacking", "hit", "damaging"})
_DEFENCE = frozenset({"always", "attacked", "damaged", "eliminated"})


class Blow(NamedTuple):
    """An attack of the middle: the attribute that hits, the weapon, and how many attacks in play it stands for."""

    hits: int
    weapon: Weapon
    share: int


def target(table: Table) -> Stats:
    """The middle of all that can be attacked."""
    everybody = [fighter.stats for fighter in table.fact(fighters)]
    return Stats.model_validate({name: _median(everybody, name) for name in Stats.model_fields})


def blows(table: Table) -> tuple[Blow, ...]:
    """The middle of all attacks with weapons that do damage, and that of all powers."""
    weapons: list[tuple[int, Weapon]] = []
    powers: list[tuple[int, Weapon]] = []
    for fighter in table.fact(fighters):
        for weapon in fighter.weapons:
            if weapon.damage:
                (powers if weapon.type == "P" else weapons).append((_hits(fighter, weapon), weapon))
    return tuple(
        Blow(median_low(hits for hits, _ in made), _middle([weapon for _, weapon in made]), len(made))
        for made in (weapons, powers)
        if made
    )


def _hits(fighter: Fighter, weapon: Weapon) -> int:
    return fighter.stats.spirit if weapon.type == "P" else fighter.stats.mind


def _middle(found: Sequence[Weapon]) -> Weapon:
    """Of the type that most of them have; the earlier name decides between equals."""
    kinds = Counter(sorted(weapon.type for weapon in found))
    medians = {name: _median(found, name) for name in ("range", "penetration", "damage")}
    return Weapon.model_validate({"name": "attack", "type": kinds.most_common(1)[0][0], **medians})


def _median(found: Sequence[Model], name: str) -> int:
    number: int = median_low([getattr(each, name) for each in found])
    return number


def dealt(table: Table) -> Figures:
    """The mean Damage of each Character's best attack on the middle target; not of those without one."""
    middle, exchange = table.fact(target), Exchange()
    return _figures(
        table,
        lambda characters: {
            character.id: exchange.dealt(character, middle) for character in characters if character.weapons
        },
    )


def endured(table: Table) -> Figures:
    """How many of the middle attacks it takes on average to eliminate each Character; not of those nothing can hurt."""
    attacks, exchange = table.fact(blows), Exchange()
    return _figures(
        table, lambda characters: {character.id: exchange.endured(character, attacks) for character in characters}
    )


def _figures(table: Table, work: Callable[[Iterable[Character]], ByName]) -> Figures:
    """What `work` makes of the Characters that are looked at, and when it is needed of the others in play."""
    mine, others = (_last_first(entries) for entries in (table.cards, table.others()))
    return Figures(work(mine), lambda: work(others), len(others))


def _last_first(entries: Sequence[Entry]) -> Sequence[Character]:
    """All Characters, so that of two with one id the first one remains."""
    return tuple([entry.card for entry in reversed(entries) if isinstance(entry.card, Character)])


class Exchange:
    """What attacks come to, each worked out once for all that are alike."""

    def __init__(self) -> None:
        self._best: dict[Hashable, Fraction] = {}
        self._inflicted: dict[Hashable, Fraction] = {}
        self._endured: dict[Hashable, Fraction | None] = {}

    def dealt(self, attacker: Character, middle: Stats) -> Fraction:
        """The mean Damage of the best attack of a Character; 0 where none does any."""
        lasting = _lasting(attacker, _OFFENCE)
        told = _told(lasting)
        asked = {_attack(attacker, weapon, lasting, told): weapon for weapon in attacker.weapons if weapon.needs_test}
        key = tuple(asked)
        if key not in self._best:
            each = (self._by_one(attack, attacker, weapon, middle) for attack, weapon in asked.items())
            self._best[key] = max(each, default=Fraction(0))
        return self._best[key]

    def _by_one(self, attack: tuple[Hashable, ...], attacker: Character, weapon: Weapon, middle: Stats) -> Fraction:
        if attack not in self._inflicted:
            effective = bool(attack[4])
            self._inflicted[attack] = (_played if effective else _by_tests)(attacker, weapon, middle)
        return self._inflicted[attack]

    def endured(self, character: Character, attacks: Sequence[Blow]) -> Fraction | None:
        """How many attacks it takes to eliminate somebody; None for one that no attack hurts."""
        stats, effects = character.stats, _lasting(character, _DEFENCE)
        numbers = (stats.body, stats.spirit, stats.wounds)
        key = (*numbers, stats.mind, _told(effects)) if effects else numbers
        if key not in self._endured:
            suffer = _suffered(character) if effects else _tested(stats)
            self._endured[key] = _endures(stats.wounds, attacks, suffer)
        return self._endured[key]


def _attack(
    attacker: Character, weapon: Weapon, lasting: Sequence[Effect], told: tuple[Hashable, ...]
) -> tuple[Hashable, ...]:
    """What an attack's mean Damage depends on, beside the target; the fifth is () where no effect bears on it."""
    numbers = (weapon.type, _hits(attacker, weapon), weapon.penetration, weapon.damage)
    holds = tuple([_holds(each, weapon.range, attacker.stats.wounds) for each in (*lasting, *weapon.effects)])
    return *numbers, holds, told, _told(weapon.effects)


def _lasting(character: Character, moments: frozenset[str]) -> list[Effect]:
    """The effects of the abilities that bear at those moments and are no once-a-battle matter."""
    return [
        effect
        for ability in character.abilities
        if ability.once is not True
        for effect in ability.effects
        if effect.when in moments or effect.during in moments
    ]


def _holds(effect: Effect, distance: int, wounds: int) -> tuple[bool, bool, bool]:
    """Which of the numbers that an effect asks for are met: all that it cares for of distance and of Wounds."""
    over, within, few = effect.condition.range_over, effect.condition.range_within, effect.condition.wounds_at_most
    return over is None or distance > over, within is None or distance <= within, few is None or wounds <= few


def _told(effects: Iterable[Effect]) -> tuple[Hashable, ...]:
    """The effects as bare values, which are compared more quickly than they are."""
    return tuple([(each.when, each.span, each.during, _values(each.condition), _done(each)) for each in effects])


def _done(effect: Effect) -> tuple[Hashable, ...]:
    return tuple([(whom, _values(deeds)) for whom, deeds in effect.deeds])


def _values(model: Model) -> tuple[Hashable, ...]:
    return tuple(model.__dict__.values())


def _held(attribute: int) -> int:
    return max(LOWEST, min(HIGHEST, attribute))


def chance(hits: int, resists: int) -> int:
    """How likely an attack is to come through, in 36ths; `resists` is what is left of Body or Spirit."""
    return _held(hits) * (SIDES - _held(resists))


def _by_tests(attacker: Character, weapon: Weapon, middle: Stats) -> Fraction:
    resists = middle.spirit if weapon.type == "P" else middle.body
    return Fraction(chance(_hits(attacker, weapon), resists - weapon.penetration) * weapon.damage, SIDES**2)


def _played(attacker: Character, weapon: Weapon, middle: Stats) -> Fraction:
    from cardgen.rulesets.warniris.procedures.reference import inflicted  # loaded here: the referee is not small

    return inflicted(attacker, weapon, middle)


# The chance of each loss of Wounds by an attack, with so many left.
Losses: TypeAlias = Callable[[int], Iterable[tuple[int, Fraction]]]


def _tested(stats: Stats) -> Callable[[Blow], Losses]:
    def attacks(blow: Blow) -> Losses:
        resists = stats.spirit if blow.weapon.type == "P" else stats.body
        through = Fraction(chance(blow.hits, resists - blow.weapon.penetration), SIDES**2)
        return lambda wounds: [(min(wounds, blow.weapon.damage), through)]

    return attacks


def _suffered(character: Character) -> Callable[[Blow], Losses]:
    from cardgen.rulesets.warniris.procedures.reference import suffered  # loaded here: the referee is not small

    return lambda blow: suffered(character, blow.hits, blow.weapon).losses


def _endures(wounds: int, attacks: Sequence[Blow], suffer: Callable[[Blow], Losses]) -> Fraction | None:
    """The mean number of attacks that take so many Wounds: one, and then those for what is left, by what it took."""
    total = sum(blow.share for blow in attacks)
    weighed = [(suffer(blow), Fraction(blow.share, total)) for blow in attacks]
    means = [Fraction(0)]
    for left in range(1, wounds + 1):
        hurt = rest = Fraction(0)
        for losses, share in weighed:
            for lost, likely in losses(left):
                if lost:
                    hurt += likely * share
                    rest += likely * share * means[left - lost]
        if not hurt:
            return None
        means.append((1 + rest) / hurt)
    return means[-1]
