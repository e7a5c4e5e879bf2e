"""Auras: constant effects on those near their bearer, asked only where they change a number of this attack."""

from __future__ import annotations

from cardgen.game import Procedure
from cardgen.rulesets.warniris.effect import Deeds
from cardgen.rulesets.warniris.referee import modifiers
from cardgen.rulesets.warniris.referee.battle.attack_action import (
    CHOSEN_PARTIES,
    GROUP_PARTIES,
    AttackAction,
    ask_near,
    ask_table,
    opponent_kind,
    party_members,
    weapon_of,
)
from cardgen.rulesets.warniris.referee.effects.effects import Affected
from cardgen.rulesets.warniris.referee.game import ActiveEffect, Game, State
from cardgen.rulesets.warniris.referee.miniature import BoundEffect


def ask_auras(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """Put the auras into force that reach one of an attack's two sides, and what depends on the table."""
    for owner, miniature in enumerate(game.miniatures):
        for number, effect in enumerate(miniature.effects):
            is_asked = effect.depends_on_distance or effect.condition.asks_table
            if effect.is_constant and is_asked and state.stands(owner):
                affected = yield from _ask_affected(game, state, attack, owner, effect)
                if any(members for _, members in affected):
                    state = state.add_effects(ActiveEffect(owner, number, affected, "attack"))
    return state


def _ask_affected(
    game: Game, state: State, attack: AttackAction, owner: int, effect: BoundEffect
) -> Procedure[Affected]:
    """Return whom of an attack's two sides an effect that always bears concerns."""
    asks_table = effect.condition.asks_table
    candidates = [
        (party, _candidates(game, state, attack, owner, effect, party, deeds)) for party, deeds in effect.deeds
    ]
    if not any(members for _, members in candidates):
        return ()
    if asks_table and not (yield from ask_table(game, state, owner, effect)):
        return ()
    affected = []
    for party, members in candidates:
        is_near = party not in GROUP_PARTIES or not effect.depends_on_distance
        affected.append(
            (party, tuple(members) if is_near else (yield from ask_near(game, state, owner, members, effect)))
        )
    return tuple(affected)


def ask_for_move(game: Game, state: State, who: int) -> Procedure[State]:
    """Put into force what always bears on a Move, if the table says so."""
    for number, effect in enumerate(game.miniatures[who].effects):
        own = dict(effect.deeds).get("bearer")
        is_asked = effect.is_constant and effect.condition.asks_table and own and _changes_move(own)
        if is_asked and (yield from ask_table(game, state, who, effect)):
            state = state.add_effects(ActiveEffect(who, number, (("bearer", (who,)),), "move"))
    return state


def _changes_move(deeds: Deeds) -> bool:
    return bool(deeds.movement or deeds.crossing or deeds.halved or deeds.body)


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
    if party in CHOSEN_PARTIES or not (effect.condition.asks_table or party in GROUP_PARTIES):
        return []
    group = party_members(game, state, owner, party, attack)
    against = effect.condition.against if party == "enemies" else None
    return [
        other
        for other in dict.fromkeys(attack.pair)
        if other in group
        and (effect.condition.asks_table or {owner, other} != set(attack.pair))
        and against in (None, opponent_kind(game, other))
        and _changes_attack(game, state, attack, other, deeds)
    ]


def _changes_attack(game: Game, state: State, attack: AttackAction, other: int, deeds: Deeds) -> bool:
    """Whether deeds change a number or a die that this attack looks at."""
    profile = weapon_of(game, state, attack)
    if not profile.needs_test:
        return False
    if other == attack.attacker:
        names = (
            modifiers.hit_attribute(profile),
            "penetration",
            "damage",
            *["gaps"] * attack.gap,
            *["between"] * bool(attack.between),
        )
        return deeds.reroll in ("hit", modifiers.hit_attribute(profile)) or any(getattr(deeds, name) for name in names)
    name = modifiers.resist_attribute(profile)
    return deeds.reroll in ("resist", name) or bool(getattr(deeds, name))
