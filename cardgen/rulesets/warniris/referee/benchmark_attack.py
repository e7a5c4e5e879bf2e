"""Exact damage of one attack alone, at full Range and in the open, for the combat benchmarks.

Both stand alone, at the weapon's full Range and in the open. What may be used once a battle is left unused, and what
may be used once a turn is used, for each attack is in a turn of its own. Relics belong to no card.
"""

from __future__ import annotations

from fractions import Fraction

from cardgen.game import Die, OddsSolver, default_settings
from cardgen.rulesets.warniris.cards import Character, Stats
from cardgen.rulesets.warniris.effect import Weapon
from cardgen.rulesets.warniris.referee.attack import resolve_attack
from cardgen.rulesets.warniris.referee.conditions import AttackAction
from cardgen.rulesets.warniris.referee.counter_bounds import of_attack
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.miniature import Miniature, effects_in_force
from cardgen.rulesets.warniris.rulebook import MAX_WOUNDS, POLICIES, RULINGS

_RULINGS, _POLICY = default_settings(RULINGS), default_settings(POLICIES)


def mean_damage_dealt(attacker: Character, weapon: Weapon, target: Stats) -> Fraction:
    """The mean number of Wounds that an attack with one of its weapons takes off a Character with these numbers."""
    return RepeatedAttack(attacker, weapon, _stand_in(target)).wounds_lost(MAX_WOUNDS).mean(int)


def attacks_against(target: Character, hit_attribute: int, weapon: Weapon) -> RepeatedAttack:
    """The attacks on a Character with this weapon by somebody whose attribute to hit is `hits`."""
    stats = target.stats.model_copy(update={"mind": hit_attribute, "spirit": hit_attribute})
    return RepeatedAttack(_stand_in(stats, weapon), weapon, target)


class RepeatedAttack:
    """One attack after the other with the same weapon."""

    def __init__(self, attacker: Character, weapon: Weapon, target: Character) -> None:
        pair = (
            Miniature("attacker", _without_once_a_battle(attacker)),
            Miniature("target", _without_once_a_battle(target)),
        )
        self._game = Game(pair, (0, 1), _RULINGS, _POLICY, distance=weapon.range)
        self._attack = AttackAction(0, 1, weapon.name, weapon.range)
        self._solver = OddsSolver()

    @property
    def most_wounds(self) -> int | None:
        """The number of Wounds beyond which more of its target's make no difference, or None."""
        bounds = of_attack(self._game, self._attack)
        return bounds[self._attack.target] if bounds else None

    def wounds_lost(self, wounds: int) -> Die[int]:
        """Return the odds of the Wounds that a target with `wounds` left loses; regained ones do not count."""
        start = self._game.initial_state((self._game.miniatures[0].wounds, wounds))
        after = self._solver.distribution(resolve_attack, self._game, start, self._attack)
        return after.map(lambda state: max(0, wounds - state.wounds(1)))


def _without_once_a_battle(card: Character) -> Character:
    """The card without what it can use once a battle only."""
    abilities = tuple(ability for ability in card.abilities if effects_in_force(ability).once is not True)
    return card.model_copy(update={"abilities": abilities})


def _stand_in(stats: Stats, *weapons: Weapon) -> Character:
    return Character(name="stand-in", stats=stats.model_copy(update={"wounds": MAX_WOUNDS}), weapons=weapons)
