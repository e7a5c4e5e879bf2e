"""Reactions (section 6: Reaction): once a turn, against an enemy's action, at most 1 damage and no effects."""

from __future__ import annotations

from cardgen.referee.requests import Decision, Log, Procedure
from cardgen.rulesets.warniris.procedures import reckoning
from cardgen.rulesets.warniris.procedures.attack import resolve_attack
from cardgen.rulesets.warniris.procedures.blow import AttackAction
from cardgen.rulesets.warniris.procedures.effects import start_effects
from cardgen.rulesets.warniris.procedures.state import PendingReaction, State
from cardgen.rulesets.warniris.procedures.table import Game
from cardgen.rulesets.warniris.procedures.testing import take_test

ATTACK_POINTS = {"before": "before the first die", "hit": "when it has hit", "resist": "when it was not resisted"}
MOVE_POINTS = {"before": "before it moves", "way": "part-way along the Move"}


def react(game: Game, state: State, attack: AttackAction, points: dict[str, str]) -> Procedure[State]:
    """Time a reaction, named by its blow, to the action that begins now.

    A success lets it happen at one of `points`; a failure leaves it for the end of the action. It is used up in any
    case (ruling `reaction-spent`).
    """
    state = state.change_counter(game.reaction_counter(attack.attacker), -1)
    state, in_time = yield from _take_timing_test(game, state, attack)
    point = "end"
    if in_time:
        point = yield from _choose_point(game, attack, points)
    if point == "before":
        return (yield from resolve_attack(game, state, attack))
    pending = PendingReaction(attack.attacker, attack.weapon, point, attack.distance, attack.gap)
    return state.set_pending(*state.mode.pending_reactions, pending)


def _take_timing_test(game: Game, state: State, attack: AttackAction) -> Procedure[tuple[State, bool]]:
    hindered = game.rulings["reaction-cloak"] == "hindered" and "attacked" in game.triggers
    before = state
    if hindered:
        state = yield from start_effects(game, state, "attacked", (attack.target,), attack)
    context = reckoning.timing_context(game, attack)
    test = reckoning.timing_test(game, state, attack)
    state, in_time = yield from take_test(game, state, test, attack.attacker, "timing", context)
    return (
        state.end_window("attack") if hindered and state.mode.active_effects != before.mode.active_effects else state
    ), in_time


def _choose_point(game: Game, attack: AttackAction, points: dict[str, str]) -> Procedure[str]:
    """The moment that the reactor's player names (ruling `reaction-when`)."""
    if game.rulings["reaction-when"] == "before-dice":
        return "before"
    advised = points.get(game.policy["moment"], points["before"])
    if not game.is_interactive:
        chosen = advised
    else:
        options = tuple(points.values())
        chosen = yield Decision("moment", game.name(attack.attacker), "when does it react", options, advised)
    yield Log("{} times its Reaction: {}", (game.name(attack.attacker), chosen))
    return next(point for point, words in points.items() if words == chosen)


def may_react(game: Game, state: State, who: int) -> bool:
    """Whether a miniature has its reaction left. Minions never react (section 8)."""
    left = state.counters[game.reaction_counter(who)]
    return bool(left) and state.stands(who) and not game.miniatures[who].is_minion
