"""Auras: constant effects on those within a distance of their bearer."""

from __future__ import annotations

from cardgen.game import Procedure
from cardgen.rulesets.warniris.referee.attack_action import GROUP_PARTIES, AttackAction, opponent_kind
from cardgen.rulesets.warniris.referee.effects import ask_near
from cardgen.rulesets.warniris.referee.game import ActiveEffect, Game, State
from cardgen.rulesets.warniris.referee.miniature import BoundEffect


def ask_auras(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """Ask which fighters are within the distance of a constant effect."""
    for owner, miniature in enumerate(game.miniatures):
        for number, effect in enumerate(miniature.effects):
            if not (effect.is_constant and state.stands(owner) and effect.depends_on_distance):
                continue
            affected = []
            for party, _ in effect.deeds:
                near_ones = yield from _ask_near(game, state, attack, owner, effect, party)
                affected.append((party, near_ones))
            if any(members for _, members in affected):
                state = state.add_effects(ActiveEffect(owner, number, tuple(affected), "attack"))
    return state


def _ask_near(
    game: Game, state: State, attack: AttackAction, owner: int, effect: BoundEffect, party: str
) -> Procedure[tuple[int, ...]]:
    if party not in GROUP_PARTIES:
        return ()
    group = game.friends(state, owner) if party == "friends" else game.enemies(state, owner)
    against = effect.condition.against
    near = []
    for other in dict.fromkeys(attack.pair):
        is_attack_pair = {owner, other} == set(attack.pair)
        if (
            other not in group
            or is_attack_pair
            or (party == "enemies" and against and against != opponent_kind(game, other))
        ):
            continue
        if (yield from ask_near(game, owner, other, effect)):
            near.append(other)
    return tuple(near)


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
