"""Benchmarks of combat, for the checks of Warniris: the mean Damage of an attack, and the attacks that a card endures.

Both are worked out from the Tests alone, or with effects by the referee, which takes much longer. So each figure first
has bounds, from the numbers that its effects can change at most.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from math import inf, prod
from operator import add
from statistics import median_low
from typing import Any, NamedTuple, TypeAlias

from cardgen.game import SIDES, CheckScope, FigureRange, FigureRows, KeptFigures, Outlier, Outliers
from cardgen.rulesets.warniris.attribute_bounds import (
    StatNumbers,
    WeaponNumbers,
    clamp,
    fighters_in_play,
)
from cardgen.rulesets.warniris.cards import Character, Stats
from cardgen.rulesets.warniris.effect import DEEDS, PARTIES, Condition, Deeds, Effect, Weapon
from cardgen.rulesets.warniris.referee.miniature import EffectsInForce, effects_in_force
from cardgen.rulesets.warniris.rulebook import MAX_WOUNDS, TABLE_DIAGONAL
from cardgen.rulesets.warniris.words import EVERYTHING, MOMENTS, STRIKES, Meaning, Side, Sort


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
                kind, hits = (powers, "spirit") if weapon.type == "P" else (weapons, "mind")
                kind.append((getattr(fighter.stats, hits), weapon))
    return tuple(
        MedianAttack(
            median_low(hits for hits, _ in attacks), _median_weapon([weapon for _, weapon in attacks]), len(attacks)
        )
        for attacks in (weapons, powers)
        if attacks
    )


def _median_weapon(weapons: Sequence[WeaponNumbers]) -> Weapon:
    """Return a median weapon of the most common type; ties go alphabetically."""
    kinds = Counter(sorted(weapon.type for weapon in weapons))
    medians = {name: _median(weapons, name) for name in ("range", "penetration", "damage")}
    return Weapon.model_validate({"name": "attack", "type": kinds.most_common(1)[0][0], **medians})


def _median(numbers: Sequence[StatNumbers] | Sequence[WeaponNumbers], name: str) -> int:
    number: int = median_low([getattr(each, name) for each in numbers])
    return number


def damage_outliers(scope: CheckScope) -> Mapping[str, Outlier]:
    """Return the outliers, by id, by mean Damage of the best attack on the median target."""
    target, benchmarks = scope.compute_once(median_target), CombatBenchmarks(scope.figures)
    return _outliers(
        scope, lambda part: damage_range(part, target), lambda character: benchmarks.damage_dealt(character, target)
    )


def endurance_outliers(scope: CheckScope) -> Mapping[str, Outlier]:
    """Return the outliers, by id, by the mean number of median attacks that eliminate a Character.

    Characters that no attack can hurt are skipped.
    """
    attacks, benchmarks = scope.compute_once(median_attacks), CombatBenchmarks(scope.figures)
    return _outliers(
        scope,
        lambda part: benchmarks.endurance_range(part, attacks),
        lambda character: benchmarks.attacks_endured(character, attacks),
    )


def _outliers(
    scope: CheckScope,
    range_of: Callable[[FightingPart], FigureRange],
    compute: Callable[[Character], Fraction | None],
) -> Mapping[str, Outlier]:
    """Return the outliers by `compute`, which gives figures within those of `range_of`."""
    parts = scope.compute_once(_fighting_parts)
    own = [id_ for id_, *_ in scope.own.facts((Character,), fighting_part)]
    ranges = {name: range_of(part) for name, part in parts.items()}
    return Outliers(own, ranges, lambda name: compute(parts[name].character())).standings


def _fighting_parts(scope: CheckScope) -> Mapping[str, FightingPart]:
    """Return what matters in a fight of all Characters by id; of several with an id, of the first."""
    rows = [FightingPart.of(*row) for row in scope.facts_of_type(fighting_part, Character)]
    return {row.id: row for row in reversed(rows)}


class AttackChange(NamedTuple):
    """What one effect may change in an attack with a weapon of the types `weapons`, from some distances in cm.

    `weapons` is '' for all. `numbers` are the least and the greatest changes of those in `_CHANGED`. `rerolls` are of a
    Test to hit that fails or passes, and of a Test to resist: 1 if it may be re-rolled, 2 if it is. `ignoring` is how
    many faces of a D6 ignore Damage, how many points of it, and of a target with how many Wounds at most; 0 points if
    something else decides as well.
    """

    weapons: str
    over: int
    within: int
    numbers: tuple[int, ...]
    rerolls: tuple[int, ...]
    ignoring: tuple[int, ...]


class Line(NamedTuple):
    """The numbers of a weapon that takes Tests, and what effects may change in its attacks, or None for anything."""

    type: str
    range: int
    penetration: int
    damage: int
    changes: tuple[AttackChange, ...] | None


class FightingPart(NamedTuple):
    """What matters of a Character in a fight: its numbers, and all of it as JSON.

    `defense` is what its effects may change in attacks on it, or None if that has no limit.
    """

    id: str
    stats: StatNumbers
    lines: tuple[Line, ...]
    defense: tuple[AttackChange, ...] | None
    content: str

    @classmethod
    def of(cls, id_: str, stats: list[int], lines: list[Any], defense: list[Any] | None, content: str) -> FightingPart:
        """Return the part that plain data say."""
        of_lines = tuple([Line._make((*numbers, _changes(of_line))) for *numbers, of_line in lines])
        return cls(id_, StatNumbers(*stats), of_lines, _changes(defense), content)

    def character(self) -> Character:
        """Return a Character with the same figures."""
        return Character.model_validate_json(self.content)


def _changes(rows: list[Any] | None) -> tuple[AttackChange, ...] | None:
    if rows is None:
        return None
    return tuple([AttackChange._make(tuple(part) if isinstance(part, list) else part for part in row) for row in rows])


def fighting_part(character: Character) -> list[Any]:
    """Return a `FightingPart` as plain data."""
    content = character.model_dump_json(include=_FIGHTING, by_alias=True, exclude_defaults=True)
    lines = [_line(character, weapon) for weapon in character.weapons if weapon.needs_test]
    numbers: list[Any] = _as_lists((_stats(character), lines, _defense(character)))
    return [character.id, *numbers, content]


def _as_lists(value: Any) -> Any:
    return [_as_lists(each) for each in value] if isinstance(value, tuple | list) else value


_FIGHTING = {"name", "stats", "weapons", "abilities"}


def _line(character: Character, weapon: Weapon) -> Line:
    things = _things(character, weapon)
    changes = None if weapon.healing else _changes_by(things, "attacker", character.stats.wounds)
    return Line(str(weapon.type), weapon.range, weapon.penetration, weapon.damage, changes)


def _defense(character: Character) -> tuple[AttackChange, ...] | None:
    return _changes_by(_things(character), "target", character.stats.wounds)


def _stats(character: Character) -> StatNumbers:
    return StatNumbers(*[getattr(character.stats, name) for name in StatNumbers._fields])


_CHANGED = (
    *(("attacker", "mind"), ("attacker", "spirit"), ("attacker", "penetration"), ("attacker", "damage")),
    *(("target", "body"), ("target", "spirit")),
)
# Deeds that change nothing of an attack alone but these numbers, and those that change nothing of it at all.
_BOUNDED = frozenset({*(name for _, name in _CHANGED), "reroll", "ignore"})
_IDLE = frozenset({
    "movement", "range", "move", "between", "gaps", "actions", "crossing", "reactions", "healing", "targeted",
    "answered", "halved", "free_move", "push", "pull", "swap", "free_attack", "score", "unless",
})  # fmt: skip
# The moments before the Test to hit, and those before the Test to resist.
_EARLY, _LATE = frozenset({"always", "attacking", "attacked"}), frozenset({"hit", "struck"})
_DISTANCES = frozenset({"range_over", "range_within"})


def _changes_by(things: Iterable[EffectsInForce], own: str, wounds: int) -> tuple[AttackChange, ...] | None:
    """Return what effects may change in one attack, if its two sides are alone, or None if that has no limit.

    They are those of the attacker, who has lost none of its printed `wounds`, or of the target. Each may start once, or
    not; only what befalls the target for each point of Damage may start more often, when all numbers are known.
    """
    changes = list[AttackChange]()
    for thing in things:
        for effect in thing.effects:
            if effect.active_at == "eliminated" and not effect.meaning & Meaning.UNDECLARED:
                continue  # Nothing is left to lose.
            if not all(_is_limited(effect, deeds, own) for _, deeds in effect.deeds):
                return None
            limit = effect.condition.wound_limit(wounds)
            if own == "target" or limit is None or limit >= wounds:
                changes.append(_change_by(effect, own, MAX_WOUNDS if limit is None else limit, is_free=not thing.once))
    return tuple(changes)


def _is_limited(effect: Effect, deeds: Deeds, own: str) -> bool:
    is_on_die = effect.when == "damaged" and not effect.span and effect.condition.roll
    is_known = not effect.meaning & Meaning.UNDECLARED and (_BOUNDED | _IDLE).issuperset(deeds.keys)
    return is_known and bool(own == "attacker" or is_on_die or not deeds.ignore)


def _change_by(effect: Effect, own: str, limit: int, *, is_free: bool) -> AttackChange:
    """Return what an effect of one side may change; it is sure to do so if nothing but the weapon decides about it."""
    condition, is_strike = effect.condition, effect.active_at in STRIKES
    given = frozenset(condition.keys) - {"weapon"} - (_DISTANCES if is_strike else frozenset())
    is_free = is_free and not (effect.cost or effect.during)
    enemy = "attacker" if own == "target" else "target"
    roles = {"bearer": own, "attacker": "attacker", "target": "target", "friends": "", "friend": ""}
    numbers, rerolls, ignoring = [0] * 2 * len(_CHANGED), [0] * 4, (0, 0, 0)
    for party, deeds in effect.deeds:
        role = roles.get(party, enemy)
        is_sure = is_free and not given and not deeds.unless and party in ("bearer", "attacker", "target")
        for at, (whose, name) in enumerate(_CHANGED):
            amount = getattr(deeds, name) if whose == role else 0
            is_exact = is_sure and (effect.when in _EARLY or (effect.when in _LATE and at > 1))
            numbers[2 * at] += amount if is_exact else min(0, amount)
            numbers[2 * at + 1] += amount if is_exact else max(0, amount)
        if deeds.reroll and deeds.reroll != "timing" and role:
            is_taken = deeds.reroll in ("any", "hit" if role == "attacker" else "resist")
            rerolls[2 * (role == "target") + (role != own)] = 2 if is_sure and is_taken and effect.when in _EARLY else 1
        if deeds.ignore and party == "bearer" and own == "target":
            is_exact = is_free and given <= {"roll", "wounds_at_most"} and len(effect.deeds) == len(deeds.keys) == 1
            ignoring = (len(condition.roll or ()), deeds.ignore if is_exact else 0, limit)
    over = condition.range_over if is_strike and condition.range_over is not None else -1
    within = condition.range_within if is_strike and condition.range_within is not None else TABLE_DIAGONAL
    return AttackChange(condition.weapon or "", over, within, tuple(numbers), tuple(rerolls), ignoring)


class _Blow(NamedTuple):
    """Bounds of an attack: the chance that it is not resisted, in 1296ths, its Damage, and what ignores points."""

    chance: tuple[int, int]
    damage: tuple[int, int]
    ignoring: tuple[tuple[int, ...], ...]


@cache
def _blow(line: Line, hits: int, resists: int) -> _Blow:
    """Return the bounds of an attack with these attributes to hit and to resist; rulings are the default ones."""
    numbers, rerolls, ignoring = [0] * 2 * len(_CHANGED), [0] * 4, list[tuple[int, ...]]()
    for change in line.changes or ():
        if change.over < line.range <= change.within and line.type in (change.weapons or line.type).split("/"):
            numbers = list(map(add, numbers, change.numbers))
            rerolls = list(map(max, rerolls, change.rerolls))
            ignoring += [change.ignoring] if change.ignoring[0] else []
    is_power = line.type == "P"
    of_hit, of_resist = numbers[2 * is_power :][:2], numbers[2 * (4 + is_power) :][:2]
    hit = _tested([clamp(hits + change) for change in of_hit], *rerolls[:2])
    resist = [
        clamp(clamp(resists + change) - max(0, line.penetration + by))
        for change, by in zip(of_resist, reversed(numbers[4:6]), strict=True)
    ]
    most, least = (SIDES**2 - passed for passed in _tested(resist, *rerolls[2:]))
    damage = max(0, line.damage + numbers[6]), max(0, line.damage + numbers[7])
    return _Blow((hit[0] * least, hit[1] * most), damage, tuple(ignoring))


def _tested(needs: Sequence[int], fails: int, passes: int) -> tuple[int, int]:
    """Return the least and the greatest chance to pass a Test, in 36ths; see `AttackChange` for the re-rolls."""
    low, high = needs
    least = low * low if passes else _again(low) if fails > 1 else SIDES * low
    return least, _again(high) if fails else high * high if passes > 1 else SIDES * high


def _again(faces: int) -> int:
    """Return the chance that one of two dice shows one of some faces, in 36ths."""
    return SIDES**2 - (SIDES - faces) ** 2


def _of_type(kind: str, of_weapon: int, of_power: int) -> int:
    return of_power if kind == "P" else of_weapon


def damage_range(part: FightingPart, target: Stats) -> FigureRange:
    """Return the bounds of the mean Damage of a Character's best attack."""
    return _damage_range(part.lines, part.stats, target)


def _damage_range(lines: Iterable[Line], stats: StatNumbers, target: Stats) -> FigureRange:
    least = most = 0
    for line in lines:
        if line.changes is None:
            most = -1
        else:
            kind = line.type
            hits, resists = _of_type(kind, stats.mind, stats.spirit), _of_type(kind, target.body, target.spirit)
            low, high = _line_damage(line, hits, resists)
            least, most = max(least, low), max(most, high) if most >= 0 else most
    return FigureRange(_share(least), inf if most < 0 else _share(most))


@cache
def _line_damage(line: Line, hits: int, resists: int) -> tuple[int, int]:
    """Return the bounds of the mean Damage of an attack, in 1296ths; many cards have the same line."""
    blow = _blow(line, hits, resists)
    low, high = (chance * min(MAX_WOUNDS, points) for chance, points in zip(blow.chance, blow.damage, strict=True))
    return low, high


@cache
def _share(count: int) -> Fraction:
    return Fraction(count, SIDES**4)


_NOTHING, _UNKNOWN = FigureRange.exactly(None), FigureRange(Fraction(0), inf)


def _blows(
    stats: StatNumbers, defense: tuple[AttackChange, ...], attacks: Iterable[MedianAttack]
) -> Iterator[tuple[int, _Blow]]:
    """Yield what is certain of attacks on a Character, with their weights."""
    for each in attacks:
        weapon, kind = each.weapon, str(each.weapon.type)
        line = Line(kind, weapon.range, weapon.penetration, weapon.damage, defense)
        yield each.weight, _blow(line, each.hit_attribute, _of_type(kind, stats.body, stats.spirit))


def _endurance(wounds: int, blows: tuple[tuple[int, _Blow], ...]) -> FigureRange:
    """Return the bounds of the attacks that take all Wounds.

    The more each attack takes at least, whatever was lost before it, the fewer they are.
    """
    total = sum(weight for weight, _ in blows)

    def losses(left: int, end: int) -> Iterator[tuple[int, Fraction]]:
        for weight, blow in blows:
            chance = Fraction(blow.chance[end] * weight, SIDES**4 * total)
            for lost, likely in _losses(left, blow, end):
                yield lost, likely * chance

    fewest, most = (mean_attacks(wounds, partial(losses, end=end)) for end in (1, 0))
    if fewest is None:
        return _NOTHING
    return _UNKNOWN if most is None else FigureRange(fewest, most)


def _losses(left: int, blow: _Blow, end: int) -> Iterable[tuple[int, Fraction]]:
    """Return the chances of losses of Wounds by an attack that is not resisted.

    If they are not certain, all Damage is lost at most, and at least all of it unless one of its points is ignored.
    """
    chances, points = {*blow.chance}, blow.damage[end]
    if len(chances) == len({*blow.damage}) == 1 and all(each[1] for each in blow.ignoring):
        return _loss_by_points(left, points, blow.ignoring)
    unignored = Fraction(prod(SIDES - each[0] for each in blow.ignoring), SIDES ** len(blow.ignoring))
    return [(min(left, points), Fraction(1) if end else unignored**points)]


@cache
def _loss_by_points(
    left: int, points: int, ignoring: tuple[tuple[int, ...], ...], ignored: int = 0
) -> tuple[tuple[int, Fraction], ...]:
    """Return the chances of losses of Wounds, point by point, of which `ignored` are ignored already."""
    if not (left and points):
        return ((0, Fraction(1)),)
    if ignored:
        return _loss_by_points(left, points - 1, ignoring, ignored - 1)
    losses, rest = defaultdict[int, Fraction](Fraction), Fraction(1)
    for faces, amount, limit in ignoring:
        if left <= limit:
            for lost, likely in _loss_by_points(left, points - 1, ignoring, amount - 1):
                losses[lost] += likely * rest * Fraction(faces, SIDES)
            rest *= Fraction(SIDES - faces, SIDES)
    for lost, likely in _loss_by_points(left - 1, points - 1, ignoring):
        losses[lost + 1] += likely * rest
    return tuple(losses.items())


# The chances of each loss of Wounds by an attack, by the number of Wounds left.
LossChances: TypeAlias = Callable[[int], Iterable[tuple[int, Fraction]]]


def mean_attacks(wounds: int, losses_of: LossChances) -> Fraction | None:
    """Return the mean number of attacks that remove this many Wounds; None if they never do.

    It is one attack plus the mean for the Wounds left, weighted by the chance of each loss.
    """
    means = [Fraction(0)]
    for left in range(1, wounds + 1):
        hurt = rest = Fraction(0)
        for lost, likely in losses_of(left):
            if lost and likely:
                hurt += likely
                rest += likely * means[left - lost]
        if not hurt:
            return None
        means.append((1 + rest) / hurt)
    return means[-1]


class CombatBenchmarks:
    """Benchmark figures. Those that the referee plays are kept by all that they depend on."""

    def __init__(self, kept: KeptFigures | None = None) -> None:
        self._kept = kept or KeptFigures()
        self._ranges: dict[tuple[int, tuple[tuple[int, _Blow], ...]], FigureRange] = {}

    def damage_dealt(self, attacker: Character, target: Stats) -> Fraction:
        """Return the mean Damage of a Character's best attack, or 0."""
        weapons = [weapon for weapon in attacker.weapons if weapon.needs_test]
        return max((self._damage_of(attacker, weapon, target) for weapon in weapons), default=Fraction(0))

    def _damage_of(self, attacker: Character, weapon: Weapon, target: Stats) -> Fraction:
        stats = _stats(attacker)
        known = _damage_range([_line(attacker, weapon)], stats, target)
        if known.is_exact:
            return known.low
        key = ("damage", stats, _line_key(weapon), tuple(target.__dict__.values()), _key_of(_things(attacker, weapon)))
        return self._kept.find(key, lambda: ((_damage_by_play(attacker, weapon, target),),))[0][0]

    def endurance_range(self, part: FightingPart, attacks: Sequence[MedianAttack]) -> FigureRange:
        """Return the bounds of the mean number of attacks that eliminate a Character; 0 if none can hurt it."""
        return self._endurance_range(part.stats, part.defense, attacks)

    def _endurance_range(
        self, stats: StatNumbers, defense: tuple[AttackChange, ...] | None, attacks: Sequence[MedianAttack]
    ) -> FigureRange:
        if defense is None:
            return _UNKNOWN
        blows = tuple(_blows(stats, defense, attacks))
        if (stats.wounds, blows) not in self._ranges:
            low, *high = self._kept.find(("endurance", stats.wounds, blows), lambda: _rows_of(stats.wounds, blows))[0]
            self._ranges[stats.wounds, blows] = FigureRange(low, high[0] if high else inf)
        return self._ranges[stats.wounds, blows]

    def attacks_endured(self, character: Character, attacks: Sequence[MedianAttack]) -> Fraction | None:
        """Return the mean number of attacks that eliminate a Character; None if invulnerable."""
        stats = _stats(character)
        known = self._endurance_range(stats, _defense(character), attacks)
        if known.is_exact:
            return known.low or None
        of_target = (stats, _key_of(_things(character)))
        played = [
            (self._kept.find(("losses", blow.hit_attribute, _line_key(blow.weapon), *of_target),
                             partial(loss_chances, character, blow)), blow.weight)
            for blow in attacks
        ]  # fmt: skip
        total = sum(weight for _, weight in played)

        def losses(left: int) -> Iterable[tuple[int, Fraction]]:
            for rows, weight in played:
                yield from ((lost, likely * weight / total) for lost, likely in enumerate(rows[left - 1]))

        return mean_attacks(stats.wounds, losses)


def _rows_of(wounds: int, blows: tuple[tuple[int, _Blow], ...]) -> FigureRows:
    """Return bounds as they are kept: without the highest if that is infinite."""
    low, high = _endurance(wounds, blows)
    return ((low,) if isinstance(high, float) else (low, high),)


def _line_key(weapon: Weapon) -> tuple[Hashable, ...]:
    """Return a weapon without its effects, as plain values."""
    return (weapon.name, weapon.type, weapon.range, weapon.penetration, weapon.damage, weapon.healing)


def _things(character: Character, weapon: Weapon | None = None) -> list[EffectsInForce]:
    """Return the effects that bear on an attack with a weapon, or else on the Character, by what has them.

    Those that can be used once a battle are left out.
    """
    things = map(effects_in_force, (*character.abilities, *([weapon] if weapon else ())))
    repeated = [each for each in things if each.once is not True and each.effects]
    return [each._replace(effects=bearing_on_attack(each.effects, attacks=weapon is not None)) for each in repeated]


def _key_of(things: Iterable[EffectsInForce]) -> tuple[Hashable, ...]:
    """Return all of these effects as plain values."""
    return tuple([(once, tuple(map(_effect_key, effects))) for effects, once in things if effects])


def _effect_key(effect: Effect) -> tuple[Hashable, ...]:
    terms = (effect.when, effect.span, effect.during, effect.cost, effect.cumulative, _given(effect.condition))
    return (*terms, *[(party, _given(deeds)) for party, deeds in effect.deeds])


def _given(model: Condition | Deeds) -> tuple[Hashable, ...]:
    return tuple([(key, getattr(model, key)) for key in model.keys])


# The moments that an attack alone never brings about, for its target and for its attacker. Nobody reacts to it.
_OTHER_TIMES = tuple(
    {"reacting"}.union(
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


def bearing_on_attack(effects: tuple[Effect, ...], *, attacks: bool) -> tuple[Effect, ...]:
    """Return the effects of its attacker or of its target that can change the Damage of an attack, if both are alone.

    Effects that start at other times, that are for friends, or that only move somebody cannot, unless another effect
    asks for their die or somebody pays for them with Wounds. What is not declared can.
    """
    if any(effect.condition.same_roll for effect in effects):
        return effects
    return tuple([effect for effect in effects if not _is_beside_attack(effect, _OTHER_TIMES[attacks])])


def _is_beside_attack(effect: Effect, other_times: Container[str]) -> bool:
    if effect.meaning is EVERYTHING:
        return False
    if effect.when in other_times:
        return True
    return not effect.cost and all(whom in _ABSENT or _PLACING.issuperset(deeds.keys) for whom, deeds in effect.deeds)


def _damage_by_play(attacker: Character, weapon: Weapon, target: Stats) -> Fraction:
    from cardgen.rulesets.warniris.referee.benchmark_attack import mean_damage_dealt

    return mean_damage_dealt(attacker, weapon, target)


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
