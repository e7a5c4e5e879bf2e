"""The activations of a Horde: one Minion at a time while sides alternate, several that do the same after that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cardgen.game import Decision, Log, MarkedMeasurement, Measurement, Procedure, Selection, in_scope
from cardgen.rulesets.warniris.limits import TABLE_DIAGONAL
from cardgen.rulesets.warniris.referee.battle import movement
from cardgen.rulesets.warniris.referee.battle.action_menu import ATTACK, MOVE, Plan, choose_plans
from cardgen.rulesets.warniris.referee.battle.activation import activate, begin_activation, end_activation, follow_plan
from cardgen.rulesets.warniris.referee.battle.attack_action import AttackAction, weapon_of
from cardgen.rulesets.warniris.referee.battle.crowd import group_by_kind
from cardgen.rulesets.warniris.referee.battle.marks import NO, YES
from cardgen.rulesets.warniris.referee.battle.table_notes import SightLine, Span
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.reaction_offers import ask_late, choose_next
from cardgen.rulesets.warniris.referee.sight import BETWEEN, GAP
from cardgen.rulesets.warniris.referee.state import State

REST_MOVES, NO_MORE = "all that are left only Move", "no more of the Horde acts in this turn"
NOT_CLEAR = (GAP, BETWEEN)


class GroupPlan(NamedTuple):
    """An action of several Minions, and how those that attack stand to their target.

    Without a line, each one is asked for its own; `arrives` is true where all come into Range in clear sight.
    """

    plan: Plan
    span: Span = Span()
    line: SightLine | None = None
    arrives: bool = False


def activate_horde(game: Game, state: State, ready: Sequence[int], actions: int, *, is_alone: bool) -> Procedure[State]:
    """Activate one Minion of those that are ready, or several at once where only the Horde is left to act.

    The other side has no activation between theirs then (ruling `unequal`), so nothing changes by their order.
    """
    kinds = group_by_kind(game, state, ready)
    options = {f"{words}, {len(members)} left": members for words, members in kinds.items()}
    crowds = {words: members for words, members in kinds.items() if is_alone and len(members) > 1}
    whole = {f"{words}, all {len(members)}": members for words, members in crowds.items()}
    side_name = game.side_names[game.sides[ready[0]]]
    general = (REST_MOVES, NO_MORE) if is_alone else (NO_MORE,)
    words = (*options, *whole, *general)
    if is_alone:
        state, chosen, count = yield from _choose_alike(game, state, side_name, words, len(ready))
    else:
        state, chosen = yield from choose_next(game, state, side_name, "which Minion acts", words)
        count = 1
    if chosen == NO_MORE:
        return _pass(state, ready)
    if chosen == REST_MOVES:
        plans = [GroupPlan(Plan(MOVE))] * actions
        return (yield from _activate_alike(game, state, ready, plans))
    members = [who for who in (options | whole).get(chosen, ()) if state.stands(who)]
    members = members if chosen in whole else members[:count]
    if not members:
        return state
    if len(members) == 1:
        return (yield from in_scope(game.name(members[0]), activate(game, state, members[0], actions)))
    plans = yield from _choose_plans(game, state, members, actions)
    return (yield from _activate_alike(game, state, members, plans))


def _choose_alike(
    game: Game, state: State, side_name: str, words: tuple[str, ...], most: int
) -> Procedure[tuple[State, str, int]]:
    """Ask which kind of Minion acts, named as often as Minions of it do the same."""
    state = yield from ask_late(game, state)
    what = "which Minions act and do the same"
    chosen = yield Selection("activate", side_name, what, words, most)
    return state, chosen[0] if chosen else "", chosen.count(chosen[0]) if chosen else 0


def _pass(state: State, ready: Sequence[int]) -> State:
    """The state after activations in which nothing is done."""
    for who in ready:
        state = state.set_status(who, state.mode.statuses[who]._replace(has_acted=True))
    return state


def _choose_plans(game: Game, state: State, members: Sequence[int], actions: int) -> Procedure[list[GroupPlan]]:
    """Ask for each action of Minions that do the same."""
    people = f"{game.miniatures[members[0]].card.name}, {len(members)} of them"
    plans: list[GroupPlan] = []
    for plan in (yield from choose_plans(game, state, members[0], actions, (), people)):
        place = GroupPlan(plan)
        if plans and plans[-1].plan == plan:
            place = plans[-1]
        elif plan.kind == ATTACK:
            attack = AttackAction(members[0], plan.target, plan.weapon)
            is_charge = movement.has_free_move(game, attack, weapon_of(game, state, attack).type)
            place = yield from (_ask_charge if is_charge else _ask_place)(game, state, attack, place, people)
        plans.append(place)
    return plans


def _ask_charge(game: Game, state: State, attack: AttackAction, place: GroupPlan, people: str) -> Procedure[GroupPlan]:
    """Ask once whether all come into Range by their free Moves; if not, each one is asked."""
    target = game.name(attack.target)
    what = f"do all of them reach {target} by their free Move, with nobody in the way and in clear sight"
    if (yield Decision("arrival", people, what, (YES, NO))) == NO:
        return place
    reach, charge_reach = movement.range_limits(game, state, attack)
    return place._replace(span=Span(reach + 1, charge_reach), arrives=True)


def _ask_place(game: Game, state: State, attack: AttackAction, place: GroupPlan, people: str) -> Procedure[GroupPlan]:
    """Ask once how far all are from their target: the farthest, and the nearest where that matters."""
    target = game.name(attack.target)
    what = f"distance of the farthest of them to {target}"
    farthest, *marks = yield MarkedMeasurement("distance", people, what, 0, TABLE_DIAGONAL, "cm", NOT_CLEAR)
    span = Span(0, farthest)
    if not span.decides((*movement.distance_limits(game, state, attack), *movement.range_limits(game, state, attack))):
        what = f"distance of the nearest of them to {target}"
        span = Span((yield Measurement("nearest", people, what, 0, farthest, "cm")), farthest)
    return place._replace(span=span, line=None if BETWEEN in marks else SightLine(is_gap=GAP in marks))


def _activate_alike(game: Game, state: State, members: Sequence[int], plans: Sequence[GroupPlan]) -> Procedure[State]:
    """Activate several Minions, one after the other, until a target of theirs is gone."""
    for count, who in enumerate(members):
        fallen = [each.plan.target for each in plans if each.plan.kind == ATTACK and not state.stands(each.plan.target)]
        if fallen:
            words = (game.name(fallen[0]), len(members) - count)
            yield Log("{} is eliminated; {} of them have not acted", words)
            break
        state = yield from in_scope(game.name(who), _follow_plans(game, state, who, plans))
    return state


def _follow_plans(game: Game, state: State, who: int, plans: Sequence[GroupPlan]) -> Procedure[State]:
    state = yield from begin_activation(game, state, who)
    for count, each in enumerate(plans, 1):
        if each.plan.kind == ATTACK:
            _note_place(game, who, each)
        if state.stands(who) and (each.plan.kind == MOVE or state.stands(each.plan.target)):
            state, _ = yield from follow_plan(game, state, who, each.plan, count, in_group=True)
    return (yield from end_activation(game, state, who))


def _note_place(game: Game, who: int, place: GroupPlan) -> None:
    """Note for one Minion what was measured for all."""
    game.notes.set_span(who, place.plan.target, place.span)
    if place.line:
        game.notes.set_line(who, place.plan.target, place.line)
    if place.arrives:
        game.notes.expect_arrival(who, place.plan.target, ())
