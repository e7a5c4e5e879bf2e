"""Geometry, as the players measure it on the table; nothing of it is simulated."""

from __future__ import annotations

from cardgen.referee.requests import Decision, Measurement, Procedure
from cardgen.rulesets.warniris.procedures.bearing import GROUP_PARTIES
from cardgen.rulesets.warniris.procedures.blow import AttackAction, opponent_kind
from cardgen.rulesets.warniris.procedures.effects import NO, YES, distance_words
from cardgen.rulesets.warniris.procedures.fighter import BoundEffect
from cardgen.rulesets.warniris.procedures.moving import out_of_charge_range
from cardgen.rulesets.warniris.procedures.state import ActiveEffect, State
from cardgen.rulesets.warniris.procedures.table import Game

CLEAR_SIGHT, THROUGH_GAP, HIDDEN_SIGHT = "in clear sight", "through a gap of 1 cm or more (-1)", "wholly hidden"
END_OF_LINE = "nobody"
MAX_DISTANCE = 73


def measure_attack(game: Game, state: State, attack: AttackAction) -> Procedure[tuple[AttackAction, str]]:
    """An attack with its distance, cover and line, and why it is not possible, or '' (section 6: Attack, Cover)."""
    if attack.attacker == attack.target:
        return attack, ""
    who, target = game.name(attack.attacker), game.name(attack.target)
    distance = yield Measurement("distance", who, f"distance to {target}", 0, MAX_DISTANCE, "cm")
    attack = attack._replace(distance=distance)
    problem = out_of_charge_range(game, state, attack)
    if problem:
        return attack, problem
    sight = yield Decision("sight", who, f"sees {target}", (CLEAR_SIGHT, THROUGH_GAP, HIDDEN_SIGHT))
    if sight == HIDDEN_SIGHT:
        return attack, f"{target} is wholly hidden"
    between = yield from _ask_between(game, state, attack)
    return attack._replace(gap=sight == THROUGH_GAP, between=between), ""


def _ask_between(game: Game, state: State, attack: AttackAction) -> Procedure[tuple[int, ...]]:
    """The miniatures in the line, from the attacker outward (ruling `between-order`)."""
    candidates = [i for i in range(len(game.miniatures)) if state.stands(i) and i not in attack.pair]
    between: list[int] = []
    while candidates:
        options = (END_OF_LINE, *(game.name(i) for i in candidates))
        word = "next" if between else "first"
        chosen = yield Decision("between", game.name(attack.attacker), f"who is {word} in the line", options)
        if chosen == END_OF_LINE:
            break
        between.append(candidates.pop(options.index(chosen) - 1))
    return tuple(between)


def ask_auras(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """Ask whether those who fight are near enough to somebody else whose standing effect chooses by distance."""
    for owner, miniature in enumerate(game.miniatures):
        for number, effect in enumerate(miniature.effects):
            if not (effect.is_constant and state.stands(owner) and _depends_on_distance(effect)):
                continue
            affected = []
            for party, _ in effect.deeds:
                near_ones = yield from _ask_near(game, state, attack, owner, effect, party)
                affected.append((party, near_ones))
            if any(members for _, members in affected):
                state = state.add_effects(ActiveEffect(owner, number, tuple(affected), "attack"))
    return state


def _depends_on_distance(effect: BoundEffect) -> bool:
    condition = effect.condition
    return condition.range_over is not None or condition.range_within is not None


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
        what = f"{effect.name}: is {game.name(other)} {distance_words(effect)} of {game.name(owner)}"
        if (yield Decision(f"near {game.name(other)}", game.name(owner), what, (YES, NO))) == YES:
            near.append(other)
    return tuple(near)
