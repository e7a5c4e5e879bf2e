"""The duel as a race, for crowds of miniatures without effects.

In each turn, a side makes its attacks and a reaction, which comes before or after the enemy's first attack, as its
timing test has it. If both stand at the end, the VP decide, which are the damage dealt.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple, TypeAlias

from cardgen.game import Assault, ExactAssault, RulesConfig, Standing, Test
from cardgen.rulesets.warniris.cards import Character
from cardgen.rulesets.warniris.referee import modifiers
from cardgen.rulesets.warniris.referee.attack_action import AttackAction
from cardgen.rulesets.warniris.referee.game import ACTIONS_PER_ACTIVATION, Game
from cardgen.rulesets.warniris.referee.miniature import Miniature
from cardgen.rulesets.warniris.wording.reader import effects_in_force

SIDES = 6
# Weights of damage, of 36 or of 216.
Blow: TypeAlias = Mapping[int, int]
_Frozen: TypeAlias = tuple[tuple[int, int], ...]
# Mind, Spirit, the weapons without their names, and whether it never reacts.
AttackerKey: TypeAlias = tuple[int, int, tuple[tuple[str, int, int], ...], bool]
# Body, Spirit, and Wounds.
TargetKey: TypeAlias = tuple[int, int, int]
NO_BLOW: Blow = {0: SIDES * SIDES}


def can_race(config: RulesConfig) -> bool:
    """Return whether duels without effects are races under these rulings and this policy."""
    rulings, policy = config.rulings, config.policy
    has_early_reactions = policy["moment"] == "before" or rulings["reaction-when"] == "before-dice"
    return (
        rulings["elimination"] == "wins"
        and rulings["vp-tie"] != "wounds"
        and (has_early_reactions or policy["reactions"] == "never")
    )


def is_racer(miniature: Miniature) -> bool:
    """Return whether a miniature has an attack, no effects, and no attack that heals."""
    attacks = [weapon for weapon in miniature.weapons if weapon.needs_test]
    return bool(attacks) and not miniature.effects and not any(weapon.healing for weapon in attacks)


def racer_keys(miniature: Miniature) -> tuple[AttackerKey, TargetKey]:
    """Return all that a miniature's assaults, and assaults on it, depend on."""
    stats = miniature.card.stats
    weapons = tuple((each.type, each.penetration, each.damage) for each in miniature.weapons if each.needs_test)
    return (
        (stats.mind, stats.spirit, weapons, miniature.is_minion),
        (stats.body, stats.spirit, miniature.wounds),
    )


def duel_content(miniature: Miniature) -> str:
    """Return all that the duels of a miniature depend on, as text.

    Its own name and those of its abilities do not count. The names of weapons do, because they tell weapons apart.
    """
    card, relic = miniature.card, miniature.relic
    abilities = card.abilities if isinstance(card, Character) else ()
    meanings = map(effects_in_force, (*abilities, *([relic] if relic else ())))
    things = [(once, repr(effects)) for effects, once in meanings if effects]
    return repr((card.KIND, tuple(card.stats), tuple(card.weapons), bool(relic), things))


Ratios: TypeAlias = tuple[tuple[int, int], ...]


class Blows(NamedTuple):
    """What a side deals: by an attack, and by a reaction in time and one that is late; the weight of being in time."""

    attack: Blow
    timed: Blow
    late: Blow
    in_time: int

    @property
    def reaction(self) -> Blow:
        """The damage of a reaction, in time or late."""
        shares = ((self.timed, self.in_time), (self.late, SIDES - self.in_time))
        weights: dict[int, int] = {}
        for blow, share in shares:
            for damage, weight in blow.items():
                weights[damage] = weights.get(damage, 0) + share * weight
        return weights


# Returns the numbers of a turn, and how the target stands after it.
Turn: TypeAlias = Callable[[Blows, Standing, int], tuple[list[Fraction], Standing]]


class Races:
    """The assaults of a crowd; equal blows share theirs."""

    def __init__(self, miniatures: Sequence[Miniature], config: RulesConfig, turns: int) -> None:
        self.config, self.turns = config, turns
        self.most_wounds = max((each.wounds for each in miniatures), default=0)
        self.attacks = 1 if config.rulings["same-action"] == "different" else ACTIONS_PER_ACTIVATION
        self.attackers = {racer_keys(each)[0]: each for each in miniatures}
        self.targets = {racer_keys(each)[1][:2]: each for each in miniatures}
        self._options = cache(self._options_of)
        self._assault = cache(self._assault_of)

    def assault(self, attacker: AttackerKey, target: TargetKey) -> Assault:
        """Return the assault of a miniature on a target."""
        body, spirit, wounds = target
        attacks, reactions = self._options(attacker, (body, spirit))
        attack, (timed, late, in_time) = attacks[self._choice(attacks, wounds)], (NO_BLOW, NO_BLOW, 0)
        if reactions:
            timed, late, in_time = reactions[self._choice([late for _, late, _ in reactions], wounds)]
        return self._assault(_frozen(attack), _frozen(timed), _frozen(late), in_time, wounds)

    def _choice(self, blows: Sequence[Blow], wounds: int) -> int:
        """Return the number of the weapon that the policy chooses; the earlier line wins a tie."""
        if self.config.policy["weapon"] == "first":
            return 0
        means = [sum(min(damage, wounds) * weight for damage, weight in blow.items()) for blow in blows]
        return means.index(max(means))

    def _options_of(
        self, attacker: AttackerKey, target: tuple[int, int]
    ) -> tuple[list[Blow], list[tuple[Blow, Blow, int]]]:
        """Return the attacks and the reactions with each weapon that needs a test."""
        one, other = self.attackers[attacker], self.targets[target]
        game = Game((one, other), (0, 1), self.config.rulings, self.config.policy)
        weapons = [weapon.name for weapon in one.weapons if weapon.needs_test]
        attacks = [_blow(game, AttackAction(0, 1, name)) for name in weapons]
        if one.is_minion or self.config.policy["reactions"] == "never":
            return attacks, []
        return attacks, [_reaction(game, AttackAction(0, 1, name, reaction=True)) for name in weapons]

    def _assault_of(self, attack: _Frozen, timed: _Frozen, late: _Frozen, in_time: int, wounds: int) -> Assault:
        blows = Blows(dict(attack), dict(timed), dict(late), in_time)
        return ExactAssault(self._first(blows, wounds), (self._second(blows, wounds),)).rounded()

    def _first(self, blows: Blows, wounds: int) -> Ratios:
        """Return the numbers of the turns, and at the end the lead for each number of VP of the other side."""
        numbers, standing = self._turns(_first_turn, blows, wounds)
        below = standing.chance_below
        leads = [below(wounds) - below(vp + 1) - below(vp) for vp in range(self.most_wounds)]
        return _ratios([*numbers, *leads])

    def _second(self, blows: Blows, wounds: int) -> Ratios:
        """Return the numbers of the turns, and at the end the chance of each number of VP."""
        numbers, standing = self._turns(_second_turn, blows, wounds)
        below = standing.chance_below
        return _ratios([*numbers, *(below(vp + 1) - below(vp) for vp in range(wounds))])

    def _turns(self, turn: Turn, blows: Blows, wounds: int) -> tuple[list[Fraction], Standing]:
        standing, numbers = Standing(wounds), list[Fraction]()
        for _ in range(self.turns):
            more, standing = turn(blows, standing, self.attacks)
            numbers += more
        return numbers, standing


# The scalar product of a turn's numbers of both sides is the advantage of the first side in this turn. U is the chance
# that the second side stands, V that of the first side; each event counts as P(V after it, U before it) less
# P(V before it, U after it). The second side's reaction comes before the first attack if it is in time (chance s), and
# else after it; so does that of the first side (chance r) in the other activation.


def _first_turn(blows: Blows, u0: Standing, attacks: int) -> tuple[list[Fraction], Standing]:
    """Return the numbers of the side that goes first: it attacks, and then reacts."""
    r = Fraction(blows.in_time, SIDES)
    u1 = u0.after(blows.attack)
    u2 = _repeat(u1, blows.attack, attacks - 1)
    timed, late, u3 = (u2.after(blow) for blow in (blows.timed, blows.late, blows.reaction))
    before = r * (u2.chance - 2 * timed.chance) - (1 - r) * u2.chance
    after = r * timed.chance + (1 - r) * (2 * u2.chance - late.chance)
    return [u0.chance, u1.chance, u1.chance - u2.chance + before, after, u3.chance], u3


def _second_turn(blows: Blows, v0: Standing, attacks: int) -> tuple[list[Fraction], Standing]:
    """Return the numbers of the side that goes second: it reacts, and then attacks."""
    s = Fraction(blows.in_time, SIDES)
    timed, late, v1 = (v0.after(blow) for blow in (blows.timed, blows.late, blows.reaction))
    v2 = v1.after(blows.attack)
    v3 = _repeat(v2, blows.attack, attacks - 1)
    before = s * (2 * timed.chance - v0.chance) + (1 - s) * v0.chance
    after = (1 - s) * (late.chance - 2 * v0.chance) - s * timed.chance
    return [before, after, v1.chance, v2.chance, v3.chance - v2.chance], v3


def _repeat(standing: Standing, blow: Blow, times: int) -> Standing:
    for _ in range(times):
        standing = standing.after(blow)
    return standing


def _ratios(numbers: Sequence[Fraction]) -> Ratios:
    return tuple((number.numerator, number.denominator) for number in numbers)


def _frozen(blow: Blow) -> _Frozen:
    return tuple(sorted(blow.items()))


def _blow(game: Game, attack: AttackAction) -> Blow:
    """Return the weights of the damage of an attack."""
    state = game.initial_state()
    hits = SIDES if attack.hits else _successes(modifiers.hit_test(game, state, attack))
    lands = hits * (SIDES - _successes(modifiers.resist_test(game, state, attack)))
    damage = modifiers.attack_damage(game, state, attack)
    return {damage: lands, 0: SIDES * SIDES - lands} if damage else NO_BLOW


def _reaction(game: Game, attack: AttackAction) -> tuple[Blow, Blow, int]:
    """Return a reaction in time, a late one, and the weight of being in time."""
    timed = attack._replace(hits=game.rulings["reaction-hit"] == "timing")
    in_time = _successes(modifiers.timing_test(game, game.initial_state(), attack))
    return _blow(game, timed), _blow(game, attack), in_time


def _successes(test: Test) -> int:
    return min(max(test.need, 0), SIDES)
