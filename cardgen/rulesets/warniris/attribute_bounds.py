"""Bounds on Mind, Body, and Spirit, and benchmarks of combat, for the checks of Warniris."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from heapq import nlargest
from statistics import median_low
from typing import Any, NamedTuple, TypeAlias

from cardgen.game import SIDES, CheckScope, FigureRows, KeptFigures, Model, Outliers
from cardgen.rulesets.warniris.cards import MAX_MEMBERS, Character, Minion, Relic, Stats
from cardgen.rulesets.warniris.effect import DEEDS, PARTIES, Deeds, Effect, Weapon
from cardgen.rulesets.warniris.limits import MAX_ATTRIBUTE, MIN_ATTRIBUTE
from cardgen.rulesets.warniris.words import EVERYTHING, MOMENTS, Meaning, Side, Sort

ATTRIBUTES = ("mind", "body", "spirit")
# A gap in cover reduces the attribute that hits by 1 (section 4: Cover).
COVER_PENALTY = {"mind": 1, "body": 0, "spirit": 1}
# The parties that an opponent's effects penalize, and those that the effects of your own side aid.
_PENALIZED_PARTIES = PARTIES.where(lambda party: party.side is not Side.OWN)
_AIDED_PARTIES = PARTIES.where(lambda party: party.side is not Side.ENEMY and party.name != "bearer")


class AttributeBounds(NamedTuple):
    """Bounds on one attribute: lowest printed, largest penalty, and highest possible value."""

    lowest_printed: int
    max_penalty: int
    highest_possible: int


FighterCard: TypeAlias = Character | Minion
# Totals that effects add and subtract, by relation ('own', 'help', 'harm') and attribute, as in 'own mind'.
ChangeTotals: TypeAlias = Mapping[str, int]


class StatNumbers(NamedTuple):
    """The stats of a Character or Minion."""

    mind: int
    body: int
    spirit: int
    wounds: int
    movement: int


class WeaponNumbers(NamedTuple):
    """The numbers of a weapon."""

    type: str
    range: int
    penetration: int
    damage: int


class Fighter(NamedTuple):
    """What checks compare of a Character or Minion: its numbers, and the changes of attributes by its effects."""

    stats: StatNumbers
    weapons: tuple[WeaponNumbers, ...]
    changes: ChangeTotals


def fighters_in_play(scope: CheckScope) -> tuple[Fighter, ...]:
    """Return every Character and Minion in play."""
    rows = scope.facts_of_type(fighter_numbers, Character, Minion)
    return tuple(
        [
            Fighter(StatNumbers(*stats), tuple([WeaponNumbers(*weapon) for weapon in weapons]), changes)
            for stats, weapons, changes in rows
        ]
    )


def fighter_numbers(card: FighterCard) -> list[Any]:
    """Return the parts of a `Fighter` as plain lists."""
    stats = [getattr(card.stats, name) for name in StatNumbers._fields]
    weapons = [[str(weapon.type), weapon.range, weapon.penetration, weapon.damage] for weapon in card.weapons]
    return [stats, weapons, _change_totals(_effects_of(card))]


def relic_changes(relic: Relic) -> ChangeTotals:
    """Return the changes of attributes by the effects of a Relic."""
    return _change_totals(relic.effects)


def attribute_bounds(scope: CheckScope) -> dict[str, AttributeBounds]:
    """Return the bounds of Mind, Body, and Spirit, before the clamp."""
    everybody = scope.compute_once(fighters_in_play)
    relic_totals = [*scope.facts_of_type(relic_changes, Relic)]
    penetration = _max_penetration(everybody)
    return {
        attribute: _bounds_of(attribute, everybody, relic_totals, penetration[attribute]) for attribute in ATTRIBUTES
    }


def useful_penetration(strongest: int, clamp_order: str) -> int:
    """Return the highest Penetration that does more than less of it, by the setting of `clamp-order`.

    Under 'twice', it is higher than necessary if the strongest defense exceeds 5: cards are shared between groups.
    """
    return min(strongest, MAX_ATTRIBUTE) if clamp_order == "before" else max(0, strongest - MIN_ATTRIBUTE)


def _bounds_of(
    attribute: str,
    fighters: Sequence[Fighter],
    relic_totals: Sequence[ChangeTotals],
    penetration: int,
) -> AttributeBounds:
    own, help_, harm_ = (f"{relation} {attribute}" for relation in ("own", "help", "harm"))
    printed = [getattr(fighter.stats, attribute) for fighter in fighters] or [MIN_ATTRIBUTE]
    aid = nlargest(MAX_MEMBERS - 1, (fighter.changes.get(help_, 0) for fighter in fighters))
    best_relic = max((totals.get(own, 0) for totals in relic_totals), default=0)
    by_themselves = max(
        (mine + fighter.changes.get(own, 0) for mine, fighter in zip(printed, fighters, strict=False)), default=1
    )
    worst_relic = max((totals.get(harm_, 0) for totals in relic_totals), default=0)
    harm = nlargest(MAX_MEMBERS, (fighter.changes.get(harm_, 0) for fighter in fighters))
    hindrance = COVER_PENALTY[attribute] + worst_relic + sum(harm) + penetration
    return AttributeBounds(min(printed), hindrance, by_themselves + best_relic + sum(aid))


def _max_penetration(everybody: Iterable[Fighter]) -> Mapping[str, int]:
    """Return the highest Penetration in play against each attribute, 0 if none."""
    most = dict.fromkeys(ATTRIBUTES, 0)
    for fighter in everybody:
        for weapon in fighter.weapons:
            against = "spirit" if weapon.type == "P" else "body"
            if weapon.penetration > most[against]:
                most[against] = weapon.penetration
    return most


def _effects_of(fighter: FighterCard) -> Iterator[Effect]:
    for weapon in fighter.weapons:
        yield from weapon.effects
    if isinstance(fighter, Character):
        for ability in fighter.abilities:
            yield from ability.effects


def _change_totals(effects: Iterable[Effect]) -> ChangeTotals:
    totals: defaultdict[str, int] = defaultdict(int)
    for effect in effects:
        for whom, deeds in effect.deeds:
            for attribute, change in attribute_changes(deeds):
                if change < 0 and whom in _PENALIZED_PARTIES:
                    totals[f"harm {attribute}"] -= change
                elif change > 0 and whom == "bearer":
                    totals[f"own {attribute}"] += change
                elif change > 0 and whom in _AIDED_PARTIES:
                    totals[f"help {attribute}"] += change
    return totals


def attribute_changes(deeds: Deeds) -> list[tuple[str, int]]:
    """Return the changed attributes, each with its change."""
    return [(attribute, change) for attribute in ATTRIBUTES if (change := getattr(deeds, attribute))]


class MedianAttack(NamedTuple):
    """A median attack, weighted by the number of attacks it represents."""

    hit_attribute: int
    weapon: Weapon
    weight: int


def median_target(scope: CheckScope) -> Stats:
    """Return the median stats of all fighters in play."""
    stats = [fighter.stats for fighter in scope.compute_once(fighters_in_play)]
    return Stats.model_validate({name: _median(stats, name) for name in Stats.model_fields})


def median_attacks(scope: CheckScope) -> tuple[MedianAttack, ...]:
    """Return the median attacks of damaging weapons and of damaging powers."""
    weapons: list[tuple[int, WeaponNumbers]] = []
    powers: list[tuple[int, WeaponNumbers]] = []
    for fighter in scope.compute_once(fighters_in_play):
        for weapon in fighter.weapons:
            if weapon.damage:
                (powers if weapon.type == "P" else weapons).append((_hit_attribute(fighter, weapon), weapon))
    return tuple(
        MedianAttack(
            median_low(hits for hits, _ in attacks), _median_weapon([weapon for _, weapon in attacks]), len(attacks)
        )
        for attacks in (weapons, powers)
        if attacks
    )


def _hit_attribute(fighter: Fighter | Character, weapon: WeaponNumbers | Weapon) -> int:
    return fighter.stats.spirit if weapon.type == "P" else fighter.stats.mind


def _median_weapon(weapons: Sequence[WeaponNumbers]) -> Weapon:
    """Return a median weapon of the most common type; ties go alphabetically."""
    kinds = Counter(sorted(weapon.type for weapon in weapons))
    medians = {name: _median(weapons, name) for name in ("range", "penetration", "damage")}
    return Weapon.model_validate({"name": "attack", "type": kinds.most_common(1)[0][0], **medians})


def _median(numbers: Sequence[StatNumbers] | Sequence[WeaponNumbers], name: str) -> int:
    number: int = median_low([getattr(each, name) for each in numbers])
    return number


def damage_outliers(scope: CheckScope) -> Outliers:
    """Return outliers by mean Damage of the best attack on the median target.

    Characters without weapons are skipped.
    """
    target_stats, benchmarks = scope.compute_once(median_target), CombatBenchmarks(scope.figures)
    return _outliers(
        scope,
        lambda character: benchmarks.damage_dealt(character, target_stats) if character.weapons else None,
        with_weapons=True,
    )


def endurance_outliers(scope: CheckScope) -> Outliers:
    """Return outliers by the mean number of median attacks that eliminate a Character.

    Characters that no attack can hurt are skipped.
    """
    attacks, benchmarks = scope.compute_once(median_attacks), CombatBenchmarks(scope.figures)
    return _outliers(scope, lambda character: benchmarks.attacks_endured(character, attacks), with_weapons=False)


def _outliers(scope: CheckScope, compute: Callable[[Character], Fraction | None], *, with_weapons: bool) -> Outliers:
    """Return outliers by `compute`, which runs on unchecked Characters only when needed.

    It takes longer for Characters with effects, of their weapons as well if the figure is `with_weapons`.
    """
    characters = [entry.card for entry in reversed(scope.cards) if isinstance(entry.card, Character)]
    figures = {character.id: compute(character) for character in characters}
    others = scope.compute_once(_other_fighters)
    return Outliers(figures, lambda: _LateFigures(others, compute, with_weapons=with_weapons), len(others))


def _other_fighters(scope: CheckScope) -> Mapping[str, FightingPart]:
    """Return what matters in a fight of all other Characters by id; of several with an id, of the first."""
    rows = [FightingPart(*row) for row in scope.other_cards.facts((Character,), fighting_part)]
    return {row.id: row for row in reversed(rows)}


class FightingPart(NamedTuple):
    """What matters of a Character in a fight, as JSON.

    The `effort` is the number of effects that are played out in its attacks, and in attacks on it.
    """

    id: str
    effort: tuple[int, int]
    content: str

    def character(self) -> Character:
        """Return a Character with the same figures."""
        return Character.model_validate_json(self.content)


def fighting_part(character: Character) -> list[Any]:
    """Return a `FightingPart` as plain data."""
    content = character.model_dump_json(include=_FIGHTING, by_alias=True, exclude_defaults=True)
    effects = [len(_repeatable_effects(character, attacks=attacks)) for attacks in (True, False)]
    of_weapons = sum(len(weapon.effects) for weapon in character.weapons)
    return [character.id, [effects[0] * max(1, len(character.weapons)) + of_weapons, effects[1]], content]


_FIGHTING = {"name", "stats", "weapons", "abilities"}


class _LateFigures(Mapping[str, Fraction | None]):
    """Figures that are computed when they are looked up, in an order that begins with the quick ones."""

    def __init__(
        self,
        fighters: Mapping[str, FightingPart],
        compute: Callable[[Character], Fraction | None],
        *,
        with_weapons: bool,
    ) -> None:
        self._fighters, self._compute, self._effort = fighters, compute, 0 if with_weapons else 1

    def __getitem__(self, name: str) -> Fraction | None:
        return self._compute(self._fighters[name].character())

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._fighters, key=lambda name: self._fighters[name].effort[self._effort]))

    def __len__(self) -> int:
        return len(self._fighters)


class CombatBenchmarks:
    """Benchmark figures. Those that the referee plays are kept by all that they depend on."""

    def __init__(self, kept: KeptFigures | None = None) -> None:
        self._kept = kept or KeptFigures()
        self._plain: dict[Hashable, Fraction | None] = {}

    def damage_dealt(self, attacker: Character, target: Stats) -> Fraction:
        """Return the mean Damage of a Character's best attack, or 0."""
        effects = _repeatable_effects(attacker, attacks=True)
        weapons = [weapon for weapon in attacker.weapons if weapon.needs_test]
        return max((self._damage_of(attacker, weapon, target, effects) for weapon in weapons), default=Fraction(0))

    def _damage_of(self, attacker: Character, weapon: Weapon, target: Stats, effects: Sequence[Effect]) -> Fraction:
        own = bearing_on_attack(weapon.effects, attacks=True)
        if not (effects or own):
            numbers = (weapon.type, _hit_attribute(attacker, weapon), weapon.penetration, weapon.damage)
            if numbers not in self._plain:
                self._plain[numbers] = _damage_by_tests(attacker, weapon, target)
            return self._plain[numbers] or Fraction(0)
        fighters = (_field_values(attacker.stats), _line_key(weapon), _field_values(target))
        key = ("damage", *fighters, _effect_key(effects), _effect_key(own))
        return self._kept.find(key, lambda: ((_damage_by_play(attacker, weapon, target),),))[0][0]

    def attacks_endured(self, character: Character, attacks: Sequence[MedianAttack]) -> Fraction | None:
        """Return the mean number of attacks that eliminate a Character; None if invulnerable."""
        stats, effects = character.stats, _repeatable_effects(character, attacks=False)
        if effects:
            return mean_attacks(stats.wounds, attacks, self._losses_by_play(character, _effect_key(effects)))
        numbers = (stats.body, stats.spirit, stats.wounds)
        if numbers not in self._plain:
            self._plain[numbers] = mean_attacks(stats.wounds, attacks, _losses_by_tests(stats))
        return self._plain[numbers]

    def _losses_by_play(
        self, character: Character, effects_key: tuple[Hashable, ...]
    ) -> Callable[[MedianAttack], LossChances]:
        def attacks(blow: MedianAttack) -> LossChances:
            numbers = (_field_values(character.stats), blow.hit_attribute, _line_key(blow.weapon))
            rows = self._kept.find(("losses", *numbers, effects_key), lambda: loss_chances(character, blow))
            return lambda wounds: enumerate(rows[wounds - 1])

        return attacks


def _line_key(weapon: Weapon) -> tuple[Hashable, ...]:
    """Return a weapon without its effects, as plain values."""
    return (weapon.name, weapon.type, weapon.range, weapon.penetration, weapon.damage, weapon.healing)


def _repeatable_effects(character: Character, *, attacks: bool) -> list[Effect]:
    """Return the effects that bear on an attack, except from abilities used once a battle."""
    return bearing_on_attack(
        [effect for ability in character.abilities if ability.once is not True for effect in ability.effects],
        attacks=attacks,
    )


# The moments that an attack alone never brings about, for its target and for its attacker.
_OTHER_TIMES = tuple(
    frozenset(
        name
        for name, moment in MOMENTS.items()
        if moment.sort in (Sort.TURN, Sort.OWN) or (moment.sort is Sort.STRIKE and moment.by_attacker is not attacks)
    )
    for attacks in (False, True)
)
# Those who are near in a battle, but not in an attack alone.
_ABSENT = PARTIES.where(lambda party: party.side is Side.OWN and (party.is_group or party.is_chosen))
# Deeds that bear on nothing but where somebody stands, and how far it Moves.
_PLACING = frozenset(DEEDS.where(lambda deed: deed.is_apart and not deed.meaning & ~(Meaning.STRIDE | Meaning.SUM)))


def bearing_on_attack(effects: Sequence[Effect], *, attacks: bool) -> list[Effect]:
    """Return the effects of its attacker or of its target that can change the Damage of an attack, if both are alone.

    Effects that start at other times, that are for friends, or that only move somebody cannot, unless another effect
    asks for their die or somebody pays for them with Wounds. What is not declared can.
    """
    if any(effect.condition.same_roll for effect in effects):
        return list(effects)
    return [effect for effect in effects if not _is_beside_attack(effect, _OTHER_TIMES[attacks])]


def _is_beside_attack(effect: Effect, other_times: frozenset[str]) -> bool:
    if effect.meaning is EVERYTHING:
        return False
    if effect.when in other_times:
        return True
    return not effect.cost and all(whom in _ABSENT or _PLACING.issuperset(deeds.keys) for whom, deeds in effect.deeds)


def _effect_key(effects: Iterable[Effect]) -> tuple[Hashable, ...]:
    """Return the effects as plain values, which compare faster."""
    return tuple(
        [(each.when, each.span, each.during, _field_values(each.condition), _deeds_key(each)) for each in effects]
    )


def _deeds_key(effect: Effect) -> tuple[Hashable, ...]:
    return tuple([(whom, _field_values(deeds)) for whom, deeds in effect.deeds])


def _field_values(model: Model) -> tuple[Hashable, ...]:
    return tuple(model.__dict__.values())


def _clamp(attribute: int) -> int:
    return max(MIN_ATTRIBUTE, min(MAX_ATTRIBUTE, attribute))


def wound_chance(hit_attribute: int, resist_attribute: int) -> int:
    """Return the chance to wound, in 36ths, after Penetration."""
    return _clamp(hit_attribute) * (SIDES - _clamp(resist_attribute))


def _damage_by_tests(attacker: Character, weapon: Weapon, target: Stats) -> Fraction:
    resists = target.spirit if weapon.type == "P" else target.body
    return Fraction(
        wound_chance(_hit_attribute(attacker, weapon), resists - weapon.penetration) * weapon.damage, SIDES**2
    )


def _damage_by_play(attacker: Character, weapon: Weapon, target: Stats) -> Fraction:
    from cardgen.rulesets.warniris.referee.benchmark_attack import mean_damage_dealt

    return mean_damage_dealt(attacker, weapon, target)


# The chance of each loss of Wounds from an attack, by the number of Wounds left.
LossChances: TypeAlias = Callable[[int], Iterable[tuple[int, Fraction]]]


def _losses_by_tests(stats: Stats) -> Callable[[MedianAttack], LossChances]:
    def attacks(blow: MedianAttack) -> LossChances:
        resists = stats.spirit if blow.weapon.type == "P" else stats.body
        through = Fraction(wound_chance(blow.hit_attribute, resists - blow.weapon.penetration), SIDES**2)
        return lambda wounds: [(min(wounds, blow.weapon.damage), through)]

    return attacks


def loss_chances(character: Character, blow: MedianAttack) -> FigureRows:
    """Return the chances that an attack takes 0, 1, 2, … Wounds off a Character, for 1, 2, … Wounds left."""
    from cardgen.rulesets.warniris.referee.benchmark_attack import attacks_against  # loaded here: it is not small

    attacks, rows = attacks_against(character, blow.hit_attribute, blow.weapon), []
    for left in range(1, character.stats.wounds + 1):
        # More Wounds than an attack looks at make no difference.
        if attacks.most_wounds is None or left <= attacks.most_wounds:
            chances = dict(attacks.wounds_lost(left))
        rows.append(tuple([chances.get(lost, Fraction(0)) for lost in range(left + 1)]))
    return tuple(rows)


def mean_attacks(
    wounds: int, attacks: Sequence[MedianAttack], losses_of: Callable[[MedianAttack], LossChances]
) -> Fraction | None:
    """Return the mean number of attacks that remove this many Wounds.

    It is one attack plus the mean for the Wounds left, weighted by the chance of each loss.
    """
    total = sum(blow.weight for blow in attacks)
    weighted = [(losses_of(blow), Fraction(blow.weight, total)) for blow in attacks]
    means = [Fraction(0)]
    for left in range(1, wounds + 1):
        hurt = rest = Fraction(0)
        for losses, share in weighted:
            for lost, likely in losses(left):
                if lost and likely:
                    hurt += likely * share
                    rest += likely * share * means[left - lost]
        if not hurt:
            return None
        means.append((1 + rest) / hurt)
    return means[-1]
