"""The attack with a weapon and the channelling of a power (section 6: Attack, Channel)."""

from __future__ import annotations

from cardgen.referee.requests import AbstractedCall, Log, Procedure
from cardgen.rulesets.warniris.procedures import bounds, reckoning
from cardgen.rulesets.warniris.procedures.blow import AttackAction
from cardgen.rulesets.warniris.procedures.deeds import log_event
from cardgen.rulesets.warniris.procedures.effects import start_effects
from cardgen.rulesets.warniris.procedures.fighter import DAMAGE_CHANGE
from cardgen.rulesets.warniris.procedures.harm import DamageSource, deal_damage, heal
from cardgen.rulesets.warniris.procedures.moving import charge
from cardgen.rulesets.warniris.procedures.state import State
from cardgen.rulesets.warniris.procedures.table import Game
from cardgen.rulesets.warniris.procedures.testing import take_test


def resolve_attack(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """An attack, a channel or a reaction, from the first effect that it starts to the last.

    Whether it is legal was looked at before (`legality`). A reaction may begin with a combat weapon's free Move (ruling
    `reaction-cw-move`). Reactions that wait for a point of it happen there.
    """
    if attack.reaction and attack.distance is not None:
        state, after_move = yield from charge(game, state, attack, 0)
        attack = after_move or attack
    if any(each.point != "end" for each in state.mode.pending_reactions):
        return (yield from _resolve(state, game, attack))
    after = yield AbstractedCall(_resolve, state.set_pending(), (game, attack), bounds.of_attack(game, attack))
    return after.set_pending(*state.mode.pending_reactions)  # type: ignore[no-any-return]


def _resolve(state: State, game: Game, attack: AttackAction) -> Procedure[State]:
    state = log_event(game, state, "attack", attack.attacker, attack.target, attack)
    if not reckoning.weapon_of(game, state, attack).needs_test:
        return (yield from _heal_without_test(game, state, attack))
    state = yield from _start_attack_effects(game, state, attack)
    state, attack, diverted = yield from _test_between(game, state, attack)
    if not (diverted and game.rulings["between-hit"] == "skipped"):
        state, hit = yield from take_test(
            game, state, reckoning.hit_test(game, state, attack), attack.attacker, "hit", reckoning.hit_context(attack)
        )
        if not hit:
            return state.end_window("attack")
    state = log_event(game, state, "hit", attack.attacker, attack.target, attack)
    state = yield from _interrupt(game, state, attack, "hit")
    if not (state.stands(attack.attacker) and state.stands(attack.target)):
        return state.end_window("attack")
    if "hit" in game.triggers:
        state = yield from start_effects(game, state, "hit", (attack.attacker,), attack)
    state, resisted = yield from take_test(
        game,
        state,
        reckoning.resist_test(game, state, attack),
        attack.target,
        "resist",
        reckoning.resist_context(attack),
    )
    if resisted:
        return log_event(game, state, "resist", attack.target, attack.attacker, attack).end_window("attack")
    state = yield from _interrupt(game, state, attack, "resist")
    if state.stands(attack.attacker) and state.stands(attack.target):
        state = yield from _deal_damage(game, state, attack)
    return state.end_window("attack")


def _start_attack_effects(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """The effects that start with the attack, the attacker's first."""
    if "attacking" in game.triggers:
        state = yield from start_effects(game, state, "attacking", (attack.attacker,), attack)
    if attack.reaction and "reacting" in game.triggers:
        state = yield from start_effects(game, state, "reacting", (attack.attacker,), attack)
    if "attacked" in game.triggers:
        state = yield from start_effects(game, state, "attacked", (attack.target,), attack)
    return state


def _test_between(game: Game, state: State, attack: AttackAction) -> Procedure[tuple[State, AttackAction, bool]]:
    """A test for each miniature in between; the first failure makes that one the target.

    Section 4: Miniatures in between; rulings `between-order`, `interference-cover` and `penalty-scope`.
    """
    for count, other in enumerate(attack.between, 1):
        test = reckoning.hit_test(game, state, attack, f"between {count}")
        state, succeeded = yield from take_test(
            game, state, test, attack.attacker, "between", reckoning.hit_context(attack)
        )
        if not succeeded:
            yield Log("{} is in the way and becomes the target", (game.name(other),))
            return (yield from _redirect(game, state, attack, other))
    return state, attack, False


def _redirect(
    game: Game, state: State, attack: AttackAction, new_target: int
) -> Procedure[tuple[State, AttackAction, bool]]:
    """What weighed on the attack for the first target's sake is over; the new target's effects start."""
    remaining = tuple(f for f in state.mode.active_effects if not (f.owner == attack.target and f.until == "attack"))
    state = State(state.mode._replace(active_effects=remaining), state.counters)
    attack = attack._replace(target=new_target, between=())
    if "attacked" in game.triggers:
        state = yield from start_effects(game, state, "attacked", (new_target,), attack)
    return state, attack, True


def _interrupt(game: Game, state: State, attack: AttackAction, point: str) -> Procedure[State]:
    """Reactions that were timed for this point (ruling `reaction-when`); none comes within a reaction."""
    if attack.reaction or not state.mode.pending_reactions:
        return state
    return (yield from resolve_pending(game, state, attack.attacker, point))


def resolve_pending(game: Game, state: State, actor: int, point: str) -> Procedure[State]:
    """The reactions that wait for this point of an action; at its end all that are left.

    One happens only if both its reactor and the enemy still stand (rulings `reaction-chain`, `reaction-spent`).
    """
    for each in state.mode.pending_reactions:
        if point in (each.point, "end"):
            state = state.set_pending(*(other for other in state.mode.pending_reactions if other != each))
            if state.stands(each.reactor) and state.stands(actor):
                attack = AttackAction(each.reactor, actor, each.weapon, each.distance, each.gap, reaction=True)
                yield Log("{} reacts", (game.name(each.reactor),))
                state = yield from resolve_attack(game, state, attack)
    return state


def _deal_damage(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """Damage, then what the weapon gives back, then its effects; none of them where everything was ignored."""
    if DAMAGE_CHANGE in game.triggers:
        state = yield from start_effects(game, state, DAMAGE_CHANGE, (attack.attacker,), attack)
    points = reckoning.attack_damage(game, state, attack)
    state, unignored = yield from deal_damage(game, state, attack.target, points, DamageSource(attack.attacker, attack))
    if (unignored or not points) and not attack.reaction:
        healing = reckoning.weapon_of(game, state, attack).healing
        if healing:
            state = yield from heal(game, state, attack.target, healing, attack.weapon)
        if "damaging" in game.triggers:
            state = yield from start_effects(game, state, "damaging", (attack.attacker,), attack)
    return state


def _heal_without_test(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """A line that only heals takes no test (section 6: Attack, Channel, last note)."""
    profile = reckoning.weapon_of(game, state, attack)
    state = yield from heal(game, state, attack.target, profile.healing, attack.weapon)
    if "damaging" in game.triggers:
        state = yield from start_effects(game, state, "damaging", (attack.attacker,), attack)
    return state.end_window("attack")
