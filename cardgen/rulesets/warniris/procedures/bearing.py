"""Which effects bear on a miniature's numbers and dice at a moment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cardgen.rulesets.warniris.effect import STRIKES, Deeds
from cardgen.rulesets.warniris.procedures.blow import (
    AttackAction,
    available_weapons,
    meets_condition,
    meets_distance,
    meets_wounds,
    opponent_kind,
)
from cardgen.rulesets.warniris.procedures.fighter import BoundEffect
from cardgen.rulesets.warniris.procedures.state import ActiveEffect, State
from cardgen.rulesets.warniris.procedures.table import Game

GROUP_PARTIES = ("friends", "enemies")


class ModifierContext(NamedTuple):
    """What is going on: the events of the attacker or mover, those of the target, and the attack if there is one."""

    attacker_events: frozenset[str]
    target_events: frozenset[str] = frozenset()
    attack: AttackAction | None = None

    def events_of(self, who: int) -> frozenset[str]:
        """The events at which somebody is now."""
        if self.attack is None:
            return self.attacker_events
        if who == self.attack.attacker:
            return self.attacker_events
        return self.target_events if who == self.attack.target else frozenset()


class AppliedEffect(NamedTuple):
    """An effect that bears on somebody: whose it is, the effect, and what it does to that one."""

    owner: int
    effect: BoundEffect
    deeds: Deeds


def effects_on(game: Game, state: State, who: int, context: ModifierContext) -> Iterator[AppliedEffect]:
    """Every effect that bears on `who` now: those that always bear, and those in force."""
    for owner, miniature in enumerate(game.miniatures):
        if miniature.constant_effects and state.stands(owner):
            for effect in miniature.constant_effects:
                for party, deeds in effect.deeds:
                    if _constant_applies(game, state, owner, effect, party, who, context):
                        yield AppliedEffect(owner, effect, deeds)
    for active in state.mode.active_effects:
        effect = game.miniatures[active.owner].effects[active.effect_number]
        for party, deeds in effect.deeds:
            if _active_applies(game, state, active, effect, party, who, context):
                yield AppliedEffect(active.owner, effect, deeds)


def _constant_applies(
    game: Game, state: State, owner: int, effect: BoundEffect, party: str, who: int, context: ModifierContext
) -> bool:
    condition, attack = effect.condition, context.attack
    if who not in party_members(game, state, owner, party, attack) or not meets_wounds(condition, state, owner):
        return False
    if effect.weapon and (
        attack is None or (attack.attacker, attack.weapon) != (owner, effect.weapon) or attack.reaction
    ):
        return False
    if condition.weapon and (attack is None or condition.weapon != weapon_type(game, state, attack)):
        return False
    if party in GROUP_PARTIES:
        return is_in_group(game, owner, who, effect, party, attack)
    return not (
        condition.against and (attack is None or condition.against != opponent_kind(game, attack.opponent(owner)))
    )


def is_in_group(game: Game, owner: int, who: int, effect: BoundEffect, party: str, attack: AttackAction | None) -> bool:
    """Whether somebody is one of the friends or enemies whom a condition chooses, as far as distances are known."""
    condition = effect.condition
    if party == "enemies" and condition.against and condition.against != opponent_kind(game, who):
        return False
    if condition.range_over is None and condition.range_within is None:
        return True
    is_attack_pair = attack is not None and {owner, who} == set(attack.pair)
    if is_attack_pair and attack is not None:
        return meets_distance(condition, attack.distance)
    return not game.is_interactive and meets_distance(condition, game.distance)


def _active_applies(
    game: Game, state: State, active: ActiveEffect, effect: BoundEffect, party: str, who: int, context: ModifierContext
) -> bool:
    during, attack = effect.during, context.attack
    if not during:
        affected = dict(active.affected).get(party, ())
        is_unrestricted = effect.when in STRIKES or not effect.condition.weapon or attack is None
        return who in affected and (is_unrestricted or effect.condition.weapon == weapon_type(game, state, attack))
    if during not in context.events_of(active.owner) or who not in party_members(
        game, state, active.owner, party, attack
    ):
        return False
    return attack is None or meets_condition(
        game, effect.condition, weapon_type(game, state, attack), active.owner, attack
    )


def weapon_type(game: Game, state: State, attack: AttackAction | None) -> str:
    """CW, RW or P."""
    return available_weapons(game, state, attack.attacker)[attack.weapon].type if attack else ""


def party_members(game: Game, state: State, owner: int, party: str, attack: AttackAction | None) -> tuple[int, ...]:
    """Whom a word of an effect means."""
    if party == "bearer":
        return (owner,)
    if party == "friends":
        return game.friends(state, owner)
    if party == "enemies":
        return game.enemies(state, owner)
    if attack is None or owner not in attack.pair:
        return ()
    return (attack.attacker,) if party == "attacker" else (attack.target,)
