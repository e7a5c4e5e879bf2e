"""The duel as a race, for crowds of fighters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeAlias

from cardgen.game import Assault, CrowdScores, TurnRace, odds, race_scores
from cardgen.rulesets.warcry.referee.activation import ACTIONS
from cardgen.rulesets.warcry.referee.attack import PreparedAttack, resolve_attack
from cardgen.rulesets.warcry.referee.fighter import FighterStats
from cardgen.rulesets.warcry.weapon import Weapon

# The weapons of an attacker without their names, and the Toughness and the Wounds of a target.
AttackerKey: TypeAlias = tuple[tuple[int, ...], ...]
TargetKey: TypeAlias = tuple[int, int]
# All that the odds of an attack depend on; empty if there is none.
AttackKey: TypeAlias = tuple[int, ...]
# Returns the attack of a fighter on a target, or None if no weapon is in range.
ChooseAttack: TypeAlias = Callable[[FighterStats, FighterStats], PreparedAttack | None]


def crowd_scores(
    fighters: Sequence[FighterStats], choose: ChooseAttack, rounds: int, *, reactions: bool
) -> CrowdScores:
    """Return the scores of the duels of all fighters."""
    keys = [(_attacker_key(fighter), _target_key(fighter)) for fighter in fighters]
    return race_scores(keys, _Races(fighters, choose, rounds, reactions=reactions).assault)


def _attacker_key(fighter: FighterStats) -> AttackerKey:
    return tuple(map(_weapon_key, fighter.weapons))


def _weapon_key(weapon: Weapon) -> tuple[int, ...]:
    return (
        weapon.min_range,
        weapon.range,
        weapon.attacks,
        weapon.strength,
        weapon.damage,
        weapon.critical,
    )


def _target_key(fighter: FighterStats) -> TargetKey:
    return fighter.toughness, fighter.wounds


class _Races:
    """The races of a crowd; equal attacks share theirs, whoever makes them."""

    def __init__(self, fighters: Sequence[FighterStats], choose: ChooseAttack, rounds: int, *, reactions: bool) -> None:
        self.choose, self.rounds, self.reactions = choose, rounds, reactions
        self.most_wounds = max(fighter.wounds for fighter in fighters)
        self.attackers = {_attacker_key(fighter): fighter for fighter in fighters}
        self.targets = {fighter.toughness: fighter for fighter in fighters}
        self.attacks: dict[AttackKey, PreparedAttack | None] = {}
        self._attack, self._race = cache(self._attack_key), cache(self._race_of)
        self._assault = cache(lambda attack, wounds: self._race(attack).assault(wounds).rounded())

    def assault(self, attacker: AttackerKey, target: TargetKey) -> Assault:
        """Return the assault on a target."""
        toughness, wounds = target
        return self._assault(self._attack(attacker, toughness), wounds)

    def _attack_key(self, attacker: AttackerKey, toughness: int) -> AttackKey:
        attack = self.choose(self.attackers[attacker], self.targets[toughness])
        key: AttackKey = ()
        if attack:
            weapon = attack.weapon
            key = (attack.hit_face, weapon.attacks, weapon.damage, weapon.critical, bool(attack.reaction))
        self.attacks.setdefault(key, attack)
        return key

    def _race_of(self, key: AttackKey) -> TurnRace:
        """Return the race of an attack; a fighter without one deals no damage."""
        attack = self.attacks[key]
        blow = _blow(attack._replace(reaction="")) if attack else {(0, 0): 1}
        countered = _blow(attack) if attack and attack.reaction and self.reactions else None
        return TurnRace(blow, countered, self.rounds, ACTIONS, self.most_wounds)


def _blow(attack: PreparedAttack) -> dict[tuple[int, int], int]:
    """Return the weights of damage to the target and to the attacker."""
    return {(damage.target, damage.attacker): weight for damage, weight in odds(resolve_attack, attack).weights.items()}
