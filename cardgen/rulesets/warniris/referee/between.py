"""Miniatures in between: their tests, and the attack that one of them takes (section 4)."""

from __future__ import annotations

from cardgen.game import Log, Procedure
from cardgen.rulesets.warniris.referee import modifiers
from cardgen.rulesets.warniris.referee.battle.attack_action import (
    AttackAction,
    has_freedom,
    meets_condition,
    party_members,
)
from cardgen.rulesets.warniris.referee.battle.movement import measure_diverted
from cardgen.rulesets.warniris.referee.effects.auras import ask_auras_again
from cardgen.rulesets.warniris.referee.effects.bearer_state import meets_state
from cardgen.rulesets.warniris.referee.effects.effects import start_effects
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.miniature import BoundEffect
from cardgen.rulesets.warniris.referee.mode import ActiveEffect
from cardgen.rulesets.warniris.referee.reroll import take_test
from cardgen.rulesets.warniris.referee.state import State


def test_between(game: Game, state: State, attack: AttackAction) -> Procedure[tuple[State, AttackAction, str]]:
    """A test for each miniature in between; the first failure makes that one the target.

    Return the attack after them, and why it ends with them or ''. Section 4: Miniatures in between; rulings
    `between-order`, `between-hit` and `diverted-sight`.
    """
    if has_freedom(game, state, attack.attacker, "between", modifiers.hit_context(attack)):
        return state, attack, ""
    is_outward = game.rulings["between-order"] == "outward"
    line = tuple(other for other in attack.between if state.stands(other))
    for count, other in enumerate(line if is_outward else line[::-1], 1):
        test = modifiers.between_test(game, state, attack, f"between {count}")
        state, succeeded = yield from take_test(
            game, state, test, attack.attacker, "between", modifiers.hit_context(attack)
        )
        if not succeeded:
            yield Log("{} is in the way and becomes the target", (game.name(other),))
            return (yield from _divert(game, state, attack, other))
    return state, attack, ""


def _divert(
    game: Game, state: State, attack: AttackAction, new_target: int
) -> Procedure[tuple[State, AttackAction, str]]:
    """Aim an attack at a miniature in between: it is measured anew, and that one's effects start.

    What weighed on the attack for the first target's sake is over.
    """
    former = attack.target
    hits = attack.hits or game.rulings["between-hit"] == "skipped"
    attack = attack._replace(target=new_target, between=(), hits=hits, distance=_distance_in_line(game, attack))
    problem = ""
    if game.is_interactive:
        attack, problem = yield from measure_diverted(game, state, attack)
    state = _without_former_target(game, state, attack, former)
    if not problem:
        state = yield from ask_auras_again(game, state, attack)
        state = yield from start_effects(game, state, "attacked", (new_target,), attack)
    return state, attack, problem


def _without_former_target(game: Game, state: State, attack: AttackAction, former: int) -> State:
    """The state in which the effects of the attack are those that the new target calls for."""

    def holds(active: ActiveEffect) -> bool:
        if active.until != "attack" or active.owner not in (attack.attacker, former):
            return True
        effect = game.miniatures[active.owner].effects[active.effect_number]
        return active.owner != former and (effect.is_constant or _is_called_for(game, state, effect, attack))

    kept = tuple(filter(holds, state.mode.active_effects))
    begun = {(each.owner, each.effect_number) for each in kept}
    effects = enumerate(game.miniatures[attack.attacker].effects)
    started = [
        ActiveEffect(attack.attacker, number, _affected(game, state, effect, attack), "attack")
        for number, effect in effects
        if (attack.attacker, number) not in begun and _starts_with(game, state, effect, attack)
    ]
    return State(state.mode._replace(active_effects=kept), state.counters).add_effects(*started)


def _is_called_for(game: Game, state: State, effect: BoundEffect, attack: AttackAction) -> bool:
    return meets_condition(game, state, effect.condition, attack.attacker, attack)


def _starts_with(game: Game, state: State, effect: BoundEffect, attack: AttackAction) -> bool:
    """Whether an effect applies to an attack for its new target's sake, and without a choice or a die."""
    is_choosy = effect.depends_on_distance or effect.condition.against
    is_free = effect.is_certain and not (effect.span or effect.weapon or effect.condition.asks_table)
    return bool(
        is_choosy
        and is_free
        and (effect.when == "attacking" or (effect.when == "reacting" and attack.reaction))
        and meets_state(game, effect, state, attack.attacker)
        and _is_called_for(game, state, effect, attack)
    )


def _affected(
    game: Game, state: State, effect: BoundEffect, attack: AttackAction
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    return tuple((party, party_members(game, state, attack.attacker, party, attack)) for party, _ in effect.deeds)


def _distance_in_line(game: Game, attack: AttackAction) -> int | None:
    """The distance of miniatures in between where nobody measures."""
    return attack.distance if game.distance_between is None else game.distance_between
