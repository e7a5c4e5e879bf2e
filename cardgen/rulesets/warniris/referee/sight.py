"""Measurements of distance, sight, and line (section 6: Attack, Cover)."""

from __future__ import annotations

from cardgen.game import Decision, Measurement, Procedure
from cardgen.rulesets.warniris.referee.attack_action import AttackAction
from cardgen.rulesets.warniris.referee.game import TABLE_DIAGONAL, Game, State

CLEAR_SIGHT, PARTLY_HIDDEN, HIDDEN_SIGHT = "in clear sight", "partly hidden (-1)", "wholly hidden"
THROUGH_GAP, THROUGH_ANY_GAP = "through a gap of 1 cm or more (-1)", "through a gap (-1)"
END_OF_LINE = "nobody"


def measure_distance(game: Game, attack: AttackAction) -> Procedure[AttackAction]:
    """Ask for the distance of an attack, in cm."""
    who, target = game.name(attack.attacker), game.name(attack.target)
    distance = yield Measurement("distance", who, f"distance to {target}", 0, TABLE_DIAGONAL, "cm")
    return attack._replace(distance=distance)


def measure_sight(game: Game, state: State, attack: AttackAction) -> Procedure[tuple[AttackAction, str]]:
    """Ask for cover and line; return why the attack is not possible, or ''."""
    attack, problem = yield from measure_cover(game, attack)
    if problem:
        return attack, problem
    between = yield from _ask_between(game, state, attack)
    return attack._replace(between=between), ""


def measure_cover(game: Game, attack: AttackAction) -> Procedure[tuple[AttackAction, str]]:
    """Ask for cover; return why the attack is not possible, or ''.

    Section 6: Cover; rulings `partial-cover` and `small-gaps`.
    """
    who, target = game.name(attack.attacker), game.name(attack.target)
    partly = (PARTLY_HIDDEN,) if game.rulings["partial-cover"] == "hindered" else ()
    gap = THROUGH_GAP if game.rulings["small-gaps"] == "blocked" else THROUGH_ANY_GAP
    sight = yield Decision("sight", who, f"sees {target}", (CLEAR_SIGHT, *partly, gap, HIDDEN_SIGHT))
    if sight == HIDDEN_SIGHT:
        return attack, f"{target} is wholly hidden"
    return attack._replace(gap=sight != CLEAR_SIGHT), ""


def _ask_between(game: Game, state: State, attack: AttackAction) -> Procedure[tuple[int, ...]]:
    """Ask for the miniatures in the line.

    They come from the attacker outward (ruling `between-order`).
    """
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


def ask_crossed(game: Game, who: int, most: int) -> Procedure[int]:
    """Ask how many enemies a Move passes through."""
    crossed = yield Measurement("enemies in the way", game.name(who), "enemies that it Moves through", 0, most)
    return int(crossed)
