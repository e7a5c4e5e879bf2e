"""Auras: constant effects on those near their bearer, asked only where they change a number of this attack."""

from __future__ import annotations

from cardgen.game import Procedure
from cardgen.rulesets.warniris.effect import Deeds
from cardgen.rulesets.warniris.referee import modifiers
from cardgen.rulesets.warniris.referee.attack_action import GROUP_PARTIES, AttackAction, meets_state, opponent_kind
from cardgen.rulesets.warniris.referee.game import Game, State
from cardgen.rulesets.warniris.referee.miniature import BoundEffect
from cardgen.rulesets.warniris.referee.mode import ActiveEffect
from cardgen.rulesets.warniris.referee.nearness import ask_near


def ask_auras(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """Put the auras into force that reach one of an attack's two sides."""
    for owner, miniature in enumerate(game.miniatures):
        for number, effect in enumerate(miniature.effects):
            if not (effect.is_constant and effect.depends_on_distance and state.stands(owner)):
                continue
            affected = []
            for party, deeds in effect.deeds:
                candidates = _candidates(game, state, attack, owner, effect, party, deeds)
                affected.append((party, (yield from ask_near(game, state, owner, candidates, effect))))
            if any(members for _, members in affected):
                state = state.add_effects(ActiveEffect(owner, number, tuple(affected), "attack"))
    return state


def ask_auras_again(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """Ask for the auras of an attack whose two sides are not those that were asked for.

    It is a reaction, or it has a new target. Where nobody measures, distances are known.
    """
    if not game.is_interactive:
        return state
    others = (each for each in state.mode.active_effects if not _is_aura(game, each))
    state = State(state.mode._replace(active_effects=tuple(others)), state.counters)
    return (yield from ask_auras(game, state, attack))


def _is_aura(game: Game, active: ActiveEffect) -> bool:
    return game.miniatures[active.owner].effects[active.effect_number].is_constant


def _candidates(
    game: Game, state: State, attack: AttackAction, owner: int, effect: BoundEffect, party: str, deeds: Deeds
) -> list[int]:
    """Who of the two may be in the aura, so that it matters. Between owner and other, the distance is the attack's."""
    if party not in GROUP_PARTIES or not meets_state(effect.condition, state, owner):
        return []
    group = game.friends(state, owner) if party == "friends" else game.enemies(state, owner)
    against = effect.condition.against if party == "enemies" else None
    return [
        other
        for other in dict.fromkeys(attack.pair)
        if other in group
        and {owner, other} != set(attack.pair)
        and against in (None, opponent_kind(game, other))
        and _changes_attack(game, state, attack, other, deeds)
    ]


def _changes_attack(game: Game, state: State, attack: AttackAction, other: int, deeds: Deeds) -> bool:
    """Whether deeds change a number or a die that this attack looks at."""
    profile = modifiers.weapon_of(game, state, attack)
    if not profile.needs_test:
        return False
    if other == attack.attacker:
        names = (modifiers.hit_attribute(profile), "penetration", "damage")
        return deeds.reroll in ("hit", modifiers.hit_attribute(profile)) or any(getattr(deeds, name) for name in names)
    name = modifiers.resist_attribute(profile)
    return deeds.reroll in ("resist", name) or bool(getattr(deeds, name))
