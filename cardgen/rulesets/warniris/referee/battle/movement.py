"""Legal targets, Moves, and charges (section 6: Move; ruling `heal-target`)."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.game import Log, Procedure
from cardgen.rulesets.warniris.referee import modifiers
from cardgen.rulesets.warniris.referee.battle.attack_action import AttackAction, log_move, meets_weapon, weapon_of
from cardgen.rulesets.warniris.referee.effects.bearer_state import is_within
from cardgen.rulesets.warniris.referee.effects.conditions import may_start, sure_effects_now
from cardgen.rulesets.warniris.referee.effects.effects import start_acts, start_effects
from cardgen.rulesets.warniris.referee.game import ActiveEffect, Game, State
from cardgen.rulesets.warniris.referee.sight import (
    THROUGH,
    ask_arrival,
    ask_crossed,
    measure_cover,
    measure_distance,
    measure_sight,
    note_arrival,
)
from cardgen.rulesets.warniris.words import STRIKES


def objection(game: Game, state: State, attack: AttackAction) -> str:
    """Return why an attack is not legal, or ''."""
    attacker, target = game.name(attack.attacker), game.name(attack.target)
    if not state.stands(attack.attacker):
        return f"{attacker} is eliminated"
    if not state.stands(attack.target):
        return f"{target} is eliminated"
    profile = weapon_of(game, state, attack)
    if attack.attacker == attack.target and profile.needs_test:
        return f"{attacker} cannot attack itself"
    if attack.attacker == attack.target and profile.healing and game.rulings["heal-target"] == "others":
        return f"{attacker} cannot use {attack.weapon} on itself"
    is_friend = game.sides[attack.attacker] == game.sides[attack.target]
    if is_friend and profile.needs_test and game.rulings["attack-friends"] == "forbidden":
        return f"{target} is a friend of {attacker}"
    if game.sides[attack.attacker] != game.sides[attack.target] and not profile.needs_test:
        return f"{attack.weapon} only heals or protects, and {target} is an enemy"
    return out_of_range(game, state, attack)


def out_of_range(game: Game, state: State, attack: AttackAction) -> str:
    """Return why a target is out of Range, or ''.

    Range includes its limit (ruling `distance`).
    """
    if is_barred(game, state, attack):
        return f"{game.name(attack.target)} cannot be chosen as a target"
    if attack.distance is None:
        return ""
    reach = modifiers.attack_range(game, state, attack)
    if is_within(game, attack.distance, reach):
        return ""
    return f"{game.name(attack.target)} is {_distance_words(game, attack)} away, and {attack.weapon} reaches {reach} cm"


def _distance_words(game: Game, attack: AttackAction) -> str:
    """Return a distance, or its bounds if nobody has measured it."""
    span = game.notes.span(*attack.pair)
    is_known = not game.is_interactive or span.low == span.high
    return f"{attack.distance} cm" if is_known else str(span)


def is_barred(game: Game, state: State, attack: AttackAction) -> bool:
    """Return whether an effect keeps the target from being chosen; a distance that nobody knows yet does not."""
    if "targeted" not in game.freedoms:
        return False
    is_unknown = game.is_interactive and attack.distance is None
    return any(
        each.deeds.targeted and not (is_unknown and each.effect.depends_on_distance)
        for each in sure_effects_now(game, state, attack.target, modifiers.hit_context(attack))
    )


def cross_enemies(game: Game, state: State, who: int, enemies: int) -> Procedure[int]:
    """Test Body for each enemy in the way, unless an effect spares that; return how many were passed."""
    if modifiers.crosses_freely(game, state, who):
        return enemies
    for count in range(1, enemies + 1):
        if not (yield modifiers.body_test(game, state, who, f"through {count}")):
            yield Log("{} stops in front of that enemy", (game.name(who),))
            return count - 1
    return enemies


def expected_movement(game: Game, state: State, who: int, *, at_most: bool = False) -> int:
    """Return how far a Move may go that has not begun, in cm.

    It counts what will apply to it, and with `at_most` also what may be used or be rolled for.
    """
    miniature = game.miniatures[who]
    upcoming = [
        ActiveEffect(who, number, (("bearer", (who,)),), "move")
        for number in miniature.triggered_effects.get("moving", ())
        if (at_most or miniature.effects[number].is_certain) and may_start(game, state, who, number, None)
    ]
    return modifiers.move_distance(game, state.add_effects(*upcoming), who)


def has_free_move(game: Game, attack: AttackAction, weapon_type: str) -> bool:
    """Return whether a weapon brings a free Move.

    A combat weapon does; in a reaction only by the ruling `reaction-cw-move`.
    """
    return weapon_type == "CW" and (not attack.reaction or game.rulings["reaction-cw-move"] == "allowed")


def out_of_charge_range(game: Game, state: State, attack: AttackAction) -> str:
    """Return why a target cannot be reached, even with a free Move, or ''."""
    problem = out_of_range(game, state, attack)
    if not problem or attack.distance is None:
        return problem
    if not has_free_move(game, attack, weapon_of(game, state, attack).type):
        return problem
    movement, end = free_movement(game, state, attack.attacker), charge_end(game, state, attack)
    if attack.distance - movement <= end and not is_barred(game, state, attack._replace(distance=end)):
        return ""
    return f"{problem}, even after a Move of {movement} cm"


def free_movement(game: Game, state: State, who: int) -> int:
    """Return how far a free Move may go at most, in cm (ruling `free-move-counts`)."""
    if game.rulings["free-move-counts"] == "counted":
        return expected_movement(game, state, who, at_most=True)
    return modifiers.move_distance(game, state, who)


def charge_end(game: Game, state: State, attack: AttackAction) -> int:
    """The distance at which a free Move ends that nobody measures: the farthest within Range."""
    reach = modifiers.attack_range(game, state, attack)
    return reach if is_within(game, reach, reach) else reach - 1


def measure_attack(game: Game, state: State, attack: AttackAction) -> Procedure[tuple[AttackAction, str]]:
    """Measure an attack; return it, and why it is not possible or ''.

    Sight and line wait for a combat weapon's free Move where the target is out of Range.
    """
    if attack.attacker == attack.target:
        return attack, ""
    limits = (*range_limits(game, state, attack), *distance_limits(game, state, attack))
    may_cross = game.rulings["cw-path"] == "tested" and len(game.enemies(state, attack.attacker)) > 1
    may_charge = may_cross and has_free_move(game, attack, weapon_of(game, state, attack).type)
    attack, marks = yield from measure_distance(game, state, attack, limits, may_charge=may_charge)
    problem = out_of_charge_range(game, state, attack)
    if problem:
        return attack, problem
    if out_of_range(game, state, attack):
        if marks is not None:
            game.notes.expect_arrival(*attack.pair, marks)
        return attack, ""
    return (yield from measure_sight(game, state, attack, marks))


def range_limits(game: Game, state: State, attack: AttackAction) -> tuple[int, int]:
    """Return the Range of an attack, and how far it reaches with a free Move, in cm."""
    reach = modifiers.attack_range(game, state, attack)
    if not has_free_move(game, attack, weapon_of(game, state, attack).type):
        return reach, reach
    return reach, charge_end(game, state, attack) + free_movement(game, state, attack.attacker)


def distance_limits(game: Game, state: State, attack: AttackAction) -> Iterator[int]:
    """Yield the distances in cm at which an effect of one of the two, or a mission, differs."""
    yield from game.mission_limits
    for effect in (effect for who in attack.pair for effect in game.miniatures[who].effects):
        condition = effect.condition
        is_aura = effect.is_constant and any(party == "enemies" for party, _ in effect.deeds)
        if not (is_aura or effect.when in STRIKES or effect.active_at in STRIKES):
            continue
        if meets_weapon(condition, weapon_of(game, state, attack)):
            yield from (limit for limit in (condition.range_over, condition.range_within) if limit is not None)


def may_reach(game: Game, state: State, attack: AttackAction, approach: int = 0) -> bool:
    """Whether a target may be in Range, as noted, after one of the two has come nearer by a distance in cm."""
    if attack.attacker == attack.target:
        return True
    nearest = max(0, game.notes.span(*attack.pair).low - approach)
    return not out_of_charge_range(game, state, attack._replace(distance=nearest))


def measure_diverted(game: Game, state: State, attack: AttackAction) -> Procedure[tuple[AttackAction, str]]:
    """Measure an attack that a miniature in between takes; return why it ends, or '' (ruling `diverted-sight`)."""
    is_in_line = game.rulings["diverted-sight"] == "line"
    reach = () if is_in_line else (modifiers.attack_range(game, state, attack),)
    attack, marks = yield from measure_distance(game, state, attack, (*distance_limits(game, state, attack), *reach))
    if is_in_line:
        return attack, ""
    problem = out_of_range(game, state, attack)
    return (attack, problem) if problem else (yield from measure_cover(game, state, attack, marks))


def charge(
    game: Game, state: State, attack: AttackAction, enemies: int = 0
) -> Procedure[tuple[State, AttackAction | None]]:
    """Make the free Move of a combat weapon; return the attack after it.

    None stands for an attack that is not possible (section 6: Attack; rulings `cw-path` and `free-move-counts`).
    Players say how the Move ends. Where nobody measures, it passes through `enemies` and ends at the limit
    of Range; a failed Body test stops it out of Range.
    """
    yield Log("{} Moves at {} first", (game.name(attack.attacker), game.name(attack.target)))
    if game.rulings["free-move-counts"] == "counted":
        state = yield from start_effects(game, state, "moving", (attack.attacker,))
    if game.is_interactive:
        return (yield from _charge_at_table(game, state, attack))
    if game.rulings["cw-path"] == "free":
        enemies = 0
    passed = yield from cross_enemies(game, state, attack.attacker, enemies)
    stops = passed < enemies
    state = _log_free_move(game, state, attack.attacker, passed, failed=stops)
    movement = modifiers.move_distance(game, state, attack.attacker)
    state = state.end_window("move")
    reach = charge_end(game, state, attack)
    falls_short = attack.distance is not None and attack.distance - movement > reach
    if not (stops or falls_short):
        state = state.at_distance(reach)
    state = yield from start_acts(game, state, "enemy_moved", attack.attacker)
    is_there = state.stands(attack.attacker) and not (stops or falls_short)
    return state, attack._replace(distance=reach) if is_there else None


def _charge_at_table(game: Game, state: State, attack: AttackAction) -> Procedure[tuple[State, AttackAction | None]]:
    """Ask where a free Move ends; return the attack after it, or None."""
    moved = modifiers.move_distance(game, state, attack.attacker)
    falls_short = game.notes.span(*attack.pair).low - moved > charge_end(game, state, attack)
    game.notes.move(attack.attacker, moved)
    problem = f"{game.name(attack.target)} is out of Range" if falls_short else ""
    if not falls_short:
        state, problem = yield from _ask_path(game, state, attack)
    else:
        state = _log_free_move(game, state, attack.attacker, 0, failed=False)
    state = yield from start_acts(game, state.end_window("move"), "enemy_moved", attack.attacker)
    if not state.stands(attack.attacker):
        return state, None
    if not problem:
        attack, problem = yield from measure_attack(game, state, attack)
        problem = problem or out_of_range(game, state, attack)
    if problem:
        yield Log("not possible: {}", (problem,))
    return state, None if problem else attack


def _log_free_move(game: Game, state: State, who: int, passed: int, *, failed: bool) -> State:
    """The state with a free Move on record, if it counts (ruling `free-move-counts`)."""
    if game.rulings["free-move-counts"] != "counted":
        return state
    return log_move(game, state, who, passed, failed=failed)


def _ask_path(game: Game, state: State, attack: AttackAction) -> Procedure[tuple[State, str]]:
    """Ask how a free Move comes into Range; return why it does not, or ''. A failed Body test leaves that open."""
    others = len(game.enemies(state, attack.attacker)) - 1
    tested = others > 0 and game.rulings["cw-path"] == "tested"
    expected = game.notes.take_arrival(*attack.pair)
    marks = expected
    if marks is None:
        marks = yield from ask_arrival(game, state, attack, may_cross=tested)
    crossed = passed = 0
    if marks and THROUGH in marks:
        crossed = yield from ask_crossed(game, attack.attacker, others)
        passed = yield from cross_enemies(game, state, attack.attacker, crossed)
    state = _log_free_move(game, state, attack.attacker, passed, failed=passed < crossed)
    if passed < crossed:
        return state, ""
    if marks and THROUGH in marks:
        marks = tuple(mark for mark in marks if mark != THROUGH)
        marks = (yield from ask_arrival(game, state, attack, may_cross=False)) if expected is None else marks
    if marks is None:
        return state, f"{game.name(attack.target)} is out of Range"
    yield from note_arrival(game, state, attack, marks, charge_end(game, state, attack))
    return state, ""
