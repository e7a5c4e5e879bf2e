"""Miniatures in between: their tests, and the attack that one of them takes (section 4)."""

from __future__ import annotations

from cardgen.game import Log, Procedure
from cardgen.rulesets.warniris.referee import modifiers
from cardgen.rulesets.warniris.referee.attack_action import AttackAction
from cardgen.rulesets.warniris.referee.effects import start_effects
from cardgen.rulesets.warniris.referee.game import Game, State
from cardgen.rulesets.warniris.referee.movement import measure_diverted
from cardgen.rulesets.warniris.referee.reroll import take_test


def test_between(game: Game, state: State, attack: AttackAction) -> Procedure[tuple[State, AttackAction, str]]:
    """A test for each miniature in between; the first failure makes that one the target.

    Return the attack after them, and why it ends with them or ''. Section 4: Miniatures in between; rulings
    `between-order`, `between-hit` and `diverted-sight`.
    """
    is_outward = game.rulings["between-order"] == "outward"
    for count, other in enumerate(attack.between if is_outward else attack.between[::-1], 1):
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
    remaining = tuple(f for f in state.mode.active_effects if not (f.owner == attack.target and f.until == "attack"))
    state = State(state.mode._replace(active_effects=remaining), state.counters)
    hits = attack.hits or game.rulings["between-hit"] == "skipped"
    attack = attack._replace(target=new_target, between=(), hits=hits, distance=_distance_in_line(game, attack))
    problem = ""
    if game.is_interactive:
        attack, problem = yield from measure_diverted(game, state, attack)
    if not problem:
        state = yield from start_effects(game, state, "attacked", (new_target,), attack)
    return state, attack, problem


def _distance_in_line(game: Game, attack: AttackAction) -> int | None:
    """The distance of miniatures in between where nobody measures."""
    return attack.distance if game.distance_between is None else game.distance_between
